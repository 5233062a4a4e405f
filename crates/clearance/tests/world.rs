//! The world against a naive one, and what it promises beside answers.

use clearance::broad::Mobility;
use clearance::glam::{DQuat, DVec3};
use clearance::math::Random;
use clearance::oracle::{compare::assert_agreement, world::SAMPLES};
use clearance::pair::{self, ManifoldConfig, Ray, Relation};
use clearance::shape::sample::{PolytopeKind, random_polytope};
use clearance::shape::{Cuboid, Cylinder, Polytope, Primitive, Shape};
use clearance::support::SupportMap;
use clearance::world::{
    BodyId, Cancel, Change, Ending, Event, Ignored, NewBody, ShapeHandle, Snapshot, World, WorldConfig,
    WorldError,
};
use clearance::{Aabb, Pose};
use std::collections::BTreeMap;

#[test]
fn a_world_tells_what_a_naive_world_does() {
    assert_agreement("a world tells what a naive world does", 3, 0..150);
}

fn cube() -> ShapeHandle {
    let cube = Cuboid::new(DVec3::ONE).expect("a size");
    ShapeHandle::new(&Shape::from(Primitive::from(cube))).expect("within limits")
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z)).expect("a pose")
}

/// Bodies of all kinds that wander in a box.
struct Wanderers {
    world: World,
    bodies: Vec<(BodyId, DVec3, DVec3, DQuat)>,
    side: f64,
}

impl Wanderers {
    fn new(count: usize, config: WorldConfig) -> Wanderers {
        Wanderers::apart(2.5, count, config)
    }

    /// So far apart, in the mean.
    fn apart(spacing: f64, count: usize, config: WorldConfig) -> Wanderers {
        let side = spacing * (count as f64).cbrt();
        let mut world = World::new(config).expect("a radius");
        let mut random = Random::new(8);
        let mut bodies = Vec::new();
        for index in 0..count {
            let mut vector =
                |low: f64, high: f64| DVec3::from_array([0; 3].map(|_: i32| random.range(low, high)));
            let (place, speed) = (vector(0.0, side), vector(-0.1, 0.1));
            let spin = DQuat::from_axis_angle(vector(-1.0, 1.0).normalize(), 0.1);
            let pose = Pose::from_translation(place).expect("a pose");
            let sample = &SAMPLES[if index % 9 == 0 { index % SAMPLES.len() } else { index % 4 }];
            bodies.push((world.add(NewBody::moving(&sample.handle, pose)), place, speed, spin));
        }
        Wanderers { world, bodies, side }
    }

    fn step(&mut self, frame: usize) -> Vec<Event> {
        for (id, place, speed, spin) in &mut self.bodies {
            *place += *speed;
            for axis in 0..3 {
                if (place[axis] < 0.0) == (speed[axis] < 0.0) && !(0.0..self.side).contains(&place[axis]) {
                    speed[axis] = -speed[axis];
                }
            }
            let turn = (0..frame % 60).fold(DQuat::IDENTITY, |turn, _| (*spin * turn).normalize());
            self.world.move_to(*id, Pose::from_quaternion(turn, *place).expect("a pose")).expect("known");
        }
        self.world.step().events.to_vec()
    }
}

#[test]
fn events_do_not_depend_on_the_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            let config = WorldConfig { watch_radius: Some(0.1), ..Default::default() };
            let mut wanderers = Wanderers::apart(1.2, 900, config);
            let events: Vec<_> = (1..6).map(|frame| wanderers.step(frame)).collect();
            // Fewer pairs are left to one thread.
            assert!(wanderers.world.step().pairs > 1 << 12);
            (events, wanderers.world.colliding_pairs())
        })
    };
    let one = run(1);
    assert!(one.0.iter().flatten().any(|event| matches!(event.change, Change::Persists(_))));
    assert_eq!(one, run(2));
    assert_eq!(one, run(5));
}

#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    let wanderers = Wanderers::apart(1.2, 600, WorldConfig::default());
    let (world, body) = (&wanderers.world, wanderers.bodies[1].0);
    // From outside into the crowd.
    let poses: Vec<Pose> = (0..900).map(|i| at(0.02 * f64::from(i) - 8.0, 5.0, 5.0)).collect();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            let first = world.first_collision(body, &poses, &Cancel::new()).expect("methods");
            (world.check_poses(body, &poses), first, world.pairs_within(0.2), world.colliding_pairs())
        })
    };
    let one = run(1);
    assert!(one.1.is_some_and(|first| first > 64), "{:?}", one.1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(5));
}

#[test]
fn worlds_and_what_they_hand_out_are_shared_among_threads() {
    fn is_shared<T: Send + Sync + 'static>() {}
    is_shared::<World>();
    is_shared::<Snapshot>();
    is_shared::<ShapeHandle>();
    is_shared::<Cancel>();
}

#[test]
fn many_moves_at_once_are_moves_one_after_the_other() {
    // Enough bodies for several tasks.
    let mut one = Wanderers::new(1100, WorldConfig { watch_radius: Some(0.1), ..Default::default() });
    let mut many = one.world.clone();
    for frame in 1..5 {
        let events = one.step(frame);
        let mut moves: Vec<(BodyId, Pose)> = Vec::new();
        for (id, ..) in &one.bodies {
            // Of two moves of a body the last one counts.
            moves.extend((id.index() % 7 == 0).then(|| (*id, at(-1.0, 0.5, 0.0))));
            moves.push((*id, one.world.pose(*id).expect("known")));
        }
        many.move_all(&moves).expect("known");
        assert_eq!(many.step().events, events);
    }
    let (id, ..) = one.bodies[3];
    many.remove(id).expect("known");
    let (other, pose) = (one.bodies[4].0, many.pose(one.bodies[4].0));
    let refused = many.move_all(&[(id, at(0.0, 0.0, 0.0)), (other, at(0.0, 0.0, 0.0))]);
    assert_eq!(refused, Err(WorldError::NoSuchBody { body: id }));
    assert_eq!(many.pose(other), pose);
}

/// Pairs are not looked at while their bodies cannot have met; in every step the pairs that meet are those that a search
/// from nothing finds.
#[test]
fn pairs_that_are_left_alone_do_not_meet() {
    let mut wanderers = Wanderers::new(300, WorldConfig::default());
    let (mut pairs, mut tested, mut met) = (0, 0, 0);
    for frame in 1..70 {
        // All at rest, all on their way, or one of four.
        let moves = |index: usize| match frame % 20 {
            0..3 => false,
            3..15 => true,
            _ => index.is_multiple_of(4),
        };
        for (index, (id, place, speed, spin)) in wanderers.bodies.iter_mut().enumerate() {
            if moves(index) {
                *place = (*place + 0.3 * *speed).rem_euclid(DVec3::splat(wanderers.side));
                let turn = (0..frame % 60).fold(DQuat::IDENTITY, |turn, _| (*spin * turn).normalize());
                let pose = Pose::from_quaternion(turn, *place).expect("a pose");
                wanderers.world.move_to(*id, pose).expect("known");
            }
        }
        let frame = wanderers.world.step();
        (pairs, tested) = (pairs + frame.pairs, tested + frame.tested);
        let meets = |event: &&Event| matches!(event.change, Change::Began(_) | Change::Persists(_));
        let told: Vec<[BodyId; 2]> = frame.events.iter().filter(meets).map(|e| [e.a, e.b]).collect();
        met += told.len();
        assert_eq!(Ok(told), wanderers.world.colliding_pairs());
    }
    assert!(met > 1000 && tested < pairs * 3 / 4, "{tested} of {pairs}, {met} met");
}

#[test]
fn a_restored_world_goes_on_bit_for_bit() {
    let mut wanderers = Wanderers::new(150, WorldConfig::default());
    for frame in 1..6 {
        wanderers.step(frame);
    }
    let (snapshot, bodies) = (wanderers.world.snapshot(), wanderers.bodies.clone());
    let first: Vec<_> = (6..14).map(|frame| wanderers.step(frame)).collect();
    let memory = wanderers.world.memory();
    wanderers.world.restore(&snapshot);
    wanderers.bodies = bodies;
    let again: Vec<_> = (6..14).map(|frame| wanderers.step(frame)).collect();
    assert_eq!(first, again);
    assert!(first.iter().flatten().any(|event| matches!(event.change, Change::Began(_))));
    assert!(wanderers.world.memory().total() <= 2 * memory.total());
}

#[test]
fn ids_are_not_confused_after_reuse() {
    let (shape, mut world) = (cube(), World::default());
    let old = world.add(NewBody::moving(&shape, at(0.0, 0.0, 0.0)));
    let other = world.add(NewBody::moving(&shape, at(0.5, 0.0, 0.0)));
    assert_eq!(world.step().events.len(), 1);
    world.remove(old).expect("known");
    let new = world.add(NewBody::moving(&shape, at(0.25, 0.0, 0.0)));
    assert_eq!(old.index(), new.index());
    assert_ne!(old, new);
    assert_eq!(world.pose(old), Err(WorldError::NoSuchBody { body: old }));
    let events = world.step().events;
    assert!(
        matches!(events[0], Event { a, b, change: Change::Ended(Ending::Removed) } if (a, b) == (old, other))
    );
    assert!(matches!(&events[1], Event { a, b, change: Change::Began(_) } if (*a, *b) == (new, other)));
    let message = world.remove(old).expect_err("gone").to_string();
    assert!(message.contains(&old.to_string()), "{message}");
}

#[test]
fn ids_lead_to_bodies_that_were_put_elsewhere() {
    let (shape, mut world) = (cube(), World::default());
    let cube_at = |x: u32| NewBody::moving(&shape, at(f64::from(x), 0.0, 0.0));
    let mut ids: Vec<BodyId> = (0..9).map(|x| world.add(cube_at(x))).collect();
    let last = ids.pop().expect("nine");
    ids.iter().for_each(|&id| world.remove(id).expect("known"));
    world.step();
    let known = |world: &World, ids: &[(BodyId, u32)]| {
        assert!(ids.iter().all(|&(id, x)| world.pose(id) == Ok(at(f64::from(x), 0.0, 0.0))));
        assert!(world.bodies().eq(ids.iter().map(|known| known.0)), "in the order of ids");
    };
    known(&world, &[(last, 8)]);
    assert!(ids.iter().all(|&id| !world.contains(id)));
    let first = world.add(cube_at(20));
    known(&world, &[(first, 20), (last, 8)]);
    let second = world.add(cube_at(30));
    known(&world, &[(first, 20), (second, 30), (last, 8)]);
    assert_eq!([first, second].map(BodyId::index), [0, 1]);
    // Those that are left are where they were before.
    world.remove(last).expect("known");
    let [third, fourth] = [40, 50].map(|x| world.add(cube_at(x)));
    known(&world, &[(first, 20), (second, 30), (third, 40), (fourth, 50)]);
    assert_eq!([third, fourth].map(BodyId::index), [2, 3]);
}

#[test]
fn ids_given_after_a_snapshot_name_nothing_once_it_is_restored() {
    let (shape, mut world) = (cube(), World::default());
    let cube_at = |x: f64| NewBody::moving(&shape, at(x, 0.0, 0.0));
    let old = world.add(cube_at(0.0));
    let snapshot = world.snapshot();
    let mut given = vec![old];
    for round in 1..4 {
        let new = world.add(cube_at(f64::from(round)));
        assert!(!given.contains(&new) && given.iter().all(|id| id.index() > new.index() || *id < new));
        given.push(new);
        world.restore(&snapshot);
        let known: Vec<BodyId> = given.iter().copied().filter(|&id| world.contains(id)).collect();
        assert_eq!(known, [old]);
        assert_eq!(world.pose(new), Err(WorldError::NoSuchBody { body: new }));
    }
    // Nor where it is restored in a world that gave fewer.
    let mut other = World::default();
    other.restore(&world.snapshot());
    assert!(!given.contains(&other.add(cube_at(0.0))));
}

#[test]
fn bodies_that_come_anew_after_a_restore_are_told_of_as_before() {
    let mut wanderers = Wanderers::new(150, WorldConfig::default());
    (1..6).for_each(|frame| drop(wanderers.step(frame)));
    let (snapshot, bodies) = (wanderers.world.snapshot(), wanderers.bodies.clone());
    let shape = cube();
    let mut run = || {
        wanderers.world.restore(&snapshot);
        wanderers.bodies.clone_from(&bodies);
        let mut told = Vec::new();
        for frame in 6..14 {
            // Another body at the same place: what ended and what began there has one index and two ids.
            let (place, world) = (3 * frame, &mut wanderers.world);
            let pose = world.pose(wanderers.bodies[place].0).expect("known");
            world.remove(wanderers.bodies[place].0).expect("known");
            wanderers.bodies[place].0 = world.add(NewBody::moving(&shape, pose));
            let events = wanderers.step(frame);
            told.extend(events.into_iter().map(|event| (event.a.index(), event.b.index(), event.change)));
        }
        told
    };
    let first = run();
    assert!(first.iter().any(|(.., change)| *change == Change::Ended(Ending::Removed)));
    assert_eq!(first, run());
}

/// Far more go than are left, which then lie elsewhere, and others come between them.
#[test]
fn bodies_that_are_put_elsewhere_are_told_of_as_before() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            let config = WorldConfig { watch_radius: Some(0.1), ..Default::default() };
            let mut wanderers = Wanderers::apart(1.2, 900, config);
            let mut told: Vec<_> = (1..4).map(|frame| wanderers.step(frame)).collect();
            let (snapshot, bodies) = (wanderers.world.snapshot(), wanderers.bodies.clone());
            let go_on = |wanderers: &mut Wanderers| {
                wanderers.world.restore(&snapshot);
                wanderers.bodies.clone_from(&bodies);
                let mut told = Vec::new();
                for round in 0..3 {
                    let is_kept = |id: BodyId| (id.index() * 7 + round).is_multiple_of(9);
                    let (kept, gone): (Vec<_>, _) =
                        wanderers.bodies.drain(..).partition(|body| is_kept(body.0));
                    for (id, ..) in &gone {
                        wanderers.world.remove(*id).expect("known");
                    }
                    wanderers.bodies = kept;
                    told.extend((4..7).map(|frame| wanderers.step(frame)));
                    for (_, place, speed, spin) in gone {
                        let new = NewBody::moving(&cube(), at(place.x, place.y, place.z));
                        wanderers.bodies.push((wanderers.world.add(new), place, speed, spin));
                    }
                    told.extend((4..7).map(|frame| wanderers.step(frame)));
                    assert!(wanderers.bodies.iter().all(|body| body.0.index() < 900));
                }
                (told, wanderers.world.colliding_pairs())
            };
            let first = go_on(&mut wanderers);
            let anew = go_on(&mut wanderers);
            // New bodies have other ids.
            let plain = |events: &[Event]| -> Vec<_> {
                events.iter().map(|event| (event.a.index(), event.b.index(), event.change.clone())).collect()
            };
            assert!(first.0.iter().zip(&anew.0).all(|(one, other)| plain(one) == plain(other)));
            told.extend(first.0);
            (told, first.1)
        })
    };
    let one = run(1);
    for events in &one.0 {
        assert!(events.is_sorted_by_key(|event| (event.a.index(), event.b.index(), event.a, event.b)));
    }
    // A search from nothing, between bodies that were put elsewhere in between, finds what the last step told.
    let last = one.0.last().expect("steps").iter();
    let meet = last.filter(|event| matches!(event.change, Change::Began(_) | Change::Persists(_)));
    assert_eq!(one.1, Ok(meet.map(|event| [event.a, event.b]).collect()));
    assert_eq!(one, run(2));
    assert_eq!(one, run(5));
}

/// What is known of bodies that rest goes with them, whatever the few do that move, come or go.
#[test]
fn bodies_that_are_put_elsewhere_are_not_searched_for_anew() {
    let map = SupportMap::new(random_polytope(PolytopeKind::Ellipsoid, 12, 3).unwrap());
    let handle = ShapeHandle::from(map.polytope().clone());
    let (mut random, mut world) = (Random::new(4), World::default());
    let mut any = || {
        let place = DVec3::from_array([0; 3].map(|_: i32| random.range(0.0, 12.0)));
        Pose::from_translation(place).unwrap()
    };
    let mut bodies: BTreeMap<BodyId, Pose> = BTreeMap::new();
    let mut add = |world: &mut World, bodies: &mut BTreeMap<BodyId, Pose>| {
        let pose = any();
        bodies.insert(world.add(NewBody::moving(&handle, pose)), pose);
    };
    (0..1600).for_each(|_| add(&mut world, &mut bodies));
    let all: Vec<BodyId> = bodies.keys().copied().collect();
    // Pairs that are ignored are among those that stay.
    let ignored: Vec<[BodyId; 2]> = world
        .colliding_pairs()
        .unwrap()
        .into_iter()
        .filter(|[a, b]| (a.index() | b.index()).is_multiple_of(8))
        .collect();
    assert!(ignored.len() > 20);
    for [a, b] in ignored.iter().copied() {
        world.set_ignored(a, b, Ignored::Yes).unwrap();
    }
    world.step();
    for id in all.into_iter().filter(|id| !id.index().is_multiple_of(8)) {
        world.remove(id).unwrap();
        bodies.remove(&id);
    }
    world.step();
    let searches = world.broad_stats().searches;
    for round in 0..40 {
        let ids: Vec<BodyId> = bodies.keys().copied().collect();
        let [mover, goer] = [ids[7 * round % ids.len()], ids[(7 * round + 3) % ids.len()]];
        let pose = bodies[&ids[11 * round % ids.len()]];
        world.move_to(mover, pose).unwrap();
        bodies.insert(mover, pose);
        if round % 3 == 0 {
            world.remove(goer).unwrap();
            bodies.remove(&goer);
        }
        (0..round % 4).for_each(|_| add(&mut world, &mut bodies));
        let step = world.step();
        let is_meeting = |event: &&Event| matches!(event.change, Change::Began(_) | Change::Persists(_));
        let got: Vec<[BodyId; 2]> =
            step.events.iter().filter(is_meeting).map(|event| [event.a, event.b]).collect();
        let mut want = Vec::new();
        for (&a, pose_a) in &bodies {
            for (&b, pose_b) in bodies.range(a..).skip(1) {
                let meet = pair::relation(&map, pose_a, &map, pose_b) != Relation::Disjoint;
                want.extend((meet && !ignored.contains(&[a, b])).then_some([a, b]));
            }
        }
        assert_eq!(got, want, "round {round}");
    }
    assert_eq!(world.broad_stats().searches, searches, "few bodies ask the tree");
}

#[test]
fn removing_bodies_frees_their_memory() {
    let (shape, mut world) = (cube(), World::default());
    let mut random = Random::new(1);
    let mut ids = Vec::new();
    let empty = world.memory().total();
    for _ in 0..3000 {
        let mut x = || random.range(0.0, 20.0);
        ids.push(world.add(NewBody::moving(&shape, at(x(), x(), x()))));
    }
    world.step();
    let full = world.memory();
    assert!(full.pairs > 3000 * 100 && full.bodies > 3000 * 200, "{full:?}");
    while let Some(id) = ids.pop() {
        world.remove(id).expect("known");
    }
    world.step();
    world.step();
    let left = world.memory();
    assert!(world.is_empty() && left.total() < full.total() / 20 + empty + 100_000, "{left:?} of {full:?}");
    assert!(left.bodies < 50_000 && left.pairs < 50_000, "{left:?}");
}

#[test]
fn bodies_that_come_and_go_between_steps_hold_no_memory() {
    let (shape, mut world) = (cube(), World::default());
    let stays = world.add(NewBody::moving(&shape, at(0.0, 0.0, 0.0)));
    for round in 0..20_000 {
        let id = world.add(NewBody::moving(&shape, at(f64::from(round % 7), 0.0, 0.0)));
        world.remove(id).expect("known");
    }
    assert!(world.memory().total() < 200_000, "{:?}", world.memory());
    assert!(world.step().events.is_empty() && world.contains(stays));
}

/// Boxes tested for each body and step at one density: constant, where comparing all would grow with the number.
fn tests_per_body(count: usize, frames: usize) -> f64 {
    let (shape, mut world) = (cube(), World::default());
    let side = 2.0 * (count as f64).cbrt();
    let mut random = Random::new(2);
    let mut place = || DVec3::from_array([0; 3].map(|_: i32| random.range(0.0, side)));
    let bodies: Vec<(BodyId, DVec3)> = (0..count)
        .map(|_| place())
        .map(|p| (world.add(NewBody::moving(&shape, at(p.x, p.y, p.z))), p))
        .collect();
    for frame in 0..frames {
        for (index, (id, p)) in bodies.iter().enumerate() {
            let step = 0.02 * frame as f64 * if index % 2 == 0 { 1.0 } else { -1.0 };
            world.move_to(*id, at(p.x + step, p.y, p.z)).expect("known");
        }
        world.step();
    }
    world.broad_stats().tests as f64 / (count * frames) as f64
}

#[test]
fn the_search_grows_linearly() {
    let counts = [1_000, 4_000, 16_000].map(|count| tests_per_body(count, 6));
    assert!(counts.iter().all(|&tests| tests < 12.0), "{counts:?}");
    assert!(counts[2] < 1.5 * counts[0], "{counts:?}");
}

#[test]
#[ignore = "a million bodies take half a minute and two gigabytes; `cargo xtask long` runs this"]
fn a_million_bodies_are_held() {
    let tests = tests_per_body(1_000_000, 3);
    assert!(tests < 12.0, "{tests}");
}

#[test]
fn static_bodies_cost_nothing_in_a_step() {
    let (shape, mut world) = (cube(), World::default());
    for index in 0..5000 {
        world.add(NewBody::fixed(&shape, at(f64::from(index % 70), f64::from(index / 70), 0.0)));
    }
    let walker = world.add(NewBody::moving(&shape, at(0.0, 0.0, 1.5)));
    world.step();
    let before = world.broad_stats();
    for step in 0..50 {
        world.move_to(walker, at(0.1 * f64::from(step), 0.0, 1.5)).expect("known");
        assert!(world.step().events.is_empty());
    }
    let after = world.broad_stats();
    assert!(after.tests - before.tests < 50 * 40, "{before:?} {after:?}");
    assert_eq!(after.searches, before.searches);
}

#[test]
fn questions_name_what_they_cannot_answer() {
    let mut world = World::default();
    let cylinder = |size: f64| {
        let cylinder = Primitive::from(Cylinder::new(0.5 * size, size).expect("sizes"));
        ShapeHandle::new(&Shape::from(cylinder)).expect("within limits")
    };
    let torus = &SAMPLES.iter().find(|sample| sample.handle.kind_name() == "solid").expect("a mesh").handle;
    // As large as the largest coordinates: there is no room for polytopes around it.
    let a = world.add(NewBody::moving(&cylinder(2f64.powi(300)), at(0.5, 0.0, 0.0)));
    let b = world.add(NewBody::moving(torus, at(0.0, 0.0, 0.0)));
    let frame = world.step();
    assert!(frame.events.is_empty());
    assert_eq!((frame.failures[0].a, frame.failures[0].b), (a, b));
    let message = world.would_collide(a, &Pose::IDENTITY).expect_err("no method").to_string();
    assert!(message.contains("cylinder") && message.contains(&a.to_string()), "{message}");
    world.remove(a).expect("known");
    let a = world.add(NewBody::moving(&cylinder(1.0), at(0.5, 0.0, 0.0)));
    let ray = Ray::new(DVec3::new(5.0, 0.0, 0.0), -DVec3::X, f64::INFINITY).expect("a ray");
    assert!(world.ray_cast(&ray).is_ok_and(|hit| hit.is_some_and(|hit| hit.body == a)));
    let other_side = Ray::new(DVec3::new(-5.0, 0.0, 0.0), DVec3::X, f64::INFINITY).expect("a ray");
    assert!(world.ray_cast(&other_side).is_ok_and(|hit| hit.is_some_and(|hit| hit.body == b)));
    world.set_ignored(a, b, Ignored::Yes).expect("known");
    assert!(world.step().failures.is_empty());
    assert_eq!(world.set_ignored(a, a, Ignored::Yes), Err(WorldError::SameBody { body: a }));
    assert!(World::new(WorldConfig { watch_radius: Some(f64::NAN), ..Default::default() }).is_err());
    assert!(world.pairs_within(-1.0).is_err() && world.pairs_within(f64::NAN).is_err());
    assert_eq!(world.region(&Aabb { min: DVec3::ONE, max: DVec3::ZERO }), Err(WorldError::BadRegion));
}

#[test]
fn rays_and_regions_find_the_first_and_all() {
    let (shape, mut world) = (cube(), World::default());
    let ids: Vec<BodyId> =
        (0..20).map(|i| world.add(NewBody::moving(&shape, at(2.0 * f64::from(19 - i), 0.0, 0.0)))).collect();
    let ray = Ray::new(DVec3::new(-3.0, 0.5, 0.0), DVec3::X, f64::INFINITY).expect("a ray");
    let hit = world.ray_cast(&ray).expect("polytopes").expect("it grazes all");
    assert_eq!((hit.body, hit.t_lower, hit.normal), (ids[19], 2.5, Some(-DVec3::X)));
    let short = Ray::new(DVec3::new(-3.0, 0.5, 0.0), DVec3::X, 2.0).expect("a ray");
    assert_eq!(world.ray_cast(&short), Ok(None));
    let region = Aabb { min: DVec3::new(0.5, -0.5, -0.5), max: DVec3::new(4.0, 9.0, 9.0) };
    assert_eq!(world.region(&region), Ok(vec![ids[17], ids[18], ids[19]]));
    let turned = Pose::from_axis_angle(DVec3::Z, 0.78, DVec3::ZERO).expect("a pose");
    world.move_to(ids[19], turned).expect("known");
    let corner = Aabb { min: DVec3::new(0.45, 0.45, -0.1), max: DVec3::new(0.5, 0.5, 0.1) };
    assert_eq!(world.region(&corner), Ok(vec![]));
    assert_eq!(world.bounds_in(&corner), vec![ids[19]]);
}

#[test]
fn closest_points_come_from_the_step_before_unless_teleported() {
    let (shape, mut world) = (cube(), World::default());
    let floor =
        world.add(NewBody { mobility: Mobility::Static, ..NewBody::moving(&shape, at(0.0, 0.0, 0.0)) });
    let body = world.add(NewBody::moving(&shape, at(0.0, 0.0, 9.0)));
    world.step();
    world.move_to(body, at(0.0, 0.0, 3.0)).expect("known");
    world.step();
    world.move_to(body, at(0.0, 0.0, 2.0)).expect("known");
    world.move_to(body, at(0.0, 0.0, 1.0)).expect("known");
    let frame = world.step();
    let (_, _, contact) = frame.began().next().expect("they touch");
    let before = contact.before.expect("the step before");
    assert!(before.lower <= 2.0 && 2.0 <= before.upper && contact.depth.is_none());
    let manifold =
        world.manifold(floor, body, &ManifoldConfig::default()).expect("known").expect("polytopes");
    assert_eq!(manifold.points.len(), 4);
    world.teleport(body, at(0.0, 0.0, 3.0)).expect("known");
    assert!(matches!(world.step().events[0].change, Change::Ended(Ending::Apart)));
    world.teleport(body, at(0.0, 0.0, 0.5)).expect("known");
    assert!(world.step().began().next().expect("they overlap").2.before.is_none());
}

#[test]
fn long_calls_can_be_cancelled_and_worlds_shared() {
    fn is_shared<T: Send + Sync>(_: &T) {}
    let wanderers = Wanderers::new(200, WorldConfig::default());
    let world = &wanderers.world;
    is_shared(world);
    let cancel = Cancel::new();
    let poses: Vec<Pose> = (0..500).map(|i| at(0.06 * f64::from(i) - 8.0, 7.0, 7.0)).collect();
    let body = wanderers.bodies[1].0;
    let checked = world.check_poses_until(body, &poses, &cancel).expect("not cancelled");
    for (pose, hit) in poses.iter().zip(&checked).step_by(50) {
        assert_eq!(world.would_collide(body, pose), Ok(*hit));
    }
    assert!(checked.contains(&true) && checked.contains(&false));
    cancel.cancel();
    assert_eq!(world.check_poses_until(body, &poses, &cancel), Err(WorldError::Cancelled));
    assert_eq!(world.pairs_within_until(1.0, &cancel), Err(WorldError::Cancelled));
    assert_eq!(world.first_collision(body, &poses, &cancel), Err(WorldError::Cancelled));
}

#[test]
fn bodies_that_turn_fast_and_drift_are_left_alone_for_long_and_never_missed() {
    let mut random = Random::new(21);
    let polytopes: Vec<Polytope> =
        (0..4).map(|seed| random_polytope(PolytopeKind::Ellipsoid, 12, seed).unwrap()).collect();
    let handles: Vec<ShapeHandle> = polytopes.iter().cloned().map(ShapeHandle::from).collect();
    let maps: Vec<SupportMap> = polytopes.into_iter().map(SupportMap::new).collect();
    let mut world = World::default();
    let (count, side, mut bodies) = (40, 6.0, Vec::new());
    for body in 0..count {
        let mut vector = |size: f64| DVec3::from_array([0; 3].map(|_: i32| random.range(-size, size)));
        let (place, speed, axis) = (vector(0.5 * side), vector(0.01), vector(1.0));
        let pose = Pose::from_translation(place).unwrap();
        bodies.push((world.add(NewBody::moving(&handles[body % 4], pose)), place, speed, axis));
    }
    let (mut boxes, mut tested) = (0, 0);
    for frame in 0..150 {
        let poses: Vec<Pose> = bodies
            .iter()
            .map(|(_, place, speed, axis)| {
                let (turn, time) = (0.3 * f64::from(frame), f64::from(frame));
                Pose::from_axis_angle(*axis, turn, *place + *speed * time).unwrap()
            })
            .collect();
        bodies.iter().zip(&poses).for_each(|(body, pose)| world.move_to(body.0, *pose).unwrap());
        let step = world.step();
        tested += step.tested;
        let is_meeting = |event: &&Event| matches!(event.change, Change::Began(_) | Change::Persists(_));
        let got: Vec<[usize; 2]> =
            step.events.iter().filter(is_meeting).map(|event| [event.a.index(), event.b.index()]).collect();
        let mut want = Vec::new();
        for a in 0..count {
            for b in a + 1..count {
                let relation = pair::relation(&maps[a % 4], &poses[a], &maps[b % 4], &poses[b]);
                if relation != Relation::Disjoint {
                    want.push([a, b]);
                }
                let bound = |body: usize| world.bound(bodies[body].0).unwrap();
                boxes += usize::from(bound(a).meets(bound(b)));
            }
        }
        assert_eq!(got, want, "frame {frame}");
    }
    assert!(tested < boxes * 3 / 4, "{tested} tested of {boxes}");
}
