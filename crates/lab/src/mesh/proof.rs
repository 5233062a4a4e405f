//! What exactness costs: every question beside the same walk that trusts its floats.

use super::cold::POSES;
use super::query::Query;
use super::scene::{Bodies, Regime, Scene};
use crate::measure::{least_times, nanoseconds_each};
use crate::table::Table;
use clearance::math::Random;
use clearance::mesh::{MeshCache, Unproved};
use std::hint::black_box;

const ROUNDS: usize = 25;

/// The table by regime, and a sum over all random regimes: those without contacts made on purpose.
pub fn tables(pairs: &[Bodies]) -> [Table; 2] {
    let mut table = Table::new(
        "Exact answers and what floats alone would say, cold, microseconds a query (least of 25 passes over 40 poses)",
        &["bodies", "regime", "query", "exact", "floats alone", "exactness costs", "floats wrong"],
    );
    let mut sums = [(0.0, 0.0); Query::ALL.len()];
    for bodies in pairs {
        for regime in Regime::ALL {
            let scenes = bodies.scenes(regime, POSES, &mut Random::new(7));
            for (query, sum) in Query::ALL.into_iter().zip(&mut sums) {
                let ([exact, floats], wrong) = compared(bodies, &scenes, query);
                if !matches!(regime, Regime::Touching) {
                    *sum = (sum.0 + (exact / floats).ln(), sum.1 + 1.0);
                }
                table.row([
                    bodies.name.clone(),
                    regime.name(),
                    query.name().into(),
                    format!("{exact:.2}"),
                    format!("{floats:.2}"),
                    percent(exact / floats),
                    wrong.to_string(),
                ]);
            }
        }
    }
    let mut total = Table::new(
        "Over all bodies and regimes but touching (geometric mean)",
        &["query", "exactness costs"],
    );
    for (query, (sum, count)) in Query::ALL.into_iter().zip(sums) {
        total.row([query.name().into(), percent((sum / count).exp())]);
    }
    [table, total]
}

/// Microseconds of both, and how often floats are wrong: a distance by more than a millionth of the unit.
fn compared(bodies: &Bodies, scenes: &[Scene], query: Query) -> ([f64; 2], usize) {
    let (mut exact, mut floats) = (MeshCache::default(), MeshCache::default());
    let mut ask_exact = |scene: &Scene| {
        exact.forget();
        query.ours(bodies, scene, &mut exact)
    };
    let mut ask_floats = |scene: &Scene| unproved(query, bodies, scene, &mut floats);
    let differs = |scene: &&Scene| (ask_exact(scene) - ask_floats(scene)).abs() > 1e-6 * bodies.unit;
    let wrong = scenes.iter().filter(differs).count();
    let times = least_times(
        ROUNDS,
        [&mut || scenes.iter().for_each(|scene| _ = black_box(ask_exact(scene))), &mut || {
            scenes.iter().for_each(|scene| _ = black_box(ask_floats(scene)))
        }],
    );
    (times.map(|time| 1e-3 * nanoseconds_each(time, scenes.len())), wrong)
}

fn unproved(query: Query, bodies: &Bodies, scene: &Scene, cache: &mut MeshCache) -> f64 {
    let pair = Unproved::new(&bodies.a.mesh, &scene.a.pose, &bodies.b.mesh, &scene.b.pose);
    match query {
        Query::Boolean => f64::from(u8::from(pair.collides(cache))),
        Query::Tolerance => f64::from(u8::from(pair.within(bodies.tolerance(), cache))),
        Query::Distance => pair.distance(cache).0,
        Query::AllPairs => pair.contacts(cache).len() as f64,
    }
}

fn percent(ratio: f64) -> String {
    format!("{:.0} %", 100.0 * (ratio - 1.0))
}
