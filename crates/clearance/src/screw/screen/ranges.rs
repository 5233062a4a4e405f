//! Ranges of radius, angle and height that hold cells of a body for sure: the proof is in `filter`.

use super::coordinates::{Chart, Cylindrical};
use crate::math::Pose;
use crate::screw::surface::Surface;
use std::f64::consts::PI;

/// Of all sizes a number is computed from: places take fewer than a hundred roundings of `2^-53`.
pub(super) const SLACK: f64 = 1.0 / (1u64 << 40) as f64;

/// Ranges of radius, angle and height that hold a cell for sure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranges {
    pub radius: [f64; 2],
    pub angle: [f64; 2],
    pub height: [f64; 2],
}

/// No time.
pub(super) const NEVER: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];

impl Ranges {
    pub const EMPTY: Ranges = Ranges { radius: NEVER, angle: NEVER, height: NEVER };

    pub fn hull(&self, other: &Ranges) -> Ranges {
        Ranges {
            radius: joined(self.radius, other.radius),
            angle: joined(self.angle, other.angle),
            height: joined(self.height, other.height),
        }
    }
}

pub(super) fn joined(x: [f64; 2], y: [f64; 2]) -> [f64; 2] {
    [x[0].min(y[0]), x[1].max(y[1])]
}

/// Of all cells, in their order.
pub(super) fn boxes(surface: &Surface, pose: &Pose, chart: &Chart) -> Vec<Ranges> {
    let (matrix, offset) = chart.placement(pose);
    let spots: Vec<Cylindrical> =
        surface.positions.iter().map(|&position| chart.cylindrical(matrix * position + offset)).collect();
    let farthest = surface.positions.iter().map(|p| (matrix * *p).abs().element_sum()).fold(0.0, f64::max);
    let off = SLACK * (farthest + chart.sizes(pose)) + if chart.is_straight { 1.0 / 16.0 } else { 0.0 };
    surface.cells.iter().map(|cell| around(chart, cell.corners.map(|v| spots[v as usize]), off)).collect()
}

fn around(chart: &Chart, corners: [Cylindrical; 3], off: f64) -> Ranges {
    let range = |of: fn(&Cylindrical) -> f64| {
        let [x, y, z] = [of(&corners[0]), of(&corners[1]), of(&corners[2])];
        [x.min(y).min(z) - off, x.max(y).max(z) + off]
    };
    let mut found =
        Ranges { radius: range(|c| c.radius), angle: range(|c| c.angle), height: range(|c| c.height) };
    if chart.is_straight {
        return found;
    }
    let wide = found.angle[1] - found.angle[0];
    let nearest = found.radius[0] * (1.0 - 0.125 * wide * wide) * (1.0 - SLACK);
    if wide < PI - 1e-6 && nearest > 2.0 * off {
        // An arc sine is below twice its argument.
        let turned = 2.0 * off / nearest + SLACK;
        found.radius[0] = nearest;
        found.angle = [found.angle[0] - turned, found.angle[1] + turned];
    } else {
        found.radius[0] = 0.0;
        found.angle = [-PI - 1e-6, PI + 1e-6];
    }
    found
}
