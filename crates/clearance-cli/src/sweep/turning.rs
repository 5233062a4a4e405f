//! Pairs of a scene of which one part turns.

use super::answer::{ApproachFile, ContactName};
use super::engine::Step;
use super::picture::Moment;
use super::scene::{Answered, PairAnswer, no_contact};
use super::screw::{ContactFile, ScrewAnswer, contact_file};
use crate::{
    answer::BracketFile,
    args::SweepArguments,
    bodies::Opened,
    output::{bracketed, counted, faint, short},
    path::Path,
};
use clearance::{
    body::Body,
    math::Screw,
    pair::Bracket,
    screw::{
        ApproachConfig, Journey, Moving, ScrewOutcome, Stretch, Surface, TurningBody, closest_approach,
        first_contact_on_journeys, near_pairs, overlap_time, stretches,
    },
};
use clearance_io::scene::{CaseId, Number};
use rayon::prelude::*;

/// All pairs of which one turns and whose swept boxes meet.
pub fn answers(opened: &Opened, shapes: &[Body], ways: &[Path], arguments: &SweepArguments) -> Vec<Answered> {
    if !ways.iter().any(Path::is_turning) {
        return Vec::new();
    }
    let bodies = turning_bodies(opened, shapes, ways);
    let mut pairs = near_pairs(&bodies);
    pairs.retain(|&[i, j]| ways[i].is_turning() || ways[j].is_turning());
    pairs.retain(|&[i, j]| !opened.ignored.contains(i, j));
    pairs.par_iter().map(|&[i, j]| answered([i, j], [&bodies[i], &bodies[j]], arguments)).collect()
}

/// All parts with their journeys.
pub fn turning_bodies<'a>(opened: &'a Opened, shapes: &'a [Body], ways: &[Path]) -> Vec<TurningBody<'a>> {
    let body = |i: usize| {
        let pose = &opened.bodies[i].pose;
        TurningBody { body: &shapes[i], pose, journey: ways[i].journey(pose) }
    };
    (0..shapes.len()).map(body).collect()
}

fn answered(indices: [usize; 2], pair: [&TurningBody<'_>; 2], arguments: &SweepArguments) -> Answered {
    let found = match move_together(pair) {
        // What stays as it is to each other is as it is at the start.
        true => first_contact_on_journeys(&at_rest(pair[0]), &at_rest(pair[1])),
        false => first_contact_on_journeys(pair[0], pair[1]),
    };
    let outcome = match found {
        Ok(ScrewOutcome::Undecided { lower, upper: None }) => {
            ScrewOutcome::Undecided { lower, upper: seen_overlap(pair, lower) }
        }
        Ok(outcome) => outcome,
        Err(error) => {
            let answer = PairAnswer::Turning(ScrewAnswer::failed(CaseId::default(), error.to_string()));
            return Answered { bodies: indices, answer, exact: None, moment: None };
        }
    };
    let moment = match outcome {
        ScrewOutcome::Hit(impact) => Some(Moment {
            time: impact.lower,
            pair: Some(indices),
            contacts: vec![impact.point],
            normal: impact.normal,
        }),
        _ => None,
    };
    let mut answer = ScrewAnswer::of(CaseId::default(), &outcome);
    if outcome == ScrewOutcome::None {
        answer.closest_approach = closest(pair);
    }
    if !arguments.first && !move_together(pair) {
        match all_contacts(pair, arguments) {
            Ok(contacts) => answer.contacts = contacts,
            Err(why) => answer.note = Some(why),
        }
    }
    Answered { bodies: indices, answer: PairAnswer::Turning(answer), exact: None, moment }
}

/// A time of the scene, not before another, at which they are proved to overlap.
fn seen_overlap([a, b]: [&TurningBody<'_>; 2], lower: f64) -> Option<f64> {
    let seen = |stretch: Stretch| {
        let ([pose_a, pose_b], [motion_a, motion_b]) = (&stretch.poses, &stretch.motions);
        let [t0, t1] = stretch.times;
        let from = ((lower - t0) / (t1 - t0)).clamp(0.0, 1.0);
        let seen = overlap_time(a.body, pose_a, motion_a, b.body, pose_b, motion_b, from);
        seen.ok().flatten().map(|share| stretch.latest(share))
    };
    stretches(a, b)?.into_iter().filter(|stretch| stretch.times[1] > lower).find_map(seen)
}

/// Whether both are on one journey, bit for bit.
fn move_together([a, b]: [&TurningBody<'_>; 2]) -> bool {
    let path = |body: &TurningBody<'_>| body.journey.map(|journey| (journey.t0, journey.t1, journey.motion));
    path(a) == path(b)
}

fn at_rest<'a>(body: &TurningBody<'a>) -> TurningBody<'a> {
    TurningBody { journey: None, ..*body }
}

/// How close they come, in the time of the scene.
fn closest([a, b]: [&TurningBody<'_>; 2]) -> Option<ApproachFile> {
    let ([x, y], is_fixed) = match move_together([a, b]) {
        true => ([at_rest(a), at_rest(b)], true),
        false => ([*a, *b], false),
    };
    let mut nearest: Option<(Bracket, f64)> = None;
    for stretch in stretches(&x, &y)? {
        let ([pose_a, pose_b], [motion_a, motion_b]) = (&stretch.poses, &stretch.motions);
        let config = ApproachConfig::default();
        let found = closest_approach(a.body, pose_a, motion_a, b.body, pose_b, motion_b, &config).ok()?;
        let [t0, t1] = stretch.times;
        let time =
            if is_fixed { a.journey.map_or(t0, |journey| journey.t0) } else { t0 + found.time * (t1 - t0) };
        let found = (found.distance, time);
        nearest = Some(match nearest {
            None => found,
            Some(known) => {
                let lower = known.0.lower.min(found.0.lower);
                let (gap, time) = if found.0.upper < known.0.upper { found } else { known };
                (Bracket { lower, ..gap }, time)
            }
        });
    }
    nearest.map(|(distance, time)| ApproachFile { distance: distance.into(), time: Number(time) })
}

/// The collision screen of two parts as a picture.
pub fn screen_picture(pair: [&TurningBody<'_>; 2], arguments: &SweepArguments) -> Result<String, String> {
    let turn = turn_of(pair)?.ok_or("no part is on a screw")?;
    turn.step(pair).picture(arguments)
}

/// One part rests, and the other is on a screw.
struct Turn {
    journey: Journey,
    screw: Screw,
    moving: Moving,
    surfaces: [Surface; 2],
}

impl Turn {
    fn step<'a>(&'a self, [a, b]: [&'a TurningBody<'_>; 2]) -> Step<'a> {
        let [x, y] = &self.surfaces;
        Step { surfaces: [x, y], poses: [a.pose, b.pose], screw: &self.screw, moving: self.moving }
    }
}

/// `None` if the one that moves is on no screw.
fn turn_of([a, b]: [&TurningBody<'_>; 2]) -> Result<Option<Turn>, &'static str> {
    let (journey, moving) = match (a.journey, b.journey) {
        (Some(journey), None) => (journey, Moving::First),
        (None, Some(journey)) => (journey, Moving::Second),
        _ => return Err("both parts move: contacts after the first are not listed"),
    };
    let clearance::screw::Motion::Screw(screw) = journey.motion else { return Ok(None) };
    let Some((x, y)) = Surface::new(a.body).zip(Surface::new(b.body)) else {
        return Err("a part is curved or unbounded: contacts after the first are not listed");
    };
    Ok(Some(Turn { journey, screw, moving, surfaces: [x, y] }))
}

/// All contacts as if nothing stopped the motion, where one part rests and the other is on a screw.
fn all_contacts(
    [a, b]: [&TurningBody<'_>; 2],
    arguments: &SweepArguments,
) -> Result<Vec<ContactFile>, String> {
    let Some(turn) = turn_of([a, b])? else { return Ok(Vec::new()) };
    let times = [turn.journey.t0, turn.journey.t1];
    let motions = [clearance::screw::Motion::AtRest; 2];
    let stretch = Stretch { times, poses: [*a.pose, *b.pose], motions };
    let found = turn.step([a, b]).contacts(arguments)?;
    let told = found.iter().map(|contact| {
        let file = contact_file(contact, a.body, b.body);
        let (lower, upper) = (stretch.earliest(contact.lower), stretch.latest(contact.upper));
        ContactFile {
            time: BracketFile { lower: Number(lower), upper: Number(upper) },
            until: file.until.map(|until| Number(stretch.latest(until.0))),
            ..file
        }
    });
    Ok(told.collect())
}

/// So many contacts are printed for one pair.
const SHOWN: usize = 20;

pub fn sentence(answer: &ScrewAnswer) -> String {
    if let Some(error) = &answer.error {
        return error.clone();
    }
    let contacts = match answer.contacts.len() {
        0 => String::new(),
        count => format!(", {} in all if nothing stops it", counted(count, "contact")),
    };
    let (lower, upper) = answer.time.map_or((0.0, 0.0), |time| (time.lower.0, time.upper.0));
    match answer.contact {
        Some(ContactName::Hit) => format!("first contact at t = {}{contacts}", short(lower)),
        Some(ContactName::TouchingAtStart) => "touching at the start".into(),
        Some(ContactName::OverlappingAtStart) => "overlapping at the start".into(),
        Some(ContactName::Undecided) if upper > lower => {
            format!("first contact between t = {} and {}", short(lower), short(upper))
        }
        Some(ContactName::Undecided) => {
            format!("no contact before t = {}; grazing after it, or not", short(lower))
        }
        Some(ContactName::None) | None => no_contact(answer.closest_approach),
    }
}

/// The bracket of the first contact; with `--all`, the contacts.
pub fn details(answer: &ScrewAnswer, lists_contacts: bool) -> String {
    let mut text = String::new();
    if let (Some(time), Some(ContactName::Hit)) = (answer.time, answer.contact) {
        text += &faint(format!("  t = {}\n", bracketed(time.lower.0, time.upper.0)));
    }
    if lists_contacts {
        for contact in answer.contacts.iter().take(SHOWN) {
            text += &format!("  {}\n", contact_line(contact));
        }
        if answer.contacts.len() > SHOWN {
            text += &faint(format!("  and {} more; --json has all of them\n", answer.contacts.len() - SHOWN));
        }
        if let Some(note) = &answer.note {
            text += &faint(format!("  {note}\n"));
        }
    }
    text
}

fn contact_line(contact: &ContactFile) -> String {
    let way = if contact.entering { "entering" } else { "leaving" };
    let doubt = if contact.proved { "" } else { ", perhaps" };
    format!(
        "t = {}: {}, {way}, properness {}, at {}{doubt}",
        short(contact.time.lower.0),
        contact.kind,
        short(contact.properness.0),
        contact.point.map(|x| short(x.0)).join(" "),
    )
}
