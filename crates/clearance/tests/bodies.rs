//! Any two bodies, dispatched once: meshes against convex bodies.

use clearance::Pose;
use clearance::body::{Body, BodyError, Within, relate, within};
use clearance::compound::Compound;
use clearance::glam::{DMat3, DQuat, DVec3};
use clearance::pair::{Bracket, ConvexRelation, Relation};
use clearance::shape::sample::torus;
use clearance::shape::{
    Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Mesh, MeshConfig, MeshKind, Plane, Point,
    Polytope, Primitive, Rounded, Segment, Shape, Sphere, TriangleSoup,
};
use clearance::witness::Side;

/// A ring around the z axis; its tube is a polygon of 8 corners inscribed in a circle of radius 0.25.
fn ring() -> Body {
    let soup = torus(1.0, 0.25, 16, 8).unwrap();
    let mesh = Mesh::build(&soup, &MeshConfig::default()).unwrap();
    Body::try_from(&Shape::from(mesh)).unwrap()
}

fn body(primitive: impl Into<Primitive>) -> Body {
    Body::try_from(&Shape::from(primitive.into())).unwrap()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z)).unwrap()
}

/// Both orders agree; returns the relation and the distance.
fn check(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> (Relation, f64) {
    let (there, back) = (relate(a, pose_a, b, pose_b).unwrap(), relate(b, pose_b, a, pose_a).unwrap());
    assert_eq!(there.relation, back.relation);
    assert_eq!(there.distance, back.distance);
    assert!(there.distance.lower <= there.distance.upper);
    let ConvexRelation::Exact(relation) = there.relation else { panic!("not decided: {there:?}") };
    if let (Relation::Disjoint, Some([p, q])) = (relation, there.points) {
        assert!(((p - q).length() - there.distance.upper).abs() < 1e-9, "{there:?}");
        let normal = there.normal.expect("apart");
        assert!((q - p).normalize().dot(normal) > 1.0 - 1e-9);
    }
    (relation, there.distance.upper)
}

#[test]
fn a_ring_and_primitives() {
    let (ring, origin) = (ring(), Pose::IDENTITY);
    assert_eq!(ring.kind_name(), "solid");
    let ball = body(Sphere::new(0.5).unwrap());
    let (relation, gap) = check(&ring, &origin, &ball, &origin);
    assert!(relation == Relation::Disjoint && (0.23..0.27).contains(&gap), "{gap}");
    assert_eq!(check(&ring, &origin, &ball, &at(0.9, 0.0, 0.0)).0, Relation::Overlapping);
    // Inside the tube, away from its surface.
    let bead = body(Sphere::new(0.1).unwrap());
    assert_eq!(check(&ring, &origin, &bead, &at(1.0, 0.0, 0.0)).0, Relation::Overlapping);
    let rod = body(Capsule::new(4.0, 0.1).unwrap());
    assert_eq!(check(&ring, &origin, &rod, &origin).0, Relation::Disjoint);
    assert_eq!(check(&ring, &origin, &rod, &at(1.0, 0.0, 0.0)).0, Relation::Overlapping);
    let cube = body(Cuboid::new(DVec3::splat(0.5)).unwrap());
    assert_eq!(check(&ring, &origin, &cube, &origin).0, Relation::Disjoint);
    assert_eq!(check(&ring, &origin, &cube, &at(0.5, 0.0, 0.0)).0, Relation::Overlapping);
    let rounded = Rounded::new(Primitive::from(Cuboid::new(DVec3::splat(0.5)).unwrap()), 0.3).unwrap();
    let rounded = Body::try_from(&Shape::from(rounded)).unwrap();
    assert_eq!(check(&ring, &origin, &rounded, &origin).0, Relation::Disjoint);
    assert_eq!(check(&ring, &origin, &rounded, &at(0.2, 0.0, 0.0)).0, Relation::Overlapping);
}

#[test]
fn small_bodies_in_the_tube_are_enclosed() {
    let (ring, bead) = (ring(), body(Cuboid::new(DVec3::splat(0.02)).unwrap()));
    let found = relate(&ring, &Pose::IDENTITY, &bead, &at(1.0, 0.0, 0.0)).unwrap();
    assert_eq!(found.relation, ConvexRelation::Exact(Relation::Overlapping));
    assert_eq!(found.enclosed, Some(Side::B));
    let swapped = relate(&bead, &at(1.0, 0.0, 0.0), &ring, &Pose::IDENTITY).unwrap();
    assert_eq!(swapped.enclosed, Some(Side::A));
}

#[test]
fn points_and_segments() {
    let (ring, origin) = (ring(), Pose::IDENTITY);
    let point = body(Point::new(DVec3::ZERO).unwrap());
    assert_eq!(check(&ring, &origin, &point, &origin).0, Relation::Disjoint);
    assert_eq!(check(&ring, &origin, &point, &at(1.0, 0.0, 0.0)).0, Relation::Overlapping);
    let corner = ring.as_mesh().unwrap().mesh().positions()[0];
    let there = at(corner.x, corner.y, corner.z);
    assert_eq!(check(&ring, &origin, &point, &there).0, Relation::Touching);
    let needle = body(Segment::new(DVec3::new(0.0, 0.0, -1.0), DVec3::new(0.0, 0.0, 1.0)).unwrap());
    assert_eq!(check(&ring, &origin, &needle, &origin).0, Relation::Disjoint);
    assert_eq!(check(&ring, &origin, &needle, &at(1.01, 0.02, 0.0)).0, Relation::Overlapping);
}

#[test]
fn half_spaces_and_planes() {
    let (ring, origin) = (ring(), Pose::IDENTITY);
    let ground = body(HalfSpace::new(DVec3::Z, -1.0).unwrap());
    let (relation, gap) = check(&ring, &origin, &ground, &origin);
    assert!(relation == Relation::Disjoint && (0.74..0.78).contains(&gap), "{gap}");
    let plane = body(Plane::new(DVec3::Z, 0.0).unwrap());
    assert_eq!(check(&ring, &origin, &plane, &origin).0, Relation::Overlapping);
}

#[test]
fn cylinders_cones_and_ellipsoids_in_a_ring() {
    let (ring, origin) = (ring(), Pose::IDENTITY);
    let tin = body(Cylinder::new(1.0, 0.5).unwrap());
    let (relation, gap) = check(&ring, &origin, &tin, &origin);
    assert!(relation == Relation::Disjoint && (0.22..0.27).contains(&gap), "{gap}");
    assert_eq!(check(&ring, &origin, &tin, &at(0.3, 0.0, 0.0)).0, Relation::Overlapping);
    let hat = body(Cone::new(1.0, 0.7).unwrap());
    assert_eq!(check(&ring, &origin, &hat, &at(0.0, 0.0, 0.5)).0, Relation::Disjoint);
    // A lens that reaches through the ring, and one inside its tube.
    let lens = body(Ellipsoid::new(DVec3::new(1.2, 1.2, 0.1)).unwrap());
    assert_eq!(check(&ring, &origin, &lens, &origin).0, Relation::Overlapping);
    let seed = body(Ellipsoid::new(DVec3::new(0.05, 0.1, 0.05)).unwrap());
    let found = relate(&ring, &origin, &seed, &at(1.0, 0.0, 0.0)).unwrap();
    assert_eq!(found.relation, ConvexRelation::Exact(Relation::Overlapping));
    assert_eq!(found.enclosed, Some(Side::B));
    let depth = found.depth.unwrap();
    assert!(0.09 < depth.lower && depth.lower <= depth.upper && depth.upper < 0.6, "{depth:?}");
    // The ring within a drum, and a surface within it.
    let drum = body(Cylinder::new(2.0, 2.0).unwrap());
    assert_eq!(relate(&ring, &origin, &drum, &origin).unwrap().enclosed, Some(Side::A));
}

#[test]
fn a_cylinder_that_lies_on_a_block_is_touching_within_a_width() {
    // Two blocks, so that they are no convex body; the top of one is at z = 0.125.
    let block = |x: f64, top: f64| {
        let corner =
            |i: u32| DVec3::new(x + f64::from(i & 1), f64::from(i >> 1 & 1), [-1.0, top][i as usize >> 2]);
        let faces = [[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4]];
        let more = [[2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5]];
        ((0..8).map(corner).collect::<Vec<_>>(), [faces, more].concat())
    };
    let ((mut positions, mut triangles), (more, others)) = (block(1.0, 0.125), block(4.0, 0.0));
    positions.extend(more);
    triangles.extend(others.iter().map(|t| t.map(|vertex| vertex + 8)));
    let soup = TriangleSoup { positions, triangles, ..TriangleSoup::default() };
    let blocks = Mesh::build(&soup, &MeshConfig::default()).unwrap();
    assert_eq!(blocks.kind(), MeshKind::Solid);
    let (ring, top) = (Body::try_from(&Shape::from(blocks)).unwrap(), 0.125);
    let tin = body(Cylinder::new(1.0, 0.25).unwrap());
    // Quarter turns that are exact, and one that is rounded.
    let exact = DMat3::from_cols(-DVec3::Z, DVec3::Y, DVec3::X);
    let rounded = DMat3::from_quat(DQuat::from_axis_angle(DVec3::Y, std::f64::consts::FRAC_PI_2));
    let lying = |z: f64| Pose::new(exact, DVec3::new(1.5, 0.5, z)).unwrap();
    let answer = relate(&ring, &Pose::IDENTITY, &tin, &lying(top + 0.25)).unwrap();
    assert!(matches!(answer.relation, ConvexRelation::TouchingWithin { width } if width < 1e-14));
    // A half-space with the same face is related exactly: what is decided for the block is that.
    let ground = body(HalfSpace::new(DVec3::Z, top).unwrap());
    for step in -8..=8 {
        let pose =
            Pose::new(rounded, DVec3::new(1.5, 0.5, top + 0.25 + f64::from(step) * 2f64.powi(-54))).unwrap();
        let (found, truth) =
            (relate(&ring, &Pose::IDENTITY, &tin, &pose), relate(&ground, &Pose::IDENTITY, &tin, &pose));
        let (found, truth) = (found.unwrap().relation, truth.unwrap().relation);
        assert!(
            found == truth || matches!(found, ConvexRelation::TouchingWithin { .. }),
            "{found:?} {truth:?}"
        );
    }
    let above = relate(&ring, &Pose::IDENTITY, &tin, &lying(top + 0.25 + 1e-12)).unwrap();
    assert_eq!(above.relation, ConvexRelation::Exact(Relation::Disjoint));
    let below = relate(&ring, &Pose::IDENTITY, &tin, &lying(top + 0.25 - 1e-12)).unwrap();
    assert_eq!(below.relation, ConvexRelation::Exact(Relation::Overlapping));
}

#[test]
fn within_ends_in_both_directions_for_every_pair() {
    let (ring, origin) = (ring(), Pose::IDENTITY);
    let others = [
        ring.clone(),
        body(Cylinder::new(1.0, 0.25).unwrap()),
        body(Sphere::new(0.25).unwrap()),
        body(Cuboid::new(DVec3::splat(0.5)).unwrap()),
        body(Point::new(DVec3::ZERO).unwrap()),
    ];
    for other in &others {
        let there = at(3.0, 0.0, 0.0);
        let Bracket { lower, upper } = relate(&ring, &origin, other, &there).unwrap().distance;
        assert!(lower > 0.25);
        for (limit, expected) in [
            (1.001 * upper, Within::Yes),
            (0.999 * lower, Within::No),
            (f64::NAN, Within::No),
            (-1.0, Within::No),
        ] {
            assert_eq!(within(&ring, &origin, other, &there, limit), Ok(expected));
            assert_eq!(within(other, &there, &ring, &origin, limit), Ok(expected));
        }
    }
    let cube = &others[3];
    assert_eq!(within(cube, &origin, cube, &at(1.0, 0.0, 0.0), 0.5), Ok(Within::Yes));
    assert_eq!(within(cube, &origin, cube, &at(1.0, 0.0, 0.0), 0.5f64.next_down()), Ok(Within::No));
}

#[test]
fn what_is_not_known_is_an_error_that_names_both() {
    let (ring, tin) = (ring(), body(Cylinder::new(1.0, 2f64.powi(300)).unwrap()));
    let error = relate(&ring, &Pose::IDENTITY, &tin, &Pose::IDENTITY).unwrap_err();
    assert_eq!(error, BodyError::Pair { query: "relation", kind_a: "solid", kind_b: "cylinder" });
    let error = relate(&tin, &Pose::IDENTITY, &ring, &Pose::IDENTITY).unwrap_err();
    assert!(error.to_string().starts_with("the relation of a cylinder and a solid"), "{error}");
}

/// A polygon is cut into triangles for a mesh; where a sheet crosses it along a cut, no two triangles cross.
#[test]
fn a_sheet_that_crosses_a_polygon_along_a_diagonal_overlaps_it() {
    let corners = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)].map(|(x, y)| DVec3::new(x, y, 0.0));
    let hexagon: Vec<DVec3> = [(2, 0), (1, 2), (-1, 2), (-2, 0), (-1, -2), (1, -2)]
        .map(|(x, y)| DVec3::new(f64::from(x), f64::from(y), 0.0))
        .to_vec();
    for polygon in [corners.to_vec(), hexagon] {
        let flat = Polytope::hull(&polygon).unwrap();
        let sharp = Body::try_from(&Shape::from(flat.clone())).unwrap();
        let union = Body::from(Compound::new(vec![flat.into()]).unwrap());
        for i in 0..polygon.len() {
            for j in 0..i {
                let (p, q) = (polygon[i], polygon[j]);
                let along = 3.0 * (q - p);
                let sheet = [p - along - DVec3::Z, q + along - DVec3::Z, q + DVec3::Z * 2.0 - 0.5 * along];
                let soup = TriangleSoup {
                    positions: sheet.to_vec(),
                    triangles: vec![[0, 1, 2]],
                    ..TriangleSoup::default()
                };
                let mesh = Mesh::build(&soup, &MeshConfig::default()).unwrap();
                let sheet = Body::try_from(&Shape::from(mesh)).unwrap();
                let is_edge = (i + 1) % polygon.len() == j || (j + 1) % polygon.len() == i;
                let expected = if is_edge { Relation::Touching } else { Relation::Overlapping };
                for pose in [Pose::IDENTITY, at(1e6, 0.0, 0.0)] {
                    assert_eq!(check(&sharp, &pose, &sheet, &pose).0, expected, "{p} {q}");
                    assert_eq!(check(&union, &pose, &sheet, &pose).0, expected, "{p} {q}");
                    let one =
                        Body::from(Compound::new(vec![sheet.as_mesh().unwrap().clone().into()]).unwrap());
                    assert_eq!(check(&union, &pose, &one, &pose).0, expected, "{p} {q}");
                }
            }
        }
    }
}

#[test]
fn a_polygon_inside_a_solid_overlaps_it() {
    for polygon in [
        vec![DVec3::X, DVec3::Y, -DVec3::X, -DVec3::Y],
        vec![
            DVec3::X,
            DVec3::Y,
            DVec3::new(-1.0, 0.5, 0.0),
            -DVec3::X,
            -DVec3::Y,
            DVec3::new(1.0, -0.5, 0.0),
        ],
    ] {
        let points: Vec<DVec3> = polygon.iter().map(|p| *p * 0.05).collect();
        let flat = Body::try_from(&Shape::from(Polytope::hull(&points).unwrap())).unwrap();
        assert_eq!(check(&ring(), &Pose::IDENTITY, &flat, &at(1.0, 0.0, 0.0)).0, Relation::Overlapping);
        assert_eq!(check(&ring(), &Pose::IDENTITY, &flat, &Pose::IDENTITY).0, Relation::Disjoint);
    }
}
