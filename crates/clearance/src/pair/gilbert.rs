//! Gilbert's algorithm in floats [Gilbert, Johnson, Keerthi 1988; Chung96 §5]: simplices that close in on the point of
//! the Minkowski difference nearest to zero, ended by a proved bracket.
//!
//! `v` is the nearest point of the simplex so far, so `|v|` bounds the distance from above; the lowest vertex `m` along
//! `v` bounds it from below by `v . m / |v|`. The search ends when the two meet, both with their rounding errors.
//!
//! Differs from the paper:
//! 1. It ends by the duality gap (the paper's condition, corrected: `v . v = v . m`). A vertex that comes back only
//!    triggers that test; if the bracket is still too wide, the case is handed on, it is no answer.
//! 2. The nearest point of a simplex is found by signed volumes ([`super::subdistance`]).

use super::difference::Difference;
use super::subdistance::Simplex;
use crate::math::round::UNIT_ROUNDOFF;
use crate::stats::Stats;
use glam::DVec3;

/// Simplices tried before the case is handed on; common pairs need four to eight.
const ROUNDS: usize = 100;

/// Simplices proposed before the search in the world goes on.
const PROPOSALS: usize = 40;

/// `2^-400`: a nearest point so close to zero, squared, is left to integers.
const SMALLEST_SQUARE: f64 = f64::from_bits((1023 - 400) << 52);

/// `128u`: a bracket no wider than this is as good as floats give, and another round does not help.
const ROUNDING: f64 = 128.0 * UNIT_ROUNDOFF;

/// `lower <= distance <= upper`, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bracket {
    pub lower: f64,
    pub upper: f64,
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal {
    /// A bracket whose width is at most this part of its upper end.
    Width(f64),
    /// Whether the distance is at most this.
    Limit(f64),
}

impl Goal {
    pub fn is_met(&self, bracket: Bracket) -> bool {
        match *self {
            Goal::Width(width) => bracket.upper - bracket.lower <= width * bracket.upper,
            Goal::Limit(limit) => bracket.upper <= limit || bracket.lower > limit,
        }
    }

    /// Whether a proof may succeed, from `v . v` and `v . m` in units.
    #[inline]
    fn may_be_met(&self, square: f64, height: f64, unit: f64) -> bool {
        match *self {
            Goal::Width(width) => square - height <= width * square,
            Goal::Limit(limit) => {
                let limit = limit * unit;
                square <= limit * limit || (height > 0.0 && height > limit * square.sqrt())
            }
        }
    }
}

/// How a search ends, and what the simplex then is.
pub(super) enum Found {
    /// The goal is met, and the simplex holds the nearest point.
    Bracket(Bracket),
    /// Zero seems to be inside a tetrahedron.
    Contains,
    /// Too close to contact for floats, or too degenerate.
    Open,
}

/// Searches from a simplex, or from nothing if it is empty.
///
/// The simplex is changed where it is: copies of it cost as much as a support search, all together.
pub(super) fn search(m: &Difference<'_>, simplex: &mut Simplex, goal: &Goal, stats: &mut Stats) -> Found {
    if simplex.len == 0 {
        propose(m, simplex, stats);
    }
    let mut at = simplex.pairs[0];
    let face = simplex.nearest();
    simplex.keep_with_weights(&face);
    let mut v = face.point();
    // Most often what was proposed, or remembered, is the answer: its proof finds the lowest vertices by itself.
    if simplex.len < 4 && v.length_squared() > SMALLEST_SQUARE {
        let bracket = bracket(m, v, at, simplex, goal);
        if goal.is_met(bracket) {
            return Found::Bracket(bracket);
        }
        let width = (bracket.upper - bracket.lower) * m.unit;
        if bracket.lower > 0.0 && width <= ROUNDING * m.scale {
            return Found::Open;
        }
    }
    for _ in 0..ROUNDS {
        stats.steps += 1;
        if simplex.len == 4 {
            return Found::Contains;
        }
        let square = v.length_squared();
        // Also false for NaN.
        let is_regular = square > SMALLEST_SQUARE;
        if !is_regular {
            return Found::Open;
        }
        let lowest = m.lowest(v, at);
        stats.supports += 1;
        at = lowest.pair;
        let known = simplex.has(at);
        if known || goal.may_be_met(square, lowest.height, m.unit) {
            let bracket = bracket(m, v, at, simplex, goal);
            if goal.is_met(bracket) {
                return Found::Bracket(bracket);
            }
            if known {
                return Found::Open;
            }
        }
        simplex.push(m.corner(at), at);
        let face = simplex.nearest();
        // Exact numbers always come closer; where floats do not, they have nothing more to say.
        let point = face.point();
        let is_closer = point.length_squared() < square;
        if !is_closer {
            simplex.len -= 1;
            return Found::Open;
        }
        simplex.keep_with_weights(&face);
        v = point;
    }
    Found::Open
}

/// The simplex that a search from nothing begins with, and its point nearest to zero.
pub(super) fn proposed(m: &Difference<'_>, stats: &mut Stats) -> Simplex {
    let mut simplex = Simplex::EMPTY;
    propose(m, &mut simplex, stats);
    let face = simplex.nearest();
    simplex.keep_with_weights(&face);
    simplex
}

/// The simplex nearest to zero so far as `f32` supports can tell, found in the frame of A and without any proof: most often
/// the one that the search in the world then proves in one round.
#[inline]
fn propose(m: &Difference<'_>, simplex: &mut Simplex, stats: &mut Stats) {
    let pair = m.relative();
    let start = pair.first_direction();
    let first = pair.lowest(start);
    simplex.push(first.point, first.vertices);
    let mut nearest = simplex.nearest();
    stats.supports += 1;
    // A single corner may lie anywhere on the side that faces zero; the first direction says more about where zero is.
    let length = (start.length_squared() / first.point.length_squared()).sqrt();
    let second = pair.lowest(first.point * length + start * PULL);
    if second.vertices != first.vertices {
        simplex.push(second.point, second.vertices);
        nearest = simplex.nearest();
        simplex.keep(&nearest);
    }
    for _ in 0..PROPOSALS {
        stats.supports += 1;
        let corner = pair.lowest(nearest.direction);
        if simplex.has(corner.vertices) {
            break;
        }
        simplex.push(corner.point, corner.vertices);
        let face = simplex.nearest();
        if !face.square.is_below(nearest.square) || face.len == 4 {
            simplex.len -= 1;
            break;
        }
        simplex.keep(&face);
        nearest = face;
    }
    for i in 0..simplex.len {
        simplex.points[i] = m.corner(simplex.pairs[i]);
    }
}

/// How much more the first direction counts than the first corner when the second is looked for; 2 to 6 are about as
/// good.
const PULL: f64 = 4.0;

/// The bracket that a simplex and a direction prove.
///
/// *Upper end*: with weights `c` that are not negative, `sum c w / sum c` is a point of `M`. Corners err by `5.3u scale`
/// in each coordinate, their weighted sum by `4.1u scale` more, together less than `17u scale` in length; the sum of
/// weights is one within `4u`, and the length is computed within `3u`.
/// *Lower end*: `d . m >= floor` for all `m` bounds `|m|` by `floor / |d|`; two roundings.
fn bracket(
    m: &Difference<'_>,
    direction: DVec3,
    lowest: (u32, u32),
    simplex: &Simplex,
    goal: &Goal,
) -> Bracket {
    let length = simplex.combination().length();
    let upper = (length * (1.0 + 8.0 * UNIT_ROUNDOFF) + 20.0 * UNIT_ROUNDOFF * m.scale) / m.unit;
    let unproved = Bracket { lower: 0.0, upper };
    if matches!(goal, Goal::Limit(_)) && goal.is_met(unproved) {
        return unproved;
    }
    match m.floor(direction, lowest) {
        Some(floor) if floor > 0.0 => {
            let lower = floor / direction.length() * (1.0 - 8.0 * UNIT_ROUNDOFF) / m.unit;
            Bracket { lower, upper }
        }
        _ => unproved,
    }
}
