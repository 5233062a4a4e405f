//! Table 1 of [Erickson99], measured: events and update cost against closeness, beside the paper's bounds, its three baselines and
//! time stepping. Counts only.

mod baselines;
mod clear;
mod fit;
mod scene;
mod stepping;

use crate::plot::{self, Series};
use crate::table::Table;
use clearance::kinetic::{
    Body, Contact, Event, HierarchyKind, Method, Motion, Plan, Plane, Simulation, Statistics, Subscription,
};
use fit::{Count, Run, Runs, Scale, local_slope, means, models};
use rayon::prelude::*;
use scene::{Mover, Path, Scene};

/// All tables.
pub fn run() -> Vec<Table> {
    let rows: Vec<(Row, Vec<(Structure, Runs)>)> = ROWS
        .iter()
        .map(|&row| {
            let measured = STRUCTURES.iter().map(|&structure| (structure, measure(row, structure)));
            (row, measured.collect())
        })
        .collect();
    let mut tables = vec![table_1(&rows), decades(&rows)];
    tables.extend([baselines::run(), stepping::run()]);
    tables.extend(clear::run());
    tables
}

/// A motion of Table 1.
#[derive(Clone, Copy)]
struct Row {
    mover: Mover,
    path: Path,
    class: Class,
    name: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Convex,
    General,
    Rigid,
}

const fn row(mover: Mover, path: Path, class: Class, name: &'static str) -> Row {
    Row { mover, path, class, name }
}

const ROWS: [Row; 15] = [
    row(Mover::Point, Path::Line, Class::Convex, "point: line, grazing"),
    row(Mover::Point, Path::Curve, Class::Convex, "point: parabola, grazing"),
    row(Mover::Point, Path::RandomLine, Class::Convex, "point: line, random"),
    row(Mover::Point, Path::RandomCurve, Class::Convex, "point: parabola, random"),
    row(Mover::Point, Path::Orbit, Class::General, "point: orbit, grazing"),
    row(Mover::Point, Path::Wiggle, Class::General, "point: degree 6, random"),
    row(Mover::Polygon, Path::Line, Class::Convex, "polygons: line, grazing"),
    row(Mover::Polygon, Path::Curve, Class::Convex, "polygons: parabola, grazing"),
    row(Mover::Polygon, Path::RandomLine, Class::Convex, "polygons: line, random"),
    row(Mover::Polygon, Path::RandomCurve, Class::Convex, "polygons: parabola, random"),
    row(Mover::Polygon, Path::Orbit, Class::General, "polygons: orbit, grazing"),
    row(Mover::Polygon, Path::Wiggle, Class::General, "polygons: degree 6, random"),
    row(Mover::Polygon, Path::Roll, Class::Rigid, "polygons: rolling around, grazing"),
    row(Mover::Polygon, Path::Tip, Class::Rigid, "polygons: turning at a tip, grazing"),
    row(Mover::Polygon, Path::Tumble, Class::Rigid, "polygons: rigid, random"),
];

/// A data structure of Table 1.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Structure {
    name: &'static str,
    hierarchy: HierarchyKind,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Eager,
    Lazy,
    Inflated,
}

const STRUCTURES: [Structure; 5] = [
    Structure { name: "compass lazy", hierarchy: HierarchyKind::Compass, kind: Kind::Lazy },
    Structure { name: "compass eager", hierarchy: HierarchyKind::Compass, kind: Kind::Eager },
    Structure { name: "Dudley lazy", hierarchy: HierarchyKind::Dudley, kind: Kind::Lazy },
    Structure { name: "Dudley eager", hierarchy: HierarchyKind::Dudley, kind: Kind::Eager },
    Structure { name: "inflated", hierarchy: HierarchyKind::Compass, kind: Kind::Inflated },
];

/// How much is run: chosen so that all of it takes minutes. An eager event of two polygons takes a time of `O(n)` here, though few steps.
struct Size {
    n: usize,
    decades: usize,
    per_decade: usize,
    seeds: u64,
}

fn size(row: Row, structure: Structure) -> Size {
    let (n, decades, per_decade, seeds) = match (row.class, row.mover, structure.kind) {
        (Class::Convex, Mover::Polygon, Kind::Eager) => (1024, 5, 3, 6),
        (Class::Convex, Mover::Polygon, _) => (1024, 5, 3, 12),
        (Class::Convex, ..) => (1024, 5, 5, 30),
        (_, Mover::Point, Kind::Eager) => (1024, 4, 3, 8),
        (_, Mover::Point, _) => (1024, 4, 3, 30),
        // Up to n^2 events.
        (_, _, Kind::Eager) if row.path == Path::Tip => (128, 3, 3, 2),
        (_, _, Kind::Eager) => (128, 3, 3, 4),
        (Class::General, ..) => (1024, 4, 3, 10),
        (Class::Rigid, ..) if row.path == Path::Tip => (256, 3, 3, 4),
        (Class::Rigid, ..) => (1024, 4, 3, 6),
    };
    Size { n, decades, per_decade, seeds }
}

/// Growth that the paper allows.
#[derive(Clone, Copy)]
enum Bound {
    Log,
    /// A power of the closeness with a power of its logarithm.
    Power {
        exponent: f64,
        logs: f64,
    },
}

impl Row {
    fn bound(self, structure: Structure) -> (Bound, &'static str) {
        let power = |exponent, logs| Bound::Power { exponent, logs };
        match (self.class, self.mover, structure.hierarchy) {
            (Class::Convex, Mover::Point, _) | (Class::Convex, _, HierarchyKind::Compass) => {
                (Bound::Log, "log mu")
            }
            (Class::Convex, ..) | (Class::General, _, HierarchyKind::Dudley) => (power(0.5, 0.0), "mu"),
            (Class::General, ..) => (power(0.5, 1.0), "mu log mu"),
            (Class::Rigid, _, HierarchyKind::Compass) => (power(1.0, 2.0), "mu^2 log^2 mu"),
            (Class::Rigid, ..) => (power(1.0, 0.0), "mu^2"),
        }
    }

    fn method(self, structure: Structure) -> Method {
        match (structure.kind, self.mover) {
            (Kind::Lazy, _) => Method::Lazy,
            (Kind::Inflated, _) => Method::Inflated,
            (Kind::Eager, Mover::Point) => Method::ActiveTriangle,
            (Kind::Eager, Mover::Polygon) => Method::ActiveCell,
        }
    }
}

/// Runs a motion for `t` in `[0, 1]`: what was told and what it cost.
fn simulate(scene: &Scene, motion: Motion, plane: Plane) -> (Vec<Event<Contact>>, Statistics) {
    let mut simulation = Simulation::in_space(plane, 0.0);
    simulation.subscribe(Subscription::Contacts);
    for (shape, motion) in scene.shapes.iter().zip([Motion::still(), motion]) {
        let plan = Plan::from_motion(0.0, motion).expect("a plan from zero");
        simulation.add(Body::of_shape(shape.clone(), plan));
    }
    let events = simulation.run_until(1.0);
    (events, *simulation.statistics())
}

fn measure(row: Row, structure: Structure) -> Runs {
    let Size { n, decades, per_decade, seeds } = size(row, structure);
    let plane = Plane { method: row.method(structure), hierarchy: structure.hierarchy };
    let points = decades * per_decade + 1;
    let by_seed: Vec<Vec<Option<Run>>> = (0..seeds)
        .into_par_iter()
        .map(|seed| {
            let scene = Scene::new(row.path, row.mover, n, 1 + seed);
            let at = |i: usize| scene.diameter * 0.1f64.powf(1.0 + i as f64 / per_decade as f64);
            (0..points).map(|i| one(&scene, at(i), plane)).collect()
        })
        .collect();
    (0..points).map(|i| by_seed.iter().map(|runs| runs[i]).collect()).collect()
}

fn one(scene: &Scene, s: f64, plane: Plane) -> Option<Run> {
    let (told, stats) = simulate(scene, scene.motion(s), plane);
    told.is_empty().then(|| Run {
        x: scene.diameter / scene.least_distance(s),
        events: stats.certificate_failures() as f64,
        steps: stats.update_steps as f64,
    })
}

const EVENTS: Count = |run| run.events;
const STEPS: Count = |run| run.steps;

type Measured = [(Row, Vec<(Structure, Runs)>)];

/// Whether counts grow as a bound allows: the growth of the last two decades, and what is allowed there.
fn verdict(bound: Bound, runs: &Runs, per_decade: usize, count: Count) -> (String, String, bool) {
    let late = &runs[runs.len() - 1 - 2 * per_decade..];
    match bound {
        Bound::Log => {
            let early = local_slope(&runs[..=2 * per_decade], count, Scale::PerDecade);
            let late = local_slope(late, count, Scale::PerDecade);
            (format!("+{late} a decade"), format!("+{:.2} as before", early.high), late.low <= early.high)
        }
        Bound::Power { exponent, logs } => {
            let late_slope = local_slope(late, count, Scale::Exponent);
            let middle = means(runs, EVENTS);
            let ln =
                middle.get(middle.len() - 1 - per_decade).map_or(f64::NAN, |p| p.0) * std::f64::consts::LN_10;
            let allowed = exponent + logs / ln;
            (format!("x^{late_slope}"), format!("x^{allowed:.2}"), late_slope.low <= allowed)
        }
    }
}

fn table_1(rows: &Measured) -> Table {
    let mut table = Table::new(
        "Table 1 of [Erickson99], x = D/s, mu = min(n, sqrt x): growth of the number of events and of the update steps over the last \
         two decades of x, with bootstrap 95 % intervals, beside the growth that the bound has there (for a logarithm: the \
         growth a decade of the first two decades, upper end). AIC: of a x^p less that of a + b log x, positive where the logarithm \
         fits the events better",
        &[
            "motion",
            "structure",
            "n",
            "seeds",
            "met",
            "x to",
            "paper",
            "events, first and last",
            "events grow",
            "allowed",
            "within",
            "b a decade",
            "p",
            "AIC",
            "steps an event, first and last",
            "steps grow",
            "steps allowed",
            "within ",
        ],
    );
    let mut plots: [Vec<Series>; 3] = Default::default();
    for (row, structures) in rows {
        for (structure, runs) in structures {
            let Size { n, per_decade, seeds, .. } = size(*row, *structure);
            let (bound, name) = row.bound(*structure);
            let (events, steps) = (means(runs, EVENTS), means(runs, STEPS));
            let ([first, .., last], [first_steps, .., last_steps]) = (&events[..], &steps[..]) else {
                continue;
            };
            let growth = verdict(bound, runs, per_decade, EVENTS);
            let steps_growth = verdict(bound, runs, per_decade, STEPS);
            let fitted = models(runs, EVENTS);
            let met = runs.iter().flatten().filter(|run| run.is_none()).count();
            let yes = |within: bool| if within { "yes" } else { "NO" }.to_string();
            table.row([
                row.name.to_string(),
                structure.name.to_string(),
                n.to_string(),
                seeds.to_string(),
                met.to_string(),
                format!("10^{:.1}", last.0),
                name.to_string(),
                format!("{:.1} {:.1}", first.1, last.1),
                growth.0,
                growth.1,
                yes(growth.2),
                format!("{:.2}", fitted.per_decade),
                format!("{:.2}", fitted.exponent),
                format!("{:+.0}", fitted.power_less_log),
                format!("{:.1} {:.1}", first_steps.1 / first.1, last_steps.1 / last.1),
                steps_growth.0,
                steps_growth.1,
                yes(steps_growth.2),
            ]);
            let is_drawn = matches!(row.path, Path::Line | Path::Orbit | Path::Roll);
            if is_drawn && (row.mover == Mover::Polygon || *structure == STRUCTURES[0]) {
                let (plot, points) = match row.class {
                    Class::Convex => (0, events.clone()),
                    class => (class as usize, events.iter().map(|p| (p.0, p.1.max(0.1).log10())).collect()),
                };
                let mover = if row.mover == Mover::Point { "point, " } else { "" };
                plots[plot].push(Series { name: format!("{mover}{}", structure.name), points });
            }
        }
    }
    let [line, orbit, roll] = plots;
    table.attach(
        "erickson99-line.svg",
        plot::lines("Events on a straight line", "log10 D/s", "events", &line),
    );
    let draw = |title: &str, series: &[Series]| plot::lines(title, "log10 D/s", "log10 events", series);
    table.attach("erickson99-orbit.svg", draw("Events in orbit", &orbit));
    table.attach("erickson99-roll.svg", draw("Events of rolling around", &roll));
    table
}

fn decades(rows: &Measured) -> Table {
    let mut table = Table::new(
        "Local slopes: the exponent of the number of events in D/s in each decade, with bootstrap 95 % intervals",
        &["motion", "structure", "10 to 10^2", "to 10^3", "to 10^4", "to 10^5", "to 10^6"],
    );
    for (row, structures) in rows {
        for (structure, runs) in structures {
            let Size { decades, per_decade, .. } = size(*row, *structure);
            let slope = |k: usize| match k < decades {
                true => local_slope(&runs[k * per_decade..=(k + 1) * per_decade], EVENTS, Scale::Exponent)
                    .to_string(),
                false => "-".to_string(),
            };
            let cells = [row.name.to_string(), structure.name.to_string()];
            table.row(cells.into_iter().chain((0..5).map(slope)));
        }
    }
    table
}
