//! What the relation of two polytopes costs where it is decided by exact signs, and how rare that is.

use clearance::Pose;
use clearance::glam::{DQuat, DVec3};
use clearance::math::Random;
use clearance::pair::{Relation, Tracker, TrackerMode};
use clearance::shape::sample::{PolytopeKind, random_direction, random_polytope};
use clearance::support::SupportMap;

/// A tracker that has seen nothing does what `relation` does, and counts.
#[test]
fn random_pairs_hardly_ever_need_exact_signs() {
    const PAIRS: u64 = 100_000;
    let mut random = Random::new(3);
    let bodies: Vec<SupportMap> = (0..200)
        .map(|i| {
            let count = [4, 12, 40, 100][i % 4];
            let kind = PolytopeKind::ALL[i / 4 % 4];
            SupportMap::new(random_polytope(kind, count, i as u64).expect("a sample"))
        })
        .collect();
    let (mut exact, mut found) = (0, [0; 3]);
    for _ in 0..PAIRS {
        let [a, b] = [0; 2].map(|_| &bodies[random.below(200) as usize]);
        let [pose_a, pose_b] = [0; 2].map(|_| {
            let turn = DQuat::from_axis_angle(random_direction(&mut random), random.range(0.0, 3.0));
            let place: DVec3 = random_direction(&mut random) * random.range(0.0, 1.5);
            Pose::from_quaternion(turn, place).expect("a pose")
        });
        let mut tracker = Tracker::new(TrackerMode::SeparatingVector);
        found[tracker.relation(a, &pose_a, b, &pose_b) as usize] += 1;
        exact += tracker.stats().exact;
    }
    println!("{exact} of {PAIRS}, {found:?}");
    assert!(exact * 1000 < PAIRS, "{exact} of {PAIRS}");
    assert!(found[Relation::Disjoint as usize] > 10_000 && found[Relation::Overlapping as usize] > 10_000);
}
