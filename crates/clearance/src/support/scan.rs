//! Looking at every vertex: the fastest start on small polytopes.

use super::block::{Block, LANES};
use crate::shape::Polytope;
use glam::DVec3;

/// All vertices in `f32`, eight at a time.
///
/// Positions are taken from the middle of the bounding box and scaled by a power of two to at most 1 in size, so
/// that offsets do not blur them. What is found is a start, not a proof.
#[derive(Clone, Debug)]
pub(super) struct Scan {
    last: u32,
    blocks: Vec<Block>,
}

impl Scan {
    pub(super) fn build(polytope: &Polytope) -> Scan {
        let middle = polytope.bounds().center();
        let size = polytope.bounds().extent().max_element();
        let exponent = (size.to_bits() >> 52) as i64 - 1023;
        let factor = f64::from_bits(((1022 - exponent).clamp(1, 2046) as u64) << 52);
        let scaled: Vec<DVec3> = polytope.vertices().iter().map(|&v| (v - middle) * factor).collect();
        Scan { last: scaled.len() as u32 - 1, blocks: scaled.chunks(LANES).map(Block::new).collect() }
    }

    pub(super) fn bytes(&self) -> usize {
        self.blocks.len() * size_of::<Block>()
    }

    /// A vertex that is extreme up to the rounding of `f32`; any vertex for a direction outside the range of `f32`.
    ///
    /// One comparison for each lane and block, none of them a branch.
    #[inline]
    pub(super) fn look_up(&self, direction: DVec3) -> u32 {
        let direction = [direction.x as f32, direction.y as f32, direction.z as f32];
        let (mut best, mut found) = ([f32::NEG_INFINITY; LANES], [0u32; LANES]);
        for (k, block) in self.blocks.iter().enumerate() {
            let heights = block.heights(direction);
            for i in 0..LANES {
                let higher = heights[i] > best[i];
                best[i] = if higher { heights[i] } else { best[i] };
                found[i] = if higher { k as u32 } else { found[i] };
            }
        }
        let top = super::block::greatest(&best);
        let lane = (0..LANES - 1).find(|&i| best[i] == top).unwrap_or(LANES - 1);
        // Lanes past the end repeat the last vertex.
        (found[lane] * LANES as u32 + lane as u32).min(self.last)
    }
}
