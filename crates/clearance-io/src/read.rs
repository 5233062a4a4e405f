//! Reading: from a path or from bytes, by format.

use crate::document::Document;
use crate::error::ReadError;
use crate::fault::{Fault, Problem};
use crate::format::Format;
use crate::formats::{Source, gltf, obj, off, ply, stl, threemf};
use crate::meter::Meter;
use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// How to read.
#[derive(Clone, Copy)]
pub struct ReadOptions<'a> {
    /// The most bytes that compressed content, or copies of shared shapes, may unfold to; 1 GiB by default.
    pub max_uncompressed_bytes: u64,
    /// Called now and then with the bytes done; [`ControlFlow::Break`] ends in [`ReadError::Cancelled`].
    pub progress: Option<&'a (dyn Fn(Progress) -> ControlFlow<()> + Sync)>,
}

impl Default for ReadOptions<'_> {
    fn default() -> Self {
        ReadOptions { max_uncompressed_bytes: 1 << 30, progress: None }
    }
}

impl std::fmt::Debug for ReadOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReadOptions")
            .field("max_uncompressed_bytes", &self.max_uncompressed_bytes)
            .field("progress", &self.progress.is_some())
            .finish()
    }
}

/// How far a reader is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What it is doing.
    pub stage: Stage,
    /// Bytes done in this stage; it never decreases within a stage.
    pub done: u64,
    /// Bytes to do in this stage.
    pub total: u64,
}

/// The stages of reading, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Bytes come from the disk.
    Loading,
    /// Bytes become triangles.
    Parsing,
}

/// Reads a mesh file; its extension names the format.
///
/// Positions are kept as the file has them, in `f64` where the format allows it; polygons are triangulated;
/// nothing is welded or repaired. What was skipped is in [`Document::notes`]. The whole file is held in
/// memory; beyond that, memory stays within a small multiple of the (uncompressed) size, whatever the file
/// claims, and never above `max_uncompressed_bytes` for content that unfolds.
///
/// # Errors
/// Every defect of the file ends in a [`ReadError`] with its position; no content makes it panic.
///
/// ```no_run
/// let document = clearance_io::read("gear.stl", &clearance_io::ReadOptions::default())?;
/// println!("{} triangles", document.placed_triangle_count());
/// # Ok::<(), clearance_io::ReadError>(())
/// ```
pub fn read(path: impl AsRef<Path>, options: &ReadOptions<'_>) -> Result<Document, ReadError> {
    let path = path.as_ref();
    let format = format_of(path)?;
    let bytes = load(path, options)?;
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    parse(&bytes, format, path, Some(folder), options)
}

/// Reads a mesh file that is already in memory; `name` stands for the file in names and errors.
///
/// A glTF document cannot refer to other files here, since there is no folder to find them in.
///
/// # Errors
/// As [`read`].
///
/// ```
/// use clearance_io::{Format, ReadOptions, read_bytes};
/// let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
/// let document = read_bytes(text, Format::Obj, "triangle.obj", &ReadOptions::default())?;
/// assert_eq!(document.geometries[0].soup.triangles, [[0, 1, 2]]);
/// # Ok::<(), clearance_io::ReadError>(())
/// ```
pub fn read_bytes(
    bytes: &[u8],
    format: Format,
    name: &str,
    options: &ReadOptions<'_>,
) -> Result<Document, ReadError> {
    parse(bytes, format, Path::new(name), None, options)
}

fn format_of(path: &Path) -> Result<Format, ReadError> {
    let file = || path.to_path_buf();
    if path.is_dir() {
        return Err(ReadError::NotAFile { file: file() });
    }
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    match extension.as_str() {
        "step" | "stp" | "p21" | "stpz" => Err(ReadError::NeedsConversion { file: file(), kind: "STEP" }),
        "iges" | "igs" => Err(ReadError::NeedsConversion { file: file(), kind: "IGES" }),
        "ifc" | "ifczip" | "ifcxml" => Err(ReadError::NeedsConversion { file: file(), kind: "IFC" }),
        _ => Format::from_path(path).ok_or_else(|| ReadError::UnknownExtension { file: file() }),
    }
}

/// Bytes asked from the disk at once, and between two progress reports.
const LOAD_STEP: usize = 1 << 20;

/// The content of a regular file. Grows with what is there, not with what the system says is there.
pub(crate) fn load(path: &Path, options: &ReadOptions<'_>) -> Result<Vec<u8>, ReadError> {
    let failed = |source| ReadError::Io { file: path.to_path_buf(), source };
    let mut file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return Err(ReadError::NotAFile { file: path.to_path_buf() });
    }
    let total = metadata.len();
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(usize::try_from(total).unwrap_or(usize::MAX))
        .map_err(|_| failed(std::io::ErrorKind::OutOfMemory.into()))?;
    loop {
        let done = bytes.len() as u64;
        if Meter::report(options, Stage::Loading, done, total.max(done)).is_break() {
            return Err(ReadError::Cancelled { file: path.to_path_buf() });
        }
        let step = (&mut file).take(LOAD_STEP as u64).read_to_end(&mut bytes).map_err(failed)?;
        if step == 0 {
            return Ok(bytes);
        }
    }
}

fn parse(
    bytes: &[u8],
    format: Format,
    path: &Path,
    folder: Option<PathBuf>,
    options: &ReadOptions<'_>,
) -> Result<Document, ReadError> {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let source = Source { bytes, stem: &stem, folder: folder.as_deref(), options };
    let mut meter = Meter::new(options, bytes.len() as u64);
    let outcome = match format {
        Format::Stl => stl::read(&source, &mut meter),
        Format::Obj => obj::read(&source, &mut meter),
        Format::Ply => ply::read(&source, &mut meter),
        Format::Off => off::read(&source, &mut meter),
        Format::Gltf | Format::Glb => gltf::read(&source, &mut meter),
        Format::ThreeMf => threemf::read(&source, &mut meter),
    };
    let outcome = outcome.and_then(|document| meter.finish().map(|()| document));
    match outcome {
        Ok(mut document) => {
            drop_empty(&mut document);
            Ok(document)
        }
        Err(fault) => Err(error_of(fault, path)),
    }
}

fn error_of(fault: Fault, path: &Path) -> ReadError {
    let Fault { position, problem } = fault;
    let file = path.to_path_buf();
    match problem {
        Problem::Malformed(problem) => ReadError::Malformed { file, position, problem },
        Problem::Coordinate { vertex, axis, value } => {
            ReadError::Coordinate { file, position, vertex, axis, value }
        }
        Problem::TooLarge { limit } => ReadError::TooLarge { file, position, limit },
        Problem::Io { file, source } => ReadError::Io { file, source },
        Problem::Cancelled => ReadError::Cancelled { file },
    }
}

/// Takes out geometries without triangles and says so.
fn drop_empty(document: &mut Document) {
    let full: Vec<bool> = document.geometries.iter().map(|g| !g.soup.triangles.is_empty()).collect();
    if full.is_empty() || full.iter().all(|full| !full) {
        document.notes.push("the file has no triangles".into());
    } else if let empty @ 1.. = full.iter().filter(|full| !**full).count() {
        document.notes.push(format!("{empty} geometries without triangles were left out"));
    }
    let mut kept = 0;
    let new_index: Vec<usize> = full
        .iter()
        .map(|&full| {
            kept += usize::from(full);
            kept.wrapping_sub(1)
        })
        .collect();
    document.placements.retain_mut(|placement| {
        let keep = full.get(placement.geometry).copied().unwrap_or(false);
        if keep {
            placement.geometry = new_index[placement.geometry];
        }
        keep
    });
    let mut keep = full.iter().copied();
    document.geometries.retain(|_| keep.next().unwrap_or(false));
}
