//! From a shape to how a file would write it, without naming another file.

use super::{
    CapsuleDimensions, EllipsoidDimensions, IndexedTriangles, Number, PlaneDimensions, RoundDimensions,
    ShapeFile, SphereDimensions, Vector,
};
use clearance::{
    glam::DVec3,
    shape::{MeshKind, Primitive, RoundedCore, Shape},
};

impl ShapeFile {
    /// The convex hull of points.
    pub fn of_points(points: &[DVec3]) -> ShapeFile {
        ShapeFile { points: Some(vectors(points)), ..ShapeFile::default() }
    }

    /// The shape itself; reading it back gives the same body, bit for bit.
    pub fn of_shape(shape: &Shape) -> ShapeFile {
        match shape {
            Shape::Polytope(polytope) => ShapeFile::of_points(polytope.vertices()),
            Shape::Primitive(primitive) => of_primitive(primitive),
            Shape::Rounded(rounded) => {
                let core = match rounded.core() {
                    RoundedCore::Primitive(primitive) => of_primitive(primitive),
                    RoundedCore::Polytope(polytope) => ShapeFile::of_points(polytope.vertices()),
                };
                ShapeFile { rounding: Some(Number(rounded.radius())), ..core }
            }
            Shape::Mesh(mesh) => {
                let positions = vectors(mesh.positions());
                let indexed = IndexedTriangles { positions, triangles: mesh.triangles().to_vec() };
                let kind = match mesh.kind() {
                    MeshKind::Solid => super::ShapeKind::Solid,
                    MeshKind::Surface => super::ShapeKind::Surface,
                };
                ShapeFile { indexed: Some(indexed), kind: Some(kind), ..ShapeFile::default() }
            }
        }
    }
}

fn vectors(points: &[DVec3]) -> Vec<Vector> {
    points.iter().copied().map(vector).collect()
}

fn vector(v: DVec3) -> Vector {
    v.to_array().map(Number)
}

fn of_primitive(primitive: &Primitive) -> ShapeFile {
    let none = ShapeFile::default();
    let plane =
        |normal: DVec3, offset: f64| Some(PlaneDimensions { normal: vector(normal), offset: Number(offset) });
    let round =
        |radius: f64, height: f64| Some(RoundDimensions { radius: Number(radius), height: Number(height) });
    match primitive {
        Primitive::Cuboid(body) => ShapeFile { cuboid: Some(vector(body.edges())), ..none },
        Primitive::Sphere(body) => {
            ShapeFile { sphere: Some(SphereDimensions { radius: Number(body.radius()) }), ..none }
        }
        Primitive::Ellipsoid(body) => {
            let dimensions = EllipsoidDimensions { semi_axes: vector(body.semi_axes()) };
            ShapeFile { ellipsoid: Some(dimensions), ..none }
        }
        Primitive::Capsule(body) => {
            let dimensions =
                CapsuleDimensions { radius: Number(body.radius()), length: Number(body.length()) };
            ShapeFile { capsule: Some(dimensions), ..none }
        }
        Primitive::Cylinder(body) => ShapeFile { cylinder: round(body.radius(), body.height()), ..none },
        Primitive::Cone(body) => ShapeFile { cone: round(body.radius(), body.height()), ..none },
        Primitive::HalfSpace(body) => ShapeFile { half_space: plane(body.normal(), body.offset()), ..none },
        Primitive::Plane(body) => ShapeFile { plane: plane(body.normal(), body.offset()), ..none },
        Primitive::Triangle(body) => ShapeFile { triangle: Some(body.corners().map(vector)), ..none },
        Primitive::Segment(body) => ShapeFile { segment: Some(body.ends().map(vector)), ..none },
        Primitive::Point(body) => ShapeFile { point: Some(vector(body.position())), ..none },
    }
}
