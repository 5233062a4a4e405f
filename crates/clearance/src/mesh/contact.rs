//! All triangles that meet, with where they do.

use super::cache::MeshCache;
use super::tree_mesh::TreeMesh;
use crate::math::Pose;
use crate::solid::Contact;
use crate::tree::TreePair;
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
    let trees = TreePair::new(a.tree(), pose_a, b.tree(), pose_b);
    let mut near = Vec::new();
    let end: ControlFlow<()> = trees.traverse(0.0, &mut cache.scratch, |x, y| {
        near.push([x, y]);
        ControlFlow::Continue(())
    });
    debug_assert!(end.is_continue());
    near.sort_unstable();
    let contact = |triangles: [u32; 2]| {
        let [x, y] = triangles.map(|triangle| triangle as usize);
        triangle::common_points(a.mesh().triangle(x), pose_a, b.mesh().triangle(y), pose_b)
            .map(|intersection| Contact { triangles, intersection })
    };
    let mut found = Vec::with_capacity(near.len());
    found.extend(near.into_iter().filter_map(contact));
    found
}
