//! Cold distances of convex pairs beside rivals, whose answers are checked against our brackets.

use crate::contest::{Candidate, Contests, Outcome, contest};
use crate::measure::{least_times, nanoseconds_each};
use crate::parry::Shapes;
use crate::rivals::{Placed, Stage, Worlds};
use crate::scenario::{self, KINDS, Placement, Scene};
use crate::table::Table;
use clearance::Pose;
use clearance::math::Random;
use clearance::pair::{Distance, DistanceConfig, GilbertCache, distance, distance_with};
use clearance::support::SupportMap;
use glam::DVec3;
use std::hint::black_box;

/// Independent pairs in a cell of the table.
const PAIRS: usize = 48;

/// Passes over all pairs of a cell; candidates take turns.
const ROUNDS: usize = 30;

/// How far apart, in units of the longest semi-axis.
const REGIMES: [(&str, f64, f64); 4] =
    [("separated", 0.05, 0.30), ("near", 1e-3, 1e-3), ("very near", 1e-6, 1e-6), ("1e-12", 1e-12, 1e-12)];

/// A rival's distance that is off by more is wrong: MuJoCo keeps vertices in single precision, coal and libccd stop at
/// 1e-6 by default.
const WRONG: f64 = 1e-5;

/// The tables.
pub fn run() -> Vec<Table> {
    let title = "Cold distance of two polytopes, nanoseconds (least of 30 rounds over 48 pairs; wrong: off by > 1e-5)";
    let extras = [
        "from its own cache",
        "steps",
        "supports",
        "vertices visited",
        "refined",
        "integers",
        "parry f64 off by",
    ];
    let mut contests = Contests::new(title, &["regime", "vertices"], &extras);
    for (name, kind) in KINDS {
        for vertices in [20, 100, 500, 1000] {
            let bodies = scenario::bodies(kind, vertices, 12);
            let shapes = Shapes::new(&bodies);
            let worlds = Worlds::new(&bodies);
            for (regime, low, high) in REGIMES {
                let mut random = Random::new(u64::from(vertices));
                let case = |_| scene(&bodies, random.range(low, high), &mut random);
                let cases: Vec<Scene> = (0..PAIRS).map(case).collect();
                let stages = worlds.stages(&cases.iter().map(placed).collect::<Vec<_>>());
                let (outcome, extras) = row(&bodies, &shapes, &cases, &stages);
                contests.add(name, vec![regime.into(), vertices.to_string()], outcome, extras);
            }
        }
    }
    contests.tables()
}

/// Two bodies with a gap of that length, along their shortest connection.
fn scene(bodies: &[SupportMap], gap: f64, random: &mut Random) -> Scene {
    let pick = [(); 2].map(|()| random.below(bodies.len() as u64) as usize);
    let turn = [(); 2].map(|()| scenario::rotation(random));
    let at_a = Placement::new(turn[0], DVec3::ZERO);
    let far = Placement::new(turn[1], scenario::direction(random) * 2.5);
    // Along the shortest connection the distance shrinks by what B moves.
    let start = distance(&bodies[pick[0]], &at_a.pose, &bodies[pick[1]], &far.pose);
    let closer = (start.point_a - start.point_b) * (1.0 - gap / start.upper);
    Scene { bodies: (pick[0], pick[1]), a: at_a, b: Placement::new(turn[1], far.translation + closer) }
}

fn placed(scene: &Scene) -> Placed {
    Placed { bodies: scene.bodies, poses: [scene.a.pose, scene.b.pose] }
}

/// What is asked about, without looking it up while the clock runs.
struct Case<'a> {
    bodies: [&'a SupportMap; 2],
    poses: [&'a Pose; 2],
}

impl<'a> Case<'a> {
    fn new(bodies: &'a [SupportMap], scene: &'a Scene) -> Case<'a> {
        let (a, b) = scene.bodies;
        Case { bodies: [&bodies[a], &bodies[b]], poses: [&scene.a.pose, &scene.b.pose] }
    }

    fn ours(&self) -> Distance {
        distance(self.bodies[0], self.poses[0], self.bodies[1], self.poses[1])
    }

    fn counted(&self, cache: &mut GilbertCache) -> Distance {
        let ([a, b], [pose_a, pose_b]) = (&self.bodies, &self.poses);
        distance_with(a, pose_a, b, pose_b, &DistanceConfig::default(), cache)
    }
}

fn row(
    bodies: &[SupportMap],
    shapes: &Shapes,
    scenes: &[Scene],
    stages: &[Stage<'_>],
) -> (Outcome, Vec<String>) {
    let cases: Vec<Case<'_>> = scenes.iter().map(|scene| Case::new(bodies, scene)).collect();
    let truth: Vec<f64> = cases.iter().map(|case| case.ours().upper).collect();
    let is_right = |i: usize, answer: f64| (answer - truth[i]).abs() <= WRONG;
    let mut rivals = shapes.distances(scenes, &is_right);
    for stage in stages.iter().filter(|stage| stage.distance(0).is_some()) {
        let ask = |i| stage.distance(i).unwrap_or(f64::NAN);
        rivals.push(Candidate::new(stage.name(), cases.len(), ask, is_right));
    }
    let ours = || cases.iter().for_each(|case| _ = black_box(case.ours()));
    let outcome = contest(ROUNDS, cases.len(), ours, rivals);
    let off = scenes.iter().zip(&truth).map(|(scene, truth)| (shapes.distance(scene) - truth).abs());
    let off = off.fold(0.0, f64::max);
    let mut extras = vec![format!("{:.0}", warm(&cases))];
    let (mut total, mut visited) = (clearance::stats::Stats::default(), 0);
    for case in &cases {
        let mut cache = GilbertCache::default();
        case.counted(&mut cache);
        total.add(&cache.stats());
        visited += cache.stats().supports * case.bodies.iter().map(|body| body.looked_at()).sum::<u64>();
    }
    let each = |count: u64| format!("{:.1}", count as f64 / cases.len() as f64);
    extras.extend([total.steps, total.supports, visited].map(each));
    extras.extend([total.refinements.to_string(), total.exact.to_string(), format!("{off:.1e}")]);
    (outcome, extras)
}

/// Nanoseconds a query from a cache that has just answered it.
fn warm(cases: &[Case<'_>]) -> f64 {
    let mut caches: Vec<GilbertCache> = cases.iter().map(|_| GilbertCache::default()).collect();
    let mut pass =
        || cases.iter().zip(&mut caches).for_each(|(case, cache)| _ = black_box(case.counted(cache)));
    let [time] = least_times(ROUNDS, [&mut pass]);
    nanoseconds_each(time, cases.len())
}
