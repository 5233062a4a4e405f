//! Cold distances of convex pairs beside rivals, whose answers are checked against our brackets.

use crate::contest::{Candidate, Contests, Outcome, contest};
use crate::measure::{least_times, nanoseconds_each};
use crate::parry;
use crate::rivals::{Placed, Stage, Worlds};
use crate::scenario::{self, KINDS, Placement};
use crate::table::Table;
use clearance::math::Random;
use clearance::pair::{Distance, DistanceConfig, GilbertCache, distance, distance_with};
use clearance::support::SupportMap;
use glam::DVec3;
use parry3d_f64::math::Pose3;
use parry3d_f64::shape::ConvexPolyhedron;
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
        "parry off by",
    ];
    let mut contests = Contests::new(title, &["regime", "vertices"], &extras);
    for (name, kind) in KINDS {
        for vertices in [20, 100, 500, 1000] {
            let bodies = scenario::bodies(kind, vertices, 12);
            let shapes: Vec<ConvexPolyhedron> = bodies.iter().map(parry::shape).collect();
            let worlds = Worlds::new(&bodies);
            for (regime, low, high) in REGIMES {
                let mut random = Random::new(u64::from(vertices));
                let case = |_| Case::new(&bodies, &shapes, random.range(low, high), &mut random);
                let cases: Vec<Case<'_>> = (0..PAIRS).map(case).collect();
                let stages = worlds.stages(&cases.iter().map(Case::placed).collect::<Vec<_>>());
                let (outcome, extras) = row(&cases, &stages);
                contests.add(name, vec![regime.into(), vertices.to_string()], outcome, extras);
            }
        }
    }
    contests.tables()
}

struct Case<'a> {
    pick: [usize; 2],
    bodies: [&'a SupportMap; 2],
    at: [Placement; 2],
    parry: [&'a ConvexPolyhedron; 2],
    parry_poses: [Pose3; 2],
}

impl<'a> Case<'a> {
    fn new(
        bodies: &'a [SupportMap],
        shapes: &'a [ConvexPolyhedron],
        gap: f64,
        random: &mut Random,
    ) -> Case<'a> {
        let pick = [(); 2].map(|()| random.below(bodies.len() as u64) as usize);
        let ([a, b], parry) = (pick.map(|i| &bodies[i]), pick.map(|i| &shapes[i]));
        let turn = [(); 2].map(|()| scenario::rotation(random));
        let at_a = Placement::new(turn[0], DVec3::ZERO);
        let far = Placement::new(turn[1], scenario::direction(random) * 2.5);
        // Along the shortest connection the distance shrinks by what B moves.
        let start = distance(a, &at_a.pose, b, &far.pose);
        let closer = (start.point_a - start.point_b) * (1.0 - gap / start.upper);
        let at = [at_a, Placement::new(turn[1], far.translation + closer)];
        Case { pick, bodies: [a, b], at, parry, parry_poses: at.each_ref().map(parry::pose) }
    }

    fn placed(&self) -> Placed {
        Placed { bodies: (self.pick[0], self.pick[1]), poses: self.at.map(|at| at.pose) }
    }

    fn ours(&self) -> Distance {
        distance(self.bodies[0], &self.at[0].pose, self.bodies[1], &self.at[1].pose)
    }

    fn counted(&self, cache: &mut GilbertCache) -> Distance {
        let ([a, b], [at_a, at_b]) = (&self.bodies, &self.at);
        distance_with(a, &at_a.pose, b, &at_b.pose, &DistanceConfig::default(), cache)
    }

    fn parry(&self) -> f64 {
        let [p, q] = &self.parry_poses;
        parry3d_f64::query::distance(p, self.parry[0], q, self.parry[1])
            .map_or(f64::NAN, |found| found.distance)
    }
}

fn row(cases: &[Case<'_>], stages: &[Stage<'_>]) -> (Outcome, Vec<String>) {
    let truth: Vec<f64> = cases.iter().map(|case| case.ours().upper).collect();
    let is_right = |i: usize, answer: f64| (answer - truth[i]).abs() <= WRONG;
    let parry = |i: usize| cases[i].parry();
    let mut rivals = vec![Candidate::new("parry f64", cases.len(), parry, is_right)];
    for stage in stages.iter().filter(|stage| stage.distance(0).is_some()) {
        let ask = |i| stage.distance(i).unwrap_or(f64::NAN);
        rivals.push(Candidate::new(stage.name(), cases.len(), ask, is_right));
    }
    let ours = || cases.iter().for_each(|case| _ = black_box(case.ours()));
    let outcome = contest(ROUNDS, cases.len(), ours, rivals);
    let off = (0..cases.len()).map(|i| (cases[i].parry() - truth[i]).abs()).fold(0.0, f64::max);
    let mut extras = vec![format!("{:.0}", warm(cases))];
    let (mut total, mut visited) = (clearance::stats::Stats::default(), 0);
    for case in cases {
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
