//! A tracker over any sequence of poses, near each other or not, bodies changing under it: its answers are those of fresh queries.
#![no_main]

use clearance::pair::{Relation, Tracker, TrackerMode, penetration, relation};
use clearance_fuzz::numbers::Numbers;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut numbers = Numbers::new(data);
    let modes = [TrackerMode::SeparatingVector, TrackerMode::Gilbert, TrackerMode::Combined];
    let mut tracker = Tracker::new(modes[numbers.byte() as usize % 3]);
    let (Some(mut a), Some(mut b)) = (numbers.body(), numbers.body()) else { return };
    let (mut pose_a, mut pose_b) = (numbers.pose(), numbers.pose());
    while !numbers.is_empty() {
        let choice = numbers.byte();
        match choice % 16 {
            0 => a = numbers.body().unwrap_or(a),
            1 => b = numbers.body().unwrap_or(b),
            2 => (pose_a, pose_b) = (numbers.pose(), numbers.pose()),
            3 => pose_a = numbers.pose_near(&pose_a),
            4 => (pose_a, pose_b) = (numbers.pose_near(&pose_a), numbers.pose_near(&pose_b)),
            // Frames in which nothing moves: balls are put up.
            5 => {}
            _ => pose_b = numbers.pose_near(&pose_b),
        }
        let want = relation(&a, &pose_a, &b, &pose_b);
        match choice / 16 % 4 {
            0 => assert_eq!(tracker.relation(&a, &pose_a, &b, &pose_b), want),
            _ => assert_eq!(tracker.update(&a, &pose_a, &b, &pose_b).relation(), want),
        }
        if choice / 64 == 0 {
            let depth = tracker.penetration(&a, &pose_a, &b, &pose_b);
            assert_eq!(depth.is_some(), want == Relation::Overlapping);
            let fresh = penetration(&a, &pose_a, &b, &pose_b);
            // Both brackets hold the depth.
            assert!(depth.zip(fresh).is_none_or(|(d, f)| d.lower <= f.upper && f.lower <= d.upper));
        }
    }
});
