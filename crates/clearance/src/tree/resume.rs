//! From the front of the last query on: only pairs of parts that are no longer proved apart are looked at again.

use super::expand::Entry;
use super::front::{Front, Line, Now, Of, Parts, Proof};
use super::guide::{Guide, Toward};
use super::lanes::{Lanes, each_lane};
use super::nearest::{Nearer, nearest_first, sort_below};
use super::node::{Child, Leaf, Node, WIDTH};
use super::packet::packet;
use super::pair::TreePair;
use super::scratch::Scratch;
use super::tile::Measure;
use super::view::View;
use super::{Bound, Stats, Tree};
use glam::DVec3;
use std::marker::PhantomData;
use wide::f32x8;

/// What a pair of triangles means to a query.
pub(super) enum Verdict {
    Pass,
    /// Only what is nearer than this matters from now on.
    Nearer(Nearer),
    /// The query is answered.
    Stop,
}

/// Up to which distance parts of trees matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub limit: f64,
    /// Pairs that were not visited are at least `(1 - relative_width) limit` apart, or farther than the limit if it is zero.
    pub relative_width: f64,
}

/// A query that starts at a front.
pub(super) struct Resume<'a, M, V, B: Bound> {
    pair: &'a TreePair<'a, B>,
    view: View<f32x8, B>,
    guide: Option<Guide<f32x8, B>>,
    /// The direction of the guide in the frame of A.
    toward: Option<DVec3>,
    reach: Reach,
    /// Pairs of a measure above this, or with a gap in units above this, need not be looked at.
    square: f64,
    needed: f64,
    is_done: bool,
    /// The places of the leaves that were looked at last.
    leaves: (u32, u32),
    visit: V,
    measure: PhantomData<M>,
}

impl<'a, M: Measure<f32x8>, V: FnMut(u32, u32, f64) -> Verdict, B: Bound> Resume<'a, M, V, B> {
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

    /// Visits all pairs of triangles that may be within the limit, unless a visit ends it. Returns the last limit.
    pub fn run(mut self, front: &mut Front, scratch: &mut Scratch) -> f64 {
        let Scratch { near, failing, work, leaves, stats, .. } = scratch;
        work.clear();
        self.look_at_close(front, near, stats);
        if !self.is_done {
            let now = Now::new(&self.view, [self.pair.scale_a, self.pair.scale_b]);
            front.failing(&now, self.needed, failing);
            stats.proofs += front.len() as u64;
            // After a jump a new cut is better than so many repairs.
            if front.len() > 32 && 2 * failing.len() > front.len() {
                front.restart();
                failing.clear();
                failing.push(0);
            }
            while !self.is_done
                && let Some(index) = failing.pop()
            {
                self.repair(index as usize, front, work, near, stats);
            }
        }
        front.end(self.is_done);
        *leaves = self.leaves;
        self.reach.limit
    }

    /// The leaves that were close last time most likely are the nearest now.
    fn look_at_close(&mut self, front: &mut Front, near: &mut Vec<Entry>, stats: &mut Stats) {
        let mut index = 0;
        while index < front.close.len() && !self.is_done {
            let (a, b) = front.close[index];
            if !self.look(a, b, near, stats)
                && let Some(proof) = self.prove_leaves(a, b, None)
            {
                front.close.swap_remove(index);
                front.push(Parts::places(a, b), &proof);
            } else {
                index += 1;
            }
        }
    }

    /// Proves parts apart that were so once, or what is below them.
    fn repair(
        &mut self,
        index: usize,
        front: &mut Front,
        work: &mut Vec<(u32, u32)>,
        near: &mut Vec<Entry>,
        stats: &mut Stats,
    ) {
        let (parts, [forth, back]) = front.at(index);
        // Half way between the direction that A kept and the one that B kept.
        let kept = forth - self.view.turn * back;
        let leaves = parts.single().filter(|&(a, b)| self.are_leaves(a, b));
        let again = match leaves {
            Some((a, b)) => self.prove_leaves(a, b, Some(kept)),
            None => self.proof(&parts, kept).filter(|(_, mask)| *mask == parts.mask).map(|(proof, _)| proof),
        };
        if let Some(proof) = again {
            front.set(index, parts, &proof);
            return;
        }
        front.remove(index);
        match leaves {
            Some((a, b)) => self.look_from_now_on(a, b, front, near, stats),
            None => self.divide(parts, Some(kept), front, work),
        }
        while let Some((a, b)) = work.pop() {
            if self.is_done {
                front.push(Parts::places(a, b), &Proof::NONE);
            } else if self.are_leaves(a, b) {
                match self.prove_leaves(a, b, None) {
                    Some(proof) => front.push(Parts::places(a, b), &proof),
                    None => self.look_from_now_on(a, b, front, near, stats),
                }
            } else {
                stats.steps += 1;
                let parts = self.split(a, b);
                stats.node_pairs += u64::from(parts.mask.count_ones());
                self.divide(parts, None, front, work);
            }
        }
    }

    fn are_leaves(&self, a: u32, b: u32) -> bool {
        self.pair.leaves(Entry { key: 0.0, a, b }).is_some()
    }

    /// The children of the larger of two parts, not both leaves.
    fn split(&self, a: u32, b: u32) -> Parts {
        let all = |lanes_of: Of, tree: &Tree<B>, node: u32, place: u32| {
            let mask = tree.nodes[node as usize].mask();
            Parts { lanes_of, node, mask, place }
        };
        let of_a = |node: u32| all(Of::A, self.pair.a, node, b);
        let of_b = |node: u32| all(Of::B, self.pair.b, node, a);
        match (self.pair.a.at(a), self.pair.b.at(b)) {
            (Child::Node(node_a), Child::Node(node_b)) => {
                let size_a = self.pair.scale_a * self.pair.a.part(a).half.length();
                let size_b = self.pair.scale_b * self.pair.b.part(b).half.length();
                if size_a >= size_b { of_a(node_a) } else { of_b(node_b) }
            }
            (Child::Node(node), Child::Leaf { .. }) => of_a(node),
            (_, Child::Node(node)) => of_b(node),
            (Child::Leaf { .. }, Child::Leaf { .. }) => Parts::places(a, b),
        }
    }

    /// Puts lanes that some direction keeps apart into the front, as many as possible at once, the others among the work.
    fn divide(
        &mut self,
        mut parts: Parts,
        kept: Option<DVec3>,
        front: &mut Front,
        work: &mut Vec<(u32, u32)>,
    ) {
        for direction in [kept, self.toward].into_iter().flatten() {
            self.prove_lanes(&mut parts, direction, front);
        }
        if parts.mask.count_ones() > 1 {
            for direction in self.common_directions(&parts) {
                self.prove_lanes(&mut parts, direction, front);
            }
        }
        while parts.mask != 0 {
            let lane = parts.mask.trailing_zeros() as usize;
            let (a, b) = parts.pair(lane);
            if let Some(direction) = self.direction(parts.lanes_of, a, b) {
                self.prove_lanes(&mut parts, direction, front);
            }
            if parts.mask & (1 << lane) != 0 {
                parts.mask &= !(1 << lane);
                work.push((a, b));
            }
        }
    }

    /// Directions that may separate many lanes: the normal of the slab of the other part, and the line from its centre to that of
    /// all lanes.
    fn common_directions(&self, parts: &Parts) -> [DVec3; 2] {
        let (scale_a, scale_b, turn) = (self.pair.scale_a, self.pair.scale_b, self.view.turn);
        let in_a = |centre: DVec3| scale_a * centre;
        let in_b = |centre: DVec3| turn * (scale_b * centre) + self.view.shift;
        let (normal, across) = match parts.lanes_of {
            Of::A => {
                let b = self.pair.b.part(parts.place);
                (turn * b.normal(), in_b(b.centre) - in_a(middle(&self.pair.a.nodes[parts.node as usize])))
            }
            Of::B => {
                let a = self.pair.a.part(parts.place);
                (a.normal(), in_b(middle(&self.pair.b.nodes[parts.node as usize])) - in_a(a.centre))
            }
        };
        [if normal.dot(across) < 0.0 { -normal } else { normal }, across]
    }

    /// The direction that separates two parts best, if it suffices: the line through the centres or the normal of a slab, that
    /// of the part with lanes, as the other's was tried before.
    fn direction(&self, lanes_of: Of, a: u32, b: u32) -> Option<DVec3> {
        let (scale_a, scale_b, turn) = (self.pair.scale_a, self.pair.scale_b, self.view.turn);
        let (a, b) = (self.pair.a.part(a), self.pair.b.part(b));
        let across = turn * (scale_b * b.centre) + self.view.shift - scale_a * a.centre;
        let normal = if lanes_of == Of::A { a.normal() } else { turn * b.normal() };
        let (mut best, mut best_gap) = (None, self.needed);
        for direction in [across, if normal.dot(across) < 0.0 { -normal } else { normal }] {
            let back = -(turn.transpose() * direction);
            let reach = scale_a * a.reach(direction) + scale_b * b.reach(back);
            let gap = (direction.dot(across) - reach) / direction.length();
            if gap > best_gap {
                (best, best_gap) = (Some(direction), gap);
            }
        }
        best
    }

    /// Takes out the lanes that a direction keeps apart, with a proof in the front for all of them.
    fn prove_lanes(&self, parts: &mut Parts, direction: DVec3, front: &mut Front) {
        if parts.mask != 0
            && let Some((proof, proved)) = self.proof(parts, direction)
        {
            front.push(Parts { mask: proved, ..*parts }, &proof);
            parts.mask &= !proved;
        }
    }

    /// The lanes that a direction keeps apart, if any, and the proof for all of them.
    fn proof(&self, parts: &Parts, direction: DVec3) -> Option<(Proof, u32)> {
        let line = Line::new(&self.view, direction)?;
        let (scale_a, scale_b) = (self.pair.scale_a, self.pair.scale_b);
        let (tree, other, along, across, scale, other_scale) = match parts.lanes_of {
            Of::A => (self.pair.a, self.pair.b, line.forth, line.back, scale_a, scale_b),
            Of::B => (self.pair.b, self.pair.a, line.back, line.forth, scale_b, scale_a),
        };
        let node = &tree.nodes[parts.node as usize];
        let part = other.part(parts.place);
        let across = DVec3::from_array(across.map(f64::from));
        let other_reach = part.centre.dot(across) + part.reach(across);
        let room = line.between - other_scale * other_reach - self.needed;
        let reach = Toward::<f32x8, B>::along(along).reach(node);
        // A reach of this or more is too much.
        let proved = parts.mask & !<f32x8 as Lanes>::splat(room / scale).at_most(reach);
        if proved == 0 {
            return None;
        }
        let mut largest = f32::NEG_INFINITY;
        each_lane(proved, |lane| largest = largest.max(reach.as_array()[lane]));
        let other_reach = other_reach as f32;
        let (reach, (centre, radius)) = match parts.lanes_of {
            Of::A => ([largest, other_reach], ball(part.centre - part.half, part.centre + part.half)),
            Of::B => ([other_reach, largest], ball_of_lanes(node, proved)),
        };
        Some((Proof { forth: line.forth, back: line.back, reach, centre, radius }, proved))
    }

    /// Two leaves that no direction separates.
    fn look_from_now_on(
        &mut self,
        a: u32,
        b: u32,
        front: &mut Front,
        near: &mut Vec<Entry>,
        stats: &mut Stats,
    ) {
        self.look(a, b, near, stats);
        front.push_close((a, b));
    }

    /// A direction that keeps the triangles of two leaves apart.
    fn prove_leaves(&self, a: u32, b: u32, kept: Option<DVec3>) -> Option<Proof> {
        let [(leaf_a, _), (leaf_b, _)] = self.pair.leaves(Entry { key: 0.0, a, b })?;
        let (scale_a, scale_b) = (self.pair.scale_a, self.pair.scale_b);
        let (part_a, part_b) = (self.pair.a.part(a), self.pair.b.part(b));
        let across = self.view.turn * (scale_b * part_b.centre) + self.view.shift - scale_a * part_a.centre;
        let toward_b = |normal: DVec3| Some(if normal.dot(across) < 0.0 { -normal } else { normal });
        let normals = [toward_b(part_a.normal()), toward_b(self.view.turn * part_b.normal())];
        for direction in [kept, self.toward, normals[0], normals[1], Some(across)].into_iter().flatten() {
            let Some(line) = Line::new(&self.view, direction) else { continue };
            let reach = [reach_of(leaf_a, line.forth), reach_of(leaf_b, line.back)];
            let gap = line.between - scale_a * f64::from(reach[0]) - scale_b * f64::from(reach[1]);
            if gap > self.needed {
                let (centre, radius) = ball(part_b.centre - part_b.half, part_b.centre + part_b.half);
                return Some(Proof { forth: line.forth, back: line.back, reach, centre, radius });
            }
        }
        None
    }

    /// Visits the triangles of two leaves that may be within the limit; whether there are any.
    fn look(&mut self, a: u32, b: u32, near: &mut Vec<Entry>, stats: &mut Stats) -> bool {
        near.clear();
        let Some([leaf_a, leaf_b]) = self.pair.leaves(Entry { key: 0.0, a, b }) else { return false };
        let (guide, limit) = (self.guide.as_ref(), f32x8::splat_up(self.square));
        self.leaves = (a, b);
        stats.leaf_pairs += 1;
        stats.triangle_pairs +=
            packet::<f32x8, M, B>(leaf_a, leaf_b, &self.view, guide, limit, |a, b, key| {
                near.push(Entry { key, a, b });
            });
        let Some(first) = nearest_first(near) else { return false };
        self.ask(first, stats);
        sort_below(near, self.square);
        for &entry in near.iter() {
            if entry.key > self.square || self.is_done {
                break;
            }
            self.ask(entry, stats);
        }
        true
    }

    fn ask(&mut self, entry: Entry, stats: &mut Stats) {
        stats.visits += 1;
        match (self.visit)(entry.a, entry.b, self.reach.limit) {
            Verdict::Pass => {}
            Verdict::Nearer(nearer) => self.improve(nearer),
            Verdict::Stop => self.is_done = true,
        }
    }
}

/// The greatest product of a direction with a corner of a leaf.
#[inline(always)]
fn reach_of(leaf: &Leaf, along: [f32; 3]) -> f32 {
    let along = along.map(|x| f32x8::new([x; WIDTH]));
    let [p, q, r] = leaf.corners.each_ref().map(|c| along[0] * c[0] + along[1] * c[1] + along[2] * c[2]);
    p.fast_max(q).fast_max(r).to_array().into_iter().fold(f32::NEG_INFINITY, f32::max)
}

/// A ball around a box, whatever rounding does.
#[inline(always)]
fn ball(low: DVec3, high: DVec3) -> ([f32; 3], f32) {
    let radius = 0.5 * (high - low).length();
    ((0.5 * (low + high)).to_array().map(|x| x as f32), (radius * (1.0 + f32x8::SLACK) + f32x8::SLACK) as f32)
}

/// The mean of the centres of the boxes of a node.
fn middle<B>(node: &Node<B>) -> DVec3 {
    let sum = |axis: usize| f64::from((node.low[axis] + node.high[axis]).reduce_add());
    DVec3::new(sum(0), sum(1), sum(2)) / (2 * WIDTH) as f64
}

/// A ball around some boxes of a node.
fn ball_of_lanes<B>(node: &Node<B>, mask: u32) -> ([f32; 3], f32) {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    each_lane(mask, |lane| {
        let vector = |x: &[f32x8; 3]| DVec3::from_array(x.each_ref().map(|x| f64::from(x.as_array()[lane])));
        (low, high) = (low.min(vector(&node.low)), high.max(vector(&node.high)));
    });
    ball(low, high)
}
