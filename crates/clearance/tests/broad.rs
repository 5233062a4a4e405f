//! Searches for pairs against brute force, and how much they look at.

use clearance::Aabb;
use clearance::broad::{BroadPhase, Coherent, DynamicTree, Mobility, Partition, SweepAndPrune};
use clearance::glam::DVec3;
use clearance::math::Random;
use clearance::oracle::broad::{Scene, brute_force};
use clearance::oracle::compare::assert_agreement;

#[test]
fn every_search_finds_the_pairs_of_brute_force() {
    assert_agreement("every broad phase finds the pairs of brute force", 7, 0..600);
}

fn vector(random: &mut Random, low: f64, high: f64) -> DVec3 {
    DVec3::from_array([0; 3].map(|_: i32| random.range(low, high)))
}

fn cube(place: DVec3, size: f64) -> Aabb {
    Aabb { min: place, max: place + size }
}

/// A box that grows by a tenth, or is small again.
fn grown(bound: Aabb) -> Aabb {
    let extent = bound.extent();
    let extent = if extent.max_element() > 10.0 { extent / 64.0 } else { extent * 1.1 };
    Aabb { min: bound.min, max: bound.min + extent }
}

/// A long run of one search, of bodies as large as the room, tiny, and in between: all drift, then few, some grow, jump, come
/// and go, and all pile up in between.
fn long_run(broad: &mut impl BroadPhase) {
    let (count, side) = (700, 16.0);
    let mut random = Random::new(9);
    let mut scene = Scene::new();
    let (mut got, mut most) = (Vec::new(), 0);
    for id in 0..count {
        let size = match random.below(100) {
            0 => 20.0,
            1..11 => 2f64.powi(-16),
            11..30 => 0.5,
            30..85 => 1.0,
            _ => 6.0,
        };
        let mobility = [Mobility::Moving, Mobility::Static][usize::from(id % 10 == 0)];
        let bound = cube(vector(&mut random, 0.0, side), size);
        scene.insert(id, (bound, mobility));
        broad.insert(id, bound, mobility);
    }
    for frame in 0..120 {
        for id in 0..count {
            let moves = match frame % 40 {
                0..15 => true,
                15..35 => random.below(100) == 0,
                _ => random.below(2) == 0,
            };
            let Some((bound, mobility)) = scene.get_mut(&id) else {
                if random.below(20) == 0 {
                    let bound = cube(vector(&mut random, 0.0, side), 1.0);
                    scene.insert(id, (bound, Mobility::Moving));
                    broad.insert(id, bound, Mobility::Moving);
                }
                continue;
            };
            if *mobility == Mobility::Static || !moves {
                continue;
            }
            let step = vector(&mut random, -0.03, 0.03);
            if id % 16 == 1 {
                *bound = grown(*bound);
            }
            *bound = match (random.below(400), frame == 36) {
                (0, _) => cube(vector(&mut random, 0.0, side), 1.0),
                (1, _) => {
                    scene.remove(&id);
                    broad.remove(id);
                    continue;
                }
                (_, true) if random.below(10) == 0 => cube(DVec3::ONE, 1.0),
                _ => Aabb { min: bound.min + step, max: bound.max + step },
            };
            broad.update(id, *bound);
        }
        broad.pairs(&mut got);
        assert_eq!(got, brute_force(&scene), "frame {frame}");
        most = most.max(got.len());
    }
    assert!(most > 500, "{most}");
}

#[test]
fn long_runs_of_the_coherent_search_are_right_in_every_frame() {
    let mut broad = Coherent::default();
    long_run(&mut broad);
    let stats = broad.stats();
    assert!(stats.searches > 2 && stats.asked > 50 && stats.searches < stats.frames, "{stats:?}");
}

#[test]
fn long_runs_of_the_other_searches_are_right_in_every_frame() {
    long_run(&mut Partition::default());
    long_run(&mut SweepAndPrune::default());
    long_run(&mut DynamicTree::default());
}

/// Boxes that the grid compares for each body.
fn tests_per_body(bounds: &[Aabb]) -> f64 {
    let mut grid = Partition::default();
    for (id, bound) in bounds.iter().enumerate() {
        grid.insert(id as u32, *bound, Mobility::Moving);
    }
    grid.pairs(&mut Vec::new());
    grid.tests() as f64 / bounds.len() as f64
}

#[test]
fn grids_compare_few_boxes_wherever_they_are() {
    let mut random = Random::new(4);
    let n = 8000;
    let side = 2.0 * f64::from(n).cbrt();
    let anywhere: Vec<Aabb> = (0..n).map(|_| cube(vector(&mut random, 0.0, side), 1.0)).collect();
    let far: Vec<Aabb> = anywhere.iter().map(|b| Aabb { min: b.min + 1e12, max: b.max + 1e12 }).collect();
    let mut outlier = anywhere.clone();
    outlier[0] = cube(DVec3::splat(1e30), 1.0);
    let two_clusters: Vec<Aabb> =
        (0..n).map(|i| cube(vector(&mut random, 0.0, 0.8 * side) + f64::from(i % 2) * 1e9, 1.0)).collect();
    let lattice = |spacing: f64| -> Vec<Aabb> {
        (0..n)
            .map(|i| cube(DVec3::new((i % 20).into(), (i / 20 % 20).into(), (i / 400).into()) * spacing, 1.0))
            .collect()
    };
    let flat: Vec<Aabb> = (0..n)
        .map(|_| cube(vector(&mut random, 0.0, 2.0 * f64::from(n).sqrt()) * DVec3::new(1.0, 1.0, 0.0), 1.0))
        .collect();
    let points: Vec<Aabb> = (0..n).map(|_| cube(vector(&mut random, 0.0, 1.0), 0.0)).collect();
    let mixed: Vec<Aabb> = (0..n)
        .map(|i| cube(vector(&mut random, 0.0, side), if i % 1000 == 0 { 8.0 } else { 2f64.powi(-(i % 12)) }))
        .collect();
    for (name, bounds) in [
        ("anywhere", anywhere),
        ("far", far),
        ("outlier", outlier),
        ("two clusters", two_clusters),
        ("lattice of 2", lattice(2.0)),
        ("lattice of 16", lattice(16.0)),
        ("lattice of 1024", lattice(1024.0)),
        ("lattice of points", lattice(16.0).iter().map(|b| Aabb { min: b.min, max: b.min }).collect()),
        ("flat", flat),
        ("points", points),
        ("mixed", mixed),
    ] {
        let tests = tests_per_body(&bounds);
        assert!(tests < 60.0, "{name}: {tests} boxes compared for each body");
    }
}

#[test]
fn memory_goes_with_the_bodies() {
    fn left(mut broad: impl BroadPhase) -> usize {
        let mut random = Random::new(6);
        let mut pairs = Vec::new();
        for id in 0..4000 {
            broad.insert(id, cube(vector(&mut random, 0.0, 25.0), 1.0), Mobility::Moving);
        }
        broad.pairs(&mut pairs);
        assert!(broad.bytes() > 4000 * 48);
        (0..4000).for_each(|id| broad.remove(id));
        broad.pairs(&mut pairs);
        assert!(pairs.is_empty());
        broad.bytes()
    }
    let all = [
        left(Coherent::default()),
        left(Partition::default()),
        left(DynamicTree::default()),
        left(SweepAndPrune::default()),
    ];
    assert!(all.iter().all(|&bytes| bytes < 120_000), "{all:?}");
}

/// Boxes that fly straight in a closed room, all updated at once: pairs as brute force finds them, and what was done in each
/// of some frames: boxes compared, and bodies that left their boxes in the tree.
fn work_in_flight(broad: &mut Coherent, speeds: &[f64]) -> Vec<[u64; 2]> {
    let (count, side) = (1500, 18.0);
    let mut random = Random::new(4);
    let mut places: Vec<DVec3> = (0..count).map(|_| vector(&mut random, 0.0, side)).collect();
    let courses: Vec<DVec3> = (0..count).map(|_| vector(&mut random, -1.0, 1.0)).collect();
    (0..).zip(&places).for_each(|(id, &place)| broad.insert(id, cube(place, 1.0), Mobility::Moving));
    let (mut got, mut work) = (Vec::new(), Vec::new());
    for &speed in speeds {
        for (place, course) in places.iter_mut().zip(&courses) {
            *place = (*place + *course * speed).rem_euclid(DVec3::splat(side));
        }
        let bounds: Vec<Aabb> = places.iter().map(|&place| cube(place, 1.0)).collect();
        let before = broad.stats();
        broad.update_many(&bounds);
        broad.pairs(&mut got);
        work.push([broad.stats().tests - before.tests, broad.stats().left - before.left]);
        let scene: Scene = (0..).zip(bounds.iter().map(|&bound| (bound, Mobility::Moving))).collect();
        assert_eq!(got, brute_force(&scene), "at speed {speed}");
    }
    work
}

#[test]
fn margins_are_used_only_where_they_pay() {
    // Margins that were wide for fast boxes are left behind only when slow ones leave them.
    let (slow, fast) = ([0.01; 40], [0.3; 40]);
    let speeds: Vec<f64> = slow.iter().chain(&fast).chain(&slow).chain(&slow).copied().collect();
    let work = work_in_flight(&mut Coherent::default(), &speeds);
    let mean =
        |part: std::ops::Range<usize>| part.clone().map(|k| work[k][0]).sum::<u64>() / part.len() as u64;
    // Without margins, in the worst case as many as a grid needs for boxes as they are.
    let mut partition = Partition::default();
    (0..1500).for_each(|id| partition.insert(id, cube(DVec3::ZERO, 1.0), Mobility::Moving));
    let mut random = Random::new(4);
    let bounds: Vec<Aabb> = (0..1500).map(|_| cube(vector(&mut random, 0.0, 18.0), 1.0)).collect();
    partition.update_many(&bounds);
    partition.pairs(&mut Vec::new());
    let grid = partition.tests();
    assert!(mean(10..40) < grid * 3 / 4, "slow: {} of {grid}", mean(10..40));
    assert!(mean(50..80) < grid + grid / 2, "fast: {} of {grid}", mean(50..80));
    assert!(mean(130..160) < grid + grid / 4, "slow again: {} of {grid}", mean(130..160));
}

#[test]
fn without_margins_the_tree_is_rarely_touched_for_any_number_of_threads() {
    let speeds = [[0.3; 60], [0.01; 60]].concat();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut broad = Coherent::default();
        let work = pool.install(|| work_in_flight(&mut broad, &speeds));
        broad.tree().validate().unwrap();
        (work, broad.stats())
    };
    let (work, stats) = run(1);
    let left =
        |part: std::ops::Range<usize>| part.clone().map(|k| work[k][1]).sum::<u64>() / part.len() as u64;
    // A margin of a quarter would be left by most of 1500 in every frame.
    assert!(left(30..60) < 500, "fast: {} left", left(30..60));
    assert!(left(90..120) < 150, "slow: {} left", left(90..120));
    assert_eq!((work, stats), run(3));
}
