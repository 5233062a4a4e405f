//! Sets of directions, found by comparisons alone, and the vertices that may be extreme in each.
//!
//! Few cells are told apart by the signs of the coordinates and the order of their sizes. For more of them, a coordinate counts by
//! how many borders, parts of the largest coordinate, its size lies beyond: with `k` borders an octant has `(k + 1)^3 - k^3`
//! cells. Such a cell is a union of convex pieces, one for each coordinate that may be the largest; which one is need not be
//! known to find a cell, and all three coordinates are compared at once. That is the faster way with two borders and more; the
//! order is known sooner than the largest coordinate is (distances of bodies of 100 vertices: 443 ns, 454 with one border).

use super::climb::climb;
use super::cube_map::stretch;
use super::in_single;
use crate::shape::Polytope;
use glam::DVec3;
use wide::f32x4;

/// At most this many borders: two bits then say beyond how many a coordinate lies.
const MOST_BORDERS: usize = 3;

/// How directions are cut.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cut {
    /// By signs and the largest coordinate: 24 cells, each of two numbers of the next.
    Sides,
    /// By signs and the order of sizes: 48 cells.
    Order,
    /// By signs and borders: 152 cells with two of them, 296 with three.
    Borders(&'static [f32]),
}

impl Cut {
    /// Finer ones first. Borders were found by trial, so that no list of vertices is much longer than the others.
    pub(super) const ALL: [Cut; 4] =
        [Cut::Borders(&[0.2, 0.45, 0.75]), Cut::Borders(&[0.3, 0.7]), Cut::Order, Cut::Sides];

    /// How many cells there are.
    pub(super) fn cells(self) -> usize {
        match self {
            Cut::Sides => 24,
            Cut::Order => 48,
            Cut::Borders(borders) => 8 * ((borders.len() + 1).pow(3) - borders.len().pow(3)),
        }
    }

    /// How many vertices their lists have together on a ball, within a few parts of a hundred: cones and cells that overlay each
    /// other have as many common parts as there are of both, and one more for each crossing of their borders.
    pub(super) fn likely_entries(self, vertices: usize) -> f64 {
        let (cones, cells) = (vertices as f64, self.cells() as f64);
        cones + 1.44 * cells + 2.4 * (cones * cells).sqrt()
    }
}

/// Directions cut into cells.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    /// The sides of the bounding box, as in the cube map.
    stretch: DVec3,
    stretch_in_single: f32x4,
    /// The inverse of each border in every lane, zero beyond the last; none if cells are told apart by order.
    inverses: Option<[f32x4; MOST_BORDERS]>,
}

impl Cells {
    pub(super) fn new(polytope: &Polytope, cut: Cut) -> Cells {
        Cells::of(stretch(polytope), cut)
    }

    fn of(stretch: DVec3, cut: Cut) -> Cells {
        let inverse = |border: Option<&f32>| f32x4::splat(border.map_or(0.0, |border| border.recip()));
        let inverses = match cut {
            Cut::Borders(borders) => Some(std::array::from_fn(|i| inverse(borders.get(i)))),
            Cut::Sides | Cut::Order => None,
        };
        Cells { stretch, stretch_in_single: in_single(stretch), inverses }
    }

    /// The number of the cell of a direction; any number if it is not finite.
    #[inline(always)]
    pub(super) fn find(&self, direction: DVec3) -> usize {
        self.number(direction * self.stretch)
    }

    /// The same for a direction in the first three lanes; the last one is zero.
    #[inline(always)]
    pub(super) fn find_in_single(&self, direction: f32x4) -> usize {
        let stretched = direction * self.stretch_in_single;
        match &self.inverses {
            Some(inverses) => number_by_borders(stretched, inverses),
            None => number_by_order_in_single(stretched),
        }
    }

    #[inline(always)]
    fn number(&self, stretched: DVec3) -> usize {
        match &self.inverses {
            Some(inverses) => number_by_borders(in_single(stretched), inverses),
            None => number_by_order(stretched),
        }
    }

    /// Above the number of every cell.
    fn end(&self) -> usize {
        if self.inverses.is_some() { 512 } else { 64 }
    }

    /// The vertices whose normal cone meets a cell, for the number of each.
    ///
    /// The cone is spanned by the normals of the faces around the vertex. It meets a piece of a cell if an arc between two of
    /// them passes through the piece, or if it holds all of the piece, and so its middle.
    pub(super) fn lists(&self, polytope: &Polytope, cut: Cut) -> Vec<Vec<u16>> {
        let mut lists = vec![vec![]; self.end()];
        let sides: Vec<Side> = (0..24).map(|side| Side::new(side, cut)).collect();
        each_arc(polytope, self.stretch, |vertices, from, to| {
            // Sides are convex: an arc that begins and ends in one of them passes through no other.
            let own = side_of(from);
            let met = if side_of(to) == own { &sides[own..=own] } else { &sides[..] };
            for side in met.iter().filter(|side| side.whole.meets(from, to)) {
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
        if self.inverses.is_none() {
            // Where sizes are equal any order will do.
            let number = |signs: usize| number_by_order(DVec3::ONE) | signs;
            (0..8).for_each(|signs| lists[signs] = lists[number(signs)].clone());
        }
        lists
    }
}

/// Three bits are signs, three say which coordinates are smaller than the next. Of equal ones the last is not larger than the
/// first, so that the bits are those of an order.
#[inline(always)]
fn number_by_order(stretched: DVec3) -> usize {
    let size = stretched.abs();
    let bits = |x: bool, y: bool, z: bool| usize::from(x) | usize::from(y) << 1 | usize::from(z) << 2;
    let [x, y, z] = stretched.to_array().map(f64::is_sign_negative);
    bits(x, y, z) | bits(size.x < size.y, size.y < size.z, size.z <= size.x) << 3
}

/// The same but for three coordinates of equal size, which have a number of their own.
#[inline(always)]
fn number_by_order_in_single(stretched: f32x4) -> usize {
    let size = stretched.abs();
    let [x, y, z, _] = size.to_array();
    let smaller = size.simd_lt(f32x4::new([y, z, x, 0.0]));
    (stretched.to_bitmask() & 0b111 | smaller.to_bitmask() << 3) as usize
}

/// Three bits are signs, three say which coordinates lie beyond an odd number of borders, three which beyond two.
///
/// In `f32`, which moves borders by no more than the rounding of heights.
#[inline(always)]
fn number_by_borders(stretched: f32x4, inverses: &[f32x4; MOST_BORDERS]) -> usize {
    let size = stretched.abs();
    let [x, y, z, _] = size.to_array();
    let max = |a: f32, b: f32| if a > b { a } else { b };
    let largest = f32x4::splat(max(max(x, y), z));
    // Sizes are multiplied rather than the largest of them, which is known later.
    let [first, second, third] = inverses.map(|inverse| (size * inverse).simd_gt(largest));
    let bits = |lanes: f32x4| lanes.to_bitmask() as usize;
    bits(stretched) & 0b111 | bits(first ^ second ^ third) << 3 | bits(second) << 6
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

/// The number of a side that a stretched direction lies in.
fn side_of(direction: DVec3) -> usize {
    let size = direction.abs();
    let axis = if size.x >= size.y.max(size.z) { 0 } else { 1 + usize::from(size.y < size.z) };
    let signs = direction.to_array().map(f64::is_sign_negative).map(usize::from);
    8 * axis + signs[0] + 2 * signs[1] + 4 * signs[2]
}

impl Side {
    fn new(side: usize, cut: Cut) -> Side {
        let axis = |i: usize| DVec3::AXES[i % 3] * if side >> (i % 3) & 1 == 0 { 1.0 } else { -1.0 };
        let [major, u, v] = [0, 1, 2].map(|next| axis(side / 8 + next));
        let whole = Piece::rectangle([major, u, v], [0.0, 1.0], [0.0, 1.0]);
        let triangles = || [Piece::triangle(major, u, v), Piece::triangle(major, v, u)];
        let pieces = match cut {
            Cut::Order => triangles().into(),
            Cut::Sides => triangles().map(|part| Piece { forms: whole.forms, ..part }).into(),
            Cut::Borders(borders) => {
                let ends: Vec<f64> =
                    [&[0.0], borders, &[1.0]].concat().iter().map(|&end| f64::from(end)).collect();
                let ranges = || ends.windows(2).map(|range| [range[0], range[1]]);
                let row = |of_u| ranges().map(move |of_v| Piece::rectangle([major, u, v], of_u, of_v));
                ranges().flat_map(row).collect()
            }
        };
        Side { whole, pieces }
    }
}

/// A convex part of a side, in stretched directions.
struct Piece {
    /// Linear forms that are not negative on it.
    forms: [DVec3; 4],
    /// A direction well inside, with the number of the cell.
    middle: DVec3,
}

impl Piece {
    /// With the ranges of the other two coordinates, as parts of the largest one.
    fn rectangle([major, u, v]: [DVec3; 3], of_u: [f64; 2], of_v: [f64; 2]) -> Piece {
        // First those that tell most others apart.
        let forms = [u - major * of_u[0], v - major * of_v[0], major * of_u[1] - u, major * of_v[1] - v];
        Piece { forms, middle: major * 2.0 + u * (of_u[0] + of_u[1]) + v * (of_v[0] + of_v[1]) }
    }

    /// With coordinates in this order, the largest first.
    fn triangle(first: DVec3, second: DVec3, third: DVec3) -> Piece {
        let forms = [third, second - third, first - second, first];
        Piece { forms, middle: first * 3.0 + second * 2.0 + third }
    }

    /// Whether an arc passes through it.
    fn meets(&self, from: DVec3, to: DVec3) -> bool {
        let (mut begin, mut end) = (0.0, 1.0);
        for form in self.forms {
            let (here, there) = (form.dot(from), form.dot(to));
            if here < 0.0 && there < 0.0 {
                return false;
            }
            if here < 0.0 {
                begin = (here / (here - there)).max(begin);
            } else if there < 0.0 {
                end = (here / (here - there)).min(end);
            }
        }
        begin <= end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::shape::sample::{PolytopeKind, random_polytope};

    #[test]
    fn a_direction_has_the_number_of_every_piece_it_lies_in_but_on_borders() {
        let mut random = Random::new(2);
        for cut in Cut::ALL {
            let cells = Cells::of(DVec3::ONE, cut);
            let pieces: Vec<Piece> = (0..24).flat_map(|side| Side::new(side, cut).pieces).collect();
            let mut numbers: Vec<usize> = pieces.iter().map(|piece| cells.find(piece.middle)).collect();
            for _ in 0..2000 {
                let direction = DVec3::from_array(std::array::from_fn(|_| random.range(-1.0, 1.0)));
                let inside = |piece: &Piece| piece.forms.iter().all(|form| form.dot(direction) > 1e-6);
                let mut found = (0..pieces.len()).filter(|&i| inside(&pieces[i])).map(|i| numbers[i]);
                assert!(found.clone().count() < 3);
                assert!(
                    found.clone().count() == 0 || found.clone().any(|n| n == cells.find(direction)),
                    "{cut:?}"
                );
                let in_single = cells.find_in_single(in_single(direction));
                assert!(found.clone().count() == 0 || found.any(|n| n == in_single), "{cut:?} in single");
            }
            numbers.sort_unstable();
            numbers.dedup();
            assert_eq!(numbers.len(), if matches!(cut, Cut::Sides) { 48 } else { cut.cells() });
        }
    }

    #[test]
    fn a_direction_lies_in_its_side() {
        let mut random = Random::new(5);
        for _ in 0..2000 {
            let direction = DVec3::from_array(std::array::from_fn(|_| random.range(-1.0, 1.0)));
            let Side { whole, .. } = Side::new(side_of(direction), Cut::Order);
            assert!(whole.forms.iter().all(|form| form.dot(direction) >= 0.0), "{direction}");
        }
    }

    #[test]
    fn every_direction_has_the_number_of_a_cell() {
        let ball = random_polytope(PolytopeKind::Ellipsoid, 100, 1).expect("a polytope");
        for cut in Cut::ALL {
            let cells = Cells::of(DVec3::ONE, cut);
            let lists = cells.lists(&ball, cut);
            // Ties of every kind, and all on borders.
            let sizes = [0.0, -0.0, 0.2, -0.3, 0.45, 0.7, -0.75, 1.0, -1.0];
            for x in sizes {
                for direction in sizes.iter().flat_map(|&y| sizes.map(|z| DVec3::new(x, y, z))) {
                    let zero = direction == DVec3::ZERO;
                    assert!(zero || !lists[cells.find(direction)].is_empty(), "{cut:?} {direction}");
                    let number = cells.find_in_single(in_single(direction));
                    assert!(zero || !lists[number].is_empty(), "{cut:?} {direction}");
                }
            }
            for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 5e-324] {
                for direction in [DVec3::splat(bad), DVec3::new(bad, 1.0, -bad), DVec3::new(0.0, bad, 1.0)] {
                    assert!(cells.find(direction) < lists.len());
                }
            }
        }
    }
}
