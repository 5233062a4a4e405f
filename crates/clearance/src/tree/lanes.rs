//! Eight numbers side by side, in the precision that a pair of trees needs.

use super::node::WIDTH;
use std::ops::{Add, Mul, Sub};
use wide::{f32x8, f64x8};

/// Eight numbers of one precision; kernels are written once for both.
pub(super) trait Lanes: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// Largest relative error of one operation.
    const ROUNDOFF: f64;

    /// A relative error that a dozen operations stay below.
    const SLACK: f64;

    /// Squares of lengths below this are taken for this: far above the smallest normal number.
    const LEAST_SQUARE: f64;

    /// A number in every lane, rounded to nearest.
    fn splat(x: f64) -> Self;

    /// A number in every lane, rounded upward.
    fn splat_up(x: f64) -> Self;

    /// Eight stored numbers, exactly.
    fn widen(x: &f32x8) -> Self;

    /// One lane in every lane.
    fn repeat(&self, lane: usize) -> Self;

    /// One lane.
    fn lane(&self, lane: usize) -> f64;

    /// The smaller of each two; no number may be NaN.
    fn least(self, other: Self) -> Self;

    /// The larger of each two; no number may be NaN.
    fn greatest(self, other: Self) -> Self;

    /// Absolute values.
    fn size(self) -> Self;

    /// Quotients by square roots.
    fn over_root(self, square: Self) -> Self;

    /// One bit for each lane that is at most as large as the other's.
    fn at_most(self, other: Self) -> u32;
}

impl Lanes for f32x8 {
    const ROUNDOFF: f64 = 0.5 * f32::EPSILON as f64;
    const SLACK: f64 = 16.0 * Self::ROUNDOFF;
    const LEAST_SQUARE: f64 = 1e-30;

    #[inline(always)]
    fn splat(x: f64) -> f32x8 {
        f32x8::splat(x as f32)
    }

    #[inline(always)]
    fn splat_up(x: f64) -> f32x8 {
        let near = x as f32;
        f32x8::splat(if f64::from(near) < x { near.next_up() } else { near })
    }

    #[inline(always)]
    fn widen(x: &f32x8) -> f32x8 {
        *x
    }

    #[inline(always)]
    fn repeat(&self, lane: usize) -> f32x8 {
        f32x8::splat(self.as_array()[lane])
    }

    #[inline(always)]
    fn lane(&self, lane: usize) -> f64 {
        f64::from(self.as_array()[lane])
    }

    #[inline(always)]
    fn least(self, other: f32x8) -> f32x8 {
        self.fast_min(other)
    }

    #[inline(always)]
    fn greatest(self, other: f32x8) -> f32x8 {
        self.fast_max(other)
    }

    #[inline(always)]
    fn size(self) -> f32x8 {
        self.abs()
    }

    #[inline(always)]
    fn over_root(self, square: f32x8) -> f32x8 {
        self / square.sqrt()
    }

    #[inline(always)]
    fn at_most(self, other: f32x8) -> u32 {
        self.simd_le(other).to_bitmask()
    }
}

impl Lanes for f64x8 {
    const ROUNDOFF: f64 = 0.5 * f64::EPSILON;
    const SLACK: f64 = 16.0 * Self::ROUNDOFF;
    const LEAST_SQUARE: f64 = 1e-250;

    #[inline(always)]
    fn splat(x: f64) -> f64x8 {
        f64x8::splat(x)
    }

    #[inline(always)]
    fn splat_up(x: f64) -> f64x8 {
        f64x8::splat(x)
    }

    #[inline(always)]
    fn widen(x: &f32x8) -> f64x8 {
        f64x8::new(x.as_array().map(f64::from))
    }

    #[inline(always)]
    fn repeat(&self, lane: usize) -> f64x8 {
        f64x8::splat(self.as_array()[lane])
    }

    #[inline(always)]
    fn lane(&self, lane: usize) -> f64 {
        self.as_array()[lane]
    }

    #[inline(always)]
    fn least(self, other: f64x8) -> f64x8 {
        self.fast_min(other)
    }

    #[inline(always)]
    fn greatest(self, other: f64x8) -> f64x8 {
        self.fast_max(other)
    }

    #[inline(always)]
    fn size(self) -> f64x8 {
        self.abs()
    }

    #[inline(always)]
    fn over_root(self, square: f64x8) -> f64x8 {
        self / square.sqrt()
    }

    #[inline(always)]
    fn at_most(self, other: f64x8) -> u32 {
        self.simd_le(other).to_bitmask()
    }
}

/// Calls a function for each lane of a mask of eight bits.
#[inline(always)]
pub(super) fn each_lane(mut mask: u32, mut visit: impl FnMut(usize)) {
    while mask != 0 {
        // The remainder tells the compiler that indices are in range.
        visit(mask.trailing_zeros() as usize % WIDTH);
        mask &= mask - 1;
    }
}
