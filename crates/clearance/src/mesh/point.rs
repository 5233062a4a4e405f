//! Where a point lies, and how far it is from a mesh.

use super::nearest::nearest;
use super::tree_mesh::TreeMesh;
use crate::exact::Posed;
use crate::math::Pose;
use crate::pair::PointLocation;
use crate::shape::MeshKind;
use crate::solid;
use crate::tolerance::COORDINATE_LIMIT;
use glam::DVec3;

/// Why a question about a point has no answer.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PointError {
    /// The point.
    #[error("the point is {0}; its coordinates must be finite and at most 2^300 in size")]
    OutOfRange(DVec3),
    /// The mesh has no inside.
    #[error(
        "the mesh is a surface, which has no inside to sign a distance by; use `distance_to_point`, or close the mesh"
    )]
    NotSolid,
}

/// How far a point is from a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointDistance {
    /// Proved to be at most the distance.
    pub lower: f64,
    /// Proved to be at least the distance.
    pub upper: f64,
    /// The nearest point of the mesh, rounded.
    pub point: DVec3,
    /// A triangle that it lies on; `None` for a point inside a solid.
    pub triangle: Option<u32>,
}

/// Where a point of the world lies with respect to a mesh under a pose: exact.
///
/// Inside a solid are the points around which it winds at least once, and those of triangles with such points all
/// around. All points of a surface are on its boundary. Cost: the triangles between the point and the nearest side of
/// the mesh's box.
///
/// # Errors
/// The point is not finite or too large.
pub fn contains_point(mesh: &TreeMesh, pose: &Pose, point: DVec3) -> Result<PointLocation, PointError> {
    let at = checked(point)?;
    Ok(solid::location(&mesh.at(pose), at))
}

/// The distance of a point of the world from a mesh under a pose, within a relative width of `1e-12`; zero, exactly, on
/// a triangle and inside a solid.
///
/// Near parts of the tree first; exact arithmetic only for triangles within rounding of the nearest.
///
/// # Errors
/// The point is not finite or too large.
pub fn distance_to_point(mesh: &TreeMesh, pose: &Pose, point: DVec3) -> Result<PointDistance, PointError> {
    let at = checked(point)?;
    if mesh.mesh().kind() == MeshKind::Solid && solid::location(&mesh.at(pose), at) == PointLocation::Inside {
        return Ok(PointDistance { lower: 0.0, upper: 0.0, point, triangle: None });
    }
    let found = nearest(mesh, pose, at);
    let triangle = Some(found.triangle);
    Ok(PointDistance { lower: found.lower, upper: found.upper, point: found.point, triangle })
}

/// The frame of the world.
static REST: Pose = Pose::IDENTITY;

/// A point that queries take.
pub(super) fn checked(point: DVec3) -> Result<Posed<'static>, PointError> {
    // Written so that NaN is refused as well.
    if point.abs().cmple(DVec3::splat(COORDINATE_LIMIT)).all() {
        Ok(REST.at(point))
    } else {
        Err(PointError::OutOfRange(point))
    }
}
