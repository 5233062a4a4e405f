//! A fixed number of cases of every randomised comparison; `cargo xtask long` runs many more.

use clearance::oracle::compare;

/// Enough that the predicates see more than a million cases together.
fn cases(name: &str) -> u64 {
    match name {
        "orient2d is exact" | "orient3d is exact" => 350_000,
        name if name.contains("under two poses") => 200_000,
        "distances lie in their brackets, which are narrow" => 2_000,
        "hulls are those of brute force" => 10_000,
        "penetration depths are bracketed" => 250,
        _ => 1_000,
    }
}

#[test]
fn every_algorithm_agrees_with_its_oracle() {
    std::thread::scope(|scope| {
        for comparison in compare::ALL {
            scope.spawn(|| {
                if let Err(mismatch) = comparison.run(1, 0..cases(comparison.name)) {
                    panic!("{mismatch}");
                }
            });
        }
    });
}

#[test]
fn a_comparison_can_fail_and_says_where() {
    let wrong = compare::Comparison { name: "one is two", case: |_| compare::same(1, 2, || "one".into()) };
    let message = wrong.run(5, 3..9).unwrap_err().to_string();
    assert_eq!(message, "not so: one is two (seed 5, case 3): got 1, the oracle says 2, for one");
}
