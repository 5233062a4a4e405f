//! Which files the user means: files as they are, folders as the files in them.

use crate::output::Failure;
use clearance_io::Format;
use std::path::{Path, PathBuf};

/// A file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// As it was named.
    pub path: PathBuf,
    /// What the ids of its parts begin with: its stem, with the folders between it and what was named.
    pub base: String,
}

/// All files, in the order in which they were named; those of a folder by name.
pub fn list(inputs: &[PathBuf]) -> Result<Vec<Input>, Failure> {
    let mut files = Vec::new();
    for input in inputs {
        if !input.is_dir() {
            files.push(Input { path: input.clone(), base: base_of(input, input.parent()) });
            continue;
        }
        let mut found = mesh_files(input, Depth::Top)?;
        if found.is_empty() {
            found = mesh_files(input, Depth::All)?;
        }
        if found.is_empty() {
            return Err(Failure::input(format_args!(
                "{}: the folder has no mesh files (stl, obj, ply, off, gltf, glb, 3mf), nor has any below it",
                input.display()
            )));
        }
        files.extend(found.into_iter().map(|path| Input { base: base_of(&path, Some(input)), path }));
    }
    Ok(files)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Top,
    All,
}

fn mesh_files(folder: &Path, depth: Depth) -> Result<Vec<PathBuf>, Failure> {
    let failed =
        |error: std::io::Error| Failure::input(format_args!("{}: cannot be read: {error}", folder.display()));
    let mut entries = std::fs::read_dir(folder)
        .and_then(|entries| {
            entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()
        })
        .map_err(failed)?;
    entries.sort();
    let mut files = Vec::new();
    for path in entries {
        // Links to folders may lead in circles.
        if path.is_dir() && !path.is_symlink() && depth == Depth::All {
            files.extend(mesh_files(&path, depth)?);
        } else if path.is_file() && is_part(&path) {
            files.push(path);
        }
    }
    Ok(files)
}

/// Whether a file of a folder is meant: a mesh, or one that only a conversion makes a mesh, which must not be passed over
/// in silence.
fn is_part(path: &Path) -> bool {
    const TO_CONVERT: [&str; 9] = ["step", "stp", "p21", "stpz", "iges", "igs", "ifc", "ifczip", "ifcxml"];
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    Format::from_path(path).is_some() || TO_CONVERT.contains(&extension.as_str())
}

fn base_of(path: &Path, folder: Option<&Path>) -> String {
    let inner = folder.and_then(|folder| path.strip_prefix(folder).ok()).unwrap_or(path).with_extension("");
    let steps: Vec<String> = inner.iter().map(|step| step.to_string_lossy().into_owned()).collect();
    steps.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_stands_for_its_mesh_files_by_name_and_those_below_only_if_it_has_none() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("inner/deep")).unwrap();
        for name in ["inner/b.stl", "inner/a.obj", "inner/notes.txt", "inner/deep/c.ply", "inner/d.STEP"] {
            std::fs::write(at(name), "").unwrap();
        }
        let bases = |inputs: &[PathBuf]| -> Vec<String> {
            list(inputs).unwrap().into_iter().map(|input| input.base).collect()
        };
        assert_eq!(bases(&[at("inner")]), ["a", "b", "d"]);
        assert_eq!(bases(&[at("")]), ["inner/a", "inner/b", "inner/d", "inner/deep/c"]);
        assert_eq!(bases(&[at("inner/b.stl"), at("inner/deep")]), ["b", "c"]);
        std::fs::create_dir(at("empty")).unwrap();
        assert!(list(&[at("empty")]).is_err());
    }
}
