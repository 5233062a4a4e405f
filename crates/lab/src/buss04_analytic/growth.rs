//! How the work of all contacts grows with the triangles: counts, so that load does not matter.

use super::meshes::{Step, thread};
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
    ];
    let title = "Growth of the work of all contacts; work is node pairs, cell tests and feature pairs";
    let mut table = Table::new(title, &columns);
    let tori = [16, 32, 64, 128, 256]
        .map(|around| Step::tori(&sample::torus(2.0, 0.6, around, around * 5 / 8).expect("a torus")));
    grow(&mut table, "tori", &tori);
    let bolts = [12, 24, 48, 96].map(|segments| {
        let config = sample::ThreadConfig { segments, ..thread() };
        Step::bolt(&config, 0.1, 0.1 * config.pitch / std::f64::consts::TAU)
    });
    grow(&mut table, "bolt in nut", &bolts);
    table
}

fn grow(table: &mut Table, name: &str, steps: &[Step]) {
    let mut before: Option<[f64; 3]> = None;
    for step in steps {
        let mut stats = ScrewStats::default();
        step.ask(Kept::Entering, &mut stats);
        let n = step.triangles() as f64;
        let work = (stats.nodes + stats.slabs + stats.features) as f64;
        let model = n * n.log2() + stats.cells as f64;
        let exponent = |now: f64, k: usize| {
            before.map_or(String::new(), |last| format!("{:.2}", (now / last[k]).ln() / (n / last[0]).ln()))
        };
        let tail = [format!("{:.2}", work / model), exponent(work, 1), exponent(model, 2)];
        let counts = [step.triangles() as u64, stats.nodes, stats.slabs, stats.cells, stats.features];
        table.row([name.to_string()].into_iter().chain(counts.map(|c| c.to_string())).chain(tail));
        before = Some([n, work, model]);
    }
}
