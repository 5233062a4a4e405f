//! Ours and the rivals on the same cases in one run: who is fastest, by how much, and who was wrong.

use crate::measure::nanoseconds_each;
use crate::table::Table;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A rival, ready to run over all cases.
pub struct Candidate<'a> {
    pub name: String,
    /// Asks about every case once.
    pub pass: Box<dyn FnMut() + 'a>,
    /// How many of the cases it answers wrongly.
    pub wrong: usize,
    /// Whether it is what its makers offer; otherwise it is shown and does not count as the fastest.
    pub counts: bool,
}

impl<'a> Candidate<'a> {
    /// A rival that is asked about cases by their number.
    pub fn new<T>(
        name: &str,
        cases: usize,
        ask: impl Fn(usize) -> T + 'a,
        is_right: impl Fn(usize, T) -> bool,
    ) -> Candidate<'a> {
        let wrong = (0..cases).filter(|&i| !is_right(i, ask(i))).count();
        let pass = move || (0..cases).for_each(|i| _ = black_box(ask(black_box(i))));
        Candidate { name: name.into(), pass: Box::new(pass), wrong, counts: true }
    }
}

/// Who took how long, in nanoseconds a case.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub ours: f64,
    pub rivals: Vec<Entry>,
    cases: usize,
}

/// A rival's result.
#[derive(Clone, Debug)]
pub struct Entry {
    pub name: String,
    pub nanoseconds: f64,
    pub wrong: usize,
    pub counts: bool,
}

/// Rivals that are wrong in more than one case of so many do not count as the fastest.
const WRONG_IN: usize = 10;

/// Passes of a turn go on for so long.
const TURN: Duration = Duration::from_millis(1);

/// Times passes of each, candidates taking turns so that all see the same load; the least of some rounds counts.
///
/// A turn begins with a pass that is not timed: every candidate finds its own data in the caches, as in a program that
/// uses one of them, and not those of the candidate before it.
pub fn contest(
    rounds: usize,
    cases: usize,
    mut ours: impl FnMut(),
    mut rivals: Vec<Candidate<'_>>,
) -> Outcome {
    let mut least = vec![Duration::MAX; rivals.len() + 1];
    for _ in 0..rounds {
        let passes = rivals.iter_mut().map(|rival| &mut *rival.pass as &mut dyn FnMut());
        for (pass, best) in std::iter::once(&mut ours as &mut dyn FnMut()).chain(passes).zip(&mut least) {
            pass();
            *best = (*best).min(turn(pass));
        }
    }
    let each = |i: usize| nanoseconds_each(least[i], cases);
    let entries = rivals.iter().enumerate().map(|(i, rival)| Entry {
        name: rival.name.clone(),
        nanoseconds: each(i + 1),
        wrong: rival.wrong,
        counts: rival.counts,
    });
    Outcome { ours: each(0), rivals: entries.collect(), cases }
}

/// The least time of one pass in a turn.
fn turn(pass: &mut dyn FnMut()) -> Duration {
    let begin = Instant::now();
    let mut least = Duration::MAX;
    while begin.elapsed() < TURN {
        let start = Instant::now();
        pass();
        least = least.min(start.elapsed());
    }
    least
}

impl Outcome {
    /// The fastest rival whose answers can be used.
    pub fn fastest(&self) -> Option<&Entry> {
        let right = self.rivals.iter().filter(|rival| rival.counts && rival.wrong * WRONG_IN <= self.cases);
        right.min_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds))
    }

    fn rival(&self, name: &str) -> Option<&Entry> {
        self.rivals.iter().find(|rival| rival.name == name)
    }

    /// Times of rivals by name, the fastest, its time over ours, and who was wrong how often.
    pub fn cells(&self, names: &[String]) -> Vec<String> {
        let time = |rival: &Entry| format!("{:.0}", rival.nanoseconds);
        let times = names.iter().map(|name| self.rival(name).map_or("-".into(), time));
        let wrong = self.rivals.iter().filter(|rival| rival.wrong > 0);
        let wrong: Vec<String> = wrong.map(|rival| format!("{} {}", rival.name, rival.wrong)).collect();
        times.chain(self.verdict()).chain([wrong.join(", ")]).collect()
    }

    fn verdict(&self) -> [String; 2] {
        match self.fastest() {
            Some(rival) => [rival.name.clone(), format!("{:.1}", rival.nanoseconds / self.ours)],
            None => ["-".into(), "-".into()],
        }
    }

    /// The median of each over several outcomes with the same rivals.
    fn median(outcomes: &[Outcome]) -> Outcome {
        let middle = |of: &dyn Fn(&Outcome) -> f64| {
            let mut sorted: Vec<f64> = outcomes.iter().map(of).collect();
            sorted.sort_by(f64::total_cmp);
            sorted[sorted.len() / 2]
        };
        let rivals = outcomes[0].rivals.iter().map(|rival| Entry {
            name: rival.name.clone(),
            nanoseconds: middle(&|o| o.rival(&rival.name).map_or(f64::INFINITY, |same| same.nanoseconds)),
            wrong: outcomes.iter().filter_map(|o| o.rival(&rival.name)).map(|same| same.wrong).sum(),
            counts: rival.counts,
        });
        let cases = outcomes.iter().map(|o| o.cases).sum();
        Outcome { ours: middle(&|o| o.ours), rivals: rivals.collect(), cases }
    }
}

/// A table with a row for each outcome, and one with medians over the kinds of shapes.
pub struct Contests {
    title: String,
    heads: Vec<String>,
    rows: Vec<(String, Vec<String>, Outcome, Vec<String>)>,
    extras: Vec<String>,
}

impl Contests {
    /// Empty tables: `heads` name what a row is about besides the kind of shape, `extras` what else is counted.
    pub fn new(title: &str, heads: &[&str], extras: &[&str]) -> Contests {
        let owned = |names: &[&str]| names.iter().map(|n| n.to_string()).collect();
        Contests { title: title.into(), heads: owned(heads), rows: Vec::new(), extras: owned(extras) }
    }

    /// Adds a row.
    pub fn add(&mut self, kind: &str, head: Vec<String>, outcome: Outcome, extras: Vec<String>) {
        self.rows.push((kind.into(), head, outcome, extras));
    }

    /// All rivals; some take no bodies of many vertices.
    fn rivals(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for rival in self.rows.iter().flat_map(|row| &row.2.rivals) {
            if !names.contains(&rival.name) {
                names.push(rival.name.clone());
            }
        }
        names
    }

    /// Both tables.
    pub fn tables(self) -> Vec<Table> {
        let names = self.rivals();
        let last = ["fastest rival", "rival / clearance", "wrong"].map(String::from);
        let results = std::iter::once("clearance".to_string()).chain(names.iter().cloned()).chain(last);
        let common: Vec<String> = self.heads.iter().cloned().chain(results).collect();
        let columns = |more: &[String]| -> Vec<String> { [&common, more].concat() };
        let all: Vec<String> = ["shape".to_string()].into_iter().chain(columns(&self.extras)).collect();
        let mut single = Table::with_columns(&self.title, all);
        let mut median =
            Table::with_columns(&format!("{}: medians over the kinds of shapes", self.title), columns(&[]));
        let line = |head: &[String], outcome: &Outcome| {
            [head, &[format!("{:.0}", outcome.ours)], &outcome.cells(&names)].concat()
        };
        let mut seen: Vec<&Vec<String>> = Vec::new();
        for (kind, head, outcome, extras) in &self.rows {
            single.row([std::slice::from_ref(kind), &line(head, outcome), extras].concat());
            if !seen.contains(&head) {
                seen.push(head);
            }
        }
        for head in seen {
            let same = self.rows.iter().filter(|row| row.1 == *head).map(|row| row.2.clone());
            median.row(line(head, &Outcome::median(&same.collect::<Vec<_>>())));
        }
        vec![single, median]
    }
}
