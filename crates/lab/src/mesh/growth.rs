//! How work grows with the number of triangles at a fixed separation.

use super::cold::POSES;
use super::query::Query;
use super::scene::{Bodies, Regime};
use crate::table::Table;
use clearance::math::Random;
use clearance::mesh::MeshCache;

/// Counts, not times: how work grows with the number of triangles at a fixed separation.
///
/// The ball has bumps of a radius of about .02; the sphere has none, but rings of almost nearest points in many poses.
pub fn table() -> Table {
    let mut table = Table::new(
        "Box pairs and triangle pairs a query against the number of triangles, 40 poses at a gap of 0.15",
        &[
            "bodies",
            "triangles",
            "boolean: box pairs",
            "slope",
            "distance: box pairs",
            "slope",
            "triangle pairs",
            "in f64",
        ],
    );
    rows("torus : ball", Bodies::torus_and_ball, &mut table);
    rows("torus : sphere", Bodies::torus_and_sphere, &mut table);
    table
}

fn rows(name: &str, bodies: impl Fn(u32, u32, u32) -> Bodies, table: &mut Table) {
    let mut before: Option<[f64; 3]> = None;
    for frequency in [7, 14, 28, 56, 112, 224] {
        let bodies = bodies(4 * frequency, 5 * frequency / 2, frequency);
        let scenes = bodies.scenes(Regime::Gap(0.15), POSES, &mut Random::new(7));
        let counts = |query: Query| {
            let mut cache = MeshCache::default();
            for scene in &scenes {
                cache.forget();
                query.ours(&bodies, scene, &mut cache);
            }
            cache.stats()
        };
        let (boolean, distance) = (counts(Query::Boolean), counts(Query::Distance));
        let mean = |count: u64| count as f64 / POSES as f64;
        let triangles = bodies.b.mesh.mesh().triangles().len() as f64;
        let now = [triangles, mean(boolean.node_pairs), mean(distance.node_pairs)];
        let slope = |which: usize| match before {
            None => "-".into(),
            Some(before) => format!("{:.2}", (now[which] / before[which]).ln() / (now[0] / before[0]).ln()),
        };
        table.row([
            name.into(),
            format!("{triangles}"),
            format!("{:.0}", now[1]),
            slope(1),
            format!("{:.0}", now[2]),
            slope(2),
            format!("{:.0}", mean(distance.triangle_pairs)),
            format!("{:.0}", mean(distance.visits)),
        ]);
        before = Some(now);
    }
}
