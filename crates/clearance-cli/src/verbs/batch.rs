//! `clearance relate --batch`: one case per line in, one answer per line out.

use crate::{
    answer::{ContactFile, PairAnswer, ProofFile, relate},
    args::RelateArguments,
    bodies::{defects_of, weld_of},
    interrupt,
    lines::{Lines, TextLine, folder_of},
    output::{self, Failure, Verdict, counted},
};
use clearance_io::{
    ReadOptions,
    scene::{CaseReader, SceneError, SceneOptions},
};
use serde_json::Value;
use std::path::Path;

pub fn run(file: &Path, arguments: &RelateArguments) -> Result<Verdict, Failure> {
    interrupt::with_progress(Path::new(""), |read| answer_all(file, arguments, read))
}

fn answer_all(file: &Path, arguments: &RelateArguments, read: ReadOptions<'_>) -> Result<Verdict, Failure> {
    let options = options(arguments, read);
    let mut lines = Lines::open(file)?;
    let mut reader = CaseReader::new(&folder_of(file), lines.name(), &options)?;
    let (mut cases, mut failed, mut found) = (0, 0, 0);
    while let Some(line) = lines.next()? {
        let answer = answer_line(&line, &mut reader, arguments)?;
        cases += 1;
        failed += usize::from(answer.error.is_some());
        found += usize::from(answer.relation.is_some_and(|relation| arguments.fail_on.contains(&relation)));
        output::print(&(serde_json::to_string(&answer).unwrap_or_default() + "\n"));
    }
    if found > 0 {
        output::print_warning(&format!(
            "found what --fail-on asks for in {found} of {}",
            counted(cases, "case")
        ));
    }
    if failed > 0 {
        output::print_warning(&format!("{failed} of {} could not be answered", counted(cases, "case")));
        return Ok(Verdict::BadInput);
    }
    Ok(if found > 0 { Verdict::Found } else { Verdict::Fine })
}

pub fn options<'a>(arguments: &RelateArguments, read: ReadOptions<'a>) -> SceneOptions<'a> {
    SceneOptions {
        allow_outside: arguments.read.allow_outside,
        default_unit: arguments.read.unit,
        weld: weld_of(&arguments.read),
        defects: defects_of(&arguments.read),
        read,
    }
}

fn answer_line(
    line: &TextLine,
    reader: &mut CaseReader<'_>,
    arguments: &RelateArguments,
) -> Result<PairAnswer, Failure> {
    let text = match &line.text {
        Ok(text) => text,
        Err(error) => return Ok(PairAnswer::failed(Value::Null, error.clone())),
    };
    let case = match reader.read(text, line.number) {
        Ok(case) => case,
        Err(SceneError::Cancelled { .. }) => return Err(Failure::Interrupted),
        Err(error) => return Ok(PairAnswer::failed(id_of(text), error.to_string())),
    };
    match relate(&case.a, &case.b) {
        Ok(related) => {
            let mut answer = PairAnswer::new(case.id, &related.answer);
            if arguments.contacts {
                let listed = related.contacts(&case.a, &case.b);
                answer.contacts = listed.map(|listed| listed.iter().map(ContactFile::new).collect());
            }
            if arguments.proof {
                answer.proof = ProofFile::new(&related, &case.a, &case.b);
            }
            Ok(answer)
        }
        Err(error) => Ok(PairAnswer::failed(case.id, error)),
    }
}

/// The id of a line that is no case, if it is JSON at all.
fn id_of(text: &str) -> Value {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    value.get("id").cloned().unwrap_or_default()
}
