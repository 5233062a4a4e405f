//! The cylinder.

use super::PrimitiveError;
use super::error::size;
use super::support::{SupportPoint, checked_extent, signed, unit_across};
use crate::Aabb;
use crate::math::round::{UNIT_ROUNDOFF, add_up, mul_up, norm_up};
use glam::DVec3;

/// A solid circular cylinder with its axis along z, centred at the origin.
///
/// ```
/// use clearance::{glam::DVec3, shape::Cylinder};
/// let cylinder = Cylinder::new(4.0, 1.0)?;
/// assert_eq!(cylinder.support(DVec3::new(1.0, 0.0, -1.0)).point, DVec3::new(1.0, 0.0, -2.0));
/// # Ok::<(), clearance::shape::PrimitiveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    height: f64,
    radius: f64,
}

impl Cylinder {
    /// From the full height and the radius.
    pub fn new(height: f64, radius: f64) -> Result<Cylinder, PrimitiveError> {
        Ok(Cylinder { height: size("height", height)?, radius: size("radius", radius)? })
    }

    /// The full height.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// The radius.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// A point of a rim, extreme within `3 EPSILON r`: the height is exact, the unit vector across
    /// errs by `4u`, the product by `u`.
    pub fn support(&self, direction: DVec3) -> SupportPoint {
        let rim = self.radius * unit_across(direction);
        let point = rim.extend(signed(0.5 * self.height, direction.z));
        SupportPoint::new(direction, point, 6.0 * UNIT_ROUNDOFF * self.radius)
    }

    /// The smallest box, exactly.
    pub fn bounds(&self) -> Aabb {
        let max = DVec3::new(self.radius, self.radius, 0.5 * self.height);
        Aabb { min: -max, max }
    }

    /// A number not below `max d·x = |d_z| height / 2 + r |(d_x, d_y)|`, within `8` units in the last place.
    pub fn extent(&self, direction: DVec3) -> f64 {
        checked_extent(direction, || {
            let across = norm_up(direction.truncate().extend(0.0));
            add_up(mul_up(direction.z.abs(), 0.5 * self.height), mul_up(self.radius, across))
        })
    }
}
