//! Looking at every vertex: the fastest start on small polytopes.

use super::block::{Block, LANES, greatest, splat};
use crate::shape::Polytope;
use glam::DVec3;
use wide::f32x8;

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

    /// A vertex that is extreme up to the rounding of `f32`; any vertex for a direction that is zero or not finite.
    ///
    /// The direction is scaled by a power of two first, so that the vertex does not depend on its length.
    /// One comparison for each lane and block, none of them a branch.
    #[inline]
    pub(super) fn look_up(&self, direction: DVec3) -> u32 {
        let direction = splat(direction * inverse_size(direction));
        let (mut best, mut found) = (f32x8::splat(f32::NEG_INFINITY), f32x8::ZERO);
        let mut index = f32x8::ZERO;
        for block in &self.blocks {
            let heights = block.heights(direction);
            let higher = heights.simd_gt(best);
            best = higher.bitselect(heights, best);
            found = higher.bitselect(index, found);
            index += f32x8::ONE;
        }
        let lane = greatest(best).1;
        let block = found.to_array()[lane] as u32;
        // Lanes past the end repeat the last vertex.
        (block * LANES as u32 + lane as u32).min(self.last)
    }
}

/// A power of two close to the inverse of the largest coordinate, which may be of any size.
#[inline]
fn inverse_size(direction: DVec3) -> f64 {
    let exponent = direction.abs().max_element().to_bits() >> 52;
    f64::from_bits((2046 - exponent.min(2045)) << 52)
}
