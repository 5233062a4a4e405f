//! Parts of an assembly: everything that was named, read and placed, with an id each.

use super::inputs::{Input, list};
use super::model::Skipped;
use crate::{
    args::ReadArguments,
    bodies::{self, defects_of, weld_of},
    interrupt,
    output::Failure,
    path::Path as Way,
};
use clearance::{
    Pose,
    body::Body,
    glam::DVec3,
    shape::{Mesh, MeshConfig, Shape, TriangleSoup},
};
use clearance_io::{
    Document, LengthUnit,
    scene::{Conversion, IgnoredPairs, LoadedScene, Motion, SceneOptions, ScenePart},
};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// All parts to be checked.
#[derive(Debug)]
pub struct Assembly {
    /// For people: the name of the scene, folder or first file.
    pub title: String,
    /// The unit of all lengths; all files are brought to it.
    pub unit: Option<LengthUnit>,
    /// In the order in which they were read; folders in the order of their names.
    pub parts: Vec<AssembledPart>,
    /// Pairs that a scene asks to leave alone.
    pub ignored: IgnoredPairs,
    /// Files that could not be read, with --keep-going.
    pub skipped: Vec<Skipped>,
}

/// One placed part.
#[derive(Clone, Debug)]
pub struct AssembledPart {
    /// Names it in every run: its name, after the file's stem if there are several files, with a number if that occurs again.
    pub id: String,
    /// Its name in the file.
    pub name: String,
    /// The file as it was named.
    pub file: String,
    /// Its group in the scene, if any; rules may put it into another.
    pub group: Option<String>,
    /// Shared by all placements of one geometry.
    pub body: Arc<Body>,
    /// What to draw, where the body does not hold it: all but meshes that are not convex.
    pub shape: Option<Arc<Shape>>,
    /// Where it is; at the start, if it moves.
    pub pose: Pose,
    /// How it moves, if it does.
    pub motion: Option<Motion>,
    /// What was repaired or skipped while it was read.
    pub notes: Vec<String>,
}

/// What was in a file.
enum Content {
    Meshes(Document),
    Scene(LoadedScene),
}

impl Content {
    fn unit(&self) -> Option<LengthUnit> {
        match self {
            Content::Meshes(document) => document.unit,
            Content::Scene(scene) => scene.unit,
        }
    }
}

/// Reads files, folders (every mesh file in them, by name; those of folders below only if there is none at the top)
/// and scenes. Each geometry is built once, however often it is placed.
///
/// The unit is that of the first scene that has one, else `--unit`, else that of the first file that knows it; files in
/// other units are brought to it. `--unit` is that of files that do not state one.
pub fn load(inputs: &[PathBuf], read: &ReadArguments, keep_going: bool) -> Result<Assembly, Failure> {
    let files = list(inputs)?;
    let read_all: Vec<Result<Content, Failure>> =
        files.par_iter().map(|input| content(&input.path, read)).collect();
    let mut skipped = Vec::new();
    let mut contents = Vec::with_capacity(files.len());
    for (input, content) in files.iter().zip(read_all) {
        contents.push((input, kept(content, input, keep_going, &mut skipped)?));
    }
    let contents: Vec<(&Input, Content)> =
        contents.into_iter().filter_map(|(input, content)| Some((input, content?))).collect();
    let unit = common_unit(&contents, read)?;
    let built: Vec<(&Input, Result<Loaded, Failure>)> = contents
        .into_par_iter()
        .map(|(input, content)| (input, build(&input.path, content, unit, read)))
        .collect();
    let mut assembly =
        Assembly { title: title(inputs), unit, parts: Vec::new(), ignored: IgnoredPairs::default(), skipped };
    let mut names = Names::default();
    let is_single = inputs.len() == 1 && !inputs[0].is_dir();
    for (input, loaded) in built {
        let Some(loaded) = kept(loaded, input, keep_going, &mut assembly.skipped)? else { continue };
        assembly.ignored.append(loaded.ignored, assembly.parts.len());
        for part in loaded.parts {
            // The parts of a single file keep their ids when it is renamed.
            let base = if is_single && !part.name.is_empty() { "" } else { input.base.as_str() };
            let id = names.unique(base, &part.name);
            let file = input.path.display().to_string();
            assembly.parts.push(AssembledPart { id, file, ..part });
        }
    }
    if interrupt::requested() { Err(Failure::Interrupted) } else { Ok(assembly) }
}

/// A failure that is listed instead, if that was asked for.
fn kept<T>(
    result: Result<T, Failure>,
    input: &Input,
    keep_going: bool,
    skipped: &mut Vec<Skipped>,
) -> Result<Option<T>, Failure> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Failure::Input(error)) if keep_going => {
            skipped.push(Skipped { file: input.path.display().to_string(), error });
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}

fn title(inputs: &[PathBuf]) -> String {
    let Some(first) = inputs.first() else { return String::new() };
    let named = first.canonicalize().unwrap_or_else(|_| first.clone());
    named.file_name().unwrap_or(first.as_os_str()).to_string_lossy().into_owned()
}

fn content(file: &Path, read: &ReadArguments) -> Result<Content, Failure> {
    if interrupt::requested() {
        return Err(Failure::Interrupted);
    }
    if !bodies::is_scene(file) {
        return bodies::read_mesh(file).map(Content::Meshes);
    }
    let scene = interrupt::with_progress(file, |options| {
        let options = SceneOptions {
            allow_outside: read.allow_outside,
            default_unit: read.unit,
            weld: weld_of(read),
            defects: defects_of(read),
            read: options,
        };
        clearance_io::scene::load(file, &options)
    })?;
    Ok(Content::Scene(scene))
}

/// The unit that all lengths are brought to.
fn common_unit(contents: &[(&Input, Content)], read: &ReadArguments) -> Result<Option<LengthUnit>, Failure> {
    let known = |wanted: fn(&Content) -> bool| {
        contents.iter().filter(|(_, content)| wanted(content)).find_map(|(_, content)| content.unit())
    };
    let unit =
        known(|content| matches!(content, Content::Scene(_))).or(read.unit).or_else(|| known(|_| true));
    let Some(unit) = unit else { return Ok(None) };
    let silent = contents.iter().find(|(_, content)| content.unit().is_none());
    if let (Some((input, _)), None) = (silent, read.unit) {
        return Err(Failure::input(format_args!(
            "{}: the file does not state its unit, others do ({unit}): say what it is with --unit, such as --unit {unit}",
            input.path.display()
        )));
    }
    Ok(Some(unit))
}

/// The parts of a file; ids and the name of the file are still empty.
struct Loaded {
    parts: Vec<AssembledPart>,
    ignored: IgnoredPairs,
}

fn build(
    file: &Path,
    content: Content,
    unit: Option<LengthUnit>,
    read: &ReadArguments,
) -> Result<Loaded, Failure> {
    match content {
        Content::Scene(scene) => of_scene(file, scene, unit),
        Content::Meshes(document) => of_document(file, document, unit, read),
    }
}

fn of_scene(file: &Path, scene: LoadedScene, unit: Option<LengthUnit>) -> Result<Loaded, Failure> {
    let at = file.display();
    if let (Some(own), Some(unit)) = (scene.unit, unit)
        && own != unit
    {
        return Err(Failure::input(format_args!(
            "{at}: the scene is in {own}, an earlier one in {unit}: give both the same unit, or check them apart"
        )));
    }
    let mut distinct: Vec<&Arc<Shape>> = Vec::new();
    let mut place: FxHashMap<*const Shape, usize> = FxHashMap::default();
    for part in &scene.parts {
        place.entry(Arc::as_ptr(&part.shape)).or_insert_with(|| {
            distinct.push(&part.shape);
            distinct.len() - 1
        });
    }
    let bodies: Vec<Result<Arc<Body>, String>> = distinct.par_iter().map(|shape| body(shape)).collect();
    let notes: Vec<Vec<String>> = distinct.iter().map(|shape| repairs(shape)).collect();
    let of_part = |part: &ScenePart| -> Result<AssembledPart, Failure> {
        let failed = |problem: &str| Failure::input(format_args!("{at}: part `{}`: {problem}", part.name));
        let index = place[&Arc::as_ptr(&part.shape)];
        let body = bodies[index].as_ref().map_err(|error| failed(error))?;
        if Way::of(&part.pose, part.motion) == Way::Unknown {
            return Err(failed(
                "it flies on for ever, or beyond the largest coordinates: give a motion by `translate`, `to` or \
                 `screw`, or leave it out to check the part at rest",
            ));
        }
        Ok(AssembledPart {
            id: String::new(),
            name: part.name.clone(),
            file: String::new(),
            group: part.group.clone(),
            body: Arc::clone(body),
            shape: drawn(&part.shape, body),
            pose: part.pose,
            motion: part.motion,
            notes: part.source.notes.iter().chain(&notes[index]).cloned().collect(),
        })
    };
    let parts = scene.parts.iter().map(of_part).collect::<Result<_, _>>()?;
    Ok(Loaded { parts, ignored: scene.ignored })
}

/// A geometry of a file.
struct Built {
    body: Arc<Body>,
    shape: Option<Arc<Shape>>,
    repairs: Vec<String>,
}

fn of_document(
    file: &Path,
    document: Document,
    unit: Option<LengthUnit>,
    read: &ReadArguments,
) -> Result<Loaded, Failure> {
    let own = document.unit.or(read.unit);
    let conversion =
        own.zip(unit).filter(|(own, unit)| own != unit).map(|(own, unit)| Conversion::between(own, unit));
    let config = MeshConfig { weld: weld_of(read), defects: defects_of(read), ..MeshConfig::default() };
    let several = document.geometries.len() > 1;
    let geometries: Vec<Result<Built, Failure>> = document
        .geometries
        .into_par_iter()
        .map(|geometry| {
            if interrupt::requested() {
                return Err(Failure::Interrupted);
            }
            let soup = converted(geometry.soup, conversion);
            let part = if several { format!(" part `{}`:", geometry.name) } else { String::new() };
            let failed = |error: String| Failure::input(format_args!("{}:{part} {error}", file.display()));
            let shape =
                Mesh::build(&soup, &config).map(Shape::from).map_err(|error| failed(error.to_string()))?;
            drop(soup);
            let notes = repairs(&shape);
            let body = body(&shape).map_err(failed)?;
            let drawn = drawn(&Arc::new(shape), &body);
            Ok(Built { body, shape: drawn, repairs: notes })
        })
        .collect();
    let geometries: Vec<Built> = geometries.into_iter().collect::<Result<_, _>>()?;
    let mut parts = Vec::with_capacity(document.placements.len());
    let alone = document.placements.len() == 1;
    for placement in document.placements {
        let Some(Built { body, shape, repairs }) = geometries.get(placement.geometry) else { continue };
        // What the reader says is about the whole file, which the first part speaks for.
        let of_file = document.notes.iter().filter(|_| parts.is_empty());
        let of_file = of_file.map(|note| if alone { note.clone() } else { format!("its file: {note}") });
        let notes = of_file.chain(repairs.iter().cloned()).collect();
        parts.push(AssembledPart {
            id: String::new(),
            name: placement.name,
            file: String::new(),
            group: None,
            body: Arc::clone(body),
            shape: shape.clone(),
            pose: moved(placement.pose, conversion, file)?,
            motion: None,
            notes,
        });
    }
    Ok(Loaded { parts, ignored: IgnoredPairs::default() })
}

fn converted(mut soup: TriangleSoup, conversion: Option<Conversion>) -> TriangleSoup {
    if let Some(conversion) = conversion {
        soup.positions.iter_mut().for_each(|point: &mut DVec3| *point = conversion.apply(*point));
    }
    soup
}

fn moved(pose: Pose, conversion: Option<Conversion>, file: &Path) -> Result<Pose, Failure> {
    let Some(conversion) = conversion else { return Ok(pose) };
    Pose::new(pose.rotation(), conversion.apply(pose.translation()))
        .map_err(|error| Failure::input(format_args!("{}: {error}", file.display())))
}

fn body(shape: &Shape) -> Result<Arc<Body>, String> {
    Body::try_from(shape).map(Arc::new).map_err(|error| error.to_string())
}

/// The shape, if it must be kept beside the body.
fn drawn(shape: &Arc<Shape>, body: &Body) -> Option<Arc<Shape>> {
    body.as_mesh().is_none().then(|| Arc::clone(shape))
}

/// What was repaired.
fn repairs(shape: &Shape) -> Vec<String> {
    match shape {
        Shape::Mesh(mesh) => {
            let mut lines = mesh.report().lines();
            // The last says what was built, and formats that repeat corners have them merged always.
            lines.pop();
            lines.retain(|line| !line.contains(" merged into "));
            lines
        }
        _ => Vec::new(),
    }
}

/// Ids given so far.
#[derive(Default)]
struct Names {
    taken: FxHashSet<String>,
    /// How often each was asked for.
    count: FxHashMap<String, usize>,
}

impl Names {
    /// The base and the name, or one of them if that is enough, with a number from the second time on.
    fn unique(&mut self, base: &str, name: &str) -> String {
        let stem = base.rsplit('/').next().unwrap_or(base);
        let wanted = match (base, name) {
            ("", name) => name.into(),
            (base, name) if name.is_empty() || name == stem => base.into(),
            (base, name) => format!("{base}/{name}"),
        };
        let count = self.count.entry(wanted.clone()).or_insert(0);
        loop {
            *count += 1;
            let id = if *count == 1 { wanted.clone() } else { format!("{wanted}#{count}") };
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }
}

#[cfg(test)]
mod tests;
