//! A triangle in floats: its plane, and planes through its sides, with bounds of their errors.

use super::sight::{SLACK, Sight, size};
use glam::DVec3;

/// A plane: a point of it and a vector across it.
#[derive(Clone, Copy)]
pub(super) struct Plane {
    pub point: DVec3,
    pub normal: DVec3,
    /// How far the vector may be off, as a sum of coordinates.
    pub error: f64,
}

/// A triangle: its plane, and planes across that through its sides, toward the inside.
pub(super) struct Face {
    pub plane: Plane,
    corners: [DVec3; 3],
    edges: [DVec3; 3],
    /// Of the first and the last side.
    area: f64,
    off: f64,
}

impl Face {
    /// Of corners that are off as `sight` says.
    ///
    /// Two sides that are off by `2 off` and rounding in each coordinate: so is a sliver's normal by rounding of the product of
    /// their sizes, however small it is.
    pub fn new(corners: [DVec3; 3], sight: &Sight) -> Face {
        let edges: [DVec3; 3] = std::array::from_fn(|k| corners[(k + 1) % 3] - corners[k]);
        let normal = edges[0].cross(-edges[2]);
        let (first, last) = (size(edges[0]), size(edges[2]));
        let numbers = size(corners[0]) + size(corners[1]) + size(corners[2]);
        let off = 6.0 * sight.off() + SLACK * numbers;
        let error = SLACK * first * last + 2.0 * off * (first + last);
        Face { plane: Plane { point: corners[0], normal, error }, corners, edges, area: first * last, off }
    }

    /// The plane through a side, which is positive on the side of the triangle.
    pub fn inward(&self, side: usize) -> Plane {
        let edge = self.edges[side];
        let normal = self.plane.normal;
        let error =
            1.01 * (self.plane.error + SLACK * self.area) * size(edge) + 2.0 * self.off * size(normal);
        Plane { point: self.corners[side], normal: normal.cross(edge), error }
    }

    /// Whether the direction of the normal is known to `1e-6`.
    pub fn is_clear(&self) -> bool {
        1e-6 * self.plane.normal.length() > self.plane.error
    }
}
