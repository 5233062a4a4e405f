//! A tracker over any sequence of poses, bodies changing under it: its answers are those of fresh queries.
#![no_main]

use clearance::pair::{Relation, Tracker, TrackerFrame, TrackerMode, relation};
use clearance_fuzz::numbers::Numbers;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut numbers = Numbers::new(data);
    let modes = [TrackerMode::SeparatingVector, TrackerMode::Gilbert, TrackerMode::Combined];
    let mut tracker = Tracker::new(modes[numbers.byte() as usize % 3]);
    let (Some(mut a), Some(b)) = (numbers.body(), numbers.body()) else { return };
    while !numbers.is_empty() {
        if numbers.byte() == 0
            && let Some(other) = numbers.body()
        {
            a = other;
        }
        let (pose_a, pose_b) = (numbers.pose(), numbers.pose());
        let found = match tracker.update(&a, &pose_a, &b, &pose_b) {
            TrackerFrame::Apart(_) => Relation::Disjoint,
            TrackerFrame::Began(contact) => contact.witness.relation(),
            TrackerFrame::Persists(relation) => relation,
        };
        assert_eq!(found, relation(&a, &pose_a, &b, &pose_b));
    }
});
