//! Searches for pairs against brute force, and how much they look at.

use clearance::oracle::compare;

#[test]
fn every_search_finds_the_pairs_of_brute_force() {
    let name = "every broad phase finds the pairs of brute force";
    let comparison = compare::ALL.iter().find(|comparison| comparison.name == name).expect("in the list");
    if let Err(mismatch) = comparison.run(7, 0..600) {
        panic!("{mismatch}");
    }
}
