//! The mesh formats and their file extensions.

use std::fmt;
use std::path::Path;

/// A mesh file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Stereolithography, text or binary.
    Stl,
    /// Wavefront OBJ.
    Obj,
    /// Stanford polygon file.
    Ply,
    /// Object file format of Geomview.
    Off,
    /// glTF 2.0 as JSON.
    Gltf,
    /// glTF 2.0 in one binary file.
    Glb,
    /// 3D Manufacturing Format.
    ThreeMf,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 7] =
        [Format::Stl, Format::Obj, Format::Ply, Format::Off, Format::Gltf, Format::Glb, Format::ThreeMf];

    /// Its file extension in lower case, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Stl => "stl",
            Format::Obj => "obj",
            Format::Ply => "ply",
            Format::Off => "off",
            Format::Gltf => "gltf",
            Format::Glb => "glb",
            Format::ThreeMf => "3mf",
        }
    }

    /// The format that the extension of a path names, in upper or lower case.
    pub fn from_path(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Format::ALL.into_iter().find(|format| format.extension() == extension)
    }

    /// Whether [`crate::write()`] knows the format.
    pub const fn is_writable(self) -> bool {
        matches!(self, Format::Stl | Format::Obj | Format::Ply | Format::Glb)
    }

    pub(crate) fn readable_extensions() -> String {
        listed(Format::ALL.into_iter())
    }

    pub(crate) fn writable_extensions() -> String {
        listed(Format::ALL.into_iter().filter(|format| format.is_writable()))
    }
}

fn listed(formats: impl Iterator<Item = Format>) -> String {
    formats.map(|format| format!(".{}", format.extension())).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Stl => "STL",
            Format::Obj => "OBJ",
            Format::Ply => "PLY",
            Format::Off => "OFF",
            Format::Gltf => "glTF",
            Format::Glb => "GLB",
            Format::ThreeMf => "3MF",
        })
    }
}
