//! Vertices in `f32`, four at a time: what scans look at.

use crate::shape::Polytope;
use glam::{DVec3, Vec3};
use wide::f32x4;

/// Vertices that a scan can tell apart, as many as the bits of a height that hold the index.
pub(super) const SCAN_CAPACITY: usize = 1 << INDEX_BITS;

/// Low bits of a height that are given up for the index of its vertex: the greatest height then names its vertex,
/// without a search for the lane. What is left of the height is good to `2^-16`, enough for a proposal.
const INDEX_BITS: u32 = 7;

/// Vertices that are looked at together: with eight, more of the memory would be filled with repeated ones. Looking at two
/// quads in turn is slower on bodies of up to 128 vertices (465 to 452 ns of 100), which mostly have lists of three.
pub(super) const LANES: usize = 4;

/// Quads that a look-up can tell the lanes of.
pub(super) const MOST_QUADS: usize = SCAN_CAPACITY / LANES;

/// The same as a mask.
pub(super) const NUMBER_MASK: u32 = SCAN_CAPACITY as u32 - 1;

/// These bits, and those that stay.
const NUMBER: f32x4 = f32x4::new([f32::from_bits(NUMBER_MASK); LANES]);
const HEIGHT: f32x4 = f32x4::new([f32::from_bits(!NUMBER_MASK); LANES]);

/// The numbers of the lanes in quad after quad, as the low bits of a height.
static LANE_BITS: [f32x4; MOST_QUADS] = lane_bits();

const fn lane_bits() -> [f32x4; MOST_QUADS] {
    let mut all = [f32x4::new([0.0; LANES]); MOST_QUADS];
    let mut quad = 0;
    while quad < MOST_QUADS {
        let first = (LANES * quad) as u32;
        all[quad] = f32x4::new([
            f32::from_bits(first),
            f32::from_bits(first + 1),
            f32::from_bits(first + 2),
            f32::from_bits(first + 3),
        ]);
        quad += 1;
    }
    all
}

/// The positions of four vertices, coordinate by coordinate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quad {
    x: f32x4,
    y: f32x4,
    z: f32x4,
}

impl Quad {
    pub(super) fn new(points: [[f32; 3]; LANES]) -> Quad {
        let [x, y, z] = [0, 1, 2].map(|axis| f32x4::new(points.map(|point| point[axis])));
        Quad { x, y, z }
    }

    /// The square distances of all four from a point, and how much lower they are along a direction.
    #[inline(always)]
    pub(super) fn from(&self, point: [f32; 3], direction: [f32; 3]) -> (f32x4, f32x4) {
        let [x, y, z] = point.map(f32x4::splat);
        let [x, y, z] = [x - self.x, y - self.y, z - self.z];
        let [along_x, along_y, along_z] = direction.map(f32x4::splat);
        (x * x + y * y + z * z, x * along_x + y * along_y + z * along_z)
    }

    /// The products of all four with a direction.
    #[inline(always)]
    fn heights(&self, [x, y, z]: [f32x4; 3]) -> f32x4 {
        self.x * x + self.y * y + self.z * z
    }
}

/// The number of the highest vertex, where the low bits of `x` are numbers.
#[inline(always)]
pub(super) fn highest_number(quads: &[Quad], direction: Vec3) -> u32 {
    let direction = direction.to_array().map(f32x4::splat);
    number_of_greatest(quads.iter().map(|quad| quad.heights(direction) & HEIGHT | quad.x & NUMBER))
}

/// In which lane the highest vertex is, counted from the first quad on.
#[inline(always)]
pub(super) fn highest_lane(quads: &[Quad], direction: Vec3) -> usize {
    let direction = direction.to_array().map(f32x4::splat);
    let named = |(quad, &lanes): (&Quad, &f32x4)| quad.heights(direction) & HEIGHT | lanes;
    number_of_greatest(quads.iter().zip(&LANE_BITS).map(named)) as usize
}

/// The number in the low bits of the greatest height.
#[inline(always)]
fn number_of_greatest(heights: impl Iterator<Item = f32x4>) -> u32 {
    greatest(heights.fold(f32x4::splat(f32::NEG_INFINITY), f32x4::fast_max)).to_bits() & NUMBER_MASK
}

/// The least size of a coordinate that holds a number: below, products would lose bits to underflow, slowly on some processors.
const LEAST_NAMED: f32 = f32::from_bits((127 - 30) << 23);

/// The vertices scaled, in `f32`; of few of them the low bits of `x` are the number, which moves them by at most `2^-17` of the
/// size.
pub(super) fn points(polytope: &Polytope) -> Vec<[f32; 3]> {
    let mut points: Vec<[f32; 3]> =
        scaled_vertices(polytope).iter().map(|v| v.as_vec3().to_array()).collect();
    if points.len() <= SCAN_CAPACITY {
        for (number, point) in points.iter_mut().enumerate() {
            let x = if point[0].abs() < LEAST_NAMED { LEAST_NAMED } else { point[0] };
            point[0] = f32::from_bits(x.to_bits() & !NUMBER_MASK | number as u32);
        }
    }
    points
}

/// The greatest of four numbers; any number if one is not a number.
#[inline(always)]
pub(super) fn greatest(heights: f32x4) -> f32 {
    let all = heights.to_array();
    let max = |a: f32, b: f32| if a > b { a } else { b };
    max(max(all[0], all[2]), max(all[1], all[3]))
}

/// The vertices from the middle of the bounding box, scaled by a power of two to at most 1 in size.
fn scaled_vertices(polytope: &Polytope) -> Vec<DVec3> {
    let (middle, factor) = scale_of(polytope);
    polytope.vertices().iter().map(|&v| (v - middle) * factor).collect()
}

/// That middle and that power of two.
pub(super) fn scale_of(polytope: &Polytope) -> (DVec3, f64) {
    let middle = polytope.bounds().center();
    let size = polytope.bounds().extent().max_element();
    let exponent = (size.to_bits() >> 52) as i64 - 1023;
    (middle, f64::from_bits(((1022 - exponent).clamp(1, 2046) as u64) << 52))
}

/// A power of two close to the inverse of the largest coordinate, which may be of any size.
#[inline]
pub(super) fn inverse_size(direction: DVec3) -> f64 {
    let exponent = direction.abs().max_element().to_bits() >> 52;
    f64::from_bits((2046 - exponent.min(2045)) << 52)
}
