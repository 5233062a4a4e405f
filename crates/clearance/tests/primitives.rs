//! Primitives: extents never too small and tight, boxes that contain, support points within their
//! stated error. The oracle is rational arithmetic; roots are bracketed to 2^-200.

use clearance::math::Random;
use clearance::shape::sample::random_direction;
use clearance::shape::*;
use clearance::{Aabb, glam::DVec3};
use dashu::base::{Abs, SquareRoot};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

fn exact(x: f64) -> RBig {
    RBig::try_from(x).unwrap()
}

fn dot(a: DVec3, b: DVec3) -> RBig {
    exact(a.x) * exact(b.x) + exact(a.y) * exact(b.y) + exact(a.z) * exact(b.z)
}

/// Rational numbers around a square root, `2^-200` apart relative to it.
fn root_bracket(square: &RBig) -> [RBig; 2] {
    if square.is_zero() {
        return [RBig::ZERO, RBig::ZERO];
    }
    // sqrt(p / q) = sqrt(p q) / q, shifted so that the integer root has more than 200 bits.
    let (p, q) = (square.numerator().clone().abs(), UBig::try_from(square.denominator().clone()).unwrap());
    let shift = 200usize;
    let root: UBig = (UBig::try_from(p).unwrap() * &q << (2 * shift)).sqrt();
    let over = IBig::from(q) * (IBig::from(1) << shift);
    let low = RBig::from(IBig::from(root.clone())) / RBig::from(over.clone());
    let high = RBig::from(IBig::from(root + UBig::ONE)) / RBig::from(over);
    [low, high]
}

fn norm(v: DVec3) -> [RBig; 2] {
    root_bracket(&dot(v, v))
}

fn add(a: [RBig; 2], b: [RBig; 2]) -> [RBig; 2] {
    let ([a0, a1], [b0, b1]) = (a, b);
    [a0 + b0, a1 + b1]
}

fn times(factor: f64, [low, high]: [RBig; 2]) -> [RBig; 2] {
    assert!(factor >= 0.0);
    [exact(factor) * low, exact(factor) * high]
}

fn single(x: RBig) -> [RBig; 2] {
    [x.clone(), x]
}

fn larger(a: [RBig; 2], b: [RBig; 2]) -> [RBig; 2] {
    let ([a0, a1], [b0, b1]) = (a, b);
    [a0.max(b0), a1.max(b1)]
}

fn flat(d: DVec3) -> DVec3 {
    DVec3::new(d.x, d.y, 0.0)
}

fn max_over(points: &[DVec3], d: DVec3) -> [RBig; 2] {
    single(points.iter().map(|&p| dot(p, d)).max().unwrap())
}

/// The true maximum of `d·x`, from the textbook formula.
fn true_extent(body: &Primitive, d: DVec3) -> [RBig; 2] {
    match body {
        Primitive::Cuboid(b) => single(dot(0.5 * b.edges(), d.abs())),
        Primitive::Sphere(b) => times(b.radius(), norm(d)),
        Primitive::Ellipsoid(b) => {
            let s = b.semi_axes();
            let square = |s: f64, d: f64| exact(s) * exact(s) * exact(d) * exact(d);
            root_bracket(&(square(s.x, d.x) + square(s.y, d.y) + square(s.z, d.z)))
        }
        Primitive::Capsule(b) => {
            add(single(exact(0.5 * b.length()) * exact(d.z.abs())), times(b.radius(), norm(d)))
        }
        Primitive::Cylinder(b) => {
            add(single(exact(0.5 * b.height()) * exact(d.z.abs())), times(b.radius(), norm(flat(d))))
        }
        Primitive::Cone(b) => {
            let up = exact(0.5 * b.height()) * exact(d.z);
            larger(single(up.clone()), add(single(-up), times(b.radius(), norm(flat(d)))))
        }
        Primitive::Triangle(b) => max_over(&b.corners(), d),
        Primitive::Segment(b) => max_over(&b.ends(), d),
        Primitive::Point(b) => max_over(&[b.position()], d),
        Primitive::HalfSpace(_) | Primitive::Plane(_) => unreachable!("unbounded"),
    }
}

/// A bound on the coordinates: the size that errors are relative to.
fn size_of(bounds: Aabb) -> f64 {
    bounds.min.abs().max(bounds.max.abs()).element_sum()
}

/// Whether the point lies within `error` of the body; exact, and only sufficient where noted.
fn lies_within(body: &Primitive, p: DVec3, error: f64) -> bool {
    let e = exact(error);
    let in_ball = |p: DVec3, radius: f64| dot(p, p) <= (exact(radius) + &e) * (exact(radius) + &e);
    match body {
        Primitive::Cuboid(b) => b.bounds().contains(p),
        Primitive::Sphere(b) => in_ball(p, b.radius()),
        Primitive::Ellipsoid(b) => {
            // Sufficient: p / k lies in the body and p is within (k - 1)|p| of it.
            let s = b.semi_axes();
            let share = |p: f64, s: f64| exact(p) * exact(p) / (exact(s) * exact(s));
            let step = exact(3.5 * f64::EPSILON);
            let k = exact(1.0) + &step;
            let inside = share(p.x, s.x) + share(p.y, s.y) + share(p.z, s.z) <= &k * &k;
            inside && &step * &step * dot(p, p) <= &e * &e
        }
        Primitive::Capsule(b) => {
            let half = exact(0.5 * b.length());
            let z = exact(p.z);
            let over = (z.clone().abs() - half).max(RBig::ZERO);
            dot(flat(p), p) + &over * &over <= (exact(b.radius()) + &e) * (exact(b.radius()) + &e)
        }
        Primitive::Cylinder(b) => p.z.abs() <= 0.5 * b.height() && in_ball(flat(p), b.radius()),
        Primitive::Cone(b) => {
            let half = 0.5 * b.height();
            p == DVec3::new(0.0, 0.0, half) || (p.z == -half && in_ball(flat(p), b.radius()))
        }
        Primitive::Triangle(b) => b.corners().contains(&p),
        Primitive::Segment(b) => b.ends().contains(&p),
        Primitive::Point(b) => b.position() == p,
        Primitive::HalfSpace(_) | Primitive::Plane(_) => unreachable!("unbounded"),
    }
}

fn bounded_bodies(random: &mut Random, scale: f64) -> Vec<Primitive> {
    let mut size = |share: f64| scale * share * random.range(0.5, 2.0);
    let thin = DVec3::new(size(1.0), size(1e-3), size(1e-9));
    let mut bodies = vec![
        Cuboid::new(DVec3::new(size(1.0), size(1.0), size(0.1))).unwrap().into(),
        Sphere::new(size(1.0)).unwrap().into(),
        Ellipsoid::new(DVec3::new(size(1.0), size(0.7), size(0.5))).unwrap().into(),
        Ellipsoid::new(thin).unwrap().into(),
        Capsule::new(size(1.0), size(0.2)).unwrap().into(),
        Cylinder::new(size(1.0), size(1.0)).unwrap().into(),
        Cylinder::new(size(1e-6), size(1.0)).unwrap().into(),
        Cone::new(size(1.0), size(1.0)).unwrap().into(),
        Cone::new(size(1.0), size(1e-5)).unwrap().into(),
    ];
    let mut point = |offset: f64| scale * (random_direction(random) + DVec3::splat(offset));
    bodies.extend([
        Primitive::from(Triangle::new(point(0.0), point(0.0), point(0.0)).unwrap()),
        Triangle::new(point(1e6), point(1e6), point(1e6)).unwrap().into(),
        Segment::new(point(0.0), point(0.0)).unwrap().into(),
        Point::new(point(3.0)).unwrap().into(),
    ]);
    bodies
}

fn directions(random: &mut Random) -> Vec<DVec3> {
    let mut directions = vec![
        DVec3::X,
        DVec3::NEG_Z,
        DVec3::ONE,
        DVec3::new(1.0, -1.0, 0.0),
        DVec3::new(-1.0, 2.0, 1.0),
        DVec3::new(1.0, 1e-9, -1e-200),
        DVec3::new(1e-12, 0.0, 1.0),
    ];
    directions.extend((0..6).map(|_| random_direction(random)));
    directions.extend([1e-300, 1e-20, 1e180].map(|scale| scale * random_direction(random)));
    directions
}

fn cases() -> usize {
    let multiplier = std::env::var("CLEARANCE_CASES").ok().and_then(|count| count.parse().ok());
    6 * multiplier.unwrap_or(1)
}

const SCALES: [f64; 8] =
    [1.0, 1.0 / 1048576.0, 1048576.0, 1e-100, 1e80, 1e6, power_of_two(270), power_of_two(-460)];

const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

fn for_all_bounded(mut check: impl FnMut(&Primitive, DVec3)) {
    let mut random = Random::new(11);
    for _ in 0..cases() {
        for scale in SCALES {
            for body in bounded_bodies(&mut random, scale) {
                for direction in directions(&mut random) {
                    check(&body, direction);
                }
            }
        }
    }
}

#[test]
fn extents_are_never_below_the_truth_and_within_eight_units_of_it() {
    for_all_bounded(|body, d| {
        let extent = body.extent(d);
        let [low, high] = true_extent(body, d);
        // The oracle's bracket is 2^-200 wide: an exact extent may lie inside it.
        assert!(exact(extent) >= low, "{body:?} along {d:?}: {extent:e} is too small");
        let size: RBig = match body {
            Primitive::Triangle(_) | Primitive::Segment(_) | Primitive::Point(_) | Primitive::Cone(_) => {
                exact(size_of(body.bounds().unwrap())) * exact(d.abs().max_element())
            }
            // No cancellation: relative to the extent itself.
            _ => high.clone(),
        };
        let slack = exact(8.0 * f64::EPSILON) * size + exact(8.0 * f64::from_bits(1));
        assert!(exact(extent) <= high + slack, "{body:?} along {d:?}: {extent:e} is not tight");
    });
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
fn support_points_keep_their_stated_error() {
    for_all_bounded(|body, d| {
        let SupportPoint { point, error } = body.support(d).unwrap();
        assert!(error <= 12.0 * f64::EPSILON * size_of(body.bounds().unwrap()) + f64::MIN_POSITIVE);
        assert!(
            lies_within(body, point, error),
            "{body:?} along {d:?}: {point:?} off by more than {error:e}"
        );
        let [_, high] = true_extent(body, d);
        let short = high - dot(point, d);
        let squared_limit = exact(error) * exact(error) * dot(d, d);
        // The oracle's bracket adds 2^-200 of the extent.
        let slack =
            exact(size_of(body.bounds().unwrap())) * exact(d.abs().max_element()) * exact(2f64.powi(-190));
        let short = short - slack;
        assert!(
            short <= RBig::ZERO || &short * &short <= squared_limit,
            "{body:?} along {d:?}: short by more than {error:e}"
        );
    });
}

#[test]
fn support_of_polytopal_bodies_is_a_vertex_and_of_a_box_the_best_one() {
    for_all_bounded(|body, d| {
        if let Primitive::Cuboid(cuboid) = body {
            let SupportPoint { point, error } = cuboid.support(d);
            assert_eq!(error, 0.0);
            assert_eq!(single(dot(point, d)), true_extent(body, d));
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
    for body in bounded_bodies(&mut random, 1.0) {
        let SupportPoint { point, error } = body.support(DVec3::ZERO).unwrap();
        assert!(lies_within(&body, point, error), "{body:?}");
        assert_eq!(body.extent(DVec3::ZERO), 0.0);
    }
    let floor = HalfSpace::new(DVec3::Z, 3.0).unwrap();
    assert_eq!(floor.extent(DVec3::ZERO), 0.0);
    assert_eq!(floor.support(DVec3::ZERO).unwrap().point, DVec3::new(0.0, 0.0, 3.0));
}

#[test]
fn directions_that_are_not_finite_are_answered_without_a_claim() {
    let mut random = Random::new(1);
    let mut bodies = bounded_bodies(&mut random, 1.0);
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
fn rounding_adds_a_ball() {
    let mut random = Random::new(21);
    for scale in SCALES {
        for core in bounded_bodies(&mut random, scale) {
            for radius in [0.0, 0.3 * scale, 1e9 * scale] {
                let rounded = Rounded::new(core, radius).unwrap();
                for d in directions(&mut random) {
                    check_rounded(&rounded, true_extent(&core, d), core.bounds().unwrap(), d);
                }
            }
        }
    }
}

#[test]
fn rounding_a_polytope_adds_a_ball() {
    let mut random = Random::new(22);
    for scale in SCALES {
        let points: Vec<DVec3> = (0..30).map(|_| scale * random_direction(&mut random)).collect();
        let core = Polytope::hull(&points).unwrap();
        let rounded = Rounded::new(core.clone(), 0.25 * scale).unwrap();
        for d in directions(&mut random) {
            check_rounded(&rounded, max_over(&points, d), core.bounds(), d);
        }
    }
}

fn check_rounded(rounded: &Rounded, core_extent: [RBig; 2], core_bounds: Aabb, d: DVec3) {
    let [low, high] = add(core_extent, times(rounded.radius(), norm(d)));
    let extent = rounded.extent(d);
    assert!(exact(extent) >= low);
    let bounds = rounded.bounds().unwrap();
    let size = exact(size_of(bounds)) * exact(d.abs().max_element());
    assert!(exact(extent) <= &high + exact(10.0 * f64::EPSILON) * &size + exact(8.0 * f64::from_bits(1)));
    let SupportPoint { point, error } = rounded.support(d).unwrap();
    let short = high - dot(point, d) - size * exact(2f64.powi(-190));
    assert!(short <= RBig::ZERO || &short * &short <= exact(error) * exact(error) * dot(d, d));
    for axis in 0..3 {
        assert!(exact(bounds.max[axis]) >= exact(core_bounds.max[axis]) + exact(rounded.radius()));
        assert!(exact(bounds.min[axis]) <= exact(core_bounds.min[axis]) - exact(rounded.radius()));
    }
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
