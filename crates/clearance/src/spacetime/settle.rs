//! First contact of two polytopes by exact signs and integers alone: slow, total, and what settles what floats leave open.

use super::contact::Meeting;
use super::integer::{Integer3, unit};
use super::outcome::{FirstContact, FirstOverlap, Outcome, Touch};
use super::passage::{Moving, Passage, Proof};
use super::swept::{SweptDirection, SweptSeparation, still_integers};
use super::time::{ExactTime, rational};
use super::translation::Translation;
use crate::math::Pose;
use crate::pair::{Witness, relation_with_witness};
use crate::support::SupportMap;
use crate::witness::{PosedPair, Separation};
use dashu::rational::RBig;

/// A question about two polytopes.
pub(super) struct Query<'a> {
    pub a: &'a SupportMap,
    pub b: &'a SupportMap,
    pub pair: PosedPair<'a>,
    pub motion: &'a Translation,
}

impl<'a> Query<'a> {
    pub fn new(
        a: &'a SupportMap,
        pose_a: &'a Pose,
        b: &'a SupportMap,
        pose_b: &'a Pose,
        motion: &'a Translation,
    ) -> Query<'a> {
        Query { a, b, pair: PosedPair { a: a.polytope(), pose_a, b: b.polytope(), pose_b }, motion }
    }

    pub fn moving(&self) -> Moving<'a> {
        Moving { pair: self.pair, velocity: self.motion.relative_velocity() }
    }

    fn at_start(&self) -> Witness {
        relation_with_witness(self.a, self.pair.pose_a, self.b, self.pair.pose_b)
    }

    /// The answer; `seeds` are vertex pairs that are likely to matter, and change speed only.
    #[cold]
    #[inline(never)]
    pub fn settle(&self, seeds: &[(u32, u32)]) -> FirstContact {
        if self.motion.relative_velocity().is_zero() {
            return self.at_rest();
        }
        let moving = self.moving();
        match moving.passage(seeds) {
            Passage::Beside(proof) => never(separation(&proof)),
            Passage::Enters { s, proof } if s > RBig::ZERO => self.entering(&moving, s, &proof),
            Passage::Enters { s, proof } => self.begun(&moving, s, &proof),
        }
    }

    /// Nothing changes.
    fn at_rest(&self) -> FirstContact {
        let start = || ExactTime::new(rational(self.motion.t0()));
        match self.at_start() {
            Witness::Disjoint(found) => never(still(&found)),
            Witness::Touching(found, _) => FirstContact {
                outcome: Outcome::TouchingAtStart(self.touch_at_start(&found)),
                first_overlap: FirstOverlap::Never,
            },
            Witness::Overlapping(_) => FirstContact {
                outcome: Outcome::OverlappingAtStart,
                first_overlap: FirstOverlap::From(start()),
            },
        }
    }

    /// The line enters `M` after the start.
    fn entering(&self, moving: &Moving<'a>, s: RBig, proof: &Proof) -> FirstContact {
        let (start, end) = (rational(self.motion.t0()), rational(self.motion.t1()));
        let time = &start + &s;
        if time > end {
            return never(separation(proof));
        }
        let overlaps = time < end && moving.meets_inside(proof);
        let touch = self.touch(s, &proof.direction, proof.lowest);
        let time = ExactTime::new(time);
        FirstContact { first_overlap: when(overlaps, time.clone()), outcome: Outcome::Hit(time, touch) }
    }

    /// The line enters `M` at the start or before: they meet now or never.
    fn begun(&self, moving: &Moving<'a>, s: RBig, proof: &Proof) -> FirstContact {
        let start = || ExactTime::new(rational(self.motion.t0()));
        let takes_time = self.motion.t1() > self.motion.t0();
        match self.at_start() {
            Witness::Overlapping(_) => FirstContact {
                outcome: Outcome::OverlappingAtStart,
                first_overlap: FirstOverlap::From(start()),
            },
            // Whether zero is where the line enters or where it leaves.
            Witness::Touching(..) if s.is_zero() => {
                let overlaps = takes_time && moving.meets_inside(proof);
                let touch = self.touch(s, &proof.direction, proof.lowest);
                FirstContact {
                    outcome: Outcome::TouchingAtStart(touch),
                    first_overlap: when(overlaps, start()),
                }
            }
            Witness::Touching(found, _) => FirstContact {
                outcome: Outcome::TouchingAtStart(self.touch_at_start(&found)),
                first_overlap: FirstOverlap::Never,
            },
            Witness::Disjoint(_) => match moving.reversed().passage(&proof.pairs) {
                // A plane that they have left: they move apart along it.
                Passage::Beside(proof) | Passage::Enters { proof, .. } => never(separation_reversed(&proof)),
            },
        }
    }

    fn touch(&self, s: RBig, direction: &Integer3, lowest: (u32, u32)) -> Touch {
        let velocities = [self.motion.velocity_a(), self.motion.velocity_b()];
        let velocity = self.motion.relative_velocity();
        let direction = direction.clone();
        let normal = unit(&direction);
        let meeting = Meeting { pair: self.pair, velocity, velocities, s, direction, lowest };
        Touch { normal, contacts: meeting.contacts() }
    }

    fn touch_at_start(&self, found: &Separation) -> Touch {
        let direction = still_integers(&found.direction, &self.pair);
        self.touch(RBig::ZERO, &direction, (found.vertex_a, found.vertex_b))
    }
}

fn when(overlaps: bool, time: ExactTime) -> FirstOverlap {
    if overlaps { FirstOverlap::From(time) } else { FirstOverlap::Never }
}

pub(super) fn never(separation: SweptSeparation) -> FirstContact {
    FirstContact { outcome: Outcome::None(Some(separation)), first_overlap: FirstOverlap::Never }
}

fn separation(proof: &Proof) -> SweptSeparation {
    let (vertex_a, vertex_b) = proof.lowest;
    SweptSeparation { direction: SweptDirection::of(proof), vertex_a, vertex_b }
}

/// The direction of a proof for the reversed motion, by its name for the motion itself.
fn separation_reversed(proof: &Proof) -> SweptSeparation {
    let SweptSeparation { direction, vertex_a, vertex_b } = separation(proof);
    let direction = match direction {
        SweptDirection::Against => SweptDirection::Along,
        SweptDirection::Edge(ends) => SweptDirection::EdgeReversed(ends),
        other => other,
    };
    SweptSeparation { direction, vertex_a, vertex_b }
}

fn still(found: &Separation) -> SweptSeparation {
    let Separation { direction, vertex_a, vertex_b } = *found;
    SweptSeparation { direction: SweptDirection::Still(direction), vertex_a, vertex_b }
}
