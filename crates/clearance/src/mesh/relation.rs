//! Disjoint, touching or overlapping: exact.

use super::cache::MeshCache;
use super::enclosure::may_be_nested;
use super::tree_mesh::TreeMesh;
use crate::math::Pose;
use crate::pair::Relation;
use crate::solid::{self, Contact, MeshRelation};
use crate::tree::{Crossing, TreePair};
use crate::triangle;
use std::ops::ControlFlow;

/// How two meshes under two poses lie to each other: exact, whatever the scale.
///
/// *Solids* overlap when their insides meet, also by containment, also when they are identical; *surfaces* when triangles
/// cross; a solid and a surface when the surface meets the inside. Else they touch if they share a point.
///
/// Cost: a walk through both trees to the first triangles that cross; exact signs only for triangles within rounding of
/// contact, winding numbers only for solids that touch or whose boxes allow one to lie in the other.
pub fn relation(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose) -> MeshRelation {
    relation_with(a, pose_a, b, pose_b, &mut MeshCache::default())
}

/// [`relation`] with what is remembered: triangles that crossed in the last frame are tried first.
pub fn relation_with(
    a: &TreeMesh,
    pose_a: &Pose,
    b: &TreeMesh,
    pose_b: &Pose,
    cache: &mut MeshCache,
) -> MeshRelation {
    let overlapping = MeshRelation { relation: Relation::Overlapping, enclosed: None };
    let disjoint = MeshRelation { relation: Relation::Disjoint, enclosed: None };
    let pair = TreePair::new(a.tree(), pose_a, b.tree(), pose_b);
    // Crossing triangles settle the matter, unless they are walls that bound nothing.
    let settles = !a.may_have_membranes() && !b.may_have_membranes();
    let corners = |x: u32, y: u32| (a.mesh().triangle(x as usize), b.mesh().triangle(y as usize));
    if let Some((x, y)) = cache.witness
        && settles
        && a.has_triangle(x)
        && b.has_triangle(y)
    {
        let (corners_a, corners_b) = corners(x, y);
        if pair.crossing(corners_a, corners_b) == Crossing::Crossing {
            return overlapping;
        }
    }
    let MeshCache { scratch, contacts, witness, .. } = cache;
    contacts.clear();
    let crossed = pair.traverse(0.0, scratch, |x, y| {
        let (corners_a, corners_b) = corners(x, y);
        match pair.crossing(corners_a, corners_b) {
            Crossing::Apart => ControlFlow::Continue(()),
            Crossing::Crossing if settles => ControlFlow::Break((x, y)),
            _ => {
                let intersection = triangle::intersection(corners_a, pose_a, corners_b, pose_b);
                match intersection.relation() {
                    Relation::Disjoint => {}
                    Relation::Overlapping if settles => return ControlFlow::Break((x, y)),
                    _ => contacts.push(Contact { triangles: [x, y], intersection }),
                }
                ControlFlow::Continue(())
            }
        }
    });
    if let ControlFlow::Break(pair) = crossed {
        *witness = Some(pair);
        return overlapping;
    }
    if contacts.is_empty() && !may_be_nested(a, pose_a, b, pose_b) {
        return disjoint;
    }
    contacts.sort_unstable_by_key(|contact| contact.triangles);
    solid::relation(&a.at(pose_a), &b.at(pose_b), contacts)
}

/// Whether two meshes share a point: ends at the first contact, so it is faster than [`relation`] where meshes touch.
pub fn collides(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose, cache: &mut MeshCache) -> bool {
    let pair = TreePair::new(a.tree(), pose_a, b.tree(), pose_b);
    let meet = |x: u32, y: u32| {
        let (corners_a, corners_b) = (a.mesh().triangle(x as usize), b.mesh().triangle(y as usize));
        match pair.crossing(corners_a, corners_b) {
            Crossing::Apart => false,
            Crossing::Crossing => true,
            Crossing::Unclear => {
                triangle::relation(corners_a, pose_a, corners_b, pose_b) != Relation::Disjoint
            }
        }
    };
    let remembered = cache.witness.filter(|&(x, y)| a.has_triangle(x) && b.has_triangle(y));
    if remembered.is_some_and(|(x, y)| meet(x, y)) {
        return true;
    }
    let found = pair.traverse(0.0, &mut cache.scratch, |x, y| match meet(x, y) {
        true => ControlFlow::Break((x, y)),
        false => ControlFlow::Continue(()),
    });
    match found {
        ControlFlow::Break(pair) => {
            cache.witness = Some(pair);
            true
        }
        ControlFlow::Continue(()) => super::enclosure::is_nested(a, pose_a, b, pose_b),
    }
}
