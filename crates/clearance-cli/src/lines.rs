//! Files of one JSON value per line, or standard input.

use crate::{interrupt, output::Failure};
use std::{
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
