//! What shares a row and heights, as in the paper: sorted, then scanned [Buss04 §9, steps 4 to 6].

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

/// Items by row.
#[derive(Clone, Debug)]
pub(super) struct Rows<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Rows<T> {
        Rows { starts: Vec::new(), items: Vec::new() }
    }
}

impl<T: Span> Rows<T> {
    /// Counts, then places, then sorts each row by height.
    pub fn fill(&mut self, source: &[T], grid: &Grid) {
        self.starts.clear();
        self.starts.resize(grid.rows + 2, 0);
        source.iter().for_each(|item| self.starts[item.row() as usize + 2] += 1);
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.items.clear();
        let Some(&first) = source.first() else { return };
        self.items.resize(sum as usize, first);
        for item in source {
            let next = &mut self.starts[item.row() as usize + 1];
            self.items[*next as usize] = *item;
            *next += 1;
        }
        for row in 0..grid.rows {
            let range = self.range(row);
            self.items[range].sort_unstable_by(|x, y| x.low().total_cmp(&y.low()));
        }
    }

    fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }
}

/// All pairs of one list and the other that share heights in a row.
pub(super) fn sweep<T: Span, U: Span>(a: &Rows<T>, b: &Rows<U>, grid: &Grid, mut visit: impl FnMut(&T, &U)) {
    if a.items.is_empty() || b.items.is_empty() {
        return;
    }
    for row in 0..grid.rows {
        overlapping(&a.items[a.range(row)], &b.items[b.range(row)], &mut visit);
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

    #[test]
    fn pairs_are_those_of_brute_force() {
        let mut random = Random::new(1);
        for _ in 0..60 {
            let mut runs = |count: u32| -> Vec<Run> {
                let run = |chord| {
                    let h = random.range(0.0, 9.0);
                    Run { row: random.below(4) as u32, chord, h: [h, h + random.unit()], t: [0.0; 2] }
                };
                (0..count).map(run).collect()
            };
            let (a, b) = (runs(80), runs(70));
            let grid = Grid::new([0.0, 4.0], 4, 0.1);
            let meet = |x: &Run, y: &Run| x.row == y.row && x.h[0] <= y.h[1] && y.h[0] <= x.h[1];
            let all = a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
            let expected: BTreeSet<_> =
                all.filter(|(x, y)| meet(x, y)).map(|(x, y)| (x.chord, y.chord)).collect();
            let (mut of_a, mut of_b) = (Rows::default(), Rows::default());
            of_a.fill(&a, &grid);
            of_b.fill(&b, &grid);
            let mut found = BTreeSet::new();
            sweep(&of_a, &of_b, &grid, |x, y| assert!(found.insert((x.chord, y.chord))));
            assert_eq!(found, expected);
        }
    }
}
