//! What the screen finds of the analytic engine's contacts, and how far off it is.

use super::scene::{Sample, Step, Stride, meeting, on_screen, resolution};
use crate::plot::{self, Series};
use crate::table::Table;
use clearance::screw::{ContactKind, Resolution, Screen, ScrewContact};

/// What is found and how far off it is, by resolution.
pub fn errors(bodies: &[Sample]) -> Vec<Table> {
    const FINE: [f64; 9] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 24.0, 64.0];
    // Coarser ones tell how much is found, not how errors fall.
    const FITTED: f64 = 4.0;
    let columns = [
        "bodies",
        "pixels of a short edge",
        "proper contacts",
        "found",
        "with the same features",
        "mean error in time of edges, cells",
        "worst",
        "mean error in place of edges, pixels",
        "worst",
    ];
    let mut table = Table::new("Proper contacts that the screen finds, and how far off", &columns);
    let mut rates = Table::new(
        "Rates: errors of crossing edges fall as this power of the pixel",
        &["bodies", "time", "place"],
    );
    let (mut recall, mut late, mut away) = (Vec::new(), Vec::new(), Vec::new());
    for sample in bodies {
        let (mut share, mut off, mut aside) = (Vec::new(), Vec::new(), Vec::new());
        let steps =
            meeting(sample, &Stride::THROUGH, 2, if sample.triangles().len() > 100 { 30 } else { 300 });
        for pixels in FINE {
            let mut tally = Tally::default();
            let mut screen = Screen::default();
            for (step, truth) in &steps {
                let fine = resolution(&sample.surface, step, pixels);
                let told = on_screen(&mut screen, &sample.surface, step, fine);
                tally.add(sample, step, truth, &told, fine);
            }
            let count = tally.edges.max(1) as f64;
            let fine = f64::log2(4.0 * pixels);
            let percent =
                |found: usize| format!("{:.2} %", 100.0 * found as f64 / tally.proper.max(1) as f64);
            share.push((fine, 100.0 * tally.same as f64 / tally.proper.max(1) as f64));
            if pixels >= FITTED {
                off.push((fine, (tally.seconds / count).log2()));
                aside.push((fine, (tally.lengths / count / sample.radius).log2()));
            }
            table.row([
                sample.name.to_string(),
                format!("{pixels}"),
                tally.proper.to_string(),
                percent(tally.found),
                percent(tally.same),
                format!("{:.4}", tally.cells / count),
                format!("{:.3}", tally.worst_cells),
                format!("{:.4}", tally.pixels / count),
                format!("{:.3}", tally.worst_pixels),
            ]);
        }
        rates.row([
            sample.name.to_string(),
            format!("{:.2}", -slope(&off)),
            format!("{:.2}", -slope(&aside)),
        ]);
        recall.push(Series { name: sample.name.to_string(), points: share });
        late.push(Series { name: sample.name.to_string(), points: bits(off) });
        away.push(Series { name: sample.name.to_string(), points: bits(aside) });
    }
    let x = "log2 of the quarters of pixels of a short edge";
    let plot = |title: &str, y: &str, series: &[Series]| plot::lines(title, x, y, series);
    table
        .attach("buss04-recall.svg", plot("Proper contacts told with the same features", "percent", &recall));
    rates.attach(
        "buss04-time.svg",
        plot("Crossing edges: bits of the time that are right", "-log2 of the mean error, in steps", &late),
    );
    rates.attach(
        "buss04-place.svg",
        plot("Crossing edges: bits of the place that are right", "-log2 of the mean error, in radii", &away),
    );
    vec![table, rates]
}

/// Bits that are right: plots begin at zero.
fn bits(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    points.into_iter().map(|(x, y)| (x, -y)).collect()
}

/// Of a line by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let above: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    above / points.iter().map(|p| (p.0 - x).powi(2)).sum::<f64>()
}

#[derive(Default)]
struct Tally {
    proper: usize,
    found: usize,
    same: usize,
    edges: usize,
    seconds: f64,
    cells: f64,
    worst_cells: f64,
    pixels: f64,
    lengths: f64,
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
            let best = told
                .iter()
                .filter(fits)
                .min_by(|x, y| is_same(y).cmp(&is_same(x)).then_with(|| late(x).total_cmp(&late(y))));
            let Some(best) = best else { continue };
            self.found += 1;
            self.same += usize::from(is_same(best));
            if best.kind == ContactKind::EdgeEdge {
                self.edges += 1;
                self.seconds += late(best);
                self.cells += late(best) / fine.time();
                self.worst_cells = self.worst_cells.max(late(best) / fine.time());
                self.pixels += away(best);
                self.lengths += away(best) * fine.pixel();
                self.worst_pixels = self.worst_pixels.max(away(best));
            }
        }
    }
}
