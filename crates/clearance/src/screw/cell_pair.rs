//! Two cells that may meet, and which of their features may.

use super::sight::Moment;
use super::surface::{Cell, NONE};
use crate::math::Interval;

/// Two cells that may meet in a window of time.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellPair {
    pub a: Cell,
    pub b: Cell,
    pub window: Interval,
    /// The same window in floats.
    pub moment: Moment,
    /// The side of the plane of A's triangle that each corner of B stays on, or 0.
    pub over_a: [i8; 3],
    /// The side of the plane of B's triangle that each corner of A stays on, or 0.
    pub over_b: [i8; 3],
    /// Corners of A that may meet the triangle of B.
    pub meets_a: [bool; 3],
    /// Corners of B that may meet the triangle of A.
    pub meets_b: [bool; 3],
}

impl CellPair {
    /// Vertices of B that may meet the triangle of A.
    pub fn vertices_b(&self) -> impl Iterator<Item = u32> + use<> {
        may_meet(self.b.vertices, self.meets_b)
    }

    /// Vertices of A that may meet the triangle of B.
    pub fn vertices_a(&self) -> impl Iterator<Item = u32> + use<> {
        may_meet(self.a.vertices, self.meets_a)
    }

    /// Pairs of edges that may meet: edges of a triangle lie in its plane.
    pub fn edges(&self) -> impl Iterator<Item = [u32; 2]> + use<> {
        let edges_b = crossing(self.b.edges, self.over_a);
        crossing(self.a.edges, self.over_b)
            .into_iter()
            .flatten()
            .flat_map(move |edge_a| edges_b.into_iter().flatten().map(move |edge_b| [edge_a, edge_b]))
    }
}

fn may_meet(vertices: [u32; 3], meets: [bool; 3]) -> impl Iterator<Item = u32> {
    (0..3).filter(move |&k| meets[k]).map(move |k| vertices[k])
}

/// Edges of which the ends do not stay on one side.
fn crossing(edges: [u32; 3], over: [i8; 3]) -> [Option<u32>; 3] {
    std::array::from_fn(|k| {
        let [from, to] = [over[k], over[(k + 1) % 3]];
        (edges[k] != NONE && (from == 0 || from != to)).then_some(edges[k])
    })
}
