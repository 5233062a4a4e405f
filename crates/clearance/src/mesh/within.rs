//! Whether two meshes are at most so far apart.

use super::cache::MeshCache;
use super::enclosure::is_nested;
use super::relation::collides;
use super::tree_mesh::TreeMesh;
use crate::math::Pose;
use crate::tree::MeshPair;
use crate::triangle;

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
    let pair = MeshPair::new(a.placed(pose_a), b.placed(pose_b));
    let near = pair.within(limit, &mut cache.coherence, &mut cache.scratch, |x, y| {
        let (corners_a, corners_b) = (a.mesh().triangle(x as usize), b.mesh().triangle(y as usize));
        triangle::within(corners_a, pose_a, corners_b, pose_b, limit)
    });
    near.is_some() || is_nested(a, pose_a, b, pose_b)
}
