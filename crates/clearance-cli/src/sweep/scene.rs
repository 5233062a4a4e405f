//! `clearance sweep SCENE`: the first contacts of all pairs of a scene.

use super::answer::{ApproachFile, ContactName, SweepAnswer};
use super::picture::{Moment, Moving};
use crate::{
    args::SweepArguments,
    bodies::{self, PictureFormat, open, picture_format, write_picture},
    output::{self, Failure, Verdict, counted, faint, short, strong, unit_name},
};
use clearance::{
    body::Body,
    glam::DVec3,
    spacetime::{Leg, LegContact, Outcome, TravellingBody, first_contacts_on_legs},
};
use clearance_io::{LengthUnit, scene::Movement};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::path::Path;

/// What `sweep SCENE --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "clearance sweep --json")]
pub struct SweepReport {
    /// Unit of all lengths; null if nobody stated it.
    pub unit: Option<&'static str>,
    /// When the first part starts to move.
    pub t0: f64,
    /// When the last one stops.
    pub t1: f64,
    /// The pair that meets first, by its place in the list; null if none does.
    pub first: Option<usize>,
    /// Pairs whose swept boxes meet, in the order of the parts; all others do not meet.
    pub pairs: Vec<SweepPair>,
}

/// Two parts and their answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SweepPair {
    /// Name of A.
    pub name_a: String,
    /// Name of B.
    pub name_b: String,
    /// The answer; a line of a batch holds the same.
    #[serde(flatten)]
    pub answer: SweepAnswer,
}

/// In seconds; a time of the scene counts as one.
const SHORTEST_ANIMATION: f64 = 1e-3;

pub fn run(file: &Path, arguments: &SweepArguments) -> Result<Verdict, Failure> {
    check_files(arguments)?;
    let opened = open(file, &arguments.read)?;
    let build = |body: &bodies::Body| {
        Body::try_from(&*body.shape).map_err(|error| Failure::Input(format!("{}: {error}", body.name)))
    };
    let shapes: Vec<Body> = opened.bodies.iter().map(build).collect::<Result<_, _>>()?;
    let legs: Vec<Option<Leg>> = opened.bodies.iter().map(leg).collect::<Result<_, _>>()?;
    let (t0, t1) = whole_time(&legs);
    let moving = |i: usize| TravellingBody { body: &shapes[i], pose: &opened.bodies[i].pose, leg: legs[i] };
    let moving: Vec<TravellingBody<'_>> = (0..shapes.len()).map(moving).collect();
    let mut found = first_contacts_on_legs(&moving).map_err(Failure::input)?;
    found.retain(|pair| !opened.ignored.contains(pair.bodies[0], pair.bodies[1]));
    let pairs: Vec<SweepPair> = found.iter().map(|pair| listed(pair, &opened.bodies, &shapes)).collect();
    let failed = pairs.iter().any(|pair| pair.answer.error.is_some());
    let first = first_of(&found);
    let report = SweepReport { unit: opened.unit.map(LengthUnit::symbol), t0, t1, first, pairs };
    let moment = moment(&found, t1);
    let shown = Moving { opened: &opened, legs: &legs, start: t0 };
    if let Some(picture) = &arguments.picture {
        write_picture(&shown.drawing(&moment)?, picture)?;
    }
    if let Some(animation) = &arguments.glb {
        shown.write_animation(&moment, SHORTEST_ANIMATION, animation)?;
    }
    if arguments.json {
        output::print_json(&report);
    } else {
        print_report(&report, opened.bodies.len(), opened.unit);
        for file in arguments.picture.iter().chain(&arguments.glb) {
            output::print(&format!("{} written\n", file.display()));
        }
    }
    Ok(if failed { Verdict::BadInput } else { Verdict::Fine })
}

/// How a part moves.
fn leg(body: &bodies::Body) -> Result<Option<Leg>, Failure> {
    match body.motion.map(|motion| (motion.movement, motion.t0, motion.t1)) {
        None => Ok(None),
        Some((Movement::Translate { displacement }, t0, t1)) => Ok(Some(Leg { t0, t1, displacement })),
        Some(_) => Err(Failure::Input(format!(
            "{}: scenes of sweep take motions that translate; bodies that turn are cases of `sweep --batch`, by `from_a` and `to_a`",
            body.name
        ))),
    }
}

/// From the first start to the last stop.
fn whole_time(legs: &[Option<Leg>]) -> (f64, f64) {
    let legs = || legs.iter().flatten();
    match legs().next() {
        None => (0.0, 1.0),
        Some(_) => (
            legs().fold(f64::INFINITY, |t, leg| t.min(leg.t0)),
            legs().fold(f64::NEG_INFINITY, |t, leg| t.max(leg.t1)),
        ),
    }
}

fn listed(pair: &LegContact, parts: &[bodies::Body], shapes: &[Body]) -> SweepPair {
    let [i, j] = pair.bodies;
    let mut answer = match &pair.found {
        Ok(found) => SweepAnswer::new(Value::Null, found, &shapes[i], &shapes[j]),
        Err(error) => SweepAnswer::failed(Value::Null, error.to_string()),
    };
    answer.closest_approach = pair.approach.map(ApproachFile::from);
    if !pair.places_are_exact {
        answer.exact = None;
    }
    SweepPair { name_a: parts[i].name.clone(), name_b: parts[j].name.clone(), answer }
}

/// When two parts meet, for sorting: at the start comes before all else. `None` if they do not, or perhaps.
fn when(pair: &LegContact) -> Option<f64> {
    match &pair.found.as_ref().ok()?.outcome {
        Outcome::TouchingAtStart(_) | Outcome::OverlappingAtStart => Some(f64::NEG_INFINITY),
        Outcome::Hit(time, _) => Some(time.rounded()),
        Outcome::HitBetween([lower, _], _) => Some(*lower),
        Outcome::None(_) | Outcome::Undecided(_) => None,
    }
}

/// The pair that meets first; of several at one time the one listed first.
fn first_of(pairs: &[LegContact]) -> Option<usize> {
    let exact = |i: &usize| pairs[*i].found.as_ref().ok().and_then(|found| found.time().cloned());
    (0..pairs.len()).filter(|&i| when(&pairs[i]).is_some()).min_by(|x, y| match (exact(x), exact(y)) {
        (Some(s), Some(t)) => s.cmp(&t),
        _ => when(&pairs[*x]).unwrap_or(f64::INFINITY).total_cmp(&when(&pairs[*y]).unwrap_or(f64::INFINITY)),
    })
}

/// Files that cannot be written as asked are refused before any work is done.
fn check_files(arguments: &SweepArguments) -> Result<(), Failure> {
    if let Some(picture) = &arguments.picture {
        picture_format(picture)?;
    }
    match &arguments.glb {
        Some(file) if picture_format(file)? != PictureFormat::Glb => {
            Err(Failure::Usage(format!("{}: an animation is written as .glb", file.display())))
        }
        _ => Ok(()),
    }
}

/// When the first two bodies meet after the start, or the end.
fn moment(pairs: &[LegContact], end: f64) -> Moment {
    let hit = |pair: &LegContact| -> Option<Moment> {
        let found = pair.found.as_ref().ok()?;
        let (Outcome::Hit(_, touch) | Outcome::HitBetween(_, touch)) = &found.outcome else { return None };
        Some(Moment {
            time: found.bracket()?.0,
            pair: Some(pair.bodies),
            contacts: touch.contacts.iter().map(|contact| contact.point).collect(),
            normal: touch.normal,
        })
    };
    let end = Moment { time: end, pair: None, contacts: Vec::new(), normal: DVec3::ZERO };
    pairs.iter().filter_map(hit).min_by(|x, y| x.time.total_cmp(&y.time)).unwrap_or(end)
}

fn print_report(report: &SweepReport, count: usize, unit: Option<LengthUnit>) {
    let mut text = String::new();
    let SweepReport { t0, t1, first, pairs, .. } = report;
    text += &format!("{} from t = {t0} to {t1}, lengths in {}\n", counted(count, "part"), unit_name(unit));
    for (i, SweepPair { name_a, name_b, answer }) in pairs.iter().enumerate() {
        let line = format!("{name_a} and {name_b}: {}", sentence(answer));
        text += &if *first == Some(i) { format!("{}\n", strong(line)) } else { format!("{line}\n") };
        if let Some(exact) = &answer.exact {
            text += &faint(format!("  t = {}/{}\n", exact.num, exact.den));
        }
        text += &timeline(report, answer);
    }
    if pairs.is_empty() {
        text += "no two parts come near each other\n";
    }
    output::print(&text);
}

fn sentence(answer: &SweepAnswer) -> String {
    if let Some(error) = &answer.error {
        return error.clone();
    }
    let contacts = counted(answer.contacts.len(), "contact");
    let overlap = match &answer.first_overlap {
        Some(moment) => format!(", overlapping from t = {}", short(moment.lower.0)),
        None => String::new(),
    };
    let at = answer.time.map_or(0.0, |time| time.lower.0);
    match answer.contact {
        Some(ContactName::Hit) => format!("first contact at t = {}, {contacts}{overlap}", short(at)),
        Some(ContactName::TouchingAtStart) => format!("touching at the start, {contacts}{overlap}"),
        Some(ContactName::OverlappingAtStart) => "overlapping at the start".into(),
        Some(ContactName::Undecided) => {
            format!("no contact before t = {}; grazing after it, or not", short(at))
        }
        Some(ContactName::None) | None => match answer.closest_approach {
            Some(near) => {
                format!("no contact, {} apart at t = {}", short(near.distance.lower.0), short(near.time.0))
            }
            None => "no contact".into(),
        },
    }
}

/// The motion as a line, with the first contact and what comes after it.
fn timeline(report: &SweepReport, answer: &SweepAnswer) -> String {
    const WIDTH: usize = 60;
    let Some(time) = answer.time.filter(|_| answer.contact == Some(ContactName::Hit)) else {
        return String::new();
    };
    let share = (time.lower.0 - report.t0) / (report.t1 - report.t0);
    let place = ((share * WIDTH as f64) as usize).min(WIDTH - 1);
    format!("  |{}#{}|\n", "-".repeat(place), "=".repeat(WIDTH - 1 - place))
}
