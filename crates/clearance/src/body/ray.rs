//! Where a ray first meets a body of any kind.

use super::{Body, BodyError};
use crate::compound::{Compound, Part};
use crate::math::Pose;
use crate::mesh;
use crate::pair::{self, Ray, RayHit};

/// Where a ray first meets any body under a pose; `None` if it is proved not to up to its end.
///
/// As [`pair::ray_cast_convex`] for convex bodies, [`mesh::ray_cast`] for meshes, which are met from inside as well, and for
/// a compound that of its parts that is met first. The face is that of a convex polytope; which triangle of a mesh it is
/// only [`mesh::ray_cast`] tells.
///
/// # Errors
/// A cylinder, cone or ellipsoid with a ball around it whose points lie beyond the largest coordinates.
pub fn ray_cast(body: &Body, pose: &Pose, ray: &Ray) -> Result<Option<RayHit>, BodyError> {
    match body {
        Body::Convex(convex) => Ok(pair::ray_cast_convex(convex, pose, ray)?),
        Body::Mesh(mesh) => Ok(mesh::ray_cast(mesh, pose, ray).map(of_mesh)),
        Body::Compound(compound) => Ok(cast_at_parts(compound, pose, ray)),
    }
}

fn of_mesh(hit: mesh::MeshRayHit) -> RayHit {
    let (t_lower, t_upper) = (hit.t_lower, hit.t_upper);
    RayHit { t_lower, t_upper, within: 0.0, normal: Some(hit.normal), face: None }
}

fn cast_at_parts(compound: &Compound, pose: &Pose, ray: &Ray) -> Option<RayHit> {
    let of_part = |part: &Part| match part {
        Part::Polytope(map) => pair::ray_cast(map, pose, ray).map(|hit| RayHit { face: None, ..hit }),
        Part::Mesh(mesh) => mesh::ray_cast(mesh, pose, ray).map(of_mesh),
    };
    // A bracket holds the least of all if it begins with the least beginning.
    let first = |one: RayHit, other: RayHit| {
        let (first, later) = if other.t_upper < one.t_upper { (other, one) } else { (one, other) };
        RayHit { t_lower: first.t_lower.min(later.t_lower), ..first }
    };
    compound.parts().iter().filter_map(of_part).reduce(first)
}
