//! When a function of time stops being positive.
//!
//! Intervals of time are discarded where the function is proved to hold, split where nothing is proved, and answered where it
//! falls through zero. What floats cannot decide polynomials decide by exact roots; for sines and cosines it counts as
//! failed between two neighbouring floats. So a failure may be spurious and is never missed.

mod exact;

pub(crate) use exact::{AtRoot, signs_at_first_root};

use super::course::Function;
use crate::exact::Sign;
use crate::math::Interval;
use std::cell::OnceCell;

/// Splits after which floats give up and exact arithmetic goes on: with roots of polynomials, with sharper coefficients of others.
const PATIENCE: usize = 160;

/// Splits after which a function with sines and cosines counts as failed.
const LAST_PATIENCE: usize = 20_000;

/// Times between which something happens: not before the first, not after the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bracket {
    /// It has not happened here.
    pub lower: f64,
    /// It has happened here.
    pub upper: f64,
}

/// What a certificate asks of its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// Positive.
    Strictly,
    /// Not negative.
    Weakly,
}

impl Holds {
    pub(crate) fn accepts(self, sign: Sign) -> bool {
        match self {
            Holds::Strictly => sign.is_positive(),
            Holds::Weakly => !sign.is_negative(),
        }
    }

    fn accepts_all(self, values: Interval) -> bool {
        match self {
            Holds::Strictly => values.lower() > 0.0,
            Holds::Weakly => values.lower() >= 0.0,
        }
    }
}

/// When a function that holds at `from` first fails, up to `until`, which must be finite.
///
/// The bracket's lower time is not before `from`: the function holds until there.
pub(crate) fn first_failure(f: &Function<'_>, holds: Holds, from: f64, until: f64) -> Option<Bracket> {
    if until <= from {
        return None;
    }
    if holds == Holds::Weakly && f.sign_at(from).is_zero() && f.is_zero_for_ever() {
        return None;
    }
    let mut waiting = vec![(from, until)];
    let mut splits = 0;
    let sharp = OnceCell::new();
    let least = least_time(f);
    while let Some((lower, upper)) = waiting.pop() {
        let f = if splits > PATIENCE { sharp.get_or_init(|| f.sharpened()) } else { f };
        let is_short = lower.next_up() >= upper || upper - lower <= least;
        match examine(f, holds, lower, upper, is_short) {
            Verdict::Holds => {}
            Verdict::Fails(bracket) => return Some(bracket),
            Verdict::Unknown => {
                splits += 1;
                if splits > PATIENCE && f.is_polynomial() {
                    return exact::first_failure(f, holds, lower, until);
                }
                if is_short || splits > LAST_PATIENCE {
                    match f.is_polynomial() {
                        true if exact::holds_within(f, holds, lower, upper) => continue,
                        true => return Some(Bracket { lower, upper }),
                        // After a contact that grazed, values and slopes may be too small for floats, but not falling.
                        false => match f.rises_until(lower, until, upper - lower) {
                            Some(end) => {
                                go_on_from(end, &mut waiting);
                                continue;
                            }
                            None => return Some(Bracket { lower, upper }),
                        },
                    }
                }
                let middle = separator(f.base, lower, upper);
                waiting.push((middle, upper));
                waiting.push((lower, middle));
            }
        }
    }
    None
}

/// Drops what lies before a time at which the function holds.
fn go_on_from(t: f64, waiting: &mut Vec<(f64, f64)>) {
    waiting.retain_mut(|span| {
        span.0 = span.0.max(t);
        span.0 < span.1
    });
}

enum Verdict {
    Holds,
    Fails(Bracket),
    Unknown,
}

/// What is known between two times, at the first of which the function holds.
fn examine(f: &Function<'_>, holds: Holds, lower: f64, upper: f64, is_short: bool) -> Verdict {
    let [value, slope] = f.over(Interval::new(lower, upper));
    if holds.accepts_all(value) || slope.lower() >= 0.0 {
        return Verdict::Holds;
    }
    if slope.upper() <= 0.0 {
        return match holds.accepts(f.sign_at(upper)) {
            true => Verdict::Holds,
            false => Verdict::Fails(narrowed(f, holds, lower, upper)),
        };
    }
    if is_short && !holds.accepts(f.sign_at(upper)) {
        return Verdict::Fails(Bracket { lower, upper });
    }
    Verdict::Unknown
}

/// What is not told apart of times: of a turn, as much as a float near one is exact. Near zero floats are far denser than angles are known,
/// and a contact that begins there would be looked at float by float.
fn least_time(f: &Function<'_>) -> f64 {
    let rate = f.rate();
    if rate > 0.0 { f64::EPSILON / rate } else { 0.0 }
}

/// A time between two that are no neighbours: by magnitude of the time since the base where that differs much, else halfway.
fn separator(base: f64, lower: f64, upper: f64) -> f64 {
    let (near, far) = ((lower - base).max(0.0), (upper - base).max(0.0));
    let middle = if far > 16.0 * near {
        let least = near.max(f64::EPSILON * base.abs()).max(f64::MIN_POSITIVE * 2f64.powi(60));
        base + (least.sqrt() * far.sqrt()).clamp(near, far)
    } else {
        0.5 * lower + 0.5 * upper
    };
    if lower < middle && middle < upper { middle } else { halfway(lower, upper) }
}

/// A float strictly between two, if there is one.
fn halfway(lower: f64, upper: f64) -> f64 {
    let middle = 0.5 * lower + 0.5 * upper;
    if lower < middle && middle < upper { middle } else { lower.next_up() }
}

/// The failure of a function that falls and holds at the first time, not at the second: as narrow as floats say.
fn narrowed(f: &Function<'_>, holds: Holds, mut lower: f64, mut upper: f64) -> Bracket {
    let mut next = halfway(lower, upper);
    let mut width = f64::INFINITY;
    while lower.next_up() < upper {
        let at = if lower < next && next < upper { next } else { halfway(lower, upper) };
        let [value, slope] = f.over(Interval::point(at));
        if value.lower() > 0.0 {
            lower = at;
        } else if value.upper() < 0.0 {
            upper = at;
        } else {
            return around_undecided(f, holds, lower, at, upper);
        }
        // Newton's proposal as long as it halves the bracket.
        let is_slow = upper - lower > 0.5 * width;
        width = upper - lower;
        let newton = at - value.middle() / slope.middle();
        next = if is_slow { halfway(lower, upper) } else { newton };
    }
    Bracket { lower, upper }
}

/// Steps away from a time at which floats do not know the sign until they do on both sides.
fn around_undecided(f: &Function<'_>, holds: Holds, mut lower: f64, at: f64, mut upper: f64) -> Bracket {
    let point = |t: f64| f.over(Interval::point(t))[0];
    let step = |k: u32| f64::from(1 << k) * (at.next_up() - at).max(at - at.next_down());
    for k in 0..16 {
        let t = at - step(k);
        if t <= lower {
            break;
        }
        if point(t).lower() > 0.0 {
            lower = t;
            break;
        }
    }
    for k in 0..16 {
        let t = at + step(k);
        if t >= upper {
            break;
        }
        if point(t).upper() < 0.0 {
            upper = t;
            break;
        }
    }
    // Rarely floats know nothing for long: exact signs then.
    match upper - lower > step(12) {
        true => tightened(f, holds, Bracket { lower, upper }),
        false => Bracket { lower, upper },
    }
}

/// A bracket between neighbouring floats by exact signs: the function holds at the lower and fails at the upper one, if it does
/// so in the bracket given.
pub(crate) fn tightened(f: &Function<'_>, holds: Holds, bracket: Bracket) -> Bracket {
    let Bracket { mut lower, mut upper } = bracket;
    while lower.next_up() < upper {
        let middle = halfway(lower, upper);
        if holds.accepts(f.sign_at(middle)) { lower = middle } else { upper = middle }
    }
    Bracket { lower, upper }
}

/// A time after which a polynomial has no zeros, or `limit` if there is none below it.
///
/// Fujiwara: no zero is larger than twice the largest `|c_(d-k) / c_d|^(1/k)`; twice that again covers all rounding.
pub(crate) fn horizon(f: &Function<'_>, limit: f64) -> f64 {
    let Some(mut coefficients) = f.coefficients() else { return limit };
    while coefficients.last() == Some(&Interval::ZERO) {
        coefficients.pop();
    }
    if coefficients.last().is_some_and(|c| c.contains(0.0)) {
        coefficients = exact::coefficients(f);
    }
    let Some((last, rest)) = coefficients.split_last() else { return f.base };
    let degree = rest.len();
    let bound = rest.iter().enumerate().fold(0.0, |bound: f64, (i, c)| {
        let ratio = c.magnitude() / last.mignitude();
        bound.max(ratio.powf(1.0 / (degree - i) as f64))
    });
    let end = (f.base + 4.0 * bound).next_up();
    if end < limit { end.max(f.base) } else { limit }
}

#[cfg(test)]
mod tests {
    use super::super::course::{Course, Leg};
    use super::super::feature::{LineRef, PointRef, Which};
    use super::super::motion::Motion;
    use super::*;
    use glam::DVec2;

    /// When the height of a point above the axis first fails.
    fn failure(y: &[f64], holds: Holds, from: f64, until: f64) -> Option<Bracket> {
        let (still, moving) = (Motion::still(), Motion::translation(&[0.0], y).expect("finite"));
        let legs = [Leg { start: 0.0, motion: &still }, Leg { start: 0.0, motion: &moving }];
        let course = Course::new(legs, from);
        let up = LineRef::Support { normal: DVec2::Y, at: DVec2::ZERO };
        let f = course.function(Which::A, up, PointRef::Vertex(DVec2::ZERO), 1.0);
        first_failure(&f, holds, from, horizon(&f, until))
    }

    #[track_caller]
    fn assert_fails_at(y: &[f64], holds: Holds, from: f64, time: f64) {
        let found = failure(y, holds, from, 1e30).expect("a failure");
        let slack = f64::EPSILON * (1.0 + time.abs());
        assert!(found.lower <= time + slack && time - slack <= found.upper, "{found:?}");
        assert!(found.upper - found.lower <= 4_096.0 * slack, "{found:?}");
    }

    #[test]
    fn the_first_of_several_roots_is_found_at_any_magnitude() {
        assert_fails_at(&[3.0, -1.0], Holds::Strictly, 0.0, 3.0);
        // (t - 1)(t - 2)(3 - t)
        assert_fails_at(&[6.0, -11.0, 6.0, -1.0], Holds::Strictly, -5.0, 1.0);
        assert_fails_at(&[-6.0, 11.0, -6.0, 1.0], Holds::Strictly, 1.5, 2.0);
        assert_fails_at(&[1e20, -1.0], Holds::Strictly, 0.0, 1e20);
        assert_fails_at(&[1e-20, -1.0], Holds::Strictly, 0.0, 1e-20);
        assert_eq!(failure(&[3.0, 1.0], Holds::Strictly, 0.0, 1e30), None);
        assert_eq!(failure(&[1e-300], Holds::Strictly, 0.0, 1e30), None);
    }

    #[test]
    fn double_roots_fail_strictly_and_near_misses_do_not() {
        // (3t - 1)^2 touches zero at a time that is no float; a little above it does not.
        assert_fails_at(&[1.0, -6.0, 9.0], Holds::Strictly, 0.0, 1.0 / 3.0);
        assert_eq!(failure(&[1.0f64.next_up(), -6.0, 9.0], Holds::Strictly, 0.0, 1e30), None);
        let root = (1.0 - (0.5 * f64::EPSILON).sqrt()) / 3.0;
        assert_fails_at(&[1.0f64.next_down(), -6.0, 9.0], Holds::Strictly, 0.0, root);
    }

    #[test]
    fn weak_conditions_hold_at_zero_and_fail_below() {
        assert_eq!(failure(&[0.0], Holds::Weakly, 0.0, 1e30), None);
        assert_eq!(failure(&[0.0, 1.0], Holds::Weakly, 0.0, 1e30), None);
        assert_fails_at(&[0.0, -1.0], Holds::Weakly, 0.0, 0.0);
        assert_fails_at(&[0.0, 1.0, -0.25], Holds::Weakly, 0.0, 4.0);
    }
}
