//! Walking from neighbour to neighbour, always upwards.

use super::SupportMap;
use crate::shape::Polytope;
use glam::DVec3;

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
    /// `d . v` of a vertex errs by at most `3u |d| reach` and a direction rotated into the body's frame by
    /// `4u |d| reach`, on both sides of a comparison: a drop of more than `16u |d| reach` is real.
    #[inline]
    pub fn climb(&self, direction: DVec3, from: u32) -> Extreme {
        let slack = 8.0 * f64::EPSILON * direction.abs().max_element() * self.reach;
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
                return Extreme { vertex: at as u32, proved: second < height - slack };
            }
            (at, height) = (next, best);
        }
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
