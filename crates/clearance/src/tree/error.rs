//! Why a tree is refused.

/// Why bytes or a mesh do not fit a tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// The mesh has another number of triangles than the tree.
    #[error("the tree is over {tree} triangles, the mesh has {mesh}; build a tree for this mesh")]
    TriangleCount {
        /// Triangles of the tree.
        tree: usize,
        /// Triangles of the mesh.
        mesh: usize,
    },
    /// The bytes do not begin as a stored tree does.
    #[error("no stored tree: the first eight bytes are not `clr-tree`")]
    NotATree,
    /// The bytes are of another version.
    #[error(
        "the stored tree has version {found}, this library reads version {expected}; build the tree again"
    )]
    Version {
        /// The version in the bytes.
        found: u32,
        /// The version that is read.
        expected: u32,
    },
    /// There are fewer or more bytes than the header says.
    #[error("a stored tree of {expected} bytes is {found} bytes long; it was cut off or appended to")]
    Length {
        /// Bytes there are.
        found: usize,
        /// Bytes the header announces.
        expected: usize,
    },
    /// The checksum does not fit the bytes.
    #[error("the stored tree is damaged: its checksum does not fit")]
    Checksum,
    /// The tree belongs to another mesh.
    #[error("the stored tree belongs to another mesh of as many triangles; build a tree for this mesh")]
    OtherMesh,
    /// The tree itself is wrong.
    #[error("the tree is wrong: {0}")]
    Structure(#[from] TreeDefect),
}

/// What [`Tree::validate`](super::Tree::validate) found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeDefect {
    /// A node has no or too many children, or children that do not exist.
    #[error("node {node} has children that do not exist")]
    Children {
        /// Index of the node.
        node: usize,
    },
    /// A node or leaf is reached from two places, or from none.
    #[error("the {what} {index} is reached {times} times instead of once")]
    Reached {
        /// "node", "leaf" or "triangle".
        what: &'static str,
        /// Its index.
        index: usize,
        /// How often.
        times: usize,
    },
    /// A leaf names a triangle that does not exist.
    #[error("leaf {leaf} names triangle {triangle}, which does not exist")]
    NoSuchTriangle {
        /// Index of the leaf.
        leaf: usize,
        /// The triangle.
        triangle: usize,
    },
    /// A box does not hold what is below it.
    #[error("the box in lane {lane} of node {node} does not hold what is below it")]
    Box {
        /// Index of the node.
        node: usize,
        /// Its lane.
        lane: usize,
    },
    /// A slab does not hold what is below it.
    #[error("the slab in lane {lane} of node {node} does not hold what is below it")]
    Slab {
        /// Index of the node.
        node: usize,
        /// Its lane.
        lane: usize,
    },
    /// The corners that a leaf stores are not those of the mesh.
    #[error("leaf {leaf} stores other corners of triangle {triangle} than the mesh has")]
    Corners {
        /// Index of the leaf.
        leaf: usize,
        /// The triangle.
        triangle: usize,
    },
}
