//! Triangles in one plane, seen along a coordinate axis.

use super::pair::{FACE, TrianglePair, edge, next, vertex};
use crate::exact::{Axis, Sign, orient2d_posed};
use crate::pair::Feature;
use crate::witness::Side;

/// On which side of each edge of one triangle each corner of the other lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coplanar {
    pub axis: Axis,
    /// `a[i][j]`: corner `i` of A, the edge of B from corner `j` to the next. Positive is inside.
    a: [[Sign; 3]; 3],
    /// `b[j][i]`: corner `j` of B, the edge of A from corner `i` to the next.
    b: [[Sign; 3]; 3],
}

/// Where two triangles of a plane have a corner of their intersection in common.
pub(super) type Corners = ([(Feature, Feature); 6], usize);

impl Coplanar {
    /// Both triangles must lie in one plane; `None` if one is flat.
    pub fn new(pair: &TrianglePair<'_>) -> Option<Coplanar> {
        let (axis, turn_a) = pair.shadow(Side::A)?;
        let turn_b = orient2d_posed(axis, pair.at_b(0), pair.at_b(1), pair.at_b(2));
        if turn_b.is_zero() {
            return None;
        }
        let sides = |of: Side, over: Side, turn: Sign| {
            [0, 1, 2].map(|corner| {
                let side = |k| {
                    let (from, to) = (pair.at(over, k), pair.at(over, next(k)));
                    orient2d_posed(axis, from, to, pair.at(of, corner)) * turn
                };
                [0, 1, 2].map(side)
            })
        };
        Some(Coplanar { axis, a: sides(Side::A, Side::B, turn_b), b: sides(Side::B, Side::A, turn_a) })
    }

    /// Polygons of a plane are disjoint iff an edge of one has the whole other strictly outside.
    pub fn are_disjoint(&self) -> bool {
        let is_apart = |sides: &[[Sign; 3]; 3]| (0..3).any(|k| sides.iter().all(|s| s[k].is_negative()));
        is_apart(&self.a) || is_apart(&self.b)
    }

    /// The corners of the intersection, around it if there are three or more.
    pub fn corners(&self) -> Corners {
        let mut found = ([(FACE, FACE); 6], 0);
        let mut add = |corner| {
            found.0[found.1] = corner;
            found.1 += 1;
        };
        for i in 0..3 {
            if let Some(feature_b) = place(self.a[i]) {
                add((vertex(i), feature_b));
            }
            // Corners of B on a corner of A were added with that.
            match place(self.b[i]) {
                None | Some(Feature::Vertex(_)) => {}
                Some(feature_a) => add((feature_a, vertex(i))),
            }
            for j in (0..3).filter(|&j| self.do_edges_cross(i, j)) {
                add((edge(i, next(i)), edge(j, next(j))));
            }
        }
        sort_around(&mut found);
        found
    }

    /// Whether the insides of two edges cross.
    fn do_edges_cross(&self, i: usize, j: usize) -> bool {
        let across = |s: Sign, t: Sign| s * t == Sign::Negative;
        across(self.a[i][j], self.a[next(i)][j]) && across(self.b[j][i], self.b[next(j)][i])
    }
}

/// Where a corner lies on the other triangle, from its sides; `None` if outside.
pub(super) fn place(sides: [Sign; 3]) -> Option<Feature> {
    if sides.iter().any(|s| s.is_negative()) {
        return None;
    }
    let is_on = |k: usize| sides[k].is_zero();
    Some(match (0..3).find(|&k| is_on(k)) {
        None => FACE,
        // On two edges: their common corner.
        Some(k) if is_on(next(k)) => vertex(next(k)),
        Some(k) if is_on(next(k + 1)) => vertex(k),
        Some(k) => edge(k, next(k)),
    })
}

/// Brings three or more corners of a convex polygon into order: neighbours are those that share a closed edge of A or
/// of B, as every side of the polygon lies on one and no side has a third corner.
fn sort_around((corners, count): &mut Corners) {
    for at in 1..*count {
        let last = edges_at(corners[at - 1]);
        if let Some(neighbour) = (at..*count).find(|&k| edges_at(corners[k]) & last != 0) {
            corners.swap(at, neighbour);
        }
    }
}

/// The closed edges of A and B that hold a corner, as bits.
fn edges_at((feature_a, feature_b): (Feature, Feature)) -> u8 {
    closed_edges(feature_a) | closed_edges(feature_b) << 3
}

/// The closed edges of a triangle that hold the points of a feature, as bits: edge `k` is opposite to corner `k`.
pub(crate) fn closed_edges(feature: Feature) -> u8 {
    match feature {
        Feature::Vertex(v) => 0b111 & !(1 << v),
        Feature::Edge([v, w]) => 1 << (3 - v - w),
        Feature::Face(_) => 0,
    }
}
