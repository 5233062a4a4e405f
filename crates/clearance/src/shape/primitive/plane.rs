//! The plane.

use super::support::{SupportPoint, checked_extent};
use super::{HalfSpace, PrimitiveError};
use glam::DVec3;

/// All points with `normal · x = offset`, both numbers taken as they are given: a body without inside.
///
/// ```
/// use clearance::{glam::DVec3, shape::Plane};
/// let plane = Plane::new(DVec3::new(0.0, 0.0, 2.0), 1.0)?;
/// assert_eq!(plane.extent(DVec3::Z), 0.5);
/// assert_eq!(plane.extent(-DVec3::Z), -0.5);
/// # Ok::<(), clearance::shape::PrimitiveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    below: HalfSpace,
}

impl Plane {
    /// From a normal of any length and the offset along it.
    pub fn new(normal: DVec3, offset: f64) -> Result<Plane, PrimitiveError> {
        Ok(Plane { below: HalfSpace::new(normal, offset)? })
    }

    /// The normal, as given.
    pub fn normal(&self) -> DVec3 {
        self.below.normal()
    }

    /// The offset, as given.
    pub fn offset(&self) -> f64 {
        self.below.offset()
    }

    /// The point nearest to the origin, within `4 EPSILON` times its size, if the direction is exactly
    /// a multiple of the normal; else `None`.
    pub fn support(&self, direction: DVec3) -> Option<SupportPoint> {
        let bounded = !direction.is_finite() || self.below.multiple(direction).is_some();
        bounded.then(|| self.below.boundary_point(direction))
    }

    /// A number not below `max d·x = offset λ` if the direction is exactly `λ normal`, within `2` units
    /// in the last place; else infinity.
    pub fn extent(&self, direction: DVec3) -> f64 {
        checked_extent(direction, || match self.below.multiple(direction) {
            Some(_) => self.below.boundary_extent(direction),
            None => f64::INFINITY,
        })
    }
}
