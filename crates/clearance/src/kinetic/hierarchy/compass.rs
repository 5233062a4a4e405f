//! Cuts in compass directions first, then through median edges [Erickson99 §3.1].

use super::boomerang::Hierarchy;
use super::build::{Cut, OpenCorner, Strategy, supporting};
use crate::planar::Polygon;
use glam::DVec2;

impl Hierarchy {
    /// The compass hierarchy of a polygon with `n` edges. `O(n log n)`.
    ///
    /// In the first `ceil(log2 n)` levels every corner is cut by the line whose outer normal halves the angle of the corner: the
    /// triangles are isosceles, and envelope `i` has normals in `4 * 2^i` regular directions, the same for all polygons. Then
    /// the edges of the polygon that are left in a corner are taken, the median one first. At most `2 ceil(log2 n)` levels.
    ///
    /// Differs from the paper: 1. The directions are floats taken as exact, regular to rounding. 2. Below the regular levels the
    /// height of a level-`i` boomerang is at most `D / 2^(L+1)` with `L` the number of regular levels, not `O(D / 2^i)`: a
    /// median edge halves the edges of a boomerang, not its height.
    pub fn compass(polygon: Polygon) -> Hierarchy {
        let lattice_levels = ceil_log2(polygon.vertices().len());
        Hierarchy::build(polygon, &Compass { lattice_levels }, lattice_levels)
    }
}

/// The least `k` with `2^k >= n`, for `n >= 1`.
pub(super) fn ceil_log2(n: usize) -> u32 {
    n.next_power_of_two().trailing_zeros()
}

struct Compass {
    lattice_levels: u32,
}

/// The directions of the two edges of a corner, while they belong to the lattice.
type Directions = [DVec2; 2];

impl Strategy for Compass {
    type State = Directions;

    fn root(&self, quarter: usize, _polygon: &Polygon, _corner: OpenCorner) -> Directions {
        let compass = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y];
        [compass[quarter], compass[(quarter + 1) % 4]]
    }

    fn cut(
        &self,
        polygon: &Polygon,
        corner: OpenCorner,
        state: Directions,
    ) -> Option<(Cut, [Directions; 2])> {
        if corner.level < self.lattice_levels {
            let [left, right] = state;
            let between = halfway(left, right);
            return Some((supporting(polygon, between), [[left, between], [between, right]]));
        }
        median(polygon, corner).map(|cut| (cut, [state; 2]))
    }
}

/// The direction halfway between two unit vectors less than a half turn apart. Only correctly rounded operations: the same
/// bits everywhere, and the opposite direction for opposite vectors.
pub(super) fn halfway(a: DVec2, b: DVec2) -> DVec2 {
    let sum = a + b;
    sum / (sum.x * sum.x + sum.y * sum.y).sqrt()
}

/// The line through the median edge of a corner; none if there is no edge left.
fn median(polygon: &Polygon, corner: OpenCorner) -> Option<Cut> {
    let count = corner.last - corner.first;
    if count == 0 {
        return None;
    }
    let edge = (corner.first + count / 2) % polygon.vertices().len();
    Some(Cut { line: polygon.edges()[edge].clone(), contact: [edge, polygon.next(edge)] })
}
