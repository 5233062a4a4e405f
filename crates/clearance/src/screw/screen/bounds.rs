//! Boxes on the screen: ranges of radius, height and time, and of the sum of radius and height, compared all at once.

use super::drawing::{Chord, Dot, FaceBox, FaceRun, Run};
use super::extent::{least, most};
use super::raster::{Grid, SLACK};
use wide::f32x4;

/// What something on the screen reaches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub rows: [u32; 2],
    pub r: [f64; 2],
    pub h: [f64; 2],
    pub t: [f64; 2],
    /// Of `r + h`: boxes of what lies aslant meet less often.
    pub sum: [f64; 2],
}

/// Something on the screen.
pub(super) trait Bounded {
    /// `None` if it is in no row.
    fn bounds(&self, grid: &Grid) -> Option<Bounds>;
}

/// What a row tells alone.
const ANY: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// Two numbers in their order, and room at both ends.
#[inline(always)]
fn range(x: f64, y: f64, room: f64) -> [f64; 2] {
    [least(x, y) - room, most(x, y) + room]
}

impl Bounded for Chord {
    #[inline(always)]
    fn bounds(&self, grid: &Grid) -> Option<Bounds> {
        let (a, b) = (&self.from, &self.to);
        let r = range(a.r, b.r, SLACK);
        let rows = grid.rows_between(r[0], r[1])?;
        let sum = range(a.r + a.h, b.r + b.h, 2.0 * SLACK);
        Some(Bounds { rows, r, h: range(a.h, b.h, SLACK), t: range(a.t, b.t, 0.0), sum })
    }
}

impl Bounded for FaceBox {
    #[inline(always)]
    fn bounds(&self, grid: &Grid) -> Option<Bounds> {
        let &FaceBox { r, h, t, sum, .. } = self;
        Some(Bounds { rows: grid.rows_between(r[0], r[1])?, r, h, t, sum })
    }
}

impl Bounded for Dot {
    #[inline(always)]
    fn bounds(&self, _: &Grid) -> Option<Bounds> {
        let &Dot { row, r, h, t, .. } = self;
        Some(Bounds { rows: [row; 2], r: [r; 2], h: [h; 2], t: [t; 2], sum: [r + h; 2] })
    }
}

impl Bounded for Run {
    #[inline(always)]
    fn bounds(&self, _: &Grid) -> Option<Bounds> {
        Some(Bounds { rows: [self.row; 2], r: ANY, h: self.h, t: self.t, sum: ANY })
    }
}

impl Bounded for FaceRun {
    #[inline(always)]
    fn bounds(&self, _: &Grid) -> Option<Bounds> {
        Some(Bounds { rows: [self.row; 2], r: ANY, h: self.h, t: self.t, sum: ANY })
    }
}

/// Bounds in `f32`, lower ends and upper ends with their signs changed: those of another item meet them if they are nowhere
/// above what it asks for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Key([f32x4; 2]);

impl Key {
    /// Counted from a corner of the tiles, where rounding is small.
    #[inline(always)]
    pub fn of(bounds: &Bounds, [r, h]: [f64; 2]) -> Key {
        let Bounds { r: [r0, r1], h: [h0, h1], t: [t0, t1], sum: [s0, s1], .. } = *bounds;
        let first = [r0 - r, h0 - h, t0, s0 - (r + h)].map(|x| x as f32);
        let last = [r - r1, h - h1, -t1, (r + h) - s1].map(|x| x as f32);
        Key([f32x4::new(first), f32x4::new(last)])
    }

    /// What keys are not above of which an item shares all, or comes so near that rounding hides it.
    #[inline(always)]
    pub fn asked(bounds: &Bounds, reach: [f64; 2], [r, h]: [f64; 2]) -> Key {
        let Bounds { r: [r0, r1], h: [h0, h1], t: [t0, t1], sum: [s0, s1], .. } = *bounds;
        let last = [r1 - r, h1 - h, t1 + reach[1], s1 - (r + h)].map(|x| x as f32);
        let first = [r - r0, h - h0, -(t0 + reach[0]), (r + h) - s0].map(|x| x as f32);
        Key([near(f32x4::new(last)), near(f32x4::new(first))])
    }

    #[inline(always)]
    pub fn meets(&self, asked: &Key) -> bool {
        (self.0[0].simd_le(asked.0[0]) & self.0[1].simd_le(asked.0[1])).all()
    }
}

#[inline(always)]
fn near(x: f32x4) -> f32x4 {
    x + x.abs().fast_min(f32x4::splat(f32::MAX)) * f32x4::splat(8.0 * f32::EPSILON)
}
