//! Whether two convex polygons meet.

use super::line::Line;
use super::number::Rational;
use super::placement::Placement;
use super::point::Point;
use super::polygon::Polygon;
use crate::exact::Sign;
pub use crate::pair::Relation;

/// The exact relation of two polygons in one frame.
///
/// As everywhere: *touching* when they share a point but some translation, however small, parts them, so that polygons
/// without interior that meet along parallel lines touch, and a segment that crosses another overlaps it.
pub fn relation(a: &Polygon, b: &Polygon) -> Relation {
    relation_of_hulls(a.points(), b.points())
}

/// The exact relation of two polygons under their placements.
pub fn relation_of(a: &Polygon, placement_a: &Placement, b: &Polygon, placement_b: &Placement) -> Relation {
    relation_of_hulls(&a.placed(placement_a), &b.placed(placement_b))
}

/// The same for vertices counter-clockwise. The difference `B - A` is bounded by lines parallel to edges of `A` and of `B`,
/// or, if it has no interior, by a line along it and two across its ends. `O(|a| |b|)`.
pub(crate) fn relation_of_hulls(a: &[Point], b: &[Point]) -> Relation {
    let mut least = Sign::Negative;
    let mut is_flat = true;
    let mut along: Option<Point> = None;
    for (mine, other) in [(a, b), (b, a)] {
        for (from, to) in sides(mine) {
            let Some(line) = Line::through(from, to) else { continue };
            let direction = to.minus(from);
            is_flat &= mine.len() <= 2 && along.as_ref().is_none_or(|v| v.cross(&direction).is_zero());
            along.get_or_insert(direction);
            least = least.max(nearest_side(&line, other));
            if least.is_positive() {
                return Relation::Disjoint;
            }
        }
    }
    if is_flat {
        return relation_along(a, b, along);
    }
    if least.is_zero() { Relation::Touching } else { Relation::Overlapping }
}

/// For a difference without interior: it is known to lie on a line through zero, or to be a point. It never overlaps.
fn relation_along(a: &[Point], b: &[Point], along: Option<Point>) -> Relation {
    let Some(along) = along else {
        return if a[0] == b[0] { Relation::Touching } else { Relation::Disjoint };
    };
    // Disjoint lines were found before.
    let range = |points: &[Point]| {
        let values: Vec<Rational> = points.iter().map(|p| along.dot(p)).collect();
        (values.iter().min().cloned().unwrap_or_default(), values.iter().max().cloned().unwrap_or_default())
    };
    let ((low_a, high_a), (low_b, high_b)) = (range(a), range(b));
    if high_a < low_b || high_b < low_a { Relation::Disjoint } else { Relation::Touching }
}

/// The sides of a polygon from vertex to vertex; both ways for a segment, none for a point.
fn sides(points: &[Point]) -> impl Iterator<Item = (&Point, &Point)> {
    let count = if points.len() == 1 { 0 } else { points.len() };
    (0..count).map(|i| (&points[i], &points[(i + 1) % points.len()]))
}

/// On which side of a line the points reach farthest in.
fn nearest_side(line: &Line, points: &[Point]) -> Sign {
    let mut least = Sign::Positive;
    for p in points {
        least = least.min(line.side(p));
        if least.is_negative() {
            break;
        }
    }
    least
}
