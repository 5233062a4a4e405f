//! When and where translating bodies first meet. Random and hostile pairs are in `oracle::compare`; here are the cases with
//! a name.

use clearance::Pose;
use clearance::body::Body;
use clearance::compound::{Compound, Part};
use clearance::glam::DVec3;
use clearance::math::Random;
use clearance::mesh::{MeshCache, TreeMesh};
use clearance::oracle::compare::assert_agreement;
use clearance::pair::Convex;
use clearance::shape::{Mesh, MeshConfig, MeshKind, Polytope, Primitive, Shape, Sphere, TriangleSoup};
use clearance::spacetime::{
    ExactTime, FirstOverlap, Leg, MovingBody, Outcome, Translation, TravellingBody, closest_approach,
    first_contact, first_contact_of_meshes, first_contact_of_polytopes, first_contacts,
    first_contacts_on_legs,
};
use clearance::support::SupportMap;

/// A part of a comparison, with another seed than the list runs with.
fn run(name: &str, cases: u64) {
    assert_agreement(name, 7, 0..cases);
}

#[test]
fn polytopes_meet_when_all_directions_say() {
    run("translating polytopes", 2_000);
}

#[test]
fn round_bodies_meet_at_the_time_told() {
    run("translating round bodies", 200);
}

#[test]
fn surfaces_meet_when_their_triangles_do() {
    run("translating surfaces", 1_000);
}

#[test]
fn convex_solids_meet_as_polytopes() {
    run("translating convex solids", 300);
}

#[test]
fn boxes_on_legs_meet_when_rational_numbers_say() {
    run("boxes that move at different times", 1_500);
}

#[test]
fn curved_bodies_and_surfaces_meet_as_their_relations_say() {
    run("curved bodies and surfaces in motion", 60);
}

fn block(size: [f64; 3]) -> Polytope {
    let corner = |i: usize| DVec3::from_array([0, 1, 2].map(|k| if i >> k & 1 == 0 { 0.0 } else { size[k] }));
    Polytope::hull(&(0..8).map(corner).collect::<Vec<_>>()).expect("a box")
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z)).expect("a place")
}

fn body(polytope: Polytope) -> Body {
    Body::Convex(Convex::from_polytope(polytope))
}

fn primitive(shape: impl Into<Primitive>) -> Body {
    Body::try_from(&Shape::from(shape.into())).expect("a body")
}

fn motion(velocity_b: [f64; 3], t1: f64) -> Translation {
    Translation::new(DVec3::ZERO, DVec3::from_array(velocity_b), 0.0, t1).expect("a motion")
}

fn time(t: f64) -> ExactTime {
    ExactTime::of_float(t).expect("finite")
}

/// A box that rests on the floor and slides into a wall touches at the start; its first overlap is the wall, whether floor
/// and wall are one mesh or two parts.
#[test]
fn a_box_that_slides_into_a_wall_overlaps_there() {
    let floor = SupportMap::new(block([10.0, 4.0, 1.0]));
    let wall = {
        let corners =
            block([1.0, 4.0, 5.0]).vertices().iter().map(|&v| v + DVec3::X * 9.0).collect::<Vec<_>>();
        SupportMap::new(Polytope::hull(&corners).expect("a box"))
    };
    let room = Compound::new(vec![Part::from(floor.polytope().clone()), Part::from(wall.polytope().clone())]);
    let (room, cube) = (Body::from(room.expect("two parts")), body(block([1.0; 3])));
    let slide = motion([2.0, 0.0, 0.0], 10.0);
    let found = first_contact(&room, &Pose::IDENTITY, &cube, &at(1.0, 1.0, 1.0), &slide).expect("exact");
    assert!(matches!(found.outcome, Outcome::TouchingAtStart(_)));
    assert_eq!(found.first_overlap, FirstOverlap::From(time(3.5)));
    // Cut off as the wall is reached: it would only begin at the end.
    let short = motion([2.0, 0.0, 0.0], 3.5);
    let found = first_contact(&room, &Pose::IDENTITY, &cube, &at(1.0, 1.0, 1.0), &short).expect("exact");
    assert_eq!(found.first_overlap, FirstOverlap::Never);
}

/// A mesh that is not convex: the sides of an angle, of which only one is in the way.
#[test]
fn meshes_that_are_not_convex_let_others_into_their_bays() {
    // The outline of an L, drawn up: a solid.
    let outline = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
    let ring = |z: f64| outline.iter().map(move |p| DVec3::new(p[0], p[1], z));
    let positions: Vec<DVec3> = ring(0.0).chain(ring(1.0)).collect();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for i in 0..6u32 {
        let j = (i + 1) % 6;
        triangles.extend([[i, j, j + 6], [i, j + 6, i + 6]]);
    }
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
        triangles.extend([[a, c, b], [a + 6, b + 6, c + 6]]);
    }
    let soup = TriangleSoup { positions, triangles, parts: vec![] };
    let angle = TreeMesh::new(Mesh::build(&soup, &MeshConfig::default()).expect("a solid"));
    assert_eq!(angle.mesh().kind(), MeshKind::Solid);
    let cube = TreeMesh::from_polytope(&block([1.0; 3])).expect("a solid");
    let cache = &mut MeshCache::default();
    let down = motion([0.0, -1.0, 0.0], 10.0);
    let found = first_contact_of_meshes(&angle, &Pose::IDENTITY, &cube, &at(1.5, 5.0, 0.0), &down, cache);
    let Outcome::Hit(when, touch) = &found.outcome else { panic!("{found:?}") };
    assert_eq!((when, &found.first_overlap), (&time(4.0), &FirstOverlap::From(time(4.0))));
    assert_eq!(touch.normal, DVec3::Y);
    // Along the wall of the bay, touching it all the way: no overlap before the ground.
    let found = first_contact_of_meshes(&angle, &Pose::IDENTITY, &cube, &at(1.0, 5.0, 0.0), &down, cache);
    assert_eq!(found.time(), Some(&time(2.0)));
    assert_eq!(found.first_overlap, FirstOverlap::From(time(4.0)));
    // Half an ulp to the side is the same; beside the angle there is nothing.
    let found = first_contact_of_meshes(
        &angle,
        &Pose::IDENTITY,
        &cube,
        &at(3.0f64.next_up(), 5.0, 0.0),
        &down,
        cache,
    );
    assert!(matches!(found.outcome, Outcome::None(_)));
    let found = first_contact_of_meshes(&angle, &Pose::IDENTITY, &cube, &at(3.0, 5.0, 0.0), &down, cache);
    assert_eq!((found.time(), &found.first_overlap), (Some(&time(4.0)), &FirstOverlap::Never));
}

#[test]
fn a_grazing_touch_is_a_touch_and_a_miss_by_one_ulp_is_a_miss() {
    let cube = body(block([1.0; 3]));
    let pass = motion([-1.0, 0.0, 0.0], 10.0);
    let ask = |y: f64| first_contact(&cube, &Pose::IDENTITY, &cube, &at(3.0, y, 0.0), &pass).expect("exact");
    assert_eq!((ask(1.0).time(), ask(1.0).first_overlap), (Some(&time(2.0)), FirstOverlap::Never));
    assert!(matches!(ask(1.0f64.next_up()).outcome, Outcome::None(Some(_))));
    assert_eq!(ask(1.0f64.next_down()).first_overlap, FirstOverlap::From(time(2.0)));
}

/// Adding a velocity to both changes nothing, nor does scaling lengths by a power of two.
#[test]
fn answers_depend_on_relative_motion_and_not_on_scale() {
    let mut random = Random::new(5);
    for _ in 0..50 {
        let mut number = || random.below(17) as f64 - 8.0;
        let mut vector = || DVec3::new(number(), number(), number());
        let points: [Vec<DVec3>; 2] = [0, 1].map(|_| (0..6).map(|_| vector()).collect());
        let (v, common, place) = (vector(), vector() * 1024.0, vector() * 3.0);
        let ask = |scale: f64, velocities: [DVec3; 2]| {
            let [a, b] = points.each_ref().map(|points| {
                SupportMap::new(
                    Polytope::hull(&points.iter().map(|&p| p * scale).collect::<Vec<_>>()).unwrap(),
                )
            });
            let motion = Translation::new(velocities[0] * scale, velocities[1] * scale, 0.0, 8.0).unwrap();
            let there = Pose::from_translation(place * scale).unwrap();
            let found = first_contact_of_polytopes(&a, &Pose::IDENTITY, &b, &there, &motion);
            (found.at_start(), found.time().cloned(), found.first_overlap)
        };
        let plain = ask(1.0, [DVec3::ZERO, v]);
        assert_eq!(ask(1.0, [common, common + v]), plain);
        assert_eq!(ask(2f64.powi(20), [DVec3::ZERO, v]), plain);
        assert_eq!(ask(2f64.powi(-20), [DVec3::ZERO, v]), plain);
    }
}

#[test]
fn balls_meet_when_their_centres_are_two_radii_apart() {
    let ball = primitive(Sphere::new(1.0).expect("a radius"));
    let pass = motion([-2.0, 0.0, 0.0], 10.0);
    for y in [0.0, 0.5, 1.0, 1.5, 1.9] {
        let found = first_contact(&ball, &Pose::IDENTITY, &ball, &at(7.0, y, 0.0), &pass).expect("balls");
        let want = (7.0 - (4.0 - y * y).sqrt()) / 2.0;
        let Outcome::HitBetween([lower, upper], _) = found.outcome else { panic!("{y}: {found:?}") };
        assert!(
            lower <= want + 1e-14 && want <= upper + 1e-14 && upper - lower <= 2e-12 * upper,
            "{y} {lower} {upper}"
        );
    }
    let found = first_contact(&ball, &Pose::IDENTITY, &ball, &at(7.0, 2.01, 0.0), &pass).expect("balls");
    assert!(matches!(found.outcome, Outcome::None(_)), "{found:?}");
    // Tangent: never told as a hit.
    let found = first_contact(&ball, &Pose::IDENTITY, &ball, &at(7.0, 2.0, 0.0), &pass).expect("balls");
    assert!(matches!(found.outcome, Outcome::Undecided(_)), "{found:?}");
    let away = motion([2.0, 0.0, 0.0], 10.0);
    let found = first_contact(&ball, &Pose::IDENTITY, &ball, &at(7.0, 1.0, 0.0), &away).expect("balls");
    assert!(matches!(found.outcome, Outcome::None(_)), "{found:?}");
}

#[test]
fn closest_approaches_are_bracketed() {
    let cube = body(block([1.0; 3]));
    let pass = motion([-1.0, 0.0, 0.0], 10.0);
    let found = closest_approach(&cube, &Pose::IDENTITY, &cube, &at(6.0, 4.0, 5.0), &pass).expect("boxes");
    assert!(found.distance.lower <= 5.0 && 5.0 <= found.distance.upper, "{found:?}");
    assert!(found.distance.upper - found.distance.lower <= 1e-12 * 5.0, "{found:?}");
    assert!((5.0..=7.0).contains(&found.time), "{found:?}");
    // It ends before it is there: a corner is nearest.
    let short = motion([-1.0, 0.0, 0.0], 2.0);
    let found = closest_approach(&cube, &Pose::IDENTITY, &cube, &at(6.0, 5.0, 0.0), &short).expect("boxes");
    assert!(found.distance.lower <= 5.0 && 5.0 <= found.distance.upper && found.time == 2.0, "{found:?}");
}

#[test]
fn scenes_list_pairs_that_may_meet_and_which_is_first() {
    let cube = body(block([1.0; 3]));
    let poses: Vec<Pose> = [0.0, 3.0, 9.0, 100.0].map(|x| at(x, 0.0, 0.0)).to_vec();
    let velocities = [[1.0, 0.0, 0.0], [0.0; 3], [-2.0, 0.0, 0.0], [0.0; 3]].map(DVec3::from_array);
    let moving = |i: usize| MovingBody { body: &cube, pose: &poses[i], velocity: velocities[i] };
    let bodies: Vec<MovingBody<'_>> = (0..4).map(moving).collect();
    let found = first_contacts(&bodies, 0.0, 10.0).expect("times");
    let pairs: Vec<[usize; 2]> = found.pairs.iter().map(|pair| pair.bodies).collect();
    assert_eq!(pairs, [[0, 1], [0, 2], [1, 2]]);
    let first = found.first().expect("they meet");
    assert_eq!(
        (first.bodies, first.found.as_ref().ok().and_then(|f| f.time()).cloned()),
        ([0, 1], Some(time(2.0)))
    );
    assert!(first_contacts(&bodies, 1.0, 0.0).is_err());
}

/// Two thousand bodies in a lattice of which ten move: only what is in their way is looked at.
#[test]
fn far_pairs_of_a_scene_are_not_looked_at() {
    let cube = body(block([1.0; 3]));
    let place = |i: usize| at(3.0 * (i % 20) as f64, 3.0 * (i / 20 % 10) as f64, 3.0 * (i / 200) as f64);
    let poses: Vec<Pose> = (0..2000).map(place).collect();
    let moving = |i: usize| {
        let velocity = if i.is_multiple_of(200) { DVec3::X * 4.0 } else { DVec3::ZERO };
        MovingBody { body: &cube, pose: &poses[i], velocity }
    };
    let bodies: Vec<MovingBody<'_>> = (0..2000).map(moving).collect();
    let found = first_contacts(&bodies, 0.0, 1.0).expect("times");
    // Each of the ten sweeps four lengths along a row of bodies that are three apart: it reaches one neighbour.
    let pairs: Vec<[usize; 2]> = found.pairs.iter().map(|pair| pair.bodies).collect();
    assert_eq!(pairs, (0..10).map(|row| [200 * row, 200 * row + 1]).collect::<Vec<_>>());
    assert!(found.pairs.iter().all(|pair| pair.found.as_ref().is_ok_and(|f| f.time() == Some(&time(0.5)))));
}

/// The end of the motion is a place that no pose may have.
#[test]
fn balls_that_leave_the_range_of_places_are_not_taken_to_stay() {
    let ball = primitive(Sphere::new(1.0).expect("a radius"));
    let far = 2f64.powi(280);
    let away = Translation::new(DVec3::ZERO, DVec3::X * far, 0.0, far).expect("a motion");
    let found = first_contact(&ball, &Pose::IDENTITY, &ball, &at(7.0, 0.0, 0.0), &away).expect("balls");
    assert!(matches!(found.outcome, Outcome::None(_) | Outcome::Undecided(_)), "{found:?}");
    let near = closest_approach(&ball, &Pose::IDENTITY, &ball, &at(7.0, 0.0, 0.0), &away).expect("balls");
    assert!(near.distance.lower <= 5.0 && 5.0 <= near.distance.upper * (1.0 + 1e-12), "{near:?}");
    assert_eq!(near.time, 0.0, "nearest at the start, not where it cannot be");
    let through = Translation::new(DVec3::ZERO, DVec3::X * -far, 0.0, far).expect("a motion");
    let found = first_contact(&ball, &Pose::IDENTITY, &ball, &at(7.0, 0.0, 0.0), &through).expect("balls");
    assert!(matches!(found.outcome, Outcome::HitBetween(..) | Outcome::Undecided(_)), "{found:?}");
}

/// One after the other: the second starts when the first has stopped, and takes the way that the first has opened.
#[test]
fn bodies_on_legs_rest_before_and_after() {
    let cube = body(block([1.0; 3]));
    let (first, second) = (at(2.0, 0.0, 0.0), at(0.0, 0.0, 0.0));
    let leg =
        |t0: f64, t1: f64, displacement: [f64; 3]| Some(Leg { t0, t1, displacement: displacement.into() });
    let travelling = |pose, leg| TravellingBody { body: &cube, pose, leg };
    let ask = |one: Option<Leg>, other: Option<Leg>| {
        let found =
            first_contacts_on_legs(&[travelling(&first, one), travelling(&second, other)]).expect("legs");
        (found[0].found.clone().expect("boxes"), found[0].clone())
    };
    // Out of the way before the other comes.
    let (found, contact) = ask(leg(0.0, 1.0, [0.0, 4.0, 0.0]), leg(1.0, 2.0, [6.0, 0.0, 0.0]));
    assert!(matches!(found.outcome, Outcome::None(_)), "{found:?}");
    let near = contact.approach.expect("they pass");
    // They are one apart until the first is out of the way.
    assert!(near.distance.lower <= 1.0 && 1.0 <= near.distance.upper, "{near:?}");
    assert!((0.0..=0.25).contains(&near.time), "{near:?}");
    // At the same time: the other is there before it is gone.
    let (found, contact) = ask(leg(0.0, 1.0, [0.0, 4.0, 0.0]), leg(0.0, 1.0, [6.0, 0.0, 0.0]));
    assert_eq!((found.time().map(ToString::to_string), contact.approach), (Some("1/6".into()), None));
    // In its way for good: it waits, is met in the second leg, and the first has no part in it.
    let (found, _) = ask(leg(0.0, 1.0, [1.0, 0.0, 0.0]), leg(2.0, 6.0, [6.0, 0.0, 0.0]));
    assert_eq!(found.time().map(ToString::to_string), Some("10/3".into()));
    // Places in between that are no floats are said to be rounded; the time is near.
    let (found, contact) = ask(leg(0.0, 3.0, [0.1, 0.0, 0.0]), leg(1.0, 2.0, [6.0, 0.0, 0.0]));
    let (lower, upper) = found.bracket().expect("they meet");
    let truth = 1.0 + (1.0 + 0.1 / 3.0) / (6.0 - 0.1 / 3.0);
    assert!(!contact.places_are_exact && lower <= truth + 1e-15 && truth <= upper + 1e-15, "{lower} {truth}");
    // A leg that does not end after it starts is refused; pairs that no leg brings together are left out.
    let bad =
        first_contacts_on_legs(&[travelling(&first, leg(1.0, 1.0, [0.0; 3])), travelling(&second, None)]);
    assert!(bad.is_err());
    let far = at(50.0, 0.0, 0.0);
    let apart = first_contacts_on_legs(&[
        travelling(&far, None),
        travelling(&second, leg(0.0, 1.0, [6.0, 0.0, 0.0])),
    ]);
    assert!(apart.expect("legs").is_empty());
}

/// A point and a segment against a mesh, exactly; round bodies against a mesh of many triangles, quickly and as closed forms say.
#[test]
fn thin_and_round_bodies_meet_meshes() {
    let solid = |size: [f64; 3]| Body::Mesh(Box::new(TreeMesh::from_polytope(&block(size)).expect("a box")));
    let wall = solid([3.0, 7.0, 7.0]);
    let straight = motion([3.0, 0.125, 0.25], 4.0);
    for points in [&[DVec3::ZERO][..], &[DVec3::ZERO, DVec3::new(-1.0, 0.5, 2.0)]] {
        let thin = body(Polytope::hull(points).expect("points"));
        let found =
            first_contact(&wall, &at(5.0, 0.0, 0.0), &thin, &at(0.0, 2.0, 2.0), &straight).expect("known");
        assert_eq!(found.time().map(ToString::to_string), Some("5/3".into()), "{found:?}");
        let back = first_contact(&thin, &at(0.0, 2.0, 2.0), &wall, &at(5.0, 0.0, 0.0), &straight.swapped());
        assert_eq!(back.expect("known").time(), found.time());
        let beside =
            first_contact(&wall, &at(5.0, 0.0, 0.0), &thin, &at(0.0, 7.5, 2.0), &straight).expect("known");
        assert!(matches!(beside.outcome, Outcome::None(_)), "{beside:?}");
    }
    let soup = clearance::shape::sample::icosphere(2.0, 24).expect("a ball");
    let mesh = Mesh::build(&soup, &MeshConfig::default()).expect("a mesh");
    assert!(mesh.triangles().len() > 10_000);
    let globe = Body::Mesh(Box::new(TreeMesh::new(mesh)));
    let ball = primitive(Sphere::new(0.5).expect("a radius"));
    for y in [0.0, 1.0, 2.0] {
        let found =
            first_contact(&globe, &Pose::IDENTITY, &ball, &at(-5.0, y, 0.1), &motion([4.0, 0.0, 0.0], 4.0))
                .expect("known");
        let (lower, upper) = found.bracket().expect("they meet");
        // The globe has flat faces: it is a little less than round.
        let reach = |radius: f64| (5.0 - (radius * radius - y * y - 0.01).sqrt()) / 4.0;
        assert!(
            reach(2.5) <= upper && lower <= reach(2.49) && upper - lower <= 2e-12,
            "{lower} {upper} at {y}"
        );
    }
    let found =
        first_contact(&globe, &Pose::IDENTITY, &ball, &at(-5.0, 2.6, 0.0), &motion([4.0, 0.0, 0.0], 4.0));
    assert!(matches!(found.expect("known").outcome, Outcome::None(_)));
}

/// A long way past tiny bodies: the direction between their balls was once rounded too much to separate them all the way.
#[test]
fn balls_stay_apart_all_along_a_long_way() {
    assert_agreement("translating polytopes first meet", 31, 12_364..12_365);
}
