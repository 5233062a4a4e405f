//! Walking from neighbour to neighbour in `f64`, always upwards.

use super::SupportMap;
use super::stats::Counter;
use crate::shape::Polytope;
use glam::DVec3;

/// `2^-1000`: slack so small may hide bits lost to underflow, and proves nothing.
const UNDERFLOW_GUARD: f64 = f64::from_bits((1023 - 1000) << 52);

/// `2^900`: heights are at most `2^49` times their slack, so below this nothing overflowed.
const OVERFLOW_GUARD: f64 = f64::from_bits((1023 + 900) << 52);

/// An extreme vertex, and whether floats alone proved it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extreme {
    /// The vertex at which the walk ended.
    pub vertex: u32,
    /// Whether every neighbour is lower by more than rounding can explain: then the vertex is the exact
    /// maximum, for the given direction and for all that differ from it by `4u` in size.
    pub proved: bool,
    /// How many vertices the walk went on to from its hint, one that was looked up on the way included.
    pub walked: u32,
}

impl SupportMap {
    /// [`climb`](SupportMap::climb) without blocks: `f64` from vertex to vertex over the adjacency of the polytope.
    ///
    /// What `proved` rests on: with `D` the largest coordinate of the direction, `d . v` of a vertex is computed
    /// with an error of `3.1u D reach`. A direction that was rotated into the body's frame errs by
    /// `3.1u |d|` in each coordinate, `|d| <= 1.74 D`, which moves `d . v` by `5.4u D reach`. A comparison has
    /// two such sides: a drop of more than `17u D reach` is real. What compares the heights of two vertices
    /// along an exact direction and a rounded one adds up to `20.9u`: `22u` leaves room for its own rounding.
    #[inline(always)]
    pub fn climb_in_f64(&self, direction: DVec3, from: u32) -> Extreme {
        self.climb_in_f64_with(direction, from, &mut ())
    }

    #[inline(always)]
    pub(super) fn climb_in_f64_with(
        &self,
        direction: DVec3,
        from: u32,
        counter: &mut impl Counter,
    ) -> Extreme {
        let slack = self.slack(direction);
        let (vertices, mut at, mut walked) = (self.polytope.vertices(), from as usize, 0);
        let mut height = direction.dot(vertices[at]);
        loop {
            counter.visit(&self.polytope, at);
            let (mut best, mut second) = (height, f64::NEG_INFINITY);
            let mut next = at;
            for &neighbour in self.polytope.neighbours(at) {
                let there = direction.dot(vertices[neighbour as usize]);
                second = second.max(there);
                if there > best {
                    (best, next) = (there, neighbour as usize);
                }
            }
            if next == at {
                let proved = second < height - slack && is_trusted(slack);
                return Extreme { vertex: at as u32, proved: proved || vertices.len() == 1, walked };
            }
            (at, height, walked) = (next, best, walked + 1);
        }
    }
}

/// `2^-900`: a coordinate of a turned direction has lost nothing to underflow that counts beside this.
pub(super) const LEAST_DIRECTION: f64 = f64::from_bits((1023 - 900) << 52);

impl SupportMap {
    /// The drop that rounding cannot explain; see [`SupportMap::climb_in_f64`]. Far too large for directions so small that turning
    /// them lost bits to underflow: then nothing is proved.
    #[inline]
    pub(super) fn slack(&self, direction: DVec3) -> f64 {
        11.0 * f64::EPSILON * (direction.abs().max_element() + LEAST_DIRECTION) * self.reach
    }
}

/// Whether heights compared with this slack are far from both ends of the range of `f64`.
#[inline]
pub(super) fn is_trusted(slack: f64) -> bool {
    slack > UNDERFLOW_GUARD && slack < OVERFLOW_GUARD
}

/// The end of the walk alone, for tables.
pub(super) fn climb(polytope: &Polytope, direction: DVec3, from: u32) -> u32 {
    let vertices = polytope.vertices();
    let (mut at, mut height) = (from, direction.dot(vertices[from as usize]));
    loop {
        let start = at;
        for &neighbour in polytope.neighbours(start as usize) {
            let there = direction.dot(vertices[neighbour as usize]);
            if there > height {
                (at, height) = (neighbour, there);
            }
        }
        if at == start {
            return at;
        }
    }
}
