//! Why a file could not be read or written: which file, where in it, what to do.

use crate::conversion::recipe;
use crate::format::Format;
use std::fmt;
use std::path::PathBuf;

/// Why a mesh file was refused.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file could not be opened or read.
    #[error("{}: cannot be read: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A folder, a pipe or a device.
    #[error("{}: is not a file; give the path of a mesh file ({})", file.display(), Format::readable_extensions())]
    NotAFile {
        /// The path.
        file: PathBuf,
    },
    /// No reader goes by this extension.
    #[error("{}: unknown extension; readable are {}", file.display(), Format::readable_extensions())]
    UnknownExtension {
        /// The file.
        file: PathBuf,
    },
    /// Boundary representations have no triangles to read.
    #[error(
        "{}: {kind} files hold curved or parametric shapes, not triangles; convert the file to GLB, which keeps \
         part names and placements, or to 3MF or STL with a CAD program, and read that{}",
        file.display(),
        recipe(file)
    )]
    NeedsConversion {
        /// The file.
        file: PathBuf,
        /// "STEP", "IGES" or "IFC".
        kind: &'static str,
    },
    /// The content breaks the rules of its format.
    #[error("{}{position}: {problem}", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// Where in the file.
        position: Position,
        /// What is wrong, with the numbers.
        problem: String,
    },
    /// A coordinate that no shape can have.
    #[error(
        "{}{position}: coordinate {axis} of vertex {vertex} is {value:e}; coordinates must be finite and at \
         most 2^300 in size",
        file.display()
    )]
    Coordinate {
        /// The file.
        file: PathBuf,
        /// Where in the file.
        position: Position,
        /// Counted from 0 in the order of the file, within its geometry; for STL the corner (three a triangle).
        vertex: u64,
        /// 'x', 'y' or 'z'.
        axis: char,
        /// The refused value.
        value: f64,
    },
    /// The content unfolds to more than the caller allows.
    #[error("{}{position}: unfolds to more than {limit} bytes; if you trust it, raise `max_uncompressed_bytes`", file.display())]
    TooLarge {
        /// The file.
        file: PathBuf,
        /// Which part of the file.
        position: Position,
        /// The limit that was met.
        limit: u64,
    },
    /// The progress callback asked to stop.
    #[error("{}: reading was cancelled", file.display())]
    Cancelled {
        /// The file.
        file: PathBuf,
    },
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Position {
    /// The file as a whole.
    File,
    /// A byte offset, from 0.
    Byte(u64),
    /// A line and a column (in bytes) of a text file, both from 1.
    Line {
        /// Line, from 1.
        line: u64,
        /// Column in bytes, from 1.
        column: u64,
    },
    /// A line and a column of a text inside an archive.
    Entry {
        /// Name of the entry.
        entry: String,
        /// Line, from 1.
        line: u64,
        /// Column in bytes, from 1.
        column: u64,
    },
    /// An element of a structured file, such as `accessors[3]`.
    Element(String),
}

/// Follows a file name directly: `:3:7`, ` at byte 84`, ` (3D/3dmodel.model:3:7)`.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::File => Ok(()),
            Position::Byte(offset) => write!(f, " at byte {offset}"),
            Position::Line { line, column } => write!(f, ":{line}:{column}"),
            Position::Entry { entry, line, column } => write!(f, " ({entry}:{line}:{column})"),
            Position::Element(element) => write!(f, " ({element})"),
        }
    }
}

/// Why a file was not written. The target may be incomplete after [`WriteError::Io`], else it is untouched.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file could not be created or written.
    #[error("{}: cannot be written: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// No writer goes by this extension.
    #[error("{}: no writer for this extension; writable are {}", file.display(), Format::writable_extensions())]
    UnknownExtension {
        /// The file.
        file: PathBuf,
    },
    /// A placement refers to a geometry that is not there.
    #[error("placement {placement} refers to geometry {geometry}, but there are {count}")]
    BadPlacement {
        /// Index of the placement.
        placement: usize,
        /// What it refers to.
        geometry: usize,
        /// How many geometries there are.
        count: usize,
    },
    /// A triangle refers to a position that is not there.
    #[error("triangle {triangle} of geometry {geometry} refers to position {index}, but there are {count}")]
    BadIndex {
        /// Index of the geometry.
        geometry: usize,
        /// Index of the triangle.
        triangle: usize,
        /// What it refers to.
        index: u32,
        /// How many positions there are.
        count: usize,
    },
    /// A coordinate that the format cannot hold.
    #[error(
        "vertex {vertex} of geometry {geometry} has a coordinate {value:e}, which {format} cannot hold; \
         scale it, or write a mesh as PLY or OBJ"
    )]
    Coordinate {
        /// Index of the geometry.
        geometry: usize,
        /// Index of the position.
        vertex: usize,
        /// The value.
        value: f64,
        /// The format.
        format: Format,
    },
    /// Times of an animation that do not increase, or not by enough for `f32`.
    #[error("the times of an animation must increase, from 0 or later, also when rounded to 32 bits")]
    BadTimes,
    /// A track with another number of frames than there are times.
    #[error("the track of placement {placement} has {frames} frames, but there are {count} times")]
    BadTrack {
        /// Index of the placement.
        placement: usize,
        /// Frames of its track.
        frames: usize,
        /// Times of the animation.
        count: usize,
    },
    /// An animation leads where the format has no numbers.
    #[error("node {node} is at {value:e} in frame {frame}, which GLB cannot hold; scale the scene")]
    TooFar {
        /// Index of the node.
        node: usize,
        /// Index of the frame.
        frame: usize,
        /// The coordinate.
        value: f64,
    },
    /// More than the format's counters can say.
    #[error("{what} are too many for {format}; the limit is {limit}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// The largest number allowed.
        limit: u64,
        /// The format.
        format: Format,
    },
}
