//! The algorithms of [Joseph87]: how the hierarchy of 4-prisms shrinks, what Algorithm 1 does in each level, and how
//! the work of Algorithm 2 grows. Counts, but for two columns of times.

use crate::measure::{human, least_times};
use crate::plot::{self, Series};
use crate::table::Table;
use clearance::Pose;
use clearance::math::Random;
use clearance::shape::Polytope;
use clearance::shape::sample::{PolytopeKind, bipyramid, cone, disc, random_direction, random_polytope};
use clearance::spacetime::lattice::{
    AlgorithmOneStats, Decision, FaceLattice, Motion, PrismHierarchy, SeparationStats, algorithm_one,
    first_collision, prism_of_motion, separation,
};
use glam::DVec3;
use std::hint::black_box;

/// All tables.
pub fn run() -> Vec<Table> {
    vec![hierarchies(), levels(), algorithm_1(), algorithm_2()]
}

fn families(k: u32) -> Vec<(&'static str, Polytope)> {
    let n = 1 << k;
    vec![
        ("ellipsoid", random_polytope(PolytopeKind::Ellipsoid, n, 1).expect("a sample")),
        ("cone", cone(n, 1.0, 1.0).expect("a sample")),
        ("bipyramid", bipyramid(n, 1.0, 0.5).expect("a sample")),
        ("disc", disc(n / 2, 1.0, 0.1).expect("a sample")),
    ]
}

fn hierarchy<'a>(body: &'a Polytope, pose: &Pose, velocity: DVec3) -> PrismHierarchy<'a> {
    let motion = Motion::new(velocity, 0.0..1.0).expect("a motion");
    PrismHierarchy::build(body, pose, &motion).expect("a motion in space")
}

fn hierarchies() -> Table {
    let mut table = Table::new(
        "Hierarchies of 4-prisms [Joseph87, Lemma 1 with its errata]: b = 8, so degrees of at most 16; the lemma \
         promises to remove 1 vertex in 40 in a level",
        &[
            "body",
            "n",
            "levels",
            "levels / log2 n",
            "vertices of all levels / 2n",
            "largest degree",
            "removed, least",
            "mean",
            "build",
            "each vertex",
        ],
    );
    for k in [4, 6, 8, 10, 12, 14] {
        for (name, body) in families(k) {
            let n = body.vertices().len();
            let prism = hierarchy(&body, &Pose::IDENTITY, DVec3::X);
            let levels = prism.levels();
            let all: usize = levels.iter().map(|level| level.vertices).sum();
            let degrees = levels.iter().flat_map(|level| level.removed.iter().map(|(_, degree)| *degree));
            let shares: Vec<f64> = levels[..levels.len() - 1]
                .iter()
                .map(|level| level.removed.len() as f64 / level.vertices as f64)
                .collect();
            let least = shares.iter().copied().fold(1.0, f64::min);
            let [time] = least_times(
                3,
                [&mut || {
                    black_box(hierarchy(&body, &Pose::IDENTITY, DVec3::X));
                }],
            );
            table.row([
                name.to_string(),
                n.to_string(),
                levels.len().to_string(),
                format!("{:.2}", levels.len() as f64 / (n as f64).log2()),
                format!("{:.2}", all as f64 / (2 * n) as f64),
                degrees.max().unwrap_or(0).to_string(),
                percent(least),
                percent(shares.iter().sum::<f64>() / shares.len().max(1) as f64),
                human(time),
                human(time / n as u32),
            ]);
        }
    }
    table
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn levels() -> Table {
    let mut table = Table::new(
        "Every level of one hierarchy, an ellipsoid of 1024 vertices: start copies of a set, then its end copies",
        &["level", "vertices", "removed", "copies", "share", "largest degree"],
    );
    let body = random_polytope(PolytopeKind::Ellipsoid, 1024, 1).expect("a sample");
    let prism = hierarchy(&body, &Pose::IDENTITY, DVec3::X);
    for (number, level) in prism.levels().iter().enumerate() {
        let share = level.removed.len() as f64 / level.vertices as f64;
        table.row([
            number.to_string(),
            level.vertices.to_string(),
            level.removed.len().to_string(),
            if number.is_multiple_of(2) { "start" } else { "end" }.to_string(),
            percent(share),
            level.removed.iter().map(|(_, degree)| *degree).max().unwrap_or(0).to_string(),
        ]);
    }
    table
}

/// Motions of a body against its like: some collide, most pass close by.
const PAIRS: usize = 12;

fn algorithm_1() -> Table {
    let mut table = Table::new(
        "Algorithm 1, 12 pairs of moving bodies each: steps are vertices taken in, candidates are those compared in \
         searches for extreme vertices; all numbers exact",
        &[
            "body",
            "n",
            "collide",
            "levels",
            "moved in",
            "steps",
            "most in a level",
            "searches",
            "candidates a search",
            "equations",
            "time a pair",
        ],
    );
    let mut curves: Vec<Series> = Vec::new();
    for k in [4, 6, 8, 10, 12] {
        for (name, body) in families(k) {
            let pairs = pairs(&body, u64::from(k));
            let mut stats = AlgorithmOneStats::default();
            let collide = pairs
                .iter()
                .filter(|[a, b]| matches!(algorithm_one(a, b, &mut stats), Decision::Collide { .. }));
            let collide = collide.count();
            let [time] = least_times(
                2,
                [&mut || {
                    for [a, b] in &pairs {
                        black_box(algorithm_one(a, b, &mut AlgorithmOneStats::default()));
                    }
                }],
            );
            let each = |count: u64| format!("{:.1}", count as f64 / PAIRS as f64);
            table.row([
                name.to_string(),
                body.vertices().len().to_string(),
                collide.to_string(),
                each(stats.levels),
                each(stats.moved),
                each(stats.steps),
                stats.most_steps.to_string(),
                each(stats.search.searches),
                format!("{:.1}", stats.search.candidates as f64 / stats.search.searches as f64),
                each(stats.solved),
                human(time / PAIRS as u32),
            ]);
            let point = (f64::from(k), stats.steps as f64 / PAIRS as f64);
            match curves.iter_mut().find(|curve| curve.name == name) {
                Some(curve) => curve.points.push(point),
                None => curves.push(Series { name: name.to_string(), points: vec![point] }),
            }
        }
    }
    table.attach("joseph87-steps.svg", plot::lines("Steps of Algorithm 1", "log2 n", "steps", &curves));
    table
}

fn pairs(body: &Polytope, seed: u64) -> Vec<[PrismHierarchy<'_>; 2]> {
    let mut random = Random::new(seed);
    let mut turned = |place: DVec3| {
        let axis = random_direction(&mut random);
        Pose::from_axis_angle(axis, random.range(0.0, 3.0), place).expect("a pose")
    };
    (0..PAIRS)
        .map(|i| {
            let side = turned(DVec3::ZERO).rotation().col(0);
            let place = (1.2 + 0.15 * i as f64) * side;
            let velocity = 0.5 * turned(DVec3::ZERO).rotation().col(1);
            [hierarchy(body, &turned(DVec3::ZERO), velocity), hierarchy(body, &turned(place), -velocity)]
        })
        .collect()
}

fn algorithm_2() -> Table {
    let mut table = Table::new(
        "Algorithm 2 on two 4-prisms that pass each other: pairs of faces, and facets looked at by the point-polytope \
         algorithm; the exponent is that of the work from row to row, as I(P) grows",
        &[
            "n",
            "faces",
            "I(P)",
            "pairs",
            "parallel",
            "located",
            "facets",
            "work / I(P) I(Q)",
            "exponent in I",
            "separation",
            "first collision",
        ],
    );
    let mut curve = Series { name: "pairs and facets, log2".into(), points: Vec::new() };
    let mut last: Option<(f64, f64)> = None;
    for n in [4, 6, 8, 12, 16] {
        let prisms = [0, 1].map(|i| whole_prism(n, i));
        let mut stats = SeparationStats::default();
        let [separation_time] = least_times(
            1,
            [&mut || {
                stats = SeparationStats::default();
                black_box(separation(&prisms[0], &prisms[1], &mut stats));
            }],
        );
        let mut collision_stats = SeparationStats::default();
        let [collision_time] = least_times(
            1,
            [&mut || {
                black_box(first_collision(&prisms[0], &prisms[1], &mut collision_stats));
            }],
        );
        let size = prisms[0].incidence_count() as f64;
        let sizes = size * prisms[1].incidence_count() as f64;
        let work = (stats.pairs + stats.location.facets) as f64;
        let exponent = last.map(|(size_before, before)| (work / before).ln() / (size / size_before).ln());
        last = Some((size, work));
        table.row([
            n.to_string(),
            prisms[0].face_count().to_string(),
            prisms[0].incidence_count().to_string(),
            stats.pairs.to_string(),
            percent(stats.parallel as f64 / stats.pairs as f64),
            stats.located.to_string(),
            stats.location.facets.to_string(),
            format!("{:.3}", work / sizes),
            exponent.map_or("-".into(), |e| format!("{e:.2}")),
            human(separation_time),
            human(collision_time),
        ]);
        curve.points.push((size.log2(), work.log2()));
    }
    table
        .attach("joseph87-pairs.svg", plot::lines("Work of Algorithm 2", "log2 I(P)", "log2 work", &[curve]));
    table
}

/// The prism of a body with small whole coordinates, so that numbers stay short.
fn whole_prism(n: u32, number: u64) -> FaceLattice {
    let body = random_polytope(PolytopeKind::Ellipsoid, n, 7 + number).expect("a sample");
    let offset = number as f64 * DVec3::new(90.0, 30.0, 10.0);
    let points: Vec<DVec3> = body.vertices().iter().map(|&v| (32.0 * v).round() + offset).collect();
    let body = Polytope::hull(&points).expect("points in range");
    let base = FaceLattice::from_polytope(&body, &Pose::IDENTITY).expect("a solid");
    let velocity = if number == 0 { DVec3::new(60.0, 5.0, 0.0) } else { DVec3::new(-40.0, 0.0, 15.0) };
    prism_of_motion(&base, &Motion::new(velocity, 0.0..1.0).expect("a motion")).expect("a prism")
}
