//! What shares a tile: pixels of one body counted into tiles of rows, columns and layers of time, those of the other looked up.
//!
//! Differs from the paper, which sorts pixels: tiles are several pixels wide, so that an edge is in two or three of them at any
//! resolution, and counting takes the place of sorting. The third side, time, is the paper's open point: without it the threads
//! of a bolt, which lie one behind the other, are all compared.

use super::raster::Grid;
use super::scan::Span;

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
    fn of(&self, t: f64) -> usize {
        cut((t - self.first) * self.inverse, self.count)
    }
}

/// A whole number below a count: what is below the first or above the last one is in that.
#[inline(always)]
fn cut(x: f64, count: usize) -> usize {
    (x as i32).max(0).min(count as i32 - 1) as usize
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
    fn column(&self, h: f64) -> usize {
        cut((h - self.heights[0]) * self.inverse, self.columns)
    }

    /// Columns and layers of an item whose times reach farther, unless it is above or below all that the other body has.
    #[inline]
    fn range<T: Span>(&self, item: &T, reach: [f64; 2]) -> Option<([usize; 2], [usize; 2])> {
        let (low, high) = (item.low(), item.high());
        if high < self.heights[0] || low > self.heights[1] {
            return None;
        }
        let layers = match self.layers.count {
            1 => [0, 0],
            _ => {
                let [first, last] = item.times();
                [self.layers.of(first + reach[0]), self.layers.of(last + reach[1])]
            }
        };
        Some(([self.column(low), self.column(high)], layers))
    }
}

/// Items by tile, kept from step to step.
#[derive(Clone, Debug)]
pub(super) struct Bins<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Bins<T> {
    fn default() -> Bins<T> {
        Bins { starts: Vec::new(), items: Vec::new() }
    }
}

impl<T: Span> Bins<T> {
    /// Counts, then places.
    fn fill(&mut self, source: &[T], grid: &Grid, tiles: &Tiles) {
        self.starts.clear();
        self.starts.resize(grid.rows * tiles.columns * tiles.layers.count + 2, 0);
        let starts = &mut self.starts;
        for item in source {
            each_tile(tiles, item, |tile| starts[tile + 2] += 1);
        }
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += *start;
            *start = sum;
        }
        self.items.clear();
        let Some(&first) = source.first() else { return };
        self.items.resize(sum as usize, first);
        let items = &mut self.items;
        for item in source {
            each_tile(tiles, item, |tile| {
                let next = &mut starts[tile + 1];
                items[*next as usize] = *item;
                *next += 1;
            });
        }
    }

    /// All pairs of one list and the other that share heights in a tile, each seen in the first tile that both are in; times of
    /// the second list reach so far before and after.
    pub fn pairs<U: Span>(
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
        let count = tiles.layers.count;
        for y in second {
            let Some((columns, layers)) = tiles.range(y, reach) else { continue };
            let row = y.row() as usize * tiles.columns;
            let (low, high, own) = (y.low(), y.high(), y.times());
            let times = [own[0] + reach[0], own[1] + reach[1]];
            for column in columns[0]..=columns[1] {
                for layer in layers[0]..=layers[1] {
                    let tile = (row + column) * count + layer;
                    let [from, to] = [self.starts[tile] as usize, self.starts[tile + 1] as usize];
                    for x in &self.items[from..to] {
                        // One branch: each of these alone is hard to foresee.
                        if !((x.low() <= high) & (x.high() >= low) & x.is_between(times)) {
                            continue;
                        }
                        let is_first = column == columns[0] || tiles.column(x.low()) == column;
                        if is_first
                            && (layer == layers[0] || tiles.layers.of(x.times()[0]) == layer)
                        {
                            visit(x, y);
                        }
                    }
                }
            }
        }
    }
}

#[inline]
fn each_tile<T: Span>(tiles: &Tiles, item: &T, mut tile: impl FnMut(usize)) {
    let Some((columns, layers)) = tiles.range(item, [0.0; 2]) else { return };
    let row = item.row() as usize * tiles.columns;
    for column in columns[0]..=columns[1] {
        for layer in layers[0]..=layers[1] {
            tile((row + column) * tiles.layers.count + layer);
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
        let mut random = Random::new(1);
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
            let grid = Grid { first: 0.0, rows: 4, inverse: 1.0, time: 0.1, inverse_time: 10.0 };
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
                    if meet(x.t, [y.t[0], y.t[1] + 1.0]) {
                        found.push((x.chord, y.chord));
                    }
                });
                let count = found.len();
                let found: BTreeSet<_> = found.into_iter().collect();
                assert_eq!(found.len(), count);
                // What is above or below all tiles is not looked for.
                let seen = |&(x, y): &(u32, u32)| {
                    [a[x as usize].h, b[y as usize].h].iter().all(|h| h[1] >= 2.0 && h[0] <= 8.0)
                };
                assert_eq!(found, expected.iter().copied().filter(seen).collect());
                assert!(found.len() > 20);
            }
        }
    }
}
