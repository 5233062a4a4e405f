//! Exact vectors as big integers over a common power of two, and roots of their quotients as brackets of floats.
//!
//! The last stage of metric questions: where a sign is not enough, the number itself is kept exactly, and only
//! its bracket leaves as floats.

use super::posed::{Approximation, OVERFLOW_GUARD};
use super::{Sign, UNDERFLOW_GUARD, UNIT_ROUNDOFF, Vector, sign_of, sign_of_float};
use crate::math::round::scaled;
use dashu::base::{BitTest, DivRem, SquareRootRem, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use glam::DVec3;

/// Vectors times a common power of two.
#[derive(Clone, Debug)]
pub struct IntegerVectors {
    /// The integers, vector by vector.
    pub vectors: Vec<[IBig; 3]>,
    /// A vector is its integers times two to this.
    pub exponent: i32,
}

impl IntegerVectors {
    /// The exact vectors as integers.
    pub fn new(vectors: &[Vector<'_>]) -> IntegerVectors {
        let exact: Vec<_> = vectors.iter().map(Vector::exact).collect();
        // Zero vectors do not care; if all are zero, any exponent will do.
        let exponent = exact.iter().filter_map(|v| v.exponent()).min().unwrap_or(0);
        let shifted = exact.iter().map(|v| {
            let shift = v.exponent().map_or(0, |own| (own - exponent) as usize);
            v.big().map(|x| x << shift)
        });
        IntegerVectors { vectors: shifted.collect(), exponent }
    }
}

/// A direction with integer entries, for exact signs.
#[derive(Clone, Debug)]
pub struct IntegerDirection {
    exact: [IBig; 3],
    /// A multiple of it, each entry wrong by at most `1.1u` times the largest.
    rounded: DVec3,
}

impl IntegerDirection {
    /// The direction of a vector, which must not be zero.
    pub fn new(exact: [IBig; 3]) -> IntegerDirection {
        let bits = exact.iter().map(|x| x.bit_len()).max().unwrap_or(0);
        let shift = bits.saturating_sub(62);
        let entry = |x: &IBig| {
            let head: IBig = x >> shift;
            i64::try_from(&head).map_or(0.0, |head| head as f64)
        };
        let rounded = DVec3::new(entry(&exact[0]), entry(&exact[1]), entry(&exact[2]));
        IntegerDirection { rounded: rounded / rounded.abs().max_element().max(1.0), exact }
    }

    /// The direction as floats, its largest entry one in size.
    pub fn rounded(&self) -> DVec3 {
        self.rounded
    }

    /// The exact sign of the scalar product with a vector.
    ///
    /// Filter: `10u |d|_1 s` as for literal directions, `3 * 2.2u |d|_1 s` for the entries of `rounded`, each of
    /// which is wrong by `1.1u` and divided once more.
    pub fn dot_sign(&self, vector: Vector<'_>) -> Sign {
        let Approximation { value, size } = vector.approximate();
        let bound = 18.0 * UNIT_ROUNDOFF * self.rounded.abs().element_sum() * size;
        let trusted = size > UNDERFLOW_GUARD && bound > UNDERFLOW_GUARD && bound < OVERFLOW_GUARD;
        let float = self.rounded.dot(value);
        if trusted && float.abs() > bound {
            return sign_of_float(float);
        }
        sign_of(&dot(&self.exact, &vector.exact().big()))
    }
}

/// The scalar product.
pub fn dot(u: &[IBig; 3], v: &[IBig; 3]) -> IBig {
    &u[0] * &v[0] + &u[1] * &v[1] + &u[2] * &v[2]
}

/// The number `sqrt(square / divisor^2) * 2^exponent`, exactly.
#[derive(Clone, Debug)]
pub struct IntegerRoot {
    /// Not negative.
    pub square: IBig,
    /// Positive.
    pub divisor: IBig,
    /// Of two.
    pub exponent: i32,
}

impl IntegerRoot {
    /// The floats next to the number, below and above; both are the number if it is a float.
    pub fn bracket(&self) -> (f64, f64) {
        let (square, divisor) = ((&self.square).unsigned_abs(), (&self.divisor).unsigned_abs());
        if square.is_zero() {
            return (0.0, 0.0);
        }
        let divisor = divisor.sqr();
        // Enough bits that the root has 64 or more.
        let shift = (130 + divisor.bit_len()).saturating_sub(square.bit_len()).div_ceil(2);
        let (quotient, left) = (square << (2 * shift)).div_rem(&divisor);
        let (root, remainder) = quotient.sqrt_rem();
        let exponent = self.exponent - shift as i32;
        let exact = left.is_zero() && remainder.is_zero();
        let above = if exact { root.clone() } else { &root + UBig::ONE };
        (float(&root, exponent, Rounding::Down), float(&above, exponent, Rounding::Up))
    }

    /// Whether the number is at most a finite float that is not negative.
    pub fn is_at_most(&self, limit: f64) -> bool {
        let limit = IntegerVectors::new(&[Vector::Literal(DVec3::X * limit)]);
        let bound = (&limit.vectors[0][0] * &self.divisor).sqr();
        let square = self.square.clone().unsigned_abs();
        let shift = 2 * (self.exponent - limit.exponent);
        if shift >= 0 { (square << shift as usize) <= bound } else { square <= (bound << (-shift) as usize) }
    }
}

/// `numerator / denominator` for `0 <= numerator <= denominator`, within two units in the last place of one.
pub fn fraction(numerator: &IBig, denominator: &IBig) -> f64 {
    let shift = denominator.bit_len().saturating_sub(1_000);
    let scaled_down = |x: &IBig| -> IBig { x >> shift };
    let (n, d) = (scaled_down(numerator), scaled_down(denominator));
    let quotient: IBig = (n << 60_usize) / d;
    i64::try_from(&quotient).map_or(1.0, |q| q as f64 * 0.5f64.powi(60))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    Down,
    Up,
}

/// The float next to `integer * 2^exponent`.
fn float(integer: &UBig, exponent: i32, rounding: Rounding) -> f64 {
    let bits = integer.bit_len() as i32;
    // Bits that a float has no room for: beyond 53, and below 2^-1074.
    let shift = (bits - 53).max(-1074 - exponent).max(0);
    let head: UBig = integer >> shift as usize;
    let whole = shift == 0 || integer.trailing_zeros().is_some_and(|zeros| zeros >= shift as usize);
    let head = if whole || rounding == Rounding::Down { head } else { head + UBig::ONE };
    let head = u64::try_from(&head).unwrap_or(u64::MAX);
    scaled(head as f64, exponent + shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use dashu::rational::RBig;

    fn root(square: i64, divisor: i64, exponent: i32) -> IntegerRoot {
        IntegerRoot { square: square.into(), divisor: divisor.into(), exponent }
    }

    #[test]
    fn exact_roots_are_exact_and_others_lie_between_neighbours() {
        assert_eq!(root(9, 4, 3).bracket(), (6.0, 6.0));
        assert_eq!(root(0, 7, 0).bracket(), (0.0, 0.0));
        assert_eq!(root(1, 1, -1074).bracket(), (5e-324, 5e-324));
        assert_eq!(root(1, 3, -1074).bracket(), (0.0, 5e-324));
        let (low, high) = root(2, 1, 0).bracket();
        assert_eq!((low, high), (2f64.sqrt().next_down(), 2f64.sqrt()));
    }

    #[test]
    fn random_roots_are_bracketed_by_neighbours() {
        let mut random = Random::new(3);
        for _ in 0..2_000 {
            let shift = random.below(80) as usize;
            let number = IntegerRoot {
                square: IBig::from(random.bits()) << shift,
                divisor: IBig::from(1 + (random.bits() >> random.below(64))),
                exponent: random.below(200) as i32 - 100,
            };
            let (low, high) = number.bracket();
            let exact = |x: f64| RBig::try_from(x).unwrap();
            let power = RBig::from(2).pow(2 * number.exponent as isize);
            let divisor = RBig::from(number.divisor.clone());
            let truth = RBig::from(number.square.clone()) * power / divisor.sqr();
            assert!(exact(low).sqr() <= truth && truth <= exact(high).sqr());
            assert!(low == high || low.next_up() == high);
            assert_eq!(number.is_at_most(low), low == high);
            assert!(number.is_at_most(high));
        }
    }

    #[test]
    fn fractions_are_close() {
        let big = IBig::ONE << 3000;
        assert_eq!(fraction(&(IBig::ONE << 2999), &big), 0.5);
        assert_eq!(fraction(&big, &big), 1.0);
        assert_eq!(fraction(&IBig::ZERO, &IBig::ONE), 0.0);
        assert!((fraction(&IBig::from(1), &IBig::from(3)) - 1.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn vectors_share_one_exponent() {
        let all = IntegerVectors::new(&[
            Vector::Literal(DVec3::new(0.5, 0.0, 3.0)),
            Vector::Literal(DVec3::ZERO),
            Vector::Literal(DVec3::splat(8.0)),
        ]);
        assert_eq!(all.exponent, -1);
        assert_eq!(all.vectors[0], [1, 0, 6].map(IBig::from));
        assert_eq!(all.vectors[1], [0, 0, 0].map(IBig::from));
        assert_eq!(all.vectors[2], [16, 16, 16].map(IBig::from));
    }
}
