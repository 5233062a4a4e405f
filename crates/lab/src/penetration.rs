//! Penetration depth beside rivals, on the same overlapping pairs in one run.

use crate::contest::{Candidate, Contests, Outcome, contest};
use crate::measure::{least_times, nanoseconds_each};
use crate::parry::Shapes;
use crate::rivals::{Placed, Stage, Worlds};
use crate::scenario::{Placement, Scene};
use crate::table::Table;
use clearance::math::Random;
use clearance::pair::{PenetrationCache, Relation, penetration_with, relation};
use clearance::shape::sample::{PolytopeKind, random_direction, random_polytope};
use clearance::support::SupportMap;
use glam::{DQuat, DVec3};
use std::hint::black_box;

const PAIRS: usize = 60;
const ROUNDS: usize = 15;

/// A rival's depth that is off by more is wrong; 1e-4 is where libccd stops by default, MuJoCo and coal stop at 1e-6.
const WRONG: f64 = 1e-4;

/// What is told of our search beside its time.
const EXTRAS: &[&str] = &["relation alone", "steps", "vertices visited"];

pub fn run() -> Vec<Table> {
    let title =
        "Penetration, proved to 1e-9: nanoseconds (least of 15 rounds over 60 pairs; wrong: off by > 1e-4)";
    let mut contests = Contests::new(title, &["vertices"], EXTRAS);
    for kind in [PolytopeKind::Ellipsoid, PolytopeKind::ThickRod, PolytopeKind::Plate] {
        for n in [20, 100, 500, 1000] {
            let bodies: Vec<SupportMap> = (0..8).map(|seed| body(kind, n, seed)).collect();
            let (outcome, extras) = row(&bodies, &overlapping(&bodies));
            contests.add(&format!("{kind:?}"), vec![n.to_string()], outcome, extras);
        }
    }
    let mut shallow = Contests::new("Penetration of 1e-8 or less", &["vertices"], EXTRAS);
    for n in [20, 100, 1000] {
        let bodies: Vec<SupportMap> = (0..8).map(|seed| body(PolytopeKind::Ellipsoid, n, seed)).collect();
        let cases: Vec<Scene> = overlapping(&bodies).iter().map(|case| drawn_back(case, &bodies)).collect();
        let (outcome, extras) = row(&bodies, &cases);
        shallow.add("Ellipsoid", vec![n.to_string()], outcome, extras);
    }
    let mut tables = contests.tables();
    tables.extend(shallow.tables().into_iter().take(1));
    tables
}

fn row(bodies: &[SupportMap], cases: &[Scene]) -> (Outcome, Vec<String>) {
    let mut cache = PenetrationCache::default();
    let mut ours = |case: &Scene| {
        let (a, b) = case.bodies;
        penetration_with(&bodies[a], &case.a.pose, &bodies[b], &case.b.pose, &mut cache)
            .expect("they overlap")
    };
    let found: Vec<_> = cases.iter().map(&mut ours).collect();
    let looked_at =
        |case: &Scene| (bodies[case.bodies.0].looked_at() + bodies[case.bodies.1].looked_at()) as usize;
    let visited = cases.iter().zip(&found).map(|(case, found)| found.steps * looked_at(case));
    let each = |count: usize| format!("{:.1}", count as f64 / cases.len() as f64);
    let counts = [each(found.iter().map(|p| p.steps).sum()), each(visited.sum())];
    let (worlds, shapes) = (Worlds::new(bodies), Shapes::new(bodies));
    let placed = |case: &Scene| Placed { bodies: case.bodies, poses: [case.a.pose, case.b.pose] };
    let stages = worlds.stages(&cases.iter().map(placed).collect::<Vec<_>>());
    let truth: Vec<f64> = found.iter().map(|found| found.upper).collect();
    let rivals = rivals(&shapes, cases, &stages, &truth);
    let outcome = contest(
        ROUNDS,
        cases.len(),
        || cases.iter().for_each(|case| _ = black_box(ours(black_box(case)))),
        rivals,
    );
    let mut relations = || cases.iter().for_each(|case| _ = black_box(related(bodies, black_box(case))));
    let [relation] = least_times(ROUNDS, [&mut relations]);
    let alone = format!("{:.0}", nanoseconds_each(relation, cases.len()));
    (outcome, [alone].into_iter().chain(counts).collect())
}

fn related(bodies: &[SupportMap], case: &Scene) -> Relation {
    let (a, b) = case.bodies;
    relation(&bodies[a], &case.a.pose, &bodies[b], &case.b.pose)
}

fn rivals<'a>(
    shapes: &'a Shapes,
    cases: &'a [Scene],
    stages: &'a [Stage<'a>],
    truth: &[f64],
) -> Vec<Candidate<'a>> {
    let is_right = |i: usize, depth: f64| (depth - truth[i]).abs() <= WRONG;
    let mut rivals = shapes.depths(cases, &is_right);
    for stage in stages.iter().filter(|stage| stage.depth(0).is_some()) {
        let ask = |i| stage.depth(i).unwrap_or(f64::NAN);
        rivals.push(Candidate::new(stage.name(), cases.len(), ask, is_right));
    }
    rivals
}

fn body(kind: PolytopeKind, n: u32, seed: u64) -> SupportMap {
    SupportMap::new(random_polytope(kind, n, seed).expect("a polytope"))
}

/// A at rest, B turned and moved.
fn scene(bodies: (usize, usize), turn: DQuat, at: DVec3) -> Scene {
    Scene { bodies, a: Placement::new(DQuat::IDENTITY, DVec3::ZERO), b: Placement::new(turn, at) }
}

/// Random poses with centres up to 0.8 apart, those that overlap.
fn overlapping(bodies: &[SupportMap]) -> Vec<Scene> {
    let mut random = Random::new(7);
    let mut cases = Vec::new();
    while cases.len() < PAIRS {
        let (a, b) = (random.below(8) as usize, random.below(8) as usize);
        let turn = DQuat::from_axis_angle(random_direction(&mut random), random.range(0.0, 3.0));
        let at = random_direction(&mut random) * random.range(0.0, 0.8);
        let case = scene((a, b), turn, at);
        if related(bodies, &case) == Relation::Overlapping {
            cases.push(case);
        }
    }
    cases
}

/// The pair with B drawn out of A until they overlap by less than 1e-8.
fn drawn_back(case: &Scene, bodies: &[SupportMap]) -> Scene {
    let place = |at: DVec3| scene(case.bodies, case.b.rotation, at);
    let overlaps = |at: DVec3| related(bodies, &place(at)) == Relation::Overlapping;
    let (mut inner, mut outer) = (case.b.translation, case.b.translation.normalize() * 3.0);
    while inner.distance(outer) > 1e-8 {
        let middle = 0.5 * (inner + outer);
        if overlaps(middle) { inner = middle } else { outer = middle }
    }
    place(inner)
}
