//! Any shape.

use super::{Mesh, MeshKind, Polytope, Primitive, Rounded};
use crate::Aabb;

/// Any body the library answers questions about, in its own frame.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "a shape is made once and then borrowed; none is moved in a loop"
)]
pub enum Shape {
    /// The convex hull of points, of dimension 0 to 3.
    Polytope(Polytope),
    /// Triangles: a solid or a surface.
    Mesh(Mesh),
    /// A body given by a few numbers.
    Primitive(Primitive),
    /// A primitive or polytope plus a ball.
    Rounded(Rounded),
}

impl Shape {
    /// A box that contains the shape; `None` if it is unbounded.
    pub fn bounds(&self) -> Option<Aabb> {
        match self {
            Shape::Polytope(polytope) => Some(polytope.bounds()),
            Shape::Mesh(mesh) => Some(mesh.bounds()),
            Shape::Primitive(primitive) => primitive.bounds(),
            Shape::Rounded(rounded) => rounded.bounds(),
        }
    }

    /// The kind in words: `polytope`, `solid`, `surface`, `rounded`, or the primitive's name.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Shape::Polytope(_) => "polytope",
            Shape::Mesh(mesh) => match mesh.kind() {
                MeshKind::Solid => "solid",
                MeshKind::Surface => "surface",
            },
            Shape::Primitive(primitive) => primitive.kind_name(),
            Shape::Rounded(_) => "rounded",
        }
    }
}

impl From<Polytope> for Shape {
    fn from(polytope: Polytope) -> Shape {
        Shape::Polytope(polytope)
    }
}

impl From<Mesh> for Shape {
    fn from(mesh: Mesh) -> Shape {
        Shape::Mesh(mesh)
    }
}

impl From<Primitive> for Shape {
    fn from(primitive: Primitive) -> Shape {
        Shape::Primitive(primitive)
    }
}

impl From<Rounded> for Shape {
    fn from(rounded: Rounded) -> Shape {
        Shape::Rounded(rounded)
    }
}
