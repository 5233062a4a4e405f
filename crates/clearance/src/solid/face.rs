//! A face, and points infinitely close to it.

use super::body::{Body, between};
use super::point::Point;
use super::probe::{Probe, Toward};
use super::search::TriangleSearch;
use crate::exact::{Axis, Posed, Sign, Vector, cross_sign, det_sign};
use crate::pair::Feature;
use crate::triangle::shadow;
use glam::DVec3;

/// A triangle of one body.
pub(super) struct Face<'a> {
    pub corners: [Posed<'a>; 3],
    /// An axis along which its shadow has area, and which way that turns.
    axis: Axis,
    turn: Sign,
}

/// A point just behind a face, and one just in front of it.
pub(super) struct Sample<'a> {
    pub behind: Probe<'a>,
    pub in_front: Probe<'a>,
}

impl<'a> Face<'a> {
    /// `None` for a flat triangle, which no mesh has.
    pub fn new<S: TriangleSearch>(body: &Body<'a, S>, triangle: u32) -> Option<Face<'a>> {
        let corners = body.triangle(triangle);
        shadow(corners).map(|(axis, turn)| Face { corners, axis, turn })
    }

    /// From a corner to another.
    pub fn along(&self, from: usize, to: usize) -> Vector<'a> {
        between(self.corners[from % 3], self.corners[to % 3])
    }

    /// Positive if the second of two vectors of the plane is to the left of the first, seen from the front.
    pub fn left_of(&self, u: Vector<'_>, v: Vector<'_>) -> Sign {
        cross_sign(self.axis, u, v) * self.turn
    }

    /// The edge of the face that starts at a point of its rim, counter-clockwise.
    pub fn own_ray(&self, place: Feature) -> Option<Vector<'a>> {
        match place {
            Feature::Vertex(corner) => Some(self.along(corner as usize, corner as usize + 1)),
            Feature::Edge([0, 2]) => Some(self.along(2, 0)),
            Feature::Edge([from, to]) => Some(self.along(from as usize, to as usize)),
            Feature::Face(_) => None,
        }
    }

    /// Whether the face reaches along a ray of its plane from a point of it, and to the left of the ray.
    pub fn has_left_of(&self, place: Feature, ray: &Toward<'_>) -> bool {
        let Some(own) = self.own_ray(place) else { return true };
        let axis = self.axis();
        let is_beyond_own = match ray.det_sign(axis, own) * self.turn {
            Sign::Positive => true,
            // Parallel: in the same direction if it has the same side to its left.
            Sign::Zero => self.left_of_ray(ray, self.inward(place)).is_positive(),
            Sign::Negative => false,
        };
        let is_before_last = || match place {
            Feature::Vertex(corner) => {
                self.left_of_ray(ray, self.along(corner as usize, corner as usize + 2)).is_positive()
            }
            _ => true,
        };
        is_beyond_own && is_before_last()
    }

    /// A vector to the left of the own ray at a point of the rim.
    fn inward(&self, place: Feature) -> Vector<'a> {
        match place {
            Feature::Vertex(corner) => self.along(corner as usize, corner as usize + 2),
            Feature::Edge([0, 2]) => self.along(2, 1),
            Feature::Edge([from, _]) => self.along(from as usize, from as usize + 2),
            Feature::Face(_) => self.along(0, 2),
        }
    }

    /// Positive if a vector of the plane is to the left of a ray.
    fn left_of_ray(&self, ray: &Toward<'_>, vector: Vector<'_>) -> Sign {
        ray.det_sign(vector, self.axis()) * self.turn
    }

    /// The index of that axis.
    pub fn axis_index(&self) -> usize {
        self.axis as usize
    }

    /// The axis along which the face is seen.
    pub fn axis(&self) -> Vector<'static> {
        Vector::Literal(DVec3::AXES[self.axis as usize])
    }

    /// A vector that points to the front, and one that points to the back.
    pub fn normals(&self) -> [Vector<'static>; 2] {
        let axis = DVec3::AXES[self.axis as usize];
        let up = if self.turn.is_positive() { axis } else { -axis };
        [Vector::Literal(up), Vector::Literal(-up)]
    }

    /// Positive for a vector that points to the front.
    pub fn height(&self, vector: Vector<'_>) -> Sign {
        det_sign(self.along(0, 1), self.along(0, 2), vector)
    }

    /// Vectors of the plane to the two sides of another.
    pub fn across(&self, vector: Vector<'_>) -> [Vector<'a>; 2] {
        match self.left_of(vector, self.along(0, 1)).is_zero() {
            true => [self.along(0, 2), self.along(2, 0)],
            false => [self.along(0, 1), self.along(1, 0)],
        }
    }

    /// Close to a point of the face, to the left of a ray of its plane, of which the face has the left.
    pub fn sample(&self, at: Point<'a>, ray: Toward<'a>) -> Sample<'a> {
        let edges = [(1, 0), (1, 2), (2, 1)].map(|(from, to)| self.along(from, to));
        let is_left = |edge: &&Vector<'a>| self.left_of_ray(&ray, **edge).is_positive();
        // If none of these is, the ray is parallel to the second and third, or the first is backwards.
        let left = edges.iter().find(is_left).copied().unwrap_or(self.along(0, 1));
        let [up, down] = self.normals();
        let probe = |at: Point<'a>, ray: Toward<'a>, away: Vector<'a>| Probe {
            at,
            toward: [ray, Toward::Along(left), Toward::Along(away)],
        };
        Sample { behind: probe(at.clone(), ray.clone(), down), in_front: probe(at, ray, up) }
    }

    /// Close to a corner.
    pub fn sample_near(&self, corner: usize) -> Sample<'a> {
        self.sample(Point::Vertex(self.corners[corner]), Toward::Along(self.along(corner, corner + 1)))
    }
}

/// The common point of the insides of two edges, not parallel.
pub(super) fn crossing<'a>(edge: [Posed<'a>; 2], other: [Posed<'a>; 2]) -> Option<Point<'a>> {
    let (along, across) = (between(edge[0], edge[1]), between(other[0], other[1]));
    let axis = Axis::ALL.into_iter().find(|&axis| !cross_sign(axis, along, across).is_zero())?;
    let axis = Vector::Literal(DVec3::AXES[axis as usize]);
    Some(Point::crossing(edge, [across, axis], other[0]))
}
