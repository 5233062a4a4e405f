//! Stereolithography files: choosing between text and binary, and the binary form.

use super::Source;
use super::stl_text;
use crate::document::{Document, placed};
use crate::error::{Position, WriteError};
use crate::fault::{Fault, accept, acceptable};
use crate::format::Format;
use crate::meter::Meter;
use clearance::glam::DVec3;
use clearance::shape::TriangleSoup;

/// Bytes before the triangles: a comment of 80 and the count.
const HEADER: usize = 84;
/// Bytes of a triangle: normal, three corners, attribute.
const RECORD: usize = 50;

/// Text or binary, told apart by content: many binary files begin with `solid`, too.
pub(crate) fn read(source: &Source<'_>, meter: &mut Meter<'_>) -> Result<Document, Fault> {
    if is_text(source.bytes) { stl_text::read(source, meter) } else { read_binary(source, meter) }
}

fn is_text(bytes: &[u8]) -> bool {
    if let Some(count) = triangle_count(bytes)
        && HEADER as u64 + RECORD as u64 * u64::from(count) == bytes.len() as u64
    {
        return false;
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let begins = bytes.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    // Counts, normals and attributes of real binary files are full of zero bytes; text has none.
    begins && !bytes[..bytes.len().min(512)].contains(&0)
}

fn triangle_count(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(80..HEADER)?.first_chunk()?))
}

fn read_binary(source: &Source<'_>, meter: &mut Meter<'_>) -> Result<Document, Fault> {
    let bytes = source.bytes;
    let Some(count) = triangle_count(bytes) else {
        return Err(Fault::at_byte(
            bytes.len(),
            "the file ends here; a text STL begins with `solid`, a binary one has a header of 84 bytes",
        ));
    };
    let records = &bytes[HEADER..];
    let present = records.len() / RECORD;
    if (present as u64) < u64::from(count) {
        return Err(Fault::at_byte(
            bytes.len(),
            format!("the header promises {count} triangles, but the file ends after {present}"),
        ));
    }
    let records = &records[..count as usize * RECORD];
    let mut document = Document::from_soup(source.stem, soup_of(records, meter)?);
    let trailing = bytes.len() - HEADER - records.len();
    if trailing > 0 {
        document.notes.push(format!("{trailing} bytes after the last of {count} triangles were ignored"));
    }
    Ok(document)
}

fn soup_of(records: &[u8], meter: &mut Meter<'_>) -> Result<TriangleSoup, Fault> {
    let count = records.len() / RECORD;
    let too_many = || Fault::at_byte(80, format!("{count} triangles are more than 2^32 / 3; split the file"));
    let corner_count = u32::try_from(3 * count).map_err(|_| too_many())?;
    let mut positions = Vec::with_capacity(corner_count as usize);
    for (triangle, record) in records.as_chunks::<RECORD>().0.iter().enumerate() {
        let offset = HEADER + RECORD * triangle;
        meter.at(offset)?;
        let corners = corners_of(record);
        if !corners.iter().all(|&corner| acceptable(corner)) {
            for (i, corner) in corners.into_iter().enumerate() {
                accept(corner, 3 * triangle + i, || Position::Byte((offset + 12 * (i + 1)) as u64))?;
            }
        }
        positions.extend_from_slice(&corners);
    }
    let triangles = (0..corner_count).step_by(3).map(|i| [i, i + 1, i + 2]).collect();
    Ok(TriangleSoup { positions, triangles, parts: Vec::new() })
}

fn corners_of(record: &[u8; RECORD]) -> [DVec3; 3] {
    let number = |at: usize| {
        f64::from(f32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]))
    };
    [12, 24, 36].map(|at| DVec3::new(number(at), number(at + 4), number(at + 8)))
}

/// All placements in one list of triangles, coordinates rounded to `f32`.
pub(crate) fn write_binary(document: &Document) -> Result<Vec<u8>, WriteError> {
    let limit = u64::from(u32::MAX);
    let count = document.placed_triangle_count();
    let too_many = WriteError::TooMany { what: "triangles", limit, format: Format::Stl };
    let count_field = u32::try_from(count).map_err(|_| too_many)?;
    let mut bytes = Vec::with_capacity(HEADER + RECORD * count);
    // Not "solid", which would make careless readers take it for text.
    let mut header = [b' '; 80];
    header[..18].copy_from_slice(b"binary STL of mesh");
    bytes.extend_from_slice(&header);
    bytes.extend_from_slice(&count_field.to_le_bytes());
    for placement in &document.placements {
        let soup = &document.geometries[placement.geometry].soup;
        for triangle in &soup.triangles {
            let exact = triangle.map(|i| placed(&placement.pose, soup.positions[i as usize]));
            let corners = exact.map(|p| p.as_vec3().as_dvec3());
            if let Some(corner) = corners.iter().position(|p| !p.is_finite()) {
                let (vertex, value) = (triangle[corner] as usize, exact[corner].abs().max_element());
                let geometry = placement.geometry;
                return Err(WriteError::Coordinate { geometry, vertex, value, format: Format::Stl });
            }
            bytes.extend_from_slice(&record_of(corners));
        }
    }
    Ok(bytes)
}

/// Corners are in single precision already, and the normal is theirs: what was read is written alike.
fn record_of(corners: [DVec3; 3]) -> [u8; RECORD] {
    let [a, b, c] = corners;
    let mut record = [0; RECORD];
    for (slot, vector) in record.as_chunks_mut::<12>().0.iter_mut().zip([normal(corners), a, b, c]) {
        for (field, value) in slot.as_chunks_mut::<4>().0.iter_mut().zip(vector.to_array()) {
            *field = (value as f32).to_le_bytes();
        }
    }
    record
}

/// Unit normal of a triangle for display, zero when it has no area.
pub(super) fn normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    let (u, v) = (b - a, c - a);
    // Scaled first, so that neither tiny nor huge triangles lose theirs.
    let scale = |x: DVec3| x / x.abs().max_element();
    let (u, v) = (scale(u), scale(v));
    let direction = u.cross(v).normalize_or_zero();
    if direction.is_finite() { direction } else { DVec3::ZERO }
}

/// One solid per placement, in text.
pub(crate) fn write_text(document: &Document) -> Result<Vec<u8>, WriteError> {
    stl_text::write(document)
}
