//! One module per file format.

pub(crate) mod gltf;
pub(crate) mod obj;
pub(crate) mod off;
pub(crate) mod ply;
mod ply_header;
pub(crate) mod stl;
mod stl_text;
pub(crate) mod threemf;

use crate::read::ReadOptions;
use std::path::Path;

/// What a reader is given.
pub(crate) struct Source<'a> {
    /// The whole file.
    pub bytes: &'a [u8],
    /// Name for what the file does not name.
    pub stem: &'a str,
    /// Where files it refers to may lie; none when read from memory.
    pub folder: Option<&'a Path>,
    pub options: &'a ReadOptions<'a>,
}
