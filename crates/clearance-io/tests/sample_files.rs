//! Real files, with what their documentation promises about each.

use clearance::glam::DVec3;
use clearance_io::{Document, LengthUnit, ReadError, ReadOptions, read};
use std::path::PathBuf;

/// The folder of sample meshes, or a line that says it is not there.
fn folder() -> Option<PathBuf> {
    let root = std::env::var_os("CLEARANCE_DATA").map(PathBuf::from);
    let root =
        root.unwrap_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")));
    let meshes = root.join("meshes");
    if !meshes.is_dir() {
        println!("skipped: no sample meshes in {}", meshes.display());
        return None;
    }
    Some(meshes)
}

fn read_sample(name: &str) -> Option<Result<Document, ReadError>> {
    folder().map(|folder| read(folder.join(name), &ReadOptions::default()))
}

fn soup_counts(document: &Document) -> Vec<(usize, usize)> {
    document.geometries.iter().map(|g| (g.soup.positions.len(), g.soup.triangles.len())).collect()
}

/// Distinct positions, since formats without indices repeat them.
fn distinct_positions(document: &Document) -> usize {
    let positions = document.geometries.iter().flat_map(|g| &g.soup.positions);
    let mut bits: Vec<[u64; 3]> = positions.map(|p| (*p + 0.0).to_array().map(f64::to_bits)).collect();
    bits.sort_unstable();
    bits.dedup();
    bits.len()
}

#[test]
fn single_parts_have_the_documented_counts() {
    let files = [
        ("fcl/env.obj", 2072, 2180),
        ("fcl/rob.obj", 141, 216),
        ("franka_panda/hand.stl", 102, 200),
        ("franka_panda/link0.stl", 102, 200),
        ("franka_panda/link1.stl", 152, 300),
        ("franka_panda/link2.stl", 152, 300),
        ("franka_panda/link3.stl", 152, 300),
        ("franka_panda/link4.stl", 152, 300),
        ("franka_panda/link5.stl", 152, 300),
        ("franka_panda/link6.stl", 102, 200),
        ("franka_panda/link7.stl", 102, 200),
        ("ur5/base.stl", 283, 578),
        ("ur5/shoulder.stl", 341, 674),
        ("ur5/upperarm.stl", 598, 1176),
        ("ur5/forearm.stl", 537, 1050),
        ("ur5/wrist1.stl", 355, 702),
        ("ur5/wrist2.stl", 355, 702),
        ("ur5/wrist3.stl", 233, 446),
        ("coacd/Bottle.obj", 600, 2252),
        ("coacd/Kettle.obj", 1649, 7302),
        ("coacd/SnowFlake.obj", 1080, 2208),
    ];
    for (name, vertices, triangles) in files {
        let Some(document) = read_sample(name) else { return };
        let document = document.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(document.placed_triangle_count(), triangles, "{name}");
        assert_eq!(distinct_positions(&document), vertices, "{name}");
        assert_eq!(document.unit, None, "{name}");
        let expected = match name {
            // Its first line is a bare number.
            "fcl/env.obj" | "fcl/rob.obj" => 1,
            _ => 0,
        };
        assert_eq!(document.notes.len(), expected, "{name}: {:?}", document.notes);
    }
}

#[test]
fn a_binary_stl_and_a_3mf_of_one_part_have_their_counts_and_the_unit() {
    let Some(stl) = read_sample("trimesh/featuretype.STL") else { return };
    assert_eq!(stl.unwrap().placed_triangle_count(), 3476);
    let package = read_sample("trimesh/featuretype.3MF").unwrap().unwrap();
    assert_eq!(package.placed_triangle_count(), 2208);
    assert_eq!(package.unit, Some(LengthUnit::Inch));
    assert_eq!(package.placements[0].name, "Cut-Extrude6");
    assert_eq!(read_sample("trimesh/soup.stl").unwrap().unwrap().placed_triangle_count(), 100);
}

#[test]
fn a_text_stl_with_two_solids_gives_both_with_their_names() {
    let Some(document) = read_sample("trimesh/two_objects_mixed_case_names.stl") else { return };
    let document = document.unwrap();
    assert_eq!(soup_counts(&document), [(36, 12), (36, 12)]);
    let names: Vec<&str> = document.placements.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["CubeExportedFromCAD", "TranslatedCubeExportedFromCAD"]);
}

#[test]
fn files_without_triangles_are_read_and_say_so() {
    for name in ["trimesh/stl_empty_bin.stl", "trimesh/ply_empty_header.ply", "trimesh/empty_nodes.glb"] {
        let Some(document) = read_sample(name) else { return };
        let document = document.unwrap();
        assert_eq!((document.geometries.len(), document.placements.len()), (0, 0), "{name}");
        assert_eq!(document.notes, ["the file has no triangles"], "{name}");
    }
}

#[test]
fn obj_oddities_are_read() {
    let Some(joined) = read_sample("trimesh/joined_tetrahedra.obj") else { return };
    let joined = joined.unwrap();
    assert_eq!(soup_counts(&joined), [(5, 8)]);
    let parts: Vec<(&str, usize)> =
        joined.geometries[0].soup.parts.iter().map(|p| (p.name.as_str(), p.triangles.len())).collect();
    assert_eq!(parts, [("", 4), ("bottom", 4)]);

    let cube = read_sample("trimesh/negative_indices.obj").unwrap().unwrap();
    assert_eq!((cube.placed_triangle_count(), distinct_positions(&cube)), (12, 8));

    let broken = read_sample("trimesh/notenoughindices.obj").unwrap().unwrap();
    assert_eq!(broken.placed_triangle_count(), 1);
    assert_eq!(broken.notes, ["1 faces with fewer than three corners were skipped"]);
}

/// The area of all polygons of a plain OBJ by the vector formula, which needs no triangles.
fn polygon_area(text: &str) -> f64 {
    let (mut vertices, mut area) = (Vec::new(), 0.0);
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.split_first() {
            Some((&"v", rest)) => {
                let p: Vec<f64> = rest.iter().map(|word| word.parse().unwrap()).collect();
                vertices.push(DVec3::new(p[0], p[1], p[2]));
            }
            Some((&"f", rest)) => {
                let corner = |i: usize| {
                    let word = rest[i % rest.len()].split('/').next().unwrap();
                    vertices[word.parse::<usize>().unwrap() - 1]
                };
                let sum: DVec3 = (0..rest.len()).map(|i| corner(i).cross(corner(i + 1))).sum();
                area += 0.5 * sum.length();
            }
            _ => {}
        }
    }
    area
}

/// A fan gives 66 triangles, flat and outside of the polygon among them; so must the proper way, without those.
#[test]
fn concave_polygons_with_straight_corners_get_proper_triangles() {
    let Some(wall) = read_sample("trimesh/wallhole.obj") else { return };
    let soup = &wall.unwrap().geometries[0].soup;
    assert_eq!((soup.positions.len(), soup.triangles.len()), (92, 66));
    let mut area = 0.0;
    for triangle in &soup.triangles {
        let [a, b, c] = triangle.map(|i| soup.positions[i as usize]);
        let double = (b - a).cross(c - a).length();
        assert!(double > 1e-9, "{triangle:?} is flat");
        area += 0.5 * double;
    }
    let text = std::fs::read_to_string(folder().unwrap().join("trimesh/wallhole.obj")).unwrap();
    let expected = polygon_area(&text.replace("\\\r\n", " "));
    assert!((area - expected).abs() < 1e-9 * expected, "{area} {expected}");
}

#[test]
fn a_ply_and_a_broken_off_have_their_counts() {
    let Some(ply) = read_sample("trimesh/octagonal_pocket.ply") else { return };
    assert_eq!(soup_counts(&ply.unwrap()), [(1658, 3262)]);
    let off = read_sample("trimesh/whitespace.off").unwrap().unwrap();
    assert_eq!(soup_counts(&off), [(8, 12)]);
}

#[test]
fn gltf_node_trees_become_placements() {
    let Some(cube) = read_sample("trimesh/cube.glb") else { return };
    let cube = cube.unwrap();
    assert_eq!(soup_counts(&cube), [(8, 12)]);
    assert_eq!((cube.unit, cube.placements[0].name.as_str()), (Some(LengthUnit::Metre), "geometry_0_0"));

    let nested = read_sample("trimesh/nested.glb").unwrap().unwrap();
    assert_eq!(soup_counts(&nested), [(24, 12); 3]);
    let names: Vec<&str> = nested.placements.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["block01", "block02", "block03"]);
    // The innermost block: scales multiply per axis, translations are scaled by the outer ones.
    let half = 0.26938149333000183 * 0.6575802564620972;
    let centre = -0.897631824016571 + 0.26938149333000183 * 3.332195520401001;
    let block = nested.to_soup();
    let xs = block.triangles[24..].iter().flatten().map(|&i| block.positions[i as usize].x);
    let (low, high) = xs.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)));
    assert!((high - low - 2.0 * half).abs() < 1e-6 && (0.5 * (high + low) - centre).abs() < 1e-6);
}

#[test]
fn three_mf_components_and_items_become_placements_of_shared_shapes() {
    let Some(pyramids) = read_sample("trimesh/pyramids.3mf") else { return };
    let pyramids = pyramids.unwrap();
    assert_eq!(pyramids.unit, Some(LengthUnit::Millimetre));
    assert_eq!(pyramids.geometries.len(), 6, "seven objects, one of them composed of two others");
    assert_eq!(pyramids.geometries.iter().map(|g| g.soup.triangles.len()).sum::<usize>(), 3172);
    assert_eq!(pyramids.placed_triangle_count(), 3276);
    assert_eq!(pyramids.placements.len(), 6 + 3 * 2, "nine items, three of them composed of two");
    assert_eq!(pyramids.placements[0].pose.translation().to_array(), [25.2377, 28.8, 22.525]);
}
