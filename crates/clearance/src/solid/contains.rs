//! Where a point lies with respect to a mesh.

use super::body::{Body, between};
use super::face::Face;
use super::point::Point;
use super::probe::{Probe, Toward, box_in_frame};
use super::search::TriangleSearch;
use crate::exact::{BigVector, Posed, Vector};
use crate::math::Pose;
use crate::pair::{Feature, PointLocation};
use crate::shape::{Polytope, PolytopeError};
use crate::triangle::locate;
use glam::DVec3;

/// Where a point of the world lies with respect to the exact image of a mesh under its pose: exact.
///
/// Inside a solid are the points around which it winds at least once, and those of triangles with such points all
/// around. All points of a surface are on its boundary.
///
/// Costs one winding number away from triangles, and some at a point on a triangle.
///
/// # Errors
/// The point is not finite or beyond [`COORDINATE_LIMIT`](crate::tolerance::COORDINATE_LIMIT).
pub fn contains_point<S: TriangleSearch>(
    body: &Body<'_, S>,
    point: DVec3,
) -> Result<PointLocation, PolytopeError> {
    // Refuses what no constructor takes.
    Polytope::hull(&[point])?;
    Ok(location(body, Pose::IDENTITY.at(point)))
}

/// Where a point lies.
pub(crate) fn location<S: TriangleSearch>(body: &Body<'_, S>, at: Posed<'_>) -> PointLocation {
    let mut on: Vec<(u32, Feature)> = Vec::new();
    let (world, error) = Point::Vertex(at).rounded();
    body.search.visit(box_in_frame(body.pose, world, error), |triangle| {
        on.extend(locate(body.triangle(triangle), at).map(|place| (triangle, place)));
    });
    on.sort_unstable();
    match (on.is_empty(), body.is_solid()) {
        (true, false) => PointLocation::Outside,
        (false, false) => PointLocation::Boundary,
        (true, true) if Probe::beside(Point::Vertex(at)).winding(body) >= 1 => PointLocation::Inside,
        (true, true) => PointLocation::Outside,
        (false, true) if is_surrounded(body, at, &on) => PointLocation::Inside,
        (false, true) => PointLocation::Boundary,
    }
}

/// Whether all points close to a point on triangles are inside: triangles through it cut space into cells, and each
/// other into sectors between rays; both sides of every sector are looked at. Triangles of one plane cut nothing on
/// their own: where one of them ends and winding numbers change, another one that leaves the plane starts.
fn is_surrounded<S: TriangleSearch>(body: &Body<'_, S>, at: Posed<'_>, on: &[(u32, Feature)]) -> bool {
    on.iter().all(|&(triangle, place)| {
        let Some(face) = Face::new(body, triangle) else { return true };
        let mut rays: Vec<Toward<'_>> = face.own_ray(place).map(Toward::Along).into_iter().collect();
        rays.extend(on.iter().filter_map(|&(other, _)| common_line(&face, body.triangle(other))).flatten());
        rays.retain(|ray| face.has_left_of(place, ray));
        if rays.is_empty() {
            rays.push(Toward::Along(face.along(0, 1)));
        }
        let mut samples = rays.into_iter().map(|ray| face.sample(Point::Vertex(at), ray));
        samples.all(|sample| sample.in_front.winding(body) >= 1 && sample.behind.winding(body) >= 1)
    })
}

/// Both directions of the line that two planes have in common; `None` if they are parallel.
fn common_line<'a>(face: &Face<'a>, [p, q, r]: [Posed<'a>; 3]) -> Option<[Toward<'a>; 2]> {
    let big = |vector: Vector<'_>| BigVector::from(vector);
    let normal = big(face.along(0, 1)).cross(&big(face.along(0, 2)));
    let other = big(between(p, q)).cross(&big(between(p, r)));
    let line = normal.cross(&other);
    (!line.is_zero()).then(|| [Toward::Computed(line.clone()), Toward::Computed(line.negated())])
}
