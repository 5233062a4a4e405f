//! Whether one mesh may lie inside another: a cheap look before winding numbers are computed.

use super::tree_mesh::TreeMesh;
use crate::math::Pose;
use crate::pair::Relation;
use crate::shape::{Mesh, MeshKind};
use crate::solid;
use glam::DVec3;

/// The six vertices of each component that reach farthest along the axes.
pub(super) fn extreme_vertices(mesh: &Mesh) -> Vec<[u32; 6]> {
    let reach = |side: usize, vertex: u32| {
        let x = mesh.positions()[vertex as usize][side / 2];
        if side.is_multiple_of(2) { x } else { -x }
    };
    let farthest = |triangles: &[u32]| {
        let mut extremes = [mesh.triangles()[triangles[0] as usize][0]; 6];
        for vertex in triangles.iter().flat_map(|&t| mesh.triangles()[t as usize]) {
            for (side, known) in extremes.iter_mut().enumerate() {
                if reach(side, vertex) > reach(side, *known) {
                    *known = vertex;
                }
            }
        }
        extremes
    };
    mesh.components().map(farthest).collect()
}

/// Whether one mesh lies inside the other, or parts of them, fins included, given that no triangles of them meet.
pub(crate) fn is_nested(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose) -> bool {
    may_be_nested(a, pose_a, b, pose_b)
        && solid::relation(&a.at(pose_a), &b.at(pose_b), &[]).relation != Relation::Disjoint
}

/// Whether some component of one may lie in the other, which takes a solid.
pub(super) fn may_be_nested(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose) -> bool {
    may_hold(a, pose_a, b, pose_b) || may_hold(b, pose_b, a, pose_a)
}

/// Whether the box of a solid may hold a component of another mesh: all of its vertices, so the six extreme ones.
fn may_hold(outer: &TreeMesh, pose_outer: &Pose, inner: &TreeMesh, pose_inner: &Pose) -> bool {
    let bounds = outer.mesh().bounds();
    let offset = pose_inner.translation() - pose_outer.translation();
    let back = pose_outer.rotation().transpose();
    // Far beyond what rounding, and poses orthonormal to 1e-9, may move a point by.
    let size = |v: DVec3| v.abs().element_sum();
    let slack = 1e-8 * (size(bounds.min) + size(bounds.max) + size(offset));
    let is_in_box = |&vertex: &u32| {
        let point = inner.mesh().positions()[vertex as usize];
        let at = back * (pose_inner.apply_vector(point) + offset);
        let room = DVec3::splat(slack + 1e-8 * size(point));
        at.cmpge(bounds.min - room).all() && at.cmple(bounds.max + room).all()
    };
    outer.mesh().kind() == MeshKind::Solid && inner.extremes.iter().any(|six| six.iter().all(is_in_box))
}
