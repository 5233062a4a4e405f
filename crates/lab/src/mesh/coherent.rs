//! Frame after frame: what is remembered, beside nothing.

use super::query::Query;
use super::scene::{Bodies, Pace, Regime, Scene};
use crate::measure::{least_times, nanoseconds_each};
use crate::table::Table;
use clearance::math::Random;
use clearance::mesh::MeshCache;
use std::hint::black_box;

/// Motions in a regime.
const PATHS: usize = 20;
const ROUNDS: usize = 5;
/// Frames in which what is remembered is made.
const FIRST: usize = 2;

/// Few frames of large steps, of which the first are a good part; and many of small ones.
const PACES: [Pace; 2] =
    [Pace { frames: 25, turn: 0.5, shift: 0.002 }, Pace { frames: 100, turn: 0.1, shift: 0.0005 }];

pub fn tables(pairs: &[Bodies]) -> Vec<Table> {
    PACES.iter().map(|pace| table(pairs, pace)).collect()
}

fn table(pairs: &[Bodies], pace: &Pace) -> Table {
    let Pace { frames, turn, shift } = pace;
    let title = format!(
        "Frames of up to {turn} degrees and {shift} units each, {PATHS} x {frames} of them, microseconds a query"
    );
    let columns = [
        "bodies",
        "regime",
        "query",
        "cold",
        "coherent",
        "cold / coherent",
        "first two",
        "later",
        "cold / later",
    ];
    let mut table = Table::new(&title, &columns);
    for bodies in pairs {
        for regime in Regime::ALL {
            let mut random = Random::new(11);
            let starts = bodies.scenes(regime, PATHS, &mut random);
            let paths: Vec<Vec<Scene>> =
                starts.iter().map(|start| start.path(bodies.unit, pace, &mut random)).collect();
            for query in [Query::Boolean, Query::Tolerance, Query::Distance] {
                let Times { cold, warm, first, later } = times(bodies, &paths, query);
                table.row([
                    bodies.name.clone(),
                    regime.name(),
                    query.name().into(),
                    format!("{cold:.2}"),
                    format!("{warm:.2}"),
                    format!("{:.1}", cold / warm),
                    format!("{first:.2}"),
                    format!("{later:.2}"),
                    format!("{:.1}", cold / later),
                ]);
            }
        }
    }
    table
}

/// Microseconds a frame.
struct Times {
    /// Remembering nothing.
    cold: f64,
    /// With what the last frames left: all, the first two, and those after them.
    warm: f64,
    first: f64,
    later: f64,
}

fn times(bodies: &Bodies, paths: &[Vec<Scene>], query: Query) -> Times {
    let mut caches = [(); 3].map(|()| MeshCache::default());
    let [cold, warm, short] = &mut caches;
    let walk = |frames: &[Scene], cache: &mut MeshCache| {
        cache.forget();
        frames.iter().for_each(|frame| _ = black_box(query.ours(bodies, frame, cache)));
    };
    let times = least_times(
        ROUNDS,
        [
            &mut || paths.iter().flatten().for_each(|frame| walk(std::slice::from_ref(frame), cold)),
            &mut || paths.iter().for_each(|path| walk(path, warm)),
            &mut || paths.iter().for_each(|path| walk(&path[..FIRST], short)),
        ],
    );
    let frames: usize = paths.iter().map(Vec::len).sum();
    let first = FIRST * paths.len();
    let counts = [frames, frames, first];
    let [cold, warm, first_two] = [0, 1, 2].map(|which| 1e-3 * nanoseconds_each(times[which], counts[which]));
    let later = 1e-3 * nanoseconds_each(times[1].saturating_sub(times[2]), frames - first);
    Times { cold, warm, first: first_two, later }
}
