//! Whether two meshes are at most so far apart.

use super::cache::MeshCache;
use super::enclosure::is_nested;
use super::relation::collides;
use super::tree_mesh::TreeMesh;
use crate::math::Pose;
use crate::tree::TreePair;
use crate::triangle;
use std::ops::ControlFlow;

/// Whether the distance of two meshes is at most a limit: exact, also where it equals the limit. False for a limit that
/// is negative or not a number.
///
/// Ends as soon as either is proved: cheaper than a distance.
pub fn within(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose, limit: f64) -> bool {
    within_with(a, pose_a, b, pose_b, limit, &mut MeshCache::default())
}

/// [`within`] with what is remembered: triangles that were near in the last frame are tried first.
pub fn within_with(
    a: &TreeMesh,
    pose_a: &Pose,
    b: &TreeMesh,
    pose_b: &Pose,
    limit: f64,
    cache: &mut MeshCache,
) -> bool {
    if limit.is_nan() || limit < 0.0 {
        return false;
    }
    if limit == 0.0 {
        return collides(a, pose_a, b, pose_b, cache);
    }
    let pair = TreePair::new(a.tree(), pose_a, b.tree(), pose_b);
    let near = |x: u32, y: u32| {
        let (corners_a, corners_b) = (a.mesh().triangle(x as usize), b.mesh().triangle(y as usize));
        let gap = pair.gap(corners_a, corners_b);
        gap.upper <= limit
            || (gap.lower <= limit && triangle::within(corners_a, pose_a, corners_b, pose_b, limit))
    };
    let remembered = cache.witness.filter(|&(x, y)| a.has_triangle(x) && b.has_triangle(y));
    if remembered.is_some_and(|(x, y)| near(x, y)) {
        return true;
    }
    let found = pair.traverse(limit, &mut cache.scratch, |x, y| match near(x, y) {
        true => ControlFlow::Break((x, y)),
        false => ControlFlow::Continue(()),
    });
    match found {
        ControlFlow::Break(pair) => {
            cache.witness = Some(pair);
            true
        }
        ControlFlow::Continue(()) => is_nested(a, pose_a, b, pose_b),
    }
}
