//! Trees against brute force: which triangles are near each other, how far apart meshes are, and what is stored.

use clearance::Pose;
use clearance::glam::{DQuat, DVec3, dvec3};
use clearance::math::Random;
use clearance::oracle::distance::{Square, distance_squared};
use clearance::pair::Relation;
use clearance::shape::{Mesh, MeshConfig, Polytope, TriangleSoup, sample};
use clearance::tree::{Bound, Crossing, Nearer, Scratch, Tree, TreeError, TreePair};
use clearance::witness::PosedPair;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

mod tree_bodies;
use tree_bodies::{Body, changed, point, pose, rotation, soup, torus_and_ball};

/// Triangles that are small, long and thin, on a lattice, or stacked in one plane.
fn random_soup(random: &mut Random, count: usize) -> TriangleSoup {
    let kind = random.below(4);
    let triangle = |random: &mut Random| {
        let lattice =
            |random: &mut Random| DVec3::from_array(std::array::from_fn(|_| random.below(5) as f64 / 4.0));
        match kind {
            0 => {
                let middle = point(random);
                [(); 3].map(|()| middle + 0.2 * point(random))
            }
            1 => {
                let (from, to) = (point(random), point(random));
                [from, to, from + 1e-7 * point(random)]
            }
            2 => [(); 3].map(|()| lattice(random)),
            _ => [(); 3].map(|()| point(random) * dvec3(1.0, 1.0, 0.0)),
        }
    };
    soup(&(0..count).map(|_| triangle(random)).collect::<Vec<_>>())
}

/// The exact relation and distance of two triangles.
fn exact((a, pose_a): ([DVec3; 3], &Pose), (b, pose_b): ([DVec3; 3], &Pose)) -> (Relation, Square) {
    let [a, b] = [a, b].map(|corners| Polytope::hull(&corners).expect("a triangle"));
    let pair = PosedPair { a: &a, pose_a, b: &b, pose_b };
    (clearance::oracle::relation::relation(&pair), distance_squared(&pair))
}

/// All pairs that a traversal visits, each once.
fn visited<B: Bound>(pair: &TreePair<'_, B>, distance: f64, scratch: &mut Scratch) -> BTreeSet<(u32, u32)> {
    let mut found = BTreeSet::new();
    let end = pair.traverse(distance, scratch, |a, b| {
        assert!(found.insert((a, b)), "{a} {b} twice");
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(end, ControlFlow::Continue(()));
    found
}

/// The gap between the boxes of two triangles in the frame of A, at most a little too large.
fn box_gap((a, pose_a): ([DVec3; 3], &Pose), (b, pose_b): ([DVec3; 3], &Pose)) -> f64 {
    let b = b.map(|p| pose_a.inverse().apply(pose_b.apply(p)));
    let [low_a, low_b] = [a, b].map(|c| c[0].min(c[1]).min(c[2]));
    let [high_a, high_b] = [a, b].map(|c| c[0].max(c[1]).max(c[2]));
    (low_a - high_b).max(low_b - high_a).max_element()
}

/// What one kind of tree says.
struct Said {
    /// The pairs that are visited for each distance.
    found: Vec<BTreeSet<(u32, u32)>>,
    distance: (f64, f64),
}

fn said<B: Bound>(a: &Body, b: &Body, pair: &TreePair<'_, B>, distances: &[f64]) -> Said {
    let mut scratch = Scratch::default();
    Said {
        found: distances.iter().map(|&d| visited(pair, d, &mut scratch)).collect(),
        distance: distance(a, b, pair, None, &mut scratch),
    }
}

/// Everything that is said about a small pair, with every kind of bound, against exact numbers.
fn check(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, distances: &[f64]) {
    let pair = TreePair::new(&a.tree, pose_a, &b.tree, pose_b);
    let said = [
        said(a, b, &pair, distances),
        said(a, b, &TreePair::new(&a.hulls, pose_a, &b.hulls, pose_b), distances),
        said(a, b, &TreePair::new(&a.oriented, pose_a, &b.oriented, pose_b), distances),
        said(a, b, &TreePair::new(&a.boxes, pose_a, &b.boxes, pose_b), distances),
    ];
    let mut reached = [false; 4];
    for triangle_a in 0..a.count() as u32 {
        for triangle_b in 0..b.count() as u32 {
            let (corners_a, corners_b) = (a.corners(triangle_a), b.corners(triangle_b));
            let (relation, square) = exact((corners_a, pose_a), (corners_b, pose_b));
            match pair.crossing(corners_a, corners_b) {
                Crossing::Apart => assert_eq!(relation, Relation::Disjoint),
                Crossing::Crossing => assert_eq!(relation, Relation::Overlapping),
                Crossing::Unclear => {}
            }
            let gap = pair.gap(corners_a, corners_b);
            assert!(!square.compare(gap.lower).is_positive(), "{gap:?} {corners_a:?} {corners_b:?}");
            // Nothing is said about the upper end of triangles that meet but that it is not below zero.
            assert!(!square.compare(gap.upper).is_negative(), "{gap:?} {corners_a:?} {corners_b:?}");
            let is_near: Vec<bool> = distances.iter().map(|&d| !square.compare(d).is_negative()).collect();
            for (Said { found, distance: (lower, upper) }, reached) in said.iter().zip(&mut reached) {
                assert!(!square.compare(*lower).is_positive(), "{lower} is not below all");
                *reached |= !square.compare(*upper).is_negative();
                for (is_near, found) in is_near.iter().zip(found) {
                    let is_found = found.contains(&(triangle_a, triangle_b));
                    assert!(is_found || !is_near, "{corners_a:?} and {corners_b:?} of {distances:?}");
                }
            }
        }
    }
    assert_eq!(reached, [true; 4], "an upper end is below all");
    let [size_a, size_b] = [a.size(), b.size()];
    // Meshes below 2^-900 have coarse boxes.
    if size_a.min(size_b) < 2f64.powi(-900) {
        return;
    }
    for (&limit, found) in said.iter().flat_map(|said| distances.iter().zip(&said.found)) {
        for &(triangle_a, triangle_b) in found {
            let gap = box_gap((a.corners(triangle_a), pose_a), (b.corners(triangle_b), pose_b));
            let spare =
                1e-5 * (size_a + size_b + pair.origin().distance(pose_b.apply(b.mesh.bounds().center())));
            assert!(gap <= limit + spare, "{gap} was visited for {limit}");
        }
    }
}

/// The distance of two meshes, as a bracket.
fn distance<B: Bound>(
    a: &Body,
    b: &Body,
    pair: &TreePair<'_, B>,
    start: Option<Nearer>,
    scratch: &mut Scratch,
) -> (f64, f64) {
    let mut lower = f64::INFINITY;
    let upper = pair.nearest(start, 1e-12, scratch, |triangle_a, triangle_b, limit| {
        let (corners_a, corners_b) = (a.corners(triangle_a), b.corners(triangle_b));
        if pair.crossing(corners_a, corners_b) == Crossing::Crossing {
            lower = 0.0;
            return Some(Nearer { distance: 0.0, direction: DVec3::ZERO });
        }
        let gap = pair.gap(corners_a, corners_b);
        lower = lower.min(gap.lower);
        (gap.upper < limit).then_some(Nearer { distance: gap.upper, direction: gap.point_b - gap.point_a })
    });
    (lower.min((1.0 - 1e-12) * upper), upper)
}

#[test]
fn random_triangles_near_each_other_are_found_and_bracketed() {
    let mut random = Random::new(1);
    for _ in 0..40 {
        let [a, b] = [(); 2].map(|()| {
            let count = 1 + random.below(12) as usize;
            Body::new(&random_soup(&mut random, count))
        });
        let apart = random.range(0.0, 3.0);
        let translation = point(&mut random) * apart;
        let (pose_a, pose_b) = match random.below(3) {
            0 => (Pose::IDENTITY, Pose::IDENTITY),
            1 => (Pose::IDENTITY, pose(&mut random, translation)),
            _ => (pose(&mut random, point(&mut Random::new(3))), pose(&mut random, translation)),
        };
        check(&a, &pose_a, &b, &pose_b, &[0.0, 0.25, random.range(0.0, 1.0)]);
    }
}

#[test]
fn scales_offsets_and_mixed_sizes_are_found_and_bracketed() {
    let mut random = Random::new(2);
    let scale = |exponent: i32| 2f64.powi(exponent);
    for (scale_a, scale_b, offset) in [
        (scale(-20), scale(-20), 0.0),
        (scale(20), scale(20), 0.0),
        (scale(20), scale(-20), 0.0),
        (scale(-20), scale(20), 1.0),
        (1.0, 1.0, 1e6),
        (1.0, scale(-12), 1e6),
        (1.0, 1.0, 1e12),
        (scale(-1000), scale(-1000), 0.0),
        (scale(-1000), 1.0, 0.0),
        (scale(290), scale(290), 0.0),
        (scale(290), scale(-1000), 100.0),
    ] {
        for _ in 0..4 {
            let [a, b] = [scale_a, scale_b].map(|scale| {
                let move_by = offset * point(&mut random) * scale;
                let far = changed(random_soup(&mut random, 7), |p| p * scale + move_by);
                // Slivers vanish far from the origin.
                let vanished = Mesh::build(&far, &MeshConfig::default()).is_err();
                Body::new(&if vanished {
                    changed(sample::cube(1.0).to_soup(), |p| p * scale + move_by)
                } else {
                    far
                })
            });
            let [turn_a, turn_b] = [(); 2].map(|()| rotation(&mut random));
            let size = scale_a.max(scale_b);
            // So that the bodies are near each other in spite of their offsets.
            let at = |body: &Body, turn: DQuat, goal: DVec3| {
                let turned = Pose::from_quaternion(turn, DVec3::ZERO).expect("a pose");
                let middle = turned.apply(body.mesh.bounds().center());
                Pose::from_quaternion(turn, goal - middle).expect("a pose")
            };
            let pose_a = at(&a, turn_a, DVec3::ZERO);
            let pose_b = at(&b, turn_b, size * random.range(0.0, 2.0) * point(&mut random));
            check(&a, &pose_a, &b, &pose_b, &[0.0, 0.3 * size, 0.01 * scale_a.min(scale_b)]);
        }
    }
}

#[test]
fn contacts_that_a_rotation_keeps_exactly_are_kept() {
    // Under one pose, lattice triangles touch in corners, edges and faces, whatever the pose; the float kernels see
    // gaps of either sign.
    let mut random = Random::new(8);
    let lattice = |random: &mut Random, shift: DVec3| {
        let corner = |random: &mut Random| DVec3::from_array(std::array::from_fn(|_| random.below(3) as f64));
        let triangles: Vec<_> = (0..8).map(|_| [(); 3].map(|()| corner(random) + shift)).collect();
        let extra = [[DVec3::ZERO, DVec3::X, DVec3::Y].map(|p| p + shift)];
        Body::new(&soup(&[triangles, extra.to_vec()].concat()))
    };
    for _ in 0..60 {
        let (a, b) = (lattice(&mut random, DVec3::ZERO), lattice(&mut random, 2.0 * DVec3::X));
        let pose = pose(&mut random, point(&mut Random::new(9)));
        check(&a, &pose, &b, &pose, &[0.0, 1.0]);
    }
}

#[test]
fn flat_boxes_that_touch_are_not_taken_for_apart() {
    // Two plates in one plane, with corners in common, in several leaves: every box is flat, so it takes a margin for
    // rounding to find contacts under a rotation.
    let plate = |from: u32, to: u32| {
        let at = |i: u32, j: u32| dvec3(f64::from(i), f64::from(j), 0.0) / 7.0;
        let cells = (from..to).flat_map(|i| (0..8).map(move |j| (i, j)));
        let halves =
            |(i, j)| [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]];
        Body::new(&soup(&cells.flat_map(halves).collect::<Vec<_>>()))
    };
    let (a, b) = (plate(0, 9), plate(7, 15));
    let mut random = Random::new(10);
    for _ in 0..40 {
        let pose = pose(&mut random, point(&mut Random::new(11)));
        let mut scratch = Scratch::default();
        let found = visited(&TreePair::new(&a.tree, &pose, &b.tree, &pose), 0.0, &mut scratch);
        let hulls = visited(&TreePair::new(&a.hulls, &pose, &b.hulls, &pose), 0.0, &mut scratch);
        for triangle_a in 0..a.count() as u32 {
            for triangle_b in 0..b.count() as u32 {
                let corners = b.corners(triangle_b);
                let touch = a.corners(triangle_a).iter().any(|corner| corners.contains(corner));
                let both = [&found, &hulls].map(|set| set.contains(&(triangle_a, triangle_b)));
                assert!(!touch || both == [true; 2], "{triangle_a} {triangle_b} {both:?}");
            }
        }
    }
}

#[test]
fn plates_across_a_diagonal_are_near_at_their_distance_and_not_below() {
    // Here nothing but the diagonal of a 14-hull separates the nodes, and its length must be divided out exactly enough.
    let normal = DVec3::ONE.normalize();
    let (u, v) = normal.any_orthonormal_pair();
    let at = |i: u32, j: u32| u * (f64::from(i) / 8.0 - 0.5) + v * (f64::from(j) / 8.0 - 0.5);
    let cells = (0..8).flat_map(|i| (0..8).map(move |j| (i, j)));
    let halves =
        |(i, j)| [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]];
    let plate = Body::new(&soup(&cells.flat_map(halves).collect::<Vec<_>>()));
    let mut random = Random::new(12);
    for _ in 0..20 {
        // A turn of A turns the diagonals along; a quarter of B about its normal changes nothing that matters.
        let turn = rotation(&mut random).normalize();
        let pose_a = Pose::from_quaternion(turn, DVec3::ZERO).expect("a pose");
        let gap = random.range(0.01, 0.3);
        let spin = turn * DQuat::from_axis_angle(normal, random.range(0.0, 7.0));
        let pose_b = Pose::from_quaternion(spin, turn * normal * gap).expect("a pose");
        let pair = TreePair::new(&plate.hulls, &pose_a, &plate.hulls, &pose_b);
        let mut scratch = Scratch::default();
        assert!(!visited(&pair, gap * (1.0 + 1e-9), &mut scratch).is_empty(), "{gap}");
        scratch.stats = Default::default();
        assert!(visited(&pair, gap * 0.99, &mut scratch).is_empty(), "{gap}");
        assert_eq!(scratch.stats.leaf_pairs, 0, "nodes alone prove {gap}");
    }
}

#[test]
fn matrices_at_the_limit_of_a_pose_change_nothing() {
    let mut random = Random::new(3);
    for _ in 0..30 {
        let [a, b] = [(); 2].map(|()| Body::new(&random_soup(&mut random, 6)));
        let mut skewed = |translation: DVec3| {
            let exact = pose(&mut random, translation).to_rows();
            let rows = exact.map(|x| x + random.range(-1.4e-10, 1.4e-10));
            Pose::from_rows(rows).expect("orthonormal to 1e-9")
        };
        let (pose_a, pose_b) = (skewed(DVec3::ZERO), skewed(dvec3(0.5, 0.4, 0.3)));
        check(&a, &pose_a, &b, &pose_b, &[0.0, 0.1]);
    }
}

#[test]
fn touching_and_identical_meshes_miss_no_contact() {
    let cube = Body::new(&sample::cube(1.0).to_soup());
    for (x, y, z) in
        [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0.5, 0.0, 1.0), (1.0 + 1e-15, 0.0, 0.0)]
    {
        let moved = Pose::from_translation(dvec3(x, y, z)).expect("a pose");
        check(&cube, &Pose::IDENTITY, &cube, &moved, &[0.0, 0.5]);
        let turned =
            Pose::from_quaternion(DQuat::from_xyzw(0.0, 0.0, 1.0, 1.0), dvec3(x, y, z)).expect("a pose");
        check(&cube, &turned, &cube, &turned, &[0.0]);
    }
    let single = Body::new(&soup(&[[DVec3::ZERO, DVec3::X, DVec3::Y]]));
    check(&single, &Pose::IDENTITY, &single, &Pose::IDENTITY, &[0.0]);
    check(&single, &Pose::IDENTITY, &cube, &Pose::IDENTITY, &[0.0, 0.2]);
    check(&cube, &Pose::IDENTITY, &single, &Pose::IDENTITY, &[0.0, 0.2]);
}

/// All that floats say about all pairs of triangles, without trees.
fn brute_force(a: &Body, b: &Body, pair: &TreePair<'_>) -> (BTreeSet<(u32, u32)>, f64, f64) {
    let (mut crossing, mut lower, mut upper) = (BTreeSet::new(), f64::INFINITY, f64::INFINITY);
    for triangle_a in 0..a.count() as u32 {
        let corners_a = a.corners(triangle_a);
        for triangle_b in 0..b.count() as u32 {
            let corners_b = b.corners(triangle_b);
            let gap = pair.gap(corners_a, corners_b);
            (lower, upper) = (lower.min(gap.lower), upper.min(gap.upper));
            if gap.lower == 0.0 && pair.crossing(corners_a, corners_b) == Crossing::Crossing {
                crossing.insert((triangle_a, triangle_b));
                upper = 0.0;
            }
        }
    }
    (crossing, lower, upper)
}

/// The contacts that a tree finds, after its distances and bounds were compared with all pairs of triangles.
fn compared_with_all<B: Bound>(
    a: &Body,
    b: &Body,
    pair: &TreePair<'_, B>,
    (lower, upper): (f64, f64),
) -> BTreeSet<(u32, u32)> {
    let mut scratch = Scratch::default();
    let (low, high) = distance(a, b, pair, None, &mut scratch);
    assert!(low <= upper && lower <= high && high - low <= 1e-11 * high, "{low} {high} {lower} {upper}");
    for budget in [0, 64, 1000, 100_000] {
        let bound = pair.lower_bound(budget, &mut scratch);
        assert!((0.0..=upper).contains(&bound), "{bound} of {upper}");
        // With all the work that it takes the bound comes near what boxes and planes prove.
        assert!(budget < 100_000 || bound >= 0.7 * lower, "{bound} of {lower}");
    }
    for start in
        [Nearer { distance: high, direction: DVec3::NAN }, Nearer { distance: 10.0, direction: DVec3::Y }]
    {
        let warm = distance(a, b, pair, Some(start), &mut scratch);
        assert!(warm.0 <= upper && high == warm.1, "{warm:?} {high}");
    }
    let mut found = visited(pair, 0.0, &mut scratch);
    found.retain(|&(i, j)| pair.crossing(a.corners(i), b.corners(j)) == Crossing::Crossing);
    found
}

#[test]
fn large_meshes_have_the_contacts_and_distances_of_brute_force() {
    let [a, b] = torus_and_ball();
    let mut random = Random::new(4);
    let mut contacts = 0;
    for offset in [0.3, 1.0, 1.6, 1.9, 2.3, 3.0] {
        let (pose_a, pose_b) = (pose(&mut random, DVec3::ZERO), pose(&mut random, offset * DVec3::X));
        let pair = TreePair::new(&a.tree, &pose_a, &b.tree, &pose_b);
        let (crossing, lower, upper) = brute_force(&a, &b, &pair);
        let (hulls, oriented, boxes) = (
            TreePair::new(&a.hulls, &pose_a, &b.hulls, &pose_b),
            TreePair::new(&a.oriented, &pose_a, &b.oriented, &pose_b),
            TreePair::new(&a.boxes, &pose_a, &b.boxes, &pose_b),
        );
        assert_eq!(compared_with_all(&a, &b, &pair, (lower, upper)), crossing, "at {offset}");
        assert_eq!(compared_with_all(&a, &b, &hulls, (lower, upper)), crossing, "at {offset}");
        assert_eq!(compared_with_all(&a, &b, &oriented, (lower, upper)), crossing, "at {offset}");
        assert_eq!(compared_with_all(&a, &b, &boxes, (lower, upper)), crossing, "at {offset}");
        contacts += crossing.len();
    }
    assert!(contacts > 300, "{contacts}");
}

#[test]
fn bodies_far_from_each_other_are_not_compared_triangle_by_triangle() {
    let [a, b] = torus_and_ball();
    let mut random = Random::new(5);
    for offset in [1e2, 1e4, 1e6, 1e9, 1e14, 1e20, 1e60] {
        let (pose_a, pose_b) = (pose(&mut random, DVec3::ZERO), pose(&mut random, offset * DVec3::X));
        let pair = TreePair::new(&a.tree, &pose_a, &b.tree, &pose_b);
        let mut scratch = Scratch::default();
        let (low, high) = distance(&a, &b, &pair, None, &mut scratch);
        assert!((high - offset).abs() < 2.5 + 1e-12 * offset && high - low <= 2e-12 * high, "{low} {high}");
        assert!(scratch.stats.visits < 100 && scratch.stats.steps < 300, "{offset}: {:?}", scratch.stats);
    }
}

#[test]
fn a_small_body_beside_a_large_one_is_found_quickly() {
    let [a, b] = torus_and_ball();
    // Beyond 2^-24 the corners of the large one, stored in `f32`, no longer tell its triangles apart.
    for exponent in [-8, -16, -20] {
        let scale = 2f64.powi(exponent);
        let small = Body::new(&changed(b.mesh.to_soup(), |p| p * scale));
        // Around a corner of the torus.
        let at = Pose::from_translation(a.mesh.positions()[17]).expect("a pose");
        for [first, second] in
            [[(&a, &Pose::IDENTITY), (&small, &at)], [(&small, &at), (&a, &Pose::IDENTITY)]]
        {
            let pair = TreePair::new(&first.0.tree, first.1, &second.0.tree, second.1);
            let mut scratch = Scratch::default();
            let found = visited(&pair, 0.0, &mut scratch).len();
            assert!(found > 20 && found < 3000, "{found} at {exponent}");
            assert!(scratch.stats.steps < 3000, "{:?} at {exponent}", scratch.stats);
        }
    }
}

#[test]
fn the_tree_does_not_depend_on_the_number_of_threads() {
    // Above the size from which bins are filled by several threads.
    let mesh = Mesh::build(&sample::bumpy_sphere(1.0, 0.2, 3, 64).expect("a sample"), &MeshConfig::default());
    let mesh = mesh.expect("a mesh");
    let build = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| Tree::build(&mesh)).to_bytes()
    };
    let one = build(1);
    assert!([2, 3, 7].into_iter().all(|threads| build(threads) == one));
}

#[test]
fn a_tree_takes_at_most_a_hundred_bytes_per_triangle() {
    let mut random = Random::new(6);
    let mut worst: f64 = 0.0;
    for count in (40..2000).step_by(7) {
        let body = Body::new(&random_soup(&mut random, count));
        worst = worst.max(body.tree.bytes() as f64 / body.count() as f64);
    }
    assert!(worst <= 100.0, "{worst} bytes for a triangle");
    let single = Body::new(&soup(&[[DVec3::ZERO, DVec3::X, DVec3::Y]]));
    assert!(single.tree.bytes() < 1000);
}

#[test]
fn triangles_with_equal_boxes_are_divided() {
    // Two hundred triangles in one box: no bin tells them apart.
    let fan: Vec<[DVec3; 3]> = (0..200)
        .map(|k| [DVec3::ZERO, dvec3(1.0, 0.5 + 0.001 * f64::from(k), 0.3), dvec3(0.2, 1.0, 1.0)])
        .collect();
    let body = Body::new(&soup(&fan));
    assert!(body.tree.bytes() < 100 * 200);
    let pair = TreePair::new(&body.tree, &Pose::IDENTITY, &body.tree, &Pose::IDENTITY);
    let found = visited(&pair, 0.0, &mut Scratch::default());
    assert_eq!(found.len(), 200 * 200, "all share a corner");
}

#[test]
fn a_refitted_tree_answers_for_the_moved_mesh() {
    let [mut a, b] = torus_and_ball();
    let wave = |p: DVec3| 3.0 * p + dvec3(0.1 * p.y * p.y, 0.2 * p.x, 5.0 + 0.1 * p.x * p.y);
    a.mesh = Mesh::build(&changed(a.mesh.to_soup(), wave), &MeshConfig::default()).expect("a mesh");
    assert!(a.tree.validate(&a.mesh).is_err(), "the boxes are old");
    a.tree.refit(&a.mesh).expect("as many triangles");
    a.tree.validate(&a.mesh).expect("the boxes are new");
    let pose_b = Pose::from_translation(dvec3(2.9, 0.5, 5.0)).expect("a pose");
    let pair = TreePair::new(&a.tree, &Pose::IDENTITY, &b.tree, &pose_b);
    let (crossing, ..) = brute_force(&a, &b, &pair);
    let mut found = visited(&pair, 0.0, &mut Scratch::default());
    found.retain(|&(i, j)| pair.crossing(a.corners(i), b.corners(j)) == Crossing::Crossing);
    assert_eq!(found, crossing);
    assert!(!found.is_empty());
    assert_eq!(a.tree.refit(&b.mesh), Err(TreeError::TriangleCount { tree: 700, mesh: 720 }));
}

#[test]
fn a_stored_tree_is_the_same_tree() {
    for body in torus_and_ball() {
        let bytes = body.tree.to_bytes();
        assert!(bytes.len() < 10 * body.count());
        let loaded = Tree::from_bytes(&bytes, &body.mesh).expect("a tree");
        loaded.validate(&body.mesh).expect("a tree");
        assert_eq!(loaded.to_bytes(), bytes);
    }
}

#[test]
fn every_damaged_bit_is_found() {
    let body = Body::new(&sample::torus(1.0, 0.4, 8, 5).expect("a sample"));
    let mut bytes = body.tree.to_bytes();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            bytes[at] ^= 1 << bit;
            assert!(Tree::from_bytes(&bytes, &body.mesh).is_err(), "bit {bit} of byte {at}");
            bytes[at] ^= 1 << bit;
        }
    }
    for length in 0..bytes.len() {
        assert!(Tree::from_bytes(&bytes[..length], &body.mesh).is_err(), "{length} bytes");
    }
    bytes.push(0);
    assert!(matches!(Tree::from_bytes(&bytes, &body.mesh), Err(TreeError::Length { .. })));
}

#[test]
fn what_is_no_tree_for_the_mesh_is_refused_with_its_reason() {
    let [torus, ball] = torus_and_ball();
    let bytes = torus.tree.to_bytes();
    let refused = |bytes: &[u8], mesh: &Mesh| Tree::from_bytes(bytes, mesh).expect_err("no tree");
    assert_eq!(refused(&bytes, &ball.mesh), TreeError::TriangleCount { tree: 700, mesh: 720 });
    let stretched = changed(torus.mesh.to_soup(), |p| p * dvec3(1.0, 1.0, 1.001));
    let stretched = Mesh::build(&stretched, &MeshConfig::default()).expect("a mesh");
    assert_eq!(refused(&bytes, &stretched), TreeError::OtherMesh);
    assert_eq!(refused(b"PK", &torus.mesh), TreeError::NotATree);
    let mut newer = bytes.clone();
    newer[8] = 2;
    assert_eq!(refused(&newer, &torus.mesh), TreeError::Version { found: 2, expected: 1 });
    let mut damaged = bytes.clone();
    damaged[100] ^= 4;
    assert_eq!(refused(&damaged, &torus.mesh), TreeError::Checksum);
}

#[test]
fn node_pairs_hardly_grow_with_the_number_of_triangles() {
    let steps = |around: u32, frequency: u32| {
        let torus = Body::new(&sample::torus(1.0, 0.4, around, around / 2).expect("a sample"));
        let ball = Body::new(&sample::bumpy_sphere(1.0, 0.3, 4, frequency).expect("a sample"));
        let (mut scratch, mut random) = (Scratch::default(), Random::new(7));
        for _ in 0..10 {
            let (pose_a, pose_b) = (pose(&mut random, DVec3::ZERO), pose(&mut random, 3.0 * DVec3::X));
            let pair = TreePair::new(&torus.tree, &pose_a, &ball.tree, &pose_b);
            distance(&torus, &ball, &pair, None, &mut scratch);
        }
        scratch.stats.steps + scratch.stats.leaf_pairs
    };
    let (few, many) = (steps(24, 6), steps(96, 24));
    assert!(many < 3 * few, "{few} and {many} for 16 times as many triangles");
}
