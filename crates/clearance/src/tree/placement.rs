//! Where B lies seen from A, and how far any of its points moved since.

use super::pair::TreePair;
use crate::math::round::UNIT_ROUNDOFF;
use glam::{DMat3, DVec3};

/// B in the frame of A at some time; lengths are those of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placement {
    turn: DMat3,
    shift: DVec3,
    error: f64,
}

/// Under poses whose matrices are off from rotations by `3.1e-9` in the 2-norm, at both times: what A's own points may be
/// off by in its frame, what the motion of B's points may be too small by, and what lengths may be stretched by, each
/// as a share of the sizes.
const STRETCH: f64 = 1e-7;

impl<B> TreePair<'_, B> {
    pub(super) fn placement(&self) -> Placement {
        let (turn_a, turn_b) = (self.pose_a.rotation(), self.pose_b.rotation());
        let unit = self.unit_length();
        let shift = turn_a.transpose() * (self.offset * unit);
        let error = (2.0 * self.offset_error + 8.0 * UNIT_ROUNDOFF * self.offset.abs().element_sum()) * unit;
        Placement { turn: turn_a.transpose() * turn_b, shift, error }
    }

    /// A lower bound of the distance now, from one at an earlier time; not positive if it proves nothing.
    ///
    /// A point `x` of B, seen from A, moved by `|(R - R') x + T - T'|`, at most `|R - R'| |x| + |T - T'|`. The difference of
    /// two rotations has two equal singular values and a third of zero, so its 2-norm is the Frobenius norm over the
    /// root of two; what both are off from rotations is in the slack. In that frame A's own points moved by the
    /// rounding of poses only.
    pub(super) fn distance_after(&self, earlier: &Placement, distance: f64) -> f64 {
        self.distance_between(earlier, &self.placement(), distance)
    }

    fn distance_between(&self, earlier: &Placement, now: &Placement, distance: f64) -> f64 {
        let squares: f64 = (now.turn - earlier.turn).to_cols_array().into_iter().map(|x| x * x).sum();
        let (radius_a, radius_b) = (self.a.radius(), self.b.radius());
        let moved = (now.shift - earlier.shift).length() + (0.5 * squares).sqrt() * radius_b;
        let slack = now.error + earlier.error + STRETCH * (radius_a + radius_b + distance + moved);
        distance - moved - slack
    }

    /// How much nearer points of both bodies may have come between two times, if they were not farther apart than `farthest`.
    pub(super) fn approach(&self, earlier: &Placement, now: &Placement) -> f64 {
        let farthest = self.farthest();
        farthest - self.distance_between(earlier, now, farthest)
    }

    /// As far as bodies are that are about to meet: larger gaps are not remembered.
    pub(super) fn farthest(&self) -> f64 {
        2.0 * (self.a.radius() + self.b.radius())
    }
}
