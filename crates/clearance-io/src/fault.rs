//! What a parser reports: a problem and its place, before the file's name is known.

use crate::error::Position;
use clearance::glam::DVec3;
use clearance::tolerance::COORDINATE_LIMIT;
use std::path::PathBuf;

/// Why a parser stopped, and where.
#[derive(Debug)]
pub(crate) struct Fault {
    pub position: Position,
    pub problem: Problem,
}

#[derive(Debug)]
pub(crate) enum Problem {
    Malformed(String),
    Coordinate {
        vertex: u64,
        axis: char,
        value: f64,
    },
    TooLarge {
        limit: u64,
    },
    /// A second file, such as a glTF buffer.
    Io {
        file: PathBuf,
        source: std::io::Error,
    },
    Cancelled,
}

impl Fault {
    /// Bad content at a position.
    pub fn malformed(position: Position, problem: impl Into<String>) -> Fault {
        Fault { position, problem: Problem::Malformed(problem.into()) }
    }

    /// Bad content at a byte offset.
    pub fn at_byte(offset: usize, problem: impl Into<String>) -> Fault {
        Fault::malformed(Position::Byte(offset as u64), problem)
    }

    /// Bad content in an element such as `accessors[3]`.
    pub fn element(element: impl Into<String>, problem: impl Into<String>) -> Fault {
        Fault::malformed(Position::Element(element.into()), problem)
    }

    /// The same fault with a byte offset turned into a line and a column of the text it is in.
    pub fn in_text(mut self, text: &[u8]) -> Fault {
        if let Position::Byte(offset) = self.position {
            let (line, column) = line_and_column(text, offset as usize);
            self.position = Position::Line { line, column };
        }
        self
    }

    /// The same fault with a byte offset turned into a line and a column of an archive's entry.
    pub fn in_entry(mut self, entry: &str, text: &[u8]) -> Fault {
        if let Position::Byte(offset) = self.position {
            let (line, column) = line_and_column(text, offset as usize);
            self.position = Position::Entry { entry: entry.into(), line, column };
        }
        self
    }
}

/// Counted only when something went wrong, so that parsing itself carries one offset and nothing else.
fn line_and_column(text: &[u8], offset: usize) -> (u64, u64) {
    let before = &text[..offset.min(text.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
    let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() as u64 + 1;
    (line, column)
}

/// Whether all three coordinates are finite and within the limit; false for NaN.
pub(crate) fn acceptable(point: DVec3) -> bool {
    let small = |x: f64| x.abs() <= COORDINATE_LIMIT;
    small(point.x) & small(point.y) & small(point.z)
}

/// The point, or the fault that names its first bad coordinate.
pub(crate) fn accept(
    point: DVec3,
    vertex: usize,
    position: impl FnOnce() -> Position,
) -> Result<DVec3, Fault> {
    if acceptable(point) {
        return Ok(point);
    }
    let bad = |x: &(char, f64)| x.1.is_nan() || x.1.abs() > COORDINATE_LIMIT;
    let coordinates = [('x', point.x), ('y', point.y), ('z', point.z)];
    let (axis, value) = coordinates.into_iter().find(bad).unwrap_or(('x', point.x));
    let problem = Problem::Coordinate { vertex: vertex as u64, axis, value };
    Err(Fault { position: position(), problem })
}
