//! Shapes: convex polytopes, meshes, primitives, and samples of each.

mod hull;
mod polytope;
mod soup;

pub use polytope::{Polytope, PolytopeDefect, PolytopeError};
pub use soup::{SoupPart, TriangleSoup};
