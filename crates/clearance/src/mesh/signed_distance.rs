//! How deep inside a solid a point is, or how far outside.

use super::nearest::nearest;
use super::point::{PointError, checked};
use super::tree_mesh::TreeMesh;
use crate::exact::Posed;
use crate::math::Pose;
use crate::pair::PointLocation;
use crate::shape::MeshKind;
use crate::solid;
use glam::DVec3;

/// The distance of a point from the triangles of a solid, negative inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedDistance {
    /// Proved to be at most the signed distance; negative if and only if the point is inside and on no triangle.
    pub lower: f64,
    /// Proved to be at least the signed distance.
    pub upper: f64,
    /// The nearest point of the triangles, rounded.
    pub point: DVec3,
    /// A triangle that it lies on.
    pub triangle: u32,
}

/// The distance of a point of the world from the triangles of a solid under a pose, negative if the point is inside, within
/// a relative width of `1e-12`; zero, exactly, on a triangle.
///
/// The sign is exact. Where parts of a solid overlap, triangles inside of it count as well: the ball around a point inside
/// with this radius is always inside.
///
/// ```
/// use clearance::{Pose, glam::DVec3, mesh::{TreeMesh, signed_distance}};
/// use clearance::shape::{Mesh, MeshConfig, sample};
/// let ball = TreeMesh::new(Mesh::build(&sample::icosphere(1.0, 16)?, &MeshConfig::default())?);
/// let depth = signed_distance(&ball, &Pose::IDENTITY, DVec3::new(0.0, 0.0, 0.25))?;
/// assert!(depth.lower <= depth.upper && depth.upper < -0.74 && depth.lower > -0.76);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The mesh is a surface; the point is not finite or too large.
pub fn signed_distance(mesh: &TreeMesh, pose: &Pose, point: DVec3) -> Result<SignedDistance, PointError> {
    if mesh.mesh().kind() != MeshKind::Solid {
        return Err(PointError::NotSolid);
    }
    Ok(signed(mesh, pose, checked(point)?))
}

/// [`signed_distance`] of the exact image of a point.
pub(super) fn signed(mesh: &TreeMesh, pose: &Pose, at: Posed<'_>) -> SignedDistance {
    let found = nearest(mesh, pose, at);
    // On a triangle there is no sign.
    let is_inside = found.upper > 0.0 && solid::location(&mesh.at(pose), at) == PointLocation::Inside;
    let (lower, upper) =
        if is_inside { (-found.upper, 0.0 - found.lower) } else { (found.lower, found.upper) };
    SignedDistance { lower, upper, point: found.point, triangle: found.triangle }
}
