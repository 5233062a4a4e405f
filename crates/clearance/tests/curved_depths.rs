//! Depths of curved bodies in poses where many ways out are equally short, or nearly.

use clearance::Pose;
use clearance::glam::{DMat3, DQuat, DVec3};
use clearance::math::Random;
use clearance::pair::{Bracket, Convex, ConvexRelation, relate};
use clearance::shape::sample::{disc, random_direction};
use clearance::shape::{
    Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Point, Polytope, Primitive, Segment, Shape, Sphere,
};

fn primitive(body: impl Into<Primitive>) -> Convex {
    Convex::try_from(&Shape::from(body.into())).expect("a convex body")
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z)).expect("a pose")
}

fn depth(a: &Convex, b: &Convex, pose: &Pose) -> Bracket {
    let forth = relate(a, &Pose::IDENTITY, b, pose).expect("within limits");
    let back = relate(b, pose, a, &Pose::IDENTITY).expect("within limits");
    let (forth, back) = (forth.depth.expect("an overlap"), back.depth.expect("an overlap"));
    assert!(forth.lower <= back.upper && back.lower <= forth.upper, "{forth:?} {back:?}");
    forth
}

fn width(found: Bracket) -> f64 {
    (found.upper - found.lower) / found.upper
}

/// Closed forms, with as many shortest ways out as a circle or a sphere has points.
#[test]
fn depths_with_a_circle_of_shortest_ways_are_as_narrow_as_others() {
    let cone = primitive(Cone::new(2.0, 1.0).expect("sizes"));
    let ball = primitive(Ellipsoid::new(DVec3::ONE).expect("sizes"));
    let long = primitive(Ellipsoid::new(DVec3::new(1e3, 1e6, 1e3)).expect("sizes"));
    let can = primitive(Cylinder::new(10.0, 1.0).expect("sizes"));
    let rod = primitive(Cylinder::new(30.0, 0.2).expect("sizes"));
    let point = primitive(Point::new(DVec3::ZERO).expect("a place"));
    let line = primitive(Segment::new(DVec3::NEG_Z, DVec3::Z).expect("two ends"));
    let capsule = primitive(Capsule::new(2.0, 0.25).expect("sizes"));
    let sphere = primitive(Sphere::new(0.5).expect("a radius"));
    let slope = 0.2f64.sqrt();
    let cases = [
        (&cone, &point, at(0.0, 0.0, 0.5), 0.5 * slope),
        (&cone, &point, at(0.125, 0.0, 0.5), 0.25 * slope),
        (&cone, &point, at(0.0, 1e-6, 0.5), (0.5 - 2e-6) * slope),
        (&cone, &sphere, at(0.0, 0.0, 0.5), 0.5 * slope + 0.5),
        (&ball, &point, at(0.0, 0.0, 0.0), 1.0),
        (&ball, &point, at(0.25, 0.5, 0.0), 1.0 - 0.3125f64.sqrt()),
        (&ball, &ball, at(0.0, 0.0, 0.0), 2.0),
        (&ball, &sphere, at(1e-6, 0.0, 0.0), 1.5 - 1e-6),
        (&can, &rod, at(0.0, 0.0, 0.0), 1.2),
        (&can, &rod, at(1e-6, 0.0, 0.0), 1.2 - 1e-6),
        (&can, &rod, at(0.375, 0.5, 1.0), 1.2 - 0.625),
        (&can, &line, at(0.25, 0.0, 0.5), 0.75),
        (&can, &capsule, at(0.25, 0.0, 0.5), 1.0),
        (&can, &ball, at(0.25, 0.0, 0.5), 1.75),
        (&long, &point, at(0.0, 0.0, 0.0), 1e3),
        // In the middle of a long round body the way straight out is the shortest but for a part of `1e-6`.
        (&long, &point, at(5e2, 0.0, 0.0), 5e2),
    ];
    for (i, (a, b, pose, truth)) in cases.into_iter().enumerate() {
        let found = depth(a, b, &pose);
        let slack = 1e-15 * truth;
        assert!(found.lower <= truth + slack && truth - slack <= found.upper, "case {i}: {truth} {found:?}");
        assert!(width(found) <= 1e-9, "case {i}: {truth} {found:?}");
    }
}

/// How far a body reaches along a direction of its own frame.
type Extent = Box<dyn Fn(DVec3) -> f64>;

struct Animal {
    name: &'static str,
    body: Convex,
    extent: Extent,
}

fn tame(name: &'static str, body: impl Into<Primitive>) -> Animal {
    let body = body.into();
    Animal { name, body: primitive(body), extent: Box::new(move |d| body.extent(d)) }
}

fn hull(name: &'static str, polytope: Polytope) -> Animal {
    let body = Convex::from_polytope(polytope.clone());
    let extent = move |d: DVec3| polytope.vertices().iter().map(|v| v.dot(d)).fold(f64::MIN, f64::max);
    Animal { name, body, extent: Box::new(extent) }
}

fn zoo() -> Vec<Animal> {
    let ellipsoid = |x, y, z| Ellipsoid::new(DVec3::new(x, y, z)).expect("sizes");
    let corners =
        [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]].map(DVec3::from_array);
    vec![
        tame("cone", Cone::new(2.0, 1.0).expect("sizes")),
        tame("cylinder", Cylinder::new(2.0, 1.0).expect("sizes")),
        tame("ball", ellipsoid(1.0, 1.0, 1.0)),
        tame("spheroid", ellipsoid(1.0, 2.0, 1.0)),
        tame("ellipsoid", ellipsoid(1.0, 2.0, 3.0)),
        tame("lens", ellipsoid(1.0, 1.0, 0.125)),
        tame("cube", Cuboid::new(DVec3::ONE).expect("sizes")),
        tame("sphere", Sphere::new(0.5).expect("a radius")),
        tame("capsule", Capsule::new(2.0, 0.25).expect("sizes")),
        tame("point", Point::new(DVec3::ZERO).expect("a place")),
        hull("prism", disc(12, 1.0, 1.0).expect("a prism")),
        hull("round prism", disc(64, 1.0, 1.0).expect("a prism")),
        hull("tetrahedron", Polytope::hull(&corners).expect("a hull")),
    ]
}

/// Axes that are parallel, across, inclined, and nearly parallel; centres that meet, nearly meet, or are apart.
fn poses() -> Vec<(Pose, bool)> {
    let half = std::f64::consts::FRAC_PI_4;
    let turns = [
        (DVec3::Z, 0.0, false),
        (DVec3::X, 2.0 * half, false),
        (DVec3::Y, half, false),
        (DVec3::X, 1e-6, true),
        (DVec3::Y, 1e-3, true),
        (DVec3::ONE, 1.0, false),
    ];
    let shifts = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.5], [0.25, 0.0, 0.0], [1e-6, 0.0, 0.0], [0.25, 0.125, 0.5]];
    let pose = |axis: DVec3, angle: f64, shift| {
        let turn = DMat3::from_quat(DQuat::from_axis_angle(axis.normalize(), angle));
        Pose::new(turn, DVec3::from_array(shift)).expect("a pose")
    };
    turns
        .into_iter()
        .flat_map(|(axis, angle, nearly)| shifts.map(|shift| (pose(axis, angle, shift), nearly)))
        .collect()
}

/// The least height that a search without proof finds, from many directions and from one.
fn least_height(height: impl Fn(DVec3) -> f64, near: DVec3, random: &mut Random) -> f64 {
    let mut best = (height(near), near);
    let look = |direction: DVec3, best: &mut (f64, DVec3)| {
        let found = height(direction);
        if found < best.0 {
            *best = (found, direction);
        }
    };
    (0..100).for_each(|_| look(random_direction(random), &mut best));
    for round in 0..120 {
        let step = random_direction(random) * 0.5f64.powi(round / 4);
        look((best.1 + step).normalize(), &mut best);
    }
    best.0
}

/// What `pair::relate` states of widths; of no pair a direction that shows a smaller depth.
#[test]
fn symmetric_poses_leave_no_wide_brackets() {
    let zoo = zoo();
    let (mut count, mut wide, mut worst, mut worst_beside) = (0, [0; 4], 0f64, 0f64);
    let mut random = Random::new(1);
    for (number, a) in zoo[..6].iter().enumerate() {
        for b in &zoo[number..] {
            for (pose, is_nearly_parallel) in poses() {
                let answer = relate(&a.body, &Pose::IDENTITY, &b.body, &pose).expect("within limits");
                let (Some(found), Some(normal)) = (answer.depth, answer.normal) else { continue };
                if matches!(answer.relation, ConvexRelation::TouchingWithin { .. }) {
                    continue;
                }
                let context = format!("{} and {} at {pose:?}: {found:?}", a.name, b.name);
                let turned = |d: DVec3| pose.rotation().transpose() * d;
                let height = |d: DVec3| (a.extent)(d) + (b.extent)(turned(-d)) - d.dot(pose.translation());
                let shown = least_height(height, normal, &mut random);
                assert!(found.lower <= shown * (1.0 + 1e-14), "{context}, but {shown}");
                let [p, q] = answer.points.expect("bounded bodies");
                let beside = (p - q - normal * found.upper).length();
                let width = width(found);
                count += 1;
                let limits = [1e-9, 1e-8, 1e-6, 1e-3];
                limits.into_iter().enumerate().for_each(|(i, limit)| wide[i] += usize::from(width > limit));
                worst_beside = worst_beside.max(beside);
                assert!(width <= if is_nearly_parallel { 1e-5 } else { 1e-9 }, "{context}");
                worst = worst.max(width);
            }
        }
    }
    println!(
        "{count} overlaps, wider than 1e-9, 1e-8, 1e-6, 1e-3: {wide:?}, worst {worst:e}; points beside each other: {worst_beside:e}"
    );
    assert!(wide[0] * 50 < count, "{wide:?} of {count}");
}
