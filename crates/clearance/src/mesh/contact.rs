//! All triangles that meet, with where they do.

use super::cache::MeshCache;
use super::tree_mesh::TreeMesh;
use crate::math::Pose;
use crate::pair::Relation;
use crate::solid::Contact;
use crate::tree::{Crossing, TreePair};
use crate::triangle;
use std::ops::ControlFlow;

/// All pairs of triangles that touch or overlap, with their common points, in the order of the triangles: exact.
pub fn contacts(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose) -> Vec<Contact> {
    contacts_with(a, pose_a, b, pose_b, &mut MeshCache::default())
}

/// [`contacts`] with buffers that are reused.
pub fn contacts_with(
    a: &TreeMesh,
    pose_a: &Pose,
    b: &TreeMesh,
    pose_b: &Pose,
    cache: &mut MeshCache,
) -> Vec<Contact> {
    let pair = TreePair::new(a.tree(), pose_a, b.tree(), pose_b);
    let mut found = Vec::new();
    let _: ControlFlow<()> = pair.traverse(0.0, &mut cache.scratch, |x, y| {
        let (corners_a, corners_b) = (a.mesh().triangle(x as usize), b.mesh().triangle(y as usize));
        if pair.crossing(corners_a, corners_b) != Crossing::Apart {
            let intersection = triangle::intersection(corners_a, pose_a, corners_b, pose_b);
            if intersection.relation() != Relation::Disjoint {
                found.push(Contact { triangles: [x, y], intersection });
            }
        }
        ControlFlow::Continue(())
    });
    found.sort_unstable_by_key(|contact| contact.triangles);
    found
}
