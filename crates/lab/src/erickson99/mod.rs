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
use fit::{Count, Estimate, Run, Runs, Scale, largest_ratio, local_slope, means, models};
use rayon::prelude::*;
use scene::{Mover, Path, Scene};

/// All tables.
pub fn run() -> Vec<Table> {
    let rows: Vec<(Row, Vec<(Structure, Runs)>)> = ROWS.iter().map(|&row| (row, measure(row))).collect();
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

/// How much is run: chosen so that all of it takes minutes.
#[derive(Clone, Copy)]
struct Size {
    n: usize,
    decades: usize,
    per_decade: usize,
    seeds: u64,
}

impl Row {
    fn size(self) -> Size {
        let (n, decades, per_decade, seeds) = match (self.class, self.mover) {
            (Class::Convex, _) => (2048, 5, 5, 30),
            (_, Mover::Point) => (2048, 4, 5, 30),
            // Up to mu^2 events of every run.
            _ if self.path == Path::Tip => (512, 4, 3, 10),
            _ if self.path.is_random() => (1024, 4, 5, 30),
            _ => (1024, 4, 5, 10),
        };
        Size { n, decades, per_decade, seeds }
    }
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

/// All structures on the same scenes.
fn measure(row: Row) -> Vec<(Structure, Runs)> {
    let Size { n, decades, per_decade, seeds } = row.size();
    let points = decades * per_decade + 1;
    let by_seed: Vec<Vec<Vec<Option<Run>>>> = (0..seeds)
        .into_par_iter()
        .map(|seed| {
            let scene = Scene::new(row.path, row.mover, n, 1 + seed);
            let at = |i: usize| scene.diameter * 0.1f64.powf(1.0 + i as f64 / per_decade as f64);
            let run = |structure: &Structure| {
                let plane = Plane { method: row.method(*structure), hierarchy: structure.hierarchy };
                (0..points).map(|i| one(&scene, at(i), plane)).collect()
            };
            STRUCTURES.iter().map(run).collect()
        })
        .collect();
    let of = |k: usize| (0..points).map(|i| by_seed.iter().map(|runs| runs[k][i]).collect()).collect();
    STRUCTURES.iter().enumerate().map(|(k, &structure)| (structure, of(k))).collect()
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

/// The growth of counts over the last two decades, what a bound allows there, and whether that is within the interval.
struct Verdict {
    growth: String,
    allowed: String,
    is_within: bool,
    /// Count over bound at most, in all decades but the last two and in these: an upper bound holds if that does not grow.
    ratios: [Estimate; 2],
}

impl Verdict {
    fn new(bound: Bound, runs: &Runs, n: usize, per_decade: usize, count: Count) -> Verdict {
        let (early, late) = (&runs[..=2 * per_decade], &runs[runs.len() - 1 - 2 * per_decade..]);
        let of_bound = |x: f64| {
            let mu = x.sqrt().min(n as f64);
            match bound {
                Bound::Log => mu.ln(),
                Bound::Power { exponent, logs } => mu.powf(2.0 * exponent) * mu.ln().powf(logs),
            }
        };
        let ratios = [early, late].map(|part| largest_ratio(part, count, of_bound));
        let (growth, allowed, is_within) = match bound {
            Bound::Log => {
                let early = local_slope(early, count, Scale::PerDecade);
                let late = local_slope(late, count, Scale::PerDecade);
                let allowed = format!("+{:.2} as before", early.high);
                (format!("+{late} a decade"), allowed, late.low <= early.high)
            }
            Bound::Power { exponent, logs } => {
                let late = local_slope(late, count, Scale::Exponent);
                let middle = means(runs, count);
                let ln = middle.get(middle.len() - 1 - per_decade).map_or(f64::NAN, |p| p.0)
                    * std::f64::consts::LN_10;
                let allowed = exponent + logs / ln;
                (format!("x^{late}"), format!("x^{allowed:.2}"), late.low <= allowed)
            }
        };
        Verdict { growth, allowed, is_within, ratios }
    }

    fn ratio_holds(&self) -> bool {
        self.ratios[1].low <= self.ratios[0].high
    }
}

fn yes(within: bool) -> String {
    if within { "yes" } else { "NO" }.to_string()
}

fn table_1(rows: &Measured) -> Table {
    let mut table = Table::new(
        "Table 1 of [Erickson99], x = D/s, mu = min(n, sqrt x): growth of the number of events and of the update steps over the last \
         two decades of x, with bootstrap 95 % intervals, beside the growth that the bound has there (for a logarithm: the \
         growth a decade of the first two decades, upper end); and the largest ratio of count to bound in the first two and in the last \
         two decades. AIC: of a x^p less that of a + b log x, positive where the logarithm \
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
            "events / bound, early and late",
            "no larger",
            "b a decade",
            "p",
            "AIC",
            "steps an event, first and last",
            "steps grow",
            "steps allowed",
            "within ",
            "steps / bound, early and late",
            "no larger ",
        ],
    );
    let mut plots: [Vec<Series>; 3] = Default::default();
    for (row, structures) in rows {
        for (structure, runs) in structures {
            let Size { n, per_decade, seeds, .. } = row.size();
            let (bound, name) = row.bound(*structure);
            let (events, steps) = (means(runs, EVENTS), means(runs, STEPS));
            let ([first, .., last], [first_steps, .., last_steps]) = (&events[..], &steps[..]) else {
                continue;
            };
            let growth = Verdict::new(bound, runs, n, per_decade, EVENTS);
            let steps_growth = Verdict::new(bound, runs, n, per_decade, STEPS);
            let fitted = models(runs, EVENTS);
            let met = runs.iter().flatten().filter(|run| run.is_none()).count();
            table.row([
                row.name.to_string(),
                structure.name.to_string(),
                n.to_string(),
                seeds.to_string(),
                met.to_string(),
                format!("10^{:.1}", last.0),
                name.to_string(),
                format!("{:.1} {:.1}", first.1, last.1),
                growth.growth.clone(),
                growth.allowed.clone(),
                yes(growth.is_within),
                format!("{} {}", growth.ratios[0], growth.ratios[1]),
                yes(growth.ratio_holds()),
                format!("{:.2}", fitted.per_decade),
                format!("{:.2}", fitted.exponent),
                format!("{:+.0}", fitted.power_less_log),
                format!("{:.1} {:.1}", first_steps.1 / first.1, last_steps.1 / last.1),
                steps_growth.growth.clone(),
                steps_growth.allowed.clone(),
                yes(steps_growth.is_within),
                format!("{} {}", steps_growth.ratios[0], steps_growth.ratios[1]),
                yes(steps_growth.ratio_holds()),
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
            let Size { decades, per_decade, .. } = row.size();
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
