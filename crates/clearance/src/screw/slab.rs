//! When parts of bodies on a screw may meet: in cylindrical coordinates about the axis a screw is a translation [Buss04 §7].
//!
//! A point at radius `r`, angle `f` and height `z` moves to `(r, f + angle t, z + shift t)`: its radius and its *rise*, the height
//! `z - (shift / angle) f` over the helix through the axis, never change. Parts are enclosed by their angles and heights, and by
//! slabs across some directions in the plane of radius and rise. Parts whose slabs are apart never meet; the others do so only
//! while angles and heights agree.

use super::frame::Frame;
use super::placement::SLACK;
use crate::math::Interval;
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// Below this angle the motion is a translation but for little, and cylinders are so large that they tell nothing.
pub(super) const SMALL: f64 = 1e-3;

/// Directions in the plane of radius and rise, 30 degrees apart.
pub(super) const DIRECTIONS: [[f64; 2]; 6] =
    [[1.0, 0.0], [COSINE, 0.5], [0.5, COSINE], [0.0, 1.0], [-0.5, COSINE], [-COSINE, 0.5]];

/// Of 30 degrees.
const COSINE: f64 = 0.866_025_403_784_438_6;

/// What encloses a part of a body: a box about the origin of the frame, and cylindrical coordinates about the axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slab {
    pub low: DVec3,
    pub high: DVec3,
    /// The middle of its angles, and how far they reach from there.
    pub angle: f64,
    pub spread: f64,
    /// Of radius and rise, along each direction; the rise of the angles as they are here. Infinite where they are not known. For
    /// translations of the two coordinates across the motion.
    pub extents: [[f64; 2]; 6],
}

impl Slab {
    /// Around nothing.
    pub const NONE: Slab = Slab {
        low: DVec3::INFINITY,
        high: DVec3::NEG_INFINITY,
        angle: 0.0,
        spread: 0.0,
        extents: [[f64::INFINITY, f64::NEG_INFINITY]; 6],
    };

    fn outer_radius(&self) -> f64 {
        self.extents[0][1]
    }

    /// Times of a window at which a part that moves may meet this one, which rests: all of them are in the answer.
    ///
    /// The window must not be longer than half a turn, or more than one visit is joined to one interval.
    #[inline]
    pub fn window(&self, moves: &Slab, frame: &Frame, window: Interval) -> Option<Interval> {
        if frame.angle.abs() < SMALL {
            if frame.angle == 0.0 && self.is_beside(moves, 0.0) {
                return None;
            }
            return self.straight_window(moves, frame, window);
        }
        if self.extents[0][0] > moves.extents[0][1] || moves.extents[0][0] > self.extents[0][1] {
            return None;
        }
        let along = |window: Interval| {
            let (low, high) = (self.low.z - moves.high.z, self.high.z - moves.low.z);
            passing(low, high, frame.shift, frame.inverse_shift, window)
        };
        let reach = self.spread + moves.spread;
        if reach >= PI {
            return along(window);
        }
        let rate = frame.angle;
        let (first, last) = (rate * window.lower(), rate * window.upper());
        let (first, last) = (first.min(last), first.max(last));
        // Angles are summed in floats.
        let reach = reach + 64.0 * f64::EPSILON * (TAU + last.abs().max(first.abs()));
        let apart = self.angle - moves.angle;
        // Whole turns, a little more than are needed.
        let [from, to] = [first - apart - reach, last - apart + reach].map(|angle| angle * (1.0 / TAU));
        let (from, to) = (ceiling(from - 1e-9), -ceiling(-to - 1e-9));
        if from > to || (from == to && self.is_beside(moves, frame.shift * frame.inverse_angle * TAU * from))
        {
            return None;
        }
        let (low, high) = (apart + TAU * from - reach, apart + TAU * to + reach);
        along(passing(low, high, rate, frame.inverse_angle, window)?)
    }

    /// Whether radius and rise are never equal, if angles are so many turns apart that the rise changes by `down`.
    fn is_beside(&self, moves: &Slab, down: f64) -> bool {
        let slack = 1e-14 * down.abs();
        (1..6).any(|k| {
            let down = DIRECTIONS[k][1] * down;
            self.extents[k][0] - down - slack > moves.extents[k][1]
                || moves.extents[k][0] > self.extents[k][1] - down + slack
        })
    }

    /// For small angles: a place moves by `t` times its velocity, and at most `angle^2 / 2` times its radius beside that.
    fn straight_window(&self, moves: &Slab, frame: &Frame, window: Interval) -> Option<Interval> {
        let angle = frame.angle;
        let bend = 0.5 * angle * angle * moves.outer_radius() * (1.0 + 1e-9);
        let arm = frame.arm.map(|x| x.middle());
        // The velocity in the middle of the box, and how much it differs elsewhere.
        let middle = 0.5 * (moves.low + moves.high);
        let differs =
            angle.abs() * (moves.high - moves.low) + DVec3::splat(SLACK * angle.abs() * moves.outer_radius());
        let velocity = [-angle * (middle.y + arm[1]), angle * (middle.x + arm[0]), frame.shift];
        let slack = [bend + differs.y, bend + differs.x, SLACK * frame.shift.abs()];
        let mut window = window;
        for i in 0..3 {
            let (low, high) = (self.low[i] - moves.high[i], self.high[i] - moves.low[i]);
            let (low, high, rate) = (low - slack[i], high + slack[i], velocity[i]);
            window = passing(low, high, rate, rate.recip(), window)?;
        }
        Some(window)
    }
}

/// Times of a window at which `rate t` may be between two numbers, each known to a few units in the last place.
#[inline]
fn passing(low: f64, high: f64, rate: f64, inverse: f64, window: Interval) -> Option<Interval> {
    let grown = 8.0 * f64::EPSILON * (low.abs() + high.abs());
    let (low, high) = (low - grown, high + grown);
    if rate == 0.0 {
        return (low <= 0.0 && high >= 0.0).then_some(window);
    }
    // Two roundings: one of the inverse, one of the product.
    let (first, last) = (low * inverse, high * inverse);
    let (first, last) = (first.min(last), first.max(last));
    let grown = 8.0 * f64::EPSILON * (first.abs() + last.abs());
    if !(first.is_finite() && last.is_finite()) {
        return Some(window);
    }
    Interval::new(first - grown, last + grown).intersection(window)
}

/// The least whole number not below a number of turns; a call of a library function takes longer.
#[inline]
fn ceiling(x: f64) -> f64 {
    let whole = x as i64 as f64;
    if whole < x { whole + 1.0 } else { whole }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Pose, Random, Screw};
    use crate::screw::placement::Placement;

    /// Points of both boxes that meet at some time: the window holds that time.
    #[test]
    fn windows_hold_every_time_at_which_points_of_the_boxes_meet() {
        let (mut random, mut narrow) = (Random::new(1), 0);
        let cases = 20_000;
        for case in 0..cases {
            let mut vector =
                || DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
            let angle = [0.0, 1e-9, 1e-2, 0.5, 3.0, -3.1, 1e-5][case % 7];
            let far = if angle == 0.0 { 1.0 } else { [0.0, 0.3, 2.0 / angle][case / 7 % 3] };
            let (axis, center) = (vector(), vector() * far);
            let [from_a, from_b] = [(); 2].map(|()| Pose::from_axis_angle(vector(), 1.0, vector()).unwrap());
            let (half_a, half_b) = (vector().abs() * 0.3, vector().abs() * 0.3);
            let inside = vector();
            let screw = Screw::new(axis, center, angle, random.range(-1.0, 1.0)).unwrap();
            let t = random.unit();
            let frame = Frame::new(&screw, from_b.translation());
            // A point of B's box, where it is at the time, is in a box of A there.
            let (at_time, _) = screw.pose_at(t, &from_b).unwrap();
            let met = at_time.apply(inside * half_b);
            let center_a = from_a.inverse().apply(met) + DVec3::new(inside.z, inside.x, inside.y) * half_a;
            let slab_a = Placement::new(&frame, &from_a, 9.0).of_box(center_a, half_a * (1.0 + 1e-9));
            let slab_b = Placement::new(&frame, &from_b, 9.0).of_box(DVec3::ZERO, half_b * (1.0 + 1e-9));
            let found = slab_a.window(&slab_b, &frame, Interval::UNIT);
            let found = found.unwrap_or_else(|| panic!("{case}: {screw:?} misses {t}"));
            assert!(found.lower() <= t + 1e-12 && t <= found.upper() + 1e-12, "{case}: {found:?} {t}");
            narrow += usize::from(found.width() < 0.9);
        }
        assert!(narrow > cases / 4, "{narrow}");
    }

    /// The same for points of two triangles, and for unions of these with others.
    #[test]
    fn windows_of_triangles_hold_every_time_at_which_points_of_them_meet() {
        let (mut random, mut none, cases) = (Random::new(2), 0, 20_000);
        for case in 0..cases {
            let mut vector =
                || DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
            let angle = [1e-2, 0.5, 1.5, -1.5, 1e-5, 0.0][case % 6];
            let far = [0.1, 1.0, 4.0][case / 6 % 3];
            let size = [0.02, 0.1, 1.0][case / 18 % 3];
            let (axis, center) = (vector(), vector() * far);
            let from = Pose::from_axis_angle(vector(), 1.0, vector()).unwrap();
            let (b, others) =
                ([vector(), vector(), vector()].map(|v| v * size), [vector(), vector(), vector()]);
            let (mut share, side) = (vector().abs(), [vector(), vector(), vector()]);
            share /= share.element_sum();
            let screw = Screw::new(axis, center, angle, random.range(-1.0, 1.0)).unwrap();
            let t = random.unit();
            let frame = Frame::new(&screw, DVec3::ZERO);
            let inside =
                |corners: [DVec3; 3]| corners[0] * share.x + corners[1] * share.y + corners[2] * share.z;
            let met = screw.pose_at(t, &from).unwrap().0.apply(inside(b));
            // A triangle with the place at the same share.
            let a = side.map(|v| v * size);
            let a = a.map(|v| v - inside(a) + met);
            let (place_a, place_b) =
                (Placement::new(&frame, &Pose::IDENTITY, 30.0), Placement::new(&frame, &from, 30.0));
            let slab = |placement: &Placement, corners: [DVec3; 3]| {
                placement.of_triangle(corners.map(|v| placement.polar(v)))
            };
            let (slab_a, slab_b) = (slab(&place_a, a), slab(&place_b, b));
            let (wide_a, wide_b) = (
                place_a.union(&slab(&place_a, others), &slab_a),
                place_b.union(&slab_b, &slab(&place_b, others)),
            );
            for (x, y) in [(&slab_a, &slab_b), (&wide_a, &slab_b), (&slab_a, &wide_b), (&wide_a, &wide_b)] {
                let found = x.window(y, &frame, Interval::UNIT);
                let found = found.unwrap_or_else(|| panic!("{case}: {screw:?} misses {t}"));
                assert!(found.lower() <= t + 1e-12 && t <= found.upper() + 1e-12, "{case}: {found:?} {t}");
            }
            // Moved aside it is missed, mostly.
            let beside = a.map(|v| v + 5.0 * size * side[0].normalize_or_zero());
            none += usize::from(slab(&place_a, beside).window(&slab_b, &frame, Interval::UNIT).is_none());
        }
        assert!(none > cases / 3, "{none}");
    }
}
