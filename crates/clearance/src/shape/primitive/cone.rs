//! The cone.

use super::PrimitiveError;
use super::error::size;
use super::support::{SupportPoint, checked_extent, normal_range, unit_across};
use crate::Aabb;
use crate::math::round::{UNIT_ROUNDOFF, add_up, mul_up, norm_up};
use glam::DVec3;

/// A solid circular cone along z: the base disc lies at `-height / 2`, the apex at `+height / 2`.
///
/// ```
/// use clearance::{glam::DVec3, shape::Cone};
/// let cone = Cone::new(2.0, 1.0)?;
/// assert_eq!(cone.support(DVec3::Z).point, DVec3::Z);
/// assert_eq!(cone.support(DVec3::Y).point, DVec3::new(0.0, 1.0, -1.0));
/// # Ok::<(), clearance::shape::PrimitiveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    height: f64,
    radius: f64,
}

impl Cone {
    /// From the full height and the radius of the base.
    pub fn new(height: f64, radius: f64) -> Result<Cone, PrimitiveError> {
        Ok(Cone { height: size("height", height)?, radius: size("radius", radius)? })
    }

    /// The full height.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// The radius of the base.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The apex or a point of the rim, extreme within `5 EPSILON (r + height)`.
    ///
    /// A rim point errs by `5u r`, as the cylinder's. The apex wins when `d_z height >= r |(d_x, d_y)|`;
    /// the sides of this comparison err by `u` and `4u` of themselves, so a wrong choice costs at most
    /// `4u (r + height)` along the unit direction.
    pub fn support(&self, direction: DVec3) -> SupportPoint {
        let d = normal_range(direction);
        let half = 0.5 * self.height;
        let point = if d.z * self.height >= self.radius * d.truncate().length() {
            DVec3::new(0.0, 0.0, half)
        } else {
            (self.radius * unit_across(direction)).extend(-half)
        };
        SupportPoint::new(direction, point, 10.0 * UNIT_ROUNDOFF * (self.radius + self.height))
    }

    /// The smallest box, exactly.
    pub fn bounds(&self) -> Aabb {
        let max = DVec3::new(self.radius, self.radius, 0.5 * self.height);
        Aabb { min: -max, max }
    }

    /// A number not below `max d·x`, the larger of `d_z height / 2` (apex) and
    /// `r |(d_x, d_y)| - d_z height / 2` (rim); within `8` units in the last place of
    /// `r |(d_x, d_y)| + |d_z| height / 2`.
    pub fn extent(&self, direction: DVec3) -> f64 {
        checked_extent(direction, || {
            let half = 0.5 * self.height;
            let across = norm_up(direction.truncate().extend(0.0));
            let rim = add_up(mul_up(self.radius, across), mul_up(-direction.z, half));
            rim.max(mul_up(direction.z, half))
        })
    }
}
