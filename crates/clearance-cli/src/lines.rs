//! Files of one JSON value per line, or standard input.

use crate::{
    interrupt,
    output::{self, Failure, Verdict, counted},
};
use clearance_io::scene::CaseId;
use serde::{
    Deserializer as _, Serialize,
    de::{IgnoredAny, MapAccess, Visitor},
};
use std::{
    fmt,
    fs::File,
    io::{BufRead, BufReader, stdin},
    path::{Path, PathBuf},
};

/// A source of lines.
pub struct Lines {
    reader: Box<dyn BufRead>,
    name: PathBuf,
    number: usize,
}

/// A line that is not empty.
pub struct TextLine {
    /// From 1.
    pub number: usize,
    /// Without its end; an error if it is not UTF-8.
    pub text: Result<String, String>,
}

impl Lines {
    /// Opens a file, or standard input for `-`.
    pub fn open(file: &Path) -> Result<Lines, Failure> {
        if file.as_os_str() == "-" {
            let reader = Box::new(BufReader::new(stdin()));
            return Ok(Lines { reader, name: PathBuf::from("standard input"), number: 0 });
        }
        let cannot = |error| Failure::input(format_args!("{}: cannot be read: {error}", file.display()));
        let opened = File::open(file).map_err(cannot)?;
        if opened.metadata().is_ok_and(|metadata| metadata.is_dir()) {
            return Err(Failure::input(format_args!("{}: is a folder; give a file", file.display())));
        }
        Ok(Lines { reader: Box::new(BufReader::new(opened)), name: file.to_path_buf(), number: 0 })
    }

    /// How errors call it.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// The next line with something on it; `None` at the end.
    pub fn next(&mut self) -> Result<Option<TextLine>, Failure> {
        loop {
            if interrupt::requested() {
                return Err(Failure::Interrupted);
            }
            let mut bytes = Vec::new();
            let read = self.reader.read_until(b'\n', &mut bytes);
            let count = read.map_err(|error| {
                Failure::input(format_args!("{}: cannot be read: {error}", self.name.display()))
            })?;
            if count == 0 {
                return Ok(None);
            }
            self.number += 1;
            let text = String::from_utf8(bytes).map_err(|_| self.not_text());
            if text
                .as_ref()
                .is_ok_and(|text| text.trim_matches(['\u{feff}', ' ', '\t', '\r', '\n']).is_empty())
            {
                continue;
            }
            let text = text.map(|text| text.trim_end_matches(['\r', '\n']).to_owned());
            return Ok(Some(TextLine { number: self.number, text }));
        }
    }

    fn not_text(&self) -> String {
        format!("{}:{}: the line is not UTF-8 text", self.name.display(), self.number)
    }
}

/// The folder that names in a file are relative to; the current one for standard input.
pub fn folder_of(file: &Path) -> PathBuf {
    let folder = if file.as_os_str() == "-" { None } else { file.parent() };
    match folder {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

/// What came of one line of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// An answer.
    Answered,
    /// An answer that --fail-on asks for.
    Found,
    /// An error in place of an answer.
    Failed,
}

/// Answers each line with one of JSON, in order and as soon as it is read; a line that fails does not stop the others.
pub fn answer_each<A: Serialize>(
    mut lines: Lines,
    mut answer: impl FnMut(&TextLine) -> Result<(A, Outcome), Failure>,
) -> Result<Verdict, Failure> {
    let (mut cases, mut failed, mut found) = (0, 0, 0);
    while let Some(line) = lines.next()? {
        let (answer, outcome) = answer(&line)?;
        cases += 1;
        failed += usize::from(outcome == Outcome::Failed);
        found += usize::from(outcome == Outcome::Found);
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

/// The id of a line that is no case, as far as the line can be read.
pub fn id_of(text: &str) -> CaseId {
    let mut id = CaseId::default();
    // The error is told with the line.
    let _ = serde_json::Deserializer::from_str(text.trim_start_matches('\u{feff}'))
        .deserialize_map(IdOf(&mut id));
    id
}

/// Keeps the id when it is met, whatever comes after it.
struct IdOf<'a>(&'a mut CaseId);

impl<'de> Visitor<'de> for IdOf<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "id" => *self.0 = map.next_value()?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}
