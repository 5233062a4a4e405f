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
use super::propose::propose;
use super::subdistance::{self, Nearest, Simplex};
use crate::math::round::UNIT_ROUNDOFF;
use crate::stats::Stats;
use glam::DVec3;

/// Simplices tried before the case is handed on; common pairs need four to eight.
const ROUNDS: usize = 100;

/// `2^-400`: a nearest point so close to zero, squared, is left to integers.
pub(super) const SMALLEST_SQUARE: f64 = f64::from_bits((1023 - 400) << 52);

/// `128u`: a bracket no wider than this is as good as floats give, and another round does not help.
pub(super) const ROUNDING: f64 = 128.0 * UNIT_ROUNDOFF;

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

/// Searches from a simplex that is not empty.
///
/// The simplex is changed where it is: copies of it cost as much as a support search, all together.
pub(super) fn search(m: &Difference<'_>, simplex: &mut Simplex, goal: &Goal, stats: &mut Stats) -> Found {
    let mut at = simplex.pairs[0];
    let face = placed(m, simplex);
    simplex.keep_with_weights(&face);
    // What was proposed, or remembered, may be the answer though edges around its vertices do not prove it: ties are looked for.
    if simplex.len < 4 && face.is_beyond(SMALLEST_SQUARE) {
        let bracket = bracket(m, face.direction, &simplex.three(), simplex, goal);
        if goal.is_met(bracket) {
            return Found::Bracket(bracket);
        }
        let width = (bracket.upper - bracket.lower) * m.unit;
        if bracket.lower > 0.0 && width <= ROUNDING * m.scale {
            return Found::Open;
        }
    }
    let mut v = face.point();
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
            let bracket = bracket(m, v, &[at; 3], simplex, goal);
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
    let face = placed(m, &mut simplex);
    simplex.keep_with_weights(&face);
    simplex
}

/// The part of a simplex nearest to zero, with its corners computed from where they come from.
#[inline(always)]
fn placed(m: &Difference<'_>, simplex: &mut Simplex) -> Nearest {
    let corner = |i: usize| m.corner(simplex.pairs[i]);
    match simplex.len {
        1 => simplex.points[0] = corner(0),
        2 => (simplex.points[0], simplex.points[1]) = (corner(0), corner(1)),
        3 => {
            let points = [corner(0), corner(1), corner(2), DVec3::ZERO];
            simplex.points = points;
            return subdistance::triangle(&points, [0, 1, 2]);
        }
        _ => simplex.points = [corner(0), corner(1), corner(2), corner(3)],
    }
    simplex.nearest()
}

/// The bracket that a simplex and a direction prove.
///
/// *Upper end*: with weights `c` that are not negative, `sum c w / sum c` is a point of `M`. Corners err by `5.3u scale`
/// in each coordinate, their weighted sum by `4.1u scale` more, together less than `17u scale` in length; the sum of
/// weights is one within `4u`, and the length is computed within `3u`.
/// *Lower end*: `d . m >= floor` for all `m` bounds `|m|` by `floor / |d|`; two roundings.
#[inline(always)]
fn bracket(
    m: &Difference<'_>,
    direction: DVec3,
    lowest: &[(u32, u32); 3],
    simplex: &Simplex,
    goal: &Goal,
) -> Bracket {
    let length = simplex.combination().length();
    let upper = (length * (1.0 + 8.0 * UNIT_ROUNDOFF) + 20.0 * UNIT_ROUNDOFF * m.scale) * m.length;
    let unproved = Bracket { lower: 0.0, upper };
    if matches!(goal, Goal::Limit(_)) && goal.is_met(unproved) {
        return unproved;
    }
    match m.floor(direction, lowest) {
        Some(floor) if floor > 0.0 => {
            let lower = floor / direction.length() * (1.0 - 8.0 * UNIT_ROUNDOFF) * m.length;
            Bracket { lower, upper }
        }
        _ => unproved,
    }
}
