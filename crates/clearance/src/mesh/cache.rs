//! What is kept from query to query.

use crate::solid::Contact;
use crate::tree::{Scratch, Stats};

/// Buffers, and the triangles that settled the last query of a pair; the content changes speed, never an answer.
#[derive(Clone, Debug, Default)]
pub struct MeshCache {
    pub(super) scratch: Scratch,
    pub(super) contacts: Vec<Contact>,
    /// Triangles that crossed, or were nearest.
    pub(super) witness: Option<(u32, u32)>,
    pub(super) candidates: Vec<(f64, u32, u32)>,
}

impl MeshCache {
    /// Work done so far, added up over queries.
    pub fn stats(&self) -> Stats {
        self.scratch.stats
    }
}
