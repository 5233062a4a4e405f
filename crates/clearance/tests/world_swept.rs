//! Swept steps: nothing tunnels, and what rests is left in peace.

use clearance::Pose;
use clearance::glam::{DQuat, DVec3};
use clearance::math::{Random, Screw};
use clearance::oracle::{compare::assert_agreement, swept_world::SHAPES};
use clearance::pair::{ConvexRelation, Feature, Relation};
use clearance::screw::{ContactsConfig, Motion, first_contact};
use clearance::shape::{Cuboid, Mesh, MeshConfig, Polytope, Primitive, Shape, Sphere, TriangleSoup};
use clearance::world::{
    BodyId, Cancel, Ignored, NewBody, ShapeHandle, SweptConfig, SweptContact, SweptDetail, SweptEnd,
    SweptHit, SweptOutcome, SweptOverlap, World, WorldError,
};
use std::f64::consts::PI;

const FREE: SweptConfig = SweptConfig { end: SweptEnd::LastFree { gap: 1e-9 }, detail: SweptDetail::First };

#[test]
fn a_swept_step_tells_what_all_pairs_by_themselves_do() {
    assert_agreement("a swept step tells what all pairs by themselves do", 5, 0..200);
}

fn cuboid(x: f64, y: f64, z: f64) -> ShapeHandle {
    let cuboid = Cuboid::new(DVec3::new(x, y, z)).expect("a size");
    ShapeHandle::new(&Shape::from(Primitive::from(cuboid))).expect("within limits")
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z)).expect("a pose")
}

fn turned(angle: f64, place: DVec3) -> Pose {
    Pose::from_axis_angle(DVec3::Z, angle, place).expect("a pose")
}

/// A world in which one body moves from a pose to another and the other rests.
fn two(
    resting: &ShapeHandle,
    there: Pose,
    moving: &ShapeHandle,
    from: Pose,
    to: Pose,
) -> (World, [BodyId; 2]) {
    let mut world = World::default();
    let wall = world.add(NewBody::fixed(resting, there));
    let bullet = world.add(NewBody::moving(moving, from));
    world.step();
    world.move_to(bullet, to).expect("known");
    (world, [wall, bullet])
}

fn hit(contacts: &[SweptContact]) -> SweptHit {
    match contacts {
        [SweptContact { outcome: SweptOutcome::Hit(hit), .. }] => **hit,
        other => panic!("{other:?}"),
    }
}

/// A wall a thousandth of a millimetre thick, if the bullet is a centimetre, at speeds up to that of a rocket in a frame of a
/// day: at the ends of the frame there is nothing to be seen.
#[test]
fn a_bullet_meets_a_thin_wall_at_any_speed() {
    let (wall, bullet) = (cuboid(1e-6, 4.0, 4.0), cuboid(0.01, 0.01, 0.01));
    let gap = 1.0;
    for way in [1.5, 10.0, 1e3, 1e6, 1e9] {
        for spin in [0.0, 1e-3, 1.0, 3.0] {
            let from = at(-gap - 0.005 - 5e-7, 0.3, 0.2);
            // Rifled: it spins about the line of its flight.
            let to =
                Pose::from_axis_angle(DVec3::X, spin, from.translation() + DVec3::X * way).expect("a pose");
            let (mut world, ids) = two(&wall, at(0.0, 0.0, 0.0), &bullet, from, to);
            assert!(world.clone().step().events.is_empty());
            let frame = world.step_swept(&FREE).expect("a gap");
            let (reached, found) = (frame.reached, hit(frame.contacts));
            assert_eq!([frame.contacts[0].a, frame.contacts[0].b], ids);
            assert!(frame.end.events.is_empty() && frame.swept == 1 && frame.tested == 1);
            // The last is so fast that it is held where it starts.
            assert!(found.upper - found.lower <= 1e-9 && (reached > 0.0 || way > 1e8));
            assert!(reached <= (found.lower - 0.9e-9).max(0.0), "{reached} {found:?}");
            assert!((found.normal + DVec3::X).length() < 1e-6 && found.features.is_some(), "{found:?}");
            let truth = gap / way;
            let slack = 1e-15 + 1e-9 * truth;
            assert!(found.lower <= truth + slack && truth <= found.upper + slack, "{found:?} {truth}");
            // It waits in front of the wall, and not far from it.
            let place = world.pose(ids[1]).expect("known").translation();
            assert!(place.x < -0.005 && place.x > -0.0051 - 4e-9 * way, "{place:?}");
            assert!(world.colliding_pairs().expect("a method").is_empty());
        }
    }
}

/// A rod that turns by 172 degrees about its middle: the pin beside it is seen at neither end.
#[test]
fn a_spinning_rod_meets_a_pin() {
    let (pin, rod) = (cuboid(0.1, 0.1, 1.0), cuboid(10.0, 0.2, 0.2));
    let from = turned(0.0, DVec3::ZERO);
    let (mut world, ids) = two(&pin, at(0.0, 4.0, 0.0), &rod, from, turned(3.0, DVec3::ZERO));
    assert!(world.clone().step().events.is_empty());
    let frame = world.step_swept(&SweptConfig::default()).expect("a gap");
    let found = hit(frame.contacts);
    assert!(frame.reached == 1.0 && frame.end.events.is_empty());
    // The corner of the pin at (0.05, 3.95) and the side of the rod at 0.1 from its axis.
    let corner = DVec3::new(0.05, 3.95, 0.0);
    let angle = corner.y.atan2(corner.x) - (0.1 / corner.length()).asin();
    assert!(found.lower <= angle / 3.0 && angle / 3.0 <= found.upper, "{found:?} {}", angle / 3.0);
    assert!((found.point.with_z(0.0) - corner).length() < 1e-6 && found.upper - found.lower <= 1e-9);
    assert_eq!(world.pose(ids[1]), Ok(turned(3.0, DVec3::ZERO)));
    // The other way round it turns by less than half a turn the other way, and meets the other corner.
    let (mut world, _) = two(&pin, at(0.0, 4.0, 0.0), &rod, from, turned(-3.0, DVec3::ZERO));
    let found = hit(world.step_swept(&SweptConfig::default()).expect("a gap").contacts);
    let corner = DVec3::new(-0.05, 3.95, 0.0);
    let angle = PI - corner.y.atan2(corner.x) - (0.1 / corner.length()).asin();
    assert!(found.lower <= angle / 3.0 && angle / 3.0 <= found.upper, "{found:?} {}", angle / 3.0);
    assert!((found.point.with_z(0.0) - corner).length() < 1e-6);
}

/// Two bodies spin on their spots, far from each other. Seen from one of them, on one screw, the other would fly through it.
#[test]
fn bodies_that_spin_on_their_spots_do_not_meet() {
    let rod = cuboid(2.0, 0.2, 0.2);
    let mut world = World::default();
    let ids = [0.0, 3.0].map(|x| world.add(NewBody::moving(&rod, at(x, 0.0, 0.0))));
    world.step();
    let to = [0.0, 3.0].map(|x| turned(3.1, DVec3::new(x, 0.0, 0.0)));
    let seen = Screw::of_pair(&at(0.0, 0.0, 0.0), &to[0], &at(3.0, 0.0, 0.0), &to[1]).0;
    let body = &SHAPES[1].body;
    let alone =
        first_contact(body, &at(0.0, 0.0, 0.0), &Motion::AtRest, body, &at(3.0, 0.0, 0.0), &seen.into());
    assert!(alone.expect("a method").bracket().is_some());
    ids.iter().zip(to).for_each(|(id, to)| world.move_to(*id, to).expect("known"));
    assert!(world.step_swept(&FREE).expect("a gap").contacts.is_empty());
}

#[test]
fn a_frame_in_which_nothing_moves_costs_no_pair() {
    let mut world = World::default();
    let cube = cuboid(1.0, 1.0, 1.0);
    let ids: Vec<BodyId> =
        (0..50).map(|i| world.add(NewBody::moving(&cube, at(0.7 * f64::from(i), 0.0, 0.0)))).collect();
    world.step();
    let frame = world.step_swept(&FREE).expect("a gap");
    assert_eq!((frame.swept, frame.tested, frame.contacts.len(), frame.reached), (0, 0, 0, 1.0));
    // They overlap, and that is told at the end as always.
    assert_eq!(frame.end.events.len(), 49);
    // Moved to where it is, or there without a way.
    world.move_to(ids[3], world.pose(ids[3]).expect("known")).expect("known");
    world.teleport(ids[4], at(2.9, 0.0, 0.0)).expect("known");
    let added = world.add(NewBody::moving(&cube, at(1.0, 0.5, 0.0)));
    let frame = world.step_swept(&FREE).expect("a gap");
    assert_eq!((frame.swept, frame.tested), (0, 0));
    assert!(frame.end.began().any(|(_, b, _)| b == added));
}

/// Bodies far apart that move a little are not asked for; those that fly are asked by those near their ways.
#[test]
fn pairs_that_cannot_meet_are_not_asked() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let mut world = World::default();
    let ids: Vec<BodyId> = (0..400)
        .map(|i| world.add(NewBody::moving(&cube, at(1.2 * f64::from(i % 20), 1.2 * f64::from(i / 20), 0.0))))
        .collect();
    world.step();
    let shift = |world: &mut World, id: BodyId, by: DVec3| {
        let place = world.pose(id).expect("known").translation() + by;
        world.move_to(id, turned(0.01 * by.length(), place)).expect("known");
    };
    ids.iter().for_each(|&id| shift(&mut world, id, DVec3::X * 0.01));
    let frame = world.step_swept(&FREE).expect("a gap");
    assert!(frame.swept <= 8 * 400 && frame.tested == 0 && frame.contacts.is_empty(), "{frame:?}");
    // One flies through the gap along a row, and one through all of them.
    shift(&mut world, ids[0], DVec3::new(0.0, 0.0, 100.0));
    let frame = world.step_swept(&FREE).expect("a gap");
    assert!(frame.swept <= 8 && frame.contacts.is_empty(), "{frame:?}");
    let there = world.pose(ids[399]).expect("known");
    let next = Pose::new(there.rotation(), there.translation() - DVec3::X * 30.0).expect("a pose");
    world.move_to(ids[399], next).expect("known");
    let frame = world.step_swept(&SweptConfig::default()).expect("a gap");
    assert_eq!((frame.swept >= 19, frame.contacts.len()), (true, 19), "{}", frame.swept);
    assert_eq!(frame.first().map(|contact| contact.a), Some(ids[398]));
}

#[test]
fn pairs_that_are_ignored_or_static_are_left_out() {
    let (wall, bullet) = (cuboid(0.1, 4.0, 4.0), cuboid(0.5, 0.5, 0.5));
    let (mut world, [a, b]) = two(&wall, at(0.0, 0.0, 0.0), &bullet, at(-3.0, 0.0, 0.0), at(3.0, 0.0, 0.0));
    let before = world.snapshot();
    world.set_ignored(a, b, Ignored::Yes).expect("known");
    let frame = world.step_swept(&FREE).expect("a gap");
    assert_eq!((frame.swept, frame.contacts.len(), frame.reached), (0, 0, 1.0));
    world.restore(&before);
    world.set_mobility(b, clearance::broad::Mobility::Static).expect("known");
    assert_eq!(world.step_swept(&FREE).expect("a gap").swept, 0);
    world.restore(&before);
    assert_eq!(world.step_swept(&FREE).expect("a gap").contacts.len(), 1);
}

#[test]
fn a_flag_ends_a_swept_step_and_changes_nothing() {
    let (wall, bullet) = (cuboid(0.1, 4.0, 4.0), cuboid(0.5, 0.5, 0.5));
    let (mut world, [_, b]) = two(&wall, at(0.0, 0.0, 0.0), &bullet, at(-3.0, 0.0, 0.0), at(3.0, 0.0, 0.0));
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(world.step_swept_until(&FREE, &cancel).map(|_| ()), Err(WorldError::Cancelled));
    assert_eq!(world.pose(b), Ok(at(3.0, 0.0, 0.0)));
    // The frame is still the same.
    let found = hit(world.step_swept_until(&FREE, &Cancel::new()).expect("not cancelled").contacts);
    assert!((found.lower - 2.7 / 6.0).abs() < 1e-12);
}

/// Many bodies of all kinds that fly, turn, meet and are held.
struct Flight {
    world: World,
    random: Random,
    side: f64,
}

impl Flight {
    fn new(count: usize) -> Flight {
        let side = 2.0 * (count as f64).cbrt();
        let (mut world, mut random) = (World::default(), Random::new(4));
        for index in 0..count {
            let place = DVec3::from_array([(); 3].map(|()| random.range(0.0, side)));
            let shape = &SHAPES[if index % 40 == 0 { 7 } else { index % 7 }].handle;
            let pose = Pose::from_axis_angle(place + 1.0, place.x, place).expect("a pose");
            world.add(NewBody::moving(shape, pose));
        }
        world.step();
        Flight { world, random, side }
    }

    fn frame(&mut self, config: &SweptConfig) -> (Vec<SweptContact>, f64, [usize; 3]) {
        let ids: Vec<BodyId> = self.world.bodies().collect();
        for id in ids {
            let pose = self.world.pose(id).expect("known");
            let mut vector = |size: f64| DVec3::from_array([(); 3].map(|()| self.random.range(-size, size)));
            let (way, axis) = (vector(1.5), vector(1.0));
            let place = (pose.translation() + way).rem_euclid(DVec3::splat(self.side));
            // Straight on, or turning; those that leave come back elsewhere.
            let rotation =
                DQuat::from_axis_angle(axis.normalize(), axis.x) * DQuat::from_mat3(&pose.rotation());
            let next = match id.index() % 3 {
                0 => Pose::new(pose.rotation(), place),
                _ => Pose::from_quaternion(rotation.normalize(), place),
            };
            let has_jumped = (place - pose.translation() - way).length() > 1e-6;
            let moved = |world: &mut World, next| match has_jumped {
                true => world.teleport(id, next),
                false => world.move_to(id, next),
            };
            moved(&mut self.world, next.expect("a pose")).expect("known");
        }
        let frame = self.world.step_swept(config).expect("a gap");
        (frame.contacts.to_vec(), frame.reached, [frame.swept, frame.tested, frame.end.events.len()])
    }
}

#[test]
fn swept_frames_do_not_depend_on_the_number_of_threads() {
    let all = SweptConfig { detail: SweptDetail::All(ContactsConfig::default()), ..SweptConfig::default() };
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            let mut flight = Flight::new(120);
            [&all, &FREE, &all].map(|config| flight.frame(config))
        })
    };
    let one = run(1);
    assert!(one[0].0.len() > 40 && one[1].1 < 1.0 && one[0].0.iter().any(|contact| contact.all.is_none()));
    assert!(one[2].0.iter().any(|contact| contact.all.as_ref().is_some_and(|all| !all.is_empty())));
    let hits = |contacts: &[SweptContact]| {
        contacts.iter().filter(|contact| matches!(contact.outcome, SweptOutcome::Hit(_))).count()
    };
    assert!(hits(&one[0].0) > 20, "{}", hits(&one[0].0));
    assert_eq!(one, run(2));
    assert_eq!(one, run(3));
}

#[test]
fn a_snapshot_goes_on_bit_for_bit() {
    let mut flight = Flight::new(60);
    flight.frame(&FREE);
    let (snapshot, random) = (flight.world.snapshot(), flight.random.clone());
    let first = [(); 2].map(|()| flight.frame(&FREE));
    flight.world.restore(&snapshot);
    flight.random = random;
    assert_eq!(first, [(); 2].map(|()| flight.frame(&FREE)));
}

/// The whole use of the last free poses: a box falls on the floor, is stopped before it, loses the speed towards it, and
/// slides. It never touches the floor, so no frame begins in contact.
#[test]
fn a_box_that_falls_comes_to_rest_above_the_floor() {
    let floor = cuboid(100.0, 100.0, 1.0);
    let cube = cuboid(1.0, 1.0, 1.0);
    let mut world = World::default();
    world.add(NewBody::fixed(&floor, at(0.0, 0.0, -0.5)));
    let mut orientation = DQuat::IDENTITY;
    let body = world.add(NewBody::moving(&cube, at(0.0, 0.0, 2.0)));
    world.step();
    let config = SweptConfig { end: SweptEnd::LastFree { gap: 1e-5 }, detail: SweptDetail::First };
    let mut velocity = DVec3::new(0.05, 0.02, 0.0);
    let (mut held, mut rested) = (0, 0);
    for _ in 0..120 {
        velocity.z -= 0.02;
        let mut left = 1.0;
        for _ in 0..4 {
            let pose = world.pose(body).expect("known");
            // It spins about the normal of the floor as it slides.
            let next = DQuat::from_rotation_z(0.05 * left) * orientation;
            let place = pose.translation() + velocity * left;
            world.move_to(body, Pose::from_quaternion(next, place).expect("a pose")).expect("known");
            let frame = world.step_swept(&config).expect("a gap");
            assert!(frame.end.events.is_empty(), "{:?}", frame.end.events);
            assert!(frame.contacts.iter().all(|c| c.outcome.free_until().is_some()), "{:?}", frame.contacts);
            let (reached, first) = (frame.reached, frame.first().cloned());
            orientation = DQuat::from_rotation_z(0.05 * left * reached) * orientation;
            left *= 1.0 - reached;
            let Some(first) = first else { break };
            held += 1;
            rested += usize::from(reached == 0.0);
            let normal = match first.outcome {
                SweptOutcome::Hit(hit) => hit.normal,
                _ => DVec3::Z,
            };
            velocity -= normal * velocity.dot(normal).min(0.0);
        }
    }
    let place = world.pose(body).expect("known").translation();
    assert!(held > 90 && rested > 80, "{held} {rested}");
    assert!(place.z > 0.5 && place.z < 0.5 + 3e-5 && place.x > 5.9, "{place:?}");
}

/// What begins in contact is told with how it goes on, where that is known.
#[test]
fn pairs_in_contact_at_the_start_do_not_hold_the_frame_unless_they_meet_anew() {
    let at_start = |contacts: &[SweptContact]| match contacts {
        [SweptContact { outcome: SweptOutcome::AtStart(start), .. }] => (start.relation, start.overlap),
        other => panic!("{other:?}"),
    };
    let touching = ConvexRelation::Exact(Relation::Touching);
    let (floor, cube) = (cuboid(20.0, 20.0, 1.0), cuboid(1.0, 1.0, 1.0));
    let (mut world, _) = two(&floor, at(0.0, 0.0, -0.5), &cube, at(0.0, 0.0, 1.5), at(0.0, 0.0, 0.9));
    for gap in [-1.0, f64::NAN, f64::INFINITY] {
        let bad = SweptConfig { end: SweptEnd::LastFree { gap }, detail: SweptDetail::First };
        assert!(matches!(world.step_swept(&bad), Err(WorldError::BadLength { what: "gap", .. })));
    }
    let run = |to: Pose| {
        let (mut world, ids) = two(&floor, at(0.0, 0.0, -0.5), &cube, at(0.0, 0.0, 0.5), to);
        let frame = world.step_swept(&FREE).expect("a gap");
        let found = (at_start(frame.contacts), frame.reached);
        (found, world.pose(ids[1]).expect("known"))
    };
    // It slides, parts, presses in, or turns.
    let ((found, reached), pose) = run(at(3.0, 0.0, 0.5));
    assert_eq!((found, reached, pose), ((touching, SweptOverlap::Never), 1.0, at(3.0, 0.0, 0.5)));
    assert_eq!(run(at(0.0, 0.0, 0.75)).0, ((touching, SweptOverlap::Never), 1.0));
    let from_now = SweptOverlap::From { lower: 0.0, upper: 0.0 };
    assert_eq!(run(at(0.0, 0.0, 0.25)).0, ((touching, from_now), 1.0));
    assert_eq!(run(turned(0.5, DVec3::new(0.0, 0.0, 0.5))).0, ((touching, SweptOverlap::NotKnown), 1.0));
    // A floor with a step of the same body: it slides into it, and is held there.
    let profile: [(f64, f64); 6] =
        [(-9.0, -1.0), (9.0, -1.0), (9.0, 1.0), (4.0, 1.0), (4.0, 0.0), (-9.0, 0.0)];
    let stairs = extruded(&profile);
    let (mut world, ids) = two(&stairs, at(0.0, 0.0, 0.0), &cube, at(0.0, 0.0, 0.5), at(7.0, 0.0, 0.5));
    let frame = world.step_swept(&FREE).expect("a gap");
    let (relation, overlap) = at_start(frame.contacts);
    let SweptOverlap::From { lower, upper } = overlap else { panic!("{overlap:?}") };
    assert!(relation == touching && lower <= 0.5 && 0.5 <= upper && upper - lower < 1e-15);
    let reached = frame.reached;
    assert!(reached < 0.5 && reached > 0.5 - 1e-8);
    assert!((world.pose(ids[1]).expect("known").translation().x - 3.5).abs() < 1e-7);
}

/// A solid: a polygon in x and z, walls and two lids that are fans from its last corner.
fn extruded(profile: &[(f64, f64)]) -> ShapeHandle {
    let n = profile.len() as u32;
    let mut soup = TriangleSoup::default();
    for y in [-5.0, 5.0] {
        soup.positions.extend(profile.iter().map(|&(x, z)| DVec3::new(x, y, z)));
    }
    for i in 0..n {
        let j = (i + 1) % n;
        soup.triangles.extend([[i, j, n + j], [i, n + j, n + i]]);
    }
    // The polygon is seen by its corner 4, at which it is not convex.
    let fan = |k: u32| (4 + k) % n;
    for k in 1..n - 1 {
        soup.triangles.push([fan(0), fan(k + 1), fan(k)]);
        soup.triangles.push([n + fan(0), n + fan(k), n + fan(k + 1)]);
    }
    let mesh = Mesh::build(&soup, &MeshConfig::default()).expect("a mesh");
    assert_eq!(mesh.kind(), clearance::shape::MeshKind::Solid);
    ShapeHandle::new(&Shape::from(mesh)).expect("within limits")
}

#[test]
fn all_contacts_of_a_frame_are_told_on_request() {
    let (wall, bullet) = (cuboid(0.5, 4.0, 4.0), cuboid(0.5, 0.5, 0.5));
    let all = SweptConfig { detail: SweptDetail::All(ContactsConfig::default()), ..SweptConfig::default() };
    let to = turned(0.6, DVec3::new(3.0, 0.0, 0.0));
    let (mut world, _) = two(&wall, at(0.0, 0.0, 0.0), &bullet, turned(0.2, DVec3::new(-3.0, 0.0, 0.0)), to);
    let contacts = world.step_swept(&all).expect("a gap").contacts.to_vec();
    let (first, every) = (hit(&contacts), contacts[0].all.clone().expect("one screw"));
    assert!(!every.is_empty() && (every[0].lower - first.lower).abs() < 1e-8, "{every:?}");
    // A side edge of the bullet meets the face: the vertices at its ends do.
    assert!(
        matches!(every[0].feature_a, Feature::Face(_)) && matches!(every[0].feature_b, Feature::Vertex(_))
    );
    assert!(first.features.is_some_and(|[_, b]| !matches!(b, Feature::Face(_))), "{first:?}");
    // Round bodies have no features.
    let ball = ShapeHandle::new(&Shape::from(Primitive::from(Sphere::new(0.5).expect("a size"))))
        .expect("in limits");
    let (mut world, _) = two(&wall, at(0.0, 0.0, 0.0), &ball, turned(0.2, DVec3::new(-3.0, 0.0, 0.0)), to);
    let contacts = world.step_swept(&all).expect("a gap").contacts.to_vec();
    assert!(contacts[0].all.is_none() && hit(&contacts).features.is_none());
    // Both move, none turns: seen from A.
    let mut world = World::default();
    let ids = [-2.0, 2.0].map(|x| world.add(NewBody::moving(&bullet, at(x, 0.1 * x, 0.02 * x))));
    world.step();
    ids.iter().zip([2.0, -2.0]).for_each(|(id, x)| world.move_to(*id, at(x, 0.0, 0.0)).expect("known"));
    let contacts = world.step_swept(&all).expect("a gap").contacts.to_vec();
    let (first, every) = (hit(&contacts), contacts[0].all.clone().expect("one screw"));
    assert!((every[0].lower - first.lower).abs() < 1e-8 && first.features.is_some());
    assert!((first.normal - DVec3::X).length() < 1e-12 && (first.point.x).abs() < 1e-9, "{first:?}");
}

/// Points, segments and bodies without an end.
#[test]
fn thin_and_endless_bodies_are_swept_too() {
    let hull = |points: &[DVec3]| ShapeHandle::from(Polytope::hull(points).expect("points"));
    let (needle, dot) = (hull(&[DVec3::ZERO, DVec3::Z]), hull(&[DVec3::ZERO]));
    let sheet = hull(&[DVec3::new(0.0, -1.0, -1.0), DVec3::new(0.0, 2.0, 0.0), DVec3::new(0.0, -1.0, 2.0)]);
    for shape in [&needle, &dot] {
        let (mut world, _) =
            two(&sheet, at(0.0, 0.0, 0.0), shape, at(-1.0, 0.1, 0.1), turned(0.3, DVec3::new(1.0, 0.1, 0.1)));
        let found = hit(world.step_swept(&FREE).expect("a gap").contacts);
        assert!(found.lower > 0.4 && found.upper < 0.6, "{found:?}");
    }
    let floor = clearance::shape::HalfSpace::new(DVec3::Z, 0.0).expect("a half-space");
    let floor = ShapeHandle::new(&Shape::from(Primitive::from(floor))).expect("within limits");
    let (mut world, _) =
        two(&floor, at(0.0, 0.0, 0.0), &needle, at(0.0, 0.0, 1.0), turned(1.0, DVec3::new(0.0, 0.0, -3.0)));
    let found = hit(world.step_swept(&FREE).expect("a gap").contacts);
    assert!((found.lower - 0.25).abs() < 1e-8, "{found:?}");
    // The floor itself tips.
    let tipped = Pose::from_axis_angle(DVec3::X, 0.5, DVec3::ZERO).expect("a pose");
    let mut world = World::default();
    let floor = world.add(NewBody::moving(&floor, at(0.0, 0.0, 0.0)));
    world.add(NewBody::fixed(&dot, at(0.0, 1.0, 0.25)));
    world.step();
    world.move_to(floor, tipped).expect("known");
    let found = hit(world.step_swept(&FREE).expect("a gap").contacts);
    let truth = 0.25_f64.atan() / 0.5;
    assert!(found.lower <= truth && truth <= found.upper, "{found:?} {truth}");
}
