//! When and where translating bodies first meet. Random and hostile pairs are in `oracle::compare`; here are the cases with
//! a name.

use clearance::oracle::compare::ALL;

/// A part of a comparison, with another seed than the list runs with.
fn run(name: &str, cases: u64) {
    let comparison = ALL.iter().find(|c| c.name.starts_with(name)).expect("in the list");
    if let Err(mismatch) = comparison.run(7, 0..cases) {
        panic!("{mismatch}");
    }
}

#[test]
fn polytopes_meet_when_all_directions_say() {
    run("translating polytopes", 2_000);
}

#[test]
fn round_bodies_meet_at_the_time_told() {
    run("translating round bodies", 200);
}

#[test]
fn surfaces_meet_when_their_triangles_do() {
    run("translating surfaces", 1_000);
}

#[test]
fn convex_solids_meet_as_polytopes() {
    run("translating convex solids", 300);
}
