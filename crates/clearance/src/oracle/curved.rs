//! Bodies that are not polytopes: heights over planes from closed forms, rounded bodies by squares, curved ones between
//! polytopes inside and planes around.

use super::cases::{Family, nudge, two_bodies};
use super::distance::distance_squared;
use super::dyadic::Dyadic;
use super::penetration::reaches;
use super::primitive::{Bracket, ExactDirection, exact, norm_exact};
use super::relation::relation;
use super::solid::{Solid, any_pose, any_size, dot, gap_along, over};
use crate::exact::Sign;
use crate::math::{Pose, Random};
use crate::pair::{
    Bracket as Floats, Convex, ConvexAnswer, ConvexRelation, Relation, distance, penetration, relate,
};
use crate::shape::sample::{icosphere, random_direction};
use crate::shape::{HalfSpace, Plane, Polytope, Primitive, Rounded, Shape};
use crate::support::SupportMap;
use crate::tolerance::{COORDINATE_LIMIT, SIZE_MINIMUM};
use crate::witness::PosedPair;
use dashu::rational::RBig;
use glam::DVec3;

/// A bounded body over a half-space or plane, thick or not: the exact relation, and brackets of neighbouring floats.
pub fn compare_over_planes(random: &mut Random) -> Result<(), String> {
    let size = any_size(random);
    let solid = Solid::random(random, size);
    let pose = any_pose(random, size);
    let plane_pose = any_pose(random, size);
    let normal = match random.below(3) {
        0 => DVec3::from_array(std::array::from_fn(|i| {
            random.below(5) as f64 - if i == 2 { 2.5 } else { 2.0 }
        })),
        _ => random_direction(random),
    };
    let thickness = if random.below(3) == 0 { size * random.range(0.1, 1.0) } else { 0.0 };
    // Often where the body just touches, or a few floats beside it.
    let offset = match random.below(3) {
        0 => size * random.range(-5.0, 5.0),
        _ => {
            let gap = height_over(normal, 0.0, &plane_pose, thickness, &solid, &pose)[0].to_f64().value();
            nudge(gap * normal.length(), random.below(7) as i64 - 3)
        }
    };
    let is_plane = random.below(2) == 0;
    let flat = if is_plane {
        Plane::new(normal, offset).map(Primitive::from)
    } else {
        HalfSpace::new(normal, offset).map(Primitive::from)
    };
    let flat = flat.map_err(|error| error.to_string())?;
    let thick = Rounded::new(flat, thickness).map_err(|error| error.to_string())?;
    let shape = if thickness > 0.0 { Shape::from(thick) } else { Shape::from(flat) };
    let above = height_over(normal, offset, &plane_pose, thickness, &solid, &pose);
    let truth = if is_plane {
        let below = height_over(-normal, -offset, &plane_pose, thickness, &solid, &pose);
        let larger = |i: usize| above[i].clone().max(below[i].clone());
        [larger(0), larger(1)]
    } else {
        above
    };
    let context =
        |what: &str| format!("{what} for {shape:?} at {plane_pose:?} and {:?} at {pose:?}", solid.shape);
    let flat = Convex::try_from(&shape).map_err(|error| error.to_string())?;
    let bounded = solid.convex();
    for answer in [relate(&flat, &plane_pose, &bounded, &pose), relate(&bounded, &pose, &flat, &plane_pose)] {
        let answer = answer.map_err(|error| context(&error.to_string()))?;
        check_exactly(&answer, &truth).map_err(|what| context(&what))?;
    }
    Ok(())
}

/// How far the body is above `normal . x = offset` under a pose, both grown by their radii.
fn height_over(
    normal: DVec3,
    offset: f64,
    plane_pose: &Pose,
    thickness: f64,
    solid: &Solid,
    pose: &Pose,
) -> Bracket {
    // Heights in the plane's frame, x -> n . R^-1 (x - t) - offset, by Cramer's rule.
    let columns = [0, 1, 2].map(|i| plane_pose.rotation().col(i).to_array().map(exact));
    let cross = |u: &ExactDirection, v: &ExactDirection| -> ExactDirection {
        [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &u[i] * &v[j] - &u[j] * &v[i])
    };
    let rows = [(1, 2), (2, 0), (0, 1)].map(|(i, j)| cross(&columns[i], &columns[j]));
    let determinant = dot(&columns[0], &rows[0]);
    let world: ExactDirection = std::array::from_fn(|k| {
        let sum = (0..3).fold(RBig::ZERO, |sum, i| sum + exact(normal[i]) * &rows[i][k]);
        sum / &determinant
    });
    let level = exact(offset) + dot(&world, &plane_pose.translation().to_array().map(exact));
    let down = world.clone().map(|x| -x);
    let [low, high] = solid.extent(pose, &down);
    let [low, high] = over([-high - &level, -low - level], norm_exact(&world));
    [low - exact(thickness), high - exact(thickness)]
}

/// The relation by the sign, and a bracket of floats at most three steps wide.
fn check_exactly(answer: &ConvexAnswer, [low, high]: &Bracket) -> Result<(), String> {
    let expected = match (*low > RBig::ZERO, *high < RBig::ZERO) {
        (true, _) => Relation::Disjoint,
        (_, true) => Relation::Overlapping,
        // 2^-200 of everything cannot be told from zero by numbers of 53 bits.
        _ => Relation::Touching,
    };
    let ends = match (expected, answer.depth) {
        (Relation::Disjoint, None) => answer.distance,
        (Relation::Overlapping, Some(depth)) => Floats { lower: -depth.upper, upper: -depth.lower },
        _ => Floats::ZERO,
    };
    let is_right = answer.relation == ConvexRelation::Exact(expected);
    let holds = expected == Relation::Touching || (exact(ends.lower) <= *high && exact(ends.upper) >= *low);
    let is_tight = ends.lower.next_up().next_up().next_up() >= ends.upper;
    if is_right && holds && is_tight {
        return Ok(());
    }
    let truth = [low, high].map(|x| x.to_f64().value());
    Err(format!("{expected:?} by {truth:?}, but {answer:?}"))
}

/// Two polytopes with balls around them, at any distance of each other, also exactly that of the radii.
pub fn compare_rounded(random: &mut Random) -> Result<(), String> {
    let family = [Family::Uniform, Family::SmallIntegers, Family::Ulps, Family::Tiny, Family::Huge]
        [random.below(5) as usize];
    let ((a, pose_a), (b, pose_b)) = two_bodies(family, 5, random);
    let pair = PosedPair { a: &a, pose_a: &pose_a, b: &b, pose_b: &pose_b };
    let (map_a, map_b) = (SupportMap::new(a.clone()), SupportMap::new(b.clone()));
    let apart = distance(&map_a, &pose_a, &map_b, &pose_b).upper;
    let size = apart.max(a.bounds().extent().max_element()).max(f64::MIN_POSITIVE);
    let radius_a = match random.below(4) {
        0 => 0.0,
        1 => 0.5 * apart,
        2 => 0.25 * size,
        _ => size * random.range(0.0, 1.0),
    };
    let radius_b = match random.below(3) {
        0 => size * random.range(0.0, 1.0),
        _ => nudge((apart - radius_a).max(0.0), random.below(5) as i64 - 2).max(0.0),
    };
    let valid = |radius: f64| if radius >= SIZE_MINIMUM { radius.min(COORDINATE_LIMIT) } else { 0.0 };
    let (radius_a, radius_b) = (valid(radius_a), valid(radius_b));
    let convex = |polytope: &Polytope, radius: f64| {
        let rounded = Rounded::new(polytope.clone(), radius).map_err(|error| error.to_string())?;
        Convex::try_from(&Shape::from(rounded)).map_err(|error| error.to_string())
    };
    let (body_a, body_b) = (convex(&a, radius_a)?, convex(&b, radius_b)?);
    let context = |what: String| {
        format!(
            "{what} for {:?} {pose_a:?} {radius_a:e} {:?} {pose_b:?} {radius_b:e}",
            a.vertices(),
            b.vertices()
        )
    };
    let forth = relate(&body_a, &pose_a, &body_b, &pose_b).map_err(|error| context(error.to_string()))?;
    let back = relate(&body_b, &pose_b, &body_a, &pose_a).map_err(|error| context(error.to_string()))?;
    let radius = &Dyadic::new(radius_a) + &Dyadic::new(radius_b);
    for answer in [&forth, &back] {
        check_rounded(&pair, &radius, answer).map_err(|what| context(format!("{what}: {answer:?}")))?;
    }
    Ok(())
}

fn check_rounded(pair: &PosedPair<'_>, radius: &Dyadic, answer: &ConvexAnswer) -> Result<(), String> {
    if radius.sign().is_zero() {
        let expected = ConvexRelation::Exact(relation(pair));
        return if answer.relation == expected { Ok(()) } else { Err(format!("{expected:?} without radii")) };
    }
    let cores = distance_squared(pair);
    // The sign of `gap - x`, with the gap the distance of the cores less the radius.
    let beyond = |x: f64| {
        let sum = radius + &Dyadic::new(x);
        if sum.sign().is_negative() { Sign::Positive } else { -cores.compare_exact(&sum) }
    };
    let within = |ends: Floats| !beyond(ends.lower).is_negative() && !beyond(ends.upper).is_positive();
    let gap_sign = beyond(0.0);
    // How deep the cores overlap comes on top of the radius.
    let deep = |depth: Floats| match relation(pair) {
        Relation::Overlapping => {
            let square = |x: f64| {
                let x = &Dyadic::new(x) - radius;
                if x.sign().is_negative() { Dyadic::new(0.0) } else { &x * &x }
            };
            let reaches = reaches(pair);
            let beyond = |(reach, length): &(Dyadic, Dyadic), x: f64| {
                (&(reach * reach) - &(&square(x) * length)).sign()
            };
            reaches.iter().all(|r| !beyond(r, depth.lower).is_negative())
                && reaches.iter().any(|r| !beyond(r, depth.upper).is_positive())
        }
        _ => within(Floats { lower: -depth.upper, upper: -depth.lower }),
    };
    let holds = match (answer.relation, gap_sign) {
        (ConvexRelation::Exact(Relation::Disjoint), Sign::Positive) => within(answer.distance),
        (ConvexRelation::Exact(Relation::Touching), Sign::Zero) => true,
        (ConvexRelation::Exact(Relation::Overlapping), Sign::Negative) => answer.depth.is_some_and(deep),
        (ConvexRelation::TouchingWithin { width }, _) => {
            // A few units in the last place of the distance of the cores, which is about the radius.
            let is_narrow =
                (&Dyadic::new(width) - &(radius * &Dyadic::new(8.0 * f64::EPSILON))).sign().is_negative();
            is_narrow && within(Floats { lower: -width, upper: width })
        }
        _ => false,
    };
    if holds { Ok(()) } else { Err(format!("the gap is {gap_sign:?}")) }
}

/// A cylinder, cone or ellipsoid and another body: brackets must meet what polytopes inside and planes around prove.
pub fn compare_curved(random: &mut Random) -> Result<(), String> {
    let size = any_size(random);
    let solid_a = Solid::random_curved(random, size);
    let size_b = size * [1.0, 1.0, 0.1][random.below(3) as usize];
    let solid_b = Solid::random(random, size_b);
    let (pose_a, mut pose_b) = (any_pose(random, size), any_pose(random, size));
    let (a, b) = (solid_a.convex(), solid_b.convex());
    let context = |what: String, pose_b: &Pose| {
        format!("{what} for {:?} at {pose_a:?} and {:?} at {pose_b:?}", solid_a.shape, solid_b.shape)
    };
    let ask = |pose_b: &Pose| {
        let forth = relate(&a, &pose_a, &b, pose_b).map_err(|error| error.to_string())?;
        let back = relate(&b, pose_b, &a, &pose_a).map_err(|error| error.to_string())?;
        Ok::<_, String>([forth, back])
    };
    if random.below(3) == 0 {
        // Moved until they nearly touch.
        let [answer, _] = ask(&pose_b).map_err(|what| context(what, &pose_b))?;
        let gap = answer.depth.map_or(answer.distance.upper, |depth| -depth.upper);
        let left = size * [0.0, 1e-14, -1e-14, 1e-9, -1e-9, 1e-4][random.below(6) as usize];
        let shift = answer.normal.unwrap_or(DVec3::X) * (left - gap);
        pose_b = Pose::new(pose_b.rotation(), pose_b.translation() + shift).unwrap_or(pose_b);
    }
    let truth = enclosure((&solid_a, &pose_a), (&solid_b, &pose_b));
    for answer in ask(&pose_b).map_err(|what| context(what, &pose_b))? {
        check_curved(&answer, &truth, size)
            .map_err(|what| context(format!("{what}: {answer:?}"), &pose_b))?;
    }
    Ok(())
}

/// The answer's numbers around the gap, and whether they are narrow.
fn check_curved(answer: &ConvexAnswer, [low, high]: &Bracket, size: f64) -> Result<(), String> {
    let ends = match (answer.relation, answer.depth) {
        (ConvexRelation::Exact(Relation::Disjoint), None) => answer.distance,
        (ConvexRelation::Exact(Relation::Overlapping), Some(depth)) => {
            Floats { lower: -depth.upper, upper: -depth.lower }
        }
        (ConvexRelation::Exact(Relation::Touching), None) => Floats::ZERO,
        (ConvexRelation::TouchingWithin { width }, _) => Floats { lower: -width, upper: width },
        _ => return Err("relation and depth do not fit".into()),
    };
    let holds = exact(ends.lower) <= *high && exact(ends.upper) >= *low;
    let is_narrow = ends.upper - ends.lower <= 1e-7 * ends.upper.abs() + 1e-12 * size;
    if holds && is_narrow {
        return Ok(());
    }
    let truth = [low, high].map(|x| x.to_f64().value());
    Err(format!("the gap lies in {truth:?}, the answer says {ends:?}"))
}

/// Numbers around the gap of two bodies: their distance, or minus their depth.
///
/// No direction shows a gap larger than the true one: from below by planes, whose offsets are exact, along a direction
/// that a search proposes. From above by polytopes of points of the bodies, whose distance and depth have oracles of
/// their own.
fn enclosure(a: (&Solid, &Pose), b: (&Solid, &Pose)) -> Bracket {
    let gap = |d: DVec3| -a.0.rough_extent(a.1, d) - b.0.rough_extent(b.1, -d);
    let around = icosphere(1.0, 3).expect("a sphere").positions;
    let mut starts: Vec<(f64, DVec3)> = around.iter().map(|&d| (gap(d), d)).collect();
    starts.sort_by(|p, q| q.0.total_cmp(&p.0));
    let mut random = Random::new(3);
    let climbed = starts.iter().take(4).map(|&start| climb(gap, start, &mut random));
    let (_, best) = climbed.max_by(|p, q| p.0.total_cmp(&q.0)).expect("a start");
    let [low, _] = gap_along(a, b, best);
    let (inner_a, error_a) = inside(a, best, &around);
    let (inner_b, error_b) = inside(b, -best, &around);
    let slack = exact(error_a) + exact(error_b);
    let high = match penetration(&inner_a, a.1, &inner_b, b.1) {
        Some(found) => -exact(found.lower),
        None => exact(distance(&inner_a, a.1, &inner_b, b.1).upper),
    };
    [low, high + slack]
}

/// The best direction near a start: steps in random directions, shorter when none of a few is better.
fn climb(gap: impl Fn(DVec3) -> f64, mut best: (f64, DVec3), random: &mut Random) -> (f64, DVec3) {
    let mut step = 0.3;
    while step > 1e-10 {
        let tried = (0..12).map(|_| (best.1 + step * random_direction(random)).normalize());
        let next = tried.map(|d| (gap(d), d)).max_by(|p, q| p.0.total_cmp(&q.0));
        match next {
            Some(next) if next.0 > best.0 => best = next,
            _ => step *= 0.5,
        }
    }
    best
}

/// The hull of points of a body, dense where it is extreme along a direction of the world, and how far points may lie
/// outside of it.
fn inside((solid, pose): (&Solid, &Pose), direction: DVec3, around: &[DVec3]) -> (SupportMap, f64) {
    if let Shape::Polytope(polytope) = &solid.shape {
        return (SupportMap::new(polytope.clone()), 0.0);
    }
    let rings = (0..6)
        .flat_map(|k| DVec3::AXES.into_iter().flat_map(move |axis| [axis, -axis].map(|axis| (k, axis))));
    let near = rings.map(|(k, axis)| direction + 10f64.powi(-k) * axis);
    let directions = near.chain(around.iter().copied()).chain([direction]);
    let found = directions.filter_map(|d| solid.support(pose.rotation().transpose() * d));
    let (mut points, mut error) = (Vec::new(), 0.0f64);
    for support in found {
        points.push(support.point);
        error = error.max(support.error);
    }
    (SupportMap::new(Polytope::hull(&points).expect("points")), error * (1.0 + 1e-6))
}
