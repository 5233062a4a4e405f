//! Two cells that may meet, and which of their features may.

use super::proper::{Attitude, Proper};
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
    pub features: Features,
}

/// Which features of two cells may meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Features {
    /// Corners of A that may meet the triangle of B.
    pub corners_a: [bool; 3],
    /// Corners of B that may meet the triangle of A.
    pub corners_b: [bool; 3],
    /// Edges of A, each with those of B that it may meet.
    pub edges: [[bool; 3]; 3],
}

impl Features {
    /// All that two cells have of their own.
    pub fn of(a: &Cell, b: &Cell) -> Features {
        let own = |parts: [u32; 3]| parts.map(|part| part != NONE);
        let (edges_a, edges_b) = (own(a.edges), own(b.edges));
        Features {
            corners_a: if b.triangle == NONE { [false; 3] } else { own(a.vertices) },
            corners_b: if a.triangle == NONE { [false; 3] } else { own(b.vertices) },
            edges: edges_a.map(|is_own| edges_b.map(|other| is_own && other)),
        }
    }

    pub fn is_empty(&self) -> bool {
        let is_none = |parts: &[bool; 3]| *parts == [false; 3];
        is_none(&self.corners_a) && is_none(&self.corners_b) && self.edges.iter().all(is_none)
    }

    pub fn count(&self) -> usize {
        let count = |parts: &[bool; 3]| parts.iter().filter(|&&is_there| is_there).count();
        count(&self.corners_a) + count(&self.corners_b) + self.edges.iter().map(count).sum::<usize>()
    }

    /// Those that are left if each corner of B stays on a side of the plane of A's triangle, or 0, and the other way round.
    ///
    /// Edges of a triangle lie in its plane.
    pub fn beside(mut self, over_a: [i8; 3], over_b: [i8; 3]) -> Features {
        let (crossing_a, crossing_b) = (crossing(over_b), crossing(over_a));
        for k in 0..3 {
            self.corners_a[k] &= over_b[k] == 0;
            self.corners_b[k] &= over_a[k] == 0;
            for j in 0..3 {
                self.edges[k][j] &= crossing_a[k] && crossing_b[j];
            }
        }
        self
    }

    /// Those that may meet properly.
    pub fn proper(mut self, [a, b]: [&Cell; 2], proper: &Proper<'_>, at: &Attitude) -> Features {
        if self.corners_a != [false; 3] {
            let keep = proper.vertices_of_a(b.triangle, at);
            (0..3).for_each(|k| self.corners_a[k] = self.corners_a[k] && keep(a.vertices[k]));
        }
        if self.corners_b != [false; 3] {
            let keep = proper.vertices_of_b(a.triangle, at);
            (0..3).for_each(|k| self.corners_b[k] = self.corners_b[k] && keep(b.vertices[k]));
        }
        for k in 0..3 {
            if self.edges[k] != [false; 3] {
                let keep = proper.edges_with(a.edges[k], at);
                (0..3).for_each(|j| self.edges[k][j] = self.edges[k][j] && keep(b.edges[j]));
            }
        }
        self
    }
}

impl CellPair {
    /// Vertices of B that may meet the triangle of A.
    pub fn vertices_b(&self) -> impl Iterator<Item = u32> + use<> {
        may_meet(self.b.vertices, self.features.corners_b)
    }

    /// Vertices of A that may meet the triangle of B.
    pub fn vertices_a(&self) -> impl Iterator<Item = u32> + use<> {
        may_meet(self.a.vertices, self.features.corners_a)
    }

    /// Pairs of edges that may meet.
    pub fn edges(&self) -> impl Iterator<Item = [u32; 2]> + use<> {
        let (edges_a, edges_b, meets) = (self.a.edges, self.b.edges, self.features.edges);
        (0..9).filter(move |k| meets[k / 3][k % 3]).map(move |k| [edges_a[k / 3], edges_b[k % 3]])
    }
}

fn may_meet(vertices: [u32; 3], meets: [bool; 3]) -> impl Iterator<Item = u32> {
    (0..3).filter(move |&k| meets[k]).map(move |k| vertices[k])
}

/// Sides whose ends do not stay on one side of a plane.
fn crossing(over: [i8; 3]) -> [bool; 3] {
    std::array::from_fn(|k| over[k] == 0 || over[k] != over[(k + 1) % 3])
}
