//! How a body moves during a step, and how fast its points are.

use crate::math::{Interval, Interval3, Pose, PoseDeviation, Screw, SteadyMotion, Turn};
use crate::tolerance::ROTATION_DEFECT_LIMIT;
use glam::{DMat3, DVec3};

/// Unit roundoff.
const U: f64 = 0.5 * f64::EPSILON;

/// The motion of a body from `t = 0` to `t = 1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motion {
    /// It stays where it is.
    AtRest,
    /// It turns about an axis and shifts along it.
    Screw(Screw),
    /// It turns about an axis that drifts, as a free body does.
    Steady(SteadyMotion),
}

impl From<Screw> for Motion {
    fn from(screw: Screw) -> Motion {
        Motion::Screw(screw)
    }
}

impl From<SteadyMotion> for Motion {
    fn from(motion: SteadyMotion) -> Motion {
        Motion::Steady(motion)
    }
}

impl Motion {
    /// As the most general kind.
    pub(super) fn steady(&self) -> SteadyMotion {
        match *self {
            Motion::AtRest => SteadyMotion::AT_REST,
            Motion::Screw(screw) => SteadyMotion::from(screw),
            Motion::Steady(motion) => motion,
        }
    }
}

/// A motion in floats, with bounds of what rounding does to it.
pub(super) struct Mover<'a> {
    pub from: &'a Pose,
    motion: &'a Motion,
    center: DVec3,
    /// The unit vector of the axis, rounded.
    pub axis: DVec3,
    /// How far that is off.
    pub axis_error: f64,
    /// Angular velocity, rounded.
    pub omega: DVec3,
    /// Velocity of the axis, rounded.
    pub drift: DVec3,
    /// Not below the size of the angular velocity.
    pub rate: f64,
    /// Not below the speed of the axis.
    pub drift_speed: f64,
    /// Not below the part of that speed at a right angle to the axis.
    pub drift_across: f64,
    pub is_at_rest: bool,
    change: Change,
}

/// What a turn adds to a pose: `sin` times the first and `1 - cos` times the second of each pair.
struct Change {
    rotation: [DMat3; 2],
    translation: [DVec3; 2],
    /// How far the columns of the rotations may be off.
    column_error: [f64; 2],
    /// How far the translations may be off.
    translation_error: [f64; 2],
    /// The angle of the whole step, and the errors of it, relative, and of the drift.
    rate: f64,
    rate_error: f64,
    drift_error: f64,
    /// Not below the sizes of the place and of the arm from the axis to it.
    place: f64,
    arm: f64,
    /// Whether the matrix may be turned without a look at what comes out.
    may_be_turned: bool,
}

/// Where a body is at a time.
pub(super) struct At {
    pub pose: Pose,
    pub off: PoseDeviation,
    /// A point of the axis.
    pub center: DVec3,
}

/// The numbers of a motion, rounded, and how far they are off.
struct Numbers {
    center: DVec3,
    axis: DVec3,
    axis_error: f64,
    rate: f64,
    /// Relative.
    rate_error: f64,
    drift: DVec3,
    drift_error: f64,
    drift_speed: f64,
    drift_across: f64,
}

impl Numbers {
    fn new(motion: &Motion) -> Numbers {
        match motion {
            Motion::AtRest => Numbers::of_screw(DVec3::Z, DVec3::ZERO, 0.0, 0.0),
            Motion::Screw(screw) => {
                Numbers::of_screw(screw.axis().normalize(), screw.center(), screw.angle(), screw.shift())
            }
            Motion::Steady(motion) => Numbers::of_steady(motion),
        }
    }

    /// A vector divided by its length is off by 4u in each entry, relative to it: three roundings of the square of the length, of
    /// which the root has half, and three more.
    fn of_screw(axis: DVec3, center: DVec3, angle: f64, shift: f64) -> Numbers {
        Numbers {
            center,
            axis,
            axis_error: 5.0 * U,
            rate: angle,
            rate_error: 0.0,
            drift: axis * shift,
            drift_error: 7.0 * U * shift.abs(),
            drift_speed: shift.abs() * (1.0 + 8.0 * U),
            drift_across: 0.0,
        }
    }

    fn of_steady(motion: &SteadyMotion) -> Numbers {
        let (rate, drift) = (motion.rate(), motion.drift());
        Numbers {
            center: motion.center(),
            axis: motion.axis().middle(),
            axis_error: half_width(motion.axis()),
            rate: rate.middle(),
            rate_error: if rate.magnitude() > 0.0 { rate.width() / rate.magnitude() } else { 0.0 },
            drift: drift.middle(),
            drift_error: half_width(drift),
            drift_speed: drift.length_squared().sqrt().upper(),
            drift_across: drift.cross(motion.axis()).length_squared().sqrt().upper() * (1.0 + 1e-12),
        }
    }
}

impl<'a> Mover<'a> {
    pub fn new(from: &'a Pose, motion: &'a Motion) -> Mover<'a> {
        let numbers = Numbers::new(motion);
        let is_at_rest = numbers.rate == 0.0 && numbers.drift == DVec3::ZERO;
        Mover {
            from,
            motion,
            center: numbers.center,
            axis: numbers.axis,
            axis_error: numbers.axis_error,
            omega: numbers.axis * numbers.rate,
            drift: numbers.drift,
            rate: numbers.rate.abs() * (1.0 + numbers.rate_error),
            drift_speed: numbers.drift_speed,
            drift_across: numbers.drift_across,
            is_at_rest,
            change: if is_at_rest { Change::NONE } else { Change::new(from, &numbers) },
        }
    }

    /// At `t = 0`.
    pub fn start(&self) -> At {
        At { pose: *self.from, off: PoseDeviation::ZERO, center: self.center }
    }

    /// `None` where it leaves the range of coordinates.
    pub fn at(&self, t: f64) -> Option<At> {
        let mut at = self.start();
        self.go_to(t, &mut at).then_some(at)
    }

    /// Changes where it is to another time; not if it leaves the range of coordinates.
    #[inline]
    pub fn go_to(&self, t: f64, at: &mut At) -> bool {
        if self.is_at_rest || t == 0.0 {
            return self.is_at_rest || {
                *at = self.start();
                true
            };
        }
        // Matrices that are barely accepted, and places out of range, are left to intervals.
        let enclosed = || self.motion.steady().enclosed_pose(Interval::point(t), self.from).rounded();
        let Some((pose, off)) = self.in_floats(t).or_else(enclosed) else { return false };
        (at.pose, at.off, at.center) = (pose, off, self.center + self.drift * t);
        true
    }

    /// The pose at a time in floats, with a bound of its error.
    ///
    /// With `s` the sine and `v` the versine, of which errors are known, a column is `r + s r1 + v r2`, of unit vectors: four
    /// roundings of numbers up to 4. A place is `p + s p1 + v p2 + t drift`, of which only `p` is not multiplied by something
    /// small where the angle is small.
    #[inline]
    fn in_floats(&self, t: f64) -> Option<(Pose, PoseDeviation)> {
        let (change, from) = (&self.change, self.from);
        let Turn { sin, versine, sin_error, versine_error } = Turn::of(change.rate * t);
        // The angle itself is rounded: its sine changes as much as it does, its versine by at most itself times as much.
        let angle = self.rate * t;
        let angle_error = angle * (change.rate_error + 2.0 * U);
        let (sin_error, versine_error) =
            (sin_error + angle_error, versine_error + angle_error * angle.min(1.0));
        let [s, v] = [sin.abs() + sin_error, versine + versine_error];
        let rotation = from.rotation() + change.rotation[0] * sin + change.rotation[1] * versine;
        let place = from.translation()
            + (change.translation[0] * sin + change.translation[1] * versine + self.drift * t);
        let rounding = if sin == 0.0 && versine == 0.0 { 0.0 } else { 32.0 * U };
        let column = s * change.column_error[0]
            + v * change.column_error[1]
            + 1.001 * (sin_error + versine_error)
            + rounding;
        // A defect of the matrix grows by a little more than twice as much.
        let is_accurate = change.may_be_turned && column < 0.1 * ROTATION_DEFECT_LIMIT;
        let pose =
            if is_accurate { Pose::turned(rotation, place)? } else { Pose::new(rotation, place).ok()? };
        let added = (s + v) * change.arm + self.drift_speed * t;
        let translation = s * change.translation_error[0]
            + v * change.translation_error[1]
            + 1.001 * (sin_error + versine_error) * change.arm
            + change.drift_error * t
            + 8.0 * U * added
            + 2.0 * U * (change.place + added);
        // Three columns, and roundings of the bounds themselves.
        Some((pose, PoseDeviation { rotation: 1.75 * column, translation: translation * (1.0 + 1e-12) }))
    }

    /// Not below the distance from the axis of any point of a body at most `reach` from its origin: the same at all times.
    pub fn radius(&self, reach: f64) -> f64 {
        let arm = self.from.translation() - self.center;
        (arm.cross(self.axis).length() + 1e-14 * self.change.arm + 1.000_001 * reach) * (1.0 + 1e-12)
    }

    /// Not below the speed of any such point.
    pub fn speed(&self, reach: f64) -> f64 {
        if self.is_at_rest {
            return 0.0;
        }
        (self.drift_speed + self.rate * self.radius(reach)) * (1.0 + 1e-12)
    }
}

impl Change {
    /// Of a body that stays where it is; no one asks.
    const NONE: Change = Change {
        rotation: [DMat3::ZERO; 2],
        translation: [DVec3::ZERO; 2],
        column_error: [0.0; 2],
        translation_error: [0.0; 2],
        rate: 0.0,
        rate_error: 0.0,
        drift_error: 0.0,
        place: 0.0,
        arm: 0.0,
        may_be_turned: false,
    };

    /// With `e` the error of the axis, a product `a x r` of a unit vector is off by `e + 6u`, and `a x (a x r)` by
    /// `2 e + 13u`: three roundings of each entry.
    fn new(from: &Pose, numbers: &Numbers) -> Change {
        let axis = numbers.axis;
        let across = |m: DMat3| {
            let [x, y, z] = [m.x_axis, m.y_axis, m.z_axis].map(|column| axis.cross(column));
            DMat3::from_cols(x, y, z)
        };
        let first = across(from.rotation());
        let arm = from.translation() - numbers.center;
        let length = arm.length() * (1.0 + 8.0 * U);
        let error = numbers.axis_error;
        let products = [1.001 * (error + 6.0 * U), 1.001 * (2.0 * error + 13.0 * U)];
        Change {
            rotation: [first, across(first)],
            translation: [axis.cross(arm), axis.cross(axis.cross(arm))],
            column_error: products,
            // The arm is one more difference.
            translation_error: products.map(|error| (error + 3.0 * U) * length),
            rate: numbers.rate,
            rate_error: numbers.rate_error,
            drift_error: numbers.drift_error,
            place: from.translation().abs().element_sum(),
            arm: length * (1.0 + 1e-12),
            may_be_turned: from.may_be_turned(),
        }
    }
}

/// Not below the distance of any point of a box from the rounded middle.
fn half_width(place: &Interval3) -> f64 {
    place.0.iter().map(|x| x.width()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    /// The enclosure holds what is off from the pose in floats by no more than is told, and that is little.
    #[test]
    fn poses_in_floats_are_as_far_off_as_they_tell() {
        let mut random = Random::new(1);
        for case in 0..4_000 {
            let mut vector =
                || DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
            let far = [0.0, 1.0, 1e4, 1e9][case % 4];
            let from = Pose::from_axis_angle(vector(), 2.0, vector() * [1.0, 1e6][case / 4 % 2]).unwrap();
            let (axis, center, linear) = (vector(), vector() * far, vector());
            let angle = [0.0, 1e-9, 1e-4, 1.0, -3.0, 40.0, 1e5][case % 7];
            let motion = match case % 3 {
                0 => Motion::Steady(SteadyMotion::from_velocities(linear, axis * angle, center).unwrap()),
                _ => Motion::Screw(Screw::new(axis, center, angle, random.range(-2.0, 2.0)).unwrap()),
            };
            let mover = Mover::new(&from, &motion);
            let t = [0.0, 1.0, random.unit()][case % 3];
            let Some(At { pose, off, .. }) = mover.at(t) else { panic!("{case}") };
            let truth = motion.steady().enclosed_pose(Interval::point(t), &from);
            let apart = truth.deviation_of(&pose);
            // The enclosure is wide itself.
            let width = truth.rounded().unwrap().1;
            assert!(apart.rotation <= off.rotation + 2.0 * width.rotation, "{case}: {apart:?} {off:?}");
            assert!(
                apart.translation <= off.translation + 2.0 * width.translation,
                "{case}: {apart:?} {off:?}"
            );
            assert!(off.rotation <= 4e-14 * (1.0 + angle.abs()), "{case}: {off:?}");
            let arm = (from.translation() - center).length();
            let size = from.translation().length() + 3.0 + arm * (1.0 + angle.abs());
            assert!(off.translation <= 4e-14 * size, "{case}: {off:?} {size}");
        }
    }
}
