//! Every randomised comparison with an oracle, for as long as asked.

use crate::table::Table;
use clearance::oracle::compare::{self, Comparison, Mismatch};
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Cases between two looks at the clock.
const BATCH: u64 = 64;

/// What to run.
pub struct Plan {
    /// Time that all comparisons share equally; some do more cases than fit into their share.
    pub time: Duration,
    /// So many cases of each instead.
    pub cases: Option<u64>,
    /// Only comparisons whose sentence contains this.
    pub only: String,
    /// Case `i` of a comparison is the same in every run with this seed.
    pub seed: u64,
}

/// Runs the comparisons in turn, each on all cores; stops at a mismatch.
pub fn run(plan: &Plan) -> Result<Table, Mismatch> {
    let chosen: Vec<&Comparison> = compare::ALL.iter().filter(|c| c.name.contains(&plan.only)).collect();
    let title = format!("Cases that agree with the oracle, seed {}", plan.seed);
    let mut table = Table::new(&title, &["comparison", "cases", "seconds"]);
    for (i, comparison) in chosen.iter().enumerate() {
        let progress = Progress {
            name: format!("{}/{} {}", i + 1, chosen.len(), comparison.name),
            start: Instant::now(),
            share: plan.cases.map_or(plan.time / chosen.len() as u32, |_| Duration::ZERO),
            least: plan.cases.unwrap_or(comparison.in_long),
            next: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
        };
        let cases = progress.run(comparison, plan.seed)?;
        let seconds = progress.start.elapsed().as_secs_f64();
        table.row([comparison.name.to_string(), cases.to_string(), format!("{seconds:.1}")]);
    }
    Ok(table)
}

/// One comparison under way: it ends when its time is up and it has done its least number of cases.
struct Progress {
    name: String,
    start: Instant,
    share: Duration,
    least: u64,
    next: AtomicU64,
    stopped: AtomicBool,
}

impl Progress {
    /// The number of cases done, all from zero on.
    fn run(&self, comparison: &Comparison, seed: u64) -> Result<u64, Mismatch> {
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        let found = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| self.work(comparison, seed))).collect();
            let watch = scope.spawn(|| self.watch());
            let join = |worker: std::thread::ScopedJoinHandle<'_, _>| {
                worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            let found: Vec<Result<(), Mismatch>> = workers.into_iter().map(join).collect();
            self.stopped.store(true, Ordering::Relaxed);
            watch.thread().unpark();
            found
        });
        self.say(&format!("{} cases\n", self.done()));
        // Whichever core found one first, the same is reported: that of the earliest case among those found.
        let mismatches = found.into_iter().filter_map(Result::err);
        mismatches.min_by_key(|mismatch| mismatch.case).map_or(Ok(self.done()), Err)
    }

    fn work(&self, comparison: &Comparison, seed: u64) -> Result<(), Mismatch> {
        while !self.stopped.load(Ordering::Relaxed) {
            let late = self.start.elapsed() >= self.share;
            let limit = if late { self.least } else { u64::MAX };
            let take = |next: u64| (next < limit).then(|| (next + BATCH).min(limit));
            let Ok(first) = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) else { break };
            let done = comparison.run(seed, first..(first + BATCH).min(limit));
            if done.is_err() {
                self.stopped.store(true, Ordering::Relaxed);
                return done;
            }
        }
        Ok(())
    }

    fn done(&self) -> u64 {
        self.next.load(Ordering::Relaxed)
    }

    /// Says once a second how far it is; less often where lines cannot be overwritten.
    fn watch(&self) {
        let pause = Duration::from_secs(if std::io::stderr().is_terminal() { 1 } else { 30 });
        loop {
            std::thread::park_timeout(pause);
            if self.stopped.load(Ordering::Relaxed) {
                return;
            }
            let (done, elapsed) = (self.done(), self.start.elapsed());
            let rate = done as f64 / elapsed.as_secs_f64();
            let for_cases = self.least.saturating_sub(done) as f64 / rate.max(1e-9);
            let left = for_cases.max(self.share.saturating_sub(elapsed).as_secs_f64());
            self.say(&format!("{done} cases, {rate:.0} a second, {left:.0} s left"));
        }
    }

    fn say(&self, what: &str) {
        let (before, after) = if std::io::stderr().is_terminal() { ("\r", "\x1b[K") } else { ("", "\n") };
        let after = if what.ends_with('\n') { "" } else { after };
        let mut stderr = std::io::stderr().lock();
        // Nobody listens: nothing to do about it.
        let _ = write!(stderr, "{before}{}: {what}{after}", self.name).and_then(|()| stderr.flush());
    }
}
