//! What floats alone would answer: the same search without any proof, to measure what the proofs cost.

use super::relation::Relation;
use super::separate::mirrored;
use super::single::{Corners, Single, sum_of};
use super::triple::{Step, Triple};
use super::view::View;
use crate::math::Pose;
use crate::support::SupportMap;
use wide::f32x4;

/// [`relation`](super::relation()) as floats propose it, wrong where they are: `Touching` is never found, and what
/// floats cannot tell counts as overlapping. For comparisons only.
pub fn relation_unproved(a: &SupportMap, pose_a: &Pose, b: &SupportMap, pose_b: &Pose) -> Relation {
    let pair = Single::of(&View::new(a, pose_a, b, pose_b));
    let start = pair.first_direction();
    match pair.scans() {
        Some(scans) => search(&pair.small(scans), start),
        None => search(&pair, start),
    }
}

#[inline(always)]
fn search(corners: &impl Corners, start: f32x4) -> Relation {
    let (point, pair) = corners.lowest(start);
    if sum_of(start * point) > 0.0 {
        return Relation::Disjoint;
    }
    let (mut triple, mut direction) = (Triple::new(point, pair), mirrored(start, point));
    loop {
        let (point, pair) = corners.lowest(direction);
        if sum_of(direction * point) > 0.0 {
            return Relation::Disjoint;
        }
        // A pair that comes back, or zero inside: the only ends of a search that trusts itself.
        if triple.has(pair) || triple.advance(point, pair) != Step::Nearer {
            return Relation::Overlapping;
        }
        direction = triple.direction();
    }
}
