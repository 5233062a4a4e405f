//! Do two convex bodies meet, frame after frame: the tracker beside rivals with and without what they remember.

use crate::contest::{Candidate, Contests, Outcome, contest};
use crate::parry::{self, Shapes};
use crate::rivals::{Placed, Stage, Worlds};
use crate::scenario::{self, KINDS, Placement, Regime};
use crate::table::Table;
use clearance::glam::{DQuat, DVec3};
use clearance::math::Random;
use clearance::pair::{Relation, Tracker, TrackerMode, TrackerStats};
use clearance::support::SupportMap;
use std::hint::black_box;

const SIZES: [u32; 6] = [8, 20, 100, 500, 1000, 5000];
const PAIRS: usize = 12;
const FRAMES: usize = 60;
const ROUNDS: usize = 11;

/// Two bodies (by index) and where they are in each frame.
struct Run {
    bodies: (usize, usize),
    frames: Vec<(Placement, Placement)>,
}

pub fn run() -> Vec<Table> {
    let title = "Convex boolean, coherent: nanoseconds a frame (12 pairs, 60 frames, both bodies turning)";
    let mut contests = Contests::new(
        title,
        &["vertices", "regime", "degrees"],
        &["steps", "vertices visited", "remembered"],
    );
    for (name, kind) in KINDS {
        for vertices in SIZES {
            let bodies = scenario::bodies(kind, vertices, 8);
            let shapes = Shapes::new(&bodies);
            let worlds = Worlds::new(&bodies);
            for regime in Regime::ALL {
                for speed in SPEEDS {
                    let runs = runs(&bodies, regime, speed);
                    let stages = worlds.stages(&placed(&runs));
                    let (outcome, extras) = row(&bodies, &shapes, &runs, &stages);
                    let head = vec![vertices.to_string(), regime.name().into(), speed.degrees.to_string()];
                    contests.add(name, head, outcome, extras);
                }
            }
        }
    }
    contests.tables()
}

/// How fast bodies move: degrees a frame that each body turns by, and by how much of the radius B moves at most.
#[derive(Clone, Copy)]
struct Speed {
    degrees: f64,
    shift: f64,
}

const SPEEDS: [Speed; 3] = [
    Speed { degrees: 1.0, shift: 0.05 },
    Speed { degrees: 10.0, shift: 0.05 },
    Speed { degrees: 40.0, shift: 0.2 },
];

fn runs(bodies: &[SupportMap], regime: Regime, speed: Speed) -> Vec<Run> {
    let mut random = Random::new(speed.degrees.to_bits() ^ 5);
    (0..PAIRS)
        .map(|i| run_of((i % bodies.len(), (i + 3) % bodies.len()), bodies, regime, speed, &mut random))
        .collect()
}

/// Both bodies turn about axes of their own while B is kept at the distance of its regime along a line. Axes are drawn
/// anew where that would shift B too far in one frame, or part boxes that a broad phase would have to pass on.
fn run_of(
    pick: (usize, usize),
    bodies: &[SupportMap],
    regime: Regime,
    speed: Speed,
    random: &mut Random,
) -> Run {
    let (along, offset) = (scenario::direction(random), regime.offset(random));
    let place = |turn: [DQuat; 2]| {
        let at = scenario::touch(bodies, pick, turn, along) + offset;
        (Placement::new(turn[0], DVec3::ZERO), Placement::new(turn[1], along * at))
    };
    let fits = |(a, b): &(Placement, Placement)| {
        regime != Regime::Separated
            || scenario::boxes_meet(&bodies[pick.0], &a.pose, &bodies[pick.1], &b.pose)
    };
    let mut last = loop {
        let frame = place([(); 2].map(|()| scenario::rotation(random)));
        if fits(&frame) {
            break frame;
        }
    };
    let axes = |random: &mut Random| {
        [(); 2].map(|()| DQuat::from_axis_angle(scenario::direction(random), speed.degrees.to_radians()))
    };
    let mut spin = axes(random);
    let mut frames = Vec::with_capacity(FRAMES);
    while frames.len() < FRAMES {
        let turned = [(spin[0] * last.0.rotation).normalize(), (spin[1] * last.1.rotation).normalize()];
        let frame = place(turned);
        if fits(&frame) && frame.1.translation.distance(last.1.translation) <= speed.shift {
            frames.push(frame);
            last = frame;
        } else {
            spin = axes(random);
        }
    }
    Run { bodies: pick, frames }
}

/// All frames of all runs, one after the other.
fn placed(runs: &[Run]) -> Vec<Placed> {
    let frames = runs.iter().flat_map(|run| run.frames.iter().map(|frame| (run.bodies, frame)));
    frames.map(|(bodies, (a, b))| Placed { bodies, poses: [a.pose, b.pose] }).collect()
}

fn row(bodies: &[SupportMap], shapes: &Shapes, runs: &[Run], stages: &[Stage<'_>]) -> (Outcome, Vec<String>) {
    let mut truth = Vec::new();
    let did = track(bodies, runs, |meet| truth.push(meet));
    let wrong =
        |answers: Vec<Option<bool>>| answers.iter().zip(&truth).filter(|(a, t)| **a != Some(**t)).count();
    let all: Vec<parry::Run<'_>> = runs.iter().map(|run| (run.bodies, &run.frames[..])).collect();
    let mut rivals = shapes.runs(&all, &truth);
    for stage in stages.iter().filter(|stage| stage.meets(0).is_some()) {
        let ask = |i| stage.meets(i);
        rivals.push(Candidate::new(stage.name(), truth.len(), ask, |i, meet| meet == Some(truth[i])));
        if stage.memory().is_some() {
            let mut answers = Vec::new();
            remembering(stage, runs.len(), |meet| answers.push(meet));
            let pass = || remembering(stage, runs.len(), |meet| _ = black_box(meet));
            // libccd remembers nothing: there the vertices are remembered by our support function.
            let is_theirs = !stage.name().starts_with("libccd");
            let name = format!("{} {}", stage.name(), if is_theirs { "cached" } else { "with our memory" });
            rivals.push(Candidate { name, wrong: wrong(answers), pass: Box::new(pass), counts: is_theirs });
        }
    }
    let frames = runs.len() * FRAMES;
    let ours = || _ = track(bodies, runs, |meet| _ = black_box(meet));
    let outcome = contest(ROUNDS, frames, ours, rivals);
    let each = |count: u64| count as f64 / frames as f64;
    let counts = [format!("{:.2}", each(did.steps)), format!("{:.1}", each(did.vertices))];
    (outcome, counts.into_iter().chain([format!("{:.0} %", 100.0 * each(did.remembered))]).collect())
}

/// Every frame by a tracker for each run; what they did in all.
fn track(bodies: &[SupportMap], runs: &[Run], mut answer: impl FnMut(bool)) -> TrackerStats {
    let mut all = TrackerStats::default();
    for run in runs {
        let (a, b) = (&bodies[run.bodies.0], &bodies[run.bodies.1]);
        let mut tracker = Tracker::new(TrackerMode::SeparatingVector);
        for (at_a, at_b) in &run.frames {
            answer(tracker.relation(a, &at_a.pose, b, &at_b.pose) != Relation::Disjoint);
        }
        let did = tracker.stats();
        all.steps += did.steps;
        all.vertices += did.vertices;
        all.remembered += did.remembered;
    }
    all
}

/// Every frame by a rival with a memory for each run.
fn remembering(stage: &Stage<'_>, runs: usize, mut answer: impl FnMut(Option<bool>)) {
    for run in 0..runs {
        let Some(mut memory) = stage.memory() else { return };
        (0..FRAMES).for_each(|frame| answer(stage.meets_again(run * FRAMES + frame, &mut memory)));
    }
}
