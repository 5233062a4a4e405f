//! `clearance ccd --batch`: when features with moving vertices first meet, one case per line.

use crate::{
    answer::BracketFile,
    args::CcdArguments,
    lines::{Lines, Outcome, TextLine, answer_each, id_of},
    output::{Failure, Verdict},
};
use clearance::ccd::{CcdError, ContactTime, MovingPoint, edge_edge, vertex_face};
use clearance_io::scene::{Number, Vector, parse_line, to_vector};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// A line of `ccd --batch`: two features whose vertices move on straight lines from time 0 to 1.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(title = "a case of clearance ccd --batch")]
#[serde(deny_unknown_fields)]
pub struct CcdCase {
    /// Anything; the answer has it, too.
    #[serde(default)]
    id: Value,
    /// Which two features the points are.
    kind: FeatureKind,
    /// The points at time 0.
    start: [Vector; 4],
    /// The points at time 1.
    end: [Vector; 4],
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
    id: Value,
    /// Whether the features share a point at some time from 0 to 1; null if there is an error.
    hit: Option<bool>,
    /// The floats next to the first such time, below and above; equal if it is one. Null without a hit.
    time: Option<BracketFile>,
    /// Why there is no answer; left out if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

pub fn run(arguments: &CcdArguments) -> Result<Verdict, Failure> {
    let lines = Lines::open(&arguments.batch)?;
    let name = lines.name().to_path_buf();
    answer_each(lines, |line| {
        Ok(match answer(line, &name) {
            Ok(answer) => (answer, Outcome::Answered),
            Err(error) => {
                let id = line.text.as_deref().map(id_of).unwrap_or_default();
                (CcdAnswer { id, hit: None, time: None, error: Some(error) }, Outcome::Failed)
            }
        })
    })
}

/// The answer, or why there is none.
fn answer(line: &TextLine, name: &Path) -> Result<CcdAnswer, String> {
    let text = line.text.as_ref().map_err(String::clone)?;
    let case: CcdCase = parse_line(text, name, line.number).map_err(|error| error.to_string())?;
    let refused = |error: CcdError| format!("{}:{}: {error}", name.display(), line.number);
    let time = first_contact(&case).map_err(refused)?;
    let bracket = |time: ContactTime| BracketFile { lower: Number(time.lower), upper: Number(time.upper) };
    Ok(CcdAnswer { id: case.id, hit: Some(time.is_some()), time: time.map(bracket), error: None })
}

fn first_contact(case: &CcdCase) -> Result<Option<ContactTime>, CcdError> {
    let [a, b, c, d] =
        [0, 1, 2, 3].map(|i| MovingPoint { start: to_vector(case.start[i]), end: to_vector(case.end[i]) });
    match case.kind {
        FeatureKind::VertexFace => vertex_face(a, [b, c, d]),
        FeatureKind::EdgeEdge => edge_edge([a, b], [c, d]),
    }
}
