//! Screws: a turn about an axis with a shift along it, at constant speed [Buss04 §4].

use super::enclosed_pose::{EnclosedPose, PoseDeviation};
use super::interval::{Interval, Interval3};
use super::pose::Pose;
use super::steady::SteadyMotion;
use super::trig::{angle_of, sin_cos};
use crate::tolerance::COORDINATE_LIMIT;
use glam::{DMat3, DVec3};

/// Largest size of an angle that a screw takes: `2^20` radians, 166 886 turns.
pub const ANGLE_LIMIT: f64 = 1_048_576.0;

/// Below this angle two rotations count as equal, `2^-60`: a tenth of what an entry of a matrix can tell.
const SMALLEST_TURN: f64 = f64::from_bits((1023 - 60) << 52);

/// The motion `S(t) y = c + Rot(a, angle t)(y - c) + a shift t` for `t` from 0 to 1, with `a = axis / |axis|`.
///
/// **The stored floats are the truth**, as real numbers: the axis is divided by its exact length, and the angle, with the
/// right-hand rule, is the exact product. Any two poses of a body are the ends of a screw [Buss04 §4.1].
///
/// ```
/// use clearance::{Pose, glam::DVec3, math::Screw};
/// let bolt = Screw::new(DVec3::Z, DVec3::ZERO, 20.0 * std::f64::consts::PI, -15.0)?;
/// let (end, off) = bolt.pose_at(1.0, &Pose::IDENTITY).expect("in range");
/// assert!((end.apply(DVec3::X) - DVec3::new(1.0, 0.0, -15.0)).length() < 1e-13 && off.within(1.0) < 1e-13);
/// # Ok::<(), clearance::math::ScrewError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Screw {
    axis: DVec3,
    center: DVec3,
    angle: f64,
    shift: f64,
}

/// Why numbers are no screw.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ScrewError {
    /// The axis gives no direction.
    #[error("the axis must be finite and not zero")]
    Axis,
    /// A coordinate of the center, or the shift.
    #[error("{what} is {value:e}; it must be finite and at most 2^300 in size")]
    OutOfRange {
        /// Which number.
        what: &'static str,
        /// As given.
        value: f64,
    },
    /// The angle.
    #[error("the angle is {value:e} radians; it must be finite and at most 2^20 in size: split the motion")]
    Angle {
        /// As given.
        value: f64,
    },
}

impl Screw {
    /// From its numbers; the axis may have any length but zero.
    ///
    /// # Errors
    /// A number that is not finite or too large, an axis without a direction.
    pub fn new(axis: DVec3, center: DVec3, angle: f64, shift: f64) -> Result<Screw, ScrewError> {
        let largest = axis.abs().max_element();
        if !axis.is_finite() || largest == 0.0 {
            return Err(ScrewError::Axis);
        }
        // A power of two does not change the direction, and keeps its square in range.
        let exponent = super::round::exponent_of(largest);
        let axis = axis.to_array().map(|x| super::round::scaled(x, -exponent));
        for (what, value) in ["x of the center", "y of the center", "z of the center", "the shift"]
            .into_iter()
            .zip(center.to_array().into_iter().chain([shift]))
        {
            if value.is_nan() || value.abs() > COORDINATE_LIMIT {
                return Err(ScrewError::OutOfRange { what, value });
            }
        }
        if angle.is_nan() || angle.abs() > ANGLE_LIMIT {
            return Err(ScrewError::Angle { value: angle });
        }
        Ok(Screw { axis: DVec3::from_array(axis), center, angle, shift })
    }

    /// A screw that takes a body from one pose to another, and how far its end may be from the second pose.
    ///
    /// The angle is in `[0, pi]`. Equal rotations give a pure translation; at a half turn the first entry of the axis that is
    /// not zero is positive. The deviation is proved from the result, whatever its numbers are: some units in the last place of
    /// the coordinates, and up to 1e-9 where the matrices are that far from rotations.
    ///
    /// Differs from the paper: its point `u` is the foot of the origin only if the shift is zero; ours is that of the body's
    /// origin, halfway along the shift.
    pub fn between(from: &Pose, to: &Pose) -> (Screw, PoseDeviation) {
        Screw::toward(from, to, &EnclosedPose::exactly(to))
    }

    /// The motion of B seen from A, which stays at `from_a`: from `from_b` to `from_a to_a^-1 to_b`, and how far its end may be
    /// from that [Buss04 §4, formula 1].
    pub fn of_pair(from_a: &Pose, to_a: &Pose, from_b: &Pose, to_b: &Pose) -> (Screw, PoseDeviation) {
        if from_a == to_a {
            return Screw::between(from_b, to_b);
        }
        let inverse = EnclosedPose::inverse_of(to_a);
        let target = EnclosedPose::exactly(from_a).after(&inverse.after(&EnclosedPose::exactly(to_b)));
        let near = target.rounded().map_or(*to_b, |(pose, _)| pose);
        Screw::toward(from_b, &near, &target)
    }

    /// A screw to a pose, measured against what that pose stands for.
    fn toward(from: &Pose, to: &Pose, target: &EnclosedPose) -> (Screw, PoseDeviation) {
        let turning = turning(from, to);
        let still = Screw { axis: DVec3::Z, center: from.translation(), angle: 0.0, shift: 0.0 };
        let screw = turning.or_else(|| translation(from, to)).unwrap_or(still);
        let end = SteadyMotion::from(screw).enclosed_pose(Interval::ONE, from);
        (screw, deviation(&end, target))
    }

    /// The direction of the axis, of a length from 1 to 2 along its largest entry.
    pub fn axis(&self) -> DVec3 {
        self.axis
    }

    /// A point on the axis.
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// Radians of the whole step.
    pub fn angle(&self) -> f64 {
        self.angle
    }

    /// The length of the way along the axis in the whole step.
    pub fn shift(&self) -> f64 {
        self.shift
    }

    /// The motion of A seen from B if this is that of B seen from A: `S(t)^-1`, exactly.
    pub fn inverse(&self) -> Screw {
        Screw { angle: -self.angle, shift: -self.shift, ..*self }
    }

    /// The unit vector along the axis.
    pub fn unit_axis(&self) -> Interval3 {
        let axis = Interval3::point(self.axis);
        let length = axis.length_squared().sqrt();
        Interval3(axis.0.map(|x| x.over(length).unwrap_or(Interval::ZERO)))
    }

    /// Where a body that starts at `from` is at a time from 0 to 1, rounded, and how far that may be from the truth; `None` where
    /// it leaves the range of coordinates.
    pub fn pose_at(&self, t: f64, from: &Pose) -> Option<(Pose, PoseDeviation)> {
        SteadyMotion::from(*self).enclosed_pose(Interval::point(t), from).rounded()
    }

    /// The velocity of the point of the moving body that is at `point`: `angle a x (point - c) + shift a`, rounded [Buss04 (3)].
    pub fn velocity_at(&self, point: DVec3) -> DVec3 {
        let axis = self.axis.normalize();
        self.angle * axis.cross(point - self.center) + self.shift * axis
    }

    /// How far an arc of this screw is from the chord between its ends, for a point at some distance from the axis: never below
    /// `(1 - cos(angle / 2)) radius`, the error of the motion if the point moved on a straight line [Buss04 §4.3].
    ///
    /// Falls with the square of the step. Beyond a full turn an arc is as far from its chord as its circle allows.
    pub fn chord_deviation(&self, radius: f64) -> f64 {
        let half = 0.5 * self.angle.abs();
        let share = if half >= std::f64::consts::PI { 2.0 } else { sin_cos(half).versine.upper() };
        super::round::mul_up(share, radius)
    }

    /// That deviation as a part of the length of the arc, rounded: `(1 - cos(angle / 2)) / angle` [Buss04 (5)].
    ///
    /// Differs from the paper: its table gives a fraction, not a percentage, and 0.173 at 60 degrees where 0.128 is right.
    pub fn deviation_ratio(&self) -> f64 {
        if self.angle == 0.0 { 0.0 } else { self.chord_deviation(1.0) / self.angle.abs() }
    }
}

/// How far two enclosed poses may be apart.
fn deviation(a: &EnclosedPose, b: &EnclosedPose) -> PoseDeviation {
    let difference = EnclosedPose {
        rotation: std::array::from_fn(|i| a.rotation[i] - b.rotation[i]),
        translation: a.translation - b.translation,
    };
    let squares =
        difference.rotation.iter().map(Interval3::length_squared).fold(Interval::ZERO, |s, x| s + x);
    PoseDeviation {
        rotation: squares.sqrt().upper(),
        translation: difference.translation.length_squared().sqrt().upper(),
    }
}

/// A pure translation; `None` if nothing moves.
fn translation(from: &Pose, to: &Pose) -> Option<Screw> {
    let way = to.translation() - from.translation();
    (way != DVec3::ZERO).then(|| Screw::new(way, from.translation(), 0.0, way.length()).ok()).flatten()
}

/// A screw that turns; `None` if the rotations are equal.
fn turning(from: &Pose, to: &Pose) -> Option<Screw> {
    if from.rotation() == to.rotation() {
        return None;
    }
    let (w, v) = quaternion(to.rotation() * from.rotation().transpose());
    let half_sine = v.length();
    let (w, v) = match w {
        // A half turn: both directions of the axis are right.
        w if w.abs() <= f64::EPSILON * half_sine => (0.0, if first_entry(v) < 0.0 { -v } else { v }),
        w if w < 0.0 => (-w, -v),
        w => (w, v),
    };
    let angle = 2.0 * angle_of(half_sine, w);
    if angle.is_nan() || angle < SMALLEST_TURN {
        return None;
    }
    let axis = v / half_sine;
    let way = to.translation() - from.translation();
    let shift = way.dot(axis);
    let across = way - axis * shift;
    let center = from.translation() + 0.5 * (across + axis.cross(across) * (w / half_sine));
    Screw::new(axis, center, angle, shift).ok()
}

/// The first entry that is not zero but for rounding.
fn first_entry(v: DVec3) -> f64 {
    let floor = 4.0 * f64::EPSILON * v.length();
    v.to_array().into_iter().find(|x| x.abs() > floor).unwrap_or(v.x)
}

/// The rotation as a quaternion, through the largest of its entries (Shepperd 1978).
fn quaternion(m: DMat3) -> (f64, DVec3) {
    let c = m.to_cols_array_2d();
    let at = |i: usize, j: usize| c[j][i];
    let trace = at(0, 0) + at(1, 1) + at(2, 2);
    let largest = (0..3).max_by(|&i, &j| at(i, i).total_cmp(&at(j, j))).unwrap_or(0);
    if trace > at(largest, largest) {
        let s = 2.0 * (1.0 + trace).max(0.0).sqrt();
        let skew = DVec3::new(at(2, 1) - at(1, 2), at(0, 2) - at(2, 0), at(1, 0) - at(0, 1));
        return (0.25 * s, skew / s);
    }
    let (i, j, k) = (largest, (largest + 1) % 3, (largest + 2) % 3);
    let s = 2.0 * (1.0 + at(i, i) - at(j, j) - at(k, k)).max(0.0).sqrt();
    let mut v = DVec3::ZERO;
    v[i] = 0.25 * s;
    v[j] = (at(i, j) + at(j, i)) / s;
    v[k] = (at(i, k) + at(k, i)) / s;
    ((at(k, j) - at(j, k)) / s, v)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use std::f64::consts::PI;

    fn direction(random: &mut Random) -> DVec3 {
        DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0))
    }

    #[test]
    fn screws_between_random_poses_end_where_they_should() {
        let mut random = Random::new(1);
        for case in 0..4_000 {
            let angle = match case % 6 {
                0 => 1e-9,
                1 => PI,
                2 => PI - 1e-9,
                3 => 10f64.powf(random.range(-17.0, 0.0)),
                _ => random.range(0.0, PI),
            };
            let offset = 10f64.powf(random.range(-2.0, 6.0));
            let from =
                Pose::from_axis_angle(direction(&mut random), 3.0, direction(&mut random) * offset).unwrap();
            let turn = Pose::from_axis_angle(direction(&mut random), angle, DVec3::ZERO).unwrap();
            let to = Pose::new(
                turn.rotation() * from.rotation(),
                from.translation() + direction(&mut random) * random.range(0.0, 10.0),
            )
            .unwrap();
            let (screw, off) = Screw::between(&from, &to);
            assert!((screw.angle() - angle).abs() < 4e-15 * (1.0 + angle), "{angle}: {screw:?}");
            assert!(off.rotation < 1e-14, "{angle}: {off:?}");
            assert!(off.translation < 1e-14 * (10.0 + offset), "{angle}, {offset}: {off:?}");
            // The bound holds for the rounded end pose, too.
            let (end, rounding) = screw.pose_at(1.0, &from).unwrap();
            for p in [DVec3::X, DVec3::Y, DVec3::Z * 3.0, DVec3::ZERO] {
                let apart = (end.apply(p) - to.apply(p)).length();
                assert!(
                    apart <= off.within(p.length()) + rounding.within(p.length()) + 1e-15 * (offset + 10.0)
                );
            }
            assert_eq!(screw.pose_at(0.0, &from).unwrap(), (from, PoseDeviation::ZERO));
        }
    }

    #[test]
    fn translations_rest_and_half_turns_are_what_they_are() {
        let from = Pose::from_axis_angle(DVec3::new(1.0, 2.0, 3.0), 1.0, DVec3::new(5.0, 6.0, 7.0)).unwrap();
        let moved = Pose::new(from.rotation(), DVec3::new(5.0, 9.0, 11.0)).unwrap();
        let (screw, off) = Screw::between(&from, &moved);
        assert_eq!((screw.angle(), screw.shift()), (0.0, 5.0));
        assert!(off.rotation == 0.0 && off.translation < 1e-14);
        let (screw, off) = Screw::between(&from, &from);
        assert_eq!((screw.angle(), screw.shift(), off), (0.0, 0.0, PoseDeviation::ZERO));
        // Exactly: diag(-1, -1, 1) about a far point. The axis points up, whatever the signs of zeros.
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            let half = DMat3::from_diagonal(2.0 * axis - DVec3::ONE);
            let to = Pose::new(half, DVec3::new(8.0, 0.0, 0.0)).unwrap();
            let (screw, off) = Screw::between(&Pose::IDENTITY, &to);
            assert!((screw.axis() - axis).length() < 1e-15 && screw.angle() == PI, "{screw:?}");
            assert!(off.within(1.0) < 1e-14, "{off:?}");
        }
    }

    #[test]
    fn motions_of_two_bodies_are_seen_from_the_first() {
        let mut random = Random::new(2);
        for _ in 0..500 {
            let mut pose = || {
                Pose::from_axis_angle(
                    direction(&mut random),
                    random.range(-3.0, 3.0),
                    direction(&mut random) * 4.0,
                )
                .unwrap()
            };
            let [from_a, to_a, from_b, to_b] = [pose(), pose(), pose(), pose()];
            let (screw, off) = Screw::of_pair(&from_a, &to_a, &from_b, &to_b);
            assert!(off.within(1.0) < 4e-13, "{off:?}");
            // Where a point of B is seen by A at the end.
            let (end, _) = screw.pose_at(1.0, &from_b).unwrap();
            let p = direction(&mut random);
            let seen = to_a.inverse().apply(to_b.apply(p));
            assert!((from_a.inverse().apply(end.apply(p)) - seen).length() < 1e-13);
        }
    }

    /// A body and a motion that differ from rotations by 4e-10: the bound knows, the screw does not care.
    #[test]
    fn matrices_that_are_no_rotations_widen_the_bound() {
        let grown = Pose::new(DMat3::IDENTITY * (1.0 + 4e-10), DVec3::X).unwrap();
        let (_, off) = Screw::between(&Pose::IDENTITY, &grown);
        assert!((4e-10..1e-8).contains(&off.rotation), "{off:?}");
    }

    #[test]
    fn the_deviation_from_a_straight_line_falls_quadratically() {
        let at = |angle: f64| Screw::new(DVec3::Y, DVec3::ZERO, angle, 0.0).unwrap();
        // The table of the paper, with the entry at 60 degrees corrected.
        for (degrees, ratio) in
            [(60.0, 0.128), (45.0, 0.097), (30.0, 0.065), (20.0, 0.044), (10.0, 0.022), (5.0, 0.011)]
        {
            assert!((at(f64::to_radians(degrees)).deviation_ratio() - ratio).abs() < 6e-4, "{degrees}");
        }
        let mut angle = 1.0;
        for _ in 0..12 {
            let fall = at(angle).chord_deviation(2.0) / at(0.5 * angle).chord_deviation(2.0);
            assert!((3.9..4.1).contains(&fall), "{angle}: {fall}");
            angle *= 0.5;
        }
        // Against the motion itself.
        let screw = Screw::new(DVec3::Z, DVec3::ZERO, 1.3, 0.5).unwrap();
        let at = |t: f64| screw.pose_at(t, &Pose::IDENTITY).unwrap().0.apply(DVec3::X * 2.0);
        let farthest = (0..=1000).map(|k| {
            let share = f64::from(k) / 1000.0;
            let [along, to] = [at(1.0) - at(0.0), at(share) - at(0.0)].map(|v| v.with_z(0.0));
            (to - along * (to.dot(along) / along.length_squared())).length()
        });
        let farthest = farthest.fold(0.0, f64::max);
        assert!(
            farthest <= 1.000001 * screw.chord_deviation(2.0) && farthest > 0.99 * screw.chord_deviation(2.0)
        );
    }

    #[test]
    fn what_is_no_screw_is_refused() {
        let new = |axis, center, angle, shift| Screw::new(axis, center, angle, shift);
        assert_eq!(new(DVec3::ZERO, DVec3::ZERO, 1.0, 0.0), Err(ScrewError::Axis));
        assert_eq!(new(DVec3::NAN, DVec3::ZERO, 1.0, 0.0), Err(ScrewError::Axis));
        assert!(matches!(new(DVec3::X, DVec3::ZERO, f64::NAN, 0.0), Err(ScrewError::Angle { .. })));
        assert!(matches!(new(DVec3::X, DVec3::ZERO, 2e6, 0.0), Err(ScrewError::Angle { .. })));
        assert!(matches!(new(DVec3::X, DVec3::INFINITY, 1.0, 0.0), Err(ScrewError::OutOfRange { .. })));
        assert!(matches!(new(DVec3::X, DVec3::ZERO, 1.0, f64::INFINITY), Err(ScrewError::OutOfRange { .. })));
        // Any length of the axis is one direction.
        let [a, b] =
            [1e-300, 1e300].map(|s| new(DVec3::new(3.0, -4.0, 1.0) * s, DVec3::X, 1.0, 2.0).unwrap());
        let end = |s: Screw| s.pose_at(1.0, &Pose::IDENTITY).unwrap().0.apply(DVec3::Y);
        assert!((end(a) - end(b)).length() < 1e-15);
    }
}
