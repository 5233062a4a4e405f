//! Primitives: bodies given by a few numbers, each with a support function of stated error, a box
//! that provably contains it, and an upper bound of its extent in any direction.

mod capsule;
mod cone;
mod cuboid;
mod cylinder;
mod ellipsoid;
pub(crate) mod error;
mod half_space;
mod plane;
mod point;
mod segment;
mod sphere;
pub(crate) mod support;
mod triangle;

pub use capsule::Capsule;
pub use cone::Cone;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use error::PrimitiveError;
pub use half_space::HalfSpace;
pub use plane::Plane;
pub use point::Point;
pub use segment::Segment;
pub use sphere::Sphere;
pub use support::SupportPoint;
pub use triangle::Triangle;

use crate::Aabb;
use glam::DVec3;

/// Any primitive.
///
/// ```
/// use clearance::{glam::DVec3, shape::{Primitive, Sphere}};
/// let ball = Primitive::from(Sphere::new(1.0)?);
/// assert_eq!(ball.kind_name(), "sphere");
/// assert!(ball.bounds().is_some_and(|bounds| bounds.contains(DVec3::X)));
/// # Ok::<(), clearance::shape::PrimitiveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Primitive {
    /// A solid box.
    Cuboid(Cuboid),
    /// A solid ball.
    Sphere(Sphere),
    /// A solid ellipsoid.
    Ellipsoid(Ellipsoid),
    /// A segment and all around it within a radius.
    Capsule(Capsule),
    /// A solid cylinder.
    Cylinder(Cylinder),
    /// A solid cone.
    Cone(Cone),
    /// One side of a plane; unbounded.
    HalfSpace(HalfSpace),
    /// A plane; unbounded.
    Plane(Plane),
    /// A triangle.
    Triangle(Triangle),
    /// A segment.
    Segment(Segment),
    /// A point.
    Point(Point),
}

impl Primitive {
    /// The kind in words, as scene files name it.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Primitive::Cuboid(_) => "box",
            Primitive::Sphere(_) => "sphere",
            Primitive::Ellipsoid(_) => "ellipsoid",
            Primitive::Capsule(_) => "capsule",
            Primitive::Cylinder(_) => "cylinder",
            Primitive::Cone(_) => "cone",
            Primitive::HalfSpace(_) => "half-space",
            Primitive::Plane(_) => "plane",
            Primitive::Triangle(_) => "triangle",
            Primitive::Segment(_) => "segment",
            Primitive::Point(_) => "point",
        }
    }

    /// An extreme point with its proved error; `None` where the body is unbounded in that direction.
    pub fn support(&self, direction: DVec3) -> Option<SupportPoint> {
        match self {
            Primitive::Cuboid(body) => Some(body.support(direction)),
            Primitive::Sphere(body) => Some(body.support(direction)),
            Primitive::Ellipsoid(body) => Some(body.support(direction)),
            Primitive::Capsule(body) => Some(body.support(direction)),
            Primitive::Cylinder(body) => Some(body.support(direction)),
            Primitive::Cone(body) => Some(body.support(direction)),
            Primitive::HalfSpace(body) => body.support(direction),
            Primitive::Plane(body) => body.support(direction),
            Primitive::Triangle(body) => Some(body.support(direction)),
            Primitive::Segment(body) => Some(body.support(direction)),
            Primitive::Point(body) => Some(body.support(direction)),
        }
    }

    /// A box that contains the body; `None` for half-spaces and planes.
    pub fn bounds(&self) -> Option<Aabb> {
        match self {
            Primitive::Cuboid(body) => Some(body.bounds()),
            Primitive::Sphere(body) => Some(body.bounds()),
            Primitive::Ellipsoid(body) => Some(body.bounds()),
            Primitive::Capsule(body) => Some(body.bounds()),
            Primitive::Cylinder(body) => Some(body.bounds()),
            Primitive::Cone(body) => Some(body.bounds()),
            Primitive::HalfSpace(_) | Primitive::Plane(_) => None,
            Primitive::Triangle(body) => Some(body.bounds()),
            Primitive::Segment(body) => Some(body.bounds()),
            Primitive::Point(body) => Some(body.bounds()),
        }
    }

    /// A number never below `max d·x` over the body, tight to a few units in the last place.
    ///
    /// Infinite where the body is unbounded, where the number exceeds `f64`, and for a direction
    /// that is not finite. The direction is taken as it is, not scaled to length one.
    pub fn extent(&self, direction: DVec3) -> f64 {
        match self {
            Primitive::Cuboid(body) => body.extent(direction),
            Primitive::Sphere(body) => body.extent(direction),
            Primitive::Ellipsoid(body) => body.extent(direction),
            Primitive::Capsule(body) => body.extent(direction),
            Primitive::Cylinder(body) => body.extent(direction),
            Primitive::Cone(body) => body.extent(direction),
            Primitive::HalfSpace(body) => body.extent(direction),
            Primitive::Plane(body) => body.extent(direction),
            Primitive::Triangle(body) => body.extent(direction),
            Primitive::Segment(body) => body.extent(direction),
            Primitive::Point(body) => body.extent(direction),
        }
    }
}

macro_rules! primitive_from {
    ($($kind:ident),*) => {$(
        impl From<$kind> for Primitive {
            fn from(body: $kind) -> Primitive {
                Primitive::$kind(body)
            }
        }
    )*};
}

primitive_from!(
    Cuboid, Sphere, Ellipsoid, Capsule, Cylinder, Cone, HalfSpace, Plane, Triangle, Segment, Point
);
