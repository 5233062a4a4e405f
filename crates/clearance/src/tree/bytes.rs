//! A tree as bytes, to be loaded instead of built again.
//!
//! Only what building decides is stored: which triangles share a leaf, and which leaves and nodes share a node. Boxes are
//! computed from the mesh when the tree is loaded, so no bytes, damaged or forged, can make a box too small.
//!
//! ```text
//! clr-tree  8 bytes
//! version   u32       triangles u32   nodes u32   leaves u32
//! mesh      u64       fingerprint of its positions and triangles
//! nodes     18 bytes  first node u32, first leaf u32, nodes u8, children u8, sizes of leaves 8 x u8
//! leaves    32 bytes  triangles 8 x u32, the first repeated where there are fewer
//! checksum  u64       of all bytes before
//! ```
//! All numbers are little-endian.

use super::corners::Corners;
use super::frame::Frame;
use super::node::{Leaf, Node, WIDTH};
use super::{Slabs, Tree, TreeError};
use crate::shape::Mesh;

const MAGIC: &[u8; 8] = b"clr-tree";
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 32;
const NODE_BYTES: usize = 18;
const LEAF_BYTES: usize = 32;
const CHECKSUM_BYTES: usize = 8;

impl<B> Tree<B> {
    /// The tree as bytes, about 6 for each triangle; the same for every kind of bound.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(file_length(self.nodes.len(), self.leaves.len()));
        bytes.extend(MAGIC);
        let counts = [self.triangles, self.nodes.len() as u32, self.leaves.len() as u32];
        bytes.extend([VERSION].iter().chain(&counts).flat_map(|n| n.to_le_bytes()));
        bytes.extend(self.fingerprint.to_le_bytes());
        for node in &self.nodes {
            bytes.extend(node.first_node.to_le_bytes());
            bytes.extend(node.first_leaf.to_le_bytes());
            bytes.extend([node.nodes, node.children]);
            bytes.extend(node.sizes);
        }
        bytes.extend(self.leaves.iter().flat_map(|leaf| leaf.triangles).flat_map(u32::to_le_bytes));
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }
}

impl Tree {
    /// The tree that was stored, with boxes computed from the mesh it belongs to. `O(n)`.
    pub fn from_bytes(bytes: &[u8], mesh: &Mesh) -> Result<Tree, TreeError> {
        let [triangles, nodes, leaves] = check_header(bytes)?;
        let body = &bytes[HEADER_BYTES..bytes.len() - CHECKSUM_BYTES];
        let (node_bytes, leaf_bytes) = body.split_at(nodes as usize * NODE_BYTES);
        let tree = Tree {
            frame: Frame::of_box(mesh.bounds()),
            fingerprint: number64(&bytes[24..]),
            nodes: node_bytes.chunks_exact(NODE_BYTES).map(node_of).collect(),
            leaves: leaf_bytes.chunks_exact(LEAF_BYTES).map(leaf_of).collect(),
            triangles,
            reach: 0.0,
            structure: 0,
        };
        debug_assert_eq!(tree.leaves.len(), leaves as usize);
        tree.check_count(mesh)?;
        if tree.fingerprint != fingerprint(mesh) {
            return Err(TreeError::OtherMesh);
        }
        tree.check_structure()?;
        let mut tree = tree;
        tree.fit(mesh, &Corners::of(mesh));
        Ok(tree)
    }
}

/// The counts of triangles, nodes and leaves, if version, length and checksum are right.
fn check_header(bytes: &[u8]) -> Result<[u32; 3], TreeError> {
    if !bytes.starts_with(MAGIC) {
        return Err(TreeError::NotATree);
    }
    let too_short = TreeError::Length { found: bytes.len(), expected: HEADER_BYTES + CHECKSUM_BYTES };
    let numbers = bytes.get(MAGIC.len()..HEADER_BYTES).ok_or(too_short)?;
    let [version, triangles, nodes, leaves] = [0, 4, 8, 12].map(|at| number32(&numbers[at..]));
    if version != VERSION {
        return Err(TreeError::Version { found: version, expected: VERSION });
    }
    let expected = file_length(nodes as usize, leaves as usize);
    if bytes.len() != expected {
        return Err(TreeError::Length { found: bytes.len(), expected });
    }
    let (before, sum) = bytes.split_at(expected - CHECKSUM_BYTES);
    if checksum(before) != number64(sum) {
        return Err(TreeError::Checksum);
    }
    Ok([triangles, nodes, leaves])
}

fn file_length(nodes: usize, leaves: usize) -> usize {
    HEADER_BYTES + nodes * NODE_BYTES + leaves * LEAF_BYTES + CHECKSUM_BYTES
}

fn node_of(bytes: &[u8]) -> Node<Slabs> {
    let mut node = Node::new(number32(bytes), number32(&bytes[4..]), 0, &[]);
    (node.nodes, node.children) = (bytes[8], bytes[9]);
    node.sizes = std::array::from_fn(|lane| bytes[10 + lane]);
    node
}

fn leaf_of(bytes: &[u8]) -> Leaf {
    let triangles: [u32; WIDTH] = std::array::from_fn(|lane| number32(&bytes[4 * lane..]));
    Leaf::new(triangles.into_iter())
}

/// The first four bytes as a number.
fn number32(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| bytes[i]))
}

/// The first eight bytes as a number.
fn number64(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| bytes[i]))
}

/// Mixes a word into a hash; for a fixed word a bijection of the hash, for a fixed hash one of the word. So two inputs
/// that differ in one word never have the same hash.
pub(super) fn mix(hash: u64, word: u64) -> u64 {
    let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 32)
}

fn checksum(bytes: &[u8]) -> u64 {
    let words = bytes
        .chunks(8)
        .map(|chunk| u64::from_le_bytes(std::array::from_fn(|i| chunk.get(i).copied().unwrap_or(0))));
    words.fold(bytes.len() as u64, mix)
}

/// A hash of what a tree depends on.
pub(super) fn fingerprint(mesh: &Mesh) -> u64 {
    let positions = mesh.positions().iter().flat_map(|p| p.to_array()).map(f64::to_bits);
    let triangles = mesh.triangles().iter().flatten().map(|&vertex| u64::from(vertex));
    positions.chain(triangles).fold(mesh.positions().len() as u64, mix)
}
