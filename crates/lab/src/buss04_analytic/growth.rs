//! How the work of all contacts grows with the triangles: counts, which do not depend on load, and times.

use super::meshes::{Step, thread};
use crate::measure::{human, least};
use crate::table::Table;
use clearance::screw::{Kept, ScrewStats};
use clearance::shape::sample;

pub fn table() -> Table {
    let columns = [
        "step",
        "triangles n",
        "node pairs",
        "cell tests",
        "cell pairs m",
        "feature pairs",
        "work / (n log n + m)",
        "exponent of work",
        "exponent of n log n + m",
        "one thread",
        "exponent of time",
    ];
    let title = "Growth of the work of all contacts; work is node pairs, cell tests and feature pairs";
    let mut table = Table::new(title, &columns);
    let tori = [16, 32, 64, 128, 256]
        .map(|around| Step::tori("tori", &sample::torus(2.0, 0.6, around, around * 5 / 8).expect("a torus")));
    grow(&mut table, "tori", &tori);
    let bolts = [12, 24, 48, 96].map(|segments| {
        let config = sample::ThreadConfig { segments, ..thread() };
        Step::bolt(&config, 0.1, 0.1 * config.pitch / std::f64::consts::TAU)
    });
    grow(&mut table, "bolt in nut", &bolts);
    let bolts =
        [12, 24, 48, 96].map(|segments| Step::bolt(&sample::ThreadConfig { segments, ..thread() }, 0.3, 0.4));
    grow(&mut table, "bolt out of nut", &bolts);
    table
}

fn grow(table: &mut Table, name: &str, steps: &[Step]) {
    let single = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let mut before: Option<[f64; 4]> = None;
    for step in steps {
        let mut stats = ScrewStats::default();
        let (time, _) = single.install(|| {
            least(2, &mut || {
                stats = ScrewStats::default();
                step.ask(Kept::Entering, &mut stats)
            })
        });
        let seconds = time.as_secs_f64();
        let n = step.triangles() as f64;
        let work = (stats.nodes + stats.slabs + stats.features) as f64;
        let model = n * n.log2() + stats.cells as f64;
        let exponent = |now: f64, k: usize| {
            before.map_or(String::new(), |last| format!("{:.2}", (now / last[k]).ln() / (n / last[0]).ln()))
        };
        let growth = [format!("{:.2}", work / model), exponent(work, 1), exponent(model, 2)];
        let tail = growth.into_iter().chain([human(time), exponent(seconds, 3)]);
        let counts = [step.triangles() as u64, stats.nodes, stats.slabs, stats.cells, stats.features];
        table.row([name.to_string()].into_iter().chain(counts.map(|c| c.to_string())).chain(tail));
        before = Some([n, work, model, seconds]);
    }
}
