//! Times as exact quotients.

use dashu::base::Abs;
use dashu::integer::IBig;
use dashu::rational::RBig;
use std::fmt;

/// A rational number, in lowest terms: when something happens, exactly.
///
/// Ordered as real numbers are. Shown as `numerator/denominator` in decimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExactTime(RBig);

impl ExactTime {
    pub(super) fn new(value: RBig) -> ExactTime {
        ExactTime(value)
    }

    /// The value of a finite `f64`; `None` for infinity and NaN.
    pub fn of_float(t: f64) -> Option<ExactTime> {
        RBig::try_from(t).ok().map(ExactTime)
    }

    /// The numerator in decimal digits, with the sign of the time.
    pub fn numerator(&self) -> String {
        self.0.numerator().to_string()
    }

    /// The denominator in decimal digits; positive.
    pub fn denominator(&self) -> String {
        self.0.denominator().to_string()
    }

    /// Neighbouring floats around the time, or twice the time if it is a float; at most one unit in the last place wide.
    pub fn bracket(&self) -> (f64, f64) {
        bracket(&self.0)
    }

    /// One of the ends of the bracket, the nearer one.
    pub fn rounded(&self) -> f64 {
        let (lower, upper) = self.bracket();
        let nearer =
            |x: f64| RBig::try_from(x).map_or(RBig::from(IBig::from(u64::MAX)), |x| (x - &self.0).abs());
        if lower == upper || nearer(lower) <= nearer(upper) { lower } else { upper }
    }

    /// The time at this share of an interval: `t0 + self (t1 - t0)`, exactly, for finite ends.
    pub fn between(&self, t0: f64, t1: f64) -> ExactTime {
        ExactTime(rational(t0) + &self.0 * (rational(t1) - rational(t0)))
    }

    pub(super) fn value(&self) -> &RBig {
        &self.0
    }

    #[cfg(feature = "oracle")]
    pub(crate) fn from_quotient(value: &RBig) -> ExactTime {
        ExactTime(value.clone())
    }

    #[cfg(feature = "oracle")]
    pub(crate) fn to_quotient(&self) -> RBig {
        self.0.clone()
    }
}

impl fmt::Display for ExactTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// `t` as a rational; zero for what is not finite, which no checked motion has.
pub(super) fn rational(t: f64) -> RBig {
    RBig::try_from(t).unwrap_or(RBig::ZERO)
}

/// Floats around a rational, next to each other or equal.
pub(super) fn bracket(x: &RBig) -> (f64, f64) {
    let near = x.to_f64().value();
    if !near.is_finite() {
        return if *x > RBig::ZERO { (f64::MAX, f64::INFINITY) } else { (f64::NEG_INFINITY, f64::MIN) };
    }
    match rational(near).cmp(x) {
        std::cmp::Ordering::Equal => (near, near),
        std::cmp::Ordering::Less => (near, near.next_up()),
        std::cmp::Ordering::Greater => (near.next_down(), near),
    }
}

/// `numerator / denominator * 2^exponent`; the denominator must not be zero.
pub(super) fn quotient(numerator: IBig, denominator: IBig, exponent: isize) -> RBig {
    let shift = exponent.unsigned_abs();
    let (numerator, denominator) =
        if exponent >= 0 { (numerator << shift, denominator) } else { (numerator, denominator << shift) };
    RBig::from(numerator) / RBig::from(denominator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_neighbours_and_floats_are_met() {
        for (n, d) in [(1, 3), (-1, 3), (2, 1), (-7, 4), (1, 10), (0, 5)] {
            let time = ExactTime::new(quotient(IBig::from(n), IBig::from(d), 0));
            let (lower, upper) = time.bracket();
            let exact = RBig::from(IBig::from(n)) / RBig::from(IBig::from(d));
            assert!(rational(lower) <= exact && exact <= rational(upper), "{n}/{d}");
            let is_float = rational(n as f64 / d as f64) == exact;
            assert_eq!(lower == upper, is_float);
            assert!(is_float || lower.next_up() == upper);
            assert_eq!(time.rounded(), n as f64 / d as f64);
        }
    }

    #[test]
    fn quotients_are_written_in_lowest_terms() {
        let time = ExactTime::new(quotient(IBig::from(-6), IBig::from(8), -1));
        assert_eq!((time.numerator().as_str(), time.denominator().as_str()), ("-3", "8"));
        assert!(time < ExactTime::of_float(-0.25).unwrap());
        assert_eq!(ExactTime::of_float(f64::NAN), None);
    }
}
