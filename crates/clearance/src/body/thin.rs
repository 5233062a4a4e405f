//! A mesh and a point or a segment: a triangle whose corners coincide.

use super::BodyAnswer;
use crate::math::Pose;
use crate::mesh::TreeMesh;
use crate::pair::{Bracket, Distance, Relation};
use crate::shape::Polytope;
use crate::{solid, triangle};
use glam::DVec3;

/// The relation is exact. The distance is found by looking at every triangle; `None` only for a mesh without any.
pub(super) fn relate_thin(
    mesh: &TreeMesh,
    pose_mesh: &Pose,
    thin: &Polytope,
    pose: &Pose,
) -> Option<BodyAnswer> {
    let ends = [thin.vertices()[0], *thin.vertices().last()?];
    let relation = solid::segment_relation(&mesh.at(pose_mesh), ends, pose);
    let (nearest, lower) = scan(mesh, pose_mesh, [ends[0], ends[1], ends[1]], pose)?;
    let [from, to] = [nearest.point_a, nearest.point_b];
    let is_apart = relation == Relation::Disjoint;
    Some(BodyAnswer {
        distance: if is_apart { Bracket { lower, upper: nearest.upper } } else { Bracket::ZERO },
        points: Some([from, to]),
        normal: is_apart.then(|| (to - from).try_normalize()).flatten(),
        ..BodyAnswer::of(relation)
    })
}

/// The nearest triangle, and a lower bound of all distances.
fn scan(mesh: &TreeMesh, pose_mesh: &Pose, thin: [DVec3; 3], pose: &Pose) -> Option<(Distance, f64)> {
    let (mut nearest, mut lower) = (None::<Distance>, f64::INFINITY);
    for index in 0..mesh.mesh().triangles().len() {
        let corners = mesh.mesh().triangle(index);
        let limit = nearest.map_or(f64::INFINITY, |known| known.upper);
        let Some(found) = triangle::distance_below(corners, pose_mesh, thin, pose, limit) else { continue };
        lower = lower.min(found.lower);
        if nearest.is_none_or(|known| found.upper < known.upper) {
            nearest = Some(found);
        }
    }
    Some((nearest?, lower))
}
