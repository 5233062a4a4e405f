//! Triangles to draw or export a shape by.

use clearance::{
    glam::DVec3,
    shape::{Polytope, Primitive, Rounded, Shape, TriangleSoup, sample},
};

/// How many pieces a quarter turn of a curved shape is cut into, 1 to 128.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fineness(u32);

impl Fineness {
    /// The number of pieces, brought into the range.
    pub fn new(pieces: u32) -> Fineness {
        Fineness(pieces.clamp(1, 128))
    }
}

impl Default for Fineness {
    /// Fine enough for a picture.
    fn default() -> Fineness {
        Fineness(12)
    }
}

/// Triangles of the shape; `None` if it is unbounded, a segment or a point, which have none.
///
/// Meshes and polytopes keep their corners, bounded primitives without curvature too. Curved shapes are
/// approximated from inside: every corner lies on the shape up to rounding. For pictures and files; no
/// verdict is computed from it.
pub fn tessellate(shape: &Shape, fineness: Fineness) -> Option<TriangleSoup> {
    let soup = match shape {
        Shape::Mesh(mesh) => mesh.to_soup(),
        Shape::Polytope(polytope) => polytope.to_soup(),
        Shape::Primitive(primitive) => of_primitive(primitive, fineness)?,
        Shape::Rounded(rounded) => of_rounded(rounded, fineness)?,
    };
    (!soup.triangles.is_empty()).then_some(soup)
}

fn of_primitive(primitive: &Primitive, fineness: Fineness) -> Option<TriangleSoup> {
    let around = 4 * fineness.0;
    match primitive {
        Primitive::Cylinder(body) => sample::prism(around, body.radius(), body.height()).ok(),
        Primitive::Cone(body) => Some(sample::cone(around, body.radius(), body.height()).ok()?.to_soup()),
        Primitive::Sphere(body) => sample::icosphere(body.radius(), fineness.0).ok(),
        Primitive::Ellipsoid(body) => {
            let mut soup = sample::icosphere(1.0, fineness.0).ok()?;
            soup.positions.iter_mut().for_each(|p| *p *= body.semi_axes());
            Some(soup)
        }
        other => hull_of_supports(fineness, |direction| Some(other.support(direction)?.point)),
    }
}

fn of_rounded(rounded: &Rounded, fineness: Fineness) -> Option<TriangleSoup> {
    hull_of_supports(fineness, |direction| Some(rounded.support(direction)?.point))
}

/// The hull of the extreme points in many directions: the shape itself where it has corners.
fn hull_of_supports(fineness: Fineness, support: impl Fn(DVec3) -> Option<DVec3>) -> Option<TriangleSoup> {
    let directions = sample::icosphere(1.0, fineness.0).ok()?.positions;
    // An unbounded shape has no extreme point in some of the directions.
    let points: Option<Vec<DVec3>> = directions.into_iter().map(support).collect();
    Some(Polytope::hull(&points?).ok()?.to_soup())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearance::shape::{
        Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Mesh, MeshConfig, MeshKind, Plane, Point,
        Segment, Sphere, Triangle,
    };
    use std::f64::consts::PI;

    fn volume(shape: impl Into<Shape>) -> f64 {
        let soup = tessellate(&shape.into(), Fineness::new(24)).unwrap();
        let mesh = Mesh::build(&soup, &MeshConfig::default()).unwrap();
        assert_eq!(mesh.kind(), MeshKind::Solid);
        mesh.volume().unwrap()
    }

    /// Oracle: the volumes known from school; approximated from inside and to within a percent.
    #[test]
    fn volumes_come_out_right() {
        let cases: [(Shape, f64); 7] = [
            (Primitive::from(Cuboid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap()).into(), 6.0),
            (Primitive::from(Sphere::new(2.0).unwrap()).into(), 32.0 / 3.0 * PI),
            (Primitive::from(Ellipsoid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap()).into(), 8.0 * PI),
            (Primitive::from(Capsule::new(4.0, 1.0).unwrap()).into(), (4.0 + 4.0 / 3.0) * PI),
            (Primitive::from(Cylinder::new(4.0, 1.0).unwrap()).into(), 4.0 * PI),
            (Primitive::from(Cone::new(3.0, 1.0).unwrap()).into(), PI),
            (
                Rounded::new(Primitive::from(Point::new(DVec3::ONE).unwrap()), 1.0).unwrap().into(),
                4.0 / 3.0 * PI,
            ),
        ];
        for (shape, expected) in cases {
            let found = volume(shape.clone());
            assert!(found <= expected * (1.0 + 1e-12), "{} {found} {expected}", shape.kind_name());
            assert!(found >= 0.99 * expected, "{} {found} {expected}", shape.kind_name());
        }
    }

    #[test]
    fn what_has_no_triangles_or_no_end_gives_none() {
        let bodies: [Primitive; 4] = [
            HalfSpace::new(DVec3::Z, 0.0).unwrap().into(),
            Plane::new(DVec3::Z, 0.0).unwrap().into(),
            Segment::new(DVec3::ZERO, DVec3::X).unwrap().into(),
            Point::new(DVec3::ZERO).unwrap().into(),
        ];
        for body in bodies {
            assert_eq!(tessellate(&body.into(), Fineness::default()), None, "{}", body.kind_name());
        }
        let triangle = Primitive::from(Triangle::new(DVec3::ZERO, DVec3::X, DVec3::Y).unwrap());
        assert!(tessellate(&triangle.into(), Fineness::default()).is_some());
    }
}
