//! What part of the screen is drawn, and how coarsely it is divided [Buss04 §9, step 1].

use super::Resolution;
use super::coordinates::{Ball, Chart, Cylindrical};
use super::drawing::{Drawing, View};
use super::extent::{self, Extent, joined};
use super::meeting::Lookup;
use super::raster::Grid;
use super::tiles::{Layers, Tiles};
use crate::math::{Pose, Screw};
use crate::screw::surface::Surface;
use std::f64::consts::TAU;

/// A screen has at most so many pixels from end to end; finer ones are taken as a part of what both bodies reach.
const MOST_PIXELS: f64 = 65_536.0;

/// Tiles for each edge that is drawn.
const TILES: f64 = 0.5;

/// What both bodies are drawn into.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub view: View,
    pub grid: Grid,
    pub tiles: Tiles,
}

impl Plan {
    /// Draws both bodies: steps 1 to 3 of the paper; `None` if they cannot meet.
    pub fn draw(
        drawings: &mut [Drawing; 2],
        lookup: Lookup,
        surfaces: [&Surface; 2],
        poses: [&Pose; 2],
        screw: &Screw,
        resolution: Resolution,
    ) -> Option<Plan> {
        let balls = [ball(surfaces[0], poses[0])?, ball(surfaces[1], poses[1])?];
        let widest = balls[0].radius.min(balls[1].radius) * 2.0 / MOST_PIXELS;
        let pixel = resolution.pixel().max(widest);
        let chart = Chart::new(screw, &balls[0], &balls[1], pixel)?;
        let step = [-0.5 * resolution.time(), 1.0 + 0.5 * resolution.time()];
        let [rests, moves] = drawings;
        let mut all_a = rests.place(surfaces[0], poses[0], &chart);
        let all_b = moves.place(surfaces[1], poses[1], &chart);
        let is_plain = all_a.angle[0].is_finite() && all_b.angle[0].is_finite();
        let turns = turns_between(&mut all_a, &all_b, &chart);
        let meets = |k: i32| all_a.window(&all_b, &chart, TAU * f64::from(k), step).is_some();
        if !(turns[0]..=turns[1]).any(meets) {
            return None;
        }
        let is_single = chart.is_straight || (is_plain && turns == [0, 0]);
        let view = View { chart, step, turns, is_single };
        moves.select(surfaces[1], &view, &all_a);
        if moves.extent.is_empty() {
            return None;
        }
        rests.select(surfaces[0], &view, &moves.extent);
        if rests.extent.is_empty() {
            return None;
        }
        let mut plan = Plan::over([rests, moves], view, lookup, resolution.time());
        moves.draw(surfaces[1], &view, &plan.grid, &rests.extent);
        rests.draw(surfaces[0], &view, &plan.grid, &moves.extent);
        plan.tiles = plan.tiles.over(common(rests.heights, moves.heights));
        Some(plan)
    }

    /// Rows and tiles over what both bodies reach, about as many as edges are drawn, and layers of time.
    fn over([rests, moves]: [&mut Drawing; 2], view: View, lookup: Lookup, time: f64) -> Plan {
        let radii = common(rests.extent.radius, moves.extent.radius);
        let (low, high) = (radii[0] - extent::NEAR, radii[1] + extent::NEAR);
        // Of vertices: edges that are bent reach farther, which tiles at the border are open for.
        let heights = common(rests.heights, moves.heights);
        let wide = (heights[1] - heights[0]).max(1.0);
        let count = (rests.drawn.len() + moves.drawn.len()).max(4) as f64 * TILES;
        let side = ((high - low) * wide / count).sqrt().max(1.0);
        let rows = ((high - low) / side).clamp(1.0, count) as usize;
        let layers = match lookup {
            Lookup::Tiled => {
                let of = |drawing: &Drawing| times(&view.chart, &drawing.extent, low);
                let [first, last] = of(moves);
                Layers::over(common(of(rests), [first, last + 1.0]), 256)
            }
            _ => Layers::ONE,
        };
        let grid = Grid {
            first: low,
            rows,
            inverse: rows as f64 / (high - low),
            time,
            inverse_time: 1.0 / time,
        };
        let tiles = Tiles::new(heights, side, (count as usize / rows).max(1) + 1, layers);
        Plan { view, grid, tiles }
    }
}

/// What two ranges have in common.
fn common(x: [f64; 2], y: [f64; 2]) -> [f64; 2] {
    [x[0].max(y[0]), x[1].min(y[1])]
}

/// Times at which points of a box come to the screen, or all if some of them are on the axis of a turn.
fn times(chart: &Chart, extent: &Extent, low: f64) -> [f64; 2] {
    let radii = if chart.is_straight {
        extent.radius
    } else {
        [extent.radius[0].max(low).max(0.0), extent.radius[1]]
    };
    let mut all = [f64::INFINITY, f64::NEG_INFINITY];
    for radius in radii {
        for angle in extent.angle {
            for height in extent.height {
                all = joined(all, [chart.project(Cylindrical { radius, angle, height }).t; 2]);
            }
        }
    }
    all
}

/// Whole turns between angles of A and of B that may matter; if one of them is seen under half a turn or more, angles of A are
/// not told apart.
fn turns_between(a: &mut Extent, b: &Extent, chart: &Chart) -> [i32; 2] {
    if a.angle[0].is_finite() && b.angle[0].is_finite() {
        return a.copies(b.angle, chart);
    }
    a.angle = [f64::NEG_INFINITY, f64::INFINITY];
    [0, 0]
}

/// Around a body where it is.
pub(super) fn ball(surface: &Surface, pose: &Pose) -> Option<Ball> {
    let root = surface.nodes.first()?;
    (!surface.positions.is_empty())
        .then(|| Ball { center: pose.apply(root.center), radius: root.half.length() * (1.0 + 1e-8) })
}
