//! The screen as a filter in front of the analytic engine: what shares no cell with the other body at any time of the step is
//! left out, and no contact with it.
//!
//! **Nothing is lost.** Let a point `x` of a cell of A and a point `y` of a cell of B be at one place at the time `s` of the
//! step. Then both have the radius `r`; for some whole number `k` the angle of `x` and `k` turns is that of `y` and `s angle`;
//! and the height of `x` is that of `y` and `s shift`. So `h` of `x`, drawn `k` turns further, equals `h` of `y`, and their `t`
//! differ by `s` (the flow test of `coordinates`). Each cell is enclosed in ranges of radius, angle and height that hold all its
//! points:
//! - corners are off by rounding only, less than `SLACK` of all sizes they are computed from, and every range is wider by that;
//!   angles by that over the radius, and a cell nearer to the axis than twice that has every angle,
//! - a convex set seen under `w < pi` with corners no nearer than `r` is no nearer than `r (1 - w^2 / 8)`; one seen under more,
//!   by its corners, has every angle and radius below its farthest corner,
//! - a motion drawn as a translation leaves its lines by less than 1/16 pixel, by which all ranges are wider.
//!
//! In a row of radii from `p` to `q` the factors of `h = a(r) z - b(r) f` are monotone in `r`, so intervals of their ends hold
//! all `h`; `t` at a fixed point `(f, z)` is a quotient of linear functions of `r^2`, hence monotone, too, and its ends at the
//! corners of the box hold all `t`. Both are widened by `SLACK` again. The row of `r` and the column of `h` is then a cell of
//! the grid that both bodies mark, A with a time that is `s` after one of B: neither is left out.
//!
//! The same bits as without the filter come out because pairs that are left out make no record, and all others see the same
//! windows of time in the same order.

use super::Resolution;
use super::coordinates::{Chart, Cylindrical};
use super::plan::ball;
use super::ranges::{NEVER, Ranges, SLACK, boxes, joined};
use crate::math::{Pose, Screw};
use crate::screw::surface::Surface;
use std::f64::consts::TAU;

/// Rows and columns; finer pixels are taken as a part of what both bodies reach.
const MOST: usize = 256;

/// More turns than this are not told apart.
const MOST_TURNS: f64 = 64.0;

/// Which cells of two bodies may meet the other: `None` if that is not known of any.
pub(in crate::screw) fn alive(
    surfaces: [&Surface; 2],
    poses: [&Pose; 2],
    screw: &Screw,
    resolution: Resolution,
) -> Option<[Vec<bool>; 2]> {
    let balls = [ball(surfaces[0], poses[0])?, ball(surfaces[1], poses[1])?];
    let chart = Chart::new(screw, &balls[0], &balls[1], resolution.pixel())?;
    if chart.angle.abs() > TAU * MOST_TURNS {
        return None;
    }
    let boxes: [Vec<Ranges>; 2] = std::array::from_fn(|i| boxes(surfaces[i], poses[i], &chart));
    let all = [&boxes[0], &boxes[1]].map(|boxes| boxes.iter().fold(Ranges::EMPTY, |all, one| all.hull(one)));
    let Some(mut grid) = Grid::new(&chart, &all) else {
        // No radius in common: nothing meets.
        return Some(surfaces.map(|surface| vec![false; surface.cells.len()]));
    };
    boxes[1].iter().for_each(|one| grid.mark(&chart, one));
    let alive_a: Vec<bool> = boxes[0]
        .iter()
        .map(|one| grid.turns(&chart, one).any(|turned| grid.meets_moving(&chart, &turned)))
        .collect();
    grid.marks.fill(NEVER);
    for (one, _) in boxes[0].iter().zip(&alive_a).filter(|(_, is_alive)| **is_alive) {
        let turned: Vec<Ranges> = grid.turns(&chart, one).collect();
        turned.iter().for_each(|one| grid.mark(&chart, one));
    }
    let alive_b = boxes[1].iter().map(|one| grid.meets_resting(&chart, one)).collect();
    Some([alive_a, alive_b])
}

/// Factors of `h = a z - b f` in a row, at both ends of it.
#[derive(Clone, Copy, Debug)]
struct Row {
    radius: [f64; 2],
    a: [f64; 2],
    b: [f64; 2],
}

/// A grid over radii and heights; each cell has the times at which something of a body comes there.
struct Grid {
    first: f64,
    size: f64,
    rows: usize,
    columns: usize,
    first_column: f64,
    column_size: f64,
    factors: Vec<Row>,
    marks: Vec<[f64; 2]>,
    /// Angles that B has at any time of the step.
    swept: [f64; 2],
}

impl Grid {
    fn new(chart: &Chart, all: &[Ranges; 2]) -> Option<Grid> {
        let low = all[0].radius[0].max(all[1].radius[0]);
        let high = all[0].radius[1].min(all[1].radius[1]);
        if low > high {
            return None;
        }
        let size = ((high - low) / MOST as f64).max(1.0);
        let rows = (((high - low) / size).floor() as usize + 1).min(MOST + 1);
        let factors: Vec<Row> = (0..rows)
            .map(|row| {
                // Rows overlap by rounding.
                let radius = [row as f64, row as f64 + 1.0].map(|k| low + k * size);
                let wider = SLACK * (radius[1].abs() + size);
                let radius = [radius[0] - wider, radius[1] + wider];
                Row::new(chart, if chart.is_straight { radius } else { radius.map(|r| r.max(0.0)) })
            })
            .collect();
        let heights = |one: &Ranges| {
            let over = factors.iter().map(|row| row.heights(one));
            over.fold(NEVER, joined)
        };
        let of_b = heights(&all[1]);
        let column_size = ((of_b[1] - of_b[0]) / MOST as f64).max(1.0);
        let columns = (((of_b[1] - of_b[0]) / column_size).floor() as usize + 1).min(MOST + 1);
        let swept =
            [all[1].angle[0] + chart.angle.min(0.0) - 1e-6, all[1].angle[1] + chart.angle.max(0.0) + 1e-6];
        Some(Grid {
            first: low,
            size,
            rows,
            columns,
            first_column: of_b[0],
            column_size,
            factors,
            marks: vec![NEVER; rows * columns],
            swept,
        })
    }

    /// A box of A as often as B may come around to it.
    fn turns(&self, chart: &Chart, one: &Ranges) -> impl Iterator<Item = Ranges> + use<> {
        let range = match chart.is_straight {
            true => 0..=0,
            false => {
                let first = ((self.swept[0] - one.angle[1]) / TAU).ceil();
                let last = ((self.swept[1] - one.angle[0]) / TAU).floor();
                first as i32..=last as i32
            }
        };
        let one = *one;
        range.map(move |k| {
            let turns = TAU * f64::from(k);
            Ranges { angle: [one.angle[0] + turns, one.angle[1] + turns], ..one }
        })
    }

    /// Calls for every cell of the grid that a box may reach, with the times at which it may, until told to stop.
    fn visit(&self, chart: &Chart, one: &Ranges, mut cell: impl FnMut(usize, [f64; 2]) -> bool) -> bool {
        let row = |r: f64| ((r - self.first) / self.size).floor();
        let [first, last] = [row(one.radius[0]) - 1.0, row(one.radius[1]) + 1.0];
        if last < 0.0 || first >= self.rows as f64 {
            return false;
        }
        let rows = first.max(0.0) as usize..=(last as usize).min(self.rows - 1);
        for row in rows {
            let factors = &self.factors[row];
            if factors.radius[0] > one.radius[1] || factors.radius[1] < one.radius[0] {
                continue;
            }
            let (h, t) = (factors.heights(one), factors.times(chart, one));
            let column = |h: f64| ((h - self.first_column) / self.column_size).floor();
            let [first, last] = [column(h[0]), column(h[1])];
            if last < 0.0 || first >= self.columns as f64 {
                continue;
            }
            for column in first.max(0.0) as usize..=(last as usize).min(self.columns - 1) {
                if cell(row * self.columns + column, t) {
                    return true;
                }
            }
        }
        false
    }

    fn mark(&mut self, chart: &Chart, one: &Ranges) {
        let mut marks = std::mem::take(&mut self.marks);
        self.visit(chart, one, |cell, t| {
            marks[cell] = joined(marks[cell], t);
            false
        });
        self.marks = marks;
    }

    fn meets_moving(&self, chart: &Chart, one: &Ranges) -> bool {
        self.visit(chart, one, |cell, t| is_within(t, self.marks[cell]))
    }

    fn meets_resting(&self, chart: &Chart, one: &Ranges) -> bool {
        self.visit(chart, one, |cell, t| is_within(self.marks[cell], t))
    }
}

/// Whether some time of A is at most a step after one of B.
fn is_within(a: [f64; 2], b: [f64; 2]) -> bool {
    let slack = SLACK * (1.0 + a[0].abs() + a[1].abs() + b[0].abs() + b[1].abs());
    a[1] - b[0] >= -slack && a[0] - b[1] <= 1.0 + slack
}

impl Row {
    fn new(chart: &Chart, radius: [f64; 2]) -> Row {
        if chart.is_straight {
            return Row { radius, a: [0.0; 2], b: [-1.0; 2] };
        }
        let factor = |r: f64| {
            let (turn, shift) = (r * chart.angle, chart.shift);
            let length = (turn * turn + shift * shift).sqrt();
            // On the axis of a turn without shift the height alone remains, as beside it.
            if length == 0.0 { [chart.angle.signum(), 0.0] } else { [turn / length, r * shift / length] }
        };
        let ends = radius.map(factor);
        let range = |i: usize| {
            let wider = SLACK * ends[1][i].abs().max(ends[0][i].abs());
            [ends[0][i].min(ends[1][i]) - wider, ends[0][i].max(ends[1][i]) + wider]
        };
        Row { radius, a: range(0), b: range(1) }
    }

    /// Heights on the screen of all points of a box in this row.
    fn heights(&self, one: &Ranges) -> [f64; 2] {
        let (x, y) = (product(self.a, one.height), product(self.b, one.angle));
        let wider = SLACK * (x[0].abs() + x[1].abs() + y[0].abs() + y[1].abs());
        [x[0] - y[1] - wider, x[1] - y[0] + wider]
    }

    /// Times at which they come there.
    fn times(&self, chart: &Chart, one: &Ranges) -> [f64; 2] {
        let mut all = NEVER;
        let radii = [self.radius[0].max(one.radius[0]), self.radius[1].min(one.radius[1])];
        for radius in radii {
            for angle in one.angle {
                for height in one.height {
                    let t = chart.project(Cylindrical { radius, angle, height }).t;
                    all = joined(all, [t; 2]);
                }
            }
        }
        // Sums of two products over a square.
        let wider = SLACK * (1.0 + self.largest_time(chart, one));
        [all[0] - wider, all[1] + wider]
    }

    /// No term of a time is larger.
    fn largest_time(&self, chart: &Chart, one: &Ranges) -> f64 {
        let most = |x: [f64; 2]| x[0].abs().max(x[1].abs());
        let turning = if chart.angle == 0.0 { 0.0 } else { most(one.angle) / chart.angle.abs() };
        let shifting = match chart.shift.abs() {
            0.0 => 0.0,
            shift => {
                let turn = chart.angle * self.radius[0].max(one.radius[0]);
                most(one.height) * shift / (shift * shift + turn * turn)
            }
        };
        turning + shifting
    }
}

/// The range of a product of numbers of two ranges.
fn product(x: [f64; 2], y: [f64; 2]) -> [f64; 2] {
    let all = [x[0] * y[0], x[0] * y[1], x[1] * y[0], x[1] * y[1]];
    all.into_iter().fold(NEVER, |range, p| joined(range, [p; 2]))
}
