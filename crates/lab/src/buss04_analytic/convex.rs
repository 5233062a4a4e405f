//! First contact of boxes and polytopes beside parry's nonlinear cast and its sweep.

use super::Scene;
use crate::contest::{Candidate, Outcome, contest};
use crate::scenario::bodies;
use crate::table::Table;
use clearance::body::{Body, relate};
use clearance::math::Random;
use clearance::pair::Convex;
use clearance::screw::{Motion, ScrewOutcome, ScrewStats, first_contact_with};
use clearance::shape::Polytope;
use clearance::shape::sample::PolytopeKind;
use glam::{DVec3, Quat, Vec3};
use parry3d_f64::query::sweep_toi::{Sweep, SweepToiStatus, ToiProxy, sweep_time_of_impact};
use std::hint::black_box;

/// Scenes of a row.
const SCENES: usize = 300;

/// A rival that finds a contact later than this part of the step has let the bodies overlap.
const LATE: f64 = 0.01;

/// A rival's answer: the time, or none.
type Found = Option<f64>;

const COLUMNS: [&str; 11] = [
    "bodies",
    "turn",
    "clearance",
    "parry f32",
    "parry f64",
    "sweep f64",
    "parry f32 / clearance",
    "sweep / clearance",
    "missed or late",
    "hits",
    "steps",
];

fn table(what: &str) -> Table {
    let title = format!(
        "Nanoseconds a first contact of {what} (least of 5 turns of {SCENES} screws); parry: cast_shapes_nonlinear; \
         sweep: its port of Box2D's, between the same end poses"
    );
    Table::new(&title, &COLUMNS)
}

pub fn boxes() -> Table {
    let mut table = table("boxes");
    let mut random = Random::new(1);
    let mut half = || DVec3::from_array(std::array::from_fn(|_| random.range(0.2, 1.0)));
    let corner = |i: u32| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) * 2.0 - 1.0;
    let boxes: Vec<Polytope> = (0..8)
        .map(|_| {
            let half = half();
            Polytope::hull(&(0..8).map(|i| corner(i) * half).collect::<Vec<_>>()).expect("a box")
        })
        .collect();
    for (name, aside) in [("toward", 0.5), ("beside", 3.0)] {
        for angle in [0.3, 1.0, 3.0] {
            table.row(row(&format!("boxes {name}"), &boxes, angle, aside));
        }
    }
    table
}

pub fn polytopes() -> Table {
    let mut table = table("polytopes");
    for vertices in [20, 100, 500] {
        let shapes: Vec<Polytope> =
            bodies(PolytopeKind::Ellipsoid, vertices, 8).iter().map(|map| map.polytope().clone()).collect();
        for angle in [0.3, 3.0] {
            table.row(row(&format!("{vertices} vertices"), &shapes, angle, 0.5));
        }
    }
    table
}

fn row(name: &str, shapes: &[Polytope], angle: f64, aside: f64) -> Vec<String> {
    let mut random = Random::new(7 + (10.0 * angle) as u64);
    let scenes: Vec<Scene> =
        (0..SCENES).map(|_| Scene::draw(shapes.len(), angle, aside, &mut random)).collect();
    let ours: Vec<Body> =
        shapes.iter().map(|shape| Body::Convex(Convex::from_polytope(shape.clone()))).collect();
    let ask = |i: usize, stats: &mut ScrewStats| {
        let scene = &scenes[i];
        let (a, b) = (&ours[scene.bodies.0], &ours[scene.bodies.1]);
        let motion = Motion::Screw(scene.screw);
        first_contact_with(a, &scene.a.pose, &Motion::AtRest, b, &scene.b.pose, &motion, stats)
            .expect("convex")
    };
    let mut stats = ScrewStats::default();
    let answers: Vec<ScrewOutcome> = (0..SCENES).map(|i| ask(i, &mut stats)).collect();
    let undecided = answers.iter().filter(|answer| matches!(answer, ScrewOutcome::Undecided { .. })).count();
    let is_right = |i: usize, found: Found| match answers[i] {
        ScrewOutcome::Hit(hit) => found.is_some_and(|time| time <= hit.upper + LATE),
        _ => true,
    };
    // The sweep moves on another path between the same ends: it misses what overlaps at the end.
    let overlaps_at_end: Vec<bool> = scenes
        .iter()
        .map(|scene| {
            let (end, _) = scene.screw.pose_at(1.0, &scene.b.pose).expect("in range");
            let (a, b) = (&ours[scene.bodies.0], &ours[scene.bodies.1]);
            let found = relate(a, &scene.a.pose, b, &end).expect("convex").depth;
            found.is_some_and(|depth| depth.lower > 0.02)
        })
        .collect();
    let is_seen = |i: usize, found: Found| found.is_some() || !overlaps_at_end[i];
    let rivals = rivals(shapes, &scenes, is_right, is_seen);
    let run = || (0..SCENES).for_each(|i| _ = black_box(ask(black_box(i), &mut ScrewStats::default())));
    let outcome = contest(5, SCENES, run, rivals);
    let hits = answers.iter().filter(|answer| answer.bracket().is_some()).count();
    cells(name, angle, &outcome, hits, undecided, stats.steps)
}

fn cells(
    name: &str,
    angle: f64,
    outcome: &Outcome,
    hits: usize,
    undecided: usize,
    steps: u64,
) -> Vec<String> {
    let wrong: Vec<String> =
        outcome.rivals.iter().map(|rival| format!("{} {}", rival.name, rival.wrong)).collect();
    let ratio = |i: usize| format!("{:.1}", outcome.rivals[i].nanoseconds / outcome.ours);
    let times = outcome.rivals.iter().map(|rival| format!("{:.0}", rival.nanoseconds));
    let head = [name.into(), format!("{angle}"), format!("{:.0}", outcome.ours)];
    let hits = if undecided > 0 { format!("{hits}, {undecided} undecided") } else { hits.to_string() };
    let tail = [wrong.join(", "), hits, format!("{:.1}", steps as f64 / SCENES as f64)];
    head.into_iter().chain(times).chain([ratio(0), ratio(2)]).chain(tail).collect()
}

fn rivals<'a>(
    shapes: &'a [Polytope],
    scenes: &'a [Scene],
    is_right: impl Fn(usize, Found) -> bool + Copy + 'a,
    is_seen: impl Fn(usize, Found) -> bool + 'a,
) -> Vec<Candidate<'a>> {
    let single = move || {
        use parry3d::math::Pose3;
        use parry3d::query::{NonlinearRigidMotion, cast_shapes_nonlinear};
        let hulls: Vec<_> = shapes
            .iter()
            .map(|shape| {
                let points: Vec<Vec3> = shape.vertices().iter().map(|v| v.as_vec3()).collect();
                parry3d::shape::ConvexPolyhedron::from_convex_hull(&points).expect("a hull")
            })
            .collect();
        let pose = |p: &crate::scenario::Placement| {
            let q = p.rotation;
            let turn = Quat::from_xyzw(q.x as f32, q.y as f32, q.z as f32, q.w as f32).normalize();
            Pose3::from_parts(p.translation.as_vec3(), turn)
        };
        let motions: Vec<_> = scenes
            .iter()
            .map(|scene| {
                let (local, linear, angular) = velocities(scene);
                let rests = NonlinearRigidMotion::constant_position(pose(&scene.a));
                let moves = NonlinearRigidMotion::new(
                    pose(&scene.b),
                    local.as_vec3(),
                    linear.as_vec3(),
                    angular.as_vec3(),
                );
                (rests, moves)
            })
            .collect();
        move |i: usize| {
            let ((rests, moves), scene) = (&motions[i], &scenes[i]);
            let (a, b) = (&hulls[scene.bodies.0], &hulls[scene.bodies.1]);
            let found = cast_shapes_nonlinear(rests, a, moves, b, 0.0, 1.0, true);
            found.ok().flatten().map(|hit| f64::from(hit.time_of_impact))
        }
    };
    let double = move || {
        use parry3d_f64::query::{NonlinearRigidMotion, cast_shapes_nonlinear};
        let hulls: Vec<_> = shapes
            .iter()
            .map(|shape| {
                parry3d_f64::shape::ConvexPolyhedron::from_convex_hull(shape.vertices()).expect("a hull")
            })
            .collect();
        let motions: Vec<_> = scenes
            .iter()
            .map(|scene| {
                let (local, linear, angular) = velocities(scene);
                let rests = NonlinearRigidMotion::constant_position(crate::parry::pose(&scene.a));
                (rests, NonlinearRigidMotion::new(crate::parry::pose(&scene.b), local, linear, angular))
            })
            .collect();
        move |i: usize| {
            let ((rests, moves), scene) = (&motions[i], &scenes[i]);
            let (a, b) = (&hulls[scene.bodies.0], &hulls[scene.bodies.1]);
            let found = cast_shapes_nonlinear(rests, a, moves, b, 0.0, 1.0, true);
            found.ok().flatten().map(|hit| hit.time_of_impact)
        }
    };
    let sweep = move || {
        let sweeps: Vec<(Sweep, Sweep)> = scenes
            .iter()
            .map(|scene| {
                let (end, _) = scene.screw.pose_at(1.0, &scene.b.pose).expect("in range");
                let rotation = glam::DQuat::from_mat3(&end.rotation());
                let end = parry3d_f64::math::Pose3::from_parts(end.translation(), rotation);
                (
                    Sweep::constant(&crate::parry::pose(&scene.a), DVec3::ZERO),
                    Sweep::from_poses(&crate::parry::pose(&scene.b), &end, DVec3::ZERO),
                )
            })
            .collect();
        move |i: usize| {
            let ((rests, moves), scene) = (&sweeps[i], &scenes[i]);
            let proxy = |k: usize| ToiProxy::from_points(shapes[k].vertices(), 0.0);
            let (a, b) = (proxy(scene.bodies.0), proxy(scene.bodies.1));
            let found = sweep_time_of_impact(&a, rests, &b, moves, 1.0, 0.005);
            (found.status != SweepToiStatus::Separated).then_some(found.fraction)
        }
    };
    vec![
        Candidate::new("parry f32", SCENES, single(), is_right),
        Candidate::new("parry f64", SCENES, double(), is_right),
        Candidate::new("sweep", SCENES, sweep(), is_seen),
    ]
}

/// The screw as velocities about a point of the body, in its own frame.
pub fn velocities(scene: &Scene) -> (DVec3, DVec3, DVec3) {
    let (screw, axis) = (&scene.screw, scene.screw.axis().normalize());
    (scene.b.pose.inverse().apply(screw.center()), axis * screw.shift(), axis * screw.angle())
}
