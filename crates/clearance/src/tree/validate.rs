//! Whether a tree is what queries take it for.

use super::node::{Child, WIDTH};
use super::{Bound, Tree, TreeDefect, TreeError};
use crate::shape::Mesh;
use glam::DVec3;

impl<B: Bound> Tree<B> {
    /// Checks that every triangle of the mesh is in one leaf, every node and leaf below one node, that every box holds
    /// what is below it and that the stored corners are those of the mesh. `O(n log n)`.
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
        let differs = |lane: usize| {
            let corners =
                mesh.triangle(found.triangles[lane] as usize).map(|c| self.frame.local(c).to_array());
            found.corners.map(|c| c.map(|axis| axis.as_array()[lane])) != corners.map(|c| c.map(|x| x as f32))
        };
        match (0..WIDTH).find(|&lane| differs(lane)) {
            None => Ok(()),
            Some(lane) => Err(TreeDefect::Corners { leaf, triangle: found.triangles[lane] as usize }),
        }
    }

    /// Whether something is true for all corners of a part, in local coordinates.
    fn is_true_below(&self, child: Child, mesh: &Mesh, is_true: impl Fn(DVec3) -> bool) -> bool {
        let mut all = true;
        self.each_leaf(child, &mut |leaf| {
            let corners = leaf.triangles.iter().flat_map(|&triangle| mesh.triangle(triangle as usize));
            all &= corners.into_iter().all(|corner| is_true(self.frame.local(corner)));
        });
        all
    }

    fn check_boxes(&self, index: usize, mesh: &Mesh) -> Result<(), TreeDefect> {
        let node = &self.nodes[index];
        for (lane, child) in node.children().enumerate() {
            let (whole, more) = (node.local_box(lane), node.more.lane(lane));
            let is_within = match child {
                Child::Node(below) => whole.holds(&self.nodes[below as usize].whole_box()),
                Child::Leaf { .. } => self.is_true_below(child, mesh, |corner| whole.holds_rounded(corner)),
            };
            if !is_within {
                return Err(TreeDefect::Box { node: index, lane });
            }
            if !self.is_true_below(child, mesh, |corner| B::holds(&more, corner)) {
                return Err(TreeDefect::Slab { node: index, lane });
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{MeshConfig, sample};
    use wide::f32x8;

    fn example() -> (Mesh, Tree) {
        let soup = sample::torus(1.0, 0.4, 16, 9).expect("a sample");
        let mesh = Mesh::build(&soup, &MeshConfig::default()).expect("a mesh");
        let tree = Tree::build(&mesh);
        (mesh, tree)
    }

    /// What is found after a fault was injected.
    fn after(fault: impl FnOnce(&mut Tree)) -> TreeError {
        let (mesh, mut tree) = example();
        assert_eq!(tree.validate(&mesh), Ok(()));
        fault(&mut tree);
        tree.validate(&mesh).expect_err("a fault")
    }

    fn shift(lanes: &mut f32x8, lane: usize, step: f32) {
        lanes.as_mut_array()[lane] += step;
    }

    #[test]
    fn a_box_that_is_too_small_is_found_in_every_node_lane_and_side() {
        let (mesh, mut tree) = example();
        for node in 0..tree.nodes.len() {
            for lane in 0..usize::from(tree.nodes[node].children) {
                for axis in 0..3 {
                    let whole = tree.nodes[node];
                    shift(&mut tree.nodes[node].low[axis], lane, 1e-5);
                    let wrong = Err(TreeError::Structure(TreeDefect::Box { node, lane }));
                    assert_eq!(tree.validate(&mesh), wrong);
                    tree.nodes[node] = whole;
                    shift(&mut tree.nodes[node].high[axis], lane, -1e-5);
                    assert_eq!(tree.validate(&mesh), wrong);
                    tree.nodes[node] = whole;
                }
            }
        }
    }

    #[test]
    fn a_slab_that_is_too_thin_is_found_in_every_node_and_lane() {
        let (mesh, mut tree) = example();
        for node in 0..tree.nodes.len() {
            for lane in 0..usize::from(tree.nodes[node].children) {
                let whole = tree.nodes[node];
                for (side, step) in [(0, 1e-5), (1, -1e-5)] {
                    shift(&mut tree.nodes[node].more.slab[side], lane, step);
                    let wrong = Err(TreeError::Structure(TreeDefect::Slab { node, lane }));
                    assert_eq!(tree.validate(&mesh), wrong);
                    tree.nodes[node] = whole;
                }
            }
        }
    }

    #[test]
    fn faults_of_structure_are_found() {
        let structure = |defect: TreeDefect| TreeError::Structure(defect);
        let missing = after(|tree| (tree.nodes[1].nodes, tree.nodes[1].children) = (7, 7));
        assert!(matches!(missing, TreeError::Structure(TreeDefect::Reached { times: 0, .. })), "{missing}");
        let twice = after(|tree| tree.leaves[3] = tree.leaves[2]);
        assert!(
            matches!(twice, TreeError::Structure(TreeDefect::Reached { what: "triangle", .. })),
            "{twice}"
        );
        let cycle = after(|tree| tree.nodes[1].first_node = 0);
        assert_eq!(cycle, structure(TreeDefect::Children { node: 1 }));
        let beyond = after(|tree| tree.leaves[0].triangles[0] = 1_000_000);
        assert_eq!(beyond, structure(TreeDefect::NoSuchTriangle { leaf: 0, triangle: 1_000_000 }));
        assert_eq!(after(|tree| tree.nodes[0].children = 9), structure(TreeDefect::Children { node: 0 }));
        assert_eq!(after(|tree| tree.nodes.clear()), structure(TreeDefect::Children { node: 0 }));
    }

    #[test]
    fn other_corners_and_other_meshes_are_found() {
        let moved = after(|tree| shift(&mut tree.leaves[0].corners[1][2], 0, 1e-6));
        assert!(matches!(moved, TreeError::Structure(TreeDefect::Corners { leaf: 0, .. })), "{moved}");
        let (_, tree) = example();
        let soup = sample::torus(1.0, 0.4, 16, 8).expect("a sample");
        let other = Mesh::build(&soup, &MeshConfig::default()).expect("a mesh");
        assert_eq!(tree.validate(&other), Err(TreeError::TriangleCount { tree: 288, mesh: 256 }));
    }
}
