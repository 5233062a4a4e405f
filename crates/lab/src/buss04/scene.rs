//! Bodies of [Buss04 §9.1] and steps in which they meet, by each engine.

use clearance::Pose;
use clearance::body::Body;
use clearance::math::{Random, Screw};
use clearance::mesh::TreeMesh;
use clearance::pair::{Feature, Relation};
use clearance::screw::{
    ContactsConfig, Moving, Resolution, Screen, ScrewContact, ScrewStats, Surface, contacts_after_screen,
};
use clearance::shape::sample::{car, cube, rectangle_torus};
use clearance::shape::{Mesh, MeshConfig, Shape, TriangleSoup};
use glam::DVec3;
use std::time::Duration;

/// A body of the paper's table with its times in microseconds on a Pentium 4 of 2.4 GHz.
pub struct Sample {
    pub name: &'static str,
    pub surface: Surface,
    mesh: TreeMesh,
    pub radius: f64,
    is_convex: bool,
    pub paper: [f64; 3],
}

impl Sample {
    pub fn new(name: &'static str, soup: &TriangleSoup, paper: [f64; 3]) -> Sample {
        let mesh = Mesh::build(soup, &MeshConfig::default()).expect("a sample");
        let radius = mesh.positions().iter().map(|p| p.length()).fold(0.0, f64::max);
        // A convex one is a polytope then, with faces of four corners as in the paper.
        let body = Body::try_from(&Shape::from(mesh.clone())).expect("a mesh");
        let is_convex = matches!(body, Body::Convex(_));
        let surface = Surface::new(&body).expect("flat faces");
        Sample { name, surface, mesh: TreeMesh::new(mesh), radius, is_convex, paper }
    }

    pub fn triangles(&self) -> &[[u32; 3]] {
        self.mesh.mesh().triangles()
    }

    fn meets_at_start(&self, step: &Step) -> bool {
        let found = clearance::mesh::relation(&self.mesh, &step.from_a, &self.mesh, &step.from_b);
        found.relation != Relation::Disjoint
    }

    /// Whether the faces of an edge of it look along a direction.
    pub fn looks_along(&self, feature: Feature, pose: &Pose, direction: DVec3) -> bool {
        // A polytope has no hollows, and numbers of its own.
        if self.is_convex {
            return true;
        }
        let ends = feature.vertices();
        let at_edge = self.triangles().iter().filter(|t| ends.iter().all(|v| t.contains(v)));
        let normals = at_edge.map(|t| {
            let [p, q, r] = t.map(|v| self.mesh.mesh().positions()[v as usize]);
            (q - p).cross(r - p).normalize()
        });
        pose.apply_vector(normals.sum()).dot(direction) > 0.0
    }
}

pub fn bodies() -> [Sample; 3] {
    [
        Sample::new("cubes", &cube(1.0).to_soup(), [56.0, 63.0, 77.0]),
        Sample::new("cars", &car().to_soup(), [109.0, 128.0, 170.0]),
        Sample::new("tori of 300 quads", &rectangle_torus().to_soup(), [2040.0, 2560.0, 3480.0]),
    ]
}

pub struct Step {
    pub from_a: Pose,
    pub from_b: Pose,
    pub screw: Screw,
}

/// How large steps are; lengths in radii of the bodies.
#[derive(Clone, Copy)]
pub struct Stride {
    pub name: &'static str,
    /// Where B starts, along a line that passes A at zero.
    from: [f64; 2],
    far: [f64; 2],
    /// By which angle B turns at most.
    turn: f64,
    /// Only steps that begin apart.
    is_apart: bool,
}

impl Stride {
    /// From one side of a body through it, turning by up to 45 degrees, more than a simulation does in a step.
    pub const THROUGH: Stride = Stride {
        name: "through, up to 45 degrees",
        from: [-2.2, -2.2],
        far: [1.2, 3.2],
        turn: 0.8,
        is_apart: false,
    };

    /// As in the paper's games: a car at 150 mph moves by 2.2 m in a thirtieth of a second, half its length.
    pub const GAME: Stride = Stride {
        name: "of a game, up to 12 degrees",
        from: [-2.2, 0.0],
        far: [1.0, 1.0],
        turn: 0.2,
        is_apart: true,
    };
}

pub fn step(random: &mut Random, radius: f64, stride: &Stride) -> Step {
    let mut vector = || DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
    let axes = [vector(), vector(), vector()];
    let (along, side) = (vector().normalize(), vector().normalize());
    let across = (side - along * side.dot(along)).normalize();
    let miss = across * random.range(0.0, 1.2);
    let turned = |axis: DVec3, angle: f64| Pose::from_axis_angle(axis, angle, DVec3::ZERO).expect("a turn");
    let (from_a, start) =
        (turned(axes[0], random.range(-3.0, 3.0)), turned(axes[1], random.range(-3.0, 3.0)));
    let turn = turned(axes[2], random.range(-stride.turn, stride.turn));
    let at = |place: DVec3, turn: glam::DMat3| Pose::new(turn, place * radius).expect("a place");
    let mut between = |[low, high]: [f64; 2]| if low < high { random.range(low, high) } else { low };
    let (from, far) = (between(stride.from), between(stride.far));
    let from_b = at(miss + along * from, start.rotation());
    let to_b = at(miss + along * (from + far), turn.rotation() * start.rotation());
    Step { from_a, from_b, screw: Screw::between(&from_b, &to_b).0 }
}

/// Steps in which the bodies meet, with the contacts.
pub fn meeting(sample: &Sample, stride: &Stride, seed: u64, count: usize) -> Vec<(Step, Vec<ScrewContact>)> {
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let step = step(&mut random, sample.radius, stride);
        if stride.is_apart && sample.meets_at_start(&step) {
            continue;
        }
        let told = analytic(&sample.surface, &step, &mut ScrewStats::default());
        if !told.is_empty() {
            found.push((step, told));
        }
    }
    found
}

pub fn analytic(s: &Surface, step: &Step, stats: &mut ScrewStats) -> Vec<ScrewContact> {
    let config = ContactsConfig::default();
    clearance::screw::contacts_with(
        s,
        &step.from_a,
        s,
        &step.from_b,
        &step.screw,
        Moving::Second,
        &config,
        stats,
    )
}

/// The analytic engine after a screen.
pub fn filtered(s: &Surface, step: &Step, coarse: Resolution, stats: &mut ScrewStats) -> Vec<ScrewContact> {
    let config = ContactsConfig::default();
    contacts_after_screen(
        s,
        &step.from_a,
        s,
        &step.from_b,
        &step.screw,
        Moving::Second,
        &config,
        coarse,
        stats,
    )
}

pub fn resolution(s: &Surface, step: &Step, pixels: f64) -> Resolution {
    Resolution::per_short_edge(pixels, [s, s], s, &step.from_b, &step.screw).expect("bodies with edges")
}

pub fn on_screen(screen: &mut Screen, s: &Surface, step: &Step, resolution: Resolution) -> Vec<ScrewContact> {
    let config = ContactsConfig::default();
    screen.contacts(s, &step.from_a, s, &step.from_b, &step.screw, Moving::Second, &config, resolution)
}

pub fn microseconds(time: Duration, steps: usize) -> f64 {
    time.as_secs_f64() * 1e6 / steps as f64
}
