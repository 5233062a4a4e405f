//! `clearance verify`: checks answers of `relate --batch` again.

use crate::{
    answer::{BracketFile, PairAnswer, name_of, relate},
    args::{RelationName, VerifyArguments},
    bodies::{defects_of, weld_of},
    interrupt,
    lines::{Lines, TextLine, folder_of},
    output::{self, Failure, Verdict, counted},
    proof::{Numbering, WitnessFile},
};
use clearance::{
    body::{Body, BodyAnswer},
    pair::Bracket,
    witness::PosedPair,
};
use clearance_io::{
    ReadOptions,
    scene::{Case, CaseFile, CaseReader, SceneError, SceneOptions},
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::path::Path;

/// What `verify --json` prints.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(title = "clearance verify --json")]
pub struct VerifyReport {
    /// Answers whose witness holds, and all else that was checked.
    pub proved: usize,
    /// Answers without a witness that came out the same when computed anew.
    pub recomputed: usize,
    /// Lines that hold an error in place of an answer.
    pub unanswered: usize,
    /// Answers that are wrong.
    pub wrong: Vec<LineProblem>,
    /// Lines that could not be checked.
    pub errors: Vec<LineProblem>,
}

/// What is the matter with a line.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LineProblem {
    /// Its number, from 1.
    pub line: usize,
    /// The id of the case.
    pub id: Value,
    /// In words.
    pub problem: String,
}

/// What came of a line.
enum Outcome {
    Proved,
    Recomputed,
    Unanswered,
    Wrong(String),
}

pub fn run(arguments: &VerifyArguments) -> Result<Verdict, Failure> {
    let report = interrupt::with_progress(Path::new(""), |read| verify_all(arguments, read))?;
    if arguments.json {
        output::print_json(&report);
    } else {
        print_report(&report);
    }
    Ok(match (report.errors.is_empty(), report.wrong.is_empty()) {
        (false, _) => Verdict::BadInput,
        (true, false) => Verdict::Found,
        (true, true) => Verdict::Fine,
    })
}

fn verify_all(arguments: &VerifyArguments, read: ReadOptions<'_>) -> Result<VerifyReport, Failure> {
    let options = SceneOptions {
        allow_outside: arguments.read.allow_outside,
        default_unit: arguments.read.unit,
        weld: weld_of(&arguments.read),
        defects: defects_of(&arguments.read),
        read,
    };
    let mut answers = Lines::open(&arguments.file)?;
    let mut reader = CaseReader::new(&folder_of(&arguments.file), answers.name(), &options)?;
    let mut cases = arguments.cases.as_deref().map(|file| Cases::open(file, &options)).transpose()?;
    let mut report = VerifyReport::default();
    while let Some(line) = answers.next()? {
        let case = cases.as_mut().map(Cases::next).transpose()?;
        let (id, outcome) = verify_line(&line, &mut reader, case);
        let problem = |problem: String| LineProblem { line: line.number, id: id.clone(), problem };
        match outcome {
            Ok(Outcome::Proved) => report.proved += 1,
            Ok(Outcome::Recomputed) => report.recomputed += 1,
            Ok(Outcome::Unanswered) => report.unanswered += 1,
            Ok(Outcome::Wrong(why)) => report.wrong.push(problem(why)),
            Err(why) => report.errors.push(problem(why)),
        }
    }
    if let Some(cases) = &mut cases
        && cases.has_more()?
    {
        let problem = "there are more cases than answers".to_owned();
        report.errors.push(LineProblem { line: 0, id: Value::Null, problem });
    }
    Ok(report)
}

/// The file of cases, read in step with the answers.
struct Cases<'a> {
    lines: Lines,
    reader: CaseReader<'a>,
}

impl<'a> Cases<'a> {
    fn open(file: &Path, options: &'a SceneOptions<'a>) -> Result<Cases<'a>, Failure> {
        let lines = Lines::open(file)?;
        let reader = CaseReader::new(&folder_of(file), lines.name(), options)?;
        Ok(Cases { lines, reader })
    }

    fn has_more(&mut self) -> Result<bool, Failure> {
        Ok(self.lines.next()?.is_some())
    }

    /// The next case, or why there is none.
    fn next(&mut self) -> Result<Result<Case, String>, Failure> {
        let Some(line) = self.lines.next()? else {
            return Ok(Err("there is no case for this answer".into()));
        };
        let text = match line.text {
            Ok(text) => text,
            Err(error) => return Ok(Err(error)),
        };
        match self.reader.read(&text, line.number) {
            Ok(case) => Ok(Ok(case)),
            Err(SceneError::Cancelled { .. }) => Err(Failure::Interrupted),
            Err(error) => Ok(Err(error.to_string())),
        }
    }
}

type Checked = Result<Outcome, String>;

fn verify_line(
    line: &TextLine,
    reader: &mut CaseReader<'_>,
    case: Option<Result<Case, String>>,
) -> (Value, Checked) {
    let parsed = line.text.clone().and_then(|text| {
        let answer: PairAnswer =
            serde_json::from_str(&text).map_err(|error| format!("no answer: {error}"))?;
        Ok((text, answer))
    });
    match parsed {
        Ok((text, answer)) => (answer.id.clone(), verify_answer(&answer, &text, line.number, reader, case)),
        Err(error) => (Value::Null, Err(error)),
    }
}

fn verify_answer(
    answer: &PairAnswer,
    text: &str,
    number: usize,
    reader: &mut CaseReader<'_>,
    case: Option<Result<Case, String>>,
) -> Checked {
    if answer.error.is_some() {
        return Ok(Outcome::Unanswered);
    }
    let stated = stated_bodies(answer, text, number, reader)?;
    let asked = case.transpose()?;
    if let Some(asked) = &asked
        && asked.id != answer.id
    {
        return Ok(Outcome::Wrong(format!("the case has the id {}, the answer {}", asked.id, answer.id)));
    }
    let bodies = match (stated, asked) {
        (Some(stated), Some(asked)) => match difference(&stated, &asked) {
            Some(wrong) => return Ok(Outcome::Wrong(wrong)),
            None => stated,
        },
        (Some(bodies), None) | (None, Some(bodies)) => bodies,
        (None, None) => {
            return Err("the answer has no bodies: write answers with --proof, or give the --cases".into());
        }
    };
    check(answer, &bodies)
}

/// The bodies in the answer, if it has them.
fn stated_bodies(
    answer: &PairAnswer,
    text: &str,
    number: usize,
    reader: &mut CaseReader<'_>,
) -> Result<Option<Case>, String> {
    let proof = &answer.proof;
    let (a, b) = match (&proof.a, &proof.b) {
        (Some(a), Some(b)) => (a.clone(), b.clone()),
        (None, None) if proof.witness.is_none() => return Ok(None),
        _ => return Err("a witness needs both bodies, `a` and `b`".into()),
    };
    let file = CaseFile { id: answer.id.clone(), a, b, pose_a: proof.pose_a, pose_b: proof.pose_b };
    reader.build(file, text, number).map(Some).map_err(|error| error.to_string())
}

/// How the bodies of an answer differ from those of its case.
fn difference(stated: &Case, asked: &Case) -> Option<String> {
    let convex = |case: &Case| relate(&case.a, &case.b).map(|related| (related.a, related.b)).ok();
    let (Some(stated_bodies), Some(asked_bodies)) = (convex(stated), convex(asked)) else {
        return Some("the case cannot be answered".into());
    };
    if stated.a.pose != asked.a.pose || stated.b.pose != asked.b.pose {
        return Some("a pose is not that of the case".into());
    }
    if !is_same_body(&stated_bodies.0, &asked_bodies.0) {
        return Some("body a is not that of the case".into());
    }
    (!is_same_body(&stated_bodies.1, &asked_bodies.1)).then(|| "body b is not that of the case".into())
}

/// Whether two are the same body, bit for bit.
fn is_same_body(stated: &Body, asked: &Body) -> bool {
    match (stated, asked) {
        (Body::Convex(stated), Body::Convex(asked)) => stated.is_same_body(asked),
        (Body::Mesh(stated), Body::Mesh(asked)) => {
            let (stated, asked) = (stated.mesh(), asked.mesh());
            stated.positions() == asked.positions() && stated.triangles() == asked.triangles()
        }
        _ => false,
    }
}

fn check(answer: &PairAnswer, bodies: &Case) -> Checked {
    let related = relate(&bodies.a, &bodies.b)?;
    let Some(relation) = answer.relation else {
        return Ok(Outcome::Wrong("there is neither a relation nor an error".into()));
    };
    if let Some(wrong) = compare(relation, answer, &related.answer) {
        return Ok(Outcome::Wrong(wrong));
    }
    let Some(witness) = &answer.proof.witness else { return Ok(Outcome::Recomputed) };
    let core = |body: &Body| body.as_convex()?.core().cloned();
    let cores = core(&related.a).zip(core(&related.b));
    let Some((a, b)) = cores.filter(|_| related.has_witness()) else {
        return Ok(Outcome::Wrong("there is a witness, but the bodies are no polytopes".into()));
    };
    let pair = PosedPair { a: a.polytope(), pose_a: &bodies.a.pose, b: b.polytope(), pose_b: &bodies.b.pose };
    Ok(match check_witness(witness, relation, &pair) {
        Ok(()) => Outcome::Proved,
        Err(why) => Outcome::Wrong(format!("the witness fails: {why}")),
    })
}

fn check_witness(file: &WitnessFile, relation: RelationName, pair: &PosedPair<'_>) -> Result<(), String> {
    let witness = file.to_witness(&Numbering::new("a", pair.a), &Numbering::new("b", pair.b))?;
    let proved = name_of(clearance::pair::ConvexRelation::Exact(witness.relation())).0;
    if proved != relation {
        return Err(format!("it is one of {proved:?}, the relation is {relation:?}").to_lowercase());
    }
    witness.check(pair).map_err(|defect| defect.to_string())
}

/// What differs between an answer and the one that was computed anew.
fn compare(relation: RelationName, answer: &PairAnswer, anew: &BodyAnswer) -> Option<String> {
    let (computed, _) = name_of(anew.relation);
    if relation != computed {
        return Some(format!("the relation is {relation:?}, computed anew {computed:?}").to_lowercase());
    }
    let Some(distance) = answer.distance else { return Some("there is no distance".into()) };
    if !agree(distance, anew.distance) {
        return Some(differs("distance", distance, anew.distance));
    }
    match (answer.depth, anew.depth) {
        (None, None) => None,
        (Some(depth), Some(computed)) if agree(depth, computed) => None,
        (Some(depth), Some(computed)) => Some(differs("depth", depth, computed)),
        (Some(_), None) => Some("there is a depth, computed anew there is none".into()),
        (None, Some(_)) => Some("there is no depth, computed anew there is one".into()),
    }
}

/// Whether two brackets may hold the same number.
fn agree(stated: BracketFile, computed: Bracket) -> bool {
    let (lower, upper) = (stated.lower.0, stated.upper.0);
    lower <= upper && lower <= computed.upper && computed.lower <= upper
}

fn differs(what: &str, stated: BracketFile, computed: Bracket) -> String {
    format!(
        "the {what} is said to be between {} and {}, computed anew it is between {} and {}",
        stated.lower.0, stated.upper.0, computed.lower, computed.upper
    )
}

fn print_report(report: &VerifyReport) {
    let line = |what: &str, problem: &LineProblem| {
        let id = if problem.id.is_null() { String::new() } else { format!(" (id {})", problem.id) };
        format!("line {}{id}: {what}: {}\n", problem.line, problem.problem)
    };
    let mut text: String = report.wrong.iter().map(|problem| line("wrong", problem)).collect();
    text.extend(report.errors.iter().map(|problem| line("cannot be checked", problem)));
    let all =
        report.proved + report.recomputed + report.unanswered + report.wrong.len() + report.errors.len();
    text += &format!(
        "{}: {} proved by their witness, {} computed anew, {} without an answer, {} wrong, {} not checked\n",
        counted(all, "line"),
        report.proved,
        report.recomputed,
        report.unanswered,
        report.wrong.len(),
        report.errors.len()
    );
    output::print(&text);
}
