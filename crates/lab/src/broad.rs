//! Pairs of moving boxes, frame after frame: every broad phase beside parry's tree.
//!
//! Boxes move on straight lines and are reflected by the walls, so that every candidate can be given the same frames at
//! any time. Centres and halves are multiples of 2^-12, so that all coordinates, sizes and centres are f32 numbers and all
//! candidates must find the same pairs; one that does not is reported. What counts is the mean over many frames, as some candidates do much in few of them.
//!
//! `LAB_BODIES=1000,10000` runs with these numbers only.

use crate::broad_rivals::{Search, Threads, Use, double, single};
use crate::measure::numbers_of_bodies;
use crate::plot::{self, Series};
use crate::scenario;
use crate::table::Table;
use crate::turns::{self, on_one_and_two};
use clearance::Aabb;
use clearance::broad::{BroadPhase, Coherent, DynamicTree, IdPair, Mobility, Partition, SweepAndPrune};
use clearance::glam::DVec3;
use clearance::math::Random;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// What is remembered of a contestant beside its time.
#[derive(Default)]
struct Tests {
    per_body: f64,
    wrong: usize,
}

type Contestant = turns::Contestant<dyn Search, Tests>;
type Outcome = turns::Outcome<dyn Search, Tests>;

const NEIGHBOURS: [f64; 3] = [0.5, 2.0, 8.0];
/// Per cent of the mean size a frame.
const SPEEDS: [f64; 3] = [0.2, 2.0, 20.0];

/// How many bodies, how crowded, how fast.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Config {
    bodies: usize,
    neighbours: f64,
    percent: f64,
}

impl Config {
    /// Frames of a turn, and turns.
    fn effort(self) -> (usize, usize) {
        match self.bodies {
            0..=1_000 => (60, 5),
            1_001..=10_000 => (30, 2),
            10_001..=100_000 => (12, 2),
            _ => (48, 1),
        }
    }

    /// Of very many bodies those are left out that take long for a frame, or a run would take hours: three sorted axes,
    /// whose tests grow as n^(5/3), then trees that are built or asked anew.
    fn takes_part(self, name: &str) -> bool {
        let is_axes = name == "SweepAndPrune" || name == "Bullet axes";
        let is_anew = name == "DynamicTree" || name.ends_with("rebuild");
        (self.bodies <= 10_000 || !is_axes) && (self.bodies <= 100_000 || !is_anew)
    }

    fn all() -> Vec<Config> {
        let mut configs = Vec::new();
        for bodies in numbers_of_bodies(&[1_000, 10_000, 100_000, 1_000_000]) {
            for neighbours in NEIGHBOURS {
                for percent in SPEEDS {
                    // Of many bodies only one thing is changed at a time, and of very many not all.
                    let is_middle = [neighbours == 2.0, percent == 2.0];
                    if bodies <= 1_000
                        || bodies <= 100_000 && is_middle.contains(&true)
                        || is_middle == [true, true]
                        || neighbours == 2.0 && percent == 20.0
                    {
                        configs.push(Config { bodies, neighbours, percent });
                    }
                }
            }
        }
        configs
    }
}

/// The nearest multiple of 2^-12.
fn grid(v: DVec3) -> DVec3 {
    (v * 4096.0).round() / 4096.0
}

/// Boxes of about one, each on its way.
struct Swarm {
    side: f64,
    starts: Vec<DVec3>,
    velocities: Vec<DVec3>,
    halves: Vec<DVec3>,
}

impl Swarm {
    /// A cube meets those of its size whose centres lie in eight times its volume.
    fn new(config: Config) -> Swarm {
        let mut random = Random::new(17);
        let side = (8.0 * config.bodies as f64 / config.neighbours).cbrt();
        let mut vector =
            |low: f64, high: f64| DVec3::from_array(std::array::from_fn(|_| random.range(low, high)));
        let starts = (0..config.bodies).map(|_| vector(0.0, side)).collect();
        let halves = (0..config.bodies).map(|_| grid(vector(0.375, 0.625))).collect();
        let speed = config.percent / 100.0;
        let velocities = (0..config.bodies).map(|_| scenario::direction(&mut random) * speed).collect();
        Swarm { side, starts, velocities, halves }
    }

    fn bounds(&self, time: usize, out: &mut Vec<Aabb>) {
        let reflect = |x: f64| {
            let x = x.rem_euclid(2.0 * self.side);
            if x > self.side { 2.0 * self.side - x } else { x }
        };
        out.clear();
        out.extend(self.starts.iter().zip(&self.velocities).zip(&self.halves).map(
            |((&start, &velocity), &half)| {
                let moved = start + velocity * time as f64;
                let centre = grid(DVec3::new(reflect(moved.x), reflect(moved.y), reflect(moved.z)));
                Aabb { min: centre - half, max: centre + half }
            },
        ));
    }
}

/// One of ours.
struct Ours<B> {
    broad: B,
    /// Boxes compared in a frame or since the beginning.
    count: fn(&B) -> Count,
    tests: u64,
}

enum Count {
    Frame(u64),
    Total(u64),
    Unknown,
}

impl<B: BroadPhase + Default> Ours<B> {
    fn new(bounds: &[Aabb], count: fn(&B) -> Count) -> Ours<B> {
        let mut broad = B::default();
        bounds.iter().enumerate().for_each(|(id, &bound)| broad.insert(id as u32, bound, Mobility::Moving));
        Ours { broad, count, tests: 0 }
    }
}

impl<B: BroadPhase + Send> Search for Ours<B> {
    fn frame(&mut self, bounds: &[Aabb], pairs: &mut Vec<IdPair>) {
        self.broad.update_many(bounds);
        self.broad.pairs(pairs);
        match (self.count)(&self.broad) {
            Count::Frame(tests) => self.tests += tests,
            Count::Total(tests) => self.tests = tests,
            Count::Unknown => {}
        }
    }

    fn bytes(&self) -> usize {
        self.broad.bytes()
    }

    fn tests(&self) -> Option<u64> {
        (!matches!((self.count)(&self.broad), Count::Unknown)).then_some(self.tests)
    }
}

/// Those that take part, and the names of the others, which are not even made: a million bodies take room.
struct Field {
    config: Config,
    all: Vec<Contestant>,
    left_out: Vec<&'static str>,
}

impl Field {
    fn add<S: Search + 'static>(&mut self, name: &'static str, is_ours: bool, make: impl FnOnce() -> S) {
        match self.config.takes_part(name) {
            true => self.all.push(Contestant::new(name, is_ours, Box::new(make()))),
            false => self.left_out.push(name),
        }
    }

    fn add_parry(&mut self, names: [&'static str; 2], usage: Use, threads: Threads, bounds: &[Aabb]) {
        self.add(names[0], false, || single::Tree::new(usage, threads, bounds));
        self.add(names[1], false, || double::Tree::new(usage, threads, bounds));
    }
}

/// The default comes first.
fn contestants(config: Config, threads: Threads, bounds: &[Aabb]) -> Vec<Contestant> {
    let mut field = Field { config, all: Vec::new(), left_out: Vec::new() };
    let coherent = |broad: &Coherent| Count::Total(broad.stats().tests);
    field.add("Coherent", true, || Ours::<Coherent>::new(bounds, coherent));
    let partition = |broad: &Partition| Count::Frame(broad.tests());
    field.add("Partition", true, || Ours::<Partition>::new(bounds, partition));
    field.add("DynamicTree", true, || Ours::<DynamicTree>::new(bounds, |_| Count::Unknown));
    field.add("SweepAndPrune", true, || Ours::<SweepAndPrune>::new(bounds, |_| Count::Unknown));
    field.add_parry(["parry f32 improve", "parry f64 improve"], Use::Improve, threads, bounds);
    field.add_parry(["parry f32 rebuild", "parry f64 rebuild"], Use::Rebuild, threads, bounds);
    field.add_parry(["parry f32 margin", "parry f64 margin"], Use::Margin, threads, bounds);
    // They have one thread, and some take seconds for a frame of a hundred thousand.
    if threads == Threads::One && config.bodies <= 10_000 {
        for (name, manager) in crate::broad_cpp::managers(bounds) {
            field.add(name, false, || manager);
        }
    }
    // Who comes last begins, and its pairs are those that the others are compared with.
    field.add_parry(["parry f32 refit", "parry f64 refit"], Use::Refit, threads, bounds);
    if !field.left_out.is_empty() {
        eprintln!("broad: left out with {} bodies: {}", config.bodies, field.left_out.join(", "));
    }
    field.all
}

/// The contestants after their turns, and how many pairs there are in the last frame.
fn measure(config: Config, threads: Threads) -> (Outcome, usize) {
    let swarm = Swarm::new(config);
    let (mut bounds, mut pairs) = (Vec::new(), Vec::new());
    swarm.bounds(0, &mut bounds);
    let mut all = contestants(config, threads, &bounds);
    let (frames, turns) = config.effort();
    let (mut time, mut count) = (0, 0);
    for _ in 0..turns {
        let mut truth = Vec::new();
        for contestant in all.iter_mut().rev() {
            // The first frame of a turn is not timed: everyone finds its own data in the caches.
            swarm.bounds(time, &mut bounds);
            contestant.system.prepare(&bounds);
            contestant.system.frame(&bounds, &mut pairs);
            let before = contestant.system.tests();
            let mut spent = Duration::ZERO;
            for frame in 1..=frames {
                swarm.bounds(time + frame, &mut bounds);
                contestant.system.prepare(&bounds);
                let start = Instant::now();
                contestant.system.frame(black_box(&bounds), &mut pairs);
                spent += start.elapsed();
            }
            contestant.least = contestant.least.min(spent);
            let tests = contestant.system.tests().zip(before).map_or(0, |(now, before)| now - before);
            contestant.last.per_body = tests as f64 / (frames * config.bodies) as f64;
            pairs.sort_unstable();
            if truth.is_empty() {
                truth.clone_from(&pairs);
            }
            if truth != pairs {
                contestant.last.wrong += 1;
                let missing = truth.iter().filter(|pair| pairs.binary_search(pair).is_err()).count();
                let extra = pairs.iter().filter(|pair| truth.binary_search(pair).is_err()).count();
                eprintln!("broad: {}: {missing} pairs missing, {extra} too many", contestant.name);
            }
        }
        count = truth.len();
        time += frames + 1;
    }
    let outcome = Outcome { contestants: all, frames };
    let (rival, time) = fastest_rival(&outcome).unwrap_or(("-", f64::NAN));
    eprintln!("broad: {config:?}, {threads:?}: {rival} / Coherent {:.2}", time / outcome.ours());
    (outcome, count)
}

/// Those that found wrong pairs do not count.
fn fastest_rival(outcome: &Outcome) -> Option<(&'static str, f64)> {
    outcome.fastest_rival(|contestant| contestant.last.wrong == 0)
}

fn milliseconds(value: f64) -> String {
    match value {
        v if v < 1.0 => format!("{v:.3}"),
        v if v < 100.0 => format!("{v:.2}"),
        v => format!("{v:.0}"),
    }
}

/// Every contestant, also those that are left out for large numbers.
const NAMES: [&str; 18] = [
    "Coherent",
    "Partition",
    "DynamicTree",
    "SweepAndPrune",
    "parry f32 refit",
    "parry f64 refit",
    "parry f32 improve",
    "parry f64 improve",
    "parry f32 rebuild",
    "parry f64 rebuild",
    "parry f32 margin",
    "parry f64 margin",
    "Bullet tree",
    "Bullet axes",
    "FCL tree",
    "FCL tree array",
    "coal tree",
    "coal tree array",
];

type Row = (Config, (Outcome, usize));

pub fn run() -> Vec<Table> {
    let [one, two] = on_one_and_two(&Config::all(), measure);
    vec![times(&one, 1), times(&two, 2), growth(&one, &two), memory(&one)]
}

fn times(outcomes: &[Row], threads: usize) -> Table {
    let title = format!(
        "Broad phases, {threads} thread(s): milliseconds a frame; boxes of about one, neighbours of each, speed in per \
         cent of the size a frame"
    );
    let heads = ["bodies", "neighbours", "speed", "pairs"];
    let tails = ["fastest rival", "rival / Coherent", "fastest of ours", "wrong"];
    let columns = heads.iter().chain(&NAMES).chain(&tails).map(|name| name.to_string()).collect();
    let mut table = Table::with_columns(&title, columns);
    for (config, (outcome, pairs)) in outcomes {
        let cell =
            |name: &&str| outcome.of(name).map_or("-".into(), |c| milliseconds(outcome.milliseconds(c)));
        let rival = fastest_rival(outcome);
        let ours = outcome.contestants.iter().filter(|c| c.is_ours).min_by_key(|c| c.least);
        let wrong: Vec<&str> =
            outcome.contestants.iter().filter(|c| c.last.wrong > 0).map(|c| c.name).collect();
        let head = [
            config.bodies.to_string(),
            config.neighbours.to_string(),
            format!("{} %", config.percent),
            pairs.to_string(),
        ];
        let tail = [
            rival.map_or("-".into(), |(name, _)| name.to_string()),
            rival.map_or("-".into(), |(_, time)| format!("{:.2}", time / outcome.ours())),
            ours.map_or("-".into(), |c| c.name.to_string()),
            wrong.join(", "),
        ];
        table.row(head.into_iter().chain(NAMES.iter().map(cell)).chain(tail));
    }
    table.attach(&format!("broad-{threads}.svg"), picture(outcomes, threads));
    table
}

/// Nanoseconds a body at the middle density and speed.
fn picture(outcomes: &[Row], threads: usize) -> String {
    let middle = || outcomes.iter().filter(|(config, _)| config.neighbours == 2.0 && config.percent == 2.0);
    let point = |config: &Config, ms: f64| ((config.bodies as f64).log10(), ms * 1e6 / config.bodies as f64);
    let names = [
        "Coherent",
        "Partition",
        "DynamicTree",
        "parry f32 improve",
        "parry f32 margin",
        "parry f64 improve",
    ];
    let series = names.map(|name| Series {
        name: name.into(),
        points: middle()
            .filter_map(|(config, (outcome, _))| {
                outcome.of(name).map(|contestant| point(config, outcome.milliseconds(contestant)))
            })
            .collect(),
    });
    let title = format!("Broad phases, {threads} thread(s), 2 neighbours, 2 % a frame");
    plot::lines(&title, "bodies, powers of ten", "nanoseconds a body and frame", &series)
}

fn growth(one: &[Row], two: &[Row]) -> Table {
    let mut table = Table::new(
        "Boxes compared for each body and frame; the slope of all tests against bodies per decade (1 is linear, one sorted \
         axis 1.67); Coherent on one thread over two",
        &[
            "bodies",
            "neighbours",
            "speed",
            "Coherent tests",
            "slope",
            "Partition tests",
            "slope",
            "1 / 2 threads",
        ],
    );
    for ((config, (outcome, _)), (_, (parallel, _))) in one.iter().zip(two) {
        let tests = |outcome: &Outcome, name: &str| outcome.of(name).map_or(f64::NAN, |c| c.last.per_body);
        let smaller = Config { bodies: config.bodies / 10, ..*config };
        let before = one.iter().find(|(config, _)| *config == smaller);
        let slope = |name: &str| match before {
            Some((_, (before, _))) => {
                format!("{:.2}", 1.0 + (tests(outcome, name) / tests(before, name)).log10())
            }
            None => "-".into(),
        };
        table.row([
            config.bodies.to_string(),
            config.neighbours.to_string(),
            format!("{} %", config.percent),
            format!("{:.1}", tests(outcome, "Coherent")),
            slope("Coherent"),
            format!("{:.1}", tests(outcome, "Partition")),
            slope("Partition"),
            format!("{:.2}", outcome.ours() / parallel.ours()),
        ]);
    }
    table
}

fn memory(outcomes: &[Row]) -> Table {
    let columns =
        ["bodies", "neighbours", "speed"].iter().chain(&NAMES).map(|name| name.to_string()).collect();
    let title = "Bytes a body held by a broad phase after the run; of parry without the workspaces, which it does not tell";
    let mut table = Table::with_columns(title, columns);
    for (config, (outcome, _)) in outcomes {
        let bytes = |name: &&str| match outcome.of(name).map_or(0, |c| c.system.bytes()) {
            0 => "-".into(),
            bytes => format!("{:.0}", bytes as f64 / config.bodies as f64),
        };
        let head =
            [config.bodies.to_string(), config.neighbours.to_string(), format!("{} %", config.percent)];
        table.row(head.into_iter().chain(NAMES.iter().map(bytes)));
    }
    table
}
