//! What must hold for every file, whatever is in it.

pub mod numbers;

use clearance::shape::{Mesh, MeshConfig};
use clearance::tolerance::COORDINATE_LIMIT;
use clearance_io::{Document, Encoding, Format, ReadOptions, WriteError, read_bytes, write_bytes};

/// Larger documents are read but not written again: the time goes into finding defects of the reader.
const TRIANGLES_TO_WRITE: usize = 20_000;

/// Reads bytes as a format; what is accepted must be sound, be judged by `Mesh`, and survive being written.
pub fn check(bytes: &[u8], format: Format) {
    let options = ReadOptions { max_uncompressed_bytes: 16 << 20, ..ReadOptions::default() };
    let Ok(document) = read_bytes(bytes, format, "fuzz", &options) else { return };
    check_sound(&document);
    if document.placed_triangle_count() > TRIANGLES_TO_WRITE {
        return;
    }
    for geometry in &document.geometries {
        let _ = Mesh::build(&geometry.soup, &MeshConfig::default());
    }
    check_written(&document);
}

fn check_sound(document: &Document) {
    for placement in &document.placements {
        assert!(placement.geometry < document.geometries.len());
    }
    for geometry in &document.geometries {
        let soup = &geometry.soup;
        assert!(!soup.triangles.is_empty(), "a geometry without triangles");
        assert!(soup.positions.iter().all(|p| p.abs().max_element() <= COORDINATE_LIMIT && p.is_finite()));
        assert!(soup.triangles.as_flattened().iter().all(|&i| (i as usize) < soup.positions.len()));
        let mut end = 0;
        for part in &soup.parts {
            assert!(part.triangles.start >= end && !part.triangles.is_empty());
            end = part.triangles.end;
        }
        assert!(end as usize <= soup.triangles.len());
    }
}

fn check_written(document: &Document) {
    let placed = document.to_soup();
    let in_reach = placed.positions.iter().all(|p| p.abs().max_element() <= COORDINATE_LIMIT);
    for (format, encoding) in [
        (Format::Obj, Encoding::Text),
        (Format::Ply, Encoding::Text),
        (Format::Ply, Encoding::Binary),
        (Format::Stl, Encoding::Text),
        (Format::Stl, Encoding::Binary),
        (Format::Glb, Encoding::Binary),
    ] {
        let bytes = match write_bytes(document, format, encoding) {
            Ok(bytes) => bytes,
            Err(WriteError::Coordinate { .. }) => continue,
            Err(error) => panic!("{format}: {error}"),
        };
        match read_bytes(&bytes, format, "again", &ReadOptions::default()) {
            Ok(again) => check_equal(document, &placed, &again, format),
            Err(error) => assert!(!in_reach, "{format}: {error}"),
        }
    }
}

fn check_equal(
    document: &Document,
    placed: &clearance::shape::TriangleSoup,
    again: &Document,
    format: Format,
) {
    assert_eq!(again.placed_triangle_count(), document.placed_triangle_count(), "{format}");
    if matches!(format, Format::Obj | Format::Ply) && !placed.triangles.is_empty() {
        let soup = &again.geometries[0].soup;
        assert_eq!(soup.triangles, placed.triangles, "{format}");
        let bits = |p: &clearance::glam::DVec3| p.to_array().map(f64::to_bits);
        assert!(soup.positions.iter().map(bits).eq(placed.positions.iter().map(bits)), "{format}");
    }
}
