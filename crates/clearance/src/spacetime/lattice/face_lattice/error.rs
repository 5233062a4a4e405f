//! Why faces are no polytope.

use super::FaceId;

/// Why lists of faces are refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LatticeError {
    /// There is no face of the highest dimension, or more than one.
    #[error("the last list must hold one face, the polytope itself; it holds {count}")]
    NotOneWhole {
        /// How many there are.
        count: usize,
    },
    /// A vertex has the wrong number of coordinates.
    #[error(
        "vertex {vertex} has {found} coordinates; there are lists for dimensions 1 to {dimension}, so give {dimension}"
    )]
    CoordinateCount {
        /// The vertex.
        vertex: usize,
        /// How many it has.
        found: usize,
        /// How many it should have.
        dimension: usize,
    },
    /// A coordinate is infinite or not a number.
    #[error("vertex {vertex} has a coordinate that is not finite")]
    CoordinateNotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// A face names a face that does not exist, or one twice.
    #[error("{face:?} names face {bound} of the dimension below, which does not exist or is named twice")]
    BadBound {
        /// The face.
        face: FaceId,
        /// What it names.
        bound: u32,
    },
    /// An edge is not from one vertex to another.
    #[error(
        "edge {edge} must have two vertices, the first `Against` and the second `Along`, or in the other order"
    )]
    NotAnEdge {
        /// The edge.
        edge: u32,
    },
    /// Within a face, a ridge does not bound exactly two facets, once in each sense.
    #[error("within {face:?}, {ridge:?} must bound exactly two faces, once along and once against")]
    RidgeNotShared {
        /// The face whose boundary has a gap, a fold or a fin there.
        face: FaceId,
        /// Where.
        ridge: FaceId,
    },
    /// A face bounds nothing.
    #[error("{face:?} bounds no face; leave it out")]
    Unused {
        /// The face.
        face: FaceId,
    },
    /// The vertices of a face do not lie in a flat of its dimension, or in one of a lower.
    #[error(
        "the vertices of {face:?} span a flat of dimension {found}; split faces that are not flat, drop those without extent"
    )]
    NotFlat {
        /// The face.
        face: FaceId,
        /// The dimension that they span.
        found: usize,
    },
    /// The boundary of a face encloses nothing.
    #[error("{face:?} has no content: its boundary folds back on itself")]
    NoContent {
        /// The face.
        face: FaceId,
    },
    /// The facets of the polytope face inwards.
    #[error("the polytope is inside out; turn every facet round")]
    InsideOut,
    /// A shape that has no interior.
    #[error("the shape bounds no solid: its dimension is below 3, or its mesh is a surface")]
    NotSolid,
}
