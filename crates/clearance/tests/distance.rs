//! Distances of convex pairs against exact arithmetic, on pairs made to be hard.

use clearance::glam::{DQuat, DVec3, dvec3};
use clearance::math::Random;
use clearance::oracle::cases::nudge;
use clearance::oracle::distance::check;
use clearance::oracle::relation;
use clearance::pair::{
    DistanceConfig, Feature, GilbertCache, closest_points, distance, distance_with, within,
};
use clearance::shape::Polytope;
use clearance::shape::sample::{PolytopeKind, random_polytope};
use clearance::support::SupportMap;
use clearance::{Pose, pair::Distance};

fn cases(count: u64) -> u64 {
    let times = std::env::var("CLEARANCE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    count * times
}

fn hull(points: &[DVec3]) -> SupportMap {
    SupportMap::new(Polytope::hull(points).expect("finite points"))
}

fn cuboid(size: DVec3) -> SupportMap {
    let corner = |i: i32| dvec3((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) - 0.5;
    hull(&(0..8).map(|i| corner(i) * size).collect::<Vec<_>>())
}

fn moved(translation: DVec3) -> Pose {
    Pose::from_translation(translation).expect("in range")
}

fn turned(random: &mut Random, translation: DVec3) -> Pose {
    let entry = |r: &mut Random| r.range(-1.0, 1.0);
    let quaternion = DQuat::from_xyzw(entry(random), entry(random), entry(random), entry(random) + 1.01);
    Pose::from_quaternion(quaternion, translation).expect("a rotation")
}

#[track_caller]
fn assert_right(a: (&SupportMap, &Pose), b: (&SupportMap, &Pose), random: &mut Random) {
    if let Err(what) = check(a, b, random) {
        panic!(
            "{what}\n{:?} {:?}\n{:?} {:?}",
            a.0.polytope().vertices(),
            a.1,
            b.0.polytope().vertices(),
            b.1
        );
    }
}

/// [`assert_right`], and that the relation is that of the oracle, however it is asked for.
#[track_caller]
fn assert_related(a: (&SupportMap, &Pose), b: (&SupportMap, &Pose), random: &mut Random) {
    assert_right(a, b, random);
    relation::check(a, b, random).unwrap_or_else(|what| panic!("{what}: {a:?} {b:?}"));
}

/// Every pair of these shapes: a point, segments, flat and solid ones, thin ones.
fn shapes() -> Vec<SupportMap> {
    let rod = |kind, n| SupportMap::new(random_polytope(kind, n, 3).expect("a sample"));
    vec![
        hull(&[dvec3(0.25, 0.5, 0.125)]),
        hull(&[dvec3(-1.0, 0.0, 0.0), dvec3(1.0, 0.0, 0.0)]),
        hull(&[dvec3(-1.0, -0.5, 0.0), dvec3(1.0, 0.1, 0.3)]),
        hull(&[dvec3(-1.0, -1.0, 0.0), dvec3(1.0, -1.0, 0.0), dvec3(1.0, 1.0, 0.0), dvec3(-1.0, 1.0, 0.0)]),
        hull(&[dvec3(-1.0, -1.0, 0.0), dvec3(1.0, -1.0, 0.0), dvec3(0.1, 1.0, 0.7)]),
        cuboid(DVec3::ONE),
        cuboid(dvec3(2.0, 2.0, 1e-3)),
        cuboid(dvec3(1e-6, 1e-6, 2.0)),
        rod(PolytopeKind::Ellipsoid, 20),
        rod(PolytopeKind::ThinRod, 12),
        rod(PolytopeKind::Plate, 16),
    ]
}

#[test]
fn every_pair_of_shapes_in_random_poses() {
    let (shapes, mut random) = (shapes(), Random::new(1));
    for round in 0..cases(3) {
        for a in &shapes {
            for b in &shapes {
                let mut place = |size: f64| {
                    dvec3(random.range(-size, size), random.range(-size, size), random.range(-size, size))
                };
                let (at_a, at_b) = (place(1.0), place(2.5));
                let (pose_a, pose_b) = match round % 3 {
                    0 => (moved(at_a), moved(at_b)),
                    _ => (turned(&mut random, at_a), turned(&mut random, at_b)),
                };
                assert_right((a, &pose_a), (b, &pose_b), &mut random);
            }
        }
    }
}

/// A and B touch in the plane x = 0.5 at first; B then moves away by the gap. Vertex, edge and face contacts, parallel
/// edges and faces, shared vertices, at offsets near and far.
#[test]
fn gaps_from_one_ulp_to_a_millionth() {
    let mut random = Random::new(2);
    let cube = cuboid(DVec3::ONE);
    let needle = hull(&[dvec3(0.0, 0.1, 0.1), dvec3(3.0, 0.2, 0.3), dvec3(3.0, 0.2001, 0.3)]);
    let edge = hull(&[dvec3(0.0, -0.3, -0.7), dvec3(0.0, 0.2, 0.9), dvec3(1.0, 0.0, 0.0)]);
    let parallel_edge = hull(&[dvec3(0.0, -0.3, 0.5), dvec3(0.0, 0.2, 0.5), dvec3(1.0, 0.0, 0.0)]);
    let face =
        hull(&[dvec3(0.0, 0.0, 0.0), dvec3(0.0, 2.0, 0.1), dvec3(0.0, 0.5, 1.7), dvec3(1.0, 0.0, 0.0)]);
    let other_cube = hull(
        &(0..8).map(|i| dvec3((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64)).collect::<Vec<_>>(),
    );
    for b in [&needle, &edge, &parallel_edge, &face, &other_cube] {
        for gap in [0.0, 1e-16, 1.1e-16, 1e-15, 1e-14, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-3] {
            for offset in [DVec3::ZERO, dvec3(0.0, 0.3, 0.25), dvec3(0.1, -0.2, 0.3) * 1e6] {
                let far = dvec3(nudge(0.5 + offset.x, 0) + gap, offset.y, offset.z);
                assert_related((&cube, &moved(offset)), (b, &moved(far)), &mut random);
                assert_right((b, &moved(far)), (&cube, &moved(offset)), &mut random);
            }
        }
        for ulps in -2..=2 {
            let pose = moved(dvec3(nudge(0.5, ulps), 0.0, 0.0));
            assert_related((&cube, &Pose::IDENTITY), (b, &pose), &mut random);
        }
    }
}

/// The same under true rotations, where nothing is aligned with the axes and every coordinate has full length.
#[test]
fn small_gaps_under_rotation() {
    let mut random = Random::new(3);
    let shapes = shapes();
    for case in 0..cases(150) {
        let (a, b) = (&shapes[random.below(11) as usize], &shapes[random.below(11) as usize]);
        let pose_a = turned(&mut random, DVec3::ZERO);
        let from = turned(&mut random, dvec3(2.0, 0.7, -0.4));
        let apart = distance(a, &pose_a, b, &from);
        if apart.lower == 0.0 {
            continue;
        }
        let wanted = 10f64.powi(-(2 + random.below(15) as i32));
        // B comes closer along the shortest connection, which stays the shortest.
        let step = (apart.point_a - apart.point_b) * (1.0 - wanted);
        let offset = if case % 3 == 0 { dvec3(1e6, -3e5, 2e6) } else { DVec3::ZERO };
        let pose_b = Pose::new(from.rotation(), from.translation() + step + offset).expect("a pose");
        let pose_a = Pose::new(pose_a.rotation(), offset).expect("a pose");
        assert_related((a, &pose_a), (b, &pose_b), &mut random);
    }
}

#[test]
fn identical_shapes_in_the_same_place_and_one_size_apart() {
    let mut random = Random::new(4);
    for shape in &shapes() {
        for _ in 0..3 {
            let pose = turned(&mut random, dvec3(0.3, -7.0, 2.0));
            assert_right((shape, &pose), (shape, &pose), &mut random);
            let beside = Pose::new(pose.rotation(), pose.translation() + DVec3::X).expect("a pose");
            assert_right((shape, &pose), (shape, &beside), &mut random);
        }
    }
}

/// Multiplying coordinates and translations by a power of two multiplies brackets and points, bit for bit.
#[test]
fn scaling_by_powers_of_two_scales_every_bit() {
    let mut random = Random::new(5);
    let kinds = [PolytopeKind::Ellipsoid, PolytopeKind::ThinRod, PolytopeKind::Plate];
    for case in 0..cases(60) {
        let kind = kinds[case as usize % 3];
        let bodies = [1, 2].map(|seed| random_polytope(kind, 15, 7 * case + seed).expect("a sample"));
        let gap = [1.5, 1e-1, 1e-4, 1e-9, 1e-15, 0.0][random.below(6) as usize];
        let poses = [turned(&mut random, DVec3::ZERO), turned(&mut random, dvec3(0.7 + gap, 0.8, 0.9))];
        let at = |power: i32| -> Distance {
            let scale = 2f64.powi(power);
            let [a, b] =
                [0, 1].map(|i| hull(&bodies[i].vertices().iter().map(|v| *v * scale).collect::<Vec<_>>()));
            let [pose_a, pose_b] = [0, 1]
                .map(|i| Pose::new(poses[i].rotation(), poses[i].translation() * scale).expect("a pose"));
            distance(&a, &pose_a, &b, &pose_b)
        };
        let one = at(0);
        for power in [-400, -100, -20, -1, 3, 20, 100, 297] {
            let (found, scale) = (at(power), 2f64.powi(power));
            let want = Distance {
                lower: one.lower * scale,
                upper: one.upper * scale,
                point_a: one.point_a * scale,
                point_b: one.point_b * scale,
                ..one
            };
            assert_eq!(found, want, "case {case}, 2^{power}");
        }
    }
}

#[test]
fn tiny_and_huge_bodies() {
    let mut random = Random::new(6);
    for (size_a, size_b) in
        [(1e-300, 1e-300), (1e-310, 1e-310), (1e-200, 1.0), (1e89, 1e-200), (1e89, 1e89), (1e-320, 1e80)]
    {
        for shape in [&shapes()[4], &shapes()[5], &shapes()[8]] {
            let scaled =
                |size: f64| hull(&shape.polytope().vertices().iter().map(|v| *v * size).collect::<Vec<_>>());
            let (a, b) = (scaled(size_a), scaled(size_b));
            for away in [0.0, 1.0, 3.0] {
                let pose_b = turned(&mut random, dvec3(0.9, 0.8, -0.7) * (away * f64::max(size_a, size_b)));
                assert_right((&a, &Pose::IDENTITY), (&b, &pose_b), &mut random);
            }
        }
    }
}

#[test]
fn two_unit_cubes_have_the_distances_and_features_of_school() {
    let cube = cuboid(DVec3::ONE);
    let at = |x, y, z| distance(&cube, &Pose::IDENTITY, &cube, &moved(dvec3(x, y, z)));
    let assert_near = |found: &Distance, want: f64| {
        assert!(found.lower <= want && want <= found.upper, "{found:?} {want}");
    };
    let face = at(3.0, 0.25, 0.25);
    assert_near(&face, 2.0);
    let edge = at(4.0, 5.0, 0.5);
    assert_near(&edge, 5.0);
    assert!(matches!(
        (edge.feature_a, edge.feature_b),
        (Feature::Edge(_), Feature::Edge(_)) | (Feature::Vertex(_), _) | (_, Feature::Vertex(_))
    ));
    let vertex = at(3.0, 3.0, 2.0);
    assert_near(&vertex, 3.0);
    assert!(matches!((vertex.feature_a, vertex.feature_b), (Feature::Vertex(_), Feature::Vertex(_))));
    let touching = at(1.0, 1.0, 1.0);
    assert_eq!((touching.lower, touching.upper), (0.0, 0.0));
    assert_eq!((touching.point_a, touching.point_b), (DVec3::splat(0.5), DVec3::splat(0.5)));
    let (p, q) = closest_points(&cube, &Pose::IDENTITY, &cube, &moved(dvec3(0.0, 0.0, -3.0)));
    assert_eq!((p.z, q.z), (-0.5, -2.5));
}

/// A point straight above a vertex or the middle of an edge, along the normal of a face that ends there: in numbers that are exact, up to
/// sizes at which floats cannot tell any more that the face has no part in it.
#[test]
fn a_point_on_a_vertex_or_an_edge_is_named_so() {
    let mut random = Random::new(5);
    for size in [3, 300, 3000, 30_000] {
        let mut even = |size: i64| 2.0 * (random.below(2 * size as u64 + 1) as f64 - size as f64);
        for round in 0..1000 {
            let points: Vec<DVec3> =
                (0..4 + round % 6).map(|_| dvec3(even(size), even(size), even(size))).collect();
            let Some(body) = Polytope::hull(&points).ok().filter(|body| body.dimension() == 3) else {
                continue;
            };
            let face = body.face(round % body.face_count());
            let corner = |i: usize| body.vertices()[face[i % face.len()] as usize];
            let normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
            let (from, to) = (face[0], face[1]);
            for (foot, feature) in [
                (corner(0), Feature::Vertex(from)),
                ((corner(0) + corner(1)) / 2.0, Feature::Edge([from.min(to), from.max(to)])),
            ] {
                let (a, b) = (SupportMap::new(body.clone()), hull(&[foot + normal]));
                let found = distance(&a, &Pose::IDENTITY, &b, &Pose::IDENTITY);
                let swapped = distance(&b, &Pose::IDENTITY, &a, &Pose::IDENTITY);
                assert_eq!([found.feature_a, swapped.feature_b], [feature; 2], "{points:?}");
            }
        }
    }
}

#[test]
fn limits_are_kept_exactly_and_nonsense_is_not() {
    let cube = cuboid(DVec3::ONE);
    let ask = |x: f64, limit: f64| within(&cube, &Pose::IDENTITY, &cube, &moved(dvec3(x, 0.3, 0.2)), limit);
    assert!(ask(3.0, 2.0) && !ask(3.0, 2f64.next_down()));
    assert!(ask(1.0, 0.0) && !ask(1f64.next_up(), 0.0) && ask(0.5, 0.0));
    assert!(ask(1f64.next_up(), f64::EPSILON) && !ask(1f64.next_up(), f64::EPSILON.next_down()));
    for nonsense in [-1.0, -0.0f64.next_up(), f64::NAN, f64::NEG_INFINITY] {
        assert!(!ask(0.0, nonsense), "{nonsense}");
    }
    assert!(ask(3.0, f64::INFINITY) && ask(3.0, f64::MAX) && ask(0.0, -0.0));
}

#[test]
fn any_width_is_met_and_odd_ones_give_the_best() {
    let body = SupportMap::new(random_polytope(PolytopeKind::Ellipsoid, 50, 1).expect("a sample"));
    let mut random = Random::new(9);
    for gap in [1.0, 1e-3, 1e-9] {
        let poses = [Pose::IDENTITY, turned(&mut random, dvec3(1.9 + gap, 0.4, 0.3))];
        for width in [0.9, 1e-3, 1e-6, 1e-13, 1e-15, 0.0, -1.0, f64::NAN] {
            let config = DistanceConfig { relative_width: width };
            let mut cache = GilbertCache::default();
            let found = distance_with(&body, &poses[0], &body, &poses[1], &config, &mut cache);
            assert!(found.upper - found.lower <= width * found.upper || found.lower.next_up() >= found.upper);
        }
    }
}

/// Integers are for contact and the last digits: random pairs that are apart do not need them.
#[test]
fn random_pairs_hardly_ever_need_integers() {
    let mut random = Random::new(10);
    let mut cache = GilbertCache::default();
    for case in 0..cases(3_000) {
        let kind = PolytopeKind::ALL[case as usize % 4];
        let bodies =
            [1, 2].map(|seed| SupportMap::new(random_polytope(kind, 12, 2 * case + seed).expect("a sample")));
        let place = dvec3(random.range(-1.5, 1.5), random.range(-1.5, 1.5), random.range(-1.5, 1.5));
        let poses = [turned(&mut random, DVec3::ZERO), turned(&mut random, place)];
        distance_with(&bodies[0], &poses[0], &bodies[1], &poses[1], &DistanceConfig::default(), &mut cache);
    }
    let stats = cache.stats();
    println!("{stats:?}");
    assert!(stats.exact * 1000 <= stats.queries, "{stats:?}");
    assert!(stats.refinements * 10 <= stats.queries, "{stats:?}");
}

/// Cause: the common point of bodies that touch was that of A, rounded as A's corners are. Case: a floor of `1e12` is touched at
/// `(0.1, 0.2, 0)` by a vertex; the common point was `2e-5` off the small body.
#[test]
fn a_common_point_is_rounded_as_the_smaller_body_is() {
    for size in [1e4, 1e12, 2f64.powi(200)] {
        let floor = [dvec3(-1.0, -0.3, 0.0), dvec3(0.7, -0.9, 0.0), dvec3(0.2, 1.1, 0.0), -DVec3::Z];
        let floor = hull(&floor.map(|corner| corner * size));
        let foot = dvec3(0.1, 0.2, 0.0);
        let part = hull(&[foot, dvec3(0.3, 0.1, 1.0), dvec3(0.1, 0.4, 1.0), dvec3(0.2, 0.3, 2.0)]);
        for [a, b] in [[&floor, &part], [&part, &floor]] {
            let found = distance(a, &Pose::IDENTITY, b, &Pose::IDENTITY);
            assert_eq!((found.upper, found.point_a), (0.0, found.point_b));
            assert!(found.point_a.distance(foot) <= 4.0 * f64::EPSILON, "{found:?}");
        }
    }
}
