//! The answer to "when do they first meet?" for bodies that turn.

use glam::DVec3;

/// When two bodies first meet while they turn and move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScrewOutcome {
    /// Proved to share no point during the step.
    None,
    /// They touch at the start, and do not overlap then.
    TouchingAtStart,
    /// They overlap at the start.
    OverlappingAtStart,
    /// They are disjoint at the start and meet later.
    Hit(ScrewImpact),
    /// They share no point before `lower`; whether they meet soon after it is not known, because they graze.
    Undecided {
        /// No contact before this time.
        lower: f64,
        /// A time at or before which they meet for sure, if one is known.
        upper: Option<f64>,
    },
}

/// A first contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScrewImpact {
    /// No contact before this time.
    pub lower: f64,
    /// Contact at or before this time, which is at most `1e-9` later.
    pub upper: f64,
    /// Near where they meet, in the world at that time, rounded.
    pub point: DVec3,
    /// From A to B, unit length, rounded: of a plane that separates the bodies until shortly before.
    pub normal: DVec3,
}

impl ScrewOutcome {
    /// The bracket of a hit.
    pub fn bracket(&self) -> Option<[f64; 2]> {
        match self {
            ScrewOutcome::Hit(impact) => Some([impact.lower, impact.upper]),
            _ => None,
        }
    }
}
