//! Exact vectors: each coordinate a sum of products of two `f64`, turned into integers over a common
//! power of two.
//!
//! That one form covers a literal vector (`d * 1`), a difference of points (`b * 1 - a * 1`) and a
//! displacement between points under two poses (three products and a translation each). Predicates are
//! homogeneous in every vector, so each vector may have a power of two of its own and signs do not change.

use super::fixed::Fixed;
use dashu::integer::IBig;

/// At most this many products add up to a coordinate: three and a translation for each of two points.
const TERMS: usize = 8;

/// Bits that `TERMS` addends of equal size can grow by, and the sign.
const SUM_AND_SIGN: i32 = 4;

/// A product of two `f64`: `+-magnitude * 2^exponent`.
#[derive(Clone, Copy)]
struct Term {
    magnitude: u128,
    exponent: i32,
    negative: bool,
}

/// One exact vector; fill it with [`ExactVector::add`], then take its integers.
pub(super) struct ExactVector {
    terms: [[Term; TERMS]; 3],
    count: [usize; 3],
    /// Exponent of the lowest bit set anywhere, and one past the highest.
    low: i32,
    high: i32,
}

impl ExactVector {
    pub(super) fn new() -> ExactVector {
        let none = Term { magnitude: 0, exponent: 0, negative: false };
        ExactVector { terms: [[none; TERMS]; 3], count: [0; 3], low: i32::MAX, high: i32::MIN }
    }

    /// Adds the product `x * y` to a coordinate.
    pub(super) fn add(&mut self, axis: usize, x: f64, y: f64) {
        if x == 0.0 || y == 0.0 {
            return;
        }
        let ((mx, ex), (my, ey)) = (decompose(x), decompose(y));
        let magnitude = u128::from(mx) * u128::from(my);
        let term = Term { magnitude, exponent: ex + ey, negative: (x < 0.0) != (y < 0.0) };
        self.terms[axis][self.count[axis]] = term;
        self.count[axis] += 1;
        self.low = self.low.min(term.exponent);
        self.high = self.high.max(term.exponent + 128 - magnitude.leading_zeros() as i32);
    }

    /// Limbs of 64 bits that hold every coordinate with two bits to spare, so that a difference of two
    /// products of coordinates, and a sum of three such differences times a coordinate, do not overflow.
    pub(super) fn limbs(&self) -> usize {
        // An empty vector has low > high: the difference saturates.
        let bits = self.high.saturating_sub(self.low).max(0) + SUM_AND_SIGN + 2;
        (bits as usize).div_ceil(64)
    }

    /// The coordinates times a power of two; `N` must be at least [`ExactVector::limbs`].
    pub(super) fn fixed<const N: usize>(&self) -> [Fixed<N>; 3] {
        debug_assert!(self.limbs() <= N);
        std::array::from_fn(|axis| {
            let mut sum = Fixed::ZERO;
            for term in &self.terms[axis][..self.count[axis]] {
                add_shifted(&mut sum, term, (term.exponent - self.low) as usize);
            }
            sum
        })
    }

    /// The power of two that the integers of [`ExactVector::big`] are multiples of; `None` for the zero vector.
    pub(super) fn exponent(&self) -> Option<i32> {
        (self.low <= self.high).then_some(self.low)
    }

    /// The coordinates times a power of two as big integers: any exponents.
    pub(super) fn big(&self) -> [IBig; 3] {
        std::array::from_fn(|axis| {
            let terms = self.terms[axis][..self.count[axis]].iter();
            terms.fold(IBig::ZERO, |sum, term| {
                let shifted = IBig::from(term.magnitude) << (term.exponent - self.low) as usize;
                if term.negative { sum - shifted } else { sum + shifted }
            })
        })
    }
}

/// Adds `+-magnitude * 2^shift`.
fn add_shifted<const N: usize>(sum: &mut Fixed<N>, term: &Term, shift: usize) {
    let (limb, bits) = (shift / 64, shift % 64);
    let low = term.magnitude << bits;
    // The part that a 128-bit shift pushes out; shifting in two steps keeps `bits = 0` defined.
    let spill = ((term.magnitude >> 64) as u64) >> 1 >> (63 - bits);
    let digits = [low as u64, (low >> 64) as u64, spill];
    // Subtracting is adding the complement and one, in all limbs above as well.
    let flip = if term.negative { u64::MAX } else { 0 };
    let shifted: [u64; N] = std::array::from_fn(|i| {
        let digit = if i >= limb && i < limb + 3 { digits[i - limb] } else { 0 };
        digit ^ flip
    });
    sum.add_at(0, &shifted, term.negative);
}

/// An odd integer and an exponent with `|x| = integer * 2^exponent`, for finite `x != 0`.
fn decompose(x: f64) -> (u64, i32) {
    let bits = x.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let biased = ((bits >> 52) & 0x7ff) as i32;
    let (integer, exponent) =
        if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    let zeros = integer.trailing_zeros();
    (integer >> zeros, exponent + zeros as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decomposition_is_exact_at_both_ends_of_the_range() {
        for x in [5e-324, f64::MIN_POSITIVE, 1.0, 3.0, 0.1, f64::MAX] {
            let (integer, exponent) = decompose(-x);
            assert!(integer % 2 == 1);
            // Two factors, because 2^-1074 is representable and 2^1074 is not.
            let half = exponent / 2;
            assert_eq!(integer as f64 * 2f64.powi(half) * 2f64.powi(exponent - half), x);
        }
    }

    #[test]
    fn stack_and_big_integers_agree_where_both_exist() {
        let mut v = ExactVector::new();
        let numbers = [1.0, -0.1, 3.5e10, -7.25, 1e-9, -1.0 / 3.0];
        for (i, x) in numbers.into_iter().enumerate() {
            for (j, y) in numbers.into_iter().enumerate() {
                if j < TERMS {
                    v.add((i + j) % 3, x, y);
                }
                if v.count.contains(&TERMS) {
                    assert_same(&v);
                    v = ExactVector::new();
                }
            }
        }
        assert_same(&v);
    }

    fn assert_same(v: &ExactVector) {
        let (four, five, big) = (v.fixed::<4>(), v.fixed::<5>(), v.big());
        for axis in 0..3 {
            let limbs = big[axis].clone() & ((IBig::ONE << 256) - IBig::ONE);
            let digits: [u64; 4] = std::array::from_fn(|i| {
                let limb: IBig = (&limbs >> (64 * i)) & IBig::from(u64::MAX);
                u64::try_from(limb).expect("one limb")
            });
            assert_eq!(four[axis].0, digits);
            assert_eq!(five[axis].0[..4], digits);
            assert_eq!(five[axis].sign(), super::super::sign_of(&big[axis]));
        }
    }

    #[test]
    fn mixed_magnitudes_need_big_integers() {
        let mut v = ExactVector::new();
        v.add(0, 1e200, 1.0);
        v.add(1, 1e-200, 1.0);
        assert!(v.limbs() > 20);
        assert!(v.big()[0] > v.big()[1]);
    }

    #[test]
    fn the_empty_vector_is_zero() {
        assert_eq!(ExactVector::new().limbs(), 1);
        assert_eq!(ExactVector::new().fixed::<1>(), [Fixed::ZERO; 3]);
    }
}
