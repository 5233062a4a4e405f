//! How far apart two convex polygons are.

use super::number::{Rational, sign};
use super::placement::Placement;
use super::point::Point;
use super::polygon::Polygon;
use super::relation::{Relation, relation_of_hulls, sides};
use crate::exact::{BigNumber, BigQuotient};
use dashu::integer::IBig;

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

/// The exact square of the distance of two polygons, vertices counter-clockwise. Some vertex of one and some point of a side
/// of the other are nearest: `O(|a| |b|)` in floats, and exactly for the pairs that floats leave.
fn distance_squared(a: &[Point], b: &[Point]) -> Rational {
    if relation_of_hulls(a, b) != Relation::Disjoint {
        return Rational::ZERO;
    }
    let mut least: Option<Rational> = None;
    for (mine, other) in [(a, b), (b, a)] {
        for p in mine {
            for (from, to) in sides(other) {
                offer(&mut least, p, from, to);
            }
            if other.len() == 1 {
                offer(&mut least, p, &other[0], &other[0]);
            }
        }
    }
    least.unwrap_or(Rational::ZERO)
}

/// Replaces the least square of a distance by that of a point and a segment if that is smaller.
fn offer(least: &mut Option<Rational>, p: &Point, from: &Point, to: &Point) {
    if let Some(known) = least.as_ref() {
        let (p, from, to) = (p.near(), from.near(), to.near());
        let along = to - from;
        let t =
            if along.length_squared() > 0.0 { (p - from).dot(along) / along.length_squared() } else { 0.0 };
        let near = (from + t.clamp(0.0, 1.0) * along).distance(p);
        // A float distance errs by a few units of the largest coordinate; far more is certain.
        let scale = p.abs().max(from.abs()).max(to.abs()).max_element();
        let slack = 64.0 * f64::EPSILON * (scale + near);
        let known = known.to_f64().value().sqrt();
        if near.is_finite() && near - slack > known * (1.0 + 1e-12) {
            return;
        }
    }
    let found = point_segment(p, from, to);
    if least.as_ref().is_none_or(|known| found < *known) {
        *least = Some(found);
    }
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
