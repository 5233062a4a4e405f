//! Bodies, and how they lie to each other.

use crate::scenario::{Placement, direction, rotation};
use clearance::math::Random;
use clearance::mesh::{self, MeshCache, TreeMesh};
use clearance::oracle::real_mesh;
use clearance::shape::{Mesh, MeshConfig, TriangleSoup, sample};
use glam::{DQuat, DVec3};
use parry3d_f64::shape::TriMesh;

/// A mesh with its tree and parry's.
pub struct Body {
    pub soup: TriangleSoup,
    pub mesh: TreeMesh,
    pub parry: TriMesh,
}

impl Body {
    pub fn new(soup: TriangleSoup) -> Body {
        let mesh = Mesh::build(&soup, &MeshConfig::default()).expect("a mesh");
        let parry = parry_mesh(&soup);
        Body { soup, mesh: TreeMesh::new(mesh), parry }
    }

    fn middle(&self) -> DVec3 {
        self.mesh.mesh().bounds().center()
    }

    fn size(&self) -> f64 {
        self.mesh.mesh().bounds().extent().length()
    }
}

pub fn parry_mesh(soup: &TriangleSoup) -> TriMesh {
    TriMesh::new(soup.positions.clone(), soup.triangles.clone()).expect("parry takes the mesh")
}

/// Two bodies that meet in many scenes.
pub struct Bodies {
    pub name: String,
    pub a: Body,
    pub b: Body,
    /// What gaps and tolerances are multiples of: about half the width of the smaller body.
    pub unit: f64,
}

impl Bodies {
    /// Round bodies of 20 480 triangles and of the size of the Stanford bunny, then real ones if their files are there.
    pub fn all() -> Vec<Bodies> {
        let mut pairs = vec![Bodies::torus_and_ball(128, 80, 32), Bodies::torus_and_ball(240, 145, 59)];
        let Some(folder) = real_mesh::folder() else {
            eprintln!("skipped: no sample data, so no real meshes; set CLEARANCE_DATA to its folder");
            return pairs;
        };
        for [a, b] in [["fcl/env.obj", "fcl/rob.obj"], ["ur5/upperarm.stl", "ur5/wrist1.stl"]] {
            let read = |name: &str| {
                real_mesh::read(&folder.join("meshes").join(name)).map(|soup| Body::new(welded(&soup)))
            };
            match (read(a), read(b)) {
                (Some(body_a), Some(body_b)) => pairs.push(Bodies {
                    name: [a, b].map(stem).join(" : "),
                    unit: 0.25 * body_a.size().min(body_b.size()),
                    a: body_a,
                    b: body_b,
                }),
                _ => eprintln!("skipped: {a} or {b} is missing"),
            }
        }
        pairs
    }

    pub fn torus_and_ball(around: u32, across: u32, frequency: u32) -> Bodies {
        let ball = sample::bumpy_sphere(1.0, 0.3, 4, frequency).expect("a sample");
        Bodies::torus_and(around, across, "ball", ball)
    }

    /// The same without bumps.
    pub fn torus_and_sphere(around: u32, across: u32, frequency: u32) -> Bodies {
        Bodies::torus_and(around, across, "sphere", sample::icosphere(1.0, frequency).expect("a sample"))
    }

    fn torus_and(around: u32, across: u32, name: &str, other: TriangleSoup) -> Bodies {
        let torus = sample::torus(1.0, 0.4, around, across).expect("a sample");
        let name = format!("torus : {name}, {}", torus.triangles.len());
        Bodies { name, a: Body::new(torus), b: Body::new(other), unit: 1.0 }
    }

    /// What "near" means in the tables.
    pub fn tolerance(&self) -> f64 {
        0.05 * self.unit
    }

    /// Many scenes of a regime.
    pub fn scenes(&self, regime: Regime, count: usize, random: &mut Random) -> Vec<Scene> {
        let mut cache = MeshCache::default();
        (0..count).map(|_| self.scene(regime, random, &mut cache)).collect()
    }

    /// Random turns; B comes along a random line through the middle of A until it is as near as the regime wants.
    fn scene(&self, regime: Regime, random: &mut Random, cache: &mut MeshCache) -> Scene {
        loop {
            let (turn_a, turn_b, along) = (rotation(random), rotation(random), direction(random));
            let at = |t: f64| Scene {
                a: Placement::new(turn_a, -(turn_a * self.a.middle())),
                b: Placement::new(turn_b, along * t - turn_b * self.b.middle()),
            };
            let mut distance = |t: f64| at(t).distance(self, cache);
            let wanted = self.unit * if let Regime::Gap(gap) = regime { gap } else { 0.0 };
            let (mut near, mut far) = (0.0, 0.6 * (self.a.size() + self.b.size()));
            for _ in 0..60 {
                let middle = 0.5 * (near + far);
                if distance(middle) > wanted { far = middle } else { near = middle }
            }
            // Where the middle of A is free, the line may have ended there.
            if (distance(far) - wanted).abs() < 1e-3 * self.unit {
                match regime {
                    Regime::Gap(_) | Regime::Touching => return at(far),
                    Regime::Overlap => return at(far - self.unit * random.range(0.05, 0.3)),
                    Regime::Deep => {
                        let deep = random.range(0.2, 0.6) * far;
                        if distance(deep) == 0.0 {
                            return at(deep);
                        }
                    }
                }
            }
        }
    }
}

/// Corners at the same place are one vertex, as it is for files of triangles without indices.
fn welded(soup: &TriangleSoup) -> TriangleSoup {
    let mesh = Mesh::build(soup, &MeshConfig::default()).expect("a mesh");
    TriangleSoup { positions: mesh.positions().to_vec(), triangles: mesh.triangles().to_vec(), parts: vec![] }
}

fn stem(file: &str) -> &str {
    file.split(['/', '.']).nth(1).unwrap_or(file)
}

/// How the bodies lie to each other.
#[derive(Clone, Copy, Debug)]
pub enum Regime {
    /// So many units apart.
    Gap(f64),
    /// One unit in the last place before they meet.
    Touching,
    /// Between 0.05 and 0.3 units past the first touch.
    Overlap,
    /// The middle of B at 0.2 to 0.6 of the way from the middle of A to the first touch.
    Deep,
}

impl Regime {
    pub const ALL: [Regime; 5] =
        [Regime::Gap(0.15), Regime::Gap(0.002), Regime::Touching, Regime::Overlap, Regime::Deep];

    pub fn name(self) -> String {
        match self {
            Regime::Gap(gap) => format!("gap {gap}"),
            Regime::Touching => "touching".into(),
            Regime::Overlap => "overlap".into(),
            Regime::Deep => "deep".into(),
        }
    }
}

/// Where both bodies are.
pub struct Scene {
    pub a: Placement,
    pub b: Placement,
}

impl Scene {
    fn distance(&self, bodies: &Bodies, cache: &mut MeshCache) -> f64 {
        mesh::distance_with(&bodies.a.mesh, &self.a.pose, &bodies.b.mesh, &self.b.pose, cache).upper
    }

    /// B turns and moves a little in each frame, back and forth so that the regime is kept.
    pub fn path(&self, unit: f64, pace: &Pace, random: &mut Random) -> Vec<Scene> {
        let (axis, along) = (direction(random), direction(random));
        let frame = |k: usize| {
            let phase = (k as f64 * 0.5).sin();
            let turn = DQuat::from_axis_angle(axis, pace.turn.to_radians() * 2.0 * phase) * self.b.rotation;
            let shift = along * (unit * pace.shift * 2.0 * phase);
            Scene { a: self.a, b: Placement::new(turn, self.b.translation + shift) }
        };
        (0..pace.frames).map(frame).collect()
    }
}

/// How many frames there are, and how far B turns and moves in one at most: in degrees, and in units of the bodies.
pub struct Pace {
    pub frames: usize,
    pub turn: f64,
    pub shift: f64,
}
