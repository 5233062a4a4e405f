//! `clearance sweep SCENE`: the first contacts of all pairs of a scene.

use super::answer::{ContactName, SweepAnswer};
use crate::{
    args::SweepArguments,
    bodies::{self, open},
    output::{self, Failure, Verdict, counted, faint, short, strong, unit_name},
};
use clearance::{
    body::Body,
    glam::DVec3,
    spacetime::{FirstContact, MovingBody, Outcome, first_contacts},
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
    /// When the motion begins.
    pub t0: f64,
    /// When it ends.
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

pub fn run(file: &Path, arguments: &SweepArguments) -> Result<Verdict, Failure> {
    let opened = open(file, &arguments.read)?;
    let (t0, t1) = common_times(&opened.bodies)?;
    let build = |body: &bodies::Body| {
        Body::try_from(&*body.shape).map_err(|error| Failure::Input(format!("{}: {error}", body.name)))
    };
    let shapes: Vec<Body> = opened.bodies.iter().map(build).collect::<Result<_, _>>()?;
    let velocity = |body: &bodies::Body| -> Result<DVec3, Failure> {
        match body.motion.map(|motion| motion.movement) {
            None => Ok(DVec3::ZERO),
            Some(Movement::Translate { displacement }) => Ok(displacement),
            Some(_) => Err(Failure::Input(format!(
                "{}: sweep takes motions that translate; for motions that turn use the screw query",
                body.name
            ))),
        }
    };
    let velocities: Vec<DVec3> = opened.bodies.iter().map(velocity).collect::<Result<_, _>>()?;
    // Displacements are over the whole interval, so time is counted from 0 to 1 and told in the scene's.
    let moving =
        |i: usize| MovingBody { body: &shapes[i], pose: &opened.bodies[i].pose, velocity: velocities[i] };
    let moving: Vec<MovingBody<'_>> = (0..shapes.len()).map(moving).collect();
    let mut found = first_contacts(&moving, 0.0, 1.0).map_err(Failure::input)?;
    found.pairs.retain(|pair| !opened.ignored.contains(pair.bodies[0], pair.bodies[1]));
    let first = found.first().map(|pair| pair.bodies);
    let mut pairs = Vec::new();
    let mut first_listed = None;
    for pair in &found.pairs {
        let [i, j] = pair.bodies;
        let (a, b) = (&opened.bodies[i], &opened.bodies[j]);
        let answer = match &pair.found {
            Ok(found) => SweepAnswer::new(Value::Null, &in_scene_time(found, t0, t1), &shapes[i], &shapes[j]),
            Err(error) => SweepAnswer::failed(Value::Null, error.to_string()),
        };
        if first == Some([i, j]) {
            first_listed = Some(pairs.len());
        }
        pairs.push(SweepPair { name_a: a.name.clone(), name_b: b.name.clone(), answer });
    }
    let failed = pairs.iter().any(|pair| pair.answer.error.is_some());
    let report =
        SweepReport { unit: opened.unit.map(LengthUnit::symbol), t0, t1, first: first_listed, pairs };
    if arguments.json {
        output::print_json(&report);
    } else {
        print_report(&report, opened.bodies.len(), opened.unit);
    }
    Ok(if failed { Verdict::BadInput } else { Verdict::Fine })
}

/// The times that all motions share.
fn common_times(bodies: &[bodies::Body]) -> Result<(f64, f64), Failure> {
    let mut times = bodies.iter().filter_map(|body| body.motion.map(|motion| (motion.t0, motion.t1)));
    let Some(first) = times.next() else { return Ok((0.0, 1.0)) };
    match times.find(|other| *other != first) {
        Some(other) => Err(Failure::Input(format!(
            "motions from {} to {} and from {} to {}: give all of them the same t0 and t1",
            first.0, first.1, other.0, other.1
        ))),
        None => Ok(first),
    }
}

/// From times between 0 and 1 to those of the scene.
fn in_scene_time(found: &FirstContact, t0: f64, t1: f64) -> FirstContact {
    let mut found = found.clone();
    found.outcome = match found.outcome {
        Outcome::Hit(time, touch) => Outcome::Hit(time.between(t0, t1), touch),
        Outcome::HitBetween([lower, upper], touch) => {
            let at = |u: f64| t0 + u * (t1 - t0);
            Outcome::HitBetween([at(lower).next_down(), at(upper).next_up()], touch)
        }
        Outcome::Undecided(lower) => Outcome::Undecided((t0 + lower * (t1 - t0)).next_down()),
        other => other,
    };
    if let clearance::spacetime::FirstOverlap::From(time) = found.first_overlap {
        found.first_overlap = clearance::spacetime::FirstOverlap::From(time.between(t0, t1));
    }
    found
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
        Some(ContactName::None) | None => "no contact".into(),
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
