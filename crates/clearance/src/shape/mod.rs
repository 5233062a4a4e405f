//! Shapes: convex polytopes, meshes, primitives, and samples of each.

mod hull;
mod mesh;
mod polytope;
mod soup;

pub use mesh::{
    Defects, EXAMPLE_LIMIT, Finding, KindChoice, MAX_TRIANGLES, Mesh, MeshConfig, MeshDefect, MeshError,
    MeshKind, MeshReport, Weld,
};
pub use polytope::{Polytope, PolytopeDefect, PolytopeError};
pub use soup::{SoupPart, TriangleSoup};
