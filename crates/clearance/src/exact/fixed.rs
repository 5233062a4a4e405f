//! Signed integers of a fixed number of 64-bit limbs on the stack: the second stage of every predicate.

use super::Sign;

/// Two's complement, least significant limb first. All operations are free of branches and allocation.
///
/// Sums wrap around and products have exactly the limbs of both factors, so a caller who counts bits
/// beforehand (see `exact::terms`) never loses one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fixed<const N: usize>(pub [u64; N]);

impl<const N: usize> Fixed<N> {
    pub(super) const ZERO: Fixed<N> = Fixed([0; N]);

    pub(super) fn sign(&self) -> Sign {
        if self.sign_mask() != 0 {
            Sign::Negative
        } else if self.0 == [0; N] {
            Sign::Zero
        } else {
            Sign::Positive
        }
    }

    #[inline]
    pub(super) fn add(&self, other: &Fixed<N>) -> Fixed<N> {
        let mut sum = *self;
        sum.add_at(0, &other.0, false);
        sum
    }

    #[inline]
    pub(super) fn sub(&self, other: &Fixed<N>) -> Fixed<N> {
        let mut difference = *self;
        difference.add_at(0, &other.0.map(|limb| !limb), true);
        difference
    }

    /// The product; `P` must be `N + M`.
    #[inline]
    pub(super) fn mul<const M: usize, const P: usize>(&self, other: &Fixed<M>) -> Fixed<P> {
        const { assert!(P == N + M) };
        let mut product = Fixed([0; P]);
        for i in 0..N {
            let mut carry = 0;
            for j in 0..M {
                let step = u128::from(self.0[i]) * u128::from(other.0[j])
                    + u128::from(product.0[i + j])
                    + u128::from(carry);
                (product.0[i + j], carry) = (step as u64, (step >> 64) as u64);
            }
            product.0[i + M] = carry;
        }
        // A negative factor was read as itself plus 2^(64 limbs): take the other factor off again there.
        let (mine, theirs) = (self.sign_mask(), other.sign_mask());
        product.add_at(N, &other.0.map(|limb| !(limb & mine)), true);
        product.add_at(M, &self.0.map(|limb| !(limb & theirs)), true);
        product
    }

    /// Adds limbs and a carry at a position; a carry out of the highest limb is dropped.
    #[inline]
    pub(super) fn add_at<const M: usize>(&mut self, at: usize, limbs: &[u64; M], mut carry: bool) {
        for (mine, &limb) in self.0[at..].iter_mut().zip(limbs) {
            let (sum, first) = mine.overflowing_add(limb);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            (*mine, carry) = (sum, first | second);
        }
    }

    /// All ones for a negative number, else zero.
    fn sign_mask(&self) -> u64 {
        ((self.0[N - 1] as i64) >> 63) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu::integer::{IBig, UBig};

    /// Numbers that provoke carries, borrows and cancellation; a quarter of the range, so sums fit.
    fn samples() -> Vec<Fixed<3>> {
        let limbs = [0, 1, 2, u64::MAX, u64::MAX - 1, 1 << 63, 0x1234_5678_9abc_def0];
        let mut all = Vec::new();
        for a in limbs {
            for b in limbs {
                for c in [0, 1, 1 << 61, u64::MAX, u64::MAX - 1, u64::MAX << 61] {
                    all.push(Fixed([a, b, c]));
                }
            }
        }
        all
    }

    fn big<const N: usize>(x: &Fixed<N>) -> IBig {
        let magnitude = x.0.iter().rev().fold(UBig::ZERO, |sum, limb| (sum << 64) + UBig::from(*limb));
        let unsigned = IBig::from(magnitude);
        if x.sign().is_negative() { unsigned - (IBig::ONE << (64 * N)) } else { unsigned }
    }

    #[test]
    fn arithmetic_agrees_with_big_integers() {
        let all = samples();
        for a in &all {
            for b in &all {
                assert_eq!(big(&a.add(b)), big(a) + big(b));
                assert_eq!(big(&a.sub(b)), big(a) - big(b));
                assert_eq!(big(&a.mul::<3, 6>(b)), big(a) * big(b));
            }
        }
    }

    #[test]
    fn factors_may_have_different_widths() {
        for a in samples() {
            for b in [[0, 0], [1, 0], [u64::MAX, u64::MAX], [5, u64::MAX << 3]].map(Fixed) {
                assert_eq!(big(&a.mul::<2, 5>(&b)), big(&a) * big(&b));
                assert_eq!(big(&b.mul::<3, 5>(&a)), big(&a) * big(&b));
            }
        }
    }
}
