//! Boxes side by side: one in four floats for grids, eight in doubles for trees.

use crate::math::Aabb;
use glam::DVec3;
use wide::{f32x4, f64x4};

/// A box in single precision, rounded outward, relative to an origin, with two numbers in the lanes that are left.
#[derive(Clone, Copy, Debug)]
pub(super) struct SmallBox {
    low: f32x4,
    high: f32x4,
}

/// The three lanes that are coordinates.
const COORDINATES: u32 = 0b111;

impl SmallBox {
    pub const NOTHING: SmallBox = SmallBox { low: f32x4::ZERO, high: f32x4::ZERO };

    /// Rounded outward: casting errs by half a unit in the last place, `2^-24`, or `2^-150` below the normal range; the
    /// subtraction by `2^-53`. Numbers beyond single precision become the largest on the inner side.
    #[inline(always)]
    pub fn new(bound: &Aabb, origin: DVec3, tags: [u32; 2]) -> SmallBox {
        const SLACK: f64 = f32::EPSILON as f64;
        const TINY: f64 = f32::MIN_POSITIVE as f64;
        let (min, max) = (bound.min - origin, bound.max - origin);
        let low = (min - (min.abs() * SLACK + TINY)).to_array().map(|x| (x as f32).min(f32::MAX));
        let high = (max + (max.abs() * SLACK + TINY)).to_array().map(|x| (x as f32).max(f32::MIN));
        let [tag_low, tag_high] = tags.map(f32::from_bits);
        SmallBox {
            low: f32x4::new([low[0], low[1], low[2], tag_low]),
            high: f32x4::new([high[0], high[1], high[2], tag_high]),
        }
    }

    /// The same box beside other numbers.
    #[inline(always)]
    pub fn with_tags(&self, tags: [u32; 2]) -> SmallBox {
        let ([x, y, z, _], [u, v, w, _]) = (self.low.to_array(), self.high.to_array());
        let [tag_low, tag_high] = tags.map(f32::from_bits);
        SmallBox { low: f32x4::new([x, y, z, tag_low]), high: f32x4::new([u, v, w, tag_high]) }
    }

    /// The two numbers beside the box.
    #[inline(always)]
    pub fn tags(&self) -> [u32; 2] {
        [self.low.to_array()[3].to_bits(), self.high.to_array()[3].to_bits()]
    }

    /// False only if the boxes that were rounded share no point.
    #[inline(always)]
    pub fn may_meet(&self, other: &SmallBox) -> bool {
        let inside = self.low.simd_le(other.high) & other.low.simd_le(self.high);
        inside.to_bitmask() & COORDINATES == COORDINATES
    }

    /// Whether on each axis both reach further than this into the other.
    #[inline(always)]
    pub fn share_more_than(&self, other: &SmallBox, least: f32) -> bool {
        let least = f32x4::splat(least);
        let inside = (other.high - self.low).simd_gt(least) & (self.high - other.low).simd_gt(least);
        inside.to_bitmask() & COORDINATES == COORDINATES
    }
}

/// Eight boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct EightBoxes {
    low: [[f64x4; 2]; 3],
    high: [[f64x4; 2]; 3],
}

impl EightBoxes {
    /// All of them a point at the origin.
    pub const NOTHING: EightBoxes = EightBoxes { low: [[f64x4::ZERO; 2]; 3], high: [[f64x4::ZERO; 2]; 3] };

    pub fn set(&mut self, lane: usize, bound: &Aabb) {
        for axis in 0..3 {
            self.low[axis][lane / 4].as_mut_array()[lane % 4] = bound.min[axis];
            self.high[axis][lane / 4].as_mut_array()[lane % 4] = bound.max[axis];
        }
    }

    pub fn get(&self, lane: usize) -> Aabb {
        let of = |side: &[[f64x4; 2]; 3], axis: usize| side[axis][lane / 4].as_array()[lane % 4];
        let corner = |side| DVec3::new(of(side, 0), of(side, 1), of(side, 2));
        Aabb { min: corner(&self.low), max: corner(&self.high) }
    }

    /// One bit for each box that shares a point with another.
    #[inline(always)]
    pub fn meeting(&self, bound: &Aabb) -> u32 {
        let half = |k: usize| {
            let mut inside = f64x4::splat(f64::from_bits(u64::MAX));
            for axis in 0..3 {
                inside &= self.low[axis][k].simd_le(f64x4::splat(bound.max[axis]));
                inside &= self.high[axis][k].simd_ge(f64x4::splat(bound.min[axis]));
            }
            inside.to_bitmask()
        };
        half(0) | half(1) << 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    #[test]
    fn small_boxes_never_miss_a_meeting() {
        let mut random = Random::new(3);
        for case in 0..20_000 {
            let scale = 2f64.powi((case % 600) - 300);
            let mut point = || DVec3::from_array([0; 3].map(|_: i32| random.range(-1.0, 1.0) * scale));
            let (p, q, origin) = (point(), point(), point());
            let a = Aabb { min: p.min(q), max: p.max(q) };
            let b = Aabb { min: a.max, max: a.max + a.extent() };
            let [small_a, small_b] = [a, b].map(|bound| SmallBox::new(&bound, origin, [7, u32::MAX]));
            assert!(small_a.may_meet(&small_b) && small_b.may_meet(&small_a), "{a:?} {b:?} {origin}");
            assert_eq!(small_a.tags(), [7, u32::MAX]);
        }
    }

    #[test]
    fn eight_boxes_are_compared_exactly() {
        let mut boxes = EightBoxes::NOTHING;
        let at = |x: f64| Aabb { min: DVec3::splat(x), max: DVec3::splat(x + 1.0) };
        (0..8).for_each(|lane| boxes.set(lane, &at(lane as f64 * 1.5)));
        assert_eq!(boxes.get(5), at(7.5));
        assert_eq!(boxes.meeting(&at(1.0)), 0b11);
        assert_eq!(boxes.meeting(&at(2.5)), 0b110);
        assert_eq!(boxes.meeting(&super::super::EVERYWHERE), 0xff);
    }
}
