//! The virtual environment of [Chung96 §6.2]: what a frame costs by separating vectors, Gilbert's algorithm, both
//! combined, and a walk over closest features; beside what the paper's text states. Its figures are not in the text.
//!
//! A run is recorded once: poses, pairs whose tightest boxes overlap, who is reversed. Then every algorithm is given the
//! same frames, and keeps what it remembers of a pair for as long as the boxes overlap.

use crate::closest_features::{Boundary, Closest, Walk};
use crate::contest::{Candidate, contest};
use crate::plot::{self, Series};
use crate::scenario;
use crate::table::Table;
use clearance::broad::{BroadPhase, IdPair, Mobility, SweepAndPrune};
use clearance::glam::{DQuat, DVec3};
use clearance::math::Random;
use clearance::pair::{
    DistanceConfig, GilbertCache, Relation, Tracker, TrackerMode, distance, distance_with, relation,
};
use clearance::shape::sample::{PolytopeKind, random_polytope};
use clearance::support::SupportMap;
use clearance::{Aabb, Pose};
use rustc_hash::FxHashMap;
use std::hint::black_box;

const ROUNDS: usize = 9;
const SHAPES_OF_A_KIND: u64 = 4;

const MIXED: &[PolytopeKind] = &[PolytopeKind::Ellipsoid, PolytopeKind::ThinRod, PolytopeKind::Plate];

/// What moves, how fast, and how crowded it is.
#[derive(Clone, Copy)]
struct Config {
    kinds: &'static [PolytopeKind],
    vertices: u32,
    bodies: usize,
    frames: usize,
    /// Part of the radius travelled in a frame.
    speed: f64,
    degrees: f64,
    /// The part of the room that balls of the bodies' radius would fill.
    density: f64,
}

/// Unless something else is said [Chung96 §6.2]; the paper does not tell how large its room is.
const USUAL: Config =
    Config { kinds: MIXED, vertices: 20, bodies: 500, frames: 40, speed: 0.05, degrees: 10.0, density: 0.3 };

struct Shape {
    map: SupportMap,
    boundary: Boundary,
}

#[derive(Clone)]
struct Body {
    shape: usize,
    position: DVec3,
    velocity: DVec3,
    rotation: DQuat,
    spin: DQuat,
}

impl Body {
    fn pose(&self) -> Pose {
        Pose::from_quaternion(self.rotation, self.position).expect("a unit quaternion")
    }

    fn advance(&mut self, side: f64) {
        self.position += self.velocity;
        for axis in 0..3 {
            let wall =
                if self.velocity[axis] < 0.0 { -self.position[axis] } else { self.position[axis] - side };
            if wall > 0.0 {
                self.velocity[axis] = -self.velocity[axis];
            }
        }
        self.rotation = (self.spin * self.rotation).normalize();
    }

    fn reverse(&mut self) {
        self.velocity = -self.velocity;
        self.spin = self.spin.inverse();
    }
}

/// Two bodies whose boxes overlap, and where what is remembered of them has its place.
#[derive(Clone, Copy)]
struct Close {
    a: usize,
    b: usize,
    memory: usize,
    meets: bool,
}

/// Which pairs of boxes an algorithm is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    All,
    /// Those that do not meet: there the algorithms find the same thing.
    Apart,
}

struct Frame {
    poses: Vec<Pose>,
    close: Vec<Close>,
}

/// A run, ready to be given to every algorithm.
struct Recording {
    shapes: Vec<Shape>,
    shape_of: Vec<usize>,
    frames: Vec<Frame>,
    memories: usize,
    meeting: usize,
}

impl Recording {
    fn new(config: &Config) -> Recording {
        let mut random = Random::new(3);
        let kinds = config.kinds.iter().flat_map(|&kind| (0..SHAPES_OF_A_KIND).map(move |seed| (kind, seed)));
        let shape = |(kind, seed)| {
            let polytope = random_polytope(kind, config.vertices, seed).expect("a sample");
            Shape { boundary: Boundary::new(&polytope), map: SupportMap::new(polytope) }
        };
        let shapes: Vec<Shape> = kinds.map(shape).collect();
        let ball = 4.0 / 3.0 * std::f64::consts::PI;
        let side = (config.bodies as f64 * ball / config.density).cbrt();
        let mut bodies = scatter(config, &shapes, side, &mut random);
        let shape_of = bodies.iter().map(|body| body.shape).collect();
        let mut recording = Recording { shapes, shape_of, frames: Vec::new(), memories: 0, meeting: 0 };
        let mut known = FxHashMap::default();
        for _ in 0..config.frames {
            bodies.iter_mut().for_each(|body| body.advance(side));
            let mut meeting = recording.add_frame(bodies.iter().map(Body::pose).collect(), &mut known);
            meeting.sort_unstable();
            meeting.dedup();
            meeting.into_iter().for_each(|body| bodies[body].reverse());
        }
        recording
    }

    /// Records a frame and says who meets.
    fn add_frame(&mut self, poses: Vec<Pose>, known: &mut FxHashMap<IdPair, usize>) -> Vec<usize> {
        let boxes: Vec<Aabb> =
            (0..poses.len()).map(|i| self.tight_box(i, &poses[i], &mut [None; 6])).collect();
        let mut sweep = SweepAndPrune::default();
        boxes.iter().enumerate().for_each(|(id, &bound)| sweep.insert(id as u32, bound, Mobility::Moving));
        let mut pairs = Vec::new();
        sweep.pairs(&mut pairs);
        let before = std::mem::take(known);
        let (mut close, mut meeting) = (Vec::new(), Vec::new());
        for pair in pairs {
            let (a, b) = (pair.a() as usize, pair.b() as usize);
            let memory = before.get(&pair).copied().unwrap_or_else(|| {
                self.memories += 1;
                self.memories - 1
            });
            known.insert(pair, memory);
            let meets = relation(self.map(a), &poses[a], self.map(b), &poses[b]) != Relation::Disjoint;
            close.push(Close { a, b, memory, meets });
            if meets {
                meeting.extend([a, b]);
            }
        }
        self.meeting += meeting.len() / 2;
        self.frames.push(Frame { poses, close });
        meeting
    }

    fn map(&self, body: usize) -> &SupportMap {
        &self.shapes[self.shape_of[body]].map
    }

    fn boundary(&self, body: usize) -> &Boundary {
        &self.shapes[self.shape_of[body]].boundary
    }

    /// The tightest box, by a climb from each remembered extreme vertex.
    fn tight_box(&self, body: usize, pose: &Pose, extremes: &mut [Option<u32>; 6]) -> Aabb {
        let map = self.map(body);
        let reach = |axis: DVec3, start: &mut Option<u32>| {
            let along = pose.rotation().transpose() * axis;
            let vertex = map.climb(along, start.unwrap_or_else(|| map.start(along))).vertex;
            *start = Some(vertex);
            pose.apply(map.vertex(vertex)).dot(axis)
        };
        let [min_x, min_y, min_z, max_x, max_y, max_z] = extremes;
        Aabb {
            min: -DVec3::new(reach(-DVec3::X, min_x), reach(-DVec3::Y, min_y), reach(-DVec3::Z, min_z)),
            max: DVec3::new(reach(DVec3::X, max_x), reach(DVec3::Y, max_y), reach(DVec3::Z, max_z)),
        }
    }

    fn pairs(&self) -> usize {
        self.frames.iter().map(|frame| frame.close.len()).sum()
    }

    /// Gives every pair of every frame, or every one apart, to an algorithm, with its memory.
    fn replay<M>(
        &self,
        which: Which,
        memories: &mut Vec<Option<M>>,
        mut ask: impl FnMut(&Frame, &Close, &mut Option<M>),
    ) {
        memories.clear();
        memories.resize_with(self.memories, || None);
        for frame in &self.frames {
            for close in frame.close.iter().filter(|close| which == Which::All || !close.meets) {
                ask(frame, close, &mut memories[close.memory]);
            }
        }
    }

    fn vectors(&self, memories: &mut Vec<Option<Tracker>>) {
        self.replay(Which::All, memories, |frame, &Close { a, b, .. }, memory| {
            let tracker = memory.get_or_insert_with(|| Tracker::new(TrackerMode::SeparatingVector));
            _ = black_box(tracker.relation(self.map(a), &frame.poses[a], self.map(b), &frame.poses[b]));
        });
    }

    /// Separating vectors, and at a collision the closest points of the frame before: what the paper combines.
    fn vectors_then_points(&self, memories: &mut Vec<Option<(Tracker, Relation, [Pose; 2])>>) {
        self.replay(Which::All, memories, |frame, &Close { a, b, .. }, memory| {
            let (map_a, map_b, poses) = (self.map(a), self.map(b), [frame.poses[a], frame.poses[b]]);
            let is_new = memory.is_none();
            let fresh = || (Tracker::new(TrackerMode::SeparatingVector), Relation::Disjoint, poses);
            let (tracker, before, poses_before) = memory.get_or_insert_with(fresh);
            let now = tracker.relation(map_a, &poses[0], map_b, &poses[1]);
            if now != Relation::Disjoint && *before == Relation::Disjoint && !is_new {
                _ = black_box(distance(map_a, &poses_before[0], map_b, &poses_before[1]));
            }
            (*before, *poses_before) = (now, poses);
        });
    }

    /// The tracker's own combination: also a proof and the depth when a collision begins.
    fn combined(&self, memories: &mut Vec<Option<Tracker>>) {
        self.replay(Which::All, memories, |frame, &Close { a, b, .. }, memory| {
            let tracker = memory.get_or_insert_with(|| Tracker::new(TrackerMode::Combined));
            _ = black_box(tracker.update(self.map(a), &frame.poses[a], self.map(b), &frame.poses[b]));
        });
    }

    /// Distances in every frame: Gilbert's algorithm alone, from the simplex of the frame before.
    fn gilbert(&self, which: Which, memories: &mut Vec<Option<GilbertCache>>) {
        let config = DistanceConfig::default();
        self.replay(which, memories, |frame, &Close { a, b, .. }, memory| {
            let cache = memory.get_or_insert_default();
            let (pose_a, pose_b) = (&frame.poses[a], &frame.poses[b]);
            _ = black_box(distance_with(self.map(a), pose_a, self.map(b), pose_b, &config, cache));
        });
    }

    /// The same, but nothing is remembered: what that is worth.
    fn gilbert_from_nothing(&self, memories: &mut Vec<Option<()>>) {
        self.replay(Which::Apart, memories, |frame, &Close { a, b, .. }, _| {
            _ = black_box(distance(self.map(a), &frame.poses[a], self.map(b), &frame.poses[b]));
        });
    }

    /// Closest features in every frame. A walk in a circle counts as answered: that favours the rival.
    fn walk(
        &self,
        which: Which,
        memories: &mut Vec<Option<Walk>>,
        mut answer: impl FnMut(&Frame, &Close, Closest),
    ) {
        self.replay(which, memories, |frame, close, memory| {
            let (a, b) = (close.a, close.b);
            let (pose_a, pose_b) = (&frame.poses[a], &frame.poses[b]);
            let walk = memory.get_or_insert_with(|| self.facing(a, pose_a, b, pose_b));
            answer(frame, close, walk.update(self.boundary(a), pose_a, self.boundary(b), pose_b));
        });
    }

    /// Starts at the vertices that face the other body's centre.
    fn facing(&self, a: usize, pose_a: &Pose, b: usize, pose_b: &Pose) -> Walk {
        let along = pose_b.translation() - pose_a.translation();
        let extreme =
            |body: usize, pose: &Pose, along: DVec3| self.map(body).find(pose.rotation().transpose() * along);
        Walk::from_vertices(extreme(a, pose_a, along), extreme(b, pose_b, -along))
    }

    /// What all algorithms need before: tightest boxes, kept sorted.
    fn boxes(
        &self,
        sweep: &mut SweepAndPrune,
        extremes: &mut Vec<[Option<u32>; 6]>,
        pairs: &mut Vec<IdPair>,
    ) {
        extremes.resize(self.shape_of.len(), [None; 6]);
        for frame in &self.frames {
            for (body, (pose, extremes)) in frame.poses.iter().zip(&mut *extremes).enumerate() {
                sweep.update(body as u32, self.tight_box(body, pose, extremes));
            }
            sweep.pairs(pairs);
            black_box(&pairs);
        }
    }

    /// How many answers of the walk differ from the truth by more than rounding, and how many are circles.
    fn check_walk(&self) -> (usize, usize) {
        let (mut wrong, mut circles) = (0, 0);
        self.walk(Which::All, &mut Vec::new(), |frame, close, found| {
            let (a, b) = (close.a, close.b);
            let truth = distance(self.map(a), &frame.poses[a], self.map(b), &frame.poses[b]).upper;
            match found {
                Closest::Apart(distance) => wrong += usize::from((distance - truth).abs() > 1e-9),
                Closest::Meet => wrong += usize::from(truth > 1e-9),
                Closest::Circle => circles += 1,
            }
        });
        (wrong, circles)
    }
}

/// Bodies at random places where they meet no other.
fn scatter(config: &Config, shapes: &[Shape], side: f64, random: &mut Random) -> Vec<Body> {
    let mut bodies: Vec<Body> = Vec::new();
    while bodies.len() < config.bodies {
        let position = DVec3::from_array(std::array::from_fn(|_| random.range(0.0, side)));
        let body = Body {
            shape: bodies.len() % shapes.len(),
            position,
            velocity: scenario::direction(random) * config.speed,
            rotation: scenario::rotation(random),
            spin: DQuat::from_axis_angle(scenario::direction(random), config.degrees.to_radians()),
        };
        let is_apart = |other: &Body| {
            let maps = (&shapes[body.shape].map, &shapes[other.shape].map);
            body.position.distance(other.position) > 2.01
                || relation(maps.0, &body.pose(), maps.1, &other.pose()) == Relation::Disjoint
        };
        if bodies.iter().all(is_apart) {
            bodies.push(body);
        }
    }
    bodies
}

/// What is measured, in the order of the columns.
const MEASURED: [&str; 9] = [
    "boxes",
    "vector",
    "vector, then points",
    "tracker combined",
    "Gilbert",
    "features",
    "Gilbert, apart",
    "features, apart",
    "Gilbert from nothing, apart",
];

/// Microseconds of a frame in the order of [`MEASURED`], and counts of a pair.
struct Costs {
    times: [f64; 9],
    pairs: f64,
    meeting: f64,
    steps: [f64; 2],
    wrong: usize,
    circles: usize,
}

fn measure(config: &Config) -> Costs {
    let recording = &Recording::new(config);
    let frames = recording.frames.len();
    let (wrong, circles) = recording.check_walk();
    let (mut vectors, mut points, mut combined) = (vec![], vec![], vec![]);
    let (mut caches, mut walks, mut caches_apart, mut walks_apart) = (vec![], vec![], vec![], vec![]);
    let mut sweep = SweepAndPrune::default();
    for body in 0..recording.shape_of.len() {
        let bound = recording.tight_box(body, &recording.frames[0].poses[body], &mut [None; 6]);
        sweep.insert(body as u32, bound, Mobility::Moving);
    }
    let (mut extremes, mut pairs, mut nothing) = (Vec::new(), Vec::new(), Vec::new());
    let passes: [Box<dyn FnMut() + '_>; 8] = [
        Box::new(|| recording.vectors(&mut vectors)),
        Box::new(|| recording.vectors_then_points(&mut points)),
        Box::new(|| recording.combined(&mut combined)),
        Box::new(|| recording.gilbert(Which::All, &mut caches)),
        Box::new(|| recording.walk(Which::All, &mut walks, |_, _, found| _ = black_box(found))),
        Box::new(|| recording.gilbert(Which::Apart, &mut caches_apart)),
        Box::new(|| recording.walk(Which::Apart, &mut walks_apart, |_, _, found| _ = black_box(found))),
        Box::new(|| recording.gilbert_from_nothing(&mut nothing)),
    ];
    let named = passes.into_iter().zip(&MEASURED[1..]);
    let rivals = named.map(|(pass, name)| Candidate { name: name.to_string(), pass, wrong: 0, counts: true });
    let boxes = || recording.boxes(&mut sweep, &mut extremes, &mut pairs);
    let outcome = contest(ROUNDS, frames, boxes, rivals.collect());
    let nanoseconds = |i: usize| if i == 0 { outcome.ours } else { outcome.rivals[i - 1].nanoseconds };
    let times = std::array::from_fn(|i| nanoseconds(i) / 1e3);
    let count = recording.pairs().max(1) as f64;
    Costs {
        times,
        pairs: count / frames as f64,
        meeting: recording.meeting as f64 / frames as f64,
        steps: [
            vectors.iter().flatten().map(|tracker| tracker.stats().steps).sum::<u64>() as f64 / count,
            walks.iter().flatten().map(|walk| walk.steps).sum::<u64>() as f64 / count,
        ],
        wrong,
        circles,
    }
}

const RATIOS: [&str; 5] = [
    "features / vector",
    "features / vector, then points",
    "features / Gilbert",
    "features / Gilbert, apart",
    "features / vector, with boxes",
];

const COUNTS: [&str; 3] = ["steps of vector", "steps of features", "features wrong, in a circle"];

/// The columns that belong to [`Costs::cells`], after some others.
fn columns(before: &[&str]) -> Vec<String> {
    let all = before.iter().chain(&["pairs", "meeting"]).chain(&MEASURED).chain(&RATIOS).chain(&COUNTS);
    all.map(|name| name.to_string()).collect()
}

impl Costs {
    fn vector(&self) -> f64 {
        self.times[1]
    }

    fn then_points(&self) -> f64 {
        self.times[2]
    }

    fn gilbert(&self) -> f64 {
        self.times[4]
    }

    fn features(&self) -> f64 {
        self.times[5]
    }

    fn ratios(&self) -> [f64; 5] {
        let [boxes, vector, points, _, gilbert, features, gilbert_apart, features_apart, _] = self.times;
        [
            features / vector,
            features / points,
            features / gilbert,
            features_apart / gilbert_apart,
            (boxes + features) / (boxes + vector),
        ]
    }

    fn cells(&self) -> Vec<String> {
        let one = |value: f64| format!("{value:.1}");
        let counts = [self.pairs, self.meeting].map(|value| format!("{value:.2}")).into_iter();
        let steps = self.steps.map(|value| format!("{value:.2}"));
        let values = self.times.map(one).into_iter().chain(self.ratios().map(one));
        counts.chain(values).chain(steps).chain([format!("{}, {}", self.wrong, self.circles)]).collect()
    }
}

/// One curve of experiments: what changes, and the costs.
struct Sweep {
    points: Vec<(f64, Costs)>,
}

impl Sweep {
    fn run(values: &[f64], config: impl Fn(f64) -> Config) -> Sweep {
        Sweep { points: values.iter().map(|&value| (value, measure(&config(value)))).collect() }
    }

    fn table(&self, title: &str, what: &str, file: &str) -> Table {
        let mut table = Table::with_columns(&format!("{title}; microseconds a frame"), columns(&[what]));
        for (value, costs) in &self.points {
            table.row([format!("{value}")].into_iter().chain(costs.cells()));
        }
        let curve = |name: &str, of: fn(&Costs) -> f64| Series {
            name: name.into(),
            points: self.points.iter().map(|(value, costs)| (*value, of(costs))).collect(),
        };
        let curves = [
            curve(MEASURED[1], Costs::vector),
            curve(MEASURED[2], Costs::then_points),
            curve(MEASURED[4], Costs::gilbert),
            curve(MEASURED[5], Costs::features),
        ];
        table.attach(file, plot::lines(title, what, "microseconds a frame", &curves));
        table
    }

    fn ratio_of_ends(&self, of: fn(&Costs) -> f64) -> f64 {
        match (self.points.first(), self.points.last()) {
            (Some(first), Some(last)) => of(&last.1) / of(&first.1),
            _ => f64::NAN,
        }
    }

    fn range(&self, of: fn(&Costs) -> f64) -> String {
        let values = || self.points.iter().map(|(_, costs)| of(costs));
        format!("{:.1} to {:.1}", values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max))
    }
}

const SPEEDS: [f64; 7] = [2.0, 5.0, 8.0, 11.0, 14.0, 17.0, 20.0];
const TURNS: [f64; 5] = [5.0, 10.0, 20.0, 30.0, 40.0];
const DENSITIES: [f64; 5] = [5.0, 10.0, 20.0, 40.0, 80.0];
const SIZES: [f64; 7] = [10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0];

pub fn run() -> Vec<Table> {
    let swept = [20, 500].map(|vertices| Config { vertices, ..USUAL });
    let by_speed =
        swept.map(|usual| Sweep::run(&SPEEDS, |percent| Config { speed: percent / 100.0, ..usual }));
    let by_turn = swept.map(|usual| Sweep::run(&TURNS, |degrees| Config { degrees, ..usual }));
    let by_density =
        swept.map(|usual| Sweep::run(&DENSITIES, |percent| Config { density: percent / 100.0, ..usual }));
    let by_size =
        [0.05, 0.2].map(|speed| Sweep::run(&SIZES, |n| Config { vertices: n as u32, speed, ..USUAL }));
    let mut tables = vec![claims(&by_speed, &by_turn, &by_density, &by_size)];
    for (sweep, n) in by_speed.iter().zip([20, 500]) {
        let title = format!("Translation, 500 bodies of {n} vertices");
        tables.push(sweep.table(&title, "per cent of the radius a frame", &format!("chung96-speed-{n}.svg")));
    }
    for (sweep, n) in by_turn.iter().zip([20, 500]) {
        let title = format!("Rotation, 500 bodies of {n} vertices");
        tables.push(sweep.table(&title, "degrees a frame", &format!("chung96-turn-{n}.svg")));
    }
    for (sweep, n) in by_density.iter().zip([20, 500]) {
        let title = format!("Density, 500 bodies of {n} vertices");
        let what = "balls of their radius fill per cent";
        tables.push(sweep.table(&title, what, &format!("chung96-density-{n}.svg")));
    }
    for (sweep, percent) in by_size.iter().zip([5, 20]) {
        let title = format!("Vertices, 500 bodies at {percent} % of the radius a frame");
        tables.push(sweep.table(&title, "vertices", &format!("chung96-vertices-{percent}.svg")));
    }
    tables.push(by_shape());
    tables
}

/// Shapes by themselves, and fewer bodies.
fn by_shape() -> Table {
    let title = "Shapes, 5 % of the radius and 10 degrees a frame; microseconds a frame";
    let mut table = Table::with_columns(title, columns(&["shape", "bodies", "vertices"]));
    let shapes: [(&str, &[PolytopeKind]); 4] = [
        ("ellipsoids", &[PolytopeKind::Ellipsoid]),
        ("thin rods", &[PolytopeKind::ThinRod]),
        ("plates", &[PolytopeKind::Plate]),
        ("mixed", MIXED),
    ];
    for (name, kinds) in shapes {
        for (bodies, vertices) in [(100, 20), (100, 500), (500, 20), (500, 500)] {
            let costs = measure(&Config { kinds, vertices, bodies, ..USUAL });
            let head = [name.to_string(), bodies.to_string(), vertices.to_string()];
            table.row(head.into_iter().chain(costs.cells()));
        }
    }
    table
}

/// The text's claims beside what was measured.
fn claims(speed: &[Sweep; 2], turn: &[Sweep; 2], density: &[Sweep; 2], size: &[Sweep; 2]) -> Table {
    let mut table = Table::new(
        "What the text says, and what was found (the first number for 20 vertices, the second for 500)",
        &["the text", "found"],
    );
    let mut row = |text: &str, found: String| table.row([text.to_string(), found]);
    let both = |sweeps: &[Sweep; 2], of: fn(&Costs) -> f64| {
        format!("{}; {}", sweeps[0].range(of), sweeps[1].range(of))
    };
    let growth = |sweeps: &[Sweep; 2], of: fn(&Costs) -> f64| {
        format!("{:.2}; {:.2}", sweeps[0].ratio_of_ends(of), sweeps[1].ratio_of_ends(of))
    };
    let slower = |sweeps: &[Sweep; 2], of: fn(&Costs) -> f64, of_pair: fn(&Costs) -> f64| {
        format!("times {} (a pair: {})", growth(sweeps, of), growth(sweeps, of_pair))
    };
    let vector_of_pair = |costs: &Costs| costs.vector() / costs.pairs;
    let features_of_pair = |costs: &Costs| costs.features() / costs.pairs;
    row(
        "2 to 20 % of the radius: separating vector takes slightly longer",
        slower(speed, Costs::vector, vector_of_pair),
    );
    row("... closest features take substantially longer", slower(speed, Costs::features, features_of_pair));
    row(
        "5 to 40 degrees: separating vector takes a little longer",
        slower(turn, Costs::vector, vector_of_pair),
    );
    row("... closest features take substantially longer", slower(turn, Costs::features, features_of_pair));
    row(
        "Gilbert alone beats closest features at high speed or with many vertices",
        format!(
            "features / Gilbert by speed {}, of pairs apart {}; by turn {}, of pairs apart {}",
            both(speed, |costs| costs.ratios()[2]),
            both(speed, |costs| costs.ratios()[3]),
            both(turn, |costs| costs.ratios()[2]),
            both(turn, |costs| costs.ratios()[3])
        ),
    );
    let more = |costs: &Costs| costs.then_points() / costs.vector();
    row(
        "combined takes only a little more than separating vector",
        format!(
            "(vector, then points) / vector by speed {}; by turn {}",
            both(speed, more),
            both(turn, more)
        ),
    );
    row(
        "combined beats closest features at every density",
        format!("features / (vector, then points) {}", both(density, |costs| costs.ratios()[1])),
    );
    let large = |sweep: &Sweep| {
        let large = sweep.points.iter().filter(|(n, _)| *n >= 200.0);
        let ratios =
            large.map(|(n, costs)| format!("{:.1} and {:.1} at {n}", costs.ratios()[0], costs.ratios()[1]));
        ratios.collect::<Vec<_>>().join(", ")
    };
    row(
        "ten times faster for more than 200 vertices",
        format!(
            "features / vector, features / (vector, then points) at 5 %: {}; at 20 %: {}",
            large(&size[0]),
            large(&size[1])
        ),
    );
    let fast = speed[1].points.last().map(|(_, costs)| costs.ratios());
    let fast =
        fast.map(|r| format!("features / vector {:.1}, features / (vector, then points) {:.1}", r[0], r[1]));
    row("nearly 28 times faster at 20 % and 500 vertices", fast.unwrap_or_default());
    table
}
