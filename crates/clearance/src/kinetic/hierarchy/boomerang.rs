//! Corners cut off one by one: the binary trees that every hierarchy is made of.

use crate::planar::{Line, Point, Polygon};

/// An edge of an envelope; the same edge in all envelopes that have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub u32);

/// A triangle that a cut took off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TriangleId(pub u32);

/// A line that supports the polygon at a vertex (an edge of length zero) or along an edge.
#[derive(Clone, Debug)]
pub struct Edge {
    pub(super) line: Line,
    pub(super) contact: [u32; 2],
    pub(super) birth: u32,
    pub(super) owner: Option<TriangleId>,
    pub(super) neighbours: [EdgeId; 2],
}

impl Edge {
    /// The line, the polygon on its inner side.
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// The first and the last vertex of the polygon on the line, counter-clockwise; equal for an edge of length zero.
    pub fn contact(&self) -> [usize; 2] {
        self.contact.map(|vertex| vertex as usize)
    }

    /// The first envelope that has this edge; all finer ones have it, too.
    pub fn birth(&self) -> u32 {
        self.birth
    }

    /// The triangle on its outer side; none for the four sides of the outermost envelope.
    pub fn owner(&self) -> Option<TriangleId> {
        self.owner
    }
}

/// What one cut takes off a corner: bounded by the two edges that met there and by the cut.
#[derive(Clone, Debug)]
pub struct Triangle {
    pub(super) left: EdgeId,
    pub(super) cut: EdgeId,
    pub(super) right: EdgeId,
    pub(super) level: u32,
    pub(super) parent: Option<TriangleId>,
    pub(super) children: [Option<TriangleId>; 2],
    pub(super) apex: Point,
}

impl Triangle {
    /// The outer edge that comes first counter-clockwise.
    pub fn left(&self) -> EdgeId {
        self.left
    }

    /// The inner edge, which separates the triangle from the polygon.
    pub fn cut(&self) -> EdgeId {
        self.cut
    }

    /// The outer edge that comes last.
    pub fn right(&self) -> EdgeId {
        self.right
    }

    /// How many cuts came before in its tree: its outer edges belong to the envelope of this level, its inner edge to the next.
    pub fn level(&self) -> u32 {
        self.level
    }

    /// The triangle whose cut made this corner.
    pub fn parent(&self) -> Option<TriangleId> {
        self.parent
    }

    /// The triangles in the two corners that the cut made.
    pub fn children(&self) -> [Option<TriangleId>; 2] {
        self.children
    }

    /// Where the outer edges meet.
    pub fn apex(&self) -> &Point {
        &self.apex
    }
}

/// A vertex of an envelope: where two neighbouring edges meet.
///
/// With the vertices of the polygon between the contacts of these edges it bounds a boomerang; `below` is the triangle that
/// the next level cuts off it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Corner {
    /// The edge before the vertex, counter-clockwise.
    pub left: EdgeId,
    /// The edge after it.
    pub right: EdgeId,
    /// The triangle cut off here; none where the vertex is one of the polygon and stays.
    pub below: Option<TriangleId>,
}

/// An outer approximation hierarchy of a convex polygon [Erickson99 §3].
///
/// The outermost envelope is a rectangle; each next one cuts every corner by a line that supports the polygon. Triangles and
/// four unbounded cells tile all that is outside. Envelopes are polygons of the body's own frame and exact; neighbours
/// within a level and between levels take `O(1)`, and all takes `O(n)` space.
///
/// ```
/// use clearance::{glam::DVec2, kinetic::hierarchy::Hierarchy, planar::{Point, Polygon}};
/// let triangle = Polygon::hull(&[DVec2::ZERO, DVec2::new(4.0, 1.0), DVec2::new(1.0, 3.0)])?;
/// let hierarchy = Hierarchy::compass(triangle);
/// let point = Point::from(DVec2::new(3.5, 2.9));
/// let edge = hierarchy.separating_edge(hierarchy.locate(&point)).expect("the point is outside");
/// assert!(hierarchy.line(edge).side(&point).is_positive());
/// // The first cut of that corner is enough: the polygon need not be looked at.
/// assert_eq!(hierarchy.edge(edge).birth(), 1);
/// # Ok::<(), clearance::planar::PolygonError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Hierarchy {
    pub(super) polygon: Polygon,
    pub(super) edges: Vec<Edge>,
    pub(super) triangles: Vec<Triangle>,
    pub(super) roots: [Option<TriangleId>; 4],
    pub(super) depth: u32,
    pub(super) lattice_levels: u32,
    pub(super) diameter: f64,
    /// Of each edge, the triangles in the corners at its end (`[0]`) and at its start (`[1]`), level by level from its birth.
    pub(super) spines: [Spines; 2],
}

/// Lists of triangles, one for each edge, in one array.
#[derive(Clone, Debug, Default)]
pub(super) struct Spines {
    starts: Vec<u32>,
    triangles: Vec<TriangleId>,
}

impl Spines {
    pub(super) fn new(
        edge_count: usize,
        of: impl Fn(&Triangle) -> EdgeId,
        triangles: &[Triangle],
        by_level: &[u32],
    ) -> Spines {
        let mut starts = vec![0u32; edge_count + 1];
        for triangle in triangles {
            starts[of(triangle).0 as usize + 1] += 1;
        }
        for i in 0..edge_count {
            starts[i + 1] += starts[i];
        }
        let mut filled = starts.clone();
        let mut list = vec![TriangleId(0); triangles.len()];
        for &id in by_level {
            let slot = &mut filled[of(&triangles[id as usize]).0 as usize];
            list[*slot as usize] = TriangleId(id);
            *slot += 1;
        }
        Spines { starts, triangles: list }
    }

    fn of(&self, edge: EdgeId) -> &[TriangleId] {
        let [start, end] = [edge.0 as usize, edge.0 as usize + 1].map(|i| self.starts[i] as usize);
        &self.triangles[start..end]
    }
}

impl Hierarchy {
    /// The polygon.
    pub fn polygon(&self) -> &Polygon {
        &self.polygon
    }

    /// A number not below the polygon's diameter, by a few units in the last place.
    pub fn diameter(&self) -> f64 {
        self.diameter
    }

    /// The number of levels of triangles: the envelope of this level is the polygon itself.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Up to this level the edges of envelopes have the directions of a regular lattice; zero for a Dudley hierarchy.
    pub fn lattice_levels(&self) -> u32 {
        self.lattice_levels
    }

    /// One edge.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.0 as usize]
    }

    /// The line of one edge.
    pub fn line(&self, id: EdgeId) -> &Line {
        &self.edges[id.0 as usize].line
    }

    /// All edges; the first four are the sides of the rectangle: right, top, left, bottom.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// One triangle.
    pub fn triangle(&self, id: TriangleId) -> &Triangle {
        &self.triangles[id.0 as usize]
    }

    /// All triangles; those below a triangle follow it.
    pub fn triangles(&self) -> &[Triangle] {
        &self.triangles
    }

    /// The triangle at the corner after a side of the rectangle.
    pub fn root(&self, quarter: usize) -> Option<TriangleId> {
        self.roots[quarter]
    }

    /// The triangles in the corners at the end of an edge, from the level of its birth on, one a level.
    pub fn spine_after(&self, edge: EdgeId) -> &[TriangleId] {
        self.spines[0].of(edge)
    }

    /// The triangles in the corners at the start of an edge.
    pub fn spine_before(&self, edge: EdgeId) -> &[TriangleId] {
        self.spines[1].of(edge)
    }

    /// The neighbours of an edge in the envelope of its birth: before and after.
    pub(super) fn first_neighbours(&self, edge: EdgeId) -> [EdgeId; 2] {
        self.edge(edge).neighbours
    }
}
