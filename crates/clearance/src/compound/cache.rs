//! What is remembered of two compounds from frame to frame.

use crate::mesh::MeshCache;
use crate::pair::{GilbertCache, Tracker, TrackerMode};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Queries after which what no query used since is forgotten.
const SWEEP: u64 = 64;

/// Most pairs of nodes that are remembered, unless the user says otherwise: some twenty megabytes.
const PAIR_LIMIT: usize = 1 << 15;

/// What settled each pair of nodes of two compounds when it was looked at last, and buffers.
///
/// For one pair of compounds. The content is not trusted: with others, only speed is lost, never an answer.
#[derive(Clone, Debug)]
pub struct CompoundCache {
    pairs: FxHashMap<(u32, u32), Remembered>,
    limit: usize,
    /// Stands in when there is no room.
    spare: Remembered,
    /// The pair of leaves that settled the last query; looked at first.
    pub(super) decisive: Option<(u32, u32)>,
    pub(super) stack: Vec<(u32, u32)>,
    /// Pairs of nodes after the bits of their least distance, which are ordered as non-negative floats are.
    pub(super) queue: BinaryHeap<Reverse<(u64, u32, u32)>>,
    pub(super) stats: CompoundStats,
}

/// What is remembered of a pair of nodes.
#[derive(Clone, Debug)]
pub(super) struct Remembered {
    last_query: u64,
    pub tracker: Tracker,
    pub gilbert: GilbertCache,
    pub mesh: Option<Box<MeshCache>>,
}

/// What queries did, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompoundStats {
    /// Queries asked.
    pub queries: u64,
    /// Pairs of hulls that were tested, pairs of convex parts among them.
    pub node_pairs: u64,
    /// Those of a relation that were settled by what was remembered.
    pub remembered: u64,
    /// Pairs of parts with a mesh whose hulls were not enough.
    pub mesh_pairs: u64,
}

impl Default for Remembered {
    fn default() -> Remembered {
        Remembered {
            last_query: 0,
            tracker: Tracker::new(TrackerMode::SeparatingVector),
            gilbert: GilbertCache::default(),
            mesh: None,
        }
    }
}

impl Remembered {
    /// Bytes of memory beside its own.
    fn bytes(&self) -> usize {
        let mesh = self.mesh.as_deref().map_or(0, |mesh| size_of::<MeshCache>() + mesh.bytes());
        mesh + self.tracker.bytes() + self.gilbert.bytes()
    }
}

impl Default for CompoundCache {
    fn default() -> CompoundCache {
        CompoundCache::with_limit(PAIR_LIMIT)
    }
}

impl CompoundCache {
    /// A cache that remembers at most so many pairs of nodes; others are settled anew in each frame.
    pub fn with_limit(pairs: usize) -> CompoundCache {
        CompoundCache {
            pairs: FxHashMap::default(),
            limit: pairs,
            spare: Remembered::default(),
            decisive: None,
            stack: Vec::new(),
            queue: BinaryHeap::new(),
            stats: CompoundStats::default(),
        }
    }

    /// What was done so far.
    pub fn stats(&self) -> CompoundStats {
        self.stats
    }

    /// How many pairs of nodes are remembered.
    pub fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// Bytes of memory that it holds on to beside its own, about: for each pair of nodes, with what is remembered of meshes,
    /// and for buffers.
    pub fn bytes(&self) -> usize {
        let of_pairs: usize = self.pairs.values().map(Remembered::bytes).sum();
        // Tables are full to seven eighths at most, with a byte more for each place.
        let places = (8 * self.pairs.capacity()).div_ceil(7);
        of_pairs
            + places * (size_of::<((u32, u32), Remembered)>() + 1)
            + self.spare.bytes()
            + self.stack.capacity() * size_of::<(u32, u32)>()
            + self.queue.capacity() * size_of::<Reverse<(u64, u32, u32)>>()
    }

    /// Starts a query; now and then forgets what is out of use.
    pub(super) fn begin(&mut self) {
        self.stack.clear();
        self.queue.clear();
        self.stats.queries += 1;
        let now = self.stats.queries;
        if now.is_multiple_of(SWEEP) {
            self.pairs.retain(|_, pair| pair.last_query + SWEEP > now);
            if self.pairs.capacity() > 8 * self.pairs.len() {
                self.pairs.shrink_to(2 * self.pairs.len());
            }
        }
    }

    /// What is remembered of a pair of nodes.
    pub(super) fn of(&mut self, nodes: (u32, u32)) -> &mut Remembered {
        if self.pairs.len() >= self.limit && !self.pairs.contains_key(&nodes) {
            return &mut self.spare;
        }
        let pair = self.pairs.entry(nodes).or_default();
        pair.last_query = self.stats.queries;
        pair
    }
}
