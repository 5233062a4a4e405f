//! Two parts compared along directions of their own: the last test before they are opened.
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
    /// Whether two parts are proved to be at least so far apart that their measure reaches a square: along the line through
    /// their centres, or, for parts nearer than they are large, across the part of A, or across that of B.
    ///
    /// In `f64`, so the margin of boxes in that precision, twice as it counts along any direction, covers all errors.
    #[inline(always)]
    pub(super) fn are_beyond<L: Lanes>(&self, view: &View<L, B>, entry: Entry, square: f64) -> bool {
        let (a, b) = (self.a.part(entry.a), self.b.part(entry.b));
        let across = view.turn * (self.scale_b * b.centre) + view.shift - self.scale_a * a.centre;
        let gap = |direction: DVec3| {
            let back = -(view.turn.transpose() * direction);
            let reach = self.scale_a * a.reach(direction) + self.scale_b * b.reach(back);
            (direction.dot(across) - reach) / direction.length() - view.facing_slack
        };
        let is_beyond = |gap: f64| gap > 0.0 && gap * gap >= square;
        let toward_b = |normal: DVec3| if normal.dot(across) < 0.0 { -normal } else { normal };
        if is_beyond(gap(across)) {
            return true;
        }
        // The line through the centres of parts side by side leads along them.
        let (half_a, half_b) = (self.scale_a * a.half, self.scale_b * b.half);
        across.length_squared() < half_a.length_squared() + half_b.length_squared()
            && (is_beyond(gap(toward_b(a.normal()))) || is_beyond(gap(toward_b(view.turn * b.normal()))))
    }
}
