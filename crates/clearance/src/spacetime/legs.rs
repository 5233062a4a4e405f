//! Bodies that move at different times: each rests before and after its own displacement.
//!
//! The time of a pair is cut where one of them starts or stops. In between both move steadily or rest, so each part is a
//! [`Translation`] of its own, with time counted from 0 to 1.

use super::approach::{ClosestApproach, closest_approach};
use super::body::first_contact;
use super::outcome::{FirstContact, FirstOverlap, Outcome};
use super::scene::near;
use super::time::rational;
use super::translation::{Translation, TranslationError};
use crate::body::{Body, BodyError};
use crate::math::Pose;
use dashu::rational::RBig;
use glam::DVec3;

/// A steady displacement from `t0` to `t1`; before and after it the body rests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// When it starts.
    pub t0: f64,
    /// When it stops, after the start.
    pub t1: f64,
    /// Where it is at the stop, from where it was at the start.
    pub displacement: DVec3,
}

/// A body, where it is before it moves, and how it moves if it does.
#[derive(Clone, Copy, Debug)]
pub struct TravellingBody<'a> {
    /// The body.
    pub body: &'a Body,
    /// Where it is before its leg.
    pub pose: &'a Pose,
    /// How it moves.
    pub leg: Option<Leg>,
}

/// Two bodies of a scene, the smaller index first, and what happens to them.
#[derive(Clone, Debug)]
pub struct LegContact {
    /// The bodies.
    pub bodies: [usize; 2],
    /// When they first meet, or why it is not known. At the start means before any of the two moves.
    pub found: Result<FirstContact, BodyError>,
    /// How close they come if they do not meet.
    pub approach: Option<ClosestApproach>,
    /// Whether all places at which one of them starts or stops are floats. If not, they are taken to be the nearest floats,
    /// and the time is exact for those.
    pub places_are_exact: bool,
}

/// A part of the time of a pair, and what both do in it.
struct Stretch {
    times: [f64; 2],
    poses: [Pose; 2],
    displacements: [DVec3; 2],
}

/// When each two of several bodies first meet, from before any of them moves until none moves any more.
///
/// Pairs whose boxes, swept over all, are apart are left out.
///
/// # Errors
/// A displacement or time that [`Translation::new`] refuses, or a leg that does not stop after it starts.
pub fn first_contacts_on_legs(bodies: &[TravellingBody<'_>]) -> Result<Vec<LegContact>, TranslationError> {
    for moving in bodies {
        let Some(Leg { t0, t1, displacement }) = moving.leg else { continue };
        Translation::new(displacement, DVec3::ZERO, t0, t1)?;
        Pose::from_translation(moving.pose.translation() + displacement)
            .map_err(|_| TranslationError::Velocity { body: 'B', value: displacement })?;
        if t0 >= t1 {
            return Err(TranslationError::Order { t0, t1 });
        }
    }
    let travel = |leg: Option<Leg>| leg.map_or(DVec3::ZERO, |leg| leg.displacement);
    let swept = bodies.iter().map(|moving| (moving.body, moving.pose, travel(moving.leg)));
    let pairs = near(swept).into_iter().map(|pair| [pair.a() as usize, pair.b() as usize]);
    pairs.map(|[i, j]| of_pair([i, j], &bodies[i], &bodies[j])).collect()
}

fn of_pair(
    indices: [usize; 2],
    a: &TravellingBody<'_>,
    b: &TravellingBody<'_>,
) -> Result<LegContact, TranslationError> {
    let (stretches, places_are_exact) = stretches(a, b);
    let mut contact = LegContact { bodies: indices, found: Ok(UNTOUCHED), approach: None, places_are_exact };
    for Stretch { times: [t0, t1], poses, displacements } in stretches {
        let motion = Translation::new(displacements[0], displacements[1], 0.0, 1.0)?;
        let next = first_contact(a.body, &poses[0], b.body, &poses[1], &motion);
        let is_known = |found: &FirstContact| !matches!(found.outcome, Outcome::None(_));
        contact.found = match (contact.found, next) {
            (Err(error), _) | (_, Err(error)) => Err(error),
            (Ok(found), Ok(next)) => Ok(followed(found, next.in_time(t0, t1))),
        };
        let Ok(found) = &contact.found else { break };
        if is_known(found) {
            contact.approach = None;
            if found.first_overlap != FirstOverlap::Never {
                break;
            }
        } else if let Ok(near) = closest_approach(a.body, &poses[0], b.body, &poses[1], &motion) {
            let near = ClosestApproach { time: (t0 + near.time * (t1 - t0)).clamp(t0, t1), ..near };
            match &mut contact.approach {
                None => contact.approach = Some(near),
                Some(known) => known.take(near),
            }
        }
    }
    Ok(contact)
}

const UNTOUCHED: FirstContact =
    FirstContact { outcome: Outcome::None(None), first_overlap: FirstOverlap::Never };

/// What is known after one more stretch.
fn followed(before: FirstContact, next: FirstContact) -> FirstContact {
    match before.outcome {
        // A proof for one stretch says nothing about others.
        Outcome::None(_) => match next.outcome {
            Outcome::None(_) => UNTOUCHED,
            _ => next,
        },
        _ => FirstContact { first_overlap: next.first_overlap, ..before },
    }
}

/// The stretches of a pair in order, and whether all places are exact.
fn stretches(a: &TravellingBody<'_>, b: &TravellingBody<'_>) -> (Vec<Stretch>, bool) {
    let mut times: Vec<f64> = [a.leg, b.leg].iter().flatten().flat_map(|leg| [leg.t0, leg.t1]).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    if times.is_empty() {
        times = vec![0.0, 1.0];
    }
    let mut is_exact = true;
    let stretch = |ends: &[f64]| {
        let mut way = |moving: &TravellingBody<'_>| {
            let [from, to] = [displaced(moving, ends[0]), displaced(moving, ends[1])];
            let start = moving.pose.translation().to_array().map(rational);
            let (place, is_place) = rounded([0, 1, 2].map(|i| &start[i] + &from[i]));
            let (covered, is_covered) = rounded([0, 1, 2].map(|i| &to[i] - &from[i]));
            is_exact &= is_place && is_covered;
            // No farther out than the leg reaches, which was checked.
            (Pose::new(moving.pose.rotation(), place).unwrap_or(*moving.pose), covered)
        };
        let ((pose_a, way_a), (pose_b, way_b)) = (way(a), way(b));
        Stretch { times: [ends[0], ends[1]], poses: [pose_a, pose_b], displacements: [way_a, way_b] }
    };
    let all: Vec<Stretch> = times.windows(2).map(stretch).collect();
    (all, is_exact)
}

/// The nearest floats, and whether they are the numbers themselves.
fn rounded(exact: [RBig; 3]) -> (DVec3, bool) {
    let floats = exact.each_ref().map(|x| x.to_f64().value());
    (DVec3::from_array(floats), floats.map(rational) == exact)
}

/// How far a body has come at a time.
fn displaced(moving: &TravellingBody<'_>, t: f64) -> [RBig; 3] {
    let Some(Leg { t0, t1, displacement }) = moving.leg else { return [RBig::ZERO, RBig::ZERO, RBig::ZERO] };
    let share = if t <= t0 {
        RBig::ZERO
    } else if t >= t1 {
        RBig::ONE
    } else {
        (rational(t) - rational(t0)) / (rational(t1) - rational(t0))
    };
    displacement.to_array().map(|d| rational(d) * &share)
}
