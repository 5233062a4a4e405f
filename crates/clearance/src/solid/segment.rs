//! A segment against a mesh.

use super::body::{Body, between};
use super::contains::location;
use super::face::Face;
use super::point::Point;
use super::probe::{Probe, Toward, box_in_frame};
use super::search::TriangleSearch;
use crate::exact::{Posed, Sign, Vector, det_sign, vector_dot_sign};
use crate::math::Pose;
use crate::pair::{PointLocation, Relation};
use crate::triangle;
use glam::DVec3;

/// The relation of a mesh and a segment under their poses, exact: overlapping when the segment meets the inside of a
/// solid or crosses the inside of a triangle of a surface. A segment of no length is a point.
///
/// Costs the exact relation with the triangles near the segment, and some winding numbers for each at which it meets a
/// solid. Ends that are not finite give no information.
pub fn segment_relation<S: TriangleSearch>(body: &Body<'_, S>, ends: [DVec3; 2], pose: &Pose) -> Relation {
    if ends[0] == ends[1] {
        return match location(body, pose.at(ends[0])) {
            PointLocation::Outside => Relation::Disjoint,
            PointLocation::Boundary => Relation::Touching,
            PointLocation::Inside => Relation::Overlapping,
        };
    }
    let segment = ends.map(|end| pose.at(end));
    let mut strongest = Relation::Disjoint;
    let mut touched: Vec<u32> = Vec::new();
    body.search.visit(box_around(body.pose, segment), |face| {
        let triangle = body.triangle(face);
        if is_beside(triangle, segment) || passes_by(triangle, segment) {
            return;
        }
        let flat = [ends[0], ends[1], ends[1]];
        let found = triangle::relation(body.mesh.triangle(face as usize), body.pose, flat, pose);
        strongest = strongest.max(found);
        if found != Relation::Disjoint {
            touched.push(face);
        }
    });
    if !body.is_solid() {
        return strongest;
    }
    touched.sort_unstable();
    match (meets_inside(body, segment, &touched), touched.is_empty()) {
        (true, _) => Relation::Overlapping,
        (false, true) => Relation::Disjoint,
        (false, false) => Relation::Touching,
    }
}

/// Whether a triangle has edges that the line through a segment leaves on either hand: then they share no point.
///
/// Seen along the line, in which it is the point 0, the three numbers are as the weights with which 0 is a mean of the corners; and
/// all are zero where the triangle is seen as a part of a line through 0.
fn passes_by([p, q, r]: [Posed<'_>; 3], [from, to]: [Posed<'_>; 2]) -> bool {
    // With an edge as one factor, floats can tell the sign beside segments of any length.
    let hand = |p, q| det_sign(between(from, to), between(from, p), between(p, q));
    let hands = [hand(p, q), hand(q, r), hand(r, p)];
    hands.iter().any(|hand| hand.is_positive()) && hands.iter().any(|hand| hand.is_negative())
}

fn box_around(pose: &Pose, segment: [Posed<'_>; 2]) -> crate::Aabb {
    let [from, to] = segment.map(|end| {
        let (world, error) = Point::Vertex(end).rounded();
        box_in_frame(pose, world, error)
    });
    from.join(to)
}

/// Whether both ends lie strictly on one side of a triangle's plane.
fn is_beside([p, q, r]: [Posed<'_>; 3], segment: [Posed<'_>; 2]) -> bool {
    let [from, to] = segment.map(|end| det_sign(between(p, q), between(p, r), between(p, end)));
    !from.is_zero() && from == to
}

/// Whether a point of the segment is inside a solid. It is inside, or not, along each piece between two points at which
/// triangles start or end; every piece has one of them, or an end of the segment, at an end.
fn meets_inside<S: TriangleSearch>(body: &Body<'_, S>, [from, to]: [Posed<'_>; 2], touched: &[u32]) -> bool {
    let (forward, backward) = (between(from, to), between(to, from));
    let faces: Vec<Face<'_>> = touched.iter().filter_map(|&face| Face::new(body, face)).collect();
    // Faces that a piece may run along.
    let level: Vec<&Face<'_>> = faces.iter().filter(|face| face.height(forward).is_zero()).collect();
    let is_inside = |at: &Point<'_>, along: Vector<'_>| is_surrounded(body, at, along, &level);
    is_inside(&Point::Vertex(from), forward)
        || is_inside(&Point::Vertex(to), backward)
        || faces
            .iter()
            .flat_map(|face| marks(face, [from, to]))
            .any(|at| is_inside(&at, forward) || is_inside(&at, backward))
}

/// Whether all points close to one that lies just along a direction from a point are inside.
fn is_surrounded<S: TriangleSearch>(
    body: &Body<'_, S>,
    at: &Point<'_>,
    along: Vector<'_>,
    level: &[&Face<'_>],
) -> bool {
    let is_inside = |across: Vector<'_>, away: Vector<'_>| {
        let toward = [along, across, away].map(Toward::Along);
        Probe { at: at.clone(), toward }.winding(body) >= 1
    };
    let [x, y, z] = DVec3::AXES.map(Vector::Literal);
    // Two axes that span space together with the direction.
    let axes = [[x, y], [y, z], [z, x]];
    let axes = axes.into_iter().find(|&[u, v]| !det_sign(u, v, along).is_zero());
    axes.is_some_and(|[across, away]| is_inside(across, away))
        && level.iter().all(|face| {
            let [across, back] = face.across(along);
            let [up, down] = face.normals();
            [across, back].into_iter().all(|side| is_inside(side, up) && is_inside(side, down))
        })
}

/// The points strictly inside a segment at which it enters or leaves a face.
fn marks<'a>(face: &Face<'a>, segment: [Posed<'a>; 2]) -> Vec<Point<'a>> {
    let [from, to] = segment.map(|end| face.height(between(face.corners[0], end)));
    match from * to {
        Sign::Negative => {
            vec![Point::crossing(segment, [face.along(0, 1), face.along(0, 2)], face.corners[0])]
        }
        // Only in an end, which is looked at anyway.
        Sign::Zero if from != to => Vec::new(),
        _ => (0..3).filter_map(|k| mark_in_plane(face, k, segment)).collect(),
    }
}

/// The point strictly inside a segment of the plane at which it meets the inside or the first corner of an edge.
fn mark_in_plane<'a>(face: &Face<'a>, edge: usize, segment: [Posed<'a>; 2]) -> Option<Point<'a>> {
    let (corner, along) = (face.corners[edge], face.along(edge, edge + 1));
    let [from, to] = segment;
    let across = between(from, to);
    let of_corner = face.left_of(across, between(from, corner));
    if of_corner.is_zero() {
        let is_between = vector_dot_sign(between(corner, from), between(corner, to)).is_negative();
        return is_between.then_some(Point::Vertex(corner));
    }
    let of_next = face.left_of(across, between(from, face.corners[(edge + 1) % 3]));
    let [of_from, of_to] = segment.map(|end| face.left_of(along, between(corner, end)));
    let do_cross = (of_corner * of_next).is_negative() && (of_from * of_to).is_negative();
    do_cross.then(|| Point::crossing(segment, [along, face.axis()], corner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::shape::sample::icosphere;

    /// The box around a long segment that is not parallel to an axis holds all of a mesh, and it crosses the planes of most triangles;
    /// to relate each of them exactly took seconds.
    #[test]
    fn few_triangles_are_left_beside_a_segment_of_any_length() {
        let soup = icosphere(1.0, 16).unwrap();
        let (pose, along) =
            (Pose::from_translation(DVec3::new(0.1, 0.2, 0.3)).unwrap(), DVec3::new(3.0, 2.0, 1.0));
        for length in [1.0, 1e9, 1e100] {
            let segment = [-along * length, along * length].map(|end| Pose::IDENTITY.at(end));
            let is_left = |triangle: &&[u32; 3]| {
                let corners = triangle.map(|corner| pose.at(soup.positions[corner as usize]));
                !is_beside(corners, segment) && !passes_by(corners, segment)
            };
            assert_eq!(soup.triangles.iter().filter(is_left).count(), 2, "{length}");
        }
    }

    #[test]
    fn a_triangle_that_is_passed_by_has_no_point_of_the_segment() {
        let mut random = Random::new(45);
        // On a lattice, so that edges, corners and planes are met, and triangles are flat.
        let mut point = || DVec3::from_array(std::array::from_fn(|_| random.range(-2.0, 2.0).round()));
        let (mut passed, mut apart) = (0, 0);
        for _ in 0..3000 {
            let (corners, ends, pose) =
                ([(); 3].map(|()| point()), [(); 2].map(|()| point()), Pose::IDENTITY);
            let flat = [ends[0], ends[1], ends[1]];
            let is_apart = triangle::relation(corners, &pose, flat, &pose) == Relation::Disjoint;
            let is_passed = passes_by(corners.map(|p| pose.at(p)), ends.map(|p| pose.at(p)));
            assert!(is_apart || !is_passed, "{corners:?} {ends:?}");
            (passed, apart) = (passed + usize::from(is_passed), apart + usize::from(is_apart));
        }
        assert!(2 * passed > apart, "{passed} of {apart}");
    }
}
