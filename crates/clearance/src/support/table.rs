//! The paper's table of 8 x 16 directions [Chung96 §3.5].
//!
//! Kept beside the cube map for comparison: its size does not grow with the polytope, so the walk from its
//! vertex does. The paper does not say how the sphere is cut (its figure is lost); here eight bands of equal
//! latitude times sixteen sectors of equal longitude, found without trigonometric functions, so the same on
//! every platform.

use super::climb;
use crate::shape::Polytope;
use glam::DVec3;

const BANDS: usize = 8;
const SECTORS: usize = 16;

/// `tan 22.5°`, which halves an octant.
const TANGENT: f64 = std::f64::consts::SQRT_2 - 1.0;

/// `sin² 22.5°`, `sin² 45°`, `sin² 67.5°`: where bands of a hemisphere meet.
const SINES_SQUARED: [f64; 3] =
    [0.5 - 0.25 * std::f64::consts::SQRT_2, 0.5, 0.5 + 0.25 * std::f64::consts::SQRT_2];

/// Cosine and sine of 11.25°, 33.75°, 56.25° and 78.75°: the middles of bands and sectors.
const MIDDLES: [[f64; 2]; 4] = [
    [0.980_785_280_403_230_4, 0.195_090_322_016_128_25],
    [0.831_469_612_302_545_2, 0.555_570_233_019_602_2],
    [0.555_570_233_019_602_2, 0.831_469_612_302_545_2],
    [0.195_090_322_016_128_25, 0.980_785_280_403_230_4],
];

/// For each of 128 directions an extreme vertex; 512 bytes for any polytope.
#[derive(Clone, Debug)]
pub struct DirectionTable {
    vertices: [u32; BANDS * SECTORS],
}

impl DirectionTable {
    /// Searches cell after cell, each from the vertex of the last one.
    pub fn build(polytope: &Polytope) -> DirectionTable {
        let mut last = 0;
        let vertices = std::array::from_fn(|cell| {
            last = climb::climb(polytope, middle(cell), last);
            last
        });
        DirectionTable { vertices }
    }

    /// The vertex stored for the cell of a direction; any vertex for directions that are zero or not finite.
    #[inline]
    pub fn look_up(&self, direction: DVec3) -> u32 {
        self.vertices[cell(direction)]
    }
}

/// Bands from south to north, sectors counter-clockwise from the x axis.
fn cell(direction: DVec3) -> usize {
    let [x, y, z] = direction.to_array();
    let part = z * z / direction.length_squared();
    let above = SINES_SQUARED.iter().filter(|&&s| part >= s).count();
    let band = if z >= 0.0 { BANDS / 2 + above } else { BANDS / 2 - 1 - above };
    // The quarter turn that brings (x, y) into the first quadrant, then its half and the half of that.
    let (turns, x, y) = match (x >= 0.0, y >= 0.0) {
        (true, true) => (0, x, y),
        (false, true) => (1, y, -x),
        (false, false) => (2, -x, -y),
        (true, false) => (3, -y, x),
    };
    let eighth = if y < x { usize::from(y >= TANGENT * x) } else { 3 - usize::from(x > TANGENT * y) };
    band * SECTORS + 4 * turns + eighth
}

/// The direction in the middle of a cell; the inverse of `cell`.
fn middle(cell: usize) -> DVec3 {
    let (band, sector) = (cell / SECTORS, cell % SECTORS);
    let north = band >= BANDS / 2;
    let [across, up] = MIDDLES[if north { band - BANDS / 2 } else { BANDS / 2 - 1 - band }];
    let [x, y] = MIDDLES[sector % 4];
    let (x, y) = [(x, y), (-y, x), (-x, -y), (y, -x)][sector / 4];
    DVec3::new(across * x, across * y, if north { up } else { -up })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_every_cell_is_looked_up_in_that_cell() {
        for index in 0..BANDS * SECTORS {
            assert_eq!(cell(middle(index) * 7.0), index);
        }
    }

    #[test]
    fn every_direction_finds_a_cell() {
        for x in [0.0, -0.0, 1.0, -1.0, f64::MAX, 5e-324, f64::NAN, f64::INFINITY] {
            for y in [0.0, 1.0, -f64::MAX, f64::NAN] {
                assert!(cell(DVec3::new(x, y, -x)) < BANDS * SECTORS);
                assert!(cell(DVec3::new(x, y, 0.0)) < BANDS * SECTORS);
            }
        }
    }
}
