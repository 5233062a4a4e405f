//! Vertices in `f32`, four at a time: what scans look at.

use crate::shape::Polytope;
use glam::DVec3;
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

/// The bits that stay.
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
///
/// As numbers: a single one is read from memory, where lanes would be stored first.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(super) struct Quad {
    coordinates: [[f32; LANES]; 3],
}

impl Quad {
    pub(super) fn new(points: [[f32; 3]; LANES]) -> Quad {
        Quad { coordinates: [0, 1, 2].map(|axis| points.map(|point| point[axis])) }
    }

    pub(super) const ZERO: Quad = Quad { coordinates: [[0.0; LANES]; 3] };

    /// One of them.
    #[inline(always)]
    pub(super) fn point(&self, lane: usize) -> f32x4 {
        let [x, y, z] = self.coordinates.each_ref().map(|four| four[lane % LANES]);
        f32x4::new([x, y, z, 0.0])
    }

    /// Of coordinates axis by axis.
    #[inline(always)]
    pub(super) fn of(coordinates: [[f32; LANES]; 3]) -> Quad {
        Quad { coordinates }
    }

    /// The coordinates of all four turned by a linear map, given as the entries of its columns, each in every lane.
    #[inline(always)]
    pub(super) fn turned(&self, columns: &[[f32x4; 3]; 3]) -> [[f32; LANES]; 3] {
        let ([x, y, z], [of_x, of_y, of_z]) = (self.lanes(), columns);
        [0, 1, 2].map(|i| (x * of_x[i] + y * of_y[i] + z * of_z[i]).to_array())
    }

    #[inline(always)]
    fn lanes(&self) -> [f32x4; 3] {
        self.coordinates.map(f32x4::new)
    }

    /// The square distances of all four from a point, and how much lower they are along a direction.
    #[inline(always)]
    pub(super) fn from(&self, point: [f32; 3], direction: [f32; 3]) -> (f32x4, f32x4) {
        let ([x, y, z], [of_x, of_y, of_z]) = (point.map(f32x4::splat), self.lanes());
        let [x, y, z] = [x - of_x, y - of_y, z - of_z];
        let [along_x, along_y, along_z] = direction.map(f32x4::splat);
        (x * x + y * y + z * z, x * along_x + y * along_y + z * along_z)
    }

    /// The products of all four with a direction.
    #[inline(always)]
    pub(super) fn heights(&self, [x, y, z]: [f32x4; 3]) -> f32x4 {
        let [of_x, of_y, of_z] = self.lanes();
        of_x * x + of_y * y + of_z * z
    }
}

/// In which lane the highest vertex is, counted from the first quad on.
#[inline(always)]
pub(super) fn highest_lane(quads: &[Quad], direction: [f32; 3]) -> usize {
    let direction = direction.map(f32x4::splat);
    let named = |(quad, &lanes): (&Quad, &f32x4)| quad.heights(direction) & HEIGHT | lanes;
    number_of_greatest(quads.iter().zip(&LANE_BITS).map(named)) as usize
}

/// In which lane the lowest vertex is.
#[inline(always)]
pub(super) fn lowest_lane(quads: impl Iterator<Item = Quad>, direction: [f32; 3]) -> usize {
    let direction = direction.map(f32x4::splat);
    let named = |(quad, &lanes): (Quad, &f32x4)| quad.heights(direction) & HEIGHT | lanes;
    let lowest = quads.zip(&LANE_BITS).map(named).fold(f32x4::splat(f32::INFINITY), f32x4::fast_min);
    (-greatest(-lowest)).to_bits() as usize & NUMBER_MASK as usize
}

/// The number in the low bits of the greatest height.
#[inline(always)]
fn number_of_greatest(heights: impl Iterator<Item = f32x4>) -> u32 {
    greatest(heights.fold(f32x4::splat(f32::NEG_INFINITY), f32x4::fast_max)).to_bits() & NUMBER_MASK
}

/// The greatest of four numbers; any number if one is not a number.
#[inline(always)]
pub(super) fn greatest(heights: f32x4) -> f32 {
    let all = heights.to_array();
    let max = |a: f32, b: f32| if a > b { a } else { b };
    max(max(all[0], all[2]), max(all[1], all[3]))
}

/// The vertices in `f32`, from the middle of the bounding box, in a power of two that is at least its size.
pub(super) fn points(polytope: &Polytope) -> Vec<[f32; 3]> {
    let (middle, inverse) = (polytope.bounds().center(), size(polytope).recip());
    polytope.vertices().iter().map(|&v| ((v - middle) * inverse).as_vec3().to_array()).collect()
}

/// A power of two that is at least the size of the bounding box.
pub(super) fn size(polytope: &Polytope) -> f64 {
    let size = polytope.bounds().extent().max_element();
    let exponent = (size.to_bits() >> 52) as i64 - 1023;
    f64::from_bits(((1024 + exponent).clamp(1, 2045) as u64) << 52)
}

/// A power of two close to the inverse of the largest coordinate, which may be of any size.
#[inline]
pub(super) fn inverse_size(direction: DVec3) -> f64 {
    let exponent = direction.abs().max_element().to_bits() >> 52;
    f64::from_bits((2046 - exponent.min(2045)) << 52)
}
