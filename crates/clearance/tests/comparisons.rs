//! A fixed number of cases of every randomised comparison; `cargo xtask long` runs many more.

use clearance::oracle::compare;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Cases that one thread takes at a time.
const CHUNK: u64 = 250;

#[test]
fn every_algorithm_agrees_with_its_oracle() {
    let chunks = compare::ALL.iter().flat_map(|comparison| {
        let end = comparison.in_tests;
        (0..end.div_ceil(CHUNK)).map(move |i| (comparison, i * CHUNK..end.min((i + 1) * CHUNK)))
    });
    let (chunks, next) = (chunks.collect::<Vec<_>>(), AtomicUsize::new(0));
    let work = || {
        while let Some((comparison, range)) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(mismatch) = comparison.run(1, range.clone()) {
                panic!("{mismatch}");
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
}

#[test]
fn a_comparison_can_fail_and_says_where() {
    let wrong = compare::Comparison::new("one is two", |_| compare::same(1, 2, || "one".into()));
    let message = wrong.run(5, 3..9).unwrap_err().to_string();
    assert_eq!(message, "not so: one is two (seed 5, case 3): got 1, the oracle says 2, for one");
}
