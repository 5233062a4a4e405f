//! A fixed number of cases of every randomised comparison; `cargo xtask long` runs many more.

use clearance::oracle::compare;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Enough that the predicates see more than a million cases together.
fn cases(name: &str) -> u64 {
    match name {
        "orient2d is exact" | "orient3d is exact" => 350_000,
        name if name.contains("under two poses") => 200_000,
        "the relation of two polytopes is exact" => 100_000,
        "distances lie in their brackets, which are narrow" => 2_000,
        "hulls are those of brute force" => 10_000,
        "penetration depths are bracketed" | "realigned hulls are the linear program or above it" => 250,
        _ => 1_000,
    }
}

/// Cases that one thread takes at a time.
const CHUNK: u64 = 250;

#[test]
fn every_algorithm_agrees_with_its_oracle() {
    let chunks = compare::ALL.iter().flat_map(|comparison| {
        let end = cases(comparison.name);
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
    let wrong = compare::Comparison { name: "one is two", case: |_| compare::same(1, 2, || "one".into()) };
    let message = wrong.run(5, 3..9).unwrap_err().to_string();
    assert_eq!(message, "not so: one is two (seed 5, case 3): got 1, the oracle says 2, for one");
}
