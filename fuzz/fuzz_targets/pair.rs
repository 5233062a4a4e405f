//! Two polytopes of any points under any poses: relation, witness, distance and depth agree, and no query panics.
#![no_main]

use clearance::Pose;
use clearance::pair::{
    Convex, ManifoldConfig, PointLocation, Ray, Relation, contact_normal, contains_point, distance, manifold,
    penetration, ray_cast, relate, relation, relation_with_witness, within,
};
use clearance::shape::{Cone, Cylinder, Ellipsoid, HalfSpace, Primitive, Shape};
use clearance::support::SupportMap;
use clearance::witness::PosedPair;
use clearance_fuzz::numbers::Numbers;
use libfuzzer_sys::fuzz_target;

type Placed<'a> = (&'a SupportMap, &'a Pose);

fuzz_target!(|data: &[u8]| {
    let mut numbers = Numbers::new(data);
    let (Some(a), Some(b)) = (numbers.body(), numbers.body()) else { return };
    let pose_a = numbers.pose();
    let pose_b = if numbers.byte() % 2 == 0 { numbers.pose() } else { numbers.pose_near(&pose_a) };
    check_pair((&a, &pose_a), (&b, &pose_b));
    ask_of_point((&a, &pose_a), &mut numbers);
    ask_of_ray((&a, &pose_a), &mut numbers);
    ask_of_primitive((&a, &pose_a), &pose_b, &mut numbers);
});

fn check_pair((a, pose_a): Placed<'_>, (b, pose_b): Placed<'_>) {
    let witness = relation_with_witness(a, pose_a, b, pose_b);
    let pair = PosedPair { a: a.polytope(), pose_a, b: b.polytope(), pose_b };
    witness.check(&pair).expect("a witness proves its relation");
    let found = witness.relation();
    assert_eq!(relation(a, pose_a, b, pose_b), found);
    assert_eq!(relation(b, pose_b, a, pose_a), found, "swapped");
    let apart = distance(a, pose_a, b, pose_b);
    assert!(apart.lower <= apart.upper);
    assert_eq!(apart.upper > 0.0, found == Relation::Disjoint);
    assert!(within(a, pose_a, b, pose_b, apart.upper));
    let depth = penetration(a, pose_a, b, pose_b);
    assert_eq!(depth.is_some(), found == Relation::Overlapping);
    assert!(depth.is_none_or(|d| d.lower <= d.upper));
    if let Some(normal) = contact_normal(a, pose_a, b, pose_b) {
        let contact = manifold(a, pose_a, b, pose_b, normal, &ManifoldConfig::default());
        assert!(contact.points.iter().all(|point| !point.depth.is_nan()));
    }
}

/// A point of the body itself, or any.
fn ask_of_point((a, pose_a): Placed<'_>, numbers: &mut Numbers<'_>) {
    let own = pose_a.apply(a.vertex(0));
    let point = if numbers.byte() % 2 == 0 { own } else { numbers.vector() };
    let Ok(location) = contains_point(a, pose_a, point) else { return };
    let flat = a.polytope().dimension() < 3;
    assert!(!(flat && location == PointLocation::Inside), "what is flat has no interior");
}

fn ask_of_ray((a, pose_a): Placed<'_>, numbers: &mut Numbers<'_>) {
    let Ok(ray) = Ray::new(numbers.vector(), numbers.vector(), f64::INFINITY) else { return };
    if let Some(hit) = ray_cast(a, pose_a, &ray) {
        assert!(0.0 <= hit.t_lower && hit.t_lower <= hit.t_upper, "{hit:?}");
    }
}

/// A curved body or a half-space beside the first body.
fn ask_of_primitive((a, pose_a): Placed<'_>, pose_b: &Pose, numbers: &mut Numbers<'_>) {
    let (choice, size) = (numbers.byte() % 4, numbers.vector().abs());
    let primitive: Option<Primitive> = match choice {
        0 => Cylinder::new(size.x, size.y).ok().map(Primitive::from),
        1 => Cone::new(size.x, size.y).ok().map(Primitive::from),
        2 => Ellipsoid::new(size).ok().map(Primitive::from),
        _ => HalfSpace::new(numbers.vector(), numbers.number()).ok().map(Primitive::from),
    };
    let Some(Ok(other)) = primitive.map(|primitive| Convex::try_from(&Shape::from(primitive))) else { return };
    let body = Convex::from(a.clone());
    for answer in [relate(&body, pose_a, &other, pose_b), relate(&other, pose_b, &body, pose_a)].iter().flatten() {
        assert!(answer.distance.lower <= answer.distance.upper, "{answer:?}");
    }
}
