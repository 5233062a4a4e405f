//! Single questions, nothing remembered, all libraries in the same minute.

use super::query::Query;
use super::scene::{Bodies, Regime, Scene};
use crate::measure::nanoseconds_each;
use crate::mesh_rivals;
use crate::table::Table;
use clearance::math::Random;
use clearance::mesh::MeshCache;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Independent poses in a regime.
pub const POSES: usize = 40;
/// Turns of all, in which we run five times and rivals once.
const TURNS: usize = 5;
const OURS_IN_A_TURN: usize = 5;

pub fn table(pairs: &[Bodies]) -> Table {
    let rivals = mesh_rivals::installed().into_iter().map(|rival| rival.name());
    let names: Vec<&str> = ["parry f64"].into_iter().chain(rivals).collect();
    let head = ["bodies", "regime", "query", "clearance"];
    let tail =
        ["fastest rival", "rival / clearance", "box pairs", "triangle pairs", "triangles in f64", "wrong"];
    let columns = head.into_iter().chain(names).chain(tail).map(String::from).collect();
    let title = format!(
        "Microseconds a query, cold: least of {} passes over {POSES} poses, of rivals {TURNS} (parry one over fewer)",
        TURNS * OURS_IN_A_TURN
    );
    let mut table = Table::with_columns(&title, columns);
    for bodies in pairs {
        let cast = Cast::new(bodies);
        for regime in Regime::ALL {
            let scenes = bodies.scenes(regime, POSES, &mut Random::new(7));
            for query in Query::ALL {
                table.row(cast.row(regime, &scenes, query));
            }
        }
    }
    table
}

/// The same two bodies in the forms of all libraries.
struct Cast<'a> {
    bodies: &'a Bodies,
    rivals: Vec<(&'static str, [mesh_rivals::Body; 2])>,
}

impl<'a> Cast<'a> {
    fn new(bodies: &'a Bodies) -> Cast<'a> {
        let rivals = mesh_rivals::installed().into_iter().map(|rival| {
            let [a, b] = [&bodies.a, &bodies.b].map(|body| rival.body(&body.soup).expect("a tree"));
            (rival.name(), [a, b])
        });
        Cast { bodies, rivals: rivals.collect() }
    }

    fn row(&self, regime: Regime, scenes: &[Scene], query: Query) -> Vec<String> {
        let mut cache = MeshCache::default();
        let mut ask = |scene: &Scene| {
            cache.forget();
            query.ours(self.bodies, scene, &mut cache)
        };
        let answers: Vec<f64> = scenes.iter().map(&mut ask).collect();
        let mut rivals = vec![self.parry(query, scenes)];
        rivals.extend(self.rivals.iter().map(|(name, bodies)| self.rival(query, name, bodies, scenes)));
        let mut ours = Duration::MAX;
        for turn in 0..TURNS {
            for _ in 0..OURS_IN_A_TURN {
                ours = ours.min(timed(|| scenes.iter().for_each(|scene| _ = black_box(ask(scene)))));
            }
            rivals.iter_mut().for_each(|rival| rival.run(turn));
        }
        let ours = 1e-3 * nanoseconds_each(ours, scenes.len());
        let stats = cache.stats();
        let passes = 1 + TURNS * OURS_IN_A_TURN;
        let mean = |count: u64| format!("{:.0}", count as f64 / (scenes.len() * passes) as f64);
        let head = [self.bodies.name.clone(), regime.name(), query.name().into(), format!("{ours:.2}")];
        let times = rivals.iter().map(|rival| number(rival.microseconds()));
        let counts = [stats.node_pairs, stats.triangle_pairs, stats.visits].map(mean);
        let wrong = self.wrong(&rivals, &answers);
        let tail = verdict(&rivals, &wrong, ours).into_iter().chain(counts);
        head.into_iter().chain(times).chain(tail).chain([named(&rivals, &wrong)]).collect()
    }

    fn parry<'b>(&'b self, query: Query, scenes: &'b [Scene]) -> Rival<'b> {
        let ask = move |i: usize| query.parry(self.bodies, &scenes[i]);
        Rival::new("parry f64", query.parry_scenes(scenes.len()), 1, Box::new(ask))
    }

    fn rival<'b>(
        &'b self,
        query: Query,
        name: &'static str,
        [a, b]: &'b [mesh_rivals::Body; 2],
        scenes: &[Scene],
    ) -> Rival<'b> {
        let pairs: Vec<_> = scenes.iter().map(|scene| a.with(&scene.a.pose, b, &scene.b.pose)).collect();
        let (count, tolerance) = (pairs.len(), self.bodies.tolerance());
        Rival::new(name, count, TURNS, Box::new(move |i| query.rival(&pairs[i], tolerance)))
    }

    /// How often each answered unlike us: a distance by more than a millionth of the unit.
    fn wrong(&self, rivals: &[Rival<'_>], answers: &[f64]) -> Vec<usize> {
        let differs = |(theirs, ours): (&Option<f64>, &f64)| {
            theirs.is_none_or(|theirs| (theirs - ours).abs() > 1e-6 * self.bodies.unit)
        };
        let count =
            |rival: &Rival<'_>| rival.answers.iter().zip(answers).filter(|pair| differs(*pair)).count();
        rivals.iter().map(count).collect()
    }
}

/// The wrong ones by name.
fn named(rivals: &[Rival<'_>], wrong: &[usize]) -> String {
    let some = rivals.iter().zip(wrong).filter(|(_, count)| **count > 0);
    let texts = some.map(|(rival, count)| format!("{} {count} of {}", rival.name, rival.answers.len()));
    texts.collect::<Vec<_>>().join(", ")
}

/// Someone who is asked about scenes by their numbers.
struct Rival<'a> {
    name: &'static str,
    ask: Box<dyn Fn(usize) -> Option<f64> + 'a>,
    /// Its answers; none if it has no such question.
    answers: Vec<Option<f64>>,
    turns: usize,
    least: Duration,
}

impl<'a> Rival<'a> {
    fn new(
        name: &'static str,
        scenes: usize,
        turns: usize,
        ask: Box<dyn Fn(usize) -> Option<f64> + 'a>,
    ) -> Rival<'a> {
        // Parry is slow enough for its first answers to be its time.
        let start = Instant::now();
        let mut answers: Vec<Option<f64>> = (0..scenes).map(&ask).collect();
        let mut least = if turns > 1 { Duration::MAX } else { start.elapsed() };
        if answers.iter().all(Option::is_none) {
            (answers, least) = (Vec::new(), Duration::MAX);
        }
        Rival { name, ask, answers, turns, least }
    }

    fn run(&mut self, turn: usize) {
        if self.turns > 1 && turn < self.turns && !self.answers.is_empty() {
            let (ask, scenes) = (&self.ask, self.answers.len());
            let time = timed(|| (0..scenes).for_each(|i| _ = black_box(ask(black_box(i)))));
            self.least = self.least.min(time);
        }
    }

    fn microseconds(&self) -> f64 {
        match self.answers.len() {
            0 => f64::NAN,
            scenes => 1e-3 * nanoseconds_each(self.least, scenes),
        }
    }
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// Rivals that are wrong in more than one case of so many do not count as the fastest.
const WRONG_IN: usize = 10;

/// The fastest by name, and its time over ours.
fn verdict(rivals: &[Rival<'_>], wrong: &[usize], ours: f64) -> [String; 2] {
    let usable = rivals.iter().zip(wrong).filter(|(rival, wrong)| *wrong * WRONG_IN <= rival.answers.len());
    let timed = usable.map(|(rival, _)| rival).filter(|rival| !rival.microseconds().is_nan());
    match timed.min_by(|a, b| a.microseconds().total_cmp(&b.microseconds())) {
        Some(rival) => [rival.name.into(), format!("{:.1}", rival.microseconds() / ours)],
        None => ["-".into(), "-".into()],
    }
}

fn number(x: f64) -> String {
    if x.is_nan() { "-".into() } else { format!("{x:.1}") }
}
