//! Trees over the triangles of meshes, and the pairs of triangles near each other under two poses.

mod build;
mod bytes;
mod coherence;
mod crossing;
mod error;
mod facing;
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
mod placement;
mod point;
mod query;
mod ray;
mod region;
mod scratch;
mod slab;
mod split;
mod tile;
mod traverse;
mod validate;
mod view;

pub use nearest::Nearer;
pub use pair::TreePair;
pub use query::{MeshDistance, MeshPair, Placed};
pub use scratch::{Scratch, Stats};

pub use coherence::Coherence;
pub use crossing::Crossing;
pub use error::{TreeDefect, TreeError};
pub use gap::Gap;

use crate::math::round::power_of_two;
use frame::Frame;
use node::{Leaf, LocalBox, Node};

/// A bounding-volume tree over the triangles of a mesh: nodes of eight boxes, leaves of up to eight triangles.
#[derive(Clone, Debug)]
pub struct Tree {
    frame: Frame,
    nodes: Vec<Node>,
    leaves: Vec<Leaf>,
    triangles: u32,
    /// A hash of the positions and triangles of the mesh.
    fingerprint: u64,
}

impl Tree {
    /// How many triangles it is over.
    pub fn triangle_count(&self) -> usize {
        self.triangles as usize
    }

    /// No point of the mesh is farther from the middle of its bounds.
    fn radius(&self) -> f64 {
        let LocalBox { low, high } = self.nodes[0].local_box(0);
        let reach = |axis: usize| f64::from(high[axis].max(-low[axis]));
        let square = (0..3).map(|axis| reach(axis) * reach(axis)).sum::<f64>();
        // Twice as much as rounding may take away.
        square.sqrt() * (1.0 + 8.0 * f64::EPSILON) * power_of_two(self.frame.exponent)
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        size_of::<Tree>() + size_of_val(&self.nodes[..]) + size_of_val(&self.leaves[..])
    }
}
