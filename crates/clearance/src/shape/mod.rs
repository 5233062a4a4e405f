//! Shapes: convex polytopes, meshes, primitives, and samples of each.

mod hull;
mod polytope;
mod primitive;
mod rounded;
pub mod sample;
mod soup;

pub use polytope::{Polytope, PolytopeDefect, PolytopeError};
pub use primitive::{
    Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Plane, Point, Primitive, PrimitiveError, Segment,
    Sphere, SupportPoint, Triangle,
};
pub use rounded::{Rounded, RoundedCore};
pub use soup::{SoupPart, TriangleSoup};
