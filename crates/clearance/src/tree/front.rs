//! Where the last query stopped: a cut through the pairs of parts of two trees, each with a direction that kept it apart.
//!
//! Nothing in it is trusted. What is stored of a pair are facts about the bodies alone: how far the part of A reaches along
//! a direction that is fixed in A, how far the part of B reaches back along one that is fixed in B. Wherever the bodies are
//! now, both and the angle between the directions bound the gap, at the cost of some forty operations for eight pairs.

use super::Tree;
use super::bytes::mix;
use super::coherence::MOST_WAIT;
use super::kind::Kind;
use super::lanes::Lanes;
use super::node::{Node, WIDTH};
use super::pair::TreePair;
use super::parts::{LeafParts, Parts};
use super::placement::Placement;
use super::view::View;
use crate::math::Patience;
use glam::DVec3;
use wide::f32x8;

/// What keeps two parts apart; all lengths in local units of the trees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Proof {
    /// From A to B in the frame of A, of length at most 1.
    pub forth: [f32; 3],
    /// Near its opposite in the frame of B when the proof was made.
    pub back: [f32; 3],
    /// Greatest product of `forth` with a point of the part of A, of `back` with one of B.
    pub reach: [f32; 2],
    /// All points of the part of B are within the radius of the centre.
    pub centre: [f32; 3],
    pub radius: f32,
}

impl Proof {
    /// Proves nothing, ever.
    pub const NONE: Proof =
        Proof { forth: [0.0; 3], back: [0.0; 3], reach: [0.0; 2], centre: [0.0; 3], radius: 0.0 };
}

/// Eight pairs side by side.
#[derive(Clone, Debug)]
struct Block {
    forth: [f32x8; 3],
    back: [f32x8; 3],
    reach: [f32x8; 2],
    centre: [f32x8; 3],
    radius: f32x8,
    parts: [Parts; WIDTH],
}

impl Block {
    const EMPTY: Block = Block {
        forth: [f32x8::ZERO; 3],
        back: [f32x8::ZERO; 3],
        reach: [f32x8::ZERO; 2],
        centre: [f32x8::ZERO; 3],
        radius: f32x8::ZERO,
        parts: [Parts::WHOLE; WIDTH],
    };

    fn set(&mut self, lane: usize, parts: Parts, proof: &Proof) {
        let put = |lanes: &mut [f32x8], values: &[f32]| {
            for (lanes, &value) in lanes.iter_mut().zip(values) {
                lanes.as_mut_array()[lane] = value;
            }
        };
        put(&mut self.forth, &proof.forth);
        put(&mut self.back, &proof.back);
        put(&mut self.reach, &proof.reach);
        put(&mut self.centre, &proof.centre);
        self.radius.as_mut_array()[lane] = proof.radius;
        self.parts[lane] = parts;
    }

    fn proof(&self, lane: usize) -> Proof {
        let of = |lanes: &[f32x8; 3]| lanes.each_ref().map(|x| x.as_array()[lane]);
        Proof {
            forth: of(&self.forth),
            back: of(&self.back),
            reach: self.reach.each_ref().map(|x| x.as_array()[lane]),
            centre: of(&self.centre),
            radius: self.radius.as_array()[lane],
        }
    }
}

/// Where the bodies are, in lanes.
pub(super) struct Now {
    turn: [[f32x8; 3]; 3],
    shift: [f32x8; 3],
    scale: [f32x8; 2],
    slack: f32x8,
}

impl Now {
    pub fn new<B: Kind>(view: &View<f32x8, B>, scale: [f64; 2]) -> Now {
        let columns = view.turn.to_cols_array_2d();
        Now {
            turn: columns.map(|column| column.map(<f32x8 as Lanes>::splat)),
            shift: view.shift.to_array().map(<f32x8 as Lanes>::splat),
            scale: scale.map(<f32x8 as Lanes>::splat),
            slack: front_slack(view),
        }
    }

    /// Lower bounds of the gaps along `forth`, in units of the pair.
    ///
    /// Let `e = -R^T forth`, which is `back + turned`. The gap is `forth . T` less the reach of A along `forth` and the reach of
    /// B along `e`, and the latter is at most that along `back` plus `turned . x` for some point `x` of the part, which is
    /// at most `turned . centre + |turned| radius`.
    #[inline(always)]
    fn gaps(&self, block: &Block) -> f32x8 {
        let dot = |a: &[f32x8; 3], b: &[f32x8; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let turned: [f32x8; 3] =
            std::array::from_fn(|axis| f32x8::ZERO - dot(&self.turn[axis], &block.forth) - block.back[axis]);
        let of_turn = dot(&turned, &block.centre) + dot(&turned, &turned).sqrt() * block.radius;
        let [reach_a, reach_b] = block.reach;
        let reach = self.scale[0] * reach_a + self.scale[1] * (reach_b + of_turn);
        dot(&block.forth, &self.shift) - reach - self.slack
    }
}

/// What a gap along a direction may be too large by, in units of the pair.
///
/// With `e` the roundoff of `f32`, `a` and `b` the scales and `T` the offset: a coordinate of `turned` errs by `5.1e`, as rows
/// of a rotation and directions have length 1, so with centre and radius of at most `1.74 b` each it adds `31e b`. Their
/// products, the root and the sum round by `24e b`; reaches of corners, boxes and slabs by `6e (a + b)`; the offset and
/// the last sums by `6e a + 11e b + 8e T`. Plane slack is more than that, with all that poses may be off by, and
/// half of it is to spare.
pub(super) fn front_slack<B: Kind>(view: &View<f32x8, B>) -> f32x8 {
    view.plane_slack * <f32x8 as Lanes>::splat(1.5)
}

/// Triangles of two leaves that no direction keeps apart, and how far the bodies will have travelled before any of them can meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Close {
    pub parts: LeafParts,
    until: f64,
}

/// A cut through the pairs of parts of two trees: every pair of triangles is below exactly one of its pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct Front {
    blocks: Vec<Block>,
    count: usize,
    /// Triangles of pairs of leaves that no direction kept apart.
    pub close: Vec<Close>,
    /// How far points of B moved, seen from A, since something was close; and where the bodies were last.
    travelled: f64,
    place: Option<Placement>,
    /// How many pairs there were when it was made, and how often it was used since.
    made: Option<usize>,
    uses: u32,
    /// Whether it outgrew its room, so that it does not cover all.
    overflown: bool,
    /// With fronts that outgrow their room.
    making: Patience<MOST_WAIT>,
}

/// More pairs than this are not kept: 60 kB.
pub(super) const MOST_PAIRS: usize = 1024;
const MOST_USES: u32 = 256;
const USES_BETWEEN_TRIES: u32 = 8;

impl Front {
    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0 && self.close.is_empty()
    }

    /// Bytes of its memory, used or kept.
    pub fn bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>() + self.close.capacity() * size_of::<Close>()
    }

    /// Forgets all, keeps the memory.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.close.clear();
        (self.travelled, self.place) = (0.0, None);
        (self.count, self.made, self.uses, self.overflown) = (0, None, 0, false);
    }

    /// The cut at the roots.
    pub fn restart(&mut self) {
        self.clear();
        self.push(Parts::WHOLE, &Proof::NONE);
    }

    /// Whether to make it anew: cuts become finer with every use, never coarser.
    pub fn is_worn(&self) -> bool {
        self.uses >= MOST_USES || self.made.is_some_and(|made| self.count > 2 * made + 32)
    }

    /// Whether to try again what failed: not each time, as it costs as much as what it would save.
    pub fn is_time_to_try(&self) -> bool {
        self.uses.is_multiple_of(USES_BETWEEN_TRIES)
    }

    /// Whether to use it now; at the roots if it is empty.
    pub fn begin(&mut self) -> bool {
        if self.making.is_waiting() {
            return false;
        }
        if self.is_empty() {
            self.restart();
        }
        true
    }

    /// After a use, which left some of it as it was if it ended early.
    pub fn end(&mut self, is_early: bool) {
        if self.overflown {
            self.clear();
            self.making.failed();
            return;
        }
        self.uses += 1;
        self.making.succeeded();
        if !is_early {
            self.made.get_or_insert(self.count);
        }
    }

    pub fn push(&mut self, parts: Parts, proof: &Proof) {
        if self.count + self.close.len() >= MOST_PAIRS {
            self.overflown = true;
            return;
        }
        if self.count == WIDTH * self.blocks.len() {
            self.blocks.push(Block::EMPTY);
        }
        self.blocks[self.count / WIDTH].set(self.count % WIDTH, parts, proof);
        self.count += 1;
    }

    /// Part of what was close before, so that it does not count as wear.
    pub fn push_divided(&mut self, parts: LeafParts, proof: &Proof) {
        self.push(Parts::Leaves(parts), proof);
        self.made = self.made.map(|made| made + 1);
    }

    /// Triangles that are at least so far apart, in the world.
    pub fn push_close(&mut self, parts: LeafParts, gap: f64) {
        if self.count + self.close.len() >= MOST_PAIRS {
            self.overflown = true;
        } else {
            self.close.push(Close { parts, until: self.travelled + gap });
        }
    }

    /// Takes note of where the bodies are now.
    pub fn travel<B>(&mut self, pair: &TreePair<'_, B>) {
        let now = pair.placement();
        (self.travelled, self.place) = (self.travelled_until(pair, &now), Some(now));
    }

    fn travelled_until<B>(&self, pair: &TreePair<'_, B>, now: &Placement) -> f64 {
        self.place.map_or(0.0, |place| self.travelled + pair.approach(&place, now))
    }

    /// Whether triangles that were close are farther apart than a distance, by how far the bodies travelled since.
    pub fn is_far(&self, close: &Close, distance: f64) -> bool {
        close.until - self.travelled > distance
    }

    /// Whether all are.
    pub fn are_far<B>(&self, pair: &TreePair<'_, B>, distance: f64) -> bool {
        self.close.is_empty() || {
            let travelled = self.travelled_until(pair, &pair.placement());
            self.close.iter().all(|close| close.until - travelled > distance)
        }
    }

    /// A pair, and the directions of its proof.
    pub fn at(&self, index: usize) -> (Parts, [DVec3; 2]) {
        let (block, lane) = (&self.blocks[index / WIDTH], index % WIDTH);
        let vector = |x: &[f32x8; 3]| DVec3::from_array(x.each_ref().map(|x| f64::from(x.as_array()[lane])));
        (block.parts[lane], [vector(&block.forth), vector(&block.back)])
    }

    pub fn set(&mut self, index: usize, parts: Parts, proof: &Proof) {
        self.blocks[index / WIDTH].set(index % WIDTH, parts, proof);
    }

    /// Takes a pair out; the last one takes its number.
    pub fn remove(&mut self, index: usize) {
        self.count -= 1;
        let last = &self.blocks[self.count / WIDTH];
        let (parts, proof) = (last.parts[self.count % WIDTH], last.proof(self.count % WIDTH));
        self.set(index, parts, &proof);
        self.blocks.truncate(self.count.div_ceil(WIDTH));
    }

    /// The numbers of pairs that are not proved more than a gap apart, in units of the pair.
    pub fn failing(&self, now: &Now, needed: f64, failing: &mut Vec<u32>) {
        failing.clear();
        let needed = f32x8::splat_up(needed);
        for (index, block) in self.blocks.iter().enumerate() {
            let first = index * WIDTH;
            let all = if self.count - first >= WIDTH { 0xff } else { (1 << (self.count - first)) - 1 };
            super::lanes::each_lane(now.gaps(block).at_most(needed) & all, |lane| {
                failing.push((first + lane) as u32);
            });
        }
    }
}

impl<B> Tree<B> {
    /// A hash of which triangles are where in the tree: trees of one mesh may differ in it.
    pub(super) fn structure_hash(&self) -> u64 {
        let words = |pair: &[u32]| pair.iter().fold(0, |word, &half| word << 32 | u64::from(half));
        let of_node = |node: &Node<B>| {
            let counts = u64::from(node.nodes) << 8 | u64::from(node.children);
            [words(&[node.first_node, node.first_leaf]), counts, u64::from_le_bytes(node.sizes)]
        };
        let nodes = self.nodes.iter().flat_map(of_node);
        let leaves = self.leaves.iter().flat_map(|leaf| leaf.triangles.chunks_exact(2).map(words));
        nodes.chain(leaves).fold(self.nodes.len() as u64, mix)
    }
}

/// A direction in both frames, rounded to what proofs hold.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub forth: [f32; 3],
    pub back: [f32; 3],
    /// The product of `forth` with the offset, less the slack, in units of the pair.
    pub between: f64,
}

impl Line {
    /// Along a vector of the frame of A; `None` if it has no direction.
    #[inline]
    pub fn new<B: Kind>(view: &View<f32x8, B>, vector: DVec3) -> Option<Line> {
        let length = vector.length();
        // Written so that NaN counts as none.
        if !(length > 1e-30 && length < 1e30) {
            return None;
        }
        let forth = (vector * ((1.0 - f32x8::SLACK) / length)).to_array().map(|x| x as f32);
        let held = DVec3::from_array(forth.map(f64::from));
        let back = (view.turn.transpose() * held).to_array().map(|x| -x as f32);
        Some(Line { forth, back, between: held.dot(view.shift) - front_slack(view).lane(0) })
    }
}
