//! Real meshes: each is closed or not as the table that comes with them says.

use clearance::glam::DVec3;
use clearance::shape::{Mesh, MeshConfig, MeshKind, TriangleSoup};
use std::path::{Path, PathBuf};

/// File below the data folder, triangles, and whether it is closed.
const FILES: &[(&str, usize, bool)] = &[
    ("meshes/fcl/env.obj", 2180, false),
    ("meshes/fcl/rob.obj", 216, false),
    ("meshes/franka_panda/hand.stl", 200, true),
    ("meshes/franka_panda/link0.stl", 200, true),
    ("meshes/franka_panda/link1.stl", 300, true),
    ("meshes/franka_panda/link5.stl", 300, true),
    ("meshes/ur5/base.stl", 578, true),
    ("meshes/ur5/shoulder.stl", 674, true),
    ("meshes/ur5/upperarm.stl", 1176, true),
    ("meshes/ur5/forearm.stl", 1050, true),
    ("meshes/ur5/wrist1.stl", 702, true),
    ("meshes/ur5/wrist3.stl", 446, true),
    ("meshes/coacd/Bottle.obj", 2252, false),
    ("meshes/coacd/Kettle.obj", 7302, false),
    ("meshes/coacd/SnowFlake.obj", 2208, true),
    ("meshes/trimesh/featuretype.STL", 3476, false),
    ("meshes/trimesh/soup.stl", 100, false),
    ("mechanisms/gear_chain/gear.obj", 608, true),
    ("mechanisms/gear_chain/rail.obj", 1094, true),
    ("mechanisms/gear_chain/pin.obj", 384, true),
    ("mechanisms/piston/crank.stl", 716, true),
    ("mechanisms/piston/connecting-rod.stl", 524, true),
    ("mechanisms/piston/head.stl", 532, true),
    ("mechanisms/piston/cylinder.stl", 368, true),
    ("mechanisms/screw_nut/screw-big.obj", 2828, true),
    ("mechanisms/screw_nut/nut-big.obj", 2418, true),
];

fn data_folder() -> Option<PathBuf> {
    let fallback = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("CLEARANCE_DATA").map_or_else(fallback, PathBuf::from);
    folder.is_dir().then_some(folder)
}

fn binary_stl(bytes: &[u8]) -> TriangleSoup {
    let number =
        |record: &[u8], at: usize| f32::from_le_bytes(record[at..at + 4].try_into().expect("four bytes"));
    let corner =
        |record: &[u8], at: usize| DVec3::from_array([0, 4, 8].map(|k| f64::from(number(record, at + k))));
    let records = bytes[84..].chunks_exact(50);
    let positions: Vec<_> = records.flat_map(|record| [12, 24, 36].map(|at| corner(record, at))).collect();
    let triangles = (0..positions.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    TriangleSoup { positions, triangles, parts: vec![] }
}

/// Positions and fans of polygons; enough for these files.
fn obj(text: &str) -> TriangleSoup {
    let mut soup = TriangleSoup::default();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let numbers: Vec<f64> = words.take(3).map(|word| word.parse().expect("a number")).collect();
                soup.positions.push(DVec3::from_slice(&numbers));
            }
            Some("f") => {
                let index = |word: &str| {
                    word.split('/').next().and_then(|i| i.parse::<u32>().ok()).expect("an index")
                };
                let corners: Vec<_> = words.map(|word| index(word) - 1).collect();
                soup.triangles.extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]));
            }
            _ => {}
        }
    }
    soup
}

fn read(path: &Path) -> TriangleSoup {
    let bytes = std::fs::read(path).expect("a readable file");
    match path.extension().is_some_and(|extension| extension == "obj") {
        true => obj(std::str::from_utf8(&bytes).expect("text")),
        false => binary_stl(&bytes),
    }
}

#[test]
fn real_meshes_are_closed_or_not_as_documented() {
    let Some(folder) = data_folder() else {
        println!("skipped: no sample data; set CLEARANCE_DATA to its folder");
        return;
    };
    for &(name, triangles, closed) in FILES {
        let soup = read(&folder.join(name));
        assert_eq!(soup.triangles.len(), triangles, "{name}");
        let mesh = Mesh::build(&soup, &MeshConfig::default()).expect("a mesh");
        mesh.validate().expect("a sound structure");
        println!("{name}: convex {}, volume {:?}", mesh.is_convex(), mesh.volume());
        mesh.report().lines().iter().for_each(|line| println!("  {line}"));
        assert_eq!(mesh.kind() == MeshKind::Solid, closed, "{name}");
        assert!(mesh.volume().is_none_or(|volume| volume > 0.0), "{name}");
    }
}
