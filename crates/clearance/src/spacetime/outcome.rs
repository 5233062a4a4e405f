//! The answer to "when and where do they first meet?".

use super::contact::Contact;
use super::swept::SweptSeparation;
use super::time::ExactTime;
use crate::pair::Relation;
use glam::DVec3;

/// When and where two bodies first meet.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstContact {
    /// What happens first.
    pub outcome: Outcome,
    /// When they begin to overlap.
    pub first_overlap: FirstOverlap,
}

/// When two bodies begin to overlap.
#[derive(Clone, Debug, PartialEq)]
pub enum FirstOverlap {
    /// Not before the motion ends.
    Never,
    /// The infimum of the times at which they overlap.
    From(ExactTime),
    /// Not known: for curved bodies, and for meshes whose places between two times take more digits than two floats have.
    Undecided,
}

/// What happens first.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// They share no point during the motion; for two polytopes with a direction that proves it.
    None(Option<SweptSeparation>),
    /// They touch at the start, and do not overlap then.
    TouchingAtStart(Touch),
    /// They overlap at the start.
    OverlappingAtStart,
    /// They share no point at the start, and meet at this time for the first time.
    Hit(ExactTime, Touch),
}

/// Where bodies touch.
#[derive(Clone, Debug, PartialEq)]
pub struct Touch {
    /// From A to B: unit length, rounded. No point of B lies below a point of A along the exact direction that it rounds.
    pub normal: DVec3,
    /// All pairs of features that meet.
    pub contacts: Vec<Contact>,
}

impl FirstContact {
    /// The relation at the start.
    pub fn at_start(&self) -> Relation {
        match self.outcome {
            Outcome::None(_) | Outcome::Hit(..) => Relation::Disjoint,
            Outcome::TouchingAtStart(_) => Relation::Touching,
            Outcome::OverlappingAtStart => Relation::Overlapping,
        }
    }

    /// The time of first contact if it comes after the start.
    pub fn time(&self) -> Option<&ExactTime> {
        match &self.outcome {
            Outcome::Hit(time, _) => Some(time),
            _ => None,
        }
    }
}

/// When two bodies first meet, as floats know it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactTime {
    /// Proved never to meet during the motion.
    None,
    /// They meet at the start: touching or overlapping.
    AtStart(Relation),
    /// They share no point at the start, and meet later.
    Hit(Impact),
}

/// A first contact after the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// No contact before this time.
    pub lower: f64,
    /// Contact at or before this time; within `1e-12` of the time since the start above `lower`, up to the rounding of the
    /// times themselves.
    pub upper: f64,
    /// From A to B: unit length, rounded.
    pub normal: DVec3,
    /// A common point in the world at that time, rounded.
    pub point: DVec3,
}
