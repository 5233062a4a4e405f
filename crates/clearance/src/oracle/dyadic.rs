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
        self + &-other
    }
}

impl Mul for &Dyadic {
    type Output = Dyadic;

    fn mul(self, other: &Dyadic) -> Dyadic {
        Dyadic { integer: &self.integer * &other.integer, exponent: self.exponent + other.exponent }
    }
}
