//! The collision screen of [Buss04 §9.1] beside the paper's table and the analytic engine: cost, error and growth.

use crate::measure::least_times;
use crate::plot::{self, Series};
use crate::table::Table;
use clearance::Pose;
use clearance::body::Body;
use clearance::math::{Random, Screw};
use clearance::pair::Feature;
use clearance::screw::{
    ContactKind, ContactsConfig, Lookup, Moving, Resolution, Screen, ScreenStats, ScrewContact, ScrewStats,
    Surface, contacts_after_screen,
};
use clearance::shape::sample::{ThreadConfig, bolt, car, cube, nut, rectangle_torus, torus};
use clearance::shape::{Mesh, MeshConfig, Shape, TriangleSoup};
use glam::DVec3;
use std::f64::consts::TAU;
use std::hint::black_box;
use std::time::Duration;

/// Pixels of a short edge at the paper's three resolutions.
const PIXELS: [f64; 3] = [Resolution::LOW, Resolution::MEDIUM, Resolution::HIGH];

/// Steps with a contact, of each pair of bodies.
const STEPS: usize = 24;

/// All tables.
pub fn run() -> Vec<Table> {
    let bodies = bodies();
    let mut costs = costs(&bodies);
    costs.attach("buss04-screen.svg", picture(&bodies[2]));
    vec![costs, errors(&bodies), growth(), threads()]
}

/// Tori on the screen, as in Figure 14: a step with three proper contacts.
fn picture(tori: &Sample) -> String {
    let mut screen = Screen::default();
    let mut random = Random::new(4);
    loop {
        let step = step(&mut random, tori.radius);
        let fine = resolution(&tori.surface, &step, Resolution::MEDIUM);
        let mut told = on_screen(&mut screen, &tori.surface, &step, fine);
        told.retain(|contact| contact.properness >= 0.0);
        if told.len() == 3 {
            return crate::screen_picture::svg(&screen, &told);
        }
    }
}

/// A body of the paper's table with its times in microseconds on a Pentium 4 of 2.4 GHz.
struct Sample {
    name: &'static str,
    surface: Surface,
    positions: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    radius: f64,
    is_convex: bool,
    paper: [f64; 3],
}

impl Sample {
    fn new(name: &'static str, soup: &TriangleSoup, paper: [f64; 3]) -> Sample {
        let mesh = Mesh::build(soup, &MeshConfig::default()).expect("a sample");
        let (positions, triangles) = (mesh.positions().to_vec(), mesh.triangles().to_vec());
        let radius = positions.iter().map(|p| p.length()).fold(0.0, f64::max);
        // A convex one is a polytope then, with faces of four corners as in the paper.
        let body = Body::try_from(&Shape::from(mesh)).expect("a mesh");
        let is_convex = matches!(body, Body::Convex(_));
        let surface = Surface::new(&body).expect("flat faces");
        Sample { name, surface, positions, triangles, radius, is_convex, paper }
    }

    /// Whether the faces of an edge of it look along a direction.
    fn looks_along(&self, feature: Feature, pose: &Pose, direction: DVec3) -> bool {
        // A polytope has no hollows, and numbers of its own.
        if self.is_convex {
            return true;
        }
        let ends = feature.vertices();
        let at_edge = self.triangles.iter().filter(|t| ends.iter().all(|v| t.contains(v)));
        let normals = at_edge.map(|t| {
            let [p, q, r] = t.map(|v| self.positions[v as usize]);
            (q - p).cross(r - p).normalize()
        });
        pose.apply_vector(normals.sum()).dot(direction) > 0.0
    }
}

fn bodies() -> [Sample; 3] {
    [
        Sample::new("cubes", &cube(1.0).to_soup(), [56.0, 63.0, 77.0]),
        Sample::new("cars", &car().to_soup(), [109.0, 128.0, 170.0]),
        Sample::new("tori of 300 quads", &rectangle_torus().to_soup(), [2040.0, 2560.0, 3480.0]),
    ]
}

struct Step {
    from_a: Pose,
    from_b: Pose,
    screw: Screw,
}

/// From one side of a body through it, turning by up to 45 degrees as a simulation does.
fn step(random: &mut Random, radius: f64) -> Step {
    let mut vector = || DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
    let axes = [vector(), vector(), vector()];
    let (along, side) = (vector().normalize(), vector().normalize());
    let across = (side - along * side.dot(along)).normalize();
    let miss = across * random.range(0.0, 1.2);
    let turned = |axis: DVec3, angle: f64| Pose::from_axis_angle(axis, angle, DVec3::ZERO).expect("a turn");
    let (from_a, start) =
        (turned(axes[0], random.range(-3.0, 3.0)), turned(axes[1], random.range(-3.0, 3.0)));
    let turn = turned(axes[2], random.range(-0.8, 0.8));
    let at = |place: DVec3, turn: glam::DMat3| Pose::new(turn, place * radius).expect("a place");
    let from_b = at(miss - along * 2.2, start.rotation());
    let to_b = at(miss + along * random.range(-1.0, 1.0), turn.rotation() * start.rotation());
    Step { from_a, from_b, screw: Screw::between(&from_b, &to_b).0 }
}

/// Steps in which the bodies meet, with the contacts.
fn meeting(sample: &Sample, seed: u64, count: usize) -> Vec<(Step, Vec<ScrewContact>)> {
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let step = step(&mut random, sample.radius);
        let told = analytic(&sample.surface, &step, &mut ScrewStats::default());
        if !told.is_empty() {
            found.push((step, told));
        }
    }
    found
}

fn analytic(s: &Surface, step: &Step, stats: &mut ScrewStats) -> Vec<ScrewContact> {
    let config = ContactsConfig::default();
    clearance::screw::contacts_with(
        s,
        &step.from_a,
        s,
        &step.from_b,
        &step.screw,
        Moving::Second,
        &config,
        stats,
    )
}

/// The analytic engine after a screen.
fn filtered(s: &Surface, step: &Step, coarse: Resolution) -> Vec<ScrewContact> {
    let config = ContactsConfig::default();
    contacts_after_screen(
        s,
        &step.from_a,
        s,
        &step.from_b,
        &step.screw,
        Moving::Second,
        &config,
        coarse,
        &mut ScrewStats::default(),
    )
}

fn resolution(s: &Surface, step: &Step, pixels: f64) -> Resolution {
    Resolution::per_short_edge(pixels, [s, s], s, &step.from_b, &step.screw).expect("bodies with edges")
}

fn on_screen(screen: &mut Screen, s: &Surface, step: &Step, resolution: Resolution) -> Vec<ScrewContact> {
    let config = ContactsConfig::default();
    screen.contacts(s, &step.from_a, s, &step.from_b, &step.screw, Moving::Second, &config, resolution)
}

fn microseconds(time: Duration, steps: usize) -> f64 {
    time.as_secs_f64() * 1e6 / steps as f64
}

/// The paper's table beside ours.
fn costs(bodies: &[Sample]) -> Table {
    let columns = [
        "bodies",
        "pixels of a short edge",
        "paper, us",
        "screen, us",
        "paper / screen",
        "hashed, us",
        "analytic, us",
        "filtered, us",
        "contacts, screen",
        "analytic",
        "pixels n",
        "pairs m",
    ];
    let mut table =
        Table::new("All contacts of a step on a collision screen, mean of a step that has some", &columns);
    for sample in bodies {
        let s = &sample.surface;
        let steps = meeting(sample, 1, STEPS);
        let coarse: Vec<Resolution> = steps.iter().map(|(step, _)| resolution(s, step, 1.0)).collect();
        let proved = least_times(
            2,
            [
                &mut || {
                    for (step, _) in &steps {
                        black_box(analytic(s, step, &mut ScrewStats::default()));
                    }
                },
                &mut || {
                    for ((step, _), &coarse) in steps.iter().zip(&coarse) {
                        black_box(filtered(s, step, coarse));
                    }
                },
            ],
        )
        .map(|time| microseconds(time, STEPS));
        for (pixels, paper) in PIXELS.into_iter().zip(sample.paper) {
            let fine: Vec<Resolution> = steps.iter().map(|(step, _)| resolution(s, step, pixels)).collect();
            let (mut sorted, mut hashed) = (Screen::default(), Screen::new(Lookup::Hashed));
            let (mut told, mut stats) = (0, ScreenStats::default());
            let all = || steps.iter().map(|(step, _)| step).zip(&fine);
            let times = least_times(
                15,
                [
                    &mut || {
                        (told, stats) = (0, ScreenStats::default());
                        for (step, &fine) in all() {
                            told += black_box(on_screen(&mut sorted, s, step, fine)).len();
                            let one = sorted.stats();
                            stats.pixels += one.pixels;
                            stats.pairs += one.pairs;
                        }
                    },
                    &mut || {
                        for (step, &fine) in all() {
                            black_box(on_screen(&mut hashed, s, step, fine));
                        }
                    },
                ],
            )
            .map(|time| microseconds(time, STEPS));
            let mean = |sum: f64| format!("{:.1}", sum / STEPS as f64);
            table.row([
                sample.name.to_string(),
                format!("{pixels}"),
                format!("{paper}"),
                format!("{:.2}", times[0]),
                format!("{:.1}", paper / times[0]),
                format!("{:.2}", times[1]),
                format!("{:.0}", proved[0]),
                format!("{:.0}", proved[1]),
                mean(told as f64),
                mean(steps.iter().map(|(_, found)| found.len() as f64).sum()),
                mean(stats.pixels as f64),
                mean(stats.pairs as f64),
            ]);
        }
    }
    table
}

/// What is found and how far off it is, by resolution.
fn errors(bodies: &[Sample]) -> Table {
    const FINE: [f64; 6] = [3.0, 6.0, 12.0, 24.0, 48.0, 96.0];
    let columns = [
        "bodies",
        "pixels of a short edge",
        "proper contacts",
        "found",
        "mean error in time of edges, cells",
        "worst",
        "mean error in place of edges, pixels",
        "worst",
    ];
    let mut table = Table::new("Proper contacts that the screen finds, and how far off", &columns);
    let (mut recall, mut late) = (Vec::new(), Vec::new());
    for sample in bodies {
        let (mut missed, mut off) = (Vec::new(), Vec::new());
        let steps = meeting(sample, 2, if sample.triangles.len() > 100 { 30 } else { 300 });
        for pixels in FINE {
            let mut tally = Tally::default();
            let mut screen = Screen::default();
            for (step, truth) in &steps {
                let fine = resolution(&sample.surface, step, pixels);
                let told = on_screen(&mut screen, &sample.surface, step, fine);
                tally.add(sample, step, truth, &told, fine);
            }
            let count = tally.edges.max(1) as f64;
            missed.push((pixels, 100.0 * (tally.proper - tally.found) as f64 / tally.proper.max(1) as f64));
            off.push((pixels, 1e6 * tally.seconds / count));
            table.row([
                sample.name.to_string(),
                format!("{pixels}"),
                tally.proper.to_string(),
                format!("{:.2} %", 100.0 * tally.found as f64 / tally.proper.max(1) as f64),
                format!("{:.4}", tally.cells / count),
                format!("{:.3}", tally.worst_cells),
                format!("{:.4}", tally.pixels / count),
                format!("{:.3}", tally.worst_pixels),
            ]);
        }
        recall.push(Series { name: sample.name.to_string(), points: missed });
        late.push(Series { name: sample.name.to_string(), points: off });
    }
    let x = "pixels of a short edge";
    table.attach(
        "buss04-missed.svg",
        plot::lines("Proper contacts that the screen misses", x, "percent", &recall),
    );
    table.attach(
        "buss04-late.svg",
        plot::lines("Mean error in time of crossing edges", x, "millionths of the step", &late),
    );
    table
}

#[derive(Default)]
struct Tally {
    proper: usize,
    found: usize,
    edges: usize,
    seconds: f64,
    cells: f64,
    worst_cells: f64,
    pixels: f64,
    worst_pixels: f64,
}

impl Tally {
    fn add(
        &mut self,
        sample: &Sample,
        step: &Step,
        truth: &[ScrewContact],
        told: &[ScrewContact],
        fine: Resolution,
    ) {
        for contact in truth {
            let is_clear = contact.is_proved && contact.until == contact.upper && contact.properness >= 0.0;
            // Formula (7) also calls edges in a hollow proper that are met from inside.
            let Some((there, _)) = step.screw.pose_at(contact.lower, &step.from_b) else { continue };
            let looks = sample.looks_along(contact.feature_a, &step.from_a, contact.normal)
                && sample.looks_along(contact.feature_b, &there, -contact.normal);
            if !is_clear || (contact.kind == ContactKind::EdgeEdge && !looks) {
                continue;
            }
            self.proper += 1;
            let late = |c: &ScrewContact| {
                let (first, last) = (c.upper - fine.time(), c.lower + fine.time());
                (first.min(last) - contact.lower).max(contact.lower - first.max(last)).max(0.0)
            };
            let away = |c: &ScrewContact| (c.point - contact.point).length() / fine.pixel();
            let is_same = |c: &ScrewContact| {
                (c.kind, c.feature_a, c.feature_b) == (contact.kind, contact.feature_a, contact.feature_b)
            };
            let fits = |c: &&ScrewContact| late(c) < 2.0 * fine.time() && (is_same(c) || away(c) < 1.0);
            let best = told.iter().filter(fits).min_by(|x, y| late(x).total_cmp(&late(y)));
            let Some(best) = best else { continue };
            self.found += 1;
            if best.kind == ContactKind::EdgeEdge {
                self.edges += 1;
                self.seconds += late(best);
                self.cells += late(best) / fine.time();
                self.worst_cells = self.worst_cells.max(late(best) / fine.time());
                self.pixels += away(best);
                self.worst_pixels = self.worst_pixels.max(away(best));
            }
        }
    }
}

/// `n log n + m`: tori of more and more triangles.
fn growth() -> Table {
    let columns = [
        "triangles",
        "pixels n",
        "pairs m",
        "screen, us",
        "us / 1000 (n log2 n + m)",
        "analytic, us",
        "filtered, us",
    ];
    let mut table = Table::new("Growth of the cost: tori at 6 pixels for a short edge", &columns);
    for around in [12, 24, 48, 96] {
        let soup = torus(2.0, 1.0, around, around / 2).expect("a torus");
        let sample = Sample::new("tori", &soup, [0.0; 3]);
        let s = &sample.surface;
        let steps = meeting(&sample, 3, 3);
        let fine: Vec<Resolution> = steps.iter().map(|(step, _)| resolution(s, step, 6.0)).collect();
        let coarse: Vec<Resolution> = steps.iter().map(|(step, _)| resolution(s, step, 1.0)).collect();
        let mut screen = Screen::default();
        let mut stats = ScreenStats::default();
        let times = least_times(
            2,
            [
                &mut || {
                    stats = ScreenStats::default();
                    for ((step, _), &fine) in steps.iter().zip(&fine) {
                        black_box(on_screen(&mut screen, s, step, fine));
                        stats.pixels += screen.stats().pixels;
                        stats.pairs += screen.stats().pairs;
                    }
                },
                &mut || {
                    for (step, _) in &steps {
                        black_box(analytic(s, step, &mut ScrewStats::default()));
                    }
                },
                &mut || {
                    for ((step, _), &coarse) in steps.iter().zip(&coarse) {
                        black_box(filtered(s, step, coarse));
                    }
                },
            ],
        )
        .map(|time| microseconds(time, steps.len()));
        let (n, m) = (stats.pixels as f64 / steps.len() as f64, stats.pairs as f64 / steps.len() as f64);
        table.row([
            sample.triangles.len().to_string(),
            format!("{n:.0}"),
            format!("{m:.0}"),
            format!("{:.0}", times[0]),
            format!("{:.2}", 1e3 * times[0] / (n * n.log2() + m)),
            format!("{:.0}", times[1]),
            format!("{:.0}", times[2]),
        ]);
    }
    table
}

/// A bolt in its nut, with and without layers of time.
fn threads() -> Table {
    let columns = ["turns of the step", "lookup", "pixels n", "pairs m", "screen, us", "contacts"];
    let mut table = Table::new("A bolt screwed into its nut: pixels sorted by time, too", &columns);
    let config = ThreadConfig { length: 12.0, segments: 24, ..ThreadConfig::default() };
    let bolt = Sample::new("bolt", &bolt(&config).expect("a bolt"), [0.0; 3]);
    let nut = Sample::new("nut", &nut(&config).expect("a nut"), [0.0; 3]);
    let seat = Pose::from_translation(DVec3::Z * 3.0).expect("a place");
    for turns in [0.02, 0.1, 0.5] {
        // A little more advance than the thread has: it jams.
        let screw = Screw::new(DVec3::Z, DVec3::ZERO, turns * TAU, turns * 1.5 + 0.1).expect("a screw");
        let fine = Resolution::new(0.05, 0.02).expect("a resolution");
        for lookup in [Lookup::Sorted, Lookup::Tiled, Lookup::Hashed] {
            let mut screen = Screen::new(lookup);
            let mut found = 0;
            let (a, b, asked) = (&bolt.surface, &nut.surface, ContactsConfig::default());
            let [time] = least_times(
                3,
                [&mut || {
                    let told =
                        screen.contacts(a, &Pose::IDENTITY, b, &seat, &screw, Moving::Second, &asked, fine);
                    found = black_box(told).len();
                }],
            );
            let stats = screen.stats();
            table.row([
                format!("{turns}"),
                format!("{lookup:?}"),
                stats.pixels.to_string(),
                stats.pairs.to_string(),
                format!("{:.0}", microseconds(time, 1)),
                found.to_string(),
            ]);
        }
    }
    table
}
