//! The hierarchy against looking at all vertices with exact signs, and its bounds as hard limits.

use clearance::Pose;
use clearance::exact::{Sign, Vector, dot_sign};
use clearance::glam::DVec3;
use clearance::math::Random;
use clearance::oracle::cases::{Family, nudge};
use clearance::shape::Polytope;
use clearance::shape::sample::{PolytopeKind, bipyramid, cone, disc, random_direction, random_polytope};
use clearance::support::{HWalk, Hierarchy, HierarchyStats, SupportMap, SupportStats};

fn rise(polytope: &Polytope, direction: DVec3, from: u32, to: u32) -> Sign {
    let at = |v: u32| Pose::IDENTITY.at(polytope.vertices()[v as usize]);
    dot_sign(direction, Vector::Between(at(from), at(to)))
}

fn is_extreme(polytope: &Polytope, direction: DVec3, vertex: u32) -> bool {
    (0..polytope.vertices().len() as u32).all(|w| !rise(polytope, direction, vertex, w).is_positive())
}

/// Random directions, axes, and normals of faces and level edges, as they are and moved by a unit in the last place.
fn directions(polytope: &Polytope, count: usize, random: &mut Random) -> Vec<DVec3> {
    let vertices = polytope.vertices();
    let mut all = vec![DVec3::ZERO, DVec3::X, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z, DVec3::ONE];
    all.extend((0..count).map(|_| random_direction(random)));
    for _ in 0..count.min(polytope.face_count()) {
        let face = polytope.face(random.below(polytope.face_count() as u64) as usize);
        let [a, b, c] = [0, 1, 2].map(|i| vertices[face[i] as usize]);
        all.extend([(b - a).cross(c - a), (b - a).cross(random_direction(random)), b - a]);
    }
    let nudged = |d: &DVec3| DVec3::from_array(d.to_array().map(|x| nudge(x, random.below(3) as i64 - 1)));
    let moved: Vec<DVec3> = all.iter().map(nudged).collect();
    all.extend(moved);
    all.retain(|d| d.is_finite());
    all
}

/// Bodies with `2^k` vertices, more or less, among them those whose vertices or faces have unbounded degree.
fn families(k: u32) -> Vec<(&'static str, Polytope)> {
    let n = 1 << k;
    let random = |kind| random_polytope(kind, n, u64::from(k)).unwrap();
    vec![
        ("cone", cone(n, 1.0, 1.0).unwrap()),
        ("bipyramid", bipyramid(n, 1.0, 0.5).unwrap()),
        ("flat disc", disc(n, 1.0, 0.0).unwrap()),
        ("disc", disc(n / 2, 1.0, 0.01).unwrap()),
        ("ellipsoid", random(PolytopeKind::Ellipsoid)),
        ("rod", random(PolytopeKind::ThinRod)),
        ("plate", random(PolytopeKind::Plate)),
    ]
}

#[test]
fn layers_grow_with_the_logarithm_space_is_linear_and_candidates_are_bounded() {
    let mut random = Random::new(1);
    for k in 3..=12 {
        for (name, polytope) in families(k) {
            let hierarchy = Hierarchy::build(&polytope);
            let n = polytope.vertices().len();
            let what =
                format!("{name} of {n} vertices: {} layers, {} bytes", hierarchy.layers(), hierarchy.bytes());
            assert!(hierarchy.layers() as f64 <= 2.0 * (n as f64).log2(), "{what}");
            assert!(hierarchy.bytes() <= 80 * n, "{what}");
            let mut stats = HierarchyStats::default();
            for direction in directions(&polytope, 20, &mut random) {
                let end = hierarchy.extreme_counted(direction, &mut stats);
                assert!(is_extreme(&polytope, direction, end), "{what}, {direction}");
            }
            assert!(stats.most_candidates <= 4 && stats.most_spokes <= 32, "{what}, {stats:?}");
        }
    }
}

#[test]
fn the_answer_is_exact_on_hostile_polytopes() {
    let mut random = Random::new(2);
    for round in 0..400 {
        let family = Family::ALL[round % Family::ALL.len()];
        let count = 1 + random.below(if round % 3 == 0 { 6 } else { 60 });
        let mut points: Vec<DVec3> = (0..count).map(|_| family.bounded_point(&mut random)).collect();
        if round % 7 == 0 {
            points.iter_mut().for_each(|p| p.z = 0.25);
        }
        let polytope = Polytope::hull(&points).unwrap();
        let hierarchy = Hierarchy::build(&polytope);
        for direction in directions(&polytope, 6, &mut random) {
            let end = hierarchy.extreme(direction);
            assert!(is_extreme(&polytope, direction, end), "{direction} of {polytope:?}");
        }
    }
}

/// Grids make most faces and most holes flat.
#[test]
fn flat_holes_are_filled() {
    let mut random = Random::new(3);
    for size in [1, 2, 3] {
        for round in 0..60 {
            let coordinate = |random: &mut Random| random.below(2 * size + 1) as f64 - size as f64;
            let count = 8 + random.below(80);
            let points =
                (0..count).map(|_| DVec3::from_array(std::array::from_fn(|_| coordinate(&mut random))));
            let polytope = Polytope::hull(&points.collect::<Vec<_>>()).unwrap();
            let hierarchy = Hierarchy::build(&polytope);
            for _ in 0..40 {
                let direction = DVec3::from_array(std::array::from_fn(|_| coordinate(&mut random)));
                let end = hierarchy.extreme(direction);
                assert!(is_extreme(&polytope, direction, end), "round {round}, {direction} of {polytope:?}");
            }
        }
    }
}

/// Lemma 9 [Chung96 §5.3]: an extreme vertex of a layer is extreme in the next larger polytope, or a neighbour of
/// it there is.
#[test]
fn lemma_9() {
    let mut random = Random::new(4);
    for (name, polytope) in families(6).into_iter().chain(families(8)) {
        let hierarchy = Hierarchy::build(&polytope);
        let vertices = 0..polytope.vertices().len() as u32;
        for direction in directions(&polytope, 10, &mut random) {
            let extremes = |layer: usize| -> Vec<u32> {
                let here =
                    vertices.clone().filter(|&v| hierarchy.removal(v).0.is_none_or(|gone| layer < gone));
                let top = here
                    .clone()
                    .reduce(|a, b| if rise(&polytope, direction, a, b).is_positive() { b } else { a });
                here.filter(|&v| rise(&polytope, direction, v, top.unwrap()).is_zero()).collect()
            };
            let mut inner = extremes(hierarchy.layers());
            for layer in (0..hierarchy.layers()).rev() {
                let outer = extremes(layer);
                for v in &inner {
                    let next_to = |u: &u32| {
                        let (gone, mut neighbours) = hierarchy.removal(*u);
                        gone == Some(layer + 1) && neighbours.any(|w| w == *v)
                    };
                    assert!(
                        outer.contains(v) || outer.iter().any(next_to),
                        "{name}, layer {layer}, {direction}"
                    );
                }
                inner = outer;
            }
        }
    }
}

#[test]
fn layers_are_independent_sets_of_low_degree() {
    for (name, polytope) in families(9) {
        let hierarchy = Hierarchy::build(&polytope);
        for v in 0..polytope.vertices().len() as u32 {
            let (gone, neighbours) = hierarchy.removal(v);
            let Some(gone) = gone else { continue };
            let neighbours: Vec<u32> = neighbours.collect();
            assert!((2..=8).contains(&neighbours.len()), "{name}");
            let stays = |w: &u32| hierarchy.removal(*w).0.is_none_or(|other| other > gone);
            assert!(neighbours.iter().all(stays), "{name}: neighbours of {v} must outlive it");
        }
    }
}

#[test]
fn the_h_walk_ends_at_an_extreme_vertex_from_anywhere() {
    let mut random = Random::new(5);
    let mut stats = SupportStats::default();
    for round in 0..200 {
        let size = [2, 1000][round % 2];
        let coordinate = |random: &mut Random| random.below(2 * size + 1) as f64 - size as f64;
        let flat = if round % 5 == 0 { DVec3::new(1.0, 0.0, 1.0) } else { DVec3::ONE };
        let count = 1 + random.below(if round % 3 == 0 { 5 } else { 200 });
        let points =
            (0..count).map(|_| flat * DVec3::from_array(std::array::from_fn(|_| coordinate(&mut random))));
        let polytope = Polytope::hull(&points.collect::<Vec<_>>()).unwrap();
        let walk = HWalk::build(&polytope);
        for _ in 0..20 {
            let direction = DVec3::from_array(std::array::from_fn(|_| coordinate(&mut random)));
            let hint = random.below(polytope.vertices().len() as u64) as u32;
            let end = walk.search(direction, hint, &mut stats);
            assert!(is_extreme(&polytope, direction, end), "{direction} of {polytope:?}");
        }
    }
    for (name, polytope) in families(10) {
        let walk = HWalk::build(&polytope);
        assert!(walk.bytes() <= 160 * polytope.vertices().len(), "{name}: {} bytes", walk.bytes());
        for _ in 0..50 {
            let direction = random_direction(&mut random);
            let hint = random.below(polytope.vertices().len() as u64) as u32;
            assert!(is_extreme(&polytope, direction, walk.search(direction, hint, &mut stats)), "{name}");
        }
    }
}

/// From a hint that a walk is `d` steps away from the end, the H-Walk looks at a number of vertices that grows with the logarithm of
/// `d`, and with nothing else: the same bound serves bodies of 1000 and 16000 vertices.
#[test]
fn the_h_walk_visits_vertices_with_the_logarithm_of_the_way() {
    for kind in [PolytopeKind::Ellipsoid, PolytopeKind::Plate, PolytopeKind::ThinRod] {
        for n in [1000, 4000, 16000] {
            let polytope = random_polytope(kind, n, 7).unwrap();
            let (walk, map) = (HWalk::build(&polytope), SupportMap::new(polytope));
            // By the steps of a plain walk, powers of two: searches, and the vertices that each kind looked at.
            let mut by_way = [(0u64, 0u64, 0u64); 12];
            let mut random = Random::new(6);
            for round in 0..20_000 {
                let direction = random_direction(&mut random);
                let near = direction + random_direction(&mut random) * 0.5f64.powi(round % 12);
                let hint = map.climb(near, map.start(near)).vertex;
                let (mut plain, mut stats) = (SupportStats::default(), SupportStats::default());
                let steps = map.climb_in_f64_counted(direction, hint, &mut plain).walked;
                walk.search(direction, hint, &mut stats);
                let (searches, visited, walked) = &mut by_way[(steps + 1).ilog2() as usize];
                (*searches, *visited, *walked) =
                    (*searches + 1, *visited + stats.vertices, *walked + plain.vertices);
            }
            for (log, (searches, visited, walked)) in (0..).zip(by_way).filter(|(_, counts)| counts.0 > 50) {
                let [mean, plain] = [visited, walked].map(|count| count as f64 / searches as f64);
                println!(
                    "{kind:?} {n}: from {} steps on {mean:.1} vertices, a plain walk {plain:.1}",
                    (1 << log) - 1
                );
                assert!(mean <= 2.0 + 8.0 * f64::from(log), "{kind:?} {n}, 2^{log} steps: {mean}");
            }
        }
    }
}
