//! Hulls are exact: against brute force on small sets, against chull on large ones, whatever the input looks like.

use clearance::exact::{Sign, orient3d};
use clearance::glam::{DVec3, dvec3};
use clearance::oracle::hull as brute;
use clearance::shape::{Polytope, PolytopeError};
use clearance::tolerance::COORDINATE_LIMIT;
use std::collections::BTreeSet;

/// SplitMix64: a seeded sequence that is the same everywhere.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// Uniform in [-1, 1), a multiple of 2^-52.
    fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * 2f64.powi(-52) - 1.0
    }

    fn in_cube(&mut self) -> DVec3 {
        dvec3(self.signed(), self.signed(), self.signed())
    }

    fn on_sphere(&mut self) -> DVec3 {
        loop {
            let p = self.in_cube();
            if (0.01..=1.0).contains(&p.length_squared()) {
                return p.normalize();
            }
        }
    }

    fn integer(&mut self, size: i64) -> f64 {
        (self.below(2 * size as usize + 1) as i64 - size) as f64
    }

    fn lattice(&mut self, size: i64) -> DVec3 {
        dvec3(self.integer(size), self.integer(size), self.integer(size))
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        (1..items.len()).rev().for_each(|i| items.swap(i, self.below(i + 1)));
    }
}

/// How many random cases to run: `count` times the environment variable `CLEARANCE_CASES`.
fn cases(count: u64) -> u64 {
    count * std::env::var("CLEARANCE_CASES").ok().and_then(|c| c.parse::<u64>().ok()).unwrap_or(1)
}

/// Each point moved by at most one unit in the last place per coordinate.
fn jittered(random: &mut Random, points: &[DVec3]) -> Vec<DVec3> {
    let mut jitter = |x: f64| [x.next_down(), x, x.next_up()][random.below(3)];
    points.iter().map(|p| dvec3(jitter(p.x), jitter(p.y), jitter(p.z))).collect()
}

/// Families of small point sets, from harmless to vicious.
const FAMILIES: &[(&str, fn(&mut Random, usize) -> Vec<DVec3>)] = &[
    ("in a cube", |r, n| (0..n).map(|_| r.in_cube()).collect()),
    ("on a sphere", |r, n| (0..n).map(|_| r.on_sphere()).collect()),
    ("on a lattice of three", |r, n| (0..n).map(|_| r.lattice(1)).collect()),
    ("on a lattice of seven", |r, n| (0..n).map(|_| r.lattice(3)).collect()),
    ("few distinct points", |r, n| {
        let few: Vec<DVec3> = (0..1 + n / 3).map(|_| r.in_cube()).collect();
        (0..n).map(|_| few[r.below(few.len())]).collect()
    }),
    ("cospherical integers", |r, n| {
        let pick = |r: &mut Random| {
            let mut p = [[1.0, 4.0, 8.0], [4.0, 4.0, 7.0], [0.0, 0.0, 9.0], [3.0, 6.0, 6.0]][r.below(4)];
            r.shuffle(&mut p);
            DVec3::from_array(p.map(|x| if r.below(2) == 0 { x } else { -x }))
        };
        (0..n).map(|_| pick(r)).collect()
    }),
    ("collinear", |r, n| {
        let (start, along) = (r.lattice(100), r.lattice(5));
        (0..n).map(|_| start + along * r.integer(9)).collect()
    }),
    ("nearly collinear", |r, n| {
        let (start, along) = (r.in_cube(), r.in_cube());
        (0..n).map(|_| start + along * r.signed()).collect()
    }),
    ("coplanar", |r, n| {
        let (start, u, v) = (r.lattice(100), r.lattice(3), r.lattice(3));
        (0..n).map(|_| start + u * r.integer(4) + v * r.integer(4)).collect()
    }),
    ("nearly coplanar", |r, n| {
        let (start, u, v) = (r.in_cube(), r.in_cube(), r.in_cube());
        (0..n).map(|_| start + u * r.signed() + v * r.signed()).collect()
    }),
    ("two parallel planes", |r, n| {
        (0..n).map(|_| dvec3(r.integer(3), r.integer(3), r.below(2) as f64)).collect()
    }),
    ("thin lens", |r, n| (0..n).map(|_| r.on_sphere() * dvec3(1.0, 1.0, 1e-3)).collect()),
    ("thinner than the last place", |r, n| {
        (0..n).map(|_| dvec3(r.integer(3), r.integer(3), r.integer(2) * f64::EPSILON) + DVec3::ONE).collect()
    }),
    ("jittered lattice", |r, n| {
        let points: Vec<DVec3> = (0..n).map(|_| r.lattice(2) * 0.1).collect();
        jittered(r, &points)
    }),
    ("far away", |r, n| (0..n).map(|_| r.in_cube() * 1e-3 + DVec3::splat(1e6)).collect()),
    ("far away on a lattice", |r, n| (0..n).map(|_| r.lattice(2) + dvec3(1e6, -1e6, 3e6)).collect()),
    ("mixed magnitudes", |r, n| {
        let mut wild = || r.signed() * 2f64.powi(r.below(1300) as i32 - 1000);
        (0..n).map(|_| dvec3(wild(), wild(), wild())).collect()
    }),
    ("subnormal beside huge", |r, n| {
        let sizes = [f64::from_bits(1), 1.0, COORDINATE_LIMIT];
        let mut wild = || r.integer(1) * sizes[r.below(3)];
        (0..n).map(|_| dvec3(wild(), wild(), wild())).collect()
    }),
    ("signed zeros", |r, n| {
        let mut zero = || [-1.0, -0.0, 0.0, 1.0][r.below(4)];
        (0..n).map(|_| dvec3(zero(), zero(), zero())).collect()
    }),
];

const SCALES: [f64; 7] = [1.0, 1.0 / 1048576.0, 1048576.0, 1e-150, 1e85, 7e-310, 0.1];

fn faces_as_sets(polytope: &Polytope) -> BTreeSet<BTreeSet<usize>> {
    polytope.faces().map(|f| f.iter().map(|&v| polytope.original_index(v as usize)).collect()).collect()
}

/// Builds, validates, and checks every input point against every face.
fn checked_hull(points: &[DVec3]) -> Polytope {
    let polytope = Polytope::hull(points).unwrap();
    assert_eq!(polytope.validate(), Ok(()), "{points:?}");
    for (v, &p) in polytope.vertices().iter().enumerate() {
        assert_eq!(p, points[polytope.original_index(v)]);
        assert!(p.to_array().iter().all(|x| x.to_bits() != (-0.0f64).to_bits()));
    }
    let bounds = polytope.bounds();
    assert!(points.iter().all(|&p| bounds.contains(p)), "{points:?}");
    assert!(bounds.contains(polytope.centroid()), "{points:?}");
    for face in polytope.faces() {
        let [a, b, c] = [0, 1, 2].map(|k| polytope.vertices()[face[k] as usize]);
        assert!(
            points.iter().all(|&p| orient3d(a, b, c, p) != Sign::Positive),
            "a point is outside: {points:?}"
        );
    }
    polytope
}

fn assert_equals_brute_force(points: &[DVec3], what: &str) {
    let polytope = checked_hull(points);
    let expected = brute::hull(points);
    let vertices: BTreeSet<usize> =
        (0..polytope.vertices().len()).map(|v| polytope.original_index(v)).collect();
    assert_eq!(polytope.dimension(), expected.dimension, "{what}: {points:?}");
    assert_eq!(vertices, expected.vertices, "{what}: {points:?}");
    assert_eq!(faces_as_sets(&polytope), expected.faces, "{what}: {points:?}");
}

#[test]
fn small_sets_agree_with_brute_force() {
    let mut random = Random(1);
    let mut dimensions = [0; 4];
    for case in 0..cases(150) {
        for (name, family) in FAMILIES {
            let count = 1 + random.below(if case % 10 == 0 { 16 } else { 8 });
            let points = family(&mut random, count);
            let scale = SCALES[random.below(SCALES.len())];
            let scaled: Vec<DVec3> = points.iter().map(|&p| p * scale).collect();
            let in_range = scaled.iter().all(|p| p.abs().max_element() <= COORDINATE_LIMIT);
            let points = if in_range { scaled } else { points };
            assert_equals_brute_force(&points, name);
            dimensions[Polytope::hull(&points).unwrap().dimension()] += 1;
        }
    }
    assert!(dimensions.iter().all(|&count| count > 20), "every dimension occurs: {dimensions:?}");
}

#[test]
fn grids_keep_their_corners_only() {
    for (count, spacing, offset) in [(3, 1.0, 0.0), (10, 0.5, 1e6), (10, 0.1, 0.0), (3, 0.1, 1e6)] {
        let at = |i: usize| offset + spacing * i as f64;
        let mut points = Vec::new();
        for i in 0..count * count * count {
            points.push(dvec3(at(i % count), at(i / count % count), at(i / count / count)));
        }
        Random(7).shuffle(&mut points);
        let cube = checked_hull(&points);
        assert_eq!((cube.vertices().len(), cube.edge_count(), cube.face_count()), (8, 12, 6));
        let side = at(count - 1) - at(0);
        assert!((cube.volume() - side.powi(3)).abs() <= 1e-15 * side.powi(3));
    }
}

#[test]
fn permuting_points_changes_original_indices_only() {
    let mut random = Random(2);
    for case in 0..cases(40) {
        for (name, family) in FAMILIES {
            let points = family(&mut random, 1 + case as usize % 60);
            let mut shuffled: Vec<usize> = (0..points.len()).collect();
            random.shuffle(&mut shuffled);
            let moved: Vec<DVec3> = shuffled.iter().map(|&i| points[i]).collect();
            let (one, two) = (checked_hull(&points), checked_hull(&moved));
            assert_eq!(one.vertices(), two.vertices(), "{name}");
            assert!(one.faces().eq(two.faces()), "{name}");
            assert!((0..one.vertices().len()).all(|v| one.neighbours(v) == two.neighbours(v)), "{name}");
            assert_eq!((one.volume(), one.centroid()), (two.volume(), two.centroid()), "{name}");
        }
    }
}

#[test]
fn equal_points_are_named_by_their_smallest_index() {
    let mut random = Random(3);
    for case in 0..cases(30) {
        for (name, family) in FAMILIES {
            let once = family(&mut random, 1 + case as usize);
            let points: Vec<DVec3> = (0..3 * once.len()).map(|_| once[random.below(once.len())]).collect();
            let polytope = checked_hull(&points);
            for v in 0..polytope.vertices().len() {
                let first = points.iter().position(|&p| p == polytope.vertices()[v]);
                assert_eq!(Some(polytope.original_index(v)), first, "{name}");
            }
        }
    }
}

#[test]
fn scaling_by_powers_of_two_changes_coordinates_only() {
    let mut random = Random(4);
    for count in [5, 50, 500] {
        let points: Vec<DVec3> = (0..count).map(|_| random.on_sphere() + random.lattice(1)).collect();
        let unscaled = checked_hull(&points);
        for exponent in [-900, -200, -20, 20, 200, 290] {
            let factor = 2f64.powi(exponent);
            let scaled = checked_hull(&points.iter().map(|&p| p * factor).collect::<Vec<_>>());
            assert!(scaled.faces().eq(unscaled.faces()), "2^{exponent}");
            let vertices = unscaled.vertices().iter().map(|&p| p * factor);
            assert!(scaled.vertices().iter().copied().eq(vertices));
            assert_eq!(scaled.centroid(), unscaled.centroid() * factor);
        }
    }
}

/// parry3d-f64 0.31 returns 34 of 2000 vertices and a negative volume here.
#[test]
fn a_thin_lens_keeps_all_its_vertices() {
    let mut random = Random(5);
    for (thickness, offset) in [(1e-3, 0.0), (1e-6, 0.0), (1e-3, 1e6)] {
        let points: Vec<DVec3> = (0..2000)
            .map(|_| random.on_sphere() * dvec3(1.0, 1.0, thickness) + DVec3::splat(offset))
            .collect();
        let lens = checked_hull(&points);
        let expected = if offset == 0.0 { 2000 } else { 1900 };
        assert!(lens.vertices().len() >= expected, "{} vertices", lens.vertices().len());
        let ellipsoid = 4.0 / 3.0 * std::f64::consts::PI * thickness;
        assert!(lens.volume() < ellipsoid && lens.volume() > 0.97 * ellipsoid);
    }
}

#[test]
fn large_sets_agree_with_chull() {
    let mut random = Random(6);
    let on_grid = |p: DVec3| (p * 2f64.powi(40)).round() * 2f64.powi(-40);
    for shape in [dvec3(1.0, 1.0, 1.0), dvec3(1.0, 1.0, 1e-3), dvec3(1.0, 1e-2, 1e-2)] {
        let surface: Vec<DVec3> = (0..500).map(|_| on_grid(random.on_sphere() * shape)).collect();
        let solid: Vec<DVec3> = (0..1500).map(|_| on_grid(random.in_cube() * shape)).collect();
        for points in [surface, solid] {
            let rows: Vec<Vec<f64>> = points.iter().map(|p| p.to_array().to_vec()).collect();
            let (rows, _) = chull::ConvexHullWrapper::try_new(&rows, None).unwrap().vertices_indices();
            let bits = |p: [f64; 3]| p.map(|x| (x + 0.0).to_bits());
            let theirs: BTreeSet<_> = rows.iter().map(|r| bits([r[0], r[1], r[2]])).collect();
            let ours: BTreeSet<_> =
                checked_hull(&points).vertices().iter().map(|p| bits(p.to_array())).collect();
            assert_eq!(ours, theirs);
        }
    }
}

#[test]
fn a_cone_with_ten_thousand_sides_is_as_quick_as_any() {
    let n = 10_000;
    let rim = (0..n).map(|k| (k as f64 / n as f64 * std::f64::consts::TAU).sin_cos());
    let points: Vec<DVec3> = rim.map(|(y, x)| dvec3(x, y, 0.0)).chain([DVec3::Z]).collect();
    let cone = Polytope::hull(&points).unwrap();
    assert_eq!(cone.validate(), Ok(()));
    assert_eq!(cone.vertices().len(), n + 1);
    assert_eq!(cone.face_count(), n + 1);
    assert!(cone.faces().any(|f| f.len() == n));
}

#[test]
fn edges_and_soup_agree_with_the_faces() {
    let mut random = Random(8);
    let points: Vec<DVec3> = (0..60).map(|_| random.lattice(2)).collect();
    let solid = checked_hull(&points);
    assert_eq!(solid.edges().count(), solid.edge_count());
    let soup = solid.to_soup();
    assert_eq!(soup.triangles.len(), solid.faces().map(|f| f.len() - 2).sum::<usize>());
    let volume: f64 = soup
        .triangles
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|v| soup.positions[v as usize]);
            a.dot(b.cross(c)) / 6.0
        })
        .sum();
    assert!((volume - solid.volume()).abs() < 1e-12 * volume);
}

#[test]
fn bad_points_are_refused_by_name() {
    let good = DVec3::ONE;
    assert_eq!(Polytope::hull(&[]), Err(PolytopeError::NoPoints));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let result = Polytope::hull(&[good, good, dvec3(0.0, bad, 0.0)]);
        assert_eq!(result, Err(PolytopeError::CoordinateNotFinite { index: 2 }));
    }
    let beyond = COORDINATE_LIMIT.next_up();
    let error = Polytope::hull(&[good, dvec3(0.0, 0.0, -beyond)]).unwrap_err();
    assert_eq!(error, PolytopeError::CoordinateOutOfRange { index: 1, limit: COORDINATE_LIMIT });
    assert!(error.to_string().contains("point 1"));
    assert!(Polytope::hull(&[good, dvec3(0.0, 0.0, -COORDINATE_LIMIT)]).is_ok());
}
