//! Triangles against exact oracles, and cases whose answers are plain to see.

use clearance::oracle::compare;

#[test]
fn explore() {
    let n: u64 = std::env::var("N").map_or(1000, |n| n.parse().unwrap());
    let seed: u64 = std::env::var("SEED").map_or(1, |n| n.parse().unwrap());
    for comparison in compare::ALL.iter().filter(|c| c.name.contains("triangles")) {
        let start = std::time::Instant::now();
        if let Err(e) = comparison.run(seed, 0..n) {
            panic!("{e}");
        }
        println!("{} {:?}", comparison.name, start.elapsed());
    }
}
