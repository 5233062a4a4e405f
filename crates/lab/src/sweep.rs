//! First contact of translating bodies beside parry's `cast_shapes`, in one run.

use crate::contest::{Candidate, Contests, contest};
use crate::parry;
use crate::scenario::{KINDS, Placement, bodies, direction, rotation, touch};
use crate::table::Table;
use clearance::math::Random;
use clearance::spacetime::{ContactTime, Translation, contact_time, first_contact_of_polytopes};
use clearance::support::SupportMap;
use glam::DVec3;
use parry3d_f64::query::{DefaultQueryDispatcher, QueryDispatcher, ShapeCastOptions};
use std::hint::black_box;

/// Scenes of a row.
const SCENES: usize = 200;

pub fn run() -> Vec<Table> {
    convex()
}

/// Two bodies that move for one unit of time.
struct Scene {
    bodies: (usize, usize),
    a: Placement,
    b: Placement,
    velocity: DVec3,
}

/// Whether they are to meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// B comes from up to three sizes away through where A is.
    Hit,
    /// B passes beside A, at up to a size.
    Beside,
    /// B does not come far enough, by up to a size.
    Short,
}

impl Fate {
    const ALL: [Fate; 3] = [Fate::Hit, Fate::Beside, Fate::Short];

    fn name(self) -> &'static str {
        match self {
            Fate::Hit => "hit",
            Fate::Beside => "passes beside",
            Fate::Short => "stops before",
        }
    }
}

fn scene(shapes: &[SupportMap], fate: Fate, random: &mut Random) -> Scene {
    let count = shapes.len() as u64;
    let pick = (random.below(count) as usize, random.below(count) as usize);
    let (turn, along) = ([rotation(random), rotation(random)], direction(random));
    let touching = touch(shapes, pick, turn, along);
    let across = along.any_orthonormal_vector();
    let (from, to) = match fate {
        Fate::Hit => {
            let aside = across * (touching * random.range(0.0, 0.5));
            (along * (touching + random.range(0.2, 3.0)), aside - along * (0.5 * touching))
        }
        Fate::Beside => {
            let aside = across * (2.0 * touching + random.range(0.1, 1.0));
            (along * (touching + random.range(0.2, 3.0)) + aside, aside - along * (2.0 * touching))
        }
        Fate::Short => {
            (along * (touching + random.range(1.5, 3.0)), along * (touching + random.range(0.05, 1.0)))
        }
    };
    let a = Placement::new(turn[0], DVec3::ZERO);
    Scene { bodies: pick, a, b: Placement::new(turn[1], from), velocity: to - from }
}

fn convex() -> Vec<Table> {
    let title = "Nanoseconds a first contact of convex bodies (least of 7 turns of 200 scenes)";
    let mut contests = Contests::new(title, &["vertices", "fate"], &["hits"]);
    for (name, kind) in KINDS {
        for vertices in [20, 100, 500, 1000] {
            let shapes = bodies(kind, vertices, 8);
            for fate in Fate::ALL {
                let mut random = Random::new(u64::from(vertices) + fate as u64);
                let scenes: Vec<Scene> = (0..SCENES).map(|_| scene(&shapes, fate, &mut random)).collect();
                let outcome = row(&shapes, &scenes);
                contests.add(name, vec![vertices.to_string(), fate.name().into()], outcome.0, outcome.1);
            }
        }
    }
    contests.tables()
}

fn row(shapes: &[SupportMap], scenes: &[Scene]) -> (crate::contest::Outcome, Vec<String>) {
    let motions: Vec<Translation> = scenes
        .iter()
        .map(|s| Translation::new(DVec3::ZERO, s.velocity, 0.0, 1.0).expect("a motion"))
        .collect();
    let ours = |i: usize| {
        let (scene, motion) = (&scenes[i], &motions[i]);
        let (a, b) = (&shapes[scene.bodies.0], &shapes[scene.bodies.1]);
        contact_time(a, &scene.a.pose, b, &scene.b.pose, motion)
    };
    let answers: Vec<Option<f64>> = (0..scenes.len()).map(|i| time_of(ours(i))).collect();
    let theirs: Vec<_> = shapes.iter().map(parry::shape).collect();
    let options = ShapeCastOptions { max_time_of_impact: 1.0, ..ShapeCastOptions::default() };
    let relative: Vec<_> =
        scenes.iter().map(|s| (parry::relative(&s.a, &s.b), s.a.rotation.inverse() * s.velocity)).collect();
    let ask = |i: usize| {
        let (pose, velocity) = &relative[i];
        let (a, b) = (&theirs[scenes[i].bodies.0], &theirs[scenes[i].bodies.1]);
        let found = DefaultQueryDispatcher.cast_shapes(pose, *velocity, a, b, options);
        found.ok().flatten().map(|hit| hit.time_of_impact)
    };
    let is_right = |i: usize, found: Option<f64>| match (found, answers[i]) {
        (Some(theirs), Some(ours)) => (theirs - ours).abs() <= 1e-6,
        (theirs, ours) => theirs.is_none() && ours.is_none(),
    };
    let rivals = vec![Candidate::new("parry f64", scenes.len(), ask, is_right), {
        let exactly = |i: usize| {
            let (scene, motion) = (&scenes[i], &motions[i]);
            let (a, b) = (&shapes[scene.bodies.0], &shapes[scene.bodies.1]);
            first_contact_of_polytopes(a, &scene.a.pose, b, &scene.b.pose, motion).time().map(|t| t.rounded())
        };
        Candidate {
            counts: false,
            ..Candidate::new("exact time and contacts", scenes.len(), exactly, is_right)
        }
    }];
    let hits = answers.iter().flatten().count();
    let outcome = contest(
        7,
        scenes.len(),
        || (0..scenes.len()).for_each(|i| _ = black_box(ours(black_box(i)))),
        rivals,
    );
    (outcome, vec![hits.to_string()])
}

fn time_of(answer: ContactTime) -> Option<f64> {
    match answer {
        ContactTime::None => None,
        ContactTime::AtStart(_) => Some(0.0),
        ContactTime::Hit(impact) => Some(0.5 * (impact.lower + impact.upper)),
    }
}
