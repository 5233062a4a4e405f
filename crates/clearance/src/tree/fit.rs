//! Corners, boxes and what else bounds parts, from the positions of a mesh.

use super::bytes::fingerprint;
use super::corners::Corners;
use super::node::{Child, Leaf, LocalBox, Node, WIDTH};
use super::slab::facing_of;
use super::{Bound, Tree, TreeError};
use crate::shape::Mesh;
use glam::DMat3;
use rayon::prelude::*;
use wide::f32x8;

/// Leaves or nodes that one thread takes at least.
const SHARE: usize = 512;

impl<B: Bound> Tree<B> {
    /// Adapts all boxes to moved vertices; which triangles share a leaf stays as it was.
    ///
    /// Queries stay correct for any motion and fast for small ones. Refused if the number of triangles changed.
    /// `O(n log n)`, four times faster than building.
    pub fn refit(&mut self, mesh: &Mesh) -> Result<(), TreeError> {
        self.check_count(mesh)?;
        self.fit(mesh, &Corners::of(mesh));
        Ok(())
    }

    pub(super) fn check_count(&self, mesh: &Mesh) -> Result<(), TreeError> {
        let (tree, mesh) = (self.triangles as usize, mesh.triangles().len());
        if tree == mesh { Ok(()) } else { Err(TreeError::TriangleCount { tree, mesh }) }
    }

    /// Computes all coordinates.
    pub(super) fn fit(&mut self, mesh: &Mesh, corners: &Corners<'_>) {
        (self.frame, self.fingerprint) = (corners.frame, fingerprint(mesh));
        self.structure = self.structure_hash();
        let fit_leaf = |leaf: &mut Leaf| {
            let whole = leaf.set_corners(corners);
            FittedLeaf { whole, reach: reach(leaf), facing: facing_of(leaf) }
        };
        let fitted: Vec<FittedLeaf> = self.leaves.par_iter_mut().with_min_len(SHARE).map(fit_leaf).collect();
        self.reach = fitted.iter().fold(0.0, |most, leaf| most.max(leaf.reach));
        let mut facings = vec![DMat3::ZERO; self.nodes.len()];
        // Children come after their parents.
        for index in (0..self.nodes.len()).rev() {
            let (above, below) = self.nodes.split_at_mut(index + 1);
            above[index].set_boxes(|child| match child {
                Child::Node(node) => below[node as usize - index - 1].whole_box(),
                Child::Leaf { index, .. } => fitted[index as usize].whole,
            });
            facings[index] = above[index].children().map(|child| facing(child, &facings, &fitted)).sum();
        }
        let facing = |child| facing(child, &facings, &fitted);
        let bounds_of = |node: &Node<B>| self.bounds_of(node, facing);
        let more: Vec<B> = self.nodes.par_iter().with_min_len(SHARE / WIDTH).map(bounds_of).collect();
        for (node, more) in self.nodes.iter_mut().zip(more) {
            node.more = more;
        }
    }

    /// What bounds all children besides their boxes; lanes without a child repeat the first.
    fn bounds_of(&self, node: &Node<B>, facing: impl Fn(Child) -> DMat3) -> B {
        let part = |child| B::part(self, child, &facing(child));
        let mut parts = [part(node.child(0)); WIDTH];
        for lane in 1..usize::from(node.children) {
            parts[lane] = part(node.child(lane));
        }
        B::of_parts(parts)
    }

    pub(super) fn each_leaf(&self, child: Child, visit: &mut impl FnMut(&Leaf)) {
        match child {
            Child::Leaf { index, .. } => visit(&self.leaves[index as usize]),
            Child::Node(index) => {
                self.nodes[index as usize].children().for_each(|child| self.each_leaf(child, visit));
            }
        }
    }
}

/// What is computed once for a leaf and asked for on several levels.
struct FittedLeaf {
    whole: LocalBox,
    reach: f32,
    facing: DMat3,
}

/// Where all triangles of a part face, see [`facing_of`].
fn facing(child: Child, nodes: &[DMat3], leaves: &[FittedLeaf]) -> DMat3 {
    match child {
        Child::Node(index) => nodes[index as usize],
        Child::Leaf { index, .. } => leaves[index as usize].facing,
    }
}

/// No corner of a leaf is farther from the origin, in units of the frame.
///
/// Rounding of corners takes away at most `2^-24`, of squares, sums and the root less than another `2^-22`.
fn reach(leaf: &Leaf) -> f32 {
    let square = |[x, y, z]: [f32x8; 3]| x * x + y * y + z * z;
    let [a, b, c] = leaf.corners.map(square);
    let largest = a.fast_max(b).fast_max(c).to_array().into_iter().fold(0.0, f32::max);
    largest.sqrt() + 4.0 * f32::EPSILON
}
