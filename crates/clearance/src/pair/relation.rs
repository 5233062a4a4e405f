//! Disjoint, touching or overlapping: exact, with the proof.

use super::exact::{self, Decided};
use super::relative::{Corner, Relative};
use super::search::{Proposal, search_again, search_on};
use super::separate::{Glimpse, separate, separate_again};
use super::separating_vector::Candidate;
use super::subdistance::VertexPairs;
use super::view::View;
use crate::exact::Sign;
use crate::math::Pose;
use crate::support::SupportMap;
use crate::witness::{CommonPoint, Overlap, PosedPair, Separation, WitnessDefect};
use glam::DVec3;

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
    /// The relation that the witness proves.
    pub fn relation(&self) -> Relation {
        match self {
            Witness::Disjoint(_) => Relation::Disjoint,
            Witness::Touching(..) => Relation::Touching,
            Witness::Overlapping(_) => Relation::Overlapping,
        }
    }

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

/// How two polytopes under two poses lie to each other: exact, whatever the scale.
///
/// Separating vectors first, then simplices, both in floats; each outcome is proved, and what is too close to
/// prove is decided exactly. Cost: a few support searches; exact numbers only within about `1e-14` of contact. A
/// [`Tracker`](super::Tracker) counts how often they are needed ([`TrackerStats::exact`](super::TrackerStats::exact)): by none of
/// 100,000 random pairs.
///
/// ```
/// use clearance::{Pose, glam::DVec3, pair::{Relation, relation}, shape::Polytope, support::SupportMap};
/// let corners = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64));
/// let cube = SupportMap::new(Polytope::hull(&corners.collect::<Vec<_>>())?);
/// let beside = Pose::from_translation(DVec3::X)?;
/// assert_eq!(relation(&cube, &Pose::IDENTITY, &cube, &beside), Relation::Touching);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn relation(a: &SupportMap, pose_a: &Pose, b: &SupportMap, pose_b: &Pose) -> Relation {
    settle(&View::new(a, pose_a, b, pose_b), &mut 0).relation()
}

/// [`relation`] with its proof, which is made from the answer where exact numbers gave it.
pub fn relation_with_witness(a: &SupportMap, pose_a: &Pose, b: &SupportMap, pose_b: &Pose) -> Witness {
    let view = View::new(a, pose_a, b, pose_b);
    match settle(&view, &mut 0) {
        Settled::Disjoint(found, _) => Witness::Disjoint(exact::supported(&view.pair(), found)),
        Settled::Overlapping(simplex) => Witness::Overlapping(Overlap { pairs: simplex.as_slice().to_vec() }),
        Settled::Exactly(decided) => decided.into_witness(),
    }
}

/// A proved answer, in the form in which it was found.
pub(super) enum Settled<'a> {
    /// With the corners that the direction comes from, if any.
    Disjoint(Candidate, VertexPairs),
    Overlapping(VertexPairs),
    /// In a box: rare, and large beside the others.
    Exactly(Box<Decided<'a>>),
}

impl Settled<'_> {
    pub(super) fn relation(&self) -> Relation {
        match self {
            Settled::Disjoint(..) => Relation::Disjoint,
            Settled::Overlapping(_) => Relation::Overlapping,
            Settled::Exactly(decided) => decided.relation(),
        }
    }
}

/// Settles the relation from nothing; `steps` is raised by the directions tried.
#[inline(always)]
pub(super) fn settle<'a>(view: &View<'a>, steps: &mut usize) -> Settled<'a> {
    settle_glimpse(view, separate(view, steps), steps)
}

/// Settles the relation from corners that were near zero in a similar frame, in which the bodies were apart.
pub(super) fn settle_apart<'a>(view: &View<'a>, remembered: &VertexPairs, steps: &mut usize) -> Settled<'a> {
    settle_glimpse(view, separate_again(view, remembered, steps), steps)
}

/// Settles the relation from corners that surrounded zero in a similar frame: most often a step or two away, for which double
/// precision is prepared sooner.
pub(super) fn settle_again<'a>(view: &View<'a>, remembered: &VertexPairs, steps: &mut usize) -> Settled<'a> {
    prove(view, search_again(view, &Relative::new(view), remembered, steps))
}

/// Settles the relation from a direction and the lowest corner along it.
pub(super) fn settle_on<'a>(
    view: &View<'a>,
    pair: &Relative<'_>,
    start: DVec3,
    corner: Corner,
) -> Settled<'a> {
    prove(view, search_on(view, pair, start, corner, &mut 0))
}

/// Goes on in double precision where single precision has not settled it.
#[inline(always)]
fn settle_glimpse<'a>(view: &View<'a>, glimpse: Glimpse, steps: &mut usize) -> Settled<'a> {
    match glimpse {
        Glimpse::Separated(found, corners) => Settled::Disjoint(found, corners),
        Glimpse::Surrounded(corners) => Settled::Overlapping(corners),
        Glimpse::Close(corners) if view.is_surrounded_by(&corners) => Settled::Overlapping(corners),
        Glimpse::Close(corners) => settle_again(view, &corners, steps),
    }
}

/// Proves what was proposed, or decides by exact signs.
#[inline(always)]
fn prove<'a>(view: &View<'a>, proposal: Proposal) -> Settled<'a> {
    let corners = match proposal {
        Proposal::Separated(found, corners) => return Settled::Disjoint(found, corners),
        Proposal::Surrounded(corners) => return Settled::Overlapping(corners),
        Proposal::Ended(corners) => corners,
    };
    if surrounds_zero(&view.pair(), corners.as_slice()) {
        return Settled::Overlapping(corners);
    }
    Settled::Exactly(Box::new(exact::decide(view.pair(), corners.as_slice())))
}

/// Whether zero lies strictly inside the tetrahedron of four vertices of `B - A`, exactly. Fewer vertices surround
/// nothing.
pub(super) fn surrounds_zero(pair: &PosedPair<'_>, vertices: &[(u32, u32)]) -> bool {
    let &[a, b, c, d] = vertices else { return false };
    crate::exact::surrounds_zero([a, b, c, d].map(|corner| pair.difference(corner)))
}
