//! Random directions.

use crate::math::Random;
use glam::DVec3;

/// A uniform point on the unit sphere, within a few units in the last place.
///
/// ```
/// use clearance::{math::Random, shape::sample::random_direction};
/// assert!((random_direction(&mut Random::new(1)).length() - 1.0).abs() < 1e-15);
/// ```
pub fn random_direction(random: &mut Random) -> DVec3 {
    loop {
        let [x, y, z] = std::array::from_fn(|_| random.range(-1.0, 1.0));
        let v = DVec3::new(x, y, z);
        let square = v.length_squared();
        // Rejection from the cube; short vectors would lose digits.
        if (1e-4..=1.0).contains(&square) {
            return v / square.sqrt();
        }
    }
}
