//! `clearance ccd --batch`: when features with moving vertices first meet, one case per line.

use crate::{
    answer::BracketFile,
    args::CcdArguments,
    lines::{Lines, Outcome, TextLine, answer_each, id_of},
    output::{Failure, Verdict},
};
use clearance::{
    ccd::{CcdError, ContactTime, MovingPoint, edge_edge, vertex_face},
    math::Screw,
    screw::{Moving, edge_edge_times, vertex_face_times},
};
use clearance_io::scene::{CaseId, Number, ScrewFile, Vector, parse_line, to_vector};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A line of `ccd --batch`: two features whose vertices move on straight lines from time 0 to 1, or of which one moves on a
/// screw.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(title = "a case of clearance ccd --batch")]
#[serde(deny_unknown_fields)]
pub struct CcdCase {
    /// Anything; the answer has it, too.
    #[serde(default)]
    id: CaseId,
    /// Which two features the points are.
    kind: FeatureKind,
    /// The points at time 0, if they move on straight lines.
    #[serde(default)]
    start: Option<[Vector; 4]>,
    /// The points at time 1, if they move on straight lines.
    #[serde(default)]
    end: Option<[Vector; 4]>,
    /// The points at time 0, if one of the features moves on a screw.
    #[serde(default)]
    points: Option<[Vector; 4]>,
    /// Which of the features moves on the screw.
    #[serde(default)]
    moving: Option<MovingName>,
    /// The screw.
    #[serde(default)]
    screw: Option<ScrewFile>,
}

/// One of two features.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum MovingName {
    /// The vertex, or the first edge.
    First,
    /// The triangle, or the second edge.
    Second,
}

/// Which two features four points are.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum FeatureKind {
    /// A vertex, then the corners of a triangle.
    VertexFace,
    /// The ends of an edge, then those of another.
    EdgeEdge,
}

/// The answer to one case. Numbers read back to the same bits.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "an answer of clearance ccd --batch")]
pub struct CcdAnswer {
    /// That of the case.
    id: CaseId,
    /// Whether the features share a point at some time from 0 to 1; null if there is an error.
    hit: Option<bool>,
    /// The floats next to the first such time, below and above; equal if it is one. Null without a hit.
    time: Option<BracketFile>,
    /// On a screw: all times at which they share a point, in order; left out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    times: Option<Vec<ScrewTime>>,
    /// Why there is no answer; left out if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// A time at which two features share a point, one of them on a screw.
#[derive(Debug, Serialize, JsonSchema)]
struct ScrewTime {
    /// No contact between the time before this one and this.
    lower: Number,
    /// A time at or before which they have met.
    upper: Number,
    /// When the contact ends, if it lasts; else left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<Number>,
    /// Left out if they meet for sure; else true: they come so close that rounding hides whether they do.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    undecided: bool,
}

pub fn run(arguments: &CcdArguments) -> Result<Verdict, Failure> {
    let lines = Lines::open(&arguments.batch)?;
    let name = lines.name().to_path_buf();
    answer_each(lines, |line| {
        Ok(match answer(line, &name) {
            Ok(answer) => (answer, Outcome::Answered),
            Err(error) => {
                let id = line.text.as_deref().map(id_of).unwrap_or_default();
                (CcdAnswer { id, hit: None, time: None, times: None, error: Some(error) }, Outcome::Failed)
            }
        })
    })
}

/// The answer, or why there is none.
fn answer(line: &TextLine, name: &Path) -> Result<CcdAnswer, String> {
    let text = line.text.as_ref().map_err(String::clone)?;
    let case: CcdCase = parse_line(text, name, line.number).map_err(|error| error.to_string())?;
    let place = |error: String| format!("{}:{}: {error}", name.display(), line.number);
    match (case.start, case.end, case.points, case.moving, &case.screw) {
        (Some(start), Some(end), None, None, None) => {
            let time =
                first_contact(case.kind, start, end).map_err(|error: CcdError| place(error.to_string()))?;
            let bracket =
                |time: ContactTime| BracketFile { lower: Number(time.lower), upper: Number(time.upper) };
            let hit = Some(time.is_some());
            Ok(CcdAnswer { id: case.id, hit, time: time.map(bracket), times: None, error: None })
        }
        (None, None, Some(points), Some(moving), Some(screw)) => {
            let screw = screw.build().map_err(|error| place(format!("screw: {error}")))?;
            on_screw(case.id, case.kind, points, moving, &screw).map_err(place)
        }
        _ => {
            let advice =
                "give `start` and `end`, or `points`, `moving` and `screw`; all of them and no others";
            Err(place(advice.into()))
        }
    }
}

fn on_screw(
    id: CaseId,
    kind: FeatureKind,
    points: [Vector; 4],
    moving: MovingName,
    screw: &Screw,
) -> Result<CcdAnswer, String> {
    let moving = match moving {
        MovingName::First => Moving::First,
        MovingName::Second => Moving::Second,
    };
    let [a, b, c, d] = points.map(to_vector);
    let times = match kind {
        FeatureKind::VertexFace => vertex_face_times(a, [b, c, d], screw, moving),
        FeatureKind::EdgeEdge => edge_edge_times([a, b], [c, d], screw, moving),
    };
    let times = times.map_err(|error| error.to_string())?;
    let is_undecided = !times.is_empty() && times.iter().all(|time| !time.is_proved);
    let first = times.iter().find(|time| time.is_proved);
    let told = times.iter().map(|time| ScrewTime {
        lower: Number(time.lower),
        upper: Number(time.upper),
        until: (time.until > time.upper).then_some(Number(time.until)),
        undecided: !time.is_proved,
    });
    Ok(CcdAnswer {
        id,
        hit: (!is_undecided).then_some(first.is_some()),
        time: first.map(|time| BracketFile { lower: Number(time.lower), upper: Number(time.upper) }),
        times: Some(told.collect()),
        error: None,
    })
}

fn first_contact(
    kind: FeatureKind,
    start: [Vector; 4],
    end: [Vector; 4],
) -> Result<Option<ContactTime>, CcdError> {
    let [a, b, c, d] =
        [0, 1, 2, 3].map(|i| MovingPoint { start: to_vector(start[i]), end: to_vector(end[i]) });
    match kind {
        FeatureKind::VertexFace => vertex_face(a, [b, c, d]),
        FeatureKind::EdgeEdge => edge_edge([a, b], [c, d]),
    }
}
