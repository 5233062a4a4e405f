//! Meshes of 20 000 triangles: do they meet, are they near, how far apart, all contacts; beside parry3d-f64.
//!
//! The column "published" holds the best of coal 3.0.3 and FCL 0.7 on a torus and a bumpy sphere of these sizes and gaps,
//! measured on another day; only parry runs here, in the same minute.

use crate::measure::{human, least_times, nanoseconds_each};
use crate::scenario::{Placement, direction, rotation};
use crate::table::Table;
use clearance::math::Random;
use clearance::shape::{Mesh, MeshConfig, TriangleSoup, sample};
use clearance::tree::{Coherence, MeshPair, Placed, Scratch, Stats, Tree};
use glam::{DQuat, DVec3};
use parry3d_f64::math::Pose3;
use parry3d_f64::query;
use parry3d_f64::shape::TriMesh;
use std::cell::Cell;
use std::hint::black_box;
use std::time::Instant;

/// Independent poses in a regime.
const POSES: usize = 40;
const ROUNDS: usize = 25;
const TOLERANCE: f64 = 0.05;

/// Microseconds of the best of coal and FCL: boolean, tolerance, distance, all pairs.
const PUBLISHED: [(Regime, [f64; 4]); 3] = [
    (Regime::Gap(0.15), [5.3, 12.0, 687.0, f64::NAN]),
    (Regime::Gap(0.002), [117.0, 85.0, 627.0, f64::NAN]),
    (Regime::Overlap, [24.6, 57.0, 398.0, 741.0]),
];

pub fn run() -> Vec<Table> {
    let bodies = torus_and_ball(128, 80, 32);
    let mut queries = Table::new(
        "Meshes of 20 480 triangles each, microseconds a query (least of 25 rounds over 40 poses)",
        &[
            "regime",
            "query",
            "clearance",
            "parry f64",
            "parry / clearance",
            "published",
            "published / clearance",
            "box pairs",
            "triangle pairs",
            "triangles in f64",
            "left open",
            "answers unlike parry",
        ],
    );
    for (regime, published) in PUBLISHED {
        regime_rows(&bodies, regime, published, &mut queries);
    }
    vec![queries, coherent(&bodies), build(), growth()]
}

/// A mesh with its tree and parry's.
struct Body {
    soup: TriangleSoup,
    mesh: Mesh,
    tree: Tree,
    parry: TriMesh,
}

impl Body {
    fn new(soup: TriangleSoup) -> Body {
        let mesh = Mesh::build(&soup, &MeshConfig::default()).expect("a sample is a mesh");
        let (tree, parry) = (Tree::build(&mesh), parry_mesh(&soup));
        Body { soup, mesh, tree, parry }
    }

    fn at<'a>(&'a self, placement: &'a Placement) -> Placed<'a> {
        Placed { mesh: &self.mesh, tree: &self.tree, pose: &placement.pose }
    }
}

fn parry_mesh(soup: &TriangleSoup) -> TriMesh {
    TriMesh::new(soup.positions.clone(), soup.triangles.clone()).expect("parry takes the sample")
}

fn torus_and_ball(around: u32, across: u32, frequency: u32) -> [Body; 2] {
    let torus = sample::torus(1.0, 0.4, around, across).expect("a sample");
    [torus, sample::bumpy_sphere(1.0, 0.3, 4, frequency).expect("a sample")].map(Body::new)
}

/// How the bodies lie to each other.
#[derive(Clone, Copy, Debug)]
enum Regime {
    /// This far apart.
    Gap(f64),
    /// Between 0.05 and 0.3 past the first touch.
    Overlap,
}

impl Regime {
    fn name(self) -> String {
        match self {
            Regime::Gap(gap) => format!("gap {gap}"),
            Regime::Overlap => "overlap".into(),
        }
    }
}

struct Scene {
    a: Placement,
    b: Placement,
}

impl Scene {
    fn pair<'a>(&'a self, [a, b]: &'a [Body; 2]) -> MeshPair<'a> {
        MeshPair::new(a.at(&self.a), b.at(&self.b))
    }

    fn parry(&self) -> (Pose3, Pose3) {
        let pose = |placement: &Placement| Pose3::from_parts(placement.translation, placement.rotation);
        (pose(&self.a), pose(&self.b))
    }
}

/// Random turns; B comes along a random line until it is as near as the regime wants.
fn scene(bodies: &[Body; 2], regime: Regime, random: &mut Random, scratch: &mut Scratch) -> Scene {
    let (turn_a, turn_b, along) = (rotation(random), rotation(random), direction(random));
    let at = |t: f64| Scene { a: Placement::new(turn_a, DVec3::ZERO), b: Placement::new(turn_b, along * t) };
    let (mut near, mut far) = (0.0, 6.0);
    for _ in 0..40 {
        let middle = 0.5 * (near + far);
        let found =
            at(middle).pair(bodies).distance(&mut Coherence::default(), scratch, |_, _| true).gap.lower;
        let wanted = if let Regime::Gap(gap) = regime { gap } else { 0.0 };
        if found > wanted { far = middle } else { near = middle }
    }
    match regime {
        Regime::Gap(_) => at(far),
        Regime::Overlap => at(far - random.range(0.05, 0.3)),
    }
}

/// The queries of the table; each gives a number that parry's answer can be compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Query {
    Boolean,
    Tolerance,
    Distance,
    AllPairs,
}

impl Query {
    const ALL: [Query; 4] = [Query::Boolean, Query::Tolerance, Query::Distance, Query::AllPairs];

    fn name(self) -> &'static str {
        match self {
            Query::Boolean => "boolean",
            Query::Tolerance => "within .05",
            Query::Distance => "distance",
            Query::AllPairs => "all contacts",
        }
    }

    fn ours(
        self,
        pair: &MeshPair<'_>,
        cache: &mut Coherence,
        scratch: &mut Scratch,
        open: &Cell<u64>,
    ) -> f64 {
        // Touching within rounding is left to exact arithmetic; random poses hardly ever get there.
        let settle = |_: u32, _: u32| {
            open.set(open.get() + 1);
            true
        };
        match self {
            Query::Boolean => pair.meeting(cache, scratch, settle).map_or(0.0, |_| 1.0),
            Query::Tolerance => pair.within(TOLERANCE, cache, scratch, settle).map_or(0.0, |_| 1.0),
            Query::Distance => pair.distance(cache, scratch, settle).gap.upper,
            Query::AllPairs => {
                let mut count = 0.0;
                pair.contacts(scratch, settle, |_, _| count += 1.0);
                count
            }
        }
    }

    fn parry(self, [a, b]: &[Body; 2], scene: &Scene) -> Option<f64> {
        let (pose_a, pose_b) = scene.parry();
        let (a, b) = (&a.parry, &b.parry);
        let as_number = |answer: bool| f64::from(u8::from(answer));
        match self {
            Query::Boolean => query::intersection_test(&pose_a, a, &pose_b, b)
                .ok()
                .map(|found| as_number(found.intersecting)),
            Query::Tolerance => {
                let found = query::closest_points(&pose_a, a, &pose_b, b, TOLERANCE).ok();
                found.map(|points| as_number(points != query::ClosestPoints::Disjoint))
            }
            Query::Distance => query::distance(&pose_a, a, &pose_b, b).ok().map(|found| found.distance),
            Query::AllPairs => None,
        }
    }

    /// How many scenes parry is asked about: a distance takes it a fifth of a second.
    fn parry_scenes(self) -> usize {
        match self {
            Query::Boolean | Query::Tolerance => POSES,
            Query::Distance => 3,
            Query::AllPairs => 0,
        }
    }
}

fn regime_rows(bodies: &[Body; 2], regime: Regime, published: [f64; 4], table: &mut Table) {
    let (mut random, mut scratch) = (Random::new(7), Scratch::default());
    let scenes: Vec<Scene> = (0..POSES).map(|_| scene(bodies, regime, &mut random, &mut scratch)).collect();
    for (query, published) in Query::ALL.into_iter().zip(published) {
        let open = Cell::new(0);
        scratch.stats = Stats::default();
        let mut ask =
            |scene: &Scene| query.ours(&scene.pair(bodies), &mut Coherence::default(), &mut scratch, &open);
        let answers: Vec<f64> = scenes.iter().map(&mut ask).collect();
        let [time] = least_times(
            ROUNDS,
            [&mut || {
                for scene in &scenes {
                    black_box(ask(black_box(scene)));
                }
            }],
        );
        let ours = 1e-3 * nanoseconds_each(time, scenes.len());
        let (theirs, unlike) = parry_cells(query, bodies, &scenes, &answers);
        let stats = scratch.stats;
        let mean = |count: u64| format!("{:.0}", count as f64 / (POSES * (ROUNDS + 1)) as f64);
        let number = |x: f64| if x.is_nan() { "-".into() } else { format!("{x:.1}") };
        table.row([
            regime.name(),
            query.name().into(),
            format!("{ours:.2}"),
            number(theirs),
            number(theirs / ours),
            number(published),
            number(published / ours),
            mean(stats.node_pairs),
            mean(stats.triangle_pairs),
            mean(stats.visits),
            (open.get() / (ROUNDS as u64 + 1)).to_string(),
            unlike,
        ]);
    }
}

/// Parry's time in microseconds and how many of its answers differ: by more than 1e-6 for a distance.
fn parry_cells(query: Query, bodies: &[Body; 2], scenes: &[Scene], answers: &[f64]) -> (f64, String) {
    let asked = &scenes[..query.parry_scenes()];
    if asked.is_empty() {
        return (f64::NAN, "-".into());
    }
    let start = Instant::now();
    let theirs: Vec<Option<f64>> = asked.iter().map(|scene| query.parry(bodies, scene)).collect();
    let time = 1e-3 * nanoseconds_each(start.elapsed(), asked.len());
    let unlike = theirs.iter().zip(answers).filter(|(t, o)| t.is_none_or(|t| (t - **o).abs() > 1e-6)).count();
    (time, format!("{unlike} of {}", asked.len()))
}

/// The same pair in frames of a small motion: what is remembered, beside nothing.
fn coherent(bodies: &[Body; 2]) -> Table {
    let mut table = Table::new(
        "Frames of up to 0.5 degrees and 0.002, 40 times 25 of them, microseconds a query (least of 9 rounds)",
        &["regime", "query", "cold", "coherent", "cold / coherent"],
    );
    for (regime, _) in PUBLISHED {
        let (mut random, mut scratch) = (Random::new(11), Scratch::default());
        let mut start = || scene(bodies, regime, &mut random, &mut scratch);
        let starts: Vec<Scene> = (0..POSES).map(|_| start()).collect();
        let paths: Vec<Vec<Scene>> = starts.iter().map(|start| path(start, &mut random)).collect();
        for query in [Query::Boolean, Query::Tolerance, Query::Distance] {
            let [cold, warm] = least_times(
                9,
                [&mut || follow(bodies, &paths, query, |_| Coherence::default()), &mut || {
                    follow(bodies, &paths, query, |cache| cache)
                }],
            );
            let each = |time| 1e-3 * nanoseconds_each(time, paths.iter().map(Vec::len).sum());
            table.row([
                regime.name(),
                query.name().into(),
                format!("{:.2}", each(cold)),
                format!("{:.2}", each(warm)),
                format!("{:.1}", each(cold) / each(warm)),
            ]);
        }
    }
    table
}

/// Asks in every frame; `keep` says what is remembered of the frame before.
fn follow(bodies: &[Body; 2], paths: &[Vec<Scene>], query: Query, keep: impl Fn(Coherence) -> Coherence) {
    let (mut scratch, open) = (Scratch::default(), Cell::new(0));
    for path in paths {
        let mut cache = Coherence::default();
        for frame in path {
            cache = keep(cache);
            black_box(query.ours(&frame.pair(bodies), &mut cache, &mut scratch, &open));
        }
    }
}

/// B turns and moves a little in each frame, back and forth so that the regime is kept.
fn path(start: &Scene, random: &mut Random) -> Vec<Scene> {
    let (axis, along) = (direction(random), direction(random));
    let frame = |k: usize| {
        let phase = (k as f64 * 0.5).sin();
        let turn = DQuat::from_axis_angle(axis, 0.5f64.to_radians() * 2.0 * phase) * start.b.rotation;
        let a = Placement::new(start.a.rotation, start.a.translation);
        Scene { a, b: Placement::new(turn, start.b.translation + along * (0.002 * 2.0 * phase)) }
    };
    (0..25).map(frame).collect()
}

/// From triangles to something that answers.
fn build() -> Table {
    let mut table = Table::new(
        "Building trees (all threads), beside parry's TriMesh",
        &[
            "mesh",
            "triangles",
            "Tree::build",
            "from bytes",
            "refit",
            "TriMesh::new",
            "parry / build",
            "bytes each",
            "stored bytes each",
        ],
    );
    let bodies = torus_and_ball(128, 80, 32).into_iter().chain(torus_and_ball(512, 320, 128));
    for (name, mut body) in ["torus", "ball", "torus", "ball"].into_iter().zip(bodies) {
        let count = body.mesh.triangles().len();
        let bytes = body.tree.to_bytes();
        let rounds = if count < 100_000 { 15 } else { 5 };
        let mut refitted = body.tree.clone();
        let [build, load, refit, parry] = least_times(
            rounds,
            [
                &mut || drop(black_box(Tree::build(&body.mesh))),
                &mut || drop(black_box(Tree::from_bytes(&bytes, &body.mesh).expect("just stored"))),
                &mut || refitted.refit(&body.mesh).expect("the same mesh"),
                &mut || drop(black_box(parry_mesh(&body.soup))),
            ],
        );
        body.tree = refitted;
        table.row([
            name.into(),
            count.to_string(),
            human(build),
            human(load),
            human(refit),
            human(parry),
            format!("{:.1}", parry.as_secs_f64() / build.as_secs_f64()),
            format!("{:.1}", body.tree.bytes() as f64 / count as f64),
            format!("{:.1}", bytes.len() as f64 / count as f64),
        ]);
    }
    table
}

/// Counts, not times: how work grows with the number of triangles at a fixed separation.
fn growth() -> Table {
    let mut table = Table::new(
        "Box pairs and triangle pairs a query against the number of triangles, 40 poses at a gap of 0.15",
        &[
            "triangles",
            "boolean: box pairs",
            "slope",
            "distance: box pairs",
            "slope",
            "triangle pairs",
            "in f64",
        ],
    );
    let mut before: Option<[f64; 3]> = None;
    for frequency in [7, 14, 28, 56, 112, 224] {
        let bodies = torus_and_ball(4 * frequency, 5 * frequency / 2, frequency);
        let (mut random, mut scratch) = (Random::new(7), Scratch::default());
        let scenes: Vec<Scene> =
            (0..POSES).map(|_| scene(&bodies, Regime::Gap(0.15), &mut random, &mut scratch)).collect();
        let mut counts = |query: Query| {
            scratch.stats = Stats::default();
            for scene in &scenes {
                query.ours(&scene.pair(&bodies), &mut Coherence::default(), &mut scratch, &Cell::new(0));
            }
            scratch.stats
        };
        let (boolean, distance) = (counts(Query::Boolean), counts(Query::Distance));
        let mean = |count: u64| count as f64 / POSES as f64;
        let triangles = bodies[1].mesh.triangles().len() as f64;
        let now = [triangles, mean(boolean.node_pairs), mean(distance.node_pairs)];
        let slope = |which: usize| match before {
            None => "-".into(),
            Some(before) => format!("{:.2}", (now[which] / before[which]).ln() / (now[0] / before[0]).ln()),
        };
        table.row([
            format!("{triangles}"),
            format!("{:.0}", now[1]),
            slope(1),
            format!("{:.0}", now[2]),
            slope(2),
            format!("{:.0}", mean(distance.triangle_pairs)),
            format!("{:.0}", mean(distance.visits)),
        ]);
        before = Some(now);
    }
    table
}
