//! Triangles as they come from a file or a generator, before anything is proved about them.

use glam::DVec3;
use std::ops::Range;

/// Triangles with indices into positions; nothing about them is checked.
///
/// Every reader and generator produces one, [`crate::shape`] turns it into a checked mesh. Positions
/// may repeat (welding is the mesh's business) and indices may be wrong (refusing is, too).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleSoup {
    /// Corner positions.
    pub positions: Vec<DVec3>,
    /// Corner indices, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Named runs of triangles in increasing order; empty when the source names none.
    pub parts: Vec<SoupPart>,
}

/// A named run of triangles of a [`TriangleSoup`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoupPart {
    /// The name in the source; may be empty.
    pub name: String,
    /// Which triangles.
    pub triangles: Range<u32>,
}
