//! First contact of two polytopes.
//!
//! Floats propose, exact signs prove, integers settle the rest: [`super::portal`], [`super::facet`], [`super::passage`].

use super::facet::Facet;
use super::outcome::{ContactTime, FirstContact, Impact};
use super::portal::{Proposed, Seeds, propose};
use super::settle::{Query, never};
use super::swept::{SweptDirection, SweptSeparation};
use super::translation::Translation;
use crate::exact::Vector;
use crate::math::Pose;
use crate::math::round::{UNIT_ROUNDOFF, power_of_two};
use crate::pair::{Relative, View};
use crate::support::SupportMap;
use crate::triangle::vector_size;
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
        Fast::Enters(facet, _) => query.settle(&facet.pairs),
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
        Fast::Enters(facet, impact) => match query.within_motion(impact) {
            Some(answer) => return answer,
            None => return query.exactly(&facet.pairs),
        },
        Fast::Open(seeds) => seeds,
    };
    query.exactly(seeds.as_slice())
}

/// What floats propose and signs prove.
#[expect(
    clippy::large_enum_variant,
    reason = "one at a time, on the stack; a box would be an allocation in every hit"
)]
enum Fast<'a> {
    Apart(SweptSeparation),
    Enters(Facet<'a>, Option<Impact>),
    Open(Seeds),
}

impl<'a> Query<'a> {
    /// The first direction, then portals.
    #[inline]
    fn propose(&self) -> Fast<'a> {
        let view = View::new(self.a, self.pair.pose_a, self.b, self.pair.pose_b);
        let pair = Relative::new(&view);
        let first = pair.first_direction();
        let corner = pair.lowest(first);
        if first.dot(corner.point) > 0.0
            && let Some(found) = self.separation(&view, pair.to_world(first), corner.vertices)
        {
            return Fast::Apart(found);
        }
        let velocity = self.motion.relative_velocity().rounded();
        let Some(along) = unit_of(velocity) else { return Fast::Open(Seeds::default()) };
        let duration = self.motion.t1() - self.motion.t0();
        let travel = duration * velocity.length() * view.unit();
        let turned = self.pair.pose_a.turn_back(along);
        match propose(&view, &pair, turned, travel, corner) {
            Proposed::Apart(direction, vertices) => match self.separation(&view, direction, vertices) {
                Some(found) => Fast::Apart(found),
                None => Fast::Open(Seeds::default()),
            },
            Proposed::Facet(pairs) => match Facet::prove(&self.moving(), pairs) {
                Some(facet) => {
                    let impact = self.impact(&facet);
                    Fast::Enters(facet, impact)
                }
                None => Fast::Open(Seeds::of(&pairs)),
            },
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
        let velocity = self.motion.relative_velocity();
        let slope = direction.dot(velocity.rounded());
        let size = direction.abs().element_sum() * vector_size(velocity);
        let shrinking = (-slope).max(0.0) + 10.0 * UNIT_ROUNDOFF * size;
        let duration = self.motion.t1() - self.motion.t0();
        let lost = shrinking * duration * (1.0 + 8.0 * UNIT_ROUNDOFF) + f64::MIN_POSITIVE;
        // A velocity so small that its products underflow is left to integers.
        let is_sound = size > UNDERFLOW_GUARD || vector_size(velocity) == 0.0;
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
    fn impact(&self, facet: &Facet<'_>) -> Option<Impact> {
        let (lower, upper) = facet.bracket()?;
        let t0 = self.motion.t0();
        let narrow = upper - lower <= RELATIVE_WIDTH * upper;
        narrow.then(|| Impact {
            lower: (t0 + lower).next_down().max(t0),
            upper: (t0 + upper).next_up(),
            normal: unit_of(facet.normal()).unwrap_or(DVec3::ZERO),
            point: self.point(facet, lower),
        })
    }

    /// Where the line passes through the triangle, as a point of A at that time, rounded.
    #[inline]
    fn point(&self, facet: &Facet<'_>, s: f64) -> DVec3 {
        let along = self.motion.relative_velocity().rounded();
        let [p, q, r] = facet.pairs.map(|pair| self.pair.difference(pair).rounded());
        let weights = [q.cross(r), r.cross(p), p.cross(q)].map(|turn| turn.dot(along));
        let corners = facet.pairs.map(|pair| self.a.vertex(pair.0));
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
