//! Looking at every vertex: the fastest start on small polytopes.

use super::quad::{LANES, Quad, highest_lane, inverse_size, points};
use crate::shape::Polytope;
use glam::DVec3;
use wide::f32x4;

/// All vertices in `f32`, four at a time: eight at a time would look at more of them twice, and distances of bodies of 20
/// vertices take 3 % longer.
///
/// Positions are taken from the middle of the bounding box, so that offsets do not blur them. What is found is a start,
/// not a proof.
#[derive(Clone, Debug)]
pub(crate) struct Scan {
    pub(super) last: u32,
    pub(super) quads: Vec<Quad>,
}

impl Scan {
    pub(super) fn build(polytope: &Polytope) -> Scan {
        let points = points(polytope);
        let quad = |four: &[[f32; 3]]| Quad::new(std::array::from_fn(|lane| four[lane.min(four.len() - 1)]));
        Scan { last: points.len() as u32 - 1, quads: points.chunks(LANES).map(quad).collect() }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.quads[..])
    }

    /// A vertex that is extreme up to `2^-16` of the size; any vertex for a direction that is zero or not finite.
    ///
    /// The direction is scaled by a power of two first, so that the vertex does not depend on its length.
    /// One maximum for each lane and quad, none of them a branch.
    #[inline]
    pub(super) fn look_up(&self, direction: DVec3) -> u32 {
        self.look_up_scaled(direction * inverse_size(direction))
    }

    /// The same for a direction whose size is far from both ends of the range of `f32`.
    #[inline(always)]
    pub(super) fn look_up_scaled(&self, direction: DVec3) -> u32 {
        self.vertex(highest_lane(&self.quads, direction.as_vec3().to_array()))
    }

    /// The same for a direction in the first three lanes, with its position.
    #[inline(always)]
    pub(super) fn look_up_in_single(&self, direction: f32x4) -> (f32x4, u32) {
        let [x, y, z, _] = direction.to_array();
        let lane = highest_lane(&self.quads, [x, y, z]);
        (self.quads.get(lane / LANES).unwrap_or(&Quad::ZERO).point(lane), self.vertex(lane))
    }

    /// Lanes beyond the last vertex repeat it, and NaN may leave any bits.
    #[inline(always)]
    fn vertex(&self, lane: usize) -> u32 {
        (lane as u32).min(self.last)
    }
}
