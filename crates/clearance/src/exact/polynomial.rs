//! Polynomials with integer coefficients of any size, and their signs at fractions whose denominator is a power of two.

use super::{Sign, sign_of};
use dashu::base::{Abs, BitTest, Gcd, UnsignedAbs};
use dashu::integer::{IBig, UBig};

/// A polynomial in one variable; the lowest coefficient first, the highest not zero.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Polynomial(Vec<IBig>);

/// `integer / 2^shift`, not negative.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Dyadic {
    integer: IBig,
    shift: usize,
}

impl From<f64> for Dyadic {
    /// The exact value of a number from 0 to 1.
    fn from(x: f64) -> Dyadic {
        let (integer, exponent) = integer_and_exponent(x);
        if integer == 0 {
            return Dyadic { integer: IBig::ZERO, shift: 0 };
        }
        // At most 1, so an odd integer has no positive exponent.
        let zeros = integer.trailing_zeros();
        Dyadic { integer: (integer >> zeros).into(), shift: -(exponent + zeros as i32) as usize }
    }
}

impl Dyadic {
    /// The number in the middle between two.
    pub(crate) fn midpoint(&self, other: &Dyadic) -> Dyadic {
        let shift = self.shift.max(other.shift);
        let over = |x: &Dyadic| &x.integer << (shift - x.shift);
        Dyadic { integer: over(self) + over(other), shift: shift + 1 }
    }
}

/// Points as integers over one power of two, which is the same for all.
pub(crate) fn integers<const N: usize>(points: &[[f64; 3]; N]) -> [[IBig; 3]; N] {
    let parts = points.map(|point| point.map(integer_and_exponent));
    let not_zero = parts.iter().flatten().filter(|(integer, _)| *integer != 0);
    let lowest = not_zero.map(|(integer, exponent)| exponent + integer.trailing_zeros() as i32).min();
    let lowest = lowest.unwrap_or(0);
    parts.map(|point| {
        point.map(|(integer, exponent)| match exponent - lowest {
            _ if integer == 0 => IBig::ZERO,
            shift @ 0.. => IBig::from(integer) << shift as usize,
            // Only zeros are cut off.
            shift => IBig::from(integer >> -shift),
        })
    })
}

/// `x = integer * 2^exponent` for finite `x`.
fn integer_and_exponent(x: f64) -> (i64, i32) {
    let bits = x.abs().to_bits();
    let (fraction, biased) = ((bits & ((1 << 52) - 1)) as i64, (bits >> 52) as i32);
    let (integer, exponent) =
        if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    (if x < 0.0 { -integer } else { integer }, exponent)
}

impl Polynomial {
    /// From the lowest coefficient on.
    pub(crate) fn new(coefficients: impl Into<Vec<IBig>>) -> Polynomial {
        let mut coefficients = coefficients.into();
        while coefficients.last().is_some_and(IBig::is_zero) {
            coefficients.pop();
        }
        Polynomial(coefficients)
    }

    /// Whether it is zero everywhere.
    pub(crate) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it is a number, zero or not.
    pub(crate) fn is_constant(&self) -> bool {
        self.0.len() <= 1
    }

    /// The number of coefficients up to the highest that is not zero.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    fn highest(&self) -> &IBig {
        &self.0[self.0.len() - 1]
    }

    /// The sign at a point.
    pub(crate) fn sign_at(&self, at: &Dyadic) -> Sign {
        if at.integer.is_zero() {
            return self.0.first().map_or(Sign::Zero, sign_of);
        }
        // Horner's rule for 2^(shift * degree) times the value.
        let mut coefficients = self.0.iter().rev();
        let Some(first) = coefficients.next() else { return Sign::Zero };
        let mut sum = first.clone();
        for (i, coefficient) in coefficients.enumerate() {
            sum *= &at.integer;
            sum += coefficient << (at.shift * (i + 1));
        }
        sign_of(&sum)
    }

    /// The sum.
    pub(crate) fn plus(&self, other: &Polynomial) -> Polynomial {
        let (long, short) = if self.0.len() >= other.0.len() { (self, other) } else { (other, self) };
        let mut sum = long.0.clone();
        for (mine, theirs) in sum.iter_mut().zip(&short.0) {
            *mine += theirs;
        }
        Polynomial::new(sum)
    }

    /// The opposite.
    pub(crate) fn negated(&self) -> Polynomial {
        Polynomial(self.0.iter().map(|coefficient| -coefficient).collect())
    }

    /// The product.
    pub(crate) fn times(&self, other: &Polynomial) -> Polynomial {
        if self.is_zero() || other.is_zero() {
            return Polynomial(Vec::new());
        }
        let mut product = vec![IBig::ZERO; self.0.len() + other.0.len() - 1];
        for (i, mine) in self.0.iter().enumerate() {
            for (j, theirs) in other.0.iter().enumerate() {
                product[i + j] += mine * theirs;
            }
        }
        Polynomial::new(product)
    }

    /// The derivative.
    pub(crate) fn derivative(&self) -> Polynomial {
        Polynomial::new(self.0.iter().enumerate().skip(1).map(|(i, c)| c * IBig::from(i)).collect::<Vec<_>>())
    }

    /// A positive multiple of the remainder of the division by another, which must not be zero.
    pub(super) fn remainder(&self, divisor: &Polynomial) -> Polynomial {
        let mut rest = self.clone();
        let highest = divisor.highest();
        let (size, is_negative) = (highest.abs(), sign_of(highest).is_negative());
        while rest.0.len() >= divisor.0.len() {
            let Some(first) = rest.0.pop() else { break };
            let factor = if is_negative { -first } else { first };
            let offset = rest.0.len() + 1 - divisor.0.len();
            for coefficient in &mut rest.0 {
                *coefficient *= &size;
            }
            for (i, theirs) in divisor.0[..divisor.0.len() - 1].iter().enumerate() {
                rest.0[offset + i] -= theirs * &factor;
            }
            rest = Polynomial::new(rest.0);
        }
        rest
    }

    /// A multiple, not zero, of the quotient by a divisor that leaves no remainder.
    pub(super) fn quotient(&self, divisor: &Polynomial) -> Polynomial {
        let mut rest = self.clone();
        let mut quotient = vec![IBig::ZERO; (self.0.len() + 1).saturating_sub(divisor.0.len())];
        while rest.0.len() >= divisor.0.len() {
            let Some(first) = rest.0.pop() else { break };
            let offset = rest.0.len() + 1 - divisor.0.len();
            let highest = divisor.highest();
            for coefficient in rest.0.iter_mut().chain(&mut quotient) {
                *coefficient *= highest;
            }
            for (i, theirs) in divisor.0[..divisor.0.len() - 1].iter().enumerate() {
                rest.0[offset + i] -= theirs * &first;
            }
            quotient[offset] += first;
            rest = Polynomial::new(rest.0);
        }
        Polynomial::new(quotient)
    }

    /// Divided by the greatest common divisor of its coefficients.
    pub(super) fn primitive(self) -> Polynomial {
        let content = self.0.iter().fold(UBig::ZERO, |gcd, c| match gcd.is_one() || c.is_zero() {
            true => gcd,
            false if gcd.is_zero() => c.unsigned_abs(),
            false => gcd.gcd(c.unsigned_abs()),
        });
        if content.is_zero() || content.is_one() {
            return self;
        }
        let content = IBig::from(content);
        Polynomial(self.0.into_iter().map(|c| c / &content).collect())
    }

    /// A rounded multiple whose largest coefficient is about 1, by floats: to propose roots with.
    pub(super) fn rounded(&self) -> [f64; 4] {
        let bits = self.0.iter().map(IBig::bit_len).max().unwrap_or(0);
        let shift = bits.saturating_sub(1000);
        let scale = 0.5f64.powi((bits - shift) as i32);
        std::array::from_fn(|i| self.0.get(i).map_or(0.0, |c| (c >> shift).to_f64().value() * scale))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polynomial(coefficients: &[i64]) -> Polynomial {
        Polynomial::new(coefficients.iter().map(|&c| IBig::from(c)).collect::<Vec<_>>())
    }

    #[test]
    fn signs_at_fractions_are_exact() {
        // (4t - 1)(4t - 3)
        let p = polynomial(&[3, -16, 16]);
        let sign = |x: f64| p.sign_at(&x.into());
        assert_eq!([0.0, 0.25, 0.5, 0.75, 1.0].map(|x| sign(x) as i32), [1, 0, -1, 0, 1]);
        assert_eq!([0.25f64.next_down(), 0.25f64.next_up()].map(|x| sign(x) as i32), [1, -1]);
        assert_eq!(sign(f64::from_bits(1)), Sign::Positive);
        assert_eq!(polynomial(&[0, -1]).sign_at(&f64::from_bits(1).into()), Sign::Negative);
        assert_eq!(polynomial(&[]).sign_at(&0.5.into()), Sign::Zero);
    }

    #[test]
    fn midpoints_go_on_below_floats() {
        let (a, b) = (Dyadic::from(0.5), Dyadic::from(0.5f64.next_up()));
        let middle = a.midpoint(&b);
        let line = polynomial(&[-1, 2]);
        assert_eq!(line.sign_at(&middle), Sign::Positive);
        assert_eq!(a.midpoint(&a).midpoint(&a), Dyadic { integer: IBig::from(4), shift: 3 });
    }

    #[test]
    fn remainders_keep_their_sign_and_quotients_their_roots() {
        // t^3 + 2 t^2 - 1 by t - 2 leaves 15, by -t + 2 as well.
        let p = polynomial(&[-1, 0, 2, 1]);
        assert_eq!(p.remainder(&polynomial(&[-2, 1])), polynomial(&[15]));
        assert_eq!(p.remainder(&polynomial(&[2, -1])), polynomial(&[15]));
        assert_eq!(polynomial(&[1, 2]).remainder(&p), polynomial(&[1, 2]));
        let product = polynomial(&[-2, 3]).times(&polynomial(&[1, 0, 5]));
        assert!(product.remainder(&polynomial(&[-2, 3])).is_zero());
        let quotient = product.quotient(&polynomial(&[-2, 3]));
        assert_eq!(quotient, polynomial(&[9, 0, 45]));
        assert_eq!(product.derivative(), polynomial(&[3, -20, 45]));
    }

    #[test]
    fn integers_have_the_ratios_of_the_floats() {
        let [a, b] = integers(&[[0.5, -0.75, 0.0], [3.0, -0.0, 8.0]]);
        assert_eq!(a, [2, -3, 0].map(IBig::from));
        assert_eq!(b, [12, 0, 32].map(IBig::from));
        let [tiny] = integers(&[[f64::from_bits(3), -1.0, 0.0]]);
        assert_eq!(tiny, [IBig::from(3), -(IBig::ONE << 1074), IBig::ZERO]);
        assert_eq!(integers(&[[0.0, -0.0, 0.0]]), [[IBig::ZERO, IBig::ZERO, IBig::ZERO]]);
    }
}
