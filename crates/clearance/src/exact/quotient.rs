//! Quotients of big numbers and their roots, as brackets of floats.

use super::Sign;
use super::big::BigNumber;
use crate::math::round::{power_of_two, scaled};
use dashu::base::{BitTest, DivRem, SquareRootRem, UnsignedAbs};
use dashu::integer::{IBig, UBig};

/// Bits to which quotients are computed before they are rounded to 53.
const QUOTIENT_BITS: isize = 60;

/// `numerator / denominator`, exactly.
#[derive(Clone, Debug)]
pub(crate) struct BigQuotient {
    pub(crate) numerator: BigNumber,
    /// Positive.
    pub(crate) denominator: BigNumber,
}

impl From<BigNumber> for BigQuotient {
    fn from(numerator: BigNumber) -> BigQuotient {
        BigQuotient { numerator, denominator: BigNumber::from(IBig::ONE) }
    }
}

impl BigQuotient {
    /// The exact sign of `self - other`.
    pub(crate) fn compare(&self, other: &BigQuotient) -> Sign {
        self.numerator.times(&other.denominator).compare(&other.numerator.times(&self.denominator))
    }

    /// The floats next to a quotient that is not negative, below and above; equal if it is a float.
    pub(crate) fn bracket(&self) -> (f64, f64) {
        let (n, d, exponent) = self.parts();
        if n.is_zero() {
            return (0.0, 0.0);
        }
        let shift = QUOTIENT_BITS + d.bit_len() as isize - n.bit_len() as isize;
        let (quotient, is_exact) = shifted_quotient(n, d, shift);
        bracket(&quotient, is_exact, exponent - shift)
    }

    /// The floats next to the root of a quotient that is not negative, below and above; equal if it is a float.
    pub(crate) fn root_bracket(&self) -> (f64, f64) {
        let (n, d, exponent) = self.parts();
        if n.is_zero() {
            return (0.0, 0.0);
        }
        let mut shift = 2 * QUOTIENT_BITS + d.bit_len() as isize - n.bit_len() as isize;
        // What the root is taken of must have an even exponent.
        shift += (exponent - shift).rem_euclid(2);
        let (quotient, is_exact) = shifted_quotient(n, d, shift);
        // floor(sqrt(floor(x))) = floor(sqrt(x)).
        let (root, rest) = quotient.sqrt_rem();
        bracket(&root, is_exact && rest.is_zero(), (exponent - shift) / 2)
    }

    /// The quotient is `n / d * 2^exponent`.
    fn parts(&self) -> (UBig, UBig, isize) {
        let (n, d) = (&self.numerator, &self.denominator);
        ((&n.integer).unsigned_abs(), (&d.integer).unsigned_abs(), n.exponent - d.exponent)
    }
}

/// `numerator / denominator` for `0 <= numerator <= denominator`, within two units in the last place of one.
pub(crate) fn fraction(numerator: &IBig, denominator: &IBig) -> f64 {
    let (quotient, _) = shifted_quotient(numerator.unsigned_abs(), denominator.unsigned_abs(), 60);
    u64::try_from(&quotient).map_or(1.0, |q| q as f64 * power_of_two(-60))
}

/// `floor(n / d * 2^shift)` and whether nothing was cut off.
fn shifted_quotient(n: UBig, d: UBig, shift: isize) -> (UBig, bool) {
    let (n, d) = if shift >= 0 { (n << shift as usize, d) } else { (n, d << (-shift) as usize) };
    let (quotient, rest) = n.div_rem(d);
    (quotient, rest.is_zero())
}

/// The floats next to a number strictly between `integer * 2^exponent` and `(integer + 1) * 2^exponent`, or to the
/// former if it is exact. The integer has more than 53 bits, so these are neighbours or equal.
fn bracket(integer: &UBig, is_exact: bool, exponent: isize) -> (f64, f64) {
    let above = if is_exact { integer.clone() } else { integer + UBig::ONE };
    (float(integer, exponent, Rounding::Down), float(&above, exponent, Rounding::Up))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    Down,
    Up,
}

/// The float next to `integer * 2^exponent`, rounded once, also where it is subnormal.
fn float(integer: &UBig, exponent: isize, rounding: Rounding) -> f64 {
    let bits = integer.bit_len() as isize;
    if bits + exponent > 1024 {
        return if rounding == Rounding::Down { f64::MAX } else { f64::INFINITY };
    }
    // Bits that a float has no room for: beyond 53, and below 2^-1074.
    let shift = (bits - 53).max(-1074 - exponent).max(0);
    let head: UBig = integer >> shift as usize;
    let is_whole = shift == 0 || integer.trailing_zeros().is_none_or(|zeros| zeros >= shift as usize);
    let head = if is_whole || rounding == Rounding::Down { head } else { head + UBig::ONE };
    let head = u64::try_from(&head).unwrap_or(u64::MAX);
    scaled(head as f64, (exponent + shift) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use dashu::rational::RBig;

    fn quotient(numerator: f64, denominator: f64) -> BigQuotient {
        BigQuotient { numerator: numerator.into(), denominator: denominator.into() }
    }

    fn exact(x: f64) -> RBig {
        RBig::try_from(x).unwrap()
    }

    fn assert_neighbours((low, high): (f64, f64), what: &BigQuotient) {
        assert!(low == high || low.next_up() == high, "{low:e} {high:e} for {what:?}");
    }

    #[test]
    fn quotients_and_roots_lie_between_neighbours_at_every_magnitude() {
        let mut random = Random::new(3);
        for _ in 0..3_000 {
            let mut number = || random.range(0.5, 1.0) * 2f64.powi(random.below(1_100) as i32 - 550);
            let (n, d) = (number(), number());
            let both = quotient(n, d);
            let (low, high) = both.bracket();
            assert!(exact(low) * exact(d) <= exact(n), "{n:e} {d:e}");
            assert!(high == f64::INFINITY || exact(n) <= exact(high) * exact(d), "{n:e} {d:e}");
            assert_neighbours((low, high), &both);
            let (low, high) = both.root_bracket();
            let square = |x: f64| exact(x) * exact(x);
            assert!(square(low) * exact(d) <= exact(n) && exact(n) <= square(high) * exact(d), "{n:e} {d:e}");
            assert_neighbours((low, high), &both);
        }
    }

    #[test]
    fn roots_of_long_integers_lie_between_neighbours_and_compare_with_them() {
        let mut random = Random::new(3);
        for _ in 0..2_000 {
            let square = IBig::from(random.bits()) << random.below(80) as usize;
            let divisor = IBig::from(1 + (random.bits() >> random.below(64)));
            let exponent = random.below(200) as isize - 100;
            let number = BigQuotient {
                numerator: BigNumber { integer: square.clone(), exponent: 2 * exponent },
                denominator: BigNumber::from(divisor.clone()).squared(),
            };
            let (low, high) = number.root_bracket();
            let truth = RBig::from(square) * RBig::from(2).pow(2 * exponent) / RBig::from(divisor).sqr();
            assert!(exact(low).sqr() <= truth && truth <= exact(high).sqr());
            assert_neighbours((low, high), &number);
            let side = |x: f64| number.compare(&BigNumber::from(x).squared().into());
            assert_eq!(side(low).is_zero(), low == high);
            assert!(!side(low).is_negative() && !side(high).is_positive());
        }
    }

    #[test]
    fn what_is_a_float_is_exact() {
        assert_eq!(quotient(0.75, 3.0).bracket(), (0.25, 0.25));
        assert_eq!(quotient(0.0, 7.0).bracket(), (0.0, 0.0));
        assert_eq!(quotient(0.0, 7.0).root_bracket(), (0.0, 0.0));
        assert_eq!(quotient(36.0, 9.0).root_bracket(), (2.0, 2.0));
        assert_eq!(quotient(9.0 * 64.0, 16.0).root_bracket(), (6.0, 6.0));
        assert_eq!(quotient(2.0, 1.0).root_bracket(), (2f64.sqrt().next_down(), 2f64.sqrt()));
        assert_eq!(quotient(f64::MAX, 1.0).bracket(), (f64::MAX, f64::MAX));
    }

    #[test]
    fn results_at_and_beyond_the_ends_of_the_range_are_bracketed() {
        let least = f64::from_bits(1);
        assert_eq!(quotient(least, 1.0).bracket(), (least, least));
        assert_eq!(quotient(least, 3.0).bracket(), (0.0, least));
        assert_eq!(quotient(4.0 * least, 3.0).bracket(), (least, 2.0 * least));
        assert_eq!(quotient(least, 1e300).bracket(), (0.0, least));
        assert_eq!(quotient(f64::MAX, 0.75).bracket(), (f64::MAX, f64::INFINITY));
        assert_eq!(quotient(1e300, least).bracket(), (f64::MAX, f64::INFINITY));
        let tiny = BigQuotient { denominator: BigNumber::from(3.0).squared(), ..quotient(least, 1.0) };
        let tiny = BigQuotient { numerator: tiny.numerator.squared(), ..tiny };
        assert_eq!(tiny.root_bracket(), (0.0, least));
        let whole = BigQuotient { denominator: BigNumber::from(1.0), ..tiny };
        assert_eq!(whole.root_bracket(), (least, least));
    }

    #[test]
    fn fractions_are_close() {
        let big = IBig::ONE << 3000;
        assert_eq!(fraction(&(IBig::ONE << 2999), &big), 0.5);
        assert_eq!(fraction(&big, &big), 1.0);
        assert_eq!(fraction(&IBig::ZERO, &IBig::ONE), 0.0);
        assert!((fraction(&IBig::from(1), &IBig::from(3)) - 1.0 / 3.0).abs() < 1e-15);
    }
}
