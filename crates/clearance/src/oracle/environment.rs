//! The moving bodies of the paper's experiments [Chung96 §6.2]: polytopes in a closed box, reversed at a collision.

use crate::math::{Aabb, Pose, Random};
use crate::pair::{
    Candidate, Relation, SeparatingVectorConfig, SeparatingVectorOutcome, relation, separating_vector,
};
use crate::shape::sample::{PolytopeKind, SampleError, random_direction, random_polytope};
use crate::support::SupportMap;
use crate::witness::Direction;
use glam::{DQuat, DVec3};
use rustc_hash::FxHashMap;

/// What moves and how fast.
#[derive(Clone, Copy, Debug)]
pub struct EnvironmentConfig {
    /// The shape of all bodies.
    pub kind: PolytopeKind,
    /// Vertices of each.
    pub vertices: u32,
    /// How many bodies; ten different shapes take turns.
    pub bodies: usize,
    /// Edge of the closed box; bodies have a radius of about one.
    pub side: f64,
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
}

impl Body {
    fn pose(&self) -> Pose {
        Pose::from_quaternion(self.rotation, self.position).expect("a unit quaternion")
    }
}

/// Bodies on their way.
pub struct Environment {
    shapes: Vec<SupportMap>,
    bodies: Vec<Body>,
    side: f64,
    cache: FxHashMap<(usize, usize), Candidate>,
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
    fn add(counts: &mut Vec<usize>, steps: usize) {
        counts.resize(counts.len().max(steps + 1), 0);
        counts[steps] += 1;
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

impl Environment {
    /// Bodies at random places where they meet no other, with random velocities and spins. The box must be large enough
    /// for them, or this does not end.
    pub fn new(config: &EnvironmentConfig) -> Result<Environment, SampleError> {
        let mut random = Random::new(config.seed);
        let shape = |seed| random_polytope(config.kind, config.vertices, seed).map(SupportMap::new);
        let shapes: Vec<SupportMap> = (0..10).map(shape).collect::<Result<_, _>>()?;
        let mut environment =
            Environment { shapes, bodies: Vec::new(), side: config.side, cache: FxHashMap::default() };
        while environment.bodies.len() < config.bodies {
            let body = environment.random_body(config, &mut random);
            if environment.is_free(&body) {
                environment.bodies.push(body);
            }
        }
        Ok(environment)
    }

    fn random_body(&self, config: &EnvironmentConfig, random: &mut Random) -> Body {
        let mut place = || random.range(0.0, config.side);
        let position = DVec3::new(place(), place(), place());
        let turn = random.range(0.0, 3.0);
        Body {
            shape: self.bodies.len() % self.shapes.len(),
            position,
            velocity: random_direction(random) * config.speed,
            rotation: DQuat::from_axis_angle(random_direction(random), turn),
            spin: DQuat::from_axis_angle(random_direction(random), config.degrees.to_radians()),
        }
    }

    fn is_free(&self, body: &Body) -> bool {
        let (map, pose) = (&self.shapes[body.shape], body.pose());
        let others = self.bodies.iter().map(|other| (&self.shapes[other.shape], other.pose()));
        others.into_iter().all(|(other, place)| relation(map, &pose, other, &place) == Relation::Disjoint)
    }

    /// Moves every body by a frame; walls reflect.
    pub fn advance(&mut self) {
        for body in &mut self.bodies {
            body.position += body.velocity;
            for axis in 0..3 {
                let outwards = body.position[axis] < 0.0 && body.velocity[axis] < 0.0
                    || body.position[axis] > self.side && body.velocity[axis] > 0.0;
                if outwards {
                    body.velocity[axis] = -body.velocity[axis];
                }
            }
            body.rotation = (body.spin * body.rotation).normalize();
        }
    }

    /// The shape and pose of every body.
    pub fn placed(&self) -> Vec<(&SupportMap, Pose)> {
        self.bodies.iter().map(|b| (&self.shapes[b.shape], b.pose())).collect()
    }

    /// All pairs whose tightest boxes overlap, in order.
    pub fn close_pairs(placed: &[(&SupportMap, Pose)]) -> Vec<(usize, usize)> {
        let boxes: Vec<Aabb> = placed.iter().map(|(map, pose)| tight_box(map, pose)).collect();
        let pairs = (0..boxes.len()).flat_map(|i| (i + 1..boxes.len()).map(move |j| (i, j)));
        pairs.filter(|&(i, j)| boxes[i].meets(boxes[j])).collect()
    }

    /// Turns a body back.
    pub fn reverse(&mut self, body: usize) {
        let body = &mut self.bodies[body];
        body.velocity = -body.velocity;
        body.spin = body.spin.inverse();
    }

    /// Runs some frames of the separating vector algorithm with its caches, and counts its steps.
    pub fn count_steps(&mut self, frames: usize, config: &SeparatingVectorConfig) -> StepCounts {
        let mut counts = StepCounts::default();
        for _ in 0..frames {
            self.advance();
            let mut meeting = Vec::new();
            let mut cache = std::mem::take(&mut self.cache);
            let mut kept = FxHashMap::default();
            let placed = self.placed();
            for (i, j) in Environment::close_pairs(&placed) {
                let ((a, pose_a), (b, pose_b)) = (&placed[i], &placed[j]);
                let remembered = cache.remove(&(i, j));
                let found = separating_vector(a, pose_a, b, pose_b, config, remembered);
                let apart = match found.outcome {
                    SeparatingVectorOutcome::Separated(separation) => {
                        if let Direction::Vector(direction) = separation.direction {
                            let (vertex_a, vertex_b) = (separation.vertex_a, separation.vertex_b);
                            kept.insert((i, j), Candidate { direction, vertex_a, vertex_b });
                        }
                        true
                    }
                    SeparatingVectorOutcome::Surrounded(_) => false,
                    SeparatingVectorOutcome::Open(_) => relation(a, pose_a, b, pose_b) == Relation::Disjoint,
                };
                if apart {
                    StepCounts::add(&mut counts.apart, found.steps);
                    counts.recurrences += usize::from(found.recurrences > 0);
                } else {
                    StepCounts::add(&mut counts.meeting, found.steps);
                    meeting.extend([i, j]);
                }
            }
            self.cache = kept;
            meeting.sort_unstable();
            meeting.dedup();
            meeting.into_iter().for_each(|body| self.reverse(body));
        }
        counts
    }
}

fn tight_box(map: &SupportMap, pose: &Pose) -> Aabb {
    let extreme = |axis: DVec3| {
        let along = pose.rotation().transpose() * axis;
        pose.apply(map.vertex(map.climb(along, map.start(along)).vertex)).dot(axis)
    };
    Aabb {
        min: DVec3::from_array(DVec3::AXES.map(|axis| -extreme(-axis))),
        max: DVec3::from_array(DVec3::AXES.map(extreme)),
    }
}
