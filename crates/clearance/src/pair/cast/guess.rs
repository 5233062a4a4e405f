//! Where a ray enters a piece, by intervals: proved, or left open.

use super::piece::{Constraint, Quadratic, Through};
use crate::math::Interval;

/// What intervals tell.
#[derive(Clone, Copy, Debug)]
pub(super) enum Guess {
    Missed,
    /// It enters the piece at one of these `s`.
    Met(Interval, Through),
    /// It may enter it, not before this `s`.
    Unclear(f64),
}

/// Where a ray that is between two ends is first in a piece.
pub(super) fn guess(constraint: &Constraint<Interval>, ends: [Interval; 2]) -> Guess {
    let ([mut from, mut to], mut through) = (ends, Through::Nothing);
    let mut is_open = false;
    for (number, &[slope, height]) in constraint.limits.iter().enumerate() {
        if slope == Interval::ZERO {
            if height.is_negative() {
                return Guess::Missed;
            }
            is_open |= height.lower() < 0.0;
        } else if let Some(limit) = height.over(slope) {
            if slope.is_positive() {
                to = Interval::new(to.lower().min(limit.lower()), to.upper().min(limit.upper()));
            } else {
                if limit.upper() > from.upper() {
                    through = Through::Limit(number);
                }
                from = Interval::new(from.lower().max(limit.lower()), from.upper().max(limit.upper()));
            }
        } else {
            is_open = true;
        }
    }
    if from.lower() > to.upper() {
        return Guess::Missed;
    }
    let found = match &constraint.quadratic {
        None => Guess::Met(from, through),
        Some(quadratic) => quadratic.first([from, to], through),
    };
    match found {
        Guess::Met(s, _) if is_open || s.upper() > to.lower() => Guess::Unclear(s.lower()),
        found => found,
    }
}

impl Quadratic<Interval> {
    fn at(&self, s: Interval) -> Interval {
        (self.square * s + self.half.times(2.0)) * s + self.constant
    }

    /// The first `s` between two ends at which the quadratic is not positive; `through` is where the first end comes from.
    fn first(&self, [from, to]: [Interval; 2], through: Through) -> Guess {
        let start = self.at(from);
        if start.upper() <= 0.0 {
            return Guess::Met(from, through);
        }
        if self.discriminant.is_negative() {
            // No roots: positive all along, as somewhere, or negative all along.
            return if start.is_positive() { Guess::Missed } else { Guess::Unclear(from.lower()) };
        }
        let Some(root) = self.root() else { return Guess::Unclear(from.lower()) };
        if root.lower() > to.upper() && start.is_positive() {
            return Guess::Missed;
        }
        if !start.is_positive() {
            return Guess::Unclear(from.lower());
        }
        // Positive at the first end: that lies before this root, or behind both.
        if root.upper() < from.lower() {
            Guess::Missed
        } else if root.lower() > from.upper() {
            Guess::Met(root, Through::Surface)
        } else {
            Guess::Unclear(from.lower().max(root.lower()))
        }
    }

    /// The root at which the quadratic falls: the smaller one of two if it opens upward, else the larger one.
    fn root(&self) -> Option<Interval> {
        if self.discriminant.lower() < 0.0 {
            return None;
        }
        let root = self.discriminant.sqrt();
        if self.half.is_negative() {
            self.constant.over(root - self.half)
        } else {
            (-self.half - root).over(self.square)
        }
    }
}
