//! The same trees over every kind of bound: which one answers fastest, from end to end?
//!
//! Meshes are taken as surfaces, as in the tables of rivals: whether one lies inside the other is the same question for
//! every kind. Trees of oriented boxes alone are coal's and FCL's, in the table of `lab mesh`.

use super::scene::{Bodies, Regime, Scene};
use crate::measure::{human, least_times, nanoseconds_each};
use crate::table::Table;
use clearance::math::Random;
use clearance::pair::Relation;
use clearance::shape::Mesh;
use clearance::tree::{
    Bound, BoxesAlone, Coherence, CutCorners, MeshPair, OrientedBoxes, Placed, Scratch, Slabs, Stats, Tree,
};
use clearance::triangle;
use std::hint::black_box;

const POSES: usize = 40;
const ROUNDS: usize = 15;
/// Means this near to each other are level: with the same code, two runs differed by 2.3 %.
const SAME: f64 = 1.03;
const KINDS: [&str; 4] = ["boxes and slabs", "14-hulls", "oriented boxes", "boxes alone"];

pub fn run() -> Vec<Table> {
    let mut table = Table::new(
        "Trees by what bounds their parts, microseconds a query, cold (least of 15 passes over 40 poses)",
        &[
            "bodies",
            "regime",
            "query",
            "boxes and slabs",
            "14-hulls",
            "oriented boxes",
            "boxes alone",
            "fastest",
            "node pairs, slabs / hulls / oriented / boxes",
            "triangle pairs",
            "unlike",
        ],
    );
    let mut sizes = Table::new("What they take", &["bodies", "bound", "bytes a triangle", "refit"]);
    let mut contest = Contest::default();
    for bodies in Bodies::all() {
        let kinds = Kinds {
            slabs: Kind::new(&bodies),
            hulls: Kind::new(&bodies),
            oriented: Kind::new(&bodies),
            boxes: Kind::new(&bodies),
        };
        sizes.row(kinds.slabs.size(&bodies, KINDS[0]));
        sizes.row(kinds.hulls.size(&bodies, KINDS[1]));
        sizes.row(kinds.oriented.size(&bodies, KINDS[2]));
        sizes.row(kinds.boxes.size(&bodies, KINDS[3]));
        for regime in Regime::ALL {
            let scenes = bodies.scenes(regime, POSES, &mut Random::new(7));
            for question in [Question::Boolean, Question::Within, Question::Distance] {
                let measured = compared(&bodies, &scenes, question, &kinds);
                contest.add(measured.times);
                table.row(measured.row(&bodies, regime, question));
            }
        }
    }
    vec![table, sizes, contest.table()]
}

/// Both bodies with every kind of bound.
struct Kinds {
    slabs: Kind<Slabs>,
    hulls: Kind<CutCorners>,
    oriented: Kind<OrientedBoxes>,
    boxes: Kind<BoxesAlone>,
}

/// Both bodies with one kind of bound.
struct Kind<B> {
    a: Tree<B>,
    b: Tree<B>,
}

impl<B: Bound> Kind<B> {
    fn new(bodies: &Bodies) -> Kind<B> {
        let [a, b] = [&bodies.a, &bodies.b]
            .map(|body| body.mesh.tree().with_bound(body.mesh.mesh()).expect("the same mesh"));
        Kind { a, b }
    }

    fn ask(&self, bodies: &Bodies, scene: &Scene, question: Question, scratch: &mut Scratch) -> f64 {
        let (mesh_a, mesh_b) = (bodies.a.mesh.mesh(), bodies.b.mesh.mesh());
        let (pose_a, pose_b) = (&scene.a.pose, &scene.b.pose);
        let corners = |mesh: &Mesh, triangle: u32| mesh.triangle(triangle as usize);
        let meet = |x: u32, y: u32| {
            triangle::relation(corners(mesh_a, x), pose_a, corners(mesh_b, y), pose_b) != Relation::Disjoint
        };
        let near = |x: u32, y: u32| {
            triangle::within(corners(mesh_a, x), pose_a, corners(mesh_b, y), pose_b, bodies.tolerance())
        };
        let pair = MeshPair::new(
            Placed { mesh: mesh_a, tree: &self.a, pose: pose_a },
            Placed { mesh: mesh_b, tree: &self.b, pose: pose_b },
        );
        let mut memory = Coherence::default();
        let as_number = |answer: bool| f64::from(u8::from(answer));
        match question {
            Question::Boolean => as_number(pair.meeting(&mut memory, scratch, meet).is_some()),
            Question::Within => {
                as_number(pair.within(bodies.tolerance(), &mut memory, scratch, near).is_some())
            }
            Question::Distance => pair.distance(&mut memory, scratch, meet).gap.upper,
        }
    }

    fn size(&self, bodies: &Bodies, bound: &str) -> Vec<String> {
        let (mesh, mut refitted) = (bodies.a.mesh.mesh(), self.a.clone());
        let [refit] = least_times(5, [&mut || refitted.refit(mesh).expect("the same mesh")]);
        let each = (self.a.bytes() + self.b.bytes()) as f64
            / (self.a.triangle_count() + self.b.triangle_count()) as f64;
        vec![bodies.name.clone(), bound.into(), format!("{each:.1}"), human(refit)]
    }
}

#[derive(Clone, Copy)]
enum Question {
    Boolean,
    Within,
    Distance,
}

impl Question {
    fn name(self) -> &'static str {
        match self {
            Question::Boolean => "boolean",
            Question::Within => "within .05",
            Question::Distance => "distance",
        }
    }
}

struct Measured {
    times: [f64; 4],
    stats: [Stats; 4],
    unlike: usize,
}

fn compared(bodies: &Bodies, scenes: &[Scene], question: Question, kinds: &Kinds) -> Measured {
    let Kinds { slabs, hulls, oriented, boxes } = kinds;
    let [mut w, mut x, mut y, mut z] = [(); 4].map(|()| Scratch::default());
    let mut unlike = 0;
    for scene in scenes {
        let first = slabs.ask(bodies, scene, question, &mut w);
        let others = [
            hulls.ask(bodies, scene, question, &mut x),
            oriented.ask(bodies, scene, question, &mut y),
            boxes.ask(bodies, scene, question, &mut z),
        ];
        unlike += others.iter().filter(|other| (*other - first).abs() > 1e-12 * first).count();
    }
    let stats = [w.stats, x.stats, y.stats, z.stats];
    let times = least_times(
        ROUNDS,
        [
            &mut || scenes.iter().for_each(|s| _ = black_box(slabs.ask(bodies, s, question, &mut w))),
            &mut || scenes.iter().for_each(|s| _ = black_box(hulls.ask(bodies, s, question, &mut x))),
            &mut || scenes.iter().for_each(|s| _ = black_box(oriented.ask(bodies, s, question, &mut y))),
            &mut || scenes.iter().for_each(|s| _ = black_box(boxes.ask(bodies, s, question, &mut z))),
        ],
    );
    Measured { times: times.map(|time| 1e-3 * nanoseconds_each(time, scenes.len())), stats, unlike }
}

fn fastest(times: [f64; 4]) -> usize {
    (0..4).fold(0, |best, kind| if times[kind] < times[best] { kind } else { best })
}

impl Measured {
    fn row(&self, bodies: &Bodies, regime: Regime, question: Question) -> Vec<String> {
        let counts = |of: &dyn Fn(&Stats) -> u64| {
            let mean = |stats: &Stats| format!("{:.0}", of(stats) as f64 / POSES as f64);
            self.stats.iter().map(mean).collect::<Vec<_>>().join(" / ")
        };
        let head = [bodies.name.clone(), regime.name(), question.name().into()];
        let times = self.times.map(|time| format!("{time:.2}"));
        let tail = [
            KINDS[fastest(self.times)].into(),
            counts(&|stats| stats.node_pairs),
            counts(&|stats| stats.triangle_pairs),
            self.unlike.to_string(),
        ];
        head.into_iter().chain(times).chain(tail).collect()
    }
}

/// Who wins how often, and by how much.
#[derive(Default)]
struct Contest {
    wins: [usize; 4],
    logs: [f64; 4],
    rows: usize,
}

impl Contest {
    fn add(&mut self, times: [f64; 4]) {
        self.wins[fastest(times)] += 1;
        self.logs.iter_mut().zip(times).for_each(|(sum, time)| *sum += (time / times[0]).ln());
        self.rows += 1;
    }

    fn table(&self) -> Table {
        let means = self.logs.map(|sum| (sum / self.rows as f64).exp());
        let best = means[fastest(means)];
        let winners: Vec<&str> =
            (0..4).filter(|kind| means[*kind] <= best * SAME).map(|kind| KINDS[kind]).collect();
        let title = format!("Fastest from end to end: {}", winners.join(", level with "));
        let mut table = Table::new(
            &title,
            &["bound", "fastest in", "time over that of boxes and slabs (geometric mean)"],
        );
        for kind in 0..4 {
            table.row([
                KINDS[kind].into(),
                format!("{} of {} rows", self.wins[kind], self.rows),
                format!("{:.2}", means[kind]),
            ]);
        }
        table
    }
}
