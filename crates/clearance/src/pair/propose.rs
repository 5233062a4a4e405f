//! Closest points as single precision proposes them: Gilbert's algorithm in the frame of A, with no proof.

use super::difference::Difference;
use super::single::{Corners, sum_of};
use super::subdistance::Simplex;
use super::triple::{Step, Triple};
use crate::stats::Stats;
use glam::DVec3;
use wide::f32x4;

/// Corners looked for before the search in the world goes on; common pairs need five to nine.
const PROPOSALS: usize = 40;

/// How much more the first direction counts than the first corner when the second is looked for; 2 to 6 are about as
/// good.
const PULL: f32 = 4.0;

/// The simplex nearest to zero so far as `f32` can tell, found in the frame of A and without any proof: most often the one
/// that the search in the world then proves in one round. Its corners have yet to be placed in the world.
#[inline(never)]
pub(super) fn propose(m: &Difference<'_>, simplex: &mut Simplex, stats: &mut Stats) {
    let pair = m.single();
    let start = pair.first_direction_apart();
    match pair.scans() {
        Some(scans) => close_in(&pair.small(scans), start, simplex, stats),
        None => close_in(&pair, start, simplex, stats),
    }
}

/// From a first direction to the part of the difference nearest to zero.
#[inline(always)]
fn close_in(corners: &impl Corners, start: f32x4, simplex: &mut Simplex, stats: &mut Stats) {
    let first = corners.lowest(start);
    // A single corner may lie anywhere on the side that faces zero; the first direction says more about where zero is. Sums of
    // sizes serve as lengths: roots would be waited for.
    let (far, near) = (sum_of(start.abs()), PULL * sum_of(first.0.abs()));
    let second = corners.lowest(first.0 * f32x4::splat(far) + start * f32x4::splat(near));
    stats.supports += 2;
    approach(corners, Triple::nearest_of(first, second), simplex, stats);
}

/// The same from a simplex that was nearest to zero in a similar frame, or anything else.
#[inline(never)]
pub(super) fn propose_again(m: &Difference<'_>, simplex: &mut Simplex, stats: &mut Stats) {
    let pair = m.single();
    let (known, nearest) = pair.nearest_of(simplex.pairs());
    *simplex = Simplex::EMPTY;
    if known.len == 4 || nearest.point() == DVec3::ZERO {
        return propose(m, simplex, stats);
    }
    let triple = Triple::of(&known, &nearest);
    match pair.scans() {
        Some(scans) => approach(&pair.small(scans), triple, simplex, stats),
        None => approach(&pair, triple, simplex, stats),
    }
}

/// From some part of the difference to the nearest one.
#[inline(always)]
fn approach(corners: &impl Corners, mut triple: Triple, simplex: &mut Simplex, stats: &mut Stats) {
    for _ in 0..PROPOSALS {
        let (point, pair) = corners.lowest(triple.direction());
        stats.supports += 1;
        if triple.has(pair) || triple.advance(point, pair) != Step::Nearer {
            break;
        }
    }
    for &pair in triple.pairs() {
        simplex.push(DVec3::ZERO, pair);
    }
}
