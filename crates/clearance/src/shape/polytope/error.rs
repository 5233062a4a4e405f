//! What a point set may not be, and what a polytope must not be.

use crate::tolerance::{COORDINATE_LIMIT, POINT_COUNT_LIMIT};
use glam::DVec3;

/// Why a point set has no [`Polytope`](super::Polytope).
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PolytopeError {
    /// There is nothing to take the hull of.
    #[error("a polytope needs at least one point, but none was given")]
    NoPoints,
    /// More points than indices and half-edges are counted for.
    #[error(
        "{count} points are too many for one polytope (limit {limit}); split the set and take the hull of the parts' vertices"
    )]
    TooManyPoints {
        /// How many were given.
        count: usize,
        /// How many are accepted.
        limit: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("point {index} has a coordinate that is not finite; remove or repair the point")]
    CoordinateNotFinite {
        /// The first such point.
        index: usize,
    },
    /// A coordinate is larger than the library computes with.
    #[error("point {index} has a coordinate larger than 2^300 in size; choose a larger unit of length")]
    CoordinateOutOfRange {
        /// The first such point.
        index: usize,
        /// The largest accepted size.
        limit: f64,
    },
}

/// Refuses what [`Polytope::hull`](super::Polytope::hull) cannot take, naming the first culprit.
pub(super) fn check(points: &[DVec3]) -> Result<(), PolytopeError> {
    if points.is_empty() {
        return Err(PolytopeError::NoPoints);
    }
    if points.len() > POINT_COUNT_LIMIT {
        return Err(PolytopeError::TooManyPoints { count: points.len(), limit: POINT_COUNT_LIMIT });
    }
    match points.iter().position(|p| !(p.abs().max_element() <= COORDINATE_LIMIT && p.is_finite())) {
        None => Ok(()),
        Some(index) if points[index].is_finite() => {
            Err(PolytopeError::CoordinateOutOfRange { index, limit: COORDINATE_LIMIT })
        }
        Some(index) => Err(PolytopeError::CoordinateNotFinite { index }),
    }
}

/// What [`Polytope::validate`](super::Polytope::validate) found wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolytopeDefect {
    /// The numbers of vertices, edges and faces do not fit the dimension.
    #[error("{vertices} vertices, {edges} edges and {faces} faces are impossible in dimension {dimension}")]
    Counts {
        /// Affine dimension.
        dimension: usize,
        /// Number of vertices.
        vertices: usize,
        /// Number of edges.
        edges: usize,
        /// Number of faces.
        faces: usize,
    },
    /// The stored arrays do not fit together, or an index points nowhere.
    #[error("the stored index arrays do not fit together")]
    BrokenIndices,
    /// A vertex and its neighbours disagree, or do not agree with the faces around the vertex.
    #[error("the neighbours of vertex {vertex} do not agree with the faces around it")]
    WrongNeighbours {
        /// The vertex.
        vertex: usize,
    },
    /// Some vertices cannot be reached along edges.
    #[error("the polytope falls into several pieces")]
    NotConnected,
    /// Two vertices of a segment are the same point.
    #[error("the two vertices of a segment coincide")]
    NoLength,
    /// A vertex of a face lies off the plane of the face.
    #[error("vertex {vertex} lies off the plane of face {face}")]
    FaceNotPlanar {
        /// The face.
        face: usize,
        /// The vertex.
        vertex: usize,
    },
    /// A face is not a strictly convex polygon.
    #[error("face {face} is not strictly convex")]
    FaceNotConvex {
        /// The face.
        face: usize,
    },
    /// The faces around a vertex do not bound a strictly convex cone.
    #[error("the faces around vertex {vertex} are not strictly convex")]
    VertexNotConvex {
        /// The vertex.
        vertex: usize,
    },
}
