//! Every way to find an extreme vertex: steps and nanoseconds, cold and coherent. The default follows from it.

use crate::measure::{least_times, nanoseconds_each};
use crate::table::Table;
use clearance::glam::{DQuat, DVec3};
use clearance::math::Random;
use clearance::shape::Polytope;
use clearance::shape::sample::{PolytopeKind, cone, disc, random_direction, random_polytope};
use clearance::support::{
    DirectionTable, HWalk, Hierarchy, StampedWalk, StartKind, SupportMap, SupportStats,
};
use clearance::{Pose, support::Extreme};
use std::hint::black_box;

const ROUNDS: usize = 9;
const SIZES: [u32; 7] = [8, 20, 100, 500, 1000, 5000, 50_000];
const TURNS: [f64; 5] = [0.1, 1.0, 5.0, 10.0, 40.0];

pub fn run() -> Vec<Table> {
    vec![starts(), cold(), coherent(), separating_vector(), stamps(), layers()]
}

type Family = (&'static str, fn(u32) -> Polytope);

const FAMILIES: [Family; 5] = [
    ("ellipsoid", |n| random(PolytopeKind::Ellipsoid, n)),
    ("rod", |n| random(PolytopeKind::ThinRod, n)),
    ("plate", |n| random(PolytopeKind::Plate, n)),
    ("disc", |n| disc(n / 2, 1.0, 0.05).expect("a disc")),
    ("cone", |n| cone(n - 1, 1.0, 1.0).expect("a cone")),
];

fn random(kind: PolytopeKind, n: u32) -> Polytope {
    random_polytope(kind, n, u64::from(n)).expect("a polytope")
}

/// How many queries: fewer where one may look at all vertices.
fn count(n: u32) -> usize {
    if n > 10_000 { 256 } else { 2048 }
}

fn random_directions(count: usize, seed: u64) -> Vec<DVec3> {
    let mut random = Random::new(seed);
    (0..count).map(|_| random_direction(&mut random)).collect()
}

/// Directions, each turned by an angle from the last one about a random axis.
fn path(count: usize, degrees: f64, seed: u64) -> Vec<DVec3> {
    let mut random = Random::new(seed);
    let mut at = random_direction(&mut random);
    let mut next = || {
        let axis = at.cross(random_direction(&mut random)).try_normalize().unwrap_or(DVec3::Z);
        at = (DQuat::from_axis_angle(axis, degrees.to_radians()) * at).normalize();
        at
    };
    (0..count).map(|_| next()).collect()
}

/// Nanoseconds of searches over all directions, each starting from what the last one found.
fn sweep(directions: &[DVec3], mut search: impl FnMut(DVec3, u32) -> u32) {
    let mut last = 0;
    for &direction in directions {
        last = search(direction, last);
    }
    black_box(last);
}

/// Vertices visited a search beyond the first.
fn steps(stats: &SupportStats) -> f64 {
    stats.vertices as f64 / stats.searches as f64 - 1.0
}

fn with_steps(nanoseconds: f64, steps: f64) -> String {
    format!("{nanoseconds:.1} ({steps:.2})")
}

/// The starts against each other, to place the limits between them.
fn starts() -> Table {
    let mut table = Table::new(
        "Support: how to start without a hint, ns with the climb that follows",
        &["vertices", "scan", "candidates", "cube map", "all vertices in f64"],
    );
    for n in [4, 8, 16, 20, 24, 32, 48, 64, 100, 200, 500, 1000, 1500] {
        let polytope = random(PolytopeKind::Ellipsoid, n);
        let kinds = [StartKind::Scan, StartKind::Candidates, StartKind::CubeMap];
        let maps = kinds.map(|kind| SupportMap::with_start(polytope.clone(), kind));
        // So many that no branch predictor learns them.
        let directions = random_directions(1 << 16, 1);
        let run = |map: &SupportMap| sweep(&directions, |d, _| map.climb(d, map.start(d)).vertex);
        let times = least_times(
            ROUNDS,
            [&mut || run(&maps[0]), &mut || run(&maps[1]), &mut || run(&maps[2]), &mut || {
                sweep(&directions, |d, _| brute(&polytope, d))
            }],
        );
        let cells = times.map(|t| format!("{:.1}", nanoseconds_each(t, directions.len())));
        table.row([n.to_string()].into_iter().chain(cells));
    }
    table
}

fn brute(polytope: &Polytope, direction: DVec3) -> u32 {
    let (mut best, mut found) = (f64::NEG_INFINITY, 0);
    for (v, point) in (0..).zip(polytope.vertices()) {
        let height = direction.dot(*point);
        if height > best {
            (best, found) = (height, v);
        }
    }
    found
}

fn cold() -> Table {
    let mut table = Table::new(
        "Support, cold: ns (steps) in random directions",
        &[
            "body",
            "vertices",
            "bytes a vertex",
            "default",
            "cube map, f64",
            "8 x 16 table",
            "last vertex",
            "last vertex, f64",
            "last vertex, H-Walk",
            "hierarchy, exact",
        ],
    );
    for (name, family) in FAMILIES {
        for n in SIZES {
            table.row(cold_row(name, family(n), count(n)));
        }
    }
    table
}

fn cold_row(name: &str, polytope: Polytope, count: usize) -> Vec<String> {
    let map = SupportMap::new(polytope.clone());
    let cube = SupportMap::with_start(polytope.clone(), StartKind::CubeMap);
    let (table, walk) = (DirectionTable::build(&polytope), HWalk::build(&polytope));
    let hierarchy = Hierarchy::build(&polytope);
    let directions = random_directions(count, 2);
    let mut unused = SupportStats::default();
    let times = least_times(
        ROUNDS,
        [
            &mut || sweep(&directions, |d, _| map.climb(d, map.start(d)).vertex),
            &mut || sweep(&directions, |d, _| cube.climb_in_f64(d, cube.start(d)).vertex),
            &mut || sweep(&directions, |d, _| map.climb(d, table.look_up(d)).vertex),
            &mut || sweep(&directions, |d, last| map.climb(d, last).vertex),
            &mut || sweep(&directions, |d, last| map.climb_in_f64(d, last).vertex),
            &mut || sweep(&directions, |d, last| walk.search(d, last, &mut unused)),
            &mut || sweep(&directions, |d, _| hierarchy.extreme(d)),
        ],
    );
    let mut stats = [SupportStats::default(); 6];
    let [default, csr, paper, blocks, plain, h_walk] = &mut stats;
    sweep(&directions, |d, _| map.climb_counted(d, map.start(d), default).vertex);
    sweep(&directions, |d, _| cube.climb_in_f64_counted(d, cube.start(d), csr).vertex);
    sweep(&directions, |d, _| map.climb_counted(d, table.look_up(d), paper).vertex);
    sweep(&directions, |d, last| map.climb_counted(d, last, blocks).vertex);
    sweep(&directions, |d, last| map.climb_in_f64_counted(d, last, plain).vertex);
    sweep(&directions, |d, last| walk.search(d, last, h_walk));
    let vertices = polytope.vertices().len();
    let mut row = vec![name.to_string(), vertices.to_string(), (map.bytes() / vertices).to_string()];
    row.extend(times.iter().zip(&stats).map(|(t, s)| with_steps(nanoseconds_each(*t, count), steps(s))));
    row.push(format!("{:.1}", nanoseconds_each(times[6], count)));
    row
}

fn coherent() -> Table {
    let mut table = Table::new(
        "Support, coherent: ns (steps) from the last vertex, one search after the other",
        &["body", "vertices", "degrees a query", "climb", "f64", "H-Walk", "default start", "walks in 100"],
    );
    for (name, family) in FAMILIES {
        for n in SIZES {
            let polytope = family(n);
            let map = SupportMap::new(polytope.clone());
            let walk = HWalk::build(&polytope);
            for degrees in TURNS {
                let directions = path(count(n), degrees, 3);
                let head = [name.to_string(), n.to_string(), degrees.to_string()];
                table.row(head.into_iter().chain(coherent_cells(&map, &walk, &directions)));
            }
        }
    }
    table
}

fn coherent_cells(map: &SupportMap, walk: &HWalk, directions: &[DVec3]) -> [String; 5] {
    let mut unused = SupportStats::default();
    let times = least_times(
        ROUNDS,
        [
            &mut || sweep(directions, |d, last| map.climb(d, last).vertex),
            &mut || sweep(directions, |d, last| map.climb_in_f64(d, last).vertex),
            &mut || sweep(directions, |d, last| walk.search(d, last, &mut unused)),
            &mut || sweep(directions, |d, _| map.climb(d, map.start(d)).vertex),
        ],
    );
    let mut stats = [SupportStats::default(); 4];
    let [blocks, plain, h_walk, default] = &mut stats;
    sweep(directions, |d, last| map.climb_counted(d, last, blocks).vertex);
    sweep(directions, |d, last| map.climb_in_f64_counted(d, last, plain).vertex);
    sweep(directions, |d, last| walk.search(d, last, h_walk));
    sweep(directions, |d, _| map.climb_counted(d, map.start(d), default).vertex);
    let cell = |i: usize| with_steps(nanoseconds_each(times[i], directions.len()), steps(&stats[i]));
    let walks = stats[0].walks as f64 * 100.0 / stats[0].searches as f64;
    [cell(0), cell(1), cell(2), cell(3), format!("{walks:.1}")]
}

/// A pair that a remembered direction still separates.
struct Pair {
    pose_a: Pose,
    pose_b: Pose,
    direction: DVec3,
    hints: (u32, u32),
}

/// What one check of a remembered vector costs: two directions turned into the bodies, two supports, one gap.
fn separating_vector() -> Table {
    let mut table = Table::new(
        "Separating vector: one coherent check of two bodies, ns; 256 pairs",
        &[
            "vertices",
            "climb, in a batch",
            "f64, in a batch",
            "climb, one after the other",
            "f64, one after the other",
        ],
    );
    for n in [8, 20, 32, 100, 500, 1000] {
        let map = SupportMap::new(random(PolytopeKind::Ellipsoid, n));
        let mut random = Random::new(5);
        let pairs: Vec<Pair> = (0..256).map(|_| pair(&map, &mut random)).collect();
        let blocks = |d: DVec3, from: u32| map.climb(d, from);
        let plain = |d: DVec3, from: u32| map.climb_in_f64(d, from);
        let times = least_times(
            5 * ROUNDS,
            [
                &mut || batch(&map, &pairs, blocks),
                &mut || batch(&map, &pairs, plain),
                &mut || chain(&map, &pairs, blocks),
                &mut || chain(&map, &pairs, plain),
            ],
        );
        let cells = times.map(|t| format!("{:.1}", nanoseconds_each(t, pairs.len())));
        table.row([n.to_string()].into_iter().chain(cells));
    }
    table
}

fn pair(map: &SupportMap, random: &mut Random) -> Pair {
    let mut pose = |offset: DVec3| {
        let axis = random_direction(random);
        Pose::from_quaternion(DQuat::from_axis_angle(axis, 1.0), offset).expect("a rotation")
    };
    let (pose_a, pose_b) = (pose(DVec3::ZERO), pose(DVec3::new(1.5, 1.5, 1.5)));
    let direction = DVec3::ONE.normalize();
    let top = |pose: &Pose, d: DVec3| {
        let along = pose.rotation().transpose() * d;
        map.climb(along, map.start(along)).vertex
    };
    let hints = (top(&pose_a, direction), top(&pose_b, -direction));
    Pair { pose_a, pose_b, direction, hints }
}

#[inline(always)]
fn check(map: &SupportMap, pair: &Pair, nudge: f64, climb: impl Fn(DVec3, u32) -> Extreme) -> (bool, f64) {
    let direction = pair.direction + nudge;
    let along = |pose: &Pose, d: DVec3| {
        let r = pose.rotation();
        DVec3::new(r.x_axis.dot(d), r.y_axis.dot(d), r.z_axis.dot(d))
    };
    let (along_a, along_b) = (along(&pair.pose_a, direction), along(&pair.pose_b, -direction));
    let (top, bottom) = (climb(along_a, pair.hints.0), climb(along_b, pair.hints.1));
    let offset = pair.pose_b.translation() - pair.pose_a.translation();
    let gap =
        direction.dot(offset) - along_a.dot(map.vertex(top.vertex)) - along_b.dot(map.vertex(bottom.vertex));
    (top.proved & bottom.proved & (gap > 1e-12), gap)
}

fn batch(map: &SupportMap, pairs: &[Pair], climb: impl Fn(DVec3, u32) -> Extreme) {
    let separated = pairs.iter().filter(|p| check(map, p, 0.0, &climb).0).count();
    black_box(separated);
}

/// Each check waits for the gap of the last one.
fn chain(map: &SupportMap, pairs: &[Pair], climb: impl Fn(DVec3, u32) -> Extreme) {
    let nudge = pairs.iter().fold(0.0, |nudge, p| check(map, p, nudge, &climb).1 * 1e-300);
    black_box(nudge);
}

/// The paper's claim: stamps save a third of the products.
fn stamps() -> Table {
    let mut table = Table::new(
        "Visited stamps: products a search without and with them",
        &["body", "vertices", "turn", "without", "with", "saved"],
    );
    for (name, family) in FAMILIES {
        for n in [100, 1000] {
            let polytope = family(n);
            let map = SupportMap::new(polytope.clone());
            let mut stamped = StampedWalk::new(&polytope);
            let mut turns: Vec<(String, Vec<DVec3>)> =
                [1.0, 10.0, 40.0].map(|t| (format!("{t} degrees"), path(2048, t, 4))).into();
            turns.push(("random".into(), random_directions(2048, 4)));
            for (turn, directions) in turns {
                let (mut without, mut with) = (SupportStats::default(), SupportStats::default());
                sweep(&directions, |d, last| map.climb_in_f64_counted(d, last, &mut without).vertex);
                sweep(&directions, |d, last| stamped.climb(d, last, &mut with));
                let each = |s: &SupportStats| s.products as f64 / s.searches as f64;
                let saved = 100.0 * (1.0 - each(&with) / each(&without));
                table.row([
                    name.to_string(),
                    n.to_string(),
                    turn,
                    format!("{:.1}", each(&without)),
                    format!("{:.1}", each(&with)),
                    format!("{saved:.0} %"),
                ]);
            }
        }
    }
    table
}

fn layers() -> Table {
    let mut table = Table::new(
        "Hierarchy: layers, memory and work",
        &[
            "body",
            "vertices",
            "layers",
            "layers / log2 n",
            "bytes a vertex",
            "candidates a search",
            "a layer",
            "most a layer",
            "H-Walk bytes a vertex",
        ],
    );
    for (name, family) in FAMILIES {
        for n in SIZES {
            let polytope = family(n);
            let n = polytope.vertices().len();
            let hierarchy = Hierarchy::build(&polytope);
            let mut stats = clearance::support::HierarchyStats::default();
            sweep(&random_directions(256, 6), |d, _| hierarchy.extreme_counted(d, &mut stats));
            let candidates = stats.candidates as f64 / stats.searches as f64;
            table.row([
                name.to_string(),
                n.to_string(),
                hierarchy.layers().to_string(),
                format!("{:.2}", hierarchy.layers() as f64 / (n as f64).log2()),
                (hierarchy.bytes() / n).to_string(),
                format!("{candidates:.1}"),
                format!("{:.1}", candidates / hierarchy.layers() as f64),
                stats.most_candidates.to_string(),
                (HWalk::build(&polytope).bytes() / n).to_string(),
            ]);
        }
    }
    table
}
