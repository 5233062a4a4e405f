//! Numbers of twice the precision: the unevaluated sum of two floats.
//!
//! Built on error-free transformations (Dekker 1971, Knuth) without fused operations, so the bits are the same on
//! every platform. Bounds after Joldes, Muller and Popescu 2017, with `u = 2^-53`; they hold up to a few `2^-1074`
//! where a product underflows.

use glam::DVec3;

/// `high + low` with `|low| <= u |high|`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Double {
    pub high: f64,
    pub low: f64,
}

impl Double {
    pub const ZERO: Double = Double { high: 0.0, low: 0.0 };

    /// `a + b` exactly.
    #[inline]
    pub fn sum(a: f64, b: f64) -> Double {
        let high = a + b;
        let b_part = high - a;
        Double { high, low: (a - (high - b_part)) + (b - b_part) }
    }

    /// `a + b` exactly, for `|a| >= |b|` or `a = 0`.
    #[inline]
    fn ordered_sum(a: f64, b: f64) -> Double {
        let high = a + b;
        Double { high, low: b - (high - a) }
    }

    /// `a * b` exactly; both must be below `2^990` in size.
    #[inline]
    pub fn product(a: f64, b: f64) -> Double {
        let high = a * b;
        let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
        Double { high, low: a_low * b_low - (((high - a_high * b_high) - a_low * b_high) - a_high * b_low) }
    }

    /// The sum, with a relative error of at most `3.1u^2`.
    #[inline]
    pub fn plus(self, other: Double) -> Double {
        let (high, low) = (Double::sum(self.high, other.high), Double::sum(self.low, other.low));
        let middle = Double::ordered_sum(high.high, high.low + low.high);
        Double::ordered_sum(middle.high, low.low + middle.low)
    }

    #[inline]
    pub fn minus(self, other: Double) -> Double {
        self.plus(other.negated())
    }

    #[inline]
    pub fn negated(self) -> Double {
        Double { high: -self.high, low: -self.low }
    }

    /// The product with a float, with a relative error of at most `3.1u^2`.
    #[inline]
    pub fn times(self, factor: f64) -> Double {
        let product = Double::product(self.high, factor);
        Double::ordered_sum(product.high, self.low * factor + product.low)
    }

    /// The product, with a relative error of at most `7.1u^2`.
    #[inline]
    pub fn times_double(self, other: Double) -> Double {
        let product = Double::product(self.high, other.high);
        let cross = self.high * other.low + self.low * other.high;
        Double::ordered_sum(product.high, product.low + cross)
    }

    #[inline]
    pub fn max(self, other: Double) -> Double {
        if other.minus(self).high > 0.0 { other } else { self }
    }
}

/// Two floats of at most 26 bits that sum to `x` (Veltkamp).
#[inline]
fn split(x: f64) -> (f64, f64) {
    let shifted = 134_217_729.0 * x;
    let high = shifted - (shifted - x);
    (high, x - high)
}

/// A vector of doubles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Double3(pub [Double; 3]);

impl Double3 {
    pub const ZERO: Double3 = Double3([Double::ZERO; 3]);

    /// `a + b` exactly.
    #[inline]
    pub fn sum(a: DVec3, b: DVec3) -> Double3 {
        Double3([Double::sum(a.x, b.x), Double::sum(a.y, b.y), Double::sum(a.z, b.z)])
    }

    #[inline]
    pub fn plus(&self, other: &Double3) -> Double3 {
        Double3(std::array::from_fn(|i| self.0[i].plus(other.0[i])))
    }

    #[inline]
    pub fn minus(&self, other: &Double3) -> Double3 {
        Double3(std::array::from_fn(|i| self.0[i].minus(other.0[i])))
    }

    #[inline]
    pub fn times(&self, factor: Double) -> Double3 {
        Double3(self.0.map(|x| x.times_double(factor)))
    }

    /// The scalar product, with an error of at most `28u^2 |a|_1 |b|_max`: three products of `7.1u^2` and two sums.
    #[inline]
    pub fn dot(&self, other: &Double3) -> Double {
        let term = |i: usize| self.0[i].times_double(other.0[i]);
        term(0).plus(term(1)).plus(term(2))
    }

    /// Rounded to floats.
    #[inline]
    pub fn high(&self) -> DVec3 {
        DVec3::new(self.0[0].high, self.0[1].high, self.0[2].high)
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
