//! Signed integers of up to 1024 bits on the stack: the second stage of every predicate.

use super::Sign;
use std::cmp::Ordering;

/// Limbs of 64 bits: room for a product of four 256-bit coordinates.
const LIMBS: usize = 16;

/// Sign and magnitude, least significant limb first; limbs from `len` on are zero, limb `len - 1` is not.
///
/// Costs grow with the limbs in use, so small numbers are cheap. Overflow is the caller's to rule out by
/// counting bits beforehand (see `exact::terms`); in debug builds it panics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide {
    negative: bool,
    len: usize,
    limbs: [u64; LIMBS],
}

impl Wide {
    const ZERO: Wide = Wide { negative: false, len: 0, limbs: [0; LIMBS] };

    /// From a two's complement number, least significant limb first.
    pub(crate) fn from_twos_complement<const N: usize>(mut digits: [u64; N]) -> Wide {
        let negative = digits[N - 1] >> 63 == 1;
        if negative {
            let mut carry = true;
            for digit in &mut digits {
                (*digit, carry) = (!*digit).overflowing_add(u64::from(carry));
            }
        }
        let mut limbs = [0; LIMBS];
        limbs[..N].copy_from_slice(&digits);
        Wide { negative, len: used(&limbs, N), limbs }
    }

    pub(crate) fn sign(&self) -> Sign {
        match (self.len, self.negative) {
            (0, _) => Sign::Zero,
            (_, true) => Sign::Negative,
            (_, false) => Sign::Positive,
        }
    }

    pub(crate) fn mul(&self, other: &Wide) -> Wide {
        if self.len == 0 || other.len == 0 {
            return Wide::ZERO;
        }
        debug_assert!(self.len + other.len <= LIMBS, "a product of {} limbs", self.len + other.len);
        let mut limbs = [0; LIMBS];
        for (i, &x) in self.limbs[..self.len].iter().enumerate() {
            let row = &mut limbs[i..=i + other.len];
            let mut carry = 0;
            for (digit, &y) in row.iter_mut().zip(&other.limbs[..other.len]) {
                let sum = u128::from(x) * u128::from(y) + u128::from(*digit) + u128::from(carry);
                (*digit, carry) = (sum as u64, (sum >> 64) as u64);
            }
            row[other.len] = carry;
        }
        let top = self.len + other.len;
        Wide { negative: self.negative != other.negative, len: top - usize::from(limbs[top - 1] == 0), limbs }
    }

    pub(crate) fn add(&self, other: &Wide) -> Wide {
        if self.negative == other.negative {
            return self.add_magnitude(other);
        }
        match self.compare_magnitude(other) {
            Ordering::Equal => Wide::ZERO,
            Ordering::Greater => self.sub_magnitude(other),
            Ordering::Less => other.sub_magnitude(self),
        }
    }

    pub(crate) fn sub(&self, other: &Wide) -> Wide {
        self.add(&Wide { negative: !other.negative, ..*other })
    }

    fn add_magnitude(&self, other: &Wide) -> Wide {
        let len = self.len.max(other.len);
        let mut limbs = [0; LIMBS];
        let mut carry = false;
        for i in 0..len {
            let (sum, first) = self.limbs[i].overflowing_add(other.limbs[i]);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            (limbs[i], carry) = (sum, first | second);
        }
        if carry {
            limbs[len] = 1;
        }
        Wide { negative: self.negative, len: len + usize::from(carry), limbs }
    }

    /// `self - other` with the sign of `self`; the magnitude of `other` must be the smaller one.
    fn sub_magnitude(&self, other: &Wide) -> Wide {
        let mut limbs = [0; LIMBS];
        let mut borrow = false;
        for i in 0..self.len {
            let (difference, first) = self.limbs[i].overflowing_sub(other.limbs[i]);
            let (difference, second) = difference.overflowing_sub(u64::from(borrow));
            (limbs[i], borrow) = (difference, first | second);
        }
        Wide { negative: self.negative, len: used(&limbs, self.len), limbs }
    }

    fn compare_magnitude(&self, other: &Wide) -> Ordering {
        self.len.cmp(&other.len).then_with(|| {
            let (a, b) = (self.limbs[..self.len].iter().rev(), other.limbs[..other.len].iter().rev());
            a.cmp(b)
        })
    }
}

/// Number of limbs up to the last one that is not zero, of the first `at_most`.
fn used(limbs: &[u64; LIMBS], at_most: usize) -> usize {
    (0..at_most).rev().find(|&i| limbs[i] != 0).map_or(0, |i| i + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu::integer::{IBig, UBig};

    /// Numbers that provoke carries, borrows and cancellation.
    fn samples() -> Vec<Wide> {
        let limbs = [0, 1, 2, u64::MAX, u64::MAX - 1, 1 << 63, 0x1234_5678_9abc_def0];
        let mut all = Vec::new();
        for a in limbs {
            for b in limbs {
                for c in [0, 1, u64::MAX >> 1, u64::MAX] {
                    all.push(Wide::from_twos_complement([a, b, 0, c]));
                    all.push(Wide::from_twos_complement([b, a, a, c]));
                }
            }
        }
        all
    }

    fn big(x: &Wide) -> IBig {
        let mut magnitude = UBig::ZERO;
        for limb in x.limbs.iter().rev() {
            magnitude = (magnitude << 64) + UBig::from(*limb);
        }
        if x.negative { -IBig::from(magnitude) } else { IBig::from(magnitude) }
    }

    fn check(x: &Wide) {
        assert!(x.len == used(&x.limbs, LIMBS), "limbs in use are counted");
    }

    #[test]
    fn arithmetic_agrees_with_big_integers() {
        let all = samples();
        for a in &all {
            for b in &all {
                let (sum, difference, product) = (a.add(b), a.sub(b), a.mul(b));
                for (got, want) in
                    [(sum, big(a) + big(b)), (difference, big(a) - big(b)), (product, big(a) * big(b))]
                {
                    check(&got);
                    assert_eq!(big(&got), want);
                }
            }
        }
    }

    #[test]
    fn a_number_minus_itself_is_zero() {
        for a in samples() {
            assert_eq!(a.sub(&a).sign(), Sign::Zero);
        }
    }

    #[test]
    fn products_fill_all_limbs() {
        let a = Wide::from_twos_complement([u64::MAX, u64::MAX, u64::MAX, u64::MAX >> 1]);
        let fourth = a.mul(&a).mul(&a.mul(&a));
        check(&fourth);
        assert_eq!(big(&fourth), big(&a).pow(4));
    }
}
