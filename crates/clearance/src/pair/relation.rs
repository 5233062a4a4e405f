//! Disjoint, touching or overlapping: exact, with the proof.

use crate::exact::Sign;
use crate::witness::{CommonPoint, Overlap, PosedPair, Separation, WitnessDefect};

/// How two closed convex bodies lie to each other, with `M = B - A`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// No common point: zero is not in `M`.
    Disjoint,
    /// A common point, and a direction along which they do not overlap: zero is on the boundary of `M`.
    Touching,
    /// They still meet after every sufficiently small translation: zero is inside `M`.
    Overlapping,
}

/// The proof of a relation of two polytopes.
#[derive(Clone, Debug, PartialEq)]
pub enum Witness {
    /// A direction with a positive gap.
    Disjoint(Separation),
    /// A direction with a gap of zero, and a common point.
    Touching(Separation, CommonPoint),
    /// Vertex pairs whose differences surround zero.
    Overlapping(Overlap),
}

impl Witness {
    /// Checks the proof by exact signs over all vertices, independently of how it was found.
    pub fn check(&self, pair: &PosedPair<'_>) -> Result<(), WitnessDefect> {
        match self {
            Witness::Disjoint(separation) => match separation.check(pair)? {
                Sign::Positive => Ok(()),
                _ => Err(WitnessDefect::NegativeGap),
            },
            Witness::Touching(separation, point) => {
                separation.check(pair)?;
                point.check(pair)
            }
            Witness::Overlapping(overlap) => overlap.check(pair),
        }
    }
}
