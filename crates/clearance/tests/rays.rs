//! Rays against curved, rounded and unbounded bodies: proved brackets, nothing missed that grazes.

use clearance::glam::{DVec3, dvec3};
use clearance::math::Random;
use clearance::pair::{Convex, Ray, RayHit, ray_cast_convex};
use clearance::shape::sample::random_direction;
use clearance::shape::{
    Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Plane, Polytope, Primitive, Rounded, RoundedCore,
    Shape, Sphere,
};
use clearance::{Pose, pair};
use dashu::rational::RBig;

/// A body and a number for each point of its frame: negative inside, zero on the boundary, and outside no larger than twice
/// the distance.
struct Known {
    body: Convex,
    outside: Box<dyn Fn(DVec3) -> f64>,
}

fn known(shape: impl Into<Shape>, outside: impl Fn(DVec3) -> f64 + 'static) -> Known {
    Known { body: Convex::try_from(&shape.into()).expect("convex"), outside: Box::new(outside) }
}

fn primitive(body: impl Into<Primitive>) -> Primitive {
    body.into()
}

fn rounded(core: impl Into<RoundedCore>, radius: f64) -> Shape {
    Rounded::new(core, radius).expect("a radius").into()
}

/// The distance from a figure of revolution with a convex profile, whose corners run counter-clockwise from the axis back to it.
fn of_profile(point: DVec3, profile: &[[f64; 2]]) -> f64 {
    let at = [point.truncate().length(), point.z];
    let (mut inside, mut nearest) = (true, f64::INFINITY);
    for ends in profile.windows(2) {
        let [[x, y], [u, v]] = [ends[0], ends[1]];
        let (dx, dy) = (u - x, v - y);
        let share = (((at[0] - x) * dx + (at[1] - y) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
        nearest = nearest.min((at[0] - x - share * dx).hypot(at[1] - y - share * dy));
        inside &= dx * (at[1] - y) - dy * (at[0] - x) >= 0.0;
    }
    if inside { -nearest } else { nearest }
}

fn of_cuboid(point: DVec3, half: DVec3) -> f64 {
    let over = point.abs() - half;
    over.max(DVec3::ZERO).length() + over.max_element().min(0.0)
}

/// Curved bodies with a ball around them, whose brackets may be wide.
const OFFSETS: [&str; 2] = ["rounded cylinder", "rounded cone"];

/// Bodies of every kind, about `size` large.
fn bodies(size: f64) -> Vec<(&'static str, Known)> {
    let s = size;
    let cylinder = move |p: DVec3| {
        of_profile(p, &[[0.0, -0.8 * s], [0.5 * s, -0.8 * s], [0.5 * s, 0.8 * s], [0.0, 0.8 * s]])
    };
    let cone = move |p: DVec3| of_profile(p, &[[0.0, -s], [0.75 * s, -s], [0.0, s]]);
    let capsule = move |p: DVec3| p.distance(dvec3(0.0, 0.0, p.z.clamp(-0.75 * s, 0.75 * s)));
    let axes = dvec3(1.0, 0.5, 0.25) * s;
    let half = dvec3(0.75, 0.5, 0.25) * s;
    let normal = dvec3(0.25, -0.5, 1.0);
    let height = move |p: DVec3| (p.dot(normal) - 0.5 * s) / normal.length();
    let flat = Polytope::hull(&[DVec3::ZERO, DVec3::X * s, DVec3::Y * s]).expect("a triangle");
    let distance = |hull: &Polytope| {
        let hull = Convex::from_polytope(hull.clone());
        move |p: DVec3| {
            let point = Convex::from_polytope(Polytope::hull(&[p]).expect("finite"));
            pair::relate(&point, &Pose::IDENTITY, &hull, &Pose::IDENTITY).expect("polytopes").distance.upper
        }
    };
    let to_flat = distance(&flat);
    let corners =
        [DVec3::ZERO, DVec3::X, dvec3(0.25, 1.0, 0.0), dvec3(0.5, 0.25, 0.75), dvec3(-0.5, 0.5, 0.5)];
    let hull = Polytope::hull(&corners.map(|p| p * s)).expect("a solid");
    let to_hull = distance(&hull);
    let sphere = || primitive(Sphere::new(0.75 * s).expect("a size"));
    let long = || primitive(Capsule::new(1.5 * s, 0.5 * s).expect("sizes"));
    let round = || primitive(Cylinder::new(1.6 * s, 0.5 * s).expect("sizes"));
    let sharp = || primitive(Cone::new(2.0 * s, 0.75 * s).expect("sizes"));
    let die = || primitive(Cuboid::new(2.0 * half).expect("sizes"));
    let floor = || primitive(HalfSpace::new(normal, 0.5 * s).expect("a normal"));
    let sheet = || primitive(Plane::new(normal, 0.5 * s).expect("a normal"));
    let egg = || primitive(Ellipsoid::new(axes).expect("sizes"));
    vec![
        ("sphere", known(sphere(), move |p| p.length() - 0.75 * s)),
        ("rounded sphere", known(rounded(sphere(), 0.125 * s), move |p| p.length() - 0.875 * s)),
        ("capsule", known(long(), move |p| capsule(p) - 0.5 * s)),
        ("cylinder", known(round(), cylinder)),
        ("cone", known(sharp(), cone)),
        ("ellipsoid", known(egg(), move |p| 0.25 * s * ((p / axes).length() - 1.0))),
        ("half-space", known(floor(), height)),
        ("plane", known(sheet(), move |p| height(p).abs())),
        ("rounded half-space", known(rounded(floor(), 0.25 * s), move |p| height(p) - 0.25 * s)),
        ("rounded plane", known(rounded(sheet(), 0.25 * s), move |p| height(p).abs() - 0.25 * s)),
        ("rounded box", known(rounded(die(), 0.25 * s), move |p| of_cuboid(p, half) - 0.25 * s)),
        ("rounded triangle", known(rounded(flat, 0.25 * s), move |p| to_flat(p) - 0.25 * s)),
        ("rounded polytope", known(rounded(hull, 0.125 * s), move |p| to_hull(p) - 0.125 * s)),
        ("rounded cylinder", known(rounded(round(), 0.25 * s), move |p| cylinder(p) - 0.25 * s)),
        ("rounded cone", known(rounded(sharp(), 0.25 * s), move |p| cone(p) - 0.25 * s)),
    ]
}

/// Looks at many points of a ray, and compares with a hit.
fn check(name: &str, known: &Known, pose: &Pose, size: f64, ray: &Ray, hit: &Option<RayHit>) {
    let told = || format!("{name}, {ray:?}, {pose:?}: {hit:?}");
    let back = pose.inverse();
    let outside = |t: f64| (known.outside)(back.apply(ray.origin() + ray.direction() * t));
    let speed = ray.direction().length();
    let far = ray.origin().length() + pose.translation().length() + size;
    let noise = 1e-9 * size + 1e-14 * far;
    let middle = (pose.translation() - ray.origin()).dot(ray.direction()) / (speed * speed);
    let around = 4.0 * size / speed;
    let (low, high) = ((middle - around).max(0.0), (middle + around).min(ray.max_t()));
    // Distances from polytopes are searched for.
    let samples = if name.contains("polytope") || name.contains("triangle") { 40 } else { 300 };
    let places = (0..=samples).map(|i| low + (high - low) * f64::from(i) / f64::from(samples));
    for t in places.filter(|t| (0.0..=ray.max_t()).contains(t)) {
        let is_before = hit.is_none_or(|hit| t < hit.t_lower);
        assert!(!is_before || outside(t) >= -noise, "{t} is inside: {}", told());
    }
    let Some(hit) = hit else { return };
    assert!(hit.t_lower <= hit.t_upper && hit.t_upper <= ray.max_t() * (1.0 + 1e-12), "{}", told());
    assert!(outside(hit.t_upper) <= noise + hit.within, "{} outside: {}", outside(hit.t_upper), told());
    if !OFFSETS.contains(&name) {
        assert!(hit.t_upper - hit.t_lower <= 1e-12 * hit.t_upper && hit.within == 0.0, "{}", told());
    }
    assert!(hit.within <= noise, "{}", told());
    if hit.t_upper == 0.0 {
        assert_eq!(hit.normal, None, "{}", told());
        return;
    }
    let normal = hit.normal.expect("a normal");
    assert!(
        (normal.length() - 1.0).abs() < 1e-12 && normal.dot(ray.direction()) <= 1e-6 * speed,
        "{}",
        told()
    );
    // A little way out along the normal there is nothing, and more the farther.
    let place = ray.origin() + ray.direction() * hit.t_upper;
    let step = 1e-3 * size;
    let out = (known.outside)(back.apply(place + normal * step));
    assert!(out > 0.2 * step - noise, "{out:e} along {normal}: {}", told());
}

#[test]
fn brackets_hold_what_dense_samples_find_for_every_kind_at_every_scale() {
    let mut random = Random::new(11);
    for (size, offset) in [(1.0, 0.0), (1.0, 1e6), (2f64.powi(-20), 0.0), (2f64.powi(20), 0.0), (1.0, 3.0)] {
        for (name, known) in bodies(size) {
            let mut met = 0;
            // Distances from some curved bodies are searched for, point by point.
            let rounds = if OFFSETS.contains(&name) { 8 } else { 24 };
            for round in 0..rounds {
                let mut number = |low: f64, high: f64| random.range(low, high);
                let place = dvec3(number(-1.0, 1.0), number(-1.0, 1.0), number(-1.0, 1.0)) * offset;
                let angle = if round % 3 == 0 { 0.0 } else { number(0.1, 3.0) };
                let turn = random_direction(&mut random);
                let pose = Pose::from_axis_angle(turn, angle, place).expect("a pose");
                let aim = pose.apply(random_direction(&mut random) * random.range(0.0, 1.2) * size);
                let from = match round % 4 {
                    0 => place + random_direction(&mut random) * 0.3 * size,
                    1 => place + random_direction(&mut random) * 1e6 * size,
                    _ => place + random_direction(&mut random) * 3.0 * size,
                };
                let direction = match round % 5 {
                    0 => DVec3::AXES[round % 3] * size * if round % 2 == 0 { 1.0 } else { -1.0 },
                    _ => (aim - from) * random.range(0.1, 2.0),
                };
                let max_t = if round % 6 == 5 { 1.0 } else { f64::INFINITY };
                let ray = Ray::new(from, direction, max_t).expect("a ray");
                let hit = ray_cast_convex(&known.body, &pose, &ray).expect("within limits");
                check(name, &known, &pose, size, &ray, &hit);
                met += usize::from(hit.is_some());
            }
            assert!(met > rounds / 6, "{name} was met {met} times");
        }
    }
}

fn cast(shape: impl Into<Shape>, origin: DVec3, direction: DVec3) -> Option<[f64; 2]> {
    let body = Convex::try_from(&shape.into()).expect("convex");
    let ray = Ray::new(origin, direction, f64::INFINITY).expect("a ray");
    ray_cast_convex(&body, &Pose::IDENTITY, &ray)
        .expect("within limits")
        .map(|hit| [hit.t_lower, hit.t_upper])
}

#[test]
fn grazing_rays_are_told_from_those_one_unit_in_the_last_place_beside() {
    let [above, below] = [1f64.next_up(), 1f64.next_down()];
    let sphere = || primitive(Sphere::new(1.0).expect("a size"));
    let from = |y: f64| dvec3(-4.0, y, 0.0);
    assert_eq!(cast(sphere(), from(1.0), DVec3::X), Some([4.0, 4.0]));
    assert_eq!(cast(sphere(), from(above), DVec3::X), None);
    assert!(cast(sphere(), from(below), DVec3::X).is_some_and(|t| t[1] < 4.0));
    // Along the side of a capsule, which begins where its round end does.
    let capsule = || primitive(Capsule::new(2.0, 1.0).expect("sizes"));
    assert_eq!(cast(capsule(), dvec3(0.0, 1.0, -5.0), DVec3::Z), Some([4.0, 4.0]));
    assert_eq!(cast(capsule(), dvec3(0.0, above, -5.0), DVec3::Z), None);
    let cylinder = || primitive(Cylinder::new(2.0, 1.0).expect("sizes"));
    assert_eq!(cast(cylinder(), dvec3(0.0, 1.0, -5.0), DVec3::Z), Some([4.0, 4.0]), "along its side");
    assert_eq!(cast(cylinder(), dvec3(0.0, above, -5.0), DVec3::Z), None);
    assert_eq!(cast(cylinder(), dvec3(-5.0, 0.0, 1.0), DVec3::X), Some([4.0, 4.0]), "along its end");
    assert_eq!(cast(cylinder(), dvec3(-5.0, 0.0, above), DVec3::X), None);
    assert_eq!(cast(cylinder(), dvec3(-5.0, 1.0, 1.0), DVec3::X), Some([5.0, 5.0]), "a point of its rim");
    let cone = || primitive(Cone::new(2.0, 1.0).expect("sizes"));
    assert_eq!(cast(cone(), dvec3(-3.0, 0.0, 1.0), DVec3::X), Some([3.0, 3.0]), "the apex");
    assert_eq!(cast(cone(), dvec3(-3.0, 0.0, above), DVec3::X), None);
    assert_eq!(
        cast(cone(), dvec3(-0.5, 0.0, 2.0), dvec3(0.5, 0.0, -1.0)),
        Some([1.0, 1.0]),
        "a line of its side"
    );
    assert_eq!(cast(cone(), dvec3((-0.5f64).next_up(), 0.0, 2.0), dvec3(0.5, 0.0, -1.0)), None);
    assert_eq!(
        cast(cone(), dvec3(0.0, 0.0, 9.0), -DVec3::Z),
        Some([8.0, 8.0]),
        "along its axis, not the cone above it"
    );
    assert_eq!(cast(cone(), dvec3(0.25, 0.0, 9.0), -DVec3::Z), Some([8.5, 8.5]));
    assert_eq!(cast(cone(), dvec3(0.25, 0.0, -9.0), DVec3::Z), Some([8.0, 8.0]), "its base");
    let egg = || primitive(Ellipsoid::new(dvec3(1.0, 0.5, 0.25)).expect("sizes"));
    assert_eq!(cast(egg(), dvec3(0.0, -5.0, 0.25), DVec3::Y), Some([5.0, 5.0]));
    assert_eq!(cast(egg(), dvec3(0.0, -5.0, 0.25f64.next_up()), DVec3::Y), None);
    let die = || rounded(primitive(Cuboid::new(DVec3::splat(2.0)).expect("a size")), 1.0);
    assert_eq!(
        cast(die(), dvec3(-9.0, 0.0, 2.0), DVec3::X),
        Some([8.0, 8.0]),
        "its face, where an edge's round begins"
    );
    assert_eq!(cast(die(), dvec3(-9.0, 0.0, 2f64.next_up()), DVec3::X), None);
    assert_eq!(cast(die(), dvec3(-9.0, 2.0, 2f64.next_down()), DVec3::X), None);
}

#[test]
fn half_spaces_and_planes_are_met_where_they_are() {
    let floor = || primitive(HalfSpace::new(DVec3::Z * 2.0, 3.0).expect("a normal"));
    let sheet = || primitive(Plane::new(DVec3::Z * 2.0, 3.0).expect("a normal"));
    let (high, down) = (dvec3(7.0, 0.0, 4.0), dvec3(3.0, 0.0, -0.5));
    assert_eq!(cast(floor(), high, down), Some([5.0, 5.0]));
    assert_eq!(cast(floor(), high, DVec3::X), None, "along it");
    assert_eq!(cast(floor(), high, DVec3::Z), None, "away");
    assert_eq!(cast(floor(), dvec3(0.0, 0.0, 1.5), DVec3::X), Some([0.0, 0.0]), "in its boundary");
    assert_eq!(cast(floor(), dvec3(0.0, 0.0, 1.5f64.next_up()), DVec3::X), None);
    assert_eq!(cast(sheet(), high, down), Some([5.0, 5.0]));
    assert_eq!(cast(sheet(), dvec3(0.0, 0.0, 1.0), DVec3::Z), Some([0.5, 0.5]), "from below");
    assert_eq!(cast(sheet(), dvec3(0.0, 0.0, 1.0), -DVec3::Z), None);
    assert_eq!(cast(rounded(sheet(), 0.5), dvec3(0.0, 0.0, 3.0), -DVec3::Z), Some([1.0, 1.0]));
    assert_eq!(cast(rounded(floor(), 0.5), dvec3(0.0, 0.0, 3.0), -DVec3::Z), Some([1.0, 1.0]));
    assert_eq!(cast(rounded(floor(), 0.5), dvec3(0.0, 0.0, -3.0), -DVec3::Z), Some([0.0, 0.0]));
}

#[test]
fn the_end_of_a_ray_counts_and_rays_that_start_inside_say_so() {
    for (name, known) in bodies(1.0) {
        let inside = if name.ends_with("plane") { dvec3(0.0, 0.0, 0.5) } else { dvec3(0.05, 0.1, 0.05) };
        let ray = |max_t: f64| Ray::new(inside, dvec3(1.0, 2.0, 4.0), max_t).expect("a ray");
        for max_t in [0.0, f64::INFINITY] {
            let hit = ray_cast_convex(&known.body, &Pose::IDENTITY, &ray(max_t))
                .expect("within limits")
                .expect(name);
            assert_eq!((hit.t_lower, hit.t_upper, hit.normal), (0.0, 0.0, None), "{name}");
        }
    }
    let sphere =
        Convex::try_from(&Shape::from(primitive(Sphere::new(1.0).expect("a size")))).expect("convex");
    let until = |max_t: f64| {
        let ray = Ray::new(-3.0 * DVec3::X, DVec3::X, max_t).expect("a ray");
        ray_cast_convex(&sphere, &Pose::IDENTITY, &ray).expect("within limits")
    };
    assert!(until(2.0).is_some() && until(2f64.next_down()).is_none());
}

/// The quadratic of a sphere in rational numbers: brackets hold its root, and a miss has none.
#[test]
fn brackets_of_spheres_hold_the_exact_root() {
    let exact = |x: f64| RBig::try_from(x).expect("finite");
    let mut random = Random::new(3);
    let (mut met, mut missed) = (0, 0);
    for round in 0..400 {
        let size = 2f64.powi([0, -20, 20, -300][round % 4]);
        let far = [1.0, 1e6, 1e12][round % 3];
        let sphere = Shape::from(primitive(Sphere::new(size).expect("a size")));
        let sphere = Convex::try_from(&sphere).expect("convex");
        let place = random_direction(&mut random) * far * size;
        let pose = Pose::from_translation(place).expect("a pose");
        let mut across = random_direction(&mut random);
        let from = place + across * 3.0 * far * size;
        across = across.any_orthonormal_vector();
        // Past the middle by nearly the radius.
        let miss = size * (1.0 + 2f64.powi(-(round as i32 % 60)) * [1.0, -1.0][round / 4 % 2]);
        let direction = place + across * miss - from;
        let ray = Ray::new(from, direction, f64::INFINITY).expect("a ray");
        let hit = ray_cast_convex(&sphere, &pose, &ray).expect("within limits");
        let (d, w): (Vec<RBig>, Vec<RBig>) =
            (0..3).map(|i| (exact(direction[i]), exact(from[i]) - exact(place[i]))).unzip();
        let dot = |u: &[RBig], v: &[RBig]| (0..3).fold(RBig::ZERO, |sum, i| sum + &u[i] * &v[i]);
        let (a, b, c) = (dot(&d, &d), dot(&d, &w), dot(&w, &w) - exact(size) * exact(size));
        let at = |t: f64| &a * exact(t) * exact(t) + RBig::from(2) * &b * exact(t) + &c;
        let has_root = &b * &b >= &a * &c && (b < RBig::ZERO || c <= RBig::ZERO);
        assert_eq!(hit.is_some(), has_root, "{ray:?} {place}");
        let Some(hit) = hit else {
            missed += 1;
            continue;
        };
        met += 1;
        let vertex = -&b / &a;
        assert!(at(hit.t_lower) >= RBig::ZERO && exact(hit.t_lower) <= vertex, "{hit:?}");
        assert!(at(hit.t_upper) <= RBig::ZERO || exact(hit.t_upper) >= vertex, "{hit:?}");
        assert!(hit.t_upper - hit.t_lower <= 1e-12 * hit.t_upper, "{hit:?}");
    }
    assert!(met > 100 && missed > 100, "{met} {missed}");
}

/// These have no pieces with exact roots: what is clear is proved, what grazes within rounding says how close it comes.
#[test]
fn curved_bodies_with_a_ball_around_them_are_met_or_say_how_close_the_ray_comes() {
    let round = || primitive(Cylinder::new(1.5, 0.5).expect("sizes"));
    let body = Convex::try_from(&rounded(round(), 0.25)).expect("convex");
    let cast = |from: DVec3, direction: DVec3| {
        let ray = Ray::new(from, direction, f64::INFINITY).expect("a ray");
        ray_cast_convex(&body, &Pose::IDENTITY, &ray).expect("within limits")
    };
    for (from, direction, want) in [
        (dvec3(-5.0, 0.0, 0.25), DVec3::X, 4.25),
        (dvec3(0.25, 0.0, 9.0), -DVec3::Z * 0.5, 16.0),
        (dvec3(-5.0, 0.0, 0.75), DVec3::X * 0.25, 17.0),
        (dvec3(-1e6, 0.0, 0.0), DVec3::X, 1e6 - 0.75),
    ] {
        let hit = cast(from, direction).expect("it is aimed at it");
        assert!(hit.t_lower <= want && want <= hit.t_upper && hit.within == 0.0, "{hit:?}");
        assert!(hit.t_upper - hit.t_lower <= 1e-12 * hit.t_upper, "{hit:?}");
    }
    let beside = |height: f64| cast(dvec3(-5.0, height, 0.0), DVec3::X);
    assert!(beside(0.75 - 1e-9).is_some_and(|hit| hit.within == 0.0 && hit.t_upper < 5.0));
    assert_eq!(beside(0.75 + 1e-9), None);
    let grazing = beside(0.75).expect("nobody can prove that it misses");
    assert!(grazing.within < 1e-12 && grazing.t_lower <= 5.0, "{grazing:?}");
}
