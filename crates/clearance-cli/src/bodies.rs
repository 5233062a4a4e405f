//! Opens what the user names: mesh files and scenes become the same list of bodies.

use crate::{args::ReadArguments, interrupt, output::Failure};
use clearance::{
    Pose,
    shape::{Defects, Mesh, MeshConfig, Shape, Weld},
};
use clearance_io::{
    Document, LengthUnit,
    picture::{Body as Drawn, Colour, Drawing, Fineness, tessellate},
    scene::{IgnoredPairs, LoadedScene, Motion, SceneOptions, load},
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// What was in one file.
#[derive(Debug)]
pub struct Opened {
    /// The file as the user named it.
    pub file: PathBuf,
    /// The unit of its lengths, if anyone stated it.
    pub unit: Option<LengthUnit>,
    /// What the reader skipped or changed.
    pub notes: Vec<String>,
    /// Its bodies.
    pub bodies: Vec<Body>,
    /// Pairs of them that are not to be checked.
    pub ignored: IgnoredPairs,
}

/// A body and where it is.
#[derive(Debug)]
pub struct Body {
    pub name: String,
    /// Shared by the placements of one geometry.
    pub shape: Arc<Shape>,
    pub pose: Pose,
    pub group: Option<String>,
    /// How it moves, if the scene says so.
    pub motion: Option<Motion>,
    pub notes: Vec<String>,
}

/// Opens a mesh file or, if its extension is `json`, a scene.
pub fn open(file: &Path, read: &ReadArguments) -> Result<Opened, Failure> {
    let opened = if is_scene(file) { open_scene(file, read) } else { open_mesh(file, read) }?;
    if interrupt::requested() { Err(Failure::Interrupted) } else { Ok(opened) }
}

/// Whether a file is a scene, by its extension.
pub fn is_scene(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// Reads a mesh file as it is: nothing is welded, checked or repaired. It has at least one triangle.
pub fn read_mesh(file: &Path) -> Result<Document, Failure> {
    let document = interrupt::with_progress(file, |options| clearance_io::read(file, &options))?;
    if document.placements.is_empty() {
        let problem =
            format_args!("{}: the file has no triangles, so there is nothing to do", file.display());
        return Err(Failure::input(problem));
    }
    Ok(document)
}

/// Which vertices become one.
pub fn weld_of(read: &ReadArguments) -> Weld {
    read.weld.map_or(Weld::Exact, Weld::Within)
}

/// What happens to defects.
pub fn defects_of(read: &ReadArguments) -> Defects {
    if read.strict { Defects::Refuse } else { Defects::Repair }
}

fn open_scene(file: &Path, read: &ReadArguments) -> Result<Opened, Failure> {
    if file.is_dir() {
        return Err(Failure::input(format_args!("{}: is a folder; give the scene file", file.display())));
    }
    let scene = interrupt::with_progress(file, |options| {
        let options = SceneOptions {
            allow_outside: read.allow_outside,
            default_unit: read.unit,
            weld: weld_of(read),
            defects: defects_of(read),
            read: options,
        };
        load(file, &options)
    })?;
    let LoadedScene { unit, parts, ignored } = scene;
    let bodies = parts
        .into_iter()
        .map(|part| Body {
            name: part.name,
            shape: part.shape,
            pose: part.pose,
            group: part.group,
            motion: part.motion,
            notes: part.source.notes,
        })
        .collect();
    Ok(Opened { file: file.to_path_buf(), unit, notes: Vec::new(), bodies, ignored })
}

fn open_mesh(file: &Path, read: &ReadArguments) -> Result<Opened, Failure> {
    let config = MeshConfig { weld: weld_of(read), defects: defects_of(read), ..MeshConfig::default() };
    of_document(file, read_mesh(file)?, read.unit, &config)
}

/// The bodies of a document; every geometry is built once, however often it is placed.
fn of_document(
    file: &Path,
    document: Document,
    default_unit: Option<LengthUnit>,
    config: &MeshConfig,
) -> Result<Opened, Failure> {
    let mut shapes = Vec::with_capacity(document.geometries.len());
    for geometry in &document.geometries {
        if interrupt::requested() {
            return Err(Failure::Interrupted);
        }
        let mesh = Mesh::build(&geometry.soup, config).map_err(|error| {
            let part = if document.geometries.len() > 1 {
                format!(" part `{}`:", geometry.name)
            } else {
                String::new()
            };
            Failure::input(format_args!("{}:{part} {error}", file.display()))
        })?;
        shapes.push(Arc::new(Shape::from(mesh)));
    }
    let bodies = document.placements.into_iter().filter_map(|placement| {
        let shape = Arc::clone(shapes.get(placement.geometry)?);
        Some(Body {
            name: placement.name,
            shape,
            pose: placement.pose,
            group: None,
            motion: None,
            notes: Vec::new(),
        })
    });
    Ok(Opened {
        file: file.to_path_buf(),
        unit: document.unit.or(default_unit),
        notes: document.notes,
        bodies: bodies.collect(),
        ignored: IgnoredPairs::default(),
    })
}

/// A drawing of all bodies that have triangles; colours follow their order.
pub fn drawing_of<'a>(
    title: &str,
    unit: Option<LengthUnit>,
    bodies: impl IntoIterator<Item = &'a Body>,
) -> Drawing {
    let mut drawing = Drawing { title: title.into(), unit, ..Drawing::default() };
    for (i, body) in bodies.into_iter().enumerate() {
        if let Some(soup) = tessellate(&body.shape, Fineness::default()) {
            let drawn = Drawn::new(body.name.clone(), soup).at(body.pose).coloured(Colour::of_index(i));
            drawing.bodies.push(drawn);
        }
    }
    drawing
}

/// Writes a drawing; the extension says how.
pub fn write_picture(drawing: &Drawing, file: &Path) -> Result<(), Failure> {
    let bytes = match picture_format(file)? {
        PictureFormat::Svg => drawing.to_svg().into_bytes(),
        PictureFormat::Glb => drawing.to_glb()?,
    };
    write_bytes(&bytes, file)
}

/// A file, with an error that names it.
pub fn write_bytes(bytes: &[u8], file: &Path) -> Result<(), Failure> {
    std::fs::write(file, bytes)
        .map_err(|error| Failure::input(format_args!("{}: cannot be written: {error}", file.display())))
}

/// Refuses a file that cannot be written; asked before any work is done, and nothing is left behind.
pub fn expect_writable(file: &Path) -> Result<(), Failure> {
    let is_new = !file.exists();
    let opened = std::fs::OpenOptions::new().write(true).create(true).truncate(false).open(file);
    opened.map_err(|error| Failure::input(format_args!("{}: cannot be written: {error}", file.display())))?;
    if is_new {
        // A file that stays is written over in the end.
        let _ = std::fs::remove_file(file);
    }
    Ok(())
}

/// How a picture is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    Svg,
    Glb,
}

/// The format that a picture's extension names; asked before any work is done.
pub fn picture_format(file: &Path) -> Result<PictureFormat, Failure> {
    let extension = file.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    match extension.as_str() {
        "svg" => Ok(PictureFormat::Svg),
        "glb" => Ok(PictureFormat::Glb),
        _ => Err(Failure::Usage(format!(
            "{}: pictures are written as .svg or .glb; use one of these extensions",
            file.display()
        ))),
    }
}
