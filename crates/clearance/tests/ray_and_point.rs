use clearance::oracle::compare;

#[test]
fn compared() {
    for name in ["points are", "rays meet"] {
        let t = std::time::Instant::now();
        let c = compare::ALL.iter().find(|c| c.name.contains(name)).unwrap();
        for i in 0..3000 {
            if let Err(e) = c.run(1, i..i + 1) {
                println!("{e}");
                panic!();
            }
        }
        println!("{name} {:?}", t.elapsed());
    }
}
