//! Two polytopes of any points under any poses: relation, witness, distance and depth agree, and nothing panics.
#![no_main]

use clearance::pair::{Relation, distance, penetration, relation, relation_with_witness, within};
use clearance::witness::PosedPair;
use clearance_fuzz::numbers::Numbers;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut numbers = Numbers::new(data);
    let (Some(a), Some(b)) = (numbers.body(), numbers.body()) else { return };
    let (pose_a, pose_b) = (numbers.pose(), numbers.pose());
    let witness = relation_with_witness(&a, &pose_a, &b, &pose_b);
    let pair = PosedPair { a: a.polytope(), pose_a: &pose_a, b: b.polytope(), pose_b: &pose_b };
    witness.check(&pair).expect("a witness proves its relation");
    let found = witness.relation();
    assert_eq!(relation(&a, &pose_a, &b, &pose_b), found);
    assert_eq!(relation(&b, &pose_b, &a, &pose_a), found, "swapped");
    let apart = distance(&a, &pose_a, &b, &pose_b);
    assert!(apart.lower <= apart.upper);
    assert_eq!(apart.upper > 0.0, found == Relation::Disjoint);
    assert!(within(&a, &pose_a, &b, &pose_b, apart.upper));
    let depth = penetration(&a, &pose_a, &b, &pose_b);
    assert_eq!(depth.is_some(), found == Relation::Overlapping);
    assert!(depth.is_none_or(|d| d.lower <= d.upper));
});
