//! Straight edges are curves on the screen: cut in halves until chords are good enough, then filled row by row [Buss04 §9].
//!
//! All pixels of a chord with the same radius are one record, found from the slope as Bresenham's run-length fill finds them; in
//! floats, because a row's ends need not be whole pixels.

use super::coordinates::{Chart, Cylindrical, OnScreen};
use super::curvature::Bend;
use super::doppel::anchor;
use super::extent::{least, most};
use super::spot::Spot;
use glam::DVec3;

/// How far a chord may be from its curve, in pixels, and in parts of the resolution in time.
pub(super) const BENT: f64 = 1.0 / 8.0;

/// Chords that are shorter than this, in pixels of space, are not cut.
const SHORT: f64 = 0.25;

/// Chords are never seen under a larger angle than this: a curve may be bent twice, so that its middle alone tells nothing.
const WIDE: f64 = 0.7;

/// Contacts this near to an end of an edge or a side of a face, in pixels, are told as of that.
pub(super) const SLACK: f64 = 0.125;

/// How far beyond an end of an edge chords may cross whose curves cross before it, in pixels.
pub(super) const OFF: f64 = SLACK + 2.0 * BENT;

/// By so much chords, as boxes or as runs of pixels, are wider at all ends, in pixels: those of both bodies share what is off.
pub(super) const MARGIN: f64 = 0.5 * OFF;

/// Rows of the screen that both bodies may reach, and the resolution in time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub first: f64,
    pub rows: usize,
    /// One over the height of a row, in pixels.
    pub inverse: f64,
    pub time: f64,
    pub inverse_time: f64,
}

impl Grid {
    pub fn new([first, last]: [f64; 2], rows: usize, time: f64) -> Grid {
        Grid { first, rows, inverse: rows as f64 / (last - first), time, inverse_time: 1.0 / time }
    }

    /// The row of a radius that is on the screen.
    #[inline]
    pub fn row(&self, r: f64) -> Option<u32> {
        let row = (r - self.first) * self.inverse;
        // Whole numbers below `rows` are cut off toward zero.
        (row >= 0.0 && row < self.rows as f64).then_some(row as u32)
    }

    /// Rows of some radii.
    #[inline]
    pub fn rows_between(&self, low: f64, high: f64) -> Option<[u32; 2]> {
        let [first, last] = [low, high].map(|r| (r - self.first) * self.inverse);
        let is_beside = (last < 0.0) | (first >= self.rows as f64);
        // A cast cuts off what is negative, and what is too large.
        (!is_beside).then(|| [most(first, 0.0) as u32, (last as u32).min(self.rows as u32 - 1)])
    }

    /// Radii of a row.
    pub fn radii(&self, row: u32) -> [f64; 2] {
        [row, row + 1].map(|row| self.first + f64::from(row) / self.inverse)
    }
}

/// A point of an edge on the screen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// The share of the edge before it.
    pub s: f64,
    pub at: OnScreen,
    pub angle: f64,
}

/// A straight line of space; its angles are counted from a point of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub from: DVec3,
    pub along: DVec3,
    pub anchor: DVec3,
    pub angle: f64,
}

impl Line {
    /// `angle` is that at the first end, unless the other is farther from the axis and the line holds it.
    pub fn between(chart: &Chart, from: DVec3, to: DVec3, angle: f64) -> Line {
        let far = |p: DVec3| if chart.is_straight { 0.0 } else { p.x * p.x + p.y * p.y };
        let (anchor, angle) = match far(to) > far(from) && far(from) > 0.0 {
            true => (to, angle + chart.turn_between(from, to)),
            false => (from, angle),
        };
        Line { from, along: to - from, anchor, angle }
    }

    #[inline]
    pub fn sample(&self, chart: &Chart, s: f64) -> Sample {
        let p = self.from + self.along * s;
        if chart.is_straight {
            return Sample { s, at: OnScreen { r: p.x, h: p.y, t: p.z / chart.shift }, angle: p.y };
        }
        let angle = self.angle + chart.turn_between(self.anchor, p);
        let radius = (p.x * p.x + p.y * p.y).sqrt();
        Sample { s, at: chart.project(Cylindrical { radius, angle, height: p.z }), angle }
    }
}

/// Chords of equal shares that a line needs whose ends are seen under an angle; zero if its middle does not tell.
#[inline]
pub(super) fn parts(chart: &Chart, grid: &Grid, bend: Bend, angle: f64) -> usize {
    if chart.is_straight {
        return 1;
    }
    let bent = most(bend.place, bend.time * grid.inverse_time);
    match angle.abs() <= WIDE {
        true if bent <= BENT => 1,
        // The bend of a part falls as the square of its share; seen under so little, all parts are bent about the same.
        true if bent <= 4.0 * BENT => 2,
        true if bent <= 4096.0 * BENT => (bent * (1.0 / BENT)).sqrt() as usize + 1,
        _ => 0,
    }
}

/// So many chords between two points whose angles do not jump, one after the other, with their shares; or as many as it takes.
#[inline]
pub(super) fn divide(
    chart: &Chart,
    grid: &Grid,
    [from, middle, to]: [&Spot; 3],
    count: usize,
    mut chord: impl FnMut(&OnScreen, &OnScreen, [f64; 2]),
) {
    match count {
        1 => chord(&from.screen, &to.screen, [0.0, 1.0]),
        2 => {
            chord(&from.screen, &middle.screen, [0.0, 0.5]);
            chord(&middle.screen, &to.screen, [0.5, 1.0]);
        }
        0 => {
            let sample = |s: f64, spot: &Spot| Sample { s, at: spot.screen, angle: spot.angle };
            let end = [from, to][anchor([&from.at(), &to.at()])];
            let line = Line { from: from.p, along: to.p - from.p, anchor: end.p, angle: end.angle };
            let ends = [sample(0.0, from), sample(1.0, to)];
            flatten(chart, grid, &line, ends, sample(0.5, middle), |x, y| chord(&x.at, &y.at, [x.s, y.s]));
        }
        _ => {
            let (along, share) = (to.p - from.p, 1.0 / count as f64);
            let (mut last, mut at) = (from.screen, 0.0);
            for first in (1..count).step_by(4) {
                let shares: [f64; 4] = std::array::from_fn(|i| (first + i) as f64 * share);
                let spots = chart.spots(shares.map(|s| from.p + along * s));
                for (spot, s) in spots.iter().zip(shares).take(count - first) {
                    chord(&last, &spot.screen, [at, s]);
                    (last, at) = (spot.screen, s);
                }
            }
            chord(&last, &to.screen, [at, 1.0]);
        }
    }
}

/// Chords of a part of a line, one after the other; its middle is known.
pub(super) fn flatten(
    chart: &Chart,
    grid: &Grid,
    line: &Line,
    [mut from, to]: [Sample; 2],
    middle: Sample,
    mut chord: impl FnMut(&Sample, &Sample),
) {
    if chart.is_straight {
        return chord(&from, &to);
    }
    let length = line.along.length();
    let mut open = [to; 24];
    let (mut count, mut known) = (1, Some(middle));
    while count > 0 {
        let to = open[count - 1];
        let middle = known.take().unwrap_or_else(|| line.sample(chart, 0.5 * (from.s + to.s)));
        let is_short = (to.s - from.s) * length <= SHORT;
        match parts(chart, grid, Bend::of([&from.at, &middle.at, &to.at]), to.angle - from.angle) {
            1 => chord(&from, &to),
            _ if is_short => chord(&from, &to),
            2 => {
                chord(&from, &middle);
                chord(&middle, &to);
            }
            _ if count == open.len() => {
                chord(&from, &middle);
                chord(&middle, &to);
            }
            _ => {
                open[count] = middle;
                count += 1;
                continue;
            }
        }
        from = to;
        count -= 1;
    }
}

/// Rows that a chord crosses, each with ranges of heights and times.
#[inline]
pub(super) fn fill(grid: &Grid, a: &OnScreen, b: &OnScreen, mut run: impl FnMut(u32, [f64; 2], [f64; 2])) {
    let (low, high) = if a.r <= b.r { (a, b) } else { (b, a) };
    let Some([first, last]) = grid.rows_between(low.r - MARGIN, high.r + MARGIN) else { return };
    let range = |x: f64, y: f64| if x <= y { [x, y] } else { [y, x] };
    let wider = |h: [f64; 2]| [h[0] - MARGIN, h[1] + MARGIN];
    let wide = high.r - low.r;
    // Slopes of a chord along a row mean nothing: all of it is in one run.
    if first == last || wide < 1e-9 {
        let (h, t) = (wider(range(a.h, b.h)), range(a.t, b.t));
        (first..=last).for_each(|row| run(row, h, t));
        return;
    }
    let inverse = 1.0 / wide;
    let (slope_h, slope_t) = ((high.h - low.h) * inverse, (high.t - low.t) * inverse);
    let at = |r: f64| {
        let along = least(most(r - low.r, 0.0), wide);
        (along * slope_h + low.h, along * slope_t + low.t)
    };
    let side = 1.0 / grid.inverse;
    let mut border = grid.first + f64::from(first) * side;
    let mut below = at(border - MARGIN);
    for row in first..=last {
        border += side;
        let (lower, upper) = (below, at(border + MARGIN));
        run(row, wider(range(lower.0, upper.0)), range(lower.1, upper.1));
        below = at(border - MARGIN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Pose, Random, Screw};
    use crate::screw::screen::coordinates::Ball;

    /// Every point of an edge is in a run of its row, and near the chord of its share.
    #[test]
    fn edges_stay_in_their_pixels() {
        let (mut random, mut chords) = (Random::new(1), 0);
        for case in 0..400 {
            let mut v =
                || DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
            let (p, q) = (v(), v());
            let center = if case % 3 == 0 { p } else { v() };
            let screw = Screw::new(v(), center, [1.0, -0.3, 3.0, 0.0][case % 4], 0.5).unwrap();
            let ball = Ball { center: DVec3::ZERO, radius: 1.8 };
            let chart = Chart::new(&screw, &ball, &ball, 0.03).unwrap();
            let (matrix, offset) = chart.placement(&Pose::IDENTITY);
            let (p, q) = (matrix * p + offset, matrix * q + offset);
            let line = Line::between(&chart, p, q, chart.cylindrical(p).angle);
            let side = [1.0, 5.5][case % 2];
            let grid = Grid::new([-200.0, -200.0 + 400.0 * side], 400, 0.02);
            let mut runs: Vec<(u32, [f64; 2], [f64; 2])> = Vec::new();
            let mut covered = 0.0;
            let ends = [line.sample(&chart, 0.0), line.sample(&chart, 1.0)];
            flatten(&chart, &grid, &line, ends, line.sample(&chart, 0.5), |from, to| {
                assert_eq!(from.s, covered);
                covered = to.s;
                chords += 1;
                fill(&grid, &from.at, &to.at, |row, h, t| runs.push((row, h, t)));
            });
            assert_eq!(covered, 1.0);
            for i in 0..=200 {
                let s = f64::from(i) / 200.0;
                let sample = line.sample(&chart, s).at;
                let row = grid.row(sample.r).unwrap();
                let holds =
                    |x: f64, range: [f64; 2], slack: f64| range[0] - slack <= x && x <= range[1] + slack;
                // Next to the axis angles jump within a pixel.
                let near_axis = !chart.is_straight && sample.r < 1.0;
                assert!(
                    near_axis
                        || runs.iter().any(|&(at, h, t)| at == row
                            && holds(sample.h, h, 0.0)
                            && holds(sample.t, t, grid.time)),
                    "{case} {s}: {sample:?}"
                );
            }
        }
        assert!(chords > 1_000, "{chords}");
    }
}
