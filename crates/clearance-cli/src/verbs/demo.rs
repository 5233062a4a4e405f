//! `clearance demo`: a gearbox with mistakes in it, checked and reported; a box full of polytopes, and events in the plane.

use super::clash as clash_verb;
use crate::{
    args::{Cli, DemoArguments, SampleShape, Verb},
    kinetic,
    output::{self, Failure, Verdict, counted, faint, strong},
    simulate::{Fill, Recorder, Setup, Tally},
    sweep,
};
use clap::Parser;
use clearance::{
    glam::DVec3,
    shape::sample::{LEVER_PIVOT, SamplePart, gearbox},
};
use clearance_io::{
    Document, LengthUnit,
    scene::{MotionFile, Number, PartFile, PoseFile, SceneFile, ScrewFile, ShapeFile, UnitSymbol},
    write,
};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

const RULES: &str = include_str!("demo-rules.toml");
/// How far the slide is to go.
const TRAVEL: [f64; 3] = [-40.0, 0.0, 0.0];
/// How far the lever and its pin are to turn, clockwise.
const SWING: f64 = std::f64::consts::FRAC_PI_3;

pub fn run(arguments: &DemoArguments) -> Result<Verdict, Failure> {
    let within = |name: &str| match arguments.output.as_os_str() == "." {
        true => PathBuf::from(name),
        false => arguments.output.join(name),
    };
    let [folder, page, flight_file] =
        ["clearance-demo", "clearance-demo.html", "clearance-demo-flight.glb"].map(within);
    let [scene, rules, linkage] =
        ["gearbox.json", "rules.toml", "linkage.json"].map(|name| folder.join(name));
    write_assembly(&folder, [&scene, &linkage], &rules)?;
    let words = ["clash", &text(&scene), "--rules", &text(&rules), "-o", &text(&page)].map(String::from);
    if !arguments.json {
        output::print(&format!(
            "{}  a gearbox with six mistakes; a slide is to move by 40 mm, and a lever to turn by 60 degrees\n{}\n\n",
            strong("clearance demo"),
            faint(format_args!("$ clearance {}", words.join(" "))),
        ));
    }
    let verdict = execute(&words, arguments.json)?;
    if !arguments.json && verdict != Verdict::CutShort {
        let animation = text(&folder.join("linkage.glb"));
        let words = ["sweep", &text(&linkage), "--first", "--glb", &animation].map(String::from);
        output::print(&format!("\n{}\n\n", faint(format_args!("$ clearance {}", words.join(" ")))));
        execute(&words, false)?;
        output::print("\n");
    }
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
         clearance sweep {folder}/linkage.json --all --picture contact.svg\n  \
         clearance relate {folder}/wheel.ply {folder}/sensor.ply --unit mm\n  \
         clearance simulate sample:500 --frames 200 --picture last.svg\n  \
         clearance simulate {folder}/plane.json --kinetic --until 16 --certificates\n  \
         clearance make --list\n",
        strong("What to try next"),
    )
}

/// Does what the words say as if they had been typed.
fn execute(words: &[String], json: bool) -> Result<Verdict, Failure> {
    let words = std::iter::once("clearance").chain(words.iter().map(String::as_str));
    let words = words.chain(json.then_some("--json"));
    match Cli::try_parse_from(words).map_err(Failure::input)?.verb {
        Verb::Clash(arguments) => clash_verb::run(&arguments),
        Verb::Sweep(arguments) => sweep::run(&arguments),
        _ => Ok(Verdict::Fine),
    }
}

/// What moves, and what it may meet, for a scene of their own.
const LINKAGE: [&str; 6] = ["slide", "pivot", "pivot washer", "lever", "lever pin", "guard"];

/// The parts as files, each shape once, with the scene that places them all, that of the linkage, and the rules.
fn write_assembly(folder: &Path, [scene, linkage]: [&Path; 2], rules: &Path) -> Result<(), Failure> {
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
        parts.push(PartFile {
            shape: ShapeFile { mesh: Some(file), ..ShapeFile::default() },
            pose: Some(PoseFile::Rows(pose.to_rows().map(Number))),
            motion: motion_of(&name),
            name,
            group: None,
        });
    }
    let moving = parts.iter().filter(|part| LINKAGE.contains(&part.name.as_str())).cloned().collect();
    for (file, parts) in [(scene, parts), (linkage, moving)] {
        let content =
            SceneFile { unit: Some(UnitSymbol(LengthUnit::Millimetre)), parts, ..SceneFile::default() };
        // A scene holds strings and finite numbers, so it is always written.
        let json = serde_json::to_string_pretty(&content).unwrap_or_default() + "\n";
        std::fs::write(file, json).map_err(|error| refused(file, error))?;
    }
    std::fs::write(rules, RULES).map_err(|error| refused(rules, error))
}

/// How a part of the gearbox is to move.
fn motion_of(name: &str) -> Option<MotionFile> {
    let none = MotionFile::default();
    match name {
        "slide" => Some(MotionFile { translate: Some(TRAVEL.map(Number)), ..none }),
        // One screw for both, so that they stay as they are to each other, bit for bit.
        "lever" | "lever pin" => {
            let [axis, center] = [-DVec3::Z, LEVER_PIVOT].map(|v| (v + DVec3::ZERO).to_array().map(Number));
            let screw = ScrewFile { axis, center, angle: Number(SWING), ..ScrewFile::default() };
            Some(MotionFile { screw: Some(screw), ..none })
        }
        _ => None,
    }
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
