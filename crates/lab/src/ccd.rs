//! First contacts of linearly moving features: time per query, on published queries and on random ones.

use crate::measure::human;
use crate::table::Table;
use clearance::glam::DVec3;
use clearance::math::Random;
use clearance::oracle::ccd_cases::{Case, Kind, random_case};
use clearance::oracle::{ccd_data, real_mesh};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Rounds over all queries; the least time of each query counts.
const ROUNDS: usize = 9;

/// Calls between two looks at the clock, which takes about as long as a quick query.
const CALLS: u32 = 16;

/// Queries of a random family.
const CASES: usize = 4096;

const COLUMNS: [&str; 8] = ["queries", "number", "hits", "median", "mean", "p99", "max", "wrong"];

pub fn run() -> Vec<Table> {
    vec![published(), random()]
}

/// The queries of the sample data, by file.
fn published() -> Table {
    let mut table = Table::new(
        "First contact of moving vertices and faces, edges and edges: published queries \
         (Tight-Inclusion reports a median of 1 us and a mean of 4.8 ms on the whole handcrafted set)",
        &COLUMNS,
    );
    let Some(data) = real_mesh::folder().filter(|folder| folder.join("ccd").is_dir()) else {
        eprintln!("skipped: no sample data, so no published queries; set CLEARANCE_DATA to its folder");
        return table;
    };
    let queries = ccd_data::queries(&data);
    let cases: Vec<Case> = queries.iter().map(|query| query.case).collect();
    let times = times(&cases);
    let mut families: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (i, query) in queries.iter().enumerate() {
        let folder = query.name.split("/ccd/").nth(1).and_then(|path| path.rsplit_once('/'));
        families.entry(folder.map_or("others", |(folder, _)| folder).to_owned()).or_default().push(i);
    }
    families.insert("~ all".into(), (0..queries.len()).collect());
    let is_wrong = |i: &&usize| queries[**i].case.ask().is_some() != queries[**i].truth.is_some();
    for (name, members) in &families {
        let wrong = members.iter().filter(is_wrong).count();
        let chosen = members.iter().map(|&i| (cases[i], times[i]));
        table.row(row(name.trim_start_matches("~ "), chosen.collect(), &wrong.to_string()));
    }
    table
}

/// Random queries; their answers are compared with an oracle by `lab long`.
fn random() -> Table {
    let mut table =
        Table::new("First contact of moving vertices and faces, edges and edges: random queries", &COLUMNS);
    type Family = fn(&mut Random) -> Case;
    let families: [(&str, Family); 4] = [
        ("uniform in a cube at both times", uniform),
        ("small steps of near features, as in cloth", cloth),
        ("features that meet", meeting),
        ("hostile, as compared with the oracle", random_case),
    ];
    for (name, family) in families {
        let mut random = Random::new(1);
        let cases: Vec<Case> = (0..CASES).map(|_| family(&mut random)).collect();
        let times = times(&cases);
        table.row(row(name, cases.into_iter().zip(times).collect(), "-"));
    }
    table
}

/// The least time of each query.
fn times(cases: &[Case]) -> Vec<Duration> {
    let mut least = vec![Duration::MAX; cases.len()];
    for _ in 0..ROUNDS {
        for (case, least) in cases.iter().zip(&mut least) {
            let start = Instant::now();
            for _ in 0..CALLS {
                black_box(black_box(case).ask());
            }
            *least = (*least).min(start.elapsed() / CALLS);
        }
    }
    least
}

fn row(name: &str, mut timed: Vec<(Case, Duration)>, wrong: &str) -> Vec<String> {
    timed.sort_by_key(|(_, time)| *time);
    let number = timed.len();
    let hits = timed.iter().filter(|(case, _)| case.ask().is_some()).count();
    let at = |share: f64| human(timed[((number - 1) as f64 * share) as usize].1);
    let mean = timed.iter().map(|(_, time)| *time).sum::<Duration>() / number as u32;
    let counts = [number, hits].map(|count| count.to_string());
    let [number, hits] = counts;
    vec![name.into(), number, hits, at(0.5), human(mean), at(0.99), at(1.0), wrong.into()]
}

fn kind(random: &mut Random) -> Kind {
    if random.below(2) == 0 { Kind::VertexFace } else { Kind::EdgeEdge }
}

fn in_cube(random: &mut Random, size: f64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| random.range(-size, size)))
}

fn uniform(random: &mut Random) -> Case {
    let kind = kind(random);
    let mut points = || std::array::from_fn(|_| in_cube(random, 1.0));
    Case { kind, start: points(), end: points() }
}

/// Triangles and edges of size 1 whose boxes meet, moving by a tenth of that.
fn cloth(random: &mut Random) -> Case {
    let kind = kind(random);
    let start: [DVec3; 4] = std::array::from_fn(|_| in_cube(random, 0.5));
    let end = start.map(|point| point + in_cube(random, 0.05));
    Case { kind, start, end }
}

/// A common point at a random time, up to rounding, and so a contact there or nearby in nearly all cases.
fn meeting(random: &mut Random) -> Case {
    let kind = kind(random);
    let mut at: [DVec3; 4] = std::array::from_fn(|_| in_cube(random, 1.0));
    let (s, r, time) = (random.unit(), random.unit(), random.unit());
    match kind {
        Kind::VertexFace => at[0] = at[1] + s * (at[2] - at[1]) + (1.0 - s) * r * (at[3] - at[1]),
        Kind::EdgeEdge => {
            let (common, along) = (at[0] + s * (at[1] - at[0]), at[3] - at[2]);
            (at[2], at[3]) = (common - r * along, common + (1.0 - r) * along);
        }
    }
    let velocities: [DVec3; 4] = std::array::from_fn(|_| in_cube(random, 1.0));
    let moved = |t: f64| std::array::from_fn(|i| at[i] + t * velocities[i]);
    Case { kind, start: moved(-time), end: moved(1.0 - time) }
}
