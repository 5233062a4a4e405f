//! Cold distances of convex pairs beside parry3d-f64, whose answers are checked against our brackets.

use crate::table::Table;
use clearance::Pose;
use clearance::math::Random;
use clearance::pair::{Distance, DistanceConfig, GilbertCache, distance, distance_with};
use clearance::shape::sample::{PolytopeKind, random_polytope};
use clearance::support::SupportMap;
use glam::{DQuat, DVec3};
use parry3d_f64::shape::ConvexPolyhedron;
use std::hint::black_box;
use std::time::Instant;

/// Independent pairs in a cell of the table.
const PAIRS: u64 = 48;

/// Passes over all pairs of a cell; candidates take turns.
const PASSES: usize = 60;

/// How far apart, in units of the longest semi-axis.
const REGIMES: [(&str, f64, f64); 4] =
    [("separated", 0.05, 0.30), ("near", 1e-3, 1e-3), ("very near", 1e-6, 1e-6), ("1e-12", 1e-12, 1e-12)];

const KINDS: [PolytopeKind; 3] = [PolytopeKind::Ellipsoid, PolytopeKind::ThinRod, PolytopeKind::Plate];

/// The table.
pub fn run() -> Vec<Table> {
    let columns = [
        "regime",
        "kind",
        "n",
        "median ns",
        "least ns",
        "warm median",
        "parry median",
        "parry least",
        "ratio of medians",
        "supports",
        "refined",
        "integers",
        "parry off by",
        "parry outside our bracket + 1e-9",
    ];
    let mut table = Table::new("Cold distance of two polytopes, beside parry3d-f64 0.31", &columns);
    for (regime, low, high) in REGIMES {
        for kind in KINDS {
            for n in [20, 100, 500, 1000] {
                let cases: Vec<Case> = (0..PAIRS).map(|seed| Case::new(kind, n, low, high, seed)).collect();
                table.row(row(regime, kind, n, &cases));
            }
        }
    }
    vec![table]
}

struct Case {
    bodies: [SupportMap; 2],
    poses: [Pose; 2],
    parry: [ConvexPolyhedron; 2],
    parry_poses: [parry3d_f64::math::Pose; 2],
}

impl Case {
    fn new(kind: PolytopeKind, n: u32, low: f64, high: f64, seed: u64) -> Case {
        let mut random = Random::new(seed ^ (u64::from(n) << 32));
        let polytopes = [1, 2].map(|i| random_polytope(kind, n, 2 * seed + i).expect("a sample"));
        let parry = polytopes
            .clone()
            .map(|p| ConvexPolyhedron::from_convex_hull(p.vertices()).expect("parry takes random hulls"));
        let bodies = polytopes.map(SupportMap::new);
        let quaternions = [(); 2].map(|()| random_rotation(&mut random));
        let place = DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
        let pose = |i: usize, t: DVec3| Pose::from_quaternion(quaternions[i], t).expect("a pose");
        let pose_a = pose(0, DVec3::ZERO);
        let far = pose(1, place.normalize_or(DVec3::X) * 2.5);
        // Along the shortest connection the distance shrinks by what B moves.
        let (gap, start) = (random.range(low, high), distance(&bodies[0], &pose_a, &bodies[1], &far));
        let closer = (start.point_a - start.point_b) * (1.0 - gap / start.upper);
        let poses = [pose_a, pose(1, far.translation() + closer)];
        let parry_poses = [0, 1].map(|i| {
            let rotation = DQuat::from_mat3(&poses[i].rotation());
            parry3d_f64::math::Pose::from_parts(poses[i].translation(), rotation)
        });
        Case { bodies, poses, parry, parry_poses }
    }

    fn ours(&self) -> Distance {
        distance(&self.bodies[0], &self.poses[0], &self.bodies[1], &self.poses[1])
    }

    fn counted(&self, cache: &mut GilbertCache) -> Distance {
        let config = DistanceConfig::default();
        distance_with(&self.bodies[0], &self.poses[0], &self.bodies[1], &self.poses[1], &config, cache)
    }

    fn parry(&self) -> f64 {
        let [p, q] = &self.parry_poses;
        parry3d_f64::query::distance(p, &self.parry[0], q, &self.parry[1])
            .map_or(f64::NAN, |found| found.distance)
    }
}

fn random_rotation(random: &mut Random) -> DQuat {
    loop {
        let entries: [f64; 4] = std::array::from_fn(|_| random.range(-1.0, 1.0));
        let quaternion = DQuat::from_array(entries);
        if (0.1..=1.0).contains(&quaternion.length_squared()) {
            return quaternion.normalize();
        }
    }
}

fn row(regime: &str, kind: PolytopeKind, n: u32, cases: &[Case]) -> Vec<String> {
    let mut times: [Vec<f64>; 3] = Default::default();
    let mut caches: Vec<GilbertCache> = cases.iter().map(|_| GilbertCache::default()).collect();
    for _ in 0..PASSES {
        times[0].push(pass(cases.len(), || cases.iter().for_each(|case| _ = black_box(case.ours()))));
        times[1].push(pass(cases.len(), || {
            cases.iter().zip(&mut caches).for_each(|(case, cache)| _ = black_box(case.counted(cache)));
        }));
        times[2].push(pass(cases.len(), || cases.iter().for_each(|case| _ = black_box(case.parry()))));
    }
    times.iter_mut().for_each(|t| t.sort_by(f64::total_cmp));
    let (median, least) = (|t: &[f64]| t[t.len() / 2], |t: &[f64]| t[0]);
    let mut total = clearance::stats::Stats::default();
    let (mut off, mut outside) = (0.0f64, 0);
    for case in cases {
        let mut cache = GilbertCache::default();
        let found = case.counted(&mut cache);
        total.add(&cache.stats());
        let error = (case.parry() - found.upper).abs();
        off = off.max(error);
        outside += usize::from(error > 1e-9);
    }
    vec![
        regime.into(),
        format!("{kind:?}"),
        n.to_string(),
        format!("{:.0}", median(&times[0])),
        format!("{:.0}", least(&times[0])),
        format!("{:.0}", median(&times[1])),
        format!("{:.0}", median(&times[2])),
        format!("{:.0}", least(&times[2])),
        format!("{:.2}", median(&times[2]) / median(&times[0])),
        format!("{:.1}", total.supports as f64 / total.queries as f64),
        total.refinements.to_string(),
        total.exact.to_string(),
        format!("{off:.1e}"),
        format!("{outside} of {}", cases.len()),
    ]
}

/// Nanoseconds for one of `count` operations.
fn pass(count: usize, mut run: impl FnMut()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64() * 1e9 / count as f64
}
