//! What shares a tile: pixels of one body counted into tiles of rows, columns and layers of time, those of the other looked up.
//!
//! Differs from the paper, which sorts pixels: tiles are several pixels wide, so that an edge is in two or three of them at any
//! resolution, and counting takes the place of sorting. The third side, time, is the paper's open point: without it the threads
//! of a bolt, which lie one behind the other, are all compared.

use super::raster::Grid;
use super::scan::Span;
use wide::f32x4;

/// Layers of time, each a step long: what comes to the screen in different ones is never at one place during the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layers {
    first: f64,
    inverse: f64,
    pub count: usize,
}

impl Layers {
    pub const ONE: Layers = Layers { first: 0.0, inverse: 0.0, count: 1 };

    /// As many as it takes to hold some times, if that is worth it.
    pub fn over(times: [f64; 2], most: usize) -> Layers {
        let wide = times[1] - times[0];
        // Moving pixels are in two or three layers each.
        let is_long = wide > 4.0 && wide.is_finite();
        if !is_long {
            return Layers::ONE;
        }
        let count = (wide as usize).clamp(1, most.max(1));
        Layers { first: times[0], inverse: count as f64 / wide, count }
    }

    #[inline]
    fn of(&self, t: f64) -> u32 {
        cut((t - self.first) * self.inverse, self.count)
    }
}

/// A whole number below a count: what is below the first or above the last one is in that.
#[inline(always)]
fn cut(x: f64, count: usize) -> u32 {
    (x as i32).max(0).min(count as i32 - 1) as u32
}

/// Tiles over the heights that both bodies reach.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiles {
    heights: [f64; 2],
    inverse: f64,
    columns: usize,
    layers: Layers,
}

impl Tiles {
    /// A single one.
    pub const ONE: Tiles = Tiles { heights: [0.0; 2], inverse: 0.0, columns: 1, layers: Layers::ONE };

    pub fn new(heights: [f64; 2], side: f64, most_columns: usize, layers: Layers) -> Tiles {
        let wide = (heights[1] - heights[0]).max(0.0);
        let columns = ((wide / side) as usize + 1).min(most_columns.max(1));
        let inverse = if wide > 0.0 { columns as f64 / wide } else { 0.0 };
        Tiles { heights, inverse, columns, layers }
    }

    /// The same number of them over other heights.
    pub fn over(&self, heights: [f64; 2]) -> Tiles {
        let wide = (heights[1] - heights[0]).max(0.0);
        Tiles { heights, inverse: if wide > 0.0 { self.columns as f64 / wide } else { 0.0 }, ..*self }
    }

    #[inline]
    fn column(&self, h: f64) -> u32 {
        cut((h - self.heights[0]) * self.inverse, self.columns)
    }

    #[inline]
    fn number(&self, row: usize, outer: u32, inner: u32) -> usize {
        match self.layers.count {
            1 => row * self.columns + inner as usize,
            count => (row * self.columns + outer as usize) * count + inner as usize,
        }
    }

    #[inline]
    fn first_inner<T: Span>(&self, item: &T) -> u32 {
        if self.layers.count == 1 { self.column(item.low()) } else { self.layers.of(item.times()[0]) }
    }

    /// Tiles of an item whose times reach farther, unless it is above or below all that the other body has.
    #[inline]
    fn range<T: Span>(&self, item: &T, reach: [f64; 2]) -> Option<Range> {
        let (low, high) = (item.low(), item.high());
        if high < self.heights[0] || low > self.heights[1] {
            return None;
        }
        let columns = [self.column(low), self.column(high)];
        if self.layers.count == 1 {
            return Some(Range { outer: [0, 0], inner: columns });
        }
        let [first, last] = item.times();
        let layers = [self.layers.of(first + reach[0]), self.layers.of(last + reach[1])];
        Some(Range { outer: columns, inner: layers })
    }

    /// Ends of heights and times, so that those of another item share them if they are below what it asks for.
    #[inline]
    fn key<T: Span>(&self, item: &T) -> f32x4 {
        let ([first, last], base) = (item.times(), self.heights[0]);
        f32x4::new([(item.low() - base) as f32, (base - item.high()) as f32, first as f32, -last as f32])
    }

    /// What keys are below of which an item shares heights and times, or comes so near that rounding hides it.
    #[inline]
    fn asked<T: Span>(&self, item: &T, reach: [f64; 2]) -> f32x4 {
        let ([first, last], base) = (item.times(), self.heights[0]);
        let (low, high) = ((item.low() - base) as f32, (item.high() - base) as f32);
        let (first, last) = ((first + reach[0]) as f32, (last + reach[1]) as f32);
        let near = |x: f32| x + x.abs().min(f32::MAX) * (8.0 * f32::EPSILON);
        f32x4::new([near(high), near(-low), near(last), near(-first)])
    }
}

/// Numbers of items by tile, kept from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct Bins {
    starts: Vec<u32>,
    items: Vec<u32>,
    /// Heights and times of each, so that one comparison of four numbers tells whether another item shares them.
    keys: Vec<f32x4>,
    /// Tiles of each item of the list, while it is counted.
    ranges: Vec<Range>,
}

/// Tiles of an item in its row, the first ones and the last ones: columns, or columns and within them layers.
#[derive(Clone, Copy, Debug)]
struct Range {
    outer: [u32; 2],
    inner: [u32; 2],
}

impl Range {
    const NONE: Range = Range { outer: [1, 0], inner: [1, 0] };
}

impl Bins {
    /// Counts, then places.
    fn fill<T: Span>(&mut self, source: &[T], grid: &Grid, tiles: &Tiles) {
        self.starts.clear();
        self.starts.resize(grid.rows * tiles.columns * tiles.layers.count + 2, 0);
        self.ranges.clear();
        for item in source {
            let range = tiles.range(item, [0.0; 2]).unwrap_or(Range::NONE);
            self.ranges.push(range);
            range.each(item.row() as usize, tiles, |tile| self.starts[tile + 2] += 1);
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.items.clear();
        self.items.resize(sum as usize, 0);
        self.keys.clear();
        self.keys.resize(sum as usize, f32x4::ZERO);
        for (number, (item, range)) in source.iter().zip(&self.ranges).enumerate() {
            let key = tiles.key(item);
            range.each(item.row() as usize, tiles, |tile| {
                let next = self.starts[tile + 1];
                (self.items[next as usize], self.keys[next as usize]) = (number as u32, key);
                self.starts[tile + 1] = next + 1;
            });
        }
    }

    /// All pairs of one list and the other that share heights in a tile, each seen in the first tile that both are in; times of
    /// the second list reach so far before and after.
    pub fn pairs<T: Span, U: Span>(
        &mut self,
        (first, second): (&[T], &[U]),
        grid: &Grid,
        tiles: &Tiles,
        reach: [f64; 2],
        mut visit: impl FnMut(&T, &U),
    ) {
        if first.is_empty() || second.is_empty() {
            return;
        }
        self.fill(first, grid, tiles);
        for y in second {
            let Some(range) = tiles.range(y, reach) else { continue };
            let asked = tiles.asked(y, reach);
            for outer in range.outer[0]..=range.outer[1] {
                // Tiles that follow each other are one list.
                let [head, tail] = range.inner.map(|inner| tiles.number(y.row() as usize, outer, inner));
                let [from, to] = [self.starts[head] as usize, self.starts[tail + 1] as usize];
                for (at, key) in (from..to).zip(&self.keys[from..to]) {
                    if !key.simd_le(asked).all() {
                        continue;
                    }
                    let x = &first[self.items[at] as usize];
                    // An item in several tiles is seen in the first of them.
                    let is_first = at < self.starts[head + 1] as usize || {
                        let own = tiles.number(y.row() as usize, outer, tiles.first_inner(x));
                        at < self.starts[own + 1] as usize
                    };
                    if is_first && (outer == range.outer[0] || tiles.column(x.low()) == outer) {
                        visit(x, y);
                    }
                }
            }
        }
    }
}

impl Range {
    #[inline(always)]
    fn each(&self, row: usize, tiles: &Tiles, mut tile: impl FnMut(usize)) {
        for outer in self.outer[0]..=self.outer[1] {
            for inner in self.inner[0]..=self.inner[1] {
                tile(tiles.number(row, outer, inner));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::screw::screen::drawing::Run;
    use std::collections::BTreeSet;

    /// All pairs that share a row and heights and may meet in time, each once; with and without layers.
    #[test]
    fn pairs_are_those_of_brute_force() {
        let (mut random, mut count) = (Random::new(1), 0);
        for case in 0..60 {
            let long = if case % 2 == 0 { 2.0 } else { 40.0 };
            let mut runs = |count: u32| -> Vec<Run> {
                let run = |chord| {
                    let (h, t) = (random.range(0.0, 9.0), random.range(0.0, long));
                    let (h, t) = ([h, h + 2.0 * random.unit()], [t, t + random.unit()]);
                    Run { row: random.below(4) as u32, chord, h, t }
                };
                (0..count).map(run).collect()
            };
            let (a, b) = (runs(80), runs(70));
            let grid = Grid::new([0.0, 4.0], 4, 0.1);
            let meet = |x: [f64; 2], y: [f64; 2]| x[0] <= y[1] && y[0] <= x[1];
            let mut expected = BTreeSet::new();
            for x in &a {
                for y in b.iter().filter(|y| x.row == y.row && meet(x.h, y.h)) {
                    if meet(x.t, [y.t[0], y.t[1] + 1.0]) {
                        expected.insert((x.chord, y.chord));
                    }
                }
            }
            let layers = Layers::over([0.0, long + 1.0], 256);
            assert_eq!(layers.count > 1, case % 2 == 1);
            for layers in [layers, Layers::ONE] {
                let mut found = Vec::new();
                let tiles = Tiles::new([2.0, 8.0], 1.3, 20, layers);
                Bins::default().pairs((&a, &b), &grid, &tiles, [0.0, 1.0], |x, y| {
                    // Some more are told that only rounding brings together.
                    if meet(x.h, y.h) && meet(x.t, [y.t[0], y.t[1] + 1.0]) {
                        found.push((x.chord, y.chord));
                    }
                });
                let told = found.len();
                let found: BTreeSet<_> = found.into_iter().collect();
                assert_eq!(found.len(), told);
                // What is above or below all tiles is not looked for.
                let seen = |&(x, y): &(u32, u32)| {
                    [a[x as usize].h, b[y as usize].h].iter().all(|h| h[1] >= 2.0 && h[0] <= 8.0)
                };
                assert_eq!(found, expected.iter().copied().filter(seen).collect());
                count += found.len();
            }
        }
        assert!(count > 5_000, "{count}");
    }
}
