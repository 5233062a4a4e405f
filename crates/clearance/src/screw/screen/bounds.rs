//! Boxes on the screen: ranges of radius, height, their sum and time in sixteen bits each, compared all at once.

use super::coordinates::OnScreen;
use super::extent::{least, most};
use super::turn::WHOLE;
use wide::bytemuck::cast;
use wide::{f64x4, i16x8, i32x4};

/// Points are rounded to whole numbers up to this, so that no width that a number can have is too small to reach all of them.
const FARTHEST: f64 = 16_000.0;

/// What points reach: radius, height, time, and the sum of radius and height, as boxes of what lies aslant meet less often.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub first: [f64; 4],
    pub last: [f64; 4],
}

/// From places and times to whole numbers, fine over what both bodies reach. What lies farther out is all the same there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    first: f64x4,
    factor: f64x4,
    /// One over the factors of places and times.
    inverse: [f64; 2],
}

/// How much wider a box is, at all ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Room(i16x8);

/// Lower ends of a box and upper ends with their signs changed: those of another box meet them if they are nowhere above what it
/// asks for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Key(i16x8);

/// The nearest whole numbers of some that are small.
#[inline(always)]
fn nearest(x: f64x4) -> i32x4 {
    i32x4::new((x + f64x4::splat(WHOLE)).to_array().map(|x| x.to_bits() as i32))
}

impl Scale {
    /// Over what is common to both; what moves comes to the screen up to a step before what it meets.
    pub fn over(rests: &Reach, moves: &Reach, time: f64) -> Scale {
        let near = [1.0, 1.0, time, 1.0];
        let (mut first, mut factor) = ([0.0; 4], [0.0; 4]);
        for k in 0..4 {
            let step = if k == 2 { 1.0 } else { 0.0 };
            let low = most(moves.first[k], rests.first[k] - step);
            let high = least(moves.last[k] + step, rests.last[k]);
            // Bodies that are apart there may still be near: boxes decide.
            let (low, high) = (least(low, high) - near[k], most(low, high) + near[k]);
            (first[k], factor[k]) = (0.5 * (low + high), 2.0 * FARTHEST / (high - low));
        }
        let inverse = [most(1.0 / factor[0], 1.0 / factor[1]), 1.0 / factor[2]];
        Scale { first: f64x4::new(first), factor: f64x4::new(factor), inverse }
    }

    /// A point.
    #[inline(always)]
    pub fn key(&self, &OnScreen { r, h, t }: &OnScreen) -> Key {
        self.key_of(f64x4::new([r, h, t, r + h]))
    }

    /// Of radius, height, time, and the sum of radius and height.
    #[inline(always)]
    pub fn key_of(&self, shown: f64x4) -> Key {
        let far = (shown - self.first) * self.factor;
        let far = far.fast_max(f64x4::splat(-FARTHEST)).fast_min(f64x4::splat(FARTHEST));
        let whole = nearest(far);
        Key(i16x8::from_i32x8_saturate(cast([whole, i32x4::ZERO - whole])))
    }

    /// At least so many pixels and so much time.
    #[inline(always)]
    pub fn room(&self, place: f64, time: f64) -> Room {
        let wide = f64x4::new([place, place, time, 2.0 * place]) * self.factor + f64x4::splat(1.5);
        let whole = nearest(wide.fast_min(f64x4::splat(f64::from(i16::MAX))));
        Room(i16x8::from_i32x8_saturate(cast([whole; 2])))
    }

    /// Of times: so far before, which is negative, and after.
    pub fn reach(&self, [before, after]: [f64; 2]) -> Room {
        let [first, last] = [-before, after].map(|t| self.room(0.0, t).0.to_array()[2]);
        Room(i16x8::new([0, 0, last, 0, 0, 0, first, 0]))
    }

    /// How many pixels and how much time a width is, at most.
    #[inline(always)]
    pub fn widths(&self, room: Room) -> [f64; 2] {
        let [r, h, t, ..] = room.0.to_array();
        let whole = |wide: i16| if wide == i16::MAX { f64::INFINITY } else { f64::from(wide) };
        [whole(r.max(h)) * self.inverse[0], whole(t) * self.inverse[1]]
    }
}

impl Room {
    /// The larger one, at each end.
    #[inline(always)]
    pub fn most(self, other: Room) -> Room {
        Room(self.0.max(other.0))
    }
}

impl Key {
    /// Meets nothing, whether it asks or is asked.
    pub const NOWHERE: Key = Key(i16x8::new([i16::MAX; 8]));

    /// Lower ends of boxes are above those of [`Key::NOWHERE`] that asks, whatever its times reach.
    #[inline(always)]
    pub fn wider(self, room: Room) -> Key {
        Key(self.0.saturating_sub(room.0).max(i16x8::splat(i16::MIN + 2)))
    }

    /// Around two boxes.
    #[inline(always)]
    pub fn joined(self, other: Key) -> Key {
        Key(self.0.min(other.0))
    }

    /// What keys are not above of which a box shares all, if its times reach so far.
    #[inline(always)]
    pub fn asking(self, reach: Room) -> Key {
        let [a, b, c, d, e, f, g, h] = self.0.to_array();
        let turned = i16x8::ZERO.saturating_sub(i16x8::new([e, f, g, h, a, b, c, d]));
        Key(turned.saturating_add(reach.0).min(i16x8::splat(i16::MAX - 1)))
    }

    #[inline(always)]
    pub fn meets(&self, asked: &Key) -> bool {
        self.0.simd_gt(asked.0).none()
    }

    /// Which of four do, as bits.
    #[inline(always)]
    pub fn meets_each(&self, asked: &[Key; 4]) -> usize {
        let [a, b, c, d] = asked.map(|asked| self.0.simd_gt(asked.0));
        // Halved until each is one number: what is not zero never becomes zero that way.
        let [first, second] = [[a, b], [c, d]].map(|two| i16x8::from_i32x8_saturate(cast(two)));
        let all: i32x4 = cast(i16x8::from_i32x8_saturate(cast([first, second])));
        all.simd_eq(i32x4::ZERO).to_bitmask() as usize
    }
}
