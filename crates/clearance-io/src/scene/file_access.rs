//! Which files a scene or a case may open.

use super::error::Fault;
use std::path::{Component, Path, PathBuf};

/// Opens paths relative to a folder, and by default only below it.
#[derive(Debug)]
pub(super) struct FileAccess {
    folder: PathBuf,
    /// How errors call the folder.
    called: String,
    allow_outside: bool,
}

impl FileAccess {
    /// For the scene file at this path.
    pub fn beside(scene: &Path, allow_outside: bool) -> std::io::Result<FileAccess> {
        let scene = scene.canonicalize()?;
        let folder = scene.parent().map(Path::to_path_buf).unwrap_or_default();
        Ok(FileAccess { folder, called: "the scene's folder".into(), allow_outside })
    }

    /// For names relative to a folder.
    pub fn within(folder: &Path, allow_outside: bool) -> std::io::Result<FileAccess> {
        let called = match folder == Path::new(".") {
            true => "the current folder".into(),
            false => format!("the folder {}", folder.display()),
        };
        Ok(FileAccess { folder: folder.canonicalize()?, called, allow_outside })
    }

    /// The file behind a name, free of links, so that what was checked is what is opened.
    pub fn resolve(&self, name: &str) -> Result<PathBuf, Fault> {
        let called = &self.called;
        let outside = |why: &str| {
            Fault::here(format_args!(
                "\"{name}\" {why} {called}; move the file below it, or allow files outside (--allow-outside) if you trust what names it"
            ))
        };
        let path = Path::new(name);
        let leaves =
            |c: Component<'_>| matches!(c, Component::ParentDir | Component::RootDir | Component::Prefix(_));
        if !self.allow_outside && path.components().any(leaves) {
            return Err(outside("leads out of"));
        }
        let found = self.folder.join(path).canonicalize().map_err(|error| {
            Fault::here(format_args!("\"{name}\" cannot be opened: {error}; names are relative to {called}"))
        })?;
        if !self.allow_outside && !found.starts_with(&self.folder) {
            return Err(outside("is a link out of"));
        }
        Ok(found)
    }
}
