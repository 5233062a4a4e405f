//! First contact of two polytopes.
//!
//! Floats propose, exact signs prove, integers settle the rest: [`super::portal`], [`super::facet`], [`super::passage`].

use super::crossing::Crossing;
use super::facet::Span;
use super::model::Model;
use super::outcome::{ContactTime, FirstContact, Impact};
use super::portal::{PortalSearch, Precision, Proposed, Seeds};
use super::settle::{Query, never};
use super::swept::{SweptDirection, SweptSeparation};
use super::translation::Translation;
use crate::exact::Vector;
use crate::math::Pose;
use crate::math::round::{UNIT_ROUNDOFF, power_of_two};
use crate::pair::{Relative, View};
use crate::support::SupportMap;
use crate::witness::Direction;
use glam::DVec3;

/// Widest bracket of `s` that floats may answer with, as a part of `s`.
const RELATIVE_WIDTH: f64 = 1e-10;

/// Below this, errors may hide what underflow has lost.
const UNDERFLOW_GUARD: f64 = power_of_two(-900);

/// When and where two translating polytopes of any dimensions first meet: exact, with the proof.
///
/// A grazing touch is a touch, a miss by one unit in the last place is a miss. Costs some microseconds: the time and all
/// contacts are computed in integers. Where a time within `1e-10` will do, see [`contact_time`].
///
/// ```
/// use clearance::{Pose, glam::DVec3, shape::Polytope, support::SupportMap};
/// use clearance::spacetime::{Outcome, Translation, first_contact_of_polytopes};
/// let corners = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64));
/// let cube = SupportMap::new(Polytope::hull(&corners.collect::<Vec<_>>())?);
/// let there = Pose::from_translation(DVec3::new(2.0, 0.5, 0.5))?;
/// let motion = Translation::new(DVec3::X, DVec3::X * -2.0, 0.0, 1.0)?;
/// let found = first_contact_of_polytopes(&cube, &Pose::IDENTITY, &cube, &there, &motion);
/// let Outcome::Hit(time, touch) = found.outcome else { panic!("they meet") };
/// assert_eq!((time.numerator(), time.denominator()), ("1".to_string(), "3".to_string()));
/// assert_eq!((touch.normal, touch.contacts.len()), (DVec3::X, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn first_contact_of_polytopes(
    a: &SupportMap,
    pose_a: &Pose,
    b: &SupportMap,
    pose_b: &Pose,
    motion: &Translation,
) -> FirstContact {
    let query = Query::new(a, pose_a, b, pose_b, motion);
    match query.propose() {
        Fast::Apart(found) => never(query.supported(found)),
        Fast::Enters(pairs, _) => query.settle(&pairs),
        Fast::Open(seeds) => query.settle(seeds.as_slice()),
    }
}

/// When two translating polytopes first meet, as a proved bracket of floats: what a step of a simulation needs.
///
/// The same answer as [`first_contact_of_polytopes`], whose exact time lies in the bracket. Costs about ten support searches,
/// or one where the bodies stay far from each other; integers only within about `1e-14` of a change of the answer.
pub fn contact_time(
    a: &SupportMap,
    pose_a: &Pose,
    b: &SupportMap,
    pose_b: &Pose,
    motion: &Translation,
) -> ContactTime {
    let query = Query::new(a, pose_a, b, pose_b, motion);
    let seeds = match query.propose() {
        Fast::Apart(_) => return ContactTime::None,
        Fast::Enters(pairs, impact) => match query.within_motion(impact) {
            Some(answer) => return answer,
            None => return query.exactly(&pairs),
        },
        Fast::Open(seeds) => seeds,
    };
    query.exactly(seeds.as_slice())
}

/// What floats propose and signs prove.
enum Fast {
    Apart(SweptSeparation),
    Enters([(u32, u32); 3], Option<Impact>),
    Open(Seeds),
}

impl<'a> Query<'a> {
    /// The first direction, then portals.
    #[inline]
    fn propose(&self) -> Fast {
        let view = View::new(self.a, self.pair.pose_a, self.b, self.pair.pose_b);
        let pair = Relative::new(&view);
        let velocity = self.motion.approximate_velocity().value;
        let Some(along) = unit_of(velocity) else { return Fast::Open(Seeds::default()) };
        let speed = velocity.dot(along) * view.unit();
        let travel = speed * (self.motion.t1() - self.motion.t0());
        let along = self.pair.pose_a.turn_back(along);
        let between = pair.between_centroids();
        if speed.min(travel) > UNDERFLOW_GUARD
            && let Some(direction) = apart_by_balls(&view, between, along, travel)
        {
            let direction = SweptDirection::Still(Direction::Vector(pair.to_world(direction)));
            return Fast::Apart(SweptSeparation { direction, vertex_a: 0, vertex_b: 0 });
        }
        let model = Model::new(&view, &pair, between, along);
        let mut first = None;
        if let Some(closest) = model.closest_if_apart(travel) {
            let corner = pair.lowest(closest);
            if closest.dot(corner.point) > 0.0
                && let Some(found) = self.separation(&view, pair.to_world(closest), corner.vertices)
            {
                return Fast::Apart(found);
            }
            first = Some(corner);
        }
        let mut search = PortalSearch::new(&view, &pair, &model, travel, first);
        match search.begin(&model) {
            Ok(()) => self.through(&mut search, &view),
            Err(other) => self.not_through(other, &view),
        }
    }

    /// What a portal leads to.
    #[inline]
    fn through(&self, search: &mut PortalSearch<'a, '_>, view: &View<'_>) -> Fast {
        let pairs = match search.refine(Precision::Single) {
            Proposed::Facet(pairs) => pairs,
            other => return self.not_through(other, view),
        };
        if let Some(span) = Span::new(pairs)
            && let Some(crossing) = Crossing::new(&self.pair, self.motion, pairs, &span)
            && crossing.is_proved(&self.pair, &span)
        {
            return Fast::Enters(pairs, self.impact(pairs, &crossing));
        }
        self.through_slowly(search, view)
    }

    /// The same where floats of half the precision, or alone, are not enough.
    #[cold]
    #[inline(never)]
    fn through_slowly(&self, search: &mut PortalSearch<'a, '_>, view: &View<'_>) -> Fast {
        let moving = self.moving();
        let pairs = match search.refine(Precision::Double) {
            Proposed::Facet(pairs) => pairs,
            other => return self.not_through(other, view),
        };
        match Span::new(pairs) {
            Some(span) if span.is_entered(&moving, pairs) => {
                let crossing = Crossing::new(&self.pair, self.motion, pairs, &span);
                Fast::Enters(pairs, crossing.and_then(|crossing| self.impact(pairs, &crossing)))
            }
            _ => Fast::Open(Seeds::of(&pairs)),
        }
    }

    #[inline]
    fn not_through(&self, proposed: Proposed, view: &View<'_>) -> Fast {
        match proposed {
            Proposed::Apart(direction, vertices) => match self.separation(view, direction, vertices) {
                Some(found) => Fast::Apart(found),
                None => Fast::Open(Seeds::default()),
            },
            Proposed::Facet(pairs) => Fast::Open(Seeds::of(&pairs)),
            Proposed::Unclear(seeds) => Fast::Open(seeds),
        }
    }

    /// Proves in floats that a direction separates A from all that B sweeps.
    ///
    /// The gap at the start is known up to `View::error`; along the motion it shrinks by at most the duration times
    /// `|d . w|`, whose error is `10u |d|_1` times the size of `w`, as in [`crate::exact::dot_sign`].
    #[inline]
    fn separation(&self, view: &View<'_>, direction: DVec3, hints: (u32, u32)) -> Option<SweptSeparation> {
        let support = view.support(direction, hints);
        let velocity = self.motion.approximate_velocity();
        let slope = direction.dot(velocity.value);
        let size = direction.abs().element_sum() * velocity.size;
        let shrinking = (-slope).max(0.0) + 10.0 * UNIT_ROUNDOFF * size;
        let duration = self.motion.t1() - self.motion.t0();
        let lost = shrinking * duration * (1.0 + 8.0 * UNIT_ROUNDOFF) + f64::MIN_POSITIVE;
        // A velocity so small that its products underflow is left to integers.
        let is_sound = size > UNDERFLOW_GUARD || velocity.size == 0.0;
        let is_apart = is_sound && support.proves_disjoint && support.gap - view.error(direction) > lost;
        let (vertex_a, vertex_b) = (support.vertex_a, support.vertex_b);
        let direction = SweptDirection::Still(Direction::Vector(direction));
        is_apart.then_some(SweptSeparation { direction, vertex_a, vertex_b })
    }

    /// With vertices that support the bodies exactly; floats leave ties.
    fn supported(&self, found: SweptSeparation) -> SweptSeparation {
        let SweptDirection::Still(direction) = found.direction else { return found };
        let sign = |v: Vector<'_>| direction.dot_sign(&self.pair, v);
        let (vertex_a, vertex_b) = self.moving().lowest(sign, (found.vertex_a, found.vertex_b));
        SweptSeparation { vertex_a, vertex_b, ..found }
    }

    /// The bracket of a proved entry if it is narrow.
    #[inline]
    fn impact(&self, pairs: [(u32, u32); 3], crossing: &Crossing) -> Option<Impact> {
        let (lower, upper) = crossing.bracket();
        let t0 = self.motion.t0();
        let narrow = upper - lower <= RELATIVE_WIDTH * upper;
        narrow.then(|| Impact {
            lower: (t0 + lower).next_down().max(t0),
            upper: (t0 + upper).next_up(),
            normal: unit_of(crossing.normal).unwrap_or(DVec3::ZERO),
            point: self.point(pairs, crossing, lower),
        })
    }

    /// Where the line passes through the triangle, as a point of A at that time, rounded.
    #[inline]
    fn point(&self, pairs: [(u32, u32); 3], crossing: &Crossing, s: f64) -> DVec3 {
        let weights = crossing.weights.map(|weight| weight.value);
        let corners = pairs.map(|pair| self.a.vertex(pair.0));
        let sum = corners[0] * weights[0] + corners[1] * weights[1] + corners[2] * weights[2];
        let local = sum / (weights[0] + weights[1] + weights[2]);
        let local = if local.is_finite() { local } else { corners[0] };
        self.pair.pose_a.apply(local) + self.motion.velocity_a() * s
    }

    /// Whether a bracket lies in the motion or after it; `None` if that is open.
    #[inline]
    fn within_motion(&self, impact: Option<Impact>) -> Option<ContactTime> {
        let impact = impact?;
        let end = self.motion.t1();
        match (impact.upper <= end, impact.lower > end) {
            (true, _) => Some(ContactTime::Hit(impact)),
            (_, true) => Some(ContactTime::None),
            _ => None,
        }
    }

    #[cold]
    #[inline(never)]
    fn exactly(&self, seeds: &[(u32, u32)]) -> ContactTime {
        self.settle(seeds).outcome.contact_time()
    }
}

/// Proves in floats that balls around the bodies stay apart; returns a direction, in the frame of A, that separates them
/// during the whole motion.
///
/// With `c` from centre to centre and `r` the sum of the radii, a direction `x` separates if `x . (c + s w) > r |x|` at both ends
/// of the motion; `x = c + s w` nearest to zero is the one that does if any does. Seen from A and in units, where all lengths but
/// that of the motion are at most 4: poses accepted are skew by `1e-9` an entry, which moves `c` by less than `1e-8` and
/// stretches radii by as much; rounding moves the products, of the very `x` that is returned, by less than `100u |x|` times the
/// length of the motion and 4. All is far below what is asked for.
#[inline]
fn apart_by_balls(view: &View<'_>, between: DVec3, along: DVec3, travel: f64) -> Option<DVec3> {
    let way = -between.dot(along) / along.length_squared();
    let nearest = between + along * way.clamp(0.0, travel);
    let lowest = nearest.dot(between) + (nearest.dot(along) * travel).min(0.0);
    let radius = (view.a.radius() + view.b.radius()) * view.unit();
    let needed = radius * (1.0 + 1e-7) + 1e-7 + 1e-12 * travel;
    let is_apart = lowest > 0.0 && lowest * lowest > nearest.length_squared() * (needed * needed);
    is_apart.then_some(nearest)
}

/// The direction of a vector of any size; `None` for zero.
#[inline]
fn unit_of(vector: DVec3) -> Option<DVec3> {
    // Squares neither over- nor underflow after this.
    (vector * inverse_size(vector)).try_normalize()
}

/// A power of two close to the inverse of the largest coordinate.
#[inline]
fn inverse_size(vector: DVec3) -> f64 {
    let exponent = (vector.abs().max_element().to_bits() >> 52).clamp(1, 2045);
    f64::from_bits((2046 - exponent) << 52)
}
