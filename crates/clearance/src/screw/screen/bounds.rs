//! Boxes on the screen: ranges of radius, height and time, and of the sum of radius and height, compared all at once.

use super::drawing::{Chord, Dot, FaceBox};
use super::extent::{least, most};
use super::raster::SLACK;
use wide::f32x4;

/// What something on the screen reaches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub r: [f64; 2],
    pub h: [f64; 2],
    pub t: [f64; 2],
    /// Of `r + h`: boxes of what lies aslant meet less often.
    pub sum: [f64; 2],
}

/// Something on the screen.
pub(super) trait Bounded {
    fn bounds(&self) -> Bounds;
}

/// Two numbers in their order, and room at both ends.
#[inline(always)]
fn range(x: f64, y: f64, room: f64) -> [f64; 2] {
    [least(x, y) - room, most(x, y) + room]
}

impl Bounded for Chord {
    #[inline(always)]
    fn bounds(&self) -> Bounds {
        let (a, b) = (&self.from, &self.to);
        Bounds {
            r: range(a.r, b.r, SLACK),
            h: range(a.h, b.h, SLACK),
            t: range(a.t, b.t, 0.0),
            sum: range(a.r + a.h, b.r + b.h, 2.0 * SLACK),
        }
    }
}

impl Bounded for FaceBox {
    #[inline(always)]
    fn bounds(&self) -> Bounds {
        let &FaceBox { r, h, t, sum, .. } = self;
        Bounds { r, h, t, sum }
    }
}

impl Bounded for Dot {
    #[inline(always)]
    fn bounds(&self) -> Bounds {
        let &Dot { r, h, t, .. } = self;
        Bounds { r: [r; 2], h: [h; 2], t: [t; 2], sum: [r + h; 2] }
    }
}

/// Bounds in `f32`, lower ends and upper ends with their signs changed: those of another item meet them if they are nowhere
/// above what it asks for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Key([f32x4; 2]);

impl Key {
    /// Meets nothing, whether it asks or is asked.
    pub const NOWHERE: Key = Key([f32x4::new([f32::INFINITY; 4]); 2]);

    /// Counted from a place, near which rounding is small.
    #[inline(always)]
    pub fn of(bounds: &Bounds, [r, h]: [f64; 2]) -> Key {
        let Bounds { r: [r0, r1], h: [h0, h1], t: [t0, t1], sum: [s0, s1] } = *bounds;
        let first = [r0 - r, h0 - h, t0, s0 - (r + h)].map(|x| x as f32);
        let last = [r - r1, h - h1, -t1, (r + h) - s1].map(|x| x as f32);
        Key([f32x4::new(first), f32x4::new(last)])
    }

    /// What keys are not above of which an item shares all, or comes so near that rounding hides it; its times reach so far before
    /// and after.
    #[inline(always)]
    pub fn asking(self, reach: [f64; 2]) -> Key {
        let [before, after] = reach.map(|t| f32x4::new([0.0, 0.0, t as f32, 0.0]));
        Key([near(after - self.0[1]), near(-before - self.0[0])])
    }

    #[inline(always)]
    pub fn meets(&self, asked: &Key) -> bool {
        (self.0[0].simd_le(asked.0[0]) & self.0[1].simd_le(asked.0[1])).all()
    }

    /// Around two boxes.
    #[inline(always)]
    pub fn joined(self, other: Key) -> Key {
        Key([self.0[0].fast_min(other.0[0]), self.0[1].fast_min(other.0[1])])
    }
}

/// Farther than any rounding of the sums above.
#[inline(always)]
fn near(x: f32x4) -> f32x4 {
    x + (x.abs() + f32x4::splat(1.0)) * f32x4::splat(8.0 * f32::EPSILON)
}
