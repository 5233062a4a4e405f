//! `clearance demo`: a gearbox with mistakes in it, checked and reported; a box full of polytopes, and events in the plane.

use super::clash as clash_verb;
use crate::{
    args::{Cli, DemoArguments, SampleShape, Verb},
    kinetic,
    output::{self, Failure, Verdict, counted, faint, strong},
    simulate::{Fill, Recorder, Setup, Tally},
};
use clap::Parser;
use clearance::shape::sample::{SamplePart, gearbox};
use clearance_io::{
    Document, LengthUnit,
    scene::{MotionFile, Number, PartFile, PoseFile, SceneFile, ShapeFile, UnitSymbol},
    write,
};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

const RULES: &str = include_str!("demo-rules.toml");
/// How far the slide is to go.
const TRAVEL: [f64; 3] = [-40.0, 0.0, 0.0];

pub fn run(arguments: &DemoArguments) -> Result<Verdict, Failure> {
    let within = |name: &str| match arguments.output.as_os_str() == "." {
        true => PathBuf::from(name),
        false => arguments.output.join(name),
    };
    let [folder, page, flight_file] =
        ["clearance-demo", "clearance-demo.html", "clearance-demo-flight.glb"].map(within);
    let [scene, rules] = ["gearbox.json", "rules.toml"].map(|name| folder.join(name));
    write_assembly(&folder, &scene, &rules)?;
    let words = ["clash", &text(&scene), "--rules", &text(&rules), "-o", &text(&page)].map(String::from);
    if !arguments.json {
        output::print(&format!(
            "{}  a gearbox with five mistakes, and a slide that is to move by 40 mm\n{}\n\n",
            strong("clearance demo"),
            faint(format_args!("$ clearance {}", words.join(" "))),
        ));
    }
    let verdict = clash(&words, arguments.json)?;
    let flight = flight(&flight_file)?;
    let [plane, events_file] = [folder.join("plane.json"), within("clearance-demo-events.svg")];
    let events = kinetic::demonstrate(&plane, &events_file)?;
    if !arguments.json && verdict != Verdict::CutShort {
        output::print(&format!(
            "{} written: {flight}; let it play in any glTF viewer\n\
             {} written: {events}; open it in a browser\n{}",
            text(&flight_file),
            text(&events_file),
            next(&text(&scene), &text(&rules), &text(&folder))
        ));
    }
    // That mistakes were found is what was to be shown.
    Ok(if verdict == Verdict::Found { Verdict::Fine } else { verdict })
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

fn next(scene: &str, rules: &str, folder: &str) -> String {
    format!(
        "\n{}\n  \
         clearance clash {scene} --rules {rules} --report-touching --volume\n  \
         clearance sweep {scene} --picture contact.svg\n  \
         clearance relate {folder}/wheel.ply {folder}/sensor.ply --unit mm\n  \
         clearance simulate sample:500 --frames 200 --picture last.svg\n  \
         clearance simulate {folder}/plane.json --kinetic --until 16 --certificates\n  \
         clearance make --list\n",
        strong("What to try next"),
    )
}

/// Does what the words say as if they had been typed.
fn clash(words: &[String], json: bool) -> Result<Verdict, Failure> {
    let words = std::iter::once("clearance").chain(words.iter().map(String::as_str));
    let words = words.chain(json.then_some("--json"));
    match Cli::try_parse_from(words).map_err(Failure::input)?.verb {
        Verb::Clash(arguments) => clash_verb::run(&arguments),
        _ => Ok(Verdict::Fine),
    }
}

/// The parts as files, each shape once, with the scene that places them and the rules.
fn write_assembly(folder: &Path, scene: &Path, rules: &Path) -> Result<(), Failure> {
    let refused = |file: &Path, error: std::io::Error| {
        Failure::input(format_args!("{}: cannot be written: {error}", file.display()))
    };
    std::fs::create_dir_all(folder).map_err(|error| refused(folder, error))?;
    let mut shapes = Document { unit: Some(LengthUnit::Millimetre), ..Document::default() };
    let mut parts = Vec::new();
    for SamplePart { name, soup, pose } in gearbox().map_err(Failure::input)? {
        let before = shapes.geometries.len();
        let geometry = shapes.place(&name, soup, pose);
        let file = format!("{}.ply", shapes.geometries[geometry].name.replace(' ', "-"));
        if geometry == before {
            let soup = shapes.geometries[geometry].soup.clone();
            write(folder.join(&file), &Document::from_soup(&name, soup))?;
        }
        let motion = || MotionFile { translate: Some(TRAVEL.map(Number)), ..MotionFile::default() };
        parts.push(PartFile {
            shape: ShapeFile { mesh: Some(file), ..ShapeFile::default() },
            pose: Some(PoseFile::Rows(pose.to_rows().map(Number))),
            motion: (name == "slide").then(motion),
            name,
            group: None,
        });
    }
    let file = SceneFile { unit: Some(UnitSymbol(LengthUnit::Millimetre)), parts, ..SceneFile::default() };
    // A scene holds strings and finite numbers, so it is always written.
    let json = serde_json::to_string_pretty(&file).unwrap_or_default() + "\n";
    std::fs::write(scene, json).map_err(|error| refused(scene, error))?;
    std::fs::write(rules, RULES).map_err(|error| refused(rules, error))
}

/// A small box of random polytopes, written as an animation; says what flew.
fn flight(file: &Path) -> Result<String, Failure> {
    const FRAMES: usize = 150;
    let fill = Fill { bodies: 24, density: 0.2, speed: 0.05, spin: 4f64.to_radians(), seed: 1 };
    let mut setup = Setup::sample(SampleShape::Ellipsoid, 24, &fill)?;
    let (mut tally, mut recorder) = (Tally::default(), Recorder::default());
    for _ in 0..=FRAMES {
        tally.add(&setup.environment.step()?, Duration::ZERO);
        recorder.record(&setup.environment);
    }
    recorder.write(&setup.environment, None, 25.0, file)?;
    Ok(format!("{} in a box, {}", counted(fill.bodies, "polytope"), counted(tally.began, "collision")))
}
