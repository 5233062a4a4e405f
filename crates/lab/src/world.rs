//! Whole steps of many convex bodies: pairs of boxes, who meets, contacts. Ours beside rapier3d, Bullet, FCL and coal as
//! they are, and beside pipelines of parry's tree and pair tests.
//!
//! A bouncing environment is recorded once; every contestant is given the same places, forwards and backwards in turn, so
//! that the motion never jumps. The pipelines of parry are given our boxes, so that they find the same pairs; they are told
//! apart by what they compute for a pair, see [`Narrow`]. The others make their own boxes.
//!
//! `LAB_BODIES=1000,10000` runs with these numbers only.

use crate::broad_rivals::{Search, Threads, Use};
use crate::measure::numbers_of_bodies;
use crate::scenario::{self, KINDS};
use crate::table::Table;
use crate::turns::{self, on_one_and_two};
use crate::world_rivals::{Found, Narrow, Place, Step, double, single};
use crate::{world_cpp, world_rapier};
use clearance::broad::{BroadPhase, Coherent, Mobility};
use clearance::glam::{DQuat, DVec3};
use clearance::math::Random;
use clearance::shape::sample::random_polytope;
use clearance::support::SupportMap;
use clearance::world::{BodyId, Change, Detail, NewBody, ShapeHandle, World, WorldConfig};
use clearance::{Aabb, Pose};
use std::hint::black_box;
use std::time::{Duration, Instant};

const SHAPES_OF_A_KIND: u64 = 4;
/// Frames until bodies have left the grid on which they start.
const WARM_UP: usize = 30;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Config {
    bodies: usize,
    vertices: u32,
    /// Part of the radius, and degrees, a frame.
    speed: f64,
    degrees: f64,
    /// The part of the room that balls of the bodies' radius would fill, as in `lab chung96`.
    density: f64,
}

impl Config {
    /// Frames of a turn, and turns.
    fn effort(self) -> (usize, usize) {
        match self.bodies {
            0..=1_000 => (40, 6),
            1_001..=10_000 => (20, 3),
            10_001..=100_000 => (10, 2),
            _ => (8, 2),
        }
    }

    /// Of very many bodies only the rivals that are fastest with fewer take part, or a run would take hours.
    fn takes_part(self, name: &str) -> bool {
        self.bodies <= 10_000 || ["clearance", "parry f32 contact", "rapier f32"].contains(&name)
    }

    fn all() -> Vec<Config> {
        let sizes = numbers_of_bodies(&[1_000, 10_000, 100_000, 1_000_000]).into_iter();
        let of_size = move |bodies, vertices| {
            let kinds = [(0.02, 3.0, 0.3), (0.05, 10.0, 0.3), (0.02, 3.0, 1.0)];
            let kinds = kinds.into_iter().take(if bodies <= 100_000 { 3 } else { 1 });
            kinds.map(move |(speed, degrees, density)| Config { bodies, vertices, speed, degrees, density })
        };
        let vertices = |bodies| if bodies <= 10_000 { &[20, 100][..] } else { &[20][..] };
        sizes.flat_map(|bodies| vertices(bodies).iter().flat_map(move |&n| of_size(bodies, n))).collect()
    }
}

/// Shapes, and where all bodies are in each frame. Body `i` has shape `i` modulo their number.
struct Recording {
    maps: Vec<SupportMap>,
    handles: Vec<ShapeHandle>,
    frames: Vec<Vec<Place>>,
}

fn pose(place: &Place) -> Pose {
    Pose::from_quaternion(place.0, place.1).expect("a unit quaternion")
}

impl Recording {
    fn new(config: Config) -> Recording {
        let kinds = KINDS.iter().flat_map(|&(_, kind)| (0..SHAPES_OF_A_KIND).map(move |seed| (kind, seed)));
        let polytope = |(kind, seed)| random_polytope(kind, config.vertices, seed).expect("a sample");
        let polytopes: Vec<_> = kinds.map(polytope).collect();
        let handles: Vec<ShapeHandle> = polytopes.iter().map(|p| ShapeHandle::from(p.clone())).collect();
        let frames = bounce(config, &handles);
        Recording { maps: polytopes.into_iter().map(SupportMap::new).collect(), handles, frames }
    }

    fn bound(&self, body: usize, pose: &Pose) -> Aabb {
        self.handles[body % self.handles.len()].bound(pose)
    }
}

/// Lets bodies fly through a closed room; those that begin to collide are reversed.
fn bounce(config: Config, handles: &[ShapeHandle]) -> Vec<Vec<Place>> {
    let mut random = Random::new(5);
    let across = (config.bodies as f64).cbrt().ceil() as usize;
    let spacing = (4.0 / 3.0 * std::f64::consts::PI / config.density).cbrt();
    let side = across as f64 * spacing;
    let mut world = World::default();
    let (mut places, mut velocities, mut spins, mut ids) = (vec![], vec![], vec![], vec![]);
    for body in 0..config.bodies {
        let cell = [body % across, body / across % across, body / across / across].map(|c| c as f64 + 0.5);
        let place = (scenario::rotation(&mut random), DVec3::from_array(cell) * spacing);
        velocities.push(scenario::direction(&mut random) * config.speed);
        spins.push(DQuat::from_axis_angle(scenario::direction(&mut random), config.degrees.to_radians()));
        ids.push(world.add(NewBody::moving(&handles[body % handles.len()], pose(&place))));
        places.push(place);
    }
    let number: rustc_hash::FxHashMap<BodyId, usize> = ids.iter().copied().zip(0..).collect();
    let frames = config.effort().0 + 1;
    let mut recorded = Vec::new();
    for frame in 0..WARM_UP + frames {
        for (body, place) in places.iter_mut().enumerate() {
            place.0 = (spins[body] * place.0).normalize();
            place.1 += velocities[body];
            for axis in 0..3 {
                let (x, v) = (place.1[axis], velocities[body][axis]);
                if x < 0.0 && v < 0.0 || x > side && v > 0.0 {
                    velocities[body][axis] = -v;
                }
            }
            world.move_to(ids[body], pose(place)).expect("a body");
        }
        for (a, b, _) in world.step().began() {
            for body in [number[&a], number[&b]] {
                velocities[body] = -velocities[body];
                spins[body] = spins[body].inverse();
            }
        }
        if frame >= WARM_UP {
            recorded.push(places.clone());
        }
    }
    recorded
}

/// Ours, as it is or with a contact of every pair that meets in every frame.
struct Ours {
    world: World,
    ids: Vec<BodyId>,
    moves: Vec<(BodyId, Pose)>,
    details: Details,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Details {
    /// Only who meets.
    Never,
    WhenBegun,
    Always,
}

impl Ours {
    fn new(recording: &Recording, details: Details) -> Ours {
        let detail = if details == Details::Never { Detail::Relation } else { Detail::Contact };
        let mut world =
            World::new(WorldConfig { detail, ..WorldConfig::default() }).expect("no watch radius");
        let first = recording.frames[0].iter().enumerate();
        let shape = |body: usize| &recording.handles[body % recording.handles.len()];
        let ids = first.map(|(body, place)| world.add(NewBody::moving(shape(body), pose(place)))).collect();
        Ours { world, ids, moves: Vec::new(), details }
    }

    fn move_all(&mut self) {
        self.world.move_all(&self.moves).expect("bodies");
    }
}

impl Step for Ours {
    fn prepare(&mut self, places: &[Place]) {
        self.moves.clear();
        self.moves.extend(self.ids.iter().copied().zip(places.iter().map(pose)));
    }

    fn step(&mut self, _: &(dyn Fn(usize) -> Aabb + Sync)) -> Found {
        self.move_all();
        let frame = self.world.step();
        let is_meeting = |change: &Change| matches!(change, Change::Began(_) | Change::Persists(_));
        let found = Found {
            pairs: frame.tested,
            meeting: frame.events.iter().filter(|event| is_meeting(&event.change)).count(),
            began: frame.began().count(),
        };
        if self.details == Details::Always {
            let old = frame.events.iter().filter(|event| matches!(event.change, Change::Persists(_)));
            let old: Vec<(BodyId, BodyId)> = old.map(|event| (event.a, event.b)).collect();
            old.into_iter().for_each(|(a, b)| _ = black_box(self.world.relate(a, b)));
        }
        found
    }
}

type Contestant = turns::Contestant<dyn Step, Found>;
type Outcome = turns::Outcome<dyn Step, Found>;

/// Ours comes first.
const NAMES: [&str; 13] = [
    "clearance",
    "clearance, all contacts",
    "clearance, no contacts",
    "parry f32 events",
    "parry f64 events",
    "parry f32 contact",
    "parry f64 contact",
    "parry f32 manifold",
    "parry f64 manifold",
    "rapier f32",
    "Bullet",
    "FCL",
    "coal",
];

/// Whether a rival tells a contact of every pair that meets in every frame; the others only that of a collision that
/// begins.
fn tells_contacts(contestant: &Contestant) -> bool {
    !contestant.name.ends_with("events")
}

fn contestants(config: Config, recording: &Recording, threads: Threads) -> Vec<Contestant> {
    let mut all: Vec<Contestant> = Vec::new();
    let takes_part = |name: &&str| config.takes_part(name);
    let left_out: Vec<&str> = NAMES.into_iter().filter(|name| !takes_part(name)).collect();
    if !left_out.is_empty() {
        eprintln!("world: left out with {} bodies: {}", config.bodies, left_out.join(", "));
    }
    let ours = NAMES.into_iter().zip([Details::WhenBegun, Details::Always, Details::Never]);
    for (name, details) in ours.filter(|(name, _)| takes_part(name)) {
        all.push(Contestant::new(name, true, Box::new(Ours::new(recording, details)) as Box<dyn Step>));
    }
    for (kind, narrow) in [Narrow::Events, Narrow::Contact, Narrow::Manifold].into_iter().enumerate() {
        let names = [NAMES[3 + 2 * kind], NAMES[4 + 2 * kind]].map(|name| Some(name).filter(takes_part));
        add_parry(recording, threads, narrow, names, &mut all);
    }
    match world_rapier::World::new(&recording.maps, &recording.frames[0]) {
        Some(world) => all.push(Contestant::new(NAMES[9], false, Box::new(world))),
        None => eprintln!("skipped: rapier does not build the shapes"),
    }
    // They have one thread.
    if threads == Threads::One && config.bodies <= 10_000 {
        for (name, world) in world_cpp::worlds(&recording.maps, &recording.frames[0]) {
            all.push(Contestant::new(name, false, Box::new(world)));
        }
    }
    all
}

/// Pipelines of parry's tree and one of its pair tests, in f32 and f64, those that are named.
fn add_parry(
    recording: &Recording,
    threads: Threads,
    narrow: Narrow,
    [single_name, double_name]: [Option<&'static str>; 2],
    all: &mut Vec<Contestant>,
) {
    let first = || recording.frames[0].iter().enumerate();
    let bounds = || first().map(|(body, place)| recording.bound(body, &pose(place))).collect();
    if let Some(name) = single_name {
        let shapes: Option<Vec<_>> = recording.maps.iter().map(single::shape).collect();
        match shapes {
            Some(shapes) => {
                let world = single::World::new(shapes, Use::Improve, narrow, threads, bounds());
                all.push(Contestant::new(name, false, Box::new(world)));
            }
            None => eprintln!("skipped: parry in f32 does not build the shapes"),
        }
    }
    if let Some(name) = double_name {
        let shapes: Option<Vec<_>> = recording.maps.iter().map(double::shape).collect();
        let shapes = shapes.expect("parry builds the hull of a sample");
        let world = double::World::new(shapes, Use::Improve, narrow, threads, bounds());
        all.push(Contestant::new(name, false, Box::new(world)));
    }
}

/// What our world does and holds in a run over all frames.
struct Inside {
    bytes: usize,
    /// Nanoseconds for each body of giving it its new pose.
    moving: f64,
    /// Searches over all bodies for each frame.
    searches: f64,
    /// Boxes compared for each body and frame.
    tests: f64,
    /// Milliseconds a frame of the search for pairs alone, ours and parry's in f32.
    broad: [f64; 2],
}

/// Mean time of a search over all frames but the first.
fn search_time(recording: &Recording, mut frame: impl FnMut(&[Aabb])) -> f64 {
    let (mut spent, mut bounds) = (Duration::ZERO, Vec::new());
    for (number, places) in recording.frames.iter().enumerate() {
        bounds.clear();
        bounds.extend(places.iter().enumerate().map(|(body, place)| recording.bound(body, &pose(place))));
        let start = Instant::now();
        frame(&bounds);
        spent += if number > 0 { start.elapsed() } else { Duration::ZERO };
    }
    spent.as_secs_f64() * 1e3 / (recording.frames.len() - 1) as f64
}

fn search_times(recording: &Recording, threads: Threads) -> [f64; 2] {
    let (mut pairs, mut coherent) = (Vec::new(), Coherent::default());
    let bounds: Vec<Aabb> =
        recording.frames[0].iter().enumerate().map(|(i, place)| recording.bound(i, &pose(place))).collect();
    (0..).zip(&bounds).for_each(|(id, &bound)| coherent.insert(id, bound, Mobility::Moving));
    let mut tree = crate::broad_rivals::single::Tree::new(Use::Improve, threads, &bounds);
    let ours = search_time(recording, |bounds| {
        coherent.update_many(bounds);
        coherent.pairs(&mut pairs);
        black_box(&pairs);
    });
    [ours, search_time(recording, |bounds| tree.frame(bounds, &mut pairs))]
}

fn look_inside(recording: &Recording, threads: Threads) -> Inside {
    let mut ours = Ours::new(recording, Details::WhenBegun);
    let mut moving = Duration::MAX;
    for places in &recording.frames {
        ours.prepare(places);
        let start = Instant::now();
        ours.move_all();
        moving = moving.min(start.elapsed());
        black_box(ours.world.step());
    }
    let (stats, bodies) = (ours.world.broad_stats(), ours.ids.len() as f64);
    Inside {
        bytes: ours.world.memory().total(),
        moving: moving.as_secs_f64() * 1e9 / bodies,
        searches: stats.searches as f64 / stats.frames as f64,
        tests: stats.tests as f64 / stats.frames as f64 / bodies,
        broad: search_times(recording, threads),
    }
}

fn measure(config: Config, threads: Threads) -> (Outcome, Inside) {
    let recording = Recording::new(config);
    let mut all = contestants(config, &recording, threads);
    let (frames, turns) = config.effort();
    for turn in 0..turns {
        for contestant in &mut all {
            let mut spent = Duration::ZERO;
            for step in 0..=frames {
                let places = &recording.frames[if turn % 2 == 0 { step } else { frames - step }];
                contestant.system.prepare(places);
                let poses: Vec<Pose> = places.iter().map(pose).collect();
                let bound = |body: usize| recording.bound(body, &poses[body]);
                let start = Instant::now();
                contestant.last = black_box(contestant.system.step(&bound));
                // The first frame of a turn is not timed: everyone finds its own data in the caches.
                spent += if step > 0 { start.elapsed() } else { Duration::ZERO };
            }
            contestant.least = contestant.least.min(spent);
        }
    }
    let (outcome, inside) = (Outcome { contestants: all, frames }, look_inside(&recording, threads));
    let times = outcome.contestants.iter().map(|c| format!("{} {:.2}", c.name, outcome.milliseconds(c)));
    let (times, broad) = (times.collect::<Vec<_>>().join("; "), inside.broad);
    eprintln!("world: {config:?}, {threads:?}: {times}; broad only {broad:.2?}");
    (outcome, inside)
}

type Row = (Config, (Outcome, Inside));

pub fn run() -> Vec<Table> {
    let [one, two] = on_one_and_two(&Config::all(), measure);
    vec![times(&one, None), times(&two, Some(&one))]
}

/// The slope per decade of all boxes compared: 1 if they are as many for each of ten times as many bodies.
fn slope(outcomes: &[Row], config: &Config, tests: f64) -> String {
    let smaller = Config { bodies: config.bodies / 10, ..*config };
    let before = outcomes.iter().find(|(config, _)| *config == smaller);
    before.map_or("-".into(), |(_, (_, inside))| format!("{:.2}", 1.0 + (tests / inside.tests).log10()))
}

fn times(outcomes: &[Row], single_thread: Option<&[Row]>) -> Table {
    let threads = if single_thread.is_some() { 2 } else { 1 };
    let title = format!(
        "Whole steps, {threads} thread(s): milliseconds a frame; ellipsoids, rods and plates in a closed room, all moving. \
         Rivals tell pairs and a contact of each that meets in every frame, but for `events`, which tells those that begin"
    );
    let heads = ["bodies", "vertices", "speed", "density", "boxes meet", "tested", "meeting", "began"];
    let tails = [
        "fastest rival with contacts",
        "it / clearance",
        "it / all contacts",
        "fastest rival",
        "rival / clearance",
        "1 / 2 threads",
        "broad only: 1 / 2 threads",
        "broad only: ours, parry f32",
        "ns to move a body",
        "searches a frame",
        "tests a body",
        "slope of tests",
        "bytes a body",
        "other answers",
    ];
    let columns = heads.iter().chain(&NAMES).chain(&tails).map(|name| name.to_string()).collect();
    let mut table = Table::with_columns(&title, columns);
    for (row, (config, (outcome, inside))) in outcomes.iter().enumerate() {
        let cell =
            |name: &&str| outcome.of(name).map_or("-".into(), |c| format!("{:.2}", outcome.milliseconds(c)));
        let ours = &outcome.contestants[0];
        let fastest = outcome.fastest_rival(|_| true);
        let with_contacts = outcome.fastest_rival(tells_contacts);
        let over = |rival: Option<(&str, f64)>, ours: Option<&Contestant>| {
            let ratio = rival.zip(ours).map(|((_, time), ours)| time / outcome.milliseconds(ours));
            ratio.map_or("-".into(), |ratio| format!("{ratio:.2}"))
        };
        let name = |rival: Option<(&str, f64)>| rival.map_or("-".into(), |(name, _)| name.to_string());
        // Of those that were given our boxes.
        let boxes = ["parry f32 contact", "parry f64 contact"].iter().find_map(|name| outcome.of(name));
        let differ = outcome.contestants.iter().filter(|c| c.last.meeting != ours.last.meeting);
        let differ: Vec<String> = differ.map(|c| format!("{} {}", c.name, c.last.meeting)).collect();
        let before = single_thread.map(|one| &one[row].1);
        let speedup = before.map(|(one, _)| format!("{:.2}", one.ours() / outcome.ours()));
        let broad_speedup = before.map(|(_, one)| format!("{:.2}", one.broad[0] / inside.broad[0]));
        let head = [
            config.bodies.to_string(),
            config.vertices.to_string(),
            format!("{} %, {} degrees", 100.0 * config.speed, config.degrees),
            format!("{} %", 100.0 * config.density),
            boxes.map_or(0, |c| c.last.pairs).to_string(),
            ours.last.pairs.to_string(),
            ours.last.meeting.to_string(),
            ours.last.began.to_string(),
        ];
        let tail = [
            name(with_contacts),
            over(with_contacts, Some(ours)),
            over(with_contacts, outcome.of(NAMES[1])),
            name(fastest),
            over(fastest, Some(ours)),
            speedup.unwrap_or("-".into()),
            broad_speedup.unwrap_or("-".into()),
            inside.broad.map(|time| format!("{time:.2}")).join(", "),
            format!("{:.0}", inside.moving),
            format!("{:.2}", inside.searches),
            format!("{:.1}", inside.tests),
            slope(outcomes, config, inside.tests),
            format!("{:.0}", inside.bytes as f64 / config.bodies as f64),
            differ.join(", "),
        ];
        table.row(head.into_iter().chain(NAMES.iter().map(cell)).chain(tail));
    }
    table
}
