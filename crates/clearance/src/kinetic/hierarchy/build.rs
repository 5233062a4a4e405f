//! Cutting corners: how the trees of a hierarchy are made.

use super::boomerang::{Edge, EdgeId, Hierarchy, Spines, Triangle, TriangleId};
use crate::planar::{Line, Polygon};
use glam::DVec2;

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
}

/// The sides of the bounding rectangle: right, top, left, bottom.
fn sides(polygon: &Polygon) -> Vec<Edge> {
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
pub(super) fn supporting(polygon: &Polygon, normal: DVec2) -> Cut {
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
