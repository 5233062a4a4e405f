//! Disjoint, touching or overlapping: exact.

use super::cache::MeshCache;
use super::contact::contacts_with;
use super::enclosure::{is_nested, may_be_nested};
use super::tree_mesh::TreeMesh;
use crate::math::Pose;
use crate::pair::Relation;
use crate::solid::{self, Contact, MeshRelation};
use crate::tree::MeshPair;
use crate::triangle;

/// How two meshes under two poses lie to each other: exact, whatever the scale.
///
/// *Solids* overlap when their insides meet, also by containment, also when they are identical; *surfaces* when triangles
/// cross; a solid and a surface when the surface meets the inside. Else they touch if they share a point.
///
/// Cost: a walk through both trees to the first triangles that meet; exact signs only for triangles within rounding of
/// contact, winding numbers only for solids that touch or whose boxes allow one to lie in the other. Of solids that are found to
/// meet, self-intersections are looked for once, and kept: those that have some are related by winding numbers.
pub fn relation(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose) -> MeshRelation {
    relation_with(a, pose_a, b, pose_b, &mut MeshCache::default())
}

/// [`relation`] with what is remembered of the last frame.
pub fn relation_with(
    a: &TreeMesh,
    pose_a: &Pose,
    b: &TreeMesh,
    pose_b: &Pose,
    cache: &mut MeshCache,
) -> MeshRelation {
    let of = |relation| MeshRelation { relation, enclosed: None };
    let Some((x, y)) = meeting(a, pose_a, b, pose_b, cache) else {
        return match may_be_nested(a, pose_a, b, pose_b) {
            true => settled(a, pose_a, b, pose_b, &[]),
            false => of(Relation::Disjoint),
        };
    };
    // Triangles that cross settle the matter, unless they may be walls that bound nothing.
    let (corners_a, corners_b) = (a.mesh().triangle(x as usize), b.mesh().triangle(y as usize));
    if !a.may_have_membranes()
        && !b.may_have_membranes()
        && triangle::relation(corners_a, pose_a, corners_b, pose_b) == Relation::Overlapping
    {
        let intersection = || triangle::intersection(corners_a, pose_a, corners_b, pose_b);
        let contact = || Contact { triangles: [x, y], intersection: intersection() };
        if are_plain(a, b) || solid::do_overlap_at(&a.at(pose_a), &b.at(pose_b), &contact()) {
            return of(Relation::Overlapping);
        }
    }
    let contacts = contacts_with(a, pose_a, b, pose_b, cache);
    settled(a, pose_a, b, pose_b, &contacts)
}

/// Whether triangles of two meshes that cross prove that the meshes overlap.
pub(crate) fn shows_overlap(a: &TreeMesh, b: &TreeMesh) -> bool {
    !a.may_have_membranes() && !b.may_have_membranes() && are_plain(a, b)
}

/// Whether neither of two meshes can wind around anything backwards.
fn are_plain(a: &TreeMesh, b: &TreeMesh) -> bool {
    a.crossings().is_empty() && b.crossings().is_empty()
}

/// The relation, given all contacts.
fn settled(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose, contacts: &[Contact]) -> MeshRelation {
    let (at_a, at_b) = (a.at(pose_a), b.at(pose_b));
    match are_plain(a, b) {
        true => solid::relation(&at_a, &at_b, contacts),
        false => solid::relation_by_cells(&at_a, &at_b, contacts, [a.crossings(), b.crossings()]),
    }
}

/// Whether two meshes share a point, also by containment: ends at the first contact, so it is faster than [`relation`]
/// where meshes touch.
pub fn collides(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose, cache: &mut MeshCache) -> bool {
    meeting(a, pose_a, b, pose_b, cache).is_some() || is_nested(a, pose_a, b, pose_b)
}

/// Two triangles that meet.
fn meeting(
    a: &TreeMesh,
    pose_a: &Pose,
    b: &TreeMesh,
    pose_b: &Pose,
    cache: &mut MeshCache,
) -> Option<(u32, u32)> {
    let pair = MeshPair::new(a.placed(pose_a), b.placed(pose_b));
    pair.meeting(&mut cache.coherence, &mut cache.scratch, |x, y| do_meet(a, pose_a, b, pose_b, x, y))
}

/// Whether two triangles share a point, exactly.
pub(super) fn do_meet(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose, x: u32, y: u32) -> bool {
    let (corners_a, corners_b) = (a.mesh().triangle(x as usize), b.mesh().triangle(y as usize));
    triangle::relation(corners_a, pose_a, corners_b, pose_b) != Relation::Disjoint
}
