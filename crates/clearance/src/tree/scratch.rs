//! What a query needs besides its input: room for its work and counters.

use super::expand::Entry;
use super::measuring::JudgedLeaves;
use super::parts::LeafParts;
use std::collections::BinaryHeap;

/// Room that queries reuse, so that they do not allocate once it is large enough, and counters.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) entries: Vec<Entry>,
    pub(super) near: Vec<Entry>,
    pub(super) heap: BinaryHeap<Entry>,
    pub(super) failing: Vec<u32>,
    pub(super) room: Room,
    pub(super) judged: [JudgedLeaves; 2],
    /// The places of the leaves that a walk looked at last.
    pub(super) leaves: (u32, u32),
    /// Pairs of triangles that the last distance looked at and that may be nearest, each with a lower bound of its
    /// distance: for who wants the bracket narrower than floats make it.
    pub candidates: Vec<(f64, u32, u32)>,
    /// What was done, added up over queries.
    pub stats: Stats,
}

/// Buffers that together are larger are not kept by those who keep many: 64 kB.
const MOST_KEPT: usize = 1 << 16;

impl Scratch {
    /// Bytes of memory that it holds on to beside its own.
    pub fn bytes(&self) -> usize {
        fn of<T>(list: &Vec<T>) -> usize {
            list.capacity() * size_of::<T>()
        }
        let Room { places, near, leaves } = &self.room;
        let judged: usize = self.judged.iter().map(of).sum();
        of(&self.entries)
            + of(&self.near)
            + self.heap.capacity() * size_of::<Entry>()
            + of(&self.failing)
            + (of(places) + of(near) + of(leaves))
            + judged
            + of(&self.candidates)
    }

    /// Gives back what a large query needed and most do not: afterwards it holds 64 kB at most.
    pub(crate) fn trim(&mut self) {
        if self.bytes() > MOST_KEPT {
            *self = Scratch { leaves: self.leaves, stats: self.stats, ..Scratch::default() };
        }
    }
}

/// What is in hand while a front is repaired.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    pub places: Vec<(u32, u32)>,
    pub near: Vec<Entry>,
    pub leaves: Vec<LeafParts>,
}

/// What traversals did, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Proofs of earlier frames that were tried again.
    pub proofs: u64,
    /// Pairs of places that were expanded, each into up to 64 pairs of boxes.
    pub steps: u64,
    /// Pairs of boxes that were compared.
    pub node_pairs: u64,
    /// Pairs of places that were compared along the line through their centres.
    pub facing: u64,
    /// Pairs of leaves that were compared.
    pub leaf_pairs: u64,
    /// Pairs of triangles in those leaves.
    pub triangle_pairs: u64,
    /// Pairs of triangles that neither boxes nor planes separated.
    pub visits: u64,
}
