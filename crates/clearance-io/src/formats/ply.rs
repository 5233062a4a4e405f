//! Stanford polygon files: vertices and faces in text or either byte order; other data is skipped.

use super::Source;
use super::ply_header::{Element, Encoding as Layout, Header, Property, Scalar};
use crate::document::Document;
use crate::error::{Position, WriteError};
use crate::faces::Faces;
use crate::fault::{Fault, accept};
use crate::format::Format;
use crate::meter::Meter;
use crate::text::{Dialect, Scanner};
use crate::write::{Encoding, merged};
use clearance::glam::DVec3;
use std::io::Write;

/// One geometry; `f64` properties keep all their bits.
pub(crate) fn read(source: &Source<'_>, meter: &mut Meter<'_>) -> Result<Document, Fault> {
    let bytes = source.bytes;
    let header = Header::read(bytes).map_err(|fault| fault.in_text(bytes))?;
    let mut content = Content::default();
    match header.encoding {
        Layout::Text => {
            let scanner = Scanner::at(bytes, header.length, Dialect::Plain);
            let read = content.read(&header, Text { scanner, length: bytes.len() }, meter);
            read.map_err(|fault| fault.in_text(bytes))?;
        }
        Layout::LittleEndian => {
            content.read(&header, Binary::<LITTLE> { bytes, offset: header.length }, meter)?;
        }
        Layout::BigEndian => content.read(&header, Binary::<BIG> { bytes, offset: header.length }, meter)?,
    }
    let mut notes = content.notes;
    let mut document = Document::from_soup(source.stem, content.faces.into_soup(Vec::new(), &mut notes));
    document.notes = notes;
    Ok(document)
}

/// The values after the header, one after another.
trait Values {
    /// Where the next value is.
    fn offset(&self) -> usize;
    /// Bytes from there to the end.
    fn bytes_left(&self) -> usize;
    /// Fewest bytes that a value takes.
    fn least_size(&self, kind: Scalar) -> u64;
    /// The next value; every type of PLY fits into `f64`.
    fn next(&mut self, kind: Scalar) -> Result<f64, Fault>;
    fn begin_row(&mut self) -> Result<(), Fault>;
    fn end_row(&mut self) -> Result<(), Fault>;
}

struct Text<'a> {
    scanner: Scanner<'a>,
    length: usize,
}

impl Values for Text<'_> {
    fn offset(&self) -> usize {
        self.scanner.offset_after_blanks()
    }

    fn bytes_left(&self) -> usize {
        self.length - self.scanner.offset()
    }

    /// A digit; the blank after it is counted by the caller, if it is not the last.
    fn least_size(&self, _kind: Scalar) -> u64 {
        1
    }

    #[inline]
    fn next(&mut self, _kind: Scalar) -> Result<f64, Fault> {
        let word = self.scanner.word_in_line();
        word.ok_or_else(|| Fault::at_byte(self.offset(), "the row ends before all its values"))?.number()
    }

    /// Goes to the next line that is not blank.
    fn begin_row(&mut self) -> Result<(), Fault> {
        loop {
            let before = self.scanner.offset();
            if self.scanner.word_in_line().is_some() {
                self.scanner.rewind(before);
                return Ok(());
            }
            if !self.scanner.next_line() {
                return Err(Fault::at_byte(
                    self.length,
                    "the file ends before all rows that the header promises",
                ));
            }
        }
    }

    fn end_row(&mut self) -> Result<(), Fault> {
        if let Some(word) = self.scanner.word_in_line() {
            let problem =
                format!("`{}` is one value more than the header declares for this row", word.shown());
            return Err(Fault::at_byte(word.offset, problem));
        }
        Ok(())
    }
}

const LITTLE: u8 = 0;
const BIG: u8 = 1;

struct Binary<'a, const ORDER: u8> {
    bytes: &'a [u8],
    offset: usize,
}

impl<const ORDER: u8> Binary<'_, ORDER> {
    #[inline]
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let rest = self.bytes.get(self.offset..).unwrap_or_default();
        let Some(&chunk) = rest.first_chunk::<N>() else {
            return Err(Fault::at_byte(self.bytes.len(), "the file ends in the middle of its data"));
        };
        self.offset += N;
        let mut ordered = chunk;
        if ORDER == BIG {
            ordered.reverse();
        }
        Ok(ordered)
    }
}

impl<const ORDER: u8> Values for Binary<'_, ORDER> {
    fn offset(&self) -> usize {
        self.offset
    }

    fn bytes_left(&self) -> usize {
        self.bytes.len() - self.offset
    }

    fn least_size(&self, kind: Scalar) -> u64 {
        kind.size()
    }

    #[inline]
    fn next(&mut self, kind: Scalar) -> Result<f64, Fault> {
        Ok(match kind {
            Scalar::I8 => i8::from_le_bytes(self.take()?).into(),
            Scalar::U8 => u8::from_le_bytes(self.take()?).into(),
            Scalar::I16 => i16::from_le_bytes(self.take()?).into(),
            Scalar::U16 => u16::from_le_bytes(self.take()?).into(),
            Scalar::I32 => i32::from_le_bytes(self.take()?).into(),
            Scalar::U32 => u32::from_le_bytes(self.take()?).into(),
            Scalar::F32 => f32::from_le_bytes(self.take()?).into(),
            Scalar::F64 => f64::from_le_bytes(self.take()?),
        })
    }

    fn begin_row(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn end_row(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

#[derive(Default)]
struct Content {
    faces: Faces,
    notes: Vec<String>,
}

impl Content {
    fn read(&mut self, header: &Header, mut values: impl Values, meter: &mut Meter<'_>) -> Result<(), Fault> {
        for element in &header.elements {
            check_room(element, &values)?;
            match element.name.as_str() {
                // An element without properties has no data, however many there are.
                _ if element.properties.is_empty() => {}
                "vertex" => self.read_vertices(element, &mut values, meter)?,
                "face" => self.read_faces(element, &mut values, meter)?,
                name => {
                    self.notes.push(format!("{} elements `{name}` were skipped", element.count));
                    skip_rows(element, &mut values, meter)?;
                }
            }
        }
        if let Some((offset, index)) = self.faces.missing_position() {
            let count = self.faces.positions.len();
            return Err(Fault::at_byte(
                offset,
                format!("vertex {index} does not exist; the file has {count}"),
            ));
        }
        if values.begin_row().is_ok() && values.bytes_left() > 0 {
            self.notes.push(format!("{} bytes after the last element were ignored", values.bytes_left()));
        }
        Ok(())
    }

    fn read_vertices(
        &mut self,
        element: &Element,
        values: &mut impl Values,
        meter: &mut Meter<'_>,
    ) -> Result<(), Fault> {
        let axis_of = |property: &Property| match property {
            Property::Scalar { name, .. } => ["x", "y", "z"].iter().position(|axis| axis == name),
            Property::List { .. } => None,
        };
        let axes: Vec<Option<usize>> = element.properties.iter().map(axis_of).collect();
        if let Some(missing) = (0..3).find(|axis| !axes.contains(&Some(*axis))) {
            let problem = format!("element `vertex` has no property `{}`", ["x", "y", "z"][missing]);
            return Err(Fault::at_byte(element.offset, problem));
        }
        // As many rows as `check_room` found room for.
        self.faces.positions.reserve(element.count as usize);
        for _ in 0..element.count {
            values.begin_row()?;
            let offset = values.offset();
            let mut point = DVec3::ZERO;
            for (property, axis) in element.properties.iter().zip(&axes) {
                match (property, axis) {
                    (Property::Scalar { kind, .. }, Some(axis)) => point[*axis] = values.next(*kind)?,
                    _ => skip(property, values)?,
                }
            }
            values.end_row()?;
            let at = || Position::Byte(offset as u64);
            self.faces.positions.push(accept(point, self.faces.positions.len(), at)?);
            meter.at(offset)?;
        }
        Ok(())
    }

    fn read_faces(
        &mut self,
        element: &Element,
        values: &mut impl Values,
        meter: &mut Meter<'_>,
    ) -> Result<(), Fault> {
        let is_corners = |property: &Property| match property {
            Property::List { name, .. } => name == "vertex_indices" || name == "vertex_index",
            Property::Scalar { .. } => false,
        };
        let Some(corners) = element.properties.iter().position(is_corners) else {
            return Err(Fault::at_byte(
                element.offset,
                "element `face` has no list property `vertex_indices`",
            ));
        };
        for _ in 0..element.count {
            values.begin_row()?;
            let offset = values.offset();
            for (i, property) in element.properties.iter().enumerate() {
                match property {
                    Property::List { count, item, .. } if i == corners => {
                        self.read_corners(*count, *item, values)?;
                    }
                    _ => skip(property, values)?,
                }
            }
            values.end_row()?;
            self.faces.close().map_err(|problem| Fault::at_byte(offset, problem))?;
            meter.at(offset)?;
        }
        Ok(())
    }

    #[inline]
    fn read_corners(&mut self, count: Scalar, item: Scalar, values: &mut impl Values) -> Result<(), Fault> {
        for _ in 0..list_length(count, values)? {
            let offset = values.offset();
            let index = values.next(item)?;
            if !(index >= 0.0 && index < f64::from(u32::MAX) && index.fract() == 0.0) {
                return Err(Fault::at_byte(offset, format!("{index} is not a vertex index")));
            }
            self.faces.corner(index as u32, offset);
        }
        Ok(())
    }
}

/// Counts come from outside: refuses those for which the file is too short, before anything is reserved.
fn check_room(element: &Element, values: &impl Values) -> Result<(), Fault> {
    let least = |property: &Property| match property {
        Property::Scalar { kind, .. } => values.least_size(*kind),
        Property::List { count, .. } => values.least_size(*count),
    };
    let row: u64 = element.properties.iter().map(least).sum();
    let left = values.bytes_left() as u64;
    if row.saturating_mul(element.count) > left {
        return Err(Fault::at_byte(
            element.offset,
            format!(
                "the header promises {} elements `{}` of at least {row} bytes each, but only {left} bytes are left",
                element.count, element.name
            ),
        ));
    }
    Ok(())
}

fn skip_rows(element: &Element, values: &mut impl Values, meter: &mut Meter<'_>) -> Result<(), Fault> {
    for _ in 0..element.count {
        values.begin_row()?;
        for property in &element.properties {
            skip(property, values)?;
        }
        values.end_row()?;
        meter.at(values.offset())?;
    }
    Ok(())
}

fn skip(property: &Property, values: &mut impl Values) -> Result<(), Fault> {
    match property {
        Property::Scalar { kind, .. } => values.next(*kind).map(|_| ()),
        Property::List { count, item, .. } => {
            for _ in 0..list_length(*count, values)? {
                values.next(*item)?;
            }
            Ok(())
        }
    }
}

#[inline]
fn list_length(count: Scalar, values: &mut impl Values) -> Result<u64, Fault> {
    let offset = values.offset();
    let length = values.next(count)?;
    // Each item takes at least a byte, so that a longer list cannot be there.
    if !(length >= 0.0 && length <= values.bytes_left() as f64 && length.fract() == 0.0) {
        let left = values.bytes_left();
        return Err(Fault::at_byte(
            offset,
            format!("a list of {length} values, but only {left} bytes are left"),
        ));
    }
    Ok(length as u64)
}

/// All placements in one list of vertices and faces, in `f64`; names are lost.
pub(crate) fn write(document: &Document, encoding: Encoding) -> Result<Vec<u8>, WriteError> {
    let soup = merged(document, Format::Ply)?;
    let mut bytes = Vec::new();
    let format = match encoding {
        Encoding::Binary => "binary_little_endian",
        Encoding::Text => "ascii",
    };
    let index = if soup.positions.len() <= i32::MAX as usize { "int" } else { "uint" };
    bytes.extend_from_slice(
        format!(
            "ply\nformat {format} 1.0\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\n\
             element face {}\nproperty list uchar {index} vertex_indices\nend_header\n",
            soup.positions.len(),
            soup.triangles.len(),
        )
        .as_bytes(),
    );
    for p in &soup.positions {
        match encoding {
            Encoding::Binary => p.to_array().iter().for_each(|x| bytes.extend_from_slice(&x.to_le_bytes())),
            // Writing into memory does not fail.
            Encoding::Text => drop(writeln!(bytes, "{:?} {:?} {:?}", p.x, p.y, p.z)),
        }
    }
    for [a, b, c] in &soup.triangles {
        match encoding {
            Encoding::Binary => {
                bytes.push(3);
                [a, b, c].iter().for_each(|i| bytes.extend_from_slice(&i.to_le_bytes()));
            }
            Encoding::Text => drop(writeln!(bytes, "3 {a} {b} {c}")),
        }
    }
    Ok(bytes)
}
