//! Faces as runs of pixels between their sides, of bodies that are seen around the axis.

use super::coordinates::{Chart, Cylindrical};
use super::doppel::Unwrapped;
use super::drawing::{Active, Drawing, FaceRun, View};
use super::extent::{Extent, joined};
use super::raster::{Grid, Line, fill, flatten};
use crate::screw::surface::{NONE, Surface};
use glam::DVec3;
use std::f64::consts::TAU;

/// No heights.
const NOTHING: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];

/// Heights of a triangle by row, while it is drawn.
struct Heights<'a> {
    rows: &'a mut [[f64; 2]],
    first: u32,
    last: u32,
}

impl Heights<'_> {
    #[inline]
    fn add(&mut self, row: u32, h: [f64; 2]) {
        let all = &mut self.rows[row as usize];
        *all = joined(*all, h);
        (self.first, self.last) = (self.first.min(row), self.last.max(row));
    }
}

impl Drawing {
    /// Faces as runs from side to side, as often as they are drawn.
    pub(super) fn draw_between_sides(&mut self, surface: &Surface, view: &View<'_>, grid: &Grid) {
        self.faces.clear();
        let mut rows = std::mem::take(&mut self.rows);
        rows.resize(grid.rows.max(rows.len()), NOTHING);
        for number in 0..self.active.len() {
            let active = self.active[number];
            let triangle = &surface.triangles[active.triangle as usize];
            for k in active.copies[0]..=active.copies[1] {
                let mut heights = Heights { rows: &mut rows, first: u32::MAX, last: 0 };
                match self.outlines.get(active.outline as usize) {
                    Some(outline) => self.add_outline(surface, view, grid, &active, outline, k, &mut heights),
                    None => {
                        for side in 0..3 {
                            let edge = triangle.edges[side];
                            if edge != NONE {
                                let names = [edge, active.triangle];
                                self.each_run(surface, view, names, k, |run| heights.add(run.row, run.h));
                                continue;
                            }
                            let [from, to] = [triangle.corners[side], triangle.corners[(side + 1) % 3]]
                                .map(|v| &self.spots[v as usize]);
                            let angle = from.angle + TAU * f64::from(k);
                            let mut add = |row, h| heights.add(row, h);
                            straight(view.chart, grid, from.p, to.p, angle, &mut add);
                        }
                    }
                }
                let Heights { first, last, .. } = heights;
                if first <= last {
                    self.push_runs(view, grid, number, k, first, &mut rows[first as usize..=last as usize]);
                }
            }
        }
        self.rows = rows;
    }

    fn push_runs(
        &mut self,
        view: &View<'_>,
        grid: &Grid,
        number: usize,
        k: i32,
        first: u32,
        rows: &mut [[f64; 2]],
    ) {
        let turns = TAU * f64::from(k);
        for (row, h) in (first..).zip(rows) {
            let h = std::mem::replace(h, NOTHING);
            if h[0] <= h[1] {
                self.heights = joined(self.heights, h);
                let t = times(view.chart, grid, row, &self.active[number].extent, turns);
                self.faces.push(FaceRun { row, active: number as u32, slack: f64::INFINITY, h, t });
            }
        }
    }

    /// A triangle that is clipped, or seen around the axis.
    #[expect(clippy::too_many_arguments, reason = "a triangle, how it is seen, and where it goes")]
    fn add_outline(
        &self,
        surface: &Surface,
        view: &View<'_>,
        grid: &Grid,
        active: &Active,
        outline: &Unwrapped,
        k: i32,
        heights: &mut Heights<'_>,
    ) {
        let triangle = &surface.triangles[active.triangle as usize];
        let turns = TAU * f64::from(k);
        let kept = outline.outline.corners();
        for side in 0..3 {
            let edge = triangle.edges[side];
            if edge != NONE {
                let (names, turned) = ([edge, active.triangle], k + outline.turns[side]);
                self.each_run(surface, view, names, turned, |run| heights.add(run.row, run.h));
                continue;
            }
            for (i, corner) in kept.iter().enumerate().filter(|(_, corner)| corner.side == Some(side)) {
                let to = kept[(i + 1) % kept.len()].point;
                let mut add = |row, h| heights.add(row, h);
                straight(view.chart, grid, corner.point, to, outline.angles[i] + turns, &mut add);
            }
        }
        for (from, to, angle) in outline.virtual_sides() {
            straight(view.chart, grid, from, to, angle + turns, &mut |row, h| heights.add(row, h));
        }
    }
}

/// Rows of a straight side.
fn straight(
    chart: &Chart,
    grid: &Grid,
    from: DVec3,
    to: DVec3,
    angle: f64,
    add: &mut impl FnMut(u32, [f64; 2]),
) {
    let line = Line::between(chart, from, to, angle);
    let ends = [line.sample(chart, 0.0), line.sample(chart, 1.0)];
    flatten(chart, grid, &line, ends, line.sample(chart, 0.5), |from, to| {
        fill(grid, &from.at, &to.at, |row, h, _| add(row, h));
    });
}

/// Times at which points of a box in a row come to the screen.
///
/// `t` grows evenly with angle and height, by factors that are monotone in the radius.
fn times(chart: &Chart, grid: &Grid, row: u32, extent: &Extent, turns: f64) -> [f64; 2] {
    if chart.is_straight {
        let ends = extent.height.map(|z| z * chart.inverse[1]);
        return [ends[0].min(ends[1]), ends[0].max(ends[1])];
    }
    let mut all = NOTHING;
    for radius in grid.radii(row).map(|r| r.max(0.0)) {
        for angle in extent.angle {
            for height in extent.height {
                let t = chart.project(Cylindrical { radius, angle: angle + turns, height }).t;
                all = joined(all, [t; 2]);
            }
        }
    }
    all
}
