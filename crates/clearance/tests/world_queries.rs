//! Questions to a world against brute force over its bodies, what-if, and calls that are ended in the middle.

use clearance::body::{self, Body};
use clearance::broad::Mobility;
use clearance::compound::{Compound, Part};
use clearance::glam::{DQuat, DVec3, dvec3};
use clearance::math::Random;
use clearance::mesh::TreeMesh;
use clearance::oracle::world::SAMPLES;
use clearance::pair::{Convex, ConvexRelation, ManifoldConfig, Ray, Relation};
use clearance::shape::sample::{self, random_direction};
use clearance::shape::{
    Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Mesh, MeshConfig, Plane, Polytope, Primitive,
    Rounded, Shape, Sphere,
};
use clearance::world::{
    BodyId, Cancel, Change, Event, Groups, Ignored, NewBody, ShapeHandle, World, WorldConfig, WorldError,
    WorldHit,
};
use clearance::{Aabb, Pose};

fn primitive(body: impl Into<Primitive>) -> Shape {
    Shape::from(body.into())
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z)).expect("a pose")
}

fn cube() -> ShapeHandle {
    ShapeHandle::new(&primitive(Cuboid::new(DVec3::ONE).expect("a size"))).expect("within limits")
}

fn sphere(radius: f64) -> ShapeHandle {
    ShapeHandle::new(&primitive(Sphere::new(radius).expect("a size"))).expect("within limits")
}

/// A shape of every kind for the world, and the same as bodies whose union it is.
fn kinds() -> Vec<(ShapeHandle, Vec<Body>)> {
    let die = Primitive::from(Cuboid::new(DVec3::splat(0.5)).expect("a size"));
    let round = Primitive::from(Cylinder::new(0.5, 0.5).expect("sizes"));
    let shapes = [
        primitive(Sphere::new(0.5).expect("a size")),
        primitive(Capsule::new(1.0, 0.25).expect("sizes")),
        primitive(Cylinder::new(1.0, 0.5).expect("sizes")),
        primitive(Cone::new(1.0, 0.5).expect("sizes")),
        primitive(Ellipsoid::new(dvec3(1.0, 0.5, 0.25)).expect("sizes")),
        primitive(HalfSpace::new(dvec3(0.5, 0.25, 1.0), -7.0).expect("a normal")),
        primitive(Plane::new(dvec3(1.0, 0.25, 0.5), 9.0).expect("a normal")),
        Shape::from(Rounded::new(die, 0.25).expect("a radius")),
        Shape::from(Rounded::new(round, 0.125).expect("a radius")),
        Shape::from(Polytope::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]).expect("a solid")),
        Shape::from(Polytope::hull(&[DVec3::ZERO, DVec3::X]).expect("a segment")),
    ];
    let simple = |shape: Shape| {
        let body = Body::try_from(&shape).expect("within limits");
        (ShapeHandle::new(&shape).expect("within limits"), vec![body])
    };
    let torus = sample::torus(0.75, 0.25, 8, 6).expect("sizes");
    let torus = TreeMesh::new(Mesh::build(&torus, &MeshConfig::default()).expect("a mesh"));
    let leg = |long: DVec3| {
        let corner = |i: usize| {
            let pick = |axis: usize| if i >> axis & 1 == 1 { long[axis] } else { 0.0 };
            dvec3(pick(0), pick(1), pick(2))
        };
        Polytope::hull(&(0..8).map(corner).collect::<Vec<_>>()).expect("a solid")
    };
    let legs = [leg(dvec3(1.5, 0.5, 0.5)), leg(dvec3(0.5, 1.5, 0.5))];
    let angle = Compound::new(legs.iter().cloned().map(Part::from).collect()).expect("two parts");
    let legs = legs.map(|leg| Body::Convex(Convex::from_polytope(leg)));
    let unions = [
        (ShapeHandle::from(torus.clone()), vec![Body::Mesh(Box::new(torus))]),
        (ShapeHandle::from(angle), legs.into()),
    ];
    shapes.into_iter().map(simple).chain(unions).collect()
}

/// Bodies of all kinds here and there, and the parts of each.
fn crowd(seed: u64, kinds: &[(ShapeHandle, Vec<Body>)]) -> (World, Vec<(BodyId, Pose, usize)>) {
    let (mut random, mut world) = (Random::new(seed), World::default());
    let offset = DVec3::splat([0.0, 1e6][seed as usize % 2]);
    let mut bodies = Vec::new();
    for number in 0..40 {
        let mut eighth = || (random.below(65) as f64 - 32.0) / 8.0;
        let place = offset + dvec3(eighth(), eighth(), eighth());
        let turn = match random.below(2) {
            0 => DQuat::IDENTITY,
            _ => DQuat::from_axis_angle(random_direction(&mut random), random.range(0.0, 3.0)),
        };
        let kind = number % kinds.len();
        let pose = Pose::from_quaternion(turn, place).expect("a pose");
        let new = NewBody {
            mobility: [Mobility::Moving, Mobility::Static][number % 2],
            ..NewBody::moving(&kinds[kind].0, pose)
        };
        bodies.push((world.add(new), pose, kind));
    }
    // Places that were taken twice.
    for gone in [3, 17] {
        world.remove(bodies[gone].0).expect("known");
        bodies[gone].0 = world.add(NewBody::moving(&kinds[bodies[gone].2].0, bodies[gone].1));
    }
    world.step();
    (world, bodies)
}

#[test]
fn rays_find_what_brute_force_over_all_bodies_finds() {
    let kinds = kinds();
    let mut kinds_met = vec![0; kinds.len()];
    for seed in 0..10 {
        let (world, bodies) = crowd(seed, &kinds);
        let mut random = Random::new(100 + seed);
        for round in 0..50 {
            let target = bodies[random.below(40) as usize].1.translation();
            let from = target + random_direction(&mut random) * [0.25, 3.0, 20.0][round % 3];
            let direction = match round % 4 {
                0 => DVec3::AXES[random.below(3) as usize],
                _ => target - from + random_direction(&mut random) * 0.5,
            };
            let max_t = [f64::INFINITY, 0.75][usize::from(round % 5 == 0)];
            let ray = Ray::new(from, direction, max_t).expect("a ray");
            let hits = bodies.iter().flat_map(|(id, pose, kind)| {
                kinds[*kind].1.iter().filter_map(|part| {
                    let hit = body::ray_cast(part, pose, &ray).expect("a method")?;
                    Some((hit.t_upper, hit.t_lower, *id, *kind))
                })
            });
            let first = hits.min_by(|x, y| (x.0, x.1, x.2).partial_cmp(&(y.0, y.1, y.2)).expect("numbers"));
            let found = world.ray_cast(&ray).expect("a method");
            let told = |hit: WorldHit| (hit.t_upper, hit.body);
            assert_eq!(found.map(told), first.map(|(t, _, id, _)| (t, id)), "seed {seed}, {ray:?}");
            if let Some((_, _, _, kind)) = first {
                kinds_met[kind] += 1;
            }
        }
    }
    // All but the segment, which a ray meets only if it is aimed at it.
    assert!(kinds_met.iter().filter(|&&met| met == 0).count() <= 1, "{kinds_met:?}");
}

#[test]
fn regions_find_what_brute_force_over_all_bodies_finds() {
    let kinds = kinds();
    let (mut found_some, mut bounds_only) = (0, 0);
    for seed in 0..10 {
        let (world, bodies) = crowd(seed, &kinds);
        let mut random = Random::new(200 + seed);
        for round in 0..12 {
            let eighth = |random: &mut Random, most: u64| random.below(most) as f64 / 8.0;
            let near = bodies[random.below(40) as usize].1.translation();
            let min = (near * 8.0).round() / 8.0 + DVec3::splat(eighth(&mut random, 9) - 0.5);
            // Boxes of all sizes, flat ones and points as well.
            let extent = DVec3::from_array([0; 3].map(|_| eighth(&mut random, [1, 9, 40][round % 3])));
            let region = Aabb { min, max: min + extent };
            let corner = |i: usize| {
                let pick = |axis: usize| if i >> axis & 1 == 1 { region.max[axis] } else { region.min[axis] };
                dvec3(pick(0), pick(1), pick(2))
            };
            let hull = Polytope::hull(&(0..8).map(corner).collect::<Vec<_>>()).expect("finite");
            let hull = Body::try_from(&Shape::from(hull)).expect("within limits");
            let meets = |(_, pose, kind): &&(BodyId, Pose, usize)| {
                kinds[*kind].1.iter().any(|part| {
                    let answer = body::relate(&hull, &Pose::IDENTITY, part, pose).expect("a method");
                    answer.relation != ConvexRelation::Exact(Relation::Disjoint)
                })
            };
            let mut want: Vec<BodyId> = bodies.iter().filter(meets).map(|body| body.0).collect();
            want.sort_unstable();
            assert_eq!(world.region(&region), Ok(want.clone()), "seed {seed}, {region:?}");
            found_some += want.len();
            bounds_only += world.bounds_in(&region).len() - want.len();
        }
    }
    assert!(found_some > 100 && bounds_only > 10, "{found_some} {bounds_only}");
}

#[test]
fn no_kind_of_body_stops_a_ray_behind_which_others_are() {
    for (shape, _) in kinds() {
        let mut world = World::default();
        world.add(NewBody::moving(&shape, at(0.0, -300.0, 0.0)));
        let behind = world.add(NewBody::moving(&sphere(0.5), at(0.0, 0.0, 40.0)));
        let ray = Ray::new(dvec3(0.25, 0.25, 20.0), DVec3::Z, f64::INFINITY).expect("a ray");
        let hit = world.ray_cast(&ray).expect("a method").expect("the sphere");
        assert_eq!(hit.body, behind, "{}", shape.kind_name());
        assert!(hit.within == 0.0 && hit.t_upper > 19.0 && hit.t_upper < 20.0);
    }
}

#[test]
fn a_body_is_no_pair_with_itself() {
    let mut world = World::default();
    let a = world.add(NewBody::moving(&cube(), at(0.0, 0.0, 0.0)));
    let same = WorldError::SameBody { body: a };
    assert_eq!(world.relate(a, a).map(|_| ()), Err(same));
    assert_eq!(world.distance(a, a).map(|_| ()), Err(same));
    assert_eq!(world.manifold(a, a, &ManifoldConfig::default()).map(|_| ()), Err(same));
}

#[test]
fn rounded_bodies_have_contact_points_on_their_surfaces() {
    let mut world = World::default();
    let config = ManifoldConfig::default();
    let mut add = |shape: &ShapeHandle, pose: Pose| world.add(NewBody::moving(shape, pose));
    let [ball, other] = [add(&sphere(0.5), at(0.0, 0.0, 0.75)), add(&sphere(0.25), at(0.0, 0.5, 0.75))];
    let die = add(&cube(), at(0.0, 0.0, 0.0));
    let rounded = Primitive::from(Cuboid::new(DVec3::splat(0.5)).expect("a size"));
    let rounded =
        ShapeHandle::new(&Rounded::new(rounded, 0.25).expect("a radius").into()).expect("within limits");
    let rounded = add(&rounded, at(0.125, 0.0, -0.75));
    let far = add(&sphere(0.5), at(0.0, 0.0, 9.0));
    let torus = &SAMPLES.iter().find(|sample| sample.handle.kind_name() == "solid").expect("a mesh").handle;
    let torus = add(torus, at(0.0, 0.0, 0.0));
    let points = |a: BodyId, b: BodyId| world.manifold(a, b, &config).expect("known").expect("a normal");

    let two = points(ball, other);
    assert_eq!((two.normal, two.points.len()), (DVec3::Y, 1));
    assert_eq!(two.points[0].point_a, dvec3(0.0, 0.5, 0.75));
    assert_eq!((two.points[0].point_b, two.points[0].depth), (dvec3(0.0, 0.25, 0.75), 0.25));

    let on_top = points(die, ball);
    assert_eq!((on_top.normal, on_top.points.len()), (DVec3::Z, 1));
    assert_eq!(on_top.points[0].point_a, dvec3(0.0, 0.0, 0.5));
    assert_eq!((on_top.points[0].point_b, on_top.points[0].depth), (dvec3(0.0, 0.0, 0.25), 0.25));

    // The flat part of a rounded box on the face of another: a polygon.
    let below = points(rounded, die);
    assert_eq!((below.normal, below.points.len()), (DVec3::Z, 4));
    for point in &below.points {
        assert!((point.point_a.z + 0.25).abs() < 1e-12 && (point.point_b.z + 0.5).abs() < 1e-12);
        assert!((point.depth - 0.25).abs() < 1e-12 && (point.point_a.x - 0.125).abs() < 0.26);
    }
    assert!(points(die, far).points.is_empty(), "disjoint by more than the margin");
    assert_eq!(world.manifold(ball, torus, &config), Ok(None));
}

/// What-if asks whether a body fits somewhere; that two static bodies tell nothing in a step is no reason to fit.
#[test]
fn what_if_looks_at_static_bodies_groups_and_ignored_pairs() {
    let (shape, mut world) = (cube(), World::default());
    let wall = world.add(NewBody::fixed(&shape, at(0.0, 0.0, 0.0)));
    let post = world.add(NewBody::fixed(&shape, at(5.0, 0.0, 0.0)));
    let there = at(0.25, 0.0, 0.0);
    let ask = |world: &World| {
        let first = world.first_collision(post, &[at(9.0, 0.0, 0.0), there], &Cancel::new());
        let poses = world.check_poses(post, &[there, at(9.0, 0.0, 0.0)]);
        (world.would_collide(post, &there), world.would_meet(post, &there), poses, first)
    };
    assert_eq!(ask(&world), (Ok(true), Ok(vec![wall]), Ok(vec![true, false]), Ok(Some(1))));
    world.set_ignored(wall, post, Ignored::Yes).expect("known");
    let nothing = (Ok(false), Ok(vec![]), Ok(vec![false, false]), Ok(None));
    assert_eq!(ask(&world), nothing);
    world.set_ignored(wall, post, Ignored::No).expect("known");
    world.set_groups(wall, Groups { member_of: 2, collides_with: 1 }).expect("known");
    world.set_groups(post, Groups { member_of: 2, collides_with: 1 }).expect("known");
    assert_eq!(ask(&world), nothing);
    world.teleport(post, there).expect("known");
    world.set_groups(wall, Groups::default()).expect("known");
    world.set_groups(post, Groups::default()).expect("known");
    assert!(
        world.step().events.is_empty() && world.colliding_pairs() == Ok(vec![]),
        "static ones tell nothing"
    );
}

/// One moving body that meets the bounds of many static ones.
fn one_among_many(count: usize) -> (World, BodyId) {
    let (shape, mut world) = (cube(), World::default());
    for index in 0..count {
        let place =
            at((index % 10) as f64 * 0.1, (index / 10 % 10) as f64 * 0.1, (index / 100) as f64 * 0.01);
        world.add(NewBody::fixed(&shape, place));
    }
    let mover = world.add(NewBody::moving(&shape, at(0.5, 0.5, 0.5)));
    (world, mover)
}

/// Calls with a flag that sets itself after so many looks: an early one ends them, and none is too early to be seen.
fn assert_ends_at_every_look<T: PartialEq + std::fmt::Debug>(
    what: &str,
    least: usize,
    call: impl Fn(&Cancel) -> Result<T, WorldError>,
) {
    let want = call(&Cancel::new());
    assert!(want.is_ok(), "{what}: {want:?}");
    let mut looks = 0;
    while call(&Cancel::after(looks)) == Err(WorldError::Cancelled) {
        looks = looks * 3 / 2 + 1;
    }
    assert_eq!(call(&Cancel::after(looks)), want, "{what}");
    assert!(looks > least, "{what} looks {looks} times at most");
}

#[test]
fn questions_look_at_the_flag_at_every_pair() {
    let (mut world, mover) = one_among_many(300);
    world.step();
    let ray = Ray::new(dvec3(-5.0, 0.5, 0.5), DVec3::X, f64::INFINITY).expect("a ray");
    let everywhere = Aabb { min: DVec3::splat(-9.0), max: DVec3::splat(9.0) };
    let here = at(0.5, 0.5, 0.5);
    let apart = vec![at(0.5, 0.5, 99.0); 300];
    assert_ends_at_every_look("pairs within", 300, |flag| world.pairs_within_until(0.5, flag));
    assert_ends_at_every_look("colliding pairs", 300, |flag| world.colliding_pairs_until(flag));
    assert_ends_at_every_look("would meet", 300, |flag| world.would_meet_until(mover, &here, flag));
    assert_ends_at_every_look("nearest", 300, |flag| world.nearest_until(mover, 300, flag));
    assert_ends_at_every_look("region", 300, |flag| world.region_until(&everywhere, flag));
    assert_ends_at_every_look("ray cast", 10, |flag| world.ray_cast_until(&ray, flag));
    assert_ends_at_every_look("check poses", 300, |flag| world.check_poses_until(mover, &apart, flag));
    assert_ends_at_every_look("first collision", 300, |flag| world.first_collision(mover, &apart, flag));
}

#[test]
fn a_flag_set_by_another_thread_ends_a_call_that_is_running() {
    let (world, _) = one_among_many(20_000);
    let flag = Cancel::new();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(2));
            flag.cancel();
        });
        // Ends at the latest in the call after the one during which it is set.
        while world.pairs_within_until(0.5, &flag) != Err(WorldError::Cancelled) {}
    });
}

/// Random moves and rules, the same for two worlds.
struct Twins {
    worlds: [World; 2],
    /// As each of them knows it.
    bodies: Vec<[BodyId; 2]>,
    gone: usize,
}

impl Twins {
    fn new(watch_radius: Option<f64>, random: &mut Random) -> Twins {
        let config = WorldConfig { watch_radius, ..Default::default() };
        let worlds = [config; 2].map(|config| World::new(config).expect("a radius"));
        let mut twins = Twins { worlds, bodies: Vec::new(), gone: 0 };
        (0..150).for_each(|_| twins.add(random));
        twins
    }

    fn pose(random: &mut Random) -> Pose {
        let mut eighth = || random.below(33) as f64 / 8.0;
        let place = dvec3(eighth(), eighth(), eighth());
        let turn = DQuat::from_axis_angle(random_direction(random), random.range(0.0, 1.0));
        Pose::from_quaternion(turn, place).expect("a pose")
    }

    fn add(&mut self, random: &mut Random) {
        let sample = &SAMPLES[random.below(6) as usize];
        let new = NewBody {
            mobility: [Mobility::Moving, Mobility::Moving, Mobility::Static][random.below(3) as usize],
            ..NewBody::moving(&sample.handle, Twins::pose(random))
        };
        let [one, other] = &mut self.worlds;
        self.bodies.push([one.add(new.clone()), other.add(new)]);
    }

    /// The same in both worlds, with the bodies at two places of the list.
    fn both(&mut self, places: [usize; 2], act: impl Fn(&mut World, [BodyId; 2]) -> Result<(), WorldError>) {
        for (which, world) in self.worlds.iter_mut().enumerate() {
            act(world, places.map(|place| self.bodies[place][which])).expect("known");
        }
    }

    fn operate(&mut self, random: &mut Random) {
        let count = self.bodies.len() as u64;
        let places = [0; 2].map(|_| random.below(count) as usize);
        let pose = Twins::pose(random);
        match random.below(12) {
            0 => self.add(random),
            1 => {
                self.both(places, |world, [body, _]| world.remove(body));
                self.bodies.swap_remove(places[0]);
                self.gone += 1;
            }
            2 => self.both(places, |world, [body, _]| world.teleport(body, pose)),
            3 if places[0] != places[1] => {
                let ignored = [Ignored::Yes, Ignored::No][random.below(2) as usize];
                self.both(places, |world, [body, other]| world.set_ignored(body, other, ignored));
            }
            4 => {
                let groups = Groups { member_of: 1 + random.below(3) as u32, collides_with: 1 };
                self.both(places, |world, [body, _]| world.set_groups(body, groups));
            }
            5 => {
                let mobility = [Mobility::Static, Mobility::Moving][random.below(2) as usize];
                self.both(places, |world, [body, _]| world.set_mobility(body, mobility));
            }
            _ => self.both(places, |world, [body, _]| world.move_to(body, pose)),
        }
    }
}

/// Events by the places of bodies, which are those of twins as well.
fn by_place(events: &[Event]) -> Vec<(usize, usize, Change)> {
    events.iter().map(|event| (event.a.index(), event.b.index(), event.change.clone())).collect()
}

/// A step that is ended at any look, again and again, with changes in between, tells in the end what one that is not does.
#[test]
fn steps_that_are_ended_tell_nothing_and_are_taken_again() {
    let mut random = Random::new(5);
    let (mut ended, mut told) = (0, 0);
    for watch_radius in [None, Some(0.25)] {
        let mut twins = Twins::new(watch_radius, &mut random);
        for frame in 0..25 {
            (0..random.below(40)).for_each(|_| twins.operate(&mut random));
            for _ in 0..random.below(4) {
                let most = [4, 40, 4000][random.below(3) as usize];
                let flag = Cancel::after(random.below(most) as usize);
                let before = twins.worlds[0].clone();
                match twins.worlds[0].step_until(&flag) {
                    Err(error) => {
                        assert_eq!(error, WorldError::Cancelled);
                        ended += 1;
                    }
                    // Not this time.
                    Ok(_) => twins.worlds[0] = before,
                }
                (0..random.below(3) * random.below(10)).for_each(|_| twins.operate(&mut random));
            }
            let [a, b] = &mut twins.worlds;
            let got = match frame % 2 {
                0 => by_place(a.step().events),
                _ => by_place(a.step_until(&Cancel::new()).expect("not cancelled").events),
            };
            let want = by_place(b.step().events);
            assert_eq!(got.iter().zip(&want).find(|(x, y)| x != y), None, "frame {frame}");
            assert_eq!(got.len(), want.len(), "frame {frame}");
            told += got.len();
        }
        assert!(twins.gone > 10);
    }
    assert!(ended > 30 && told > 1000, "{ended} were ended, {told} events");
}

#[test]
fn a_step_of_one_block_looks_at_the_flag_at_every_pair() {
    let (shape, mut world) = (cube(), World::default());
    // The first of all: its pairs are one block.
    world.add(NewBody::moving(&shape, at(0.5, 0.5, 0.5)));
    for index in 0..500 {
        world.add(NewBody::fixed(&shape, at(f64::from(index % 10) * 0.1, f64::from(index / 10) * 0.02, 0.0)));
    }
    assert_eq!(world.step_until(&Cancel::after(400)).map(|_| ()), Err(WorldError::Cancelled));
    assert_eq!(world.step_until(&Cancel::after(10_000)).expect("enough").events.len(), 500);
}

#[test]
fn steps_of_many_pairs_on_many_threads_are_ended_as_well() {
    let mut random = Random::new(9);
    let mut world = World::default();
    let bodies: Vec<BodyId> = (0..1500)
        .map(|_| {
            let place = dvec3(random.range(0.0, 9.0), random.range(0.0, 9.0), random.range(0.0, 9.0));
            world.add(NewBody::moving(&cube(), Pose::from_translation(place).expect("a pose")))
        })
        .collect();
    let mut twin = world.clone();
    for frame in 0..3 {
        for looks in [1, 30, 900, 3000] {
            assert_eq!(world.step_until(&Cancel::after(looks)).map(|_| ()), Err(WorldError::Cancelled));
        }
        let got = world.step_until(&Cancel::new()).expect("not cancelled").events.to_vec();
        let want = twin.step();
        assert!(want.pairs > 1 << 12 && !got.is_empty());
        let got = by_place(&got);
        let want = by_place(want.events);
        assert_eq!(got.iter().zip(&want).find(|(x, y)| x != y), None, "frame {frame}");
        assert_eq!(got.len(), want.len(), "frame {frame}");
        for &body in &bodies {
            let push = dvec3(random.range(-0.2, 0.2), random.range(-0.2, 0.2), random.range(-0.2, 0.2));
            let pose = world.pose(body).expect("known");
            let pose = Pose::from_translation(pose.translation() + push).expect("a pose");
            world.move_to(body, pose).expect("known");
            twin.move_to(body, pose).expect("known");
        }
    }
}
