//! Do two convex bodies meet? Ours with its proof beside rivals, cold: nothing is remembered between queries.

use crate::contest::{Candidate, Contests, Outcome, contest};
use crate::parry::Shapes;
use crate::rivals::{Placed, Stage, Worlds};
use crate::scenario::{self, KINDS, Regime, Scene};
use crate::table::Table;
use clearance::pair::{Relation, Tracker, TrackerMode, relation};
use clearance::support::SupportMap;
use std::hint::black_box;

const SIZES: [u32; 6] = [8, 20, 100, 500, 1000, 5000];
const SCENES: usize = 300;
const ROUNDS: usize = 15;

pub fn run() -> Vec<Table> {
    let title = "Convex boolean, cold, nanoseconds a query (least of 15 rounds over 300 pairs)";
    let mut contests = Contests::new(title, &["vertices", "regime"], &["steps", "vertices visited"]);
    for (name, kind) in KINDS {
        for vertices in SIZES {
            let bodies = scenario::bodies(kind, vertices, 12);
            let shapes = Shapes::new(&bodies);
            let worlds = Worlds::new(&bodies);
            for regime in Regime::ALL {
                let scenes = scenario::scenes(&bodies, regime, SCENES, 7);
                let stages = worlds.stages(&scenes.iter().map(placed).collect::<Vec<_>>());
                let head = vec![vertices.to_string(), regime.name().to_string()];
                let outcome = row(&bodies, &shapes, &scenes, &stages);
                contests.add(name, head, outcome, counts(&bodies, &scenes));
            }
        }
    }
    contests.tables()
}

fn placed(scene: &Scene) -> Placed {
    Placed { bodies: scene.bodies, poses: [scene.a.pose, scene.b.pose] }
}

fn row(bodies: &[SupportMap], shapes: &Shapes, scenes: &[Scene], stages: &[Stage<'_>]) -> Outcome {
    let ours = |s: &Scene| {
        relation(&bodies[s.bodies.0], &s.a.pose, &bodies[s.bodies.1], &s.b.pose) != Relation::Disjoint
    };
    let truth: Vec<bool> = scenes.iter().map(ours).collect();
    let mut rivals = shapes.meet(scenes, &|i, meet| meet == truth[i]);
    for stage in stages.iter().filter(|stage| stage.meets(0).is_some()) {
        let ask = |i| stage.meets(i);
        rivals.push(Candidate::new(stage.name(), scenes.len(), ask, |i, meet| meet == Some(truth[i])));
    }
    let ours = || scenes.iter().for_each(|s| _ = black_box(ours(black_box(s))));
    contest(ROUNDS, scenes.len(), ours, rivals)
}

/// Directions tried and vertices visited, each for a query: what a tracker does that has seen nothing.
fn counts(bodies: &[SupportMap], scenes: &[Scene]) -> Vec<String> {
    let did = scenes.iter().map(|s| {
        let mut tracker = Tracker::new(TrackerMode::SeparatingVector);
        tracker.relation(&bodies[s.bodies.0], &s.a.pose, &bodies[s.bodies.1], &s.b.pose);
        tracker.stats()
    });
    let (steps, vertices) = did.fold((0, 0), |(k, v), did| (k + did.steps, v + did.vertices));
    let each = |count: u64| count as f64 / scenes.len() as f64;
    vec![format!("{:.2}", each(steps)), format!("{:.1}", each(vertices))]
}
