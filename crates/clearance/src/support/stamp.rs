//! Visited stamps [Chung96 §3.3].

use super::stats::SupportStats;
use crate::shape::Polytope;
use glam::DVec3;

/// The walk in `f64` that looks at no vertex twice.
///
/// Kept to check the paper's claim that a third of the products is saved; see `lab support`. Blocks look at
/// eight neighbours for the price of one, so the walk in use has no stamps.
#[derive(Clone, Debug)]
pub struct StampedWalk<'a> {
    polytope: &'a Polytope,
    stamps: Vec<u32>,
    now: u32,
}

impl<'a> StampedWalk<'a> {
    /// No vertex visited yet.
    pub fn new(polytope: &'a Polytope) -> StampedWalk<'a> {
        StampedWalk { polytope, stamps: vec![0; polytope.vertices().len()], now: 0 }
    }

    /// The end of the walk: the same vertex as without stamps.
    pub fn climb(&mut self, direction: DVec3, from: u32, stats: &mut SupportStats) -> u32 {
        self.begin(from);
        stats.searches += 1;
        let vertices = self.polytope.vertices();
        let (mut at, mut height) = (from, direction.dot(vertices[from as usize]));
        loop {
            let start = at;
            stats.vertices += 1;
            for &neighbour in self.polytope.neighbours(start as usize) {
                if std::mem::replace(&mut self.stamps[neighbour as usize], self.now) == self.now {
                    continue;
                }
                stats.products += 1;
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

    fn begin(&mut self, from: u32) {
        if self.now == u32::MAX {
            self.stamps.fill(0);
            self.now = 0;
        }
        self.now += 1;
        self.stamps[from as usize] = self.now;
    }
}
