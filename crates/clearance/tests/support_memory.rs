//! What prepared polytopes hold is what the documentation says; counted by the allocator.
//!
//! One test alone: all threads of a process count the same bytes.

mod counting;

use clearance::shape::Polytope;
use clearance::shape::sample::{PolytopeKind, bipyramid, cone, disc, random_polytope};
use clearance::support::{HWalk, Hierarchy, SupportMap};
use counting::LIVE;
use std::sync::atomic::Ordering;

/// What is made, and the bytes that it holds, those of the value itself among them.
fn weighed<T>(make: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.load(Ordering::Relaxed);
    let made = make();
    let held = LIVE.load(Ordering::Relaxed) - before + size_of::<T>();
    (made, held)
}

/// A vertex raised over every face: degrees double, and those of the new vertices are 3.
fn raised(polytope: &Polytope) -> Polytope {
    let vertices = polytope.vertices();
    let middle = |face: &[u32]| {
        let [a, b, c] = [0, 1, 2].map(|i| vertices[face[i] as usize]);
        (a + b + c) / 3.0 * (1.0 + 1e-5)
    };
    let points: Vec<_> = vertices.iter().copied().chain(polytope.faces().map(middle)).collect();
    Polytope::hull(&points).expect("points within limits")
}

type Maker = Box<dyn Fn(usize) -> Polytope>;

fn shapes() -> Vec<(String, Maker)> {
    let mut all: Vec<(String, Maker)> = Vec::new();
    for kind in PolytopeKind::ALL {
        let make = move |n: usize| random_polytope(kind, n as u32, 1).expect("a sample");
        all.push((format!("{kind:?}"), Box::new(make)));
    }
    let kleetope =
        |n: usize| raised(&random_polytope(PolytopeKind::Ellipsoid, n as u32 / 3 + 4, 1).expect("a sample"));
    all.push(("cone".into(), Box::new(|n| cone(n as u32, 1.0, 1.0).expect("a sample"))));
    all.push(("bipyramid".into(), Box::new(|n| bipyramid(n as u32, 1.0, 1.0).expect("a sample"))));
    all.push(("prism".into(), Box::new(|n| disc(n as u32, 1.0, 0.1).expect("a sample"))));
    all.push(("polygon".into(), Box::new(|n| disc(n as u32, 1.0, 0.0).expect("a sample"))));
    all.push(("kleetope".into(), Box::new(kleetope)));
    all
}

const COUNTS: [usize; 13] = [8, 20, 64, 65, 100, 128, 256, 500, 700, 1000, 4000, 5000, 50_000];

/// The figures stand at [`SupportMap`], [`Hierarchy`], [`HWalk`] and in `docs/relate.md`. Prints a table of bytes a vertex.
#[test]
fn bodies_take_what_is_stated() {
    println!("| body | vertices | polytope | prepared | and hierarchy | and H-Walk |");
    for (name, make) in shapes() {
        for count in COUNTS {
            check(&name, &make, count);
        }
    }
}

fn check(name: &str, make: &Maker, count: usize) {
    let (map, prepared) = weighed(|| SupportMap::new(make(count)));
    let (copy, polytope) = weighed(|| map.polytope().clone());
    let (hierarchy, beside) = weighed(|| Hierarchy::build(map.polytope()));
    let (walk, walked) = weighed(|| HWalk::build(map.polytope()));
    let n = map.polytope().vertices().len();
    let each = |bytes: usize| bytes as f64 / n as f64;
    let figures = [polytope, prepared, prepared + beside, prepared + walked].map(each);
    println!(
        "| {name} | {n} | {:.1} | {:.1} | {:.1} | {:.1} |",
        figures[0], figures[1], figures[2], figures[3]
    );
    let told = [map.bytes(), hierarchy.bytes(), walk.bytes()];
    assert_eq!(told, [prepared, beside, walked], "{name} of {n}");
    // What does not grow with the body is a part of the 250 from 100 vertices on.
    let besides = [size_of::<SupportMap>(), size_of_val(&hierarchy), size_of_val(&walk)];
    let [of_map, of_hierarchy, of_walk] = if n < 100 { besides } else { [0; 3] };
    assert!(besides[0] < 1024 && polytope <= 88 * n + size_of_val(&copy), "{name} of {n}: {polytope}");
    assert!(prepared <= 250 * n + of_map, "{name} of {n}: {prepared} bytes");
    let most = if n < 65_535 { 28 } else { 48 };
    assert!(beside <= (if n < 100 { 40 } else { most }) * n + of_hierarchy, "{name} of {n}: {beside} bytes");
    assert!(walked <= 136 * n + of_walk, "{name} of {n}: {walked} bytes");
    assert!(prepared + beside <= (if n < 4000 { 278 } else { 250 }) * n || n < 100, "{name} of {n}");
}
