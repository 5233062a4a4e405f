//! Where two triangles meet: a point, a segment or a polygon, by the parts of the triangles that meet there.

use super::coplanar::Coplanar;
use super::crossing::{Crossing, End};
use super::pair::{FACE, TrianglePair, vector_size};
use super::relation::Meeting;
use super::sides::{Seen, Sides};
use crate::exact::{BigQuotient, BigVector, Posed, Sign, Vector};
use crate::math::Pose;
use crate::math::round::{UNIT_ROUNDOFF, power_of_two};
use crate::pair::{Feature, Relation};
use crate::witness::Side;
use glam::DVec3;

/// A corner of the intersection of two triangles: the only point that the insides of two parts have in common.
///
/// Parts are named by corners `0`, `1`, `2` of the triangles; they are the smallest that hold the point, and exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// The corner, the edge or the face of A in which the point lies.
    pub feature_a: Feature,
    /// The same for B.
    pub feature_b: Feature,
    /// The point in the world, rounded; wrong by about `1e-9` of the edge it lies in at most, mostly by far less.
    pub position: DVec3,
}

/// The common points of two triangles: the convex hull of at most six corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Intersection {
    relation: Relation,
    corners: [Corner; 6],
    count: usize,
}

impl Intersection {
    const NONE: Corner = Corner { feature_a: FACE, feature_b: FACE, position: DVec3::ZERO };

    fn empty(relation: Relation) -> Intersection {
        Intersection { relation, corners: [Intersection::NONE; 6], count: 0 }
    }

    fn push(&mut self, corner: Corner) {
        self.corners[self.count] = corner;
        self.count += 1;
    }

    /// The relation of the triangles.
    pub fn relation(&self) -> Relation {
        self.relation
    }

    /// None, a point, the ends of a segment, or the three to six corners of a polygon in order around it. None as well
    /// for a flat triangle.
    pub fn corners(&self) -> &[Corner] {
        &self.corners[..self.count]
    }
}

/// The intersection of two triangles under two poses, exactly, with rounded positions.
///
/// Costs about as much as [`relation`](super::relation) for disjoint triangles, and four more determinants for others;
/// positions that floats would spoil, where an edge grazes a plane, take some microseconds of integers.
///
/// ```
/// use clearance::{Pose, glam::DVec3, pair::Feature, triangle::intersection};
/// let floor = [DVec3::ZERO, DVec3::X, DVec3::Y];
/// let wall = [DVec3::new(0.25, 0.25, -1.0), DVec3::new(0.25, 0.25, 1.0), DVec3::new(5.0, 5.0, 0.0)];
/// let found = intersection(floor, &Pose::IDENTITY, wall, &Pose::IDENTITY);
/// let [from, to] = found.corners() else { panic!("a segment") };
/// assert_eq!((from.feature_a, from.feature_b), (Feature::Face([0, 1, 2]), Feature::Edge([0, 1])));
/// assert_eq!(from.position, DVec3::new(0.25, 0.25, 0.0));
/// assert_eq!((to.feature_a, to.feature_b), (Feature::Edge([1, 2]), Feature::Face([0, 1, 2])));
/// ```
pub fn intersection(a: [DVec3; 3], pose_a: &Pose, b: [DVec3; 3], pose_b: &Pose) -> Intersection {
    common_points(a, pose_a, b, pose_b).unwrap_or(Intersection::empty(Relation::Disjoint))
}

/// The [`intersection`], or `None` for disjoint triangles: these cost no more than their [`relation`](super::relation).
#[inline]
pub(crate) fn common_points(
    a: [DVec3; 3],
    pose_a: &Pose,
    b: [DVec3; 3],
    pose_b: &Pose,
) -> Option<Intersection> {
    let pair = TrianglePair { a, pose_a, b, pose_b };
    let seen = pair.seen();
    let sides = pair.sides(&seen)?;
    meeting(&pair, &seen, &sides)
}

#[inline(never)]
fn meeting(pair: &TrianglePair<'_>, seen: &Seen, sides: &Sides) -> Option<Intersection> {
    match Meeting::new(pair, seen, sides) {
        Meeting::Crossing(crossing) => crossing.order().map(|order| ends(pair, sides, &crossing, order)),
        Meeting::Coplanar(coplanar) if coplanar.are_disjoint() => None,
        Meeting::Coplanar(coplanar) => Some(polygon(pair, &coplanar)),
        Meeting::Flat => match pair.relation_of_any_points() {
            Relation::Disjoint => None,
            relation => Some(Intersection::empty(relation)),
        },
    }
}

/// The point or segment in which triangles of two planes meet.
fn ends(
    pair: &TrianglePair<'_>,
    sides: &Sides,
    crossing: &Crossing<'_, '_>,
    order: [Sign; 2],
) -> Intersection {
    let mut found = Intersection::empty(crossing.relation(order));
    let (start, end) = crossing.ends(order);
    for End { feature_a, feature_b, owner, corner } in [Some(start), end].into_iter().flatten() {
        let position = pair.corner_position(feature_a, feature_b).unwrap_or_else(|| {
            let (apex, other, heights) = match owner {
                Side::A => (crossing.a.apex, Side::B, &sides.heights_a),
                Side::B => (crossing.b.apex, Side::A, &sides.heights_b),
            };
            if let Some(weight) = heights.crossing(apex, corner) {
                return pair.on_edge(owner, [apex, corner], weight);
            }
            let plane = [pair.along(other, 0, 1), pair.along(other, 0, 2)];
            pair.position_on_edge(owner, [apex, corner], plane, pair.at(other, 0))
        });
        found.push(Corner { feature_a, feature_b, position });
    }
    found
}

/// The polygon, segment or point in which triangles of one plane meet.
fn polygon(pair: &TrianglePair<'_>, coplanar: &Coplanar) -> Intersection {
    let mut found = Intersection::empty(Relation::Touching);
    let (corners, count) = coplanar.corners();
    for &(feature_a, feature_b) in &corners[..count] {
        let position = pair.position_in_plane(coplanar, feature_a, feature_b);
        found.push(Corner { feature_a, feature_b, position });
    }
    found
}

/// Heights whose difference is less than this many times their error do not say where a plane cuts an edge.
const RELIABLE: f64 = power_of_two(30);

impl<'a> TrianglePair<'a> {
    /// The image of a corner, if one of the features is one.
    fn corner_position(&self, feature_a: Feature, feature_b: Feature) -> Option<DVec3> {
        match (feature_a, feature_b) {
            (Feature::Vertex(corner), _) => Some(self.pose_a.apply(self.a[corner as usize])),
            (_, Feature::Vertex(corner)) => Some(self.pose_b.apply(self.b[corner as usize])),
            _ => None,
        }
    }

    /// The position of a corner of the intersection of triangles of one plane.
    fn position_in_plane(&self, coplanar: &Coplanar, feature_a: Feature, feature_b: Feature) -> DVec3 {
        if let Some(position) = self.corner_position(feature_a, feature_b) {
            return position;
        }
        let (&[a0, a1], &[b0, b1]) = (feature_a.vertices(), feature_b.vertices()) else {
            // Faces of one plane have no single common point.
            return DVec3::ZERO;
        };
        let axis = Vector::Literal(DVec3::AXES[coplanar.axis as usize]);
        let plane = [self.along(Side::B, b0 as usize, b1 as usize), axis];
        self.position_on_edge(Side::A, [a0 as usize, a1 as usize], plane, self.at_b(b0 as usize))
    }

    /// Where the plane that two vectors span at a point crosses an edge.
    fn position_on_edge(
        &self,
        side: Side,
        [from, to]: [usize; 2],
        plane: [Vector<'a>; 2],
        origin: Posed<'a>,
    ) -> DVec3 {
        let (drop, rise) = (Vector::Between(origin, self.at(side, from)), self.along(side, from, to));
        let weight = float_weight(plane, drop, rise).unwrap_or_else(|| exact_weight(plane, drop, rise));
        self.on_edge(side, [from, to], weight)
    }

    /// A point of an edge, in the world.
    fn on_edge(&self, side: Side, [from, to]: [usize; 2], weight: f64) -> DVec3 {
        let (pose, corners) = match side {
            Side::A => (self.pose_a, self.a),
            Side::B => (self.pose_b, self.b),
        };
        pose.apply(corners[from] + (corners[to] - corners[from]) * weight.clamp(0.0, 1.0))
    }
}

/// How far along an edge `rise` from `drop` a plane through zero crosses it, if floats can tell; the error is that of
/// heights in `sides`.
fn float_weight(plane: [Vector<'_>; 2], drop: Vector<'_>, rise: Vector<'_>) -> Option<f64> {
    let normal = plane[0].rounded().cross(plane[1].rounded());
    let (low, change) = (normal.dot(drop.rounded()), normal.dot(rise.rounded()));
    let sizes = vector_size(plane[0]) * vector_size(plane[1]) * (vector_size(drop) + vector_size(rise));
    (change.abs() > RELIABLE * 160.0 * UNIT_ROUNDOFF * sizes && change.is_finite()).then(|| -low / change)
}

/// The same by integers. The height changes its sign along the edge.
#[cold]
#[inline(never)]
fn exact_weight(plane: [Vector<'_>; 2], drop: Vector<'_>, rise: Vector<'_>) -> f64 {
    let [u, v] = plane.map(BigVector::from);
    let normal = u.cross(&v);
    let height = |vector: Vector<'_>| {
        let height = normal.dot(&BigVector::from(vector));
        if height.sign().is_negative() { height.negated() } else { height }
    };
    BigQuotient { numerator: height(drop), denominator: height(rise) }.bracket().0
}
