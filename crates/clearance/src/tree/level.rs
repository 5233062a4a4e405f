//! Which triangles a tree groups together, for pictures and for whoever wants to know.

use super::node::{Child, WIDTH};
use super::{Bound, Tree};

impl<B: Bound> Tree<B> {
    /// The groups of triangles so many steps below the whole mesh, which is level 0. A part that is divided no further is
    /// in no later level; beyond the last one there are none.
    ///
    /// ```
    /// use clearance::shape::{Mesh, MeshConfig, sample};
    /// use clearance::tree::Tree;
    /// let mesh = Mesh::build(&sample::icosphere(1.0, 4)?, &MeshConfig::default())?;
    /// let tree = Tree::build(&mesh);
    /// assert_eq!(tree.level(0).len(), 1);
    /// assert_eq!(tree.level(1).iter().map(Vec::len).sum::<usize>(), mesh.triangles().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn level(&self, level: usize) -> Vec<Vec<u32>> {
        let mut parts = vec![self.nodes[0].child(0)];
        for _ in 0..level {
            let below = |part: Child| match part {
                Child::Node(node) => self.nodes[node as usize].children().collect::<Vec<_>>(),
                Child::Leaf { .. } => Vec::new(),
            };
            parts = parts.into_iter().flat_map(below).collect();
        }
        parts.into_iter().map(|part| self.triangles_of(part)).collect()
    }

    fn triangles_of(&self, part: Child) -> Vec<u32> {
        match part {
            Child::Leaf { index, size } => {
                self.leaves[index as usize].triangles[..usize::from(size).min(WIDTH)].to_vec()
            }
            Child::Node(node) => {
                self.nodes[node as usize].children().flat_map(|part| self.triangles_of(part)).collect()
            }
        }
    }
}
