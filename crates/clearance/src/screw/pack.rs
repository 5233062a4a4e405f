//! Four parts of a body side by side: the same as [`Slab`], with the same bounds of errors, four at a time.

use super::placement::{ANGLE_SLACK, Placement, Polar, SLACK};
use super::slab::{DIRECTIONS, Slab};
use super::wide_tree::LANES;
use std::f64::consts::{PI, TAU};
use wide::f64x4;

/// What is known of a part: along the axis first.
pub(super) const LOW: usize = 0;
pub(super) const HIGH: usize = 1;
/// The middle of its angles, and how far they reach from there.
pub(super) const ANGLE: usize = 2;
pub(super) const SPREAD: usize = 3;
/// Of radius and rise, along each direction.
pub(super) const EXTENTS: usize = 4;
/// Of motions that hardly turn, instead: two axes across, low and high.
pub(super) const ACROSS: usize = EXTENTS + 2;
const ROWS: usize = 16;

/// A number to add and subtract for the nearest whole number.
const WHOLE: f64 = 1.5 * (1u64 << 52) as f64;

/// One part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Single([f64; ROWS]);

/// Four parts; what is behind the last one is any of them.
pub(super) type Pack = [[f64; LANES]; ROWS];

/// Before anything is known.
pub(super) const NO_PACK: Pack = [[0.0; LANES]; ROWS];

/// Four parts, or one four times.
pub(super) trait Rows {
    fn row(&self, row: usize) -> f64x4;
}

impl Rows for Pack {
    #[inline(always)]
    fn row(&self, row: usize) -> f64x4 {
        f64x4::new(self[row])
    }
}

impl Rows for Single {
    #[inline(always)]
    fn row(&self, row: usize) -> f64x4 {
        f64x4::splat(self.0[row])
    }
}

/// One of four parts.
#[inline]
pub(super) fn lane(pack: &Pack, lane: usize) -> Single {
    Single(std::array::from_fn(|row| pack[row][lane]))
}

/// Puts a part into a lane.
pub(super) fn set_lane(pack: &mut Pack, lane: usize, part: &Single) {
    (0..ROWS).for_each(|row| pack[row][lane] = part.0[row]);
}

impl Single {
    fn of_slab(slab: &Slab, is_straight: bool) -> Single {
        let mut rows = [0.0; ROWS];
        [rows[LOW], rows[HIGH], rows[ANGLE], rows[SPREAD]] =
            [slab.low.z, slab.high.z, slab.angle, slab.spread];
        let extents = slab.extents.as_flattened();
        rows[EXTENTS..].copy_from_slice(extents);
        // Directions across a motion that turns a little are not known, but the box is needed.
        if is_straight && slab.extents[1][0] == f64::NEG_INFINITY {
            rows[ACROSS..ACROSS + 4].copy_from_slice(&[slab.low.x, slab.high.x, slab.low.y, slab.high.y]);
        }
        Single(rows)
    }
}

fn least(x: f64x4) -> f64 {
    let [a, b, c, d] = x.to_array();
    a.min(b).min(c.min(d))
}

fn greatest(x: f64x4) -> f64 {
    let [a, b, c, d] = x.to_array();
    a.max(b).max(c.max(d))
}

/// The nearest whole number.
#[inline(always)]
pub(super) fn nearest(x: f64x4) -> f64x4 {
    (x + f64x4::splat(WHOLE)) - f64x4::splat(WHOLE)
}

impl Placement {
    /// Around four triangles, as [`of_triangle`](Placement::of_triangle) is around one.
    pub fn of_triangles(&self, corners: [[&Polar; 3]; LANES]) -> Pack {
        if self.is_straight {
            return self.one_by_one(&corners);
        }
        let rows = |number: fn(&Polar) -> f64| -> [f64x4; 3] {
            std::array::from_fn(|k| f64x4::new(std::array::from_fn(|lane| number(corners[lane][k]))))
        };
        let [x, y, z] = [rows(|p| p.place.x), rows(|p| p.place.y), rows(|p| p.place.z)];
        let (radii, angles) = (rows(|p| p.radius), rows(|p| p.angle));
        let low = |[a, b, c]: [f64x4; 3]| a.fast_min(b).fast_min(c);
        let high = |[a, b, c]: [f64x4; 3]| a.fast_max(b).fast_max(c);
        let square = |i: usize, j: usize| {
            let (x, y) = (x[i] - x[j], y[i] - y[j]);
            x * x + y * y
        };
        let longest = high([square(1, 0), square(2, 1), square(0, 2)]) * f64x4::splat(1.0 + 1e-9);
        let slack = f64x4::splat(self.slack);
        let (inner, outer) = (low(radii), high(radii) + slack);
        let closest = inner - longest.sqrt() * f64x4::splat(0.578) - slack;
        let is_wide = !(closest.simd_gt(f64x4::ZERO) & (closest * closest).simd_ge(longest));
        let pitch = self.pitch.abs();
        let inverse = f64x4::ONE / closest;
        // Division is rounded, and a product of it: less than the slack.
        let bent = longest * inverse * f64x4::splat((1.0 + 2e-9) / 6.0);
        let turned = (bent * f64x4::splat(1.0 + 2e-9) + slack) * inverse * f64x4::splat(1.0 + 1e-9)
            + f64x4::splat(ANGLE_SLACK);
        // Angles beside the first one.
        let turn =
            |angle: f64x4| angle - f64x4::splat(TAU) * nearest((angle - angles[0]) * f64x4::splat(1.0 / TAU));
        let angles = [angles[0], turn(angles[1]), turn(angles[2])];
        let (from, to) = (low(angles), high(angles));
        let rises: [f64x4; 3] = std::array::from_fn(|k| z[k] - f64x4::splat(self.pitch) * angles[k]);
        let off = f64x4::splat(self.slack * 2.0 + SLACK * 8.0 * pitch)
            + f64x4::splat(pitch) * turned
            + f64x4::splat(SLACK) * outer;
        let half = f64x4::splat(0.5);
        let mut pack = NO_PACK;
        pack[LOW] = (low(z) - slack).to_array();
        pack[HIGH] = (high(z) + slack).to_array();
        pack[ANGLE] = (half * (from + to)).to_array();
        pack[SPREAD] = (half * (to - from) + turned).to_array();
        for (k, [c, s]) in DIRECTIONS.into_iter().enumerate() {
            let values: [f64x4; 3] =
                std::array::from_fn(|k| f64x4::splat(c) * radii[k] + f64x4::splat(s) * rises[k]);
            let slack = f64x4::splat(s) * off + slack;
            let (inward, outward) = (f64x4::splat(c.max(0.0)), f64x4::splat((-c).max(0.0)));
            pack[EXTENTS + 2 * k] = (low(values) - slack - inward * bent).to_array();
            pack[EXTENTS + 2 * k + 1] = (high(values) + slack + outward * bent).to_array();
        }
        let wide = is_wide.to_bitmask();
        for (k, corners) in corners.iter().enumerate() {
            if wide >> k & 1 == 1 {
                set_lane(
                    &mut pack,
                    k,
                    &Single::of_slab(&self.of_triangle(corners.map(|corner| *corner)), false),
                );
            }
        }
        pack
    }

    fn one_by_one(&self, corners: &[[&Polar; 3]; LANES]) -> Pack {
        let mut pack = NO_PACK;
        for (k, corners) in corners.iter().enumerate() {
            set_lane(
                &mut pack,
                k,
                &Single::of_slab(&self.of_triangle(corners.map(|corner| *corner)), self.is_straight),
            );
        }
        pack
    }

    /// Around four parts, as [`union`](Placement::union) is around two.
    pub fn around_all(&self, pack: &Pack) -> Single {
        let mut rows = [0.0; ROWS];
        (rows[LOW], rows[HIGH]) = (least(pack.row(LOW)), greatest(pack.row(HIGH)));
        let (angle, spread) = (pack.row(ANGLE), pack.row(SPREAD));
        let turns = nearest((f64x4::splat(pack[ANGLE][0]) - angle) * f64x4::splat(1.0 / TAU));
        let angle = angle + f64x4::splat(TAU) * turns;
        let (from, to) = (least(angle - spread), greatest(angle + spread));
        let is_all = spread.simd_gt(f64x4::splat(PI)).any() || to - from > TAU;
        (rows[ANGLE], rows[SPREAD]) = match is_all {
            true => (0.0, PI + 1.0),
            false => (0.5 * (from + to), 0.5 * (to - from) + 8.0 * f64::EPSILON),
        };
        let down = f64x4::splat(self.pitch * TAU) * turns;
        for (k, [_, s]) in DIRECTIONS.into_iter().enumerate() {
            let (low, high) = (EXTENTS + 2 * k, EXTENTS + 2 * k + 1);
            let down = f64x4::splat(s) * down;
            (rows[low], rows[high]) = match is_all && k > 0 {
                true => (f64::NEG_INFINITY, f64::INFINITY),
                false => (least(pack.row(low) - down), greatest(pack.row(high) - down)),
            };
        }
        Single(rows)
    }
}
