//! What shares a tile: boxes of one body counted into tiles of rows, columns and layers of time, those of the other looked up.
//!
//! Differs from the paper, which sorts pixels: tiles are several pixels wide, so that an edge is in two or three of them at any
//! resolution, and counting takes the place of sorting. The third side, time, is the paper's open point: without it the threads
//! of a bolt, which lie one behind the other, are all compared.

use super::bounds::{Bounded, Bounds, Key};
use super::raster::Grid;

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
    fn number(&self, row: u32, outer: u32, inner: u32) -> usize {
        let row = row as usize;
        match self.layers.count {
            1 => row * self.columns + inner as usize,
            count => (row * self.columns + outer as usize) * count + inner as usize,
        }
    }

    /// Tiles of an item whose times reach farther, and what is compared; `None` if it is beside all that both bodies have.
    #[inline(always)]
    fn place<T: Bounded>(&self, item: &T, grid: &Grid, reach: [f64; 2]) -> Option<(Range, Bounds)> {
        let bounds = item.bounds(grid)?;
        let [low, high] = bounds.h;
        if high < self.heights[0] || low > self.heights[1] {
            return None;
        }
        let columns = [self.column(low), self.column(high)];
        let range = match self.layers.count {
            1 => Range { rows: bounds.rows, outer: [0, 0], inner: columns },
            _ => {
                let [first, last] = bounds.t;
                let layers = [self.layers.of(first + reach[0]), self.layers.of(last + reach[1])];
                Range { rows: bounds.rows, outer: columns, inner: layers }
            }
        };
        Some((range, bounds))
    }

    fn corner(&self, grid: &Grid) -> [f64; 2] {
        [grid.first, self.heights[0]]
    }
}

/// Numbers of items by tile, kept from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct Bins {
    starts: Vec<u32>,
    entries: Vec<Entry>,
    /// One comparison of eight numbers tells whether another item shares radii, heights and times.
    keys: Vec<Key>,
    /// Tiles and keys of the items of the list, while it is counted.
    placed: Vec<(Range, Key)>,
}

/// An item in one of its tiles, and of which sides of its range that is the first.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    item: u32,
    firsts: u32,
}

/// All sides.
const FIRST: u32 = 7;

/// Tiles of an item, the first ones and the last ones: rows and columns, or rows, columns and within them layers.
#[derive(Clone, Copy, Debug)]
struct Range {
    rows: [u32; 2],
    outer: [u32; 2],
    inner: [u32; 2],
}

impl Range {
    const NONE: Range = Range { rows: [1, 0], outer: [1, 0], inner: [1, 0] };

    /// Of which sides a tile is the first.
    #[inline(always)]
    fn firsts(&self, row: u32, outer: u32, inner: u32) -> u32 {
        u32::from(row == self.rows[0])
            | u32::from(outer == self.outer[0]) << 1
            | u32::from(inner == self.inner[0]) << 2
    }

    #[inline(always)]
    fn each(&self, tiles: &Tiles, mut tile: impl FnMut(usize, u32)) {
        for row in self.rows[0]..=self.rows[1] {
            for outer in self.outer[0]..=self.outer[1] {
                for inner in self.inner[0]..=self.inner[1] {
                    tile(tiles.number(row, outer, inner), self.firsts(row, outer, inner));
                }
            }
        }
    }
}

impl Bins {
    /// Counts, then places.
    fn fill<T: Bounded>(&mut self, source: &[T], grid: &Grid, tiles: &Tiles) {
        self.starts.clear();
        self.starts.resize(grid.rows * tiles.columns * tiles.layers.count + 2, 0);
        self.placed.clear();
        let corner = tiles.corner(grid);
        for item in source {
            let placed = match tiles.place(item, grid, [0.0; 2]) {
                Some((range, bounds)) => (range, Key::of(&bounds, corner)),
                None => (Range::NONE, Key::default()),
            };
            placed.0.each(tiles, |tile, _| self.starts[tile + 2] += 1);
            self.placed.push(placed);
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.entries.resize(sum as usize, Entry::default());
        self.keys.resize(sum as usize, Key::default());
        for (item, (range, key)) in self.placed.iter().enumerate() {
            range.each(tiles, |tile, firsts| {
                let next = self.starts[tile + 1];
                self.entries[next as usize] = Entry { item: item as u32, firsts };
                self.keys[next as usize] = *key;
                self.starts[tile + 1] = next + 1;
            });
        }
    }

    /// All pairs of one list and the other whose boxes meet, each seen in the first tile that both are in; times of the second
    /// list reach so far before and after.
    pub fn pairs<T: Bounded, U: Bounded>(
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
        let corner = tiles.corner(grid);
        for y in second {
            let Some((range, bounds)) = tiles.place(y, grid, reach) else { continue };
            let asked = Key::asked(&bounds, reach, corner);
            for row in range.rows[0]..=range.rows[1] {
                for outer in range.outer[0]..=range.outer[1] {
                    // Tiles that follow each other are one list.
                    let [head, tail] = range.inner.map(|inner| tiles.number(row, outer, inner));
                    let [from, to] = [self.starts[head] as usize, self.starts[tail + 1] as usize];
                    for (at, key) in (from..to).zip(&self.keys[from..to]) {
                        if !key.meets(&asked) {
                            continue;
                        }
                        // An item in several tiles is seen in the first of those that both are in.
                        let Entry { item, firsts } = self.entries[at];
                        let is_head = u32::from(at < self.starts[head + 1] as usize) << 2;
                        if firsts | range.firsts(row, outer, u32::MAX) | is_head == FIRST {
                            visit(&first[item as usize], y);
                        }
                    }
                }
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
            let grid = Grid { first: 0.0, last: 4.0, rows: 4, inverse: 1.0, time: 0.1, inverse_time: 10.0 };
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
