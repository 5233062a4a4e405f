//! How deep surfaces get into each other, the volume in common, and meshes that are one and the same.

use clearance::math::Random;
use clearance::mesh::{
    DepthSearch, SurfaceDepth, TreeMesh, have_same_points, have_same_triangles, intersection_volume,
    reaches_outside, signed_distance,
};
use clearance::shape::{Mesh, MeshConfig, Polytope, TriangleSoup, sample};
use clearance::{Pose, glam::DVec3};

fn solid(soup: &TriangleSoup) -> TreeMesh {
    TreeMesh::new(Mesh::build(soup, &MeshConfig::default()).unwrap())
}

fn block(min: DVec3, max: DVec3) -> TreeMesh {
    let corner = |i: usize| {
        let ends = [min, max];
        DVec3::new(ends[i & 1].x, ends[i >> 1 & 1].y, ends[i >> 2].z)
    };
    let corners: Vec<DVec3> = (0..8).map(corner).collect();
    TreeMesh::from_polytope(&Polytope::hull(&corners).unwrap()).unwrap()
}

fn shifted(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z)).unwrap()
}

/// A prism over a regular polygon, along z, turned about it.
fn prism(corners: usize, radius: f64, half_height: f64, turn: f64) -> Vec<DVec3> {
    let at = |i: usize| std::f64::consts::TAU * (i as f64 + turn) / corners as f64;
    let ring = |z: f64| (0..corners).map(move |i| DVec3::new(at(i).cos() * radius, at(i).sin() * radius, z));
    ring(-half_height).chain(ring(half_height)).collect()
}

/// A square plate with a bore of so many corners.
fn bored_plate(corners: usize, radius: f64, half_height: f64) -> TreeMesh {
    let inner = prism(corners, radius, half_height, 0.0);
    let outer = prism(corners, 3.0 * radius, half_height, 0.0);
    let (n, mut triangles) = (corners as u32, Vec::new());
    for i in 0..n {
        let j = (i + 1) % n;
        // Inner low, inner high, outer low, outer high.
        let quad = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d]];
        triangles.extend(quad([i, n + i, n + j, j]));
        triangles.extend(quad([2 * n + i, 2 * n + j, 3 * n + j, 3 * n + i]));
        triangles.extend(quad([n + i, 3 * n + i, 3 * n + j, n + j]));
        triangles.extend(quad([i, j, 2 * n + j, 2 * n + i]));
    }
    let positions = inner.into_iter().chain(outer).collect();
    solid(&TriangleSoup { positions, triangles, parts: Vec::new() })
}

fn depth(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose, limit: f64) -> SurfaceDepth {
    let mut search = DepthSearch::new(a, pose_a, b, pose_b).unwrap();
    search.settle(limit, 200_000);
    search.found()
}

/// The deepest of many points of one surface inside the other solid.
fn sampled(own: (&TreeMesh, &Pose), other: (&TreeMesh, &Pose), steps: u32) -> f64 {
    let mut deepest = 0.0f64;
    for triangle in 0..own.0.mesh().triangles().len() {
        let [p, q, r] = own.0.mesh().triangle(triangle).map(|corner| own.1.apply(corner));
        for (i, j) in (0..=steps).flat_map(|i| (0..=steps - i).map(move |j| (i, j))) {
            let [u, v] = [i, j].map(|k| f64::from(k) / f64::from(steps));
            let point = p + (q - p) * u + (r - p) * v;
            deepest = deepest.max(-signed_distance(other.0, other.1, point).unwrap().upper);
        }
    }
    deepest
}

/// The bracket holds what samples show, and its own point.
fn check(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose, found: SurfaceDepth, size: f64) {
    let deepest = sampled((a, pose_a), (b, pose_b), 12).max(sampled((b, pose_b), (a, pose_a), 12));
    assert!(found.lower <= found.upper, "{found:?}");
    assert!(deepest <= found.upper * (1.0 + 1e-12) + 1e-14 * size, "{deepest} of {found:?}");
    let Some(point) = found.point else { return assert_eq!(found.lower, 0.0) };
    let into = |mesh, pose| -signed_distance(mesh, pose, point).unwrap().lower;
    let slack = 1e-12 * size;
    let is_shown = |x, pose_x, y, pose_y| {
        signed_distance(x, pose_x, point).unwrap().upper.abs() <= slack
            && into(y, pose_y) >= found.lower - slack
    };
    assert!(is_shown(a, pose_a, b, pose_b) || is_shown(b, pose_b, a, pose_a), "{found:?}");
}

#[test]
fn crossing_bars_are_as_deep_as_they_are_half_wide() {
    for scale in [2f64.powi(-20), 1.0, 2f64.powi(20)] {
        let bar = |x: f64, y: f64| {
            let half = DVec3::new(x, y, 1.0) * 0.5 * scale;
            block(-half, half)
        };
        let (a, b) = (bar(10.0, 1.0), bar(1.0, 10.0));
        let (here, there) = (Pose::IDENTITY, shifted(0.0, 0.0, 0.25 * scale));
        let mut search = DepthSearch::new(&a, &here, &b, &there).unwrap();
        assert_eq!(search.found().lower, 0.0, "no vertex of either is inside the other");
        search.settle(0.49 * scale, 100_000);
        let found = search.found();
        assert!(found.lower > 0.37 * scale, "{found:?}");
        check(&a, &here, &b, &there, found, 10.0 * scale);
        let found = depth(&a, &here, &b, &there, 0.51 * scale);
        assert!(found.upper <= 0.51 * scale, "{found:?}");
    }
}

#[test]
fn a_pin_whose_corners_cut_into_its_bore_is_shallow() {
    let plate = bored_plate(48, 5.0, 4.0);
    // The corners of the pin lie between those of the bore: into the chords by the height of an arc.
    let pin = TreeMesh::from_polytope(&Polytope::hull(&prism(48, 5.0, 6.0, 0.5)).unwrap()).unwrap();
    let arc = 5.0 * (1.0 - (std::f64::consts::PI / 48.0).cos());
    let (here, there) = (Pose::IDENTITY, Pose::IDENTITY);
    let found = depth(&plate, &here, &pin, &there, 1.05 * arc);
    assert!(found.upper <= 1.05 * arc, "{found:?} of {arc}");
    check(&plate, &here, &pin, &there, found, 15.0);
    let found = depth(&plate, &here, &pin, &there, 0.5 * arc);
    assert!(found.lower > 0.5 * arc, "{found:?} of {arc}");
    assert!(reaches_outside(&plate, &here, &pin, &there) && reaches_outside(&pin, &there, &plate, &here));
}

#[test]
fn boxes_half_way_in_flush_and_identical() {
    let (cube, here) = (block(DVec3::ZERO, DVec3::ONE), Pose::IDENTITY);
    let half_way = shifted(0.5, 0.125, 0.25);
    check(&cube, &here, &cube, &half_way, depth(&cube, &here, &cube, &half_way, 0.3), 1.0);
    assert!(depth(&cube, &here, &cube, &half_way, 0.2).lower > 0.2);
    // A little: the hulls settle it at once.
    let little = shifted(1.0 - 1e-3, 0.3, 0.3);
    let mut search = DepthSearch::new(&cube, &here, &cube, &little).unwrap();
    search.settle(1.1e-3, 0);
    assert!(search.found().upper <= 1.1e-3);
    assert!(reaches_outside(&cube, &here, &cube, &little));
    // Touching and apart: nothing is inside.
    for x in [1.0, 1.5] {
        let found = depth(&cube, &here, &cube, &shifted(x, 0.0, 0.0), 0.1);
        assert_eq!((found.lower, found.upper), (0.0, 0.0));
    }
    // Identical ones are at no depth, and that is why shells must reach outside.
    let found = depth(&cube, &here, &cube, &here, 1e-6);
    assert!(found.upper <= 1e-6, "{found:?}");
    assert!(!reaches_outside(&cube, &here, &cube, &here));
    // A thin plate under the skin.
    let sheet = block(DVec3::new(0.25, 0.25, 0.001), DVec3::new(0.75, 0.75, 0.002));
    let found = depth(&cube, &here, &sheet, &here, 0.01);
    assert!(found.upper <= 0.01 && found.lower > 0.0019, "{found:?}");
    assert!(!reaches_outside(&sheet, &here, &cube, &here) && reaches_outside(&cube, &here, &sheet, &here));
}

#[test]
fn random_hulls_and_rings_are_bracketed() {
    let mut random = Random::new(11);
    let (mut deep, mut shallow) = (0, 0);
    for case in 0..24 {
        let scale = [2f64.powi(-20), 1.0, 2f64.powi(20)][case % 3];
        let mut cloud = |count: usize| -> TreeMesh {
            let point =
                |random: &mut Random| sample::random_direction(random) * random.range(0.5, 1.0) * scale;
            let points: Vec<DVec3> = (0..count).map(|_| point(&mut random)).collect();
            TreeMesh::from_polytope(&Polytope::hull(&points).unwrap()).unwrap()
        };
        let (hull, other) = (cloud(20), cloud(12));
        let ring = solid(&sample::torus(scale, 0.25 * scale, 20, 9).unwrap());
        let other = if case % 2 == 0 { &other } else { &ring };
        let axis = sample::random_direction(&mut random);
        let shift = sample::random_direction(&mut random) * random.range(0.3, 2.0) * scale;
        let there = Pose::from_axis_angle(axis, random.range(0.0, 3.0), shift).unwrap();
        // Half of the limits are such that most pairs stay below them.
        let limit = [random.range(0.01, 0.4), random.range(0.4, 0.8)][case / 2 % 2] * scale;
        let found = depth(&hull, &Pose::IDENTITY, other, &there, limit);
        assert!(found.lower > limit || found.upper <= limit, "undecided: {found:?} at {limit}");
        deep += usize::from(found.lower > limit);
        shallow += usize::from(found.upper <= limit && found.lower > 0.0);
        check(&hull, &Pose::IDENTITY, other, &there, found, 3.0 * scale);
    }
    assert!(deep > 4 && shallow > 2, "{deep} {shallow}");
}

#[test]
fn volumes_of_boxes_are_known() {
    let cube = block(DVec3::ZERO, DVec3::ONE);
    let volume =
        |pose: &Pose| intersection_volume(&cube, &Pose::IDENTITY, &cube, pose, 1e-3, 20_000).unwrap();
    for (pose, truth) in [
        (shifted(0.5, 0.25, 0.75), 0.5 * 0.75 * 0.25),
        (shifted(1.0, 0.0, 0.0), 0.0),
        (shifted(3.0, 0.0, 0.0), 0.0),
        (Pose::IDENTITY, 1.0),
        (shifted(1.0 - 1e-6, 0.0, 0.0), 1e-6),
        (shifted(1e-14, 0.0, 0.0), 1.0),
    ] {
        let found = volume(&pose);
        assert!(
            found.lower <= truth * (1.0 + 1e-9) && truth * (1.0 - 1e-9) <= found.upper,
            "{truth}: {found:?}"
        );
        assert!(found.upper - found.lower <= 1e-3 * truth + 1e-8, "{truth}: {found:?}");
    }
    // Turned by an eighth about z through the centre: a regular octagon.
    let centred = block(DVec3::splat(-0.5), DVec3::splat(0.5));
    let turned = Pose::from_axis_angle(DVec3::Z, std::f64::consts::FRAC_PI_4, DVec3::ZERO).unwrap();
    let found = intersection_volume(&centred, &Pose::IDENTITY, &centred, &turned, 1e-3, 20_000).unwrap();
    let truth = 2.0 * (2f64.sqrt() - 1.0);
    assert!(found.lower <= truth && truth <= found.upper && found.upper - found.lower < 1e-3, "{found:?}");
}

#[test]
fn volumes_of_balls_and_of_what_lies_inside() {
    let ball = solid(&sample::icosphere(1.0, 6).unwrap());
    let whole = ball.mesh().volume().unwrap();
    let volume = |other: &TreeMesh, pose: &Pose| {
        intersection_volume(&ball, &Pose::IDENTITY, other, pose, 1e-2, 50_000).unwrap()
    };
    let same = volume(&ball, &Pose::IDENTITY);
    assert!(
        same.lower <= whole && whole <= same.upper && same.upper - same.lower < 0.011 * whole,
        "{same:?}"
    );
    let inner = block(DVec3::splat(-0.25), DVec3::splat(0.25));
    let held = volume(&inner, &shifted(0.1, 0.0, 0.0));
    assert!(held.lower <= 0.125 && 0.125 <= held.upper && held.upper - held.lower < 1e-6, "{held:?}");
    // A lens of true balls is a little larger than that of tessellated ones.
    let lens = volume(&ball, &shifted(1.0, 0.0, 0.0));
    let truth = std::f64::consts::PI * 5.0 / 12.0;
    assert!(lens.upper - lens.lower <= 0.0101 * lens.upper, "{lens:?}");
    assert!(lens.lower < truth && lens.upper > 0.9 * truth, "{lens:?}");
    // Against many random points.
    let (ring, mut random) = (solid(&sample::torus(1.0, 0.3, 24, 12).unwrap()), Random::new(4));
    let there = Pose::from_axis_angle(DVec3::new(1.0, 2.0, 0.5), 0.7, DVec3::new(0.6, 0.1, 0.2)).unwrap();
    let found = volume(&ring, &there);
    let count = 20_000;
    let is_in = |point: DVec3| {
        signed_distance(&ball, &Pose::IDENTITY, point).unwrap().upper < 0.0
            && signed_distance(&ring, &there, point).unwrap().upper < 0.0
    };
    let mut coordinate = || random.range(-1.0, 1.0);
    let inside = (0..count).filter(|_| is_in(DVec3::new(coordinate(), coordinate(), coordinate()))).count();
    let estimate = 8.0 * inside as f64 / f64::from(count);
    let deviation = 8.0 * (estimate / 8.0 / f64::from(count)).sqrt();
    assert!(
        found.lower - 5.0 * deviation < estimate && estimate < found.upper + 5.0 * deviation,
        "{found:?} {estimate}"
    );
    assert!(found.upper - found.lower <= 0.0101 * found.upper, "{found:?}");
}

/// The same solid in another frame and order.
fn shuffled(soup: &TriangleSoup, pose: &Pose, random: &mut Random) -> TriangleSoup {
    let count = soup.positions.len();
    let step =
        (0..).map(|k| 2 * k + 1 + random.range(0.0, 5.0) as usize).find(|s| gcd(*s, count) == 1).unwrap();
    let place: Vec<usize> = (0..count).map(|i| i * step % count).collect();
    let mut positions = vec![DVec3::ZERO; count];
    for (i, &to) in place.iter().enumerate() {
        positions[to] = pose.apply(soup.positions[i]);
    }
    let triangles = soup.triangles.iter().rev().map(|&[a, b, c]| [b, c, a].map(|v| place[v as usize] as u32));
    TriangleSoup { positions, triangles: triangles.collect(), parts: Vec::new() }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[test]
fn copies_are_found_in_any_order_and_near_ones_only_within_the_tolerance() {
    let mut random = Random::new(9);
    let soup = sample::torus(1.0, 0.25, 20, 9).unwrap();
    let ring = solid(&soup);
    // A quarter turn and a shift that floats do without rounding.
    let quarter = Pose::from_rows([0.0, -1.0, 0.0, 4.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]).unwrap();
    let exact = |a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose| {
        have_same_triangles(a, pose_a, b, pose_b, 0.0)
    };
    let rest = Pose::IDENTITY;
    assert!(exact(&ring, &rest, &ring, &rest));
    let other = solid(&shuffled(&soup, &rest, &mut random));
    assert!(exact(&ring, &quarter, &other, &quarter));
    let baked = TriangleSoup {
        positions: soup.positions.iter().map(|p| DVec3::new(-p.y, p.x, p.z)).collect(),
        ..soup.clone()
    };
    let baked = solid(&shuffled(&baked, &rest, &mut random));
    assert!(exact(&ring, &quarter, &baked, &shifted(4.0, 0.0, 0.0)));
    // Off by the last bit of one coordinate.
    let mut bent = soup.clone();
    bent.positions[7].x = bent.positions[7].x.next_up();
    let bent = solid(&bent);
    assert!(!exact(&ring, &rest, &bent, &rest));
    assert!(have_same_triangles(&ring, &rest, &bent, &rest, 1e-9));
    let near = shifted(3e-4, 0.0, 0.0);
    assert!(have_same_triangles(&ring, &rest, &other, &near, 4e-4));
    assert!(!have_same_triangles(&ring, &rest, &other, &near, 2e-4));
    // The same points, other triangles.
    let corners = [DVec3::ZERO, DVec3::X, DVec3::X + DVec3::Y, DVec3::Y];
    let sheet = |triangles: [[u32; 3]; 2]| {
        solid(&TriangleSoup { positions: corners.to_vec(), triangles: triangles.to_vec(), parts: Vec::new() })
    };
    let (one, another) = (sheet([[0, 1, 2], [0, 2, 3]]), sheet([[0, 1, 3], [1, 2, 3]]));
    assert!(!exact(&one, &rest, &another, &rest));
    assert!(have_same_points(&corners, &rest, &corners, &rest, 0.0));
    assert!(!have_same_points(&corners, &rest, &corners[..3], &rest, 0.0));
    assert!(!have_same_points(&corners, &rest, &corners, &near, 1e-4));
}
