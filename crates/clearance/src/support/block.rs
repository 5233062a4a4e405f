//! Blocks that hold the edges around a vertex, in `f32`: one look proves that a vertex is still extreme.
//!
//! The CSR walk of [`climb`](super::climb) reads a dozen scattered cache lines for each vertex. Here the edges
//! `w - v` to the neighbours of `v` lie side by side, eight to a block of 96 bytes, and one comparison of eight
//! products says that `v` is still extreme. Because edges are stored, not positions, rounding to `f32` is small
//! against each edge, not against the whole body or its offset. Where `v` is no longer extreme, its block tells the
//! steepest edge, which leads to a vertex that mostly is; only short walks are made this way, longer ones cost more than
//! looking up the vertex anew.

use super::cube_map::stretch;
use super::quad::{NUMBER_MASK, SCAN_CAPACITY};
use super::{Extreme, Starts, SupportMap};
use crate::shape::Polytope;
use glam::DVec3;
use wide::{f32x4, f32x8};

/// Vectors in a block.
const LANES: usize = 8;

/// The bits of a height that stay.
const HEIGHT_MASK: f32x8 = f32x8::new([f32::from_bits(!NUMBER_MASK); LANES]);

/// Blocks that a scan can tell the lanes of.
const MOST_BLOCKS: usize = SCAN_CAPACITY / LANES;

/// The numbers of the lanes in block after block, as the low bits of a height.
static LANE_BITS: [f32x8; MOST_BLOCKS] = lane_bits();

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

/// Eight vectors, coordinate by coordinate; 96 bytes are never in more than two cache lines.
#[derive(Clone, Copy, Debug)]
struct Block {
    x: f32x8,
    y: f32x8,
    z: f32x8,
}

impl Block {
    /// One to eight vectors; the last one fills the lanes that remain.
    fn new(vectors: &[DVec3]) -> Block {
        let lane =
            |axis: usize| f32x8::new(std::array::from_fn(|i| vectors[i.min(vectors.len() - 1)][axis] as f32));
        Block { x: lane(0), y: lane(1), z: lane(2) }
    }

    /// The products of all vectors with a direction.
    #[inline(always)]
    fn heights(&self, direction: [f32x8; 3]) -> f32x8 {
        self.x * direction[0] + self.y * direction[1] + self.z * direction[2]
    }
}

/// Heights with room for the number of a lane.
#[inline(always)]
fn kept_bits(heights: f32x8) -> f32x8 {
    heights & HEIGHT_MASK
}

/// A direction in `f32`, repeated in every lane.
#[inline(always)]
fn splat(direction: DVec3) -> [f32x8; 3] {
    direction.to_array().map(|d| f32x8::splat(d as f32))
}

/// The greatest of eight numbers; any number if one is not a number.
#[inline(always)]
fn highest(heights: f32x8) -> f32 {
    let all = heights.to_array();
    let max = |a: f32, b: f32| if a > b { a } else { b };
    let four: [f32; 4] = std::array::from_fn(|i| max(all[i], all[i + 4]));
    max(max(four[0], four[2]), max(four[1], four[3]))
}

/// A direction in `f32` and the slack of products with edges of `|e|_1 <= 1`.
#[derive(Clone, Copy)]
struct Probe {
    direction: [f32x8; 3],
    slack: f32,
}

/// Directions whose largest coordinate lies outside are left to the walk in `f64`: so every product of note is
/// far from both ends of the range of `f32`.
const SIZES: std::ops::RangeInclusive<f32> = 8.7e-19..=1.1e18;

impl Probe {
    /// Proof of the slack, with `e = 2^-24`, `D` the largest coordinate of the direction and `u = 2^-53`. An edge
    /// is rounded twice, by `u` and by `e` in each coordinate, a direction by `e`; a product rounds once, two sums
    /// twice: `5.01 e D |e|_1` in all. A direction that was rotated into the body's frame adds `5.4u D`, the
    /// rounding of `|e|_1 <= 1` at build time `4u D`. Underflow in any step adds at most `2^-146`, less
    /// than `2^-60 e D` as `D > 2^-61`. Together below `5.1 e D`; `6` leaves room for the rounding of `D` and the slack.
    #[inline(always)]
    fn new(direction: DVec3) -> Option<Probe> {
        // Rounding is monotonous: the largest coordinate first, rounded then, is the same.
        let size = direction.abs().max_element() as f32;
        let slack = 3.0 * f32::EPSILON * size;
        SIZES.contains(&size).then_some(Probe { direction: splat(direction), slack })
    }
}

/// Steps of a walk in blocks before vertices are looked up.
const MOST_STEPS: usize = 3;

/// How steep an edge may be for a walk to begin, in units of the slack of its product, times the root of the number of
/// vertices. On a ball of `n` vertices neighbours are seen under `3.5 / sqrt(n)`, and a vertex under the steepness of its
/// steepest edge away from the extreme one; thin bodies have more vertices within the same angle, by their stretch.
const NEAR: f32 = 3.0 / (3.0 * f32::EPSILON);

/// The edges around every vertex, in blocks.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    /// Where the blocks of each vertex start, and one past the end.
    starts: Vec<u32>,
    blocks: Vec<Block>,
    /// Rises above this multiple of the slack are too far from the extreme vertex for a walk.
    near: f32,
}

impl Blocks {
    pub(super) fn build(polytope: &Polytope) -> Blocks {
        let count = polytope.vertices().len();
        let (mut starts, mut blocks) = (Vec::with_capacity(count + 1), Vec::with_capacity(count));
        for vertex in 0..count {
            starts.push(blocks.len() as u32);
            blocks.extend(edges(polytope, vertex).chunks(LANES).map(Block::new));
        }
        starts.push(blocks.len() as u32);
        blocks.shrink_to_fit();
        // Roots alone: they are the same on every platform.
        let thinness = stretch(polytope).element_product().sqrt().sqrt() as f32;
        let near = NEAR * thinness / (count as f32).sqrt();
        Blocks { starts, blocks, near }
    }

    pub(super) fn bytes(&self) -> usize {
        self.starts.capacity() * size_of::<u32>() + self.blocks.capacity() * size_of::<Block>()
    }

    /// Whether every neighbour of a vertex is lower beyond all rounding.
    #[inline(always)]
    fn proves(&self, vertex: u32, probe: &Probe) -> bool {
        let lower = f32x8::splat(-probe.slack);
        let blocks = self.around(vertex as usize);
        blocks.iter().all(|b| b.heights(probe.direction).simd_lt(lower).all()) && !blocks.is_empty()
    }

    /// Those of at most eight neighbours of a vertex that are not lower beyond all rounding, as bits; lanes without an edge repeat
    /// the last one.
    #[inline(always)]
    fn not_lower(&self, vertex: u32, probe: &Probe) -> Option<u32> {
        let [block] = self.around(vertex as usize) else { return None };
        let lower = block.heights(probe.direction).simd_lt(f32x8::splat(-probe.slack));
        Some(!lower.to_bitmask() & ((1 << LANES) - 1))
    }

    /// The steepest edge of a vertex, up to rounding: its product, and its number. Of more edges than a scan can tell
    /// apart, the first ones.
    #[inline(always)]
    fn steepest(&self, vertex: u32, probe: &Probe) -> (f32, usize) {
        let mut best = f32x8::splat(f32::NEG_INFINITY);
        for (block, &lanes) in self.around(vertex as usize).iter().zip(&LANE_BITS) {
            best = best.fast_max(kept_bits(block.heights(probe.direction)) | lanes);
        }
        let best = highest(best);
        (best, best.to_bits() as usize % SCAN_CAPACITY)
    }

    #[inline(always)]
    fn around(&self, vertex: usize) -> &[Block] {
        &self.blocks[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

/// The edges from a vertex to its neighbours, each times a power of two so that `|e|_1` is in `[1/2, 1)`: only signs
/// of products are asked for, so a short edge beside a long one keeps all its digits. Edges too short to be scaled
/// become zero, which decides nothing.
fn edges(polytope: &Polytope, vertex: usize) -> Vec<DVec3> {
    let vertices = polytope.vertices();
    let scaled = |&w: &u32| {
        let edge = vertices[w as usize] - vertices[vertex];
        let exponent = (edge.abs().element_sum().to_bits() >> 52) as i64 - 1023;
        edge * if exponent < -900 { 0.0 } else { f64::from_bits(((1022 - exponent) as u64) << 52) }
    };
    polytope.neighbours(vertex).iter().map(scaled).collect()
}

impl SupportMap {
    /// The extreme vertex in a direction, walking from a hint.
    ///
    /// One look at the block of the hint proves in nearly all coherent queries that it is still extreme (4 ns);
    /// otherwise up to three steps are made in blocks, if the hint is close. Then the table or the lists of vertices are
    /// asked, and [`climb_in_f64`](SupportMap::climb_in_f64) walks on from there, and proves. The meaning of `proved` is the
    /// same either way. A look at a vertex of `k` neighbours costs `k / 8` blocks.
    #[inline(always)]
    pub fn climb(&self, direction: DVec3, from: u32) -> Extreme {
        if self.is_proved(direction, from) {
            return Extreme { vertex: from, proved: true, walked: 0 };
        }
        self.climb_on(direction, from)
    }

    /// Whether blocks prove a vertex extreme, with the meaning of [`Extreme::proved`].
    #[inline(always)]
    pub(crate) fn is_proved(&self, direction: DVec3, vertex: u32) -> bool {
        Probe::new(direction).is_some_and(|probe| self.blocks.proves(vertex, &probe))
    }

    /// Whether no vertex is higher than one that [`find_in_single`](SupportMap::find_in_single) found for this direction or one
    /// close to it, up to rounding: where all of them were looked at, or blocks prove it.
    #[inline(always)]
    pub(crate) fn is_highest_in_single(&self, direction: f32x4, vertex: u32) -> bool {
        if let Starts::Scan(_) = &self.starts {
            return true;
        }
        let [x, y, z, _] = direction.to_array();
        let size = x.abs().max(y.abs()).max(z.abs());
        let probe = Probe { direction: [x, y, z].map(f32x8::splat), slack: 3.0 * f32::EPSILON * size };
        SIZES.contains(&size) && self.blocks.proves(vertex, &probe)
    }

    /// Whether blocks prove that no other vertex is as high as the highest of these.
    ///
    /// It is so if every neighbour of each of them that is not among them is lower: a vertex that is not the highest of all has
    /// a higher neighbour, and the highest of these has none.
    #[inline(always)]
    pub(crate) fn are_proved<const N: usize>(&self, direction: DVec3, vertices: [u32; N]) -> bool {
        let Some(probe) = Probe::new(direction) else { return false };
        for (i, &vertex) in vertices.iter().enumerate() {
            let is_known = vertices[..i].contains(&vertex);
            if !is_known && !self.is_closed(vertex, &vertices, &probe) {
                return false;
            }
        }
        true
    }

    /// Whether every neighbour of a vertex that is not among some others is lower.
    #[inline(always)]
    fn is_closed<const N: usize>(&self, vertex: u32, others: &[u32; N], probe: &Probe) -> bool {
        let Some(mut lanes) = self.blocks.not_lower(vertex, probe) else { return false };
        let neighbours = self.polytope.neighbours(vertex as usize);
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            if neighbours.get(lane).is_some_and(|neighbour| !others.contains(neighbour)) {
                return false;
            }
            lanes &= lanes - 1;
        }
        true
    }

    /// [`climb`](SupportMap::climb) from a hint that blocks do not prove.
    #[inline(always)]
    pub(crate) fn climb_on(&self, direction: DVec3, from: u32) -> Extreme {
        self.walk(direction.x, direction.y, direction.z, from)
    }

    /// The walk, out of line. Numbers are passed, not a vector: a vector whose address is taken would live in memory,
    /// and reading it back as lanes stalls the check above for longer than it takes (measured: 36 against 21 ns a pair).
    ///
    /// A hint that `f32` cannot tell from its neighbours is mostly the highest still. One that is a step or two off is walked
    /// from: bodies of 500 vertices that turn by 1 to 10 degrees a frame take a fifth to two fifths less. Otherwise the table
    /// or the lists know more than a walk finds out in the same time: rods of 1000 vertices that turn by 10 degrees a frame
    /// take half as long.
    #[inline(never)]
    fn walk(&self, x: f64, y: f64, z: f64, from: u32) -> Extreme {
        let direction = DVec3::new(x, y, z);
        let Some(probe) = Probe::new(direction) else { return self.climb_in_f64(direction, from) };
        let (mut at, mut walked) = (from, 0);
        let climb_from = |start: u32, walked: u32| {
            let found = self.climb_in_f64(direction, start);
            Extreme { walked: walked + found.walked, ..found }
        };
        for _ in 0..MOST_STEPS {
            let (rise, edge) = self.blocks.steepest(at, &probe);
            if rise <= probe.slack {
                return climb_from(at, walked);
            }
            if rise > self.blocks.near * probe.slack {
                break;
            }
            // Lanes without an edge repeat the last one.
            let neighbours = self.polytope.neighbours(at as usize);
            (at, walked) = (neighbours[edge.min(neighbours.len() - 1)], walked + 1);
            if self.blocks.proves(at, &probe) {
                return Extreme { vertex: at, proved: true, walked };
            }
        }
        let (start, walked) = (self.start(direction), walked + 1);
        if self.blocks.proves(start, &probe) {
            return Extreme { vertex: start, proved: true, walked };
        }
        climb_from(start, walked)
    }
}
