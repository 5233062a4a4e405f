//! Numbers of twice the precision: the unevaluated sum of two floats.
//!
//! Built on error-free transformations (Dekker 1971, Knuth) without fused operations, so the bits are the same on
//! every platform. Bounds after Joldes, Muller and Popescu 2017, with `u = 2^-53`; they hold up to a few `2^-1074`
//! where a product underflows.

use glam::{DMat3, DVec3};
use std::ops::{Add, Mul, Neg, Sub};
use wide::f64x4;

/// A float, or several side by side.
pub(crate) trait Floats:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// What Veltkamp's splitting multiplies by, `2^27 + 1`.
    const SPLITTER: Self;
}

impl Floats for f64 {
    const SPLITTER: f64 = 134_217_729.0;
}

impl Floats for f64x4 {
    const SPLITTER: f64x4 = f64x4::new([f64::SPLITTER; 4]);
}

/// `high + low` with `|low| <= u |high|`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Double<F = f64> {
    pub high: F,
    pub low: F,
}

impl<F: Floats> Double<F> {
    /// `a + b` exactly.
    #[inline(always)]
    pub fn sum(a: F, b: F) -> Double<F> {
        let high = a + b;
        let b_part = high - a;
        Double { high, low: (a - (high - b_part)) + (b - b_part) }
    }

    /// `a + b` exactly, for `|a| >= |b|` or `a = 0`.
    #[inline(always)]
    fn ordered_sum(a: F, b: F) -> Double<F> {
        let high = a + b;
        Double { high, low: b - (high - a) }
    }

    /// `a * b` exactly; both must be below `2^990` in size.
    #[inline(always)]
    pub fn product(a: F, b: F) -> Double<F> {
        let high = a * b;
        let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
        Double { high, low: a_low * b_low - (((high - a_high * b_high) - a_low * b_high) - a_high * b_low) }
    }

    /// The sum, with a relative error of at most `3.1u^2`.
    #[inline(always)]
    pub fn plus(self, other: Double<F>) -> Double<F> {
        let (high, low) = (Double::sum(self.high, other.high), Double::sum(self.low, other.low));
        let middle = Double::ordered_sum(high.high, high.low + low.high);
        Double::ordered_sum(middle.high, low.low + middle.low)
    }

    #[inline(always)]
    pub fn minus(self, other: Double<F>) -> Double<F> {
        self.plus(other.negated())
    }

    #[inline(always)]
    pub fn negated(self) -> Double<F> {
        Double { high: -self.high, low: -self.low }
    }

    /// The product with a float, with a relative error of at most `3.1u^2`.
    #[inline(always)]
    pub fn times(self, factor: F) -> Double<F> {
        let product = Double::product(self.high, factor);
        Double::ordered_sum(product.high, self.low * factor + product.low)
    }

    /// The product, with a relative error of at most `7.1u^2`.
    #[inline(always)]
    pub fn times_double(self, other: Double<F>) -> Double<F> {
        let product = Double::product(self.high, other.high);
        let cross = self.high * other.low + self.low * other.high;
        Double::ordered_sum(product.high, product.low + cross)
    }
}

impl Double {
    pub const ZERO: Double = Double { high: 0.0, low: 0.0 };

    #[inline]
    pub fn max(self, other: Double) -> Double {
        if other.minus(self).high > 0.0 { other } else { self }
    }

    /// The same in every lane.
    #[inline(always)]
    fn splat(self) -> Double<f64x4> {
        Double { high: f64x4::splat(self.high), low: f64x4::splat(self.low) }
    }
}

/// Two floats of at most 26 bits that sum to `x` (Veltkamp).
#[inline(always)]
fn split<F: Floats>(x: F) -> (F, F) {
    let shifted = F::SPLITTER * x;
    let high = shifted - (shifted - x);
    (high, x - high)
}

/// A vector of doubles, its coordinates side by side: all three take the time of two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Double3(Double<f64x4>);

#[inline(always)]
fn lanes(v: DVec3) -> f64x4 {
    f64x4::new([v.x, v.y, v.z, 0.0])
}

impl Double3 {
    pub const ZERO: Double3 = Double3(Double { high: f64x4::ZERO, low: f64x4::ZERO });

    /// `a + b` exactly.
    #[inline]
    pub fn sum(a: DVec3, b: DVec3) -> Double3 {
        Double3(Double::sum(lanes(a), lanes(b)))
    }

    /// `turn_b to - turn_a from + offset`: six exact products and seven sums of `3.1u^2`.
    pub fn between_images(
        (turn_a, from): (DMat3, DVec3),
        (turn_b, to): (DMat3, DVec3),
        offset: Double3,
    ) -> Double3 {
        let product = |turn: DMat3, v: DVec3, column: usize| {
            Double::product(lanes(turn.col(column)), f64x4::splat(v[column]))
        };
        let part = |column: usize| product(turn_b, to, column).minus(product(turn_a, from, column));
        Double3(offset.0.plus(part(0)).plus(part(1)).plus(part(2)))
    }

    /// The image under a linear map: three products of `3.1u^2` and two sums.
    #[inline]
    pub fn turned(&self, turn: DMat3) -> Double3 {
        let (high, low) = (self.0.high.to_array(), self.0.low.to_array());
        let part = |column: usize| {
            Double { high: high[column], low: low[column] }.splat().times(lanes(turn.col(column)))
        };
        Double3(part(0).plus(part(1)).plus(part(2)))
    }

    #[inline]
    pub fn plus(&self, other: &Double3) -> Double3 {
        Double3(self.0.plus(other.0))
    }

    #[inline]
    pub fn minus(&self, other: &Double3) -> Double3 {
        Double3(self.0.minus(other.0))
    }

    #[inline]
    pub fn negated(&self) -> Double3 {
        Double3(self.0.negated())
    }

    #[inline]
    pub fn times(&self, factor: f64) -> Double3 {
        Double3(self.0.times(f64x4::splat(factor)))
    }

    /// The scalar product, with an error of at most `28u^2 |a|_1 |b|_max`: three products of `7.1u^2` and two sums.
    #[inline]
    pub fn dot(&self, other: &Double3) -> Double {
        let product = self.0.times_double(other.0);
        let (high, low) = (product.high.to_array(), product.low.to_array());
        let term = |i: usize| Double { high: high[i], low: low[i] };
        term(0).plus(term(1)).plus(term(2))
    }

    /// The vector product: in each coordinate two products of `7.1u^2` and a sum.
    #[inline]
    pub fn cross(&self, other: &Double3) -> Double3 {
        let minors = self.0.times_double(other.next_axes().0).minus(self.next_axes().0.times_double(other.0));
        Double3(minors).next_axes()
    }

    /// `y`, `z`, `x`.
    #[inline(always)]
    fn next_axes(&self) -> Double3 {
        let next = |v: f64x4| {
            let [x, y, z, _] = v.to_array();
            f64x4::new([y, z, x, 0.0])
        };
        Double3(Double { high: next(self.0.high), low: next(self.0.low) })
    }

    /// Rounded to floats.
    #[inline]
    pub fn high(&self) -> DVec3 {
        let [x, y, z, _] = self.0.high.to_array();
        DVec3::new(x, y, z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use dashu::rational::RBig;

    fn exact(x: Double) -> RBig {
        RBig::try_from(x.high).unwrap() + RBig::try_from(x.low).unwrap()
    }

    fn size(x: &RBig) -> RBig {
        if *x < RBig::ZERO { -x.clone() } else { x.clone() }
    }

    /// `|got - want| <= units u^2 |want|`.
    fn assert_close(got: Double, want: &RBig, units: u32) {
        let error = size(&(exact(got) - want)) * RBig::from(1u128 << 106);
        assert!(error <= size(want) * RBig::from(units), "{got:?}");
    }

    fn number(random: &mut Random) -> Double {
        let high = random.range(-1.0, 1.0) * 2f64.powi(random.below(60) as i32 - 30);
        Double::sum(high, high * random.range(-0.5, 0.5) * f64::EPSILON)
    }

    #[test]
    fn operations_keep_their_error_bounds() {
        let mut random = Random::new(1);
        for case in 0..20_000 {
            let (a, b) = (number(&mut random), number(&mut random));
            // Every second pair nearly cancels.
            let b = if case % 2 == 0 { b } else { Double::sum(-a.high.next_up(), b.high * 1e-16) };
            assert_eq!(
                exact(Double::sum(a.high, b.high)),
                exact(a).clone() - RBig::try_from(a.low).unwrap() + RBig::try_from(b.high).unwrap()
            );
            assert_eq!(
                exact(Double::product(a.high, b.high)),
                RBig::try_from(a.high).unwrap() * RBig::try_from(b.high).unwrap()
            );
            assert_close(a.plus(b), &(exact(a) + exact(b)), 4);
            assert_close(a.times(b.high), &(exact(a) * RBig::try_from(b.high).unwrap()), 4);
            assert_close(a.times_double(b), &(exact(a) * exact(b)), 8);
        }
    }

    #[test]
    fn the_larger_is_found_by_its_low_part() {
        let (x, y) = (Double { high: 1.0, low: 1e-20 }, Double { high: 1.0, low: -1e-20 });
        assert_eq!(x.max(y), x);
        assert_eq!(y.max(x), x);
    }
}
