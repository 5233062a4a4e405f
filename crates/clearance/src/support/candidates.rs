//! A scan of those vertices alone that may be extreme: one short list for each of 24 sets of directions.
//!
//! A cell holds the directions with given signs and a given largest coordinate: it is found by comparisons, without a
//! division. Its list has every vertex whose normal cone meets the cell, so the highest vertex of the list is extreme, and
//! no walk follows. Lists lie one after the other, and as many blocks as the longest has are read from the start of any:
//! what lies behind a list are vertices too, and a loop of fixed length is no branch to mispredict.

use super::block::{Block, LANES, highest, splat};
use super::climb::climb;
use super::cube_map::stretch;
use super::scan::{LANE_BITS, MOST_BLOCKS, SCAN_CAPACITY, inverse_size, kept_bits, scaled_vertices};
use crate::shape::Polytope;
use glam::DVec3;
use wide::f32x8;

/// Three largest coordinates times eight signs.
const CELLS: usize = 24;

/// The lists, as blocks of positions in `f32`.
#[derive(Clone, Debug)]
pub(super) struct Candidates {
    /// The sides of the bounding box, as in the cube map.
    stretch: DVec3,
    /// Where the list of each cell starts.
    starts: [u16; CELLS],
    last: u32,
    /// Blocks that are read from there.
    length: usize,
    blocks: Vec<Block>,
    /// Of every lane.
    vertices: Vec<[u16; LANES]>,
    /// The same as low bits of heights, where so few vertices can be told apart by them; none otherwise.
    names: Vec<f32x8>,
}

impl Candidates {
    /// For a solid; `None` where lists are too long, or take more bytes than are left.
    pub(super) fn build(polytope: &Polytope, bytes: usize) -> Option<Candidates> {
        let count = u16::try_from(polytope.vertices().len()).ok()?;
        if polytope.dimension() < 3 {
            return None;
        }
        let (stretch, scaled) = (stretch(polytope), scaled_vertices(polytope));
        let met = met_cells(polytope, stretch);
        let (starts, last, length) = ([0; CELLS], u32::from(count) - 1, 0);
        let mut found =
            Candidates { stretch, starts, last, length, blocks: vec![], vertices: vec![], names: vec![] };
        for cell in 0..CELLS {
            let start = found.blocks.len();
            found.starts[cell] = u16::try_from(start).ok()?;
            let list: Vec<u16> = (0..count).filter(|&v| met[usize::from(v)] >> cell & 1 == 1).collect();
            found.push(&list, &scaled);
            found.length = found.length.max(found.blocks.len() - start);
        }
        // The last lists are followed by the first ones.
        for again in
            0..(usize::from(found.starts[CELLS - 1]) + found.length).saturating_sub(found.blocks.len())
        {
            found.blocks.push(found.blocks[again]);
            found.vertices.push(found.vertices[again]);
        }
        if usize::from(count) <= SCAN_CAPACITY {
            let name = |lanes: &[u16; LANES]| f32x8::new(lanes.map(|v| f32::from_bits(u32::from(v))));
            found.names = found.vertices.iter().map(name).collect();
            found.vertices = vec![];
        }
        (found.length <= MOST_BLOCKS && found.bytes() <= bytes).then_some(found)
    }

    fn push(&mut self, list: &[u16], scaled: &[DVec3]) {
        for chunk in list.chunks(LANES) {
            let points: Vec<DVec3> = chunk.iter().map(|&v| scaled[usize::from(v)]).collect();
            self.blocks.push(Block::new(&points));
            self.vertices.push(std::array::from_fn(|lane| chunk[lane.min(chunk.len() - 1)]));
        }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.blocks[..]) + size_of_val(&self.vertices[..]) + size_of_val(&self.names[..])
    }

    /// As [`Scan::look_up`](super::scan::Scan::look_up).
    #[inline]
    pub(super) fn look_up(&self, direction: DVec3) -> u32 {
        self.look_up_scaled(direction * inverse_size(direction))
    }

    /// The same for a direction whose size is far from both ends of the range of `f32`.
    #[inline(always)]
    pub(super) fn look_up_scaled(&self, direction: DVec3) -> u32 {
        let start = usize::from(self.starts[cell(direction * self.stretch)]);
        let blocks = &self.blocks[start..start + self.length];
        let direction = splat(direction);
        let highest_of = |names: &[f32x8]| {
            let mut best = f32x8::splat(f32::NEG_INFINITY);
            for (block, &name) in blocks.iter().zip(names) {
                best = best.fast_max(kept_bits(block.heights(direction)) | name);
            }
            // NaN may leave any bits.
            highest(best).to_bits() as usize % SCAN_CAPACITY
        };
        if let Some(names) = self.names.get(start..start + self.length) {
            return (highest_of(names) as u32).min(self.last);
        }
        let lane = highest_of(&LANE_BITS);
        let of_block = &self.vertices[(start + lane / LANES).min(self.vertices.len() - 1)];
        u32::from(of_block[lane % LANES])
    }
}

/// The cell of a direction; any for directions that are zero or not finite.
#[inline(always)]
fn cell(direction: DVec3) -> usize {
    let size = direction.abs();
    let beyond_x = (size.x < size.y) | (size.x < size.z);
    let axis = usize::from(beyond_x) * (1 + usize::from(size.y < size.z));
    let sign = |x: f64| (x.to_bits() >> 63) as usize;
    8 * axis + 4 * sign(direction.x) + 2 * sign(direction.y) + sign(direction.z)
}

/// The linear forms that are not negative on a cell, and its corners; in stretched directions.
struct Cell {
    forms: [DVec3; 4],
    corners: [DVec3; 4],
}

impl Cell {
    fn new(cell: usize) -> Cell {
        let sign = |bit: usize| if cell & bit == 0 { 1.0 } else { -1.0 };
        let signs = [sign(4), sign(2), sign(1)];
        let axis = |i: usize| DVec3::AXES[i % 3] * signs[i % 3];
        let (major, u, v) = (axis(cell / 8), axis(cell / 8 + 1), axis(cell / 8 + 2));
        Cell { forms: [u, v, major - u, major - v], corners: [major, major + u, major + v, major + u + v] }
    }

    /// Whether an arc passes through it.
    fn meets(&self, from: DVec3, to: DVec3) -> bool {
        let (mut begin, mut end) = (0.0, 1.0);
        for form in self.forms {
            let (here, there) = (form.dot(from), form.dot(to));
            if here < 0.0 && there < 0.0 {
                return false;
            }
            let zero = here / (here - there);
            if here < 0.0 {
                begin = zero.max(begin);
            } else if there < 0.0 {
                end = zero.min(end);
            }
        }
        begin <= end
    }
}

/// For each vertex the cells that its normal cone meets, as bits.
///
/// The cone is spanned by the normals of the faces around the vertex. It meets a cell if one of them lies in it, if an arc
/// between two of them passes through it, or if it holds all of it, and so its corners.
fn met_cells(polytope: &Polytope, stretch: DVec3) -> Vec<u32> {
    let cells: [Cell; CELLS] = std::array::from_fn(Cell::new);
    let met_by_arc = |from: DVec3, to: DVec3| {
        let (first, last) = (cell(from), cell(to));
        if first == last {
            return 1 << first;
        }
        let met = (0..CELLS).filter(|&i| cells[i].meets(from, to));
        met.fold(1 << first | 1 << last, |bits, i| bits | 1 << i)
    };
    let vertices = polytope.vertices();
    let met_by_cone = |vertex: usize| {
        let neighbours = polytope.neighbours(vertex);
        let edge = |i: usize| vertices[neighbours[i % neighbours.len()] as usize] - vertices[vertex];
        let normal = |i: usize| edge(i).cross(edge(i + 1)) * stretch;
        (0..neighbours.len()).fold(0, |bits, i| bits | met_by_arc(normal(i), normal(i + 1)))
    };
    let mut bits: Vec<u32> = (0..vertices.len()).map(met_by_cone).collect();
    let mut last = 0;
    for (i, cell) in cells.iter().enumerate() {
        for corner in cell.corners {
            last = climb(polytope, corner / stretch, last);
            bits[last as usize] |= 1 << i;
        }
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::shape::sample::{PolytopeKind, random_direction, random_polytope};

    #[test]
    fn corners_lie_in_their_cell() {
        for index in 0..CELLS {
            let corners = Cell::new(index).corners;
            assert_eq!(cell(corners.iter().sum()), index);
            assert!(corners.iter().all(|&c| Cell::new(index).meets(c, c)));
        }
    }

    #[test]
    fn the_highest_of_a_list_is_the_highest_of_all() {
        let mut random = Random::new(3);
        for kind in [PolytopeKind::Ellipsoid, PolytopeKind::ThinRod, PolytopeKind::Plate] {
            for count in [100, 300, 1000] {
                let polytope = random_polytope(kind, count, 1).expect("a polytope");
                let lists = Candidates::build(&polytope, usize::MAX).expect("short lists");
                let size = polytope.bounds().extent().max_element();
                for _ in 0..2000 {
                    let direction = random_direction(&mut random);
                    let height = |v: u32| direction.dot(polytope.vertices()[v as usize]);
                    let best = (0..polytope.vertices().len() as u32).map(height).fold(f64::MIN, f64::max);
                    let found = height(lists.look_up(direction));
                    assert!(best - found <= size * 2f64.powi(-14), "{best} {found}");
                }
            }
        }
    }
}
