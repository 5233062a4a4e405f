//! `clearance demo`: sample parts, their report, and a picture.

use crate::{
    args::{DemoArguments, SampleShape},
    bodies::{Body, drawing_of, write_picture},
    output::{self, Failure, Verdict, strong},
    report::{PartReport, part_table},
    simulate::{Fill, Recorder, Setup, Tally},
};
use clearance::{
    Pose,
    glam::DVec3,
    shape::{
        Mesh, MeshConfig, Shape, TriangleSoup,
        sample::{self, GearConfig, PolytopeKind, SamplePart, ThreadConfig},
    },
};
use clearance_io::LengthUnit;
use schemars::JsonSchema;
use serde::Serialize;
use std::{fmt::Display, path::Path, sync::Arc, time::Duration};

/// What `demo --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "clearance demo --json")]
pub struct DemoReport {
    /// Unit of all lengths.
    pub unit: &'static str,
    /// The parts that were built.
    pub parts: Vec<PartReport>,
    /// Polytopes that flew in a box.
    pub flight: FlightReport,
    /// The files that were written.
    pub written: Vec<String>,
}

/// What the flight came to.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct FlightReport {
    /// How many flew.
    pub bodies: usize,
    /// For how long.
    pub frames: usize,
    /// Collisions that began.
    pub began: usize,
    /// Collisions that ended.
    pub ended: usize,
}

const UNIT: LengthUnit = LengthUnit::Millimetre;

pub fn run(arguments: &DemoArguments) -> Result<Verdict, Failure> {
    let folder = &arguments.output;
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::input(format_args!("{}: cannot be made: {error}", folder.display())))?;
    let bodies = bodies()?;
    let mut report = DemoReport {
        unit: UNIT.symbol(),
        parts: bodies.iter().map(PartReport::new).collect(),
        flight: FlightReport::default(),
        written: Vec::new(),
    };
    let mut drawing = drawing_of("clearance demo: sample parts", Some(UNIT), &bodies);
    for (drawn, part) in drawing.bodies.iter_mut().zip(&report.parts) {
        drawn.note = output::counted(part.triangles, "triangle");
    }
    let within = |name: &str| if folder.as_os_str() == "." { name.into() } else { folder.join(name) };
    for name in ["clearance-demo.svg", "clearance-demo.glb"] {
        let file = within(name);
        write_picture(&drawing, &file)?;
        report.written.push(file.display().to_string());
    }
    let file = within("clearance-demo-flight.glb");
    report.flight = flight(&file)?;
    report.written.push(file.display().to_string());
    if arguments.json {
        output::print_json(&report);
    } else {
        print_report(&report);
    }
    Ok(Verdict::Fine)
}

fn print_report(report: &DemoReport) {
    let [svg, glb, flight] = [0, 1, 2].map(|i| report.written.get(i).map_or("", String::as_str));
    let FlightReport { bodies, frames, began, .. } = report.flight;
    output::print(&format!(
        "{}  sample parts, lengths in {UNIT}\n{}\n\
         {svg}   the picture: open it in a browser\n\
         {glb}   the same in 3-D: drop it on any glTF viewer\n\
         {flight}   {bodies} polytopes in a box, {frames} frames, {began} collisions: let it play\n\n\
         {}\n  \
         clearance info {glb}\n  \
         clearance make gear --teeth 32 -o gear.stl && clearance info gear.stl --unit mm\n  \
         clearance hull gear.stl -o hull.ply\n  \
         clearance simulate sample:500 --frames 200 --picture last.svg\n  \
         clearance make --list\n",
        strong("clearance demo"),
        part_table(&report.parts, Some(UNIT)),
        strong("What to try next"),
    ));
}

/// A small box of random polytopes, written as an animation.
fn flight(file: &Path) -> Result<FlightReport, Failure> {
    const FRAMES: usize = 150;
    let fill = Fill { bodies: 24, density: 0.2, speed: 0.05, spin: 4f64.to_radians(), seed: 1 };
    let mut setup = Setup::sample(SampleShape::Ellipsoid, 24, &fill)?;
    let (mut tally, mut recorder) = (Tally::default(), Recorder::default());
    for _ in 0..=FRAMES {
        tally.add(&setup.environment.step()?, Duration::ZERO);
        recorder.record(&setup.environment);
    }
    recorder.write(&setup.environment, None, 25.0, file)?;
    let (frames, began, ended) = (tally.frames(), tally.began, tally.ended);
    Ok(FlightReport { bodies: fill.bodies, frames, began, ended })
}

/// Two gears in mesh, a bolt with its nut, a random polytope and a model car.
fn bodies() -> Result<Vec<Body>, Failure> {
    let wheel = GearConfig { teeth: 28, bore_radius: 9.0, ..GearConfig::default() };
    let pinion = GearConfig { teeth: 14, bore_radius: 4.0, ..GearConfig::default() };
    let apart = wheel.pitch_radius() + pinion.pitch_radius();
    let half_a_tooth = 0.5 / f64::from(pinion.teeth);
    let mut bodies = vec![
        body("wheel", sample::gear(&wheel).map_err(made)?, Pose::IDENTITY)?,
        body(
            "pinion",
            sample::gear(&pinion).map_err(made)?,
            turned(half_a_tooth, DVec3::new(apart, 0.0, 0.0))?,
        )?,
    ];
    let thread = ThreadConfig { length: 30.0, ..ThreadConfig::default() };
    for SamplePart { name, soup, pose } in sample::fastener(&thread).map_err(made)? {
        bodies.push(body(&name, soup, placed(DVec3::new(-22.0, -46.0, -5.0))? * pose)?);
    }
    let polytope = sample::random_polytope(PolytopeKind::Ellipsoid, 200, 7).map_err(made)?;
    bodies.push(body("polytope", scaled(polytope.to_soup(), 13.0), placed(DVec3::new(12.0, -46.0, 1.5))?)?);
    bodies.push(body("car", scaled(sample::car().to_soup(), 7.0), placed(DVec3::new(50.0, -38.0, -5.0))?)?);
    Ok(bodies)
}

fn scaled(soup: TriangleSoup, factor: f64) -> TriangleSoup {
    TriangleSoup { positions: soup.positions.iter().map(|&p| p * factor).collect(), ..soup }
}

fn made(error: impl Display) -> Failure {
    Failure::input(error)
}

fn placed(translation: DVec3) -> Result<Pose, Failure> {
    Pose::from_translation(translation).map_err(made)
}

fn turned(turns: f64, translation: DVec3) -> Result<Pose, Failure> {
    Pose::from_axis_angle(DVec3::Z, turns * std::f64::consts::TAU, translation).map_err(made)
}

fn body(name: &str, soup: TriangleSoup, pose: Pose) -> Result<Body, Failure> {
    let mesh = Mesh::build(&soup, &MeshConfig::default()).map_err(made)?;
    Ok(Body {
        name: name.into(),
        shape: Arc::new(Shape::from(mesh)),
        pose,
        group: None,
        motion: None,
        notes: Vec::new(),
    })
}
