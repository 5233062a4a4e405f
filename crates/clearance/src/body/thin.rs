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
    let all = 0..mesh.mesh().triangles().len();
    let (nearest, lower) = scan(mesh, pose_mesh, all, ends, pose)?;
    let [from, to] = [nearest.point_a, nearest.point_b];
    let is_apart = relation == Relation::Disjoint;
    Some(BodyAnswer {
        distance: if is_apart { Bracket { lower, upper: nearest.upper } } else { Bracket::ZERO },
        points: Some([from, to]),
        normal: is_apart.then(|| (to - from).try_normalize()).flatten(),
        ..BodyAnswer::of(relation)
    })
}

/// The nearest of some triangles, and a lower bound of their distances; `None` if there are none.
pub(super) fn scan(
    mesh: &TreeMesh,
    pose_mesh: &Pose,
    triangles: impl Iterator<Item = usize>,
    [from, to]: [DVec3; 2],
    pose: &Pose,
) -> Option<(Distance, f64)> {
    let (mut nearest, mut lower) = (None::<Distance>, f64::INFINITY);
    for index in triangles {
        let corners = mesh.mesh().triangle(index);
        let limit = nearest.map_or(f64::INFINITY, |known| known.upper);
        let found = triangle::distance_below(corners, pose_mesh, [from, to, to], pose, limit);
        let Some(found) = found else { continue };
        lower = lower.min(found.lower);
        if nearest.is_none_or(|known| found.upper < known.upper) {
            nearest = Some(found);
        }
    }
    Some((nearest?, lower))
}
