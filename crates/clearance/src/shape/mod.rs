//! Shapes: convex polytopes, meshes, primitives, and samples of each.

mod mesh;
mod soup;

pub use mesh::{
    Defects, EXAMPLE_LIMIT, Finding, KindChoice, MAX_TRIANGLES, Mesh, MeshConfig, MeshDefect, MeshError,
    MeshKind, MeshReport, Weld,
};
pub use soup::{SoupPart, TriangleSoup};
