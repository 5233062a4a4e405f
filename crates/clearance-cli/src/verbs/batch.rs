//! `clearance relate --batch`: one case per line in, one answer per line out.

use crate::{
    answer::{ContactFile, PairAnswer, ProofFile, relate},
    args::RelateArguments,
    bodies::{defects_of, weld_of},
    interrupt,
    lines::{Lines, Outcome, TextLine, answer_each, folder_of, id_of},
    output::{Failure, Verdict, counted, print_warning},
};
use clearance_io::{
    ReadOptions,
    scene::{CaseId, CaseReader, SceneError, SceneOptions},
};
use std::path::Path;

pub fn run(file: &Path, arguments: &RelateArguments) -> Result<Verdict, Failure> {
    interrupt::with_progress(Path::new(""), |read| answer_all(file, arguments, read))
}

fn answer_all(file: &Path, arguments: &RelateArguments, read: ReadOptions<'_>) -> Result<Verdict, Failure> {
    let options = options(arguments, read);
    let lines = Lines::open(file)?;
    let mut reader = CaseReader::new(&folder_of(file), lines.name(), &options)?;
    let mut without_contacts = 0;
    let verdict = answer_each(lines, |line| {
        let answer = answer_line(line, &mut reader, arguments)?;
        without_contacts += usize::from(answer.contacts == Some(None));
        let outcome = match &answer {
            PairAnswer { error: Some(_), .. } => Outcome::Failed,
            PairAnswer { relation: Some(relation), .. } if arguments.fail_on.contains(relation) => {
                Outcome::Found
            }
            _ => Outcome::Answered,
        };
        Ok((answer, outcome))
    })?;
    if without_contacts > 0 {
        print_warning(&format!(
            "--contacts lists triangles that meet: `contacts` is null in {}, where a body has none",
            counted(without_contacts, "answer")
        ));
    }
    Ok(verdict)
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
        Err(error) => return Ok(PairAnswer::failed(CaseId::default(), error.clone())),
    };
    let case = match reader.read(text, line.number) {
        Ok(case) => case,
        Err(SceneError::Cancelled { .. }) => return Err(Failure::Interrupted),
        Err(error) => return Ok(PairAnswer::failed(id_of(text), error.to_string())),
    };
    match relate(&case.a, &case.b) {
        Ok(related) => {
            let answer = PairAnswer::new(case.id, &related.answer);
            let mut answer = answer.about([&case.a, &case.b], case.unit);
            if arguments.contacts {
                let listed = related.contacts(&case.a, &case.b);
                answer.contacts = Some(listed.map(|listed| listed.iter().map(ContactFile::new).collect()));
            }
            if arguments.proof {
                answer.proof = ProofFile::new(&related, &case.a, &case.b);
            }
            Ok(answer)
        }
        Err(error) => Ok(PairAnswer::failed(case.id, error)),
    }
}
