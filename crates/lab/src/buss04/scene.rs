//! Bodies of [Buss04 §9.1] and steps in which they meet, by each engine.

use clearance::Pose;
use clearance::body::Body;
use clearance::math::{Random, Screw};
use clearance::pair::Feature;
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
    positions: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
    pub radius: f64,
    is_convex: bool,
    pub paper: [f64; 3],
}

impl Sample {
    pub fn new(name: &'static str, soup: &TriangleSoup, paper: [f64; 3]) -> Sample {
        let mesh = Mesh::build(soup, &MeshConfig::default()).expect("a sample");
        let (positions, triangles) = (mesh.positions().to_vec(), mesh.triangles().to_vec());
        let radius = positions.iter().map(|p| p.length()).fold(0.0, f64::max);
        // A convex one is a polytope then, with faces of four corners as in the paper.
        let body = Body::try_from(&Shape::from(mesh)).expect("a mesh");
        let is_convex = matches!(body, Body::Convex(_));
        let surface = Surface::new(&body).expect("flat faces");
        Sample { name, surface, positions, triangles, radius, is_convex, paper }
    }

    /// Whether the faces of an edge of it look along a direction.
    pub fn looks_along(&self, feature: Feature, pose: &Pose, direction: DVec3) -> bool {
        // A polytope has no hollows, and numbers of its own.
        if self.is_convex {
            return true;
        }
        let ends = feature.vertices();
        let at_edge = self.triangles.iter().filter(|t| ends.iter().all(|v| t.contains(v)));
        let normals = at_edge.map(|t| {
            let [p, q, r] = t.map(|v| self.positions[v as usize]);
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

/// From one side of a body through it, turning by up to 45 degrees as a simulation does.
pub fn step(random: &mut Random, radius: f64) -> Step {
    let mut vector = || DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
    let axes = [vector(), vector(), vector()];
    let (along, side) = (vector().normalize(), vector().normalize());
    let across = (side - along * side.dot(along)).normalize();
    let miss = across * random.range(0.0, 1.2);
    let turned = |axis: DVec3, angle: f64| Pose::from_axis_angle(axis, angle, DVec3::ZERO).expect("a turn");
    let (from_a, start) =
        (turned(axes[0], random.range(-3.0, 3.0)), turned(axes[1], random.range(-3.0, 3.0)));
    let turn = turned(axes[2], random.range(-0.8, 0.8));
    let at = |place: DVec3, turn: glam::DMat3| Pose::new(turn, place * radius).expect("a place");
    let from_b = at(miss - along * 2.2, start.rotation());
    let to_b = at(miss + along * random.range(-1.0, 1.0), turn.rotation() * start.rotation());
    Step { from_a, from_b, screw: Screw::between(&from_b, &to_b).0 }
}

/// Steps in which the bodies meet, with the contacts.
pub fn meeting(sample: &Sample, seed: u64, count: usize) -> Vec<(Step, Vec<ScrewContact>)> {
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let step = step(&mut random, sample.radius);
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
