//! What floats leave open of polynomials.

use super::{Bracket, Holds};
use crate::exact::{Polynomial, Root, RootFinder, Sign};
use crate::kinetic::course::Function;
use crate::kinetic::dyadic::Dyadic;
use crate::kinetic::ring::Series;
use crate::math::Interval;
use std::ops::ControlFlow;

/// The polynomial in `x` with the time `start + x width`.
fn series(f: &Function<'_>, start: f64, width: Dyadic) -> Series<Dyadic> {
    // Only the angle zero is there, if any.
    let mut terms = f.exact_terms(start, width);
    let mut series = terms.pop().map_or(Series(Vec::new()), |term| term.factor.re);
    while series.0.last().is_some_and(Dyadic::is_zero) {
        series.0.pop();
    }
    series
}

/// The same between two times, `x` from 0 to 1, times a power of two.
pub(super) fn between(f: &Function<'_>, lower: f64, upper: f64) -> Polynomial {
    let series = series(f, lower, Dyadic::from(upper).minus(&lower.into()));
    let exponents = series.0.iter().filter(|c| !c.is_zero()).map(|c| c.exponent);
    let least = exponents.min().unwrap_or(0);
    let integer = |c: &Dyadic| if c.is_zero() { c.integer.clone() } else { c.over(least) };
    Polynomial::new(series.0.iter().map(integer).collect::<Vec<_>>())
}

/// The coefficients since the base, each rounded on its own; the highest is not zero.
pub(super) fn coefficients(f: &Function<'_>) -> Vec<Interval> {
    series(f, f.base, Dyadic::from(1.0)).0.iter().map(Dyadic::interval).collect()
}

/// As [`super::first_failure`], by the first root after `from`; one at which the function does not change its sign counts as
/// a failure, too.
pub(super) fn first_failure(f: &Function<'_>, holds: Holds, from: f64, until: f64) -> Option<Bracket> {
    let polynomial = between(f, from, until);
    if polynomial.is_zero() {
        return (holds == Holds::Strictly).then_some(Bracket { lower: from, upper: from.next_up() });
    }
    if !holds.accepts(sign_right_after(f, from, until)) {
        return Some(Bracket { lower: from, upper: from.next_up() });
    }
    let finder = RootFinder::new(polynomial);
    let width = Interval::point(until) - Interval::point(from);
    let found = finder.visit(|root| {
        if root.bracket.1 == 0.0 {
            return ControlFlow::Continue(());
        }
        ControlFlow::Break(in_time(root, from, until, width))
    });
    found.break_value()
}

/// The sign between a time and the next root of a polynomial that is not zero.
fn sign_right_after(f: &Function<'_>, from: f64, until: f64) -> Sign {
    let series = series(f, from, Dyadic::from(until).minus(&from.into()));
    series.0.iter().map(Dyadic::sign).find(|sign| !sign.is_zero()).unwrap_or(Sign::Zero)
}

fn in_time(root: &Root<'_>, from: f64, until: f64, width: Interval) -> Bracket {
    let x = Interval::new(root.bracket.0, root.bracket.1);
    let t = Interval::point(from) + width * x;
    let upper = t.upper().min(until);
    Bracket { lower: t.lower().max(from).min(upper), upper }
}

/// Whether a function that holds at two times holds between them, too.
pub(super) fn holds_within(f: &Function<'_>, holds: Holds, lower: f64, upper: f64) -> bool {
    let polynomial = between(f, lower, upper);
    if polynomial.is_zero() {
        return holds == Holds::Weakly;
    }
    let found = RootFinder::new(polynomial).visit(|root| match root.bracket {
        (_, 0.0) | (1.0, _) if holds == Holds::Weakly => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    });
    found.is_continue() && holds.accepts(sign_right_after(f, lower, upper))
}

/// What happens at the first root of a function between two times.
pub(crate) enum AtRoot {
    /// All of the others are zero or positive there.
    AllHold,
    /// One of them is negative there.
    OneFails,
    /// There is no root.
    NoRoot,
}

/// Exact signs of other polynomials where a function is first zero between two times.
pub(crate) fn signs_at_first_root(f: &Function<'_>, others: &[Function<'_>], bracket: Bracket) -> AtRoot {
    let polynomial = between(f, bracket.lower, bracket.upper);
    if polynomial.is_zero() {
        return AtRoot::NoRoot;
    }
    let found = RootFinder::new(polynomial).visit(|root| {
        let negative =
            |g: &Function<'_>| root.sign_of(&between(g, bracket.lower, bracket.upper)).is_negative();
        ControlFlow::Break(if others.iter().any(negative) { AtRoot::OneFails } else { AtRoot::AllHold })
    });
    found.break_value().unwrap_or(AtRoot::NoRoot)
}
