//! Two small bodies in one frame, in `f32`: a step of a search turns no direction and moves no vertex.

use super::quad::{LANES, Quad, lowest_lane};
use super::scan::Scan;
use super::{Starts, SupportMap};
use wide::f32x4;

/// Bodies of up to 32 vertices: turning more takes longer than it saves.
const MOST_QUADS: usize = 8;

/// All vertices of A, and those of B turned into the frame of A.
pub(crate) struct SmallPair<'a> {
    a: &'a Scan,
    b: Turned,
    len_b: usize,
    last_b: u32,
    /// Units in one length of what the vertices of A are given in.
    scale_a: f32x4,
    /// From the middle of A to that of B, in units.
    between: f32x4,
}

/// Coordinates of up to 32 vertices, axis by axis, four at a time: those of one vertex are found by its number alone, for which a
/// search waits.
#[repr(align(16))]
struct Turned([[[f32; LANES]; MOST_QUADS]; 3]);

impl Turned {
    #[inline(always)]
    fn quads(&self, len: usize) -> impl Iterator<Item = Quad> {
        let [x, y, z] = &self.0;
        x.iter().zip(y).zip(z).take(len).map(|((&x, &y), &z)| Quad::of([x, y, z]))
    }

    #[inline(always)]
    fn point(&self, lane: usize) -> f32x4 {
        let [x, y, z] = self.0.each_ref().map(|all| all.as_flattened()[lane % (LANES * MOST_QUADS)]);
        f32x4::new([x, y, z, 0.0])
    }
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
        let mut b = Turned([[[0.0; LANES]; MOST_QUADS]; 3]);
        let [x, y, z] = &mut b.0;
        for (((x, y), z), from) in x.iter_mut().zip(y).zip(z).zip(&scan_b.quads) {
            [*x, *y, *z] = from.turned(&scaled);
        }
        SmallPair { a: scan_a, b, len_b: scan_b.quads.len(), last_b: scan_b.last, scale_a, between }
    }

    /// The lowest vertex of `B - A` along a direction, up to the rounding of `f32`, and where it comes from.
    #[inline(always)]
    pub fn lowest(&self, direction: f32x4) -> (f32x4, (u32, u32)) {
        let [x, y, z, _] = direction.to_array();
        let (point_a, vertex_a) = self.a.look_up_in_single(direction);
        let lane_b = lowest_lane(self.b.quads(self.len_b), [x, y, z]);
        // What is known of A first is done first.
        let point = self.b.point(lane_b) + (self.between - point_a * self.scale_a);
        (point, (vertex_a, (lane_b as u32).min(self.last_b)))
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
