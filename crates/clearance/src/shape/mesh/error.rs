//! Why a mesh was refused.

use super::MeshReport;

/// Why [`Mesh::build`](super::Mesh::build) refused its input; indices count the input's positions and triangles from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// The input has no triangles.
    #[error("the mesh has no triangles; a mesh needs at least one")]
    NoTriangles,
    /// Every triangle is degenerate, so nothing is left after repair.
    #[error(
        "all {triangles} triangles have zero area (the first is triangle 0); check the scale and the weld distance"
    )]
    OnlyDegenerate {
        /// How many triangles there were.
        triangles: usize,
    },
    /// More than [`MAX_TRIANGLES`](super::MAX_TRIANGLES) triangles, or positions beyond 32-bit indices.
    #[error("the mesh has {count} {what}, the limit is {limit}; split it into several meshes")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("position {position} is not finite: ({}, {}, {})", at[0], at[1], at[2])]
    CoordinateNotFinite {
        /// Index of the position.
        position: usize,
        /// Its coordinates.
        at: [f64; 3],
    },
    /// A coordinate exceeds [`COORDINATE_LIMIT`](crate::tolerance::COORDINATE_LIMIT).
    #[error(
        "position {position} is out of range: ({:?}, {:?}, {:?}); coordinates may be at most 2^300 in size, use a larger unit",
        at[0], at[1], at[2]
    )]
    CoordinateOutOfRange {
        /// Index of the position.
        position: usize,
        /// Its coordinates.
        at: [f64; 3],
    },
    /// A triangle refers to a position that does not exist.
    #[error("triangle {triangle} refers to position {index}, but there are only {positions} positions")]
    BadIndex {
        /// Index of the triangle.
        triangle: usize,
        /// The index it holds.
        index: u32,
        /// How many positions there are.
        positions: usize,
    },
    /// A part's range is reversed, overlaps its predecessor or exceeds the triangles.
    #[error(
        "part {part} ({name:?}) covers triangles {start}..{end}; parts must follow one another within 0..{triangles}"
    )]
    BadPart {
        /// Index of the part.
        part: usize,
        /// Its name.
        name: String,
        /// First triangle.
        start: u32,
        /// One past the last triangle.
        end: u32,
        /// How many triangles there are.
        triangles: usize,
    },
    /// The weld distance is negative, infinite or NaN.
    #[error("the weld distance is {distance}; it must be finite and not negative")]
    BadWeldDistance {
        /// The distance asked for.
        distance: f64,
    },
    /// Repairable defects under [`Defects::Refuse`](super::Defects::Refuse).
    #[error("the mesh has defects and repair was not asked for: {}", .report.defect_lines().join("; "))]
    Defects {
        /// What was found, and what a repair would have done.
        report: Box<MeshReport>,
    },
    /// A solid was asked for, but the mesh has open edges.
    #[error(
        "the mesh does not bound a solid: {} open edges, the first between positions {} and {}; close it or build a surface",
        .report.open_edges.count, first[0], first[1]
    )]
    NotClosed {
        /// The first open edge, as input positions.
        first: [u32; 2],
        /// What was found.
        report: Box<MeshReport>,
    },
    /// A solid was asked for, but neighbouring triangles disagree about the outside and cannot be turned to agree.
    #[error(
        "the mesh does not bound a solid: its orientation disagrees at {count} edges, the first between positions {} and {}, and turning triangles does not help; build a surface",
        first[0], first[1]
    )]
    NotOriented {
        /// The first such edge, as input positions.
        first: [u32; 2],
        /// How many such edges are left.
        count: usize,
        /// What was found.
        report: Box<MeshReport>,
    },
}

/// What [`Mesh::validate`](super::Mesh::validate) found broken; never returned for a mesh that was built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the mesh is broken at {item} {index}: {reason}")]
pub struct MeshDefect {
    /// What kind of item.
    pub item: &'static str,
    /// Which one.
    pub index: usize,
    /// What is wrong with it.
    pub reason: &'static str,
}
