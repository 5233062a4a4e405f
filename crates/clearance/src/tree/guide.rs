//! A direction along which the bodies are known to be far apart: the seventh axis of every comparison.
//!
//! Around the nearest points found so far both bodies lie behind parallel planes as long as they are convex there. One
//! direction then proves most pairs farther apart than these points, while axes of boxes and normals of triangles
//! prove each of them by a little less.

use super::lanes::Lanes;
use super::node::Node;
use super::pair::TreePair;
use crate::math::round::scaled;
use glam::DVec3;

/// The extents of both bodies along one direction of length at most 1, from A to B.
pub(super) struct Guide<L> {
    pub a: Toward<L>,
    pub b: Toward<L>,
    /// Minus the direction in the frame of A, for corners of B that were mapped there.
    pub back: [L; 3],
    /// What a gap may be too large by.
    pub slack: L,
}

/// How far boxes of one body reach toward the other.
pub(super) struct Toward<L> {
    half: [L; 3],
    half_size: [L; 3],
    shift: L,
    /// The direction, for corners in units of the pair.
    pub direction: [L; 3],
}

impl<L: Lanes> Toward<L> {
    fn new(direction: DVec3, scale: f64, shift: f64) -> Toward<L> {
        Toward {
            half: direction.to_array().map(|x| L::splat(0.5 * scale * x)),
            half_size: direction.to_array().map(|x| L::splat((0.5 * scale * x).abs())),
            shift: L::splat(shift),
            direction: direction.to_array().map(L::splat),
        }
    }

    /// How far each box of a node reaches.
    #[inline(always)]
    pub fn reach(&self, node: &Node) -> L {
        let (low, high) = (node.low.each_ref().map(L::widen), node.high.each_ref().map(L::widen));
        (0..3).fold(self.shift, |sum, axis| {
            let (middle, extent) = (low[axis] + high[axis], high[axis] - low[axis]);
            sum + (self.half[axis] * middle + self.half_size[axis] * extent)
        })
    }
}

impl TreePair<'_> {
    /// The guide along a direction in the world, from A to B.
    pub(super) fn guide<L: Lanes>(&self, direction: DVec3, slack: L) -> Guide<L> {
        let (turn_a, turn_b) = (self.pose_a.rotation(), self.pose_b.rotation());
        let unit = direction.normalize_or_zero() * (1.0 - 1.0 / 1_048_576.0);
        // What lanes hold is the direction: B's must be the image of the rounded one.
        let in_a = DVec3::from_array((turn_a.transpose() * unit).to_array().map(|x| L::splat(x).lane(0)));
        let in_b = turn_b.transpose() * (turn_a * in_a);
        let shift = scaled(in_a.dot(turn_a.transpose() * self.offset), -self.unit);
        let [scale_a, scale_b, _] = self.sizes();
        Guide {
            a: Toward::new(in_a, scale_a, 0.0),
            b: Toward::new(-in_b, scale_b, -shift),
            back: (-in_a).to_array().map(L::splat),
            slack,
        }
    }
}
