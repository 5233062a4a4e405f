//! Looking at every vertex: the fastest start on small polytopes.

use super::block::{Block, LANES, highest, splat};
use crate::shape::Polytope;
use glam::DVec3;
use wide::f32x8;

/// Vertices that a scan can tell apart, as many as the bits of a height that hold the index.
pub(super) const SCAN_CAPACITY: usize = 1 << INDEX_BITS;

/// Low bits of a height that are given up for the index of its vertex: the greatest height then names its vertex,
/// without a search for the lane. What is left of the height is good to `2^-16`, enough for a proposal.
const INDEX_BITS: u32 = 7;

/// The bits of a height that stay.
const HEIGHT_MASK: f32x8 = f32x8::new([f32::from_bits(!(SCAN_CAPACITY as u32 - 1)); LANES]);

/// Blocks that a scan can tell the lanes of.
pub(super) const MOST_BLOCKS: usize = SCAN_CAPACITY / LANES;

/// The numbers of the lanes in block after block, as the low bits of a height.
pub(super) static LANE_BITS: [f32x8; MOST_BLOCKS] = lane_bits();

const fn lane_bits() -> [f32x8; MOST_BLOCKS] {
    let mut all = [f32x8::new([0.0; LANES]); MOST_BLOCKS];
    let mut block = 0;
    while block < MOST_BLOCKS {
        let mut lanes = [0.0; LANES];
        let mut lane = 0;
        while lane < LANES {
            lanes[lane] = f32::from_bits((block * LANES + lane) as u32);
            lane += 1;
        }
        all[block] = f32x8::new(lanes);
        block += 1;
    }
    all
}

/// All vertices in `f32`, eight at a time.
///
/// Positions are taken from the middle of the bounding box, so that offsets do not blur them. What is found is a start,
/// not a proof.
#[derive(Clone, Debug)]
pub(super) struct Scan {
    last: u32,
    blocks: Vec<(Block, f32x8)>,
}

impl Scan {
    pub(super) fn build(polytope: &Polytope) -> Scan {
        let scaled = scaled_vertices(polytope);
        let block = |(i, vertices): (usize, &[DVec3])| {
            let index = |lane: usize| f32::from_bits((i * LANES + lane.min(vertices.len() - 1)) as u32);
            (Block::new(vertices), f32x8::new(std::array::from_fn(index)))
        };
        let blocks: Vec<_> = scaled.chunks(LANES).enumerate().map(block).collect();
        Scan { last: scaled.len() as u32 - 1, blocks }
    }

    pub(super) fn bytes(&self) -> usize {
        self.blocks.len() * size_of::<(Block, f32x8)>()
    }

    /// A vertex that is extreme up to `2^-16` of the size; any vertex for a direction that is zero or not finite.
    ///
    /// The direction is scaled by a power of two first, so that the vertex does not depend on its length.
    /// One maximum for each lane and block, none of them a branch.
    #[inline]
    pub(super) fn look_up(&self, direction: DVec3) -> u32 {
        self.look_up_scaled(direction * inverse_size(direction))
    }

    /// The same for a direction whose size is far from both ends of the range of `f32`.
    #[inline(always)]
    pub(super) fn look_up_scaled(&self, direction: DVec3) -> u32 {
        let direction = splat(direction);
        let mut best = f32x8::splat(f32::NEG_INFINITY);
        for (block, indices) in &self.blocks {
            best = best.fast_max(kept_bits(block.heights(direction)) | *indices);
        }
        // NaN may leave any bits.
        (highest(best).to_bits() & (SCAN_CAPACITY as u32 - 1)).min(self.last)
    }
}

/// The vertices from the middle of the bounding box, scaled by a power of two to at most 1 in size.
pub(super) fn scaled_vertices(polytope: &Polytope) -> Vec<DVec3> {
    let middle = polytope.bounds().center();
    let size = polytope.bounds().extent().max_element();
    let exponent = (size.to_bits() >> 52) as i64 - 1023;
    let factor = f64::from_bits(((1022 - exponent).clamp(1, 2046) as u64) << 52);
    polytope.vertices().iter().map(|&v| (v - middle) * factor).collect()
}

/// Heights with room for the number of a lane.
#[inline(always)]
pub(super) fn kept_bits(heights: f32x8) -> f32x8 {
    heights & HEIGHT_MASK
}

/// A power of two close to the inverse of the largest coordinate, which may be of any size.
#[inline]
pub(super) fn inverse_size(direction: DVec3) -> f64 {
    let exponent = direction.abs().max_element().to_bits() >> 52;
    f64::from_bits((2046 - exponent.min(2045)) << 52)
}
