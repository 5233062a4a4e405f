//! Inflated hierarchies and clear disks [Erickson99 §6]: events beside the size of a decomposition of the path.

use super::scene::{Mover, Path, Scene, distance, gap};
use super::simulate;
use crate::table::Table;
use clearance::kinetic::hierarchy::{Inflated, Inflation};
use clearance::kinetic::{Body, Event, HierarchyKind, Method, Motion, Plan, Plane, Simulation, Subscription};
use clearance::oracle::clear_path::clear_decomposition;
use clearance::planar::Point;
use glam::{DVec2, DVec3};
use rayon::prelude::*;

const N: usize = 256;
const SEEDS: u64 = 10;
const PATHS: [(Path, &str); 4] = [
    (Path::Line, "line, grazing"),
    (Path::Orbit, "orbit, grazing"),
    (Path::RandomCurve, "parabola, random"),
    (Path::Wiggle, "degree 6, random"),
];

pub fn run() -> Vec<Table> {
    vec![theorem(), rates(), turning()]
}

/// A path as points that are close for their distance from the polygon: a disk that is clear holds dozens.
fn sampled(scene: &Scene, motion: &Motion) -> Vec<DVec2> {
    let polygon = scene.shapes[0].polygon().vertices();
    let at = |t: f64| motion.position_near(DVec2::ZERO, t);
    let (mut t, mut path) = (0.0, vec![at(0.0)]);
    while t < 1.0 {
        let here = at(t);
        let speed = (at(t + 1e-6) - here).length() / 1e-6;
        t += (distance(polygon, here) / 60.0 / speed).min(0.01);
        path.push(at(t.min(1.0)));
    }
    path
}

fn theorem() -> Table {
    let mut table = Table::new(
        "Theorem 6.2: events of the inflated hierarchy, a point around a polygon of 256 vertices (10 seeds), beside the size of the \
         smallest kappa-clear decomposition of its path, which is between the two bounds; kappa = 5 + 4 sqrt 2. The theorem \
         asks for distances of at least a multiple of D/n. Random paths that come nearer elsewhere are left out",
        &[
            "path",
            "D/s",
            "events",
            "decomposition, from",
            "to",
            "events / from",
            "events / to",
            "largest events / from",
        ],
    );
    let plane = Plane { method: Method::Inflated, hierarchy: HierarchyKind::Compass };
    for (path, name) in PATHS {
        for x in [4.0, 10.0, 30.0, 100.0] {
            let all: Vec<[f64; 3]> = (0..SEEDS)
                .into_par_iter()
                .filter_map(|seed| {
                    let scene = Scene::new(path, Mover::Point, N, 1 + seed);
                    let s = scene.diameter / x;
                    if scene.least_distance(s) < 0.5 * s {
                        return None;
                    }
                    let motion = scene.motion(s);
                    let (told, stats) = simulate(&scene, motion.clone(), plane);
                    let polygon = scene.shapes[0].polygon().vertices();
                    let points = sampled(&scene, &motion);
                    let found =
                        clear_decomposition(&points, Inflation::default().kappa(), |p| outside(polygon, p));
                    let counts = [stats.certificate_failures() as usize, found.lower, found.upper];
                    told.is_empty().then(|| counts.map(|count| count as f64))
                })
                .collect();
            let mean = |i: usize| all.iter().map(|counts| counts[i]).sum::<f64>() / all.len() as f64;
            let most = all.iter().map(|counts| counts[0] / counts[1]).fold(0.0, f64::max);
            table.row([
                name.to_string(),
                x.to_string(),
                format!("{:.1}", mean(0)),
                format!("{:.1}", mean(1)),
                format!("{:.1}", mean(2)),
                format!("{:.3}", mean(0) / mean(1)),
                format!("{:.3}", mean(0) / mean(2)),
                format!("{most:.3}"),
            ]);
        }
    }
    table
}

/// The distance from a convex polygon, zero inside.
fn outside(polygon: &[DVec2], p: DVec2) -> f64 {
    let is_left =
        |(i, &from): (usize, &DVec2)| (polygon[(i + 1) % polygon.len()] - from).perp_dot(p - from) >= 0.0;
    if polygon.iter().enumerate().all(is_left) { 0.0 } else { distance(polygon, p) }
}

fn rates() -> Table {
    let mut table = Table::new(
        "Beta and kappa against the inflation: the ratio of the offsets of neighbouring layers, and halvings of the envelopes' error \
         below the offset. A point passes a polygon of 256 vertices at D/s = 30 (10 seeds); its events are counted on a finely sampled \
         path, each certificate kept until its line is crossed. Lemma 6.1 promises moves of 1/beta of the distance",
        &[
            "path",
            "ratio",
            "halvings",
            "beta",
            "of these layers",
            "kappa",
            "layers",
            "events",
            "decomposition, from",
            "to",
            "events / from",
            "least move x beta / distance",
        ],
    );
    for (path, name) in [PATHS[0], PATHS[1]] {
        for (ratio, refinement) in
            [(0.25, 0), (0.5, 0), (0.5, 2), (0.75, 0), (0.75, 2), (0.9, 0), (0.9, 4), (0.97, 5)]
        {
            let inflation = Inflation { ratio, refinement };
            let all: Vec<[f64; 6]> =
                (0..SEEDS).into_par_iter().map(|seed| inflated_run(path, 1 + seed, inflation)).collect();
            let mean = |i: usize| all.iter().map(|counts| counts[i]).sum::<f64>() / all.len() as f64;
            let least = all.iter().map(|counts| counts[5]).fold(f64::INFINITY, f64::min);
            table.row([
                name.to_string(),
                ratio.to_string(),
                refinement.to_string(),
                format!("{:.3}", inflation.beta()),
                format!("{:.3}", mean(0)),
                format!("{:.3}", inflation.kappa()),
                format!("{:.0}", mean(1)),
                format!("{:.1}", mean(2)),
                format!("{:.1}", mean(3)),
                format!("{:.1}", mean(4)),
                format!("{:.3}", mean(2) / mean(3)),
                format!("{least:.2}"),
            ]);
        }
    }
    table
}

/// The layers' beta, their number, events, both bounds of the decomposition, the least move between events over what is promised.
fn inflated_run(path: Path, seed: u64, inflation: Inflation) -> [f64; 6] {
    let scene = Scene::new(path, Mover::Point, N, seed);
    let shape = &scene.shapes[0];
    let compass = shape.hierarchy(HierarchyKind::Compass).clone();
    let inflated = Inflated::new(compass, scene.diameter, inflation);
    let points = sampled(&scene, &scene.motion(scene.diameter / 30.0));
    let polygon = shape.polygon().vertices();
    let found = clear_decomposition(&points, inflation.kappa(), |p| outside(polygon, p));
    let line_at = |p: DVec2| {
        let edge = inflated.separating_edge(inflated.locate(&Point::from(p)));
        edge.map(|edge| inflated.hierarchy().line(edge))
    };
    let (mut line, mut last) = (line_at(points[0]), None::<DVec2>);
    let (mut events, mut least) = (0.0, f64::INFINITY);
    for &p in &points {
        if line.is_some_and(|line| line.side(&Point::from(p)).is_positive()) {
            continue;
        }
        if let Some(last) = last {
            least = least.min(p.distance(last) * inflated.beta() / distance(polygon, last));
        }
        events += 1.0;
        (line, last) = (line_at(p), Some(p));
    }
    [inflated.beta(), inflated.layers().len() as f64, events, found.lower as f64, found.upper as f64, least]
}

/// Two polygons that move and turn: the path through all placements, a turn being as long as a point of the rim moves.
fn turning() -> Table {
    let mut table = Table::new(
        "Rotational hysteresis: events of the inflated hierarchy, two polygons of 256 vertices (10 seeds) in rigid motion, beside the size of the \
         smallest clear decomposition of the path through configuration space, of which two bounds are given; the length of a path is that of the \
         translation plus D times the angle, kappa = 5 + 4 sqrt 2. Least way: between two events, over the distance of the polygons. Random motions \
         that come nearer elsewhere are left out",
        &[
            "motion",
            "D/s",
            "runs",
            "events",
            "decomposition, from",
            "to",
            "events / from",
            "largest",
            "least way",
        ],
    );
    for (path, name) in
        [(Path::Roll, "rolling around"), (Path::Tip, "turning at a tip"), (Path::Tumble, "rigid, random")]
    {
        for x in [4.0, 10.0, 30.0, 100.0] {
            let runs: Vec<[f64; 4]> =
                (0..SEEDS).into_par_iter().filter_map(|seed| turning_run(path, 1 + seed, x)).collect();
            let mean = |i: usize| runs.iter().map(|run| run[i]).sum::<f64>() / runs.len() as f64;
            let most = runs.iter().map(|run| run[0] / run[1]).fold(0.0, f64::max);
            let least = runs.iter().map(|run| run[3]).fold(f64::INFINITY, f64::min);
            table.row([
                name.to_string(),
                x.to_string(),
                runs.len().to_string(),
                format!("{:.1}", mean(0)),
                format!("{:.1}", mean(1)),
                format!("{:.1}", mean(2)),
                format!("{:.3}", mean(0) / mean(1)),
                format!("{most:.3}"),
                format!("{least:.2}"),
            ]);
        }
    }
    table
}

/// Events, both bounds of the decomposition, the least way between two events over the distance after the first.
fn turning_run(path: Path, seed: u64, x: f64) -> Option<[f64; 4]> {
    let scene = Scene::new(path, Mover::Polygon, N, seed);
    let s = scene.diameter / x;
    if scene.least_distance(s) < 0.5 * s {
        return None;
    }
    let motion = scene.motion(s);
    let times = failures(&scene, &motion)?;
    let placed = |t: f64| {
        let at = motion.position_near(DVec2::ZERO, t);
        (at, motion.position_near(DVec2::X, t) - at)
    };
    let way = |from: f64, to: f64| {
        let ((p, u), (q, v)) = (placed(from), placed(to));
        p.distance(q) + scene.diameter * u.angle_to(v).abs()
    };
    let apart = |t: f64| gap(&scene.shapes, &motion, t);
    let least =
        times.windows(2).map(|pair| way(pair[0], pair[1]) / apart(pair[0])).fold(f64::INFINITY, f64::min);
    // Points that are close for their distance; the angle goes on across a half turn.
    let (mut t, mut angle, mut points) = (0.0, 0.0, Vec::new());
    while t <= 1.0 {
        let ((at, direction), d) = (placed(t), apart(t));
        points.push((at.extend(scene.diameter * angle), d));
        let mut step = 0.01f64;
        while way(t, t + step) > d / 60.0 {
            step *= 0.5;
        }
        t += step;
        angle += direction.angle_to(placed(t).1);
    }
    let kappa = Inflation::default().kappa();
    // All points of a piece are within two radii of its first one, and no radius is larger than the least distance over kappa - 1.
    let from = pieces(&points, |piece| {
        let room = piece.iter().map(|p| p.1).fold(f64::INFINITY, f64::min) / (kappa - 1.0);
        piece.iter().all(|p| p.0.distance(piece[0].0) <= 2.0 * room)
    });
    let to = pieces(&points, |piece| {
        let (centre, d) = piece[piece.len() / 2];
        piece.iter().all(|p| p.0.distance(centre) <= d / kappa)
    });
    Some([times.len() as f64, from as f64, to as f64, least])
}

/// When certificates failed; none if the bodies met.
fn failures(scene: &Scene, motion: &Motion) -> Option<Vec<f64>> {
    let mut simulation =
        Simulation::in_space(Plane { method: Method::Inflated, hierarchy: HierarchyKind::Compass }, 0.0);
    simulation.subscribe(Subscription::Certificates);
    for (shape, motion) in scene.shapes.iter().zip([Motion::still(), motion.clone()]) {
        simulation
            .add(Body::of_shape(shape.clone(), Plan::from_motion(0.0, motion).expect("a plan from zero")));
    }
    let mut times = Vec::new();
    for event in simulation.run_until(1.0) {
        match event {
            Event::Certificate { kind, time, .. } if kind.is_certificate_failure() => times.push(time.upper),
            Event::Certificate { .. } => {}
            _ => return None,
        }
    }
    Some(times)
}

/// The number of pieces that each go as far as they fit.
fn pieces(points: &[(DVec3, f64)], fits: impl Fn(&[(DVec3, f64)]) -> bool) -> usize {
    let (mut from, mut number) = (0, 0);
    while from < points.len() {
        let mut to = from + 1;
        while to < points.len() && fits(&points[from..=to]) {
            to += 1;
        }
        (from, number) = (to, number + 1);
    }
    number
}
