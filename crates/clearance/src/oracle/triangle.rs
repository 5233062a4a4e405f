//! Two triangles in rational numbers: relation and distance as polytopes, intersection by clipping.

use super::cases::{Family, nudge};
use super::compare::same;
use super::distance::distance_squared;
use super::relation;
use crate::math::{Pose, Random};
use crate::pair::{Distance, Feature, Relation};
use crate::shape::Polytope;
use crate::triangle;
use crate::witness::PosedPair;
use dashu::rational::RBig;
use glam::DVec3;

/// A point with rational coordinates.
pub type Rational3 = [RBig; 3];

/// The exact value of a finite number.
pub fn rational(x: f64) -> RBig {
    RBig::try_from(x).expect("a finite number")
}

/// The exact image of a point under a pose.
pub fn posed(pose: &Pose, point: DVec3) -> Rational3 {
    let p = point.to_array().map(rational);
    [0, 1, 2]
        .map(|i| dot(&pose.rotation().row(i).to_array().map(rational), &p) + rational(pose.translation()[i]))
}

/// `to - from`.
pub fn minus(to: &Rational3, from: &Rational3) -> Rational3 {
    [0, 1, 2].map(|i| &to[i] - &from[i])
}

/// `from + weight * along`.
pub fn moved(from: &Rational3, along: &Rational3, weight: &RBig) -> Rational3 {
    [0, 1, 2].map(|i| &from[i] + weight * &along[i])
}

/// The scalar product.
pub fn dot(u: &Rational3, v: &Rational3) -> RBig {
    &u[0] * &v[0] + &u[1] * &v[1] + &u[2] * &v[2]
}

/// The vector product.
pub fn cross(u: &Rational3, v: &Rational3) -> Rational3 {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &u[i] * &v[j] - &u[j] * &v[i])
}

/// The normal of a triangle, of any length.
pub fn normal([p, q, r]: &[Rational3; 3]) -> Rational3 {
    cross(&minus(q, p), &minus(r, p))
}

/// Whether all coordinates are zero.
pub fn is_zero(v: &Rational3) -> bool {
    v.iter().all(RBig::is_zero)
}

/// The relation of two triangles, flat ones included, as polytopes.
pub fn relation_of(a: [DVec3; 3], pose_a: &Pose, b: [DVec3; 3], pose_b: &Pose) -> Relation {
    with_polytopes(a, pose_a, b, pose_b, relation::relation)
}

fn with_polytopes<T>(
    a: [DVec3; 3],
    pose_a: &Pose,
    b: [DVec3; 3],
    pose_b: &Pose,
    then: impl Fn(&PosedPair<'_>) -> T,
) -> T {
    let hull = |points: [DVec3; 3]| Polytope::hull(&points).expect("bounded points");
    then(&PosedPair { a: &hull(a), pose_a, b: &hull(b), pose_b })
}

/// The corners of the intersection of two triangles with area: `a` cut by the plane of `b`, then by `b`'s edges.
pub fn clip(a: &[Rational3; 3], b: &[Rational3; 3]) -> Vec<Rational3> {
    let up = normal(b);
    let height = |x: &Rational3| dot(&up, &minus(x, &b[0]));
    let mut points = cut(a, &height);
    points = cut(&points, &|x| -height(x));
    for k in 0..3 {
        let inward = cross(&up, &minus(&b[(k + 1) % 3], &b[k]));
        points = cut(&points, &|x| dot(&inward, &minus(x, &b[k])));
    }
    points
}

/// The part of a convex polygon, segment or point on which a linear function is not negative.
fn cut(points: &[Rational3], height: &dyn Fn(&Rational3) -> RBig) -> Vec<Rational3> {
    let mut kept: Vec<Rational3> = Vec::new();
    let mut add = |point: Rational3| {
        if !kept.contains(&point) {
            kept.push(point);
        }
    };
    for (i, from) in points.iter().enumerate() {
        let to = &points[(i + 1) % points.len()];
        let (low, high) = (height(from), height(to));
        if low >= RBig::ZERO {
            add(from.clone());
        }
        if (low < RBig::ZERO && high > RBig::ZERO) || (low > RBig::ZERO && high < RBig::ZERO) {
            add(moved(from, &minus(to, from), &(&low / (&low - &high))));
        }
    }
    kept
}

/// The corners of a feature of a triangle.
fn corners_of(triangle: &[Rational3; 3], feature: Feature) -> Vec<&Rational3> {
    feature.vertices().iter().map(|&v| &triangle[v as usize]).collect()
}

/// Whether a point lies in the inside of a feature: a corner, between two, or between three.
fn is_inside(point: &Rational3, corners: &[&Rational3]) -> bool {
    match *corners {
        [p] => p == point,
        [p, q] => {
            let (along, from) = (minus(q, p), minus(point, p));
            let (position, length) = (dot(&along, &from), dot(&along, &along));
            is_zero(&cross(&along, &from)) && position > RBig::ZERO && position < length
        }
        [p, q, r] => {
            let up = normal(&[p.clone(), q.clone(), r.clone()]);
            let left =
                |s: &Rational3, t: &Rational3| dot(&up, &cross(&minus(t, s), &minus(point, s))) > RBig::ZERO;
            dot(&up, &minus(point, p)).is_zero() && left(p, q) && left(q, r) && left(r, p)
        }
        _ => false,
    }
}

/// Two triangles: points of a family, then often with something in common.
pub fn two_triangles(random: &mut Random) -> (Family, [DVec3; 3], Pose, [DVec3; 3], Pose) {
    let family = Family::any(random);
    let mut three = || -> [DVec3; 3] { std::array::from_fn(|_| family.bounded_point(random)) };
    let (a, mut b) = (three(), three());
    if random.below(2) == 0 {
        for corner in &mut b {
            *corner = related_point(&a, *corner, random);
        }
    }
    let (pose_a, pose_b) = (family.pose(random), family.pose(random));
    match random.below(4) {
        0 => (family, a, Pose::IDENTITY, b, Pose::IDENTITY),
        1 | 2 => (family, a, pose_a, b, pose_a),
        _ => (family, a, pose_a, b, pose_b),
    }
}

/// A corner of a triangle, a point on or near an edge of it, on or near its face or plane, or any point.
fn related_point([p, q, r]: &[DVec3; 3], any: DVec3, random: &mut Random) -> DVec3 {
    let quarters = |random: &mut Random| 0.25 * random.below(6) as f64 - 0.25;
    let on_plane = |s: f64, t: f64| *p + (*q - *p) * s + (*r - *p) * t;
    let point = match random.below(6) {
        0 => [*p, *q, *r][random.below(3) as usize],
        1 => on_plane(quarters(random), 0.0),
        2 => on_plane(quarters(random), quarters(random)),
        3 => on_plane(random.unit(), random.unit()),
        4 => {
            let near = on_plane(quarters(random), quarters(random));
            DVec3::from_array(near.to_array().map(|x| nudge(x, random.below(3) as i64 - 1)))
        }
        _ => any,
    };
    let limit = DVec3::splat(crate::tolerance::COORDINATE_LIMIT);
    if point.is_finite() { point.clamp(-limit, limit) } else { any }
}

/// Relations of two triangles, either way round.
pub fn compare_relations(random: &mut Random) -> Result<(), String> {
    let (family, a, pose_a, b, pose_b) = two_triangles(random);
    let context = || format!("{family:?} {a:?} {pose_a:?} {b:?} {pose_b:?}");
    let want = relation_of(a, &pose_a, b, &pose_b);
    same(triangle::relation(a, &pose_a, b, &pose_b), want, context)?;
    same(triangle::relation(b, &pose_b, a, &pose_a), want, context)
}

/// The corners of an intersection are those of clipping, lie in their features and near their positions.
pub fn compare_intersections(random: &mut Random) -> Result<(), String> {
    let (family, a, pose_a, b, pose_b) = two_triangles(random);
    let context = || format!("{family:?} {a:?} {pose_a:?} {b:?} {pose_b:?}");
    let found = triangle::intersection(a, &pose_a, b, &pose_b);
    same(found.relation(), relation_of(a, &pose_a, b, &pose_b), context)?;
    let (exact_a, exact_b) = (a.map(|p| posed(&pose_a, p)), b.map(|p| posed(&pose_b, p)));
    if is_zero(&normal(&exact_a)) || is_zero(&normal(&exact_b)) {
        return same(found.corners().len(), 0, context);
    }
    let want = clip(&exact_a, &exact_b);
    same(found.corners().len(), want.len(), context)?;
    let mut around = Vec::new();
    for corner in found.corners() {
        let holds = |point: &&Rational3| {
            is_inside(point, &corners_of(&exact_a, corner.feature_a))
                && is_inside(point, &corners_of(&exact_b, corner.feature_b))
        };
        let Some(point) = want.iter().find(holds) else {
            return Err(format!("{corner:?} is no corner: {}", context()));
        };
        let reach = |points: &[DVec3; 3], pose: &Pose| {
            points
                .iter()
                .map(|p| p.abs().max_element())
                .fold(pose.translation().abs().max_element(), f64::max)
        };
        let tolerance = 1e-8 * (reach(&a, &pose_a) + reach(&b, &pose_b)) + 1e-300;
        let off = (0..3).map(|i| (&point[i] - rational(corner.position[i])).to_f64().value().abs());
        if off.fold(0.0, f64::max) > tolerance {
            return Err(format!("{corner:?} is not near {point:?}: {}", context()));
        }
        if around.contains(point) {
            return Err(format!("{corner:?} twice: {}", context()));
        }
        around.push(point.clone());
    }
    same(is_convex(&around), true, context)
}

/// Whether corners of a polygon turn the same way everywhere.
fn is_convex(points: &[Rational3]) -> bool {
    let n = points.len();
    let turn = |i: usize| {
        let [p, q, r] = [0, 1, 2].map(|k| points[(i + k) % n].clone());
        normal(&[p, q, r])
    };
    n < 3 || (0..n).all(|i| dot(&turn(0), &turn(i)) > RBig::ZERO)
}

/// Distances of two triangles lie in their brackets, which are narrow; limits are kept exactly.
pub fn compare_distances(random: &mut Random) -> Result<(), String> {
    let (family, a, pose_a, b, pose_b) = two_triangles(random);
    let context = |what: String| format!("{what} for {family:?} {a:?} {pose_a:?} {b:?} {pose_b:?}");
    let truth = with_polytopes(a, &pose_a, b, &pose_b, distance_squared);
    let found = triangle::distance(a, &pose_a, b, &pose_b);
    let swapped = triangle::distance(b, &pose_b, a, &pose_a);
    for Distance { lower, upper, .. } in [found, swapped] {
        let holds =
            lower >= 0.0 && !truth.compare(lower).is_positive() && !truth.compare(upper).is_negative();
        let is_narrow = upper - lower <= 1e-12 * upper || upper - lower <= f64::from_bits(1);
        if !holds || !is_narrow || truth.is_zero() != (upper == 0.0) {
            return Err(context(format!("wrong bracket {lower:e} {upper:e}")));
        }
    }
    let size = [a, b].as_flattened().iter().map(|p| p.abs().max_element()).fold(0.0, f64::max)
        + pose_a.translation().abs().max_element()
        + pose_b.translation().abs().max_element();
    let apart = (found.point_b - found.point_a).length();
    if (apart - found.upper).abs() > 1e-14 * size + 1e-11 * found.upper + 1e-300
        && size < 1e150
        && size > 1e-140
    {
        return Err(context(format!("points are {apart:e} apart: {found:?}")));
    }
    for limit in
        [0.0, found.lower, found.upper, found.lower.next_down(), found.upper.next_up(), 0.9 * found.lower]
    {
        let want = !truth.compare(limit.max(0.0)).is_negative() && limit >= 0.0;
        if triangle::within(a, &pose_a, b, &pose_b, limit) != want {
            return Err(context(format!("within {limit:e} is not {want}")));
        }
        let below = triangle::distance_below(a, &pose_a, b, &pose_b, limit);
        if below.is_none() && want {
            return Err(context(format!("not below {limit:e}")));
        }
        if below.is_some_and(|below| below != found) {
            return Err(context(format!("below {limit:e}: {below:?} instead of {found:?}")));
        }
    }
    Ok(())
}
