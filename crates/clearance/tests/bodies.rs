//! Any two bodies, dispatched once: meshes against convex bodies.

use clearance::Pose;
use clearance::body::{Body, BodyError, relate};
use clearance::glam::DVec3;
use clearance::pair::{ConvexRelation, Relation};
use clearance::shape::sample::torus;
use clearance::shape::{
    Capsule, Cuboid, Cylinder, HalfSpace, Mesh, MeshConfig, Plane, Point, Primitive, Rounded, Segment, Shape,
    Sphere,
};
use clearance::witness::Side;

/// A ring around the z axis; its tube is a polygon of 8 corners inscribed in a circle of radius 0.25.
fn ring() -> Body {
    let soup = torus(1.0, 0.25, 16, 8).unwrap();
    let mesh = Mesh::build(&soup, &MeshConfig::default()).unwrap();
    Body::try_from(&Shape::from(mesh)).unwrap()
}

fn body(primitive: impl Into<Primitive>) -> Body {
    Body::try_from(&Shape::from(primitive.into())).unwrap()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z)).unwrap()
}

/// Both orders agree; returns the relation and the distance.
fn check(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> (Relation, f64) {
    let (there, back) = (relate(a, pose_a, b, pose_b).unwrap(), relate(b, pose_b, a, pose_a).unwrap());
    assert_eq!(there.relation, back.relation);
    assert_eq!(there.distance, back.distance);
    assert!(there.distance.lower <= there.distance.upper);
    let ConvexRelation::Exact(relation) = there.relation else { panic!("not decided: {there:?}") };
    if let (Relation::Disjoint, Some([p, q])) = (relation, there.points) {
        assert!(((p - q).length() - there.distance.upper).abs() < 1e-9, "{there:?}");
        let normal = there.normal.expect("apart");
        assert!((q - p).normalize().dot(normal) > 1.0 - 1e-9);
    }
    (relation, there.distance.upper)
}

#[test]
fn a_ring_and_primitives() {
    let (ring, origin) = (ring(), Pose::IDENTITY);
    assert_eq!(ring.kind_name(), "solid");
    let ball = body(Sphere::new(0.5).unwrap());
    let (relation, gap) = check(&ring, &origin, &ball, &origin);
    assert!(relation == Relation::Disjoint && (0.23..0.27).contains(&gap), "{gap}");
    assert_eq!(check(&ring, &origin, &ball, &at(0.9, 0.0, 0.0)).0, Relation::Overlapping);
    // Inside the tube, away from its surface.
    let bead = body(Sphere::new(0.1).unwrap());
    assert_eq!(check(&ring, &origin, &bead, &at(1.0, 0.0, 0.0)).0, Relation::Overlapping);
    let rod = body(Capsule::new(0.1, 4.0).unwrap());
    assert_eq!(check(&ring, &origin, &rod, &origin).0, Relation::Disjoint);
    assert_eq!(check(&ring, &origin, &rod, &at(1.0, 0.0, 0.0)).0, Relation::Overlapping);
    let cube = body(Cuboid::new(DVec3::splat(0.5)).unwrap());
    assert_eq!(check(&ring, &origin, &cube, &origin).0, Relation::Disjoint);
    assert_eq!(check(&ring, &origin, &cube, &at(0.5, 0.0, 0.0)).0, Relation::Overlapping);
    let rounded = Rounded::new(Primitive::from(Cuboid::new(DVec3::splat(0.5)).unwrap()), 0.3).unwrap();
    let rounded = Body::try_from(&Shape::from(rounded)).unwrap();
    assert_eq!(check(&ring, &origin, &rounded, &origin).0, Relation::Disjoint);
    assert_eq!(check(&ring, &origin, &rounded, &at(0.2, 0.0, 0.0)).0, Relation::Overlapping);
}

#[test]
fn small_bodies_in_the_tube_are_enclosed() {
    let (ring, bead) = (ring(), body(Cuboid::new(DVec3::splat(0.02)).unwrap()));
    let found = relate(&ring, &Pose::IDENTITY, &bead, &at(1.0, 0.0, 0.0)).unwrap();
    assert_eq!(found.relation, ConvexRelation::Exact(Relation::Overlapping));
    assert_eq!(found.enclosed, Some(Side::B));
    let swapped = relate(&bead, &at(1.0, 0.0, 0.0), &ring, &Pose::IDENTITY).unwrap();
    assert_eq!(swapped.enclosed, Some(Side::A));
}

#[test]
fn points_and_segments() {
    let (ring, origin) = (ring(), Pose::IDENTITY);
    let point = body(Point::new(DVec3::ZERO).unwrap());
    assert_eq!(check(&ring, &origin, &point, &origin).0, Relation::Disjoint);
    assert_eq!(check(&ring, &origin, &point, &at(1.0, 0.0, 0.0)).0, Relation::Overlapping);
    let corner = ring.as_mesh().unwrap().mesh().positions()[0];
    let there = at(corner.x, corner.y, corner.z);
    assert_eq!(check(&ring, &origin, &point, &there).0, Relation::Touching);
    let needle = body(Segment::new(DVec3::new(0.0, 0.0, -1.0), DVec3::new(0.0, 0.0, 1.0)).unwrap());
    assert_eq!(check(&ring, &origin, &needle, &origin).0, Relation::Disjoint);
    assert_eq!(check(&ring, &origin, &needle, &at(1.01, 0.02, 0.0)).0, Relation::Overlapping);
}

#[test]
fn half_spaces_and_planes() {
    let (ring, origin) = (ring(), Pose::IDENTITY);
    let ground = body(HalfSpace::new(DVec3::Z, -1.0).unwrap());
    let (relation, gap) = check(&ring, &origin, &ground, &origin);
    assert!(relation == Relation::Disjoint && (0.74..0.78).contains(&gap), "{gap}");
    let plane = body(Plane::new(DVec3::Z, 0.0).unwrap());
    assert_eq!(check(&ring, &origin, &plane, &origin).0, Relation::Overlapping);
}

#[test]
fn what_is_not_known_is_an_error_that_names_both() {
    let (ring, tin) = (ring(), body(Cylinder::new(0.1, 1.0).unwrap()));
    let error = relate(&ring, &Pose::IDENTITY, &tin, &Pose::IDENTITY).unwrap_err();
    assert_eq!(error, BodyError::Pair { query: "relation", kind_a: "solid", kind_b: "cylinder" });
    let error = relate(&tin, &Pose::IDENTITY, &ring, &Pose::IDENTITY).unwrap_err();
    assert!(error.to_string().starts_with("the relation of a cylinder and a solid"), "{error}");
}
