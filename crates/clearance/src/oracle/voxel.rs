//! Solids made of cubes of a lattice, whose answers are plain to see.

use crate::math::Random;
use crate::shape::TriangleSoup;
use glam::DVec3;
use std::collections::BTreeSet;

/// A point or a unit cube of the lattice, named by its smallest corner.
pub type Cell = [i32; 3];

/// A unit square of the lattice: its smallest corner and the axis across it.
pub type Square = (Cell, usize);

/// A body of the lattice.
#[derive(Clone, Debug, Default)]
pub struct Voxels {
    /// Its unit cubes.
    pub cubes: BTreeSet<Cell>,
    /// The unit squares of its triangles.
    pub squares: BTreeSet<Square>,
    /// Its triangles, on lattice points.
    pub triangles: Vec<[Cell; 3]>,
}

/// The neighbour of a cell along an axis.
fn moved(mut cell: Cell, axis: usize, by: i32) -> Cell {
    cell[axis] += by;
    cell
}

impl Voxels {
    /// Blocks of a coarser lattice, of which each is filled or empty; with walls between blocks, fins, and a second
    /// set of blocks that overlaps the first, each now and then.
    pub fn any(random: &mut Random) -> Voxels {
        let side = [1, 1, 2, 2, 3][random.below(5) as usize];
        let size = [1, 1, 2, 3][random.below(4) as usize];
        let at: Cell = std::array::from_fn(|_| random.below(5) as i32 - 2);
        let mut body = Voxels::default();
        let blocks = Voxels::blocks(side, random);
        body.add_blocks(&blocks, at, size, random.below(4) == 0, random);
        if random.below(4) == 0 {
            let shifted: Cell = std::array::from_fn(|axis| at[axis] + random.below(3) as i32);
            let blocks = Voxels::blocks(side, random);
            body.add_blocks(&blocks, shifted, size, false, random);
        }
        if random.below(4) == 0 {
            let square = (std::array::from_fn(|_| random.below(7) as i32 - 3), random.below(3) as usize);
            body.add_fin(square, 1 + random.below(2) as i32, random);
        }
        body
    }

    /// A large cube, mostly with a cavity, around the places of the others.
    pub fn hall(random: &mut Random) -> Voxels {
        let mut body = Voxels::default();
        let all = (0..27).map(|i| [i % 3, i / 3 % 3, i / 9]);
        let is_solid = random.below(3) == 0;
        let blocks = all.filter(|cell| is_solid || *cell != [1, 1, 1]).collect();
        body.add_blocks(&blocks, [-4, -4, -5], 3, false, random);
        body
    }

    /// Some blocks of a cube: full, without its middle, or at random.
    fn blocks(side: i32, random: &mut Random) -> BTreeSet<Cell> {
        let kind = random.below(4);
        let all = (0..side.pow(3)).map(|i| [i % side, i / side % side, i / side / side]);
        let is_middle = |cell: &Cell| side == 3 && *cell == [1, 1, 1];
        let blocks: BTreeSet<Cell> = all
            .filter(|cell| match kind {
                0 => true,
                1 => !is_middle(cell),
                _ => random.below(2) == 0,
            })
            .collect();
        if blocks.is_empty() { BTreeSet::from([[0, 0, 0]]) } else { blocks }
    }

    fn add_blocks(&mut self, blocks: &BTreeSet<Cell>, at: Cell, size: i32, walls: bool, random: &mut Random) {
        let place = |block: Cell| -> Cell { std::array::from_fn(|axis| at[axis] + size * block[axis]) };
        for &block in blocks {
            let corner = place(block);
            for i in 0..size.pow(3) {
                let inner = [i % size, i / size % size, i / size / size];
                self.cubes.insert(std::array::from_fn(|axis| corner[axis] + inner[axis]));
            }
            for axis in 0..3 {
                for up in [false, true] {
                    let neighbour = moved(block, axis, if up { 1 } else { -1 });
                    if walls || !blocks.contains(&neighbour) {
                        let face = if up { moved(block, axis, 1) } else { block };
                        self.add_quad((place(face), axis), size, up, random);
                    }
                }
            }
        }
    }

    /// Adds a square of some size, facing up the axis or down, cut along either diagonal.
    fn add_quad(&mut self, (corner, axis): Square, size: i32, up: bool, random: &mut Random) {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for i in 0..size.pow(2) {
            self.squares.insert((moved(moved(corner, u, i % size), v, i / size), axis));
        }
        let mut around =
            [corner, moved(corner, u, size), moved(moved(corner, u, size), v, size), moved(corner, v, size)];
        if !up {
            around.reverse();
        }
        around.rotate_left(random.below(2) as usize);
        let [p, q, r, s] = around;
        self.triangles.extend([[p, q, r], [p, r, s]]);
    }

    /// Adds a square seen from both sides.
    fn add_fin(&mut self, square: Square, size: i32, random: &mut Random) {
        let first = self.triangles.len();
        self.add_quad(square, size, true, random);
        let back: Vec<_> = self.triangles[first..].iter().map(|&[p, q, r]| [p, r, q]).collect();
        self.triangles.extend(back);
    }

    /// Unit cubes beside a unit square.
    pub fn beside((corner, axis): Square) -> [Cell; 2] {
        [corner, moved(corner, axis, -1)]
    }

    /// The lattice points of the squares.
    pub fn points_of_squares(&self) -> BTreeSet<Cell> {
        let corners = |&(corner, axis): &Square| {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            (0..4).map(move |i| moved(moved(corner, u, i & 1), v, i >> 1))
        };
        self.squares.iter().flat_map(corners).collect()
    }

    /// The lattice points of the cubes.
    pub fn points_of_cubes(&self) -> BTreeSet<Cell> {
        let corners = |cell: &Cell| {
            let cell = *cell;
            (0..8).map(move |i| [cell[0] + (i & 1), cell[1] + (i >> 1 & 1), cell[2] + (i >> 2)])
        };
        self.cubes.iter().flat_map(corners).collect()
    }

    /// The triangles as a soup, through a map of the lattice.
    pub fn soup(&self, map: impl Fn(Cell) -> DVec3) -> TriangleSoup {
        let positions = self.triangles.as_flattened().iter().map(|&p| map(p)).collect();
        let triangles = (0..self.triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        TriangleSoup { positions, triangles, parts: Vec::new() }
    }

    /// The body moved.
    pub fn shifted(&self, by: Cell) -> Voxels {
        let shift = |cell: Cell| -> Cell { std::array::from_fn(|axis| cell[axis] + by[axis]) };
        Voxels {
            cubes: self.cubes.iter().map(|&cell| shift(cell)).collect(),
            squares: self.squares.iter().map(|&(cell, axis)| (shift(cell), axis)).collect(),
            triangles: self.triangles.iter().map(|t| t.map(shift)).collect(),
        }
    }
}
