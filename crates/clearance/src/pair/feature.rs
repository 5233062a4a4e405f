//! Parts of polytopes.

/// A vertex, an edge or a face of a polytope, by its numbers there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// A vertex.
    Vertex(u32),
    /// The edge between two vertices, the smaller first.
    Edge([u32; 2]),
    /// A face, as counted by [`Polytope::face`](crate::shape::Polytope::face).
    Face(u32),
}

impl Feature {
    /// The edge between two vertices, in either order.
    pub fn edge(from: u32, to: u32) -> Feature {
        Feature::Edge([from.min(to), from.max(to)])
    }
}
