//! The vertices of a body and the lines that bound it.

use super::feature::{LineRef, PointRef};
use crate::planar::Polygon;
use glam::DVec2;

/// A convex polygon as certificates see it: vertices counter-clockwise, and sides that bound it.
///
/// A segment has two caps beside its two edges, a point has four: so disjoint bodies of any kind have a side that separates them.
#[derive(Clone, Debug)]
pub(crate) struct Outline {
    vertices: Vec<DVec2>,
    sides: Vec<Side>,
    radius: f64,
}

/// From a vertex to the next, or a line through one vertex with a normal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    pub(crate) from: usize,
    pub(crate) to: usize,
    cap: Option<DVec2>,
}

impl Outline {
    pub(crate) fn new(polygon: &Polygon) -> Outline {
        let vertices = polygon.vertices().to_vec();
        let edge = |from: usize, to: usize| Side { from, to, cap: None };
        let cap = |at: usize, normal: DVec2| Side { from: at, to: at, cap: Some(normal) };
        let sides = match vertices[..] {
            [_] => [DVec2::NEG_Y, DVec2::X, DVec2::Y, DVec2::NEG_X].map(|normal| cap(0, normal)).to_vec(),
            [a, b] => {
                let along = direction(a, b);
                vec![edge(0, 1), cap(1, along), edge(1, 0), cap(0, -along)]
            }
            _ => (0..vertices.len()).map(|i| edge(i, (i + 1) % vertices.len())).collect(),
        };
        let radius = vertices.iter().fold(0.0, |radius: f64, v| radius.max(v.x.abs() + v.y.abs()));
        Outline { vertices, sides, radius }
    }

    pub(crate) fn vertices(&self) -> &[DVec2] {
        &self.vertices
    }

    pub(crate) fn sides(&self) -> &[Side] {
        &self.sides
    }

    /// No vertex is farther from the origin.
    pub(crate) fn radius(&self) -> f64 {
        self.radius
    }

    /// Whether it has an inside.
    pub(crate) fn is_solid(&self) -> bool {
        self.vertices.len() > 2
    }

    pub(crate) fn line(&self, side: usize) -> LineRef<'static> {
        let Side { from, to, cap } = self.sides[side];
        match cap {
            Some(normal) => LineRef::Support { normal, at: self.vertices[from] },
            None => LineRef::Edge(self.vertices[from], self.vertices[to]),
        }
    }

    pub(crate) fn point(&self, vertex: usize) -> PointRef<'static> {
        PointRef::Vertex(self.vertices[vertex])
    }

    pub(crate) fn next(&self, vertex: usize) -> usize {
        (vertex + 1) % self.vertices.len()
    }

    pub(crate) fn previous(&self, vertex: usize) -> usize {
        (vertex + self.vertices.len() - 1) % self.vertices.len()
    }

    /// The edge that leaves a vertex; none of a point.
    pub(crate) fn next_edge(&self, vertex: usize) -> Option<LineRef<'static>> {
        let next = self.next(vertex);
        (next != vertex).then(|| LineRef::Edge(self.vertices[vertex], self.vertices[next]))
    }

    /// The edge that arrives at a vertex; none of a point.
    pub(crate) fn previous_edge(&self, vertex: usize) -> Option<LineRef<'static>> {
        let previous = self.previous(vertex);
        (previous != vertex).then(|| LineRef::Edge(self.vertices[previous], self.vertices[vertex]))
    }
}

/// Roughly from one point to another, of moderate size.
fn direction(from: DVec2, to: DVec2) -> DVec2 {
    let d = to - from;
    let size = d.abs().max_element();
    // Differences of different floats are not zero, and no larger than twice the largest coordinate.
    d / size
}
