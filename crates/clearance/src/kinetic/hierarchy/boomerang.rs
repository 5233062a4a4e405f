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
    line: Line,
    contact: [u32; 2],
    birth: u32,
    owner: Option<TriangleId>,
    neighbours: [EdgeId; 2],
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
    left: EdgeId,
    cut: EdgeId,
    right: EdgeId,
    level: u32,
    parent: Option<TriangleId>,
    children: [Option<TriangleId>; 2],
    apex: Point,
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
#[derive(Clone, Debug)]
pub struct Hierarchy {
    pub(super) polygon: Polygon,
    edges: Vec<Edge>,
    triangles: Vec<Triangle>,
    roots: [Option<TriangleId>; 4],
    depth: u32,
    lattice_levels: u32,
    diameter: f64,
    /// Of each edge, the triangles in the corners at its end (`[0]`) and at its start (`[1]`), level by level from its birth.
    spines: [Spines; 2],
}

/// Lists of triangles, one for each edge, in one array.
#[derive(Clone, Debug, Default)]
struct Spines {
    starts: Vec<u32>,
    triangles: Vec<TriangleId>,
}

impl Spines {
    fn new(
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

/// A line with the first and last vertex on it.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    pub line: Line,
    pub contact: [usize; 2],
}

/// A corner that may be cut, as the strategies see it: vertices `first..=last` of the polygon, counter-clockwise and possibly
/// past the end of the list, lie between the contacts of its two edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenCorner {
    pub first: usize,
    pub last: usize,
    pub level: u32,
}

/// How corners are cut. `State` is what a strategy knows about a corner.
pub(super) trait Strategy {
    type State;

    /// What is known about the four corners of the rectangle, `0` being between the sides to the right and to the top.
    fn root(&self, quarter: usize, polygon: &Polygon, corner: OpenCorner) -> Self::State;

    /// The next cut of a corner and what is known about the two corners it makes; none if it stays.
    fn cut(
        &self,
        polygon: &Polygon,
        corner: OpenCorner,
        state: Self::State,
    ) -> Option<(Cut, [Self::State; 2])>;
}

impl Hierarchy {
    /// Cuts until the strategy wants no more.
    pub(super) fn build<S: Strategy>(polygon: Polygon, strategy: &S, lattice_levels: u32) -> Hierarchy {
        let mut builder = Builder { edges: sides(&polygon), triangles: Vec::new(), polygon: &polygon };
        let roots = std::array::from_fn(|quarter| {
            let ends = [EdgeId(quarter as u32), EdgeId((quarter as u32 + 1) % 4)];
            let corner = builder.open(ends, 0);
            builder.cut_all(ends, strategy, strategy.root(quarter, &polygon, corner))
        });
        let Builder { edges, triangles, .. } = builder;
        let mut by_level: Vec<u32> = (0..triangles.len() as u32).collect();
        by_level.sort_by_key(|&id| triangles[id as usize].level);
        let after = Spines::new(edges.len(), |t| t.left, &triangles, &by_level);
        let before = Spines::new(edges.len(), |t| t.right, &triangles, &by_level);
        let depth = triangles.iter().map(|t| t.level + 1).max().unwrap_or(0);
        let diameter = polygon.diameter();
        Hierarchy {
            polygon,
            edges,
            triangles,
            roots,
            depth,
            lattice_levels,
            diameter,
            spines: [after, before],
        }
    }

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

/// The sides of the bounding rectangle: right, top, left, bottom.
fn sides(polygon: &Polygon) -> Vec<Edge> {
    use glam::DVec2;
    [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y]
        .into_iter()
        .enumerate()
        .map(|(i, normal)| {
            let Cut { line, contact } = supporting(polygon, normal);
            let i = i as u32;
            Edge {
                line,
                contact: contact.map(|v| v as u32),
                birth: 0,
                owner: None,
                neighbours: [EdgeId((i + 3) % 4), EdgeId((i + 1) % 4)],
            }
        })
        .collect()
}

/// The line with a finite outer normal, not zero, that touches the polygon.
pub(super) fn supporting(polygon: &Polygon, normal: glam::DVec2) -> Cut {
    let vertex = polygon.support(normal);
    let line = Line::with_normal(normal, &polygon.points()[vertex]);
    match polygon.edges().get(vertex) {
        Some(edge) if edge.turn(&line).is_zero() => {
            Cut { line: edge.clone(), contact: [vertex, polygon.next(vertex)] }
        }
        _ => Cut { line, contact: [vertex, vertex] },
    }
}

struct Builder<'a> {
    polygon: &'a Polygon,
    edges: Vec<Edge>,
    triangles: Vec<Triangle>,
}

impl Builder<'_> {
    fn open(&self, [left, right]: [EdgeId; 2], level: u32) -> OpenCorner {
        let first = self.edges[left.0 as usize].contact[1] as usize;
        let last = self.edges[right.0 as usize].contact[0] as usize;
        // An open quarter turn never holds all edges: equal vertices mean none.
        let last = if last < first { last + self.polygon.vertices().len() } else { last };
        OpenCorner { first, last, level }
    }

    /// Cuts a corner and all that follow from it; returns its triangle.
    fn cut_all<S: Strategy>(
        &mut self,
        ends: [EdgeId; 2],
        strategy: &S,
        state: S::State,
    ) -> Option<TriangleId> {
        let first = self.triangles.len() as u32;
        let mut open = vec![(ends, 0, None, state)];
        while let Some((ends, level, place, state)) = open.pop() {
            let corner = self.open(ends, level);
            let Some((cut, [left, right])) = strategy.cut(self.polygon, corner, state) else { continue };
            let parent = place.map(|(parent, _): (TriangleId, usize)| parent);
            let (id, edge) = self.push(ends, corner, cut, parent);
            if let Some((parent, side)) = place {
                self.triangles[parent.0 as usize].children[side] = Some(id);
            }
            open.push(([edge, ends[1]], level + 1, Some((id, 1)), right));
            open.push(([ends[0], edge], level + 1, Some((id, 0)), left));
        }
        (self.triangles.len() as u32 > first).then_some(TriangleId(first))
    }

    fn push(
        &mut self,
        ends: [EdgeId; 2],
        corner: OpenCorner,
        cut: Cut,
        parent: Option<TriangleId>,
    ) -> (TriangleId, EdgeId) {
        let (edge, id) = (EdgeId(self.edges.len() as u32), TriangleId(self.triangles.len() as u32));
        let [left, right] = ends.map(|end| &self.edges[end.0 as usize].line);
        // A corner without edges of the polygon in it is a vertex. Others are where lines of different directions meet.
        let vertex = &self.polygon.points()[corner.first];
        let apex = if corner.first == corner.last { None } else { left.crossing(right) };
        self.triangles.push(Triangle {
            left: ends[0],
            cut: edge,
            right: ends[1],
            level: corner.level,
            parent,
            children: [None; 2],
            apex: apex.unwrap_or_else(|| vertex.clone()),
        });
        self.edges.push(Edge {
            line: cut.line,
            contact: cut.contact.map(|v| v as u32),
            birth: corner.level + 1,
            owner: Some(id),
            neighbours: ends,
        });
        (id, edge)
    }
}
