//! Contact manifolds: the right points, and names that do not flicker.

use clearance::Pose;
use clearance::glam::{DQuat, DVec3, dvec3};
use clearance::math::Random;
use clearance::pair::{Feature, Manifold, ManifoldConfig, contact_normal, manifold, penetration};
use clearance::shape::Polytope;
use clearance::shape::sample::{PolytopeKind, random_direction, random_polytope};
use clearance::support::SupportMap;

fn cuboid(half: DVec3) -> SupportMap {
    let sign = |i: u32, axis: u32| if i >> axis & 1 == 0 { -1.0 } else { 1.0 };
    let corners: Vec<DVec3> = (0..8).map(|i| half * dvec3(sign(i, 0), sign(i, 1), sign(i, 2))).collect();
    SupportMap::new(Polytope::hull(&corners).unwrap())
}

fn at(translation: DVec3) -> Pose {
    Pose::from_translation(translation).unwrap()
}

fn turned(axis: DVec3, angle: f64, translation: DVec3) -> Pose {
    Pose::from_quaternion(DQuat::from_axis_angle(axis.normalize(), angle), translation).unwrap()
}

fn names(found: &Manifold) -> Vec<(Feature, Feature)> {
    found.points.iter().map(|p| (p.feature_a, p.feature_b)).collect()
}

const CONFIG: ManifoldConfig = ManifoldConfig { margin: 0.0, flatness: 0.02 };

#[test]
fn a_box_on_a_floor_rests_on_four_corners() {
    let (floor, body) = (cuboid(dvec3(10.0, 10.0, 1.0)), cuboid(DVec3::ONE));
    let pose = at(dvec3(0.5, 0.25, 1.75));
    let normal = contact_normal(&floor, &Pose::IDENTITY, &body, &pose).unwrap();
    let found = manifold(&floor, &Pose::IDENTITY, &body, &pose, normal, &CONFIG);
    assert_eq!(found.points.len(), 4);
    for point in &found.points {
        assert!((point.depth - 0.25).abs() < 1e-12);
        assert!((point.point_a.z - 1.0).abs() < 1e-12 && (point.point_b.z - 0.75).abs() < 1e-12);
        assert!(matches!((point.feature_a, point.feature_b), (Feature::Face(_), Feature::Vertex(_))));
    }
}

/// Sliding, sinking a little, turning about the normal and rocking by rounding errors.
#[test]
fn names_do_not_flicker_while_a_box_slides() {
    let (floor, body) = (cuboid(dvec3(10.0, 10.0, 1.0)), cuboid(DVec3::ONE));
    let mut random = Random::new(5);
    let mut last: Option<Vec<(Feature, Feature)>> = None;
    for frame in 0..400 {
        let t = f64::from(frame) / 400.0;
        let rocking = random_direction(&mut random) * 1e-7;
        let turn = DQuat::from_rotation_z(0.3 * t) * DQuat::from_scaled_axis(rocking);
        let depth = 1e-3 + 1e-4 * random.unit();
        let pose = Pose::from_quaternion(turn, dvec3(-4.0 + 8.0 * t, 0.3 * t, 2.0 - depth)).unwrap();
        let normal = contact_normal(&floor, &Pose::IDENTITY, &body, &pose).unwrap();
        let found = manifold(&floor, &Pose::IDENTITY, &body, &pose, normal, &CONFIG);
        let now = names(&found);
        assert_eq!(now.len(), 4);
        assert!(last.is_none_or(|last| last == now), "frame {frame}: {now:?}");
        last = Some(now);
    }
}

#[test]
fn names_of_a_box_over_an_edge_change_only_where_it_crosses() {
    let (table, body) = (cuboid(dvec3(2.0, 2.0, 1.0)), cuboid(DVec3::ONE));
    let mut changes = 0;
    let mut last = Vec::new();
    for frame in 0..200 {
        let pose = at(dvec3(0.01 + 0.0099 * f64::from(frame), 0.1, 1.999));
        let found = manifold(&table, &Pose::IDENTITY, &body, &pose, DVec3::Z, &CONFIG);
        assert_eq!(found.points.len(), 4, "frame {frame}");
        let now = names(&found);
        changes += usize::from(!last.is_empty() && last != now);
        last = now;
    }
    assert_eq!(changes, 1);
    let crossings = last.iter().filter(|n| matches!(n, (Feature::Edge(_), Feature::Edge(_)))).count();
    assert_eq!(crossings, 2);
}

#[test]
fn equal_boxes_stacked_exactly_keep_their_names_under_rounding() {
    let body = cuboid(DVec3::ONE);
    let mut random = Random::new(8);
    let still = manifold(&body, &Pose::IDENTITY, &body, &at(DVec3::Z * 2.0), DVec3::Z, &CONFIG);
    assert_eq!(still.points.len(), 4);
    for _ in 0..200 {
        let turn = DQuat::from_scaled_axis(random_direction(&mut random) * 1e-13);
        let pose =
            Pose::from_quaternion(turn, DVec3::Z * 2.0 + random_direction(&mut random) * 1e-12).unwrap();
        let config = ManifoldConfig { margin: 1e-9, ..CONFIG };
        assert_eq!(names(&manifold(&body, &Pose::IDENTITY, &body, &pose, DVec3::Z, &config)), names(&still));
    }
}

#[test]
fn edges_and_vertices_meet_in_one_or_two_points() {
    let (floor, body) = (cuboid(dvec3(10.0, 10.0, 1.0)), cuboid(DVec3::ONE));
    let quarter = std::f64::consts::FRAC_PI_4;
    let count = |pose: &Pose| {
        let normal = penetration(&floor, &Pose::IDENTITY, &body, pose).unwrap().normal;
        manifold(&floor, &Pose::IDENTITY, &body, pose, normal, &CONFIG).points
    };
    // On an edge.
    let on_edge = count(&turned(DVec3::X, quarter, dvec3(0.0, 0.0, 1.0 + 2f64.sqrt() - 0.01)));
    assert_eq!(on_edge.len(), 2);
    assert!(on_edge.iter().all(|p| (p.depth - 0.01).abs() < 1e-9));
    // On a vertex.
    let corner_down = DQuat::from_rotation_arc(DVec3::ONE.normalize(), -DVec3::Z);
    let on_vertex =
        count(&Pose::from_quaternion(corner_down, dvec3(0.0, 0.0, 1.0 + 3f64.sqrt() - 0.01)).unwrap());
    assert_eq!(on_vertex.len(), 1);
    assert!((on_vertex[0].depth - 0.01).abs() < 1e-9);
    assert!(matches!(
        (on_vertex[0].feature_a, on_vertex[0].feature_b),
        (Feature::Face(_), Feature::Vertex(_))
    ));
}

#[test]
fn crossed_edges_meet_in_one_point_and_parallel_ones_in_two() {
    let bar = cuboid(dvec3(5.0, 1.0, 1.0));
    let quarter = std::f64::consts::FRAC_PI_4;
    let lower = turned(DVec3::X, quarter, DVec3::ZERO);
    let height = 2.0 * 2f64.sqrt() - 0.01;
    let turn = DQuat::from_rotation_z(1.0) * DQuat::from_rotation_x(quarter);
    let crossed = Pose::from_quaternion(turn, DVec3::Z * height).unwrap();
    let found = manifold(&bar, &lower, &bar, &crossed, DVec3::Z, &CONFIG);
    assert_eq!(found.points.len(), 1);
    let point = found.points[0];
    assert!((point.depth - 0.01).abs() < 1e-9 && point.point_a.truncate().length() < 1e-9);
    assert!(matches!((point.feature_a, point.feature_b), (Feature::Edge(_), Feature::Edge(_))));
    let parallel = turned(DVec3::X, quarter, dvec3(2.0, 0.0, height));
    let found = manifold(&bar, &lower, &bar, &parallel, DVec3::Z, &CONFIG);
    let mut along: Vec<f64> = found.points.iter().map(|p| p.point_a.x).collect();
    along.sort_by(f64::total_cmp);
    assert_eq!(along.len(), 2);
    assert!((along[0] + 3.0).abs() < 1e-9 && (along[1] - 5.0).abs() < 1e-9, "{along:?}");
}

#[test]
fn touching_bodies_have_depth_zero_and_disjoint_ones_need_a_margin() {
    let body = cuboid(DVec3::ONE);
    let touching = at(dvec3(0.5, 0.0, 2.0));
    let normal = contact_normal(&body, &Pose::IDENTITY, &body, &touching).unwrap();
    let found = manifold(&body, &Pose::IDENTITY, &body, &touching, normal, &CONFIG);
    assert_eq!(found.points.len(), 4);
    assert!(found.points.iter().all(|p| p.depth == 0.0));
    let apart = at(dvec3(0.5, 0.0, 2.125));
    assert_eq!(contact_normal(&body, &Pose::IDENTITY, &body, &apart), Some(DVec3::Z));
    let with_margin = |margin| {
        let config = ManifoldConfig { margin, ..CONFIG };
        manifold(&body, &Pose::IDENTITY, &body, &apart, DVec3::Z, &config).points
    };
    assert!(with_margin(0.1).is_empty());
    let near = with_margin(0.2);
    assert!(near.len() == 4 && near.iter().all(|p| (p.depth + 0.125).abs() < 1e-12));
}

/// The deepest contact point is as deep as the penetration, and swapping the bodies gives as many points.
#[test]
fn random_bodies_have_contacts_that_fit_their_penetration() {
    let mut random = Random::new(3);
    for seed in 0..200 {
        let kind = PolytopeKind::ALL[seed as usize % 4];
        let (a, b) = (
            random_polytope(kind, 20, seed).unwrap(),
            random_polytope(PolytopeKind::Ellipsoid, 20, seed + 1).unwrap(),
        );
        let (a, b) = (SupportMap::new(a), SupportMap::new(b));
        let pose = turned(random_direction(&mut random), 1.0, random_direction(&mut random) * 0.5);
        let Some(depth) = penetration(&a, &Pose::IDENTITY, &b, &pose) else { continue };
        let sharp = ManifoldConfig { margin: 0.0, flatness: 1e-6 };
        let found = manifold(&a, &Pose::IDENTITY, &b, &pose, depth.normal, &sharp);
        let deepest = found.points.iter().map(|p| p.depth).fold(0.0, f64::max);
        assert!((deepest - depth.upper).abs() < 1e-5 * depth.upper + 1e-9, "{seed}: {found:?} {depth:?}");
        let swapped = manifold(&b, &pose, &a, &Pose::IDENTITY, -depth.normal, &sharp);
        assert_eq!(swapped.points.len(), found.points.len(), "{seed}");
    }
}

#[test]
fn a_normal_that_is_none_gives_no_points() {
    let body = cuboid(DVec3::ONE);
    for normal in [DVec3::ZERO, DVec3::NAN, DVec3::INFINITY] {
        assert!(manifold(&body, &Pose::IDENTITY, &body, &Pose::IDENTITY, normal, &CONFIG).points.is_empty());
    }
}
