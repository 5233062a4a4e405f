//! What a world holds is what it says, and goes with its bodies; counted by the allocator.

mod counting;

use clearance::Pose;
use clearance::compound::{Compound, Part};
use clearance::glam::DVec3;
use clearance::math::Random;
use clearance::mesh::TreeMesh;
use clearance::shape::{Cuboid, Mesh, MeshConfig, Polytope, Primitive, Shape, sample};
use clearance::world::{BodyId, NewBody, ShapeHandle, World};
use counting::LIVE;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One test at a time: all of them count the same bytes.
static ALONE: Mutex<()> = Mutex::new(());

/// Bytes that were allocated since, and not freed.
struct Count<'a> {
    before: usize,
    _alone: MutexGuard<'a, ()>,
}

impl Count<'_> {
    fn start() -> Count<'static> {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        // The pool of threads is made before.
        rayon::join(|| (), || ());
        Count { before: LIVE.load(Ordering::Relaxed), _alone: alone }
    }

    fn bytes(&self) -> usize {
        LIVE.load(Ordering::Relaxed) - self.before
    }
}

fn at(place: DVec3) -> Pose {
    Pose::from_translation(place).expect("a pose")
}

/// Cubes that fill an eighth of a room.
struct Crowd {
    world: World,
    shape: ShapeHandle,
    bodies: Vec<BodyId>,
    random: Random,
    side: f64,
}

impl Crowd {
    fn new(count: usize) -> Crowd {
        let cube = Cuboid::new(DVec3::ONE).expect("a size");
        let shape = ShapeHandle::new(&Shape::from(Primitive::from(cube))).expect("within limits");
        let (world, random, side) = (World::default(), Random::new(3), 2.0 * (count as f64).cbrt());
        let mut crowd = Crowd { world, shape, bodies: Vec::with_capacity(count), random, side };
        for _ in 0..count {
            let id = crowd.add();
            crowd.bodies.push(id);
        }
        crowd.steps(3);
        crowd
    }

    fn add(&mut self) -> BodyId {
        let place = DVec3::from_array([0; 3].map(|_: i32| self.random.range(0.0, self.side)));
        self.world.add(NewBody::moving(&self.shape, at(place)))
    }

    fn steps(&mut self, count: usize) {
        for _ in 0..count {
            self.world.step();
        }
    }
}

#[test]
fn one_of_many_is_all_that_is_left_wherever_it_came() {
    for kept in [0, 7_000, 19_999] {
        let count = Count::start();
        let mut crowd = Crowd::new(20_000);
        let full = count.bytes();
        let told = crowd.world.memory().total();
        assert!(told.abs_diff(full) < full / 20, "{told} bytes told, {full} held");
        let kept = crowd.bodies.swap_remove(kept);
        for id in std::mem::take(&mut crowd.bodies) {
            crowd.world.remove(id).expect("known");
        }
        crowd.steps(2);
        let (left, memory) = (count.bytes(), crowd.world.memory());
        assert!(left < full / 500 && memory.total().abs_diff(left) < 8_000, "{left} of {full}: {memory:?}");
        crowd.world.remove(kept).expect("known");
        crowd.steps(2);
        assert!(count.bytes() < left, "{}: {:?}", count.bytes(), crowd.world.memory());
    }
}

#[test]
fn places_that_are_left_at_random_are_taken_again() {
    let count = Count::start();
    let mut crowd = Crowd::new(20_000);
    let full = count.bytes();
    let mut random = Random::new(11);
    for round in 0..4 {
        for at in 0..crowd.bodies.len() {
            if random.below(2) == 0 {
                crowd.world.remove(crowd.bodies[at]).expect("known");
                crowd.bodies[at] = crowd.add();
            }
        }
        crowd.steps(2);
        let left = count.bytes();
        assert!(left < full * 6 / 5, "round {round}: {left} after {full}: {:?}", crowd.world.memory());
    }
}

#[test]
fn memory_follows_the_number_of_bodies_down_and_up() {
    let count = Count::start();
    let mut crowd = Crowd::new(20_000);
    let (full, mut random) = (count.bytes(), Random::new(12));
    for round in 0..3 {
        // One of thirty-two is left, anywhere.
        let kept: Vec<BodyId> = crowd.bodies.iter().copied().filter(|_| random.below(32) == 0).collect();
        for id in std::mem::replace(&mut crowd.bodies, kept) {
            if !crowd.bodies.contains(&id) {
                crowd.world.remove(id).expect("known");
            }
        }
        crowd.steps(2);
        let (left, share) = (count.bytes(), full / 20_000 * crowd.bodies.len());
        assert!(left < 2 * share, "round {round}: {left} for {share}: {:?}", crowd.world.memory());
        while crowd.bodies.len() < 20_000 {
            let id = crowd.add();
            crowd.bodies.push(id);
        }
        crowd.steps(3);
        let again = count.bytes();
        assert!(again < full * 5 / 4, "round {round}: {again} after {full}: {:?}", crowd.world.memory());
        let mut indices: Vec<usize> = crowd.bodies.iter().map(|id| id.index()).collect();
        indices.sort_unstable();
        assert!(indices.into_iter().eq(0..20_000), "the lowest indices are given again");
    }
}

#[test]
fn a_world_whose_bodies_come_and_go_in_turn_does_not_grow() {
    let count = Count::start();
    let mut crowd = Crowd::new(4_000);
    let mut early = 0;
    for round in 0..60 {
        for oldest in (round * 400 % 4000)..(round * 400 % 4000) + 400 {
            let id = crowd.bodies[oldest];
            crowd.world.remove(id).expect("known");
            crowd.bodies[oldest] = crowd.add();
        }
        crowd.steps(1);
        // All have been exchanged.
        if round == 9 {
            early = count.bytes();
        }
    }
    assert!(crowd.bodies.iter().all(|id| id.index() < 4_000));
    let late = count.bytes();
    assert!(late < early * 6 / 5, "{late} after {early}: {:?}", crowd.world.memory());
}

#[test]
fn a_removed_body_lets_its_shape_go_at_once() {
    let count = Count::start();
    let mut world = World::default();
    let soup = sample::torus(0.75, 0.25, 60, 40).expect("sizes");
    let torus = TreeMesh::new(Mesh::build(&soup, &MeshConfig::default()).expect("a mesh"));
    let size = count.bytes();
    let body = world.add(NewBody::moving(&ShapeHandle::from(torus), Pose::IDENTITY));
    drop(soup);
    assert!(count.bytes() > size / 2 && size > 100_000);
    world.remove(body).expect("known");
    assert!(count.bytes() < size / 10, "{} of {size}", count.bytes());
}

/// Bodies of one shape that shake in a heap: what the world says it holds, what it holds, and of how many pairs.
fn heap_of(shape: &ShapeHandle, count: &Count<'_>) -> (usize, usize, usize) {
    let before = count.bytes();
    let mut random = Random::new(5);
    let mut any = |size: f64| DVec3::from_array([0; 3].map(|_: i32| random.range(-size, size)));
    let mut world = World::default();
    let places: Vec<DVec3> = (0..60).map(|_| any(2.5)).collect();
    let ids: Vec<BodyId> = places.iter().map(|&place| world.add(NewBody::moving(shape, at(place)))).collect();
    let mut pairs = 0;
    for _ in 0..30 {
        for (&id, &place) in ids.iter().zip(&places) {
            let pose = Pose::from_axis_angle(any(1.0), 0.1, place + any(0.02)).expect("a pose");
            world.move_to(id, pose).expect("known");
        }
        pairs = world.step().pairs;
    }
    drop((ids, places));
    (world.memory().total(), count.bytes() - before, pairs)
}

#[test]
fn what_pairs_of_meshes_remember_is_counted_and_bounded() {
    let count = Count::start();
    let torus = sample::torus(0.75, 0.25, 24, 16).expect("sizes");
    let torus = TreeMesh::new(Mesh::build(&torus, &MeshConfig::default()).expect("a mesh"));
    let (told, real, pairs) = heap_of(&ShapeHandle::from(torus), &count);
    assert!(told.abs_diff(real) < real / 5, "{told} bytes told, {real} held, {pairs} pairs");
    assert!(real > 1_000_000 && real < pairs * 160_000, "{real} bytes, {pairs} pairs");
}

#[test]
fn what_pairs_of_compounds_remember_is_counted() {
    let count = Count::start();
    let corners = |low: DVec3, high: DVec3| -> Polytope {
        let pick = |i: usize, axis: usize| if i >> axis & 1 == 1 { high[axis] } else { low[axis] };
        let corners: Vec<DVec3> = (0..8).map(|i| DVec3::new(pick(i, 0), pick(i, 1), pick(i, 2))).collect();
        Polytope::hull(&corners).expect("points within limits")
    };
    let legs = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| corners(DVec3::ZERO, 0.25 + axis));
    let torus = sample::torus(0.75, 0.25, 12, 8).expect("sizes");
    let torus = TreeMesh::new(Mesh::build(&torus, &MeshConfig::default()).expect("a mesh"));
    let parts = legs.into_iter().map(Part::from).chain([Part::from(torus)]).collect();
    let shape = ShapeHandle::from(Compound::new(parts).expect("four parts"));
    let (told, real, pairs) = heap_of(&shape, &count);
    assert!(told.abs_diff(real) < real / 5, "{told} bytes told, {real} held, {pairs} pairs");
}
