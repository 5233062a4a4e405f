//! What a prepared polytope takes.

use super::block::Blocks;
use super::{Starts, SupportMap};
use crate::shape::Polytope;

/// What is promised by [`SupportMap::bytes`].
const BYTES_A_VERTEX: usize = 250;
const BYTES_BESIDES: usize = 1024;

impl SupportMap {
    /// Bytes of memory held, the polytope itself included.
    ///
    /// Never more than 250 for each vertex and 1024 besides: 88 for the polytope, at most `1.5 * 96 + 4` for the
    /// blocks (since the mean degree is below 6, at most half of the vertices have more than 8 neighbours; on
    /// random bodies 104) and at most 12 for the starts, or what is left for places of a scan and lists of candidates.
    pub fn bytes(&self) -> usize {
        let starts = match &self.starts {
            Starts::Scan(scan) => scan.bytes(),
            Starts::Candidates(lists) => lists.bytes(),
            Starts::CubeMap(table) => table.bytes(),
        };
        size_of::<SupportMap>() + polytope_bytes(&self.polytope) + self.blocks.bytes() + starts
    }
}

/// What the starts may take.
pub(super) fn left_for_starts(polytope: &Polytope, blocks: &Blocks) -> usize {
    let held = size_of::<SupportMap>() + polytope_bytes(polytope) + blocks.bytes();
    (BYTES_A_VERTEX * polytope.vertices().len() + BYTES_BESIDES).saturating_sub(held)
}

/// Heap bytes of a polytope: points, original indices, faces and neighbours, the latter two with their starts.
fn polytope_bytes(polytope: &Polytope) -> usize {
    let vertices = polytope.vertices().len();
    let corners: usize = polytope.faces().map(<[u32]>::len).sum();
    let indices = vertices + polytope.face_count() + 1 + corners + vertices + 1 + 2 * polytope.edge_count();
    size_of_val(polytope.vertices()) + indices * size_of::<u32>()
}
