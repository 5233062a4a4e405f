//! How far apart two convex polygons are.

use super::number::{Rational, sign};
use super::placement::Placement;
use super::point::Point;
use super::polygon::Polygon;
use super::relation::{Relation, relation_of_hulls};
use crate::exact::{BigNumber, BigQuotient};
use dashu::integer::IBig;
use glam::DVec2;

/// A distance, both ends proved: neighbouring floats or equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Not above the distance.
    pub lower: f64,
    /// Not below it.
    pub upper: f64,
}

/// The distance of two polygons in one frame; zero if they meet.
pub fn distance(a: &Polygon, b: &Polygon) -> Distance {
    bracket(&distance_squared(a.points(), b.points()))
}

/// The distance of two polygons under their placements.
pub fn distance_of(a: &Polygon, placement_a: &Placement, b: &Polygon, placement_b: &Placement) -> Distance {
    bracket(&distance_squared_of(a, placement_a, b, placement_b))
}

/// The exact square of the distance of two polygons under their placements.
pub fn distance_squared_of(
    a: &Polygon,
    placement_a: &Placement,
    b: &Polygon,
    placement_b: &Placement,
) -> Rational {
    distance_squared(&a.placed(placement_a), &b.placed(placement_b))
}

/// The exact square of the distance of two polygons, vertices counter-clockwise. Some vertex of one and some point of a side of
/// the other are nearest: `O(|a| |b|)` in floats, and exactly for the pairs that floats leave.
fn distance_squared(a: &[Point], b: &[Point]) -> Rational {
    if relation_of_hulls(a, b) != Relation::Disjoint {
        return Rational::ZERO;
    }
    let [near_a, near_b] = seen_from(&a[0], [a, b]);
    let pairs = || {
        let of_a = (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (Vertex::OfA, i, j)));
        let of_b = (0..b.len()).flat_map(|i| (0..a.len()).map(move |j| (Vertex::OfB, i, j)));
        of_a.chain(of_b)
    };
    let estimate = |(vertex, i, j): (Vertex, usize, usize)| {
        let (mine, other) = if vertex == Vertex::OfA { (&near_a, &near_b) } else { (&near_b, &near_a) };
        float_distance(mine[i], other[j], other[(j + 1) % other.len()])
    };
    let least = pairs().map(estimate).fold(f64::INFINITY, f64::min);
    // Coordinates are at most one: an estimate errs by a few units. What is not a number is looked at, too.
    let is_near = |distance: f64| distance.is_nan() || distance <= least + 64.0 * f64::EPSILON;
    let candidates = pairs().filter(|&pair| is_near(estimate(pair)));
    let exact = candidates.map(|(vertex, i, j)| {
        let (mine, other) = if vertex == Vertex::OfA { (a, b) } else { (b, a) };
        point_segment(&mine[i], &other[j], &other[(j + 1) % other.len()])
    });
    exact.min().unwrap_or(Rational::ZERO)
}

/// Whose vertex and whose side are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Vertex {
    OfA,
    OfB,
}

/// Points as floats, seen from one of them and scaled to coordinates of at most one.
fn seen_from(origin: &Point, sets: [&[Point]; 2]) -> [Vec<DVec2>; 2] {
    let near = sets.map(|set| set.iter().map(|p| p.minus(origin).near()).collect::<Vec<DVec2>>());
    let size = near.iter().flatten().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    near.map(|set| set.into_iter().map(|p| p / size).collect())
}

fn float_distance(p: DVec2, from: DVec2, to: DVec2) -> f64 {
    let along = to - from;
    let length_squared = along.length_squared();
    let t = if length_squared > 0.0 { ((p - from).dot(along) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
    (from + t * along).distance(p)
}

/// The exact square of the distance of a point and a segment, which may be a point.
pub(crate) fn point_segment(p: &Point, from: &Point, to: &Point) -> Rational {
    let (along, off) = (to.minus(from), p.minus(from));
    let t = off.dot(&along);
    if !sign(&t).is_positive() {
        return off.dot(&off);
    }
    let whole = along.dot(&along);
    if t >= whole {
        let off = p.minus(to);
        return off.dot(&off);
    }
    let cross = along.cross(&off);
    &cross * &cross / whole
}

/// The floats next to the root of a number that is not negative.
pub(crate) fn bracket(square: &Rational) -> Distance {
    let quotient = BigQuotient {
        numerator: BigNumber::from(square.numerator().clone()),
        denominator: BigNumber::from(IBig::from(square.denominator().clone())),
    };
    let (lower, upper) = quotient.root_bracket();
    Distance { lower, upper }
}
