//! What a search did, for those who ask.

use super::{Extreme, SupportMap};
use crate::shape::Polytope;
use glam::DVec3;

/// Counts over any number of searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SupportStats {
    /// Searches.
    pub searches: u64,
    /// Vertices whose neighbours were looked at: one for a hint that is still extreme.
    pub vertices: u64,
    /// Products of the direction with a vertex or an edge.
    pub products: u64,
    /// Searches whose hint was not proved extreme at first sight, so that a walk followed.
    pub walks: u64,
}

/// What a kernel reports to; `()` costs nothing.
pub(super) trait Counter {
    fn visit(&mut self, polytope: &Polytope, vertex: usize);
}

impl Counter for () {
    #[inline(always)]
    fn visit(&mut self, _: &Polytope, _: usize) {}
}

impl Counter for SupportStats {
    fn visit(&mut self, polytope: &Polytope, vertex: usize) {
        self.vertices += 1;
        self.products += polytope.neighbours(vertex).len() as u64;
    }
}

impl SupportMap {
    /// [`climb`](SupportMap::climb) that walks all the way from the hint, as in the paper, and counts; of vertices that are tied it
    /// may end at another one.
    pub fn climb_counted(&self, direction: DVec3, from: u32, stats: &mut SupportStats) -> Extreme {
        stats.searches += 1;
        if self.is_proved(direction, from) {
            stats.visit(&self.polytope, from as usize);
            return Extreme { vertex: from, proved: true, walked: 0 };
        }
        stats.walks += 1;
        self.climb_in_f64_with(direction, from, stats)
    }

    /// [`climb_in_f64`](SupportMap::climb_in_f64) that counts; the answer is the same.
    pub fn climb_in_f64_counted(&self, direction: DVec3, from: u32, stats: &mut SupportStats) -> Extreme {
        stats.searches += 1;
        self.climb_in_f64_with(direction, from, stats)
    }
}
