//! Penetration depth by trying every direction that could be the normal of a facet of `B - A`, in exact numbers.

use super::cases::{Family, nudge};
use super::dyadic::Dyadic;
use super::relation::{self, both_points, edges, normals, span};
use super::signs::{Exact3, cross, dot, exact};
use crate::math::{Pose, Random};
use crate::pair::{Penetration, PenetrationCache, Relation, penetration, penetration_with};
use crate::shape::Polytope;
use crate::support::SupportMap;
use crate::witness::PosedPair;
use glam::DVec3;

/// The reach of `B - A` along each possible facet normal and the square of the normal's length: the depth is the
/// least `reach / sqrt(square)`. Faces of both bodies and pairs of edges, both ways; `O(n^3)` exact numbers.
pub fn reaches(pair: &PosedPair<'_>) -> Vec<(Dyadic, Dyadic)> {
    let (points_a, points_b) = both_points(pair);
    let (edges_a, edges_b) = (edges(pair.a, &points_a), edges(pair.b, &points_b));
    let mut directions: Vec<Exact3> = normals(pair.a, &points_a).chain(normals(pair.b, &points_b)).collect();
    directions.extend(edges_a.iter().flat_map(|e| edges_b.iter().map(|f| cross(e, f))));
    let directions = directions.iter().filter(|d| d.iter().any(|c| !c.sign().is_zero()));
    let both_ways = directions.flat_map(|direction| {
        let (low_a, high_a) = span(direction, &points_a);
        let (low_b, high_b) = span(direction, &points_b);
        let square = dot(direction, direction);
        [(&high_b - &low_a, square.clone()), (&high_a - &low_b, square)]
    });
    both_ways.collect()
}

/// Checks the bracket, its width, and that the normal and the points belong to it.
pub fn check(pair: &PosedPair<'_>, found: &Penetration) -> Result<(), String> {
    let reaches = reaches(pair);
    let square = |x: f64| &Dyadic::new(x) * &Dyadic::new(x);
    // The sign of `reach / sqrt(length squared) - depth`, all positive.
    let beyond = |(reach, length): &(Dyadic, Dyadic), depth: f64| {
        (&(reach * reach) - &(&square(depth) * length)).sign()
    };
    if reaches.iter().any(|r| beyond(r, found.lower).is_negative()) {
        return Err(format!("{:e} is not a lower bound: {found:?}", found.lower));
    }
    if !reaches.iter().any(|r| !beyond(r, found.upper).is_positive()) {
        return Err(format!("{:e} is not an upper bound: {found:?}", found.upper));
    }
    // Subnormal depths cannot be bracketed as tightly.
    if found.upper > 1e-290 && found.upper - found.lower > 1.000_001e-9 * found.upper {
        return Err(format!("the bracket is too wide: {found:?}"));
    }
    check_normal(pair, found)
}

/// Checks that moving along the normal separates.
pub(super) fn check_normal(pair: &PosedPair<'_>, found: &Penetration) -> Result<(), String> {
    let far = pair.pose_a.translation().abs().max(pair.pose_b.translation().abs()).max_element();
    let rounding = 1e-14 * (size(pair.a) + size(pair.b) + far);
    if (found.normal.length() - 1.0).abs() > 1e-15 * 8.0 {
        return Err(format!("the normal has length {}", found.normal.length()));
    }
    let (points_a, points_b) = both_points(pair);
    let direction = exact(found.normal);
    let overlap = &span(&direction, &points_a).1 - &span(&direction, &points_b).0;
    if (&overlap - &Dyadic::new(found.upper * (1.0 + 1e-12) + rounding)).sign().is_positive() {
        return Err(format!("moving along the normal does not separate: {found:?}"));
    }
    Ok(())
}

/// Checks that the points are apart by the depth along the normal: for bodies that are neither needles nor
/// slivers, because points are rounded.
pub fn check_points(pair: &PosedPair<'_>, found: &Penetration) -> Result<(), String> {
    let far = pair.pose_a.translation().abs().max(pair.pose_b.translation().abs()).max_element();
    let off = found.point_a - found.point_b - found.normal * found.upper;
    // The direction is right within the square root of the bracket's width at worst.
    if off.length() > 1e-4 * found.upper + 1e-12 * (size(pair.a) + size(pair.b) + far) {
        return Err(format!("the points do not belong to the depth (off {:e}): {found:?}", off.length()));
    }
    Ok(())
}

/// The largest coordinate of a polytope.
fn size(polytope: &Polytope) -> f64 {
    polytope.bounds().min.abs().max(polytope.bounds().max.abs()).max_element()
}

/// Small polytopes of every dimension and family, moved onto each other.
pub fn compare(random: &mut Random) -> Result<(), String> {
    let family = Family::any(random);
    let mut body = || {
        let count = 2 + random.below(7);
        let points: Vec<DVec3> = (0..count).map(|_| family.bounded_point(random)).collect();
        (Polytope::hull(&points).expect("finite points"), family.pose(random))
    };
    let ((a, turn_a), (b, turn_b)) = (body(), body());
    let ((a, pose_a), (b, pose_b)) = match random.below(4) {
        0 => ((a, Pose::IDENTITY), (b, Pose::IDENTITY)),
        1 => ((a.clone(), turn_a), (a, nudged(&turn_a, random))),
        _ => {
            // B's centroid onto a random point of A, more or less.
            let (from, to) = (turn_b.apply(b.centroid()), turn_a.apply(a.centroid()));
            let off = family.bounded_point(random) * 0.3;
            let moved = Pose::new(turn_b.rotation(), turn_b.translation() + (to - from) + off);
            ((a, turn_a), (b, moved.unwrap_or(turn_b)))
        }
    };
    let found = agree(&a, &pose_a, &b, &pose_b).map_err(|what| format!("{family:?}: {what}"))?;
    let pair = PosedPair { a: &a, pose_a: &pose_a, b: &b, pose_b: &pose_b };
    match (family, found) {
        (Family::Uniform | Family::SmallIntegers | Family::Tiny | Family::Huge, Some(found)) => {
            check_points(&pair, &found)
        }
        _ => Ok(()),
    }
}

fn nudged(pose: &Pose, random: &mut Random) -> Pose {
    let moved = pose.translation().to_array().map(|x| nudge(x, random.below(3) as i64 - 1));
    Pose::new(pose.rotation(), DVec3::from_array(moved)).unwrap_or(*pose)
}

/// The depth and the relation of a pair against the oracles; with a used cache the answer must be the same.
pub fn agree(
    a: &Polytope,
    pose_a: &Pose,
    b: &Polytope,
    pose_b: &Pose,
) -> Result<Option<Penetration>, String> {
    let pair = PosedPair { a, pose_a, b, pose_b };
    let context = || format!(" for {:?} {pose_a:?} {:?} {pose_b:?}", a.vertices(), b.vertices());
    let (map_a, map_b) = (SupportMap::new(a.clone()), SupportMap::new(b.clone()));
    let found = penetration(&map_a, pose_a, &map_b, pose_b);
    let want = relation::relation(&pair);
    relation::check_as(want, (&map_a, pose_a), (&map_b, pose_b), &mut Random::new(1))
        .map_err(|what| format!("{what}{}", context()))?;
    let overlaps = want == Relation::Overlapping;
    let mut cache = PenetrationCache::default();
    let swapped = penetration_with(&map_b, pose_b, &map_a, pose_a, &mut cache);
    if penetration_with(&map_a, pose_a, &map_b, pose_b, &mut cache) != found {
        return Err(format!("a used cache changes the answer{}", context()));
    }
    match (&found, &swapped) {
        (None, None) if !overlaps => Ok(None),
        (Some(found), Some(swapped)) if overlaps => {
            let other_way = PosedPair { a: b, pose_a: pose_b, b: a, pose_b: pose_a };
            let checked = check(&pair, found).and_then(|()| check(&other_way, swapped));
            checked.map(|()| Some(*found)).map_err(|what| format!("{what}{}", context()))
        }
        _ => Err(format!("overlapping is {overlaps}, but {found:?} and {swapped:?}{}", context())),
    }
}
