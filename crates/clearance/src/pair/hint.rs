//! A direction that separated two bodies, small enough to lie in a list of pairs.

use super::view::View;
use crate::math::Pose;
use crate::support::SupportMap;
use glam::{DVec3, Vec3};

/// What a pair of polytopes that is apart remembers first: a direction, rounded, in a frame that it moves with, and the
/// vertices that supported the bodies. A [`Tracker`](super::Tracker) remembers more, and is asked where this fails.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hint {
    direction: Vec3,
    frame: Frame,
    vertices: (u32, u32),
}

/// What a direction moves with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    World,
    A,
    B,
}

impl Hint {
    /// Of nothing.
    pub const NOTHING: Hint = Hint { direction: Vec3::ZERO, frame: Frame::World, vertices: (0, 0) };

    /// A direction of any length in a frame; in that of B not negated.
    pub(super) fn new(direction: DVec3, frame: Frame, vertices: (u32, u32)) -> Hint {
        let direction = (direction / direction.abs().max_element()).as_vec3();
        match direction.is_finite() {
            true => Hint { direction, frame, vertices },
            false => Hint::NOTHING,
        }
    }

    /// Whether there is one.
    #[inline]
    pub fn is_some(&self) -> bool {
        self.direction != Vec3::ZERO
    }

    /// Not more than the distance of the bodies; zero if the direction does not separate them any more. Any hint may be
    /// given: it changes speed, never the truth.
    #[inline]
    pub fn distance_lower_bound(
        &mut self,
        a: &SupportMap,
        pose_a: &Pose,
        b: &SupportMap,
        pose_b: &Pose,
    ) -> f64 {
        let view = View::new(a, pose_a, b, pose_b);
        if !(self.is_some() && view.has_vertices(self.vertices)) {
            return 0.0;
        }
        let direction = self.direction.as_dvec3();
        let along = view.along(match self.frame {
            Frame::World => direction,
            Frame::A => pose_a.rotation() * direction,
            Frame::B => pose_b.rotation() * direction,
        });
        // Vertices tell how far apart the bodies are; shells would only tell that they are.
        let support = view.support_if_apart(&along, self.vertices, None, &mut 0);
        if !support.proves_disjoint {
            return 0.0;
        }
        self.vertices = (support.vertex_a, support.vertex_b);
        view.separation_lower_bound(&along, self.vertices)
    }
}
