//! `clearance verify`: checks answers of `relate --batch` again.

use crate::{
    answer::{PairAnswer, ProofFile, bodies, name_of, relate},
    args::{RelationName, VerifyArguments},
    bodies::{defects_of, weld_of},
    interrupt,
    lines::{Lines, TextLine, folder_of, id_of},
    output::{self, Failure, Verdict, counted},
    proof::{Numbering, WitnessFile},
    recheck,
};
use clearance::{body::Body, witness::PosedPair};
use clearance_io::{
    ReadOptions,
    scene::{Case, CaseFile, CaseId, CaseReader, SceneError, SceneOptions},
};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

/// What `verify --json` prints.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(title = "clearance verify --json")]
pub struct VerifyReport {
    /// Answers whose witness holds, and all else that was checked.
    pub proved: usize,
    /// Answers without a witness that came out the same when computed anew.
    pub recomputed: usize,
    /// Those of them that hold two polytopes, but not the witness that there is of such a pair.
    pub without_witness: Vec<LineProblem>,
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
    pub id: CaseId,
    /// In words.
    pub problem: String,
}

/// What came of a line.
enum Outcome {
    Proved,
    Recomputed,
    WithoutWitness,
    Unanswered,
    Wrong(String),
}

pub fn run(arguments: &VerifyArguments) -> Result<Verdict, Failure> {
    let is_standard_input = |file: &Path| file.as_os_str() == "-";
    if is_standard_input(&arguments.file) && arguments.cases.as_deref().is_some_and(is_standard_input) {
        let problem = "answers and --cases cannot both come from standard input: name a file for one of them";
        return Err(Failure::Usage(problem.into()));
    }
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
    let mut last = 0;
    while let Some(line) = answers.next()? {
        last = line.number;
        let case = cases.as_mut().map(Cases::next).transpose()?;
        let (id, outcome) = match case {
            Some(None) => (id_of_line(&line), Err("there is no case for this answer".to_owned())),
            case => verify_line(&line, &mut reader, case.flatten()),
        };
        let problem = |problem: String| LineProblem { line: line.number, id: id.clone(), problem };
        match outcome {
            Ok(Outcome::Proved) => report.proved += 1,
            Ok(Outcome::Recomputed) => report.recomputed += 1,
            Ok(Outcome::WithoutWitness) => {
                report.recomputed += 1;
                let why = "`witness`: there is none, though both bodies are polytopes and have one";
                report.without_witness.push(problem(why.into()));
            }
            Ok(Outcome::Unanswered) => report.unanswered += 1,
            Ok(Outcome::Wrong(why)) => report.wrong.push(problem(why)),
            Err(why) => report.errors.push(problem(why)),
        }
    }
    if let Some(cases) = &mut cases
        && let Some(case) = cases.lines.next()?
    {
        let place = format!("{}:{}", cases.lines.name().display(), case.number);
        let problem = format!("there are more cases than answers: that of {place} has none");
        report.errors.push(LineProblem {
            line: last + 1,
            id: id_of(&case.text.unwrap_or_default()),
            problem,
        });
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

    /// The next case; `None` at the end.
    fn next(&mut self) -> Result<Option<Asked>, Failure> {
        let Some(line) = self.lines.next()? else { return Ok(None) };
        let text = match line.text {
            Ok(text) => text,
            Err(error) => return Ok(Some(Asked { id: CaseId::default(), case: Err(error) })),
        };
        match self.reader.read(&text, line.number) {
            Ok(case) => Ok(Some(Asked { id: case.id.clone(), case: Ok(case) })),
            Err(SceneError::Cancelled { .. }) => Err(Failure::Interrupted),
            Err(error) => Ok(Some(Asked { id: id_of(&text), case: Err(error.to_string()) })),
        }
    }
}

/// What an answer is held against.
struct Asked {
    /// As a batch repeats it, also of a line that is no case.
    id: CaseId,
    /// The case, or why it cannot be read.
    case: Result<Case, String>,
}

fn id_of_line(line: &TextLine) -> CaseId {
    line.text.as_deref().map(id_of).unwrap_or_default()
}

type Checked = Result<Outcome, String>;

fn verify_line(line: &TextLine, reader: &mut CaseReader<'_>, asked: Option<Asked>) -> (CaseId, Checked) {
    let parsed = line.text.clone().and_then(|text| {
        let answer: PairAnswer =
            reader.parse(&text, line.number).map_err(|error| format!("no answer: {error}"))?;
        Ok((text, answer))
    });
    match parsed {
        Ok((text, answer)) => (answer.id.clone(), verify_answer(&answer, &text, line.number, reader, asked)),
        Err(error) => (id_of_line(line), Err(error)),
    }
}

fn verify_answer(
    answer: &PairAnswer,
    text: &str,
    number: usize,
    reader: &mut CaseReader<'_>,
    asked: Option<Asked>,
) -> Checked {
    if let Some(asked) = &asked
        && let Some(wrong) = other_id(answer, &asked.id)
    {
        return Ok(Outcome::Wrong(wrong));
    }
    let asked = asked.map(|asked| asked.case).transpose();
    if answer.error.is_some() {
        return Ok(unanswered(answer, asked.ok().flatten()));
    }
    let stated = stated_bodies(answer, text, number, reader)?;
    let asked = asked?;
    // In another unit everything else is another, too.
    if let Some(wrong) = asked.as_ref().and_then(|asked| recheck::wrong_unit(answer, asked)) {
        return Ok(Outcome::Wrong(wrong));
    }
    let bodies = match (&stated, &asked) {
        (Some(stated), Some(asked)) => match difference(stated, asked) {
            Some(wrong) => return Ok(Outcome::Wrong(wrong)),
            None => stated,
        },
        (None, Some(asked)) => match other_pose(answer, asked) {
            Some(wrong) => return Ok(Outcome::Wrong(wrong)),
            None => asked,
        },
        (Some(bodies), None) => bodies,
        (None, None) => {
            return Err("the answer has no bodies: write answers with --proof, or give the --cases".into());
        }
    };
    check(answer, bodies, asked.as_ref())
}

/// An error stands for an answer only where there is none, and alone.
fn unanswered(answer: &PairAnswer, asked: Option<Case>) -> Outcome {
    if let Some(field) = stated_field(answer) {
        return Outcome::Wrong(format!("`error`: there is a `{field}`, too"));
    }
    let Some(asked) = asked else { return Outcome::Unanswered };
    match relate(&asked.a, &asked.b) {
        Ok(related) => {
            let (relation, _) = name_of(related.answer.relation);
            Outcome::Wrong(format!("`error`: the case has an answer: {}", relation.name()))
        }
        Err(_) => Outcome::Unanswered,
    }
}

/// The first field of an answer beside its id and its error that says something.
fn stated_field(answer: &PairAnswer) -> Option<&'static str> {
    let PairAnswer { id: _, error: _, unit, kind_a, kind_b, relation, width, .. } = answer;
    let PairAnswer { distance, point_a, point_b, depth, enclosed, contacts, proof, .. } = answer;
    let fields = [
        ("relation", relation.is_some()),
        ("unit", unit.is_some()),
        ("kind_a", kind_a.is_some()),
        ("kind_b", kind_b.is_some()),
        ("width", width.is_some()),
        ("distance", distance.is_some()),
        ("point_a", point_a.is_some()),
        ("point_b", point_b.is_some()),
        ("depth", depth.is_some()),
        ("enclosed", enclosed.is_some()),
        ("contacts", contacts.is_some()),
        ("a", proof.a.is_some()),
        ("b", proof.b.is_some()),
        ("pose_a", proof.pose_a.is_some()),
        ("pose_b", proof.pose_b.is_some()),
        ("witness", proof.witness.is_some()),
    ];
    fields.into_iter().find_map(|(field, is_stated)| is_stated.then_some(field))
}

fn other_id(answer: &PairAnswer, asked: &CaseId) -> Option<String> {
    (*asked != answer.id).then(|| format!("`id`: the case has the id {asked}, the answer {}", answer.id))
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
    let (Ok([stated_a, stated_b]), Ok([asked_a, asked_b])) =
        (bodies(&stated.a, &stated.b), bodies(&asked.a, &asked.b))
    else {
        return Some("the case cannot be answered".into());
    };
    let fields = [
        ("pose_a", stated.a.pose == asked.a.pose, "a pose"),
        ("pose_b", stated.b.pose == asked.b.pose, "a pose"),
        ("a", is_same_body(&stated_a, &asked_a), "a body"),
        ("b", is_same_body(&stated_b, &asked_b), "a body"),
    ];
    let other = fields.into_iter().find(|(_, is_same, _)| !is_same);
    other.map(|(field, _, what)| format!("`{field}`: {what} is not that of the case"))
}

/// A pose that an answer without bodies states, and that is not the one of its case.
fn other_pose(answer: &PairAnswer, asked: &Case) -> Option<String> {
    let ProofFile { pose_a, pose_b, .. } = answer.proof;
    let fields = [("pose_a", pose_a, asked.a.pose), ("pose_b", pose_b, asked.b.pose)];
    let other =
        fields.into_iter().find(|(_, stated, asked)| stated.is_some_and(|pose| pose.build() != Ok(*asked)));
    other.map(|(field, ..)| format!("`{field}`: a pose is not that of the case"))
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

fn check(answer: &PairAnswer, bodies: &Case, asked: Option<&Case>) -> Checked {
    let related = relate(&bodies.a, &bodies.b)?;
    let Some(relation) = answer.relation else {
        return Ok(Outcome::Wrong("there is neither a `relation` nor an `error`".into()));
    };
    let wrong = recheck::first_wrong(answer, bodies, &related)
        .or_else(|| recheck::wrong_kind(answer, bodies, asked))
        .or_else(|| recheck::wrong_contacts(answer, asked?, &related));
    if let Some(wrong) = wrong {
        return Ok(Outcome::Wrong(wrong));
    }
    let Some(witness) = &answer.proof.witness else {
        let is_missing = related.has_witness() && answer.proof.a.is_some();
        return Ok(if is_missing { Outcome::WithoutWitness } else { Outcome::Recomputed });
    };
    let core = |body: &Body| body.as_convex()?.core().cloned();
    let cores = core(&related.a).zip(core(&related.b));
    let Some((a, b)) = cores.filter(|_| related.has_witness()) else {
        return Ok(Outcome::Wrong("`witness`: there is one, but the bodies are no polytopes".into()));
    };
    let pair = PosedPair { a: a.polytope(), pose_a: &bodies.a.pose, b: b.polytope(), pose_b: &bodies.b.pose };
    Ok(match check_witness(witness, relation, &pair) {
        Ok(()) => Outcome::Proved,
        Err(why) => Outcome::Wrong(format!("`witness`: it fails: {why}")),
    })
}

fn check_witness(file: &WitnessFile, relation: RelationName, pair: &PosedPair<'_>) -> Result<(), String> {
    let witness = file.to_witness(&Numbering::new("a", pair.a), &Numbering::new("b", pair.b))?;
    let proved = name_of(clearance::pair::ConvexRelation::Exact(witness.relation())).0;
    if proved != relation {
        return Err(format!("it is one of {}, the relation is {}", proved.name(), relation.name()));
    }
    witness.check(pair).map_err(|defect| defect.to_string())
}

fn print_report(report: &VerifyReport) {
    let line = |what: &str, problem: &LineProblem| {
        let id = if problem.id.is_null() { String::new() } else { format!(" (id {})", problem.id) };
        format!("line {}{id}: {what}: {}\n", problem.line, problem.problem)
    };
    let mut text: String = report.wrong.iter().map(|problem| line("wrong", problem)).collect();
    let unproved = report.without_witness.iter();
    text.extend(unproved.map(|problem| line("computed anew, not proved by a witness", problem)));
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
