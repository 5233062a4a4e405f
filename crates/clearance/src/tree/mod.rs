//! Trees over the triangles of meshes, and pairs of triangles near each other under two poses.
//!
//! | question | function |
//! |---|---|
//! | a tree for a mesh, stored, loaded, adapted to moved vertices | [`Tree::build`], [`Tree::to_bytes`], [`Tree::from_bytes`], [`Tree::refit`] |
//! | the same tree over another kind of bound, and its groups of triangles | [`Tree::with_bound`], [`Tree::level`] |
//! | which triangles are not proved more than `d` apart? | [`TreePair::traverse`] |
//! | the nearest triangles, by any measure that bounds distances | [`TreePair::nearest`] |
//! | a lower bound of the distance for a fixed amount of work | [`TreePair::lower_bound`] |
//! | do two triangles cross, how far apart are they, as floats can prove? | [`TreePair::crossing`], [`TreePair::gap`] |
//! | all of it for two meshes, from frame to frame | [`MeshPair`], [`Coherence`] |
//!
//! **What is proved.** Boxes hold the exact triangles. Every comparison subtracts what rounding may do to it, including
//! the rounding of poses whose matrices are orthonormal only to `1e-9`. So what is called apart is apart under the exact
//! poses, a bound of a distance holds, and nothing near is left out; how fast that is known depends on luck, the answer
//! does not. What floats cannot settle, triangles that touch or nearly do, is passed on to the caller as unclear.
//!
//! **How.** Nodes hold eight boxes in single precision, relative to an origin and a unit of the mesh. Two nodes are
//! compared at once, 8 x 8 boxes in both frames with Euclidean gaps. What else a node knows about its parts is a type
//! parameter: [`Slabs`] by default; [`CutCorners`] makes the boxes hulls of 14 directions, [`OrientedBoxes`] adds
//! boxes of any turn, [`BoxesAlone`] nothing.
//! `docs/hulls.md` says what `lab trees` measured of them. Where single precision does not resolve a pair,
//! because of its sizes or its offset, the same kernels run in double precision. Queries do not allocate once their
//! [`Scratch`] is large enough.
//!
//! ```
//! use clearance::shape::{Mesh, MeshConfig, sample};
//! use clearance::tree::{Coherence, MeshPair, Placed, Scratch, Tree};
//! use clearance::{Pose, glam::DVec3};
//! let mesh = Mesh::build(&sample::icosphere(1.0, 16)?, &MeshConfig::default())?;
//! let tree = Tree::build(&mesh);
//! let there = Pose::from_translation(DVec3::new(2.5, 0.5, 0.0))?;
//! let pair = MeshPair::new(
//!     Placed { mesh: &mesh, tree: &tree, pose: &Pose::IDENTITY },
//!     Placed { mesh: &mesh, tree: &tree, pose: &there },
//! );
//! let (mut coherence, mut scratch) = (Coherence::default(), Scratch::default());
//! // Triangles that touch would be left to this closure.
//! let undecided = |_, _| unreachable!("they are far apart");
//! let distance = pair.distance(&mut coherence, &mut scratch, undecided);
//! assert!(distance.gap.lower > 0.54 && distance.gap.upper < 0.56);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod boxes_alone;
mod build;
mod bytes;
mod coherence;
mod corners;
mod crossing;
mod cut_corners;
mod encounter;
mod error;
mod expand;
mod facing;
mod fit;
mod frame;
mod front;
mod gap;
mod guide;
mod kind;
mod lanes;
mod leaf_proof;
mod level;
mod local;
mod measuring;
mod nearest;
mod node;
mod ordered;
mod oriented;
mod packet;
mod pair;
mod part_proof;
mod parts;
mod placement;
mod point;
mod query;
mod ray;
mod region;
mod resume;
mod scratch;
mod slab;
mod split;
mod swept;
mod tile;
mod traverse;
#[cfg(feature = "oracle")]
mod unproved;
mod validate;
mod view;

pub use boxes_alone::BoxesAlone;
pub use coherence::Coherence;
pub use crossing::Crossing;
pub use cut_corners::CutCorners;
pub use encounter::{Course, Encounter};
pub use error::{TreeDefect, TreeError};
pub use gap::Gap;
pub use kind::Bound;
pub(crate) use measuring::Judge;
pub use nearest::Nearer;
pub use oriented::OrientedBoxes;
pub use pair::TreePair;
pub use query::{MeshDistance, MeshPair, Placed};
pub use scratch::{Scratch, Stats};
pub use slab::Slabs;
pub use swept::Earlier;

use crate::math::round::power_of_two;
use frame::Frame;
use node::{Leaf, Node};

/// A tree over the triangles of a mesh: nodes of eight boxes, leaves of up to eight triangles.
///
/// It belongs to the mesh it was built for, which it does not own. Between 50 and 60 bytes for each triangle of smooth
/// meshes; at most 100 in all that was tried, down to 40 triangles.
#[derive(Clone, Debug)]
pub struct Tree<B = Slabs> {
    frame: Frame,
    nodes: Vec<Node<B>>,
    leaves: Vec<Leaf>,
    triangles: u32,
    /// No point is farther from the origin of the frame, in its units.
    reach: f32,
    /// A hash of the positions and triangles of the mesh.
    fingerprint: u64,
    /// A hash of nodes and leaves without their coordinates.
    structure: u64,
}

impl<B> Tree<B> {
    /// How many triangles it is over.
    pub fn triangle_count(&self) -> usize {
        self.triangles as usize
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        size_of::<Tree<B>>() + size_of_val(&self.nodes[..]) + size_of_val(&self.leaves[..])
    }

    /// No point of the mesh is farther from the origin of the frame.
    fn radius(&self) -> f64 {
        f64::from(self.reach) * power_of_two(self.frame.exponent)
    }
}
