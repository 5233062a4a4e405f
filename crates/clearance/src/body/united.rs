//! A compound and any other body: the strongest over its parts.

use super::around::Around;
use super::mixed::{self, relate_polytope, strength};
use super::relate::relate_meshes;
use super::within::{Within, within_convex};
use super::{Body, BodyAnswer, BodyError};
use crate::compound::{self, Compound, CompoundCache, Part};
use crate::math::Pose;
use crate::mesh;
use crate::pair::{self, Bracket, Convex, Relation};
use std::cmp::Reverse;

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

/// A compound and a convex body or a mesh: parts are looked at whose hulls are no farther away than the nearest one.
pub(super) fn relate_parts(
    compound: &Compound,
    pose: &Pose,
    other: &Body,
    pose_other: &Pose,
) -> Result<BodyAnswer, BodyError> {
    let mut strongest: Option<(BodyAnswer, usize)> = None;
    let mut distance = Bracket { lower: f64::INFINITY, upper: f64::INFINITY };
    near_parts(compound, pose, other, pose_other, |part| {
        let found = relate_part(compound, part, pose, other, pose_other)?;
        distance.lower = distance.lower.min(found.distance.lower);
        distance.upper = distance.upper.min(found.distance.upper);
        // Of equal ones the first.
        let rank = |answer: &BodyAnswer, part: usize| (strength(answer), Reverse(part));
        if strongest.as_ref().is_none_or(|(known, first)| rank(&found, part) > rank(known, *first)) {
            strongest = Some((found, part));
        }
        Ok(distance.upper)
    })?;
    let Some((strongest, _)) = strongest else { unreachable!("a compound has a part") };
    // The depth of one part is none of the whole.
    Ok(BodyAnswer { distance, depth: None, witness: None, enclosed: None, ..strongest })
}

/// Visits the parts of a compound that are not farther from a body than the limit that the last visit returned; all of them
/// for a half-space or a plane, which are quick to relate.
fn near_parts(
    compound: &Compound,
    pose: &Pose,
    other: &Body,
    pose_other: &Pose,
    visit: impl FnMut(usize) -> Result<f64, BodyError>,
) -> Result<(), BodyError> {
    let around = if compound.parts().len() > 1 { Around::new(other, pose_other) } else { None };
    compound.visit_near(|hull| around.as_ref().map_or(0.0, |around| around.gap(hull, pose)), visit)
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
    let (mut is_within, mut widest) = (false, None::<f64>);
    near_parts(compound, pose, other, pose_other, |index| {
        let found = match (&compound.parts()[index], other) {
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
            Within::Yes => is_within = true,
            Within::No => {}
            Within::Undecided { width } => widest = Some(widest.map_or(width, |known| known.max(width))),
        }
        // Nothing is below a negative limit: the search ends.
        Ok(if is_within { -1.0 } else { limit })
    })?;
    Ok(match widest {
        _ if is_within => Within::Yes,
        Some(width) => Within::Undecided { width },
        None => Within::No,
    })
}
