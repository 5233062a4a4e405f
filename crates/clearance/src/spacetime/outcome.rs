//! The answer to "when and where do they first meet?".

use super::contact::Contact;
use super::swept::SweptSeparation;
use super::time::ExactTime;
use crate::math::round::UNIT_ROUNDOFF;
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
    /// Not known: for curved bodies, and for a solid and another mesh that touch or are nested without triangles that cross,
    /// from one event to the next, where every place in between takes more digits than two floats have.
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
    /// They share no point before the first time and some at or before the second: for curved bodies, whose times are no
    /// quotients. Not exact; the bracket has a relative width of at most `1e-12`, or, where the rounding of places allows no
    /// less, at most `1e-9` of the duration.
    HitBetween([f64; 2], Touch),
    /// They share no point before this time; whether they do at or after it is not known. For curved bodies that graze.
    Undecided(f64),
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
    /// The relation at the start; disjoint if that is not known.
    pub fn at_start(&self) -> Relation {
        match self.outcome {
            Outcome::TouchingAtStart(_) => Relation::Touching,
            Outcome::OverlappingAtStart => Relation::Overlapping,
            _ => Relation::Disjoint,
        }
    }

    /// The answer for a motion from 0 to 1, told in a time that runs from `t0` to `t1` meanwhile; both finite.
    pub fn in_time(self, t0: f64, t1: f64) -> FirstContact {
        let at = |share: f64| t0 + share * (t1 - t0);
        let outcome = match self.outcome {
            Outcome::Hit(time, touch) => Outcome::Hit(time.between(t0, t1), touch),
            // Two sums and a product of numbers of this size.
            Outcome::HitBetween([lower, upper], touch) => {
                let error = 4.0 * UNIT_ROUNDOFF * (t0.abs() + t1.abs());
                Outcome::HitBetween([(at(lower) - error).max(t0), (at(upper) + error).min(t1)], touch)
            }
            Outcome::Undecided(lower) => {
                let error = 4.0 * UNIT_ROUNDOFF * (t0.abs() + t1.abs());
                Outcome::Undecided((at(lower) - error).max(t0))
            }
            other => other,
        };
        let first_overlap = match self.first_overlap {
            FirstOverlap::From(time) => FirstOverlap::From(time.between(t0, t1)),
            other => other,
        };
        FirstContact { outcome, first_overlap }
    }

    /// Floats around the time of first contact, if it comes after the start.
    pub fn bracket(&self) -> Option<(f64, f64)> {
        match &self.outcome {
            Outcome::Hit(time, _) => Some(time.bracket()),
            Outcome::HitBetween([lower, upper], _) => Some((*lower, *upper)),
            _ => None,
        }
    }

    /// The exact time of first contact, if it comes after the start and is known exactly.
    pub fn time(&self) -> Option<&ExactTime> {
        match &self.outcome {
            Outcome::Hit(time, _) => Some(time),
            _ => None,
        }
    }
}

impl Outcome {
    /// An answer about polytopes or meshes in floats.
    pub(super) fn contact_time(&self) -> ContactTime {
        match self {
            Outcome::None(_) => ContactTime::None,
            Outcome::TouchingAtStart(_) => ContactTime::AtStart(Relation::Touching),
            Outcome::OverlappingAtStart => ContactTime::AtStart(Relation::Overlapping),
            Outcome::Hit(time, touch) => {
                let (lower, upper) = time.bracket();
                let point = touch.contacts.first().map_or(DVec3::ZERO, |contact| contact.point);
                ContactTime::Hit(Impact { lower, upper, normal: touch.normal, point })
            }
            Outcome::HitBetween(..) | Outcome::Undecided(_) => unreachable!("an answer about a curved body"),
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
    /// Contact at or before this time; within `1e-10` of the time since the start above `lower`, up to the rounding of the
    /// times themselves.
    pub upper: f64,
    /// From A to B: unit length, rounded.
    pub normal: DVec3,
    /// A common point in the world at that time, rounded.
    pub point: DVec3,
}
