//! Penetration depth beside rivals, on the same overlapping pairs in one run.

use crate::contest::{Candidate, Contests, Outcome, contest};
use crate::measure::{least_times, nanoseconds_each};
use crate::parry;
use crate::rivals::{Placed, Stage, Worlds};
use crate::table::Table;
use clearance::Pose;
use clearance::math::Random;
use clearance::pair::{PenetrationCache, Relation, penetration_with, relation};
use clearance::shape::sample::{PolytopeKind, random_direction, random_polytope};
use clearance::support::SupportMap;
use glam::{DQuat, DVec3};
use parry3d_f64::query;
use parry3d_f64::shape::ConvexPolyhedron;
use std::hint::black_box;

const PAIRS: usize = 60;
const ROUNDS: usize = 15;

/// A rival's depth that is off by more is wrong; 1e-4 is where libccd stops by default, MuJoCo and coal stop at 1e-6.
const WRONG: f64 = 1e-4;

/// What is told of our search beside its time.
const EXTRAS: &[&str] = &["relation alone", "steps", "vertices visited"];

/// A body in both libraries.
struct Body {
    ours: SupportMap,
    parry: ConvexPolyhedron,
}

/// Two bodies and the pose of the second; the first does not move.
struct Case {
    a: usize,
    b: usize,
    turn: DQuat,
    at: DVec3,
    pose: Pose,
}

pub fn run() -> Vec<Table> {
    let title =
        "Penetration, proved to 1e-9: nanoseconds (least of 15 rounds over 60 pairs; wrong: off by > 1e-4)";
    let mut contests = Contests::new(title, &["vertices"], EXTRAS);
    for kind in [PolytopeKind::Ellipsoid, PolytopeKind::ThickRod, PolytopeKind::Plate] {
        for n in [20, 100, 500, 1000] {
            let bodies: Vec<Body> = (0..8).map(|seed| body(kind, n, seed)).collect();
            let (outcome, extras) = row(&bodies, &overlapping(&bodies));
            contests.add(&format!("{kind:?}"), vec![n.to_string()], outcome, extras);
        }
    }
    let mut shallow = Contests::new("Penetration of 1e-8 or less", &["vertices"], EXTRAS);
    for n in [20, 100, 1000] {
        let bodies: Vec<Body> = (0..8).map(|seed| body(PolytopeKind::Ellipsoid, n, seed)).collect();
        let cases: Vec<Case> = overlapping(&bodies).iter().map(|case| drawn_back(case, &bodies)).collect();
        let (outcome, extras) = row(&bodies, &cases);
        shallow.add("Ellipsoid", vec![n.to_string()], outcome, extras);
    }
    let mut tables = contests.tables();
    tables.extend(shallow.tables().into_iter().take(1));
    tables
}

fn row(bodies: &[Body], cases: &[Case]) -> (Outcome, Vec<String>) {
    let mut cache = PenetrationCache::default();
    let mut ours = |case: &Case| {
        let (a, b) = (&bodies[case.a].ours, &bodies[case.b].ours);
        penetration_with(a, &Pose::IDENTITY, b, &case.pose, &mut cache).expect("they overlap")
    };
    let related =
        |case: &Case| relation(&bodies[case.a].ours, &Pose::IDENTITY, &bodies[case.b].ours, &case.pose);
    let found: Vec<_> = cases.iter().map(&mut ours).collect();
    let looked_at = |body: usize| bodies[body].ours.looked_at() as usize;
    let visited = cases.iter().zip(&found).map(|(c, p)| p.steps * (looked_at(c.a) + looked_at(c.b)));
    let each = |count: usize| format!("{:.1}", count as f64 / cases.len() as f64);
    let counts = [each(found.iter().map(|p| p.steps).sum()), each(visited.sum())];
    let worlds = Worlds::new(bodies.iter().map(|body| &body.ours));
    let poses = |case: &Case| [Pose::IDENTITY, case.pose];
    let placed = cases.iter().map(|case| Placed { bodies: (case.a, case.b), poses: poses(case) });
    let stages = worlds.stages(&placed.collect::<Vec<_>>());
    let truth: Vec<f64> = found.iter().map(|found| found.upper).collect();
    let rivals = rivals(bodies, cases, &stages, &truth);
    let outcome = contest(
        ROUNDS,
        cases.len(),
        || cases.iter().for_each(|case| _ = black_box(ours(black_box(case)))),
        rivals,
    );
    let mut relations = || cases.iter().for_each(|case| _ = black_box(related(black_box(case))));
    let [relation] = least_times(ROUNDS, [&mut relations]);
    let alone = format!("{:.0}", nanoseconds_each(relation, cases.len()));
    (outcome, [alone].into_iter().chain(counts).collect())
}

fn rivals<'a>(
    bodies: &'a [Body],
    cases: &'a [Case],
    stages: &'a [Stage<'a>],
    truth: &[f64],
) -> Vec<Candidate<'a>> {
    let is_right = |i: usize, depth: f64| (depth - truth[i]).abs() <= WRONG;
    let parry = |i: usize| {
        let case = &cases[i];
        let at = parry3d_f64::math::Pose::from_parts(case.at, case.turn);
        let (a, b) = (&bodies[case.a].parry, &bodies[case.b].parry);
        let contact = query::contact(&parry3d_f64::math::Pose::IDENTITY, a, &at, b, 0.0);
        contact.ok().flatten().map_or(f64::NAN, |contact| -contact.dist)
    };
    let mut rivals = vec![Candidate::new("parry f64", cases.len(), parry, is_right)];
    for stage in stages.iter().filter(|stage| stage.depth(0).is_some()) {
        let ask = |i| stage.depth(i).unwrap_or(f64::NAN);
        rivals.push(Candidate::new(stage.name(), cases.len(), ask, is_right));
    }
    rivals
}

fn body(kind: PolytopeKind, n: u32, seed: u64) -> Body {
    let polytope = random_polytope(kind, n, seed).expect("a polytope");
    let ours = SupportMap::new(polytope);
    Body { parry: parry::shape(&ours), ours }
}

/// Random poses with centres up to 0.8 apart, those that overlap.
fn overlapping(bodies: &[Body]) -> Vec<Case> {
    let mut random = Random::new(7);
    let mut cases = Vec::new();
    while cases.len() < PAIRS {
        let (a, b) = (random.below(8) as usize, random.below(8) as usize);
        let turn = DQuat::from_axis_angle(random_direction(&mut random), random.range(0.0, 3.0));
        let at = random_direction(&mut random) * random.range(0.0, 0.8);
        let pose = Pose::from_quaternion(turn, at).expect("a pose");
        let case = Case { a, b, turn, at, pose };
        if relation(&bodies[a].ours, &Pose::IDENTITY, &bodies[b].ours, &pose) == Relation::Overlapping {
            cases.push(case);
        }
    }
    cases
}

/// The pair with B drawn out of A until they overlap by less than 1e-8.
fn drawn_back(case: &Case, bodies: &[Body]) -> Case {
    let place = |at: DVec3| Pose::from_quaternion(case.turn, at).expect("a pose");
    let overlaps = |at: DVec3| {
        let (a, b) = (&bodies[case.a].ours, &bodies[case.b].ours);
        relation(a, &Pose::IDENTITY, b, &place(at)) == Relation::Overlapping
    };
    let (mut inner, mut outer) = (case.at, case.at.normalize() * 3.0);
    while inner.distance(outer) > 1e-8 {
        let middle = 0.5 * (inner + outer);
        if overlaps(middle) { inner = middle } else { outer = middle }
    }
    Case { at: inner, pose: place(inner), ..*case }
}
