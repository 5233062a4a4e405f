//! Polytopes of hundreds to thousands of vertices, which are searched in other ways than small ones, placed so that they touch.
//!
//! All directions would take too long here. Vertices are points of a lattice, so that contacts are built exactly: what they are is
//! known, and so is the distance after a step straight away from them. Where it is not, the witness is checked over all vertices.

use super::compare::same;
use super::dyadic::Dyadic;
use super::relation::{both_points, check_fresh, check_tracked, span};
use super::signs::{dot, exact};
use super::{distance, penetration};
use crate::math::{Pose, Random};
use crate::pair::{self, Relation};
use crate::shape::Polytope;
use crate::shape::sample::random_direction;
use crate::support::SupportMap;
use crate::witness::PosedPair;
use glam::{DMat3, DQuat, DVec3};

/// Placements looked at for one pair of bodies, which take longer to make than to look at.
const PLACEMENTS: u64 = 4;

/// How B touches A when it is moved by `to`.
struct Touch {
    to: DVec3,
    /// The normal of a plane between them, small integers; none if it is that of a face.
    normal: Option<DVec3>,
}

/// A placement and what is known of it.
struct Placement {
    pose_a: Pose,
    pose_b: Pose,
    relation: Option<Relation>,
    /// B is away from A by this vector exactly.
    away: Option<DVec3>,
}

/// Relations, witnesses, distances and depths of large bodies.
pub fn compare(random: &mut Random) -> Result<(), String> {
    let a = body(random);
    let (name, b) = match random.below(4) {
        0 => ("another", body(random)),
        1 => ("mirrored in a plane", image(&a, DVec3::new(-1.0, 1.0, 1.0))),
        _ => ("mirrored in a point", image(&a, DVec3::NEG_ONE)),
    };
    let maps = [&a, &b].map(|body| SupportMap::new(body.clone()));
    for _ in 0..PLACEMENTS {
        let touch = match name {
            "mirrored in a plane" if random.below(2) == 0 => {
                Touch { to: DVec3::X * (2.0 * a.bounds().max.x), normal: Some(DVec3::X) }
            }
            "mirrored in a point" if random.below(4) > 0 => in_a_face(&a, random),
            _ => at_vertices(&a, &b, random),
        };
        let placement = place(&touch, random);
        check(&maps, &placement, random).map_err(|what| {
            let count = |body: &Polytope| body.vertices().len();
            let Placement { pose_a, pose_b, .. } = placement;
            format!("{what} for {} and {} vertices, {name}, {pose_a:?} {pose_b:?}", count(&a), count(&b))
        })?;
    }
    Ok(())
}

/// Round, flat, with large faces, or with a vertex that has hundreds of neighbours.
fn body(random: &mut Random) -> Polytope {
    let count = [65, 130, 300, 1000][random.below(4) as usize];
    let count = if random.below(32) == 0 { 5000 } else { count };
    let size = 8.0 * count as f64;
    let rim = |random: &mut Random, count: usize| {
        let corner = |random: &mut Random| {
            let DVec3 { x, y, .. } = random_direction(random);
            (DVec3::new(x, y, 0.0).normalize_or(DVec3::X) * size * count as f64).round()
        };
        (0..count).map(|_| corner(random)).collect::<Vec<DVec3>>()
    };
    let points: Vec<DVec3> = match random.below(4) {
        0 => (0..count).map(|_| (random_direction(random) * size).round()).collect(),
        1 => {
            let flat = DVec3::new(1.0, 1.0, 1.0 / 16.0);
            (0..count).map(|_| (random_direction(random) * flat * size).round()).collect()
        }
        2 => rim(random, count / 2).into_iter().flat_map(|p| [p, p + DVec3::Z * size]).collect(),
        _ => rim(random, count).into_iter().chain([DVec3::Z * size]).collect(),
    };
    Polytope::hull(&points).expect("points of a lattice")
}

fn image(body: &Polytope, signs: DVec3) -> Polytope {
    Polytope::hull(&body.vertices().iter().map(|&v| v * signs).collect::<Vec<_>>()).expect("the same points")
}

/// The highest vertex of A and the lowest of B in one place.
fn at_vertices(a: &Polytope, b: &Polytope, random: &mut Random) -> Touch {
    let normal = loop {
        let normal = DVec3::from_array(std::array::from_fn(|_| random.below(7) as f64 - 3.0));
        if normal != DVec3::ZERO {
            break normal;
        }
    };
    let highest = |body: &Polytope, along: DVec3| {
        let vertices = body.vertices().iter().copied();
        vertices.max_by(|v, w| v.dot(along).total_cmp(&w.dot(along))).expect("a vertex")
    };
    Touch { to: highest(a, normal) - highest(b, -normal), normal: Some(normal) }
}

/// A body and its image in the origin, moved by the sum of two vertices of a face: both lie in the plane of the face and have the
/// two vertices in common. One vertex twice leaves them a part of the face, the ends of an edge the edge and more.
fn in_a_face(a: &Polytope, random: &mut Random) -> Touch {
    let face = a.face(random.below(a.face_count() as u64) as usize);
    let first = random.below(face.len() as u64) as usize;
    let second = match random.below(3) {
        0 => first,
        1 => (first + 1) % face.len(),
        _ => random.below(face.len() as u64) as usize,
    };
    Touch { to: a.vertices()[face[first] as usize] + a.vertices()[face[second] as usize], normal: None }
}

/// In contact, or a step away from it or into it, under rotations and translations that are exact, or under rounded ones.
fn place(touch: &Touch, random: &mut Random) -> Placement {
    let step = 2f64.powi(-(random.below(21) as i32));
    let along = touch.normal.unwrap_or_else(|| random_direction(random).round());
    let (by, relation, away) = match (random.below(4), touch.normal) {
        (0 | 1, _) => (DVec3::ZERO, Some(Relation::Touching), None),
        (2, Some(normal)) => (normal * step, Some(Relation::Disjoint), Some(normal * step)),
        _ => (-along * step, None, None),
    };
    let far = if random.below(3) == 0 { DVec3::new(1048576.0, -524288.0, 65536.0) } else { DVec3::ZERO };
    let (turn, is_exact) = match random.below(4) {
        0 => (DMat3::from_cols(DVec3::Y, DVec3::NEG_X, DVec3::Z), true),
        1 => (DMat3::from_quat(DQuat::from_scaled_axis(random_direction(random))), false),
        _ => (DMat3::IDENTITY, true),
    };
    let pose = |at: DVec3| Pose::new(turn, turn * at + far).expect("a rotation and a lattice point");
    let known = |relation| if is_exact { relation } else { None };
    let away = if is_exact { away.map(|away| turn * away) } else { None };
    Placement { pose_a: pose(DVec3::ZERO), pose_b: pose(touch.to + by), relation: known(relation), away }
}

fn check([a, b]: &[SupportMap; 2], placement: &Placement, random: &mut Random) -> Result<(), String> {
    let Placement { pose_a, pose_b, .. } = placement;
    // What nobody knows is as good as its witness.
    let found = pair::relation_with_witness(a, pose_a, b, pose_b).relation();
    let want = placement.relation.unwrap_or(found);
    check_fresh(want, (a, pose_a), (b, pose_b))?;
    if random.below(4) == 0 {
        check_tracked(want, (a, pose_a), (b, pose_b), random)?;
    }
    check_distance(want, [a, b], placement)?;
    check_depth(want, [a, b], placement, random)
}

fn check_distance(want: Relation, [a, b]: [&SupportMap; 2], placement: &Placement) -> Result<(), String> {
    let Placement { pose_a, pose_b, away, .. } = placement;
    let pair = PosedPair { a: a.polytope(), pose_a, b: b.polytope(), pose_b };
    let (found, swapped) = (pair::distance(a, pose_a, b, pose_b), pair::distance(b, pose_b, a, pose_a));
    same(found.upper > 0.0, want == Relation::Disjoint, || format!("apart: {found:?}"))?;
    if let Some(away) = away {
        let ends = [DVec3::ZERO, *away].map(|end| Polytope::hull(&[end]).expect("a point"));
        let between =
            PosedPair { a: &ends[0], pose_a: &Pose::IDENTITY, b: &ends[1], pose_b: &Pose::IDENTITY };
        let truth = distance::distance_squared(&between);
        distance::check_bracket("as it is", &found, &truth)?;
        distance::check_bracket("swapped", &swapped, &truth)?;
    }
    if swapped.lower > found.upper || found.lower > swapped.upper {
        return Err(format!("{found:?}, swapped {swapped:?}"));
    }
    if found.upper > 0.0 {
        distance::check_points(&pair, &found)?;
        check_gap(&pair, &found)?;
    }
    Ok(())
}

/// What lies between the bodies along the closest points is not more than the upper end, and but for the rounding of these points
/// not less than the lower one.
fn check_gap(pair: &PosedPair<'_>, found: &pair::Distance) -> Result<(), String> {
    let direction = exact(found.point_b - found.point_a);
    let (points_a, points_b) = both_points(pair);
    let gap = &span(&direction, &points_b).0 - &span(&direction, &points_a).1;
    let square = dot(&direction, &direction);
    // The sign of `gap - length * |direction|`.
    let compare = |length: f64| {
        let length = Dyadic::new(length);
        match (gap.sign().is_negative(), length.sign().is_negative()) {
            (false, false) => (&(&gap * &gap) - &(&(&length * &length) * &square)).sign(),
            (true, true) => -(&(&gap * &gap) - &(&(&length * &length) * &square)).sign(),
            (_, is_longer) => Dyadic::new(if is_longer { 1.0 } else { -1.0 }).sign(),
        }
    };
    let size =
        [points_extent(pair.a, pair.pose_a), points_extent(pair.b, pair.pose_b)].into_iter().sum::<f64>();
    let rounding = 1e-14 * size * (1.0 + size / found.upper) + 1e-11 * found.upper;
    let is_right = !compare(found.upper).is_positive() && !compare(found.lower - rounding).is_negative();
    if is_right { Ok(()) } else { Err(format!("the gap between the points is another: {found:?}")) }
}

fn points_extent(polytope: &Polytope, pose: &Pose) -> f64 {
    let bounds = polytope.bounds();
    bounds.min.abs().max(bounds.max.abs()).max_element() + pose.translation().abs().max_element()
}

/// Moving along the normal separates, and along no direction is the overlap less than the depth.
fn check_depth(
    want: Relation,
    [a, b]: [&SupportMap; 2],
    placement: &Placement,
    random: &mut Random,
) -> Result<(), String> {
    let Placement { pose_a, pose_b, .. } = placement;
    let pair = PosedPair { a: a.polytope(), pose_a, b: b.polytope(), pose_b };
    let found = pair::penetration(a, pose_a, b, pose_b);
    same(found.is_some(), want == Relation::Overlapping, || format!("a depth: {found:?}"))?;
    let Some(found) = found else { return Ok(()) };
    penetration::check_normal(&pair, &found)?;
    if found.upper - found.lower > 1.000_001e-9 * found.upper {
        return Err(format!("the bracket is too wide: {found:?}"));
    }
    let rounding = 1e-14 * (points_extent(pair.a, pose_a) + points_extent(pair.b, pose_b));
    for _ in 0..4 {
        let near = found.normal + random_direction(random) * 2f64.powi(-(random.below(20) as i32));
        let along = near.normalize_or(DVec3::X);
        let top = |polytope: &Polytope, pose: &Pose, along: DVec3| {
            polytope.vertices().iter().map(|&v| along.dot(pose.apply(v))).fold(f64::MIN, f64::max)
        };
        let overlap = top(pair.a, pose_a, along) + top(pair.b, pose_b, -along);
        if overlap < found.lower - rounding {
            return Err(format!("{overlap:e} along {along} is less than {found:?}"));
        }
    }
    Ok(())
}
