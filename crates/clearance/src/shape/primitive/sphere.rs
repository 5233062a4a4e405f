//! The ball.

use super::PrimitiveError;
use super::error::size;
use super::support::{SupportPoint, checked_extent, unit};
use crate::Aabb;
use crate::math::round::{UNIT_ROUNDOFF, mul_up, norm_up};
use glam::DVec3;

/// A solid ball around the origin.
///
/// ```
/// use clearance::{glam::DVec3, shape::Sphere};
/// let sphere = Sphere::new(2.0)?;
/// assert_eq!(sphere.support(DVec3::new(0.0, -3.0, 0.0)).point, DVec3::new(0.0, -2.0, 0.0));
/// # Ok::<(), clearance::shape::PrimitiveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    radius: f64,
}

impl Sphere {
    /// From the radius.
    pub fn new(radius: f64) -> Result<Sphere, PrimitiveError> {
        Ok(Sphere { radius: size("radius", radius)? })
    }

    /// The radius.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The extreme point within `3 EPSILON r`: the unit vector errs by `4u`, the product by `u`.
    pub fn support(&self, direction: DVec3) -> SupportPoint {
        SupportPoint::new(direction, self.radius * unit(direction), 6.0 * UNIT_ROUNDOFF * self.radius)
    }

    /// The smallest box, exactly.
    pub fn bounds(&self) -> Aabb {
        Aabb { min: DVec3::splat(-self.radius), max: DVec3::splat(self.radius) }
    }

    /// A number not below `max d·x = r |d|`, within `6` units in the last place.
    pub fn extent(&self, direction: DVec3) -> f64 {
        checked_extent(direction, || mul_up(self.radius, norm_up(direction)))
    }
}
