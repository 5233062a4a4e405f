//! When four parts of one body may meet a part of the other, told in one look.
//!
//! The same windows as those of [`Slab`](super::slab::Slab), with the same bounds of errors, four at a time.

use super::frame::Frame;
use super::pack::{ACROSS, ANGLE, EXTENTS, HIGH, LOW, Rows, SPREAD, nearest};
use super::placement::SLACK;
use super::slab::{DIRECTIONS, SMALL};
use super::wide_tree::LANES;
use crate::math::Interval;
use std::f64::consts::{PI, TAU};
use wide::f64x4;

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

    /// Leaves times at which what has grown by then may be between two numbers.
    #[inline(always)]
    fn narrow(&self, open: &mut Open, low: f64x4, high: f64x4) {
        let slack = f64x4::splat(self.slack);
        let (low, high) = (low - slack, high + slack);
        if self.rate == 0.0 {
            open.none |= low.simd_gt(f64x4::ZERO) | high.simd_lt(f64x4::ZERO);
            return;
        }
        // So slow that all times are possible.
        if !self.time_slack.is_finite() {
            return;
        }
        let (first, last) = if self.rate > 0.0 { (low, high) } else { (high, low) };
        let (inverse, slack) = (f64x4::splat(self.inverse), f64x4::splat(self.time_slack));
        open.lower = open.lower.fast_max(first * inverse - slack);
        open.upper = open.upper.fast_min(last * inverse + slack);
        open.none |= open.lower.simd_gt(open.upper);
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
        self.none |= (is_still & is_apart) | self.lower.simd_gt(self.upper);
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

    /// When parts that move may meet parts that rest, as [`Slab::window`](super::slab::Slab::window) tells of one pair.
    #[inline(always)]
    pub fn windows(&self, rests: &impl Rows, moves: &impl Rows, window: Interval) -> Windows {
        match self.around.rate.abs() {
            0.0 => self.straight(rests, moves, window),
            angle if angle < SMALL => self.nearly_straight(rests, moves, window),
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
            open.none |= is_apart(rests, moves, k);
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
                beside |= is_apart(rests, moves, k);
            }
        } else {
            let down = f64x4::splat(self.rise) * turns;
            let slack = f64x4::splat(1e-14) * down.abs();
            for k in 1..DIRECTIONS.len() {
                let (low, high) = (EXTENTS + 2 * k, EXTENTS + 2 * k + 1);
                let down = f64x4::splat(DIRECTIONS[k][1]) * down;
                beside |= (rests.row(low) - down - slack).simd_gt(moves.row(high))
                    | moves.row(low).simd_gt(rests.row(high) - down + slack);
            }
        }
        open.none |= beside & !is_all;
        open.told()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Pose, Random, Screw};
    use crate::screw::pack::{NO_PACK, Pack, Single, lane, set_lane};
    use crate::screw::placement::{Placement, Polar};
    use glam::DVec3;

    fn pack(placement: &Placement, triangles: [[DVec3; 3]; LANES]) -> Pack {
        let corners: [[Polar; 3]; LANES] = triangles.map(|corners| corners.map(|v| placement.polar(v)));
        placement.of_triangles(std::array::from_fn(|k| std::array::from_fn(|c| &corners[k][c])))
    }

    fn window_of(windows: &Windows, at: usize) -> Option<Interval> {
        windows.first(LANES as u32).find(|(lane, _)| *lane == at).map(|(_, window)| window)
    }

    /// Points of two triangles that meet at some time: windows of packs with both, and of what is around them, hold that time.
    #[test]
    fn windows_hold_every_time_at_which_points_of_triangles_meet() {
        let (mut random, mut none, mut same, cases) = (Random::new(2), 0, 0, 20_000);
        for case in 0..cases {
            let mut vector =
                || DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
            let angle: f64 = [1e-2, 0.5, 1.5, -1.5, 1e-5, 0.0][case % 6];
            let far = if angle == 1e-5 { 1e5 } else { [0.1, 1.0, 4.0][case / 6 % 3] };
            let size = [0.02, 0.1, 1.0][case / 18 % 3];
            let scale = [1.0, 2f64.powi(-20), 2f64.powi(20)][case / 54 % 3];
            let (axis, center) = (vector(), vector() * far * scale);
            let from = Pose::from_axis_angle(vector(), 1.0, vector() * scale).unwrap();
            let b = [vector(), vector(), vector()].map(|v| v * size * scale);
            let [p, q] = [(); 2].map(|()| [vector(), vector(), vector()].map(|v| v * scale));
            let (mut share, side) = (vector().abs(), [vector(), vector(), vector()]);
            share /= share.element_sum();
            let screw = Screw::new(axis, center, angle, random.range(-1.0, 1.0) * scale).unwrap();
            let t = random.unit();
            let frame = Frame::new(&screw, DVec3::ZERO);
            let inside =
                |corners: [DVec3; 3]| corners[0] * share.x + corners[1] * share.y + corners[2] * share.z;
            let met = screw.pose_at(t, &from).unwrap().0.apply(inside(b));
            let a = side.map(|v| v * size * scale);
            let a = a.map(|v| v - inside(a) + met);
            let reach = 30.0 * scale;
            let (place_a, place_b) =
                (Placement::new(&frame, &Pose::IDENTITY, reach), Placement::new(&frame, &from, reach));
            let at = case % LANES;
            let (mut list_a, mut list_b) = ([p, q, p, q], [q, p, p, q]);
            (list_a[at], list_b[at]) = (a, b);
            let (pack_a, pack_b) = (pack(&place_a, list_a), pack(&place_b, list_b));
            let sweep = Sweep::new(&frame, place_a.bound.max(place_b.bound));
            let (wide_a, wide_b) = (place_a.around_all(&pack_a), place_b.around_all(&pack_b));
            let around = |single: &Single| {
                let mut pack = NO_PACK;
                (0..LANES).for_each(|k| set_lane(&mut pack, k, single));
                pack
            };
            let found = [
                sweep.windows(&pack_a, &lane(&pack_b, at), Interval::UNIT),
                sweep.windows(&lane(&pack_a, at), &pack_b, Interval::UNIT),
                sweep.windows(&pack_a, &wide_b, Interval::UNIT),
                sweep.windows(&wide_a, &pack_b, Interval::UNIT),
                sweep.windows(&around(&wide_a), &wide_b, Interval::UNIT),
            ];
            for windows in &found {
                let found = window_of(windows, at);
                let found = found.unwrap_or_else(|| panic!("{case}: {screw:?} misses {t}"));
                assert!(found.lower() <= t + 1e-9 && t <= found.upper() + 1e-9, "{case}: {found:?} {t}");
            }
            // As narrow as one pair at a time.
            let slab = |placement: &Placement, corners: [DVec3; 3]| {
                placement.of_triangle(corners.map(|v| placement.polar(v)))
            };
            let alone = slab(&place_a, a).window(&slab(&place_b, b), &frame, Interval::UNIT).unwrap();
            let together = window_of(&found[0], at).unwrap();
            same += usize::from((alone.width() - together.width()).abs() < 1e-6);
            // Moved aside it is missed, mostly.
            list_a[at] = a.map(|v| v + 5.0 * size * scale * side[0].normalize_or_zero());
            let beside = sweep.windows(&pack(&place_a, list_a), &lane(&pack_b, at), Interval::UNIT);
            none += usize::from(window_of(&beside, at).is_none());
        }
        assert!(none > cases / 3 && same > cases * 9 / 10, "{none} {same}");
    }
}
