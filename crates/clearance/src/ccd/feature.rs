//! Four moving vertices, and how they make two features.

use super::MovingPoint;
use crate::exact::Sign;
use glam::DVec3;

/// Which two features four vertices are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A vertex, then the corners of a triangle.
    VertexFace,
    /// The ends of an edge, then those of another.
    EdgeEdge,
}

/// A vertex of one feature and an edge of the other, by number.
#[derive(Clone, Copy, Debug)]
pub(super) struct VertexEdge {
    pub(super) vertex: usize,
    pub(super) edge: [usize; 2],
}

const fn pair(vertex: usize, from: usize, to: usize) -> VertexEdge {
    VertexEdge { vertex, edge: [from, to] }
}

const OF_FACE: [VertexEdge; 3] = [pair(0, 1, 2), pair(0, 2, 3), pair(0, 3, 1)];
const OF_EDGES: [VertexEdge; 4] = [pair(0, 2, 3), pair(1, 2, 3), pair(2, 0, 1), pair(3, 0, 1)];

/// Two features and where their vertices are at times 0 and 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Features {
    pub(super) kind: Kind,
    pub(super) start: [DVec3; 4],
    pub(super) end: [DVec3; 4],
}

impl Features {
    pub(super) fn vertex_face(points: [MovingPoint; 4]) -> Features {
        Features { kind: Kind::VertexFace, start: points.map(|p| p.start), end: points.map(|p| p.end) }
    }

    pub(super) fn edge_edge(points: [MovingPoint; 4]) -> Features {
        Features { kind: Kind::EdgeEdge, start: points.map(|p| p.start), end: points.map(|p| p.end) }
    }
}

impl Kind {
    /// Every vertex of one feature with every edge of the other; corners of a face in turn.
    pub(super) fn vertices_and_edges(self) -> &'static [VertexEdge] {
        match self {
            Kind::VertexFace => &OF_FACE,
            Kind::EdgeEdge => &OF_EDGES,
        }
    }

    /// Whether features in one plane share a point, if they do not all lie on a line.
    ///
    /// The signs are those of the turns `vertex, edge[0], edge[1]` seen in that plane, one for each pair of
    /// [`Kind::vertices_and_edges`]. That the vertices are not all on a line means that some sign is not zero.
    ///
    /// Face: with turns `c_i`, `sum c_i f_i = v sum c_i` in the plane. If none is opposite to another the sum is not zero
    /// and `v` is a mean of the corners; if two are opposite, `v` is on different sides of two sides of the triangle, or
    /// that is flat and `v` beside it. Edges: if neither has both ends strictly on one side of the other's line, and they
    /// are not parallel, the lines cross in a point of both; if they are parallel, or one is a point, some edge has both
    /// ends strictly on one side, since not all is on a line.
    pub(super) fn meet_in_a_plane(self, signs: &[Sign]) -> bool {
        let opposite = |a: Sign, b: Sign| (a * b).is_negative();
        let same = |a: Sign, b: Sign| (a * b).is_positive();
        match *signs {
            [a, b, c] => !(opposite(a, b) || opposite(b, c) || opposite(c, a)),
            [a, b, c, d] => !(same(a, b) || same(c, d)),
            _ => false,
        }
    }
}
