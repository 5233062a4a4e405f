//! The planar part of `clearance demo`.

use super::{Scene, animation::animate};
use crate::output::{Failure, counted};
use clearance::kinetic::{EventKind, Plane};
use clearance_io::scene::parse_planar;
use std::path::Path;

const SCENE: &str = include_str!("demo-plane.json");
/// How long the scene is followed.
const UNTIL: f64 = 16.0;

/// Writes a planar scene and its run as an animation; says what happened.
pub fn demonstrate(scene_file: &Path, animation: &Path) -> Result<String, Failure> {
    let bodies = parse_planar(SCENE, scene_file)?;
    let scene = Scene { name: "events instead of frames".to_owned(), bodies, plane: Plane::default() };
    for (file, text) in [(scene_file, SCENE), (animation, &animate(&scene, UNTIL))] {
        let refused = |error| Failure::input(format_args!("{}: cannot be written: {error}", file.display()));
        std::fs::write(file, text).map_err(refused)?;
    }
    let mut simulation = scene.begin();
    while simulation.advance_to(UNTIL).is_some() {}
    let counts = simulation.statistics();
    let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    Ok(format!(
        "{} in the plane, {}, {} failed",
        counted(scene.bodies.len(), "body").replace("bodys", "bodies"),
        counted(whole(counts.count(EventKind::Collision)), "collision"),
        counted(whole(counts.certificate_failures()), "certificate"),
    ))
}
