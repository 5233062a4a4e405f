//! How a body moves during a step, and how fast its points are.

use crate::math::{EnclosedPose, Interval, Pose, PoseDeviation, Screw, SteadyMotion};
use glam::DVec3;

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
    motion: SteadyMotion,
    center: DVec3,
    /// Angular velocity, rounded.
    pub omega: DVec3,
    /// Velocity of the axis, rounded.
    pub drift: DVec3,
    /// Not below the size of the angular velocity.
    pub rate: f64,
    /// Not below the speed of the axis.
    pub drift_speed: f64,
    pub is_at_rest: bool,
}

/// Where a body is at a time.
pub(super) struct At {
    pub pose: Pose,
    pub off: PoseDeviation,
    /// A point of the axis.
    pub center: DVec3,
}

impl<'a> Mover<'a> {
    pub fn new(from: &'a Pose, motion: &Motion) -> Mover<'a> {
        let steady = motion.steady();
        let (axis, drift) = (steady.axis().middle(), steady.drift().middle());
        Mover {
            from,
            motion: steady,
            center: steady.center(),
            omega: axis * steady.rate().middle(),
            drift,
            rate: steady.rate().magnitude(),
            drift_speed: steady.drift().length_squared().sqrt().upper(),
            is_at_rest: steady.rate().magnitude() == 0.0 && drift == DVec3::ZERO,
        }
    }

    pub fn enclosed(&self, t: f64) -> EnclosedPose {
        self.motion.enclosed_pose(Interval::point(t), self.from)
    }

    /// `None` where it leaves the range of coordinates.
    pub fn at(&self, t: f64) -> Option<At> {
        if self.is_at_rest {
            return Some(At { pose: *self.from, off: PoseDeviation::ZERO, center: self.center });
        }
        let (pose, off) = self.enclosed(t).rounded()?;
        Some(At { pose, off, center: self.center + self.drift * t })
    }

    /// Not below the distance from the axis of any point of a body at most `reach` from its origin: the same at all times.
    pub fn radius(&self, reach: f64) -> f64 {
        ((self.from.translation() - self.center).length() + 1.000_001 * reach) * (1.0 + 1e-12)
    }

    /// Not below the speed of any such point.
    pub fn speed(&self, reach: f64) -> f64 {
        (self.drift_speed + self.rate * self.radius(reach)) * (1.0 + 1e-12)
    }
}
