//! Convex hulls beside parry3d-f64 and chull, on the same points in one run.

use crate::measure::{human, least_times};
use crate::table::Table;
use clearance::math::Random;
use clearance::shape::{Polytope, sample::random_direction};
use glam::{DVec3, dvec3};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A rival is not run on a set that its last, ten times smaller one says would take longer.
const PATIENCE: Duration = Duration::from_secs(30);

/// How much longer ten times as many points may take; chull is nearly quadratic.
const GROWTH: f64 = 40.0;

/// A kind of point set, drawn with about as many points as asked.
type Family = fn(usize) -> Vec<DVec3>;

const FAMILIES: [(&str, Family); 5] = [
    ("sphere", |n| many(n, random_direction)),
    ("ball", |n| many(n, |r| random_direction(r) * r.unit().cbrt())),
    ("lens 1e-3", |n| many(n, |r| random_direction(r) * dvec3(1.0, 1.0, 1e-3))),
    ("integer grid", |n| grid(n, 1.0)),
    ("grid of 0.1", |n| grid(n, 0.1)),
];

/// The table; sizes up to the environment variable `LAB_POINTS` (a million).
pub fn run() -> Vec<Table> {
    let limit = std::env::var("LAB_POINTS").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    let columns = [
        "points",
        "count",
        "vertices",
        "clearance",
        "validate",
        "parry",
        "parry says",
        "chull",
        "chull says",
        "ratio to the fastest right one",
    ];
    let mut table =
        Table::new("Convex hulls: exact, beside parry3d-f64 0.31 and chull 0.2 (big integers)", &columns);
    for (name, family) in FAMILIES {
        let mut rivals = [Rival::new(parry), Rival::new(chull)];
        for n in [1_000, 10_000, 100_000, 1_000_000].into_iter().filter(|&n| n <= limit) {
            table.row(row(name, &family(n), &mut rivals));
            eprintln!("hull: {name} {n}");
        }
    }
    vec![table]
}

/// Computes a hull and returns its number of vertices, or nothing if it fails.
type Hull = fn(&[DVec3]) -> Option<usize>;

/// Another library and how it fared on the last set.
struct Rival {
    hull: Hull,
    time: Option<Duration>,
    vertices: Option<usize>,
}

impl Rival {
    fn new(hull: Hull) -> Rival {
        Rival { hull, time: Some(Duration::ZERO), vertices: None }
    }

    /// One run, whose time decides whether there are more of this size and any of the next.
    fn try_once(&mut self, points: &[DVec3]) {
        let patient = |time: &Duration| time.as_secs_f64() * GROWTH < PATIENCE.as_secs_f64();
        if self.time.as_ref().is_some_and(patient) {
            let start = Instant::now();
            self.vertices = (self.hull)(points);
            self.time = Some(start.elapsed());
        } else {
            self.time = None;
        }
    }

    fn verdict(&self, vertices: usize) -> String {
        match (self.time, self.vertices) {
            (None, _) => "not run".into(),
            (_, None) => "fails".into(),
            (_, Some(count)) if count == vertices => "right".into(),
            (_, Some(count)) => format!("{count} vertices"),
        }
    }

    fn time(&self) -> String {
        self.time.map_or("-".into(), human)
    }

    /// The time if it was spent on the right answer.
    fn time_if_right(&self, vertices: usize) -> Option<Duration> {
        self.time.filter(|_| self.vertices == Some(vertices))
    }
}

fn row(name: &str, points: &[DVec3], rivals: &mut [Rival; 2]) -> Vec<String> {
    let polytope = Polytope::hull(points).expect("finite points");
    let vertices = polytope.vertices().len();
    let start = Instant::now();
    let validation = polytope.validate().map(|()| start.elapsed());
    drop(polytope);
    rivals.iter_mut().for_each(|rival| rival.try_once(points));
    let own_time = measure(points, rivals);
    let [parry, chull] = rivals;
    let best = parry.time_if_right(vertices).into_iter().chain(chull.time_if_right(vertices)).min();
    vec![
        name.to_string(),
        points.len().to_string(),
        vertices.to_string(),
        human(own_time),
        validation.map_or_else(|defect| defect.to_string(), human),
        parry.time(),
        parry.verdict(vertices),
        chull.time(),
        chull.verdict(vertices),
        best.map_or("-".into(), |best| format!("{:.2}", own_time.as_secs_f64() / best.as_secs_f64())),
    ]
}

/// Least times of several rounds, the quicker rivals taking turns with us.
fn measure(points: &[DVec3], rivals: &mut [Rival; 2]) -> Duration {
    let rounds = (500_000 / points.len()).clamp(3, 100);
    let affordable = |rival: &&mut Rival| rival.time.is_some_and(|t| t < Duration::from_secs(3));
    let mut own = || drop(black_box(Polytope::hull(points)));
    match rivals.iter_mut().find(affordable) {
        None => least_times(rounds, [&mut own])[0],
        Some(rival) => {
            let hull = rival.hull;
            let [own_time, time] = least_times(rounds, [&mut own, &mut || _ = black_box(hull(points))]);
            rival.time = Some(time);
            own_time
        }
    }
}

fn parry(points: &[DVec3]) -> Option<usize> {
    parry3d_f64::transformation::try_convex_hull(points).ok().map(|(vertices, _)| vertices.len())
}

fn chull(points: &[DVec3]) -> Option<usize> {
    let rows: Vec<Vec<f64>> = points.iter().map(|p| p.to_array().to_vec()).collect();
    let hull = chull::ConvexHullWrapper::try_new(&rows, None).ok()?;
    Some(hull.vertices_indices().0.len())
}

fn many(n: usize, one: impl Fn(&mut Random) -> DVec3) -> Vec<DVec3> {
    let mut random = Random::new(1);
    (0..n).map(|_| one(&mut random)).collect()
}

/// The cubic grid nearest to `n` points, in random order.
fn grid(n: usize, spacing: f64) -> Vec<DVec3> {
    let side = (n as f64).cbrt().round() as usize;
    let at = |i: usize| (i % side) as f64 * spacing;
    let mut points: Vec<DVec3> =
        (0..side.pow(3)).map(|i| dvec3(at(i), at(i / side), at(i / side / side))).collect();
    let mut random = Random::new(1);
    (1..points.len()).rev().for_each(|i| points.swap(i, random.below(i as u64 + 1) as usize));
    points
}
