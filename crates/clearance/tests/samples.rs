//! Sample bodies: closed, clean solids of the right genus and volume that do not meet themselves;
//! polytopes with exactly the vertices asked for; the same bits every time.

use clearance::exact::{Sign, orient2d, orient3d};
use clearance::glam::{DMat3, DVec2, DVec3};
use clearance::oracle::meeting::meeting_edge_and_triangle;
use clearance::shape::sample::*;
use clearance::shape::{Defects, KindChoice, Mesh, MeshConfig, MeshKind, Polytope, TriangleSoup};
use clearance::{Aabb, Pose};
use std::f64::consts::PI;

/// Builds the mesh and checks all that every solid sample promises.
fn solid(soup: &TriangleSoup, genus: i64) -> Mesh {
    let config = MeshConfig { defects: Defects::Refuse, kind: KindChoice::Detect, ..MeshConfig::default() };
    let mesh = Mesh::build(soup, &config).expect("a sample has no defects");
    let report = mesh.report();
    assert!(
        report.is_clean() && report.welded.is_empty() && report.unused.is_empty(),
        "{:?}",
        report.lines()
    );
    assert!(report.open_edges.is_empty() && report.non_manifold_edges.is_empty());
    assert_eq!((mesh.kind(), mesh.component_count()), (MeshKind::Solid, 1));
    mesh.validate().expect("a valid mesh");
    let counts = [mesh.positions().len(), mesh.edge_count(), mesh.triangles().len()].map(|n| n as i64);
    assert_eq!(counts[0] - counts[1] + counts[2], 2 - 2 * genus, "Euler characteristic");
    assert!(mesh.volume().expect("a solid has a volume") > 0.0);
    mesh
}

fn volume(mesh: &Mesh) -> f64 {
    mesh.volume().unwrap()
}

/// Whether two numbers agree within a share of the second.
fn close(value: f64, expected: f64, share: f64) -> bool {
    (value - expected).abs() <= share * expected.abs()
}

fn joined(parts: &[(TriangleSoup, Pose)]) -> TriangleSoup {
    let mut all = TriangleSoup::default();
    for (soup, pose) in parts {
        let first = all.positions.len() as u32;
        all.positions.extend(soup.positions.iter().map(|&p| pose.apply(p)));
        all.triangles.extend(soup.triangles.iter().map(|t| t.map(|v| v + first)));
    }
    all
}

fn bounds(soup: &TriangleSoup) -> Aabb {
    Aabb::around(soup.positions.iter().copied()).unwrap()
}

fn checksum(positions: &[DVec3]) -> u64 {
    let bits = positions.iter().flat_map(|p| p.to_array()).map(f64::to_bits);
    bits.fold(0, |sum: u64, x| (sum.rotate_left(5) ^ x).wrapping_mul(0x517c_c1b7_2722_0a95))
}

#[test]
fn random_polytopes_have_exactly_the_vertices_asked_for() {
    for kind in PolytopeKind::ALL {
        for (vertices, seed) in [(4, 0), (5, 1), (10, 2), (33, 3), (100, 4), (1000, 5), (10_000, 6)] {
            let polytope = random_polytope(kind, vertices, seed).unwrap();
            assert_eq!((polytope.vertices().len(), polytope.dimension()), (vertices as usize, 3));
            let s = kind.semi_axes();
            for v in polytope.vertices() {
                assert!(((*v / s).length() - 1.0).abs() < 1e-15, "on the ellipsoid");
            }
            if vertices <= 1000 {
                polytope.validate().unwrap();
            }
        }
    }
}

#[test]
fn random_polytopes_of_few_vertices_are_found_for_every_seed() {
    for seed in 0..300 {
        for vertices in 4..8 {
            let polytope = random_polytope(PolytopeKind::Plate, vertices, seed).unwrap();
            assert_eq!(polytope.vertices().len(), vertices as usize);
        }
    }
}

#[test]
fn samples_are_the_same_bits_on_every_platform() {
    // Computed once; a difference means that stored experiments no longer refer to the same bodies.
    let points = random_ellipsoid_points(PolytopeKind::Ellipsoid, 100, 42);
    let sums = [
        checksum(&points),
        checksum(&gear(&GearConfig::default()).unwrap().positions),
        checksum(&bolt(&ThreadConfig::default()).unwrap().positions),
        checksum(&bumpy_sphere(1.0, 0.2, 3, 10).unwrap().positions),
        checksum(&torus(2.0, 0.5, 30, 20).unwrap().positions),
    ];
    assert_eq!(sums, EXPECTED_SUMS, "{sums:#x?}");
}

const EXPECTED_SUMS: [u64; 5] = [
    0x4b8a_ffba_03fe_f742,
    0x720d_a5ba_89b1_5f2e,
    0xedda_1661_096c_e88a,
    0x6e4b_d3e7_fe72_dbe8,
    0xc59f_9638_2970_1d5a,
];

#[test]
fn different_seeds_give_different_points() {
    let points = |seed| random_ellipsoid_points(PolytopeKind::Plate, 10, seed);
    assert_ne!(points(1), points(2));
    assert_eq!(points(1), points(1));
}

#[test]
fn cones_bipyramids_and_discs_have_vertices_of_any_degree() {
    for corners in [3, 4, 7, 100, 1000] {
        let n = corners as usize;
        let degree = |polytope: &Polytope| {
            polytope.validate().unwrap();
            (0..polytope.vertices().len()).map(|v| polytope.neighbours(v).len()).max().unwrap()
        };
        let cone = cone(corners, 1.0, 2.0).unwrap();
        assert_eq!((cone.vertices().len(), cone.face_count(), degree(&cone)), (n + 1, n + 1, n));
        let area = 0.5 * n as f64 * (2.0 * PI / n as f64).sin();
        assert!(close(cone.volume(), area * 2.0 / 3.0, 1e-12));
        let bipyramid = bipyramid(corners, 1.0, 2.0).unwrap();
        assert_eq!((bipyramid.face_count(), degree(&bipyramid)), (2 * n, n.max(4)));
        let disc = disc(corners, 1.0, 1e-3).unwrap();
        assert_eq!((disc.vertices().len(), disc.face_count(), degree(&disc)), (2 * n, n + 2, 3));
        let flat = self::disc(corners, 1.0, 0.0).unwrap();
        assert_eq!((flat.vertices().len(), flat.dimension()), (n, 2));
    }
}

#[test]
fn the_cube_and_the_car_have_the_papers_counts_and_flat_faces() {
    for (body, counts, expected) in [(cube(2.0), (8, 12, 6), 8.0), (car(), (16, 26, 12), CAR_VOLUME)] {
        assert_eq!((body.positions.len(), body.edge_count(), body.polygons.len()), counts);
        let mesh = solid(&body.to_soup(), 0);
        assert!(close(volume(&mesh), expected, 1e-15));
        assert_eq!(meeting_edge_and_triangle(&body.to_soup()), None);
        for polygon in &body.polygons {
            let p: Vec<DVec3> = polygon.iter().map(|&v| body.positions[v as usize]).collect();
            assert!(p.iter().all(|&q| orient3d(p[0], p[1], p[2], q) == Sign::Zero), "{polygon:?}");
        }
    }
}

/// Body: side area 2.9375 (trapezoids under the outline) times 1.75. Cabin: a frustum between rectangles
/// 2.625 by 1.75 and 1.5 by 1.25, 0.5 high, by Simpson's rule with the middle rectangle.
const CAR_VOLUME: f64 = {
    let boot = 0.5 * (0.625 + 0.75);
    let middle = 2.625 * 0.75;
    let bonnet = 1.375 * 0.5 * (0.75 + 0.5);
    let cabin = 0.5 / 6.0 * (2.625 * 1.75 + 4.0 * (2.0625 * 1.5) + 1.5 * 1.25);
    (0.5 * boot + middle + bonnet) * 1.75 + cabin
};

#[test]
fn the_rectangle_torus_has_300_faces_and_600_edges() {
    let torus = rectangle_torus();
    assert_eq!((torus.positions.len(), torus.edge_count(), torus.polygons.len()), (300, 600, 300));
    let soup = torus.to_soup();
    assert_eq!(soup.triangles.len(), 600);
    solid(&soup, 1);
    assert_eq!(meeting_edge_and_triangle(&soup), None);
    let owners = torus.polygon_of_triangle();
    for (triangle, owner) in soup.triangles.iter().zip(owners) {
        assert!(triangle.iter().all(|v| torus.polygons[owner as usize].contains(v)));
    }
    for quad in &torus.polygons {
        let p: Vec<DVec3> = quad.iter().map(|&v| torus.positions[v as usize]).collect();
        let normal = (p[1] - p[0]).cross(p[2] - p[0]).normalize();
        assert!(normal.dot(p[3] - p[0]).abs() < 1e-14, "flat up to rounding");
    }
}

#[test]
fn spheres_and_tori_are_clean_solids_with_the_volume_of_the_smooth_body() {
    for frequency in [1, 2, 3, 7, 30] {
        let sphere = icosphere(2.0, frequency).unwrap();
        let f = frequency as usize;
        assert_eq!((sphere.positions.len(), sphere.triangles.len()), (10 * f * f + 2, 20 * f * f));
        assert!(sphere.positions.iter().all(|p| (p.length() - 2.0).abs() < 1e-15));
        let mesh = solid(&sphere, 0);
        let smooth = 4.0 / 3.0 * PI * 8.0;
        assert!(volume(&mesh) < smooth && close(volume(&mesh), smooth, 0.56 / (f * f) as f64));
    }
    for (around, across) in [(3, 3), (8, 5), (60, 40)] {
        let mesh = solid(&torus(3.0, 1.0, around, across).unwrap(), 1);
        // A swept polygon: area times the path of its centre, both inscribed.
        let inscribed = |n: u32| f64::from(n) / (2.0 * PI) * (2.0 * PI / f64::from(n)).sin();
        let smooth = 2.0 * PI * PI * 3.0 * inscribed(across);
        assert!(close(volume(&mesh), smooth, 8.0 / f64::from(around * around)));
    }
    let soup = torus(3.0, 1.0, 12, 8).unwrap();
    assert_eq!(meeting_edge_and_triangle(&soup), None);
}

#[test]
fn bumpy_spheres_have_bumps_and_do_not_meet_themselves() {
    let soup = bumpy_sphere(1.0, 0.3, 2, 12).unwrap();
    let mesh = solid(&soup, 0);
    assert!(close(volume(&mesh), 4.0 / 3.0 * PI, 0.1));
    let radii: Vec<f64> = soup.positions.iter().map(|p| p.length()).collect();
    assert!(radii.iter().any(|&r| r < 0.85) && radii.iter().any(|&r| r > 1.15));
    assert_eq!(meeting_edge_and_triangle(&soup), None);
    solid(&bumpy_sphere(1.0, 0.9, 10, 40).unwrap(), 0);
}

#[test]
fn a_million_triangles_come_out_right() {
    let sphere = bumpy_sphere(1.0, 0.1, 8, 224).unwrap();
    assert_eq!(sphere.triangles.len(), 20 * 224 * 224);
    assert_closed(&sphere);
    let torus = torus(2.0, 1.0, 1000, 500).unwrap();
    assert_eq!(torus.triangles.len(), 1_000_000);
    assert_closed(&torus);
}

/// Every side of a triangle is matched by one of the opposite direction.
fn assert_closed(soup: &TriangleSoup) {
    let sides = |turn: fn(u32, u32) -> u64| {
        let mut sides: Vec<u64> =
            soup.triangles.iter().flat_map(|&[a, b, c]| [turn(a, b), turn(b, c), turn(c, a)]).collect();
        sides.sort_unstable();
        sides
    };
    let forward = sides(|a, b| (u64::from(a) << 32) | u64::from(b));
    assert!(forward.windows(2).all(|w| w[0] != w[1]), "a side appears twice");
    assert_eq!(forward, sides(|a, b| (u64::from(b) << 32) | u64::from(a)));
}

#[test]
fn prisms_are_closed() {
    let mesh = solid(&prism(6, 1.0, 2.0).unwrap(), 0);
    assert!(close(volume(&mesh), 3.0 * 3f64.sqrt(), 1e-14));
}

/// The area of the gear's outline: half the angle of a tooth at each radius, integrated.
fn gear_area(config: &GearConfig) -> f64 {
    let (pitch, teeth) = (config.pitch_radius(), f64::from(config.teeth));
    let pressure = PI / 9.0;
    let base = pitch * pressure.cos();
    let half = PI / (2.0 * teeth) - config.backlash / (2.0 * pitch) + pressure.tan() - pressure;
    let tooth = |r: f64| {
        let roll = ((r / base).powi(2) - 1.0).max(0.0).sqrt();
        2.0 * r * (half - (roll - roll.atan()))
    };
    let (root, tip, steps) = (config.root_radius(), config.tip_radius(), 2000);
    let h = (tip - root) / f64::from(steps);
    let teeth_area: f64 = (0..steps).map(|i| h * tooth(root + (f64::from(i) + 0.5) * h)).sum();
    PI * root * root + teeth * teeth_area
}

#[test]
fn gears_are_solids_with_a_bore_that_do_not_meet_themselves() {
    for (teeth, bore_radius, backlash) in [(6, 0.5, 0.0), (12, 3.0, 0.1), (20, 5.0, 0.1), (60, 20.0, 0.3)] {
        let config = GearConfig { teeth, bore_radius, backlash, ..GearConfig::default() };
        let soup = gear(&config).unwrap();
        let mesh = solid(&soup, 1);
        let bore = PI * bore_radius * bore_radius;
        let expected = config.width * (gear_area(&config) - bore);
        assert!(close(volume(&mesh), expected, 0.04), "{teeth}: {} {expected}", volume(&mesh));
        if teeth <= 20 {
            assert_eq!(meeting_edge_and_triangle(&soup), None);
        }
        let box_of_gear = bounds(&soup);
        assert!(box_of_gear.max.x <= config.tip_radius() && box_of_gear.max.x > 0.98 * config.tip_radius());
    }
}

#[test]
fn two_gears_mesh_without_touching_at_every_angle() {
    // Wide bores: thin rims have small triangles, which brute force likes.
    let large = GearConfig { teeth: 30, bore_radius: 24.0, ..GearConfig::default() };
    let small = GearConfig { teeth: 20, bore_radius: 15.0, ..GearConfig::default() };
    let distance = large.pitch_radius() + small.pitch_radius();
    let [large_soup, small_soup] = [large, small].map(|config| gear(&config).unwrap());
    for step in 0..5 {
        // A pitch of the large gear is 1/30 turn; the small one turns 1.5 times as far, the other way.
        let turns = f64::from(step) / (5.0 * 30.0);
        let pose_large = turned(turns, DVec3::ZERO);
        let pose_small = turned(0.5 + 0.5 / 20.0 - 1.5 * turns, DVec3::new(distance, 0.0, 0.0));
        let both = joined(&[(large_soup.clone(), pose_large), (small_soup.clone(), pose_small)]);
        assert_eq!(meeting_edge_and_triangle(&both), None, "step {step}");
    }
    // Half a tooth off they collide: the test above can fail.
    let wrong = turned(0.5, DVec3::new(distance, 0.0, 0.0));
    assert!(
        meeting_edge_and_triangle(&joined(&[(large_soup, Pose::IDENTITY), (small_soup, wrong)])).is_some()
    );
}

fn turned(turns: f64, translation: DVec3) -> Pose {
    let DVec2 { x, y } = circle_point(turns);
    let rotation = DMat3::from_cols(DVec3::new(x, y, 0.0), DVec3::new(-y, x, 0.0), DVec3::Z);
    Pose::new(rotation, translation).unwrap()
}

/// A short M10 bolt, small enough for brute force.
const SHORT: ThreadConfig =
    ThreadConfig { diameter: 10.0, pitch: 1.5, length: 12.0, segments: 24, clearance: 0.1 };

/// Mean of the squared thread radius over a pitch, grown by `grow`.
fn mean_square(config: &ThreadConfig, grow: f64) -> f64 {
    let depth = 5.0 / 16.0 * config.pitch * 3f64.sqrt();
    let (major, minor) = (0.5 * config.diameter + grow, 0.5 * config.diameter + grow - depth);
    let flank = (major * major + major * minor + minor * minor) / 3.0;
    major * major * 2.0 / 16.0 + minor * minor * 4.0 / 16.0 + flank * 10.0 / 16.0
}

#[test]
fn the_bolt_is_a_solid_with_a_right_handed_thread() {
    for config in [SHORT, ThreadConfig::default(), ThreadConfig { segments: 12, length: 30.0, ..SHORT }] {
        let mesh = solid(&bolt(&config).unwrap(), 0);
        let hexagon = 2.0 * 3f64.sqrt() * (0.8 * config.diameter).powi(2);
        let n = f64::from(config.segments);
        let inscribed = n / 2.0 * (2.0 * PI / n).sin();
        let thread = inscribed * mean_square(&config, 0.0) * config.length;
        let expected = thread + hexagon * 0.65 * config.diameter;
        assert!(close(volume(&mesh), expected, 0.01), "{} {expected}", volume(&mesh));
    }
    // A quarter turn counter-clockwise lifts the thread by a quarter pitch.
    let soup = bolt(&SHORT).unwrap();
    let radius = |column: usize, ring: usize| soup.positions[ring * 24 + column].truncate().length();
    for ring in 30..100 {
        assert!((radius(0, ring) - radius(6, ring + 6)).abs() < 1e-12);
    }
    assert!((30..54).any(|ring| (radius(0, ring) - radius(6, ring)).abs() > 0.3), "it is a thread");
    assert_eq!(meeting_edge_and_triangle(&soup), None);
}

#[test]
fn the_nut_is_a_solid_with_a_hole() {
    for config in [SHORT, ThreadConfig::default()] {
        let mesh = solid(&nut(&config).unwrap(), 1);
        let hexagon = 2.0 * 3f64.sqrt() * (0.8 * config.diameter).powi(2);
        let n = f64::from(config.segments);
        let hole = n / 2.0 * (2.0 * PI / n).sin() * mean_square(&config, config.clearance);
        let expected = 0.8 * config.diameter * (hexagon - hole);
        assert!(close(volume(&mesh), expected, 0.01), "{} {expected}", volume(&mesh));
    }
    assert_eq!(meeting_edge_and_triangle(&nut(&SHORT).unwrap()), None);
}

#[test]
fn the_nut_sits_on_the_bolt_without_touching() {
    for clearance in [0.1, 0.01, 1e-6] {
        let config = ThreadConfig { clearance, ..SHORT };
        let [bolt, nut] = fastener(&config).unwrap();
        // The bolt reaches out of the nut and the nut's rim out of the bolt: neither is inside the other.
        let height = nut.pose.translation().z;
        assert!(height > 0.0 && height + 8.0 < config.length);
        let both = joined(&[(bolt.soup, bolt.pose), (nut.soup, nut.pose)]);
        assert_eq!(meeting_edge_and_triangle(&both), None, "clearance {clearance}");
    }
    // Half a pitch further the threads cross: the test above can fail.
    let [bolt, nut] = fastener(&SHORT).unwrap();
    let wrong = Pose::from_translation(nut.pose.translation() + DVec3::new(0.0, 0.0, 0.75)).unwrap();
    assert!(meeting_edge_and_triangle(&joined(&[(bolt.soup, bolt.pose), (nut.soup, wrong)])).is_some());
}

#[test]
fn the_nut_turns_on_the_bolt() {
    let config = ThreadConfig { clearance: 0.15, ..SHORT };
    let [bolt, nut] = fastener(&config).unwrap();
    for turns in [0.013, 0.1, 0.37, 0.75] {
        let lift = nut.pose.translation() + DVec3::new(0.0, 0.0, turns * config.pitch);
        let both = joined(&[(bolt.soup.clone(), bolt.pose), (nut.soup.clone(), self::turned(turns, lift))]);
        assert_eq!(meeting_edge_and_triangle(&both), None, "{turns} turns");
    }
}

#[test]
fn linkage_parts_are_solids_that_do_not_touch() {
    for step in 0..8 {
        let config = FourBarConfig { crank_turns: f64::from(step) / 8.0, segments: 16, ..Default::default() };
        let parts = four_bar_linkage(&config).unwrap();
        let mut names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 8);
        let posed: Vec<(TriangleSoup, Pose)> =
            parts.iter().map(|part| (part.soup.clone(), part.pose)).collect();
        assert_eq!(meeting_edge_and_triangle(&joined(&posed)), None, "step {step}");
    }
}

#[test]
fn bars_have_two_holes_and_their_ends_meet_the_pins() {
    let config = FourBarConfig::default();
    let parts = four_bar_linkage(&config).unwrap();
    let hole = (config.pin_radius + config.clearance) / (PI / f64::from(config.segments)).cos();
    let n = f64::from(config.segments);
    let inscribed = n / 2.0 * (2.0 * PI / n).sin();
    let lengths = [config.ground, config.crank, config.coupler, config.rocker];
    for (part, length) in parts.iter().zip(lengths) {
        let mesh = solid(&part.soup, 2);
        let area =
            length * config.width + inscribed * (0.25 * config.width * config.width - 2.0 * hole * hole);
        assert!(close(volume(&mesh), area * config.thickness, 1e-12), "{}", part.name);
        for t in mesh.triangles() {
            // No triangle of a cap is turned over: with the right area, the cap is covered once.
            let [a, b, c] = t.map(|v| mesh.positions()[v as usize]);
            if a.z == b.z && b.z == c.z {
                let turn = orient2d(a.truncate(), b.truncate(), c.truncate());
                assert_eq!(turn, if a.z > 0.0 { Sign::Positive } else { Sign::Negative });
            }
        }
    }
    for part in &parts[4..] {
        solid(&part.soup, 0);
    }
    // The far end of each bar lies at the pin it is named for.
    let far = |bar: usize, length: f64| parts[bar].pose.apply(DVec3::new(length, 0.0, 0.0)).truncate();
    let pin = |pin: usize| parts[4 + pin].pose.translation().truncate();
    assert!(far(1, config.crank).distance(pin(1)) < 1e-14);
    assert!(far(2, config.coupler).distance(pin(2)) < 1e-14);
    assert!(far(3, config.rocker).distance(pin(2)) < 1e-14);
    assert!(far(0, config.ground).distance(pin(3)) < 1e-14);
}

#[test]
fn bad_parameters_are_refused_with_advice() {
    let plain = GearConfig::default();
    let errors = [
        icosphere(1.0, 0).unwrap_err(),
        icosphere(f64::NAN, 1).unwrap_err(),
        icosphere(1.0, 10_000).unwrap_err(),
        bumpy_sphere(1.0, 1.5, 3, 4).unwrap_err(),
        torus(1.0, 2.0, 10, 10).unwrap_err(),
        prism(2, 1.0, 1.0).unwrap_err(),
        cone(2, 1.0, 1.0).unwrap_err(),
        disc(10, 1.0, -1.0).unwrap_err(),
        random_polytope(PolytopeKind::Plate, 3, 0).unwrap_err(),
        gear(&GearConfig { teeth: 3, ..plain }).unwrap_err(),
        gear(&GearConfig { bore_radius: 100.0, ..plain }).unwrap_err(),
        gear(&GearConfig { backlash: f64::NAN, ..plain }).unwrap_err(),
        bolt(&ThreadConfig { segments: 25, ..SHORT }).unwrap_err(),
        bolt(&ThreadConfig { pitch: 9.0, ..SHORT }).unwrap_err(),
        fastener(&ThreadConfig { length: 5.0, ..SHORT }).unwrap_err(),
        four_bar_linkage(&FourBarConfig { coupler: 0.6, ..Default::default() }).unwrap_err(),
        four_bar_linkage(&FourBarConfig { width: 0.1, ..Default::default() }).unwrap_err(),
        four_bar_linkage(&FourBarConfig { crank_turns: f64::INFINITY, ..Default::default() }).unwrap_err(),
    ];
    for error in errors {
        let message = error.to_string();
        assert!(message.starts_with(error.sample) && message.contains(error.parameter), "{message}");
    }
    assert_eq!(
        icosphere(1.0, 0).unwrap_err().to_string(),
        "icosphere: frequency is 0; cut each edge into 1 to 512 parts"
    );
}
