//! Triangles in planes that cross in a line: each cuts the line in an interval.
//!
//! Ends of intervals are compared by determinants of an edge of each triangle (after Guigue and Devillers 2003). Edges
//! are chosen so that they cross the line, if only by an end on it, so a determinant is zero exactly when two ends
//! are one point: zeros need no case of their own.

use super::pair::{FACE, TrianglePair, edge, next, vertex};
use super::sides::{Seen, Sides};
use crate::exact::{Sign, Vector, det_sign};
use crate::pair::{Feature, Relation};
use crate::witness::Side;

/// What a triangle leaves on the common line, in the direction `n_B x n_A`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    sides: [Sign; 3],
    /// A corner whose two edges cross the line or end on it: the others lie on the other side or on the line.
    pub apex: usize,
    /// The side of the apex; where it lies on the line itself, the opposite of the side of the others.
    side: Sign,
    /// The corners at the other ends of the edges in which the interval starts and ends.
    pub start: usize,
    pub end: usize,
}

impl Interval {
    /// `forward` says which way the interval runs from the apex's next corner to the one after for an apex above.
    fn new(sides: [Sign; 3], forward: Sign) -> Interval {
        let is_alone = |i: &usize| {
            let rest = [sides[next(*i)], sides[next(*i + 1)]];
            !sides[*i].is_zero() && rest.iter().all(|&s| (s * sides[*i]) != Sign::Positive)
        };
        let (apex, side) = match (0..3).find(is_alone) {
            Some(apex) => (apex, sides[apex]),
            None => {
                // One corner on the line, the others on one side.
                let apex = (0..3).find(|&i| sides[i].is_zero()).unwrap_or(0);
                (apex, -sides[next(apex)])
            }
        };
        let (left, right) = (next(apex), next(apex + 1));
        let (start, end) = if side == forward { (left, right) } else { (right, left) };
        Interval { sides, apex, side, start, end }
    }

    /// Whether the inside of the triangle meets the line.
    fn is_inside(&self) -> bool {
        self.sides.contains(&Sign::Positive) && self.sides.contains(&Sign::Negative)
    }

    /// Where on the triangle the interval ends in the edge from the apex to a corner.
    fn end_feature(&self, corner: usize) -> Feature {
        match (self.sides[self.apex].is_zero(), self.sides[corner].is_zero()) {
            (true, _) => vertex(self.apex),
            (_, true) => vertex(corner),
            _ => edge(self.apex, corner),
        }
    }

    /// Where on the triangle the points between the ends lie.
    fn inner_feature(&self) -> Feature {
        if self.is_inside() {
            FACE
        } else if self.sides[self.apex].is_zero() {
            vertex(self.apex)
        } else {
            edge(next(self.apex), next(self.apex + 1))
        }
    }
}

/// Both intervals.
pub(super) struct Crossing<'p, 'a> {
    pair: &'p TrianglePair<'a>,
    seen: &'p Seen,
    pub a: Interval,
    pub b: Interval,
}

/// An end of the common interval: where it lies on each triangle, and in which triangle's edge it ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub feature_a: Feature,
    pub feature_b: Feature,
    pub owner: Side,
    /// The edge from the owner's apex to this corner.
    pub corner: usize,
}

impl<'p, 'a> Crossing<'p, 'a> {
    /// Neither triangle's sides may be all zero.
    pub fn new(pair: &'p TrianglePair<'a>, seen: &'p Seen, sides: &Sides) -> Crossing<'p, 'a> {
        // Seen from the front of A, with the front of B above: from left to right is along n_B x n_A. For B the
        // planes change their parts.
        let (a, b) = (Interval::new(sides.a, Sign::Positive), Interval::new(sides.b, Sign::Negative));
        Crossing { pair, seen, a, b }
    }

    /// The sign of `y - x` along the line, for the ends `x` of A and `y` of B in the edges to these corners.
    ///
    /// With the edges `e` and `f`, `det[e, f, y - x]` is `y - x` along the line times `(n_B . e) (n_A . f)`, and `x` may
    /// be replaced by A's apex, `y` by B's.
    #[inline]
    fn compare(&self, corner_a: usize, corner_b: usize) -> Sign {
        let known = self.seen.turn([self.a.apex, corner_a], [self.b.apex, corner_b]);
        known.unwrap_or_else(|| self.exact_turn(corner_a, corner_b)) * self.a.side * self.b.side
    }

    #[cold]
    #[inline(never)]
    fn exact_turn(&self, corner_a: usize, corner_b: usize) -> Sign {
        let (apex_a, apex_b) = (self.pair.at_a(self.a.apex), self.pair.at_b(self.b.apex));
        let edge_a = Vector::Between(apex_a, self.pair.at_a(corner_a));
        let edge_b = Vector::Between(apex_b, self.pair.at_b(corner_b));
        det_sign(edge_a, edge_b, Vector::Between(apex_a, apex_b))
    }

    /// How the intervals follow each other: from the end of A's to the start of B's, and from the start of A's to the
    /// end of B's; `None` if they have no common point.
    pub fn order(&self) -> Option<[Sign; 2]> {
        let before = self.compare(self.a.end, self.b.start);
        if before.is_positive() {
            return None;
        }
        let after = self.compare(self.a.start, self.b.end);
        if after.is_negative() { None } else { Some([before, after]) }
    }

    /// The relation of triangles whose intervals follow each other so: insides meet where open intervals of insides do.
    pub fn relation(&self, [before, after]: [Sign; 2]) -> Relation {
        let is_open = before.is_negative() && after.is_positive();
        match is_open && self.a.is_inside() && self.b.is_inside() {
            true => Relation::Overlapping,
            false => Relation::Touching,
        }
    }

    /// The ends of the common interval, once if they are one point.
    pub fn ends(&self, [before, after]: [Sign; 2]) -> (End, Option<End>) {
        let (a, b) = (&self.a, &self.b);
        if before.is_zero() {
            return (self.end(Sign::Zero, a.end, b.start), None);
        }
        if after.is_zero() {
            return (self.end(Sign::Zero, a.start, b.end), None);
        }
        let start = self.end(self.compare(a.start, b.start), a.start, b.start);
        // At the other end the one that comes first counts.
        let end = self.end(-self.compare(a.end, b.end), a.end, b.end);
        // An interval that is a point, inside the other, has equal ends.
        let is_point = (start.feature_a, start.feature_b) == (end.feature_a, end.feature_b);
        (start, (!is_point).then_some(end))
    }

    /// The inner one of two ends; `order` is positive if it is B's.
    fn end(&self, order: Sign, corner_a: usize, corner_b: usize) -> End {
        let (end_a, end_b) = (self.a.end_feature(corner_a), self.b.end_feature(corner_b));
        let (inner_a, inner_b) = (self.a.inner_feature(), self.b.inner_feature());
        match order {
            Sign::Positive => End { feature_a: inner_a, feature_b: end_b, owner: Side::B, corner: corner_b },
            Sign::Negative => End { feature_a: end_a, feature_b: inner_b, owner: Side::A, corner: corner_a },
            Sign::Zero => End { feature_a: end_a, feature_b: end_b, owner: Side::A, corner: corner_a },
        }
    }
}
