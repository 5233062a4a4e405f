//! Two parts compared along the line through their centres: the last test before they are opened.
//!
//! Axes of boxes and one guide for all miss pairs beside the nearest points, whose nearest direction is their own. This
//! test is made for one pair at a time, so it is kept for pairs that all else let pass.

use super::Tree;
use super::expand::Entry;
use super::lanes::Lanes;
use super::node::WIDTH;
use super::pair::TreePair;
use super::view::View;
use glam::DVec3;
use wide::f32x8;

/// A part of a tree: box and slab relative to the centre of the box.
pub(super) struct Part {
    pub centre: DVec3,
    pub half: DVec3,
    pub normal: DVec3,
    low: f64,
    high: f64,
}

impl Tree {
    #[inline(always)]
    pub(super) fn part(&self, place: u32) -> Part {
        let (node, lane) = (&self.nodes[place as usize / WIDTH], place as usize % WIDTH);
        let vector =
            |lanes: &[f32x8; 3]| DVec3::from_array(lanes.each_ref().map(|x| f64::from(x.as_array()[lane])));
        let (low, high, normal) = (vector(&node.low), vector(&node.high), vector(&node.normal));
        let (centre, half) = (0.5 * (low + high), 0.5 * (high - low));
        let [low, high] = node.slab.each_ref().map(|x| f64::from(x.as_array()[lane]) - normal.dot(centre));
        Part { centre, half, normal, low, high }
    }
}

impl Part {
    /// How far it reaches along a direction from its centre.
    #[inline(always)]
    pub fn reach(&self, direction: DVec3) -> f64 {
        let share = direction.dot(self.normal);
        let rest = direction - share * self.normal;
        let of_slab = (share * self.low).max(share * self.high) + rest.abs().dot(self.half);
        of_slab.min(direction.abs().dot(self.half))
    }
}

impl TreePair<'_> {
    /// The square of a lower bound of the distance of two parts, to be compared with measures; zero proves nothing.
    ///
    /// In `f64`, so the margin of boxes in that precision, twice as it counts along any direction, covers all errors.
    #[inline(always)]
    pub(super) fn facing<L: Lanes>(&self, view: &View<L>, entry: Entry) -> f64 {
        let (a, b) = (self.a.part(entry.a), self.b.part(entry.b));
        let across = view.turn * (self.scale_b * b.centre) + view.shift - self.scale_a * a.centre;
        let length = across.length();
        let back = -(view.turn.transpose() * across);
        let reach = self.scale_a * a.reach(across) + self.scale_b * b.reach(back);
        let gap = length - reach / length - view.facing_slack;
        if gap > 0.0 { gap * gap } else { 0.0 }
    }
}
