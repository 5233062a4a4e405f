//! When boxes on a screw may meet: in cylindrical coordinates about the axis a screw is a translation [Buss04 §7].
//!
//! A point at radius `r`, angle `f` and height `z` moves to `(r, f + angle t, z + shift t)`. Boxes are first enclosed in such
//! coordinates; those that cannot have a radius, an angle and a height in common at any time of a window never meet in it.

use super::frame::Frame;
use crate::math::{Interval, Pose, angle_of};
use glam::{DMat3, DVec3};
use std::f64::consts::{PI, TAU};

/// Slack of every place here, relative to the sizes it is computed from, `2^-44`: places take fewer than 30 roundings, and
/// axes are known to 4 units in the last place.
const SLACK: f64 = 1.0 / (1u64 << 44) as f64;

/// Below this angle the motion is a translation but for little, and cylinders are so large that they tell nothing.
const SMALL: f64 = 1e-3;

/// A body's boxes in the frame of a screw.
pub(super) struct Placement {
    matrix: DMat3,
    offset: DVec3,
    arm: [f64; 2],
    slack: f64,
}

/// A box about the origin of the frame, and in cylindrical coordinates about the axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slab {
    low: DVec3,
    high: DVec3,
    radius: [f64; 2],
    /// The middle of its angles, and how far they reach from there.
    angle: f64,
    spread: f64,
}

impl Placement {
    pub fn new(frame: &Frame, pose: &Pose) -> Placement {
        let axes = frame.rows();
        let from_origin = pose.translation() - frame.origin();
        let arm = frame.arm.map(|x| x.middle());
        Placement {
            matrix: axes * pose.rotation(),
            offset: axes * from_origin,
            arm,
            slack: SLACK * (from_origin.abs().element_sum() + arm[0].abs() + arm[1].abs()),
        }
    }

    pub fn matrix(&self) -> &DMat3 {
        &self.matrix
    }

    /// Around a box of the body.
    pub fn slab(&self, center: DVec3, half: DVec3) -> Slab {
        let reach = center.abs().element_sum() + half.element_sum();
        let slack = DVec3::splat(self.slack + SLACK * reach);
        let middle = self.matrix * center + self.offset;
        let rows = self.matrix.transpose();
        let across =
            DVec3::new(rows.x_axis.abs().dot(half), rows.y_axis.abs().dot(half), rows.z_axis.abs().dot(half));
        let half = across + slack;
        let (x, y) = (middle.x + self.arm[0], middle.y + self.arm[1]);
        let nearest = |c: f64, h: f64| (c.abs() - h).max(0.0);
        let length = |x: f64, y: f64| (x * x + y * y).sqrt();
        let inner = length(nearest(x, half.x), nearest(y, half.y)) * (1.0 - SLACK);
        let outer = length(x.abs() + half.x, y.abs() + half.y) * (1.0 + SLACK);
        // The circle around the box is seen from the axis under the arc sine of this, which is below s + 0.5708 s^3.
        let sine = length(half.x, half.y) / length(x, y) * (1.0 + SLACK);
        let (angle, spread) = match sine < 1.0 {
            true => (angle_of(y, x), sine + 0.5708 * sine * sine * sine + SLACK),
            false => (0.0, PI + 1.0),
        };
        Slab { low: middle - half, high: middle + half, radius: [inner, outer], angle, spread }
    }
}

impl Slab {
    /// Times of a window at which a box that moves may meet this one, which rests: all of them are in the answer.
    ///
    /// The window must not be longer than half a turn, or more than one visit is joined to one interval.
    pub fn window(&self, moves: &Slab, frame: &Frame, window: Interval) -> Option<Interval> {
        if frame.angle.abs() < SMALL {
            return self.straight_window(moves, frame, window);
        }
        if self.radius[0] > moves.radius[1] || moves.radius[0] > self.radius[1] {
            return None;
        }
        let window = passing(self.low.z - moves.high.z, self.high.z - moves.low.z, frame.shift, window)?;
        let reach = self.spread + moves.spread;
        if reach >= PI {
            return Some(window);
        }
        let rate = frame.angle;
        let (first, last) = (rate * window.lower(), rate * window.upper());
        let (first, last) = (first.min(last), first.max(last));
        // Angles are summed in floats.
        let reach = reach + 64.0 * f64::EPSILON * (TAU + last.abs().max(first.abs()));
        let apart = self.angle - moves.angle;
        let [from, to] = [((first - apart - reach) / TAU).ceil(), ((last - apart + reach) / TAU).floor()];
        if from > to {
            return None;
        }
        passing(apart + TAU * from - reach, apart + TAU * to + reach, rate, window)
    }

    /// For small angles: a place moves by `t` times its velocity, and at most `angle^2 / 2` times its radius beside that.
    fn straight_window(&self, moves: &Slab, frame: &Frame, window: Interval) -> Option<Interval> {
        let angle = frame.angle;
        let bend = 0.5 * angle * angle * moves.radius[1] * (1.0 + 1e-9);
        let arm = frame.arm.map(|x| x.middle());
        // The velocity in the middle of the box, and how much it differs elsewhere.
        let middle = 0.5 * (moves.low + moves.high);
        let differs =
            angle.abs() * (moves.high - moves.low) + DVec3::splat(SLACK * angle.abs() * moves.radius[1]);
        let velocity = [-angle * (middle.y + arm[1]), angle * (middle.x + arm[0]), frame.shift];
        let slack = [bend + differs.y, bend + differs.x, SLACK * frame.shift.abs()];
        let mut window = window;
        for i in 0..3 {
            let (low, high) = (self.low[i] - moves.high[i], self.high[i] - moves.low[i]);
            window = passing(low - slack[i], high + slack[i], velocity[i], window)?;
        }
        Some(window)
    }
}

/// Times of a window at which `rate t` may be between two numbers, each known to a few units in the last place.
fn passing(low: f64, high: f64, rate: f64, window: Interval) -> Option<Interval> {
    let grown = 8.0 * f64::EPSILON * (low.abs() + high.abs());
    let (low, high) = (low - grown, high + grown);
    if rate == 0.0 {
        return (low <= 0.0 && high >= 0.0).then_some(window);
    }
    let (first, last) = (low / rate, high / rate);
    let (first, last) = (first.min(last), first.max(last));
    let grown = 8.0 * f64::EPSILON * (first.abs() + last.abs());
    if !(first.is_finite() && last.is_finite()) {
        return Some(window);
    }
    Interval::new(first - grown, last + grown).intersection(window)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Random, Screw};

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
            let slab_a = Placement::new(&frame, &from_a).slab(center_a, half_a * (1.0 + 1e-9));
            let slab_b = Placement::new(&frame, &from_b).slab(DVec3::ZERO, half_b * (1.0 + 1e-9));
            let found = slab_a.window(&slab_b, &frame, Interval::UNIT);
            let found = found.unwrap_or_else(|| panic!("{case}: {screw:?} misses {t}"));
            assert!(found.lower() <= t + 1e-12 && t <= found.upper() + 1e-12, "{case}: {found:?} {t}");
            narrow += usize::from(found.width() < 0.9);
        }
        assert!(narrow > cases / 4, "{narrow}");
    }
}
