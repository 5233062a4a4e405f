//! Shapes: convex polytopes, meshes, primitives, and samples of each.

mod soup;

pub use soup::{SoupPart, TriangleSoup};
