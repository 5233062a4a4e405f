//! The text form of stereolithography files.

use super::Source;
use super::obj::one_line;
use super::stl::normal;
use crate::document::{Document, placed};
use crate::error::{Position, WriteError};
use crate::fault::{Fault, accept};
use crate::meter::Meter;
use crate::text::{Dialect, Scanner, Word, name_of};
use clearance::Pose;
use clearance::glam::DVec3;
use clearance::shape::TriangleSoup;
use std::io::Write;

/// One geometry for each solid, with its name.
pub(super) fn read(source: &Source<'_>, meter: &mut Meter<'_>) -> Result<Document, Fault> {
    let mut scanner = Scanner::new(source.bytes, Dialect::Plain);
    let mut document = Document::default();
    let mut empty = 0;
    while let Some(word) = scanner.word() {
        let solid = read_solid(word, &mut scanner, meter);
        let (name, soup) = solid.map_err(|fault| fault.in_text(source.bytes))?;
        if soup.triangles.is_empty() {
            empty += 1;
        } else {
            document.place(if name.is_empty() { source.stem } else { &name }, soup, Pose::IDENTITY);
        }
    }
    if empty > 0 {
        document.notes.push(format!("{empty} solids without triangles were left out"));
    }
    Ok(document)
}

fn read_solid(
    first: Word<'_>,
    scanner: &mut Scanner<'_>,
    meter: &mut Meter<'_>,
) -> Result<(String, TriangleSoup), Fault> {
    if !first.is("solid") {
        return Err(unexpected(first, "solid"));
    }
    let name = name_of(scanner.rest_of_line());
    let mut positions = Vec::new();
    loop {
        let word = next(scanner, "`facet` or `endsolid`")?;
        if word.is("endsolid") {
            break;
        }
        read_facet(word, scanner, &mut positions)?;
        meter.at(scanner.offset())?;
    }
    // The name is repeated there or not; either way it ends with the line.
    scanner.rest_of_line();
    let too_many = || Fault::at_byte(first.offset, "more than 2^32 corners in one solid; split the file");
    let count = u32::try_from(positions.len()).map_err(|_| too_many())?;
    let triangles = (0..count).step_by(3).map(|i| [i, i + 1, i + 2]).collect();
    Ok((name, TriangleSoup { positions, triangles, parts: Vec::new() }))
}

fn read_facet(first: Word<'_>, scanner: &mut Scanner<'_>, positions: &mut Vec<DVec3>) -> Result<(), Fault> {
    if !first.is("facet") {
        return Err(unexpected(first, "facet` or `endsolid"));
    }
    expect(scanner, "normal")?;
    for _ in 0..3 {
        // Wrong normals, even `nan`, are common and never used.
        next(scanner, "a number")?;
    }
    expect(scanner, "outer")?;
    expect(scanner, "loop")?;
    for _ in 0..3 {
        let vertex = next(scanner, "`vertex`")?;
        if !vertex.is("vertex") {
            return Err(unexpected(vertex, "vertex"));
        }
        let mut number = || next(scanner, "a number")?.number();
        let point = DVec3::new(number()?, number()?, number()?);
        positions.push(accept(point, positions.len(), || Position::Byte(vertex.offset as u64))?);
    }
    expect(scanner, "endloop")?;
    expect(scanner, "endfacet")
}

fn next<'a>(scanner: &mut Scanner<'a>, what: &str) -> Result<Word<'a>, Fault> {
    let word = scanner.word();
    word.ok_or_else(|| Fault::at_byte(scanner.offset(), format!("the file ends where {what} is expected")))
}

fn expect(scanner: &mut Scanner<'_>, keyword: &str) -> Result<(), Fault> {
    let word = next(scanner, keyword)?;
    if word.is(keyword) { Ok(()) } else { Err(unexpected(word, keyword)) }
}

fn unexpected(word: Word<'_>, expected: &str) -> Fault {
    Fault::at_byte(word.offset, format!("`{expected}` is expected here, not `{}`", word.shown()))
}

/// One solid per placement; numbers have all digits of their `f64`.
pub(super) fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    let mut text = Vec::new();
    // Writing into memory does not fail.
    let _ = write_text(document, &mut text);
    Ok(text)
}

fn write_text(document: &Document, text: &mut Vec<u8>) -> std::io::Result<()> {
    if document.placements.is_empty() {
        // A file without any solid would not be a text STL.
        return writeln!(text, "solid\nendsolid");
    }
    for placement in &document.placements {
        let soup = &document.geometries[placement.geometry].soup;
        let name = one_line(&placement.name);
        writeln!(text, "solid {name}")?;
        for triangle in &soup.triangles {
            let corners = triangle.map(|i| placed(&placement.pose, soup.positions[i as usize]));
            let n = normal(corners);
            writeln!(text, "facet normal {:?} {:?} {:?}\nouter loop", n.x, n.y, n.z)?;
            for p in corners {
                writeln!(text, "vertex {:?} {:?} {:?}", p.x, p.y, p.z)?;
            }
            writeln!(text, "endloop\nendfacet")?;
        }
        writeln!(text, "endsolid {name}")?;
    }
    Ok(())
}
