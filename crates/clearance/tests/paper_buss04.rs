//! Claims of Buss 2004, "Collision detection with relative screw motion", one test each.

use clearance::Pose;
use clearance::body::Body;
use clearance::glam::DVec3;
use clearance::math::{Random, Screw};
use clearance::oracle::real_mesh;
use clearance::pair::{Convex, Feature};
use clearance::screw::{
    ContactKind, ContactsConfig, EdgeProperness, Kept, Motion, Moving, ScrewContact, ScrewOutcome,
    ScrewStats, Surface, contacts, contacts_with, first_contact, simultaneous, split_by_facing,
};
use clearance::shape::{Mesh, MeshConfig, Polytope, Shape, TriangleSoup};
use std::f64::consts::{PI, TAU};

/// Rectangles of the paper's plane become boxes; the body at rest is thicker, so that no two edges lie on each other.
fn block(low: DVec3, high: DVec3) -> Polytope {
    let corner = |i: u32| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64);
    Polytope::hull(&(0..8).map(|i| low + corner(i) * (high - low)).collect::<Vec<_>>()).unwrap()
}

fn surface(polytope: Polytope) -> Surface {
    Surface::new(&Body::Convex(Convex::from_polytope(polytope))).unwrap()
}

fn leftward(length: f64) -> Screw {
    Screw::new(-DVec3::X, DVec3::ZERO, 0.0, length).unwrap()
}

fn entering(a: &Surface, b: &Surface, pose_b: &Pose, screw: &Screw) -> Vec<ScrewContact> {
    contacts(a, &Pose::IDENTITY, b, pose_b, screw, Moving::Second, &ContactsConfig::default())
}

/// Figure 1: two squares on their corners meet corner to corner; the contact is told with a face, and is proper.
#[test]
fn figure_1_vertices_that_meet_are_resolved_into_a_vertex_and_a_face() {
    let square = |half: f64| surface(block(DVec3::new(-1.0, -1.0, -half), DVec3::new(1.0, 1.0, half)));
    let turned = Pose::from_axis_angle(DVec3::Z, PI / 4.0, DVec3::ZERO).unwrap();
    let start = Pose::new(turned.rotation(), DVec3::X * 4.0).unwrap();
    let (a, b) = (square(2.0), square(1.0));
    let found = contacts(&a, &turned, &b, &start, &leftward(2.0), Moving::Second, &ContactsConfig::default());
    let time = (4.0 - 2.0 * 2f64.sqrt()) / 2.0;
    let first: Vec<_> = found.iter().filter(|contact| contact.lower < time + 1e-6).collect();
    // The near edge of B has two ends; each is told once, with one of the two faces of A.
    assert_eq!(first.len(), 2, "{found:#?}");
    for contact in first {
        assert_eq!(contact.kind, ContactKind::FaceVertex);
        assert!(contact.lower <= time && time <= contact.until, "{contact:?}");
        assert!(contact.properness.abs() < 1e-12 && (contact.normal.x - 0.5f64.sqrt()).abs() < 1e-12);
    }
}

/// Figure 2 (a): the left vertices of B meet the right face of A at once.
#[test]
fn figure_2a_vertices_of_a_face_meet_at_once() {
    let a = surface(block(DVec3::new(-2.0, -4.0, -4.0), DVec3::new(0.0, 4.0, 4.0)));
    let b = surface(block(DVec3::new(1.0, -1.0, -1.0), DVec3::new(3.0, 1.0, 1.0)));
    let found = entering(&a, &b, &Pose::IDENTITY, &leftward(2.0));
    assert_eq!(found.len(), 4, "{found:#?}");
    for contact in &found {
        assert_eq!((contact.kind, contact.normal), (ContactKind::FaceVertex, DVec3::X));
        assert!(contact.is_proved && contact.lower <= 0.5 && 0.5 <= contact.upper);
        assert_eq!((contact.properness, contact.point.x), (0.0, 0.0));
        assert!(matches!(contact.feature_b, Feature::Vertex(_)));
    }
    assert_eq!(simultaneous(&found, 0.0).len(), 1);
}

/// Figure 2 (b): tilted, the lower vertex comes first and is proper, the upper one follows and is slightly improper.
#[test]
fn figure_2b_a_tilted_rectangle_has_two_contacts_and_the_second_is_slightly_improper() {
    let a = surface(block(DVec3::new(-2.0, -4.0, -4.0), DVec3::new(0.0, 4.0, 4.0)));
    let b = surface(block(DVec3::splat(-1.0), DVec3::splat(1.0)));
    let tilt = 0.05_f64;
    let start = Pose::from_axis_angle(DVec3::Z, -tilt, DVec3::X * 2.0).unwrap();
    let found = entering(&a, &b, &start, &leftward(2.0));
    assert_eq!(found.len(), 4, "{found:#?}");
    let (first, second) = found.split_at(2);
    for contact in first {
        assert!(contact.properness > -1e-12 && contact.point.y < 0.0, "{contact:?}");
    }
    for contact in second {
        assert!((contact.properness + tilt.sin()).abs() < 1e-12 && contact.point.y > 0.0, "{contact:?}");
        assert!(contact.lower > first[0].upper);
    }
    // Handled at once if contacts within a twentieth of the step are; one by one if not.
    assert_eq!(simultaneous(&found, 0.06).len(), 1);
    assert_eq!(simultaneous(&found, 0.01).len(), 2);
    // With the threshold above it the second is left out.
    let strict = ContactsConfig { min_properness: -0.01, ..ContactsConfig::default() };
    let proper = contacts(&a, &Pose::IDENTITY, &b, &start, &leftward(2.0), Moving::Second, &strict);
    assert_eq!(proper.len(), 2);
}

/// A prism over a polygon that is seen completely from its last corner.
fn prism(corners: &[[f64; 2]], half: f64) -> Surface {
    mesh(prism_soup(corners, half))
}

fn mesh(soup: TriangleSoup) -> Surface {
    let mesh = Mesh::build(&soup, &MeshConfig::default()).unwrap();
    Surface::new(&Body::try_from(&Shape::from(mesh)).unwrap()).unwrap()
}

fn prism_soup(corners: &[[f64; 2]], half: f64) -> TriangleSoup {
    let count = corners.len() as u32;
    let level = |z: f64| corners.iter().map(move |&[x, y]| DVec3::new(x, y, z));
    let positions: Vec<DVec3> = level(-half).chain(level(half)).collect();
    let mut triangles = Vec::new();
    for i in 0..count {
        let j = (i + 1) % count;
        triangles.extend([[i, j, j + count], [i, j + count, i + count]]);
    }
    for i in 0..count - 2 {
        let last = count - 1;
        triangles.extend([[last, i + 1, i], [last + count, i + count, i + 1 + count]]);
    }
    TriangleSoup { positions, triangles, ..TriangleSoup::default() }
}

/// Figure 2 (c): two points of one body, both proper, at slightly different times.
#[test]
fn figure_2c_two_prongs_have_two_proper_contacts_at_different_times() {
    let a = surface(block(DVec3::new(-2.0, -4.0, -4.0), DVec3::new(0.0, 4.0, 4.0)));
    let b = prism(&[[1.0, -1.0], [4.0, -1.0], [4.0, 2.0], [1.1, 2.0], [2.0, 0.5]], 1.0);
    let found = entering(&a, &b, &Pose::IDENTITY, &leftward(2.0));
    let proper: Vec<_> = found.iter().filter(|contact| contact.properness >= 0.0).collect();
    assert_eq!(proper.len(), 4, "{found:#?}");
    assert!(proper.iter().all(|contact| contact.kind == ContactKind::FaceVertex && contact.is_proved));
    assert!((proper[0].lower - 0.5).abs() < 1e-12 && (proper[3].lower - 0.55).abs() < 1e-12);
}

/// Figure 4: of a square that turns about a point beside it two sides are cut into a forward and a backward part.
#[test]
fn figure_4_two_sides_of_a_turning_square_face_both_ways() {
    let turn = Screw::new(DVec3::Z, DVec3::ZERO, 1.0, 0.0).unwrap();
    let square = block(DVec3::new(2.0, -1.0, -1.0), DVec3::new(4.0, 1.0, 1.0));
    let mut both = Vec::new();
    for face in square.faces() {
        let polygon: Vec<DVec3> = face.iter().map(|&v| square.vertices()[v as usize]).collect();
        let normal = (polygon[1] - polygon[0]).cross(polygon[2] - polygon[0]).normalize();
        let parts = split_by_facing(&turn, &polygon);
        match (parts.forward.is_empty(), parts.backward.is_empty()) {
            // Cut in the middle, where the foot of the axis is.
            (false, false) if normal.x != 0.0 => {
                assert!(parts.forward.iter().all(|p| p.y * normal.x <= 0.0));
                assert!(parts.backward.iter().all(|p| p.y * normal.x >= 0.0));
                both.push(normal);
            }
            // Top and bottom move along themselves.
            (false, false) => assert!(normal.z != 0.0),
            (is_backward, _) => assert_eq!(is_backward, normal.y < 0.0),
        }
    }
    assert_eq!(both.len(), 2);
}

/// Figure 5: a cube that spirals upward around an axis behind it; left, bottom and half of near and far face backward.
#[test]
fn figure_5_a_cube_that_spirals_upward_faces_backward_left_below_and_half_before_and_behind() {
    let spiral = Screw::new(DVec3::Y, DVec3::ZERO, 1.0, 0.8).unwrap();
    let cube = block(DVec3::new(-1.0, -1.0, 2.0), DVec3::new(1.0, 1.0, 4.0));
    let area = |polygon: &[DVec3]| {
        let fan = (1..polygon.len().max(2) - 1)
            .map(|i| (polygon[i] - polygon[0]).cross(polygon[i + 1] - polygon[0]));
        0.5 * fan.sum::<DVec3>().length()
    };
    for face in cube.faces() {
        let polygon: Vec<DVec3> = face.iter().map(|&v| cube.vertices()[v as usize]).collect();
        let normal = (polygon[1] - polygon[0]).cross(polygon[2] - polygon[0]).normalize();
        let backward = area(&split_by_facing(&spiral, &polygon).backward) / 4.0;
        let want = match normal {
            DVec3 { x: -1.0, .. } | DVec3 { y: -1.0, .. } => 1.0,
            DVec3 { z: -1.0 | 1.0, .. } => 0.5,
            _ => 0.0,
        };
        assert!((backward - want).abs() < 1e-14, "{normal}: {backward}");
    }
}

/// §5: properness of edges by formula (7); formula (6) has the sine between the edges as a factor, and the same sign.
#[test]
fn section_5_edges_that_cross_are_proper_where_bodies_face_each_other() {
    let roof = surface(block(DVec3::splat(-1.0), DVec3::splat(1.0)));
    // Both on an edge, one along the first axis, one turned by an angle from it.
    let ridge = Pose::from_axis_angle(DVec3::X, PI / 4.0, DVec3::ZERO).unwrap();
    for (turn, sine) in [(PI / 2.0, 1.0), (0.7, 0.7f64.sin())] {
        let about = Pose::from_axis_angle(DVec3::Z, turn, DVec3::Z * 4.0).unwrap();
        let fall = Screw::new(-DVec3::Z, DVec3::ZERO, 0.0, 2.0).unwrap();
        let by = |edges: EdgeProperness| {
            let config = ContactsConfig { edges, ..ContactsConfig::default() };
            contacts(&roof, &ridge, &roof, &(about * ridge), &fall, Moving::Second, &config)
        };
        let (seven, six) = (by(EdgeProperness::Seven), by(EdgeProperness::Six));
        let contact = &seven[0];
        assert_eq!(contact.kind, ContactKind::EdgeEdge);
        assert!((contact.lower - (4.0 - 8f64.sqrt()) / 2.0).abs() < 1e-9 && contact.is_proved, "{contact:?}");
        assert!((contact.normal - DVec3::Z).length() < 1e-12 && contact.point.truncate().length() < 1e-9);
        // Both faces fall off at 45 degrees.
        assert!((contact.properness - 0.5f64.sqrt()).abs() < 1e-12, "{contact:?}");
        assert!((six[0].properness - sine * 0.5f64.sqrt()).abs() < 1e-12);
    }
}

/// A square of which a quarter is missing: a hollow along the edge of vertices 5 and 11.
const ANGLE: [[f64; 2]; 6] = [[0.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [1.0, 0.0], [0.0, 0.0]];

fn is_in_angle(p: DVec3) -> bool {
    p.abs().max_element() < 1.0 && !(p.x >= 0.0 && p.y >= 0.0)
}

/// A cube with a pit in its top that reaches down to its middle, vertex 8.
fn dented() -> Surface {
    let mut soup = prism_soup(&[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]], 1.0);
    soup.triangles.retain(|t| t.iter().any(|&v| v < 4));
    soup.positions.push(DVec3::ZERO);
    soup.triangles.extend([[4, 5, 8], [5, 6, 8], [6, 7, 8], [7, 4, 8]]);
    mesh(soup)
}

fn is_in_dented(p: DVec3) -> bool {
    p.abs().max_element() < 1.0 && p.z < p.x.abs().max(p.y.abs())
}

/// §5, where the paper is wrong: formula (7) calls the bottom edge of a hollow proper if it is met from inside the solid.
#[test]
fn section_5_a_hollow_met_from_inside_is_not_proper() {
    let (a, b) = (prism(&ANGLE, 1.0), surface(block(DVec3::splat(-0.1), DVec3::splat(0.1))));
    // An edge of B lies across the hollow, and comes out of the solid, or from outside into the hollow.
    let tilt = Pose::from_axis_angle(DVec3::new(1.0, -1.0, 0.0), PI / 4.0, DVec3::ZERO).unwrap();
    let square = Pose::from_axis_angle(DVec3::Z, PI / 4.0, DVec3::ZERO).unwrap();
    let all = ContactsConfig { kept: Kept::All, ..ContactsConfig::default() };
    for way in [1.0, -1.0] {
        let start = Pose::new((tilt * square).rotation(), DVec3::new(-0.5, -0.5, 0.013) * way).unwrap();
        let screw = Screw::new(DVec3::new(way, way, 0.0), DVec3::ZERO, 0.0, 1.4).unwrap();
        let found = contacts(&a, &Pose::IDENTITY, &b, &start, &screw, Moving::Second, &all);
        let at_bottom: Vec<_> = found.iter().filter(|c| c.feature_a == Feature::Edge([5, 11])).collect();
        assert!(at_bottom.len() >= 2, "{found:#?}");
        for contact in at_bottom {
            assert_eq!(contact.kind, ContactKind::EdgeEdge);
            assert!(contact.properness < -0.5, "{contact:?}");
            // Out of the solid, into the hollow.
            assert!(contact.normal.x + contact.normal.y > 0.0, "{contact:?}");
        }
    }
}

/// §5: the sign of properness tells whether bodies overlap beside the contact: in hollows, at the bottom of pits, on flat edges.
#[test]
fn section_5_properness_is_negative_exactly_where_bodies_overlap_beside_the_contact() {
    let mut random = Random::new(4);
    let bodies = [(prism(&ANGLE, 1.0), is_in_angle as fn(DVec3) -> bool), (dented(), is_in_dented)];
    let all = ContactsConfig { kept: Kept::All, ..ContactsConfig::default() };
    let (mut proper, mut improper, mut hollow, mut pits) = (0, 0, 0, 0);
    for case in 0..120 {
        let mut vector =
            || DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
        let [(a, is_in_a), (b, is_in_b)] = [&bodies[case % 2], &bodies[case / 2 % 2]];
        let from_a = Pose::from_axis_angle(vector(), 2.0, 0.1 * vector()).unwrap();
        let from_b = Pose::from_axis_angle(vector(), 2.0, 2.0 * vector()).unwrap();
        let screw = Screw::new(vector(), vector(), 2.0 * vector().x, 2.0).unwrap();
        for contact in contacts(a, &from_a, b, &from_b, &screw, Moving::Second, &all) {
            let there = screw.pose_at(contact.lower, &from_b).unwrap().0;
            let [to_a, to_b] = [from_a, there].map(|pose| pose.inverse());
            let mut overlaps = || {
                let mut entry = || random.range(-1.0, 1.0);
                let p = contact.point + 1e-6 * DVec3::new(entry(), entry(), entry()).normalize();
                is_in_a(to_a.apply(p)) && is_in_b(to_b.apply(p))
            };
            let is_overlap = (0..4_000).any(|_| overlaps());
            assert!(!(is_overlap && contact.properness > 1e-3), "{contact:#?}");
            // Sharper angles are hard to hit.
            assert!(is_overlap || contact.properness > -0.3, "{contact:#?}");
            proper += usize::from(contact.properness > 1e-3);
            improper += usize::from(contact.properness < -0.3);
            let names = [contact.feature_a, contact.feature_b];
            hollow += usize::from(names.contains(&Feature::Edge([5, 11])));
            // No edge goes below the plane.
            pits += usize::from(names.contains(&Feature::Vertex(8)) && contact.properness == -1.0);
        }
    }
    assert!(proper > 50 && improper > 500 && hollow > 20 && pits > 0, "{proper} {improper} {hollow} {pits}");
}

/// §9.1: the work grows with the pairs of triangles whose boxes meet, not with the product of the numbers of triangles.
#[test]
fn section_9_work_grows_with_pairs_that_may_meet() {
    let config = ContactsConfig { kept: Kept::All, ..ContactsConfig::default() };
    let start = Pose::from_axis_angle(DVec3::X, 1.2, DVec3::new(4.0, 0.3, 0.2)).unwrap();
    let screw = Screw::new(DVec3::new(-1.0, 0.1, 0.2), DVec3::ZERO, 0.4, 1.0).unwrap();
    let mut last: Option<ScrewStats> = None;
    for count in [16, 32, 64] {
        let soup = clearance::shape::sample::torus(2.0, 0.6, count, count / 2).unwrap();
        let mesh = Mesh::build(&soup, &MeshConfig::default()).unwrap();
        let ring = Surface::new(&Body::try_from(&Shape::from(mesh)).unwrap()).unwrap();
        let mut stats = ScrewStats::default();
        let found =
            contacts_with(&ring, &Pose::IDENTITY, &ring, &start, &screw, Moving::Second, &config, &mut stats);
        assert!(!found.is_empty());
        // Four times the triangles: less than eight times the pairs, where all pairs would be sixteen times as many.
        if let Some(last) = last {
            assert!(stats.cells < 9 * last.cells && stats.nodes < 9 * last.nodes, "{last:?} {stats:?}");
        }
        last = Some(stats);
    }
}

/// A real screw in a real nut: turned along its thread it is free, as measured; moved without a turn it is not.
#[test]
fn a_real_screw_turns_in_its_nut() {
    let Some(folder) = real_mesh::folder() else {
        println!("skipped: no sample data");
        return;
    };
    let body = |name: &str| {
        let soup = real_mesh::read(&folder.join("mechanisms/screw_nut").join(name)).expect("an OBJ");
        Body::try_from(&Shape::from(Mesh::build(&soup, &MeshConfig::default()).unwrap())).unwrap()
    };
    let (nut, screw) = (body("nut-big.obj"), body("screw-big.obj"));
    let center = DVec3::new(-0.0625308, 0.0, -0.0277859);
    let ask = |angle: f64, shift: f64| {
        let motion = Screw::new(DVec3::Y, center, angle, shift).unwrap();
        first_contact(&nut, &Pose::IDENTITY, &Motion::AtRest, &screw, &Pose::IDENTITY, &motion.into())
            .unwrap()
    };
    let pitch = 1.32848;
    assert_eq!(ask(0.5, 0.5 / TAU * pitch), ScrewOutcome::None);
    assert_eq!(ask(-0.5, -0.5 / TAU * pitch), ScrewOutcome::None);
    for shift in [0.1, -0.1] {
        let ScrewOutcome::Hit(impact) = ask(0.0, shift) else { panic!("{shift}") };
        let way = shift.abs() * impact.lower;
        assert!(if shift > 0.0 { (0.05..0.1).contains(&way) } else { way < 0.05 }, "{way}");
    }
    let found = first_contact(
        &nut,
        &Pose::IDENTITY,
        &Screw::new(DVec3::Y, center, 0.0, -0.1).unwrap().into(),
        &screw,
        &Pose::IDENTITY,
        &Motion::AtRest,
    );
    assert!(matches!(found, Ok(ScrewOutcome::Hit(_))));
}
