//! `clearance sweep --batch`: one case per line in, one answer per line out.

use super::answer::{Placed, SweepAnswer, answer};
use super::screw::{self, ScrewAnswer, ScrewCase};
use crate::{
    args::{ReadArguments, SweepArguments},
    bodies::{defects_of, weld_of},
    interrupt,
    lines::{Lines, TextLine, folder_of, id_of},
    output::{self, Failure, Verdict, counted},
};
use clearance::{body::Body, glam::DVec3, spacetime::Translation};
use clearance_io::{
    ReadOptions,
    scene::{Case, CaseFile, CaseId, CaseReader, Number, PoseFile, SceneError, SceneOptions, ShapeFile},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// Two bodies with poses and velocities; one line of a file of cases.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "clearance sweep case")]
pub struct SweepCase {
    /// Any JSON value; the answer repeats it.
    #[serde(default)]
    pub id: CaseId,
    /// Body A.
    pub a: ShapeFile,
    /// Body B.
    pub b: ShapeFile,
    /// Where A is at t0; the identity if left out.
    #[serde(default)]
    pub pose_a: Option<PoseFile>,
    /// Where B is at t0; the identity if left out.
    #[serde(default)]
    pub pose_b: Option<PoseFile>,
    /// How fast A moves; at rest if left out.
    #[serde(default)]
    pub velocity_a: [Number; 3],
    /// How fast B moves; at rest if left out.
    #[serde(default)]
    pub velocity_b: [Number; 3],
    /// When the motion begins; 0 if left out.
    #[serde(default)]
    pub t0: Number,
    /// When it ends; 1 if left out.
    #[serde(default = "one")]
    pub t1: Number,
}

fn one() -> Number {
    Number(1.0)
}

pub fn run(file: &Path, arguments: &SweepArguments) -> Result<Verdict, Failure> {
    interrupt::with_progress(Path::new(""), |read| answer_all(file, arguments, read))
}

fn answer_all(file: &Path, arguments: &SweepArguments, read: ReadOptions<'_>) -> Result<Verdict, Failure> {
    let options = options(&arguments.read, read);
    let mut lines = Lines::open(file)?;
    let mut reader = CaseReader::new(&folder_of(file), lines.name(), &options)?;
    let (mut cases, mut failed) = (0, 0);
    while let Some(line) = lines.next()? {
        let answer = answer_line(&line, &mut reader, arguments)?;
        cases += 1;
        failed += usize::from(answer.is_failure());
        output::print(&(serde_json::to_string(&answer).unwrap_or_default() + "\n"));
    }
    if failed > 0 {
        output::print_warning(&format!("{failed} of {} could not be answered", counted(cases, "case")));
        return Ok(Verdict::BadInput);
    }
    Ok(Verdict::Fine)
}

fn options<'a>(arguments: &ReadArguments, read: ReadOptions<'a>) -> SceneOptions<'a> {
    SceneOptions {
        allow_outside: arguments.allow_outside,
        default_unit: arguments.unit,
        weld: weld_of(arguments),
        defects: defects_of(arguments),
        read,
    }
}

/// The answer to a line.
#[derive(Serialize)]
#[serde(untagged)]
enum BatchAnswer {
    Straight(SweepAnswer),
    Turning(ScrewAnswer),
}

impl BatchAnswer {
    fn is_failure(&self) -> bool {
        match self {
            BatchAnswer::Straight(answer) => answer.error.is_some(),
            BatchAnswer::Turning(answer) => answer.error.is_some(),
        }
    }
}

fn answer_line(
    line: &TextLine,
    reader: &mut CaseReader<'_>,
    arguments: &SweepArguments,
) -> Result<BatchAnswer, Failure> {
    let text = match &line.text {
        Ok(text) => text,
        Err(error) => {
            return Ok(BatchAnswer::Straight(SweepAnswer::failed(CaseId::default(), error.clone())));
        }
    };
    if serde_json::from_str(text).is_ok_and(|line: Value| ScrewCase::is_meant(&line)) {
        let answer = screw::answer_line(text, line.number, reader, arguments);
        return Ok(BatchAnswer::Turning(answer.map_err(|_| Failure::Interrupted)?));
    }
    answer_straight(text, line, reader).map(BatchAnswer::Straight)
}

fn answer_straight(text: &str, line: &TextLine, reader: &mut CaseReader<'_>) -> Result<SweepAnswer, Failure> {
    let file: SweepCase = match serde_json::from_str(text) {
        Ok(file) => file,
        Err(error) => return Ok(SweepAnswer::failed(id_of(text), format!("line {}: {error}", line.number))),
    };
    let SweepCase { id, a, b, pose_a, pose_b, velocity_a, velocity_b, t0, t1 } = file;
    let of_case = CaseFile { id: id.clone(), a, b, pose_a, pose_b };
    let case = match reader.build(of_case, text, line.number) {
        Ok(case) => case,
        Err(SceneError::Cancelled { .. }) => return Err(Failure::Interrupted),
        Err(error) => return Ok(SweepAnswer::failed(id, error.to_string())),
    };
    let [v_a, v_b] = [velocity_a, velocity_b].map(|v| DVec3::from_array(v.map(|x| x.0)));
    let answered = Translation::new(v_a, v_b, t0.0, t1.0)
        .map_err(|error| error.to_string())
        .and_then(|motion| answer_case(&case, &motion));
    Ok(answered.unwrap_or_else(|error| SweepAnswer::failed(id, error)))
}

fn answer_case(case: &Case, motion: &Translation) -> Result<SweepAnswer, String> {
    let a = Body::try_from(&case.a.shape).map_err(|error| format!("body a: {error}"))?;
    let b = Body::try_from(&case.b.shape).map_err(|error| format!("body b: {error}"))?;
    let (a, b) = (Placed { body: &a, pose: &case.a.pose }, Placed { body: &b, pose: &case.b.pose });
    Ok(answer(case.id.clone(), a, b, motion))
}
