//! Rounded bodies, half-spaces and planes against bodies whose answer is known in another way.

use clearance::{
    Pose,
    glam::{DQuat, DVec3},
    math::Random,
    oracle::cases::{Family, nudge},
    pair::{Convex, ConvexAnswer, ConvexError, ConvexRelation, Relation, distance, relate, relation},
    shape::{
        Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Mesh, MeshConfig, Plane, Polytope, Primitive,
        Rounded, Segment, Shape, Sphere, Triangle, sample,
    },
    support::SupportMap,
};

fn convex(shape: impl Into<Shape>) -> Convex {
    Convex::try_from(&shape.into()).unwrap()
}

fn primitive(body: impl Into<Primitive>) -> Convex {
    convex(body.into())
}

fn ball(radius: f64) -> Convex {
    primitive(Sphere::new(radius).unwrap())
}

fn moved(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z)).unwrap()
}

fn cases() -> u64 {
    let multiplier = std::env::var("CLEARANCE_CASES").ok().and_then(|text| text.parse().ok());
    1000 * multiplier.unwrap_or(1u64)
}

fn exact(answer: &ConvexAnswer) -> Option<Relation> {
    match answer.relation {
        ConvexRelation::Exact(relation) => Some(relation),
        ConvexRelation::TouchingWithin { .. } => None,
    }
}

/// What must hold of every answer.
fn assert_consistent(answer: &ConvexAnswer) {
    let (distance, depth) = (answer.distance, answer.depth);
    assert!(0.0 <= distance.lower && distance.lower <= distance.upper, "{answer:?}");
    assert!(depth.is_none_or(|depth| 0.0 <= depth.lower && depth.lower <= depth.upper), "{answer:?}");
    match answer.relation {
        ConvexRelation::Exact(Relation::Disjoint) => assert!(distance.upper > 0.0 && depth.is_none()),
        ConvexRelation::Exact(Relation::Touching) => assert!(distance.upper == 0.0 && depth.is_none()),
        ConvexRelation::Exact(Relation::Overlapping) => assert_eq!(distance.upper, 0.0),
        ConvexRelation::TouchingWithin { width } => {
            assert!(distance.lower == 0.0 && distance.upper <= width && width > 0.0, "{answer:?}");
        }
    }
}

/// Both orders give the same but for the sides.
fn relate_both(a: &Convex, pose_a: &Pose, b: &Convex, pose_b: &Pose) -> ConvexAnswer {
    let (forth, back) = (relate(a, pose_a, b, pose_b).unwrap(), relate(b, pose_b, a, pose_a).unwrap());
    assert_consistent(&forth);
    assert_consistent(&back);
    assert_eq!(forth.relation, back.relation);
    let apart = |p: f64, q: f64| (p - q).abs() <= 1e-9 * p.abs().max(q.abs());
    assert!(apart(forth.distance.upper, back.distance.upper), "{forth:?}\n{back:?}");
    forth
}

/// Centres on a diagonal, apart by the root of `3 x^2`: an irrational number next to the sum of the radii.
#[test]
fn balls_are_decided_and_measured_however_close_they_are() {
    let (one, still) = (ball(1.0), Pose::IDENTITY);
    let nearest = 1.154_700_538_379_251_5_f64;
    let around = (-4..=4).map(|steps| nudge(nearest, steps)).chain([1.154_700_538_4, 1.154_7, 1.154_701]);
    for x in around {
        let answer = relate_both(&one, &still, &one, &moved(x, x, x));
        // x = m / 2^52, so 3 x^2 - 4 has the sign of 3 m^2 - 2^106.
        let square = 3 * u128::from((x * 2f64.powi(52)) as u64).pow(2);
        let (is_apart, rest) = (square > 1 << 106, square.abs_diff(1 << 106) as f64 * 2f64.powi(-104));
        let expected = if is_apart { Relation::Disjoint } else { Relation::Overlapping };
        assert_eq!(exact(&answer), Some(expected), "{x}");
        let found = answer.depth.unwrap_or(answer.distance);
        // |sqrt(s) - 2| = |s - 4| / (sqrt(s) + 2).
        let truth = rest / (3f64.sqrt() * x + 2.0);
        assert!(found.upper - found.lower <= 1e-15 * truth, "{x} {found:?}");
        assert!((found.upper - truth).abs() <= 1e-14 * truth, "{x} {found:?} {truth}");
    }
}

#[test]
fn balls_touch_exactly_where_the_numbers_say_so() {
    // 3-4-5: the centres are exactly 5 apart.
    let cases = [
        (2.0, 3.0, Relation::Touching),
        (2.0, 3.0f64.next_down(), Relation::Disjoint),
        (2.0, 3.0f64.next_up(), Relation::Overlapping),
        (1e-100, 5.0, Relation::Overlapping),
    ];
    for scale in [2f64.powi(-20), 1.0, 2f64.powi(20), 2f64.powi(200)] {
        for (radius_a, radius_b, expected) in cases {
            let away = moved(0.0, 3.0 * scale, 4.0 * scale);
            let answer =
                relate_both(&ball(scale * radius_a), &Pose::IDENTITY, &ball(scale * radius_b), &away);
            assert_eq!(exact(&answer), Some(expected), "{radius_a} {radius_b} at {scale}");
        }
    }
}

/// Oracle: the distance of two centres, squared, with small integers it is exact.
#[test]
fn balls_at_small_integers_are_right() {
    let mut random = Random::new(11);
    let mut seen = [0; 3];
    for _ in 0..cases() {
        let mut integer = |limit: u64| random.below(limit) as f64;
        let place = DVec3::new(integer(7), integer(7), integer(7));
        let (radius_a, radius_b) = (0.5 + 0.5 * integer(8), 0.5 + 0.5 * integer(8));
        let (square, sum) = (place.length_squared(), radius_a + radius_b);
        let pose = moved(place.x, place.y, place.z);
        let answer = relate_both(&ball(radius_a), &Pose::IDENTITY, &ball(radius_b), &pose);
        let expected = match (sum * sum).total_cmp(&square) {
            std::cmp::Ordering::Less => Relation::Disjoint,
            std::cmp::Ordering::Equal => Relation::Touching,
            std::cmp::Ordering::Greater => Relation::Overlapping,
        };
        assert_eq!(exact(&answer), Some(expected), "{place} {radius_a} {radius_b}");
        seen[expected as usize] += 1;
        let gap = square.sqrt() - sum;
        let close = |bracket: clearance::pair::Bracket, truth: f64| {
            let slack = 4.0 * f64::EPSILON * (square.sqrt() + sum);
            assert!(bracket.lower <= truth + slack && truth - slack <= bracket.upper, "{bracket:?} {truth}");
            assert!(bracket.upper - bracket.lower <= 1e-11 * (1.0 + sum));
        };
        match answer.depth {
            Some(depth) => close(depth, -gap),
            None => close(answer.distance, gap),
        }
    }
    assert!(seen.iter().all(|&count| count > 5), "{seen:?}");
}

/// Oracle: a capsule is the hull of its two balls, so along its segment the distance is known.
#[test]
fn capsules_and_rounded_boxes_measure_from_their_cores() {
    let capsule = primitive(Capsule::new(4.0, 0.5).unwrap());
    let answer = relate_both(&capsule, &Pose::IDENTITY, &capsule, &moved(3.0, 0.0, 1.0));
    assert_eq!(exact(&answer), Some(Relation::Disjoint));
    assert!(answer.distance.lower <= 2.0 && 2.0 <= answer.distance.upper);
    let core = Primitive::from(Cuboid::new(DVec3::splat(2.0)).unwrap());
    let die = convex(Rounded::new(core, 0.25).unwrap());
    let turned =
        Pose::from_quaternion(DQuat::from_xyzw(0.0, 0.0, 1.0, 1.0), DVec3::new(2.5, 0.0, 0.0)).unwrap();
    let answer = relate_both(&die, &Pose::IDENTITY, &die, &turned);
    assert!(exact(&answer).is_none_or(|found| found == Relation::Touching), "{answer:?}");
    let answer = relate_both(&die, &Pose::IDENTITY, &die, &moved(1.0, 0.0, 0.0));
    let depth = answer.depth.unwrap();
    assert!(depth.lower <= 1.5 && 1.5 <= depth.upper && depth.upper - depth.lower < 1e-8, "{depth:?}");
    let rounded_ball = convex(Rounded::new(Primitive::from(Sphere::new(1.0).unwrap()), 0.5).unwrap());
    let answer = relate_both(&rounded_ball, &Pose::IDENTITY, &ball(1.5), &moved(0.0, 3.0, 0.0));
    assert_eq!(exact(&answer), Some(Relation::Touching));
}

#[test]
fn polytopes_are_related_as_polytopes_are() {
    let mut random = Random::new(5);
    for case in 0..cases() / 4 {
        let family = [Family::Uniform, Family::SmallIntegers, Family::Ulps][case as usize % 3];
        let body = |random: &mut Random| {
            let points: Vec<DVec3> = (0..1 + random.below(8)).map(|_| family.point(random)).collect();
            Polytope::hull(&points).unwrap()
        };
        let (a, b) = (body(&mut random), body(&mut random));
        let (pose_a, pose_b) = (family.pose(&mut random), family.pose(&mut random));
        let expected = relation(&SupportMap::new(a.clone()), &pose_a, &SupportMap::new(b.clone()), &pose_b);
        let answer = relate_both(&convex(a), &pose_a, &convex(b), &pose_b);
        assert_eq!(exact(&answer), Some(expected));
        assert!(answer.witness.is_some());
        assert!(answer.depth.is_some() == (expected == Relation::Overlapping));
    }
}

/// A half-space and a pyramid below the same plane: near the middle of the base they are the same body.
struct Wedge {
    half_space: Convex,
    plane: Convex,
    pyramid: SupportMap,
    middle: DVec3,
    normal: DVec3,
}

impl Wedge {
    /// With integers of few bits, so that every number is exact.
    fn new(random: &mut Random) -> Wedge {
        let mut integers = || DVec3::from_array(std::array::from_fn(|_| random.below(9) as f64 - 4.0));
        loop {
            let (u, v, middle) = (integers(), integers(), integers());
            let normal = u.cross(v);
            if normal == DVec3::ZERO {
                continue;
            }
            let base = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
            let mut points: Vec<DVec3> =
                base.iter().map(|[x, y]| middle + 1048576.0 * (*x * u + *y * v)).collect();
            points.push(middle - 1048576.0 * normal);
            let offset = normal.dot(middle);
            return Wedge {
                half_space: primitive(HalfSpace::new(normal, offset).unwrap()),
                plane: primitive(Plane::new(normal, offset).unwrap()),
                pyramid: SupportMap::new(Polytope::hull(&points).unwrap()),
                middle,
                normal,
            };
        }
    }
}

/// Oracle: the exact relation and the proved distance of polytopes.
#[test]
fn half_spaces_are_pyramids_without_end() {
    let mut random = Random::new(23);
    let mut seen = [0; 3];
    for case in 0..cases() {
        let wedge = Wedge::new(&mut random);
        let family = [Family::SmallIntegers, Family::Uniform, Family::Ulps][case as usize % 3];
        let mut points: Vec<DVec3> =
            (0..1 + random.below(6)).map(|_| wedge.middle + family.point(&mut random)).collect();
        if random.below(2) == 0 {
            // Lifted until the lowest point is in the plane, or one unit in the last place from it.
            let lowest =
                points.iter().map(|p| wedge.normal.dot(*p - wedge.middle)).fold(f64::INFINITY, f64::min);
            let lift = wedge.normal * (-lowest / wedge.normal.length_squared());
            let ulps = random.below(3) as i64 - 1;
            points.iter_mut().for_each(|p| p.z = nudge(p.z + lift.z, ulps));
            points.iter_mut().for_each(|p| (p.x, p.y) = (p.x + lift.x, p.y + lift.y));
        }
        let body = Polytope::hull(&points).unwrap();
        let map = SupportMap::new(body.clone());
        let pose = Family::Uniform.pose(&mut random);
        let expected = relation(&wedge.pyramid, &pose, &map, &pose);
        let answer = relate_both(&wedge.half_space, &pose, &convex(body.clone()), &pose);
        assert_eq!(exact(&answer), Some(expected), "case {case}: {points:?}");
        seen[expected as usize] += 1;
        let known = distance(&wedge.pyramid, &pose, &map, &pose);
        let found = answer.distance;
        assert!(found.lower <= known.upper && known.lower <= found.upper, "case {case}: {found:?} {known:?}");
        assert!(
            found.upper - found.lower <= 1e-14 * found.upper + f64::from_bits(1),
            "case {case}: {found:?} {known:?}"
        );
        let to_plane = relate_both(&wedge.plane, &pose, &convex(body), &pose);
        if expected != Relation::Overlapping {
            assert_eq!((to_plane.relation, to_plane.distance), (answer.relation, answer.distance));
        }
    }
    assert!(seen.iter().all(|&count| count > cases() / 50), "{seen:?}");
}

#[test]
fn balls_rest_on_floors_exactly() {
    let floor = primitive(HalfSpace::new(DVec3::new(0.0, 3.0, 4.0), 10.0).unwrap());
    let sheet = primitive(Plane::new(DVec3::new(0.0, 3.0, 4.0), 10.0).unwrap());
    // The floor is 2 above the origin along (0, 0.6, 0.8); a ball at (0, 3, 4), 5 along it, is 3 above.
    for (radius, expected) in [
        (3.0, Relation::Touching),
        (3.0f64.next_down(), Relation::Disjoint),
        (3.0f64.next_up(), Relation::Overlapping),
    ] {
        let answer = relate_both(&floor, &Pose::IDENTITY, &ball(radius), &moved(7.0, 3.0, 4.0));
        assert_eq!(exact(&answer), Some(expected), "{radius}");
        let answer = relate_both(&sheet, &Pose::IDENTITY, &ball(radius), &moved(7.0, 3.0, 4.0));
        assert_eq!(exact(&answer), Some(expected), "{radius}");
    }
    let sunk = relate_both(&floor, &Pose::IDENTITY, &ball(3.0), &Pose::IDENTITY);
    assert_eq!(sunk.depth.map(|depth| (depth.lower, depth.upper)), Some((5.0, 5.0)));
    // From a plane the shorter way out counts: the centre is 2 below.
    let cut = relate_both(&sheet, &Pose::IDENTITY, &ball(3.0), &Pose::IDENTITY);
    assert_eq!(cut.depth.map(|depth| (depth.lower, depth.upper)), Some((1.0, 1.0)));
}

#[test]
fn flat_bodies_in_a_plane_touch_it() {
    let plane = primitive(Plane::new(DVec3::Z, 1.0).unwrap());
    let flat = primitive(
        Triangle::new(DVec3::new(0.0, 0.0, 1.0), DVec3::new(3.0, 0.0, 1.0), DVec3::new(0.0, 4.0, 1.0))
            .unwrap(),
    );
    let pin = primitive(Segment::new(DVec3::ZERO, DVec3::new(0.0, 0.0, 2.0)).unwrap());
    let standing = primitive(Segment::new(DVec3::Z, DVec3::new(0.0, 0.0, 2.0)).unwrap());
    for (body, expected) in
        [(&flat, Relation::Touching), (&pin, Relation::Overlapping), (&standing, Relation::Touching)]
    {
        let answer = relate_both(&plane, &Pose::IDENTITY, body, &Pose::IDENTITY);
        assert_eq!(exact(&answer), Some(expected));
    }
}

#[test]
fn unbounded_bodies_meet_unless_they_are_parallel() {
    let half = |z: f64, offset: f64| primitive(HalfSpace::new(DVec3::new(0.0, 0.0, z), offset).unwrap());
    let plane = |z: f64, offset: f64| primitive(Plane::new(DVec3::new(0.0, 0.0, z), offset).unwrap());
    let still = &Pose::IDENTITY;
    let tilted = &Pose::from_axis_angle(DVec3::X, 1e-9, DVec3::ZERO).unwrap();
    for (a, b, pose, expected, upper) in [
        (half(1.0, 0.0), half(-2.0, -6.0), still, Relation::Disjoint, 3.0),
        (half(1.0, 3.0), half(-2.0, -6.0), still, Relation::Touching, 0.0),
        (half(1.0, 4.0), half(-2.0, -6.0), still, Relation::Overlapping, 0.0),
        (half(1.0, 0.0), half(2.0, -6.0), still, Relation::Overlapping, 0.0),
        (half(1.0, 0.0), half(-2.0, -6.0), tilted, Relation::Overlapping, 0.0),
        (plane(1.0, 0.0), plane(-2.0, -6.0), still, Relation::Disjoint, 3.0),
        (plane(1.0, 3.0), plane(-2.0, -6.0), still, Relation::Touching, 0.0),
        (plane(1.0, 3.0), plane(-2.0, -6.0), tilted, Relation::Overlapping, 0.0),
        (half(1.0, 0.0), plane(1.0, 2.0), still, Relation::Disjoint, 2.0),
        (half(1.0, 0.0), plane(-1.0, 0.0), still, Relation::Touching, 0.0),
        (half(1.0, 0.0), plane(1.0, -2.0), still, Relation::Overlapping, 0.0),
    ] {
        let answer = relate_both(&a, still, &b, pose);
        assert_eq!(exact(&answer), Some(expected), "{a:?} {b:?}");
        assert_eq!(answer.distance.upper, upper);
    }
    let deep = relate_both(&half(1.0, 4.0), still, &half(-2.0, -6.0), still).depth;
    assert_eq!(deep.map(|depth| (depth.lower, depth.upper)), Some((1.0, 1.0)));
    let thick = convex(Rounded::new(Primitive::from(Plane::new(DVec3::Z, 0.0).unwrap()), 0.5).unwrap());
    let answer = relate_both(&thick, still, &plane(1.0, 0.5), still);
    assert_eq!(exact(&answer), Some(Relation::Touching));
}

/// Oracle: numbers from school; that every sign is exact is compared with rational numbers in `oracle::curved`.
#[test]
fn curved_bodies_stand_on_floors_exactly() {
    let floor = primitive(HalfSpace::new(DVec3::new(0.0, 3.0, 4.0), 10.0).unwrap());
    let sheet = primitive(Plane::new(DVec3::new(0.0, 3.0, 4.0), 10.0).unwrap());
    // The floor is 2 above the origin along (0, 0.6, 0.8). A cylinder along z of height h and radius r reaches
    // 0.4 h + 0.6 r down along it, a cone 0.4 h from its apex or -0.4 h - 0.6 r from its rim, a ball its radius.
    let can = primitive(Cylinder::new(5.0, 5.0).unwrap());
    let hat = primitive(Cone::new(5.0, 5.0).unwrap());
    let ball = primitive(Ellipsoid::new(DVec3::splat(3.0)).unwrap());
    let core = Primitive::from(Ellipsoid::new(DVec3::splat(2.0)).unwrap());
    let thick = convex(Rounded::new(core, 1.0).unwrap());
    let along = |height: f64| moved(7.0, 0.6 * height, 0.8 * height);
    for (body, height, gap) in [
        (&can, 10.0, 3.0),
        (&can, 5.0, -2.0),
        (&hat, 10.0, 3.0),
        (&hat, -10.0, -17.0),
        (&ball, 5.0, 0.0),
        (&ball, 10.0, 5.0),
        (&thick, 5.0, 0.0),
        (&thick, 0.0, -5.0),
    ] {
        let answer = relate_both(&floor, &Pose::IDENTITY, body, &along(height));
        let found = answer.depth.map_or(answer.distance.upper, |depth| -depth.upper);
        assert!((found - gap).abs() < 1e-14, "{body:?} at {height}: {answer:?}");
        let [point, foot] = answer.points.unwrap();
        assert!(((point - foot).length() - gap.abs()).abs() < 1e-14, "{body:?} at {height}: {answer:?}");
        if gap == 0.0 {
            assert_eq!(exact(&answer), Some(Relation::Touching), "{body:?} at {height}");
        }
    }
    // Through a sheet the shorter way out counts, whichever side it is on.
    let cut = relate_both(&sheet, &Pose::IDENTITY, &can, &along(4.0));
    assert_eq!(exact(&cut), Some(Relation::Overlapping));
    assert!((cut.depth.unwrap().upper - 3.0).abs() < 1e-14 && cut.normal.unwrap().z > 0.0, "{cut:?}");
    let cut = relate_both(&sheet, &Pose::IDENTITY, &can, &along(0.0));
    assert!((cut.depth.unwrap().upper - 3.0).abs() < 1e-14 && cut.normal.unwrap().z < 0.0, "{cut:?}");
    let below = relate_both(&sheet, &Pose::IDENTITY, &can, &along(-6.0));
    assert!((below.distance.upper - 3.0).abs() < 1e-14 && below.normal.unwrap().z < 0.0, "{below:?}");
}

#[test]
fn the_largest_bodies_are_related() {
    let large = clearance::tolerance::COORDINATE_LIMIT;
    let core = Primitive::from(Cylinder::new(large, large).unwrap());
    let giant = convex(Rounded::new(core, large).unwrap());
    let answer = relate_both(&giant, &Pose::IDENTITY, &ball(1.0), &Pose::IDENTITY);
    assert!((answer.depth.unwrap().upper / large - 1.5).abs() < 1e-8, "{answer:?}");
    let floor = primitive(HalfSpace::new(DVec3::Z, 0.0).unwrap());
    let answer = relate_both(&giant, &Pose::IDENTITY, &floor, &Pose::IDENTITY);
    assert_eq!(answer.depth.map(|depth| depth.lower), Some(1.5 * large));
}

#[test]
fn meshes_that_are_not_convex_are_named() {
    let build = |soup| Mesh::build(&soup, &MeshConfig::default()).unwrap();
    let ring = build(sample::torus(2.0, 0.5, 12, 8).unwrap());
    assert_eq!(Convex::try_from(&Shape::from(ring)).unwrap_err(), ConvexError::NotConvex { kind: "solid" });
    assert!(Convex::try_from(&Shape::from(build(sample::cube(1.0).to_soup()))).is_ok());
}

/// Oracle: distances known from school, and inner and outer polytopes.
#[test]
fn cylinders_cones_and_ellipsoids_are_bracketed() {
    let can = primitive(Cylinder::new(2.0, 1.0).unwrap());
    let hat = primitive(Cone::new(2.0, 1.0).unwrap());
    let egg = primitive(Ellipsoid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap());
    let still = &Pose::IDENTITY;
    let diagonal = 0.5f64.sqrt();
    let cases = [
        (&can, &can, moved(3.0, 4.0, 0.0), 3.0f64),
        (&can, &can, moved(0.5, 0.2, 5.0), 3.0),
        (&can, &hat, moved(0.0, 0.0, 3.0), 1.0),
        (&hat, &can, moved(0.0, 0.0, 4.5), 2.5),
        (&egg, &egg, moved(0.0, 5.0, 0.0), 1.0),
        (&egg, &ball(0.5), moved(0.0, 0.0, 7.0), 3.5),
        (&egg, &primitive(Cuboid::new(DVec3::splat(2.0)).unwrap()), moved(4.0, 0.0, 0.0), 2.0),
        (&can, &can, moved(5.0 * diagonal, 5.0 * diagonal, 0.0), 3.0),
        (&can, &can, moved(0.0, 0.0, 1.25), -0.75),
        (&egg, &egg, moved(1.25, 0.0, 0.0), -0.75),
        (&egg, &ball(0.5), moved(1.25, 0.0, 0.0), -0.25),
    ];
    for (i, (a, b, pose, gap)) in cases.into_iter().enumerate() {
        let answer = relate_both(a, still, b, &pose);
        let expected = if gap > 0.0 { Relation::Disjoint } else { Relation::Overlapping };
        assert_eq!(exact(&answer), Some(expected), "case {i}: {answer:?}");
        let found = answer.depth.unwrap_or(answer.distance);
        let slack = 8.0 * f64::EPSILON;
        assert!(
            found.lower <= gap.abs() + slack && gap.abs() - slack <= found.upper,
            "case {i}: {found:?} {gap}"
        );
        assert!(found.upper - found.lower <= 1e-8, "case {i}: {found:?} {gap}");
    }
    let answer = relate_both(&can, still, &egg, &moved(2.0, 0.0, 0.0));
    assert!(
        matches!(answer.relation, ConvexRelation::TouchingWithin { width } if width < 1e-9),
        "{answer:?}"
    );
}

/// Concentric, tiny beside huge, far out, near contact: an answer that holds, in reasonable time.
#[test]
fn curved_bodies_end_at_every_size_and_place() {
    let can = |size: f64| primitive(Cylinder::new(2.0 * size, size).unwrap());
    let egg = |size: f64| primitive(Ellipsoid::new(DVec3::new(size, 2.0 * size, 3.0 * size)).unwrap());
    let still = &Pose::IDENTITY;
    for size in [2f64.powi(-200), 1.0, 2f64.powi(150)] {
        let concentric = relate_both(&can(size), still, &egg(size), still);
        assert_eq!(exact(&concentric), Some(Relation::Overlapping), "{size}");
        for step in [0.0, 1e-15, 1e-12, 1e-9, 1e-3] {
            for sign in [-1.0, 1.0] {
                let away = moved((2.0 + sign * step) * size, 0.0, 0.0);
                let answer = relate_both(&can(size), still, &egg(size), &away);
                if step > 1e-13 {
                    let expected = if sign > 0.0 { Relation::Disjoint } else { Relation::Overlapping };
                    assert_eq!(exact(&answer), Some(expected), "{size} {step} {sign}: {answer:?}");
                }
                let truth = step * size;
                let found = answer.depth.unwrap_or(answer.distance);
                let slack = 1e-13 * size;
                assert!(
                    found.lower <= truth + slack && truth <= found.upper + slack,
                    "{size} {step}: {found:?}"
                );
                assert!(found.upper - found.lower <= 1e-3 * truth + slack, "{size} {step} {sign}: {found:?}");
            }
        }
    }
    let (near, far) = (moved(1e6, -1e6, 1e6), moved(1e6 + 4.0, -1e6, 1e6));
    let answer = relate_both(&can(1.0), &near, &egg(1.0), &far);
    assert!(answer.distance.lower <= 2.0 && 2.0 <= answer.distance.upper, "{answer:?}");
    assert!(answer.distance.upper - answer.distance.lower < 1e-8);
    let grain = relate_both(&can(1e-30), still, &egg(1e30), &moved(0.0, 0.0, 1e30));
    assert_eq!(exact(&grain), Some(Relation::Overlapping));
}

/// Cause: the direction between cores that nearly meet was taken from their closest points, whose rounding was judged by their own
/// size, or from the proof that they are apart. Case: a ball on the axis of a turned capsule, up to rounding, was to leave it along the axis.
#[test]
fn rounded_bodies_whose_cores_nearly_meet_are_deepest_along_a_shortest_way() {
    let turn = |x: f64, z: f64| Pose::from_rows([0.8, 0., 0.6, x, 0., 1., 0., 0., -0.6, 0., 0.8, z]).unwrap();
    let capsule = primitive(Capsule::new(3.0, 0.5).unwrap());
    let points = [(0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (3.0, 2.0, -1.0), (-1.0, 3.0, 0.0), (2.0, -1.0, -1.0)];
    let core = Polytope::hull(&points.map(DVec3::from)).unwrap();
    let rounded = convex(Rounded::new(core, 0.125).unwrap());
    let cases = [
        (ball(1.0), Pose::IDENTITY, &capsule, turn(0.06, 0.08)),
        (ball(1.0), Pose::IDENTITY, &capsule, turn(0.0, 1e-22)),
        (ball(1.0), moved(1e6, 0.0, 0.0), &capsule, turn(1e6 + 0.06, 0.08)),
        (capsule.clone(), Pose::IDENTITY, &capsule, turn(1e-80, -1e-118)),
        (ball(0.5), moved(-1e-75, -4e-80, 0.0), &rounded, Pose::IDENTITY),
    ];
    for (a, pose_a, b, pose_b) in &cases {
        for [(a, pose_a), (b, pose_b)] in [[(a, pose_a), (*b, pose_b)], [(b, pose_b), (a, pose_a)]] {
            let found = relate(a, pose_a, b, pose_b).unwrap();
            let ([point_a, point_b], depth) = (found.points.unwrap(), found.depth.unwrap());
            let moved = Pose::new(pose_b.rotation(), pose_b.translation() + point_a - point_b).unwrap();
            let left = relate(a, pose_a, b, &moved).unwrap().depth.map_or(0.0, |depth| depth.upper);
            assert!(left <= 1e-8 * depth.upper, "{left:e} of {depth:?} is left: {found:?}");
        }
    }
}
