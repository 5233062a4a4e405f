//! Robot links and FCL's pair under a hundred random poses: answers are those of trying every pair of triangles.
//! `cargo xtask long` does thousands.

use clearance::math::Random;
use clearance::oracle::real_mesh;
use clearance::pair::Relation;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

const POSES: u64 = 100;

#[test]
fn real_meshes_answer_as_all_pairs_of_their_triangles_do() {
    if real_mesh::folder().is_none() {
        println!("skipped: no sample data; set CLEARANCE_DATA to its folder");
        return;
    }
    let (next, relations) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(case) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&case| case < POSES) {
            match real_mesh::answered(&mut Random::new(case)) {
                Ok(relation) => relations.lock().expect("no panic").extend(relation),
                Err(what) => panic!("case {case}: {what}"),
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let relations = relations.into_inner().expect("no panic");
    let count = |relation: Relation| relations.iter().filter(|&&found| found == relation).count();
    let (disjoint, overlapping) = (count(Relation::Disjoint), count(Relation::Overlapping));
    println!("{disjoint} disjoint, {overlapping} overlapping of {}", relations.len());
    assert_eq!(relations.len() as u64, POSES);
    assert!(disjoint > 20 && overlapping > 20, "{disjoint} {overlapping}");
}
