//! A table from directions to vertices that are nearly extreme there.
//!
//! Six faces of a cube around the origin, each cut into `m x m` cells, about one cell for a vertex: the mean
//! walk from the table's vertex to the extreme one is then half a step at any size of the polytope.
//!
//! Rods and plates crowd their vertices into few directions. An ellipsoid with half axes `s` is the image of a ball, and
//! its extreme point along `d` that of the ball's along `s d`: directions stretched by the size of the bounding box
//! spread the vertices evenly over the cells again.

use crate::shape::Polytope;
use glam::DVec3;

/// Cells a side: at least this many, so that small polytopes start well too.
const LEAST_SIDE: usize = 2;

/// At most this many, so that the table never outgrows the polytope by much.
const MOST_SIDE: usize = 128;

/// The least part of the longest side that a side of the bounding box counts for: flat bodies have directions too.
const LEAST_STRETCH: f64 = 1.0 / 1024.0;

#[derive(Clone, Debug)]
pub(super) struct CubeMap {
    side: usize,
    /// The sides of the bounding box, the longest one.
    stretch: DVec3,
    vertices: Vec<u32>,
}

impl CubeMap {
    /// Walks from cell to cell, each search starting where the last one ended: `O(n)` on common bodies.
    pub(super) fn build(polytope: &Polytope) -> CubeMap {
        let side = ((polytope.vertices().len() as f64 / 6.0).sqrt() as usize).clamp(LEAST_SIDE, MOST_SIDE);
        let stretch = stretch(polytope);
        let mut vertices = Vec::with_capacity(6 * side * side);
        let mut last = 0;
        for face in 0..6 {
            for row in 0..side {
                for step in 0..side {
                    // Back and forth, so that successive cells are neighbours.
                    let column = if row.is_multiple_of(2) { step } else { side - 1 - step };
                    let direction = center(face, row, column, side) / stretch;
                    last = super::climb::climb(polytope, direction, last);
                    vertices.push((face * side * side + row * side + column, last));
                }
            }
        }
        vertices.sort_unstable_by_key(|&(cell, _)| cell);
        // Collected from a borrow: an owned list would be turned into numbers in place, and keep twice or four times their memory.
        CubeMap { side, stretch, vertices: vertices.iter().map(|&(_, vertex)| vertex).collect() }
    }

    pub(super) fn bytes(&self) -> usize {
        self.vertices.capacity() * size_of::<u32>()
    }

    /// The vertex stored for the cell of a direction; any vertex for directions that are zero or not finite.
    #[inline]
    pub(super) fn look_up(&self, direction: DVec3) -> u32 {
        let direction = direction * self.stretch;
        let (size, [x, y, z]) = (direction.abs(), direction.to_array());
        // The axis is random, so it is computed: as a branch it would be mispredicted.
        let beyond_x = (size.x < size.y) | (size.x < size.z);
        let axis = usize::from(beyond_x) * (1 + usize::from(size.y < size.z));
        let around = [x, y, z, x, y];
        let (major, u, v) = (around[axis], around[axis + 1], around[axis + 2]);
        let half = 0.5 * self.side as f64;
        let scale = half / major.abs();
        // Saturating casts send NaN to 0 and everything else into the table.
        let cell = |w: f64| ((w * scale + half) as usize).min(self.side - 1);
        let face = 2 * axis + usize::from(major < 0.0);
        self.vertices[(face * self.side + cell(u)) * self.side + cell(v)]
    }
}

/// What directions are stretched by.
pub(super) fn stretch(polytope: &Polytope) -> DVec3 {
    let extent = polytope.bounds().extent();
    (extent / extent.max_element()).max(DVec3::splat(LEAST_STRETCH))
}

/// The direction of the centre of a cell; the inverse of the look-up.
fn center(face: usize, row: usize, column: usize, side: usize) -> DVec3 {
    let along = |cell: usize| (2 * cell + 1) as f64 / side as f64 - 1.0;
    let (u, v) = (along(row), along(column));
    let major = if face.is_multiple_of(2) { 1.0 } else { -1.0 };
    match face / 2 {
        0 => DVec3::new(major, u, v),
        1 => DVec3::new(v, major, u),
        _ => DVec3::new(u, v, major),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_centre_of_every_cell_is_looked_up_in_that_cell() {
        let side = 5;
        let map =
            CubeMap { side, stretch: DVec3::ONE, vertices: (0..6 * side * side).map(|c| c as u32).collect() };
        for face in 0..6 {
            for row in 0..side {
                for column in 0..side {
                    let cell = (face * side + row) * side + column;
                    assert_eq!(map.look_up(center(face, row, column, side) * 7.0), cell as u32);
                }
            }
        }
    }

    #[test]
    fn every_direction_finds_a_cell() {
        let map = CubeMap { side: 2, stretch: DVec3::ONE, vertices: vec![0; 24] };
        for x in [0.0, -0.0, 1.0, -1.0, f64::MAX, 5e-324, f64::NAN, f64::INFINITY] {
            for y in [0.0, 1.0, -f64::MAX, f64::NAN] {
                map.look_up(DVec3::new(x, y, -x));
            }
        }
    }
}
