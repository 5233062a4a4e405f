//! `clearance demo`: sample parts, their report, and a picture.

use crate::{
    args::DemoArguments,
    bodies::{Body, drawing_of, write_picture},
    output::{self, Failure, Verdict, strong},
    report::{PartReport, part_table},
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
use std::{fmt::Display, rc::Rc};

/// What `demo --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "clearance demo --json")]
pub struct DemoReport {
    /// Unit of all lengths.
    pub unit: &'static str,
    /// The parts that were built.
    pub parts: Vec<PartReport>,
    /// The files that were written.
    pub written: Vec<String>,
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
        written: Vec::new(),
    };
    let mut drawing = drawing_of("clearance demo: sample parts", Some(UNIT), &bodies);
    for (drawn, part) in drawing.bodies.iter_mut().zip(&report.parts) {
        drawn.note = output::counted(part.triangles, "triangle");
    }
    for name in ["clearance-demo.svg", "clearance-demo.glb"] {
        let file = if folder.as_os_str() == "." { name.into() } else { folder.join(name) };
        write_picture(&drawing, &file)?;
        report.written.push(file.display().to_string());
    }
    if arguments.json {
        output::print_json(&report);
    } else {
        print_report(&report);
    }
    Ok(Verdict::Fine)
}

fn print_report(report: &DemoReport) {
    let [svg, glb] = [0, 1].map(|i| report.written.get(i).map_or("", String::as_str));
    output::print(&format!(
        "{}  sample parts, lengths in {UNIT}\n{}\n\
         {svg}   the picture: open it in a browser\n\
         {glb}   the same in 3-D: drop it on any glTF viewer\n\n\
         {}\n  \
         clearance info {glb}\n  \
         clearance make gear --teeth 32 -o gear.stl && clearance info gear.stl --unit mm\n  \
         clearance hull gear.stl -o hull.ply\n  \
         clearance make --list\n",
        strong("clearance demo"),
        part_table(&report.parts, Some(UNIT)),
        strong("What to try next"),
    ));
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
    Ok(Body { name: name.into(), shape: Rc::new(Shape::from(mesh)), pose, group: None, notes: Vec::new() })
}
