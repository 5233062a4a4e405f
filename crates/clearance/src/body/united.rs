//! A compound and any other body: the strongest over its parts.

use super::mixed::{self, relate_polytope, strength};
use super::relate::relate_meshes;
use super::within::{Within, within_convex};
use super::{Body, BodyAnswer, BodyError};
use crate::compound::{self, Compound, CompoundCache, Part};
use crate::math::Pose;
use crate::mesh;
use crate::pair::{self, Bracket, Convex, Relation};

/// Two compounds, by their trees.
pub(super) fn relate_compounds(a: &Compound, pose_a: &Pose, b: &Compound, pose_b: &Pose) -> BodyAnswer {
    let mut cache = CompoundCache::default();
    let relation = compound::relation_with(a, pose_a, b, pose_b, &mut cache);
    let gap = compound::distance_with(a, pose_a, b, pose_b, &mut cache);
    let is_apart = relation == Relation::Disjoint;
    BodyAnswer {
        distance: Bracket { lower: gap.lower, upper: gap.upper },
        points: Some([gap.point_a, gap.point_b]),
        normal: is_apart.then(|| (gap.point_b - gap.point_a).try_normalize()).flatten(),
        ..BodyAnswer::of(relation)
    }
}

/// A compound and a convex body or a mesh.
pub(super) fn relate_parts(
    compound: &Compound,
    pose: &Pose,
    other: &Body,
    pose_other: &Pose,
) -> Result<BodyAnswer, BodyError> {
    let mut strongest: Option<BodyAnswer> = None;
    let mut distance = Bracket { lower: f64::INFINITY, upper: f64::INFINITY };
    for part in 0..compound.parts().len() {
        let found = relate_part(compound, part, pose, other, pose_other)?;
        distance.lower = distance.lower.min(found.distance.lower);
        distance.upper = distance.upper.min(found.distance.upper);
        if strongest.as_ref().is_none_or(|known| strength(&found) > strength(known)) {
            strongest = Some(found);
        }
    }
    let Some(strongest) = strongest else { unreachable!("a compound has a part") };
    // The depth of one part is none of the whole.
    Ok(BodyAnswer { distance, depth: None, witness: None, enclosed: None, ..strongest })
}

fn relate_part(
    compound: &Compound,
    part: usize,
    pose: &Pose,
    other: &Body,
    pose_other: &Pose,
) -> Result<BodyAnswer, BodyError> {
    Ok(match (&compound.parts()[part], other) {
        (Part::Polytope(map), Body::Convex(convex)) => {
            pair::relate(&Convex::from((**map).clone()), pose, convex, pose_other)?.into()
        }
        (Part::Mesh(mesh), Body::Convex(convex)) => mixed::relate(mesh, pose, convex, pose_other)?,
        (Part::Polytope(map), Body::Mesh(mesh)) => {
            relate_polytope(mesh, pose_other, map, compound.surface(part), pose).swapped()
        }
        (Part::Mesh(own), Body::Mesh(mesh)) => relate_meshes(own, pose, mesh, pose_other),
        (_, Body::Compound(other)) => relate_compounds(compound, pose, other, pose_other),
    })
}

/// Whether some part of a compound is at most so far from a convex body or a mesh.
pub(super) fn part_within(
    compound: &Compound,
    pose: &Pose,
    other: &Body,
    pose_other: &Pose,
    limit: f64,
) -> Result<Within, BodyError> {
    let mut widest: Option<f64> = None;
    for (index, part) in compound.parts().iter().enumerate() {
        let found = match (part, other) {
            (Part::Polytope(map), Body::Convex(convex)) => {
                within_convex(&Convex::from((**map).clone()), pose, convex, pose_other, limit)?
            }
            (_, Body::Mesh(mesh)) => {
                Within::exactly(mesh::within(compound.surface(index), pose, mesh, pose_other, limit))
            }
            _ => {
                let found = relate_part(compound, index, pose, other, pose_other)?;
                Within::by_bracket(found.distance, limit)
            }
        };
        match found {
            Within::Yes => return Ok(Within::Yes),
            Within::No => {}
            Within::Undecided { width } => widest = Some(widest.map_or(width, |known| known.max(width))),
        }
    }
    Ok(widest.map_or(Within::No, |width| Within::Undecided { width }))
}
