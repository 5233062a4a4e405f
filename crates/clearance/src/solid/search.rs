//! Where triangles come from.

use crate::math::Aabb;
use crate::shape::Mesh;

/// Finds triangles of a mesh by their boxes.
pub trait TriangleSearch {
    /// Calls `found` for every triangle whose box meets a box in the frame of the body, in any order, each once.
    /// Others do no harm. The box may reach to infinity.
    fn visit(&self, within: Aabb, found: impl FnMut(u32));
}

/// Looks at every triangle: for small meshes, and to compare with.
#[derive(Clone, Copy, Debug)]
pub struct EveryTriangle<'m>(pub &'m Mesh);

impl TriangleSearch for EveryTriangle<'_> {
    fn visit(&self, within: Aabb, mut found: impl FnMut(u32)) {
        for (triangle, corners) in (0..).zip(self.0.triangles()) {
            let [p, q, r] = corners.map(|vertex| self.0.positions()[vertex as usize]);
            if within.meets(Aabb { min: p.min(q).min(r), max: p.max(q).max(r) }) {
                found(triangle);
            }
        }
    }
}
