//! First contact of bodies of which one is curved: a bracket, from distances at times that close in on it.
//!
//! Of convex bodies the distance is a convex function of time, so Newton's method comes from the left and never passes the
//! contact; and where the distance is proved to be still falling, there was no contact before. Of other bodies the distance
//! falls no faster than the bodies move. That they have met is proved by an overlap deeper than what rounding their places
//! may do.

use super::approach::closest_approach;
use super::by_pieces;
use super::moved::Moved;
use super::outcome::{FirstContact, FirstOverlap, Outcome, Touch};
use super::time::ExactTime;
use super::translation::Translation;
use crate::body::{Body, BodyAnswer, BodyError, relate};
use crate::math::Pose;
use crate::math::round::UNIT_ROUNDOFF;
use crate::pair::{ConvexRelation, Relation};
use glam::DVec3;

/// Steps before the case is left undecided; bodies that do not graze need about ten.
const ROUNDS: usize = 200;

/// Relative width of a bracket of times.
pub(super) const RELATIVE_WIDTH: f64 = 1e-12;

/// As a part of the duration, the widest bracket where the rounding of places allows no narrower one: for contacts soon after
/// the start, or with little speed towards each other.
const WIDEST: f64 = 1e-9;

/// First contact of any two bodies, as a bracket.
pub(super) fn first_contact(
    a: &Body,
    pose_a: &Pose,
    b: &Body,
    pose_b: &Pose,
    motion: &Translation,
) -> Result<FirstContact, BodyError> {
    let advance = Advance { a, pose_a, b, pose_b, motion, moved: Moved::new(pose_b, motion) };
    let start = advance.at(0.0)?;
    let (outcome, overlaps) = match start.relation() {
        ConvexRelation::Exact(Relation::Overlapping) => (Outcome::OverlappingAtStart, true),
        ConvexRelation::Exact(Relation::Touching) => (Outcome::TouchingAtStart(start.touch()), false),
        ConvexRelation::TouchingWithin { .. } => (Outcome::Undecided(motion.t0()), false),
        ConvexRelation::Exact(Relation::Disjoint) => (advance.starting_apart(start)?, false),
    };
    let first_overlap = match (&outcome, ExactTime::of_float(motion.t0())) {
        (_, Some(time)) if overlaps => FirstOverlap::From(time),
        (Outcome::None(_), _) => FirstOverlap::Never,
        _ => FirstOverlap::Undecided,
    };
    Ok(FirstContact { outcome, first_overlap })
}

/// Two bodies, where they are at the start, and their motion.
pub(super) struct Advance<'a> {
    pub a: &'a Body,
    pub pose_a: &'a Pose,
    pub b: &'a Body,
    pub pose_b: &'a Pose,
    pub motion: &'a Translation,
    pub moved: Moved<'a>,
}

/// What is known at a time.
pub(super) struct State {
    s: f64,
    answer: BodyAnswer,
    /// How far B may be from where it should be.
    off: f64,
}

impl State {
    fn relation(&self) -> ConvexRelation {
        self.answer.relation
    }

    fn lower(&self) -> f64 {
        self.answer.distance.lower - self.off
    }

    fn upper(&self) -> f64 {
        self.answer.distance.upper + self.off
    }

    /// Whether they meet for sure, wherever B is exactly.
    fn meets(&self) -> bool {
        let depth = self.answer.depth.map_or(0.0, |depth| depth.lower);
        self.relation() == ConvexRelation::Exact(Relation::Overlapping) && depth > self.off
    }

    fn touch(&self) -> Touch {
        Touch { normal: self.answer.normal.unwrap_or(DVec3::ZERO), contacts: Vec::new() }
    }
}

impl Advance<'_> {
    /// The outcome for bodies that are disjoint at the start.
    fn starting_apart(&self, start: State) -> Result<Outcome, BodyError> {
        match by_pieces::first_contact(self)? {
            Some(found) => Ok(found),
            None => self.of_whole(start),
        }
    }

    /// The same without a look at pieces.
    pub fn of_whole(&self, start: State) -> Result<Outcome, BodyError> {
        let Advance { a, pose_a, b, pose_b, motion, .. } = *self;
        Ok(match self.run(start)? {
            // Passing by, perhaps: then the least distance shows it.
            Outcome::Undecided(_) if closest_approach(a, pose_a, b, pose_b, motion)?.distance.lower > 0.0 => {
                Outcome::None(None)
            }
            other => other,
        })
    }

    pub fn duration(&self) -> f64 {
        (self.motion.t1() - self.motion.t0()).next_up()
    }

    /// The pair after `s`, A at rest.
    pub fn at(&self, s: f64) -> Result<State, BodyError> {
        // Where the place is out of range nothing is known.
        let (pose, off) = self.moved.at(s).unwrap_or((*self.pose_b, f64::INFINITY));
        Ok(State { s, answer: relate(self.a, self.pose_a, self.b, &pose)?, off })
    }

    fn is_convex(&self) -> bool {
        self.a.as_convex().is_some() && self.b.as_convex().is_some()
    }

    /// How long there is no contact for sure: the distance over the speed.
    fn safe_step(&self, state: &State) -> f64 {
        (state.lower() / self.moved.speed * (1.0 - 8.0 * UNIT_ROUNDOFF)).max(0.0)
    }

    /// From a start at which they are disjoint.
    fn run(&self, start: State) -> Result<Outcome, BodyError> {
        let (t0, duration) = (self.motion.t0(), self.duration());
        let mut state = start;
        // No contact up to here.
        let mut lower = 0.0_f64;
        for _ in 0..ROUNDS {
            if state.s <= lower {
                lower = lower.max(state.s + self.safe_step(&state));
            }
            if lower > duration || lower.is_nan() {
                return Ok(Outcome::None(None));
            }
            if let Some(hit) = self.hit(&state, lower)? {
                return Ok(hit);
            }
            let Some(next) = self.next(&state, lower.min(duration))? else {
                lower = lower.max(self.proved_before(&state)?);
                if let Some(hit) = self.hit(&state, lower)? {
                    return Ok(hit);
                }
                break;
            };
            // Still falling at `state`, so there was nothing before; rising after it, so there will be nothing.
            let falls = self.is_convex() && state.lower() > next.upper();
            let rises = self.is_convex() && next.lower() > state.upper();
            if falls {
                lower = lower.max(state.s + self.safe_step(&state));
            }
            if rises {
                return Ok(match state.s <= lower {
                    true => Outcome::None(None),
                    false => Outcome::Undecided((t0 + lower).next_down().max(t0)),
                });
            }
            if next.s >= duration && falls && self.safe_step(&next) > 0.0 && state.s <= lower {
                return self.at_end(&next, lower);
            }
            state = next;
        }
        Ok(Outcome::Undecided((t0 + lower).next_down().max(t0)))
    }

    /// The answer if they meet soon after a time before which they do not.
    fn hit(&self, state: &State, lower: f64) -> Result<Option<Outcome>, BodyError> {
        let t0 = self.motion.t0();
        let outcome = |upper: State| {
            let times = [(t0 + lower).next_down().max(t0), (t0 + upper.s).next_up()];
            // The difference is rounded.
            match upper.s > (self.motion.t1() - t0).next_down() {
                true => Outcome::Undecided(times[0]),
                false => Outcome::HitBetween(times, state.touch()),
            }
        };
        Ok(self.meeting_soon_after(state, lower)?.map(outcome))
    }

    /// A time shortly before a state, up to which there is no contact because the distance falls from then on; zero if
    /// that is not proved.
    fn proved_before(&self, state: &State) -> Result<f64, BodyError> {
        let closing = state.answer.normal.map_or(0.0, |normal| -normal.dot(self.moved.velocity));
        let back = state.s - 2.0 * state.answer.distance.upper / closing;
        if !(self.is_convex() && closing > 0.0 && back > 0.0) {
            return Ok(0.0);
        }
        let before = self.at(back)?;
        let falls = before.lower() > state.upper() && state.lower() > 0.0;
        Ok(if falls { before.s + self.safe_step(&before) } else { 0.0 })
    }

    /// The distance still falls, and is positive, at the end: there was no contact if it falls there, too.
    fn at_end(&self, end: &State, lower: f64) -> Result<Outcome, BodyError> {
        let after = self.at(end.s + self.safe_step(end).max(end.s * RELATIVE_WIDTH))?;
        let is_falling = after.lower() > 0.0 && end.lower() > after.upper();
        let t0 = self.motion.t0();
        Ok(if is_falling {
            Outcome::None(None)
        } else {
            Outcome::Undecided((t0 + lower).next_down().max(t0))
        })
    }

    /// A later state at which they are disjoint for sure: where the distance would be zero if it fell as it does now, or
    /// some of the way there; for bodies that are not convex as far as is safe.
    fn next(&self, state: &State, lower: f64) -> Result<Option<State>, BodyError> {
        let duration = self.duration();
        let closing = state.answer.normal.map_or(0.0, |normal| -normal.dot(self.moved.velocity));
        let step = state.answer.distance.lower / closing;
        if !(self.is_convex() && closing > 0.0 && step.is_finite()) {
            let next = self.at(lower)?;
            return Ok((next.s > state.s && next.lower() > 0.0).then_some(next));
        }
        for share in [1.0 - 1e-15, 0.99, 0.9, 0.5] {
            let next = self.at((state.s + share * step).max(lower).min(duration))?;
            // Well above rounding, so that a step from there can still be proved to fall.
            if next.s > state.s && next.lower() > 4.0 * next.off {
                return Ok(Some(next));
            }
        }
        Ok(None)
    }

    /// A state shortly after a time, within the relative width or what the rounding of places allows, at which they meet for
    /// sure; `before` tells how fast they close in.
    fn meeting_soon_after(&self, before: &State, s: f64) -> Result<Option<State>, BodyError> {
        let closing = before.answer.normal.map_or(0.0, |normal| -normal.dot(self.moved.velocity));
        let blur = before.off.max(self.moved.at(s).map_or(0.0, |(_, off)| off)) / closing;
        let narrow = [0.1, 0.9].map(|share| share * RELATIVE_WIDTH * s);
        let rounded = [8.0, 64.0].map(|times| times * blur);
        let rounded = rounded.into_iter().filter(|&width| width > 0.0 && width <= WIDEST * self.duration());
        for width in narrow.into_iter().chain(rounded) {
            let state = self.at(s + width)?;
            if state.meets() {
                return Ok(Some(state));
            }
        }
        Ok(None)
    }
}
