//! What a caller may choose when a mesh is built.

/// How [`Mesh::build`](super::Mesh::build) treats its input; the default welds exactly, repairs, and detects the kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeshConfig {
    /// Which positions become one vertex.
    pub weld: Weld,
    /// What happens to defects that can be repaired.
    pub defects: Defects,
    /// Whether the mesh bounds a solid.
    pub kind: KindChoice,
}

/// Which positions become one vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Weld {
    /// Positions with equal coordinates; `-0.0` equals `0.0`.
    #[default]
    Exact,
    /// Positions linked by a chain of positions, each at most this far from the next.
    ///
    /// Distances are the rounded `f64` ones. The clusters do not depend on the order of the input;
    /// each takes the position of its member with the smallest index. Linking is transitive, so a
    /// row of positions that are all close to their neighbours collapses to its first.
    Within(f64),
}

/// What happens to defects that can be repaired: degenerate, duplicate and inverted triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Defects {
    /// They are repaired and the report says so.
    #[default]
    Repair,
    /// The mesh is refused unless [`MeshReport::is_clean`](super::MeshReport::is_clean); the error holds the report.
    Refuse,
}

/// Whether the mesh is to bound a solid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KindChoice {
    /// A solid if the mesh is closed and consistently oriented (at every edge as many triangles run one way as the
    /// other) and encloses something, else a surface. A sheet given from both sides, or a flat pancake, encloses
    /// nothing.
    #[default]
    Detect,
    /// A solid; refused unless closed and consistently oriented.
    Solid,
    /// A surface, even if the mesh is closed.
    Surface,
}

/// Whether the triangles bound a solid or are the body themselves.
///
/// It changes answers: a box inside a bigger box collides with it if both are solids, and does not
/// if both are surfaces. So a mesh always states its kind, and the caller may choose it:
///
/// ```
/// use clearance::glam::DVec3;
/// use clearance::shape::{KindChoice, Mesh, MeshConfig, MeshKind, TriangleSoup};
/// let closed = TriangleSoup {
///     positions: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z],
///     triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
///     parts: vec![],
/// };
/// let block = Mesh::build(&closed, &MeshConfig::default())?;
/// assert_eq!(block.kind(), MeshKind::Solid);
/// let skin = Mesh::build(&closed, &MeshConfig { kind: KindChoice::Surface, ..MeshConfig::default() })?;
/// assert_eq!((skin.kind(), skin.volume()), (MeshKind::Surface, None));
/// # Ok::<(), clearance::shape::MeshError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MeshKind {
    /// The triangles and every point around which they wind at least once.
    Solid,
    /// The triangles only.
    Surface,
}

impl std::fmt::Display for MeshKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            MeshKind::Solid => "solid",
            MeshKind::Surface => "surface",
        })
    }
}
