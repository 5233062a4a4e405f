//! Mesh files, scene files and pictures.
//!
//! [`read`] turns a mesh file into a [`Document`] of placed triangle soups, [`write()`] does the reverse.
//! What a soup is worth (closed, oriented, degenerate) is decided by `clearance::shape::Mesh`.
#![forbid(unsafe_code)]

mod animation;
mod assembly;
mod conversion;
mod document;
mod error;
mod faces;
mod fault;
mod format;
mod formats;
mod meter;
pub mod picture;
mod polygon;
mod read;
pub mod scene;
mod text;
mod write;

pub use animation::{Animation, Track};
pub use document::{Document, Geometry, LengthUnit, Placement};
pub use error::{Position, ReadError, WriteError};
pub use format::Format;
pub use read::{Progress, ReadOptions, Stage, read, read_bytes};
pub use write::{
    DrawnAbout, Encoding, GlbStyle, LineSet, write, write_bytes, write_encoded, write_glb, write_glb_bytes,
};
