//! Conditions of certificates: a point of one body on the outer side of a line of the other.

use super::course::{Course, Function, Moment};
use super::feature::{LineRef, PointRef, Which};
use super::roots::Holds;

/// What happens when a condition fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailureKind {
    /// A point crosses a separating line: a stab if it meets the edge, else a push; told apart when it is repaired.
    Crossing,
    /// An edge becomes parallel to the separating one: another vertex is nearest.
    Roll,
    /// The tangent's vertex or the closest feature is another one.
    Feature,
    /// A point leaves the active cell through an outer edge.
    Outer,
    /// A point leaves the active cell through its inner edge.
    Inner,
    /// A common point is lost.
    Meeting,
}

/// `factor` times the value of a line of one body at a point of the other is positive, or not negative.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Condition<'a> {
    pub(crate) line_of: Which,
    pub(crate) line: LineRef<'a>,
    pub(crate) point: PointRef<'a>,
    /// 1 or -1.
    pub(crate) factor: f64,
    pub(crate) holds: Holds,
    pub(crate) kind: FailureKind,
}

impl<'a> Condition<'a> {
    /// The point is strictly outside: what separates.
    pub(crate) fn outside(line_of: Which, line: LineRef<'a>, point: PointRef<'a>) -> Condition<'a> {
        Condition { line_of, line, point, factor: 1.0, holds: Holds::Strictly, kind: FailureKind::Crossing }
    }

    /// The direction does not point to the line.
    pub(crate) fn roll(line_of: Which, line: LineRef<'a>, direction: PointRef<'a>) -> Condition<'a> {
        let (holds, kind) = (Holds::Weakly, FailureKind::Roll);
        Condition { line_of, line, point: direction, factor: 1.0, holds, kind }
    }

    pub(crate) fn weakly(self) -> Condition<'a> {
        Condition { holds: Holds::Weakly, ..self }
    }

    pub(crate) fn inside(self) -> Condition<'a> {
        Condition { factor: -1.0, ..self }
    }

    pub(crate) fn kind(self, kind: FailureKind) -> Condition<'a> {
        Condition { kind, ..self }
    }

    /// Whether it holds at a moment, exactly.
    pub(crate) fn is_met(&self, moment: &Moment<'_>) -> bool {
        let sign = moment.side(self.line_of, self.line, self.point);
        self.holds.accepts(if self.factor < 0.0 { -sign } else { sign })
    }

    /// As a function of time.
    pub(crate) fn function<'b>(&self, course: &'b Course<'_>) -> Function<'b>
    where
        'a: 'b,
    {
        course.function(self.line_of, self.line, self.point, self.factor)
    }
}
