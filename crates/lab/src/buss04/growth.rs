//! How the cost grows: `n log n + m`, coarse boxes first, a bolt in its nut, and what the screen saves as a filter.

use super::scene::{Sample, Step, Stride, analytic, filtered, meeting, microseconds, on_screen, resolution};
use crate::measure::least_times;
use crate::table::Table;
use clearance::Pose;
use clearance::math::Screw;
use clearance::screw::{ContactsConfig, Lookup, Moving, Resolution, Screen, ScreenStats, ScrewStats};
use clearance::shape::sample::{ThreadConfig, bolt, nut, torus};
use glam::DVec3;
use std::f64::consts::TAU;
use std::hint::black_box;

/// Bodies with more triangles are not given to the analytic engine.
const MOST_PROVED: usize = 3000;

/// Tori of more and more triangles that go through each other, and that touch with a small part of them.
pub fn growth() -> Vec<Table> {
    let columns = ["triangles", "pixels n", "pairs m", "screen, us", "ns / (n log2 n + m)", "analytic, us"];
    let mut through =
        Table::new("Growth of the cost: tori through each other, 6 pixels for a short edge", &columns);
    let mut beside = Table::new(
        "Coarse boxes first: tori that come near with a small part, 6 pixels for a short edge",
        &columns,
    );
    for around in [12, 24, 48, 96, 192] {
        let soup = torus(2.0, 1.0, around, around / 2).expect("a torus");
        let sample = Sample::new("tori", &soup, [0.0; 3]);
        // Steps of the coarse one: the same motions for all.
        let steps: Vec<Step> = meeting(
            &Sample::new("tori", &torus(2.0, 1.0, 24, 12).expect("a torus"), [0.0; 3]),
            &Stride::THROUGH,
            3,
            3,
        )
        .into_iter()
        .map(|(step, _)| step)
        .collect();
        row(&mut through, &sample, &steps);
        // Rim to rim, a little deep.
        let from_b = Pose::from_translation(DVec3::new(6.0, 0.0, 0.3)).expect("a place");
        let screw =
            Screw::new(DVec3::new(0.02, 0.01, 1.0), DVec3::new(6.0, 9.0, 0.0), -0.01, 0.02).expect("a screw");
        row(&mut beside, &sample, &[Step { from_a: Pose::IDENTITY, from_b, screw }]);
    }
    vec![through, beside]
}

fn row(table: &mut Table, sample: &Sample, steps: &[Step]) {
    let s = &sample.surface;
    let fine: Vec<Resolution> = steps.iter().map(|step| resolution(s, step, 6.0)).collect();
    let (mut screen, mut stats) = (Screen::default(), ScreenStats::default());
    let [time] = least_times(
        5,
        [&mut || {
            stats = ScreenStats::default();
            for (step, &fine) in steps.iter().zip(&fine) {
                black_box(on_screen(&mut screen, s, step, fine));
                stats.pixels += screen.stats().pixels;
                stats.pairs += screen.stats().pairs;
            }
        }],
    );
    let time = microseconds(time, steps.len());
    let proved = (sample.triangles().len() <= MOST_PROVED).then(|| {
        let [time] = least_times(
            1,
            [&mut || {
                for step in steps {
                    black_box(analytic(s, step, &mut ScrewStats::default()));
                }
            }],
        );
        microseconds(time, steps.len())
    });
    let mean = |sum: u64| sum as f64 / steps.len() as f64;
    let (n, m) = (mean(stats.pixels), mean(stats.pairs));
    table.row([
        sample.triangles().len().to_string(),
        format!("{n:.0}"),
        format!("{m:.0}"),
        format!("{time:.1}"),
        format!("{:.1}", 1e3 * time / (n * n.max(2.0).log2() + m)),
        proved.map_or_else(|| "-".to_string(), |time| format!("{time:.0}")),
    ]);
}

/// A bolt in its nut, with and without layers of time.
pub fn threads() -> Table {
    let columns = [
        "turns of the thread",
        "turns of the step",
        "lookup",
        "pixels n",
        "pairs m",
        "screen, us",
        "contacts",
    ];
    let mut table = Table::new("A bolt screwed into its nut: tiles with layers of time", &columns);
    for (length, turns) in [(6.0, 0.02), (12.0, 0.02), (24.0, 0.02), (24.0, 0.1), (24.0, 0.5)] {
        let config = ThreadConfig { length, segments: 24, ..ThreadConfig::default() };
        let bolt = Sample::new("bolt", &bolt(&config).expect("a bolt"), [0.0; 3]);
        let nut = Sample::new("nut", &nut(&config).expect("a nut"), [0.0; 3]);
        let seat = Pose::from_translation(DVec3::Z * 3.0).expect("a place");
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
                format!("{:.0}", length / config.pitch),
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

/// What a coarse screen saves the analytic engine.
pub fn filter(bodies: &[Sample]) -> Table {
    let columns = [
        "bodies",
        "pixels of a short edge",
        "pairs of cells, analytic",
        "filtered",
        "features, analytic",
        "filtered",
        "analytic, us",
        "filtered, us",
    ];
    let mut table = Table::new("The screen in front of the analytic engine: the same answers", &columns);
    for sample in bodies {
        let (s, count) = (&sample.surface, if sample.triangles().len() > 100 { 4 } else { 24 });
        let steps = meeting(sample, &Stride::THROUGH, 5, count);
        for pixels in [0.5, 1.0, 4.0] {
            let coarse: Vec<Resolution> = steps.iter().map(|(step, _)| resolution(s, step, pixels)).collect();
            let mut stats = [ScrewStats::default(); 2];
            let [plain, after] = &mut stats;
            let times = least_times(
                2,
                [
                    &mut || {
                        *plain = ScrewStats::default();
                        steps.iter().for_each(|(step, _)| drop(black_box(analytic(s, step, plain))));
                    },
                    &mut || {
                        *after = ScrewStats::default();
                        for ((step, _), &coarse) in steps.iter().zip(&coarse) {
                            black_box(filtered(s, step, coarse, after));
                        }
                    },
                ],
            )
            .map(|time| microseconds(time, count));
            let mean = |sum: u64| format!("{:.0}", sum as f64 / count as f64);
            table.row([
                sample.name.to_string(),
                format!("{pixels}"),
                mean(stats[0].cells),
                mean(stats[1].cells),
                mean(stats[0].features),
                mean(stats[1].features),
                format!("{:.0}", times[0]),
                format!("{:.0}", times[1]),
            ]);
        }
    }
    table
}
