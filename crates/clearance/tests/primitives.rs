//! Primitives: boxes that contain, exact and degenerate cases, unbounded bodies, refusals.
//!
//! Extents, support points and rounding are compared with rational arithmetic of `oracle::primitive`.

use clearance::math::Random;
use clearance::oracle::primitive::{
    self, any_bounded, any_direction, dot, exact, is_within, max_over, true_extent,
};
use clearance::shape::sample::random_direction;
use clearance::shape::*;
use clearance::{Aabb, glam::DVec3};
use dashu::base::Abs;

/// Bodies times directions.
fn cases() -> usize {
    let multiplier = std::env::var("CLEARANCE_CASES").ok().and_then(|count| count.parse().ok());
    5000 * multiplier.unwrap_or(1)
}

fn for_all_bounded(mut check: impl FnMut(&Primitive, DVec3)) {
    let mut random = Random::new(11);
    for _ in 0..cases() {
        check(&any_bounded(&mut random), any_direction(&mut random));
    }
}

fn size_of(bounds: Aabb) -> f64 {
    bounds.min.abs().max(bounds.max.abs()).element_sum()
}

fn agree(case: fn(&mut Random) -> Result<(), String>) {
    let mut random = Random::new(7);
    for _ in 0..cases() {
        case(&mut random).unwrap();
    }
}

#[test]
fn extents_are_never_below_the_truth_and_tight() {
    agree(primitive::extent);
}

#[test]
fn support_points_keep_their_stated_error() {
    agree(primitive::support);
}

#[test]
fn rounding_adds_a_ball() {
    agree(primitive::rounding);
}

#[test]
fn extents_of_integer_directions_are_exact_where_the_truth_is_a_float() {
    let cuboid = Cuboid::new(DVec3::new(2.0, 4.0, 6.0)).unwrap();
    assert_eq!(cuboid.extent(DVec3::new(1.0, -1.0, 1.0)), 6.0);
    assert_eq!(Sphere::new(0.1).unwrap().extent(DVec3::NEG_Y), 0.1);
    assert_eq!(Ellipsoid::new(DVec3::new(0.3, 0.4, 1.1)).unwrap().extent(DVec3::Z), 1.1);
    assert_eq!(Cylinder::new(2.0, 5.0).unwrap().extent(DVec3::new(3.0, 4.0, 1.0)), 26.0);
    assert_eq!(Cone::new(2.0, 5.0).unwrap().extent(DVec3::new(3.0, 4.0, 1.0)), 24.0);
    assert_eq!(Point::new(DVec3::new(0.1, 0.0, 0.0)).unwrap().extent(DVec3::X), 0.1);
}

#[test]
fn support_of_a_box_is_exactly_the_best_vertex() {
    for_all_bounded(|body, d| {
        if let Primitive::Cuboid(cuboid) = body {
            let SupportPoint { point, error } = cuboid.support(d);
            assert_eq!(error, 0.0);
            assert_eq!(dot(point, d), true_extent(body, d)[0]);
        }
    });
}

#[test]
fn boxes_contain_every_support_point_and_touch_the_body_on_all_sides() {
    for_all_bounded(|body, d| {
        let bounds = body.bounds().unwrap();
        let SupportPoint { point, error } = body.support(d).unwrap();
        let grown = Aabb { min: bounds.min - error, max: bounds.max + error };
        assert!(grown.contains(point), "{body:?}");
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            let [low, high] = true_extent(body, axis);
            assert!(exact(bounds.max.dot(axis)) >= low);
            let size = exact(size_of(bounds) * f64::EPSILON);
            assert!(exact(bounds.max.dot(axis)) <= high + &size, "{body:?}: the box is loose");
            let [low, high] = true_extent(body, -axis);
            assert!(exact(-bounds.min.dot(axis)) >= low);
            assert!(exact(-bounds.min.dot(axis)) <= high + &size, "{body:?}: the box is loose");
        }
    });
}

#[test]
fn centrally_symmetric_bodies_answer_symmetrically() {
    for_all_bounded(|body, d| {
        let symmetric = !matches!(
            body,
            Primitive::Cone(_) | Primitive::Triangle(_) | Primitive::Segment(_) | Primitive::Point(_)
        );
        if symmetric {
            assert_eq!(body.extent(d), body.extent(-d));
            if d.x != 0.0 && d.y != 0.0 && d.z != 0.0 {
                assert_eq!(body.support(d).unwrap().point, -body.support(-d).unwrap().point);
            }
        }
    });
}

#[test]
fn scaling_direction_and_body_by_a_power_of_two_scales_the_answer() {
    let factor = 1048576.0;
    let mut random = Random::new(5);
    for _ in 0..100 {
        let s = DVec3::new(random.range(0.1, 1.0), random.range(0.1, 1.0), random.range(0.1, 1.0));
        let d = random_direction(&mut random);
        let [small, large] = [s, factor * s].map(|s| Ellipsoid::new(s).unwrap());
        assert_eq!(factor * small.extent(d), large.extent(d));
        assert_eq!(factor * small.extent(d), small.extent(factor * d));
        assert_eq!(factor * small.support(d).point, large.support(d / factor).point);
    }
}

#[test]
fn the_zero_direction_gives_a_point_of_the_body_and_extent_zero() {
    let mut random = Random::new(1);
    for _ in 0..200 {
        let body = any_bounded(&mut random);
        let SupportPoint { point, error } = body.support(DVec3::ZERO).unwrap();
        assert!(is_within(&body, point, error), "{body:?}");
        assert_eq!(body.extent(DVec3::ZERO), 0.0);
    }
    let floor = HalfSpace::new(DVec3::Z, 3.0).unwrap();
    assert_eq!(floor.extent(DVec3::ZERO), 0.0);
    assert_eq!(floor.support(DVec3::ZERO).unwrap().point, DVec3::new(0.0, 0.0, 3.0));
}

#[test]
fn directions_that_are_not_finite_are_answered_without_a_claim() {
    let mut random = Random::new(1);
    let mut bodies: Vec<Primitive> = (0..200).map(|_| any_bounded(&mut random)).collect();
    bodies.push(HalfSpace::new(DVec3::Z, 3.0).unwrap().into());
    bodies.push(Plane::new(DVec3::Z, 3.0).unwrap().into());
    for body in bodies {
        for bad in [DVec3::NAN, DVec3::new(f64::INFINITY, 0.0, 0.0), DVec3::new(1.0, f64::NAN, 0.0)] {
            let SupportPoint { point, error } = body.support(bad).unwrap();
            assert!(point.is_finite() && error == f64::INFINITY, "{body:?}");
            assert_eq!(body.extent(bad), f64::INFINITY);
        }
    }
}

#[test]
fn half_spaces_and_planes_are_bounded_along_their_normal_only() {
    let mut random = Random::new(9);
    for _ in 0..300 {
        let scale = [1.0, 2f64.powi(-300), 2f64.powi(265)][random.below(3) as usize];
        // Small integers times a power of two, so that multiples are exact; zero entries are common.
        let mut entry = || random.below(7) as f64 - 3.0;
        let integer = DVec3::new(entry(), entry(), entry());
        if integer == DVec3::ZERO {
            continue;
        }
        let (normal, offset) = (integer * scale, random.range(-5.0, 5.0));
        let half_space = HalfSpace::new(normal, offset).unwrap();
        let plane = Plane::new(normal, offset).unwrap();
        for multiple in [1.0, 3.0, 1e-30] {
            let direction = if multiple == 3.0 { 3.0 * integer } else { multiple * normal };
            // For 1e-30 the product is rounded: an exact multiple only for normals along an axis.
            let axis = integer.to_array().iter().filter(|&&x| x != 0.0).count() == 1;
            if multiple == 1e-30 && !axis {
                continue;
            }
            check_boundary(
                half_space.support(direction),
                half_space.extent(direction),
                normal,
                offset,
                direction,
            );
            check_boundary(plane.support(direction), plane.extent(direction), normal, offset, direction);
            check_boundary(plane.support(-direction), plane.extent(-direction), normal, offset, -direction);
            assert_eq!(half_space.support(-direction), None);
            assert_eq!(half_space.extent(-direction), f64::INFINITY);
        }
        let largest = integer.abs().max_position();
        let mut off = 3.0 * integer;
        off[(largest + 1) % 3] += 1e-15 * off[largest];
        assert_eq!(half_space.support(off), None);
        assert_eq!(plane.extent(off), f64::INFINITY);
    }
}

fn check_boundary(support: Option<SupportPoint>, extent: f64, normal: DVec3, offset: f64, d: DVec3) {
    let SupportPoint { point, error } = support.expect("bounded along the normal");
    let axis = normal.abs().max_position();
    let truth = exact(offset) * exact(d[axis]) / exact(normal[axis]);
    assert!(exact(extent) >= truth);
    let size = truth.clone().abs();
    assert!(exact(extent) <= &truth + exact(3.0 * f64::EPSILON) * size, "{extent} is not tight");
    // Distance of the point from the plane: |n.p - offset| / |n|.
    let off = dot(normal, point) - exact(offset);
    assert!(&off * &off <= exact(error) * exact(error) * dot(normal, normal));
    let short = truth - dot(d, point);
    assert!(&short * &short <= exact(error) * exact(error) * dot(d, d));
}

#[test]
fn rounding_a_polytope_adds_a_ball() {
    let mut random = Random::new(22);
    for _ in 0..200 {
        let points: Vec<DVec3> = (0..30).map(|_| random_direction(&mut random)).collect();
        let core = Polytope::hull(&points).unwrap();
        let rounded = Rounded::new(core.clone(), 0.25).unwrap();
        let d = any_direction(&mut random).normalize_or(DVec3::X);
        let SupportPoint { point, error } = rounded.support(d).unwrap();
        let best = core.vertices().iter().copied().max_by(|p, q| dot(*p, d).cmp(&dot(*q, d))).unwrap();
        assert!(point.distance(best + 0.25 * d) < 1e-15 && error < 1e-14);
        let [extent, _] = max_over(&points, d);
        let over = exact(rounded.extent(d)) - extent;
        assert!(over >= exact(0.25 * (1.0 - 3e-16)) && over <= exact(0.25 + 2e-15));
        let bounds = rounded.bounds().unwrap();
        assert_eq!((bounds.min, bounds.max), widened(core.bounds(), 0.25));
    }
}

/// The box moved outward on all sides to the next float.
fn widened(bounds: Aabb, radius: f64) -> (DVec3, DVec3) {
    let up = |x: f64| {
        let sum = x + radius;
        if exact(sum) >= exact(x) + exact(radius) { sum } else { sum.next_up() }
    };
    let corner = |v: DVec3| DVec3::new(up(v.x), up(v.y), up(v.z));
    (-corner(-bounds.min), corner(bounds.max))
}

#[test]
fn rounded_unbounded_bodies_stay_unbounded() {
    let core = Primitive::from(HalfSpace::new(DVec3::Z, 1.0).unwrap());
    let rounded = Rounded::new(core, 0.5).unwrap();
    assert!(rounded.bounds().is_none() && rounded.support(DVec3::X).is_none());
    assert_eq!(rounded.extent(DVec3::Z), 1.5);
    assert_eq!(rounded.extent(DVec3::X), f64::INFINITY);
}

#[test]
fn bad_sizes_are_refused_by_name() {
    let huge = 2f64.powi(301);
    assert_eq!(Sphere::new(0.0), Err(PrimitiveError::NotPositive { field: "radius", value: 0.0 }));
    assert_eq!(Sphere::new(huge), Err(PrimitiveError::TooLarge { field: "radius", value: huge }));
    assert_eq!(Sphere::new(1e-200), Err(PrimitiveError::TooSmall { field: "radius", value: 1e-200 }));
    assert!(matches!(Sphere::new(f64::NAN), Err(PrimitiveError::NotFinite { field: "radius", .. })));
    assert!(matches!(
        Cuboid::new(DVec3::new(1.0, -1.0, 1.0)),
        Err(PrimitiveError::NotPositive { field: "edges.y", .. })
    ));
    assert!(matches!(
        Ellipsoid::new(DVec3::new(1.0, 1.0, f64::INFINITY)),
        Err(PrimitiveError::NotFinite { field: "semi_axes.z", .. })
    ));
    assert!(matches!(Capsule::new(-1.0, 1.0), Err(PrimitiveError::NotPositive { field: "length", .. })));
    assert!(matches!(Cylinder::new(1.0, 0.0), Err(PrimitiveError::NotPositive { field: "radius", .. })));
    assert!(matches!(Cone::new(huge, 1.0), Err(PrimitiveError::TooLarge { field: "height", .. })));
    assert!(matches!(HalfSpace::new(DVec3::ZERO, 0.0), Err(PrimitiveError::NoDirection { .. })));
    assert!(matches!(Plane::new(DVec3::X, f64::NAN), Err(PrimitiveError::NotFinite { field: "offset", .. })));
    assert!(matches!(
        Triangle::new(DVec3::ZERO, DVec3::NAN, DVec3::ZERO),
        Err(PrimitiveError::NotFinite { field: "corner_b.x", .. })
    ));
    assert!(matches!(
        Segment::new(DVec3::ZERO, DVec3::new(0.0, huge, 0.0)),
        Err(PrimitiveError::TooLarge { field: "end.y", .. })
    ));
    assert!(matches!(Point::new(DVec3::NAN), Err(PrimitiveError::NotFinite { field: "position.x", .. })));
    let core = Primitive::from(Sphere::new(1.0).unwrap());
    assert!(matches!(Rounded::new(core, -1.0), Err(PrimitiveError::NotPositive { field: "radius", .. })));
    let message = Sphere::new(-2.0).unwrap_err().to_string();
    assert!(message.contains("radius is -2") && message.contains("positive"), "{message}");
}
