//! How close translating bodies come. Random and hostile pairs are in `oracle::compare`; here are parts of those with
//! another seed, and the cases with a name.

use clearance::Pose;
use clearance::body::Body;
use clearance::compound::{Compound, Part};
use clearance::glam::DVec3;
use clearance::mesh::TreeMesh;
use clearance::oracle::compare::assert_agreement;
use clearance::pair::{Bracket, Convex};
use clearance::shape::{Mesh, MeshConfig, Polytope, Primitive, Shape, Sphere, sample};
use clearance::spacetime::{ClosestApproach, Translation, closest_approach};

fn run(name: &str, cases: u64) {
    // More cases by hand: CASES=100000 cargo test ...
    let cases = std::env::var("CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(cases);
    assert_agreement(name, 7, 0..cases);
}

#[test]
fn polytopes_come_as_close_as_integers_say() {
    run("translating polytopes come", 1_000);
}

#[test]
fn surfaces_come_as_close_as_their_triangles() {
    run("translating surfaces come", 200);
}

#[test]
fn solids_come_as_close_as_polytopes() {
    run("translating convex solids come", 100);
}

#[test]
fn curved_bodies_meet_and_pass_as_sampled() {
    run("curved bodies in motion", 20);
}

#[test]
fn curved_bodies_and_surfaces_meet_and_pass_as_sampled() {
    run("curved bodies and surfaces", 10);
}

#[test]
fn special_meetings_are_told_alike_by_polytopes_and_meshes() {
    run("translating bodies meet in every special way", 50);
}

fn block(size: [f64; 3]) -> Polytope {
    let corner = |i: usize| DVec3::from_array([0, 1, 2].map(|k| if i >> k & 1 == 0 { 0.0 } else { size[k] }));
    Polytope::hull(&(0..8).map(corner).collect::<Vec<_>>()).expect("a box")
}

fn convex(polytope: Polytope) -> Body {
    Body::Convex(Convex::from_polytope(polytope))
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z)).expect("a place")
}

fn ball(radius: f64) -> Body {
    Body::try_from(&Shape::from(Primitive::from(Sphere::new(radius).expect("a radius")))).expect("a ball")
}

fn approach(a: &Body, b: &Body, pose_b: &Pose, velocity: [f64; 3], t1: f64) -> ClosestApproach {
    let motion = Translation::new(DVec3::ZERO, DVec3::from_array(velocity), 0.0, t1).expect("a motion");
    closest_approach(a, &Pose::IDENTITY, b, pose_b, &motion).expect("an answer")
}

fn assert_near(found: &ClosestApproach, want: f64) {
    let Bracket { lower, upper } = found.distance;
    assert!(lower <= want * (1.0 + 1e-15) && want <= upper * (1.0 + 1e-15), "{want} in {found:?}");
    assert!(upper - lower <= 1e-9 * want, "{found:?} is wide");
}

#[test]
fn balls_pass_each_other_at_the_distance_of_their_lines() {
    let found = approach(&ball(1.0), &ball(1.0), &at(6.0, 4.0, 3.0), [-1.0, 0.0, 0.0], 10.0);
    assert_near(&found, 3.0);
    assert!((found.time - 6.0).abs() < 1e-3, "{found:?}");
    let met = approach(&ball(1.0), &ball(1.0), &at(6.0, 1.0, 0.0), [-1.0, 0.0, 0.0], 10.0);
    assert_eq!(met.distance.lower, 0.0);
}

/// A ball in the hole of a ring, the ring as a mesh of thousands of triangles, passes its wall at a known distance.
#[test]
fn meshes_pass_as_close_as_their_nearest_triangles() {
    let soup = sample::torus(1.0, 0.25, 64, 32).expect("a torus");
    let ring = TreeMesh::new(Mesh::build(&soup, &MeshConfig::default()).expect("a solid"));
    let cube = TreeMesh::from_polytope(&block([0.1; 3])).expect("a solid");
    let (ring, cube) = (Body::Mesh(Box::new(ring)), Body::Mesh(Box::new(cube)));
    // Along the axis through the hole, off the middle: corners at (0.3, 0.05, z) are nearest to the wall at 0.75.
    let found = approach(&ring, &cube, &at(0.2, -0.05, -3.0), [0.0, 0.0, 1.0], 6.0);
    let Bracket { lower, upper } = found.distance;
    assert!(upper - lower <= 1e-9 * upper && (lower - 0.4459).abs() < 2e-3, "{found:?}");
    // The same through the parts of a compound, and a ball of that size about the same.
    let parts = Compound::new(vec![Part::from(block([0.1; 3]))]).expect("a part");
    let again = approach(&ring, &Body::from(parts), &at(0.2, -0.05, -3.0), [0.0, 0.0, 1.0], 6.0);
    assert!(again.distance.lower <= upper && lower <= again.distance.upper, "{again:?} and {found:?}");
    let round = approach(&ring, &ball(0.05), &at(0.25, 0.0, -3.0), [0.0, 0.0, 1.0], 6.0);
    let Bracket { lower, upper } = round.distance;
    assert!(upper - lower <= 1e-9 * upper && (lower - 0.45).abs() < 2e-3, "{round:?}");
}

#[test]
fn bodies_that_meet_come_as_close_as_zero() {
    let cube = convex(block([1.0; 3]));
    let mesh = Body::Mesh(Box::new(TreeMesh::from_polytope(&block([1.0; 3])).expect("a solid")));
    for (a, b) in [(&cube, &cube), (&mesh, &cube), (&mesh, &mesh)] {
        let found = approach(a, b, &at(3.0, 0.5, 0.5), [-1.0, 0.0, 0.0], 3.0);
        assert_eq!((found.distance, (found.time - 2.0).abs() < 1e-12), (Bracket::ZERO, true));
        let touched = approach(a, b, &at(3.0, 1.0, 0.5), [-1.0, 0.0, 0.0], 3.0);
        assert_eq!(touched.distance, Bracket::ZERO);
    }
}
