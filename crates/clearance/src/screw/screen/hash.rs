//! Pixels in a hash table instead of sorted: the alternative that the paper names [Buss04 §10].

use super::scan::Span;
use std::ops::RangeInclusive;

/// No entry.
const NONE: u32 = u32::MAX;

/// Chains of items by row and column of the screen.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    heads: Vec<u32>,
    entries: Vec<Entry>,
}

/// An item in one pixel.
#[derive(Clone, Copy, Debug)]
struct Entry {
    row: u32,
    column: i32,
    item: u32,
    next: u32,
}

/// Columns, as wide as rows are high, from the first to the last.
#[derive(Clone, Copy, Debug)]
struct Columns {
    inverse: f64,
    first: i32,
    last: i32,
}

impl Columns {
    /// Those that both lists have something in: what has no end, as a face that turns about the axis, is not spread farther.
    fn common<T: Span, U: Span>(a: &[T], b: &[U], inverse: f64) -> Columns {
        let all = Columns { inverse, first: i32::MIN, last: i32::MAX };
        let (of_a, of_b) = (all.around(a), all.around(b));
        Columns { inverse, first: of_a[0].max(of_b[0]), last: of_a[1].min(of_b[1]) }
    }

    fn around<T: Span>(&self, items: &[T]) -> [i32; 2] {
        let ends = items.iter().map(|item| self.of(item));
        ends.fold([i32::MAX, i32::MIN], |all, own| [all[0].min(*own.start()), all[1].max(*own.end())])
    }

    fn of<T: Span>(&self, item: &T) -> RangeInclusive<i32> {
        let column = |h: f64| (h * self.inverse).floor() as i32;
        column(item.low()).max(self.first)..=column(item.high()).min(self.last)
    }
}

impl Table {
    fn slot(&self, row: u32, column: i32) -> usize {
        let mixed = (u64::from(row) << 32 | u64::from(column as u32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize & (self.heads.len() - 1)
    }

    /// All pairs of one list and the other that share heights in a row; each is seen in the first pixel that both have.
    pub fn pairs<T: Span, U: Span>(&mut self, a: &[T], b: &[U], inverse: f64, mut visit: impl FnMut(&T, &U)) {
        let columns = Columns::common(a, b, inverse);
        let count: usize = a.iter().map(|item| columns.of(item).count()).sum();
        self.heads.clear();
        self.heads.resize((2 * count).next_power_of_two().max(2), NONE);
        self.entries.clear();
        for (i, item) in a.iter().enumerate() {
            for column in columns.of(item) {
                let slot = self.slot(item.row(), column);
                let entry = Entry { row: item.row(), column, item: i as u32, next: self.heads[slot] };
                self.heads[slot] = self.entries.len() as u32;
                self.entries.push(entry);
            }
        }
        for y in b {
            for here in columns.of(y) {
                let mut at = self.heads[self.slot(y.row(), here)];
                while let Some(entry) = self.entries.get(at as usize) {
                    at = entry.next;
                    if entry.row != y.row() || entry.column != here {
                        continue;
                    }
                    let x = &a[entry.item as usize];
                    let first = *columns.of(x).start().max(columns.of(y).start());
                    if here == first && x.low() <= y.high() && y.low() <= x.high() {
                        visit(x, y);
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
    use crate::screw::screen::raster::Grid;
    use crate::screw::screen::scan::{Rows, sweep};

    #[test]
    fn a_table_finds_the_pairs_that_sorting_finds() {
        let mut random = Random::new(1);
        let mut table = Table::default();
        for _ in 0..50 {
            let mut runs = || -> Vec<Run> {
                let run = |chord| {
                    let h = random.range(-9.0, 9.0);
                    let h = [h, h + 3.0 * random.unit()];
                    Run { row: random.below(3) as u32, chord, h, t: [0.0; 2] }
                };
                (0..90).map(run).collect()
            };
            let (a, mut b) = (runs(), runs());
            // Without an end, to one side or both.
            b[7].h[0] = f64::NEG_INFINITY;
            b[8].h[1] = f64::INFINITY;
            b[9].h = [f64::NEG_INFINITY, f64::INFINITY];
            let grid = Grid::new([0.0, 3.0], 3, 0.1);
            let (mut of_a, mut of_b) = (Rows::default(), Rows::default());
            of_a.fill(&a, &grid);
            of_b.fill(&b, &grid);
            let (mut sorted, mut hashed) = (Vec::new(), Vec::new());
            sweep(&of_a, &of_b, &grid, |x, y| sorted.push((x.chord, y.chord)));
            table.pairs(&a, &b, 1.0, |x, y| hashed.push((x.chord, y.chord)));
            sorted.sort_unstable();
            hashed.sort_unstable();
            assert_eq!(sorted, hashed);
            assert!(sorted.len() > 100);
        }
    }
}
