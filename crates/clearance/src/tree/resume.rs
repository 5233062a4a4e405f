//! From the front of the last query on: only pairs of parts that are no longer proved apart are looked at again.

use super::expand::Entry;
use super::front::{Front, Now, Proof};
use super::guide::Guide;
use super::lanes::{Lanes, each_lane};
use super::nearest::{Nearer, nearest_first, sort_below};
use super::node::{Child, Leaf, WIDTH};
use super::packet::packet;
use super::pair::TreePair;
use super::parts::{LeafParts, Parts};
use super::scratch::{Room, Scratch};
use super::tile::Measure;
use super::view::View;
use super::{Bound, Stats, Tree};
use glam::DVec3;
use std::marker::PhantomData;
use wide::f32x8;

/// What a pair of triangles means to a query.
pub(super) enum Verdict {
    /// Nothing but that they are at least so far apart.
    Pass(f64),
    /// Only what is nearer than this matters from now on.
    Nearer(Nearer),
    /// The query is answered.
    Stop,
}

/// Who is asked about pairs of triangles.
pub(super) trait Visit {
    /// What a pair means, given how near it would have to be.
    fn visit(&mut self, a: u32, b: u32, limit: f64) -> Verdict;

    /// Whether no triangle of one leaf and none of another are nearer than the limit, as far as that is known without comparing
    /// them.
    fn settles(&mut self, _a: &[u32], _b: &[u32]) -> bool {
        false
    }
}

impl<V: Visit> Visit for &mut V {
    fn visit(&mut self, a: u32, b: u32, limit: f64) -> Verdict {
        (**self).visit(a, b, limit)
    }

    fn settles(&mut self, a: &[u32], b: &[u32]) -> bool {
        (**self).settles(a, b)
    }
}

/// A closure that is asked about each pair.
pub(super) struct Each<F>(pub F);

impl<F: FnMut(u32, u32, f64) -> Verdict> Visit for Each<F> {
    fn visit(&mut self, a: u32, b: u32, limit: f64) -> Verdict {
        (self.0)(a, b, limit)
    }
}

/// Up to which distance parts of trees matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub limit: f64,
    /// Pairs that were not visited are at least `(1 - relative_width) limit` apart, or farther than the limit if it is zero.
    pub relative_width: f64,
}

/// What is seen of triangles of two leaves.
#[derive(Clone, Copy, Debug)]
struct Look {
    /// Whether any had to be visited.
    is_near: bool,
    /// None are nearer than this, in the world.
    gap: f64,
}

/// A query that starts at a front.
pub(super) struct Resume<'a, M, V, B: Bound> {
    pub(super) pair: &'a TreePair<'a, B>,
    pub(super) view: View<f32x8, B>,
    guide: Option<Guide<f32x8, B>>,
    /// The direction of the guide in the frame of A.
    pub(super) toward: Option<DVec3>,
    reach: Reach,
    /// Pairs of a measure above this, or with a gap in units above this, need not be looked at.
    square: f64,
    pub(super) needed: f64,
    is_done: bool,
    /// The places of the leaves that were looked at last.
    leaves: (u32, u32),
    visit: V,
    measure: PhantomData<M>,
}

impl<'a, M: Measure<f32x8>, V: Visit, B: Bound> Resume<'a, M, V, B> {
    /// For pairs that single precision resolves.
    pub fn new(
        pair: &'a TreePair<'a, B>,
        reach: Reach,
        start: Option<Nearer>,
        visit: V,
    ) -> Resume<'a, M, V, B> {
        let mut resume = Resume {
            pair,
            view: View::new(pair),
            guide: None,
            toward: None,
            reach,
            square: 0.0,
            needed: 0.0,
            is_done: false,
            leaves: (0, 0),
            visit,
            measure: PhantomData,
        };
        resume.set_limit(reach.limit);
        if let Some(nearer) = start {
            resume.improve(nearer);
        }
        resume
    }

    fn set_limit(&mut self, limit: f64) {
        self.reach.limit = limit;
        self.square = self.view.square_limit((1.0 - self.reach.relative_width) * limit);
        // Rounded once, by far less than the slack leaves to spare.
        self.needed = self.square.sqrt() * (1.0 + f32x8::ROUNDOFF);
    }

    fn improve(&mut self, nearer: Nearer) {
        if nearer.distance < self.reach.limit {
            self.set_limit(nearer.distance);
            self.is_done |= nearer.distance == 0.0;
            let guide = Guide::new(self.pair, nearer.direction);
            self.toward = Some(DVec3::from_array(guide.forth.map(|x: f32x8| x.lane(0))));
            self.guide = Some(guide);
        }
    }

    /// Whether all pairs of triangles are farther apart than the limit, by what is remembered alone.
    pub fn holds(&self, front: &Front, scratch: &mut Scratch) -> bool {
        let now = Now::new(&self.view, [self.pair.scale_a, self.pair.scale_b]);
        front.failing(&now, self.needed, &mut scratch.failing);
        scratch.stats.proofs += front.len() as u64;
        scratch.failing.is_empty() && front.are_far(self.pair, self.reach.limit)
    }

    /// Visits all pairs of triangles that may be within the limit, unless a visit ends it. Returns the last limit.
    pub fn run(mut self, front: &mut Front, scratch: &mut Scratch) -> f64 {
        let Scratch { failing, leaves, room, stats, .. } = scratch;
        room.places.clear();
        front.travel(self.pair);
        self.look_at_close(front, room, stats);
        if !self.is_done {
            let now = Now::new(&self.view, [self.pair.scale_a, self.pair.scale_b]);
            front.failing(&now, self.needed, failing);
            stats.proofs += front.len() as u64;
            // After a jump a new cut is better than so many repairs.
            if front.len() > 32 && 2 * failing.len() > front.len() {
                front.restart();
                front.travel(self.pair);
                failing.clear();
                failing.push(0);
            }
            while !self.is_done
                && let Some(index) = failing.pop()
            {
                self.repair(index as usize, front, room, stats);
            }
        }
        front.end(self.is_done);
        *leaves = self.leaves;
        self.reach.limit
    }

    /// The leaves that were close last time most likely are the nearest now.
    fn look_at_close(&mut self, front: &mut Front, room: &mut Room, stats: &mut Stats) {
        // Backwards, as what is put back comes last and is not to be looked at twice.
        for index in (0..front.close.len()).rev() {
            if self.is_done {
                break;
            }
            if front.is_far(&front.close[index], self.reach.limit) {
                continue;
            }
            let parts = front.close.swap_remove(index).parts;
            let Look { is_near, gap } = self.look(&parts, &mut room.near, stats);
            // Triangles that share the nearest points are at just the limit: no direction of their own would help.
            if is_near && !self.is_done && self.reach.relative_width == 0.0 {
                self.divide_leaves(parts, front, room);
            } else if !is_near
                && front.is_time_to_try()
                && let Some(proof) = self.prove_leaves(&parts, None)
            {
                front.push(Parts::Leaves(parts), &proof);
            } else {
                front.push_close(parts, gap);
            }
        }
    }

    /// Proves parts apart that were so once, or what is below them.
    fn repair(&mut self, index: usize, front: &mut Front, room: &mut Room, stats: &mut Stats) {
        let (parts, [forth, back]) = front.at(index);
        // Half way between the direction that A kept and the one that B kept.
        let kept = forth - self.view.turn * back;
        let lanes = match parts {
            Parts::Leaves(leaves) => return self.repair_leaves(index, leaves, kept, front, room, stats),
            Parts::Lanes(lanes) => lanes,
        };
        if let Some(leaves) = lanes.single().and_then(|(a, b)| self.leaf_parts(a, b)) {
            return self.repair_leaves(index, leaves, kept, front, room, stats);
        }
        match self.proof(&lanes, kept) {
            Some((proof, mask)) if mask == lanes.mask => front.set(index, parts, &proof),
            _ => {
                front.remove(index);
                self.divide(lanes, Some(kept), front, &mut room.places);
                self.cut_below(front, room, stats);
            }
        }
    }

    /// The same for triangles of two leaves.
    fn repair_leaves(
        &mut self,
        index: usize,
        leaves: LeafParts,
        kept: DVec3,
        front: &mut Front,
        room: &mut Room,
        stats: &mut Stats,
    ) {
        match self.prove_leaves(&leaves, Some(kept)) {
            Some(proof) => front.set(index, Parts::Leaves(leaves), &proof),
            None => {
                front.remove(index);
                self.look_from_now_on(leaves, front, room, stats);
            }
        }
    }

    /// Puts all that is below the places in hand into the front.
    fn cut_below(&mut self, front: &mut Front, room: &mut Room, stats: &mut Stats) {
        while let Some((a, b)) = room.places.pop() {
            if self.is_done {
                front.push(Parts::places(a, b), &Proof::NONE);
            } else if let Some(leaves) = self.leaf_parts(a, b) {
                match self.prove_leaves(&leaves, None) {
                    Some(proof) => front.push(Parts::Leaves(leaves), &proof),
                    None => self.look_from_now_on(leaves, front, room, stats),
                }
            } else {
                stats.steps += 1;
                let parts = self.split(a, b);
                stats.node_pairs += u64::from(parts.mask.count_ones());
                self.divide(parts, None, front, &mut room.places);
            }
        }
    }

    /// All triangles of two places, if both are leaves.
    pub(super) fn leaf_parts(&self, a: u32, b: u32) -> Option<LeafParts> {
        let [(_, size_a), (_, size_b)] = self.pair.leaves(Entry { key: 0.0, a, b })?;
        Some(LeafParts::whole(a, size_a, b, size_b))
    }

    /// Triangles that no direction known so far keeps apart.
    fn look_from_now_on(&mut self, parts: LeafParts, front: &mut Front, room: &mut Room, stats: &mut Stats) {
        let Look { gap, .. } = self.look(&parts, &mut room.near, stats);
        front.push_close(parts, gap);
    }

    /// Visits the triangles of two leaves that may be within the limit.
    fn look(&mut self, parts: &LeafParts, near: &mut Vec<Entry>, stats: &mut Stats) -> Look {
        near.clear();
        let [leaf_a, leaf_b] = self.leaves_of(parts);
        self.leaves = (parts.a, parts.b);
        stats.leaf_pairs += 1;
        if let Some((row, lane)) = parts.single() {
            stats.triangle_pairs += 1;
            let entry = Entry { key: 0.0, a: leaf_a.0.triangles[row], b: leaf_b.0.triangles[lane] };
            near.push(entry);
            return Look { is_near: true, gap: self.ask(entry, stats).min(self.pair.farthest()) };
        }
        let ids = |(leaf, size): (&'a Leaf, u8)| &leaf.triangles[..usize::from(size).min(WIDTH)];
        if self.visit.settles(ids(leaf_a), ids(leaf_b)) {
            return Look { is_near: true, gap: 0.0 };
        }
        let (guide, limit) = (self.guide.as_ref(), f32x8::splat_up(self.square));
        let (a, b) = ((leaf_a.0, parts.rows), (leaf_b.0, parts.lanes));
        let mut far = f32x8::splat(f32::INFINITY);
        let emit = |a, b, key| near.push(Entry { key, a, b });
        let known =
            |row: f32x8| far = far.least(row.simd_le(limit).bitselect(f32x8::splat(f32::INFINITY), row));
        stats.triangle_pairs += u64::from(a.1.count_ones() * b.1.count_ones());
        packet::<f32x8, M, B>(a, b, &self.view, guide, limit, emit, known);
        let mut gap = self.gap_of_measures(far, parts.lanes);
        let Some(first) = nearest_first(near) else { return Look { is_near: false, gap } };
        gap = gap.min(self.ask(first, stats));
        sort_below(near, self.square);
        for &entry in near.iter() {
            if entry.key > self.square || self.is_done {
                gap = 0.0;
                break;
            }
            gap = gap.min(self.ask(entry, stats));
        }
        near.push(first);
        Look { is_near: true, gap }
    }

    /// The distance in the world that the least of the measures of some lanes proves.
    fn gap_of_measures(&self, measures: f32x8, lanes: u8) -> f64 {
        let mut least = f64::INFINITY;
        each_lane(u32::from(lanes), |lane| least = least.min(measures.lane(lane)));
        let gap = self.view.proved(M::square(least)) * self.pair.unit_length();
        gap.min(self.pair.farthest())
    }

    /// Both leaves with their sizes.
    pub(super) fn leaves_of(&self, parts: &LeafParts) -> [(&'a Leaf, u8); 2] {
        let leaf = |tree: &'a Tree<B>, place: u32| match tree.at(place) {
            Child::Leaf { index, size } => (&tree.leaves[index as usize], size),
            Child::Node(_) => unreachable!("parts of leaves are made of leaves"),
        };
        [leaf(self.pair.a, parts.a), leaf(self.pair.b, parts.b)]
    }

    /// Visits two triangles; how far apart they are at least, as far as that matters.
    fn ask(&mut self, entry: Entry, stats: &mut Stats) -> f64 {
        stats.visits += 1;
        match self.visit.visit(entry.a, entry.b, self.reach.limit) {
            Verdict::Pass(gap) => return gap,
            Verdict::Nearer(nearer) => self.improve(nearer),
            Verdict::Stop => self.is_done = true,
        }
        0.0
    }
}
