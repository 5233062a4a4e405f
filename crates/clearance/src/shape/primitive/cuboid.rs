//! The box.

use super::PrimitiveError;
use super::error::sizes;
use super::support::{SupportPoint, checked_extent, signed};
use crate::Aabb;
use crate::math::round::dot_up;
use glam::DVec3;

/// A solid box, centred at the origin, with edges along the axes.
///
/// ```
/// use clearance::{glam::DVec3, shape::Cuboid};
/// let cuboid = Cuboid::new(DVec3::new(2.0, 4.0, 6.0))?;
/// assert_eq!(cuboid.support(DVec3::new(1.0, -1.0, 1.0)).point, DVec3::new(1.0, -2.0, 3.0));
/// assert_eq!(cuboid.extent(DVec3::ONE), 6.0);
/// # Ok::<(), clearance::shape::PrimitiveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    edges: DVec3,
}

impl Cuboid {
    /// From the full edge lengths.
    pub fn new(edges: DVec3) -> Result<Cuboid, PrimitiveError> {
        Ok(Cuboid { edges: sizes(["edges.x", "edges.y", "edges.z"], edges)? })
    }

    /// The full edge lengths.
    pub fn edges(&self) -> DVec3 {
        self.edges
    }

    /// An extreme vertex; its error is zero.
    pub fn support(&self, direction: DVec3) -> SupportPoint {
        let half = self.half_edges();
        let point =
            DVec3::new(signed(half.x, direction.x), signed(half.y, direction.y), signed(half.z, direction.z));
        SupportPoint::new(direction, point, 0.0)
    }

    /// The box itself, exactly.
    pub fn bounds(&self) -> Aabb {
        Aabb { min: -self.half_edges(), max: self.half_edges() }
    }

    /// A number not below `max d·x` and within five upward roundings of it: the maximum is
    /// `|d_x| h_x + |d_y| h_y + |d_z| h_z` with the half edges `h`, which are exact.
    pub fn extent(&self, direction: DVec3) -> f64 {
        checked_extent(direction, || dot_up(direction.abs(), self.half_edges()))
    }

    fn half_edges(&self) -> DVec3 {
        0.5 * self.edges
    }
}
