//! The tree of a surface with up to four parts to a node, so that four are looked at in one go.

use super::surface::{Node, Surface};

/// Parts of a node.
pub(super) const LANES: usize = 4;

/// A node with up to four children, or up to four cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct WideNode {
    /// Children in the numbers of this tree; of a leaf the first is its first cell.
    pub children: [u32; LANES],
    pub count: u32,
    pub is_leaf: bool,
    /// The same node of the tree of the surface.
    pub node: u32,
    /// Nodes from this on are not below it; those from its own number on until there are.
    pub end: u32,
    /// Four times the number of its parent, and which of its children it is.
    pub slot: u32,
    /// How large its box is: the sum of half its sides.
    pub size: f64,
}

/// Every second level of a binary tree, each node before those below it.
#[derive(Clone, Debug, Default)]
pub(super) struct WideTree {
    pub nodes: Vec<WideNode>,
}

impl WideTree {
    /// Of a surface with its tree. `O(n)`.
    pub fn new(surface: &Surface) -> WideTree {
        let mut tree = WideTree::default();
        if surface.cells.is_empty() {
            return tree;
        }
        let at = |node: u32| -> &Node { &surface.nodes[node as usize] };
        let mut open = vec![(0, 0)];
        while let Some((node, slot)) = open.pop() {
            let number = tree.nodes.len() as u32;
            if number > 0 {
                tree.nodes[slot as usize / LANES].children[slot as usize % LANES] = number;
            }
            let Node { first, count, half, .. } = *at(node);
            let (mut children, mut parts) = ([first; LANES], count);
            if count == 0 {
                for child in [first, first + 1] {
                    let inner = at(child).first;
                    for part in if at(child).count == 0 { inner..inner + 2 } else { child..child + 1 } {
                        children[parts as usize] = part;
                        parts += 1;
                    }
                }
                // The last one that is put there is the next that is taken.
                let with_slots =
                    (0..parts).map(|lane| (children[lane as usize], number * LANES as u32 + lane));
                open.extend(with_slots.rev());
            }
            let (is_leaf, size) = (count > 0, half.element_sum());
            tree.nodes.push(WideNode { children, count: parts, is_leaf, node, end: number + 1, slot, size });
        }
        for number in (0..tree.nodes.len()).rev() {
            let WideNode { children, count, is_leaf, .. } = tree.nodes[number];
            if !is_leaf {
                tree.nodes[number].end = tree.nodes[children[count as usize - 1] as usize].end;
            }
        }
        tree
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::shape::{Mesh, MeshConfig, Shape, sample};

    #[test]
    fn every_cell_is_below_one_leaf_and_within_the_range_of_all_above() {
        for around in [3, 4, 12, 31] {
            let torus = sample::torus(2.0, 0.5, around, 5).unwrap();
            let torus = Shape::from(Mesh::build(&torus, &MeshConfig::default()).unwrap());
            let surface = Surface::new(&Body::try_from(&torus).unwrap()).unwrap();
            let nodes = &surface.tree.nodes;
            let mut seen = vec![0; surface.cells.len()];
            for (number, node) in nodes.iter().enumerate() {
                let parts = &node.children[..node.count as usize];
                if node.is_leaf {
                    assert_eq!(node.end as usize, number + 1);
                    (0..node.count).for_each(|k| seen[(node.children[0] + k) as usize] += 1);
                    continue;
                }
                assert!(parts.windows(2).all(|pair| nodes[pair[0] as usize].end == pair[1]));
                assert_eq!(
                    (parts[0] as usize, nodes[parts[parts.len() - 1] as usize].end),
                    (number + 1, node.end)
                );
                for (lane, &part) in parts.iter().enumerate() {
                    assert_eq!(nodes[part as usize].slot as usize, number * LANES + lane);
                }
            }
            assert!(seen.iter().all(|&count| count == 1));
        }
    }
}
