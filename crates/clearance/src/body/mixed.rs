//! A mesh and a convex body.

use super::curved;
use super::relate::relate_meshes;
use super::thin::relate_thin;
use super::walls;
use super::{BodyAnswer, BodyError};
use crate::compound::without_cuts;
use crate::math::Pose;
use crate::mesh::TreeMesh;
use crate::pair::{self, Bracket, Convex, ConvexRelation, Relation};
use crate::shape::{MeshKind, Polytope};
use crate::solid;
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
    if core.polytope().dimension() < 2 {
        let answer = relate_thin(mesh, pose_mesh, core.polytope(), pose);
        let walls = || walls::from_thin(mesh, pose_mesh, core.polytope(), pose);
        return Ok(rounded(answer.ok_or_else(|| unknown(mesh, convex))?, convex, walls));
    }
    let surface = TreeMesh::from_polytope(core.polytope()).map_err(|_| unknown(mesh, convex))?;
    let answer = relate_polytope(mesh, pose_mesh, core, &surface, pose);
    Ok(rounded(answer, convex, || walls::from_surface(mesh, pose_mesh, &surface, pose)))
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
///
/// A core that does not overlap has no point inside a solid, so its ball overlaps if and only if it reaches a wall, that is, a
/// triangle that bounds something; `walls` is the core's distance from those, that of all triangles if there are no others.
fn rounded(core: BodyAnswer, convex: &Convex, walls: impl Fn() -> Option<Bracket>) -> BodyAnswer {
    if convex.is_polytope() {
        return core;
    }
    let [low, high] = convex.radius_bracket();
    if core.relation == ConvexRelation::Exact(Relation::Overlapping) {
        // The hull of the core leaves that of the mesh sooner than the ball around it.
        let depth = core.depth.map(|depth| Bracket { upper: (depth.upper + high).next_up(), ..depth });
        return BodyAnswer { enclosed: None, depth, ..core };
    }
    let (any, walls) = (core.distance, walls().unwrap_or(core.distance));
    let normal = core.normal.unwrap_or_default();
    let points = core.points.map(|[of_mesh, of_core]| [of_mesh, of_core - normal * high]);
    let gap = |from: Bracket| [(from.lower - high).next_down(), (from.upper - low).next_up()];
    if any.lower > high {
        let [lower, upper] = gap(any);
        return BodyAnswer { distance: Bracket { lower: lower.max(0.0), upper }, points, ..core };
    }
    if walls.upper < low {
        return BodyAnswer { points, ..core.with(Relation::Overlapping) };
    }
    let clears_walls = walls.lower > high;
    if clears_walls && any.upper < low {
        return BodyAnswer { points, ..core.with(Relation::Touching) };
    }
    let [lower, upper] = gap(if clears_walls { any } else { walls });
    let relation = ConvexRelation::TouchingWithin { width: upper.max(-lower) };
    let distance = Bracket { lower: 0.0, upper: gap(any)[1].max(0.0) };
    BodyAnswer { relation, distance, points, ..core }
}

impl BodyAnswer {
    /// The same with another relation, in which bodies meet.
    fn with(self, relation: Relation) -> BodyAnswer {
        BodyAnswer { relation: ConvexRelation::Exact(relation), distance: Bracket::ZERO, ..self }
    }
}

/// A half-space or a plane sees of a connected set no more than its hull: components are related one by one, of walls first. With
/// what bounds nothing they may become larger, but then they only touch.
fn relate_unbounded(
    mesh: &TreeMesh,
    pose_mesh: &Pose,
    plane: &Convex,
    pose: &Pose,
) -> Result<BodyAnswer, BodyError> {
    let relate_hull = |component: &[u32]| -> Result<BodyAnswer, BodyError> {
        let vertices = component.iter().flat_map(|&t| mesh.mesh().triangles()[t as usize]);
        let points: Vec<_> = vertices.map(|vertex| mesh.mesh().positions()[vertex as usize]).collect();
        let hull = Polytope::hull(&points).map_err(|_| unknown(mesh, plane))?;
        let found = pair::relate(&Convex::from_polytope(hull), pose_mesh, plane, pose)?;
        Ok(BodyAnswer { witness: None, ..BodyAnswer::from(found) })
    };
    let mut strongest: Option<BodyAnswer> = None;
    let mut keep = |found: BodyAnswer| {
        if strongest.as_ref().is_none_or(|known| strength(&found) > strength(known)) {
            strongest = Some(found);
        }
    };
    for component in solid::wall_components(mesh.mesh()) {
        keep(relate_hull(&component)?);
    }
    if mesh.may_have_membranes() {
        for component in mesh.mesh().components() {
            let found = relate_hull(component)?;
            keep(match found.relation {
                ConvexRelation::Exact(Relation::Overlapping) => {
                    BodyAnswer { depth: None, ..found.with(Relation::Touching) }
                }
                _ => found,
            });
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
