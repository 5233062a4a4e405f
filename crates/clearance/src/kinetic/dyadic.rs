//! Integers times powers of two, exactly: what sums and products of floats are.

use super::ring::Ring;
use crate::exact::Sign;
use crate::math::Interval;
use crate::math::round::scaled;
use dashu::base::{Abs, BitTest, UnsignedAbs};
use dashu::integer::IBig;

/// `integer * 2^exponent`.
#[derive(Clone, Debug)]
pub(crate) struct Dyadic {
    pub(super) integer: IBig,
    pub(super) exponent: isize,
}

impl From<f64> for Dyadic {
    /// The exact value of a finite float.
    fn from(x: f64) -> Dyadic {
        let bits = x.abs().to_bits();
        let (fraction, biased) = ((bits & ((1 << 52) - 1)) as i64, (bits >> 52) as isize);
        let (integer, exponent) =
            if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
        if integer == 0 {
            return Dyadic { integer: IBig::ZERO, exponent: 0 };
        }
        let zeros = integer.trailing_zeros();
        let odd = integer >> zeros;
        Dyadic { integer: IBig::from(if x < 0.0 { -odd } else { odd }), exponent: exponent + zeros as isize }
    }
}

impl Dyadic {
    pub(crate) fn new(integer: IBig, exponent: isize) -> Dyadic {
        Dyadic { integer, exponent }
    }

    pub(crate) fn sign(&self) -> Sign {
        if self.integer.is_zero() {
            Sign::Zero
        } else if self.integer > IBig::ZERO {
            Sign::Positive
        } else {
            Sign::Negative
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.integer.is_zero()
    }

    pub(crate) fn minus(&self, other: &Dyadic) -> Dyadic {
        self.plus(&other.negated())
    }

    pub(crate) fn size(&self) -> Dyadic {
        Dyadic { integer: (&self.integer).abs(), exponent: self.exponent }
    }

    /// The integer over another power of two, rounded down where that is larger.
    pub(crate) fn over(&self, exponent: isize) -> IBig {
        match self.exponent - exponent {
            shift @ 0.. => &self.integer << shift as usize,
            shift => &self.integer >> -shift as usize,
        }
    }

    /// A power of two above the size: `2^bits > |self|`; `None` for zero.
    pub(crate) fn bits(&self) -> Option<isize> {
        (!self.is_zero()).then(|| (&self.integer).unsigned_abs().bit_len() as isize + self.exponent)
    }

    /// Floats around the number.
    pub(crate) fn interval(&self) -> Interval {
        let size = (&self.integer).unsigned_abs();
        let shift = (size.bit_len() as isize - 53).max(0);
        let head = u64::try_from(&(&size >> shift as usize)).unwrap_or(u64::MAX) as f64;
        let exponent = i32::try_from(self.exponent + shift).unwrap_or(i32::MAX).clamp(-4000, 4000);
        // Where the result is subnormal or overflows, the product is rounded: one float further is enough.
        let is_exact = shift == 0 || size.trailing_zeros().is_none_or(|zeros| zeros >= shift as usize);
        let (mut lower, mut upper) = (scaled(head, exponent), scaled(head, exponent));
        if !(-1074..=970).contains(&exponent) {
            (lower, upper) = (lower.next_down().max(0.0), upper.next_up());
        }
        if !is_exact {
            upper = upper.max(scaled(head + 1.0, exponent)).next_up();
        }
        let around = Interval::new(lower.min(f64::MAX), upper);
        if self.sign().is_negative() { -around } else { around }
    }
}

impl Ring for Dyadic {
    fn number(x: f64) -> Dyadic {
        Dyadic::from(x)
    }

    fn plus(&self, other: &Dyadic) -> Dyadic {
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        let exponent = self.exponent.min(other.exponent);
        let over = |x: &Dyadic| &x.integer << (x.exponent - exponent) as usize;
        Dyadic { integer: over(self) + over(other), exponent }
    }

    fn product(&self, other: &Dyadic) -> Dyadic {
        Dyadic { integer: &self.integer * &other.integer, exponent: self.exponent + other.exponent }
    }

    fn negated(&self) -> Dyadic {
        Dyadic { integer: -&self.integer, exponent: self.exponent }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    #[test]
    fn floats_come_back_and_products_lie_in_their_intervals() {
        let mut random = Random::new(5);
        for _ in 0..2_000 {
            let mut number = || random.range(-1.0, 1.0) * 2f64.powi(random.below(900) as i32 - 450);
            let (a, b) = (number(), number());
            assert_eq!(Dyadic::from(a).interval(), Interval::point(a));
            let product = Dyadic::from(a).product(&Dyadic::from(b));
            let around = product.interval();
            assert!(around.width() <= 4.0 * f64::EPSILON * around.magnitude());
            for (end, sign) in [(around.lower(), 1), (around.upper(), -1)] {
                assert!(product.minus(&end.into()).sign() as i32 * sign >= 0, "{a:e} {b:e}");
            }
            assert!(Dyadic::from(a).minus(&a.into()).is_zero());
        }
    }

    #[test]
    fn the_ends_of_the_range_are_enclosed() {
        let tiny = Dyadic::from(f64::from_bits(1)).product(&0.5.into());
        assert_eq!((tiny.interval().lower(), tiny.interval().upper()), (0.0, f64::from_bits(1)));
        let huge = Dyadic::from(f64::MAX).product(&4.0.into());
        assert_eq!(huge.interval().upper(), f64::INFINITY);
        assert!(huge.interval().lower() > 1e308);
    }
}
