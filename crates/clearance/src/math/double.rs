//! Numbers of twice the precision: the unevaluated sum of two floats.
//!
//! Built on error-free transformations (Dekker 1971, Knuth) without fused operations, so the bits are the same on
//! every platform. Bounds after Joldes, Muller and Popescu 2017, with `u = 2^-53`; they hold up to a few `2^-1074`
//! where a product underflows.

use glam::{DMat3, DVec3};
use std::ops::{Add, Mul, Neg, Sub};
use wide::{f64x2, f64x4};

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

impl Floats for f64x2 {
    const SPLITTER: f64x2 = f64x2::new([f64::SPLITTER; 2]);
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
        Split::of(a).times(&Split::of(b))
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

/// A float and two floats of at most 26 bits that sum to it (Veltkamp): a factor of several products is split once.
#[derive(Clone, Copy)]
struct Split<F> {
    all: F,
    high: F,
    low: F,
}

impl<F: Floats> Split<F> {
    #[inline(always)]
    fn of(x: F) -> Split<F> {
        let shifted = F::SPLITTER * x;
        let high = shifted - (shifted - x);
        Split { all: x, high, low: x - high }
    }

    /// The product, exactly.
    #[inline(always)]
    fn times(&self, other: &Split<F>) -> Double<F> {
        let high = self.all * other.all;
        let error = ((high - self.high * other.high) - self.low * other.high) - self.high * other.low;
        Double { high, low: self.low * other.low - error }
    }
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

    /// `turn_b to - turn_a from + end - start` for points, and matrices whose entries are at most one, with an error of at most `32u^2`
    /// of `|to|_1 + |from|_1` and the largest coordinate of `end - start` together.
    ///
    /// Both images side by side. Products and sums of their floats are exact up to what is summed in floats in the end: that is
    /// at most `6u` of everything, the sizes of its terms added up, and in each of them five roundings.
    pub fn between_images(
        [(turn_a, from, start), (turn_b, to, end)]: [(&DMat3, DVec3, DVec3); 2],
    ) -> Double3 {
        let point = [0, 1, 2].map(|k| Split::of(f64x2::new([from[k], to[k]])));
        let row = |i: usize| {
            let product =
                |k: usize| Split::of(f64x2::new([turn_a.col(k)[i], turn_b.col(k)[i]])).times(&point[k]);
            let [p, q, r] = [product(0), product(1), product(2)];
            let pq = Double::sum(p.high, q.high);
            let all = Double::sum(pq.high, r.high);
            let ([of_a, of_b], low) = (all.high.to_array(), (p.low + q.low) + (r.low + (pq.low + all.low)));
            let [low_a, low_b] = low.to_array();
            let (turned, offset) = (Double::sum(of_b, -of_a), Double::sum(end[i], -start[i]));
            let between = Double::sum(turned.high, offset.high);
            Double::sum(between.high, (low_b - low_a) + ((turned.low + between.low) + offset.low))
        };
        let [x, y, z] = [row(0), row(1), row(2)];
        let lanes = |of: fn(&Double) -> f64| f64x4::new([of(&x), of(&y), of(&z), 0.0]);
        Double3(Double { high: lanes(|x| x.high), low: lanes(|x| x.low) })
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

    /// The sum with multiples of other vectors, at most two by at most one each, with an error of at most `64u^2` of the sum of all their
    /// sizes in each coordinate: floats are multiplied and summed exactly, and what is left is summed in floats.
    #[inline(always)]
    pub fn plus_multiples<const N: usize>(&self, others: &[Double3; N], by: &[f64; N]) -> Double3 {
        let Double3(Double { mut high, mut low }) = *self;
        for i in 0..N {
            let (Double3(other), by) = (others[i], f64x4::splat(by[i]));
            let product = Double::product(other.high, by);
            let sum = Double::sum(high, product.high);
            (high, low) = (sum.high, low + (sum.low + (product.low + other.low * by)));
        }
        Double3(Double::sum(high, low))
    }

    /// The scalar product rounded to a float, and before that wrong by at most `28u^2 |a|_1 |b|_max`: as
    /// [`plus_multiples`](Double3::plus_multiples).
    #[inline(always)]
    pub fn dot_in_float(&self, other: &Double3) -> f64 {
        let (Double3(a), Double3(b)) = (*self, *other);
        let product = Double::product(a.high, b.high);
        let low = product.low + (a.high * b.low + a.low * b.high);
        let ([x, y, z, _], [u, v, w, _]) = (product.high.to_array(), low.to_array());
        let xy = Double::sum(x, y);
        let all = Double::sum(xy.high, z);
        all.high + ((xy.low + all.low) + (u + v + w))
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

    /// What is left of it then.
    #[inline]
    pub fn low(&self) -> DVec3 {
        let [x, y, z, _] = self.0.low.to_array();
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

    fn vector(random: &mut Random, size: f64) -> Double3 {
        let mut part = || DVec3::from_array([0; 3].map(|_: i32| random.range(-size, size)));
        let (high, low) = (part(), part());
        Double3::sum(high, low * 0.5 * f64::EPSILON)
    }

    fn coordinate(v: &Double3, i: usize) -> RBig {
        exact(Double { high: v.high()[i], low: v.low()[i] })
    }

    /// `|got - want| <= units u^2 size`.
    fn assert_within(got: &RBig, want: &RBig, units: f64, size: f64) {
        let most = RBig::try_from(units * size).unwrap() / RBig::from(1u128 << 106);
        assert!(self::size(&(got.clone() - want)) <= most, "{got} {want}");
    }

    #[test]
    fn sums_of_multiples_and_products_keep_their_error_bounds() {
        let mut random = Random::new(2);
        for case in 0..3000 {
            let [p, e, f] = [1.0, 2.0, 0.5].map(|size| vector(&mut random, size));
            let by = [random.range(0.0, 1.0), random.range(0.0, 1.0)];
            // Every second sum nearly cancels.
            let p = if case % 2 == 0 { p } else { p.plus(&e.times(-by[0])).plus(&p.times(1e-12)) };
            let sum = p.plus_multiples(&[e, f], &by);
            let mut product = RBig::ZERO;
            for i in 0..3 {
                let part = |v: &Double3, by: f64| coordinate(v, i) * RBig::try_from(by).unwrap();
                let want = part(&p, 1.0) + part(&e, by[0]) + part(&f, by[1]);
                let sizes = p.high()[i].abs() + e.high()[i].abs() + f.high()[i].abs();
                assert_within(&coordinate(&sum, i), &want, 64.0, sizes);
                product += coordinate(&sum, i) * coordinate(&f, i);
            }
            let found = RBig::try_from(sum.dot_in_float(&f)).unwrap();
            let rounding = product.to_f64().value().abs() / UNIT;
            let size = f.high().abs().element_sum() * sum.high().abs().max_element();
            assert_within(&found, &product, 1.0, 28.0 * size + 1.01 * rounding);
        }
    }

    const UNIT: f64 = 0.5 * f64::EPSILON;

    #[test]
    fn images_are_taken_apart_within_their_error_bound() {
        let mut random = Random::new(3);
        for case in 0..2000 {
            let mut point = || DVec3::from_array([0; 3].map(|_: i32| random.range(-1.0, 1.0)));
            let (turn_a, turn_b) =
                (DMat3::from_cols(point(), point(), point()), DMat3::from_cols(point(), point(), point()));
            let (from, to, start) = (point(), point(), point());
            // Every second way nearly vanishes.
            let end = if case % 2 == 0 { point() } else { start - (turn_b * to - turn_a * from) };
            let found = Double3::between_images([(&turn_a, from, start), (&turn_b, to, end)]);
            let number = |x: f64| RBig::try_from(x).unwrap();
            for i in 0..3 {
                let image = |turn: &DMat3, v: DVec3| {
                    (0..3).map(|k| number(turn.col(k)[i]) * number(v[k])).fold(RBig::ZERO, |sum, x| sum + x)
                };
                let want = image(&turn_b, to) - image(&turn_a, from) + number(end[i]) - number(start[i]);
                let size =
                    from.abs().element_sum() + to.abs().element_sum() + (end - start).abs().max_element();
                assert_within(&coordinate(&found, i), &want, 32.0, size);
            }
        }
    }

    #[test]
    fn the_larger_is_found_by_its_low_part() {
        let (x, y) = (Double { high: 1.0, low: 1e-20 }, Double { high: 1.0, low: -1e-20 });
        assert_eq!(x.max(y), x);
        assert_eq!(y.max(x), x);
    }
}
