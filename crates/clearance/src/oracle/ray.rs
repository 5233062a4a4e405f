//! Points and rays against polytopes by trying every face, in exact numbers.

use super::cases::Family;
use super::compare::same;
use super::dyadic::Dyadic;
use super::relation::{edges, normals, points, relation};
use super::signs::{Exact3, cross, dot, exact, minus};
use crate::exact::Sign;
use crate::math::{Pose, Random};
use crate::pair::{PointLocation, Ray, RayHit, Relation, contains_point, ray_cast};
use crate::shape::Polytope;
use crate::support::SupportMap;
use crate::witness::PosedPair;
use glam::DVec3;

/// Where a point lies: beyond some face, on one, or beneath all; below dimension 3 by the relation of brute force.
pub fn location(a: &Polytope, pose: &Pose, point: DVec3) -> PointLocation {
    if a.dimension() < 3 {
        let point = Polytope::hull(&[point]).expect("a finite point");
        let pair = PosedPair { a, pose_a: pose, b: &point, pose_b: &Pose::IDENTITY };
        return match relation(&pair) {
            Relation::Disjoint => PointLocation::Outside,
            _ => PointLocation::Boundary,
        };
    }
    let (corners, point) = (points(a, pose), exact(point));
    let side =
        |(normal, face): (Exact3, &[u32])| dot(&normal, &minus(&point, &corners[face[0] as usize])).sign();
    match normals(a, &corners).zip(a.faces()).map(side).max() {
        Some(Sign::Positive) => PointLocation::Outside,
        Some(Sign::Zero) => PointLocation::Boundary,
        _ => PointLocation::Inside,
    }
}

/// Constraints `normal . x <= normal . point` whose common part is the polytope.
fn constraints(a: &Polytope, corners: &[Exact3]) -> Vec<(Exact3, Exact3)> {
    let opposite = |v: &Exact3| [0, 1, 2].map(|i| -&v[i]);
    let faces = normals(a, corners).zip(a.faces()).map(|(n, face)| (n, corners[face[0] as usize].clone()));
    let mut all: Vec<(Exact3, Exact3)> = faces.collect();
    let axes = DVec3::AXES.map(exact);
    match a.dimension() {
        0 => {
            for axis in axes {
                all.extend([(opposite(&axis), corners[0].clone()), (axis, corners[0].clone())]);
            }
        }
        1 => {
            let along = &edges(a, corners)[0];
            for across in axes.iter().map(|axis| cross(along, axis)) {
                all.extend([(opposite(&across), corners[0].clone()), (across, corners[0].clone())]);
            }
            all.extend([(along.clone(), corners[1].clone()), (opposite(along), corners[0].clone())]);
        }
        2 => {
            let (face, normal) = (a.face(0), all[0].0.clone());
            for i in 0..face.len() {
                let [from, to] = [face[i], face[(i + 1) % face.len()]].map(|v| &corners[v as usize]);
                all.push((cross(&minus(to, from), &normal), from.clone()));
            }
        }
        _ => {}
    }
    all
}

/// Checks a cast: all limits of `t` that a hit implies, and that a miss has a reason.
pub fn check(
    a: &Polytope,
    pose: &Pose,
    [origin, direction]: [DVec3; 2],
    max_t: f64,
    hit: &Option<RayHit>,
) -> Result<(), String> {
    let corners = points(a, pose);
    let (origin, direction) = (exact(origin), exact(direction));
    // Limits `slope * t <= height`.
    let limits = constraints(a, &corners).into_iter();
    let limits: Vec<(Dyadic, Dyadic)> =
        limits.map(|(n, p)| (dot(&n, &direction), dot(&n, &minus(&p, &origin)))).collect();
    let at_most = |t: &(Dyadic, Dyadic), (slope, height): &(Dyadic, Dyadic)| {
        // t = t.0 / t.1 with t.1 > 0.
        !(&(slope * &t.0) - &(height * &t.1)).sign().is_positive()
    };
    // The first t is 0 or one at which a limit with negative slope holds with equality.
    let lower = limits.iter().filter(|l| l.0.sign().is_negative()).map(|(s, h)| (-h, -s));
    let starts = lower.filter(|t| !t.0.sign().is_negative()).chain([(Dyadic::new(0.0), Dyadic::new(1.0))]);
    let feasible = starts.filter(|t| limits.iter().all(|limit| at_most(t, limit)));
    let is_before_end = |t: &(Dyadic, Dyadic)| {
        max_t == f64::INFINITY || !(&t.0 - &(&Dyadic::new(max_t) * &t.1)).sign().is_positive()
    };
    let first = feasible
        .filter(is_before_end)
        .reduce(|t, s| if (&(&t.0 * &s.1) - &(&s.0 * &t.1)).sign().is_positive() { s } else { t });
    match (first, hit) {
        (None, None) => Ok(()),
        (Some(t), Some(hit)) => {
            let side = |x: f64| (&t.0 - &(&Dyadic::new(x) * &t.1)).sign();
            let is_tight = hit.t_upper - hit.t_lower <= 1e-12 * hit.t_upper || hit.t_upper < 1e-290;
            if side(hit.t_lower).is_negative() || (hit.t_upper.is_finite() && side(hit.t_upper).is_positive())
            {
                return Err(format!("the first t is outside of {hit:?}"));
            }
            if is_tight || !hit.t_upper.is_finite() { Ok(()) } else { Err(format!("too wide: {hit:?}")) }
        }
        (truth, _) => Err(format!("a hit is {}, but found {hit:?}", truth.is_some())),
    }
}

fn body(family: Family, random: &mut Random) -> (Polytope, Pose) {
    let count = 1 + random.below(8);
    let points: Vec<DVec3> = (0..count).map(|_| family.bounded_point(random)).collect();
    let pose = if random.below(2) == 0 { Pose::IDENTITY } else { family.pose(random) };
    (Polytope::hull(&points).expect("finite points"), pose)
}

/// A point of a body, or near one: the rounded image of a mixture of vertices.
fn near(a: &Polytope, pose: &Pose, random: &mut Random) -> DVec3 {
    let mut vertex = || a.vertices()[random.below(a.vertices().len() as u64) as usize];
    let [u, v, w] = std::array::from_fn(|_| vertex());
    let inside = match random.below(3) {
        0 => u,
        1 => u + (v - u) * 0.5,
        _ => u + (v - u) * 0.25 + (w - u) * 0.25,
    };
    let limit = DVec3::splat(crate::tolerance::COORDINATE_LIMIT);
    pose.apply(inside).clamp(-limit, limit)
}

/// Points of and near small polytopes of every family.
pub fn compare_points(random: &mut Random) -> Result<(), String> {
    let family = Family::any(random);
    let (a, pose) = body(family, random);
    let point = if random.below(3) == 0 { family.bounded_point(random) } else { near(&a, &pose, random) };
    let found = contains_point(&SupportMap::new(a.clone()), &pose, point).map_err(|e| e.to_string())?;
    same(found, location(&a, &pose, point), || format!("{family:?} {point:?} {:?} {pose:?}", a.vertices()))
}

/// Rays from anywhere, many of them aimed at vertices, edges and along faces.
pub fn compare_rays(random: &mut Random) -> Result<(), String> {
    let family = Family::any(random);
    let (a, pose) = body(family, random);
    let origin = if random.below(4) == 0 { near(&a, &pose, random) } else { family.bounded_point(random) };
    let direction = match random.below(3) {
        0 => family.bounded_point(random),
        1 => DVec3::AXES[random.below(3) as usize],
        _ => near(&a, &pose, random) - origin,
    };
    let max_t = [f64::INFINITY, 1.0, 0.5][random.below(3) as usize];
    let Ok(ray) = Ray::new(origin, direction, max_t) else { return Ok(()) };
    let hit = ray_cast(&SupportMap::new(a.clone()), &pose, &ray);
    check(&a, &pose, [origin, direction], max_t, &hit)
        .map_err(|what| format!("{what} for {family:?} {ray:?} {:?} {pose:?}", a.vertices()))
}
