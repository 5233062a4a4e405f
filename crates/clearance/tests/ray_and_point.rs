//! Points and rays against polytopes: exact signs, tight brackets.

use clearance::glam::{DVec3, dvec3};
use clearance::pair::{PointLocation, Ray, RayError, contains_point, ray_cast};
use clearance::shape::Polytope;
use clearance::shape::sample::{PolytopeKind, random_direction, random_polytope};
use clearance::support::SupportMap;
use clearance::{Pose, math::Random, oracle};

fn map(points: &[DVec3]) -> SupportMap {
    SupportMap::new(Polytope::hull(points).unwrap())
}

fn cube() -> SupportMap {
    map(&(0..8).map(|i| dvec3((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64)).collect::<Vec<_>>())
}

#[test]
fn points_of_a_cube_are_told_apart_by_one_unit_in_the_last_place() {
    let cube = cube();
    let locate = |x: f64| contains_point(&cube, &Pose::IDENTITY, dvec3(x, 0.3, 0.4)).unwrap();
    assert_eq!(locate(1.0), PointLocation::Boundary);
    assert_eq!(locate(1f64.next_up()), PointLocation::Outside);
    assert_eq!(locate(1f64.next_down()), PointLocation::Inside);
    assert_eq!(locate(5e-324), PointLocation::Inside);
    assert!(contains_point(&cube, &Pose::IDENTITY, DVec3::NAN).is_err());
}

#[test]
fn flat_bodies_have_no_inside() {
    for points in
        [&[DVec3::ZERO][..], &[DVec3::ZERO, DVec3::X * 2.0], &[DVec3::ZERO, DVec3::X * 2.0, DVec3::Y]]
    {
        let flat = map(points);
        let middle = points.iter().sum::<DVec3>() / points.len() as f64;
        let rounded = if points.len() == 3 { dvec3(0.5, 0.25, 0.0) } else { middle };
        assert_eq!(contains_point(&flat, &Pose::IDENTITY, rounded), Ok(PointLocation::Boundary));
        assert_eq!(
            contains_point(&flat, &Pose::IDENTITY, rounded + 5e-324 * DVec3::Z),
            Ok(PointLocation::Outside)
        );
    }
}

#[test]
fn a_ray_hits_grazes_and_misses_a_cube() {
    let cube = cube();
    let cast = |origin: DVec3, direction: DVec3| {
        ray_cast(&cube, &Pose::IDENTITY, &Ray::new(origin, direction, f64::INFINITY).unwrap())
    };
    let hit = cast(dvec3(-2.0, 0.5, 0.5), DVec3::X * 4.0).unwrap();
    assert!(hit.t_lower <= 0.5 && 0.5 <= hit.t_upper && hit.t_upper - hit.t_lower < 1e-12);
    assert_eq!(hit.normal, Some(-DVec3::X));
    assert!(cast(dvec3(-1.0, 1.0, 1.0), DVec3::X).is_some(), "along an edge");
    assert!(cast(dvec3(-1.0, 1f64.next_up(), 1.0), DVec3::X).is_none(), "one ulp above it");
    assert!(cast(dvec3(0.0, 2.0, 0.5), dvec3(1.0, -1.0, 0.0)).is_some(), "through an edge only");
    assert!(cast(dvec3(-2.0, 0.5, 0.5), -DVec3::X).is_none(), "away");
    let inside = cast(DVec3::splat(0.5), DVec3::X).unwrap();
    assert_eq!((inside.t_lower, inside.t_upper, inside.face), (0.0, 0.0, None));
    let leaving = cast(dvec3(1.0, 0.5, 0.5), DVec3::X).unwrap();
    assert_eq!((leaving.t_lower, leaving.t_upper), (0.0, 0.0));
}

#[test]
fn the_end_of_a_ray_counts() {
    let cube = cube();
    let cast = |max_t| ray_cast(&cube, &Pose::IDENTITY, &Ray::new(DVec3::X * -1.0, DVec3::X, max_t).unwrap());
    assert!(cast(1.0).is_some());
    assert!(cast(1f64.next_down()).is_none());
}

#[test]
fn rays_meet_bodies_of_every_dimension() {
    let cast = |body: &SupportMap, origin: DVec3, direction: DVec3| {
        ray_cast(body, &Pose::IDENTITY, &Ray::new(origin, direction, f64::INFINITY).unwrap())
            .map(|h| (h.t_lower, h.t_upper))
    };
    let point = map(&[DVec3::ONE]);
    assert_eq!(cast(&point, DVec3::ZERO, DVec3::splat(2.0)), Some((0.5, 0.5)));
    assert_eq!(cast(&point, DVec3::ZERO, dvec3(1.0, 1.0, 1f64.next_up())), None);
    let segment = map(&[DVec3::X, dvec3(1.0, 1.0, 0.0)]);
    assert_eq!(cast(&segment, DVec3::ZERO, dvec3(2.0, 1.0, 0.0)), Some((0.5, 0.5)));
    assert_eq!(cast(&segment, dvec3(1.0, -1.0, 0.0), DVec3::Y), Some((1.0, 1.0)), "along it");
    assert_eq!(cast(&segment, DVec3::ZERO, dvec3(1.0, 2.0, 0.0)), None);
    let triangle = map(&[DVec3::X, DVec3::Y, DVec3::Z]);
    assert_eq!(
        cast(&triangle, DVec3::ZERO, DVec3::ONE).map(|t| t.0 * 3.0 <= 1.0 && t.1 * 3.0 >= 1.0),
        Some(true)
    );
    assert_eq!(cast(&triangle, dvec3(1.0, 1.0, 0.0) * 0.5, DVec3::ONE), Some((0.0, 0.0)));
    assert_eq!(
        cast(&triangle, dvec3(2.0, -1.0, 0.0), dvec3(-1.0, 1.0, 0.0)),
        Some((1.0, 1.0)),
        "within its plane"
    );
    assert_eq!(cast(&triangle, DVec3::ONE, dvec3(-1.0, 1.0, 0.0)), None, "parallel to it");
}

#[test]
fn what_is_no_ray_is_refused() {
    assert_eq!(Ray::new(DVec3::ZERO, DVec3::ZERO, 1.0), Err(RayError::ZeroDirection));
    assert!(matches!(Ray::new(DVec3::NAN, DVec3::X, 1.0), Err(RayError::OutOfRange { what: "origin", .. })));
    assert!(matches!(Ray::new(DVec3::ZERO, DVec3::X * 1e300, 1.0), Err(RayError::OutOfRange { .. })));
    for end in [f64::NAN, -1.0] {
        assert!(matches!(Ray::new(DVec3::ZERO, DVec3::X, end), Err(RayError::BadEnd(_))));
    }
}

/// Many faces, so that floats sort out most and the aimed ones are left to exact numbers.
#[test]
fn rays_at_vertices_and_edges_of_round_bodies_agree_with_brute_force() {
    let mut random = Random::new(2);
    for seed in 0..20 {
        let body = random_polytope(PolytopeKind::ALL[seed % 4], 60, seed as u64).unwrap();
        let prepared = SupportMap::new(body.clone());
        let pose =
            Pose::from_axis_angle(random_direction(&mut random), 1.0, random_direction(&mut random) * 1e3)
                .unwrap();
        for _ in 0..6 {
            let mut vertex = || body.vertices()[random.below(60) as usize];
            let target = pose.apply(0.5 * (vertex() + vertex()));
            let origin = target + random_direction(&mut random) * 3.0;
            let direction = target - origin;
            let hit = ray_cast(&prepared, &pose, &Ray::new(origin, direction, 4.0).unwrap());
            oracle::ray::check(&body, &pose, [origin, direction], 4.0, &hit).unwrap();
        }
    }
}
