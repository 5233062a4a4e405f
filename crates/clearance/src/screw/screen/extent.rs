//! Boxes in cylindrical coordinates, in which a screw is a translation: what cannot meet the other body is not drawn.

use super::coordinates::{Chart, Cylindrical};
use std::f64::consts::TAU;

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

    pub fn join(&mut self, other: &Extent) {
        let joined = |x: [f64; 2], y: [f64; 2]| [x[0].min(y[0]), x[1].max(y[1])];
        self.radius = joined(self.radius, other.radius);
        self.angle = joined(self.angle, other.angle);
        self.height = joined(self.height, other.height);
    }

    pub fn is_empty(&self) -> bool {
        self.radius[0] > self.radius[1]
    }

    /// Around all three, whose convex hull does not hold the axis and is seen from there under less than half a turn.
    ///
    /// A hull seen under an angle `w` whose corners are no nearer than `r` is no nearer than `r cos(w / 2) >= r (1 - w^2 / 8)`.
    pub fn hull(chart: &Chart, corners: [Cylindrical; 3]) -> Extent {
        let mut all = Extent::of(&corners[0]);
        all.join(&Extent::of(&corners[1]));
        all.join(&Extent::of(&corners[2]));
        if !chart.is_straight {
            let wide = all.angle[1] - all.angle[0];
            all.radius[0] *= (1.0 - 0.125 * wide * wide).max(0.0);
        }
        all
    }

    /// Times of a window at which something that moves may meet this, which rests and is drawn some turns further.
    pub fn window(
        &self,
        moves: &Extent,
        chart: &Chart,
        turns: f64,
        mut window: [f64; 2],
    ) -> Option<[f64; 2]> {
        if self.radius[0] > moves.radius[1] + NEAR || moves.radius[0] > self.radius[1] + NEAR {
            return None;
        }
        let near =
            if chart.is_straight { NEAR } else { NEAR / self.radius[0].max(moves.radius[0]).max(NEAR) };
        let mut pass = |rests: [f64; 2], moves: [f64; 2], near: f64, rate: f64| {
            let (low, high) = (rests[0] - moves[1] - near, rests[1] - moves[0] + near);
            if rate == 0.0 {
                return low <= 0.0 && high >= 0.0;
            }
            let inverse = 1.0 / rate;
            let (first, last) = (low * inverse, high * inverse);
            window = [window[0].max(first.min(last)), window[1].min(first.max(last))];
            window[0] <= window[1]
        };
        let meet = pass(self.height, moves.height, NEAR, chart.shift)
            && pass([self.angle[0] + turns, self.angle[1] + turns], moves.angle, near, chart.angle);
        meet.then_some(window)
    }

    /// Whole turns after which this, which rests, may be met by something whose angles are in a range before it moves.
    pub fn copies(&self, moves: [f64; 2], chart: &Chart) -> [i32; 2] {
        if chart.is_straight {
            return [0, 0];
        }
        let (low, high) = (moves[0] + chart.angle.min(0.0), moves[1] + chart.angle.max(0.0));
        let first = ((low - NEAR - self.angle[1]) / TAU).ceil();
        let last = ((high + NEAR - self.angle[0]) / TAU).floor();
        [first as i32, last as i32]
    }
}
