//! Questions about two meshes as floats alone would answer them, to measure what proofs cost.
//!
//! The same trees and walks; no margins, no error bounds, no exact signs for what is unclear. Only whether one mesh lies
//! inside the other is asked in the same way.

use super::cache::MeshCache;
use super::enclosure::is_nested;
use super::tree_mesh::TreeMesh;
use crate::math::Pose;
use crate::tree::{Nearer, TreePair};
use glam::DVec3;
use std::ops::ControlFlow;

/// Two meshes where they are.
#[derive(Clone, Copy, Debug)]
pub struct Unproved<'a> {
    a: &'a TreeMesh,
    pose_a: &'a Pose,
    b: &'a TreeMesh,
    pose_b: &'a Pose,
    trees: TreePair<'a>,
}

impl<'a> Unproved<'a> {
    /// The pair.
    pub fn new(a: &'a TreeMesh, pose_a: &'a Pose, b: &'a TreeMesh, pose_b: &'a Pose) -> Unproved<'a> {
        Unproved { a, pose_a, b, pose_b, trees: TreePair::new(a.tree(), pose_a, b.tree(), pose_b).unproved() }
    }

    fn corners(&self, a: u32, b: u32) -> ([DVec3; 3], [DVec3; 3]) {
        (self.a.mesh().triangle(a as usize), self.b.mesh().triangle(b as usize))
    }

    fn is_nested(&self) -> bool {
        is_nested(self.a, self.pose_a, self.b, self.pose_b)
    }

    /// [`collides`](super::collides), wrong where floats are.
    pub fn collides(&self, cache: &mut MeshCache) -> bool {
        let found = self.trees.traverse(0.0, &mut cache.scratch, |a, b| {
            let (a, b) = self.corners(a, b);
            match self.trees.crossing_unproved(a, b) {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        });
        found.is_break() || self.is_nested()
    }

    /// [`within`](super::within()), wrong where floats are.
    pub fn within(&self, limit: f64, cache: &mut MeshCache) -> bool {
        let found = self.trees.traverse(limit, &mut cache.scratch, |a, b| {
            let (a, b) = self.corners(a, b);
            match self.trees.gap_unproved(a, b).0 <= limit {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        found.is_break() || self.is_nested()
    }

    /// [`distance`](super::distance()) and its points, wrong where floats are.
    pub fn distance(&self, cache: &mut MeshCache) -> (f64, [DVec3; 2]) {
        let mut points = [DVec3::ZERO; 2];
        let found = self.trees.nearest(None, 0.0, &mut cache.scratch, |a, b, limit| {
            let (a, b) = self.corners(a, b);
            let (distance, near) = self.trees.gap_unproved(a, b);
            (distance < limit).then(|| {
                points = near;
                Nearer { distance, direction: near[1] - near[0] }
            })
        });
        if found > 0.0 && self.is_nested() { (0.0, points) } else { (found, points) }
    }

    /// [`contacts`](super::contacts): triangles and the ends of their segments, wrong where floats are.
    pub fn contacts(&self, cache: &mut MeshCache) -> Vec<([u32; 2], [DVec3; 2])> {
        let mut found = Vec::new();
        let end: ControlFlow<()> = self.trees.traverse(0.0, &mut cache.scratch, |x, y| {
            let (a, b) = self.corners(x, y);
            found.extend(self.trees.crossing_unproved(a, b).map(|segment| ([x, y], segment)));
            ControlFlow::Continue(())
        });
        debug_assert!(end.is_continue());
        found.sort_unstable_by_key(|(triangles, _)| *triangles);
        found
    }
}
