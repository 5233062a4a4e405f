//! From a shape as written to a checked one.

use super::{
    ShapeFile, ShapeKind,
    error::Fault,
    file_access::FileAccess,
    format::{IndexedTriangles, SHAPE_FIELDS},
    load::{SceneOptions, Source},
    number::{Number, Vector, to_vector},
    unit::Conversion,
};
use crate::{Document, LengthUnit, read};
use clearance::{
    glam::DVec3,
    shape::{
        Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, KindChoice, Mesh, MeshConfig, Plane, Point,
        Polytope, PolytopeError, Primitive, PrimitiveError, Rounded, RoundedCore, Segment, Shape, Sphere,
        Triangle, TriangleSoup,
    },
};
use std::{
    collections::{BTreeMap, HashMap},
    path::PathBuf,
    sync::Arc,
};

/// What a shape from a file depends on: the file, its stated unit, what its triangles stand for.
type FileKey = (PathBuf, Option<&'static str>, Option<ShapeKind>);

/// A shape, shared by all parts that name the same file in the same way, with what its source had to say.
type Built = (Arc<Shape>, Source);

/// What a unit is agreed on for; errors advise what can be done there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnitScope {
    /// A scene, which may state a unit.
    Scene,
    /// A case, which may not.
    Case,
}

/// Builds the shapes of one scene, or of cases one after the other; a mesh file that several name is read once.
pub(super) struct ShapeBuilder<'a> {
    files: FileAccess,
    options: &'a SceneOptions<'a>,
    /// The unit of the scene: as it states, else that of the first mesh file that states one.
    pub unit: Option<LengthUnit>,
    unit_is_stated: bool,
    scope: UnitScope,
    /// With the unit that each file is in, which those after it must agree with.
    read: BTreeMap<FileKey, (Built, Option<LengthUnit>)>,
    /// Where names lead to: thousands of parts may name few files, and every look costs a call of the system.
    resolved: HashMap<String, PathBuf>,
}

impl<'a> ShapeBuilder<'a> {
    pub fn new(
        files: FileAccess,
        unit: Option<LengthUnit>,
        scope: UnitScope,
        options: &'a SceneOptions<'a>,
    ) -> ShapeBuilder<'a> {
        ShapeBuilder {
            files,
            options,
            unit,
            unit_is_stated: unit.is_some(),
            scope,
            read: BTreeMap::new(),
            resolved: HashMap::new(),
        }
    }

    /// Forgets the unit that mesh files agreed on, unless one is stated: the next case has its own.
    pub fn begin_case(&mut self) {
        if !self.unit_is_stated {
            self.unit = None;
        }
    }

    /// The shape, with what its source had to say.
    pub fn build(&mut self, file: &ShapeFile) -> Result<Built, Fault> {
        let field = the_only_field(file)?;
        check_options(file, field)?;
        let (shape, source) = match (&file.mesh, &file.points) {
            (Some(name), _) => self.mesh_file(name, file).map_err(|fault| fault.within(field))?,
            (_, Some(points)) => {
                (hull(points).map_err(|fault| fault.within(field))?.into(), Source::default())
            }
            _ => {
                let shape = match triangles_of(file) {
                    Some(soup) => self.mesh(&soup, file.kind),
                    None => primitive_of(file).map(Shape::from).map_err(Fault::here),
                };
                (shape.map_err(|fault| fault.within(field))?.into(), Source::default())
            }
        };
        let Some(Number(radius)) = file.rounding else { return Ok((shape, source)) };
        Ok((Arc::new(rounded(Arc::unwrap_or_clone(shape), radius)?), source))
    }

    fn mesh_file(&mut self, name: &str, file: &ShapeFile) -> Result<Built, Fault> {
        let path = match self.resolved.get(name) {
            Some(path) => path.clone(),
            None => self.resolved.entry(name.into()).or_insert(self.files.resolve(name)?).clone(),
        };
        let key = (path.clone(), file.unit.map(|unit| unit.0.symbol()), file.kind);
        if let Some((built, unit)) = self.read.get(&key).cloned() {
            self.agree_on(unit)?;
            return Ok(built);
        }
        let mut document = read(&path, &self.options.read).map_err(Fault::from_read)?;
        let mut notes = std::mem::take(&mut document.notes);
        let unit = file.unit.map(|unit| unit.0).or(document.unit);
        if let Some(to) = self.agree_on(unit)? {
            notes.extend(convert(&mut document, unit, to));
        }
        if document.placements.len() > 1 {
            notes.push(format!(
                "the {} placed parts of the file are united into one body",
                document.placements.len()
            ));
        }
        let shape = self.mesh(&document.to_soup(), file.kind)?;
        let built = (Arc::new(shape), Source { file: Some(path), notes });
        self.read.insert(key, (built.clone(), unit));
        Ok(built)
    }

    /// The unit that a file is to be in, by the one that it is in; unless one is stated, that of the first file that has one,
    /// and no file may have another.
    fn agree_on(&mut self, unit: Option<LengthUnit>) -> Result<Option<LengthUnit>, Fault> {
        let Some(from) = unit else { return Ok(self.unit) };
        let to = *self.unit.get_or_insert(from);
        if from == to || self.unit_is_stated {
            return Ok(Some(to));
        }
        let advice = match self.scope {
            UnitScope::Scene => format!("state the unit of the scene, such as \"unit\": \"{to}\""),
            UnitScope::Case => {
                format!(
                    "say in which unit all lengths are to be, such as --unit {to}, and files are converted"
                )
            }
        };
        Err(Fault::here(format_args!("this file is in {from}, an earlier one in {to}: {advice}")))
    }

    fn mesh(&self, soup: &TriangleSoup, kind: Option<ShapeKind>) -> Result<Shape, Fault> {
        let kind = match kind {
            Some(ShapeKind::Convex) => return hull_of_soup(soup),
            Some(ShapeKind::Solid) => KindChoice::Solid,
            Some(ShapeKind::Surface) => KindChoice::Surface,
            None => KindChoice::Detect,
        };
        let config = MeshConfig { weld: self.options.weld, defects: self.options.defects, kind };
        Mesh::build(soup, &config).map(Shape::from).map_err(Fault::here)
    }
}

/// Brings a document from its unit, if it has one, to another; says so if that changes its numbers.
fn convert(document: &mut Document, from: Option<LengthUnit>, to: LengthUnit) -> Option<String> {
    let from = from.filter(|from| *from != to)?;
    let conversion = Conversion::between(from, to);
    let mut soup = document.to_soup();
    soup.positions.iter_mut().for_each(|p| *p = conversion.apply(*p));
    *document = Document::from_soup("", soup);
    Some(format!("converted from {from} to {to}"))
}

/// The name of the one shape field that is given.
fn the_only_field(file: &ShapeFile) -> Result<&'static str, Fault> {
    let given = [
        file.mesh.is_some(),
        file.points.is_some(),
        file.triangles.is_some(),
        file.indexed.is_some(),
        file.cuboid.is_some(),
        file.sphere.is_some(),
        file.ellipsoid.is_some(),
        file.capsule.is_some(),
        file.cylinder.is_some(),
        file.cone.is_some(),
        file.half_space.is_some(),
        file.plane.is_some(),
        file.triangle.is_some(),
        file.segment.is_some(),
        file.point.is_some(),
    ];
    let mut fields = SHAPE_FIELDS.iter().zip(given).filter(|(_, given)| *given).map(|(field, _)| *field);
    match (fields.next(), fields.next()) {
        (Some(field), None) => Ok(field),
        (None, _) => {
            Err(Fault::here(format_args!("no shape is given: add one of {}", SHAPE_FIELDS.join(", "))))
        }
        (Some(first), Some(second)) => Err(Fault::here(format_args!(
            "two shapes are given, `{first}` and `{second}`: keep one, or make two parts"
        ))
        .within(second)),
    }
}

/// Refuses options that mean nothing for the shape, rather than ignoring them.
fn check_options(file: &ShapeFile, field: &str) -> Result<(), Fault> {
    let has_triangles = matches!(field, "mesh" | "triangles" | "indexed");
    if file.unit.is_some() && field != "mesh" {
        let problem =
            "a unit of its own is for mesh files; numbers that stand here are in the unit of everything";
        return Err(Fault::here(problem).within("unit"));
    }
    let is_said_anyway = field == "points" && file.kind == Some(ShapeKind::Convex);
    if file.kind.is_some() && !has_triangles && !is_said_anyway {
        let problem = format!("`as` says what triangles stand for, but `{field}` has none: leave it out");
        return Err(Fault::here(problem).within("as"));
    }
    if file.rounding.is_some() && has_triangles && file.kind != Some(ShapeKind::Convex) {
        let problem = "only convex shapes can be rounded: add \"as\": \"convex\" or leave the rounding out";
        return Err(Fault::here(problem).within("rounding"));
    }
    Ok(())
}

fn hull(points: &[Vector]) -> Result<Shape, Fault> {
    let points: Vec<DVec3> = points.iter().copied().map(to_vector).collect();
    Polytope::hull(&points).map(Shape::from).map_err(|error| match error {
        PolytopeError::CoordinateOutOfRange { index, .. } => Fault::here(error).within(index),
        _ => Fault::here(error),
    })
}

/// The hull of the points that triangles use; stray positions do not count.
fn hull_of_soup(soup: &TriangleSoup) -> Result<Shape, Fault> {
    let corner = |&i: &u32| soup.positions.get(i as usize).copied();
    let corners: Option<Vec<DVec3>> = soup.triangles.as_flattened().iter().map(corner).collect();
    let corners = corners.ok_or_else(|| {
        Fault::here(format_args!(
            "a triangle refers to a position that is not there; there are {}",
            soup.positions.len()
        ))
    })?;
    Polytope::hull(&corners).map(Shape::from).map_err(Fault::here)
}

fn triangles_of(file: &ShapeFile) -> Option<TriangleSoup> {
    if let Some(triangles) = &file.triangles {
        let positions = triangles.as_flattened().iter().copied().map(to_vector).collect();
        let triangles = (0..triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        return Some(TriangleSoup { positions, triangles, parts: Vec::new() });
    }
    let IndexedTriangles { positions, triangles } = file.indexed.as_ref()?;
    let positions = positions.iter().copied().map(to_vector).collect();
    Some(TriangleSoup { positions, triangles: triangles.clone(), parts: Vec::new() })
}

fn primitive_of(file: &ShapeFile) -> Result<Primitive, PrimitiveError> {
    Ok(if let Some(edges) = file.cuboid {
        Cuboid::new(to_vector(edges))?.into()
    } else if let Some(ball) = file.sphere {
        Sphere::new(ball.radius.0)?.into()
    } else if let Some(body) = file.ellipsoid {
        Ellipsoid::new(to_vector(body.semi_axes))?.into()
    } else if let Some(body) = file.capsule {
        Capsule::new(body.length.0, body.radius.0)?.into()
    } else if let Some(body) = file.cylinder {
        Cylinder::new(body.height.0, body.radius.0)?.into()
    } else if let Some(body) = file.cone {
        Cone::new(body.height.0, body.radius.0)?.into()
    } else if let Some(body) = file.half_space {
        HalfSpace::new(to_vector(body.normal), body.offset.0)?.into()
    } else if let Some(body) = file.plane {
        Plane::new(to_vector(body.normal), body.offset.0)?.into()
    } else if let Some([a, b, c]) = file.triangle {
        Triangle::new(to_vector(a), to_vector(b), to_vector(c))?.into()
    } else if let Some([start, end]) = file.segment {
        Segment::new(to_vector(start), to_vector(end))?.into()
    } else {
        // The caller has checked that one shape is given.
        Point::new(to_vector(file.point.unwrap_or_default()))?.into()
    })
}

fn rounded(shape: Shape, radius: f64) -> Result<Shape, Fault> {
    let core: RoundedCore = match shape {
        Shape::Primitive(primitive) => primitive.into(),
        Shape::Polytope(polytope) => polytope.into(),
        // Refused before by `check_options`.
        Shape::Mesh(_) | Shape::Rounded(_) => return Ok(shape),
    };
    let refused = |error: PrimitiveError| {
        let problem = match error {
            PrimitiveError::NotPositive { value, .. } => {
                format!("rounding is {value}; it must not be negative")
            }
            other => other.to_string().replacen("radius", "rounding", 1),
        };
        Fault::here(problem).within("rounding")
    };
    Rounded::new(core, radius).map(Shape::from).map_err(refused)
}
