//! Whether a mesh is the border of a convex body; exact.
//!
//! Convex edges alone do not suffice: a surface may wind around a vertex twice, as in a great dodecahedron, and
//! be convex at every edge. So let `o` be the mean of four vertices that do not lie in a plane. If the mesh
//! is convex, `o` is strictly behind every triangle; that is checked without computing `o`, by each of the
//! four being behind or on the plane and not all on it. Then looking from `o` the surface covers
//! the sphere of directions everywhere the same number of times, except at vertices, and that number is
//! the winding number around `o`. If it is 1, the surface is star-shaped around `o`: at each vertex it
//! is a simple cone with convex edges, hence a convex cone, and a closed connected surface that is
//! convex at each of its points bounds a convex body (Tietze, Nakajima).

use super::Mesh;
use super::winding::Probe;
use crate::exact::{Sign, orient3d};
use glam::DVec3;

impl Mesh {
    /// Whether the mesh is the border of a convex body with interior, given once and facing outward.
    ///
    /// Exact; coplanar neighbouring triangles are allowed. `O(n)`; most meshes that are not convex are told
    /// at one of their first edges.
    pub fn is_convex(&self) -> bool {
        self.component_count() == 1
            && (0..self.edge_count()).all(|edge| self.is_convex_at(edge))
            && self.spread_vertices().is_some_and(|four| self.is_star_shaped_around(four))
    }

    /// Whether an edge has two triangles of opposite directions, each behind or in the plane of the other.
    fn is_convex_at(&self, edge: usize) -> bool {
        let &[first, second] = self.edge_triangles(edge) else { return false };
        let [p, q] = self.edge(edge);
        let runs_forward = |t: u32| super::draft::runs_forward(self.triangles[t as usize], [p, q]);
        let apex = self.triangles[second as usize].iter().fold(p ^ q, |rest, v| rest ^ v);
        let [a, b, c] = self.triangle(first as usize);
        runs_forward(first) != runs_forward(second)
            && !orient3d(a, b, c, self.positions[apex as usize]).is_positive()
    }

    /// Four vertices that span space: the first triangle's and the first off its plane.
    fn spread_vertices(&self) -> Option<[DVec3; 4]> {
        let [a, b, c] = self.triangle(0);
        let apex = self.positions.iter().find(|&&d| !orient3d(a, b, c, d).is_zero())?;
        Some([a, b, c, *apex])
    }

    fn is_star_shaped_around(&self, four: [DVec3; 4]) -> bool {
        let is_behind = |[a, b, c]: [DVec3; 3]| {
            let sides = four.map(|vertex| orient3d(a, b, c, vertex));
            !sides.contains(&Sign::Positive) && sides.contains(&Sign::Negative)
        };
        self.corners().all(is_behind) && Probe::mean(&four).winding(self.corners()) == 1
    }
}
