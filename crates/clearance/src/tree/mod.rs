//! Trees over the triangles of meshes, and the pairs of triangles near each other under two poses.

mod build;
mod bytes;
mod crossing;
mod error;
mod frame;
mod gap;
mod guide;
mod lanes;
mod local;
mod nearest;
mod node;
mod ordered;
mod packet;
mod pair;
mod point;
mod ray;
mod region;
mod scratch;
mod split;
mod tile;
mod traverse;
mod validate;
mod view;

pub use nearest::Nearer;
pub use pair::TreePair;
pub use scratch::{Scratch, Stats};

pub use crossing::Crossing;
pub use error::{TreeDefect, TreeError};
pub use gap::Gap;

use frame::Frame;
use node::{Leaf, Node};

/// A bounding-volume tree over the triangles of a mesh: nodes of eight boxes, leaves of up to eight triangles.
#[derive(Clone, Debug)]
pub struct Tree {
    frame: Frame,
    nodes: Vec<Node>,
    leaves: Vec<Leaf>,
    triangles: u32,
}

impl Tree {
    /// How many triangles it is over.
    pub fn triangle_count(&self) -> usize {
        self.triangles as usize
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        size_of::<Tree>() + size_of_val(&self.nodes[..]) + size_of_val(&self.leaves[..])
    }
}
