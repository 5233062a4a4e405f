//! Two trees, one of them in straight motion: pairs of triangles by the time at which their boxes may first meet.
//!
//! Boxes that move meet while they overlap along every axis: the slab method of rays, with a box for a ray. Once triangles
//! are known to meet, the direction across them tells more: no part can meet another before the gap between them along
//! that direction has closed.

use super::encounter::{Course, LATEST, Pace};
use super::expand::{Entry, place};
use super::guide::{Guide, Toward};
use super::lanes::{Lanes, each_lane};
use super::node::{Child, Leaf, Node, WIDTH};
use super::packet::{boxes, extent, image, own};
use super::pair::TreePair;
use super::tile::Boxes;
use super::view::{Map, View};
use super::{Bound, Scratch, Stats};
use crate::math::round::power_of_two;
use glam::{DMat3, DVec3};
use wide::{f32x8, f64x8};

/// Triangles that meet earlier than all before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Earlier {
    /// An upper bound of when they meet.
    pub s: f64,
    /// From A to B, in the world; any length. Speed depends on it, answers do not.
    pub direction: DVec3,
}

impl<B: Bound> TreePair<'_, B> {
    /// Calls `visit(triangle of A, triangle of B, limit)` for pairs of triangles that may meet at an `s` from 0 to the limit,
    /// early ones first; `visit` returns when they meet if that is before the limit.
    ///
    /// Returns the last limit. Every pair that was not visited does not meet before it under the exact poses and motion.
    pub fn earliest(
        &self,
        course: &Course,
        limit: f64,
        scratch: &mut Scratch,
        visit: impl FnMut(u32, u32, f64) -> Option<Earlier>,
    ) -> f64 {
        if self.single {
            Search::<f32x8, B>::new(self, course, limit).run(scratch, visit)
        } else {
            Search::<f64x8, B>::new(self, course, limit).run(scratch, visit)
        }
    }
}

/// How one body moves through the other's boxes.
struct Crossing<L> {
    /// Inverse velocity of the body in lanes relative to the one in rows, in the frame of the rows.
    in_rows: [L; 3],
    /// The same in the frame of the lanes.
    in_lanes: [L; 3],
}

struct Search<'a, L: Lanes, B: Bound> {
    pair: &'a TreePair<'a, B>,
    view: View<L, B>,
    pace: Pace,
    /// B in lanes, then A.
    crossings: [Crossing<L>; 2],
    /// What rounding may do to where boxes are, besides what they are grown by already.
    slack: L,
    guide: Option<(Guide<L, B>, L)>,
    /// In `s`.
    limit: f64,
    /// In counts.
    count: f64,
}

/// A node and its ways.
struct Side<'a, L: Lanes, B: Bound> {
    node: &'a Node<B>,
    map: &'a Map<L, B>,
    toward: Option<&'a Toward<L, B>>,
}

impl<'a, L: Lanes, B: Bound> Search<'a, L, B> {
    /// Proof of the slack, with `e` the roundoff of lanes: contacts are before `LATEST`, so a velocity that errs by `8e` is
    /// off by `128e` there; gap, inverse and product err by `e` each, of at most 8 in length: `24e`.
    fn new(pair: &'a TreePair<'a, B>, course: &Course, limit: f64) -> Search<'a, L, B> {
        let (view, pace) = (View::new(pair), course.pace(pair.units_per_length()));
        let inverse = |turn: &DMat3, sign: f64| {
            (turn.transpose() * pace.velocity * sign).to_array().map(|x| {
                let size = x.abs().max(SLOWEST * L::ROUNDOFF);
                L::splat(if x < 0.0 { -size.recip() } else { size.recip() })
            })
        };
        let (turn_a, turn_b) = (pair.pose_a.rotation(), pair.pose_b.rotation());
        let crossings = [
            Crossing { in_rows: inverse(&turn_a, 1.0), in_lanes: inverse(&turn_b, 1.0) },
            Crossing { in_rows: inverse(&turn_b, -1.0), in_lanes: inverse(&turn_a, -1.0) },
        ];
        // Where there is no telling how fast it goes, no box is left out.
        let slack = if pace.speed > 0.0 { 192.0 * L::ROUNDOFF + 2.0 * LATEST * pace.error } else { 1e30 };
        let count = pace.counts(limit);
        Search { pair, view, pace, crossings, slack: L::splat_up(slack), guide: None, limit, count }
    }

    fn improve(&mut self, earlier: Earlier) {
        if earlier.s >= self.limit {
            return;
        }
        self.limit = earlier.s;
        self.count = self.pace.counts(earlier.s);
        let guide: Guide<L, B> = Guide::new(self.pair, earlier.direction);
        let along = DVec3::from_array(guide.forth.each_ref().map(|x| x.lane(0)));
        let speed = -along.dot(self.pair.pose_a.rotation().transpose() * self.pace.velocity);
        if speed > SLOWEST_GUIDE {
            let inverse = (1.0 - 2.0 * L::SLACK) / (speed + 2.0 * self.pace.error);
            self.guide = Some((guide, L::splat(inverse)));
        }
    }

    fn run(mut self, scratch: &mut Scratch, mut visit: impl FnMut(u32, u32, f64) -> Option<Earlier>) -> f64 {
        let Scratch { heap, near, stats, .. } = scratch;
        heap.clear();
        heap.push(Entry { key: 0.0, ..Entry::WHOLE });
        while let Some(entry) = heap.pop()
            && entry.key <= self.count
        {
            match self.pair.leaves(entry) {
                Some(leaves) => self.look(leaves, near, stats, &mut visit),
                None => self.expand(entry, stats, |child| heap.push(child)),
            }
        }
        self.limit
    }

    fn side_a(&self, node: u32) -> Side<'_, L, B> {
        let node = &self.pair.a.nodes[node as usize];
        Side { node, map: &self.view.a_to_b, toward: self.guide.as_ref().map(|(guide, _)| &guide.a) }
    }

    fn side_b(&self, node: u32) -> Side<'_, L, B> {
        let node = &self.pair.b.nodes[node as usize];
        Side { node, map: &self.view.b_to_a, toward: self.guide.as_ref().map(|(guide, _)| &guide.b) }
    }

    /// Emits the children of two places that may meet in time; leaves are their own children.
    fn expand(&self, entry: Entry, stats: &mut Stats, mut emit: impl FnMut(Entry)) {
        stats.steps += 1;
        let [b_moves, a_moves] = &self.crossings;
        stats.node_pairs += match (self.pair.a.at(entry.a), self.pair.b.at(entry.b)) {
            (Child::Node(a), Child::Node(b)) => {
                let rows = self.side_a(a);
                self.tile((&rows, rows.node.mask()), &self.side_b(b), b_moves, |row, lane, key| {
                    emit(Entry { key, a: place(a, row), b: place(b, lane) });
                })
            }
            (Child::Leaf { .. }, Child::Node(b)) => {
                let (rows, row) = (self.side_a(entry.a / WIDTH as u32), 1 << (entry.a % WIDTH as u32));
                self.tile((&rows, row), &self.side_b(b), b_moves, |_, lane, key| {
                    emit(Entry { key, a: entry.a, b: place(b, lane) });
                })
            }
            (Child::Node(a), Child::Leaf { .. }) => {
                let (rows, row) = (self.side_b(entry.b / WIDTH as u32), 1 << (entry.b % WIDTH as u32));
                self.tile((&rows, row), &self.side_a(a), a_moves, |_, lane, key| {
                    emit(Entry { key, a: place(a, lane), b: entry.b });
                })
            }
            (Child::Leaf { .. }, Child::Leaf { .. }) => 0,
        };
    }

    #[inline(always)]
    fn tile(
        &self,
        (rows, row_mask): (&Side<'_, L, B>, u32),
        lanes: &Side<'_, L, B>,
        crossing: &Crossing<L>,
        mut emit: impl FnMut(usize, usize, f64),
    ) -> u64 {
        let (rows_own, rows_image) =
            (Boxes::own(rows.node, rows.map.scale), Boxes::image(rows.node, rows.map));
        let (lanes_own, lanes_image) =
            (Boxes::own(lanes.node, lanes.map.scale), Boxes::image(lanes.node, lanes.map));
        let reach = match (rows.toward, lanes.toward) {
            (Some(toward), Some(back)) => {
                Some((toward.reach(rows.node), back.reach(lanes.node) + self.view.plane_slack))
            }
            _ => None,
        };
        let (all, limit) = (lanes.node.mask(), L::splat_up(self.count));
        each_lane(row_mask, |row| {
            let mut times = Times { from: L::splat(0.0), to: limit };
            times.cross(&rows_own, row, &lanes_image, &crossing.in_rows, self.slack);
            if let (Some((rows, lanes)), Some((_, inverse))) = (&reach, &self.guide) {
                let gap = L::splat(0.0) - (rows.repeat(row) + *lanes);
                times.from = times.from.greatest(gap * *inverse);
            }
            if times.may_meet() & all != 0 {
                times.cross(&rows_image, row, &lanes_own, &crossing.in_lanes, self.slack);
                each_lane(times.may_meet() & all, |lane| emit(row, lane, times.from.lane(lane)));
            }
        });
        u64::from(row_mask.count_ones() * all.count_ones())
    }

    /// Visits the triangles of two leaves that may meet in time, early ones first.
    fn look(
        &mut self,
        leaves: [(&Leaf, u8); 2],
        near: &mut Vec<Entry>,
        stats: &mut Stats,
        visit: &mut impl FnMut(u32, u32, f64) -> Option<Earlier>,
    ) {
        self.collect(leaves, near, stats);
        near.sort_unstable_by(|x, y| y.cmp(x));
        for &Entry { key, a, b } in near.iter() {
            if key > self.count {
                break;
            }
            stats.visits += 1;
            if let Some(earlier) = visit(a, b, self.limit) {
                self.improve(earlier);
            }
        }
    }

    fn collect(
        &self,
        [(leaf_a, size_a), (leaf_b, size_b)]: [(&Leaf, u8); 2],
        near: &mut Vec<Entry>,
        stats: &mut Stats,
    ) {
        near.clear();
        stats.leaf_pairs += 1;
        stats.triangle_pairs += u64::from(size_a) * u64::from(size_b);
        let (rows, lanes) = (own(leaf_a, self.view.a_to_b.scale), image(leaf_b, &self.view.b_to_a));
        let (boxes_a, boxes_b) = (boxes(&rows), boxes(&lanes));
        let reach = self.guide.as_ref().map(|(guide, _)| {
            let ([_, a], [_, b]) = (extent(guide.forth, &rows), extent(guide.back, &lanes));
            (a, b + self.view.plane_slack)
        });
        let (all, limit) = ((1 << size_b) - 1, L::splat_up(self.count));
        let slack = self.slack + self.view.box_slack;
        for row in 0..usize::from(size_a) % (WIDTH + 1) {
            let mut times = Times { from: L::splat(0.0), to: limit };
            times.cross(&boxes_a, row, &boxes_b, &self.crossings[0].in_rows, slack);
            if let (Some((a, b)), Some((_, inverse))) = (&reach, &self.guide) {
                let gap = L::splat(0.0) - (a.repeat(row) + *b);
                times.from = times.from.greatest(gap * *inverse);
            }
            each_lane(times.may_meet() & all, |lane| {
                let (a, b) = (leaf_a.triangles[row], leaf_b.triangles[lane]);
                near.push(Entry { key: times.from.lane(lane), a, b });
            });
        }
    }
}

/// Velocities below this many roundoffs count as this.
const SLOWEST: f64 = 8.0;

/// A guide along which bodies close in more slowly than this tells little.
const SLOWEST_GUIDE: f64 = power_of_two(-6);

/// When boxes may meet.
struct Times<L> {
    from: L,
    to: L,
}

impl<L: Lanes> Times<L> {
    /// Takes one frame into account: one box of the rows rests, those in lanes move.
    #[inline(always)]
    fn cross(&mut self, rows: &Boxes<L>, row: usize, lanes: &Boxes<L>, inverse: &[L; 3], slack: L) {
        for axis in 0..3 {
            let first = (rows.low[axis].repeat(row) - lanes.high[axis] - slack) * inverse[axis];
            let second = (rows.high[axis].repeat(row) - lanes.low[axis] + slack) * inverse[axis];
            self.from = self.from.greatest(first.least(second));
            self.to = self.to.least(first.greatest(second));
        }
    }

    #[inline(always)]
    fn may_meet(&self) -> u32 {
        self.from.at_most(self.to)
    }
}
