//! Penetration depth: brackets that hold the exact depth.

use clearance::oracle::compare;

#[test]
fn compared() {
    let c = compare::ALL.iter().find(|c| c.name.contains("penetration")).unwrap();
    for i in 0..3000 {
        let t = std::time::Instant::now();
        if let Err(e) = c.run(1, i..i + 1) {
            println!("{e}");
            panic!();
        }
    }
}
