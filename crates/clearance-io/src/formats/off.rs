//! The object file format of Geomview, in text; colours, normals and texture coordinates are skipped.

use super::Source;
use crate::document::Document;
use crate::error::Position;
use crate::faces::Faces;
use crate::fault::{Fault, accept};
use crate::meter::Meter;
use crate::text::{Dialect, Scanner, Word};
use clearance::glam::DVec3;

/// One geometry.
pub(crate) fn read(source: &Source<'_>, meter: &mut Meter<'_>) -> Result<Document, Fault> {
    let (faces, trailing) = read_faces(source.bytes, meter).map_err(|fault| fault.in_text(source.bytes))?;
    let mut notes = Vec::from_iter(trailing);
    let mut document = Document::from_soup(source.stem, faces.into_soup(Vec::new(), &mut notes));
    document.notes = notes;
    Ok(document)
}

fn read_faces(bytes: &[u8], meter: &mut Meter<'_>) -> Result<(Faces, Option<String>), Fault> {
    let mut scanner = Scanner::new(bytes, Dialect::Comments);
    let [vertex_count, face_count] = read_header(&mut scanner)?;
    let mut faces = Faces::default();
    // A vertex takes at least three digits and three separators (the last may be missing), a face four and four.
    let room = |count: u64, size: u64| count.saturating_mul(size).saturating_sub(1) <= bytes.len() as u64;
    if !room(vertex_count, 6) || !room(face_count, 2) {
        let problem =
            format!("{vertex_count} vertices and {face_count} faces do not fit into {} bytes", bytes.len());
        return Err(Fault::at_byte(scanner.offset(), problem));
    }
    faces.positions.reserve(vertex_count as usize);
    for vertex in 0..vertex_count {
        let first = row(&mut scanner, "vertices", vertex, vertex_count)?;
        let y = value(&mut scanner)?.number()?;
        let z = value(&mut scanner)?.number()?;
        let at = || Position::Byte(first.offset as u64);
        faces.positions.push(accept(DVec3::new(first.number()?, y, z), vertex as usize, at)?);
        scanner.next_line();
        meter.at(scanner.offset())?;
    }
    for face in 0..face_count {
        let first = row(&mut scanner, "faces", face, face_count)?;
        read_face(first, &mut scanner, &mut faces)?;
        scanner.next_line();
        meter.at(scanner.offset())?;
    }
    let trailing = scanner.word().map(|_| "text after the last face was ignored".to_string());
    Ok((faces, trailing))
}

/// Counts of vertices and faces. The keyword may be glued to the first count, as in `OFF8 6 12`.
fn read_header(scanner: &mut Scanner<'_>) -> Result<[u64; 2], Fault> {
    let Some(keyword) = scanner.word() else {
        return Err(Fault::at_byte(0, "the file is empty; an OFF file begins with `OFF`"));
    };
    let end = keyword.bytes.windows(3).position(|w| w == b"OFF").map(|start| start + 3);
    let (prefix, glued) = keyword.bytes.split_at(end.unwrap_or(0));
    let wrong = |problem: &str| Err(Fault::at_byte(keyword.offset, problem));
    match prefix {
        b"OFF" | b"COFF" | b"NOFF" | b"CNOFF" | b"STOFF" | b"STCOFF" | b"STNOFF" | b"STCNOFF" => {}
        b"" => return wrong("an OFF file begins with `OFF`"),
        _ => return wrong("only three-dimensional OFF is read: `OFF` after any of `ST`, `C` and `N`"),
    }
    let first = match glued {
        b"" => scanner.word(),
        _ => Some(Word { offset: keyword.offset + prefix.len(), bytes: glued }),
    };
    if first.is_some_and(|word| word.is("BINARY")) {
        return wrong("binary OFF is not read; write it as text or as PLY");
    }
    let missing = || Fault::at_byte(scanner.offset(), "the counts of vertices and faces are missing");
    let vertices = count(first.ok_or_else(missing)?)?;
    let faces = count(value(scanner)?)?;
    // A count of edges follows or not; nobody needs it.
    scanner.next_line();
    Ok([vertices, faces])
}

fn count(word: Word<'_>) -> Result<u64, Fault> {
    u64::try_from(word.integer()?).map_err(|_| Fault::at_byte(word.offset, "a count cannot be negative"))
}

fn row<'a>(scanner: &mut Scanner<'a>, what: &str, done: u64, count: u64) -> Result<Word<'a>, Fault> {
    let word = scanner.word();
    let offset = scanner.offset();
    word.ok_or_else(|| {
        Fault::at_byte(offset, format!("the header promises {count} {what}, but the file ends after {done}"))
    })
}

fn value<'a>(scanner: &mut Scanner<'a>) -> Result<Word<'a>, Fault> {
    let word = scanner.word_in_line();
    word.ok_or_else(|| Fault::at_byte(scanner.offset(), "the line ends before all its numbers"))
}

fn read_face(first: Word<'_>, scanner: &mut Scanner<'_>, faces: &mut Faces) -> Result<(), Fault> {
    for _ in 0..count(first)? {
        let word = value(scanner)?;
        let index = word.integer()?;
        let vertices = faces.positions.len();
        let missing =
            || Fault::at_byte(word.offset, format!("vertex {index} does not exist; there are {vertices}"));
        let index = usize::try_from(index).ok().filter(|&index| index < vertices).ok_or_else(missing)?;
        faces.corner(u32::try_from(index).map_err(|_| missing())?, word.offset);
    }
    faces.close().map_err(|problem| Fault::at_byte(first.offset, problem))
}
