//! The ellipsoid.

use super::PrimitiveError;
use super::error::sizes;
use super::support::{SupportPoint, checked_extent, normal_range, unit};
use crate::Aabb;
use crate::math::round::{UNIT_ROUNDOFF, mul_up, norm_up};
use glam::DVec3;

/// A solid ellipsoid around the origin with its axes along the coordinate axes.
///
/// ```
/// use clearance::{glam::DVec3, shape::Ellipsoid};
/// let ellipsoid = Ellipsoid::new(DVec3::new(1.0, 0.7, 0.5))?;
/// assert_eq!(ellipsoid.support(DVec3::Y).point, DVec3::new(0.0, 0.7, 0.0));
/// # Ok::<(), clearance::shape::PrimitiveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid {
    semi_axes: DVec3,
}

impl Ellipsoid {
    /// From the semi-axes (radii).
    pub fn new(semi_axes: DVec3) -> Result<Ellipsoid, PrimitiveError> {
        Ok(Ellipsoid { semi_axes: sizes(["semi_axes.x", "semi_axes.y", "semi_axes.z"], semi_axes)? })
    }

    /// The semi-axes.
    pub fn semi_axes(&self) -> DVec3 {
        self.semi_axes
    }

    /// The extreme point within `4 EPSILON` times the largest semi-axis.
    ///
    /// With `w = s d` entry by entry, the point is `s w / |w|`. Each `w` errs by `u` of itself, which
    /// adds at most `2u` to the unit vector's `4u`; the last product adds `u`: `7u` of each entry.
    /// Underflow of tiny entries of `d` adds less than `2^-200` of the largest semi-axis.
    pub fn support(&self, direction: DVec3) -> SupportPoint {
        let across = unit(self.semi_axes * normal_range(direction));
        let error = 8.0 * UNIT_ROUNDOFF * self.semi_axes.max_element();
        SupportPoint::new(direction, self.semi_axes * across, error)
    }

    /// The smallest box, exactly.
    pub fn bounds(&self) -> Aabb {
        Aabb { min: -self.semi_axes, max: self.semi_axes }
    }

    /// A number not below `max d·x = |(s_x d_x, s_y d_y, s_z d_z)|`, within `6` units in the last place.
    pub fn extent(&self, direction: DVec3) -> f64 {
        let (s, d) = (self.semi_axes, direction.abs());
        checked_extent(direction, || {
            norm_up(DVec3::new(mul_up(s.x, d.x), mul_up(s.y, d.y), mul_up(s.z, d.z)))
        })
    }
}
