//! A naive world: in every step all pairs are related by plain queries. And random lives of worlds to compare with it.

use super::compare::same;
use crate::body::{self, Body};
use crate::compound::{Compound, Part};
use crate::math::{Pose, Random};
use crate::mesh::{self, TreeMesh};
use crate::pair::{self, Convex, ConvexRelation, Relation};
use crate::shape::{Capsule, Mesh, MeshConfig, Polytope, Primitive, Shape, Sphere, sample};
use crate::world::{
    BodyId, Change, Contact, Detail, Ending, Event, Groups, Ignored, Mobility, NewBody, ShapeHandle,
    Snapshot, World, WorldConfig, WorldError,
};
use glam::{DQuat, DVec3};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A shape for the world, and as bodies whose union it is.
pub struct Sample {
    /// For the world.
    pub handle: ShapeHandle,
    parts: Vec<Body>,
}

/// Shapes of all kinds, about one in size; polytopes with corners at multiples of an eighth first.
pub static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(|| {
    let corners = |low: DVec3, high: DVec3| -> Vec<DVec3> {
        let pick = |i: usize, axis: usize| if i >> axis & 1 == 1 { high[axis] } else { low[axis] };
        (0..8).map(|i| DVec3::new(pick(i, 0), pick(i, 1), pick(i, 2))).collect()
    };
    let hull = |points: &[DVec3]| Polytope::hull(points).expect("points within limits");
    let half = DVec3::splat(0.5);
    let polytopes = [
        hull(&corners(-half, half)),
        hull(&corners(DVec3::new(-1.0, -0.25, -0.125), DVec3::new(1.0, 0.25, 0.125))),
        hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]),
        hull(&[DVec3::ZERO, DVec3::X, DVec3::new(0.0, 0.5, 0.0)]),
        hull(&[-DVec3::Y, DVec3::Y]),
        hull(&[DVec3::ZERO]),
        hull(&corners(DVec3::splat(-4.0), DVec3::splat(4.0))),
    ];
    let mut samples: Vec<Sample> = polytopes
        .into_iter()
        .map(|polytope| Sample {
            handle: ShapeHandle::from(polytope.clone()),
            parts: vec![Body::Convex(Convex::from_polytope(polytope))],
        })
        .collect();
    let primitives =
        [Primitive::from(Sphere::new(0.5).expect("a size")), Capsule::new(1.0, 0.25).expect("sizes").into()];
    for shape in primitives.map(Shape::from) {
        let handle = ShapeHandle::new(&shape).expect("within limits");
        samples.push(Sample { handle, parts: vec![Body::try_from(&shape).expect("within limits")] });
    }
    let torus = sample::torus(0.75, 0.25, 8, 6).expect("sizes");
    let torus = TreeMesh::new(Mesh::build(&torus, &MeshConfig::default()).expect("a mesh"));
    samples.push(Sample {
        handle: ShapeHandle::from(torus.clone()),
        parts: vec![Body::Mesh(Box::new(torus.clone()))],
    });
    let legs = [
        hull(&corners(DVec3::ZERO, DVec3::new(1.5, 0.5, 0.5))),
        hull(&corners(DVec3::ZERO, DVec3::new(0.5, 1.5, 0.5))),
    ];
    let angle = Compound::new(legs.iter().cloned().map(Part::from).collect()).expect("two parts");
    samples.push(Sample {
        handle: ShapeHandle::from(angle),
        parts: legs.map(|leg| Body::Convex(Convex::from_polytope(leg))).into(),
    });
    samples
});

/// A body of the naive world.
#[derive(Clone, Debug)]
struct Plain {
    sample: usize,
    pose: Pose,
    before: Option<Pose>,
    mobility: Mobility,
    groups: Groups,
}

/// All pairs, every time.
#[derive(Clone, Debug, Default)]
pub struct NaiveWorld {
    watch_radius: Option<f64>,
    bodies: BTreeMap<BodyId, Plain>,
    ignored: Vec<[BodyId; 2]>,
    /// Pairs that are near or collide.
    state: BTreeMap<[BodyId; 2], State>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct State {
    near: bool,
    meets: bool,
}

/// An event without its contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tale {
    /// Within the watch radius.
    Approached,
    /// And whether closest points of the step before should be known.
    Began(ConvexRelation, bool),
    /// Still.
    Persists(ConvexRelation),
    /// No longer.
    Ended(Ending),
    /// Out of the watch radius.
    Receded(Ending),
}

fn tale(change: &Change) -> Tale {
    match change {
        Change::Approached => Tale::Approached,
        Change::Began(contact) => Tale::Began(contact.relation, contact.before.is_some()),
        Change::Persists(relation) => Tale::Persists(*relation),
        Change::Ended(ending) => Tale::Ended(*ending),
        Change::Receded(ending) => Tale::Receded(*ending),
    }
}

/// Events with what they tell.
pub fn tales(events: &[Event]) -> Vec<(BodyId, BodyId, Tale)> {
    events.iter().map(|event| (event.a, event.b, tale(&event.change))).collect()
}

/// The relation of two samples, part by part, and a lower bound of their distance.
fn relate(a: usize, pose_a: &Pose, b: usize, pose_b: &Pose) -> (ConvexRelation, f64) {
    let rank = |relation: ConvexRelation| match relation {
        ConvexRelation::Exact(Relation::Disjoint) => 0,
        ConvexRelation::TouchingWithin { .. } | ConvexRelation::Exact(Relation::Touching) => 1,
        ConvexRelation::Exact(Relation::Overlapping) => 2,
    };
    let mut strongest = (ConvexRelation::Exact(Relation::Disjoint), f64::INFINITY);
    for x in &SAMPLES[a].parts {
        for y in &SAMPLES[b].parts {
            let polytopes = |body: &Body| body.as_convex().is_some_and(Convex::is_polytope);
            let (relation, lower) = match (x, y) {
                (Body::Mesh(x), Body::Mesh(y)) => {
                    let relation = mesh::relation(x, pose_a, y, pose_b).relation;
                    (ConvexRelation::Exact(relation), mesh::distance(x, pose_a, y, pose_b).lower)
                }
                (Body::Convex(p), Body::Convex(q)) if polytopes(x) && polytopes(y) => {
                    let (p, q) = (p.core().expect("a polytope"), q.core().expect("a polytope"));
                    let relation = pair::relation(p, pose_a, q, pose_b);
                    (ConvexRelation::Exact(relation), pair::distance(p, pose_a, q, pose_b).lower)
                }
                _ => {
                    let found = body::relate(x, pose_a, y, pose_b).expect("all samples can be related");
                    (found.relation, found.distance.lower)
                }
            };
            strongest.1 = f64::min(strongest.1, lower);
            if rank(relation) > rank(strongest.0) {
                strongest.0 = relation;
            }
        }
    }
    strongest
}

fn meets(relation: ConvexRelation) -> bool {
    relation != ConvexRelation::Exact(Relation::Disjoint)
}

impl NaiveWorld {
    fn may_collide(&self, a: BodyId, b: BodyId) -> bool {
        let (Some(x), Some(y)) = (self.bodies.get(&a), self.bodies.get(&b)) else { return false };
        (x.mobility == Mobility::Moving || y.mobility == Mobility::Moving) && self.accepts(a, b)
    }

    /// Whether two bodies that are there may collide if one of them moves.
    fn accepts(&self, a: BodyId, b: BodyId) -> bool {
        self.bodies[&a].groups.accept(self.bodies[&b].groups)
            && !self.ignored.contains(&[a, b])
            && !self.ignored.contains(&[b, a])
    }

    fn pairs(&self) -> impl Iterator<Item = [BodyId; 2]> + '_ {
        let ids = self.bodies.keys().copied();
        ids.flat_map(|a| self.bodies.range(a..).skip(1).map(move |(&b, _)| [a, b]))
    }

    fn relate(&self, [a, b]: [BodyId; 2]) -> (ConvexRelation, f64) {
        let (x, y) = (&self.bodies[&a], &self.bodies[&b]);
        relate(x.sample, &x.pose, y.sample, &y.pose)
    }

    /// What a step should tell.
    pub fn step(&mut self) -> Vec<(BodyId, BodyId, Tale)> {
        let mut told = Vec::new();
        let old = std::mem::take(&mut self.state);
        for (&[a, b], state) in &old {
            if !self.may_collide(a, b) {
                let gone = !self.bodies.contains_key(&a) || !self.bodies.contains_key(&b);
                let ending = if gone { Ending::Removed } else { Ending::Ignored };
                told.extend(state.meets.then_some((a, b, Tale::Ended(ending))));
                told.extend(state.near.then_some((a, b, Tale::Receded(ending))));
            }
        }
        let pairs: Vec<[BodyId; 2]> = self.pairs().filter(|&[a, b]| self.may_collide(a, b)).collect();
        for pair in pairs {
            let [a, b] = pair;
            let (relation, lower) = self.relate(pair);
            let was = old.get(&pair).copied().unwrap_or_default();
            let near = self.watch_radius.is_some_and(|radius| meets(relation) || lower <= radius);
            let is = State { near, meets: meets(relation) };
            told.extend((is.near && !was.near).then_some((a, b, Tale::Approached)));
            match (was.meets, is.meets) {
                (false, true) => told.push((a, b, Tale::Began(relation, self.were_apart(pair)))),
                (true, true) => told.push((a, b, Tale::Persists(relation))),
                (true, false) => told.push((a, b, Tale::Ended(Ending::Apart))),
                (false, false) => {}
            }
            told.extend((was.near && !is.near).then_some((a, b, Tale::Receded(Ending::Apart))));
            if is != State::default() {
                self.state.insert(pair, is);
            }
        }
        self.bodies.values_mut().for_each(|body| body.before = Some(body.pose));
        told.sort_by_key(|(a, b, _)| (a.index(), b.index(), *a, *b));
        told
    }

    /// Whether two bodies were both there in the step before, and apart.
    fn were_apart(&self, [a, b]: [BodyId; 2]) -> bool {
        let (x, y) = (&self.bodies[&a], &self.bodies[&b]);
        let (Some(pose_a), Some(pose_b)) = (&x.before, &y.before) else { return false };
        relate(x.sample, pose_a, y.sample, pose_b).0 == ConvexRelation::Exact(Relation::Disjoint)
    }
}

/// A distance that no two samples have at any pose: the naive side knows brackets of distances only.
const NEAR: f64 = 0.31;

/// What decides in a life: chance, or bytes of a fuzzer.
pub trait Choices {
    /// A whole number below `count`, which is not zero and at most 256.
    fn below(&mut self, count: u64) -> u64;

    /// A number in `[low, high]`.
    fn range(&mut self, low: f64, high: f64) -> f64;
}

impl Choices for Random {
    fn below(&mut self, count: u64) -> u64 {
        Random::below(self, count)
    }

    fn range(&mut self, low: f64, high: f64) -> f64 {
        Random::range(self, low, high)
    }
}

/// Both worlds, all ids that were ever given, and both worlds as they were at some time.
struct Life {
    world: World,
    naive: NaiveWorld,
    given: Vec<BodyId>,
    saved: Option<(Snapshot, NaiveWorld)>,
    offset: DVec3,
    /// Of five bodies so many move.
    moving: u64,
}

fn any_pose(offset: DVec3, random: &mut dyn Choices) -> Pose {
    let mut eighth = || (random.below(33) as f64 - 16.0) / 8.0;
    let place = offset + DVec3::new(eighth(), eighth(), eighth());
    let turn = match random.below(3) {
        0 => DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), random.range(0.0, 6.0)),
        _ => DQuat::IDENTITY,
    };
    Pose::from_quaternion(turn, place).expect("a pose")
}

impl Life {
    fn some_body(&self, random: &mut dyn Choices) -> Option<BodyId> {
        let count = self.naive.bodies.len() as u64;
        (count > 0).then(|| self.naive.bodies.keys().nth(random.below(count) as usize).copied()).flatten()
    }

    fn add(&mut self, random: &mut dyn Choices) -> Result<(), String> {
        let sample = match random.below(3) {
            0 => random.below(SAMPLES.len() as u64) as usize,
            _ => random.below(6) as usize,
        };
        let pose = any_pose(self.offset, random);
        let mobility = [Mobility::Static, Mobility::Moving][usize::from(random.below(5) < self.moving)];
        let groups = match random.below(6) {
            0 => Groups { member_of: 1, collides_with: 2 },
            1 => Groups { member_of: 2, collides_with: 3 },
            _ => Groups::default(),
        };
        let new = NewBody { shape: SAMPLES[sample].handle.clone(), pose, mobility, groups };
        let id = self.world.add(new);
        self.naive.bodies.insert(id, Plain { sample, pose, before: None, mobility, groups });
        let is_new = !self.given.contains(&id);
        self.given.push(id);
        if is_new { Ok(()) } else { Err(format!("{id} was given twice")) }
    }

    /// Ids name the bodies that they were given for, and nothing once these are gone.
    fn compare_ids(&mut self) -> Result<(), String> {
        for &id in &self.given {
            let want = self.naive.bodies.get(&id).map(|body| body.pose);
            same(self.world.pose(id).ok(), want, || format!("the pose of {id}"))?;
            if want.is_none() && (self.world.contains(id) || self.world.move_to(id, Pose::IDENTITY).is_ok()) {
                return Err(format!("{id} is gone, but is known"));
            }
        }
        Ok(())
    }

    /// Remembers the worlds as they are, or makes them what they were.
    fn save_or_restore(&mut self, random: &mut dyn Choices) {
        match &self.saved {
            Some((snapshot, naive)) if random.below(2) == 0 => {
                self.world.restore(snapshot);
                self.naive = naive.clone();
            }
            _ => self.saved = Some((self.world.snapshot(), self.naive.clone())),
        }
    }

    fn remove(&mut self, body: BodyId) -> Result<(), WorldError> {
        self.naive.bodies.remove(&body);
        self.naive.ignored.retain(|pair| !pair.contains(&body));
        self.world.remove(body)
    }

    /// Removes nearly all bodies, so that the world puts the others elsewhere, and adds some, to whom these make room again.
    fn thin_out(&mut self, random: &mut dyn Choices) -> Result<(), String> {
        let all: Vec<BodyId> = self.naive.bodies.keys().copied().collect();
        for body in all {
            if random.below(8) > 0 {
                self.remove(body).map_err(|error| format!("refused: {error}"))?;
            }
        }
        self.compare_ids()?;
        // Also before a step.
        if random.below(4) > 0 {
            self.compare_step()?;
            self.compare_queries(random)?;
        }
        (0..random.below(6)).try_for_each(|_| self.add(random))
    }

    /// One operation.
    fn operate(&mut self, random: &mut dyn Choices) -> Result<(), String> {
        let (Some(body), Some(other)) = (self.some_body(random), self.some_body(random)) else {
            return self.add(random);
        };
        let done = match random.below(20) {
            0..2 => return self.add(random),
            2 => self.remove(body),
            3 => {
                let pose = any_pose(self.offset, random);
                let plain = self.naive.bodies.get_mut(&body).expect("a body");
                (plain.pose, plain.before) = (pose, None);
                self.world.teleport(body, pose)
            }
            4 if body != other => {
                let ignored = [Ignored::Yes, Ignored::No][random.below(2) as usize];
                self.naive.ignored.retain(|pair| *pair != [body, other] && *pair != [other, body]);
                self.naive.ignored.extend((ignored == Ignored::Yes).then_some([body, other]));
                self.world.set_ignored(body, other, ignored)
            }
            5 => {
                let groups = Groups { member_of: 1 + random.below(3) as u32, collides_with: 1 };
                self.naive.bodies.get_mut(&body).expect("a body").groups = groups;
                self.world.set_groups(body, groups)
            }
            6 => {
                let mobility = [Mobility::Moving, Mobility::Static][random.below(2) as usize];
                self.naive.bodies.get_mut(&body).expect("a body").mobility = mobility;
                self.world.set_mobility(body, mobility)
            }
            7 => {
                self.save_or_restore(random);
                Ok(())
            }
            _ => {
                let plain = self.naive.bodies.get_mut(&body).expect("a body");
                let mut eighth = || (random.below(5) as f64 - 2.0) / 8.0;
                let step = Pose::from_translation(DVec3::new(eighth(), eighth(), eighth())).expect("a pose");
                plain.pose = step * plain.pose;
                let pose = plain.pose;
                match random.below(2) {
                    0 => self.world.move_to(body, pose),
                    _ => self.world.move_all(&[(body, pose)]),
                }
            }
        };
        done.map_err(|error| format!("refused: {error}"))
    }

    fn compare_step(&mut self) -> Result<(), String> {
        let frame = self.world.step();
        if let Some(failure) = frame.failures.first() {
            return Err(format!("a pair failed: {failure:?}"));
        }
        let got = tales(frame.events);
        same(got, self.naive.step(), || format!("{:?}", self.naive.bodies))?;
        same(self.world.len(), self.naive.bodies.len(), || "the number of bodies".into())
    }

    fn compare_queries(&self, random: &mut dyn Choices) -> Result<(), String> {
        let told = |what: &str| format!("{what} of {:?}", self.naive.bodies);
        let limit = NEAR;
        let pairs = || self.naive.pairs().filter(|&[a, b]| self.naive.may_collide(a, b));
        let want: Vec<[BodyId; 2]> = pairs().filter(|&pair| meets(self.naive.relate(pair).0)).collect();
        same(self.world.colliding_pairs(), Ok(want), || told("colliding pairs"))?;
        let want: Vec<[BodyId; 2]> = pairs().filter(|&pair| self.naive.relate(pair).1 <= limit).collect();
        same(self.world.pairs_within(limit), Ok(want), || told("pairs within"))?;
        let Some(body) = self.some_body(random) else { return Ok(()) };
        let poses: Vec<Pose> = (0..5).map(|_| any_pose(self.offset, random)).collect();
        let mut want = Vec::new();
        for pose in &poses {
            let mut moved = self.naive.clone();
            moved.bodies.get_mut(&body).expect("a body").pose = *pose;
            let hit: Vec<BodyId> = moved
                .pairs()
                .filter(|pair| pair.contains(&body) && moved.accepts(pair[0], pair[1]))
                .filter(|&pair| meets(moved.relate(pair).0))
                .map(|[a, b]| if a == body { b } else { a })
                .collect();
            same(self.world.would_meet(body, pose), Ok(hit.clone()), || told("what if"))?;
            want.push(!hit.is_empty());
        }
        same(self.world.check_poses(body, &poses), Ok(want.clone()), || told("poses"))?;
        let first = want.iter().position(|&hit| hit);
        let got = self.world.first_collision(body, &poses, &crate::world::Cancel::new());
        same(got, Ok(first), || told("first collision"))?;
        self.compare_nearest(body)
    }

    fn compare_nearest(&self, body: BodyId) -> Result<(), String> {
        let mut want: Vec<f64> = self
            .naive
            .bodies
            .keys()
            .filter(|&&other| other != body)
            .map(|&other| self.naive.relate([body, other]).1)
            .collect();
        want.sort_by(f64::total_cmp);
        let found = self.world.nearest(body, 4).map_err(|error| error.to_string())?;
        same(found.len(), want.len().min(4), || "neighbours".into())?;
        for (neighbour, want) in found.iter().zip(want) {
            let (lower, upper) = (neighbour.separation.lower, neighbour.separation.upper);
            if !(lower <= want * (1.0 + 1e-9) && want <= upper * (1.0 + 1e-9)) {
                return Err(format!("{body} has {found:?}, but one at {want} in {:?}", self.naive.bodies));
            }
        }
        Ok(())
    }
}

/// A world with random operations between steps tells what the naive world tells, and answers as it does.
pub(super) fn compare(random: &mut Random) -> Result<(), String> {
    live(random)
}

/// A life of some steps.
///
/// # Errors
/// What the world told and what it should have.
pub fn live(random: &mut dyn Choices) -> Result<(), String> {
    let watch_radius = [None, Some(0.0), Some(NEAR)][random.below(3) as usize];
    let config = WorldConfig { watch_radius, detail: Detail::Contact };
    let world = World::new(config).map_err(|error| error.to_string())?;
    let offset = DVec3::splat([0.0, 0.0, 1e6, -1e9][random.below(4) as usize]);
    let naive = NaiveWorld { watch_radius, ..NaiveWorld::default() };
    // Now and then enough for two blocks of pairs; most of these rest, as relating all takes long.
    let (count, moving) =
        if random.below(16) == 0 { (64 + random.below(32), 1) } else { (random.below(14), 4) };
    let mut life = Life { world, naive, given: Vec::new(), saved: None, offset, moving };
    (0..count).try_for_each(|_| life.add(random))?;
    for _ in 0..8 {
        life.compare_step()?;
        if random.below(6) == 0 {
            life.thin_out(random)?;
        }
        for _ in 0..random.below(12) {
            life.operate(random)?;
        }
        life.compare_ids()?;
        if random.below(4) == 0 {
            life.compare_queries(random)?;
        }
    }
    life.compare_step()
}

/// The contacts of events that began.
pub fn contacts(events: &[Event]) -> Vec<&Contact> {
    events
        .iter()
        .filter_map(|event| match &event.change {
            Change::Began(contact) => Some(&**contact),
            _ => None,
        })
        .collect()
}
