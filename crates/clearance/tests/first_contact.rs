//! When and where translating bodies first meet. Random and hostile pairs are in `oracle::compare`; here are the cases with
//! a name.

use clearance::oracle::compare::ALL;

#[test]
fn polytopes_meet_when_all_directions_say() {
    let comparison = ALL.iter().find(|c| c.name.starts_with("translating polytopes")).expect("in the list");
    if let Err(mismatch) = comparison.run(7, 0..4_000) {
        panic!("{mismatch}");
    }
}
