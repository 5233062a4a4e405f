//! A grid that is sorted anew in every frame.

use super::bodies::Bodies;
use super::grid::Grid;
use super::{BroadPhase, IdPair, Mobility};
use crate::math::Aabb;

/// The paper's partition of space into regions [Chung96 §3.1], with a grid for each class of sizes.
///
/// `O(n)` for each frame however far bodies move, while those of one size are not crowded; about 130 bytes a body beside
/// its bound.
///
/// Differs from the paper: 1. the size of regions follows the bodies: each class of sizes within a factor of four has its
/// own, finer ones where bodies are crowded; 2. within a region and its neighbours all pairs are compared, four numbers at
/// a time, instead of swept.
#[derive(Clone, Debug, Default)]
pub struct Partition {
    bodies: Bodies,
    grid: Grid,
}

impl Partition {
    /// Boxes that the last search compared.
    pub fn tests(&self) -> u64 {
        self.grid.tests
    }
}

impl BroadPhase for Partition {
    fn insert(&mut self, id: u32, bound: Aabb, mobility: Mobility) {
        self.bodies.insert(id, bound, mobility);
    }

    fn remove(&mut self, id: u32) {
        self.bodies.remove(id);
        self.grid.shrink(self.bodies.count());
    }

    fn update(&mut self, id: u32, bound: Aabb) {
        self.bodies.update(id, bound);
    }

    fn pairs(&mut self, out: &mut Vec<IdPair>) {
        self.grid.find(self.bodies.view(), out);
    }

    fn bytes(&self) -> usize {
        self.bodies.bytes() + self.grid.bytes()
    }
}
