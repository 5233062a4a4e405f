//! A mesh and a point or a segment: a triangle whose corners coincide.

use super::BodyAnswer;
use crate::math::Pose;
use crate::mesh::TreeMesh;
use crate::pair::{Bracket, Distance, PointLocation, Relation};
use crate::shape::{MeshKind, Polytope};
use crate::{solid, triangle};
use glam::DVec3;

/// `None` where that is not known: a segment that meets a solid only in points in which it does not pierce a face may graze
/// it or run through it, and a point closer to a triangle than rounding moves it may be on either side. Looks at every
/// triangle.
pub(super) fn relate_thin(
    mesh: &TreeMesh,
    pose_mesh: &Pose,
    thin: &Polytope,
    pose: &Pose,
) -> Option<BodyAnswer> {
    let ends = [thin.vertices()[0], *thin.vertices().last()?];
    let corners = [ends[0], ends[1], ends[1]];
    let (strongest, nearest, lower) = scan(mesh, pose_mesh, corners, pose)?;
    let is_solid = mesh.mesh().kind() == MeshKind::Solid;
    let is_point = ends[0] == ends[1];
    let relation = match (strongest, is_solid) {
        (Relation::Disjoint, true) if is_inside(mesh, pose_mesh, ends[0], pose, lower)? => {
            Relation::Overlapping
        }
        (Relation::Touching, true) if is_point => Relation::Touching,
        (Relation::Touching, true) => return None,
        (found, _) => found,
    };
    let [from, to] = [nearest.point_a, nearest.point_b];
    let is_apart = relation == Relation::Disjoint;
    Some(BodyAnswer {
        distance: if is_apart { Bracket { lower, upper: nearest.upper } } else { Bracket::ZERO },
        points: Some([from, to]),
        normal: is_apart.then(|| (to - from).try_normalize()).flatten(),
        ..BodyAnswer::of(relation)
    })
}

/// The strongest relation to a triangle, the nearest one, and a lower bound of all distances.
fn scan(
    mesh: &TreeMesh,
    pose_mesh: &Pose,
    thin: [DVec3; 3],
    pose: &Pose,
) -> Option<(Relation, Distance, f64)> {
    let (mut strongest, mut nearest, mut lower) = (Relation::Disjoint, None::<Distance>, f64::INFINITY);
    for index in 0..mesh.mesh().triangles().len() {
        let corners = mesh.mesh().triangle(index);
        let limit = nearest.map_or(f64::INFINITY, |known| known.upper);
        let Some(found) = triangle::distance_below(corners, pose_mesh, thin, pose, limit) else { continue };
        lower = lower.min(found.lower);
        if nearest.is_none_or(|known| found.upper < known.upper) {
            nearest = Some(found);
        }
        if found.upper == 0.0 {
            strongest = strongest.max(triangle::relation(corners, pose_mesh, thin, pose));
        }
    }
    Some((strongest, nearest?, lower))
}

/// Whether a point at least `gap` away from all triangles is inside a solid; `None` if rounding may move its image
/// across one.
fn is_inside(mesh: &TreeMesh, pose_mesh: &Pose, point: DVec3, pose: &Pose, gap: f64) -> Option<bool> {
    // Each coordinate of an image errs by `4.1u` of the sizes.
    let sizes = point.abs().element_sum() + pose.translation().abs().element_sum();
    if gap <= 8.0 * f64::EPSILON * sizes {
        return None;
    }
    let location = solid::contains_point(&mesh.at(pose_mesh), pose.apply(point)).ok()?;
    Some(location == PointLocation::Inside)
}
