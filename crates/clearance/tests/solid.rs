//! Meshes that meet.

use clearance::oracle::compare;

#[test]
fn explore() {
    let n: u64 = std::env::var("N").map_or(300, |n| n.parse().unwrap());
    let seed: u64 = std::env::var("SEED").map_or(1, |n| n.parse().unwrap());
    let name = std::env::var("NAME").unwrap_or_default();
    for comparison in compare::ALL
        .iter()
        .skip_while(|c| !c.name.contains("bodies of a lattice"))
        .filter(|c| c.name.contains(&name))
    {
        let start = std::time::Instant::now();
        if let Err(e) = comparison.run(seed, 0..n) {
            println!("{e}");
        }
        println!("{} {:?}", comparison.name, start.elapsed());
    }
}
