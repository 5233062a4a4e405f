//! What floats alone would answer: the same search without any proof, to measure what the proofs cost.

use super::relation::Relation;
use super::relative::Relative;
use super::separating_vector::StepRule;
use super::subdistance::Simplex;
use super::view::View;
use crate::math::Pose;
use crate::support::SupportMap;
use glam::DVec3;

/// [`relation`](super::relation()) as floats propose it, wrong where they are: `Touching` is never found, and what
/// floats cannot tell counts as overlapping. For comparisons only.
pub fn relation_unproved(a: &SupportMap, pose_a: &Pose, b: &SupportMap, pose_b: &Pose) -> Relation {
    let pair = Relative::new(&View::new(a, pose_a, b, pose_b));
    let start = pair.first_direction();
    let corner = pair.lowest(start);
    if start.dot(corner.point) > 0.0 {
        return Relation::Disjoint;
    }
    let mut direction = StepRule::Greedy.next(start, corner.point, DVec3::ZERO).unwrap_or(start);
    let mut simplex = Simplex::new(corner.point, corner.vertices);
    loop {
        let corner = pair.lowest(direction);
        if direction.dot(corner.point) > 0.0 {
            return Relation::Disjoint;
        }
        // A pair that comes back, or zero inside: the only ends of a search that trusts itself.
        if simplex.has(corner.vertices) {
            return Relation::Overlapping;
        }
        simplex.push(corner.point, corner.vertices);
        let nearest = simplex.nearest();
        simplex.keep(&nearest);
        direction = nearest.direction;
        let is_outside = direction.length_squared() > 0.0;
        if !is_outside {
            return Relation::Overlapping;
        }
    }
}
