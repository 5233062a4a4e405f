//! Two parts compared along the line through their centres: the last test before they are opened.
//!
//! Axes of boxes and one guide for all miss pairs beside the nearest points, whose nearest direction is their own. This
//! test is made for one pair at a time, so it is kept for pairs that all else let pass.

use super::expand::Entry;
use super::kind::Kind;
use super::lanes::Lanes;
use super::node::WIDTH;
use super::pair::TreePair;
use super::view::View;
use super::{Bound, Tree};
use glam::DVec3;
use wide::f32x8;

/// A part of a tree: its box by centre and half its edges, and what else bounds it.
pub(super) struct Place<B: Kind> {
    pub centre: DVec3,
    pub half: DVec3,
    more: B::Part,
}

impl<B: Bound> Tree<B> {
    #[inline(always)]
    pub(super) fn part(&self, place: u32) -> Place<B> {
        let (node, lane) = (&self.nodes[place as usize / WIDTH], place as usize % WIDTH);
        let vector =
            |lanes: &[f32x8; 3]| DVec3::from_array(lanes.each_ref().map(|x| f64::from(x.as_array()[lane])));
        let (low, high) = (vector(&node.low), vector(&node.high));
        Place { centre: 0.5 * (low + high), half: 0.5 * (high - low), more: node.more.lane(lane) }
    }
}

impl<B: Kind> Place<B> {
    /// A direction across which it may be thin; zero if none is known.
    #[inline(always)]
    pub fn normal(&self) -> DVec3 {
        B::thin_along(&self.more)
    }

    /// How far it reaches along a direction from its centre.
    #[inline(always)]
    pub fn reach(&self, direction: DVec3) -> f64 {
        B::reach_of_part(&self.more, self.centre, self.half, direction)
    }
}

impl<B: Bound> TreePair<'_, B> {
    /// The square of a lower bound of the distance of two parts, to be compared with measures; zero proves nothing.
    ///
    /// In `f64`, so the margin of boxes in that precision, twice as it counts along any direction, covers all errors.
    #[inline(always)]
    pub(super) fn facing<L: Lanes>(&self, view: &View<L, B>, entry: Entry) -> f64 {
        let (a, b) = (self.a.part(entry.a), self.b.part(entry.b));
        let across = view.turn * (self.scale_b * b.centre) + view.shift - self.scale_a * a.centre;
        let length = across.length();
        let back = -(view.turn.transpose() * across);
        let reach = self.scale_a * a.reach(across) + self.scale_b * b.reach(back);
        let gap = length - reach / length - view.facing_slack;
        if gap > 0.0 { gap * gap } else { 0.0 }
    }
}
