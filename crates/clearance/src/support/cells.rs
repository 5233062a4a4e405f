//! Sets of directions, found by comparisons alone, and the vertices that may be extreme in each.
//!
//! A coordinate is told apart by its sign and by how many borders, parts of the largest coordinate, its size lies beyond:
//! with `k` borders an octant has `(k + 1)^3 - k^3` cells. A cell is a union of convex pieces, one for each coordinate that may be
//! the largest; which one is need not be known to find a cell, and all three coordinates are compared at once.

use super::climb::climb;
use super::cube_map::stretch;
use crate::shape::Polytope;
use glam::DVec3;

/// At most this many borders: two bits then say beyond how many a coordinate lies.
pub(super) const MOST_BORDERS: usize = 3;

/// The borders, by their number; found by trial, so that no list of vertices is much longer than the others.
const BORDERS: [&[f64]; MOST_BORDERS + 1] = [&[], &[0.55], &[0.3, 0.7], &[0.2, 0.45, 0.75]];

/// Directions cut into cells.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    /// The sides of the bounding box, as in the cube map.
    stretch: DVec3,
    /// The inverse of each border; zero beyond the last.
    inverses: [f64; MOST_BORDERS],
}

impl Cells {
    pub(super) fn new(polytope: &Polytope, borders: usize) -> Cells {
        let inverse = |i: usize| BORDERS[borders].get(i).map_or(0.0, |border| border.recip());
        let inverses = std::array::from_fn(inverse);
        Cells { stretch: stretch(polytope), inverses }
    }

    /// How many cells there are.
    pub(super) fn count(borders: usize) -> usize {
        8 * ((borders + 1).pow(3) - borders.pow(3))
    }

    /// How many numbers they may have.
    pub(super) fn numbers(borders: usize) -> usize {
        [8, 64, 512, 512][borders]
    }

    /// The number of the cell of a direction; any number if it is zero or not finite.
    #[inline(always)]
    pub(super) fn find(&self, direction: DVec3) -> usize {
        self.number(direction * self.stretch)
    }

    /// Three bits are signs, three say which coordinates lie beyond an odd number of borders, three which beyond two.
    #[inline(always)]
    fn number(&self, stretched: DVec3) -> usize {
        let size = stretched.abs();
        let max = |a: f64, b: f64| if a > b { a } else { b };
        let largest = max(max(size.x, size.y), size.z);
        let bits = |x: bool, y: bool, z: bool| usize::from(x) | usize::from(y) << 1 | usize::from(z) << 2;
        // Sizes are multiplied rather than the largest of them, which is known later.
        let beyond = |inverse: f64| {
            let size = size * inverse;
            bits(size.x > largest, size.y > largest, size.z > largest)
        };
        let [x, y, z] = stretched.to_array().map(f64::is_sign_negative);
        let [first, second, third] = self.inverses;
        let coarse = bits(x, y, z) | beyond(first) << 3;
        if second == 0.0 {
            return coarse;
        }
        let second = beyond(second);
        coarse ^ (second ^ beyond(third)) << 3 ^ second << 6
    }

    /// For each cell the vertices whose normal cone meets it.
    ///
    /// The cone is spanned by the normals of the faces around the vertex. It meets a piece of a cell if an arc between two of
    /// them passes through the piece, or if it holds all of the piece, and so its middle.
    pub(super) fn lists(&self, polytope: &Polytope, borders: usize) -> Vec<Vec<u16>> {
        let sides: Vec<Side> = (0..24).map(|side| Side::new(side, BORDERS[borders])).collect();
        let mut lists = vec![vec![]; Cells::numbers(borders)];
        each_arc(polytope, self.stretch, |vertices, from, to| {
            for side in sides.iter().filter(|side| side.whole.meets(from, to)) {
                for piece in side.pieces.iter().filter(|piece| piece.meets(from, to)) {
                    lists[self.number(piece.middle)].extend(vertices);
                }
            }
        });
        let mut last = 0;
        for piece in sides.iter().flat_map(|side| &side.pieces) {
            last = climb(polytope, piece.middle / self.stretch, last);
            lists[self.number(piece.middle)].push(last as u16);
        }
        for list in &mut lists {
            list.sort_unstable();
            list.dedup();
        }
        lists
    }
}

/// Calls for the two ends of every edge and the stretched normals of the faces beside it.
fn each_arc(polytope: &Polytope, stretch: DVec3, mut call: impl FnMut([u16; 2], DVec3, DVec3)) {
    let vertices = polytope.vertices();
    for vertex in 0..vertices.len() {
        let neighbours = polytope.neighbours(vertex);
        let count = neighbours.len();
        let edge = |i: usize| vertices[neighbours[i % count] as usize] - vertices[vertex];
        let normal = |i: usize| edge(i).cross(edge(i + 1)) * stretch;
        // Once for each edge, from its lower end.
        for i in (0..count).filter(|&i| neighbours[i] as usize > vertex) {
            call([vertex as u16, neighbours[i] as u16], normal(i + count - 1), normal(i));
        }
    }
}

/// The directions with given signs and a given largest coordinate.
struct Side {
    whole: Piece,
    pieces: Vec<Piece>,
}

impl Side {
    fn new(side: usize, borders: &[f64]) -> Side {
        let ends: Vec<f64> =
            [0.0].into_iter().chain(borders.iter().copied()).chain([1.0]).collect();
        let ranges = || ends.windows(2).map(|range| [range[0], range[1]]);
        let pieces = ranges().flat_map(|u| ranges().map(move |v| Piece::new(side, u, v))).collect();
        Side { whole: Piece::new(side, [0.0, 1.0], [0.0, 1.0]), pieces }
    }
}

/// A part of a side, in stretched directions.
struct Piece {
    /// Linear forms that are not negative on it.
    forms: [DVec3; 4],
    middle: DVec3,
}

impl Piece {
    /// Of one of the 24 sides, with the ranges of the other coordinates as parts of the largest one.
    fn new(side: usize, u: [f64; 2], v: [f64; 2]) -> Piece {
        let axis = |i: usize| DVec3::AXES[i % 3] * if side >> (i % 3) & 1 == 0 { 1.0 } else { -1.0 };
        let (major, along_u, along_v) = (axis(side / 8), axis(side / 8 + 1), axis(side / 8 + 2));
        let forms = [
            along_u - major * u[0],
            major * u[1] - along_u,
            along_v - major * v[0],
            major * v[1] - along_v,
        ];
        Piece { forms, middle: major * 2.0 + along_u * (u[0] + u[1]) + along_v * (v[0] + v[1]) }
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
