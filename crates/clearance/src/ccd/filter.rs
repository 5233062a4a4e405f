//! The first contact by floats with error bounds: settles most queries, and leaves open what is too close.

use super::cubic::{Cubic, Piece};
use super::feature::{Features, VertexEdge};
use super::sharp::SharpCubic;
use super::still;
use super::{ContactTime, Kind};
use crate::exact::{Axis, Sign};
use crate::math::round::{UNIT_ROUNDOFF, power_of_two};
use glam::DVec3;

/// What floats can prove.
pub(super) enum Verdict {
    /// The answer.
    Settled(Option<ContactTime>),
    /// The first contact is at the only root of the volume strictly between these times.
    Between(f64, f64),
    /// Nothing.
    Open,
}

/// What is left at most of products that underflow, times coordinates: `2^-1074 * 2^301` and a few more.
const UNDERFLOW: f64 = power_of_two(-700);

/// Looks for the first contact.
#[inline]
pub(super) fn first_contact(features: &Features) -> Verdict {
    if are_apart_along_an_axis(features) {
        return Verdict::Settled(None);
    }
    let cubic = Cubic::new(features);
    if !cubic.is_trusted() {
        return Verdict::Open;
    }
    if cubic.has_one_sign() {
        return Verdict::Settled(None);
    }
    among_roots(features, &cubic)
}

/// Whether one feature is above the other along an axis at both ends of time, and so in between.
///
/// Distances of two vertices along an axis are linear in time. Only floats are compared, so this is exact.
fn are_apart_along_an_axis(features: &Features) -> bool {
    let apart = |points: &[DVec3; 4]| {
        let [a, b, c, d] = *points;
        let ((min_a, max_a), (min_b, max_b)) = match features.kind {
            Kind::VertexFace => ((a, a), (b.min(c).min(d), b.max(c).max(d))),
            Kind::EdgeEdge => ((a.min(b), a.max(b)), (c.min(d), c.max(d))),
        };
        (max_a.cmplt(min_b).bitmask(), max_b.cmplt(min_a).bitmask())
    };
    let (below, above) = apart(&features.start);
    if below | above == 0 {
        return false;
    }
    let (below_at_end, above_at_end) = apart(&features.end);
    (below & below_at_end) | (above & above_at_end) != 0
}

/// The volume may have roots: each is bracketed and looked at.
fn among_roots(features: &Features, cubic: &Cubic) -> Verdict {
    let start = cubic.sign_at_start(features);
    if start.is_zero() && still::meet_in_a_plane(features.kind, &features.start) {
        return Verdict::Settled(Some(ContactTime::START));
    }
    let end = cubic.sign_at_end(features);
    let Some(piece) = cubic.without_roots_at_ends(start, end) else { return Verdict::Open };
    match in_pieces(features, cubic, piece) {
        Verdict::Settled(None) if end.is_zero() && still::meet_in_a_plane(features.kind, &features.end) => {
            Verdict::Settled(Some(ContactTime::END))
        }
        verdict => verdict,
    }
}

/// Most pieces that are looked at, and most that wait; the rest is left to integers.
const PIECES: usize = 16;
const WAITING: usize = 6;

/// Divides the time until each piece has no root or one, in order.
fn in_pieces(features: &Features, cubic: &Cubic, whole: Piece) -> Verdict {
    let mut waiting = [whole; WAITING];
    let (mut count, mut looked_at) = (1, 0);
    while count > 0 {
        count -= 1;
        looked_at += 1;
        let piece = waiting[count];
        if piece.has_no_root() || is_apart_during(features, piece.from, piece.to) {
            continue;
        }
        if piece.has_one_root() {
            let (lower, upper) = piece.root_bracket();
            match meet_between(features, lower, upper) {
                Some(true) => {
                    return contact_between(features, cubic, piece.sign_before_root(), lower, upper);
                }
                Some(false) => continue,
                None => return Verdict::Open,
            }
        }
        let Some((first, second)) = piece.split() else { return Verdict::Open };
        if looked_at == PIECES || count + 2 > WAITING {
            return Verdict::Open;
        }
        (waiting[count], waiting[count + 1]) = (second, first);
        count += 2;
    }
    Verdict::Settled(None)
}

/// The time of a contact that is at the only root between two times, where the volume has a sign before it.
fn contact_between(features: &Features, cubic: &Cubic, before: Sign, lower: f64, upper: f64) -> Verdict {
    match SharpCubic::new(features, cubic.error()).float_bracket(before, lower, upper) {
        Some((lower, upper)) => Verdict::Settled(Some(ContactTime { lower, upper })),
        None => Verdict::Between(lower, upper),
    }
}

/// A vector at a time and the largest sizes of its coordinates at any time.
#[derive(Clone, Copy)]
struct Arm {
    at: DVec3,
    size: DVec3,
}

/// The vector between two vertices at a time; its coordinates err by `4u` of their size: the differences, `1 - t`, the
/// products and the sum round once each.
fn arm(features: &Features, from: usize, to: usize, time: f64) -> Arm {
    let start = features.start[to] - features.start[from];
    let end = features.end[to] - features.end[from];
    Arm { at: start * (1.0 - time) + end * time, size: start.abs().max(end.abs()) }
}

/// Whether some axis separates the features during a part of the time, by more than rounding.
fn is_apart_during(features: &Features, from: f64, to: f64) -> bool {
    let pairs: &[[usize; 2]] = match features.kind {
        Kind::VertexFace => &[[0, 1], [0, 2], [0, 3]],
        Kind::EdgeEdge => &[[0, 2], [0, 3], [1, 2], [1, 3]],
    };
    let (mut above, mut below) = (7, 7);
    for &[a, b] in pairs {
        for time in [from, to] {
            let Arm { at, size } = arm(features, a, b, time);
            let slack = size * (8.0 * UNIT_ROUNDOFF) + DVec3::splat(f64::MIN_POSITIVE);
            above &= at.cmpgt(slack).bitmask();
            below &= at.cmplt(-slack).bitmask();
        }
        if above | below == 0 {
            return false;
        }
    }
    true
}

/// Whether the features share a point when their vertices lie in a plane, somewhere between two times; `None` if rounding
/// or the width of the interval hide it.
///
/// The turns of [`Kind::meet_in_a_plane`] are products of two arms. Each arm errs by `4u` of its size, the products and
/// their difference by `2u`: `10u` of the sum of the products of the sizes, `12u` with terms of higher order. An arm changes
/// by at most twice its size in unit time, so the turn by four times that sum.
fn meet_between(features: &Features, lower: f64, upper: f64) -> Option<bool> {
    let time = 0.5 * (lower + upper);
    let pairs = features.kind.vertices_and_edges();
    let relative = 12.0 * UNIT_ROUNDOFF + 4.0 * (upper - lower);
    let arms = |pair: &VertexEdge| pair.edge.map(|end| arm(features, pair.vertex, end, time));
    let axis = flattest_axis(features, time);
    let [i, j] = axis.others();
    let mut signs = [None; 4];
    for (sign, pair) in signs.iter_mut().zip(pairs) {
        let [u, v] = arms(pair);
        let turn = u.at[i] * v.at[j] - u.at[j] * v.at[i];
        let bound = relative * (u.size[i] * v.size[j] + u.size[j] * v.size[i]);
        if turn.abs() > bound && bound > UNDERFLOW {
            *sign = Some(if turn > 0.0 { Sign::Positive } else { Sign::Negative });
        }
    }
    let equal = |a: Option<Sign>, b: Option<Sign>| Some(a? == b?);
    let (first, second, third, fourth) = (signs[0], signs[1], signs[2], signs[3]);
    let conditions = match features.kind {
        Kind::VertexFace => [equal(first, second), equal(second, third), equal(third, first)],
        Kind::EdgeEdge => {
            let differ = |a, b| equal(a, b).map(|equal| !equal);
            [differ(first, second), differ(third, fourth), Some(true)]
        }
    };
    // One that fails is enough; else all must be known.
    if conditions.contains(&Some(false)) {
        return Some(false);
    }
    (conditions == [Some(true); 3]).then_some(true)
}

/// The axis along which the plane of the features is seen best at a time.
fn flattest_axis(features: &Features, time: f64) -> Axis {
    let along = |from: usize, to: usize| arm(features, from, to, time).at;
    let normal = match features.kind {
        Kind::VertexFace => along(1, 2).cross(along(1, 3)),
        Kind::EdgeEdge => along(0, 1).cross(along(2, 3)),
    };
    Axis::ALL[normal.abs().max_position()]
}
