//! From a mesh to its tree: cuts by the surface-area heuristic, eight ways at once.

use super::corners::Corners;
use super::node::{Leaf, Node, WIDTH};
use super::split::{Item, Set};
use super::{Bound, Slabs, Tree, TreeError};
use crate::shape::Mesh;
use rayon::prelude::*;

/// Sets from this size on are divided among threads.
const PARALLEL: usize = 1 << 14;

impl Tree {
    /// The tree over all triangles of a mesh.
    ///
    /// Time `O(n log n)`, divided among the threads of the current `rayon` pool for large meshes; the result does not depend
    /// on how many there are.
    pub fn build(mesh: &Mesh) -> Tree {
        let count = mesh.triangles().len();
        if count < PARALLEL {
            return build(mesh);
        }
        // Once for all that follows, not for each part of it: it takes long on a busy machine until a pool wakes up.
        rayon::join(|| build(mesh), || ()).0
    }

    /// The same tree over bounds of another kind.
    ///
    /// # Errors
    /// The mesh has another number of triangles.
    pub fn with_bound<B: Bound>(&self, mesh: &Mesh) -> Result<Tree<B>, TreeError> {
        let Tree { frame, leaves, triangles, reach, fingerprint, structure, .. } = self.clone();
        let nodes = self.nodes.iter().map(Node::unfitted).collect();
        let mut tree = Tree { frame, nodes, leaves, triangles, reach, fingerprint, structure };
        tree.refit(mesh)?;
        Ok(tree)
    }
}

fn build(mesh: &Mesh) -> Tree {
    let (corners, count) = (Corners::of(mesh), mesh.triangles().len() as u32);
    let item = |triangle: u32| Item::new(triangle, corners.triangle(triangle));
    let mut items: Vec<Item> = (0..count).into_par_iter().with_min_len(PARALLEL / 4).map(item).collect();
    // The first node has one child, the whole mesh: so every part of a tree is a lane of a node.
    let mut flat = Flat { nodes: vec![Node::new(0, 0, 0, &[])], leaves: Vec::new() };
    flat.place(0, &[plan(Set::new(&mut items))]);
    let Flat { nodes, leaves } = flat;
    let [fingerprint, structure] = [0; 2];
    let mut tree =
        Tree { frame: corners.frame, nodes, leaves, triangles: count, reach: 0.0, fingerprint, structure };
    tree.fit(mesh, &corners);
    tree
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
    nodes: Vec<Node<Slabs>>,
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
