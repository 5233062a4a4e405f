//! Convex hulls beside parry3d-f64 and chull, on the same points in one run.

use crate::measure::{human, least_times};
use crate::table::Table;
use clearance::shape::Polytope;
use glam::{DVec3, dvec3};
use std::time::{Duration, Instant};

/// A candidate is not run when its last smaller size says it would take longer than this.
const PATIENCE: Duration = Duration::from_secs(20);

/// chull takes exact big integers; it is quadratic in places, and a warning of its own comes too late.
const CHULL_GROWTH: f64 = 2.0;

const FAMILIES: [(&str, fn(usize) -> Vec<DVec3>); 5] = [
    ("sphere", |n| Random(1).many(n, Random::on_sphere)),
    ("ball", |n| Random(2).many(n, Random::in_ball)),
    ("lens 1e-3", |n| Random(3).many(n, |r| r.on_sphere() * dvec3(1.0, 1.0, 1e-3))),
    ("integer grid", |n| grid(n, 1.0)),
    ("grid of 0.1", |n| grid(n, 0.1)),
];

/// The tables of this experiment; sizes up to `LAB_POINTS` (default a million).
pub fn run() -> Vec<Table> {
    let limit = std::env::var("LAB_POINTS").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    let columns = [
        "points",
        "n",
        "vertices",
        "clearance",
        "validate",
        "parry",
        "parry says",
        "chull",
        "chull says",
        "ratio",
    ];
    let mut table = Table::new("Convex hulls: exact beside parry3d-f64 0.31 and chull 0.2", &columns);
    for (name, family) in FAMILIES {
        let mut last = [Duration::ZERO; 2];
        for n in [1_000, 10_000, 100_000, 1_000_000].into_iter().filter(|&n| n <= limit) {
            table.row(compare(name, &family(n), &mut last));
            eprintln!("hull: {name} {n}");
        }
    }
    vec![table]
}

fn compare(name: &str, points: &[DVec3], last: &mut [Duration; 2]) -> Vec<String> {
    let n = points.len();
    let rounds = if n <= 10_000 { 7 } else { 3 };
    let polytope = Polytope::hull(points).expect("finite points");
    let start = Instant::now();
    let verdict = polytope.validate();
    let validation = start.elapsed();
    let run_parry = last[0].as_secs_f64() * 20.0 < PATIENCE.as_secs_f64();
    let run_chull = last[1].as_secs_f64() * 10f64.powf(CHULL_GROWTH) < PATIENCE.as_secs_f64();

    let parry = run_parry.then(|| parry3d_f64::transformation::try_convex_hull(points));
    let (mut own_time, mut parry_time) = (Duration::MAX, Duration::MAX);
    if parry.is_some() {
        [own_time, parry_time] = least_times(
            rounds,
            [&mut || drop(std::hint::black_box(Polytope::hull(points))), &mut || {
                drop(std::hint::black_box(parry3d_f64::transformation::try_convex_hull(points)))
            }],
        );
        last[0] = parry_time;
    } else {
        [own_time] = least_times(rounds, [&mut || drop(std::hint::black_box(Polytope::hull(points)))]);
    }
    let parry_says = parry.map(|result| result.map(|(vertices, _)| vertices.len()).ok());

    let rows: Vec<Vec<f64>> = points.iter().map(|p| p.to_array().to_vec()).collect();
    let start = Instant::now();
    let chull_says = run_chull.then(|| {
        let hull = chull::ConvexHullWrapper::try_new(&rows, None).ok();
        hull.map(|hull| hull.vertices_indices().0.len())
    });
    let chull_time = start.elapsed();
    if run_chull {
        last[1] = chull_time;
    } else {
        last[1] = Duration::MAX;
    }

    // Only rivals with the right number of vertices count for the ratio.
    let vertices = polytope.vertices().len();
    let right = |says: Option<Option<usize>>, time| (says == Some(Some(vertices))).then_some(time);
    let best = right(parry_says, parry_time).into_iter().chain(right(chull_says, chull_time)).min();
    let says = |says: Option<Option<usize>>| match says {
        None => "not run".to_string(),
        Some(None) => "fails".to_string(),
        Some(Some(count)) if count == vertices => "right".to_string(),
        Some(Some(count)) => format!("{count} vertices"),
    };
    let time = |says: Option<Option<usize>>, time| says.map_or("-".to_string(), |_| human(time));
    vec![
        name.to_string(),
        n.to_string(),
        vertices.to_string(),
        human(own_time),
        verdict.map_or_else(|defect| defect.to_string(), |()| human(validation)),
        time(parry_says, parry_time),
        says(parry_says),
        time(chull_says, chull_time),
        says(chull_says),
        best.map_or("-".to_string(), |best| format!("{:.2}", own_time.as_secs_f64() / best.as_secs_f64())),
    ]
}

/// The cubic grid nearest to `n` points.
fn grid(n: usize, spacing: f64) -> Vec<DVec3> {
    let side = (n as f64).cbrt().round() as usize;
    let at = |i: usize| i as f64 * spacing;
    let mut points: Vec<DVec3> = (0..side * side * side)
        .map(|i| dvec3(at(i % side), at(i / side % side), at(i / side / side)))
        .collect();
    let mut random = Random(4);
    (1..points.len()).rev().for_each(|i| points.swap(i, (random.bits() % (i as u64 + 1)) as usize));
    points
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * 2f64.powi(-52) - 1.0
    }

    fn in_ball(&mut self) -> DVec3 {
        loop {
            let p = dvec3(self.signed(), self.signed(), self.signed());
            if p.length_squared() <= 1.0 {
                return p;
            }
        }
    }

    fn on_sphere(&mut self) -> DVec3 {
        loop {
            let p = self.in_ball();
            if p.length_squared() > 0.01 {
                return p.normalize();
            }
        }
    }

    fn many(&mut self, n: usize, one: fn(&mut Random) -> DVec3) -> Vec<DVec3> {
        (0..n).map(|_| one(self)).collect()
    }
}
