//! What two bodies have in common: the part of space that both boxes hold, and triangles there.

use super::penetration::bounds;
use super::tree_mesh::TreeMesh;
use crate::Aabb;
use crate::math::Pose;

/// The boxes' common part in the world, and how far rounded images of vertices of each are from exact ones at most;
/// `None` if the boxes do not meet.
pub(super) fn common_box(bodies: [(&TreeMesh, &Pose); 2]) -> Option<(Aabb, [f64; 2])> {
    let [(a, error_a), (b, error_b)] = bodies.map(|(mesh, pose)| bounds(mesh, pose));
    let common = Aabb { min: a.min.max(b.min), max: a.max.min(b.max) };
    common.min.cmple(common.max).all().then_some((common, [error_a, error_b]))
}

/// The triangles of a body that may meet a box of the world, ascending; others near it may be among them.
pub(super) fn triangles_in(mesh: &TreeMesh, pose: &Pose, within: Aabb) -> Vec<u32> {
    let mut found = Vec::new();
    mesh.tree().visit(box_in_frame(pose, within), |triangle| found.push(triangle));
    found.sort_unstable();
    found
}

/// A box in the frame of a pose around one of the world.
///
/// `R^-1` differs from `R^T` by `3.1e-9` relative, as `R^T R` does from one by `1e-9` in each entry; rounding adds some
/// `9u` of all that is subtracted.
pub(super) fn box_in_frame(pose: &Pose, within: Aabb) -> Aabb {
    let back = pose.rotation().transpose();
    let center = within.center();
    let half = (within.max - center).max(center - within.min);
    let local = back * (center - pose.translation());
    let reach = back.x_axis.abs() * half.x + back.y_axis.abs() * half.y + back.z_axis.abs() * half.z;
    let size = (center.abs() + half + pose.translation().abs()).element_sum();
    let slack = 1e-8 * (local.abs() + reach).element_sum() + 1e-14 * size + f64::MIN_POSITIVE;
    Aabb { min: local - reach - slack, max: local + reach + slack }
}
