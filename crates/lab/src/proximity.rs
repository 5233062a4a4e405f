//! Proximity tests a second in the setting of [Konecny97]: a body of 200 triangles against one of 20 000, both moving.
//!
//! The paper counted 2 000 tests a second in 1997. A test is `within_with` or `collides` for the next frame; bodies turn
//! and drift by small steps, so most answers follow from what the last frames proved. One core.

use crate::scenario::{Placement, direction, rotation};
use crate::table::Table;
use clearance::glam::{DQuat, DVec3};
use clearance::math::Random;
use clearance::mesh::{self, MeshCache, TreeMesh};
use clearance::oracle::real_mesh;
use clearance::shape::{Mesh, MeshConfig, TriangleSoup, sample};
use std::hint::black_box;
use std::time::Instant;

const PUBLISHED: f64 = 2_000.0;
const FRAMES: usize = 5_000;
const ROUNDS: usize = 8;
/// Turn of each body and drift of B in a frame: degrees, and a share of the size of A.
const TURN: f64 = 0.25;
const DRIFT: f64 = 0.002;
/// What "near" means in a test, as a share of the size of B.
const LIMIT: f64 = 0.05;

/// Gaps that a walk keeps to, as shares of the size of B; below zero they may overlap, one inside the other too.
const BANDS: [(&str, f64, f64); 5] = [
    ("far", 1.0, 3.0),
    ("middle", 0.2, 1.0),
    ("near", 0.02, 0.2),
    ("overlap", -1.0, 0.0),
    ("far to overlap", -1.0, 3.0),
];

pub fn run() -> Vec<Table> {
    let title = format!(
        "Proximity tests of moving bodies, each turning by {TURN} degrees a frame and drifting by {DRIFT} of the size of A; \
         {FRAMES} frames, least time of {ROUNDS} rounds, one core"
    );
    let mut table = Table::new(
        &title,
        &[
            "A",
            "B",
            "triangles",
            "gaps",
            "test",
            "tests a second",
            "over 2 000",
            "remembering nothing",
            "answered from memory",
            "near",
        ],
    );
    for [a, b] in pairs() {
        for band in BANDS {
            rows(&a, &b, band, &mut table);
        }
    }
    vec![table]
}

struct Body {
    name: &'static str,
    mesh: TreeMesh,
    size: f64,
}

impl Body {
    fn new(name: &'static str, soup: &TriangleSoup) -> Body {
        let mesh = TreeMesh::new(Mesh::build(soup, &MeshConfig::default()).expect("a mesh"));
        let size = mesh.mesh().bounds().extent().length();
        Body { name, mesh, size }
    }
}

/// The paper's sizes twice, then real bodies if their files are there.
fn pairs() -> Vec<[Body; 2]> {
    let ball = || Body::new("bumpy ball", &sample::bumpy_sphere(1.0, 0.3, 4, 32).expect("a sample"));
    let ring = || Body::new("ring", &sample::torus(1.0, 0.4, 125, 80).expect("a sample"));
    let small = || Body::new("small ring", &sample::torus(0.2, 0.08, 10, 10).expect("a sample"));
    let mut pairs = vec![[ball(), small()], [ring(), small()]];
    let Some(folder) = real_mesh::folder() else {
        eprintln!("lab: no sample data, real meshes are left out; set CLEARANCE_DATA to its folder");
        return pairs;
    };
    let read = |name: &'static str| {
        let soup = real_mesh::read(&folder.join("meshes").join(name)).expect("a readable file");
        Body::new(name, &soup)
    };
    pairs.push([read("fcl/env.obj"), read("fcl/rob.obj")]);
    pairs.push([read("ur5/upperarm.stl"), read("ur5/wrist1.stl")]);
    pairs
}

type Frame = [Placement; 2];

/// A random walk that turns back at the ends of a band of gaps.
fn walk(a: &Body, b: &Body, (_, low, high): (&str, f64, f64), random: &mut Random) -> Vec<Frame> {
    let mut turns = [rotation(random), rotation(random)];
    let spins = [direction(random), direction(random)]
        .map(|axis| DQuat::from_axis_angle(axis, f64::to_radians(TURN)));
    let mut heading = direction(random);
    let mut at = heading * (a.size + b.size);
    let mut cache = MeshCache::default();
    let mut frames = Vec::with_capacity(FRAMES);
    let mut is_there = false;
    while frames.len() < FRAMES {
        let frame = [Placement::new(turns[0], DVec3::ZERO), Placement::new(turns[1], at)];
        let found = mesh::distance_with(&a.mesh, &frame[0].pose, &b.mesh, &frame[1].pose, &mut cache);
        let gap = found.upper / b.size;
        let outward = (found.point_b - found.point_a).try_normalize().unwrap_or(at.normalize_or(DVec3::X));
        heading = match gap {
            gap if gap > high => -outward,
            gap if gap < low => outward,
            // Now and then through what is near, or out of it.
            _ if random.below(200) == 0 => direction(random),
            _ => (heading + 0.1 * direction(random)).normalize_or(heading),
        };
        is_there |= gap <= high;
        // Faster on the way to the band, which is no part of the walk.
        at += heading * (a.size * if is_there { DRIFT } else { 10.0 * DRIFT });
        if is_there {
            frames.push(frame);
        }
        turns = [0, 1].map(|k| (spins[k] * turns[k]).normalize());
    }
    frames
}

#[derive(Clone, Copy)]
enum Test {
    Within,
    Collides,
}

impl Test {
    fn name(self) -> String {
        match self {
            Test::Within => format!("within {LIMIT} of B"),
            Test::Collides => "collides".into(),
        }
    }

    fn ask(self, a: &Body, b: &Body, [at_a, at_b]: &Frame, cache: &mut MeshCache) -> bool {
        let ((a, pose_a), (b, pose_b, size)) = ((&a.mesh, &at_a.pose), (&b.mesh, &at_b.pose, b.size));
        match self {
            Test::Within => mesh::within_with(a, pose_a, b, pose_b, LIMIT * size, cache),
            Test::Collides => mesh::collides(a, pose_a, b, pose_b, cache),
        }
    }
}

fn rows(a: &Body, b: &Body, band: (&str, f64, f64), table: &mut Table) {
    let frames = walk(a, b, band, &mut Random::new(5));
    for test in [Test::Within, Test::Collides] {
        let (remembered, near) = counts(a, b, &frames, test);
        let [warm, cold] = [Memory::Kept, Memory::None]
            .map(|memory| FRAMES as f64 / least_seconds(a, b, &frames, test, memory));
        let share = |count: usize| format!("{:.1} %", 100.0 * count as f64 / FRAMES as f64);
        table.row([
            a.name.into(),
            b.name.into(),
            format!("{} : {}", a.mesh.tree().triangle_count(), b.mesh.tree().triangle_count()),
            band.0.into(),
            test.name(),
            format!("{:.2} million", 1e-6 * warm),
            format!("{:.0}", warm / PUBLISHED),
            format!("{:.2} million", 1e-6 * cold),
            share(remembered),
            share(near),
        ]);
    }
}

/// Whether a test may use what earlier ones proved.
#[derive(Clone, Copy, PartialEq)]
enum Memory {
    Kept,
    None,
}

/// Seconds for all frames: the least of some rounds for each hundred, so that a pause of the machine does not count.
fn least_seconds(a: &Body, b: &Body, frames: &[Frame], test: Test, memory: Memory) -> f64 {
    let mut least = vec![f64::INFINITY; frames.len().div_ceil(100)];
    let mut cache = MeshCache::default();
    for _ in 0..ROUNDS {
        cache.forget();
        for (hundred, best) in frames.chunks(100).zip(&mut least) {
            let start = Instant::now();
            for frame in hundred {
                if memory == Memory::None {
                    cache.forget();
                }
                black_box(test.ask(a, b, frame, &mut cache));
            }
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    least.iter().sum()
}

/// Tests that no pair of boxes was looked at for, and tests that said yes.
fn counts(a: &Body, b: &Body, frames: &[Frame], test: Test) -> (usize, usize) {
    let (mut cache, mut remembered, mut near) = (MeshCache::default(), 0, 0);
    for frame in frames {
        let before = cache.stats();
        near += usize::from(test.ask(a, b, frame, &mut cache));
        remembered += usize::from(cache.stats() == before);
    }
    (remembered, near)
}
