//! Penetration depth: the bracket holds the exact depth, also where floats see nothing.

use clearance::glam::{DQuat, DVec3, dvec3};
use clearance::math::Random;
use clearance::oracle::{cases::nudge, penetration::agree};
use clearance::pair::{Penetration, PenetrationCache, penetration, penetration_with};
use clearance::shape::Polytope;
use clearance::shape::sample::{PolytopeKind, random_direction, random_polytope};
use clearance::support::SupportMap;
use clearance::{Pose, pair};

fn cuboid(low: DVec3, high: DVec3) -> Polytope {
    let corner = |i: u32| {
        let pick = |axis: usize| if i >> axis & 1 == 0 { low[axis] } else { high[axis] };
        dvec3(pick(0), pick(1), pick(2))
    };
    Polytope::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap()
}

fn cube() -> Polytope {
    cuboid(DVec3::splat(-1.0), DVec3::splat(1.0))
}

fn at(translation: DVec3) -> Pose {
    Pose::from_translation(translation).unwrap()
}

/// Checks both ways against the oracle and returns what was found.
fn checked(a: &Polytope, pose_a: &Pose, b: &Polytope, pose_b: &Pose) -> Option<Penetration> {
    agree(a, pose_a, b, pose_b).unwrap_or_else(|what| panic!("{what}"))
}

fn quarter_turns() -> Vec<Pose> {
    let rows = [
        [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0.],
        [0., -1., 0., 0., 1., 0., 0., 0., 0., 0., 1., 0.],
        [1., 0., 0., 0., 0., 0., -1., 0., 0., 1., 0., 0.],
        [0., 0., 1., 0., 0., 1., 0., 0., -1., 0., 0., 0.],
        [-1., 0., 0., 0., 0., -1., 0., 0., 0., 0., 1., 0.],
    ];
    rows.into_iter().map(|r| Pose::from_rows(r).unwrap()).collect()
}

fn scales() -> impl Iterator<Item = f64> {
    [-40, -20, -1, 0, 20, 250].into_iter().map(|k| 2f64.powi(k))
}

#[test]
fn bodies_that_touch_or_are_apart_have_no_depth() {
    let cube = SupportMap::new(cube());
    for touch in [dvec3(2.0, 0.0, 0.0), dvec3(2.0, 2.0, 0.5), dvec3(2.0, 2.0, 2.0), dvec3(3.0, 0.0, 0.0)] {
        assert_eq!(penetration(&cube, &Pose::IDENTITY, &cube, &at(touch)), None);
    }
    let flat = SupportMap::new(Polytope::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y]).unwrap());
    assert_eq!(penetration(&flat, &Pose::IDENTITY, &flat, &Pose::IDENTITY), None);
}

#[test]
fn a_body_in_itself_is_as_deep_as_it_is_wide() {
    for scale in scales() {
        let cube = cuboid(DVec3::splat(-scale), DVec3::splat(scale));
        let found = checked(&cube, &Pose::IDENTITY, &cube, &Pose::IDENTITY).unwrap();
        assert!(found.lower <= 2.0 * scale && 2.0 * scale <= found.upper);
    }
    for kind in PolytopeKind::ALL {
        let body = random_polytope(kind, 12, 3).unwrap();
        checked(&body, &Pose::IDENTITY, &body, &Pose::IDENTITY).unwrap();
    }
}

#[test]
fn boxes_by_quarter_turns_are_exact() {
    let (a, b) =
        (cuboid(DVec3::splat(-1.0), dvec3(1.0, 2.0, 3.0)), cuboid(DVec3::ZERO, dvec3(0.5, 1.5, 0.25)));
    for turn_a in quarter_turns() {
        for turn_b in quarter_turns() {
            for shift in [DVec3::ZERO, dvec3(0.75, 0.5, -0.25), dvec3(-1.0, 0.25, 2.0)] {
                let moved = Pose::new(turn_b.rotation(), shift).unwrap();
                checked(&a, &turn_a, &b, &moved);
            }
        }
    }
}

#[test]
fn a_body_deep_inside_another_has_to_leave_it() {
    let small = cuboid(DVec3::splat(-0.1), DVec3::splat(0.1));
    let found = checked(&cube(), &Pose::IDENTITY, &small, &at(dvec3(0.3, 0.0, -0.2))).unwrap();
    assert!(found.lower <= 0.8 && 0.8 <= found.upper);
    assert!((found.normal - DVec3::X).length() < 1e-9);
    let point = Polytope::hull(&[dvec3(0.0, 0.0, 0.75)]).unwrap();
    let found = checked(&cube(), &Pose::IDENTITY, &point, &Pose::IDENTITY).unwrap();
    assert_eq!((found.lower, found.upper.clamp(0.25, 0.25 + 1e-9)), (found.lower, found.upper));
    assert!(found.lower > 0.25 - 1e-9);
}

#[test]
fn overlaps_of_a_few_units_in_the_last_place_are_bracketed_tightly() {
    let mut random = Random::new(1);
    for case in 0..24 {
        let overlap = nudge(2.0, -(1 + case % 7));
        let shift = dvec3(overlap, random.range(-1.0, 1.0), random.range(-1.0, 1.0));
        let found = checked(&cube(), &Pose::IDENTITY, &cube(), &at(shift)).unwrap();
        let depth = 2.0 - overlap;
        assert!(found.lower <= depth && depth <= found.upper && found.upper - found.lower <= 1e-9 * depth);
        let turn = Pose::from_quaternion(
            DQuat::from_axis_angle(random_direction(&mut random), 1.0),
            dvec3(1e6, -3e5, 7.0),
        )
        .unwrap();
        // Vertex in face, edge on edge: moved until they just overlap.
        let body = random_polytope(PolytopeKind::Ellipsoid, 10, case as u64).unwrap();
        let far = at(random_direction(&mut random) * 3.0 + turn.translation());
        if let Some(pose) = just_overlapping(&cube(), &turn, &body, &far) {
            let found = checked(&cube(), &turn, &body, &pose).unwrap();
            assert!(found.upper < 1e-9, "{found:?}");
        }
    }
}

/// Bisects the way of B towards A's centre for a pose that overlaps next to one that does not.
fn just_overlapping(a: &Polytope, pose_a: &Pose, b: &Polytope, far: &Pose) -> Option<Pose> {
    let (map_a, map_b) = (SupportMap::new(a.clone()), SupportMap::new(b.clone()));
    let overlaps = |pose: &Pose| pair::relation(&map_a, pose_a, &map_b, pose) == pair::Relation::Overlapping;
    let (mut outer, mut inner) = (far.translation(), pose_a.translation());
    while (outer - inner).length() > 1e-10 {
        let middle = 0.5 * (outer + inner);
        if middle == outer || middle == inner {
            break;
        }
        if overlaps(&at(middle)) { inner = middle } else { outer = middle }
    }
    overlaps(&at(inner)).then(|| at(inner))
}

#[test]
fn needles_in_plates() {
    let mut random = Random::new(9);
    let plate = cuboid(dvec3(-1.0, -1.0, -1e-6), dvec3(1.0, 1.0, 1e-6));
    for length in [1e-3, 1.0, 1e3] {
        let needle = cuboid(dvec3(-1e-7, -1e-7, -length), dvec3(1e-7, 1e-7, length));
        let segment = Polytope::hull(&[dvec3(0.0, 0.0, -length), dvec3(0.0, 0.0, length)]).unwrap();
        for _ in 0..8 {
            let turn = DQuat::from_axis_angle(random_direction(&mut random), random.range(0.0, 1.5));
            let pose = Pose::from_quaternion(turn, random_direction(&mut random) * 1e-3).unwrap();
            checked(&plate, &Pose::IDENTITY, &needle, &pose);
            checked(&segment, &pose, &plate, &Pose::IDENTITY);
        }
    }
}

#[test]
fn polygons_that_cross_have_a_depth() {
    let square = [dvec3(-1., -1., 0.), dvec3(1., -1., 0.), dvec3(1., 1., 0.), dvec3(-1., 1., 0.)];
    let upright = square.map(|p| dvec3(p.z, p.y, p.x + 0.25));
    let (square, upright) = (Polytope::hull(&square).unwrap(), Polytope::hull(&upright).unwrap());
    let found = checked(&square, &Pose::IDENTITY, &upright, &Pose::IDENTITY).unwrap();
    assert!(found.lower <= 0.75 && 0.75 <= found.upper);
}

/// Scaling by powers of two scales the bracket bit for bit, a common exact translation does not change it.
#[test]
fn brackets_do_not_depend_on_scale_or_place() {
    let (a, b) = (
        random_polytope(PolytopeKind::Ellipsoid, 40, 1).unwrap(),
        random_polytope(PolytopeKind::Plate, 40, 2).unwrap(),
    );
    let pose =
        Pose::from_quaternion(DQuat::from_xyzw(0.1, 0.5, -0.3, 0.7), dvec3(0.25, 0.5, -0.125)).unwrap();
    let scaled = |p: &Polytope, k: f64| {
        let points: Vec<DVec3> = p.vertices().iter().map(|v| *v * k).collect();
        SupportMap::new(Polytope::hull(&points).unwrap())
    };
    let found = |k: f64, place: DVec3| {
        let moved = Pose::new(pose.rotation(), pose.translation() * k + place).unwrap();
        penetration(&scaled(&a, k), &at(place), &scaled(&b, k), &moved).unwrap()
    };
    let one = found(1.0, DVec3::ZERO);
    for k in scales() {
        let other = found(k, DVec3::ZERO);
        assert_eq!((other.lower, other.upper), (one.lower * k, one.upper * k));
    }
    let far = found(1.0, dvec3(1048576.0, -524288.0, 65536.0));
    assert_eq!((far.lower, far.upper, far.normal), (one.lower, one.upper, one.normal));
}

#[test]
fn larger_bodies_agree_with_the_oracle() {
    let mut random = Random::new(4);
    for seed in 0..8 {
        let kind = PolytopeKind::ALL[seed as usize % 4];
        let (a, b) = (
            random_polytope(kind, 16, seed).unwrap(),
            random_polytope(PolytopeKind::Ellipsoid, 12, seed + 50).unwrap(),
        );
        let turn = DQuat::from_axis_angle(random_direction(&mut random), random.range(0.0, 3.0));
        let pose =
            Pose::from_quaternion(turn, random_direction(&mut random) * random.range(0.0, 0.6)).unwrap();
        checked(&a, &Pose::IDENTITY, &b, &pose);
    }
}

#[test]
fn a_cache_serves_any_bodies() {
    let mut cache = PenetrationCache::default();
    for n in [4, 400, 8] {
        let body = SupportMap::new(random_polytope(PolytopeKind::Ellipsoid, n, 1).unwrap());
        let pose = at(dvec3(0.03, 0.01, 0.0));
        let fresh = penetration(&body, &Pose::IDENTITY, &body, &pose);
        assert!(fresh.is_some());
        assert_eq!(penetration_with(&body, &Pose::IDENTITY, &body, &pose, &mut cache), fresh);
    }
}

/// Cause: where the shortest way meets a triangle of the surface was computed from its corners as floats, which do not tell that for
/// slivers. Case: two needles of length 4 and width `1e-12`, `3e-13` deep, had deepest points `6e-8` apart.
#[test]
fn deepest_points_of_needles_are_apart_by_the_depth() {
    let needle =
        |points: [[f64; 3]; 4]| SupportMap::new(Polytope::hull(&points.map(DVec3::from_array)).unwrap());
    let a = needle([[0., -2., -2e-12], [-2e-12, -1., 1e-12], [2e-12, 0., -1e-12], [0., -1., -2e-12]]);
    let b = needle([[-2., -2e-12, -2e-12], [2., 2e-12, -2e-12], [1., 0., 1e-12], [0., 1e-12, -1e-12]]);
    #[rustfmt::skip]
    let turn = Pose::from_rows([
        0.9999994930397608, -0.00012095961813026581, -0.000999644432890716, 0.0,
        0.00012264631229837736, 0.9999985688099425, 0.0016874050932617624, 0.0,
        0.0009994388943338306, -0.0016875268405177764, 0.99999807668568, 0.0,
    ]).unwrap();
    for far in [DVec3::ZERO, dvec3(0.0, -7.0, 1e6)] {
        let (pose_a, pose_b) = (at(far), Pose::new(turn.rotation(), far).unwrap());
        let found = checked(a.polytope(), &pose_a, b.polytope(), &pose_b).unwrap();
        let rest = found.point_a - found.point_b - found.normal * found.upper;
        let rounding = 8.0 * f64::EPSILON * far.abs().max_element().max(2.0);
        assert!(rest.length() <= rounding, "{:e} apart: {found:?}", rest.length());
    }
}
