//! Wavefront OBJ: positions and faces; objects and groups become parts.

use super::Source;
use crate::document::{Document, placed};
use crate::error::{Position, WriteError};
use crate::faces::Faces;
use crate::fault::{Fault, accept};
use crate::meter::Meter;
use crate::text::{Dialect, Scanner, Word, name_of, whole_number};
use clearance::glam::DVec3;
use clearance::shape::SoupPart;
use std::io::Write;

/// Statements that say nothing about triangles.
const IGNORED: &[&str] = &[
    "vt",
    "vn",
    "vp",
    "s",
    "mg",
    "usemtl",
    "mtllib",
    "maplib",
    "usemap",
    "bevel",
    "c_interp",
    "d_interp",
    "lod",
    "shadow_obj",
    "trace_obj",
    "ctech",
    "stech",
    "bmat",
    "cstype",
    "deg",
    "step",
    "parm",
    "trim",
    "hole",
    "scrv",
    "sp",
    "end",
    "con",
];
/// Statements that hold shapes which are not triangles.
const SKIPPED: &[&str] = &["l", "p", "curv", "curv2", "surf", "bzp", "bsp", "cdc", "cdp", "res"];

/// One geometry with a part per run of faces of the same object and group.
pub(crate) fn read(source: &Source<'_>, meter: &mut Meter<'_>) -> Result<Document, Fault> {
    let mut reader = Reader::default();
    reader.read(source.bytes, meter).map_err(|fault| fault.in_text(source.bytes))?;
    let mut notes = reader.notes(source.bytes);
    let parts = if reader.parts.iter().all(|part| part.name.is_empty()) { Vec::new() } else { reader.parts };
    let mut document = Document::from_soup(source.stem, reader.faces.into_soup(parts, &mut notes));
    document.notes = notes;
    Ok(document)
}

#[derive(Default)]
struct Reader {
    faces: Faces,
    /// Runs of faces; their ends are settled at the end.
    parts: Vec<SoupPart>,
    object: String,
    group: String,
    /// Whether the next face begins a part.
    renamed: bool,
    skipped: u64,
    unknown: u64,
    first_unknown: Option<(String, usize)>,
}

impl Reader {
    fn read(&mut self, bytes: &[u8], meter: &mut Meter<'_>) -> Result<(), Fault> {
        let mut scanner = Scanner::new(bytes, Dialect::CommentsAndContinuations);
        self.renamed = true;
        loop {
            if let Some(keyword) = scanner.word_in_line() {
                self.statement(keyword, &mut scanner)?;
            }
            meter.at(scanner.offset())?;
            if !scanner.next_line() {
                break;
            }
        }
        match self.faces.missing_position() {
            None => Ok(()),
            Some((offset, index)) => Err(Fault::at_byte(
                offset,
                format!(
                    "vertex {} does not exist; the file has {}",
                    u64::from(index) + 1,
                    self.faces.positions.len()
                ),
            )),
        }
    }

    fn statement(&mut self, keyword: Word<'_>, scanner: &mut Scanner<'_>) -> Result<(), Fault> {
        match keyword.bytes {
            b"v" => self.vertex(keyword, scanner),
            b"f" | b"fo" => self.face(keyword, scanner),
            b"o" => {
                self.rename(name_of(scanner.rest_of_line()), String::new());
                Ok(())
            }
            b"g" => {
                self.rename(self.object.clone(), name_of(scanner.rest_of_line()));
                Ok(())
            }
            other => self.other(other, keyword),
        }
    }

    fn vertex(&mut self, keyword: Word<'_>, scanner: &mut Scanner<'_>) -> Result<(), Fault> {
        let mut coordinates = [0.0; 3];
        for (count, coordinate) in coordinates.iter_mut().enumerate() {
            let missing = || Fault::at_byte(keyword.offset, format!("a vertex with {count} coordinates"));
            *coordinate = scanner.word_in_line().ok_or_else(missing)?.number()?;
        }
        // A weight or a colour may follow; neither moves the point.
        let at = || Position::Byte(keyword.offset as u64);
        let point = accept(DVec3::from_array(coordinates), self.faces.positions.len(), at)?;
        self.faces.positions.push(point);
        Ok(())
    }

    fn face(&mut self, keyword: Word<'_>, scanner: &mut Scanner<'_>) -> Result<(), Fault> {
        if std::mem::take(&mut self.renamed) {
            let start = self.faces.len();
            self.parts.push(SoupPart { name: self.part_name(), triangles: start..start });
        }
        while let Some(corner) = scanner.word_in_line() {
            let index = self.position_index(corner)?;
            self.faces.corner(index, corner.offset);
        }
        self.faces.close().map_err(|problem| Fault::at_byte(keyword.offset, problem))
    }

    /// The position of a corner `v`, `v/vt`, `v//vn` or `v/vt/vn`, from 0.
    #[inline]
    fn position_index(&self, corner: Word<'_>) -> Result<u32, Fault> {
        let end = corner.bytes.iter().position(|&b| b == b'/').unwrap_or(corner.bytes.len());
        let count = self.faces.positions.len() as i64;
        let wrong =
            |problem: &str| Fault::at_byte(corner.offset, format!("corner `{}` {problem}", corner.shown()));
        match whole_number(&corner.bytes[..end]) {
            None => Err(wrong("has no vertex number")),
            Some(0) => Err(wrong("refers to vertex 0; vertices count from 1")),
            Some(number @ 1..) => u32::try_from(number - 1).map_err(|_| wrong("is beyond 2^32 vertices")),
            Some(back) if -back <= count => Ok((count + back) as u32),
            Some(_) => Err(wrong(&format!("goes back further than the {count} vertices so far"))),
        }
    }

    fn rename(&mut self, object: String, group: String) {
        self.object = object;
        self.group = group;
        self.renamed = true;
    }

    fn part_name(&self) -> String {
        match (self.object.as_str(), self.group.as_str()) {
            (object, "") => object.into(),
            ("", group) => group.into(),
            (object, group) => format!("{object}/{group}"),
        }
    }

    fn other(&mut self, name: &[u8], keyword: Word<'_>) -> Result<(), Fault> {
        let is_in = |list: &[&str]| list.iter().any(|known| known.as_bytes() == name);
        if is_in(IGNORED) {
            return Ok(());
        }
        if is_in(SKIPPED) {
            self.skipped += 1;
            return Ok(());
        }
        if !name.iter().all(|&b| b.is_ascii_alphanumeric() || b == b'_') {
            return Err(Fault::at_byte(
                keyword.offset,
                format!("`{}` is not an OBJ statement", keyword.shown()),
            ));
        }
        self.unknown += 1;
        self.first_unknown.get_or_insert_with(|| (keyword.shown(), keyword.offset));
        Ok(())
    }

    fn notes(&self, bytes: &[u8]) -> Vec<String> {
        let mut notes = Vec::new();
        if self.skipped > 0 {
            notes.push(format!("{} points, lines and free-form shapes were skipped", self.skipped));
        }
        if let Some((name, offset)) = &self.first_unknown {
            let line = bytes[..*offset].iter().filter(|&&b| b == b'\n').count() + 1;
            notes.push(format!(
                "{} unknown statements were skipped, first `{name}` in line {line}",
                self.unknown
            ));
        }
        notes
    }
}

/// One object per placement, or per part of it; numbers have all digits of their `f64`.
pub(crate) fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    let mut text = Vec::new();
    // Writing into memory does not fail.
    let _ = write_text(document, &mut text);
    Ok(text)
}

fn write_text(document: &Document, text: &mut Vec<u8>) -> std::io::Result<()> {
    let several = document.placements.len() > 1;
    let mut first = 1u64;
    for placement in &document.placements {
        let soup = &document.geometries[placement.geometry].soup;
        for &position in &soup.positions {
            let p = placed(&placement.pose, position);
            writeln!(text, "v {:?} {:?} {:?}", p.x, p.y, p.z)?;
        }
        if several && soup.parts.is_empty() {
            writeln!(text, "o {}", one_line(&placement.name))?;
        }
        let mut parts = soup.parts.iter().peekable();
        for (i, triangle) in soup.triangles.iter().enumerate() {
            while let Some(part) = parts.next_if(|part| part.triangles.start as usize <= i) {
                match several {
                    true => writeln!(text, "o {}/{}", one_line(&placement.name), one_line(&part.name))?,
                    false => writeln!(text, "o {}", one_line(&part.name))?,
                }
            }
            let [a, b, c] = triangle.map(|corner| u64::from(corner) + first);
            writeln!(text, "f {a} {b} {c}")?;
        }
        first += soup.positions.len() as u64;
    }
    Ok(())
}

/// A name cannot break its line, end it with a continuation, or begin a comment.
pub(crate) fn one_line(name: &str) -> String {
    name.trim().chars().map(|c| if c.is_control() || c == '\\' { '_' } else { c }).collect()
}
