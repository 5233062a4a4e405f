//! Bodies with their trees, and random places for them.
#![allow(dead_code, reason = "each test file uses a part of it")]

use clearance::Pose;
use clearance::glam::{DQuat, DVec3};
use clearance::math::Random;
use clearance::shape::{Mesh, MeshConfig, TriangleSoup, sample};
use clearance::tree::{BoxesAlone, CutCorners, OrientedBoxes, Placed, Tree};

/// A mesh and its tree over every kind of bound.
pub struct Body {
    pub mesh: Mesh,
    pub tree: Tree,
    pub hulls: Tree<CutCorners>,
    pub oriented: Tree<OrientedBoxes>,
    pub boxes: Tree<BoxesAlone>,
}

impl Body {
    pub fn new(soup: &TriangleSoup) -> Body {
        let mesh = Mesh::build(soup, &MeshConfig::default()).expect("a mesh");
        let tree = Tree::build(&mesh);
        tree.validate(&mesh).expect("a tree");
        let hulls: Tree<CutCorners> = tree.with_bound(&mesh).expect("the same mesh");
        hulls.validate(&mesh).expect("a tree");
        let oriented: Tree<OrientedBoxes> = tree.with_bound(&mesh).expect("the same mesh");
        oriented.validate(&mesh).expect("a tree");
        let boxes: Tree<BoxesAlone> = tree.with_bound(&mesh).expect("the same mesh");
        boxes.validate(&mesh).expect("a tree");
        Body { mesh, tree, hulls, oriented, boxes }
    }

    pub fn count(&self) -> usize {
        self.mesh.triangles().len()
    }

    pub fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.mesh.triangle(triangle as usize)
    }

    pub fn at<'a>(&'a self, pose: &'a Pose) -> Placed<'a> {
        Placed { mesh: &self.mesh, tree: &self.tree, pose }
    }

    pub fn size(&self) -> f64 {
        self.mesh.bounds().extent().max_element()
    }
}

pub fn soup(corners: &[[DVec3; 3]]) -> TriangleSoup {
    let positions: Vec<DVec3> = corners.iter().flatten().copied().collect();
    let triangles = (0..corners.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    TriangleSoup { positions, triangles, parts: Vec::new() }
}

pub fn changed(mut soup: TriangleSoup, change: impl Fn(DVec3) -> DVec3) -> TriangleSoup {
    soup.positions.iter_mut().for_each(|p| *p = change(*p));
    soup
}

pub fn point(random: &mut Random) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| random.range(-1.0, 1.0)))
}

pub fn rotation(random: &mut Random) -> DQuat {
    let entry = |random: &mut Random| random.range(-1.0, 1.0);
    DQuat::from_xyzw(entry(random), entry(random), entry(random), entry(random) + 1.01)
}

pub fn pose(random: &mut Random, translation: DVec3) -> Pose {
    Pose::from_quaternion(rotation(random), translation).expect("a pose")
}

/// A torus and a bumpy sphere of some hundred triangles.
pub fn torus_and_ball() -> [Body; 2] {
    [sample::torus(1.0, 0.4, 25, 14), sample::bumpy_sphere(1.0, 0.3, 4, 6)]
        .map(|soup| Body::new(&soup.expect("a sample")))
}
