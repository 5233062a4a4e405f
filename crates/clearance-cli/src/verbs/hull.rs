//! `clearance hull`: the exact convex hull of all points in a file.

use crate::{
    args::{HullArguments, ReadArguments},
    bodies::{is_scene, open, read_mesh},
    interrupt,
    output::{self, Failure, Verdict, counted, short, unit_name},
    verbs::make::check_extension,
};
use clearance::{
    glam::DVec3,
    shape::{Polytope, Primitive, Shape},
};
use clearance_io::{Document, LengthUnit, write};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

/// What `hull --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "clearance hull --json")]
pub struct HullReport {
    /// The file that was read.
    pub file: String,
    /// The file that was written; null if none was asked for.
    pub output: Option<String>,
    /// Unit of all lengths; null if nobody stated it.
    pub unit: Option<&'static str>,
    /// Distinct points that went in.
    pub points: usize,
    /// Dimension of the hull, 0 to 3.
    pub dimension: usize,
    /// Vertices of the hull.
    pub vertices: usize,
    /// Edges of the hull.
    pub edges: usize,
    /// Faces of the hull; coplanar triangles are one face.
    pub faces: usize,
    /// Its volume.
    pub volume: f64,
    /// Edge lengths of its box.
    pub extents: [f64; 3],
}

pub fn run(arguments: &HullArguments) -> Result<Verdict, Failure> {
    if let Some(output) = &arguments.output {
        check_extension(output)?;
    }
    let (points, unit) =
        if is_scene(&arguments.file) { scene_points(arguments) } else { mesh_points(arguments) }?;
    let points = distinct(points);
    if interrupt::requested() {
        return Err(Failure::Interrupted);
    }
    let hull = Polytope::hull(&points)
        .map_err(|error| Failure::input(format_args!("{}: {error}", arguments.file.display())))?;
    let report = HullReport {
        file: arguments.file.display().to_string(),
        output: arguments.output.as_ref().map(|output| output.display().to_string()),
        unit: unit.map(LengthUnit::symbol),
        points: points.len(),
        dimension: hull.dimension(),
        vertices: hull.vertices().len(),
        edges: hull.edge_count(),
        faces: hull.face_count(),
        volume: hull.volume(),
        extents: hull.bounds().extent().to_array(),
    };
    if let Some(output) = &arguments.output {
        write_hull(&hull, unit, output)?;
    }
    if arguments.json {
        output::print_json(&report);
    } else {
        print_report(&report, unit);
    }
    Ok(Verdict::Fine)
}

type Points = (Vec<DVec3>, Option<LengthUnit>);

/// All positions of a mesh file, placed; also those that no triangle uses.
fn mesh_points(arguments: &HullArguments) -> Result<Points, Failure> {
    let document = read_mesh(&arguments.file)?;
    Ok((document.to_soup().positions, document.unit.or(arguments.unit)))
}

/// All corners of all parts of a scene, placed.
fn scene_points(arguments: &HullArguments) -> Result<Points, Failure> {
    let read = ReadArguments {
        unit: arguments.unit,
        allow_outside: arguments.allow_outside,
        ..ReadArguments::default()
    };
    let opened = open(&arguments.file, &read)?;
    let mut points = Vec::new();
    for body in &opened.bodies {
        let corners = match &*body.shape {
            Shape::Mesh(mesh) => mesh.positions().to_vec(),
            Shape::Polytope(polytope) => polytope.vertices().to_vec(),
            Shape::Primitive(Primitive::Triangle(triangle)) => triangle.corners().to_vec(),
            Shape::Primitive(Primitive::Segment(segment)) => segment.ends().to_vec(),
            Shape::Primitive(Primitive::Point(point)) => vec![point.position()],
            Shape::Primitive(Primitive::Cuboid(cuboid)) => corners_of(cuboid.edges()),
            curved => {
                return Err(Failure::input(format_args!(
                    "{}: part `{}` is a {} and has no corners to take the hull of; leave it out, or write it with `clearance make` first",
                    opened.file.display(),
                    body.name,
                    curved.kind_name()
                )));
            }
        };
        points.extend(corners.into_iter().map(|corner| body.pose.apply(corner)));
    }
    Ok((points, opened.unit))
}

/// Each point once, in a fixed order.
fn distinct(mut points: Vec<DVec3>) -> Vec<DVec3> {
    // Adding zero takes the sign off a negative zero.
    points.iter_mut().for_each(|point| *point += DVec3::ZERO);
    points.sort_unstable_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z)));
    points.dedup();
    points
}

fn corners_of(edges: DVec3) -> Vec<DVec3> {
    let sign = |i: u32, bit: u32| if i >> bit & 1 == 1 { 0.5 } else { -0.5 };
    (0..8).map(|i| edges * DVec3::new(sign(i, 0), sign(i, 1), sign(i, 2))).collect()
}

fn write_hull(hull: &Polytope, unit: Option<LengthUnit>, file: &Path) -> Result<(), Failure> {
    let soup = hull.to_soup();
    if soup.triangles.is_empty() {
        let what = if hull.dimension() == 0 { "a single point" } else { "a segment" };
        return Err(Failure::input(format_args!(
            "the hull is {what} and has no triangles to write; leave out -o to see it"
        )));
    }
    let document = Document { unit, ..Document::from_soup("hull", soup) };
    Ok(write(file, &document)?)
}

fn print_report(report: &HullReport, unit: Option<LengthUnit>) {
    let body = ["point", "segment", "polygon", "solid"].get(report.dimension).copied().unwrap_or("solid");
    let mut text = format!(
        "{}: {} in, {} out\n  {body} of dimension {}: {}, {}\n  extents {}",
        report.file,
        counted(report.points, "point"),
        counted(report.vertices, "vertex").replace("vertexs", "vertices"),
        report.dimension,
        counted(report.faces, "face"),
        counted(report.edges, "edge"),
        output::extents(report.extents, unit),
    );
    if report.dimension == 3 {
        text += &format!(", volume {} {}³", short(report.volume), unit_name(unit));
    }
    text.push('\n');
    if let Some(output) = &report.output {
        text += &format!("{output} written\n");
    }
    output::print(&text);
}
