//! What shares a pixel: pixels sorted by row, by layer of time and by height, then scanned [Buss04 §9, steps 4 to 6].

use super::drawing::{Dot, FaceRun, Run};
use super::raster::Grid;

/// Something in a row of the screen with a range of heights and of times.
pub(super) trait Span: Copy {
    fn row(&self) -> u32;
    fn low(&self) -> f64;
    fn high(&self) -> f64;
    fn times(&self) -> [f64; 2];
}

impl Span for Run {
    fn row(&self) -> u32 {
        self.row
    }
    fn low(&self) -> f64 {
        self.h[0]
    }
    fn high(&self) -> f64 {
        self.h[1]
    }
    fn times(&self) -> [f64; 2] {
        self.t
    }
}

impl Span for FaceRun {
    fn row(&self) -> u32 {
        self.row
    }
    fn low(&self) -> f64 {
        self.h[0]
    }
    fn high(&self) -> f64 {
        self.h[1]
    }
    fn times(&self) -> [f64; 2] {
        self.t
    }
}

impl Span for Dot {
    fn row(&self) -> u32 {
        self.row
    }
    fn low(&self) -> f64 {
        self.h
    }
    fn high(&self) -> f64 {
        self.h
    }
    fn times(&self) -> [f64; 2] {
        [self.t; 2]
    }
}

/// Layers of time, each a step long: what comes to the screen in different ones is never at one place during the step.
///
/// The paper's open point: without them the threads of a bolt, which lie one behind the other, are all compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layers {
    pub first: f64,
    pub width: f64,
    pub count: usize,
}

impl Layers {
    pub const ONE: Layers = Layers { first: 0.0, width: f64::INFINITY, count: 1 };

    /// As many as it takes to hold some times, if that is worth it.
    pub fn over(times: [f64; 2]) -> Layers {
        let wide = times[1] - times[0];
        // Moving pixels are in two or three layers each.
        let is_long = wide > 6.0 && wide.is_finite();
        if !is_long {
            return Layers::ONE;
        }
        let width = (wide / 256.0).max(1.0);
        Layers { first: times[0], width, count: (wide / width).ceil().max(1.0) as usize }
    }

    fn of(&self, times: [f64; 2], reach: [f64; 2]) -> std::ops::RangeInclusive<usize> {
        if self.count == 1 {
            return 0..=0;
        }
        let layer = |t: f64| (((t - self.first) / self.width).floor().max(0.0) as usize).min(self.count - 1);
        layer(times[0] + reach[0])..=layer(times[1] + reach[1])
    }
}

/// Items by row and layer.
#[derive(Clone, Debug)]
pub(super) struct Buckets<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Buckets<T> {
    fn default() -> Buckets<T> {
        Buckets { starts: Vec::new(), items: Vec::new() }
    }
}

impl<T: Span> Buckets<T> {
    /// Counts, then places; what moves is in every layer that it may come to within the step, `reach`.
    pub fn fill(&mut self, source: &[T], grid: &Grid, layers: &Layers, reach: [f64; 2]) {
        let bucket = |item: &T, layer: usize| item.row() as usize * layers.count + layer;
        self.starts.clear();
        self.starts.resize(grid.rows * layers.count + 2, 0);
        for item in source {
            for layer in layers.of(item.times(), reach) {
                self.starts[bucket(item, layer) + 2] += 1;
            }
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.items.clear();
        let Some(&first) = source.first() else { return };
        self.items.resize(sum as usize, first);
        for item in source {
            for layer in layers.of(item.times(), reach) {
                let next = &mut self.starts[bucket(item, layer) + 1];
                self.items[*next as usize] = *item;
                *next += 1;
            }
        }
    }

    fn range(&self, bucket: usize) -> std::ops::Range<usize> {
        self.starts[bucket] as usize..self.starts[bucket + 1] as usize
    }

    fn sorted(&mut self, bucket: usize) -> &[T] {
        let range = self.range(bucket);
        let items = &mut self.items[range];
        items.sort_unstable_by(|x, y| x.low().total_cmp(&y.low()));
        items
    }
}

/// All pairs of one list and the other that share heights in a bucket.
pub(super) fn sweep<T: Span, U: Span>(
    a: &mut Buckets<T>,
    b: &mut Buckets<U>,
    grid: &Grid,
    layers: &Layers,
    mut visit: impl FnMut(&T, &U),
) {
    if a.items.is_empty() || b.items.is_empty() {
        return;
    }
    for bucket in 0..grid.rows * layers.count {
        if a.range(bucket).is_empty() || b.range(bucket).is_empty() {
            continue;
        }
        overlapping(a.sorted(bucket), b.sorted(bucket), &mut visit);
    }
}

/// Each pair is seen when the one that begins first is taken: the others begin after it and before its end.
fn overlapping<T: Span, U: Span>(a: &[T], b: &[U], visit: &mut impl FnMut(&T, &U)) {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i].low() <= b[j].low() {
            let end = a[i].high();
            b[j..].iter().take_while(|y| y.low() <= end).for_each(|y| visit(&a[i], y));
            i += 1;
        } else {
            let end = b[j].high();
            a[i..].iter().take_while(|x| x.low() <= end).for_each(|x| visit(x, &b[j]));
            j += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use std::collections::BTreeSet;

    /// All pairs that share a row and heights and may meet in time, each with and without layers.
    #[test]
    fn pairs_are_those_of_brute_force() {
        let mut random = Random::new(1);
        for case in 0..60 {
            let long = if case % 2 == 0 { 2.0 } else { 40.0 };
            let mut runs = |count: u32| -> Vec<Run> {
                let run = |chord| {
                    let (h, t) = (random.range(0.0, 9.0), random.range(0.0, long));
                    let (h, t) = ([h, h + random.unit()], [t, t + random.unit()]);
                    Run { row: random.below(4) as u32, chord, h, t }
                };
                (0..count).map(run).collect()
            };
            let (a, b) = (runs(80), runs(70));
            let grid = Grid { first: 0.0, rows: 4, time: 0.1, is_layered: true };
            let meet = |x: [f64; 2], y: [f64; 2]| x[0] <= y[1] && y[0] <= x[1];
            let mut expected = BTreeSet::new();
            for x in &a {
                for y in b.iter().filter(|y| x.row == y.row && meet(x.h, y.h)) {
                    if meet(x.t, [y.t[0], y.t[1] + 1.0]) {
                        expected.insert((x.chord, y.chord));
                    }
                }
            }
            let layers = Layers::over([0.0, long + 1.0]);
            assert_eq!(layers.count > 1, case % 2 == 1);
            for layers in [layers, Layers::over([0.0, 1.0])] {
                let (mut of_a, mut of_b) = (Buckets::default(), Buckets::default());
                of_a.fill(&a, &grid, &layers, [0.0; 2]);
                of_b.fill(&b, &grid, &layers, [0.0, 1.0]);
                let mut found = BTreeSet::new();
                sweep(&mut of_a, &mut of_b, &grid, &layers, |x, y| {
                    if meet(x.t, [y.t[0], y.t[1] + 1.0]) {
                        found.insert((x.chord, y.chord));
                    }
                });
                assert_eq!(found, expected);
            }
        }
    }
}
