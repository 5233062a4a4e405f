//! The table of [Buss04 §9.1].

use super::scene::{Sample, Stride, analytic, meeting, microseconds, on_screen, resolution};
use super::{PIXELS, STEPS};
use crate::measure::{clock, least_times};
use crate::table::Table;
use clearance::screw::{Lookup, Resolution, Screen, ScreenStats, ScrewStats};
use std::hint::black_box;

/// The paper's table beside ours: it does not tell how large the steps were.
pub fn costs(bodies: &[Sample], stride: &Stride) -> Table {
    let columns = [
        "bodies",
        "pixels of a short edge",
        "paper, us",
        "screen, us",
        "paper / screen",
        "hashed, us",
        "sorted, us",
        "analytic, us",
        "analytic / screen",
        "contacts, screen",
        "analytic",
        "pixels n",
        "pairs m",
        "clock, GHz",
    ];
    let title = "All contacts of a step on a collision screen, mean of a step that has some";
    let mut table = Table::new(&format!("{title}; steps {}", stride.name), &columns);
    for sample in bodies {
        let s = &sample.surface;
        let steps = meeting(sample, stride, 1, STEPS);
        let [proved] = least_times(
            2,
            [&mut || {
                for (step, _) in &steps {
                    black_box(analytic(s, step, &mut ScrewStats::default()));
                }
            }],
        )
        .map(|time| microseconds(time, STEPS));
        for (pixels, paper) in PIXELS.into_iter().zip(sample.paper) {
            let fine: Vec<Resolution> = steps.iter().map(|(step, _)| resolution(s, step, pixels)).collect();
            let (mut tiled, mut hashed, mut sorted) =
                (Screen::default(), Screen::new(Lookup::Hashed), Screen::new(Lookup::Sorted));
            let (mut told, mut stats) = (0, ScreenStats::default());
            let all = || steps.iter().map(|(step, _)| step).zip(&fine);
            // A pass over few steps of small bodies would only tell how long it takes until the processor knows the code.
            let again = if sample.triangles().len() > 100 { 1 } else { 20 };
            let many = || (0..again).flat_map(|_| all());
            let times = least_times(
                40,
                [
                    &mut || {
                        (told, stats) = (0, ScreenStats::default());
                        for (step, &fine) in many() {
                            told += black_box(on_screen(&mut tiled, s, step, fine)).len();
                            let one = tiled.stats();
                            stats.pixels += one.pixels;
                            stats.pairs += one.pairs;
                        }
                    },
                    &mut || {
                        for (step, &fine) in many() {
                            black_box(on_screen(&mut hashed, s, step, fine));
                        }
                    },
                    &mut || {
                        for (step, &fine) in many() {
                            black_box(on_screen(&mut sorted, s, step, fine));
                        }
                    },
                ],
            )
            .map(|time| microseconds(time, again * STEPS));
            let mean = |sum: f64, count: usize| format!("{:.1}", sum / count as f64);
            table.row([
                sample.name.to_string(),
                format!("{pixels}"),
                format!("{paper}"),
                format!("{:.2}", times[0]),
                format!("{:.1}", paper / times[0]),
                format!("{:.2}", times[1]),
                format!("{:.2}", times[2]),
                format!("{proved:.0}"),
                format!("{:.0}", proved / times[0]),
                mean(told as f64, again * STEPS),
                mean(steps.iter().map(|(_, found)| found.len() as f64).sum(), STEPS),
                mean(stats.pixels as f64, again * STEPS),
                mean(stats.pairs as f64, again * STEPS),
                format!("{:.1}", clock()),
            ]);
        }
    }
    table
}
