//! From what the user names to bodies with velocities.

use super::{
    Environment,
    placed::placed,
    strewn::{Fill, strewn},
};
use crate::{
    args::{SampleShape, SimulateArguments},
    bodies::{Body, Opened, is_scene, open},
    interrupt,
    output::{Failure, counted},
};
use clearance::{
    math::Random,
    shape::{
        Shape,
        sample::{PolytopeKind, random_polytope},
    },
    world::ShapeHandle,
};
use clearance_io::{Format, LengthUnit, scene::similar};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
};

/// Random polytopes of a sample that take turns.
const SHAPES: usize = 10;

/// All that is there before the first frame.
#[derive(Debug)]
pub struct Setup {
    pub environment: Environment,
    pub unit: Option<LengthUnit>,
    /// Of the random numbers.
    pub seed: u64,
    /// What was chosen for the user, one sentence each.
    pub notes: Vec<String>,
}

/// A shape that bodies share.
pub(super) struct Prepared {
    pub name: String,
    pub shape: Arc<Shape>,
    pub handle: ShapeHandle,
    /// Of a ball around the middle of its box.
    pub radius: f64,
}

impl Setup {
    /// The sample, or the bodies of a file.
    pub fn new(arguments: &SimulateArguments) -> Result<Setup, Failure> {
        let fill = Fill {
            bodies: arguments.bodies.unwrap_or(100) as usize,
            density: arguments.density.unwrap_or(0.1),
            speed: arguments.speed.unwrap_or(0.05),
            spin: arguments.spin.unwrap_or(10.0).to_radians(),
            seed: arguments.seed.unwrap_or(1),
        };
        match sample_count(&arguments.scene, arguments.bodies)? {
            Some(bodies) => {
                let read = &arguments.read;
                refuse(
                    [
                        ("--strict", read.strict),
                        ("--weld", read.weld.is_some()),
                        ("--allow-outside", read.allow_outside),
                    ],
                    "is for files; the sample needs none",
                )?;
                let kind = arguments.shape.unwrap_or(SampleShape::Ellipsoid);
                let sample = Setup::sample(kind, arguments.vertices.unwrap_or(20), &Fill { bodies, ..fill })?;
                Ok(Setup { unit: read.unit, ..sample })
            }
            None => Setup::file(arguments, &fill),
        }
    }

    /// Random polytopes at random places.
    pub fn sample(kind: SampleShape, vertices: u32, fill: &Fill) -> Result<Setup, Failure> {
        let mut random = Random::new(fill.seed);
        let (of_kind, name) = match kind {
            SampleShape::Ellipsoid => (PolytopeKind::Ellipsoid, "random ellipsoid"),
            SampleShape::Rod => (PolytopeKind::ThinRod, "random rod"),
            SampleShape::Plate => (PolytopeKind::Plate, "random plate"),
        };
        let mut shapes = Vec::new();
        for _ in 0..SHAPES.min(fill.bodies) {
            let polytope = random_polytope(of_kind, vertices, random.bits());
            let shape = Shape::from(polytope.map_err(|error| Failure::Usage(error.to_string()))?);
            shapes.push(prepared("body", &Arc::new(shape))?);
        }
        let what = format!("{} of {vertices} vertices", counted(shapes.len(), name));
        let turns = if fill.bodies > shapes.len() { " take turns" } else { "" };
        let environment = strewn(&shapes, fill, &mut random)?;
        Ok(Setup {
            environment,
            unit: None,
            seed: fill.seed,
            notes: vec![format!("{what}{turns}"), fill.to_string()],
        })
    }

    fn file(arguments: &SimulateArguments, fill: &Fill) -> Result<Setup, Failure> {
        refuse(
            [("--shape", arguments.shape.is_some()), ("--vertices", arguments.vertices.is_some())],
            "is for the sample; bodies of a file have their shapes",
        )?;
        expect_scene(&arguments.scene)?;
        let opened = open(Path::new(&arguments.scene), &arguments.read)?;
        if opened.bodies.is_empty() {
            return Err(Failure::input(format_args!(
                "{}: it has no parts, so nothing can fly",
                arguments.scene
            )));
        }
        let shapes = prepared_all(&opened)?;
        let mut random = Random::new(fill.seed);
        if arguments.bodies.is_none() {
            refuse(
                [("--density", arguments.density.is_some())],
                "is for bodies at random places; add --bodies, or leave it out",
            )?;
            if opened.bodies.iter().any(|body| body.motion.is_some()) {
                refuse(
                    [
                        ("--speed", arguments.speed.is_some()),
                        ("--spin", arguments.spin.is_some()),
                        ("--seed", arguments.seed.is_some()),
                    ],
                    "is for random velocities, and the file states motions; leave it out, or add --bodies",
                )?;
            }
            return placed(&opened, &shapes, fill, &mut random, f64::from(arguments.fps));
        }
        let known = shapes.len();
        let mut seen = BTreeSet::new();
        let mut distinct = shapes;
        distinct.retain(|prepared| {
            seen.insert(Arc::as_ptr(&prepared.shape)) && prepared.shape.bounds().is_some()
        });
        if distinct.is_empty() {
            return Err(Failure::input(format_args!("{}: nothing in it has bounds", arguments.scene)));
        }
        let mut notes = vec![format!("{} take turns", counted(distinct.len(), "shape")), fill.to_string()];
        if distinct.len() == 1 {
            notes[0] = "copies of its only shape".into();
        }
        if known > 1 {
            notes.push("poses and motions in the file are not used, with --bodies".into());
        }
        let environment = strewn(&distinct, fill, &mut random)?;
        Ok(Setup { environment, unit: opened.unit, seed: fill.seed, notes })
    }
}

/// Refuses the first option that is given and would be ignored.
fn refuse<const N: usize>(options: [(&str, bool); N], why: &str) -> Result<(), Failure> {
    match options.into_iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => Err(Failure::Usage(format!("{name} {why}"))),
        None => Ok(()),
    }
}

/// Refuses a name that is neither a scene's nor a mesh file's, with all that could be meant.
fn expect_scene(scene: &str) -> Result<(), Failure> {
    let file = Path::new(scene);
    let what = if file.is_dir() {
        "is a folder"
    } else if !file.exists() {
        "there is no such file"
    } else if !is_scene(file) && Format::from_path(file).is_none() {
        "unknown extension"
    } else {
        return Ok(());
    };
    let meshes: Vec<String> = Format::ALL.iter().map(|format| format!(".{}", format.extension())).collect();
    let (name, count) = scene.split_at(scene.find(':').unwrap_or(scene.len()));
    let is_meant = !similar(&name.to_lowercase(), ["sample"].iter()).is_empty();
    let hint = if is_meant { format!("; did you mean `sample{count}`?") } else { String::new() };
    Err(Failure::input(format_args!(
        "{scene}: {what}; give a scene (.json), a mesh file ({}) or sample:N{hint}",
        meshes.join(", ")
    )))
}

/// How many bodies a name such as `sample:500` asks for; `None` if it is the name of a file.
fn sample_count(scene: &str, bodies: Option<u32>) -> Result<Option<usize>, Failure> {
    let text = match scene.strip_prefix("sample") {
        Some("") => return Ok(Some(bodies.unwrap_or(100) as usize)),
        Some(rest) => rest.strip_prefix(':'),
        None => None,
    };
    let Some(text) = text else { return Ok(None) };
    if bodies.is_some() {
        return Err(Failure::Usage(format!("`{scene}` says how many bodies; leave out --bodies")));
    }
    let count = text.parse::<u32>().ok().filter(|count| (1..=1_000_000).contains(count));
    let count =
        count.ok_or_else(|| Failure::Usage(format!("`{scene}`: give sample:N with N from 1 to 1000000")))?;
    Ok(Some(count as usize))
}

fn prepared(name: &str, shape: &Arc<Shape>) -> Result<Prepared, Failure> {
    let handle =
        ShapeHandle::new(shape).map_err(|error| Failure::input(format_args!("`{name}`: {error}")))?;
    Ok(Prepared { name: name.into(), shape: Arc::clone(shape), handle, radius: radius_of(shape) })
}

/// One for each body; bodies that share a shape share its handle.
fn prepared_all(opened: &Opened) -> Result<Vec<Prepared>, Failure> {
    let mut known: BTreeMap<*const Shape, ShapeHandle> = BTreeMap::new();
    let mut all = Vec::with_capacity(opened.bodies.len());
    for Body { name, shape, .. } in &opened.bodies {
        if interrupt::requested() {
            return Err(Failure::Interrupted);
        }
        let radius = radius_of(shape);
        all.push(match known.get(&Arc::as_ptr(shape)) {
            Some(handle) => {
                Prepared { name: name.clone(), shape: Arc::clone(shape), handle: handle.clone(), radius }
            }
            None => prepared(name, shape)?,
        });
        let handle = all.last().map(|prepared| prepared.handle.clone());
        known.extend(handle.map(|handle| (Arc::as_ptr(shape), handle)));
    }
    Ok(all)
}

/// The largest distance of a corner from the middle of the box; for curved shapes half the diagonal of the box.
fn radius_of(shape: &Shape) -> f64 {
    let Some(bounds) = shape.bounds() else { return 0.0 };
    let corners = match shape {
        Shape::Mesh(mesh) => mesh.positions(),
        Shape::Polytope(polytope) => polytope.vertices(),
        Shape::Primitive(_) | Shape::Rounded(_) => return 0.5 * bounds.extent().length(),
    };
    corners.iter().map(|corner| corner.distance(bounds.center())).fold(0.0, f64::max)
}
