//! From a mesh to its tree: cuts by the surface-area heuristic, eight ways at once.

use super::bytes::fingerprint;
use super::frame::Frame;
use super::node::{Child, Leaf, LocalBox, Node, WIDTH};
use super::slab::Slab;
use super::split::{Item, Set};
use super::{Tree, TreeError};
use crate::shape::Mesh;
use rayon::prelude::*;

/// Sets smaller than this are built by the thread that cut them.
const PARALLEL: usize = 1 << 10;

impl Tree {
    /// The tree over all triangles of a mesh.
    ///
    /// Time `O(n log n)` on all threads of the current `rayon` pool; the result does not depend on how many there are.
    pub fn build(mesh: &Mesh) -> Tree {
        let frame = Frame::of_box(mesh.bounds());
        let count = mesh.triangles().len() as u32;
        let corners_of = |triangle: u32| mesh.triangle(triangle as usize);
        let item = |triangle: u32| Item::new(triangle, LocalBox::around(&frame, corners_of(triangle)));
        let mut items: Vec<Item> = (0..count).into_par_iter().with_min_len(PARALLEL).map(item).collect();
        // The first node has one child, the whole mesh: so every part of a tree is a lane of a node.
        let mut flat = Flat { nodes: vec![Node::new(0, 0, 0, &[])], leaves: Vec::new() };
        flat.place(0, &[plan(Set::new(&mut items))]);
        let mut tree =
            Tree { frame, nodes: flat.nodes, leaves: flat.leaves, triangles: count, fingerprint: 0 };
        tree.fit(mesh);
        tree
    }

    /// Adapts all boxes to moved vertices; which triangles share a leaf stays as it was.
    ///
    /// Queries stay correct for any motion and fast for small ones. Refused if the number of triangles changed.
    /// `O(n)`.
    pub fn refit(&mut self, mesh: &Mesh) -> Result<(), TreeError> {
        self.check_count(mesh)?;
        self.fit(mesh);
        Ok(())
    }

    /// Computes corners and boxes from the mesh.
    pub(super) fn fit(&mut self, mesh: &Mesh) {
        let frame = Frame::of_box(mesh.bounds());
        (self.frame, self.fingerprint) = (frame, fingerprint(mesh));
        let corners_of = |triangle: u32| mesh.triangle(triangle as usize);
        let leaves = self.leaves.par_iter_mut().with_min_len(PARALLEL / WIDTH);
        let boxes: Vec<LocalBox> = leaves
            .map(|leaf| {
                leaf.set_corners(&frame, corners_of);
                leaf.local_box(&frame, corners_of)
            })
            .collect();
        // Children come after their parents.
        for index in (0..self.nodes.len()).rev() {
            let (above, below) = self.nodes.split_at_mut(index + 1);
            above[index].set_boxes(|child| match child {
                Child::Node(node) => below[node as usize - index - 1].whole_box(),
                Child::Leaf { index, .. } => boxes[index as usize],
            });
        }
        self.fit_slabs();
    }

    fn fit_slabs(&mut self) {
        let slabs_of = |node: &Node| {
            let first = self.slab_of(node.child(0));
            let slab = |lane: usize| {
                if lane < usize::from(node.children) { self.slab_of(node.child(lane)) } else { first }
            };
            std::array::from_fn(|lane| if lane == 0 { first } else { slab(lane) })
        };
        let slabs: Vec<[Slab; WIDTH]> = self.nodes.par_iter().map(slabs_of).collect();
        for (node, slabs) in self.nodes.iter_mut().zip(slabs) {
            node.set_slabs(slabs);
        }
    }

    pub(super) fn check_count(&self, mesh: &Mesh) -> Result<(), TreeError> {
        let (tree, mesh) = (self.triangles as usize, mesh.triangles().len());
        if tree == mesh { Ok(()) } else { Err(TreeError::TriangleCount { tree, mesh }) }
    }
}

/// What a lane will hold.
enum Plan<'a> {
    Node(Vec<Plan<'a>>),
    Leaf(&'a [Item]),
}

/// A leaf, or a node of up to eight sets.
fn plan(set: Set<'_>) -> Plan<'_> {
    if set.items.len() <= WIDTH {
        return Plan::Leaf(set.items);
    }
    let parallel = set.items.len() >= PARALLEL;
    let sets = cut_eight_ways(set);
    Plan::Node(if parallel {
        sets.into_par_iter().map(plan).collect()
    } else {
        sets.into_iter().map(plan).collect()
    })
}

/// Cuts the heaviest set in two until there are eight or only leaves.
fn cut_eight_ways(set: Set<'_>) -> Vec<Set<'_>> {
    let mut sets = Vec::with_capacity(WIDTH);
    sets.push(set);
    while sets.len() < WIDTH {
        let heavier = |a: usize, b: usize| if sets[b].weight() > sets[a].weight() { b } else { a };
        let cuttable = (0..sets.len()).filter(|&set| sets[set].items.len() > WIDTH);
        let Some(heaviest) = cuttable.reduce(heavier) else { break };
        let set = sets.swap_remove(heaviest);
        sets.extend(set.split());
    }
    sets
}

/// The tree in one piece.
struct Flat {
    nodes: Vec<Node>,
    leaves: Vec<Leaf>,
}

impl Flat {
    /// Puts a node at an index that was kept free, and appends all that is below it.
    fn place(&mut self, at: usize, children: &[Plan<'_>]) {
        let inner: Vec<&Vec<Plan<'_>>> = children
            .iter()
            .filter_map(|c| if let Plan::Node(plans) = c { Some(plans) } else { None })
            .collect();
        let outer: Vec<&[Item]> = children
            .iter()
            .filter_map(|c| if let Plan::Leaf(items) = c { Some(*items) } else { None })
            .collect();
        let sizes: Vec<usize> = outer.iter().map(|items| items.len()).collect();
        let (first_node, first_leaf) = (self.nodes.len(), self.leaves.len());
        let node = Node::new(first_node as u32, first_leaf as u32, inner.len(), &sizes);
        self.nodes[at] = node;
        self.nodes.resize(first_node + inner.len(), node);
        self.leaves.extend(outer.iter().map(|items| Leaf::new(items.iter().map(|item| item.triangle))));
        for (below, plans) in inner.into_iter().enumerate() {
            self.place(first_node + below, plans);
        }
    }
}
