//! Where a mesh meets itself.

use crate::exact::{Sign, orient3d};
use crate::math::Pose;
use crate::pair::Relation;
use crate::shape::Mesh;
use crate::triangle::{Intersection, intersection, relation};
use glam::DVec3;

/// Two triangles of a mesh that meet where they should not, in the frame of the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfIntersection {
    /// The triangles, the first of them A.
    pub triangles: [u32; 2],
    /// All their common points, those of common vertices included.
    pub intersection: Intersection,
}

/// Of some pairs of triangles of a mesh those that have a point in common beyond what their common vertices imply:
/// beyond a common vertex, beyond the edge between two. Triangles on the same three vertices always have.
///
/// Exact. Pairs of triangles whose boxes do not meet may be left out. Neighbours that lie well apart cost one or four
/// float signs.
pub fn self_intersections<'m>(
    mesh: &'m Mesh,
    candidates: impl IntoIterator<Item = (u32, u32)> + 'm,
) -> impl Iterator<Item = SelfIntersection> + 'm {
    candidates.into_iter().filter_map(|(first, second)| {
        let intersection = meet_beyond(mesh, first as usize, second as usize)?;
        Some(SelfIntersection { triangles: [first, second], intersection })
    })
}

fn meet_beyond(mesh: &Mesh, first: usize, second: usize) -> Option<Intersection> {
    let (a, b) = (mesh.triangles()[first], mesh.triangles()[second]);
    let (corners_a, corners_b) = (mesh.triangle(first), mesh.triangle(second));
    let shared = a.iter().filter(|vertex| b.contains(vertex)).count();
    let free = |corners: [DVec3; 3], own: [u32; 3], other: [u32; 3]| {
        (0..3).filter(move |&k| !other.contains(&own[k])).map(move |k| corners[k])
    };
    let are_apart = match shared {
        0 => relation(corners_a, &Pose::IDENTITY, corners_b, &Pose::IDENTITY) == Relation::Disjoint,
        1 | 2 => is_beside(corners_a, free(corners_b, b, a)) || is_beside(corners_b, free(corners_a, a, b)),
        _ => false,
    };
    if are_apart {
        return None;
    }
    let pose = &Pose::IDENTITY;
    let found = intersection(corners_a, pose, corners_b, pose);
    // One corner is the common vertex, two are the ends of the common edge.
    let is_beyond = shared == 3 || found.corners().len() > shared;
    is_beyond.then_some(found)
}

/// Whether points lie strictly on one side of a triangle's plane.
fn is_beside([p, q, r]: [DVec3; 3], points: impl Iterator<Item = DVec3>) -> bool {
    let mut sides = points.map(|point| orient3d(p, q, r, point));
    let first = sides.next().unwrap_or(Sign::Zero);
    !first.is_zero() && sides.all(|side| side == first)
}
