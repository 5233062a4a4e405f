//! `clearance sweep SCENE`: the first contacts of all pairs of a scene.

use super::answer::{ApproachFile, ContactName, SweepAnswer};
use super::picture::{Moment, Moving};
use super::screw::ScrewAnswer;
use super::turning;
use crate::{
    answer::BracketFile,
    args::{EngineName, SweepArguments},
    bodies::{self, Opened, PictureFormat, open, picture_format, write_bytes, write_picture},
    output::{self, Failure, Verdict, between, counted, faint, short, strong, unit_name},
    path::Path as Way,
};
use clearance::{
    body::Body,
    glam::DVec3,
    spacetime::{ExactTime, LegContact, Outcome, TravellingBody, first_contacts_on_legs},
};
use clearance_io::{LengthUnit, scene::CaseId};
use schemars::JsonSchema;
use serde::Serialize;
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
    pub answer: PairAnswer,
}

/// The answer for two parts that translate or rest, or of which one turns.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum PairAnswer {
    /// Exact for polytopes and meshes.
    Straight(SweepAnswer),
    /// With a bracket of the time, and all contacts.
    Turning(ScrewAnswer),
}

impl PairAnswer {
    fn contact(&self) -> Option<ContactName> {
        match self {
            PairAnswer::Straight(answer) => answer.contact,
            PairAnswer::Turning(answer) => answer.contact,
        }
    }

    fn time(&self) -> Option<BracketFile> {
        match self {
            PairAnswer::Straight(answer) => answer.time,
            PairAnswer::Turning(answer) => answer.time,
        }
    }

    fn error(&self) -> Option<&String> {
        match self {
            PairAnswer::Straight(answer) => answer.error.as_ref(),
            PairAnswer::Turning(answer) => answer.error.as_ref(),
        }
    }
}

/// A pair with its answer, and what is looked for among all of them.
pub struct Answered {
    pub bodies: [usize; 2],
    pub answer: PairAnswer,
    /// The time of first contact, where it is exact.
    pub exact: Option<ExactTime>,
    /// What to draw, if they meet after the start.
    pub moment: Option<Moment>,
}

impl Answered {
    /// When they meet, for sorting: at the start comes before all else. `None` if they do not, or perhaps.
    fn when(&self) -> Option<f64> {
        match self.answer.contact()? {
            ContactName::TouchingAtStart | ContactName::OverlappingAtStart => Some(f64::NEG_INFINITY),
            ContactName::Hit => self.answer.time().map(|time| time.lower.0),
            ContactName::None | ContactName::Undecided => None,
        }
    }
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
    let ways: Vec<Way> = opened.bodies.iter().map(way).collect::<Result<_, _>>()?;
    let (t0, t1) = whole_time(&ways);
    let mut found = straight(&opened, &shapes, &ways)?;
    found.extend(turning::answers(&opened, &shapes, &ways, arguments));
    found.sort_by_key(|pair| pair.bodies);
    let first = first_of(&found);
    let end = Moment { time: t1, pair: None, contacts: Vec::new(), normal: DVec3::ZERO };
    let moments = found.iter().filter_map(|pair| pair.moment.clone());
    let moment = moments.min_by(|x, y| x.time.total_cmp(&y.time)).unwrap_or(end);
    let name = |i: usize| opened.bodies[i].name.clone();
    let pairs: Vec<SweepPair> = found
        .into_iter()
        .map(|Answered { bodies: [i, j], answer, .. }| SweepPair { name_a: name(i), name_b: name(j), answer })
        .collect();
    let failed = pairs.iter().any(|pair| pair.answer.error().is_some());
    let report = SweepReport { unit: opened.unit.map(LengthUnit::symbol), t0, t1, first, pairs };
    let shown = Moving { opened: &opened, ways: &ways, start: t0 };
    if let Some(picture) = &arguments.picture {
        match arguments.engine {
            EngineName::Screen => write_screen(picture, &shown, &shapes, &moment, arguments)?,
            _ => write_picture(&shown.drawing(&moment)?, picture)?,
        }
    }
    if let Some(animation) = &arguments.glb {
        shown.write_animation(&moment, SHORTEST_ANIMATION, animation)?;
    }
    if arguments.json {
        output::print_json(&report);
    } else {
        print_report(&report, opened.bodies.len(), opened.unit, arguments);
        for file in arguments.picture.iter().chain(&arguments.glb) {
            output::print(&format!("{} written\n", file.display()));
        }
    }
    Ok(if failed { Verdict::BadInput } else { Verdict::Fine })
}

/// How a part moves.
fn way(body: &bodies::Body) -> Result<Way, Failure> {
    match Way::of(&body.pose, body.motion) {
        Way::Unknown => Err(Failure::Input(format!(
            "{}: sweep asks about motions that end within the largest coordinates, by `translate`, `to` or `screw`; free \
             flight by `velocity` and `spin` is for `clearance simulate`",
            body.name
        ))),
        way => Ok(way),
    }
}

/// From the first start to the last stop.
fn whole_time(ways: &[Way]) -> (f64, f64) {
    let times = || ways.iter().filter_map(Way::times);
    match times().next() {
        None => (0.0, 1.0),
        Some(_) => (
            times().fold(f64::INFINITY, |t, [t0, _]| t.min(t0)),
            times().fold(f64::NEG_INFINITY, |t, [_, t1]| t.max(t1)),
        ),
    }
}

/// All pairs of parts that rest or translate.
fn straight(opened: &Opened, shapes: &[Body], ways: &[Way]) -> Result<Vec<Answered>, Failure> {
    let indices: Vec<usize> = (0..ways.len()).filter(|&i| !ways[i].is_turning()).collect();
    let moving =
        |&i: &usize| TravellingBody { body: &shapes[i], pose: &opened.bodies[i].pose, leg: ways[i].leg() };
    let moving: Vec<TravellingBody<'_>> = indices.iter().map(moving).collect();
    let mut found = first_contacts_on_legs(&moving).map_err(Failure::input)?;
    for pair in &mut found {
        pair.bodies = pair.bodies.map(|i| indices[i]);
    }
    found.retain(|pair| !opened.ignored.contains(pair.bodies[0], pair.bodies[1]));
    Ok(found.iter().map(|pair| answered(pair, shapes)).collect())
}

fn answered(pair: &LegContact, shapes: &[Body]) -> Answered {
    let [i, j] = pair.bodies;
    let mut answer = match &pair.found {
        Ok(found) => SweepAnswer::new(CaseId::default(), found, &shapes[i], &shapes[j]),
        Err(error) => SweepAnswer::failed(CaseId::default(), error.to_string()),
    };
    answer.closest_approach = pair.approach.map(ApproachFile::from);
    if !pair.places_are_exact {
        answer.exact = None;
    }
    let moment = pair.found.as_ref().ok().and_then(|found| {
        let (Outcome::Hit(_, touch) | Outcome::HitBetween(_, touch)) = &found.outcome else { return None };
        Some(Moment {
            time: found.bracket()?.0,
            pair: Some(pair.bodies),
            contacts: touch.contacts.iter().map(|contact| contact.point).collect(),
            normal: touch.normal,
        })
    });
    let exact = pair.found.as_ref().ok().and_then(|found| found.time().cloned());
    Answered { bodies: pair.bodies, answer: PairAnswer::Straight(answer), exact, moment }
}

/// The pair that meets first; of several at one time the one listed first.
fn first_of(pairs: &[Answered]) -> Option<usize> {
    let when = |i: usize| pairs[i].when().unwrap_or(f64::INFINITY);
    (0..pairs.len()).filter(|&i| pairs[i].when().is_some()).min_by(|&x, &y| {
        match (&pairs[x].exact, &pairs[y].exact) {
            (Some(s), Some(t)) => s.cmp(t),
            _ => when(x).total_cmp(&when(y)),
        }
    })
}

/// Files that cannot be written as asked are refused before any work is done.
/// The collision screen of the first two that meet after the start.
fn write_screen(
    file: &Path,
    shown: &Moving<'_>,
    shapes: &[Body],
    moment: &Moment,
    arguments: &SweepArguments,
) -> Result<(), Failure> {
    let Some([i, j]) = moment.pair else {
        return Err(Failure::Input("no two parts meet after the start: no collision screen is drawn".into()));
    };
    let parts = turning::turning_bodies(shown.opened, shapes, shown.ways);
    let svg = turning::screen_picture([&parts[i], &parts[j]], arguments)
        .map_err(|why| Failure::Input(format!("no collision screen is drawn: {why}")))?;
    write_bytes(svg.as_bytes(), file)
}

fn check_files(arguments: &SweepArguments) -> Result<(), Failure> {
    if let Some(picture) = &arguments.picture
        && picture_format(picture)? != PictureFormat::Svg
        && arguments.engine == EngineName::Screen
    {
        return Err(Failure::Usage(format!("{}: a collision screen is drawn as .svg", picture.display())));
    }
    match &arguments.glb {
        Some(file) if picture_format(file)? != PictureFormat::Glb => {
            Err(Failure::Usage(format!("{}: an animation is written as .glb", file.display())))
        }
        _ => Ok(()),
    }
}

fn print_report(report: &SweepReport, count: usize, unit: Option<LengthUnit>, arguments: &SweepArguments) {
    let mut text = String::new();
    let SweepReport { t0, t1, first, pairs, .. } = report;
    text += &format!("{} from t = {t0} to {t1}, lengths in {}\n", counted(count, "part"), unit_name(unit));
    for (i, SweepPair { name_a, name_b, answer }) in pairs.iter().enumerate() {
        let (sentence, details) = match answer {
            PairAnswer::Straight(answer) => (sentence(answer), exactly(answer)),
            PairAnswer::Turning(answer) => {
                (turning::sentence(answer), turning::details(answer, arguments.all))
            }
        };
        let line = format!("{name_a} and {name_b}: {sentence}");
        text += &if *first == Some(i) { format!("{}\n", strong(line)) } else { format!("{line}\n") };
        text += &details;
        text += &timeline(report, answer);
    }
    if pairs.is_empty() {
        text += "no two parts come near each other\n";
    }
    output::print(&text);
}

fn exactly(answer: &SweepAnswer) -> String {
    answer.exact.as_ref().map_or(String::new(), |exact| faint(format!("  t = {}/{}\n", exact.num, exact.den)))
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
        Some(ContactName::None) | None => no_contact(answer.closest_approach),
    }
}

pub fn no_contact(closest: Option<ApproachFile>) -> String {
    match closest {
        Some(ApproachFile { distance, time }) => {
            let apart = between(distance.lower.0, distance.upper.0);
            format!("no contact, {apart} apart at t = {}", short(time.0))
        }
        None => "no contact".into(),
    }
}

/// The motion as a line, with the first contact and what comes after it.
fn timeline(report: &SweepReport, answer: &PairAnswer) -> String {
    const WIDTH: usize = 60;
    let Some(time) = answer.time().filter(|_| answer.contact() == Some(ContactName::Hit)) else {
        return String::new();
    };
    let share = (time.lower.0 - report.t0) / (report.t1 - report.t0);
    let place = ((share * WIDTH as f64) as usize).min(WIDTH - 1);
    format!("  |{}#{}|\n", "-".repeat(place), "=".repeat(WIDTH - 1 - place))
}
