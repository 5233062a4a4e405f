//! Where a ray enters a piece, by exact numbers.

use super::piece::{Constraint, Quadratic, Through};
use crate::exact::{BigNumber, BigQuotient, Sign};

/// The floats around the first `t` from 0 to `max_t` that is in a piece, and what the ray goes through there.
pub(super) fn first(constraint: &Constraint<BigNumber>, max_t: f64) -> Option<([f64; 2], Through)> {
    let (mut from, mut through) = (BigQuotient::from(BigNumber::from(0.0)), Through::Nothing);
    let mut to = max_t.is_finite().then(|| BigQuotient::from(BigNumber::from(max_t)));
    for (number, [slope, height]) in constraint.limits.iter().enumerate() {
        match slope.sign() {
            Sign::Zero if height.sign().is_negative() => return None,
            Sign::Zero => {}
            Sign::Positive => {
                let limit = BigQuotient { numerator: height.clone(), denominator: slope.clone() };
                if to.as_ref().is_none_or(|to| limit.compare(to).is_negative()) {
                    to = Some(limit);
                }
            }
            Sign::Negative => {
                let limit = BigQuotient { numerator: height.negated(), denominator: slope.negated() };
                if limit.compare(&from).is_positive() {
                    (from, through) = (limit, Through::Limit(number));
                }
            }
        }
    }
    if to.as_ref().is_some_and(|to| from.compare(to).is_positive()) {
        return None;
    }
    match &constraint.quadratic {
        Some(quadratic) if quadratic.sign_at(&from).is_positive() => {
            Some((quadratic.falls_between(&from, to.as_ref())?, Through::Surface))
        }
        _ => Some((from.bracket().into(), through)),
    }
}

impl Quadratic<BigNumber> {
    fn sign_at(&self, BigQuotient { numerator: n, denominator: d }: &BigQuotient) -> Sign {
        let half = self.half.times(&BigNumber::from(2.0));
        let value = self.square.times(&n.squared()).plus(&half.times(&n.times(d)));
        value.plus(&self.constant.times(&d.squared())).sign()
    }

    /// The sign of half the slope.
    fn slope_at(&self, BigQuotient { numerator: n, denominator: d }: &BigQuotient) -> Sign {
        self.square.times(n).plus(&self.half.times(d)).sign()
    }

    /// Floats around the first root behind a place, not negative, at which it is positive, up to another.
    fn falls_between(&self, from: &BigQuotient, to: Option<&BigQuotient>) -> Option<[f64; 2]> {
        match self.square.sign() {
            Sign::Zero => {
                if !self.half.sign().is_negative() {
                    return None;
                }
                let denominator = self.half.negated().times(&BigNumber::from(2.0));
                let root = BigQuotient { numerator: self.constant.clone(), denominator };
                let is_late = to.is_some_and(|to| root.compare(to).is_positive());
                (!is_late).then(|| root.bracket().into())
            }
            Sign::Positive => {
                if self.discriminant.sign().is_negative() || !self.slope_at(from).is_negative() {
                    return None;
                }
                // The root lies before the vertex.
                if to.is_some_and(|to| self.slope_at(to).is_negative() && self.sign_at(to).is_positive()) {
                    return None;
                }
                if self.discriminant.sign().is_zero() {
                    let root =
                        BigQuotient { numerator: self.half.negated(), denominator: self.square.clone() };
                    return Some(root.bracket().into());
                }
                Some(self.bracket(|t| self.slope_at(t).is_negative() && self.sign_at(t).is_positive()))
            }
            Sign::Negative => {
                // Positive between the roots only: the root lies behind the vertex.
                if to.is_some_and(|to| self.slope_at(to).is_positive() || self.sign_at(to).is_positive()) {
                    return None;
                }
                Some(self.bracket(|t| self.slope_at(t).is_positive() || self.sign_at(t).is_positive()))
            }
        }
    }

    /// The floats around a root above zero, given what lies before it.
    fn bracket(&self, is_before: impl Fn(&BigQuotient) -> bool) -> [f64; 2] {
        let exact = |x: f64| BigQuotient::from(BigNumber::from(x));
        // Floats that are not negative are ordered as their bits.
        let (mut low, mut high) = (0, f64::INFINITY.to_bits());
        while high - low > 1 {
            let middle = u64::midpoint(low, high);
            if is_before(&exact(f64::from_bits(middle))) { low = middle } else { high = middle }
        }
        let [low, high] = [low, high].map(f64::from_bits);
        if high.is_finite() && self.sign_at(&exact(high)).is_zero() { [high; 2] } else { [low, high] }
    }
}
