//! Exact rational numbers whose denominator is a power of two: all that sums and products of `f64` need.

use crate::exact::Sign;
use dashu::integer::IBig;
use std::ops::{Add, Mul, Neg, Sub};

/// `integer * 2^exponent`, exactly.
#[derive(Clone, Debug)]
pub struct Dyadic {
    integer: IBig,
    exponent: isize,
}

impl Dyadic {
    /// The exact value of a finite `f64`.
    pub fn new(x: f64) -> Dyadic {
        assert!(x.is_finite(), "{x} has no exact value");
        let bits = x.abs().to_bits();
        let (fraction, biased) = (bits & ((1 << 52) - 1), (bits >> 52) as isize);
        let (integer, exponent) =
            if biased == 0 { (fraction, -1074) } else { (fraction + (1 << 52), biased - 1075) };
        let integer = if x < 0.0 { -IBig::from(integer) } else { IBig::from(integer) };
        Dyadic { integer, exponent }
    }

    /// The integer that gives this number over a smaller exponent.
    fn over(&self, exponent: isize) -> IBig {
        &self.integer << (self.exponent - exponent) as usize
    }

    /// The same numbers over the largest common power of two: their sums and comparisons need no shifts, and small
    /// integers stay small.
    pub fn share_exponent<'a>(numbers: impl Iterator<Item = &'a mut Dyadic>) {
        let numbers: Vec<&mut Dyadic> = numbers.collect();
        let lowest = |n: &Dyadic| n.integer.trailing_zeros().map(|zeros| n.exponent + zeros as isize);
        let Some(common) = numbers.iter().filter_map(|n| lowest(n)).min() else { return };
        for number in numbers {
            let shift = number.exponent - common;
            // Not beyond the trailing zeros: nothing is lost.
            number.integer = if number.integer == IBig::ZERO {
                IBig::ZERO
            } else if shift >= 0 {
                &number.integer << shift as usize
            } else {
                &number.integer >> shift.unsigned_abs()
            };
            number.exponent = common;
        }
    }

    /// The exact order.
    pub fn is_less(&self, other: &Dyadic) -> bool {
        if self.exponent == other.exponent {
            self.integer < other.integer
        } else {
            (self - other).sign().is_negative()
        }
    }

    /// The exact sign.
    pub fn sign(&self) -> Sign {
        match self.integer.cmp(&IBig::ZERO) {
            std::cmp::Ordering::Less => Sign::Negative,
            std::cmp::Ordering::Equal => Sign::Zero,
            std::cmp::Ordering::Greater => Sign::Positive,
        }
    }
}

impl From<f64> for Dyadic {
    fn from(x: f64) -> Dyadic {
        Dyadic::new(x)
    }
}

impl Add for &Dyadic {
    type Output = Dyadic;

    fn add(self, other: &Dyadic) -> Dyadic {
        let exponent = self.exponent.min(other.exponent);
        if self.exponent == other.exponent {
            return Dyadic { integer: &self.integer + &other.integer, exponent };
        }
        Dyadic { integer: self.over(exponent) + other.over(exponent), exponent }
    }
}

impl Neg for &Dyadic {
    type Output = Dyadic;

    fn neg(self) -> Dyadic {
        Dyadic { integer: -&self.integer, exponent: self.exponent }
    }
}

impl Sub for &Dyadic {
    type Output = Dyadic;

    fn sub(self, other: &Dyadic) -> Dyadic {
        if self.exponent == other.exponent {
            return Dyadic { integer: &self.integer - &other.integer, exponent: self.exponent };
        }
        self + &-other
    }
}

impl Mul for &Dyadic {
    type Output = Dyadic;

    fn mul(self, other: &Dyadic) -> Dyadic {
        Dyadic { integer: &self.integer * &other.integer, exponent: self.exponent + other.exponent }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_exponent_changes_no_value() {
        let values = [0.0, -0.0, 3.0, -0.75, 1e300, f64::from_bits(1), -1e-300, 6.0];
        for used in 1..=values.len() {
            let mut shared: Vec<Dyadic> = values[..used].iter().map(|&x| Dyadic::new(x)).collect();
            Dyadic::share_exponent(shared.iter_mut());
            for (shared, &x) in shared.iter().zip(&values) {
                assert!((shared - &Dyadic::new(x)).sign().is_zero(), "{x} of {used}");
                assert_eq!(shared.is_less(&Dyadic::new(1.0)), x < 1.0);
            }
        }
    }
}
