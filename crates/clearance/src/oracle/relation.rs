//! The relation of two polytopes by trying every direction that could matter, in exact numbers.

use super::cases::{Family, two_bodies};
use super::compare::same;
use super::dyadic::Dyadic;
use super::signs::{Exact3, cross, dot, exact, minus, posed};
use crate::exact::Sign;
use crate::math::{Pose, Random};
use crate::pair::{Relation, relation_with_witness};
use crate::shape::Polytope;
use crate::support::SupportMap;
use crate::witness::PosedPair;
use glam::DVec3;

/// Separating axis theorem, spelled out: a facet of `B - A` is spanned by a face of one body or by an edge of each;
/// where `B - A` is flat, edges times coordinate axes and the edges themselves take the place of facets.
///
/// A positive gap along any direction proves disjoint, a gap of zero that the bodies do not overlap; one of these
/// directions shows it if it is so. Cheap directions and those of few come first, because the search ends at a
/// positive gap. `O(n^3)` exact numbers.
pub fn relation(pair: &PosedPair<'_>) -> Relation {
    let (points_a, points_b) = both_points(pair);
    let (edges_a, edges_b) = (edges(pair.a, &points_a), edges(pair.b, &points_b));
    let axes = DVec3::AXES.map(exact);
    let few = axes.iter().cloned().chain([minus(&points_b[0], &points_a[0])]);
    let faces = normals(pair.a, &points_a).chain(normals(pair.b, &points_b));
    let across = edges_a.iter().flat_map(|e| edges_b.iter().map(move |f| cross(e, f)));
    let both = || edges_a.iter().chain(&edges_b);
    let sideways = both().flat_map(|e| axes.iter().map(move |axis| cross(e, axis)));
    let lower = sideways.chain(both().cloned());
    // With a solid on one side `B - A` is not flat.
    let is_solid = pair.a.dimension() == 3 || pair.b.dimension() == 3;
    let lower = lower.filter(|_| !is_solid);
    let mut best = Sign::Negative;
    for direction in few.chain(faces).chain(across).chain(lower) {
        if direction.iter().all(|c| c.sign().is_zero()) {
            continue;
        }
        best = best.max(gap_sign(&direction, &points_a, &points_b));
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

/// The exact positions of all vertices of a body.
pub(super) fn points(polytope: &Polytope, pose: &Pose) -> Vec<Exact3> {
    polytope.vertices().iter().map(|&v| posed(pose, v)).collect()
}

/// The exact positions of all vertices of both bodies, over one power of two.
pub(super) fn both_points(pair: &PosedPair<'_>) -> (Vec<Exact3>, Vec<Exact3>) {
    let (mut points_a, mut points_b) = (points(pair.a, pair.pose_a), points(pair.b, pair.pose_b));
    Dyadic::share_exponent(points_a.iter_mut().chain(&mut points_b).flatten());
    (points_a, points_b)
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
        if height.is_less(low) {
            low = height;
        }
        if high.is_less(height) {
            high = height;
        }
    }
    (low.clone(), high.clone())
}

/// Relations and their witnesses for small polytopes of every family, often in contact.
pub fn compare(random: &mut Random) -> Result<(), String> {
    let family = Family::any(random);
    let ((a, pose_a), (b, pose_b)) = two_bodies(family, 7, random);
    let pair = PosedPair { a: &a, pose_a: &pose_a, b: &b, pose_b: &pose_b };
    let context = || format!("{family:?} {:?} {pose_a:?} {:?} {pose_b:?}", a.vertices(), b.vertices());
    let (map_a, map_b) = (SupportMap::new(a.clone()), SupportMap::new(b.clone()));
    let witness = relation_with_witness(&map_a, &pose_a, &map_b, &pose_b);
    same(witness.relation(), relation(&pair), context)?;
    witness.check(&pair).map_err(|defect| format!("{defect}: {witness:?} for {}", context()))
}
