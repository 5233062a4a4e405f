//! First contact of two convex bodies by certified conservative advancement.
//!
//! At a time at which a plane separates the bodies it does so until the first vertex, or the first pair of edges, may reach it.
//! Another plane is taken there, and so on: no contact is passed. A plane moves along with the face or the edges that it comes
//! from, so near the contact the steps are those of Newton's method. That the bodies have met is proved by a vertex or a point
//! of an edge inside the other body, or by an overlap deeper than what rounding does.

use super::crossing::{Crossing, Edges};
use super::meeting::Meeting;
use super::motion::{At, Mover};
use super::outcome::{ScrewImpact, ScrewOutcome};
use super::plane::{Carried, Hold, MovingBody, WIDTH};
use super::record::ScrewStats;
use crate::pair::{
    Convex, ConvexError, ConvexRelation, Distance, DistanceConfig, GilbertCache, Nearest, Relation,
    distance_with, relate,
};
use glam::DVec3;

/// Steps before the case is left undecided; bodies that do not graze need about ten.
const ROUNDS: usize = 500;

/// Distances only propose planes.
const COARSE: DistanceConfig = DistanceConfig { relative_width: 0.02 };

/// Two bodies.
pub(super) struct Advance<'a> {
    pub(super) a: MovingBody<'a>,
    pub(super) b: MovingBody<'a>,
}

/// Which of the bodies carries a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carrier {
    A,
    B,
}

impl Carrier {
    /// A direction away from the carrier, from A to B.
    fn outward_from_a(self, direction: DVec3) -> DVec3 {
        match self {
            Carrier::A => direction,
            Carrier::B => -direction,
        }
    }
}

/// What separates the bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Plane {
    /// Across a direction from the carrier to the other body, in the frame of the carrier; of a face, perhaps. A vertex of the
    /// other body is likely to come to it first.
    Carried { carrier: Carrier, local: DVec3, face: Option<[u32; 3]>, vertex: u32 },
    /// Along two edges.
    Edges(Edges),
}

/// A plane, its direction from A to B in the world, and how long it separates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub plane: Plane,
    pub direction: DVec3,
    pub hold: Hold,
    /// Whether bodies that go on as now may meet where it is.
    pub may_meet: bool,
}

impl Step {
    /// The same plane when it holds no longer.
    fn used_up(self) -> Step {
        Step { hold: Hold::NONE, may_meet: false, ..self }
    }

    /// The one that holds longer.
    pub(super) fn or_longer(self, other: Step) -> Step {
        if other.hold.time > self.hold.time { other } else { self }
    }
}

/// Bodies at a time.
pub(super) struct Moment {
    pub at: [At; 2],
}

impl<'a> Advance<'a> {
    /// `None` if a core is no polytope.
    pub fn new(a: (&'a Convex, &'a Mover<'a>), b: (&'a Convex, &'a Mover<'a>)) -> Option<Advance<'a>> {
        Some(Advance { a: MovingBody::new(a)?, b: MovingBody::new(b)? })
    }

    /// From `t = 0` on: the relation there is exact.
    #[inline(never)]
    pub fn run(&self, stats: &mut ScrewStats) -> Result<ScrewOutcome, ConvexError> {
        let mut cache = GilbertCache::default();
        // No contact up to here.
        let mut t = 0.0_f64;
        // First of all across the line between their middles: often that is enough to come nearer.
        let direction = (self.b.middle() - self.a.middle()).normalize_or_zero();
        let local = self.a.mover.from.turn_back(direction);
        let vertex = self.b.map.find(-self.b.mover.from.turn_back(direction));
        let plane = Plane::Carried { carrier: Carrier::A, local, face: None, vertex };
        let mut last = Step { plane, direction, hold: Hold::NONE, may_meet: false };
        let mut is_used_up = false;
        let [mut moment, mut ahead] = [self.start(), self.start()];
        for round in 0..ROUNDS {
            if round > 0 && !self.go_to(t, &mut moment) {
                break;
            }
            stats.steps += 1;
            let horizon = (1.0 - t) * (1.0 + 1e-9) + f64::EPSILON;
            let mut best = if is_used_up { last.used_up() } else { self.step(last.plane, &moment, horizon) };
            // The relation at the start is exact, and comes first.
            if round > 0 && !is_used_up {
                match self.meeting(&best, t, &mut ahead) {
                    Meeting::Proved(impact) => return Ok(ScrewOutcome::Hit(impact)),
                    Meeting::Beside => best.may_meet = false,
                    Meeting::Unknown => {}
                }
            }
            if !best.hold.is_efficient() && (round > 0 || best.hold.time > 0.0) {
                best = self.quickly_proposed(&moment, best, horizon);
            }
            if best.hold.time < WIDTH || best.hold.is_creeping(horizon) {
                let found = self.distance(&moment, &mut cache);
                if round == 0
                    && found.lower <= (self.a.radius + self.b.radius) * (1.0 + 1e-12)
                    && let Some(met) = self.met_at_start()?
                {
                    return Ok(met);
                }
                let (found, kept) = (Nearest::from(&found), best);
                best = self.proposed(&found, &moment, best, horizon);
                if is_used_up && !best.hold.is_efficient() {
                    best = best.or_longer(self.step(last.plane, &moment, horizon));
                }
                if best.hold.time < WIDTH {
                    if best.plane != kept.plane
                        && let Meeting::Proved(impact) = self.meeting(&best, t, &mut ahead)
                    {
                        return Ok(ScrewOutcome::Hit(impact));
                    }
                    // So close the direction between the closest points is rounded too much for faces that are nearly flush.
                    best = self.best_around(&found, &moment, best, horizon);
                    let reached = later(t, best.hold.time);
                    // Not at every step: a proof of overlap costs more than one.
                    let is_due = round % 8 == 0 || best.hold.time < 0.01 * WIDTH;
                    if reached < 1.0 && best.hold.time < 0.3 * WIDTH && is_due {
                        let upper = (reached + WIDTH).min(1.0);
                        if self.meets_at(upper)? {
                            let point = 0.5 * (found.point_a + found.point_b);
                            let normal = self.normal(&best, &found, &moment, horizon);
                            return Ok(ScrewOutcome::Hit(ScrewImpact {
                                lower: reached,
                                upper,
                                point,
                                normal,
                            }));
                        }
                    }
                }
            }
            let reached = later(t, best.hold.time);
            if reached >= 1.0 {
                return Ok(ScrewOutcome::None);
            }
            if reached <= t {
                break;
            }
            // Where they do not meet the rest of its time is not worth a step.
            is_used_up = !best.may_meet && best.hold.estimate < 1.25 * best.hold.time;
            last = best;
            t = reached;
        }
        Ok(ScrewOutcome::Undecided { lower: t, upper: None })
    }

    /// Whether they stay within the range of coordinates.
    pub(super) fn go_to(&self, t: f64, moment: &mut Moment) -> bool {
        let [at_a, at_b] = &mut moment.at;
        self.a.mover.go_to(t, at_a) && self.b.mover.go_to(t, at_b)
    }

    pub(super) fn start(&self) -> Moment {
        Moment { at: [self.a.mover.start(), self.b.mover.start()] }
    }

    fn distance(&self, moment: &Moment, cache: &mut GilbertCache) -> Distance {
        let [at_a, at_b] = &moment.at;
        distance_with(self.a.map, &at_a.pose, self.b.map, &at_b.pose, &COARSE, cache)
    }

    /// What the exact relation at the start tells, unless it is that they are disjoint.
    #[cold]
    #[inline(never)]
    fn met_at_start(&self) -> Result<Option<ScrewOutcome>, ConvexError> {
        let (a, b) = (&self.a, &self.b);
        Ok(at_start(relate(a.convex, a.mover.from, b.convex, b.mover.from)?.relation))
    }

    /// How long a plane separates the bodies from a time on.
    pub(super) fn step(&self, plane: Plane, moment: &Moment, horizon: f64) -> Step {
        match plane {
            Plane::Carried { carrier, local, face, vertex } => {
                let carried = self.carried(carrier, local, moment);
                let (hold, vertex) = carried.hold(horizon, vertex);
                let plane = Plane::Carried { carrier, local, face, vertex };
                Step {
                    plane,
                    direction: carrier.outward_from_a(carried.normal),
                    hold,
                    may_meet: face.is_some(),
                }
            }
            Plane::Edges(edges) => {
                let crossing = Crossing::new([&self.a, &self.b], moment.at.each_ref(), edges);
                let (direction, hold) = (crossing.normal.normalize_or_zero(), crossing.hold(horizon));
                Step { plane, direction, hold, may_meet: crossing.lines_are_nearest_inside() }
            }
        }
    }

    /// Of a plane at a time, from A to B.
    pub(super) fn direction(&self, plane: Plane, moment: &Moment) -> DVec3 {
        match plane {
            Plane::Carried { carrier, local, .. } => {
                carrier.outward_from_a(self.carried(carrier, local, moment).normal)
            }
            Plane::Edges(edges) => {
                Crossing::new([&self.a, &self.b], moment.at.each_ref(), edges).normal.normalize_or_zero()
            }
        }
    }

    pub(super) fn carried<'b>(
        &'b self,
        carrier: Carrier,
        local: DVec3,
        moment: &'b Moment,
    ) -> Carried<'a, 'b> {
        let ([at_a, at_b], (a, b)) = (&moment.at, (&self.a, &self.b));
        let (carrier, other, at_carrier, at_other) = match carrier {
            Carrier::A => (a, b, at_a, at_b),
            Carrier::B => (b, a, at_b, at_a),
        };
        let normal = at_carrier.pose.apply_vector(local).normalize_or_zero();
        Carried { carrier, other, at_carrier, at_other, normal }
    }
}

/// The end of a step, rounded down.
pub(super) fn later(t: f64, step: f64) -> f64 {
    (t + step).next_down().max(t)
}

/// What an exact relation at the start tells, unless bodies are disjoint then.
pub(super) fn at_start(relation: ConvexRelation) -> Option<ScrewOutcome> {
    match relation {
        ConvexRelation::Exact(Relation::Overlapping) => Some(ScrewOutcome::OverlappingAtStart),
        ConvexRelation::Exact(Relation::Touching) => Some(ScrewOutcome::TouchingAtStart),
        ConvexRelation::TouchingWithin { .. } => Some(ScrewOutcome::Undecided { lower: 0.0, upper: None }),
        ConvexRelation::Exact(Relation::Disjoint) => None,
    }
}
