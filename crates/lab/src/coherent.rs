//! Do two convex bodies meet, frame after frame: the tracker beside parry with and without its warm start.

use crate::boolean::{parry_pose, parry_shape};
use crate::measure::{least_times, nanoseconds_each};
use crate::scenario::{self, KINDS, Placement, Regime};
use crate::table::Table;
use clearance::glam::DQuat;
use clearance::math::Random;
use clearance::pair::{Relation, Tracker, TrackerMode};
use clearance::support::SupportMap;
use parry3d_f64::math::{Pose3, Vec3};
use parry3d_f64::query::details::intersection_test_support_map_support_map_with_params;
use parry3d_f64::query::gjk::VoronoiSimplex;
use parry3d_f64::shape::ConvexPolyhedron;
use std::hint::black_box;

const SIZES: [u32; 5] = [20, 100, 500, 1000, 5000];
const PAIRS: usize = 12;
const FRAMES: usize = 60;
const ROUNDS: usize = 11;

/// Two bodies (by index) and where they are in each frame.
struct Run {
    bodies: (usize, usize),
    frames: Vec<(Placement, Placement)>,
}

pub fn run() -> Vec<Table> {
    let mut table = Table::new(
        "Convex boolean, coherent: nanoseconds a frame (12 pairs, 60 frames, both bodies turning)",
        &[
            "shape",
            "vertices",
            "regime",
            "degrees",
            "tracker",
            "parry",
            "parry cached",
            "best parry / tracker",
            "steps",
            "remembered",
        ],
    );
    for (name, kind) in KINDS {
        for vertices in SIZES {
            let bodies = scenario::bodies(kind, vertices, 8);
            let rivals: Vec<ConvexPolyhedron> = bodies.iter().map(parry_shape).collect();
            for regime in Regime::ALL {
                for degrees in [1.0, 10.0, 40.0] {
                    let runs = runs(&bodies, regime, degrees);
                    let head = [name.into(), vertices.to_string(), regime.name().into(), degrees.to_string()];
                    table.row(head.into_iter().chain(row(&bodies, &rivals, &runs)));
                }
            }
        }
    }
    vec![table]
}

/// Both bodies turn about axes of their own; B is kept at the distance of its regime along a line.
fn runs(bodies: &[SupportMap], regime: Regime, degrees: f64) -> Vec<Run> {
    let mut random = Random::new(degrees.to_bits() ^ 5);
    (0..PAIRS)
        .map(|i| {
            let pick = (i % bodies.len(), (i + 3) % bodies.len());
            let spin = [(); 2]
                .map(|()| DQuat::from_axis_angle(scenario::direction(&mut random), degrees.to_radians()));
            let mut turn = [(); 2].map(|()| scenario::rotation(&mut random));
            let (along, offset) = (scenario::direction(&mut random), regime.offset(&mut random));
            let frames = (0..FRAMES).map(|_| {
                turn = [(spin[0] * turn[0]).normalize(), (spin[1] * turn[1]).normalize()];
                let touch = scenario::touch(bodies, pick, turn, along);
                let place = |rotation, at| Placement::new(rotation, along * at);
                (place(turn[0], 0.0), place(turn[1], touch + offset))
            });
            Run { bodies: pick, frames: frames.collect() }
        })
        .collect()
}

fn row(bodies: &[SupportMap], rivals: &[ConvexPolyhedron], runs: &[Run]) -> [String; 6] {
    let (mut steps, mut remembered) = (0, 0);
    let track = |steps: &mut u64, remembered: &mut u64| {
        for run in runs {
            let (a, b) = (&bodies[run.bodies.0], &bodies[run.bodies.1]);
            let mut tracker = Tracker::new(TrackerMode::SeparatingVector);
            for (at_a, at_b) in &run.frames {
                black_box(tracker.relation(a, &at_a.pose, b, &at_b.pose) == Relation::Disjoint);
            }
            *steps += tracker.stats().steps;
            *remembered += tracker.stats().remembered;
        }
    };
    track(&mut steps, &mut remembered);
    let relative: Vec<Vec<Pose3>> = runs
        .iter()
        .map(|r| r.frames.iter().map(|(a, b)| parry_pose(a).inv_mul(&parry_pose(b))).collect())
        .collect();
    let rival = |keep: fn(Vec3) -> Option<Vec3>| {
        for (run, poses) in runs.iter().zip(&relative) {
            let (a, b) = (&rivals[run.bodies.0], &rivals[run.bodies.1]);
            let (mut simplex, mut start) = (VoronoiSimplex::new(), None);
            for pose in poses {
                let (hit, direction) =
                    intersection_test_support_map_support_map_with_params(pose, a, b, &mut simplex, start);
                start = keep(direction);
                black_box(hit);
            }
        }
    };
    let (mut ignored, mut also) = (0, 0);
    let times = least_times(
        ROUNDS,
        [&mut || track(&mut ignored, &mut also), &mut || rival(|_| None), &mut || rival(Some)],
    );
    let frames = PAIRS * FRAMES;
    let [ours, cold, cached] = times.map(|t| nanoseconds_each(t, frames));
    [
        format!("{ours:.0}"),
        format!("{cold:.0}"),
        format!("{cached:.0}"),
        format!("{:.1}", cold.min(cached) / ours),
        format!("{:.2}", steps as f64 / frames as f64),
        format!("{:.0} %", 100.0 * remembered as f64 / frames as f64),
    ]
}
