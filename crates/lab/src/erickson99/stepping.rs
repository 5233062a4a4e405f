//! Time stepping at the largest step that sees what the kinetic run sees.

use super::scene::{Mover, Path, Scene};
use super::simulate;
use crate::table::Table;
use clearance::kinetic::{Event, EventKind, HierarchyKind, Method, Motion, Plane};
use clearance::math::Random;
use clearance::oracle::kinetic::relation_at;
use clearance::pair::Relation;
use clearance::planar::exact;
use rayon::prelude::*;

const SEEDS: u64 = 30;

/// What one run took, by events and by steps.
struct Compared {
    collisions: usize,
    events: f64,
    steps: f64,
}

pub fn run() -> Table {
    let mut table = Table::new(
        "Time stepping over the same motions, polygons of 64 vertices (30 seeds) that meet, as deep as p at most: mean number of \
         events of the lazy compass run, those of bodies that meet included, and of steps 2^-k from a random start, the largest that have a step within \
         every collision of the kinetic run (checked by exact relations at that step and the one before)",
        &["motion", "D/p", "collisions", "events", "least k, most k", "steps, mean", "steps / events"],
    );
    for (path, name) in [
        (Path::Line, "line"),
        (Path::Curve, "parabola"),
        (Path::Wiggle, "degree 6"),
        (Path::Tumble, "rigid, random"),
    ] {
        for k in 1..=6 {
            let compared: Vec<Compared> = (0..SEEDS)
                .into_par_iter()
                .filter_map(|seed| compare(path, 1 + seed, 0.1f64.powi(k)))
                .collect();
            let number = compared.len() as f64;
            let mean = |count: fn(&Compared) -> f64| compared.iter().map(count).sum::<f64>() / number;
            let (events, steps) = (mean(|c| c.events), mean(|c| c.steps));
            let logs = || compared.iter().map(|c| c.steps.log2());
            table.row([
                name.to_string(),
                format!("10^{k}"),
                compared.iter().map(|c| c.collisions).sum::<usize>().to_string(),
                format!("{events:.1}"),
                format!("{:.0} {:.0}", logs().fold(f64::INFINITY, f64::min), logs().fold(0.0, f64::max)),
                format!("{steps:.0}"),
                format!("{:.1}", steps / events),
            ]);
        }
    }
    table
}

/// None if the bodies meet for a moment only, or never: no step is short enough then, or any is.
fn compare(path: Path, seed: u64, depth: f64) -> Option<Compared> {
    let scene = Scene::new(path, Mover::Polygon, 64, seed);
    let motion = scene.motion(-depth * scene.diameter);
    let plane = Plane { method: Method::Lazy, hierarchy: HierarchyKind::Compass };
    let (told, stats) = simulate(&scene, motion.clone(), plane);
    let mut met: Vec<[f64; 2]> = Vec::new();
    for event in &told {
        match event {
            Event::Collision { time, .. } => met.push([time.upper, 1.0]),
            Event::Separation { time, .. } => met.last_mut()?[1] = time.lower,
            Event::Certificate { .. } => {}
        }
    }
    // Steps are counted from a random time, or those of half of everything would meet the middle of each symmetric motion.
    let start = Random::new(seed).below(1 << 20) as f64 * 0.5f64.powi(23);
    let first_step = |[from, _]: [f64; 2], step: f64| start + ((from - start) / step).ceil() * step;
    let sees = |step: f64| met.iter().all(|&span| first_step(span, step) <= span[1]);
    let step = (0..50).map(|k| 0.5f64.powi(k)).find(|&step| sees(step))?;
    let still = Motion::still();
    let relation = |t: f64| {
        let [a, b] = scene.shapes.each_ref().map(|shape| shape.polygon());
        relation_at((a, &still), (b, &motion), &exact(t))
    };
    for &span in &met {
        let t = first_step(span, step);
        assert!(relation(t) != Relation::Disjoint, "the kinetic run and the exact relation disagree at {t}");
        let is_before_last = met.iter().any(|other| other[0] <= t - step && t - step <= other[1]);
        assert!(t - step < 0.0 || is_before_last || relation(t - step) == Relation::Disjoint);
    }
    let told_kinds = [EventKind::Separation, EventKind::Contact];
    let meeting: u64 = told_kinds.iter().map(|&kind| stats.count(kind)).sum();
    (!met.is_empty()).then(|| Compared {
        collisions: met.len(),
        events: (stats.certificate_failures() + meeting) as f64,
        steps: 1.0 / step,
    })
}
