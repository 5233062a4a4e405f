//! Hulls are exact whatever the input looks like; `tests/comparisons.rs` compares small ones with brute force.

use clearance::exact::{Sign, orient3d};
use clearance::glam::{DVec3, dvec3};
use clearance::math::Random;
use clearance::oracle::dyadic::Dyadic;
use clearance::oracle::point_sets::{self, FAMILIES, in_cube, lattice, shuffle};
use clearance::oracle::signs::{cross, dot, exact};
use clearance::shape::sample::random_direction;
use clearance::shape::{Polytope, PolytopeError};
use clearance::tolerance::COORDINATE_LIMIT;
use std::collections::BTreeSet;

/// How many random cases to run: `count` times the environment variable `CLEARANCE_CASES`.
fn cases(count: u64) -> u64 {
    count * std::env::var("CLEARANCE_CASES").ok().and_then(|c| c.parse::<u64>().ok()).unwrap_or(1)
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

/// `tests/comparisons.rs` compares small sets of these families with brute force; here is what makes that worthwhile.
#[test]
fn small_sets_have_every_dimension() {
    let mut random = Random::new(1);
    let mut dimensions = [0; 4];
    for count in (0..cases(400)).map(|case| 1 + case as usize % 8) {
        dimensions[checked_hull(&point_sets::any(&mut random, count)).dimension()] += 1;
    }
    assert!(dimensions.iter().all(|&count| count > 20), "{dimensions:?}");
}

#[test]
fn grids_keep_their_corners_only() {
    for (count, spacing, offset) in [(3, 1.0, 0.0), (10, 0.5, 1e6), (10, 0.1, 0.0), (3, 0.1, 1e6)] {
        let at = |i: usize| offset + spacing * i as f64;
        let mut points = Vec::new();
        for i in 0..count * count * count {
            points.push(dvec3(at(i % count), at(i / count % count), at(i / count / count)));
        }
        shuffle(&mut Random::new(7), &mut points);
        let cube = checked_hull(&points);
        assert_eq!((cube.vertices().len(), cube.edge_count(), cube.face_count()), (8, 12, 6));
        let side = at(count - 1) - at(0);
        assert!((cube.volume() - side.powi(3)).abs() <= 1e-15 * side.powi(3));
    }
}

#[test]
fn permuting_points_changes_original_indices_only() {
    let mut random = Random::new(2);
    for case in 0..cases(12) {
        for family in FAMILIES {
            let points = (family.draw)(&mut random, 1 + case as usize * 29 % 350);
            let mut shuffled: Vec<usize> = (0..points.len()).collect();
            shuffle(&mut random, &mut shuffled);
            let moved: Vec<DVec3> = shuffled.iter().map(|&i| points[i]).collect();
            let (one, two) = (checked_hull(&points), checked_hull(&moved));
            assert_eq!(one.vertices(), two.vertices(), "{}", family.name);
            assert!(one.faces().eq(two.faces()), "{}", family.name);
            assert!(
                (0..one.vertices().len()).all(|v| one.neighbours(v) == two.neighbours(v)),
                "{}",
                family.name
            );
            assert_eq!((one.volume(), one.centroid()), (two.volume(), two.centroid()), "{}", family.name);
        }
    }
}

#[test]
fn equal_points_are_named_by_their_smallest_index() {
    let mut random = Random::new(3);
    for case in 0..cases(20) {
        for family in FAMILIES {
            let once = (family.draw)(&mut random, 1 + case as usize * 13 % 250);
            let points: Vec<DVec3> =
                (0..3 * once.len()).map(|_| once[random.below(once.len() as u64) as usize]).collect();
            let polytope = checked_hull(&points);
            for v in 0..polytope.vertices().len() {
                let first = points.iter().position(|&p| p == polytope.vertices()[v]);
                assert_eq!(Some(polytope.original_index(v)), first, "{}", family.name);
            }
        }
    }
}

#[test]
fn scaling_by_powers_of_two_changes_coordinates_only() {
    let mut random = Random::new(4);
    for count in [5, 50, 500] {
        let points: Vec<DVec3> =
            (0..count).map(|_| random_direction(&mut random) + lattice(&mut random, 1)).collect();
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

/// A body that is convex, has input points as vertices and contains all of them is the hull. The sizes lie above the
/// thresholds for dropping inner points and for sorting.
#[test]
fn medium_sets_contain_all_their_points() {
    let mut random = Random::new(9);
    for family in FAMILIES {
        for count in [63, 64, 65, 300, 1500] {
            checked_hull(&(family.draw)(&mut random, count));
        }
    }
    for size in [5, 20] {
        checked_hull(&(0..6000).map(|_| lattice(&mut random, size) * 0.1).collect::<Vec<_>>());
    }
}

#[test]
fn large_sets_are_valid() {
    let mut random = Random::new(10);
    let sphere: Vec<DVec3> = (0..20_000).map(|_| random_direction(&mut random)).collect();
    let ball: Vec<DVec3> =
        (0..50_000).map(|_| random_direction(&mut random) * random.unit().cbrt()).collect();
    let offset: Vec<DVec3> = sphere.iter().map(|&p| p * 100.0 + DVec3::splat(1e6)).collect();
    for (points, least) in [(sphere, 20_000), (ball, 500), (offset, 19_900)] {
        let polytope = Polytope::hull(&points).unwrap();
        assert_eq!(polytope.validate(), Ok(()));
        assert!(polytope.vertices().len() >= least, "{} vertices", polytope.vertices().len());
    }
}

/// parry3d-f64 0.31 returns 34 of 2000 vertices and a negative volume here.
#[test]
fn a_thin_lens_keeps_all_its_vertices() {
    let mut random = Random::new(5);
    for (thickness, offset) in [(1e-3, 0.0), (1e-6, 0.0), (1e-3, 1e6)] {
        let points: Vec<DVec3> = (0..2000)
            .map(|_| random_direction(&mut random) * dvec3(1.0, 1.0, thickness) + DVec3::splat(offset))
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
    let mut random = Random::new(6);
    let on_grid = |p: DVec3| (p * 2f64.powi(40)).round() * 2f64.powi(-40);
    for shape in [dvec3(1.0, 1.0, 1.0), dvec3(1.0, 1.0, 1e-3), dvec3(1.0, 1e-2, 1e-2)] {
        let surface: Vec<DVec3> = (0..500).map(|_| on_grid(random_direction(&mut random) * shape)).collect();
        let solid: Vec<DVec3> = (0..1500).map(|_| on_grid(in_cube(&mut random) * shape)).collect();
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
fn volumes_are_right_to_a_few_units_of_the_box() {
    let mut random = Random::new(11);
    for thickness in [1.0, 1e-3, 1e-9] {
        for offset in [0.0, 1e6] {
            let shape = dvec3(1.0, 0.3, thickness);
            let draw = |r: &mut Random| random_direction(r) * shape + DVec3::splat(offset);
            let solid = checked_hull(&(0..300).map(|_| draw(&mut random)).collect::<Vec<_>>());
            let soup = solid.to_soup();
            let mut six_volumes = Dyadic::new(0.0);
            for triangle in &soup.triangles {
                let [a, b, c] = triangle.map(|v| exact(soup.positions[v as usize]));
                six_volumes = &six_volumes + &dot(&a, &cross(&b, &c));
            }
            let error = &six_volumes - &(&Dyadic::new(solid.volume()) * &Dyadic::new(6.0));
            let extent = solid.bounds().extent();
            let slack = Dyadic::new(6.0 * 2f64.powi(-48) * extent.x * extent.y * extent.z);
            assert!((&slack - &error).sign().is_positive() && (&slack + &error).sign().is_positive());
        }
    }
}

#[test]
fn edges_and_soup_agree_with_the_faces() {
    let mut random = Random::new(8);
    let points: Vec<DVec3> = (0..60).map(|_| lattice(&mut random, 2)).collect();
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
