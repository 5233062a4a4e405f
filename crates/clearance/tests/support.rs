//! Every way to find an extreme vertex, against looking at all vertices with exact signs.

use clearance::exact::{Vector, dot_sign};
use clearance::glam::DVec3;
use clearance::math::Random;
use clearance::oracle::cases::{Family, nudge};
use clearance::shape::Polytope;
use clearance::shape::sample::{PolytopeKind, bipyramid, cone, disc, random_direction, random_polytope};
use clearance::support::{DirectionTable, StampedWalk, SupportMap, SupportStats};
use clearance::{Pose, exact::Sign};

/// The exact sign of `d . (to - from)`.
fn rise(polytope: &Polytope, direction: DVec3, from: u32, to: u32) -> Sign {
    let at = |v: u32| Pose::IDENTITY.at(polytope.vertices()[v as usize]);
    dot_sign(direction, Vector::Between(at(from), at(to)))
}

fn is_extreme(polytope: &Polytope, direction: DVec3, vertex: u32) -> bool {
    (0..polytope.vertices().len() as u32).all(|w| !rise(polytope, direction, vertex, w).is_positive())
}

/// Polytopes of every dimension, size and scale.
fn polytopes() -> Vec<Polytope> {
    let mut all = vec![
        disc(64, 1.0, 0.0).unwrap(),
        disc(40, 1.0, 0.01).unwrap(),
        cone(100, 1.0, 2.0).unwrap(),
        bipyramid(33, 1.0, 0.1).unwrap(),
    ];
    for (i, kind) in PolytopeKind::ALL.into_iter().enumerate() {
        all.push(random_polytope(kind, 20 + 60 * i as u32, i as u64).unwrap());
    }
    let mut random = Random::new(1);
    for round in 0..120 {
        let family = Family::ALL[round % Family::ALL.len()];
        let count = 1 + random.below(if round % 3 == 0 { 5 } else { 40 });
        let points: Vec<DVec3> = (0..count).map(|_| family.bounded_point(&mut random)).collect();
        all.push(Polytope::hull(&points).unwrap());
        let offset: Vec<DVec3> = points.iter().map(|p| p.clamp(DVec3::NEG_ONE, DVec3::ONE) + 1e6).collect();
        all.push(Polytope::hull(&offset).unwrap());
        let scale = if round % 2 == 0 { 2f64.powi(-20) } else { 2f64.powi(20) };
        all.push(
            Polytope::hull(&points.iter().map(|p| *p * scale).collect::<Vec<_>>()).unwrap_or(all[0].clone()),
        );
    }
    all
}

/// Axes, ties, zero, the ends of the range, face normals and directions along which an edge is level, each as
/// it is and moved by a unit in the last place.
fn directions(polytope: &Polytope, random: &mut Random) -> Vec<DVec3> {
    let vertices = polytope.vertices();
    let mut all = vec![DVec3::ZERO, DVec3::X, DVec3::NEG_Y, DVec3::Z, DVec3::ONE, DVec3::new(1.0, -1.0, 0.0)];
    all.extend((0..8).map(|_| random_direction(random)));
    for _ in 0..4 {
        let pick = || vertices[random.below(vertices.len() as u64) as usize];
        let [a, b, c]: [DVec3; 3] = std::array::from_fn({
            let mut pick = pick;
            move |_| pick()
        });
        all.extend([(b - a).cross(c - a), b - a]);
    }
    for face in polytope.faces().take(6) {
        let [a, b, c] = [0, 1, 2].map(|i| vertices[face[i] as usize]);
        all.push((b - a).cross(c - a));
        all.push((b - a).cross(random_direction(random)));
    }
    let mut moved = Vec::new();
    for d in &all {
        moved.push(DVec3::from_array(d.to_array().map(|x| nudge(x, random.below(3) as i64 - 1))));
        moved.extend([1e-300, 1e-40, 1e-12, 1e12, 1e40, 1e300].map(|scale| *d * scale));
    }
    all.extend(moved);
    all.extend([1e-320, 5e-324].map(|tiny| DVec3::new(tiny, -tiny, 0.0)));
    all.retain(|d| d.is_finite());
    all
}

#[test]
fn what_is_proved_is_extreme_also_for_directions_a_rotation_may_have_meant() {
    let mut random = Random::new(2);
    let (mut proved, mut total) = (0, 0);
    for polytope in polytopes() {
        let map = SupportMap::new(polytope.clone());
        for direction in directions(&polytope, &mut random) {
            let hint = random.below(polytope.vertices().len() as u64) as u32;
            for from in [hint, map.start(direction)] {
                for end in [map.climb(direction, from), map.climb_in_f64(direction, from)] {
                    total += 1;
                    if end.proved {
                        proved += 1;
                        assert!(is_extreme(&polytope, direction, end.vertex), "{direction} of {polytope:?}");
                        let size = 2.5 * f64::EPSILON * direction.abs().max_element();
                        let sides = DVec3::from_array(std::array::from_fn(|_| {
                            size * random.range(-1.0, 1.0).signum()
                        }));
                        assert!(
                            is_extreme(&polytope, direction + sides, end.vertex),
                            "{direction} + {sides}"
                        );
                    }
                }
            }
        }
    }
    assert!(proved > total / 4 && proved < total, "{proved} of {total}");
}

/// Small integers make every product exact in `f64`, so every end of a walk must be extreme, proved or not.
#[test]
fn every_search_ends_at_an_extreme_vertex_when_products_are_exact() {
    let mut random = Random::new(3);
    for round in 0..400 {
        let count = 1 + random.below(if round % 2 == 0 { 6 } else { 60 });
        let size = [2, 5, 1000][round % 3];
        let integer = |random: &mut Random| random.below(2 * size + 1) as f64 - size as f64;
        let flat = if round % 5 == 0 { DVec3::new(1.0, 1.0, 0.0) } else { DVec3::ONE };
        let points: Vec<DVec3> = (0..count)
            .map(|_| flat * DVec3::new(integer(&mut random), integer(&mut random), integer(&mut random)))
            .collect();
        let polytope = Polytope::hull(&points).unwrap();
        let map = SupportMap::new(polytope.clone());
        let table = DirectionTable::build(&polytope);
        let mut stamped = StampedWalk::new(&polytope);
        let mut stats = SupportStats::default();
        for _ in 0..20 {
            let direction = DVec3::new(integer(&mut random), integer(&mut random), integer(&mut random));
            let hint = random.below(polytope.vertices().len() as u64) as u32;
            for from in [hint, map.start(direction), table.look_up(direction)] {
                let ends = [
                    map.climb(direction, from).vertex,
                    map.climb_in_f64(direction, from).vertex,
                    map.climb_counted(direction, from, &mut stats).vertex,
                    stamped.climb(direction, from, &mut stats),
                ];
                assert!(
                    ends.iter().all(|&v| is_extreme(&polytope, direction, v)),
                    "{direction} of {polytope:?}"
                );
            }
        }
    }
}

#[test]
fn blocks_prove_what_is_extreme_in_random_directions() {
    let mut stats = SupportStats::default();
    let mut random = Random::new(4);
    for (seed, kind) in PolytopeKind::ALL.into_iter().enumerate() {
        for offset in [0.0, 1e6] {
            let points = random_polytope(kind, 300, seed as u64).unwrap();
            let points: Vec<DVec3> = points.vertices().iter().map(|v| *v + offset).collect();
            let map = SupportMap::new(Polytope::hull(&points).unwrap());
            for _ in 0..2000 {
                let direction = random_direction(&mut random);
                let end = map.climb(direction, map.start(direction));
                assert!(map.climb_counted(direction, end.vertex, &mut stats).proved || offset > 0.0);
            }
        }
    }
    assert!(stats.walks * 1000 < stats.searches, "{stats:?}");
}

#[test]
fn directions_that_are_no_numbers_prove_nothing_and_end() {
    let map = SupportMap::new(random_polytope(PolytopeKind::Ellipsoid, 100, 1).unwrap());
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX] {
        for direction in [DVec3::new(bad, 0.0, 1.0), DVec3::splat(bad), DVec3::new(1.0, -bad, bad)] {
            let end = map.climb(direction, map.start(direction));
            assert!(!end.proved || is_extreme(map.polytope(), direction, end.vertex));
            assert!(!end.proved || bad == f64::MAX);
        }
    }
}

#[test]
fn a_hint_that_is_extreme_is_looked_at_once() {
    let map = SupportMap::new(random_polytope(PolytopeKind::Plate, 500, 1).unwrap());
    let mut random = Random::new(5);
    for _ in 0..100 {
        let direction = random_direction(&mut random);
        let end = map.climb(direction, map.start(direction));
        let mut stats = SupportStats::default();
        assert_eq!(map.climb_counted(direction, end.vertex, &mut stats), end);
        assert_eq!((stats.searches, stats.vertices), (1, 1));
    }
}

/// A vertex raised over every face: degrees double, and those of the new vertices are 3.
fn raised(polytope: &Polytope) -> Polytope {
    let vertices = polytope.vertices();
    let middle = |face: &[u32]| {
        let [a, b, c] = [0, 1, 2].map(|i| vertices[face[i] as usize]);
        (a + b + c) / 3.0 * (1.0 + 1e-5)
    };
    let points: Vec<DVec3> = vertices.iter().copied().chain(polytope.faces().map(middle)).collect();
    Polytope::hull(&points).unwrap()
}

/// Of every shape and dimension; that bytes are those of the allocator is tested beside (`support_memory.rs`).
#[test]
fn a_vertex_takes_at_most_250_bytes() {
    let mut maps: Vec<SupportMap> = polytopes().into_iter().map(SupportMap::new).collect();
    for n in [8, 33, 65, 100, 129, 300, 1000, 4000, 20_000] {
        for kind in PolytopeKind::ALL {
            maps.push(SupportMap::new(random_polytope(kind, n, 1).unwrap()));
        }
        maps.extend(
            [cone(n, 1.0, 1.0), bipyramid(n, 1.0, 1.0), disc(n, 1.0, 0.1)]
                .map(|p| SupportMap::new(p.unwrap())),
        );
    }
    let kleetope = raised(&random_polytope(PolytopeKind::Ellipsoid, 200, 1).unwrap());
    let degrees = (0..kleetope.vertices().len()).map(|v| kleetope.neighbours(v).len());
    assert!(degrees.filter(|&d| d > 8).count() * 4 > kleetope.vertices().len(), "not the shape meant here");
    maps.push(SupportMap::new(kleetope));
    maps.push(SupportMap::new(raised(&random_polytope(PolytopeKind::Ellipsoid, 22, 1).unwrap())));
    for map in maps {
        let vertices = map.polytope().vertices().len();
        let besides = if vertices < 100 { size_of::<SupportMap>() } else { 0 };
        assert!(map.bytes() <= 250 * vertices + besides, "{} bytes for {vertices} vertices", map.bytes());
    }
}
