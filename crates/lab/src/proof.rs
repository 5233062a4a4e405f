//! What the proofs cost: the relation beside the same search that trusts its floats.

use crate::measure::{least_times, nanoseconds_each};
use crate::scenario::{self, KINDS, Regime};
use crate::table::Table;
use clearance::Pose;
use clearance::pair::{Relation, relation, relation_unproved};
use clearance::support::SupportMap;
use std::hint::black_box;

type Query = fn(&SupportMap, &Pose, &SupportMap, &Pose) -> Relation;

const SIZES: [u32; 5] = [8, 20, 100, 500, 1000];
const SCENES: usize = 300;
const ROUNDS: usize = 25;

pub fn run() -> Vec<Table> {
    let mut table = Table::new(
        "Relation with and without its proof, cold, nanoseconds a query (least of 25 rounds over 300 pairs)",
        &["shape", "vertices", "regime", "proved", "unproved", "proof costs", "unproved wrong"],
    );
    let mut sums = [(0.0, 0.0); 3];
    for (name, kind) in KINDS {
        for vertices in SIZES {
            let bodies = scenario::bodies(kind, vertices, 12);
            for (regime, sum) in Regime::ALL.into_iter().zip(&mut sums) {
                let scenes = scenario::scenes(&bodies, regime, SCENES, 11);
                let ask = |query: Query, s: &scenario::Scene| {
                    query(&bodies[s.bodies.0], &s.a.pose, &bodies[s.bodies.1], &s.b.pose)
                };
                let wrong = scenes.iter().filter(|s| ask(relation, s) != ask(relation_unproved, s)).count();
                let run = |query: Query| scenes.iter().for_each(|s| _ = black_box(ask(query, black_box(s))));
                let times = least_times(ROUNDS, [&mut || run(relation), &mut || run(relation_unproved)]);
                let [proved, unproved] = times.map(|t| nanoseconds_each(t, scenes.len()));
                *sum = (sum.0 + proved, sum.1 + unproved);
                table.row([
                    name.to_string(),
                    vertices.to_string(),
                    regime.name().to_string(),
                    format!("{proved:.0}"),
                    format!("{unproved:.0}"),
                    percent(proved, unproved),
                    wrong.to_string(),
                ]);
            }
        }
    }
    let mut total = Table::new("Over all shapes and sizes", &["regime", "proof costs"]);
    for (regime, (proved, unproved)) in Regime::ALL.into_iter().zip(sums) {
        total.row([regime.name().to_string(), percent(proved, unproved)]);
    }
    vec![table, total]
}

fn percent(proved: f64, unproved: f64) -> String {
    format!("{:.0} %", 100.0 * (proved / unproved - 1.0))
}
