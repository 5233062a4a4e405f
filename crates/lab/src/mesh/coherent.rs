//! Frame after frame: what is remembered, beside nothing.

use super::query::Query;
use super::scene::{Bodies, Regime, Scene};
use crate::measure::{least_times, nanoseconds_each};
use crate::table::Table;
use clearance::math::Random;
use clearance::mesh::MeshCache;
use std::hint::black_box;

/// Motions in a regime.
const PATHS: usize = 20;
const ROUNDS: usize = 5;

pub fn table(pairs: &[Bodies]) -> Table {
    let title = format!(
        "Frames of up to 0.5 degrees and 0.002 units each, {PATHS} x 25 of them, microseconds a query"
    );
    let mut table = Table::new(&title, &["bodies", "regime", "query", "cold", "coherent", "cold / coherent"]);
    for bodies in pairs {
        for regime in Regime::ALL {
            let mut random = Random::new(11);
            let starts = bodies.scenes(regime, PATHS, &mut random);
            let paths: Vec<Vec<Scene>> =
                starts.iter().map(|start| start.path(bodies.unit, &mut random)).collect();
            for query in [Query::Boolean, Query::Tolerance, Query::Distance] {
                let [cold, warm] = times(bodies, &paths, query);
                table.row([
                    bodies.name.clone(),
                    regime.name(),
                    query.name().into(),
                    format!("{cold:.2}"),
                    format!("{warm:.2}"),
                    format!("{:.1}", cold / warm),
                ]);
            }
        }
    }
    table
}

/// Microseconds a frame: remembering nothing, and what the last frame left.
fn times(bodies: &Bodies, paths: &[Vec<Scene>], query: Query) -> [f64; 2] {
    let (mut cold, mut warm) = (MeshCache::default(), MeshCache::default());
    let times = least_times(
        ROUNDS,
        [
            &mut || {
                for frame in paths.iter().flatten() {
                    cold.forget();
                    black_box(query.ours(bodies, frame, &mut cold));
                }
            },
            &mut || {
                for path in paths {
                    warm.forget();
                    path.iter().for_each(|frame| _ = black_box(query.ours(bodies, frame, &mut warm)));
                }
            },
        ],
    );
    let frames = paths.iter().map(Vec::len).sum();
    times.map(|time| 1e-3 * nanoseconds_each(time, frames))
}
