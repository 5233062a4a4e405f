//! A mesh and a convex body.

use super::curved;
use super::relate::relate_meshes;
use super::thin::relate_thin;
use super::{BodyAnswer, BodyError};
use crate::compound::without_cuts;
use crate::math::Pose;
use crate::mesh::TreeMesh;
use crate::pair::{self, Bracket, Convex, ConvexRelation, Relation};
use crate::shape::{MeshKind, Polytope};
use crate::support::SupportMap;

pub(super) fn relate(
    mesh: &TreeMesh,
    pose_mesh: &Pose,
    convex: &Convex,
    pose: &Pose,
) -> Result<BodyAnswer, BodyError> {
    if convex.is_unbounded() {
        return relate_unbounded(mesh, pose_mesh, convex, pose);
    }
    if let Some(core) = convex.curved_core() {
        return curved::relate(mesh, pose_mesh, convex, core, pose);
    }
    let Some(core) = convex.core() else { return Err(unknown(mesh, convex)) };
    let answer = match core.polytope().dimension() {
        0 | 1 => relate_thin(mesh, pose_mesh, core.polytope(), pose).ok_or_else(|| unknown(mesh, convex))?,
        _ => match TreeMesh::from_polytope(core.polytope()) {
            Ok(surface) => relate_polytope(mesh, pose_mesh, core, &surface, pose),
            Err(_) => return Err(unknown(mesh, convex)),
        },
    };
    Ok(if convex.is_polytope() { answer } else { rounded(answer, convex.radius_bracket()) })
}

/// A mesh and a polytope, of which the surface is given.
pub(super) fn relate_polytope(
    mesh: &TreeMesh,
    pose_mesh: &Pose,
    polytope: &SupportMap,
    surface: &TreeMesh,
    pose: &Pose,
) -> BodyAnswer {
    let answer = relate_meshes(mesh, pose_mesh, surface, pose);
    let ConvexRelation::Exact(of_triangles) = answer.relation else { return answer };
    match without_cuts(of_triangles, polytope, pose, surface, mesh, pose_mesh) {
        found if found == of_triangles => answer,
        found => answer.with(found),
    }
}

pub(super) fn unknown(mesh: &TreeMesh, convex: &Convex) -> BodyError {
    let kind_a = match mesh.mesh().kind() {
        MeshKind::Solid => "solid",
        MeshKind::Surface => "surface",
    };
    BodyError::Pair { query: "relation", kind_a, kind_b: convex.kind_name() }
}

/// From the answer for a core to that for the core and a ball around it, which has an inside.
fn rounded(core: BodyAnswer, [low, high]: [f64; 2]) -> BodyAnswer {
    if core.relation != ConvexRelation::Exact(Relation::Disjoint) {
        return BodyAnswer { enclosed: None, ..core.with(Relation::Overlapping) };
    }
    let lower = (core.distance.lower - high).next_down();
    let upper = (core.distance.upper - low).next_up();
    let normal = core.normal.unwrap_or_default();
    let points = core.points.map(|[of_mesh, of_core]| [of_mesh, of_core - normal * high]);
    if lower > 0.0 {
        return BodyAnswer { distance: Bracket { lower, upper }, points, ..core };
    }
    if upper < 0.0 {
        return BodyAnswer { points, ..core.with(Relation::Overlapping) };
    }
    let relation = ConvexRelation::TouchingWithin { width: upper.max(-lower) };
    BodyAnswer { relation, distance: Bracket { lower: 0.0, upper: upper.max(0.0) }, points, ..core }
}

impl BodyAnswer {
    /// The same with another relation, in which bodies meet.
    fn with(self, relation: Relation) -> BodyAnswer {
        BodyAnswer { relation: ConvexRelation::Exact(relation), distance: Bracket::ZERO, ..self }
    }
}

/// A half-space or a plane sees of a connected set no more than its hull: components are related one by one.
fn relate_unbounded(
    mesh: &TreeMesh,
    pose_mesh: &Pose,
    plane: &Convex,
    pose: &Pose,
) -> Result<BodyAnswer, BodyError> {
    let mesh_positions = mesh.mesh().positions();
    let mut strongest: Option<BodyAnswer> = None;
    for component in mesh.mesh().components() {
        let vertices = component.iter().flat_map(|&t| mesh.mesh().triangles()[t as usize]);
        let points: Vec<_> = vertices.map(|vertex| mesh_positions[vertex as usize]).collect();
        let hull = Polytope::hull(&points).map_err(|_| unknown(mesh, plane))?;
        let found = pair::relate(&Convex::from_polytope(hull), pose_mesh, plane, pose)?;
        let found = BodyAnswer { witness: None, ..BodyAnswer::from(found) };
        if strongest.as_ref().is_none_or(|known| strength(&found) > strength(known)) {
            strongest = Some(found);
        }
    }
    strongest.ok_or_else(|| unknown(mesh, plane))
}

/// Overlapping before what is not decided, touching and disjoint; deeper before shallower, nearer before farther.
pub(super) fn strength(answer: &BodyAnswer) -> (u8, f64) {
    let rank = match answer.relation {
        ConvexRelation::Exact(Relation::Overlapping) => 3,
        ConvexRelation::TouchingWithin { .. } => 2,
        ConvexRelation::Exact(Relation::Touching) => 1,
        ConvexRelation::Exact(Relation::Disjoint) => 0,
    };
    (rank, answer.depth.map_or(-answer.distance.upper, |depth| depth.upper))
}
