//! Why a scene was refused: which file, where in it, what to do.

use super::locate::{TextPosition, position_of};
use crate::ReadError;
use std::{
    fmt,
    path::{Path, PathBuf},
};

/// Why a scene was refused.
#[derive(Debug)]
pub enum SceneError {
    /// The scene file could not be opened or read.
    Io {
        /// The scene file.
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The text is no scene, or says something that cannot be.
    Invalid {
        /// The scene file.
        file: PathBuf,
        /// Line in the scene file, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// What is wrong and what to do.
        problem: String,
        /// The line of the text, shortened around the column, with a caret below.
        excerpt: String,
    },
    /// The progress callback asked to stop.
    Cancelled {
        /// The scene file.
        file: PathBuf,
    },
}

impl SceneError {
    /// What is wrong at a byte offset of the text of a file, with the line and a caret below.
    pub fn in_text(file: &Path, text: &str, offset: usize, problem: String) -> SceneError {
        let position = position_of(text, offset);
        let TextPosition { line, column } = position;
        let excerpt = excerpt(text, position);
        SceneError::Invalid { file: file.to_path_buf(), line, column, problem, excerpt }
    }

    /// The same error of a text that is one line of a file.
    pub(super) fn on_line(self, number: usize) -> SceneError {
        match self {
            SceneError::Invalid { file, column, problem, .. } => {
                // The line may be very long, and whoever reads the answer has it at hand.
                SceneError::Invalid { file, line: number, column, problem, excerpt: String::new() }
            }
            other => other,
        }
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SceneError::Io { file, source } => write!(f, "{}: cannot be read: {source}", file.display()),
            SceneError::Invalid { file, line, column, problem, excerpt } => {
                write!(f, "{}:{line}:{column}: {problem}", file.display())?;
                if excerpt.is_empty() { Ok(()) } else { write!(f, "\n{excerpt}") }
            }
            SceneError::Cancelled { file } => write!(f, "{}: reading was cancelled", file.display()),
        }
    }
}

impl std::error::Error for SceneError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SceneError::Io { source, .. } => Some(source),
            SceneError::Invalid { .. } | SceneError::Cancelled { .. } => None,
        }
    }
}

/// What is wrong with one part of a scene, before its place in the text is known.
#[derive(Debug)]
pub(super) enum Fault {
    /// A problem at the end of a path.
    Problem { path: Vec<super::locate::Step>, problem: String },
    /// The progress callback asked to stop.
    Cancelled,
}

impl Fault {
    /// A problem here; the callers on the way up say where here is.
    pub fn here(problem: impl fmt::Display) -> Fault {
        Fault::Problem { path: Vec::new(), problem: problem.to_string() }
    }

    /// A mesh file that could not be read.
    pub fn from_read(error: ReadError) -> Fault {
        match error {
            ReadError::Cancelled { .. } => Fault::Cancelled,
            other => Fault::here(other),
        }
    }

    /// The same problem, found one step inside the value at hand.
    pub fn within(self, step: impl Into<super::locate::Step>) -> Fault {
        match self {
            Fault::Problem { mut path, problem } => {
                path.insert(0, step.into());
                Fault::Problem { path, problem }
            }
            Fault::Cancelled => Fault::Cancelled,
        }
    }
}

/// Most characters of a line that an excerpt shows.
const EXCERPT_WIDTH: usize = 76;

/// The line at the position, with a caret below the column.
pub(super) fn excerpt(text: &str, position: TextPosition) -> String {
    let line = text.lines().nth(position.line - 1).unwrap_or_default();
    // From the start of the line if the column is seen then, else the column in the middle.
    let skipped = if position.column <= EXCERPT_WIDTH { 0 } else { position.column - EXCERPT_WIDTH / 2 };
    let visible = |c: char| if c.is_control() { ' ' } else { c };
    let shown: String = line.chars().skip(skipped).take(EXCERPT_WIDTH).map(visible).collect();
    if shown.trim().is_empty() {
        return String::new();
    }
    let number = position.line.to_string();
    let indent = " ".repeat(number.len());
    let caret = " ".repeat(position.column - 1 - skipped);
    format!(" {number} | {shown}\n {indent} | {caret}^")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_below_the_column_even_in_long_lines() {
        let text = format!("first\n{}X{}\n", "é".repeat(500), "-".repeat(500));
        let shown = excerpt(&text, TextPosition { line: 2, column: 501 });
        let lines: Vec<&str> = shown.lines().collect();
        let caret = lines[1].chars().position(|c| c == '^').unwrap();
        assert_eq!(lines[0].chars().nth(caret), Some('X'), "{shown}");
        assert!(lines[0].chars().count() < 90);
    }

    #[test]
    fn a_position_past_the_end_gives_no_excerpt() {
        assert_eq!(excerpt("{\n", TextPosition { line: 2, column: 1 }), "");
    }
}
