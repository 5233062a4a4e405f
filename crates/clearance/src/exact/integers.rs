//! Numbers and vectors as big integers times powers of two: for what signs alone cannot say.
//!
//! Differences of differences, and quotients rounded outward to brackets of two `f64`. Slow, and used only where
//! floats have failed.

use super::{Sign, Vector, sign_of};
use crate::math::round::scaled;
use dashu::base::{BitTest, DivRem, SquareRoot, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use glam::DVec3;

/// Bits to which quotients are computed before they are rounded to 53.
const QUOTIENT_BITS: isize = 60;

/// `integer * 2^exponent`, exactly.
#[derive(Clone, Debug)]
pub(crate) struct BigNumber {
    integer: IBig,
    exponent: isize,
}

/// Three integers times `2^exponent`, exactly.
#[derive(Clone, Debug)]
pub(crate) struct BigVector {
    coordinates: [IBig; 3],
    exponent: isize,
}

impl From<Vector<'_>> for BigVector {
    fn from(vector: Vector<'_>) -> BigVector {
        let exact = vector.exact();
        BigVector { coordinates: exact.big(), exponent: exact.exponent().unwrap_or(0) as isize }
    }
}

impl BigVector {
    fn over(&self, exponent: isize) -> [IBig; 3] {
        let shift = (self.exponent - exponent) as usize;
        [0, 1, 2].map(|i| &self.coordinates[i] << shift)
    }

    /// `self - other`.
    pub(crate) fn minus(&self, other: &BigVector) -> BigVector {
        let exponent = self.exponent.min(other.exponent);
        let (mine, theirs) = (self.over(exponent), other.over(exponent));
        BigVector { coordinates: [0, 1, 2].map(|i| &mine[i] - &theirs[i]), exponent }
    }

    /// The vector product.
    pub(crate) fn cross(&self, other: &BigVector) -> BigVector {
        let (u, v) = (&self.coordinates, &other.coordinates);
        let coordinates = [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &u[i] * &v[j] - &u[j] * &v[i]);
        BigVector { coordinates, exponent: self.exponent + other.exponent }
    }

    /// The scalar product.
    pub(crate) fn dot(&self, other: &BigVector) -> BigNumber {
        let (u, v) = (&self.coordinates, &other.coordinates);
        let integer = &u[0] * &v[0] + &u[1] * &v[1] + &u[2] * &v[2];
        BigNumber { integer, exponent: self.exponent + other.exponent }
    }

    /// The opposite vector.
    pub(crate) fn negated(&self) -> BigVector {
        BigVector { coordinates: [0, 1, 2].map(|i| -&self.coordinates[i]), exponent: self.exponent }
    }

    /// A float vector of the same direction whose largest coordinate is between 1/2 and 2 in size; each
    /// coordinate errs by at most `2^-53`. Zero for the zero vector.
    pub(crate) fn direction(&self) -> DVec3 {
        let bits = self.coordinates.iter().map(IBig::bit_len).max().unwrap_or(0) as isize;
        let float = |x: &IBig| {
            // 64 leading bits of the largest; what is cut off is far below the rounding.
            let shift = bits - 64;
            let cut = if shift > 0 { x >> shift as usize } else { x << (-shift) as usize };
            scaled(cut.to_f64().value(), -64)
        };
        DVec3::from_array([0, 1, 2].map(|i| float(&self.coordinates[i])))
    }
}

impl BigNumber {
    /// The exact value of a finite `f64`.
    pub(crate) fn new(x: f64) -> BigNumber {
        let vector = BigVector::from(Vector::Literal(DVec3::new(x, 0.0, 0.0)));
        let [integer, _, _] = vector.coordinates;
        BigNumber { integer, exponent: vector.exponent }
    }

    /// The exact sign.
    pub(crate) fn sign(&self) -> Sign {
        sign_of(&self.integer)
    }

    /// The opposite number.
    pub(crate) fn negated(&self) -> BigNumber {
        BigNumber { integer: -&self.integer, exponent: self.exponent }
    }

    /// The sign of `self * x - other * y`: compares the quotients `self / y` and `other / x`.
    pub(crate) fn compare_products(&self, x: &BigNumber, other: &BigNumber, y: &BigNumber) -> Sign {
        let (left, right) = (&self.integer * &x.integer, &other.integer * &y.integer);
        let (low, high) = (self.exponent + x.exponent, other.exponent + y.exponent);
        let exponent = low.min(high);
        sign_of(&((left << (low - exponent) as usize) - (right << (high - exponent) as usize)))
    }
}

/// Floats around `numerator / denominator`, both numbers positive: equal if the quotient is a float, else a few
/// units in the last place apart.
pub(crate) fn quotient_bracket(numerator: &BigNumber, denominator: &BigNumber) -> (f64, f64) {
    let (n, d) = ((&numerator.integer).unsigned_abs(), (&denominator.integer).unsigned_abs());
    let shift = QUOTIENT_BITS + d.bit_len() as isize - n.bit_len() as isize;
    let (quotient, is_exact) = shifted_quotient(&n, &d, shift);
    let exponent = numerator.exponent - denominator.exponent - shift;
    bracket(&quotient, is_exact, exponent)
}

/// Floats around `numerator / sqrt(square)`, both numbers positive.
pub(crate) fn root_quotient_bracket(numerator: &BigNumber, square: &BigNumber) -> (f64, f64) {
    let n = (&numerator.integer).unsigned_abs();
    let (n, d) = (&n * &n, (&square.integer).unsigned_abs());
    let mut shift = 2 * QUOTIENT_BITS + d.bit_len() as isize - n.bit_len() as isize;
    // The exponent of the square must be even.
    let of_square = 2 * numerator.exponent - square.exponent;
    shift += (of_square - shift).rem_euclid(2);
    let (quotient, is_exact) = shifted_quotient(&n, &d, shift);
    // floor(sqrt(floor(x))) = floor(sqrt(x)).
    let root = quotient.sqrt();
    let is_exact = is_exact && &root * &root == quotient;
    bracket(&root, is_exact, (of_square - shift) / 2)
}

/// `floor(n / d * 2^shift)` and whether nothing was cut off.
fn shifted_quotient(n: &UBig, d: &UBig, shift: isize) -> (UBig, bool) {
    let (n, d) =
        if shift >= 0 { (n << shift as usize, d.clone()) } else { (n.clone(), d << (-shift) as usize) };
    let (quotient, rest) = n.div_rem(d);
    (quotient, rest.is_zero())
}

/// Floats around `[integer, integer + 1] * 2^exponent`, or around `integer * 2^exponent` if that is exact.
fn bracket(integer: &UBig, is_exact: bool, exponent: isize) -> (f64, f64) {
    if exponent < -1900 {
        return (0.0, f64::from_bits(1));
    }
    if exponent > 1900 {
        return (f64::MAX, f64::INFINITY);
    }
    let exponent = exponent as i32;
    let cut = integer.bit_len().saturating_sub(53);
    let low = integer >> cut;
    let is_exact = is_exact && &low << cut == *integer;
    let high = if is_exact { low.clone() } else { &low + UBig::ONE };
    let float = |x: &UBig| scaled(x.to_f64().value(), exponent + cut as i32);
    let (low, high) = (float(&low), float(&high));
    if high < 2.0 * f64::MIN_POSITIVE {
        // Subnormal numbers may have been rounded once more.
        return (low.next_down().max(0.0), high.next_up());
    }
    (low.min(f64::MAX), high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use dashu::rational::RBig;

    fn exact(x: f64) -> RBig {
        RBig::try_from(x).unwrap()
    }

    #[test]
    fn quotients_are_bracketed_tightly_at_every_magnitude() {
        let mut random = Random::new(3);
        for _ in 0..3_000 {
            let mut number = || random.range(0.5, 1.0) * 2f64.powi(random.below(800) as i32 - 400);
            let (n, d) = (number(), number());
            let (low, high) = quotient_bracket(&BigNumber::new(n), &BigNumber::new(d));
            assert!(exact(low) * exact(d) <= exact(n) && exact(n) <= exact(high) * exact(d), "{n:e} {d:e}");
            assert!(high <= low * (1.0 + 4.0 * f64::EPSILON));
            let (low, high) = root_quotient_bracket(&BigNumber::new(n), &BigNumber::new(d));
            let square = |x: f64| exact(x) * exact(x);
            assert!(
                square(low) * exact(d) <= square(n) && square(n) <= square(high) * exact(d),
                "{n:e} {d:e}"
            );
            assert!(high <= low * (1.0 + 4.0 * f64::EPSILON));
        }
    }

    #[test]
    fn quotients_that_are_floats_are_exact() {
        let number = BigNumber::new;
        assert_eq!(quotient_bracket(&number(0.75), &number(-3.0)), (0.25, 0.25));
        assert_eq!(root_quotient_bracket(&number(6.0), &number(9.0)), (2.0, 2.0));
        let (low, high) = root_quotient_bracket(&number(1.0), &number(2.0));
        assert_eq!(low.next_up(), high);
    }

    #[test]
    fn results_below_the_range_of_floats_are_bracketed() {
        let (low, high) = quotient_bracket(&BigNumber::new(5e-324), &BigNumber::new(3.0));
        assert!(low == 0.0 && high > 0.0);
    }

    #[test]
    fn directions_are_rounded_once() {
        let v = BigVector::from(Vector::Literal(DVec3::new(3e-200, -4e-200, 1e-300)));
        let direction = v.direction();
        assert!((direction.y / direction.x + 4.0 / 3.0).abs() < 1e-15);
        assert!((0.5..2.0).contains(&direction.abs().max_element()));
        assert_eq!(BigVector::from(Vector::Literal(DVec3::ZERO)).direction(), DVec3::ZERO);
    }
}
