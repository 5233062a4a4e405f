//! The capsule.

use super::PrimitiveError;
use super::error::size;
use super::support::{SupportPoint, checked_extent, signed, unit};
use crate::Aabb;
use crate::math::round::{UNIT_ROUNDOFF, add_up, mul_up, norm_up};
use glam::DVec3;

/// All points within `radius` of a segment of `length` along the z axis, centred at the origin.
///
/// ```
/// use clearance::{glam::DVec3, shape::Capsule};
/// let capsule = Capsule::new(2.0, 0.5)?;
/// assert_eq!(capsule.support(DVec3::Z).point, DVec3::new(0.0, 0.0, 1.5));
/// # Ok::<(), clearance::shape::PrimitiveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    length: f64,
    radius: f64,
}

impl Capsule {
    /// From the length of the inner segment (without the round ends) and the radius.
    pub fn new(length: f64, radius: f64) -> Result<Capsule, PrimitiveError> {
        Ok(Capsule { length: size("length", length)?, radius: size("radius", radius)? })
    }

    /// The length of the inner segment.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// The radius.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The extreme point within `4 EPSILON (r + length / 2)`.
    ///
    /// The end of the segment is exact, the ball's point errs by `5u r`, the sum by `u (r + length / 2)`.
    pub fn support(&self, direction: DVec3) -> SupportPoint {
        let half = 0.5 * self.length;
        let end = DVec3::new(0.0, 0.0, signed(half, direction.z));
        let error = 8.0 * UNIT_ROUNDOFF * (self.radius + half);
        SupportPoint::new(direction, end + self.radius * unit(direction), error)
    }

    /// The smallest box, its height rounded outward.
    pub fn bounds(&self) -> Aabb {
        let max = DVec3::new(self.radius, self.radius, add_up(0.5 * self.length, self.radius));
        Aabb { min: -max, max }
    }

    /// A number not below `max d·x = |d_z| length / 2 + r |d|`, within `8` units in the last place.
    pub fn extent(&self, direction: DVec3) -> f64 {
        checked_extent(direction, || {
            let along = mul_up(direction.z.abs(), 0.5 * self.length);
            add_up(along, mul_up(self.radius, norm_up(direction)))
        })
    }
}
