//! Shapes: convex polytopes, meshes, primitives, and samples of each.

mod hull;
mod mesh;
mod polytope;
pub(crate) mod primitive;
mod rounded;
pub mod sample;
#[expect(clippy::module_inception, reason = "the enum of all shapes is the concept of the module")]
mod shape;
mod soup;

pub use mesh::{
    Defects, EXAMPLE_LIMIT, Finding, KindChoice, MAX_TRIANGLES, Mesh, MeshConfig, MeshDefect, MeshError,
    MeshKind, MeshReport, Weld,
};
pub use polytope::{Polytope, PolytopeDefect, PolytopeError};
pub use primitive::{
    Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Plane, Point, Primitive, PrimitiveError, Segment,
    Sphere, SupportPoint, Triangle,
};
pub use rounded::{Rounded, RoundedCore};
pub use shape::Shape;
pub use soup::{SoupPart, TriangleSoup};
