//! What a mesh promises, on shapes whose answers are known and on random ones against the oracle.

use clearance::glam::DVec3;
use clearance::math::Random;
use clearance::oracle::compare::Comparison;
use clearance::oracle::mesh as oracle;
use clearance::shape::{
    Defects, KindChoice, Mesh, MeshConfig, MeshError, MeshKind, SoupPart, TriangleSoup, Weld,
};

/// Triangles of an axis-aligned box, facing outward; corner `i` has the bits of `i` for coordinates.
fn cuboid(min: DVec3, max: DVec3) -> TriangleSoup {
    let corner = |i: usize| {
        DVec3::from_array([0, 1, 2].map(|axis| if i >> axis & 1 == 0 { min[axis] } else { max[axis] }))
    };
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriangleSoup { positions: (0..8).map(corner).collect(), triangles, parts: vec![] }
}

fn unit_cube() -> TriangleSoup {
    cuboid(DVec3::ZERO, DVec3::ONE)
}

fn inside_out(mut soup: TriangleSoup) -> TriangleSoup {
    soup.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    soup
}

fn join(soups: &[TriangleSoup]) -> TriangleSoup {
    let mut all = TriangleSoup::default();
    for soup in soups {
        let first = all.positions.len() as u32;
        all.positions.extend(&soup.positions);
        all.triangles.extend(soup.triangles.iter().map(|triangle| triangle.map(|p| p + first)));
    }
    all
}

fn scaled(mut soup: TriangleSoup, scale: f64, offset: DVec3) -> TriangleSoup {
    soup.positions.iter_mut().for_each(|p| *p = *p * scale + offset);
    soup
}

/// Every corner its own position, as in an STL file.
fn unwelded(soup: &TriangleSoup) -> TriangleSoup {
    let positions: Vec<_> = oracle::corners(soup).into_iter().flatten().collect();
    let triangles = (0..soup.triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    TriangleSoup { positions, triangles, parts: soup.parts.clone() }
}

/// A box of `n` by `n` quads a side: many vertices, flat regions, exactly convex.
fn gridded_cube(n: u32) -> TriangleSoup {
    let mut soup = TriangleSoup::default();
    let step = 1.0 / f64::from(n);
    for axis in 0..3 {
        let (along, up) = (DVec3::AXES[(axis + 1) % 3] * step, DVec3::AXES[(axis + 2) % 3] * step);
        for (i, j) in (0..n * n).map(|k| (f64::from(k / n), f64::from(k % n))) {
            for (side, flip) in [(DVec3::AXES[axis], false), (DVec3::ZERO, true)] {
                let at = |u: f64, v: f64| side + along * (i + u) + up * (j + v);
                let quad = [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)];
                let first = soup.positions.len() as u32;
                soup.positions.extend(quad);
                let faces = if flip { [[0, 2, 1], [0, 3, 2]] } else { [[0, 1, 2], [0, 2, 3]] };
                soup.triangles.extend(faces.map(|face: [u32; 3]| face.map(|corner| corner + first)));
            }
        }
    }
    soup
}

fn build(soup: &TriangleSoup) -> Mesh {
    build_with(soup, MeshConfig::default()).expect("a mesh")
}

fn build_with(soup: &TriangleSoup, config: MeshConfig) -> Result<Mesh, MeshError> {
    let mesh = Mesh::build(soup, &config)?;
    mesh.validate().expect("a sound structure");
    Ok(mesh)
}

fn solid() -> MeshConfig {
    MeshConfig { kind: KindChoice::Solid, ..MeshConfig::default() }
}

fn strict() -> MeshConfig {
    MeshConfig { defects: Defects::Refuse, ..MeshConfig::default() }
}

fn cases() -> u64 {
    std::env::var("CLEARANCE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1)
}

fn compare(name: &'static str, case: fn(&mut Random) -> Result<(), String>) {
    if let Err(mismatch) = Comparison::new(name, case).run(2, 0..30_000 * cases()) {
        panic!("{mismatch}");
    }
}

#[test]
fn random_triangles_give_what_the_oracle_finds() {
    compare("a mesh has the edges, components and defects of its triangles", oracle::findings);
}

#[test]
fn random_closed_triangles_stay_closed() {
    compare("repair leaves closed meshes closed", oracle::closed_stays_closed);
}

#[test]
fn random_clusters_are_welded() {
    compare("welding within a distance merges clusters", oracle::welding);
}

#[test]
fn a_cube_is_a_clean_convex_solid_at_every_scale_and_place() {
    for scale in [2f64.powi(-20), 1.0, 2f64.powi(20)] {
        for offset in [DVec3::ZERO, DVec3::new(1e6, -1e6, 1e6) * scale] {
            let cube = scaled(unit_cube(), scale, offset);
            for soup in [unwelded(&cube), cube] {
                let mesh = build(&soup);
                assert_eq!(mesh.kind(), MeshKind::Solid);
                assert_eq!((mesh.positions().len(), mesh.triangles().len(), mesh.edge_count()), (8, 12, 18));
                assert_eq!(mesh.component_count(), 1);
                assert!(mesh.report().is_clean() && mesh.is_convex());
                assert_eq!(mesh.volume(), Some(scale.powi(3)));
                assert_eq!(mesh.area(), 6.0 * scale * scale);
                assert_eq!(mesh.centroid(), offset + DVec3::splat(0.5 * scale));
                assert_eq!(mesh.bounds().extent(), DVec3::splat(scale));
                assert_eq!(build_with(&soup, strict()), Ok(mesh));
            }
        }
    }
}

#[test]
fn measures_survive_the_largest_and_smallest_coordinates() {
    let huge = build(&scaled(unit_cube(), 2f64.powi(300), DVec3::ZERO));
    assert_eq!((huge.volume(), huge.area()), (Some(2f64.powi(900)), 6.0 * 2f64.powi(600)));
    assert_eq!(huge.centroid(), DVec3::splat(2f64.powi(299)));
    let tiny = build(&scaled(unit_cube(), f64::from_bits(2), DVec3::ZERO));
    assert_eq!((tiny.kind(), tiny.is_convex()), (MeshKind::Solid, true));
    assert_eq!((tiny.volume(), tiny.area()), (Some(0.0), 0.0), "too small for f64");
    assert_eq!(tiny.centroid(), DVec3::splat(f64::from_bits(1)));
    let inverted = build(&inside_out(scaled(unit_cube(), f64::from_bits(2), DVec3::ZERO)));
    assert_eq!(inverted.report().inverted.count, 1, "the sign of a volume of 2^-3219 is known");
}

#[test]
fn cubes_that_share_a_vertex_are_two_components_and_one_solid() {
    let mesh = build(&join(&[unit_cube(), cuboid(DVec3::ONE, DVec3::splat(2.0))]));
    assert_eq!((mesh.positions().len(), mesh.component_count(), mesh.kind()), (15, 2, MeshKind::Solid));
    assert!(mesh.report().non_manifold_edges.is_empty() && !mesh.is_convex());
    assert_eq!(mesh.report().welded.examples, [8]);
}

#[test]
fn cubes_that_share_an_edge_are_one_component_and_one_solid() {
    let (near, far) = (unit_cube(), cuboid(DVec3::new(1.0, 1.0, 0.0), DVec3::new(2.0, 2.0, 1.0)));
    let mesh = build(&join(&[near.clone(), far.clone()]));
    assert_eq!((mesh.positions().len(), mesh.component_count(), mesh.kind()), (14, 1, MeshKind::Solid));
    assert_eq!(mesh.report().non_manifold_edges.examples, [[3, 7]]);
    let edge = (0..mesh.edge_count()).find(|&e| mesh.edge(e) == [3, 7]).expect("the shared edge");
    assert_eq!(mesh.edge_triangles(edge).len(), 4);
    assert_eq!(mesh.volume(), Some(2.0));
    // Each cube is a shell of its own, so one of them can be inside out.
    let mended = build(&join(&[near, inside_out(far)]));
    assert_eq!(
        (mended.report().inverted.examples.as_slice(), mended.report().flipped.count),
        (&[12][..], 12)
    );
    assert_eq!(mended.volume(), Some(2.0));
}

#[test]
fn cubes_that_share_a_face_keep_it_as_a_membrane() {
    let mesh = build(&join(&[unit_cube(), cuboid(DVec3::X, DVec3::new(2.0, 1.0, 1.0))]));
    assert_eq!((mesh.kind(), mesh.volume(), mesh.triangles().len()), (MeshKind::Solid, Some(2.0), 24));
    assert_eq!((mesh.report().duplicate.count, mesh.report().duplicate_kept.count), (2, 2));
}

fn inner_cube() -> TriangleSoup {
    cuboid(DVec3::splat(0.25), DVec3::splat(0.75))
}

#[test]
fn an_inward_cube_in_a_cube_is_a_cavity() {
    let mesh = build(&join(&[unit_cube(), inside_out(inner_cube())]));
    assert_eq!((mesh.kind(), mesh.volume()), (MeshKind::Solid, Some(0.875)));
    assert_eq!(mesh.report().cavities.examples, [12]);
    assert!(mesh.report().is_clean() && mesh.report().flipped.is_empty());
}

#[test]
fn an_outward_cube_in_a_cube_stays_and_unites() {
    let mesh = build(&join(&[unit_cube(), inner_cube()]));
    assert_eq!((mesh.kind(), mesh.volume()), (MeshKind::Solid, Some(1.125)));
    assert!(mesh.report().is_clean());
}

#[test]
fn an_inside_out_solid_is_turned_with_its_cavity() {
    let mesh = build(&join(&[inside_out(unit_cube()), inner_cube()]));
    assert_eq!((mesh.kind(), mesh.volume()), (MeshKind::Solid, Some(0.875)));
    assert_eq!((mesh.report().inverted.examples.as_slice(), mesh.report().flipped.count), (&[0][..], 24));
    let alone = build(&inside_out(unit_cube()));
    assert_eq!((alone.volume(), alone.report().flipped.count), (Some(1.0), 12));
    let error = build_with(&inside_out(unit_cube()), strict()).expect_err("inside out");
    assert!(matches!(&error, MeshError::Defects { report } if report.inverted.count == 1), "{error}");
}

#[test]
fn an_inward_cube_in_a_cavity_is_inside_out() {
    let core = cuboid(DVec3::splat(0.4), DVec3::splat(0.6));
    let outward = build(&join(&[unit_cube(), inside_out(inner_cube()), core.clone()]));
    assert!(outward.report().is_clean());
    let inward = build(&join(&[unit_cube(), inside_out(inner_cube()), inside_out(core)]));
    assert_eq!(
        (inward.report().inverted.examples.as_slice(), inward.report().flipped.count),
        (&[24][..], 12)
    );
    assert_eq!(inward.volume(), outward.volume());
}

/// A vertex of the small cube lies on a face of the large one, and the lexicographic neighbourhood of that vertex
/// inside it: only a point inside the small cube tells that it is no cavity.
#[test]
fn an_inward_cube_that_touches_another_from_outside_is_inside_out() {
    let small = cuboid(DVec3::new(1.0, 0.25, 0.25), DVec3::new(2.0, 0.75, 0.75));
    let mesh = build(&join(&[unit_cube(), inside_out(small)]));
    assert_eq!((mesh.report().inverted.count, mesh.report().cavities.count), (1, 0));
    let hollow = cuboid(DVec3::new(0.0, 0.25, 0.25), DVec3::splat(0.75));
    let mesh = build(&join(&[unit_cube(), inside_out(hollow)]));
    assert_eq!((mesh.report().inverted.count, mesh.report().cavities.count), (0, 1));
}

#[test]
fn thousands_of_inverted_cubes_are_turned() {
    let place = |k: u32| DVec3::new(f64::from(k % 16), f64::from(k / 16 % 16), f64::from(k / 256)) * 2.0;
    let cubes: Vec<_> = (0..4096).map(|k| inside_out(scaled(unit_cube(), 1.0, place(k)))).collect();
    let mesh = build(&join(&cubes));
    assert_eq!((mesh.component_count(), mesh.report().inverted.count), (4096, 4096));
    assert_eq!(mesh.volume(), Some(4096.0));
}

#[test]
fn every_choice_of_turned_faces_of_a_cube_is_mended() {
    for choice in 0..4096u32 {
        let mut soup = unit_cube();
        for t in (0..12).filter(|t| choice >> t & 1 == 1) {
            soup.triangles[t].swap(1, 2);
        }
        let mesh = build(&soup);
        assert_eq!((mesh.kind(), mesh.volume(), mesh.is_convex()), (MeshKind::Solid, Some(1.0), true));
        let turned: Vec<_> = (0..12).filter(|t| choice >> t & 1 == 1).take(8).collect();
        assert_eq!(mesh.report().flipped.examples, turned);
        assert_eq!(mesh.report().is_clean(), choice == 0);
    }
}

#[test]
fn a_missing_face_leaves_a_surface_and_an_error_that_says_where() {
    let mut soup = unit_cube();
    soup.triangles.truncate(10);
    let mesh = build(&soup);
    assert_eq!((mesh.kind(), mesh.volume(), mesh.report().open_edges.count), (MeshKind::Surface, None, 4));
    assert!(mesh.report().is_clean() && !mesh.report().closed && !mesh.is_convex());
    let error = build_with(&soup, solid()).expect_err("open").to_string();
    let expected = "the mesh does not bound a solid: 4 open edges, the first between positions 4 and 5; close it or build a surface";
    assert_eq!(error, expected);
}

#[test]
fn a_closed_mesh_is_a_surface_when_asked() {
    let config = MeshConfig { kind: KindChoice::Surface, ..MeshConfig::default() };
    let mesh = build_with(&unit_cube(), config).expect("a surface");
    assert_eq!((mesh.kind(), mesh.volume(), mesh.report().closed), (MeshKind::Surface, None, true));
    assert!(mesh.is_convex(), "a question about the triangles, not the kind");
}

#[test]
fn a_duplicated_face_is_removed_either_way_round() {
    for extra in [[4, 5, 7], [5, 7, 4], [4, 7, 5]] {
        let mut soup = unit_cube();
        soup.triangles.push(extra);
        let mesh = build(&soup);
        assert_eq!((mesh.kind(), mesh.volume(), mesh.triangles().len()), (MeshKind::Solid, Some(1.0), 12));
        assert_eq!(mesh.report().duplicate.examples, [12]);
        assert!(build_with(&soup, strict()).is_err());
    }
}

#[test]
fn a_cube_given_twice_is_one_cube() {
    let mesh = build(&join(&[unit_cube(), unit_cube()]));
    assert_eq!((mesh.triangles().len(), mesh.volume(), mesh.is_convex()), (12, Some(1.0), true));
    let both_ways = build(&join(&[unit_cube(), inside_out(unit_cube())]));
    assert_eq!((both_ways.triangles().len(), both_ways.volume()), (12, Some(1.0)));
    assert_eq!((both_ways.kind(), both_ways.report().duplicate.count), (MeshKind::Solid, 12));
}

fn tetrahedron(apex: DVec3) -> TriangleSoup {
    let positions = vec![DVec3::ZERO, DVec3::X, DVec3::Y, apex];
    TriangleSoup { positions, triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], parts: vec![] }
}

#[test]
fn tetrahedra_on_one_side_of_a_base_need_it_twice() {
    let mesh = build(&join(&[tetrahedron(DVec3::Z), tetrahedron(2.0 * DVec3::Z)]));
    assert_eq!((mesh.kind(), mesh.triangles().len()), (MeshKind::Solid, 8));
    assert_eq!(mesh.report().duplicate_kept.examples, [4]);
    assert!((mesh.volume().expect("a solid") - 0.5).abs() < 1e-15);
}

#[test]
fn a_sheet_given_from_both_sides_is_a_surface() {
    let sheet = TriangleSoup {
        positions: vec![DVec3::ZERO, DVec3::X, DVec3::ONE, DVec3::Y],
        triangles: vec![[0, 1, 2], [0, 2, 3], [0, 2, 1], [0, 3, 2]],
        parts: vec![],
    };
    let mesh = build(&sheet);
    assert_eq!(
        (mesh.kind(), mesh.triangles().len(), mesh.report().open_edges.count),
        (MeshKind::Surface, 2, 4)
    );
    assert!(matches!(build_with(&sheet, solid()), Err(MeshError::NotClosed { .. })));
    // Beside a solid the sheet stays as given: the solid stays closed, and the sheet can be touched.
    let mesh = build(&join(&[scaled(unit_cube(), 1.0, DVec3::splat(5.0)), sheet]));
    assert_eq!((mesh.kind(), mesh.triangles().len(), mesh.volume()), (MeshKind::Solid, 16, Some(1.0)));
}

#[test]
fn a_fin_given_from_both_sides_stays_on_its_solid() {
    let mut soup = unit_cube();
    soup.positions.push(DVec3::new(-1.0, -1.0, 0.5));
    soup.triangles.extend([[0, 4, 8], [4, 0, 8]]);
    let mesh = build(&soup);
    assert_eq!((mesh.kind(), mesh.triangles().len(), mesh.volume()), (MeshKind::Solid, 14, Some(1.0)));
    assert_eq!(mesh.report().duplicate_kept.examples, [13]);
    // The same fin from one side leaves the mesh open.
    soup.triangles.pop();
    assert_eq!(build(&soup).kind(), MeshKind::Surface);
}

#[test]
fn a_flat_triangle_that_fills_a_gap_is_replaced_by_a_cut() {
    // The edge from 4 to 6 has an extra vertex on one side only; a flat triangle closes the gap.
    let mut soup = unit_cube();
    soup.positions.push(DVec3::new(0.0, 0.5, 1.0));
    let flat_side = soup.triangles.iter().position(|t| *t == [0, 4, 6]).expect("a triangle with that edge");
    soup.triangles.splice(flat_side..=flat_side, [[0, 4, 8], [0, 8, 6]]);
    soup.triangles.push([4, 6, 8]);
    let mesh = build(&soup);
    assert_eq!((mesh.kind(), mesh.volume(), mesh.is_convex()), (MeshKind::Solid, Some(1.0), true));
    assert_eq!((mesh.positions().len(), mesh.triangles().len()), (9, 14));
    assert_eq!((mesh.report().degenerate.examples.as_slice(), mesh.report().split.count), (&[13][..], 1));
    let sources: Vec<_> = (0..14).map(|t| mesh.source_triangle(t)).collect();
    assert!(sources.is_sorted() && !sources.contains(&13));
}

/// A square whose diagonal has many vertices on one side and none on the other, filled by a fan of flat triangles.
#[test]
fn a_long_row_of_flat_triangles_is_replaced_by_cuts() {
    let n = 2000u32;
    let on_diagonal = |i: u32| DVec3::new(f64::from(i), f64::from(i), 0.0);
    let mut soup = TriangleSoup { positions: (0..=n).map(on_diagonal).collect(), ..TriangleSoup::default() };
    let [left, right, top] = [n + 1, n + 2, n + 3];
    let side = f64::from(n);
    soup.positions.extend([DVec3::new(0.0, side, 0.0), DVec3::new(side, 0.0, 0.0), DVec3::splat(side / 2.0)]);
    soup.triangles.extend((0..n).map(|i| [i, i + 1, left]));
    soup.triangles.push([0, right, n]);
    soup.triangles.extend((1..n).map(|i| [0, i + 1, i]));
    soup.triangles.extend(
        [[right, 0, top], [0, left, top], [left, n, top], [n, right, top]].map(|[a, b, c]| [b, a, c]),
    );
    let mesh = build(&soup);
    assert_eq!(
        (mesh.report().degenerate.count, mesh.report().split.examples.as_slice()),
        (n as usize - 1, &[n][..])
    );
    assert!(mesh.report().closed && mesh.report().consistently_oriented);
    assert_eq!(mesh.triangles().len(), 2 * n as usize + 4);
    assert_eq!(mesh.kind(), MeshKind::Solid);
}

fn moebius_strip(n: u32) -> TriangleSoup {
    let mut soup = TriangleSoup::default();
    for i in 0..n {
        let angle = std::f64::consts::TAU * f64::from(i) / f64::from(n);
        let across = DVec3::new(
            angle.cos() * (angle / 2.0).cos(),
            angle.sin() * (angle / 2.0).cos(),
            (angle / 2.0).sin(),
        );
        let middle = DVec3::new(3.0 * angle.cos(), 3.0 * angle.sin(), 0.0);
        soup.positions.extend([middle + across, middle - across]);
        let [a, b] = [2 * i, 2 * i + 1];
        let [c, d] = if i + 1 < n { [2 * i + 2, 2 * i + 3] } else { [1, 0] };
        soup.triangles.extend([[a, b, d], [a, d, c]]);
    }
    soup
}

#[test]
fn a_moebius_strip_is_left_as_it_is() {
    let soup = moebius_strip(20);
    let mesh = build(&soup);
    assert_eq!((mesh.kind(), mesh.triangles()), (MeshKind::Surface, &soup.triangles[..]));
    assert_eq!((mesh.report().open_edges.count, mesh.report().inconsistent_edges_left.count), (40, 1));
    assert!(mesh.report().flipped.is_empty() && !mesh.report().consistently_oriented);
    assert!(build_with(&soup, strict()).is_err());
}

#[test]
fn a_closed_mesh_that_cannot_be_oriented_is_no_solid() {
    // The projective plane on six vertices.
    let triangles = vec![
        [0, 1, 2],
        [0, 2, 3],
        [0, 3, 4],
        [0, 4, 5],
        [0, 5, 1],
        [1, 2, 4],
        [2, 3, 5],
        [3, 4, 1],
        [4, 5, 2],
        [5, 1, 3],
    ];
    let mut random = Random::new(1);
    let positions = (0..6).map(|_| DVec3::from_array(std::array::from_fn(|_| random.unit()))).collect();
    let soup = TriangleSoup { positions, triangles, parts: vec![] };
    let mesh = build(&soup);
    assert!(mesh.report().closed && !mesh.report().consistently_oriented);
    assert_eq!(mesh.kind(), MeshKind::Surface);
    let error = build_with(&soup, solid()).expect_err("not orientable");
    assert!(matches!(error, MeshError::NotOriented { count, .. } if count > 0), "{error}");
}

#[test]
fn convexity_is_exact() {
    for n in [1, 2, 7] {
        assert!(build(&gridded_cube(n)).is_convex());
    }
    // One vertex in the middle of a face, pushed by the smallest amount.
    let soup = unwelded(&build(&gridded_cube(8)).to_soup());
    let middle = DVec3::new(0.5, 0.5, 1.0);
    for (height, convex) in [(1f64.next_down(), false), (1.0, true), (1f64.next_up(), false)] {
        let mut pushed = soup.clone();
        pushed.positions.iter_mut().filter(|p| **p == middle).for_each(|p| p.z = height);
        let mesh = build(&pushed);
        assert_eq!((mesh.kind(), mesh.is_convex()), (MeshKind::Solid, convex), "{height}");
    }
}

/// Two cones over a star polygon that winds around its centre twice: convex at every edge, and not convex.
#[test]
fn a_surface_that_winds_twice_is_not_convex() {
    let double_cone = |turns: u32| {
        let rim = |i: u32| {
            let angle = std::f64::consts::TAU * f64::from(turns * i) / 5.0;
            DVec3::new(angle.cos(), angle.sin(), 0.0)
        };
        let mut soup = TriangleSoup { positions: (0..5).map(rim).collect(), ..TriangleSoup::default() };
        soup.positions.extend([DVec3::Z, DVec3::NEG_Z]);
        soup.triangles = (0..5).flat_map(|i| [[i, (i + 1) % 5, 5], [(i + 1) % 5, i, 6]]).collect();
        build(&soup)
    };
    assert!(double_cone(1).is_convex());
    let star = double_cone(2);
    assert_eq!((star.kind(), star.component_count(), star.edge_count()), (MeshKind::Solid, 1, 15));
    assert!(!star.is_convex());
}

#[test]
fn parts_keep_their_names_and_triangles() {
    let mut soup = join(&[unit_cube(), inner_cube()]);
    let part = |name: &str, triangles| SoupPart { name: name.into(), triangles };
    soup.triangles.insert(12, [0, 0, 1]);
    soup.parts = vec![part("outer", 0..12), part("speck", 12..13), part("inner", 14..25)];
    let mesh = build(&soup);
    assert_eq!(mesh.parts(), [part("outer", 0..12), part("speck", 12..12), part("inner", 13..24)]);
    assert_eq!([11, 12, 13, 23].map(|t| mesh.part_of(t)), [Some(0), None, Some(2), Some(2)]);
    assert_eq!(mesh.source_triangle(12), 13);
    assert_eq!(mesh.to_soup().parts, mesh.parts());
}

#[test]
fn unused_and_equal_positions_are_counted_and_zero_has_no_sign() {
    let soup = TriangleSoup {
        positions: vec![DVec3::splat(9.0), DVec3::splat(-0.0), DVec3::X, DVec3::ZERO, DVec3::Y, DVec3::X],
        triangles: vec![[1, 2, 4], [3, 4, 5]],
        parts: vec![],
    };
    let mesh = build(&soup);
    assert_eq!(mesh.positions(), [DVec3::ZERO, DVec3::X, DVec3::Y]);
    assert_eq!([0, 1, 2].map(|v| mesh.source_vertex(v)), [1, 2, 4]);
    assert_eq!(
        (mesh.report().unused.examples.as_slice(), mesh.report().welded.examples.as_slice()),
        (&[0][..], &[3, 5][..])
    );
}

#[test]
fn bad_input_is_refused_with_its_culprit() {
    let refuse = |change: fn(&mut TriangleSoup)| {
        let mut soup = unit_cube();
        change(&mut soup);
        Mesh::build(&soup, &MeshConfig::default()).expect_err("bad input").to_string()
    };
    assert_eq!(refuse(|s| s.triangles.clear()), "the mesh has no triangles; a mesh needs at least one");
    assert_eq!(refuse(|s| s.positions[3].y = f64::NAN), "position 3 is not finite: (1, NaN, 0)");
    assert_eq!(refuse(|s| s.positions[7].z = f64::NEG_INFINITY), "position 7 is not finite: (1, 1, -inf)");
    assert!(
        refuse(|s| s.positions[7].z = 2f64.powi(300).next_up()).starts_with("position 7 is out of range")
    );
    assert_eq!(
        refuse(|s| s.triangles[5][1] = 8),
        "triangle 5 refers to position 8, but there are only 8 positions"
    );
    let error = refuse(|s| s.parts = vec![SoupPart { name: "lid".into(), triangles: 3..14 }]);
    assert_eq!(error, "part 0 (\"lid\") covers triangles 3..14; parts must follow one another within 0..12");
    assert!(refuse(|s| s.positions.fill(DVec3::ONE)).starts_with("all 12 triangles have zero area"));
    for distance in [f64::NAN, -1.0, f64::INFINITY] {
        let config = MeshConfig { weld: Weld::Within(distance), ..MeshConfig::default() };
        assert!(matches!(Mesh::build(&unit_cube(), &config), Err(MeshError::BadWeldDistance { .. })));
    }
}

#[test]
fn welding_within_a_distance_closes_cracks_whatever_the_order() {
    let mut random = Random::new(3);
    let mut soup = unwelded(&gridded_cube(5));
    soup.positions.iter_mut().for_each(|p| *p += DVec3::splat(random.range(-1e-7, 1e-7)));
    assert_eq!(build(&soup).kind(), MeshKind::Surface);
    let config = MeshConfig { weld: Weld::Within(1e-6), ..MeshConfig::default() };
    let mesh = build_with(&soup, config).expect("a solid");
    assert_eq!((mesh.kind(), mesh.positions().len()), (MeshKind::Solid, 152));
    let mut reversed = soup.clone();
    reversed.positions.reverse();
    let last = soup.positions.len() as u32 - 1;
    reversed.triangles.iter_mut().for_each(|triangle| *triangle = triangle.map(|p| last - p));
    let other = build_with(&reversed, config).expect("a solid");
    assert_eq!((other.positions().len(), other.edge_count()), (mesh.positions().len(), mesh.edge_count()));
}

#[test]
fn the_report_says_what_was_done() {
    let mut soup = join(&[unit_cube(), inside_out(scaled(unit_cube(), 1.0, DVec3::splat(3.0)))]);
    soup.triangles.extend([[0, 1, 1], [4, 5, 7]]);
    let lines = build(&soup).report().lines();
    assert_eq!(
        lines,
        [
            "1 triangle without area: removed (24)",
            "1 triangle with the corners of an earlier one: 1 removed (25)",
            "1 closed shell inside out: turned with all inside; by first triangle (12)",
            "12 triangles turned over (12, 13, 14, 15, 16, 17, 18, 19, ...)",
            "built a solid of 2 components: closed, consistently oriented",
        ]
    );
}
