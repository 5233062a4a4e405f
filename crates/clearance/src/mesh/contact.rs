//! All triangles that meet, with where they do.

use super::cache::MeshCache;
use super::relation::do_meet;
use super::tree_mesh::TreeMesh;
use crate::math::Pose;
use crate::solid::Contact;
use crate::tree::MeshPair;
use crate::triangle;

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
    let pair = MeshPair::new(a.placed(pose_a), b.placed(pose_b));
    let mut found = Vec::new();
    pair.contacts(
        &mut cache.scratch,
        |x, y| do_meet(a, pose_a, b, pose_b, x, y),
        |x, y| {
            let (corners_a, corners_b) = (a.mesh().triangle(x as usize), b.mesh().triangle(y as usize));
            let intersection = triangle::intersection(corners_a, pose_a, corners_b, pose_b);
            found.push(Contact { triangles: [x, y], intersection });
        },
    );
    found.sort_unstable_by_key(|contact| contact.triangles);
    found
}
