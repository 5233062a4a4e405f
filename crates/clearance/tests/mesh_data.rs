//! Real meshes: each is closed or not as the table that comes with them says.

use clearance::oracle::real_mesh;
use clearance::shape::{Mesh, MeshConfig, MeshKind};

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

#[test]
fn real_meshes_are_closed_or_not_as_documented() {
    let Some(folder) = real_mesh::folder() else {
        println!("skipped: no sample data; set CLEARANCE_DATA to its folder");
        return;
    };
    for &(name, triangles, closed) in FILES {
        let soup = real_mesh::read(&folder.join(name)).expect("a readable file");
        assert_eq!(soup.triangles.len(), triangles, "{name}");
        let mesh = Mesh::build(&soup, &MeshConfig::default()).expect("a mesh");
        mesh.validate().expect("a sound structure");
        println!("{name}: convex {}, volume {:?}", mesh.is_convex(), mesh.volume());
        mesh.report().lines().iter().for_each(|line| println!("  {line}"));
        assert_eq!(mesh.kind() == MeshKind::Solid, closed, "{name}");
        assert!(mesh.volume().is_none_or(|volume| volume > 0.0), "{name}");
    }
}
