//! The triangle.

use super::PrimitiveError;
use super::error::position;
use super::support::{SupportPoint, extent_of_points, support_of_points};
use crate::Aabb;
use glam::DVec3;

/// The convex hull of three points; they may be collinear or equal.
///
/// ```
/// use clearance::{glam::DVec3, shape::Triangle};
/// let triangle = Triangle::new(DVec3::X, DVec3::Y, DVec3::Z)?;
/// assert_eq!(triangle.support(DVec3::new(0.0, 3.0, 1.0)).point, DVec3::Y);
/// # Ok::<(), clearance::shape::PrimitiveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    corners: [DVec3; 3],
}

impl Triangle {
    /// From its corners.
    pub fn new(corner_a: DVec3, corner_b: DVec3, corner_c: DVec3) -> Result<Triangle, PrimitiveError> {
        position(["corner_a.x", "corner_a.y", "corner_a.z"], corner_a)?;
        position(["corner_b.x", "corner_b.y", "corner_b.z"], corner_b)?;
        position(["corner_c.x", "corner_c.y", "corner_c.z"], corner_c)?;
        Ok(Triangle { corners: [corner_a, corner_b, corner_c] })
    }

    /// The corners.
    pub fn corners(&self) -> [DVec3; 3] {
        self.corners
    }

    /// A corner that is extreme within `6 EPSILON` times the largest coordinate (plus `2^-1022`),
    /// the error of comparing float dot products; the first of equals.
    pub fn support(&self, direction: DVec3) -> SupportPoint {
        let [a, b, c] = self.corners;
        support_of_points(a, &[b, c], direction)
    }

    /// The smallest box, exactly.
    pub fn bounds(&self) -> Aabb {
        let [a, b, c] = self.corners;
        Aabb { min: a.min(b).min(c), max: a.max(b).max(c) }
    }

    /// A number not below `max d·x`: the largest dot product, each of five operations rounded upward.
    pub fn extent(&self, direction: DVec3) -> f64 {
        extent_of_points(&self.corners, direction)
    }
}
