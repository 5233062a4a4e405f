//! Every randomised comparison with an oracle, for as long as asked.

use crate::table::Table;
use clearance::oracle::compare;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Cases between two looks at the clock.
const BATCH: u64 = 64;

/// Runs all comparisons in turn, each for an equal share of the time on all cores; stops at a mismatch.
pub fn run(minutes: u64, seed: u64) -> Result<Table, compare::Mismatch> {
    let share = Duration::from_secs(60 * minutes) / compare::ALL.len() as u32;
    let mut table =
        Table::new(&format!("Cases that agree with the oracle, seed {seed}"), &["comparison", "cases"]);
    for comparison in compare::ALL {
        let cases = run_one(comparison, seed, share)?;
        eprintln!("{cases:>12} {}", comparison.name);
        table.row([comparison.name.to_string(), cases.to_string()]);
    }
    Ok(table)
}

fn run_one(comparison: &compare::Comparison, seed: u64, share: Duration) -> Result<u64, compare::Mismatch> {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let (next, start) = (AtomicU64::new(0), Instant::now());
    std::thread::scope(|scope| {
        let work = || {
            while start.elapsed() < share {
                let first = next.fetch_add(BATCH, Ordering::Relaxed);
                comparison.run(seed, first..first + BATCH)?;
            }
            Ok(())
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|w| w.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    Ok(next.into_inner())
}
