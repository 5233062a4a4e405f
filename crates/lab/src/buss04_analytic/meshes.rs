//! First contacts of meshes beside parry's cast, and all contacts of a step.

use super::Scene;
use super::convex::velocities;
use crate::measure::{human, least};
use crate::mesh::Bodies;
use crate::table::Table;
use clearance::Pose;
use clearance::body::{Body, relate};
use clearance::math::{Random, Screw};
use clearance::screw::{
    ContactsConfig, Kept, Moving, ScrewOutcome, ScrewStats, Surface, contacts_with, first_contact_of_surfaces,
};
use clearance::shape::{Mesh, MeshConfig, Shape, TriangleSoup, sample};
use glam::DVec3;
use parry3d_f64::query::{NonlinearRigidMotion, cast_shapes_nonlinear};
use std::hint::black_box;
use std::time::Duration;

/// Motions of a row; parry answers one of those of small meshes, because it takes seconds, and none of the large ones.
const MOTIONS: usize = 20;

fn body(soup: &TriangleSoup) -> Body {
    let mesh = Mesh::build(soup, &MeshConfig::default()).expect("a mesh");
    Body::try_from(&Shape::from(mesh)).expect("a mesh")
}

pub fn surface(soup: &TriangleSoup) -> Surface {
    Surface::new(&body(soup)).expect("triangles")
}

pub fn first_contacts() -> Table {
    let columns = [
        "bodies",
        "turn",
        "clearance",
        "parry f64",
        "parry / clearance",
        "parry missed or late",
        "hits",
        "node pairs",
        "cell pairs",
        "feature pairs",
    ];
    let title =
        format!("Microseconds a first contact of meshes: least of 3 passes over {MOTIONS} screws, parry one");
    let mut table = Table::new(&title, &columns);
    for ([around, across, frequency], parry_motions) in [([32, 16, 7], 1), ([128, 80, 32], 0)] {
        let bodies = Bodies::torus_and_ball(around, across, frequency);
        let surfaces = [surface(&bodies.a.soup), surface(&bodies.b.soup)];
        for angle in [0.3, 3.0] {
            table.row(row(&bodies, &surfaces, angle, parry_motions));
        }
    }
    table
}

fn row(bodies: &Bodies, [a, b]: &[Surface; 2], angle: f64, parry_motions: usize) -> Vec<String> {
    let mut random = Random::new(3);
    let scenes: Vec<Scene> = (0..MOTIONS).map(|_| Scene::draw(1, angle, 0.5, &mut random)).collect();
    let mut stats = ScrewStats::default();
    let mut pass = || -> Vec<ScrewOutcome> {
        stats = ScrewStats::default();
        let ask = |s: &Scene| {
            let mut own = ScrewStats::default();
            let found = first_contact_of_surfaces(a, &s.a.pose, b, &s.b.pose, &s.screw, &mut own);
            stats += own;
            found
        };
        scenes.iter().map(ask).collect()
    };
    let (ours, answers) = least(3, &mut pass);
    let ask = |s: &Scene| {
        let (local, linear, angular) = velocities(s);
        let rests = NonlinearRigidMotion::constant_position(crate::parry::pose(&s.a));
        let moves = NonlinearRigidMotion::new(crate::parry::pose(&s.b), local, linear, angular);
        let (a, b) = (&bodies.a.parry, &bodies.b.parry);
        cast_shapes_nonlinear(&rests, a, &moves, b, 0.0, 1.0, true)
            .ok()
            .flatten()
            .map(|hit| hit.time_of_impact)
    };
    let (parry, theirs) = least(1, &mut || scenes[..parry_motions].iter().map(ask).collect::<Vec<_>>());
    let is_wrong = |(found, answer): (&Option<f64>, &ScrewOutcome)| match answer {
        ScrewOutcome::Hit(hit) => found.is_none_or(|time| time > hit.upper + 0.01),
        _ => false,
    };
    let wrong = theirs.iter().zip(&answers).filter(|pair| is_wrong(*pair)).count();
    let each = |time: Duration, count: usize| 1e6 * time.as_secs_f64() / count as f64;
    let (ours, parry) = (each(ours, MOTIONS), each(parry, parry_motions));
    let hits = answers.iter().filter(|answer| answer.bracket().is_some()).count();
    let mean = |count: u64| format!("{:.0}", count as f64 / MOTIONS as f64);
    let of_parry = |text: String| if parry_motions > 0 { text } else { "-".into() };
    let head =
        [bodies.name.clone(), angle.to_string(), format!("{ours:.1}"), of_parry(format!("{parry:.0}"))];
    let wrong = of_parry(format!("{wrong} of {parry_motions}"));
    let middle = [of_parry(format!("{:.1}", parry / ours)), wrong, hits.to_string()];
    let counts = [stats.nodes, stats.cells, stats.features].map(mean);
    head.into_iter().chain(middle).chain(counts).collect()
}

/// A step of which all contacts are asked.
pub struct Step {
    pub name: String,
    pub a: Surface,
    pub b: Surface,
    pub pose_b: Pose,
    pub screw: Screw,
}

impl Step {
    pub fn triangles(&self) -> usize {
        self.a.triangle_count() + self.b.triangle_count()
    }

    /// Two equal tori, one above the other and a little tilted: it sinks and turns, and they meet all around.
    pub fn tori(name: &str, soup: &TriangleSoup) -> Step {
        let torus = body(soup);
        let height = soup.positions.iter().map(|p| p.z).fold(0.0, f64::max);
        let above = DVec3::new(0.15, 0.1, 2.0 * height + 0.25);
        let pose_b = Pose::from_axis_angle(DVec3::X, 0.05, above).expect("a pose");
        // They are apart at the start.
        let start = relate(&torus, &Pose::IDENTITY, &torus, &pose_b).expect("meshes");
        assert!(start.distance.lower > 0.0, "{:?}", start.distance);
        let surface = Surface::new(&torus).expect("triangles");
        Step {
            name: format!("{name}, {} triangles each", surface.triangle_count()),
            a: surface.clone(),
            b: surface,
            pose_b,
            screw: Screw::new(DVec3::new(0.02, 0.01, -1.0), DVec3::ZERO, 0.3, height + 0.25)
                .expect("a screw"),
        }
    }

    /// A bolt that turns in its nut by an angle, along its thread or straight out.
    pub fn bolt(config: &sample::ThreadConfig, angle: f64, shift: f64) -> Step {
        let (bolt, nut) = (sample::bolt(config).expect("a bolt"), sample::nut(config).expect("a nut"));
        let (a, b) = (surface(&nut), surface(&bolt));
        let name = format!(
            "bolt in nut, {}:{} triangles, {angle} rad, {shift:.3} along",
            b.triangle_count(),
            a.triangle_count()
        );
        let screw = Screw::new(DVec3::Z, DVec3::ZERO, angle, shift).expect("a screw");
        Step { name, a, b, pose_b: Pose::IDENTITY, screw }
    }

    pub fn ask(&self, kept: Kept, stats: &mut ScrewStats) -> usize {
        let config = ContactsConfig { kept, ..ContactsConfig::default() };
        let (a, b) = (&self.a, &self.b);
        contacts_with(a, &Pose::IDENTITY, b, &self.pose_b, &self.screw, Moving::Second, &config, stats).len()
    }
}

/// About 20 000 triangles of the bolt, and as many of the nut.
pub fn thread() -> sample::ThreadConfig {
    sample::ThreadConfig { length: 12.0, segments: 48, ..sample::ThreadConfig::default() }
}

pub fn all_contacts() -> Table {
    let columns = [
        "step",
        "one thread",
        "all threads",
        "contacts",
        "node pairs",
        "cell tests",
        "cell pairs",
        "feature pairs",
        "left open by floats",
    ];
    let mut table = Table::new("All entering contacts of a step, least of 5", &columns);
    let single = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let rectangles = sample::rectangle_torus().to_soup();
    let config = thread();
    let along = |angle: f64| config.pitch * angle / std::f64::consts::TAU;
    let steps = [
        Step::tori("tori of 300 rectangles", &rectangles),
        Step::tori("two tori", &sample::torus(2.0, 0.6, 128, 80).expect("a torus")),
        Step::bolt(&config, 0.1, along(0.1)),
        Step::bolt(&config, 0.5, along(0.5)),
        Step::bolt(&config, 0.0, 0.5),
    ];
    for step in &steps {
        let mut stats = ScrewStats::default();
        let mut pass = || {
            stats = ScrewStats::default();
            black_box(step.ask(Kept::Entering, &mut stats))
        };
        let (alone, count) = single.install(|| least(5, &mut pass));
        let (together, same) = least(5, &mut pass);
        assert_eq!(count, same, "threads do not matter");
        let counts = [count as u64, stats.nodes, stats.slabs, stats.cells, stats.features, stats.open];
        let times = [step.name.clone(), human(alone), human(together)];
        table.row(times.into_iter().chain(counts.map(|count| count.to_string())));
    }
    table
}
