//! Penetration depth beside parry3d-f64 `query::contact`, on the same overlapping pairs in one run.

use crate::measure::{least_times, nanoseconds_each};
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
    let columns =
        ["shapes", "n", "ours ns", "relation ns", "parry ns", "ratio", "steps", "parry off by > 1e-6"];
    let mut table = Table::new(
        "Penetration: proved to 1e-9, beside parry3d-f64 contact; least of 15 rounds over 60 pairs",
        &columns,
    );
    for kind in [PolytopeKind::Ellipsoid, PolytopeKind::ThickRod, PolytopeKind::Plate] {
        for n in [20, 100, 500, 1000] {
            let bodies: Vec<Body> = (0..8).map(|seed| body(kind, n, seed)).collect();
            table.row(row(&format!("{kind:?}"), n, &bodies, &overlapping(&bodies)));
        }
    }
    for n in [20, 100, 1000] {
        let bodies: Vec<Body> = (0..8).map(|seed| body(PolytopeKind::Ellipsoid, n, seed)).collect();
        let cases: Vec<Case> = overlapping(&bodies).iter().map(|case| drawn_back(case, &bodies)).collect();
        table.row(row("Ellipsoid, 1e-8 deep or less", n, &bodies, &cases));
    }
    vec![table]
}

fn row(name: &str, n: u32, bodies: &[Body], cases: &[Case]) -> Vec<String> {
    let mut cache = PenetrationCache::default();
    let mut ours = |case: &Case| {
        let (a, b) = (&bodies[case.a].ours, &bodies[case.b].ours);
        penetration_with(a, &Pose::IDENTITY, b, &case.pose, &mut cache).expect("they overlap")
    };
    let theirs = |case: &Case| {
        let at = parry3d_f64::math::Pose::from_parts(case.at, case.turn);
        let (a, b) = (&bodies[case.a].parry, &bodies[case.b].parry);
        query::contact(&parry3d_f64::math::Pose::IDENTITY, a, &at, b, 0.0)
    };
    let related =
        |case: &Case| relation(&bodies[case.a].ours, &Pose::IDENTITY, &bodies[case.b].ours, &case.pose);
    let found: Vec<_> = cases.iter().map(&mut ours).collect();
    let steps = found.iter().map(|p| p.steps).sum::<usize>() as f64 / cases.len() as f64;
    let wrong = cases.iter().zip(&found).filter(|(case, found)| {
        let depth = theirs(case).ok().flatten().map(|contact| -contact.dist);
        depth.is_none_or(|depth| (depth - found.upper).abs() > 1e-6)
    });
    let wrong = wrong.count();
    let times = least_times(
        ROUNDS,
        [
            &mut || cases.iter().for_each(|case| _ = black_box(ours(black_box(case)))),
            &mut || cases.iter().for_each(|case| _ = black_box(related(black_box(case)))),
            &mut || cases.iter().for_each(|case| _ = black_box(theirs(black_box(case)))),
        ],
    );
    let [own, relation, parry] = times.map(|time| nanoseconds_each(time, cases.len()));
    vec![
        name.to_string(),
        n.to_string(),
        format!("{own:.0}"),
        format!("{relation:.0}"),
        format!("{parry:.0}"),
        format!("{:.1}", parry / own),
        format!("{steps:.1}"),
        wrong.to_string(),
    ]
}

fn body(kind: PolytopeKind, n: u32, seed: u64) -> Body {
    let polytope = random_polytope(kind, n, seed).expect("a polytope");
    let parry = ConvexPolyhedron::from_convex_hull(polytope.vertices()).expect("a hull");
    Body { ours: SupportMap::new(polytope), parry }
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
