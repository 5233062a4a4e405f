//! How far two solids overlap.

use super::deepest::deepest;
use super::inscribed::{Ball, largest_ball};
use super::relation::relation;
use super::tree_mesh::TreeMesh;
use crate::Aabb;
use crate::math::Pose;
use crate::pair::{self, Relation};
use crate::shape::MeshKind;
use crate::witness::Side;
use glam::DVec3;

/// How far two solids overlap: locally, and as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshPenetration {
    /// The vertex that is deepest inside the other solid; `None` if no vertex of either is inside the other.
    pub local: Option<LocalDepth>,
    /// No translation shorter than this separates the solids: the diameter of a ball inside both.
    pub lower: f64,
    /// Some translation of this length does: that of B along the normal, which separates the convex hulls.
    pub upper: f64,
    /// From A to B, unit length, rounded.
    pub normal: DVec3,
    /// The centre of the ball; `None` if none was found, and `lower` is zero.
    pub center: Option<DVec3>,
}

/// How far a vertex of one solid is inside the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalDepth {
    /// Proved to be at most the largest depth of a vertex.
    pub lower: f64,
    /// Proved to be at least the largest depth of a vertex.
    pub upper: f64,
    /// Whose vertex it is.
    pub side: Side,
    /// The vertex.
    pub vertex: u32,
    /// Where it is in the world, rounded.
    pub vertex_point: DVec3,
    /// The point of the other's triangles nearest to it, rounded.
    pub surface_point: DVec3,
    /// The triangle of that point.
    pub triangle: u32,
}

/// Why a depth has no meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("mesh {0:?} is a surface; penetration is between solids, so close the mesh or ask for `contacts`")]
pub struct NotSolid(pub Side);

/// How far two solids under two poses overlap; `None` if they do not (then they are disjoint or touch).
///
/// The local depth is the largest distance of a vertex of one inside the other from the other's triangles, both ways. The
/// global bracket holds the length of the shortest translation after which the solids do not overlap; it is narrow only
/// for bodies like balls and boxes, and it may be wide.
///
/// Cost: distances of a small part of the vertices, by boxes of them; some hundred for the ball, on all threads of
/// the current `rayon` pool; and the hulls of both, which the meshes keep. The result does not depend on the number of
/// threads.
///
/// ```
/// use clearance::{Pose, glam::DVec3, mesh::{TreeMesh, penetration}};
/// use clearance::shape::{Mesh, MeshConfig, sample};
/// let ball = TreeMesh::new(Mesh::build(&sample::icosphere(1.0, 8)?, &MeshConfig::default())?);
/// let beside = Pose::from_translation(DVec3::X * 1.5)?;
/// let found = penetration(&ball, &Pose::IDENTITY, &ball, &beside)?.expect("they overlap");
/// assert!(found.lower > 0.4 && found.lower <= found.upper && found.upper < 0.51);
/// let local = found.local.expect("a vertex of each is inside the other");
/// assert!(local.lower > 0.4 && local.upper < 0.51);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A mesh is a surface.
pub fn penetration(
    a: &TreeMesh,
    pose_a: &Pose,
    b: &TreeMesh,
    pose_b: &Pose,
) -> Result<Option<MeshPenetration>, NotSolid> {
    for (mesh, side) in [(a, Side::A), (b, Side::B)] {
        if mesh.mesh().kind() != MeshKind::Solid {
            return Err(NotSolid(side));
        }
    }
    if relation(a, pose_a, b, pose_b).relation != Relation::Overlapping {
        return Ok(None);
    }
    let ((bounds_a, error_a), (bounds_b, error_b)) = (bounds(a, pose_a), bounds(b, pose_b));
    let common = Aabb { min: bounds_a.min.max(bounds_b.min), max: bounds_a.max.min(bounds_b.max) };
    let of_a = deepest(Side::A, [(a, pose_a), (b, pose_b)], common, error_a);
    let of_b = deepest(Side::B, [(b, pose_b), (a, pose_a)], common, error_b);
    // Halfway to the surface a point is likely to be inside both.
    let seeds =
        [of_a, of_b].into_iter().flatten().map(|deep| 0.5 * deep.vertex_point + 0.5 * deep.surface_point);
    let ball = largest_ball([(a, pose_a), (b, pose_b)], common, seeds);
    let (upper, normal) = depth_of_hulls(a, pose_a, b, pose_b);
    Ok(Some(MeshPenetration {
        local: deeper(of_a, of_b),
        lower: ball.map_or(0.0, |Ball { radius, .. }| 2.0 * radius),
        upper,
        normal,
        center: ball.map(|ball| ball.center),
    }))
}

/// The deeper of two, with ends that hold for both.
pub(super) fn deeper(one: Option<LocalDepth>, other: Option<LocalDepth>) -> Option<LocalDepth> {
    let (Some(first), Some(second)) = (one, other) else { return one.or(other) };
    let (lower, upper) = (first.lower.max(second.lower), first.upper.max(second.upper));
    Some(LocalDepth { lower, upper, ..if second.lower > first.lower { second } else { first } })
}

/// A box of the world around a mesh under a pose, and how far rounded images of vertices are from exact ones at most.
pub(super) fn bounds(mesh: &TreeMesh, pose: &Pose) -> (Aabb, f64) {
    let around = Aabb::around(mesh.mesh().positions().iter().map(|&point| pose.apply(point)));
    let Some(around) = around else { unreachable!("a mesh has vertices") };
    let Aabb { min, max } = mesh.mesh().bounds();
    // An image errs by `4u` of all that is added.
    let slack = 8.0 * f64::EPSILON * (min.abs().max(max.abs()) + pose.translation().abs()).element_sum();
    // Of three coordinates.
    (Aabb { min: around.min - slack, max: around.max + slack }, 2.0 * slack)
}

/// The depth of the convex hulls, an upper end, and its direction.
pub(super) fn depth_of_hulls(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose) -> (f64, DVec3) {
    let Some(found) = pair::penetration(a.hull(), pose_a, b.hull(), pose_b) else {
        unreachable!("hulls of solids that overlap do")
    };
    (found.upper, found.normal)
}
