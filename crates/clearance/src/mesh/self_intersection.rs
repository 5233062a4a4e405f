//! Where a mesh meets itself.

use super::tree_mesh::TreeMesh;
use crate::Aabb;
use crate::solid::{self, SelfIntersection};
use rayon::prelude::*;

/// Triangles that one thread takes at a time.
const CHUNK: usize = 64;

/// All pairs of triangles of a mesh that have a point in common beyond what their common vertices imply, with all their
/// common points, in the order of the triangles, the smaller of each pair first: exact.
///
/// `O(n log n)` for meshes whose triangles meet few others' boxes, on all threads of the current `rayon` pool; the
/// result does not depend on how many there are.
pub fn self_intersections(mesh: &TreeMesh) -> Vec<SelfIntersection> {
    let count = mesh.mesh().triangles().len();
    let starts: Vec<usize> = (0..count).step_by(CHUNK).collect();
    let found = starts.into_par_iter().flat_map_iter(|start| {
        let mut pairs = Vec::new();
        (start..count.min(start + CHUNK)).for_each(|first| add_candidates(mesh, first, &mut pairs));
        solid::self_intersections(mesh.mesh(), pairs)
    });
    found.collect()
}

/// Adds the pairs of a triangle and later ones whose boxes meet, in order.
fn add_candidates(mesh: &TreeMesh, first: usize, pairs: &mut Vec<(u32, u32)>) {
    let box_of = |triangle: usize| {
        let [p, q, r] = mesh.mesh().triangle(triangle);
        Aabb { min: p.min(q).min(r), max: p.max(q).max(r) }
    };
    let (bounds, start) = (box_of(first), pairs.len());
    mesh.tree().visit(bounds, |second| {
        if second as usize > first && bounds.meets(box_of(second as usize)) {
            pairs.push((first as u32, second));
        }
    });
    pairs[start..].sort_unstable();
}
