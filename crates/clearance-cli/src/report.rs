//! What there is to say about a body, as fields for JSON and as a row for the table.

use crate::{
    args::Condition,
    bodies::{Body, Opened},
    output::{self, Column, count, counted, faint},
};
use clap::ValueEnum;
use clearance::{
    Aabb,
    shape::{Mesh, MeshKind, MeshReport, Polytope, Primitive, Shape},
};
use clearance_io::LengthUnit;
use schemars::JsonSchema;
use serde::Serialize;
use std::f64::consts::PI;

/// What is in one file. Lengths are in `unit`; numbers read back to the same bits.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FileReport {
    /// The file as it was named.
    pub file: String,
    /// Unit of all lengths: um, mm, cm, in, ft or m; null if nobody stated it.
    pub unit: Option<&'static str>,
    /// What the reader skipped, changed or ignored.
    pub notes: Vec<String>,
    /// The parts, in the order of the file.
    pub parts: Vec<PartReport>,
}

/// What is known of one part.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PartReport {
    /// Its name in the file.
    pub name: String,
    /// Its group in the scene, if any.
    pub group: Option<String>,
    /// solid, surface, polytope, rounded, or the name of a primitive.
    pub kind: &'static str,
    /// Triangles after repair; 0 for shapes that are not meshes.
    pub triangles: usize,
    /// Distinct corners after repair; 0 for curved shapes.
    pub vertices: usize,
    /// Sets of triangles connected by edges.
    pub components: usize,
    /// Dimension of the smallest flat that holds the part, 0 to 3.
    pub dimension: usize,
    /// Whether it is convex; null for flat meshes, where this is not decided.
    pub convex: Option<bool>,
    /// Whether its mesh has no open edge; null for shapes that are not meshes.
    pub closed: Option<bool>,
    /// Its volume, if it is a solid for which it is known.
    pub volume: Option<f64>,
    /// Area of its triangles; null for shapes that are not meshes.
    pub area: Option<f64>,
    /// Edge lengths of its box, in its own frame; null if it is unbounded.
    pub extents: Option<[f64; 3]>,
    /// Smallest coordinates in its own frame; null if it is unbounded.
    pub min: Option<[f64; 3]>,
    /// Largest coordinates in its own frame; null if it is unbounded.
    pub max: Option<[f64; 3]>,
    /// From its own frame to the file's: 12 numbers, row-major 3x4.
    pub pose: [f64; 12],
    /// What is wrong with it, or was before it was repaired.
    pub problems: Vec<Problem>,
    /// What was changed while it was read.
    pub notes: Vec<String>,
}

/// Something wrong with a part.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Problem {
    /// A condition of --fail-on.
    pub condition: String,
    /// How often.
    pub count: usize,
    /// In words.
    pub text: String,
}

impl FileReport {
    pub fn new(opened: &Opened) -> FileReport {
        FileReport {
            file: opened.file.display().to_string(),
            unit: opened.unit.map(LengthUnit::symbol),
            notes: opened.notes.clone(),
            parts: opened.bodies.iter().map(PartReport::new).collect(),
        }
    }
}

impl PartReport {
    pub fn new(body: &Body) -> PartReport {
        let (mesh, bounds) = (mesh_of(&body.shape), body.shape.bounds());
        PartReport {
            name: body.name.clone(),
            group: body.group.clone(),
            kind: body.shape.kind_name(),
            triangles: mesh.map_or(0, |mesh| mesh.triangles().len()),
            vertices: vertices_of(&body.shape),
            components: mesh.map_or(1, Mesh::component_count),
            dimension: dimension_of(&body.shape),
            convex: convex_of(&body.shape),
            closed: mesh.map(|mesh| mesh.report().closed),
            volume: volume_of(&body.shape),
            area: mesh.map(Mesh::area),
            extents: bounds.map(|bounds| bounds.extent().to_array()),
            min: bounds.map(|Aabb { min, .. }| min.to_array()),
            max: bounds.map(|Aabb { max, .. }| max.to_array()),
            pose: body.pose.to_rows(),
            problems: mesh.map_or(Vec::new(), |mesh| problems_of(mesh.report())),
            notes: body.notes.clone(),
        }
    }

    /// Whether the part is what `--fail-on` asks about.
    pub fn meets(&self, condition: Condition) -> bool {
        match condition {
            Condition::NonConvex => self.convex == Some(false),
            Condition::Surface => self.kind == "surface",
            other => self.problems.iter().any(|problem| problem.condition == name_of(other)),
        }
    }

    fn row(&self, unit: Option<LengthUnit>) -> Vec<String> {
        let word = |answer: Option<bool>| match answer {
            Some(true) => "yes".to_owned(),
            Some(false) => "no".to_owned(),
            None => "-".to_owned(),
        };
        let triangles = if self.triangles == 0 { "-".to_owned() } else { count(self.triangles) };
        let problems: Vec<&str> = self.problems.iter().map(|problem| problem.text.as_str()).collect();
        vec![
            self.name.clone(),
            self.kind.to_owned(),
            triangles,
            self.dimension.to_string(),
            word(self.convex),
            word(self.closed),
            self.volume.map_or("-".into(), |volume| output::volume(volume, unit)),
            self.extents.map_or("unbounded".into(), |extents| output::extents(extents, unit)),
            if problems.is_empty() { "none".into() } else { problems.join(", ") },
        ]
    }
}

const COLUMNS: [Column; 9] = [
    Column::Text("part"),
    Column::Text("kind"),
    Column::Number("triangles"),
    Column::Number("dim"),
    Column::Text("convex"),
    Column::Text("closed"),
    Column::Number("volume"),
    Column::Number("extents"),
    Column::Text("problems"),
];

/// The parts as a table, one row each.
pub fn part_table(parts: &[PartReport], unit: Option<LengthUnit>) -> String {
    output::table(&COLUMNS, parts.iter().map(|part| part.row(unit)))
}

/// What was changed while reading, one line each, below the table.
pub fn note_lines(report: &FileReport) -> String {
    let of_file = report.notes.iter().map(|note| faint(format_args!("  note: {note}")) + "\n");
    let of_parts = report.parts.iter().flat_map(|part| {
        part.notes.iter().map(|note| faint(format_args!("  note on {}: {note}", part.name)) + "\n")
    });
    of_file.chain(of_parts).collect()
}

/// The name of a condition as it is typed.
pub fn name_of(condition: Condition) -> String {
    condition.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

fn mesh_of(shape: &Shape) -> Option<&Mesh> {
    match shape {
        Shape::Mesh(mesh) => Some(mesh),
        _ => None,
    }
}

fn vertices_of(shape: &Shape) -> usize {
    match shape {
        Shape::Mesh(mesh) => mesh.positions().len(),
        Shape::Polytope(polytope) => polytope.vertices().len(),
        Shape::Primitive(Primitive::Cuboid(_)) => 8,
        Shape::Primitive(Primitive::Triangle(_)) => 3,
        Shape::Primitive(Primitive::Segment(_)) => 2,
        Shape::Primitive(Primitive::Point(_)) => 1,
        Shape::Primitive(_) | Shape::Rounded(_) => 0,
    }
}

fn dimension_of(shape: &Shape) -> usize {
    let hull = |points: &[_]| Polytope::hull(points).map_or(0, |hull| hull.dimension());
    match shape {
        Shape::Mesh(mesh) if mesh.kind() == MeshKind::Solid => 3,
        Shape::Mesh(mesh) => hull(mesh.positions()),
        Shape::Polytope(polytope) => polytope.dimension(),
        Shape::Primitive(Primitive::Plane(_)) => 2,
        Shape::Primitive(Primitive::Triangle(body)) => hull(&body.corners()),
        Shape::Primitive(Primitive::Segment(body)) => hull(&body.ends()),
        Shape::Primitive(Primitive::Point(_)) => 0,
        Shape::Rounded(body) if body.radius() == 0.0 => match body.core() {
            clearance::shape::RoundedCore::Polytope(core) => core.dimension(),
            clearance::shape::RoundedCore::Primitive(core) => dimension_of(&Shape::from(*core)),
        },
        Shape::Primitive(_) | Shape::Rounded(_) => 3,
    }
}

fn convex_of(shape: &Shape) -> Option<bool> {
    match shape {
        Shape::Mesh(mesh) if mesh.kind() == MeshKind::Solid => Some(mesh.is_convex()),
        // A surface that does not lie in a plane has no interior, so it is not its own hull.
        Shape::Mesh(_) => (dimension_of(shape) == 3).then_some(false),
        _ => Some(true),
    }
}

fn volume_of(shape: &Shape) -> Option<f64> {
    match shape {
        Shape::Mesh(mesh) => mesh.volume(),
        Shape::Polytope(polytope) => (polytope.dimension() == 3).then(|| polytope.volume()),
        Shape::Primitive(primitive) => match primitive {
            Primitive::Cuboid(body) => Some(body.edges().element_product()),
            Primitive::Sphere(body) => Some(4.0 / 3.0 * PI * body.radius().powi(3)),
            Primitive::Ellipsoid(body) => Some(4.0 / 3.0 * PI * body.semi_axes().element_product()),
            Primitive::Capsule(body) => {
                Some(PI * body.radius().powi(2) * (body.length() + 4.0 / 3.0 * body.radius()))
            }
            Primitive::Cylinder(body) => Some(PI * body.radius().powi(2) * body.height()),
            Primitive::Cone(body) => Some(PI / 3.0 * body.radius().powi(2) * body.height()),
            _ => None,
        },
        Shape::Rounded(_) => None,
    }
}

fn problems_of(report: &MeshReport) -> Vec<Problem> {
    let found = [
        (Condition::Open, report.open_edges.count, "open edge", ""),
        (Condition::NonManifold, report.non_manifold_edges.count, "non-manifold edge", ""),
        (Condition::Degenerate, report.degenerate.count, "triangle", " without area (removed)"),
        (Condition::Duplicate, report.duplicate.count, "duplicate triangle", ""),
        (Condition::Inconsistent, report.inconsistent_edges.count, "inconsistently oriented edge", ""),
        (Condition::Inverted, report.inverted.count, "shell", " inside out (turned)"),
    ];
    found
        .into_iter()
        .filter(|(_, count, ..)| *count > 0)
        .map(|(condition, count, noun, rest)| Problem {
            condition: name_of(condition),
            count,
            text: counted(count, noun) + rest,
        })
        .collect()
}
