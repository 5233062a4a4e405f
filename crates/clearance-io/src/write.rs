//! Writing: to a path or to any sink, by format.

use crate::animation::Animation;
use crate::document::{Document, Geometry};
use crate::error::WriteError;
use crate::format::Format;
use crate::formats::{gltf, obj, ply, stl};
use clearance::glam::DVec3;
use clearance::shape::TriangleSoup;
use std::io::Write;
use std::path::Path;

/// How to write formats that have both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Small and fast: STL in `f32`, PLY in `f64`, little endian.
    #[default]
    Binary,
    /// Readable, with enough digits for every `f64` to survive.
    Text,
}

/// Writes a document; the extension names the format (`.stl`, `.ply`: binary; `.obj`; `.glb`).
///
/// OBJ, PLY and STL have no placements: poses are applied to the vertices (rounded, except the identity).
/// STL and GLB round coordinates to `f32`; PLY and OBJ keep every bit of `f64`. GLB is in metres: a document
/// with another unit is scaled, one without is written as it is.
///
/// # Errors
/// An extension without a writer, an index out of range, a coordinate that the format cannot hold, or a
/// failure of the file system. Nothing is created when the document is at fault.
pub fn write(path: impl AsRef<Path>, document: &Document) -> Result<(), WriteError> {
    write_encoded(path, document, Encoding::Binary)
}

/// As [`write()`], with a choice for formats that have text and binary (STL and PLY).
///
/// # Errors
/// As [`write()`].
pub fn write_encoded(
    path: impl AsRef<Path>,
    document: &Document,
    encoding: Encoding,
) -> Result<(), WriteError> {
    let path = path.as_ref();
    let unknown = || WriteError::UnknownExtension { file: path.to_path_buf() };
    let format = Format::from_path(path).filter(|format| format.is_writable()).ok_or_else(unknown)?;
    let bytes = write_bytes(document, format, encoding)?;
    save(path, &bytes)
}

/// As [`write()`], into memory. `Format::Off`, `Gltf` and `ThreeMf` have no writer.
///
/// # Errors
/// As [`write()`].
pub fn write_bytes(document: &Document, format: Format, encoding: Encoding) -> Result<Vec<u8>, WriteError> {
    check(document)?;
    match (format, encoding) {
        (Format::Stl, Encoding::Binary) => stl::write_binary(document),
        (Format::Stl, Encoding::Text) => stl::write_text(document),
        (Format::Obj, _) => obj::write(document),
        (Format::Ply, encoding) => ply::write(document, encoding),
        (Format::Glb, _) => gltf::write(document, &GlbStyle::default()),
        (Format::Off | Format::Gltf | Format::ThreeMf, _) => {
            Err(WriteError::UnknownExtension { file: format!(".{}", format.extension()).into() })
        }
    }
}

/// What a GLB shows beside the document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GlbStyle {
    /// Colour of each placement (red, green, blue, opacity; linear, 0 to 1); may be shorter than the placements.
    pub colours: Vec<Option<[f32; 4]>>,
    /// Lines to draw, in the document's frame and unit.
    pub lines: Vec<LineSet>,
    /// How placements move, if they do.
    pub animation: Option<Animation>,
    /// Where the document lies in its world, if not where it says; told in the name and the extras of the scene.
    pub about: Option<DrawnAbout>,
}

/// A document that is written around another point, or in another size, than it has in its world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnAbout {
    /// The point of the world, in the document's unit, that is at the document's origin.
    pub origin: DVec3,
    /// How many times as large as in the world everything is.
    pub scale: f64,
}

/// Segments of one colour.
#[derive(Clone, Debug, PartialEq)]
pub struct LineSet {
    /// Name of the node.
    pub name: String,
    /// End points of each segment.
    pub segments: Vec<[DVec3; 2]>,
    /// Red, green, blue, opacity; linear, 0 to 1.
    pub colour: [f32; 4],
}

/// Writes a binary glTF with colours, lines and an animation; placements become named nodes, shared geometry stays
/// shared.
///
/// # Errors
/// As [`write()`]; line coordinates count as geometry `document.geometries.len() + i`. An animation whose times do not
/// increase or whose tracks have another number of frames.
pub fn write_glb(path: impl AsRef<Path>, document: &Document, style: &GlbStyle) -> Result<(), WriteError> {
    save(path.as_ref(), &write_glb_bytes(document, style)?)
}

/// As [`write_glb`], into memory.
///
/// # Errors
/// As [`write()`].
pub fn write_glb_bytes(document: &Document, style: &GlbStyle) -> Result<Vec<u8>, WriteError> {
    check(document)?;
    style.animation.as_ref().map_or(Ok(()), Animation::check)?;
    gltf::write(document, style)
}

fn save(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let failed = |source| WriteError::Io { file: path.to_path_buf(), source };
    let mut file = std::fs::File::create(path).map_err(failed)?;
    file.write_all(bytes).map_err(failed)
}

/// All placements in one soup, or the news that a format without 64-bit indices cannot hold them.
pub(crate) fn merged(document: &Document, format: Format) -> Result<TriangleSoup, WriteError> {
    let limit = u64::from(u32::MAX);
    let soups = || document.placements.iter().map(|placement| &document.geometries[placement.geometry].soup);
    let positions: u64 = soups().map(|soup| soup.positions.len() as u64).sum();
    let triangles: u64 = soups().map(|soup| soup.triangles.len() as u64).sum();
    if positions > limit {
        return Err(WriteError::TooMany { what: "positions", limit, format });
    }
    if triangles > limit {
        return Err(WriteError::TooMany { what: "triangles", limit, format });
    }
    Ok(document.to_soup())
}

/// Indices are the caller's: refuse what would write a broken file.
fn check(document: &Document) -> Result<(), WriteError> {
    let count = document.geometries.len();
    for (placement, placed) in document.placements.iter().enumerate() {
        if placed.geometry >= count {
            return Err(WriteError::BadPlacement { placement, geometry: placed.geometry, count });
        }
    }
    for (geometry, Geometry { soup, .. }) in document.geometries.iter().enumerate() {
        let count = soup.positions.len();
        for (triangle, corners) in soup.triangles.iter().enumerate() {
            if let Some(&index) = corners.iter().find(|&&index| index as usize >= count) {
                return Err(WriteError::BadIndex { geometry, triangle, index, count });
            }
        }
    }
    Ok(())
}
