//! Convex polygons with float vertices.

use super::line::Line;
use super::number::{Rational, exact, sign};
use super::placement::Placement;
use super::point::Point;
use crate::exact::{Sign, orient2d};
use crate::math::round::{add_up, mul_up, sqrt_up};
use crate::tolerance::COORDINATE_LIMIT;
use glam::DVec2;

/// Why points make no polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolygonError {
    /// A convex hull needs at least one point.
    #[error("no points: a polygon needs at least one")]
    Empty,
    /// A coordinate is infinite or not a number.
    #[error("point {point} is not finite: remove it or replace its coordinates")]
    NotFinite {
        /// Its index in the input.
        point: usize,
    },
    /// A coordinate is beyond [`COORDINATE_LIMIT`].
    #[error("point {point} has a coordinate beyond 2^300: scale the polygon down")]
    TooLarge {
        /// Its index in the input.
        point: usize,
    },
}

/// The convex hull of points: its vertices counter-clockwise, no three on a line, none twice; the first one is the lowest of
/// the leftmost. A point and a segment are polygons, too.
///
/// ```
/// use clearance::{glam::DVec2, planar::Polygon};
/// let points = [(0.0, 0.0), (2.0, 0.0), (1.0, 0.0), (1.0, 1.0)].map(|(x, y)| DVec2::new(x, y));
/// let triangle = Polygon::hull(&points)?;
/// assert_eq!(triangle.vertices().len(), 3);
/// assert_eq!(triangle.vertices()[triangle.support(DVec2::Y)], DVec2::new(1.0, 1.0));
/// # Ok::<(), clearance::planar::PolygonError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Polygon {
    vertices: Vec<DVec2>,
    points: Vec<Point>,
    edges: Vec<Line>,
}

impl Polygon {
    /// The convex hull of points. `O(n log n)`.
    pub fn hull(points: &[DVec2]) -> Result<Polygon, PolygonError> {
        check(points)?;
        // Adding zero makes negative zeros positive, so that equal points have equal bits.
        let mut sorted: Vec<DVec2> = points.iter().map(|p| *p + DVec2::ZERO).collect();
        sorted.sort_unstable_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
        sorted.dedup();
        let mut vertices = chain(sorted.iter().copied());
        if sorted.len() > 1 {
            vertices.pop();
            let upper = chain(sorted.iter().rev().copied());
            vertices.extend(&upper[..upper.len() - 1]);
        }
        Ok(Polygon::from_hull(vertices))
    }

    fn from_hull(vertices: Vec<DVec2>) -> Polygon {
        let points: Vec<Point> = vertices.iter().map(|&v| Point::from(v)).collect();
        let next = |i: usize| &points[(i + 1) % points.len()];
        let edges = points.iter().enumerate().filter_map(|(i, p)| Line::through(p, next(i))).collect();
        Polygon { vertices, points, edges }
    }

    /// The vertices, counter-clockwise: one for a point, two for a segment.
    pub fn vertices(&self) -> &[DVec2] {
        &self.vertices
    }

    /// The vertices as exact points.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The lines of the edges, the polygon on their inner side; edge `i` goes from vertex `i` to the next. None for a point,
    /// two for a segment.
    pub fn edges(&self) -> &[Line] {
        &self.edges
    }

    /// The vertex after another, counter-clockwise.
    pub fn next(&self, vertex: usize) -> usize {
        if vertex + 1 == self.vertices.len() { 0 } else { vertex + 1 }
    }

    /// The vertex before another.
    pub fn previous(&self, vertex: usize) -> usize {
        if vertex == 0 { self.vertices.len() - 1 } else { vertex - 1 }
    }

    /// The affine dimension: 0 for a point, 1 for a segment.
    pub fn dimension(&self) -> usize {
        self.vertices.len().min(3) - 1
    }

    /// A number not below the diameter, and at most a few units in the last place above it. `O(n)`: rotating calipers.
    pub fn diameter(&self) -> f64 {
        let mut largest = 0.0f64;
        let mut across = self.next(0);
        for i in 0..self.edges.len() {
            // The vertex farthest from an edge only moves on as the edge does; a parallel edge has two.
            while self.edges[i].turn(&self.edges[across]).is_positive() {
                across = self.next(across);
            }
            for (from, to) in [(i, across), (self.next(i), across), (i, self.next(across)), (i, self.next(i))]
            {
                largest = largest.max(length_up(self.vertices[to] - self.vertices[from]));
            }
        }
        largest
    }

    /// A vertex farthest along a finite direction; of two, the first counter-clockwise. `O(log n)`, exact. Zero gives the
    /// first vertex.
    pub fn support(&self, direction: DVec2) -> usize {
        self.support_exact(&exact(direction.x), &exact(direction.y))
    }

    /// A vertex farthest along an exact direction; of two, the first counter-clockwise. `O(log n)`.
    pub fn support_exact(&self, x: &Rational, y: &Rational) -> usize {
        if self.edges.is_empty() || (x.is_zero() && y.is_zero()) {
            return 0;
        }
        let direction = Point::new(x.clone(), y.clone());
        // Outer normals of the edges turn from just beyond "left" around to the left.
        let wanted = half(&sign(x), &sign(y));
        let is_before = |edge: &Line| {
            let own = half(&sign(edge.a()), &sign(edge.b()));
            own < wanted || (own == wanted && edge.turn_to(&direction).is_positive())
        };
        let first = self.edges.partition_point(is_before);
        if first == self.edges.len() { 0 } else { first }
    }

    /// The vertices under a placement.
    pub fn placed(&self, placement: &Placement) -> Vec<Point> {
        self.points.iter().map(|p| placement.apply(p)).collect()
    }

    /// Where a point lies: positive outside, zero on the boundary (every point of a segment or a point), negative in the
    /// interior. `O(n)` in the worst case, exact.
    pub fn side(&self, point: &Point) -> Sign {
        match self.dimension() {
            0 => {
                if *point == self.points[0] {
                    Sign::Zero
                } else {
                    Sign::Positive
                }
            }
            1 => {
                let between = || {
                    let [p, q] = [&self.points[0], &self.points[1]];
                    sign(&point.minus(p).dot(&point.minus(q)))
                };
                let on_line = self.edges[0].side(point).is_zero();
                if on_line && !between().is_positive() { Sign::Zero } else { Sign::Positive }
            }
            _ => self.edges.iter().map(|edge| edge.side(point)).max().unwrap_or(Sign::Zero),
        }
    }
}

/// Normals with an angle in `(-180, 0]` come first, then those in `(0, 180]`: the order of edges that start at the lowest of
/// the leftmost vertices.
fn half(x: &Sign, y: &Sign) -> u8 {
    u8::from(y.is_positive() || (y.is_zero() && x.is_negative()))
}

fn check(points: &[DVec2]) -> Result<(), PolygonError> {
    if points.is_empty() {
        return Err(PolygonError::Empty);
    }
    for (point, p) in points.iter().enumerate() {
        if !p.is_finite() {
            return Err(PolygonError::NotFinite { point });
        }
        if p.abs().max_element() > COORDINATE_LIMIT {
            return Err(PolygonError::TooLarge { point });
        }
    }
    Ok(())
}

/// The lower hull of points sorted by their first coordinate; the upper one if they are sorted backwards.
fn chain(points: impl Iterator<Item = DVec2>) -> Vec<DVec2> {
    let mut hull: Vec<DVec2> = Vec::new();
    for p in points {
        while let [.., a, b] = hull[..]
            && !orient2d(a, b, p).is_positive()
        {
            hull.pop();
        }
        hull.push(p);
    }
    hull
}

/// A float not below the length.
pub(super) fn length_up(v: DVec2) -> f64 {
    // Stepping up covers the rounding of the difference that the caller made.
    let v = v.abs();
    let (x, y) = (v.x.next_up(), v.y.next_up());
    let largest = x.max(y);
    let (x, y) = (x / largest, y / largest);
    mul_up(largest, sqrt_up(add_up(mul_up(x, x), mul_up(y, y))).next_up())
}
