//! The point.

use super::PrimitiveError;
use super::error;
use super::support::{SupportPoint, extent_of_points};
use crate::Aabb;
use glam::DVec3;

/// A single point.
///
/// ```
/// use clearance::{glam::DVec3, shape::Point};
/// let point = Point::new(DVec3::X)?;
/// assert_eq!(point.support(DVec3::Y).point, DVec3::X);
/// # Ok::<(), clearance::shape::PrimitiveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    position: DVec3,
}

impl Point {
    /// From its position.
    pub fn new(position: DVec3) -> Result<Point, PrimitiveError> {
        Ok(Point { position: error::position(["position.x", "position.y", "position.z"], position)? })
    }

    /// Where it is.
    pub fn position(&self) -> DVec3 {
        self.position
    }

    /// The point; its error is zero.
    pub fn support(&self, direction: DVec3) -> SupportPoint {
        SupportPoint::new(direction, self.position, 0.0)
    }

    /// The box of no extent, exactly.
    pub fn bounds(&self) -> Aabb {
        Aabb { min: self.position, max: self.position }
    }

    /// A number not below `d·x`: each of five operations is rounded upward.
    pub fn extent(&self, direction: DVec3) -> f64 {
        extent_of_points(&[self.position], direction)
    }
}
