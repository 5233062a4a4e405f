//! Whether a tree is what queries take it for.

use super::node::{Child, Leaf, LocalBox, WIDTH};
use super::{Tree, TreeDefect, TreeError};
use crate::shape::Mesh;

impl Tree {
    /// Checks that every triangle of the mesh is in one leaf, every node and leaf below one node, that every box holds
    /// what is below it and that the stored corners are those of the mesh. `O(n)`.
    pub fn validate(&self, mesh: &Mesh) -> Result<(), TreeError> {
        self.check_count(mesh)?;
        self.check_structure()?;
        for index in 0..self.leaves.len() {
            self.check_corners(index, mesh)?;
        }
        for index in 0..self.nodes.len() {
            self.check_boxes(index, mesh)?;
        }
        Ok(())
    }

    /// Everything but coordinates.
    pub(super) fn check_structure(&self) -> Result<(), TreeDefect> {
        let mut nodes = vec![0; self.nodes.len()];
        let mut leaves = vec![0; self.leaves.len()];
        let mut triangles = vec![0; self.triangles as usize];
        if self.nodes.first().is_none_or(|first| first.children != 1) {
            return Err(TreeDefect::Children { node: 0 });
        }
        nodes[0] = 1;
        for (index, node) in self.nodes.iter().enumerate() {
            let wrong = TreeDefect::Children { node: index };
            if node.nodes > node.children || !(1..=WIDTH).contains(&usize::from(node.children)) {
                return Err(wrong);
            }
            for child in node.children() {
                match child {
                    // Parents come before their children, so there are no cycles.
                    Child::Node(below) if (below as usize) > index && (below as usize) < nodes.len() => {
                        nodes[below as usize] += 1;
                    }
                    Child::Leaf { index: leaf, size } if (leaf as usize) < leaves.len() => {
                        leaves[leaf as usize] += 1;
                        self.count_triangles(leaf as usize, size, &mut triangles, wrong)?;
                    }
                    _ => return Err(wrong),
                }
            }
        }
        once("node", &nodes)?;
        once("leaf", &leaves)?;
        once("triangle", &triangles)
    }

    fn count_triangles(
        &self,
        leaf: usize,
        size: u8,
        triangles: &mut [usize],
        wrong: TreeDefect,
    ) -> Result<(), TreeDefect> {
        if !(1..=WIDTH).contains(&usize::from(size)) {
            return Err(wrong);
        }
        let named = self.leaves[leaf].triangles;
        for (lane, &triangle) in named.iter().enumerate() {
            let triangle = triangle as usize;
            let Some(count) = triangles.get_mut(triangle) else {
                return Err(TreeDefect::NoSuchTriangle { leaf, triangle });
            };
            *count += usize::from(lane < usize::from(size));
            if lane >= usize::from(size) && named[lane] != named[0] {
                return Err(wrong);
            }
        }
        Ok(())
    }

    fn check_corners(&self, leaf: usize, mesh: &Mesh) -> Result<(), TreeDefect> {
        let found = &self.leaves[leaf];
        let mut expected = Leaf::new(found.triangles.iter().copied());
        expected.set_corners(&self.frame, |triangle| mesh.triangle(triangle as usize));
        let differs = |lane: usize| {
            let coordinates = |leaf: &Leaf| leaf.corners.map(|c| c.map(|axis| axis.as_array()[lane]));
            coordinates(found) != coordinates(&expected)
        };
        match (0..WIDTH).find(|&lane| differs(lane)) {
            None => Ok(()),
            Some(lane) => Err(TreeDefect::Corners { leaf, triangle: found.triangles[lane] as usize }),
        }
    }

    fn check_boxes(&self, index: usize, mesh: &Mesh) -> Result<(), TreeDefect> {
        let node = &self.nodes[index];
        for (lane, child) in node.children().enumerate() {
            let inner: LocalBox = match child {
                Child::Node(below) => self.nodes[below as usize].whole_box(),
                Child::Leaf { index, .. } => {
                    self.leaves[index as usize].local_box(&self.frame, |t| mesh.triangle(t as usize))
                }
            };
            if !node.local_box(lane).holds(&inner) {
                return Err(TreeDefect::Box { node: index, lane });
            }
        }
        Ok(())
    }
}

fn once(what: &'static str, counts: &[usize]) -> Result<(), TreeDefect> {
    match counts.iter().position(|&times| times != 1) {
        None => Ok(()),
        Some(index) => Err(TreeDefect::Reached { what, index, times: counts[index] }),
    }
}
