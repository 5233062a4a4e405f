//! The relation of two polytopes by trying every direction that could matter, in exact numbers.

use super::dyadic::Dyadic;
use super::signs::{Exact3, cross, dot, exact, minus, posed};
use crate::exact::Sign;
use crate::pair::Relation;
use crate::shape::Polytope;
use crate::witness::PosedPair;
use glam::DVec3;

/// Separating axis theorem, spelled out: a facet of `B - A` is spanned by a face of one body or by an edge of each;
/// where `B - A` is flat, edges times coordinate axes and the edges themselves take the place of facets.
///
/// A positive gap along any direction proves disjoint, a gap of zero that the bodies do not overlap; one of these
/// directions shows it if it is so. `O(n^3)` exact numbers.
pub fn relation(pair: &PosedPair<'_>) -> Relation {
    let (points_a, points_b) = (points(pair.a, pair.pose_a), points(pair.b, pair.pose_b));
    let (edges_a, edges_b) = (edges(pair.a, &points_a), edges(pair.b, &points_b));
    let axes = DVec3::AXES.map(exact);
    let mut directions: Vec<Exact3> = normals(pair.a, &points_a).chain(normals(pair.b, &points_b)).collect();
    directions.extend(edges_a.iter().flat_map(|e| edges_b.iter().map(|f| cross(e, f))));
    let sideways = edges_a.iter().chain(&edges_b).flat_map(|e| axes.iter().map(|axis| cross(e, axis)));
    directions.extend(sideways);
    directions.extend(edges_a.iter().chain(&edges_b).cloned());
    directions.push(minus(&points_b[0], &points_a[0]));
    directions.extend(axes);
    let mut best = Sign::Negative;
    for direction in directions.iter().filter(|d| d.iter().any(|c| !c.sign().is_zero())) {
        best = best.max(gap_sign(direction, &points_a, &points_b));
        if best.is_positive() {
            break;
        }
    }
    match best {
        Sign::Positive => Relation::Disjoint,
        Sign::Zero => Relation::Touching,
        Sign::Negative => Relation::Overlapping,
    }
}

pub(super) fn points(polytope: &Polytope, pose: &crate::math::Pose) -> Vec<Exact3> {
    polytope.vertices().iter().map(|&v| posed(pose, v)).collect()
}

pub(super) fn edges(polytope: &Polytope, points: &[Exact3]) -> Vec<Exact3> {
    polytope.edges().map(|[from, to]| minus(&points[to as usize], &points[from as usize])).collect()
}

pub(super) fn normals<'a>(polytope: &'a Polytope, points: &'a [Exact3]) -> impl Iterator<Item = Exact3> + 'a {
    polytope.faces().map(|face| {
        let [v0, v1, v2] = [0, 1, 2].map(|i| &points[face[i] as usize]);
        cross(&minus(v1, v0), &minus(v2, v0))
    })
}

/// The larger sign of `min d.b - max d.a` and `min d.a - max d.b`: the gap along the direction or its opposite.
fn gap_sign(direction: &Exact3, points_a: &[Exact3], points_b: &[Exact3]) -> Sign {
    let (low_a, high_a) = span(direction, points_a);
    let (low_b, high_b) = span(direction, points_b);
    (&low_b - &high_a).sign().max((&low_a - &high_b).sign())
}

/// The least and the greatest `d.p`.
pub(super) fn span(direction: &Exact3, points: &[Exact3]) -> (Dyadic, Dyadic) {
    let heights: Vec<Dyadic> = points.iter().map(|p| dot(direction, p)).collect();
    let (mut low, mut high) = (&heights[0], &heights[0]);
    for height in &heights[1..] {
        if (height - low).sign().is_negative() {
            low = height;
        }
        if (height - high).sign().is_positive() {
            high = height;
        }
    }
    (low.clone(), high.clone())
}
