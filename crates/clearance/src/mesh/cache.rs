//! What is kept from query to query.

use crate::tree::{Coherence, Scratch, Stats};

/// Buffers, the triangles that settled the last query of a pair, and how far apart the bodies were proved to be: that
/// holds until they have moved so far. The content changes speed, never an answer.
#[derive(Clone, Debug, Default)]
pub struct MeshCache {
    pub(crate) scratch: Scratch,
    pub(super) coherence: Coherence,
}

impl MeshCache {
    /// Forgets the bodies, keeps the buffers: for queries about other pairs.
    pub fn forget(&mut self) {
        self.coherence.forget();
    }

    /// Bytes of memory that it holds on to beside its own. What is remembered is bounded by 92 kB; buffers are as large as
    /// the largest query needed.
    pub fn bytes(&self) -> usize {
        self.coherence.bytes() + self.scratch.bytes()
    }

    /// Gives large buffers back: afterwards it holds 160 kB at most.
    pub(crate) fn trim(&mut self) {
        self.scratch.trim();
    }

    /// Work done so far, added up over queries.
    pub fn stats(&self) -> Stats {
        self.scratch.stats
    }
}
