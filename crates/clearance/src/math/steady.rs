//! Motions that turn at a constant rate about an axis whose points move on straight lines: screws, and free bodies.

use super::enclosed_pose::EnclosedPose;
use super::interval::{Interval, Interval3};
use super::pose::Pose;
use super::screw::{ANGLE_LIMIT, Screw, ScrewError};
use super::trig::{SinCos, sin_cos_of_products, sin_cos_over};
use crate::tolerance::COORDINATE_LIMIT;
use glam::DVec3;

/// The motion `y -> c + drift t + Rot(a, rate t)(y - c)` for `t` from 0 to 1.
///
/// A [`Screw`] drifts along its axis; a free body turns about its centre of mass while that flies straight on, and two such
/// bodies move relative to each other in a way that is no screw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SteadyMotion {
    axis: Interval3,
    center: DVec3,
    rate: Interval,
    drift: Interval3,
}

impl SteadyMotion {
    /// No motion.
    pub const AT_REST: SteadyMotion = SteadyMotion {
        axis: Interval3([Interval::ZERO, Interval::ZERO, Interval::ONE]),
        center: DVec3::ZERO,
        rate: Interval::ZERO,
        drift: Interval3::ZERO,
    };

    /// A free body: `center`, in the world at the start, moves by `linear`, and the body turns about it by the angle and the
    /// direction of `angular`, both for the whole step.
    ///
    /// # Errors
    /// A number that is not finite or too large.
    pub fn from_velocities(linear: DVec3, angular: DVec3, center: DVec3) -> Result<SteadyMotion, ScrewError> {
        let named = [("the linear velocity", linear), ("the center", center)];
        for (what, value) in named.into_iter().flat_map(|(what, v)| v.to_array().map(|x| (what, x))) {
            if value.is_nan() || value.abs() > COORDINATE_LIMIT {
                return Err(ScrewError::OutOfRange { what, value });
            }
        }
        let drift = Interval3::point(linear);
        if angular == DVec3::ZERO {
            return Ok(SteadyMotion { center, drift, ..SteadyMotion::AT_REST });
        }
        let turn = Screw::new(angular, center, 0.0, 0.0)?;
        let rate = Interval3::point(angular).length_squared().sqrt();
        if rate.upper().is_nan() || rate.upper() > ANGLE_LIMIT {
            return Err(ScrewError::Angle { value: rate.upper() });
        }
        Ok(SteadyMotion { axis: turn.unit_axis(), center, rate, drift })
    }

    /// A point of the axis at the start.
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// The unit vector of the axis.
    pub fn axis(&self) -> &Interval3 {
        &self.axis
    }

    /// Radians of the whole step.
    pub fn rate(&self) -> Interval {
        self.rate
    }

    /// The way of the points of the axis in the whole step.
    pub fn drift(&self) -> &Interval3 {
        &self.drift
    }

    /// Sine and cosine of the angle turned at a time.
    pub fn turned(&self, t: Interval) -> SinCos {
        if self.rate.lower() == self.rate.upper() {
            sin_cos_of_products(self.rate.lower(), t)
        } else {
            sin_cos_over(self.rate * t)
        }
    }

    /// Where a body that starts at `from` is at some time of an interval.
    ///
    /// `Rot = I + sin [a] + versine [a]^2`, of which only the difference from `I` is multiplied by the distance from the axis: a
    /// center far away and a small angle lose nothing.
    pub fn enclosed_pose(&self, t: Interval, from: &Pose) -> EnclosedPose {
        let at = self.turned(t);
        let start = EnclosedPose::exactly(from);
        let change = |v: &Interval3| -> Interval3 {
            let across = self.axis.cross(v);
            across.scaled(at.sin) + self.axis.cross(&across).scaled(at.versine)
        };
        let columns: [Interval3; 3] = std::array::from_fn(|j| {
            let column = Interval3(start.rotation.map(|row| row.0[j]));
            column + change(&column)
        });
        let arm = start.translation - Interval3::point(self.center);
        EnclosedPose {
            rotation: std::array::from_fn(|i| Interval3(columns.map(|column| column.0[i]))),
            translation: start.translation + change(&arm) + self.drift.scaled(t),
        }
    }
}

impl From<Screw> for SteadyMotion {
    fn from(screw: Screw) -> SteadyMotion {
        let axis = screw.unit_axis();
        let drift = axis.scaled(Interval::point(screw.shift()));
        SteadyMotion { axis, center: screw.center(), rate: Interval::point(screw.angle()), drift }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    /// Against the rotation of a quaternion, in plain floats.
    #[test]
    fn poses_are_enclosed_narrowly() {
        let mut random = Random::new(1);
        for _ in 0..1_000 {
            let mut vector =
                || DVec3::new(random.range(-2.0, 2.0), random.range(-2.0, 2.0), random.range(-2.0, 2.0));
            let (linear, angular, center, place) = (vector(), vector(), vector() * 100.0, vector());
            let from = Pose::from_axis_angle(vector(), 1.0, place).unwrap();
            let motion = SteadyMotion::from_velocities(linear, angular, center).unwrap();
            let t = random.unit();
            let (pose, off) = motion.enclosed_pose(Interval::point(t), &from).rounded().unwrap();
            assert!(off.within(1.0) < 4e-12, "{off:?}");
            let turn = glam::DQuat::from_axis_angle(angular.normalize(), angular.length() * t);
            let p = DVec3::new(0.3, -0.2, 0.9);
            let plain = center + linear * t + turn * (from.apply(p) - center);
            assert!((pose.apply(p) - plain).length() < 1e-12);
            // An interval of times holds the poses of all of them.
            let wide = motion.enclosed_pose(Interval::new(0.5 * t, t), &from);
            for share in [0.5, 0.7, 1.0] {
                let at = motion.enclosed_pose(Interval::point(share * t), &from).translation.middle();
                assert!((0..3).all(|i| wide.translation.0[i].contains(at[i])));
            }
        }
    }

    /// A tiny turn about a far center: the place is known as well as that of a translation.
    #[test]
    fn far_centers_and_small_angles_lose_nothing() {
        for angle in [1e-9, 1e-12, 1e-15] {
            let screw = Screw::new(DVec3::new(1.0, 1.0, 1.0), DVec3::new(1.0, -1.0, 0.0) / angle, angle, 0.5)
                .unwrap();
            let pose = SteadyMotion::from(screw).enclosed_pose(Interval::point(0.7), &Pose::IDENTITY);
            let (_, off) = pose.rounded().unwrap();
            assert!(off.within(10.0) < 1e-14, "{angle}: {off:?}");
        }
    }
}
