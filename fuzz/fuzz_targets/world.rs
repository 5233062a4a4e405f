//! A world under any operations: its events are those of relating all pairs in every step.
//!
//! The first byte chooses between a life as the tests have it (bodies of all kinds, groups, ignored pairs, snapshots,
//! questions), where bytes decide instead of chance, and polytopes with any corners at any places.
#![no_main]

use clearance::Pose;
use clearance::oracle::world::live;
use clearance::pair::{ConvexRelation, Relation, relation};
use clearance::support::SupportMap;
use clearance::world::{BodyId, Change, NewBody, ShapeHandle, World};
use clearance_fuzz::numbers::Numbers;
use libfuzzer_sys::fuzz_target;
use std::collections::{BTreeMap, BTreeSet};

/// More make the naive side slow, and nothing new.
const MOST: usize = 12;

fuzz_target!(|data: &[u8]| {
    let mut numbers = Numbers::new(data);
    match numbers.byte() % 2 {
        0 => live(&mut numbers).unwrap_or_else(|difference| panic!("{difference}")),
        _ => fly_polytopes(&mut numbers),
    }
});

fn fly_polytopes(numbers: &mut Numbers<'_>) {
    let mut world = World::default();
    let mut bodies: BTreeMap<BodyId, (SupportMap, Pose, bool)> = BTreeMap::new();
    let mut met: BTreeSet<(BodyId, BodyId)> = BTreeSet::new();
    while !numbers.is_empty() {
        let (operation, which) = (numbers.byte() % 8, numbers.byte() as usize);
        let some = bodies.keys().nth(which % bodies.len().max(1)).copied();
        match (operation, some) {
            (0, _) if bodies.len() < MOST => {
                let Some(map) = numbers.body() else { continue };
                let (shape, pose) = (ShapeHandle::from(map.polytope().clone()), numbers.pose());
                let moves = which % 4 != 0;
                let new = if moves { NewBody::moving(&shape, pose) } else { NewBody::fixed(&shape, pose) };
                bodies.insert(world.add(new), (map, pose, moves));
            }
            (1, Some(id)) => {
                bodies.remove(&id);
                world.remove(id).expect("a body that is there");
                assert!(world.remove(id).is_err());
            }
            (2, _) => step(&mut world, &bodies, &mut met),
            (3, Some(id)) => {
                let pose = numbers.pose();
                let hits = world.would_meet(id, &pose).expect("polytopes");
                let mut placed = bodies.clone();
                // What if leaves mobility out.
                let placed_body = placed.get_mut(&id).expect("a body");
                (placed_body.1, placed_body.2) = (pose, true);
                let want: Vec<BodyId> =
                    placed.keys().copied().filter(|&other| other != id && meet(&placed, id, other)).collect();
                assert_eq!(hits, want);
            }
            (4, Some(id)) => {
                let pose = numbers.pose();
                bodies.get_mut(&id).expect("a body").1 = pose;
                world.teleport(id, pose).expect("a body that is there");
            }
            (5, Some(id)) => {
                let pose = numbers.pose();
                bodies.get_mut(&id).expect("a body").1 = pose;
                world.move_all(&[(id, pose)]).expect("a body that is there");
            }
            (_, Some(id)) => {
                let pose = numbers.pose();
                bodies.get_mut(&id).expect("a body").1 = pose;
                world.move_to(id, pose).expect("a body that is there");
            }
            _ => {}
        }
    }
    step(&mut world, &bodies, &mut met);
}

fn meet(bodies: &BTreeMap<BodyId, (SupportMap, Pose, bool)>, a: BodyId, b: BodyId) -> bool {
    let ((x, pose_a, moves_a), (y, pose_b, moves_b)) = (&bodies[&a], &bodies[&b]);
    (*moves_a || *moves_b) && relation(x, pose_a, y, pose_b) != Relation::Disjoint
}

fn step(
    world: &mut World,
    bodies: &BTreeMap<BodyId, (SupportMap, Pose, bool)>,
    met: &mut BTreeSet<(BodyId, BodyId)>,
) {
    let ids: Vec<BodyId> = bodies.keys().copied().collect();
    let pairs = ids.iter().enumerate().flat_map(|(i, &a)| ids[i + 1..].iter().map(move |&b| (a, b)));
    let now: BTreeSet<(BodyId, BodyId)> = pairs.filter(|&(a, b)| meet(bodies, a, b)).collect();
    let (mut began, mut ended, mut persists) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let frame = world.step();
    assert!(frame.failures.is_empty());
    for event in frame.events {
        let pair = (event.a, event.b);
        let is_first = match &event.change {
            Change::Began(contact) => {
                assert_ne!(contact.relation, ConvexRelation::Exact(Relation::Disjoint));
                began.insert(pair)
            }
            Change::Persists(_) => persists.insert(pair),
            Change::Ended(_) => ended.insert(pair),
            Change::Approached | Change::Receded(_) => panic!("there is no watch radius"),
        };
        assert!(is_first);
    }
    assert_eq!(began, now.difference(met).copied().collect());
    assert_eq!(persists, now.intersection(met).copied().collect());
    assert_eq!(ended, met.difference(&now).copied().collect());
    *met = now;
}
