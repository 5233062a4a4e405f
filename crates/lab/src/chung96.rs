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
    DistanceConfig, GilbertCache, Relation, Tracker, TrackerMode, distance_with, relation,
};
use clearance::shape::sample::{PolytopeKind, random_polytope};
use clearance::support::SupportMap;
use clearance::{Aabb, Pose};
use rustc_hash::FxHashMap;
use std::hint::black_box;

const ROUNDS: usize = 5;
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
    Config { kinds: MIXED, vertices: 20, bodies: 100, frames: 40, speed: 0.05, degrees: 10.0, density: 0.3 };

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
            close.push(Close { a, b, memory });
            if relation(self.map(a), &poses[a], self.map(b), &poses[b]) != Relation::Disjoint {
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

    /// Gives every pair of every frame to an algorithm, with its memory.
    fn replay<M>(&self, memories: &mut Vec<Option<M>>, mut ask: impl FnMut(&Frame, &Close, &mut Option<M>)) {
        memories.clear();
        memories.resize_with(self.memories, || None);
        for frame in &self.frames {
            for close in &frame.close {
                ask(frame, close, &mut memories[close.memory]);
            }
        }
    }

    fn track(&self, memories: &mut Vec<Option<Tracker>>, mode: TrackerMode) {
        self.replay(memories, |frame, &Close { a, b, .. }, memory| {
            let tracker = memory.get_or_insert_with(|| Tracker::new(mode));
            let (pose_a, pose_b) = (&frame.poses[a], &frame.poses[b]);
            match mode {
                TrackerMode::SeparatingVector => {
                    _ = black_box(tracker.relation(self.map(a), pose_a, self.map(b), pose_b));
                }
                _ => _ = black_box(tracker.update(self.map(a), pose_a, self.map(b), pose_b)),
            }
        });
    }

    /// Distances in every frame: Gilbert's algorithm alone.
    fn gilbert(&self, memories: &mut Vec<Option<GilbertCache>>) {
        let config = DistanceConfig::default();
        self.replay(memories, |frame, &Close { a, b, .. }, memory| {
            let cache = memory.get_or_insert_default();
            let (pose_a, pose_b) = (&frame.poses[a], &frame.poses[b]);
            _ = black_box(distance_with(self.map(a), pose_a, self.map(b), pose_b, &config, cache));
        });
    }

    /// Closest features in every frame. A walk in a circle counts as answered: that favours the rival.
    fn walk(&self, memories: &mut Vec<Option<Walk>>, mut answer: impl FnMut(&Frame, &Close, Closest)) {
        self.replay(memories, |frame, close, memory| {
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
        self.walk(&mut Vec::new(), |frame, close, found| {
            let (a, b) = (close.a, close.b);
            let truth =
                clearance::pair::distance(self.map(a), &frame.poses[a], self.map(b), &frame.poses[b]).upper;
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

/// Microseconds of a frame, and counts of a pair.
struct Costs {
    boxes: f64,
    separating_vector: f64,
    combined: f64,
    gilbert: f64,
    features: f64,
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
    let (mut combined, mut vectors, mut caches, mut walks) = (vec![], vec![], vec![], vec![]);
    let mut sweep = SweepAndPrune::default();
    for body in 0..recording.shape_of.len() {
        let bound = recording.tight_box(body, &recording.frames[0].poses[body], &mut [None; 6]);
        sweep.insert(body as u32, bound, Mobility::Moving);
    }
    let (mut extremes, mut pairs) = (Vec::new(), Vec::new());
    let candidate = |name: &str, pass| Candidate { name: name.into(), pass, wrong: 0, counts: true };
    let rivals = vec![
        candidate(
            "boxes",
            Box::new(|| recording.boxes(&mut sweep, &mut extremes, &mut pairs)) as Box<dyn FnMut()>,
        ),
        candidate("vector", Box::new(|| recording.track(&mut vectors, TrackerMode::SeparatingVector))),
        candidate("gilbert", Box::new(|| recording.gilbert(&mut caches))),
        candidate("features", Box::new(|| recording.walk(&mut walks, |_, _, found| _ = black_box(found)))),
    ];
    let outcome = contest(ROUNDS, frames, || recording.track(&mut combined, TrackerMode::Combined), rivals);
    let time = |i: usize| outcome.rivals[i].nanoseconds / 1e3;
    let times = [time(0), time(1), time(2), time(3)];
    let (count, per_pair) =
        (recording.pairs().max(1) as f64, |steps: u64| steps as f64 / recording.pairs().max(1) as f64);
    Costs {
        boxes: times[0],
        separating_vector: times[1],
        combined: outcome.ours / 1e3,
        gilbert: times[2],
        features: times[3],
        pairs: count / frames as f64,
        meeting: recording.meeting as f64 / frames as f64,
        steps: [
            per_pair(vectors.iter().flatten().map(|tracker| tracker.stats().steps).sum()),
            per_pair(walks.iter().flatten().map(|walk| walk.steps).sum()),
        ],
        wrong,
        circles,
    }
}

const COLUMNS: [&str; 13] = [
    "pairs",
    "meeting",
    "boxes",
    "separating vector",
    "combined",
    "Gilbert",
    "closest features",
    "features / vector",
    "features / combined",
    "features / Gilbert",
    "the same with boxes",
    "steps: vector, features",
    "features wrong, in a circle",
];

impl Costs {
    fn cells(&self) -> Vec<String> {
        let with_boxes = |time: f64| (self.boxes + self.features) / (self.boxes + time);
        let one = |value: f64| format!("{value:.1}");
        vec![
            one(self.pairs),
            format!("{:.2}", self.meeting),
            one(self.boxes),
            one(self.separating_vector),
            one(self.combined),
            one(self.gilbert),
            one(self.features),
            one(self.features / self.separating_vector),
            one(self.features / self.combined),
            one(self.features / self.gilbert),
            format!(
                "{:.1}, {:.1}, {:.1}",
                with_boxes(self.separating_vector),
                with_boxes(self.combined),
                with_boxes(self.gilbert)
            ),
            format!("{:.2}, {:.2}", self.steps[0], self.steps[1]),
            format!("{}, {}", self.wrong, self.circles),
        ]
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
        let columns = [what].iter().chain(&COLUMNS).map(|name| name.to_string()).collect();
        let mut table = Table::with_columns(&format!("{title}; microseconds a frame"), columns);
        for (value, costs) in &self.points {
            table.row([format!("{value}")].into_iter().chain(costs.cells()));
        }
        let curve = |name: &str, of: fn(&Costs) -> f64| Series {
            name: name.into(),
            points: self.points.iter().map(|(value, costs)| (*value, of(costs))).collect(),
        };
        let curves = [
            curve("separating vector", |costs| costs.separating_vector),
            curve("combined", |costs| costs.combined),
            curve("Gilbert", |costs| costs.gilbert),
            curve("closest features", |costs| costs.features),
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
    let by_speed = [20, 500]
        .map(|vertices| Sweep::run(&SPEEDS, |percent| Config { vertices, speed: percent / 100.0, ..USUAL }));
    let by_turn =
        [20, 500].map(|vertices| Sweep::run(&TURNS, |degrees| Config { vertices, degrees, ..USUAL }));
    let by_density = [20, 500].map(|vertices| {
        Sweep::run(&DENSITIES, |percent| Config { vertices, density: percent / 100.0, ..USUAL })
    });
    let by_size =
        [0.05, 0.2].map(|speed| Sweep::run(&SIZES, |n| Config { vertices: n as u32, speed, ..USUAL }));
    let mut tables = vec![claims(&by_speed, &by_turn, &by_density, &by_size)];
    for (sweep, n) in by_speed.iter().zip([20, 500]) {
        let title = format!("Translation, 100 bodies of {n} vertices");
        tables.push(sweep.table(&title, "per cent of the radius a frame", &format!("chung96-speed-{n}.svg")));
    }
    for (sweep, n) in by_turn.iter().zip([20, 500]) {
        let title = format!("Rotation, 100 bodies of {n} vertices");
        tables.push(sweep.table(&title, "degrees a frame", &format!("chung96-turn-{n}.svg")));
    }
    for (sweep, n) in by_density.iter().zip([20, 500]) {
        let title = format!("Density, 100 bodies of {n} vertices");
        let what = "balls of their radius fill per cent";
        tables.push(sweep.table(&title, what, &format!("chung96-density-{n}.svg")));
    }
    for (sweep, percent) in by_size.iter().zip([5, 20]) {
        let title = format!("Vertices, 100 bodies at {percent} % of the radius a frame");
        tables.push(sweep.table(&title, "vertices", &format!("chung96-vertices-{percent}.svg")));
    }
    tables.push(many());
    tables
}

/// 500 bodies by shape.
fn many() -> Table {
    let columns = ["shape", "vertices"].iter().chain(&COLUMNS).map(|name| name.to_string()).collect();
    let title = "500 bodies, 5 % of the radius and 10 degrees a frame; microseconds a frame";
    let mut table = Table::with_columns(title, columns);
    let shapes: [(&str, &[PolytopeKind]); 4] = [
        ("ellipsoids", &[PolytopeKind::Ellipsoid]),
        ("thin rods", &[PolytopeKind::ThinRod]),
        ("plates", &[PolytopeKind::Plate]),
        ("mixed", MIXED),
    ];
    for (name, kinds) in shapes {
        for vertices in [20, 500] {
            let costs = measure(&Config { kinds, vertices, bodies: 500, frames: 24, ..USUAL });
            table.row([name.to_string(), vertices.to_string()].into_iter().chain(costs.cells()));
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
    let (vector, features) = (|costs: &Costs| costs.separating_vector, |costs: &Costs| costs.features);
    let each_vector = |costs: &Costs| costs.separating_vector / costs.pairs;
    let each_features = |costs: &Costs| costs.features / costs.pairs;
    row(
        "2 to 20 % of the radius: separating vector takes slightly longer",
        format!("times {} (a pair: {})", growth(speed, vector), growth(speed, each_vector)),
    );
    row(
        "... closest features take substantially longer",
        format!("times {} (a pair: {})", growth(speed, features), growth(speed, each_features)),
    );
    row(
        "5 to 40 degrees: separating vector takes a little longer",
        format!("times {} (a pair: {})", growth(turn, vector), growth(turn, each_vector)),
    );
    row(
        "... closest features take substantially longer",
        format!("times {} (a pair: {})", growth(turn, features), growth(turn, each_features)),
    );
    row(
        "Gilbert alone beats closest features at high speed or with many vertices",
        format!("features / Gilbert by speed {}", both(speed, |costs| costs.features / costs.gilbert)),
    );
    row(
        "combined takes only a little more than separating vector",
        format!(
            "combined / vector by speed {}; by turn {}",
            both(speed, |costs| costs.combined / costs.separating_vector),
            both(turn, |costs| costs.combined / costs.separating_vector)
        ),
    );
    row(
        "combined beats closest features at every density",
        format!("features / combined {}", both(density, |costs| costs.features / costs.combined)),
    );
    let large = |sweep: &Sweep| {
        let large = sweep.points.iter().filter(|(n, _)| *n >= 200.0);
        let ratios = large.map(|(n, costs)| format!("{:.1} at {n}", costs.features / costs.combined));
        ratios.collect::<Vec<_>>().join(", ")
    };
    row(
        "ten times faster for more than 200 vertices",
        format!("features / combined at 5 %: {}; at 20 %: {}", large(&size[0]), large(&size[1])),
    );
    let fast = speed[1].points.last().map(|(_, costs)| {
        format!(
            "features / combined {:.1}, features / separating vector {:.1}",
            costs.features / costs.combined,
            costs.features / costs.separating_vector
        )
    });
    row("nearly 28 times faster at 20 % and 500 vertices", fast.unwrap_or_default());
    table
}
