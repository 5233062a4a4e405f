//! Where a point lies: outside, on the boundary or inside, exactly.

use super::relation::{Relation, relation};
use crate::math::Pose;
use crate::shape::{Polytope, PolytopeError};
use crate::support::SupportMap;
use glam::DVec3;

/// Where a point lies with respect to a closed convex body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointLocation {
    /// Not in the body.
    Outside,
    /// In the body, but not in its interior; all points of points, segments and polygons are.
    Boundary,
    /// In the interior.
    Inside,
}

/// Where a point of the world lies with respect to the exact image of a polytope under its pose: exact.
///
/// The point is a polytope of one vertex, and the answer its [`relation`].
///
/// # Errors
/// The point is not finite or beyond [`COORDINATE_LIMIT`](crate::tolerance::COORDINATE_LIMIT).
pub fn contains_point(a: &SupportMap, pose_a: &Pose, point: DVec3) -> Result<PointLocation, PolytopeError> {
    let point = SupportMap::new(Polytope::hull(&[point])?);
    Ok(match relation(a, pose_a, &point, &Pose::IDENTITY) {
        Relation::Disjoint => PointLocation::Outside,
        Relation::Touching => PointLocation::Boundary,
        Relation::Overlapping => PointLocation::Inside,
    })
}
