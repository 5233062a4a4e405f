//! Boxes in cylindrical coordinates, in which a screw is a translation: what cannot meet the other body is not drawn.

use super::coordinates::{Chart, Cylindrical};
use std::f64::consts::{PI, TAU};

/// The smaller of two numbers, in one instruction: there is nothing that is not a number here.
#[inline(always)]
pub(super) fn least(x: f64, y: f64) -> f64 {
    if x < y { x } else { y }
}

/// The larger of two numbers.
#[inline(always)]
pub(super) fn most(x: f64, y: f64) -> f64 {
    if x > y { x } else { y }
}

/// From the first of two ranges' beginnings to the last of their ends.
#[inline(always)]
pub(super) fn joined(x: [f64; 2], y: [f64; 2]) -> [f64; 2] {
    [least(x[0], y[0]), most(x[1], y[1])]
}

/// Pieces nearer than this, in pixels, are taken to meet.
pub(super) const NEAR: f64 = 0.25;

/// Ranges of radius, angle and height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    pub radius: [f64; 2],
    pub angle: [f64; 2],
    pub height: [f64; 2],
}

impl Extent {
    pub const EMPTY: Extent = Extent {
        radius: [f64::INFINITY, f64::NEG_INFINITY],
        angle: [f64::INFINITY, f64::NEG_INFINITY],
        height: [f64::INFINITY, f64::NEG_INFINITY],
    };

    pub fn of(at: &Cylindrical) -> Extent {
        Extent { radius: [at.radius; 2], angle: [at.angle; 2], height: [at.height; 2] }
    }

    #[inline]
    pub fn join(&mut self, other: &Extent) {
        self.radius = joined(self.radius, other.radius);
        self.angle = joined(self.angle, other.angle);
        self.height = joined(self.height, other.height);
    }

    /// What two boxes have in common.
    pub fn common(&self, other: &Extent) -> Extent {
        let both = |x: [f64; 2], y: [f64; 2]| [most(x[0], y[0]), least(x[1], y[1])];
        Extent {
            radius: both(self.radius, other.radius),
            angle: both(self.angle, other.angle),
            height: both(self.height, other.height),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.radius[0] > self.radius[1]
    }

    /// Around all three, whose convex hull does not hold the axis and is seen from there under less than half a turn.
    ///
    /// A hull seen under an angle `w` whose corners are no nearer than `r` is no nearer than `r cos(w / 2) >= r (1 - w^2 / 8)`.
    #[inline]
    pub fn hull(chart: &Chart, [x, y, z]: [&Cylindrical; 3]) -> Extent {
        let range = |x: f64, y: f64, z: f64| [least(least(x, y), z), most(most(x, y), z)];
        let mut all = Extent {
            radius: range(x.radius, y.radius, z.radius),
            angle: range(x.angle, y.angle, z.angle),
            height: range(x.height, y.height, z.height),
        };
        if !chart.is_straight {
            let wide = all.angle[1] - all.angle[0];
            all.radius[0] *= most(1.0 - 0.125 * wide * wide, 0.0);
        }
        all
    }

    /// Around all points whose coordinates are in the ranges joined so far; without angles if seen under half a turn or more.
    pub fn closed(mut self, chart: &Chart) -> Extent {
        if !chart.is_straight {
            let wide = self.angle[1] - self.angle[0];
            if wide < PI {
                self.radius[0] *= most(1.0 - 0.125 * wide * wide, 0.0);
            } else {
                (self.radius[0], self.angle) = (0.0, [f64::NEG_INFINITY, f64::INFINITY]);
            }
        }
        self
    }

    /// Times of a window at which something that moves may meet this, which rests and is drawn some turns further.
    #[inline]
    pub fn window(&self, moves: &Extent, chart: &Chart, turns: f64, window: [f64; 2]) -> Option<[f64; 2]> {
        if self.radius[0] > moves.radius[1] + NEAR || moves.radius[0] > self.radius[1] + NEAR {
            return None;
        }
        let (low, high) = (self.height[0] - moves.height[1] - NEAR, self.height[1] - moves.height[0] + NEAR);
        let window = passed(window, low, high, chart.inverse[1])?;
        // At the radius of the nearer one a pixel is seen under the largest angle.
        let far = if chart.is_straight { 1.0 } else { most(most(self.radius[0], moves.radius[0]), NEAR) };
        let (low, high) = (self.angle[0] - moves.angle[1] + turns, self.angle[1] - moves.angle[0] + turns);
        let near = NEAR / far;
        passed(window, low - near, high + near, chart.inverse[0])
    }

    /// Whole turns after which this, which rests, may be met by something whose angles are in a range before it moves.
    pub fn copies(&self, moves: [f64; 2], chart: &Chart) -> [i32; 2] {
        if chart.is_straight {
            return [0, 0];
        }
        let (low, high) = (moves[0] + chart.angle.min(0.0), moves[1] + chart.angle.max(0.0));
        let (low, high) = (low - NEAR - self.angle[1], high + NEAR - self.angle[0]);
        // Most often, and the same.
        if (-TAU < low) & (low <= 0.0) & (0.0..TAU).contains(&high) {
            return [0, 0];
        }
        [(low / TAU).ceil() as i32, (high / TAU).floor() as i32]
    }
}

/// Times of a window at which something is between two places; `inverse` is one over its rate, infinite if it does not move.
#[inline]
fn passed(window: [f64; 2], low: f64, high: f64, inverse: f64) -> Option<[f64; 2]> {
    if inverse.is_infinite() {
        return (low <= 0.0 && high >= 0.0).then_some(window);
    }
    let (first, last) = (low * inverse, high * inverse);
    let window = [most(window[0], least(first, last)), least(window[1], most(first, last))];
    (window[0] <= window[1]).then_some(window)
}
