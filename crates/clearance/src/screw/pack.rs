//! Four parts of a body side by side: one look tells when each of them may meet a part of the other body.
//!
//! The same as [`Slab`] and its windows, with the same bounds of errors, four at a time.

use super::frame::Frame;
use super::placement::{ANGLE_SLACK, Placement, Polar, SLACK};
use super::slab::{DIRECTIONS, SMALL, Slab};
use super::wide_tree::LANES;
use crate::math::Interval;
use std::f64::consts::{PI, TAU};
use wide::f64x4;

/// What is known of a part: along the axis first.
const LOW: usize = 0;
const HIGH: usize = 1;
/// The middle of its angles, and how far they reach from there.
const ANGLE: usize = 2;
const SPREAD: usize = 3;
/// Of radius and rise, along each direction.
const EXTENTS: usize = 4;
/// Of motions that hardly turn, instead: two axes across, low and high.
const ACROSS: usize = EXTENTS + 2;
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
fn nearest(x: f64x4) -> f64x4 {
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

/// Times of a window at which each of four pairs may meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Windows {
    lower: [f64; LANES],
    upper: [f64; LANES],
    /// A bit for each pair that may.
    mask: u32,
}

impl Windows {
    /// Of the first `count` pairs.
    #[inline]
    pub fn first(&self, count: u32) -> impl Iterator<Item = (usize, Interval)> + use<> {
        let Windows { lower, upper, mask } = *self;
        let mut left = mask & ((1 << count) - 1);
        std::iter::from_fn(move || {
            let lane = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            (lane < LANES).then(|| (lane, Interval::new(lower[lane], upper[lane])))
        })
    }
}

/// How one coordinate of all places grows: by `rate` until the end.
#[derive(Clone, Copy, Debug)]
struct Pace {
    rate: f64,
    inverse: f64,
    /// Rounding of differences of that coordinate, and of times.
    slack: f64,
    time_slack: f64,
}

impl Pace {
    /// Of a coordinate whose differences are not larger than a bound.
    ///
    /// Each end of a part is known to a unit in the last place, and so is their difference; the inverse and the product with it
    /// are rounded, too.
    fn new(rate: f64, inverse: f64, bound: f64) -> Pace {
        let slack = 4.0 * f64::EPSILON * bound;
        Pace { rate, inverse, slack, time_slack: 4.0 * f64::EPSILON * (bound + slack) * inverse.abs() }
    }

    /// Leaves times at which what has grown by then may be between two numbers, but all for some pairs.
    #[inline(always)]
    fn narrow(&self, open: &mut Open, low: f64x4, high: f64x4) {
        let slack = f64x4::splat(self.slack);
        let (low, high) = (low - slack, high + slack);
        // So slow that it does not matter.
        if self.rate == 0.0 || !self.time_slack.is_finite() {
            let is_apart = low.simd_gt(f64x4::ZERO) | high.simd_lt(f64x4::ZERO);
            open.none = open.none | if self.rate == 0.0 { is_apart } else { f64x4::ZERO };
            return;
        }
        let (first, last) = if self.rate > 0.0 { (low, high) } else { (high, low) };
        let (inverse, slack) = (f64x4::splat(self.inverse), f64x4::splat(self.time_slack));
        open.lower = open.lower.fast_max(first * inverse - slack);
        open.upper = open.upper.fast_min(last * inverse + slack);
        open.none = open.none | open.lower.simd_gt(open.upper);
    }
}

/// The motion of a question, ready for many pairs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sweep {
    around: Pace,
    along: Pace,
    arm: [f64; 2],
    /// How far a whole turn rises.
    rise: f64,
}

/// Four windows while they are narrowed.
#[derive(Clone, Copy)]
struct Open {
    lower: f64x4,
    upper: f64x4,
    /// Pairs that do not meet.
    none: f64x4,
}

impl Open {
    #[inline(always)]
    fn new(window: Interval) -> Open {
        let [lower, upper] = [window.lower(), window.upper()].map(f64x4::splat);
        Open { lower, upper, none: f64x4::ZERO }
    }

    /// Leaves times at which `rate t`, with a rate for each pair, may be between two numbers, each known to a few units in the
    /// last place.
    #[inline(always)]
    fn pass(&mut self, low: f64x4, high: f64x4, rate: f64x4) {
        let grown = f64x4::splat(8.0 * f64::EPSILON);
        let slack = grown * (low.abs() + high.abs());
        let (low, high) = (low - slack, high + slack);
        let is_still = rate.simd_eq(f64x4::ZERO);
        let is_apart = low.simd_gt(f64x4::ZERO) | high.simd_lt(f64x4::ZERO);
        let inverse = f64x4::ONE / rate;
        let (first, last) = (low * inverse, high * inverse);
        let sum = first.abs() + last.abs();
        let is_known = sum.simd_lt(f64x4::splat(f64::INFINITY)) & !is_still;
        let slack = grown * sum;
        let is_up = rate.simd_gt(f64x4::ZERO);
        let (first, last) = (is_up.select(first, last) - slack, is_up.select(last, first) + slack);
        self.lower = (is_known & first.simd_gt(self.lower)).select(first, self.lower);
        self.upper = (is_known & last.simd_lt(self.upper)).select(last, self.upper);
        self.none = self.none | (is_still & is_apart) | self.lower.simd_gt(self.upper);
    }

    #[inline(always)]
    fn told(&self) -> Windows {
        let (lower, upper) = (self.lower.to_array(), self.upper.to_array());
        Windows { lower, upper, mask: !self.none.to_bitmask() & 0xF }
    }
}

const NO_WINDOWS: Windows = Windows { lower: [0.0; LANES], upper: [0.0; LANES], mask: 0 };

/// Whether extents along a direction are apart.
#[inline(always)]
fn is_apart(rests: &impl Rows, moves: &impl Rows, k: usize) -> f64x4 {
    let (low, high) = (EXTENTS + 2 * k, EXTENTS + 2 * k + 1);
    rests.row(low).simd_gt(moves.row(high)) | moves.row(low).simd_gt(rests.row(high))
}

impl Sweep {
    /// Of bodies whose heights along the axis are at most `bound`.
    pub fn new(frame: &Frame, bound: f64) -> Sweep {
        Sweep {
            around: Pace::new(frame.angle, frame.inverse_angle, 8.0 * TAU + 2.0 * frame.angle.abs()),
            along: Pace::new(frame.shift, frame.inverse_shift, 4.0 * bound),
            arm: frame.arm.map(|x| x.middle()),
            rise: frame.shift * frame.inverse_angle * TAU,
        }
    }

    /// When parts that move may meet parts that rest, as [`Slab::window`] tells of one pair.
    #[inline(always)]
    pub fn windows(&self, rests: &impl Rows, moves: &impl Rows, window: Interval) -> Windows {
        match self.around.rate {
            angle if angle == 0.0 => self.straight(rests, moves, window),
            angle if angle.abs() < SMALL => self.nearly_straight(rests, moves, window),
            _ => self.turning(rests, moves, window),
        }
    }

    #[inline(always)]
    fn along(&self, open: &mut Open, rests: &impl Rows, moves: &impl Rows) {
        self.along.narrow(open, rests.row(LOW) - moves.row(HIGH), rests.row(HIGH) - moves.row(LOW));
    }

    #[inline(always)]
    fn straight(&self, rests: &impl Rows, moves: &impl Rows, window: Interval) -> Windows {
        let mut open = Open::new(window);
        self.along(&mut open, rests, moves);
        for k in 0..DIRECTIONS.len() {
            open.none = open.none | is_apart(rests, moves, k);
        }
        open.told()
    }

    /// A place moves by `t` times its velocity, and at most `angle^2 / 2` times its radius beside that.
    #[inline(always)]
    fn nearly_straight(&self, rests: &impl Rows, moves: &impl Rows, window: Interval) -> Windows {
        let mut open = Open::new(window);
        let angle = self.around.rate;
        let outer = moves.row(EXTENTS + 1);
        let bend = outer * f64x4::splat(0.5 * angle * angle * (1.0 + 1e-9));
        let off = outer * f64x4::splat(SLACK * angle.abs());
        // Along one axis places move by their height over the other, which differs within a part.
        for (i, other, sign) in [(0, 1, -1.0), (1, 0, 1.0)] {
            let (low, high) = (ACROSS + 2 * i, ACROSS + 2 * i + 1);
            let [from, to] = [moves.row(ACROSS + 2 * other), moves.row(ACROSS + 2 * other + 1)];
            let slack = bend + f64x4::splat(angle.abs()) * (to - from) + off;
            let middle = f64x4::splat(0.5) * (from + to) + f64x4::splat(self.arm[other]);
            let apart = rests.row(low) - moves.row(high) - slack;
            let beyond = rests.row(high) - moves.row(low) + slack;
            open.pass(apart, beyond, f64x4::splat(sign * angle) * middle);
        }
        self.along(&mut open, rests, moves);
        open.told()
    }

    /// In a window of at most a quarter turn angles agree after one number of whole turns only, unless parts reach around the axis.
    #[inline(always)]
    fn turning(&self, rests: &impl Rows, moves: &impl Rows, window: Interval) -> Windows {
        let mut open = Open::new(window);
        open.none = is_apart(rests, moves, 0);
        if open.none.all() {
            return NO_WINDOWS;
        }
        let rate = self.around.rate;
        let (middle, half) = (
            0.5 * rate * (window.lower() + window.upper()),
            0.5 * rate.abs() * (window.upper() - window.lower()),
        );
        // Angles are summed in floats.
        let slack = 64.0 * f64::EPSILON * (TAU + middle.abs() + half);
        let reach = rests.row(SPREAD) + moves.row(SPREAD) + f64x4::splat(slack);
        let is_all = reach.simd_gt(f64x4::splat(PI - half - 1e-9));
        let apart = rests.row(ANGLE) - moves.row(ANGLE);
        let turns = nearest((f64x4::splat(middle) - apart) * f64x4::splat(1.0 / TAU));
        let apart = apart + f64x4::splat(TAU) * turns;
        let whole = open;
        self.around.narrow(&mut open, apart - reach, apart + reach);
        if is_all.any() {
            open.lower = is_all.select(whole.lower, open.lower);
            open.upper = is_all.select(whole.upper, open.upper);
            open.none = is_all.select(whole.none, open.none);
        }
        self.along(&mut open, rests, moves);
        if open.none.all() {
            return NO_WINDOWS;
        }
        let mut beside = f64x4::ZERO;
        if turns.simd_eq(f64x4::ZERO).all() {
            for k in 1..DIRECTIONS.len() {
                beside = beside | is_apart(rests, moves, k);
            }
        } else {
            let down = f64x4::splat(self.rise) * turns;
            let slack = f64x4::splat(1e-14) * down.abs();
            for k in 1..DIRECTIONS.len() {
                let (low, high) = (EXTENTS + 2 * k, EXTENTS + 2 * k + 1);
                let down = f64x4::splat(DIRECTIONS[k][1]) * down;
                beside = beside
                    | (rests.row(low) - down - slack).simd_gt(moves.row(high))
                    | moves.row(low).simd_gt(rests.row(high) - down + slack);
            }
        }
        open.none = open.none | (beside & !is_all);
        open.told()
    }
}
