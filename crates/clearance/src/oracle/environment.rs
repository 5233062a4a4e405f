//! The moving bodies of the paper's experiments [Chung96 §6.2]: polytopes in a closed box, reversed at a collision.

use crate::broad::{BroadPhase, Coherent, IdPair, Mobility};
use crate::math::{Aabb, Pose, Random};
use crate::pair::{
    Candidate, Relation, SeparatingVectorConfig, SeparatingVectorOutcome, relation, separating_vector,
};
use crate::shape::sample::{PolytopeKind, SampleError, random_direction, random_polytope};
use crate::support::SupportMap;
use crate::witness::{Direction, Separation};
use glam::{DQuat, DVec3};
use rustc_hash::FxHashMap;
use std::f64::consts::PI;
use std::ops::AddAssign;

/// What moves and how fast.
#[derive(Clone, Copy, Debug)]
pub struct EnvironmentConfig {
    /// The shape of all bodies.
    pub kind: PolytopeKind,
    /// Vertices of each.
    pub vertices: u32,
    /// How many bodies; ten different shapes take turns.
    pub bodies: usize,
    /// The part of the room that balls of radius one, about that of the bodies, would fill.
    pub density: f64,
    /// Distance travelled in a frame.
    pub speed: f64,
    /// Degrees turned in a frame.
    pub degrees: f64,
    /// Of the random generator.
    pub seed: u64,
}

struct Body {
    shape: usize,
    position: DVec3,
    velocity: DVec3,
    rotation: DQuat,
    spin: DQuat,
    /// The vertices on its tightest box in the last frame: lowest, then highest.
    extremes: [u32; 6],
}

impl Body {
    fn pose(&self) -> Pose {
        Pose::from_quaternion(self.rotation, self.position).expect("a unit quaternion")
    }

    fn tight_box(&mut self, map: &SupportMap) -> Aabb {
        let (pose, mut corners) = (self.pose(), [DVec3::ZERO; 2]);
        for (k, extreme) in self.extremes.iter_mut().enumerate() {
            let (end, axis) = (k / 3, k % 3);
            let outwards = DVec3::AXES[axis] * [-1.0, 1.0][end];
            *extreme = map.climb(pose.turn_back(outwards), *extreme).vertex;
            corners[end][axis] = pose.apply(map.vertex(*extreme))[axis];
        }
        Aabb { min: corners[0], max: corners[1] }
    }
}

/// Bodies on their way.
pub struct Environment {
    shapes: Vec<SupportMap>,
    bodies: Vec<Body>,
    side: f64,
    broad: Coherent,
    /// What separated a pair last, kept while its boxes overlap: also over a collision, after which the reversed bodies lie
    /// as they did before.
    cache: FxHashMap<IdPair, Candidate>,
}

/// How many directions the searches of a run tried: the `k` of the paper, as counts by number of steps.
#[derive(Clone, Debug, Default)]
pub struct StepCounts {
    /// For pairs that were apart.
    pub apart: Vec<usize>,
    /// For pairs that met.
    pub meeting: Vec<usize>,
    /// Searches for pairs apart in which a vertex pair came back.
    pub recurrences: usize,
}

impl StepCounts {
    fn add(&mut self, relation: Relation, steps: usize, recurrences: usize) {
        let is_apart = relation == Relation::Disjoint;
        let counts = if is_apart { &mut self.apart } else { &mut self.meeting };
        counts.resize(counts.len().max(steps + 1), 0);
        counts[steps] += 1;
        self.recurrences += usize::from(is_apart && recurrences > 0);
    }

    /// The part of the searches for pairs apart in which a vertex pair came back.
    pub fn recurrence_share(&self) -> f64 {
        self.recurrences as f64 / self.apart.iter().sum::<usize>().max(1) as f64
    }

    /// How many of the searches took at most that many steps.
    pub fn share_within(counts: &[usize], steps: usize) -> f64 {
        let within: usize = counts.iter().take(steps + 1).sum();
        within as f64 / counts.iter().sum::<usize>().max(1) as f64
    }

    /// Both kinds together.
    pub fn all(&self) -> Vec<usize> {
        let count = |counts: &[usize], k: usize| counts.get(k).copied().unwrap_or(0);
        let most = self.apart.len().max(self.meeting.len());
        (0..most).map(|k| count(&self.apart, k) + count(&self.meeting, k)).collect()
    }

    /// The largest number of steps.
    pub fn most(&self) -> usize {
        self.apart.len().max(self.meeting.len()).saturating_sub(1)
    }
}

impl AddAssign for StepCounts {
    fn add_assign(&mut self, other: StepCounts) {
        for (counts, others) in [(&mut self.apart, &other.apart), (&mut self.meeting, &other.meeting)] {
            counts.resize(counts.len().max(others.len()), 0);
            counts.iter_mut().zip(others).for_each(|(count, other)| *count += other);
        }
        self.recurrences += other.recurrences;
    }
}

impl Environment {
    /// Bodies at random places where they meet no other, with random velocities and spins. The box must be large enough
    /// for them, or this does not end.
    pub fn new(config: &EnvironmentConfig) -> Result<Environment, SampleError> {
        let mut random = Random::new(config.seed);
        let shape = |seed| random_polytope(config.kind, config.vertices, seed).map(SupportMap::new);
        let shapes: Vec<SupportMap> = (0..10).map(shape).collect::<Result<_, _>>()?;
        let filled = config.bodies as f64 * (4.0 / 3.0 * PI);
        let (side, broad) = ((filled / config.density).cbrt(), Coherent::default());
        let mut environment =
            Environment { shapes, bodies: Vec::new(), side, broad, cache: FxHashMap::default() };
        while environment.bodies.len() < config.bodies {
            let mut body = environment.random_body(config, &mut random);
            if environment.is_free(&body) {
                let bound = body.tight_box(&environment.shapes[body.shape]);
                environment.broad.insert(environment.bodies.len() as u32, bound, Mobility::Moving);
                environment.bodies.push(body);
            }
        }
        Ok(environment)
    }

    fn random_body(&self, config: &EnvironmentConfig, random: &mut Random) -> Body {
        let mut place = || random.range(0.0, self.side);
        let position = DVec3::new(place(), place(), place());
        let turn = random.range(0.0, 3.0);
        Body {
            shape: self.bodies.len() % self.shapes.len(),
            position,
            velocity: random_direction(random) * config.speed,
            rotation: DQuat::from_axis_angle(random_direction(random), turn),
            spin: DQuat::from_axis_angle(random_direction(random), config.degrees.to_radians()),
            extremes: [0; 6],
        }
    }

    fn is_free(&self, body: &Body) -> bool {
        let (map, pose) = (&self.shapes[body.shape], body.pose());
        let others = self.bodies.iter().map(|other| (&self.shapes[other.shape], other.pose()));
        others.into_iter().all(|(other, place)| relation(map, &pose, other, &place) == Relation::Disjoint)
    }

    /// Moves every body by a frame; walls reflect.
    fn advance(&mut self) {
        for (id, body) in (0..).zip(&mut self.bodies) {
            body.position += body.velocity;
            for axis in 0..3 {
                let outwards = body.position[axis] < 0.0 && body.velocity[axis] < 0.0
                    || body.position[axis] > self.side && body.velocity[axis] > 0.0;
                if outwards {
                    body.velocity[axis] = -body.velocity[axis];
                }
            }
            body.rotation = (body.spin * body.rotation).normalize();
            self.broad.update(id, body.tight_box(&self.shapes[body.shape]));
        }
    }

    /// Runs some frames of the separating vector algorithm with its caches, and counts its steps.
    pub fn count_steps(&mut self, frames: usize, config: &SeparatingVectorConfig) -> StepCounts {
        let (mut counts, mut close) = (StepCounts::default(), Vec::new());
        for _ in 0..frames {
            self.advance();
            self.broad.pairs(&mut close);
            let poses: Vec<Pose> = self.bodies.iter().map(Body::pose).collect();
            let before = std::mem::take(&mut self.cache);
            let mut meeting = Vec::new();
            for pair in &close {
                let (relation, candidate) =
                    self.search(*pair, &poses, config, before.get(pair).copied(), &mut counts);
                self.cache.extend(candidate.map(|candidate| (*pair, candidate)));
                if relation != Relation::Disjoint {
                    meeting.extend([pair.a(), pair.b()]);
                }
            }
            meeting.sort_unstable();
            meeting.dedup();
            for body in meeting {
                let body = &mut self.bodies[body as usize];
                (body.velocity, body.spin) = (-body.velocity, body.spin.inverse());
            }
        }
        counts
    }

    /// How two bodies lie, and what is remembered of them.
    fn search(
        &self,
        pair: IdPair,
        poses: &[Pose],
        config: &SeparatingVectorConfig,
        remembered: Option<Candidate>,
        counts: &mut StepCounts,
    ) -> (Relation, Option<Candidate>) {
        let [(a, pose_a), (b, pose_b)] = [pair.a() as usize, pair.b() as usize]
            .map(|id| (&self.shapes[self.bodies[id].shape], &poses[id]));
        let found = separating_vector(a, pose_a, b, pose_b, config, remembered);
        let (relation, candidate) = match found.outcome {
            SeparatingVectorOutcome::Separated(Separation {
                direction: Direction::Vector(direction),
                vertex_a,
                vertex_b,
            }) => (Relation::Disjoint, Some(Candidate { direction, vertex_a, vertex_b })),
            _ => (relation(a, pose_a, b, pose_b), remembered),
        };
        counts.add(relation, found.steps, found.recurrences);
        (relation, candidate)
    }
}
