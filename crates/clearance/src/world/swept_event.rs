//! What a swept step tells.

use super::BodyId;
use super::event::{Failure, Frame};
use crate::math::Pose;
use crate::pair::{ConvexRelation, Feature};
use crate::screw::{ContactsConfig, ScrewContact};
use glam::DVec3;

/// What is asked of a swept step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SweptConfig {
    /// Where bodies are after it.
    pub end: SweptEnd,
    /// What is told of pairs that meet.
    pub detail: SweptDetail,
}

/// Where bodies are after a swept step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SweptEnd {
    /// Where they were moved to, as if nothing stopped them.
    #[default]
    Targets,
    /// All at the last time of the frame at which every pair that was apart at its beginning is known to be apart still.
    ///
    /// That time is `reached`: shortly before the first contact, while the bodies that are about to meet are still `gap`
    /// apart, or as far as at the beginning if that was less. Pairs that share a point at the beginning hold the frame
    /// only if they touch, none of both turns, and they begin to overlap later: a box that slides over the floor into a
    /// wall of the same body.
    LastFree {
        /// What is left between bodies that are about to meet; a length of the world. Much less than anyone sees, but above
        /// `1e-10` of the size of bodies: that two bodies that rest on each other pass a frame without contact is proved
        /// with rounded numbers. Zero keeps them apart by as little as one unit in the last place.
        gap: f64,
    },
}

/// What is told of pairs that meet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SweptDetail {
    /// The first contact.
    #[default]
    First,
    /// Beside it all contacts of their features, as if nothing stopped them.
    All(ContactsConfig),
}

/// Two bodies that meet, or may meet, during a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct SweptContact {
    /// The body that comes first in the order of ids.
    pub a: BodyId,
    /// The other.
    pub b: BodyId,
    /// When they first do.
    pub outcome: SweptOutcome,
    /// All contacts of features, sorted by time, if asked for; in the world with A where it begins if it rests or none of both
    /// turns, else with B at rest. `None` for curved bodies, and where both move and one turns: they are known on one screw only.
    pub all: Option<Vec<ScrewContact>>,
}

/// How a pair meets. Times run from 0, the beginning of the frame, to 1.
#[derive(Clone, Debug, PartialEq)]
pub enum SweptOutcome {
    /// They share a point at the beginning.
    AtStart(StartContact),
    /// They are apart at the beginning and meet later.
    Hit(Box<SweptHit>),
    /// They share no point before `lower`; whether they do after it is not known, because they graze, or because both are
    /// meshes and both move.
    Undecided {
        /// No contact before this time.
        lower: f64,
        /// A time at or before which they meet for sure, if one is known.
        upper: Option<f64>,
    },
}

/// A pair that shares a point at the beginning of a frame: one that rests, or one that was let in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StartContact {
    /// How they lie to each other at the beginning: touching or overlapping, or for curved bodies touching within a width.
    pub relation: ConvexRelation,
    /// From when on they overlap.
    pub overlap: SweptOverlap,
}

/// From when on a pair overlaps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SweptOverlap {
    /// Not in this frame: they slide along each other, or part.
    Never,
    /// From a time in this bracket on; zero for bodies that press into each other, or overlap already.
    From {
        /// No overlap before this time.
        lower: f64,
        /// Overlap right after this time at the latest.
        upper: f64,
    },
    /// For curved bodies and those that turn.
    NotKnown,
}

/// A first contact after the beginning of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweptHit {
    /// No contact before this time.
    pub lower: f64,
    /// Contact at or before this time; at most `1e-9` later.
    pub upper: f64,
    /// Near where they meet, in the world at that time, rounded.
    pub point: DVec3,
    /// From A to B, unit length, rounded.
    pub normal: DVec3,
    /// What is closest at `lower`, by the numbers of vertices of A and B; `None` for curved bodies, compounds, and solids of
    /// which one is inside the other.
    pub features: Option<[Feature; 2]>,
    /// Where A and B are at `lower`, rounded.
    pub poses: [Pose; 2],
}

impl SweptOutcome {
    /// Up to when they are known not to meet, for pairs that are apart at the beginning.
    pub fn free_until(&self) -> Option<f64> {
        match self {
            SweptOutcome::AtStart(_) => None,
            SweptOutcome::Hit(hit) => Some(hit.lower),
            SweptOutcome::Undecided { lower, .. } => Some(*lower),
        }
    }

    /// When they hold a frame that is to end before anything gets worse.
    pub(super) fn holds_at(&self) -> Option<f64> {
        match self {
            SweptOutcome::AtStart(StartContact { overlap: SweptOverlap::From { lower, .. }, .. }) => {
                Some(*lower).filter(|&lower| lower > 0.0)
            }
            other => other.free_until(),
        }
    }
}

/// What a swept step found; the lists are those of the world until its next step.
#[derive(Clone, Copy, Debug)]
pub struct SweptFrame<'a> {
    /// Pairs that meet or may meet, in the order of pairs. Those that are not here are proved to be apart all the way.
    pub contacts: &'a [SweptContact],
    /// Pairs near each other that no method relates, in the order of pairs.
    pub failures: &'a [Failure],
    /// How far the frame came: 1, or less if it was to end at the last poses known to be free.
    pub reached: f64,
    /// What an ordinary [`step`](super::World::step) tells of where bodies are now.
    pub end: Frame<'a>,
    /// Pairs of bodies of which one moved and whose boxes, swept over the frame, meet.
    pub swept: usize,
    /// Those of them that were not known to be farther apart than they moved: each was asked for its first contact.
    pub tested: usize,
}

impl<'a> SweptFrame<'a> {
    /// The pair that is apart at the beginning and meets first, or may; of several at one time the one listed first.
    pub fn first(&self) -> Option<&'a SweptContact> {
        let timed = self.contacts.iter().filter_map(|contact| Some((contact.outcome.free_until()?, contact)));
        timed.min_by(|x, y| x.0.total_cmp(&y.0)).map(|(_, contact)| contact)
    }
}
