//! Walking from neighbour to neighbour, always upwards.

use super::SupportMap;
use crate::shape::Polytope;
use glam::DVec3;

/// `2^-1000`: slack so small may hide bits lost to underflow, and proves nothing.
pub(super) const UNDERFLOW_GUARD: f64 = f64::from_bits((1023 - 1000) << 52);

/// An extreme vertex, and whether floats alone proved it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extreme {
    /// The vertex at which the walk ended.
    pub vertex: u32,
    /// Whether every neighbour is lower by more than rounding can explain: then the vertex is the exact
    /// maximum, for the given direction and for all that differ from it by `4u` in size.
    pub proved: bool,
}

impl SupportMap {
    /// The extreme vertex in a direction, walking from a hint.
    ///
    /// What `proved` rests on: with `D` the largest coordinate of the direction, `d . v` of a vertex is computed
    /// with an error of `3.1u D reach`. A direction that was rotated into the body's frame errs by
    /// `3.1u |d|` in each coordinate, `|d| <= 1.74 D`, which moves `d . v` by `5.4u D reach`. A comparison has
    /// two such sides: a drop of more than `17u D reach` is real, and `20u` leaves room for its own rounding.
    #[inline]
    pub fn climb(&self, direction: DVec3, from: u32) -> Extreme {
        let slack = self.slack(direction);
        let (vertices, mut at) = (self.polytope.vertices(), from as usize);
        let mut height = direction.dot(vertices[at]);
        loop {
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
                let proved = second < height - slack && slack > UNDERFLOW_GUARD;
                return Extreme { vertex: at as u32, proved: proved || second == f64::NEG_INFINITY };
            }
            (at, height) = (next, best);
        }
    }
}

impl SupportMap {
    /// The drop that rounding cannot explain; see [`SupportMap::climb`].
    #[inline]
    pub(super) fn slack(&self, direction: DVec3) -> f64 {
        10.0 * f64::EPSILON * direction.abs().max_element() * self.reach
    }
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
