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

    /// Work done so far, added up over queries.
    pub fn stats(&self) -> Stats {
        self.scratch.stats
    }
}
