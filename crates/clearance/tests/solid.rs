//! Meshes that meet: solids side by side, in each other, in cavities; surfaces; points; meshes that meet themselves.

use clearance::glam::{BVec3, DMat3, DVec3, dvec3};
use clearance::oracle::mesh_pair::contacts;
use clearance::pair::{PointLocation, Relation};
use clearance::shape::{KindChoice, Mesh, MeshConfig, MeshKind, TriangleSoup, sample};
use clearance::solid::{
    Body, Contact, EveryTriangle, MeshRelation, TriangleSearch, contains_point, relation, self_intersections,
};
use clearance::witness::Side;
use clearance::{Aabb, Pose};

/// A box between two corners; its triangles face outward.
fn block(min: [f64; 3], max: [f64; 3]) -> TriangleSoup {
    let (min, max) = (DVec3::from_array(min), DVec3::from_array(max));
    let corner = |i: u32| DVec3::select(BVec3::new(i & 1 == 1, i & 2 == 2, i & 4 == 4), max, min);
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[p, q, r, s]: &[u32; 4]| [[p, q, r], [p, r, s]]).collect();
    TriangleSoup { positions: (0..8).map(corner).collect(), triangles, parts: vec![] }
}

/// Several soups as one.
fn together(soups: &[TriangleSoup]) -> TriangleSoup {
    let mut all = TriangleSoup::default();
    for soup in soups {
        let first = all.positions.len() as u32;
        all.positions.extend(&soup.positions);
        all.triangles.extend(soup.triangles.iter().map(|t| t.map(|v| v + first)));
    }
    all
}

fn inverted(mut soup: TriangleSoup) -> TriangleSoup {
    soup.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    soup
}

fn build(soup: &TriangleSoup, kind: KindChoice) -> Mesh {
    Mesh::build(soup, &MeshConfig { kind, ..MeshConfig::default() }).expect("a mesh")
}

fn solid(soup: &TriangleSoup) -> Mesh {
    let mesh = build(soup, KindChoice::Solid);
    assert!(mesh.report().flipped.is_empty());
    mesh
}

fn relate(a: &Mesh, pose_a: &Pose, b: &Mesh, pose_b: &Pose) -> MeshRelation {
    let (search_a, search_b) = (EveryTriangle(a), EveryTriangle(b));
    let body_a = Body { mesh: a, pose: pose_a, search: &search_a };
    let body_b = Body { mesh: b, pose: pose_b, search: &search_b };
    let mut found = contacts(a, pose_a, b, pose_b);
    let answer = relation(&body_a, &body_b, &found);
    found.reverse();
    assert_eq!(relation(&body_a, &body_b, &found), answer, "the order of contacts does not matter");
    let swap = |c: &Contact| {
        let triangles = [c.triangles[1], c.triangles[0]];
        let [b, a] = [b.triangle(triangles[0] as usize), a.triangle(triangles[1] as usize)];
        Contact { triangles, intersection: clearance::triangle::intersection(b, pose_b, a, pose_a) }
    };
    let swapped = relation(&body_b, &body_a, &found.iter().map(swap).collect::<Vec<_>>());
    assert_eq!(swapped.relation, answer.relation);
    assert_eq!(swapped.enclosed.map(|side| side == Side::A), answer.enclosed.map(|side| side == Side::B));
    answer
}

/// Under no pose, one turned pose, exact quarter turns and scales: the same answer.
fn everywhere(a: &TriangleSoup, kind_a: KindChoice, b: &TriangleSoup, kind_b: KindChoice) -> MeshRelation {
    let plain = relate(&build(a, kind_a), &Pose::IDENTITY, &build(b, kind_b), &Pose::IDENTITY);
    let turn = Pose::from_axis_angle(dvec3(1.0, -2.0, 0.5), 2.1, dvec3(3.0, 1e6, -7.0)).unwrap();
    assert_eq!(relate(&build(a, kind_a), &turn, &build(b, kind_b), &turn.clone()), plain);
    let quarter = Pose::new(DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z), dvec3(1e6, -5.0, 2.0)).unwrap();
    let mut back = b.clone();
    for p in &mut back.positions {
        *p = quarter.rotation().transpose() * (*p - quarter.translation());
    }
    assert_eq!(relate(&build(a, kind_a), &Pose::IDENTITY, &build(&back, kind_b), &quarter), plain);
    for scale in [2f64.powi(-20), 2f64.powi(20)] {
        let grown = |soup: &TriangleSoup| {
            let mut soup = soup.clone();
            soup.positions.iter_mut().for_each(|p| *p *= scale);
            soup
        };
        let (a, b) = (build(&grown(a), kind_a), build(&grown(b), kind_b));
        assert_eq!(relate(&a, &Pose::IDENTITY, &b, &Pose::IDENTITY), plain);
    }
    plain
}

fn solids(a: &TriangleSoup, b: &TriangleSoup) -> MeshRelation {
    everywhere(a, KindChoice::Solid, b, KindChoice::Solid)
}

const TOUCHING: MeshRelation = MeshRelation { relation: Relation::Touching, enclosed: None };
const OVERLAPPING: MeshRelation = MeshRelation { relation: Relation::Overlapping, enclosed: None };
const DISJOINT: MeshRelation = MeshRelation { relation: Relation::Disjoint, enclosed: None };

fn inside(side: Side) -> MeshRelation {
    MeshRelation { relation: Relation::Overlapping, enclosed: Some(side) }
}

#[test]
fn cubes_in_every_position() {
    let cube = block([0.; 3], [4.; 3]);
    let cases = [
        ("identical", cube.clone(), OVERLAPPING),
        ("inside, a common face", block([0., 1., 1.], [2., 3., 3.]), OVERLAPPING),
        ("inside, a common edge", block([0., 0., 1.], [2., 2., 3.]), OVERLAPPING),
        ("inside, a common corner", block([0., 0., 0.], [2., 2., 2.]), OVERLAPPING),
        ("half of it", block([0., 0., 0.], [4., 4., 2.]), OVERLAPPING),
        ("a slice through it", block([0., 0., 1.], [4., 4., 2.]), OVERLAPPING),
        ("a slice that sticks out", block([-1., 0., 1.], [5., 4., 2.]), OVERLAPPING),
        ("inside", block([1.; 3], [2.; 3]), inside(Side::B)),
        ("around", block([-1.; 3], [5.; 3]), inside(Side::A)),
        ("side by side", block([4., 0., 0.], [8., 4., 4.]), TOUCHING),
        ("on a part of a face", block([4., 1., 1.], [8., 2., 2.]), TOUCHING),
        ("over the rim of a face", block([4., 2., 2.], [8., 9., 9.]), TOUCHING),
        ("beside a smaller face", block([4., -1., -1.], [8., 5., 5.]), TOUCHING),
        ("edge on edge", block([4., 4., 0.], [8., 8., 4.]), TOUCHING),
        ("edge on part of an edge", block([4., 4., 1.], [8., 8., 9.]), TOUCHING),
        ("corner on corner", block([4.; 3], [8.; 3]), TOUCHING),
        ("just apart", block([4.0 + 2f64.powi(-20), 0., 0.], [8., 4., 4.]), DISJOINT),
    ];
    for (name, other, want) in cases {
        assert_eq!(solids(&cube, &other), want, "{name}");
    }
}

#[test]
fn bodies_in_cavities() {
    let hollow = together(&[block([-4.; 3], [4.; 3]), inverted(block([-2.; 3], [2.; 3]))]);
    assert_eq!(solid(&hollow).report().cavities.count, 1);
    let cases = [
        ("in the cavity", block([-1.; 3], [1.; 3]), DISJOINT),
        ("on the floor of the cavity", block([-1., -1., -2.], [1., 1., 0.]), TOUCHING),
        ("filling the cavity", block([-2.; 3], [2.; 3]), TOUCHING),
        ("more than the cavity", block([-3.; 3], [3.; 3]), OVERLAPPING),
        ("the cavity and a bit", block([-2., -2., -2.], [2., 2., 3.]), OVERLAPPING),
        ("in the wall", block([2.5, 0., 0.], [3.5, 1., 1.]), inside(Side::B)),
        ("in the wall, touching the cavity", block([2., 0., 0.], [3.5, 1., 1.]), OVERLAPPING),
        ("around all", block([-5.; 3], [5.; 3]), inside(Side::A)),
        ("as large as all", block([-4.; 3], [4.; 3]), OVERLAPPING),
        ("itself", hollow.clone(), OVERLAPPING),
        (
            "a hollow body that fills the cavity",
            together(&[block([-2.; 3], [2.; 3]), inverted(block([-1.; 3], [1.; 3]))]),
            TOUCHING,
        ),
    ];
    for (name, other, want) in cases {
        assert_eq!(solids(&hollow, &other), want, "{name}");
    }
}

/// Contact along an edge only, but one solid goes on behind the other's face.
#[test]
fn an_edge_in_a_face_tells_inside_from_outside() {
    // A ditch along y: its bottom edge lies at z = 0.
    let profile = [[-4., 4.], [-4., -4.], [4., -4.], [4., 4.], [0., 0.]];
    let mut ditch = TriangleSoup::default();
    for y in [-4., 4.] {
        ditch.positions.extend(profile.map(|[x, z]| dvec3(x, y, z)));
    }
    let around = (0..5u32).flat_map(|i| {
        let j = (i + 1) % 5;
        [[i, i + 5, j + 5], [i, j + 5, j]]
    });
    ditch.triangles.extend(around);
    for [p, q, r] in [[0, 1, 4], [1, 2, 4], [2, 3, 4]] {
        ditch.triangles.extend([[p, q, r], [p + 5, r + 5, q + 5]]);
    }
    assert!(solid(&ditch).report().flipped.is_empty());
    let below = block([-1., -1., -2.], [1., 1., 0.]);
    assert_eq!(solids(&ditch, &below), OVERLAPPING, "only the bottom edge meets the block's face");
    let wedge = TriangleSoup {
        positions: vec![
            dvec3(0., -1., 0.),
            dvec3(1., -1., 3.),
            dvec3(-1., -1., 3.),
            dvec3(0., 1., 0.),
            dvec3(1., 1., 3.),
            dvec3(-1., 1., 3.),
        ],
        triangles: vec![
            [0, 1, 2],
            [3, 5, 4],
            [0, 3, 4],
            [0, 4, 1],
            [1, 4, 5],
            [1, 5, 2],
            [2, 5, 3],
            [2, 3, 0],
        ],
        parts: vec![],
    };
    assert_eq!(solids(&ditch, &wedge), TOUCHING, "a wedge that stands in the ditch");
    assert_eq!(solids(&below, &wedge), TOUCHING, "a wedge that stands on the block");
}

#[test]
fn surfaces_and_solids() {
    let cube = block([0.; 3], [4.; 3]);
    let sheet = |corners: [[f64; 3]; 4]| TriangleSoup {
        positions: corners.map(DVec3::from_array).to_vec(),
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        parts: vec![],
    };
    let cases = [
        ("through it", sheet([[-1., -1., 1.], [5., -1., 1.], [5., 5., 1.], [-1., 5., 1.]]), OVERLAPPING),
        // Quads are cut along the diagonals in which this sheet meets them: no two triangles cross.
        (
            "through edges and diagonals",
            sheet([[0., 0., 0.], [0., 4., 4.], [4., 4., 4.], [4., 0., 0.]]),
            OVERLAPPING,
        ),
        (
            "across, rim on faces",
            sheet([[0., 0., 1.], [4., 0., 1.], [4., 4., 1.], [0., 4., 1.]]),
            OVERLAPPING,
        ),
        ("on a face", sheet([[0., 0., 4.], [4., 0., 4.], [4., 4., 4.], [0., 4., 4.]]), TOUCHING),
        ("over a face", sheet([[-1., -1., 4.], [5., -1., 4.], [5., 5., 4.], [-1., 5., 4.]]), TOUCHING),
        ("inside", sheet([[1., 1., 1.], [2., 1., 1.], [2., 2., 1.], [1., 2., 1.]]), inside(Side::B)),
        ("along an edge", sheet([[4., 4., 0.], [5., 5., 0.], [5., 5., 4.], [4., 4., 4.]]), TOUCHING),
        ("apart", sheet([[0., 0., 5.], [4., 0., 5.], [4., 4., 5.], [0., 4., 5.]]), DISJOINT),
    ];
    for (name, other, want) in cases {
        let found = everywhere(&cube, KindChoice::Solid, &other, KindChoice::Surface);
        assert_eq!(found, want, "{name}");
    }
    let inner = block([1.; 3], [2.; 3]);
    let as_surfaces = |a, b| everywhere(a, KindChoice::Surface, b, KindChoice::Surface);
    assert_eq!(as_surfaces(&cube, &inner), DISJOINT, "surfaces have no inside");
    assert_eq!(as_surfaces(&cube, &cube), TOUCHING, "no triangle of a surface crosses itself");
    assert_eq!(everywhere(&inner, KindChoice::Surface, &cube, KindChoice::Solid), inside(Side::A));
    assert_eq!(everywhere(&inner, KindChoice::Solid, &cube, KindChoice::Surface), DISJOINT);
}

/// A sheet given from both sides is part of a solid that can be touched, and bounds nothing.
#[test]
fn fins_touch_and_walls_inside_do_not_matter() {
    let fin = |x: f64| TriangleSoup {
        positions: vec![dvec3(x, 0., 0.), dvec3(x + 4., 0., 0.), dvec3(x + 4., 4., 0.), dvec3(x, 4., 0.)],
        triangles: vec![[0, 1, 2], [0, 2, 3], [0, 2, 1], [0, 3, 2]],
        parts: vec![],
    };
    let finned = together(&[block([0., 0., -1.], [4., 4., 0.]), fin(4.)]);
    let cube = block([5., 1., -1.], [6., 2., 1.]);
    assert_eq!(solid(&finned).report().duplicate_kept.count, 2);
    assert_eq!(solids(&finned, &cube), TOUCHING, "the fin crosses the cube");
    assert_eq!(solids(&finned, &block([5., 1., 1.], [6., 2., 2.])), DISJOINT);
    // Two boxes with a common face, given twice: a wall inside.
    let walled = together(&[block([0., 0., 0.], [2., 4., 4.]), block([2., 0., 0.], [4., 4., 4.])]);
    assert_eq!(solid(&walled).report().duplicate_kept.count, 2);
    assert_eq!(solids(&walled, &block([1., 1., 1.], [3., 3., 3.])), OVERLAPPING);
    assert_eq!(solids(&walled, &block([4., 0., 0.], [5., 4., 4.])), TOUCHING);
    let sheet = TriangleSoup {
        positions: vec![dvec3(2., 1., 1.), dvec3(2., 2., 1.), dvec3(2., 1., 2.)],
        triangles: vec![[0, 1, 2]],
        parts: vec![],
    };
    let found = everywhere(&walled, KindChoice::Solid, &sheet, KindChoice::Surface);
    assert_eq!(found, OVERLAPPING, "a sheet on the wall is inside");
}

#[test]
fn points_are_inside_on_or_outside() {
    let locate = |mesh: &Mesh, pose: &Pose, point: DVec3| {
        let search = EveryTriangle(mesh);
        contains_point(&Body { mesh, pose, search: &search }, point).expect("a point")
    };
    let hollow = solid(&together(&[block([-4.; 3], [4.; 3]), inverted(block([-2.; 3], [2.; 3]))]));
    let quarter = Pose::new(DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z), dvec3(1e6, -5.0, 2.0)).unwrap();
    for pose in [Pose::IDENTITY, quarter] {
        let at = |x, y, z| locate(&hollow, &pose, pose.apply(dvec3(x, y, z)));
        assert_eq!(at(3., 0., 0.), PointLocation::Inside);
        assert_eq!(at(0., 0., 0.), PointLocation::Outside);
        for [x, y, z] in
            [[4., 0.5, 0.], [4., 4., 0.], [4., 4., 4.], [2., 0., 0.], [2., 2., -2.], [4., 1., 1.]]
        {
            assert_eq!(at(x, y, z), PointLocation::Boundary, "{x} {y} {z}");
        }
        assert_eq!(at(5., 0., 0.), PointLocation::Outside);
    }
    assert_eq!(locate(&hollow, &Pose::IDENTITY, dvec3(4.0f64.next_up(), 0., 0.)), PointLocation::Outside);
    assert_eq!(locate(&hollow, &Pose::IDENTITY, dvec3(4.0f64.next_down(), 0., 0.)), PointLocation::Inside);
    let surface = build(&block([0.; 3], [4.; 3]), KindChoice::Surface);
    assert_eq!(locate(&surface, &Pose::IDENTITY, dvec3(1., 1., 1.)), PointLocation::Outside);
    assert_eq!(locate(&surface, &Pose::IDENTITY, dvec3(1., 1., 0.)), PointLocation::Boundary);
    let search = EveryTriangle(&surface);
    let body = Body { mesh: &surface, pose: &Pose::IDENTITY, search: &search };
    assert!(contains_point(&body, DVec3::NAN).is_err() && contains_point(&body, DVec3::MAX).is_err());
}

/// Components that overlap unite: their faces are inside where another component covers them.
#[test]
fn faces_of_overlapping_components_are_inside_the_union() {
    let union = solid(&together(&[block([0.; 3], [4.; 3]), block([2., 1., 1.], [8., 3., 3.])]));
    let search = EveryTriangle(&union);
    let body = Body { mesh: &union, pose: &Pose::IDENTITY, search: &search };
    let at = |x, y, z| contains_point(&body, dvec3(x, y, z)).unwrap();
    assert_eq!(at(4., 2., 2.), PointLocation::Inside, "on the cube's face, inside the bar");
    assert_eq!(at(2., 2., 2.), PointLocation::Inside, "on the bar's end, inside the cube");
    assert_eq!(at(2., 1., 1.), PointLocation::Inside, "on the bar's corner, inside the cube");
    for [y, z] in [[1., 2.], [3., 2.], [2., 1.], [2., 3.], [1., 1.5], [1.5, 3.]] {
        assert_eq!(at(4., y, z), PointLocation::Boundary, "where their faces cross, {y} {z}");
    }
    for [y, z] in [[1., 1.], [1., 3.], [3., 1.], [3., 3.]] {
        assert_eq!(at(4., y, z), PointLocation::Boundary, "where an edge pierces a face, {y} {z}");
    }
    assert_eq!(at(4., 0.5, 2.), PointLocation::Boundary);
    assert_eq!(at(6., 1., 2.), PointLocation::Boundary);
    let soup = together(&[block([0.; 3], [4.; 3]), block([2., 1., 1.], [8., 3., 3.])]);
    assert_eq!(solids(&soup, &block([4., 1., 3.], [6., 3., 4.])), TOUCHING, "in the corner between them");
    assert_eq!(solids(&soup, &block([3., 1.5, 1.5], [5., 2.5, 2.5])), OVERLAPPING, "across the face inside");
}

/// Near a point where faces cross, each face has parts inside and parts outside: all are looked at.
#[test]
fn points_where_faces_of_components_cross_are_on_the_boundary() {
    for (axis, end) in (0..3).flat_map(|axis| [(axis, -4.0), (axis, 8.0)]) {
        let (mut min, mut max) = (DVec3::splat(1.0), DVec3::splat(3.0));
        min[axis] = f64::min(2.0, end);
        max[axis] = f64::max(2.0, end);
        let bar = block(min.to_array(), max.to_array());
        let union = solid(&together(&[block([0.; 3], [4.; 3]), bar]));
        let search = EveryTriangle(&union);
        let body = Body { mesh: &union, pose: &Pose::IDENTITY, search: &search };
        for (side, along) in
            [1.0, 3.0].into_iter().flat_map(|side| [1.5, 2.0, 2.75].map(|along| (side, along)))
        {
            for [u, v] in [[side, along], [along, side]] {
                let mut point = DVec3::splat(if end < 0.0 { 0.0 } else { 4.0 });
                point[(axis + 1) % 3] = u;
                point[(axis + 2) % 3] = v;
                assert_eq!(contains_point(&body, point), Ok(PointLocation::Boundary), "{axis} {end} {point}");
            }
        }
    }
}

/// The box that a search is asked for holds all that matters: a search that gives nothing else agrees.
#[test]
fn a_search_is_asked_for_enough() {
    struct Counting<'m>(&'m Mesh, std::cell::Cell<usize>);
    impl TriangleSearch for Counting<'_> {
        fn visit(&self, within: Aabb, mut found: impl FnMut(u32)) {
            EveryTriangle(self.0).visit(within, |triangle| {
                self.1.set(self.1.get() + 1);
                found(triangle);
            });
        }
    }
    let ball = Mesh::build(&sample::icosphere(1.0, 12).unwrap(), &MeshConfig::default()).unwrap();
    assert_eq!(ball.kind(), MeshKind::Solid);
    let pose = Pose::from_axis_angle(DVec3::ONE, 1.0, dvec3(10.0, -3.0, 2.0)).unwrap();
    let search = Counting(&ball, std::cell::Cell::new(0));
    let body = Body { mesh: &ball, pose: &pose, search: &search };
    for k in 0..100 {
        let radius = 0.02 * f64::from(k);
        let direction = pose.apply_vector(dvec3((k % 7) as f64 - 3.0, (k % 5) as f64 - 2.2, 1.0)).normalize();
        let want = if radius < 1.0 { PointLocation::Inside } else { PointLocation::Outside };
        if (radius - 1.0).abs() > 0.03 {
            assert_eq!(contains_point(&body, pose.translation() + direction * radius), Ok(want), "{radius}");
        }
    }
    let each = search.1.get() / 100;
    assert!(each < ball.triangles().len() / 20, "{each} of {} triangles", ball.triangles().len());
}

#[test]
fn meshes_that_meet_themselves() {
    let all = |mesh: &Mesh| {
        let count = mesh.triangles().len() as u32;
        (0..count).flat_map(|t| (0..t).map(move |u| (t, u))).collect::<Vec<_>>()
    };
    let count = |soup: &TriangleSoup| {
        let mesh = build(soup, KindChoice::Detect);
        self_intersections(&mesh, all(&mesh)).count()
    };
    assert_eq!(count(&sample::icosphere(1.0, 4).unwrap()), 0);
    assert_eq!(count(&block([0.; 3], [4.; 3])), 0);
    assert!(count(&together(&[block([0.; 3], [4.; 3]), block([1.; 3], [5.; 3])])) > 0, "crossing components");
    assert_eq!(count(&together(&[block([0.; 3], [4.; 3]), block([1.; 3], [2.; 3])])), 0, "nested components");
    assert!(
        count(&together(&[block([0.; 3], [4.; 3]), block([4., 1., 1.], [5., 2., 2.])])) > 0,
        "a common face"
    );
    let folded = TriangleSoup {
        positions: vec![
            DVec3::ZERO,
            dvec3(4., 0., 0.),
            dvec3(0., 4., 0.),
            dvec3(1., 1., 0.),
            dvec3(4., 4., 0.),
        ],
        triangles: vec![[0, 1, 2], [1, 2, 3]],
        parts: vec![],
    };
    assert_eq!(count(&folded), 1, "folded over an edge");
    let flat = TriangleSoup { triangles: vec![[0, 1, 2], [1, 4, 2]], ..folded };
    assert_eq!(count(&flat), 0, "flat neighbours");
}

/// Two pyramids over a bow tie: one closed mesh that crosses itself, its smaller lobe wound around backwards.
#[test]
fn what_a_mesh_winds_around_backwards_is_outside() {
    use clearance::mesh::{TreeMesh, contains_point, relation, self_intersections};
    let tie = [(-3.0, -3.0), (1.0, 1.0), (1.0, -1.0), (-3.0, 3.0)].map(|(x, y)| DVec3::new(x, y, 0.0));
    let positions: Vec<DVec3> = tie.into_iter().chain([DVec3::Z, -DVec3::Z]).collect();
    let around = |k: u32| [[k, (k + 1) % 4, 4], [(k + 1) % 4, k, 5]];
    let triangles = (0..4).flat_map(around).collect();
    let soup = TriangleSoup { positions, triangles, ..TriangleSoup::default() };
    let mesh = TreeMesh::new(Mesh::build(&soup, &MeshConfig::default()).unwrap());
    assert_eq!(mesh.mesh().kind(), MeshKind::Solid);
    assert!(!self_intersections(&mesh).is_empty());
    let at = |x: f64| Pose::from_translation(DVec3::new(x, 0.0, 0.0)).unwrap();
    let location = |x: f64| contains_point(&mesh, &Pose::IDENTITY, DVec3::new(x, 0.0, 0.0)).unwrap();
    assert_eq!((location(-1.5), location(0.75)), (PointLocation::Inside, PointLocation::Outside));
    let grain = block([-0.01; 3], [0.01; 3]);
    let grain = TreeMesh::new(Mesh::build(&grain, &MeshConfig::default()).unwrap());
    for (x, expected) in
        [(-1.5, Relation::Overlapping), (0.75, Relation::Disjoint), (1.5, Relation::Disjoint)]
    {
        assert_eq!(relation(&mesh, &Pose::IDENTITY, &grain, &at(x)).relation, expected, "{x}");
        assert_eq!(relation(&grain, &at(x), &mesh, &Pose::IDENTITY).relation, expected, "{x}");
    }
}
