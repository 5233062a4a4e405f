//! A body at some time of its motion, seen from one that rests: a pose in floats, and how far off it may be.

use super::translation::Translation;
use crate::math::Pose;
use crate::math::round::{UNIT_ROUNDOFF, norm_up};
use crate::triangle::vector_size;
use glam::DVec3;

/// B as it moves seen from A.
#[derive(Clone, Copy)]
pub(super) struct Moved<'a> {
    pose: &'a Pose,
    /// Rounded.
    pub velocity: DVec3,
    /// What the rounding of the velocity is relative to.
    size: f64,
    /// Not below the length of the velocity.
    pub speed: f64,
    /// The duration of the motion, rounded.
    pub duration: f64,
}

impl<'a> Moved<'a> {
    pub fn new(pose: &'a Pose, motion: &Translation) -> Moved<'a> {
        let velocity = motion.relative_velocity();
        let (rounded, size) = (velocity.rounded(), vector_size(velocity));
        let speed = norm_up(rounded) + 8.0 * UNIT_ROUNDOFF * size;
        Moved { pose, velocity: rounded, size, speed, duration: motion.t1() - motion.t0() }
    }

    /// The pose after `s`, and how far the exact place may be from it; `None` where the place is out of range.
    pub fn at(&self, s: f64) -> Option<(Pose, f64)> {
        if s == 0.0 {
            return Some((*self.pose, 0.0));
        }
        let pose = Pose::new(self.pose.rotation(), self.pose.translation() + self.velocity * s).ok()?;
        let size = norm_up(self.pose.translation()) + self.size * s;
        Some((pose, 16.0 * UNIT_ROUNDOFF * size + f64::MIN_POSITIVE))
    }
}
