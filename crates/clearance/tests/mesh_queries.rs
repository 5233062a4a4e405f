//! Points, rays, depths and self-intersections of meshes, where the answer is plain; random cases are in `oracle::compare`.

use clearance::glam::DVec3;
use clearance::math::Random;
use clearance::mesh::{
    PointError, TreeMesh, contains_point, distance_to_point, penetration, ray_cast, self_intersections,
    signed_distance,
};
use clearance::pair::{PointLocation, Ray};
use clearance::shape::{KindChoice, Mesh, MeshConfig, TriangleSoup, sample};
use clearance::{Aabb, Pose};

fn tree_mesh(soup: &TriangleSoup) -> TreeMesh {
    TreeMesh::new(Mesh::build(soup, &MeshConfig::default()).expect("a mesh"))
}

/// A cube from `low` to `high`, facing outward, or inward as a cavity.
fn add_box(soup: &mut TriangleSoup, Aabb { min, max }: Aabb, inward: bool) {
    let first = soup.positions.len() as u32;
    let corner = |i: u32| {
        let pick = |axis: usize| if i >> axis & 1 == 0 { min[axis] } else { max[axis] };
        DVec3::new(pick(0), pick(1), pick(2))
    };
    soup.positions.extend((0..8).map(corner));
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    for [a, b, c, d] in faces.map(|face: [u32; 4]| face.map(|v| v + first)) {
        let two = if inward { [[a, c, b], [a, d, c]] } else { [[a, b, c], [a, c, d]] };
        soup.triangles.extend(two);
    }
}

fn cube(low: f64, high: f64) -> Aabb {
    Aabb { min: DVec3::splat(low), max: DVec3::splat(high) }
}

fn hollow() -> TreeMesh {
    let mut soup = TriangleSoup::default();
    add_box(&mut soup, cube(0.0, 4.0), false);
    add_box(&mut soup, cube(1.0, 3.0), true);
    tree_mesh(&soup)
}

#[test]
fn a_cavity_is_outside_and_its_wall_is_signed() {
    let (mesh, rest) = (hollow(), Pose::IDENTITY);
    let at = |x: f64| DVec3::new(x, 2.0, 2.0);
    let places =
        [(2.0, PointLocation::Outside), (1.0, PointLocation::Boundary), (0.5, PointLocation::Inside)];
    for (x, want) in places {
        assert_eq!(contains_point(&mesh, &rest, at(x)), Ok(want), "{x}");
    }
    let signed = |x: f64| signed_distance(&mesh, &rest, at(x)).expect("a solid");
    let (inside, outside, on) = (signed(0.75), signed(1.25), signed(1.0));
    assert!(inside.lower <= -0.25 && -0.25 <= inside.upper && inside.upper - inside.lower < 1e-12);
    assert!(outside.lower <= 0.25 && 0.25 <= outside.upper && outside.upper - outside.lower < 1e-12);
    assert_eq!((on.lower, on.upper, on.point), (0.0, 0.0, at(1.0)));
    assert!((inside.point - at(1.0)).length() < 1e-12);
    let body = distance_to_point(&mesh, &rest, at(0.5)).expect("a point");
    assert_eq!((body.lower, body.upper, body.triangle), (0.0, 0.0, None));
}

#[test]
fn questions_without_an_answer_are_errors() {
    let config = MeshConfig { kind: KindChoice::Surface, ..MeshConfig::default() };
    let mut soup = TriangleSoup::default();
    add_box(&mut soup, cube(0.0, 1.0), false);
    let surface = TreeMesh::new(Mesh::build(&soup, &config).expect("a mesh"));
    let rest = Pose::IDENTITY;
    assert_eq!(signed_distance(&surface, &rest, DVec3::ZERO), Err(PointError::NotSolid));
    assert!(penetration(&surface, &rest, &hollow(), &rest).is_err());
    for bad in [DVec3::NAN, DVec3::X * f64::INFINITY, DVec3::Y * 1e300] {
        assert!(matches!(contains_point(&surface, &rest, bad), Err(PointError::OutOfRange(_))));
        assert!(matches!(distance_to_point(&surface, &rest, bad), Err(PointError::OutOfRange(_))));
    }
}

#[test]
fn rays_through_edges_vertices_and_along_faces_hit() {
    let (mesh, rest) = (hollow(), Pose::IDENTITY);
    let cast = |origin: [f64; 3], direction: [f64; 3]| {
        let ray = Ray::new(DVec3::from(origin), DVec3::from(direction), f64::INFINITY).expect("a ray");
        ray_cast(&mesh, &rest, &ray)
    };
    let t = |origin, direction| cast(origin, direction).map(|hit| (hit.t_lower, hit.t_upper));
    // A vertex, a diagonal of a face, an edge, in the plane of a face, and beside it by the least number.
    assert_eq!(t([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]), Some((1.0, 1.0)));
    assert_eq!(t([-1.0, 2.0, 2.0], [1.0, 0.0, 0.0]), Some((1.0, 1.0)));
    assert_eq!(t([-1.0, 0.0, 2.0], [1.0, 0.0, 0.0]), Some((1.0, 1.0)));
    assert_eq!(t([-3.0, 1.0, 4.0], [2.0, 0.0, 0.0]), Some((1.5, 1.5)));
    assert_eq!(t([-3.0, 1.0, 4.0f64.next_up()], [2.0, 0.0, 0.0]), None);
    assert_eq!(t([-3.0, -5e-324, 4.0], [2.0, 0.0, 0.0]), None);
    // From the cavity, from the wall, and from a face.
    let hit = cast([2.0, 2.0, 2.0], [0.0, 0.0, 0.5]).expect("the ceiling of the cavity");
    assert_eq!((hit.t_lower, hit.t_upper, hit.normal), (2.0, 2.0, -DVec3::Z));
    let hit = cast([2.0, 1.5, 3.5], [0.0, 0.0, 1.0]).expect("from inside");
    assert!(hit.normal == DVec3::Z && hit.t_lower <= 0.5 && hit.t_upper >= 0.5);
    assert_eq!(t([4.0, 2.0, 2.0], [1.0, 0.0, 0.0]), Some((0.0, 0.0)));
    assert_eq!(t([4.5, 2.0, 2.0], [1.0, 0.0, 0.0]), None);
}

#[test]
fn of_triangles_hit_at_the_same_time_the_first_is_reported() {
    let (mesh, rest) = (hollow(), Pose::IDENTITY);
    let ray = Ray::new(DVec3::splat(-1.0), DVec3::ONE, f64::INFINITY).expect("a ray");
    let hit = ray_cast(&mesh, &rest, &ray).expect("the corner");
    let has_corner = |t: &usize| mesh.mesh().triangle(*t).contains(&DVec3::ZERO);
    assert_eq!(Some(hit.triangle as usize), (0..24).find(has_corner));
}

#[test]
fn a_ray_looks_at_few_boxes_of_a_large_mesh() {
    let mesh = tree_mesh(&sample::torus(1.0, 0.3, 200, 100).expect("a torus"));
    let mut random = Random::new(3);
    let (mut visited, rays) = (0, 200);
    for _ in 0..rays {
        let origin = sample::random_direction(&mut random) * 3.0;
        let target = sample::random_direction(&mut random);
        mesh.tree().visit_along(&Pose::IDENTITY, [origin, target - origin], f64::INFINITY, |_| {
            visited += 1;
            None
        });
    }
    assert!(visited < 30 * rays, "{visited} triangles for {rays} rays that never end");
    let mut near = 0;
    for _ in 0..rays {
        let point = sample::random_direction(&mut random) * random.range(0.1, 3.0);
        let mut nearest = f64::INFINITY;
        mesh.tree().visit_around(&Pose::IDENTITY, point, 0.0, |triangle| {
            near += 1;
            let toward = mesh.mesh().triangle(triangle as usize)[0] - point;
            let is_nearer = toward.length() < nearest;
            nearest = nearest.min(toward.length());
            is_nearer.then_some((nearest, toward))
        });
    }
    assert!(near < 200 * rays, "{near} triangles for {rays} points");
}

#[test]
fn a_crossing_of_two_boxes_is_found_and_clean_meshes_have_none() {
    assert_eq!(self_intersections(&hollow()), []);
    assert_eq!(self_intersections(&tree_mesh(&sample::torus(1.0, 0.3, 60, 30).expect("a torus"))), []);
    let mut soup = TriangleSoup::default();
    add_box(&mut soup, cube(0.0, 2.0), false);
    add_box(&mut soup, cube(1.0, 3.0), false);
    let found = self_intersections(&tree_mesh(&soup));
    assert!(!found.is_empty() && found.is_sorted_by_key(|pair| pair.triangles));
    assert!(found.iter().all(|pair| pair.triangles[0] < 12 && pair.triangles[1] >= 12));
}

#[test]
fn two_balls_overlap_by_what_their_centres_say() {
    for scale in [1.0, 2f64.powi(-20), 2f64.powi(20)] {
        let ball = tree_mesh(&sample::icosphere(scale, 12).expect("a ball"));
        let beside = Pose::from_translation(DVec3::new(1.5, 0.1, 0.2) * scale).expect("a pose");
        let found = penetration(&ball, &Pose::IDENTITY, &ball, &beside).expect("solids").expect("an overlap");
        let depth = (2.0 - DVec3::new(1.5, 0.1, 0.2).length()) * scale;
        assert!(found.lower <= found.upper && (found.upper / depth - 1.0).abs() < 0.05, "{found:?}");
        assert!(found.lower > 0.85 * depth, "{found:?}");
        let local = found.local.expect("a vertex");
        assert!((local.upper / depth - 1.0).abs() < 0.05 && local.lower <= local.upper, "{found:?}");
        assert!(found.normal.x > 0.9);
    }
}

#[test]
fn crossing_bars_have_no_vertex_inside_but_a_ball() {
    let bar = |axis: usize| {
        let (mut bounds, mut soup) = (cube(-1.0, 1.0), TriangleSoup::default());
        (bounds.min[axis], bounds.max[axis]) = (-9.0, 9.0);
        add_box(&mut soup, bounds, false);
        tree_mesh(&soup)
    };
    let found = penetration(&bar(0), &Pose::IDENTITY, &bar(1), &Pose::IDENTITY).expect("solids");
    let found = found.expect("an overlap");
    assert_eq!(found.local, None);
    assert!(found.lower > 1.99 && found.lower <= 2.0 && found.upper >= 2.0 && found.upper < 2.0 + 1e-6);
    let apart = Pose::from_translation(DVec3::Z * 2.0).expect("a pose");
    assert_eq!(penetration(&bar(0), &Pose::IDENTITY, &bar(1), &apart), Ok(None), "they touch");
}

#[test]
fn depths_do_not_depend_on_the_number_of_threads() {
    let ring = tree_mesh(&sample::torus(1.0, 0.3, 40, 20).expect("a torus"));
    let turned = Pose::from_axis_angle(DVec3::X, 0.7, DVec3::new(0.3, 0.1, 0.0)).expect("a pose");
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| (penetration(&ring, &Pose::IDENTITY, &ring, &turned), self_intersections(&ring)))
    };
    assert_eq!(with(1), with(4));
}
