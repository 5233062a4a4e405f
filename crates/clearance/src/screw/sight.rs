//! Places and edges on a screw about the middle of a window, in floats, with bounds of all their errors.

use super::face::Plane;
use super::frame::Frame;
use super::value::Value;
use crate::math::{Interval, Turn};
use glam::DVec3;

/// Rounding of numbers here, relative to the sizes they are computed from, `2^-45`: none takes 200 roundings.
pub(super) const SLACK: f64 = 1.0 / (1u64 << 45) as f64;

/// What that slack is times this is `16u`: sines and versines are off by less, relative to the angle up to one radian.
const TURNED: f64 = 1.0 / (1u64 << 4) as f64;

/// A screw in floats.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    arm: [f64; 2],
    angle: f64,
    shift: f64,
    /// How far a coordinate of a place may be off, at the start and at any time, beside the roundings from there on.
    off: f64,
}

/// The middle of a window, and the turn there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    t: f64,
    /// Not below half the width of the window.
    half: f64,
    sin: f64,
    versine: f64,
}

/// The middle of a window of a screw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Middle<'a> {
    sight: &'a Sight,
    at: Moment,
}

/// A place in the middle of a window, and bounds of its motion in the window.
#[derive(Clone, Copy)]
pub(super) struct Passing {
    pub place: DVec3,
    pub velocity: DVec3,
    /// Across the axis, toward it.
    acceleration: DVec3,
    /// Of all numbers that the place is computed from.
    numbers: f64,
}

/// The sum of the sizes of all coordinates: not below the length.
pub(super) fn size(v: DVec3) -> f64 {
    v.abs().element_sum()
}

impl Sight {
    /// Of places whose coordinates are off by at most `off` at the start.
    ///
    /// A turn makes that twice as much at most. The arm is off too, and what a turn adds to a place with it.
    pub fn new(frame: &Frame, off: f64) -> Sight {
        let arm_off = frame.arm[0].width() + frame.arm[1].width();
        Sight {
            arm: frame.arm.map(|x| x.middle()),
            angle: frame.angle,
            shift: frame.shift,
            off: 2.0 * off + 3.0 * arm_off * frame.angle.abs().min(1.0),
        }
    }

    /// As seen by what moves: the rest moves the other way.
    pub fn inverse(&self) -> Sight {
        Sight { angle: -self.angle, shift: -self.shift, ..*self }
    }

    /// The middle of a window.
    pub fn middle(&self, from: f64, to: f64) -> Middle<'_> {
        let t = 0.5 * (from + to);
        let turn = Turn::of(self.angle * t);
        // Half of a difference of floats, and how far the middle is off.
        let half = 0.5 * (to - from) * (1.0 + 1e-9) + f64::EPSILON;
        self.at(Moment { t, half, sin: turn.sin, versine: turn.versine })
    }

    /// The middle of a window that was looked at before.
    pub fn at(&self, at: Moment) -> Middle<'_> {
        Middle { sight: self, at }
    }

    /// The angle that is turned in all.
    pub fn rate(&self) -> f64 {
        self.angle
    }

    /// Not below the coordinate errors of places.
    pub fn off(&self) -> f64 {
        self.off
    }
}

impl Moment {
    /// The same window and so much beside it.
    pub fn widened(&self, beside: f64) -> Moment {
        Moment { half: self.half + beside, ..*self }
    }

    /// As seen by what moves.
    pub fn inverse(&self) -> Moment {
        Moment { sin: -self.sin, ..*self }
    }
}

impl<'a> Middle<'a> {
    /// The time in the middle.
    pub fn t(&self) -> f64 {
        self.at.t
    }

    /// The window, without the screw.
    pub fn moment(&self) -> Moment {
        self.at
    }

    /// A vector of the body at rest as the one that moves sees it.
    pub fn turned_back(&self, v: DVec3) -> DVec3 {
        DVec3::new(
            v.x - (self.at.versine * v.x - self.at.sin * v.y),
            v.y - (self.at.versine * v.y + self.at.sin * v.x),
            v.z,
        )
    }

    pub fn passing(&self, p: DVec3) -> Passing {
        let Sight { arm, angle, shift, .. } = *self.sight;
        let (x, y) = (p.x + arm[0], p.y + arm[1]);
        let change = DVec3::new(
            -(self.at.versine * x + self.at.sin * y),
            self.at.sin * x - self.at.versine * y,
            shift * self.at.t,
        );
        // Sines are off by 6u of angles up to an eighth turn, else by 10u, and the angle by as much as it is large.
        let turn = (angle * self.at.t).abs();
        let turned = (x.abs() + y.abs()) * TURNED * turn.min(1.0) * (1.0 + turn);
        let (x, y) = (x + change.x, y + change.y);
        Passing {
            place: p + change,
            velocity: DVec3::new(-angle * y, angle * x, shift),
            acceleration: DVec3::new(-angle * angle * x, -angle * angle * y, 0.0),
            numbers: size(p) + size(change) + turned,
        }
    }

    /// The height of a place over a plane.
    ///
    /// By Taylor's theorem. With a normal that is off the height is off by as much for each unit of distance; places and planes are
    /// off by `off` and rounding, speeds by as much times the rate, and so on: windows turn less than a radian from their middle.
    #[inline]
    pub fn height(&self, passing: &Passing, plane: &Plane) -> Value {
        let Sight { off, angle, .. } = *self.sight;
        let away = passing.place - plane.point;
        let bends = size(passing.acceleration);
        let fast = size(passing.velocity) + bends;
        let across = size(plane.normal);
        let (distance, rate) = (size(away) + fast * self.at.half, angle.abs());
        let numbers = passing.numbers + size(plane.point);
        let rounding = SLACK * (numbers + fast * self.at.half) + 4.0 * off * (1.0 + rate * self.at.half);
        let slower = SLACK * (fast + rate * numbers) + 4.0 * rate * off;
        Value {
            value: plane.normal.dot(away),
            speed: plane.normal.dot(passing.velocity),
            bend: plane.normal.dot(passing.acceleration),
            jerk: (across + plane.error) * bends * rate,
            slack: 1.01 * (plane.error * distance + across * rounding),
            speed_slack: 1.01 * (plane.error * fast + across * slower),
            half: self.at.half,
        }
    }

    /// The volume between an edge at rest and one that moves: while it keeps its sign, they share no plane.
    ///
    /// It is `d . (u x w)`. A turn makes `|w'| <= rate |w|`, and so on, so the third derivative is at most
    /// `|u| |w| (4 rate |d''| + 3 rate^2 |d'| + rate^3 |d|)`; `d` and its derivatives grow within the window, too. Each of `u`, `w`
    /// and `d` is a difference of two places and off by `error` at most.
    pub fn volume(&self, [p, q]: [DVec3; 2], [from, to]: [&Passing; 2]) -> Value {
        let Sight { off, angle, .. } = *self.sight;
        let (u, w, d) = (q - p, to.place - from.place, from.place - p);
        let turning = DVec3::new(-angle * w.y, angle * w.x, 0.0);
        let bending = DVec3::new(-angle * angle * w.x, -angle * angle * w.y, 0.0);
        let [across, across_turning, across_bending] = [u.cross(w), u.cross(turning), u.cross(bending)];
        let (velocity, acceleration) = (from.velocity, from.acceleration);
        let value = d.dot(across);
        let speed = velocity.dot(across) + d.dot(across_turning);
        let bend = acceleration.dot(across) + 2.0 * velocity.dot(across_turning) + d.dot(across_bending);
        let [u, w, rate] = [u.length(), w.length(), angle.abs()];
        let bends = acceleration.length();
        let fastest = velocity.length() + bends * self.at.half;
        let farthest = d.length() + fastest * self.at.half;
        let product = u * w * (1.0 + 1e-9);
        let jerk = product * rate * (4.0 * bends + rate * (3.0 * fastest + rate * farthest));
        let error = SLACK * (from.numbers + to.numbers + size(p) + size(q)) + 8.0 * off;
        let value_slack = error * (product + farthest * (u + w)) + SLACK * product * farthest;
        let speed_slack = product * (SLACK * (fastest + rate * farthest) + 2.0 * rate * error)
            + error * (fastest + rate * farthest) * (u + w);
        // The second derivative is off by less than twice as much as the value within a radian.
        let slack = 1.01 * (3.2 * value_slack + speed_slack * self.at.half);
        Value { value, speed, bend, jerk, slack, speed_slack: 3.0 * speed_slack, half: self.at.half }
    }

    /// On which side of each end at rest each end that moves stays, along a direction; 0 where that is not proved.
    ///
    /// As by [`height`](Middle::height) over planes across the direction.
    pub fn sides(&self, along: DVec3, rests: [DVec3; 2], moves: &[Passing; 2]) -> [[i8; 2]; 2] {
        let Sight { off, angle, .. } = *self.sight;
        let (half, across, rate) = (self.at.half, size(along), angle.abs());
        let base = rests[0];
        let resting = [0.0, along.dot(rests[1] - base)];
        let numbers = size(rests[0]) + size(rests[1]);
        let of_end = |end: &Passing| {
            let bends = size(end.acceleration);
            let fast = size(end.velocity) + bends;
            let rounding = SLACK * (numbers + end.numbers + fast * half) + 4.0 * off * (1.0 + rate * half);
            let reach = along.dot(end.velocity).abs() + 0.5 * half * across * bends;
            let reach = reach * half * (1.0 + 1e-9) + 1.01 * across * rounding;
            let height = along.dot(end.place - base);
            resting.map(|rest| match height - rest {
                apart if apart > reach => 1,
                apart if apart < -reach => -1,
                _ => 0,
            })
        };
        [of_end(&moves[0]), of_end(&moves[1])]
    }

    /// The velocity of what is at a place: the same for the moving body at any time.
    pub fn velocity(&self, place: DVec3) -> DVec3 {
        let Sight { arm, angle, shift, .. } = *self.sight;
        DVec3::new(-angle * (place.y + arm[1]), angle * (place.x + arm[0]), shift)
    }

    /// How far the vectors along two edges may be off.
    pub fn place_error(&self, [rests, moves]: [[DVec3; 2]; 2]) -> f64 {
        let numbers = size(rests[0]) + size(rests[1]);
        let moved = moves.map(|p| self.passing(p).numbers);
        SLACK * (numbers + moved[0] + moved[1]) + 8.0 * self.sight.off
    }

    /// The part of the window in which something may be zero, if any.
    pub fn narrowed(&self, value: &Value) -> Option<Middle<'a>> {
        let [from, to] = value.zeros()?;
        Some(self.sight.middle((self.at.t + from).next_down(), (self.at.t + to).next_up()))
    }

    /// A window about a time.
    pub fn around(&self, t: f64, half: f64) -> Middle<'a> {
        self.sight.middle(t - half, t + half)
    }

    /// The first and second half of the window, and a little beside them.
    pub fn halves(&self, beside: f64) -> [Middle<'a>; 2] {
        let (t, half) = (self.at.t, self.at.half);
        [self.sight.middle(t - half, t + beside), self.sight.middle(t - beside, t + half)]
    }

    /// What of the window is from 0 to 1.
    pub fn within_unit(&self) -> Option<Interval> {
        let window =
            Interval::new((self.at.t - self.at.half).next_down(), (self.at.t + self.at.half).next_up());
        window.intersection(Interval::UNIT)
    }

    pub fn half(&self) -> f64 {
        self.at.half
    }

    /// The angle that is turned in all, in size.
    pub fn rate(&self) -> f64 {
        self.sight.angle.abs()
    }
}
