//! The baselines of [Erickson99 §5]: closest features, common tangent and separating edge change with the number of edges, at any distance.

use super::fit::{Run, Runs, Scale, local_slope, means, models};
use super::scene::{Mover, Path, Scene};
use super::{EVENTS, simulate};
use crate::plot::{self, Series};
use crate::table::Table;
use clearance::kinetic::{HierarchyKind, Method, Plane};
use rayon::prelude::*;

const METHODS: [(Method, &str); 5] = [
    (Method::ClosestFeatures, "closest features"),
    (Method::CommonTangent, "common tangent"),
    (Method::SeparatingEdge, "separating edge"),
    (Method::Lazy, "compass lazy"),
    (Method::Inflated, "inflated"),
];

pub fn run() -> Table {
    let mut table = Table::new(
        "Against the number of edges, two polygons at D/s = 10: the paper's three baselines (its claim: n events of translations, n^2 of \
         rigid motion, at any distance) beside hierarchies; exponents of n over the upper half of the range. The last three motions are made \
         for one baseline each",
        &[
            "motion",
            "certificate",
            "n",
            "seeds",
            "events, first and last",
            "claim",
            "exponent",
            "AIC, power less log",
        ],
    );
    let mut curves = Vec::new();
    // Where there are n^2 events of one of them: fewer sizes.
    for (path, name, claim, most, seeds) in [
        (Path::Line, "line", "n", 11, 10),
        (Path::Orbit, "orbit", "n", 11, 10),
        (Path::Roll, "rolling around", "n^2", 10, 10),
        (Path::Tip, "turning at a tip", "n^2", 7, 10),
        (Path::Waver, "turning beside the tangent", "n^2", 7, 10),
        (Path::Sweep, "turning along the tangent", "n^2", 7, 10),
    ] {
        let sizes: Vec<u32> = (3..=most).collect();
        for (method, method_name) in METHODS {
            let runs = against_n(path, method, &sizes, seeds);
            let (events, half) = (means(&runs, EVENTS), sizes.len() / 2);
            let ([first, .., last], fitted) = (&events[..], models(&runs, EVENTS)) else { continue };
            let is_baseline = !matches!(method, Method::Lazy | Method::Inflated);
            table.row([
                name.to_string(),
                method_name.to_string(),
                format!("8 to {}", 1 << most),
                seeds.to_string(),
                format!("{:.1} {:.1}", first.1, last.1),
                if is_baseline { claim } else { "1" }.to_string(),
                local_slope(&runs[half..], EVENTS, Scale::Exponent).to_string(),
                format!("{:+.0}", fitted.power_less_log),
            ]);
            let made_for = [
                (Path::Tip, Method::ClosestFeatures),
                (Path::Waver, Method::CommonTangent),
                (Path::Sweep, Method::SeparatingEdge),
            ];
            if made_for.contains(&(path, method)) || path == Path::Tip && !is_baseline {
                let points = events.iter().map(|p| (p.0 / 2f64.log10(), p.1.max(0.1).log10())).collect();
                curves.push(Series { name: method_name.to_string(), points });
            }
        }
    }
    let plot = plot::lines("Turning in place, D/s = 10", "log2 n", "log10 events", &curves);
    table.attach("erickson99-baselines.svg", plot);
    table
}

fn against_n(path: Path, method: Method, sizes: &[u32], seeds: u64) -> Runs {
    let plane = Plane { method, hierarchy: HierarchyKind::Compass };
    let at = |k: u32, seed: u64| {
        let scene = Scene::new(path, Mover::Polygon, 1 << k, 1 + seed);
        let (told, stats) = simulate(&scene, scene.motion(0.1 * scene.diameter), plane);
        told.is_empty().then(|| Run {
            x: f64::from(1 << k),
            events: stats.certificate_failures() as f64,
            steps: stats.update_steps as f64,
        })
    };
    sizes.iter().map(|&k| (0..seeds).into_par_iter().map(|seed| at(k, seed)).collect()).collect()
}
