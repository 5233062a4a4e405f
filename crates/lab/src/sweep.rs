//! First contact of translating bodies beside parry's `cast_shapes`, in one run.

use crate::contest::{Candidate, Contests, contest};
use crate::measure::{least, nanoseconds_each};
use crate::mesh::Bodies;
use crate::parry;
use crate::scenario::{KINDS, Placement, bodies, direction, rotation, touch};
use crate::table::Table;
use clearance::math::Random;
use clearance::mesh::MeshCache;
use clearance::pair::Relation;
use clearance::spacetime::{
    ContactTime, Translation, contact_time, contact_time_of_meshes, first_contact_of_meshes,
    first_contact_of_polytopes,
};
use clearance::support::SupportMap;
use glam::DVec3;
use parry3d_f64::query::{DefaultQueryDispatcher, QueryDispatcher, ShapeCastOptions};
use std::hint::black_box;
use std::time::Duration;

/// Scenes of a row.
const SCENES: usize = 200;

pub fn run() -> Vec<Table> {
    let mut tables = convex();
    tables.push(meshes());
    tables.push(growth());
    tables
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
            let found = first_contact_of_polytopes(a, &scene.a.pose, b, &scene.b.pose, motion);
            match found.at_start() {
                Relation::Disjoint => found.time().map(|t| t.rounded()),
                _ => Some(0.0),
            }
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

/// Motions of a row of meshes; parry answers fewer, because it takes long.
const MOTIONS: usize = 40;
const PARRY_MOTIONS: usize = 4;

fn meshes() -> Table {
    let columns = [
        "bodies",
        "fate",
        "clearance",
        "exact",
        "parry f64",
        "parry / clearance",
        "box pairs",
        "triangle pairs",
        "triangles in f64",
        "hits",
        "parry differs",
    ];
    let title = format!(
        "Microseconds a first contact of meshes: least of 5 passes over {MOTIONS} motions, parry one over {PARRY_MOTIONS}"
    );
    let mut table = Table::new(&title, &columns);
    for [around, across, frequency] in [[32, 16, 7], [64, 40, 16], [128, 80, 32]] {
        let bodies = Bodies::torus_and_ball(around, across, frequency);
        for fate in Fate::ALL {
            table.row(mesh_row(&bodies, fate));
        }
    }
    table
}

/// How the work of a first contact grows with the triangles of both meshes: counts, so that load does not matter.
fn growth() -> Table {
    let columns =
        ["triangles", "fate", "box pairs", "triangle pairs", "triangles in f64", "work", "exponent"];
    let mut table =
        Table::new("Growth of the work of a first contact of meshes, means of 40 motions", &columns);
    let sizes = [[32, 16, 7], [64, 40, 16], [128, 80, 32], [256, 160, 64], [512, 320, 128]];
    let bodies = sizes.map(|[around, across, frequency]| Bodies::torus_and_ball(around, across, frequency));
    for fate in Fate::ALL {
        let mut before: Option<(f64, f64)> = None;
        for bodies in &bodies {
            let (a, b) = (&bodies.a.mesh, &bodies.b.mesh);
            let mut random = Random::new(11 + fate as u64);
            let mut cache = MeshCache::default();
            for _ in 0..MOTIONS {
                let s = mesh_scene(fate, &mut random);
                let motion = Translation::new(DVec3::ZERO, s.velocity, 0.0, 1.0).expect("a motion");
                black_box(contact_time_of_meshes(a, &s.a.pose, b, &s.b.pose, &motion, &mut cache));
            }
            let stats = cache.stats();
            let counts = [stats.node_pairs, stats.triangle_pairs, stats.visits];
            let means = counts.map(|count| count as f64 / MOTIONS as f64);
            let triangles = a.mesh().triangles().len() + b.mesh().triangles().len();
            let (size, work) = (triangles as f64, means.iter().sum::<f64>());
            let exponent =
                before.map_or("".into(), |(s, w)| format!("{:.2}", (work / w).ln() / (size / s).ln()));
            before = Some((size, work));
            let mut row = vec![triangles.to_string(), fate.name().into()];
            row.extend(means.map(|mean| format!("{mean:.0}")));
            row.extend([format!("{work:.0}"), exponent]);
            table.row(row);
        }
    }
    table
}

/// Where bodies of about size one begin, and how they move.
fn mesh_scene(fate: Fate, random: &mut Random) -> Scene {
    let along = direction(random);
    let across = along.any_orthonormal_vector();
    let (from, to) = match fate {
        Fate::Hit => (along * random.range(3.0, 5.0) + across * random.range(0.0, 1.0), -along),
        Fate::Beside => {
            (along * 4.0 + across * random.range(3.0, 4.0), -along * 4.0 + across * random.range(3.0, 4.0))
        }
        Fate::Short => (along * 5.0, along * random.range(2.9, 3.2)),
    };
    let (a, b) = (Placement::new(rotation(random), DVec3::ZERO), Placement::new(rotation(random), from));
    Scene { bodies: (0, 1), a, b, velocity: to - from }
}

fn mesh_row(bodies: &Bodies, fate: Fate) -> Vec<String> {
    let mut random = Random::new(11 + fate as u64);
    let scenes: Vec<Scene> = (0..MOTIONS).map(|_| mesh_scene(fate, &mut random)).collect();
    let motion = |s: &Scene| Translation::new(DVec3::ZERO, s.velocity, 0.0, 1.0).expect("a motion");
    let motions: Vec<Translation> = scenes.iter().map(motion).collect();
    let (a, b) = (&bodies.a.mesh, &bodies.b.mesh);
    let mut cache = MeshCache::default();
    let mut pass = || -> Vec<Option<f64>> {
        let pairs = scenes.iter().zip(&motions);
        pairs
            .map(|(s, m)| time_of(contact_time_of_meshes(a, &s.a.pose, b, &s.b.pose, m, &mut cache)))
            .collect()
    };
    let (ours, answers) = least(5, &mut pass);
    let stats = cache.stats();
    let mut cache = MeshCache::default();
    let mut exact = || {
        let pairs = scenes.iter().zip(&motions);
        pairs.for_each(|(s, m)| {
            _ = black_box(first_contact_of_meshes(a, &s.a.pose, b, &s.b.pose, m, &mut cache))
        });
    };
    let (exactly, ()) = least(2, &mut exact);
    let options = ShapeCastOptions { max_time_of_impact: 1.0, ..ShapeCastOptions::default() };
    let ask = |s: &Scene| {
        let (pose, velocity) = (parry::relative(&s.a, &s.b), s.a.rotation.inverse() * s.velocity);
        let found =
            DefaultQueryDispatcher.cast_shapes(&pose, velocity, &bodies.a.parry, &bodies.b.parry, options);
        found.ok().flatten().map(|hit| hit.time_of_impact)
    };
    let (parry, theirs) = least(1, &mut || scenes[..PARRY_MOTIONS].iter().map(ask).collect::<Vec<_>>());
    let differs = |(x, y): (&Option<f64>, &Option<f64>)| match (x, y) {
        (Some(x), Some(y)) => (x - y).abs() > 1e-5,
        (x, y) => x.is_some() != y.is_some(),
    };
    let wrong = theirs.iter().zip(&answers).filter(|pair| differs(*pair)).count();
    let each = |time: Duration, count: usize| 1e-3 * nanoseconds_each(time, count);
    let (ours, parry) = (each(ours, MOTIONS), each(parry, PARRY_MOTIONS));
    let mean = |count: u64| format!("{:.0}", count as f64 / (5 * MOTIONS) as f64);
    let counts = [stats.node_pairs, stats.triangle_pairs, stats.visits].map(mean);
    let head = [
        bodies.name.clone(),
        fate.name().into(),
        format!("{ours:.2}"),
        format!("{:.1}", each(exactly, MOTIONS)),
    ];
    let tail = [answers.iter().flatten().count().to_string(), format!("{wrong} of {PARRY_MOTIONS}")];
    let middle = [format!("{parry:.1}"), format!("{:.1}", parry / ours)];
    head.into_iter().chain(middle).chain(counts).chain(tail).collect()
}
