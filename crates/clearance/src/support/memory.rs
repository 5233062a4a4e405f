//! What a prepared polytope takes.

use super::block::Blocks;
use super::{Starts, SupportMap};
use crate::shape::Polytope;

/// What is promised by [`SupportMap::bytes`].
const BYTES_A_VERTEX: usize = 250;

/// From so many vertices on, what a body takes whatever its size is counted among them.
const MANY: usize = 100;

impl SupportMap {
    /// Bytes of memory held, the polytope itself included: as many as the allocator gave, and those of the value itself.
    ///
    /// Never more than 250 for each of 100 vertices and more; for fewer, 250 for each and the value itself, less than 1 kB. Of these 80
    /// to 88 are the polytope's, the latter where not all faces are triangles, and at most `1.5 * 96 + 4` those of the blocks
    /// (since the mean degree is below 6, at most half of the vertices have more than 8 neighbours; on random bodies 104).
    /// What is left is for the starts: places of a scan and lists of candidates as far as it goes, or a table of at most 4.
    pub fn bytes(&self) -> usize {
        let starts = match &self.starts {
            Starts::Scan(scan) => scan.bytes(),
            Starts::Candidates(lists) => lists.bytes(),
            Starts::CubeMap(table) => table.bytes(),
        };
        size_of::<SupportMap>() + self.polytope.heap_bytes() + self.blocks.bytes() + starts
    }
}

/// What the starts may take.
pub(super) fn left_for_starts(polytope: &Polytope, blocks: &Blocks) -> usize {
    let count = polytope.vertices().len();
    let held =
        polytope.heap_bytes() + blocks.bytes() + if count < MANY { 0 } else { size_of::<SupportMap>() };
    (BYTES_A_VERTEX * count).saturating_sub(held)
}
