//! Two small bodies in one frame, in `f32`: a step of a search turns no direction and moves no vertex.

use super::quad::{LANES, Quad, highest_lane, lowest_lane};
use super::scan::Scan;
use super::{Starts, SupportMap};
use wide::f32x4;

/// Bodies of up to 32 vertices: turning more takes longer than it saves.
const MOST_QUADS: usize = 8;

/// All vertices of A, and those of B turned into the frame of A.
pub(crate) struct SmallPair<'a> {
    a: &'a [Quad],
    b: [Quad; MOST_QUADS],
    len_b: usize,
    /// The last vertices.
    last: (u32, u32),
    /// Units in one length of what the vertices of A are given in.
    scale_a: f32x4,
    /// From the middle of A to that of B, in units.
    between: f32x4,
}

impl<'a> SmallPair<'a> {
    /// With the map from the frame of B to that of A, in units, as its columns.
    #[inline(always)]
    pub fn new(
        (scan_a, scan_b): (&'a Scan, &Scan),
        turn: &[f32x4; 3],
        between: f32x4,
        scale_a: f32x4,
    ) -> SmallPair<'a> {
        let scaled = turn.map(|column| {
            let [x, y, z, _] = column.to_array().map(f32x4::splat);
            [x, y, z]
        });
        let mut moved = [Quad::ZERO; MOST_QUADS];
        for (to, from) in moved.iter_mut().zip(&scan_b.quads) {
            *to = from.turned(&scaled);
        }
        SmallPair {
            a: &scan_a.quads,
            b: moved,
            len_b: scan_b.quads.len(),
            last: (scan_a.last, scan_b.last),
            scale_a,
            between,
        }
    }

    /// The lowest vertex of `B - A` along a direction, up to the rounding of `f32`, and where it comes from.
    #[inline(always)]
    pub fn lowest(&self, direction: f32x4) -> (f32x4, (u32, u32)) {
        let [x, y, z, _] = direction.to_array();
        let lane_a = highest_lane(self.a, [x, y, z]);
        let lane_b = lowest_lane(&self.b[..self.len_b], [x, y, z]);
        let point_a = self.a.get(lane_a / LANES).unwrap_or(&Quad::ZERO).point(lane_a);
        let point_b = self.b[(lane_b / LANES) % MOST_QUADS].point(lane_b);
        let point = (point_b + self.between) - point_a * self.scale_a;
        (point, ((lane_a as u32).min(self.last.0), (lane_b as u32).min(self.last.1)))
    }
}

impl SupportMap {
    /// What looks at all vertices, if there are few.
    #[inline(always)]
    pub(crate) fn as_small(&self) -> Option<&Scan> {
        match &self.starts {
            Starts::Scan(scan) if scan.quads.len() <= MOST_QUADS => Some(scan),
            _ => None,
        }
    }
}
