//! A function of time in a window, by Taylor's theorem, in floats with bounds of all errors.

use crate::math::Interval;

/// A function of time about the middle of a window: its value and first two derivatives there, a bound of the third, and how far
/// all this may make the function and its speed off within the window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub value: f64,
    pub speed: f64,
    pub bend: f64,
    pub jerk: f64,
    pub slack: f64,
    pub speed_slack: f64,
    pub half: f64,
}

impl Value {
    /// 1 if it stays positive throughout the window, -1 if negative, 0 if that is not proved.
    #[inline]
    pub fn sign(&self) -> i8 {
        let reach = self.speed.abs() * self.half * (1.0 + 1e-9);
        let [low, high] = self.bent();
        match self.value {
            value if value + low > reach => 1,
            value if value + high < -reach => -1,
            _ => 0,
        }
    }

    /// By how much it may differ from a straight line.
    #[inline]
    fn bent(&self) -> [f64; 2] {
        let square = 0.5 * self.half * self.half * (1.0 + 1e-9);
        let (bent, rest) = (self.bend * square, self.jerk * square * self.half + self.slack);
        [bent.min(0.0) - rest, bent.max(0.0) + rest]
    }

    /// 1 if it rises throughout the window, -1 if it falls, 0 if that is not proved.
    pub fn course(&self) -> i8 {
        let changes = self.changes();
        match self.speed {
            speed if speed > changes => 1,
            speed if speed < -changes => -1,
            _ => 0,
        }
    }

    /// Holds all speeds in the window.
    pub fn slopes(&self) -> Interval {
        let changes = self.changes();
        Interval::new(self.speed - changes, self.speed + changes)
    }

    /// By how much the speed may differ from that in the middle; more than rounding of their sum.
    fn changes(&self) -> f64 {
        let bends = self.bend.abs() + 0.5 * self.jerk * self.half;
        bends * self.half * (1.0 + 1e-9) + self.speed_slack + 2.0 * f64::EPSILON * self.speed.abs()
    }

    /// Between which times from the middle it is positive for sure, if `sign` is 1, or negative, if that is -1: one of them is
    /// infinite, or there are none.
    #[inline]
    fn keeps(&self, sign: f64) -> [f64; 2] {
        let [low, high] = self.bent();
        let (value, speed) = (sign * self.value + if sign > 0.0 { low } else { -high }, sign * self.speed);
        let root = -value / speed;
        // Known to a few units in the last place.
        let grown = 1e-12 * root.abs();
        match speed {
            speed if speed > 0.0 && root.is_finite() => [root + grown, f64::INFINITY],
            speed if speed < 0.0 && root.is_finite() => [f64::NEG_INFINITY, root - grown],
            _ if value > self.speed.abs() * self.half * (1.0 + 1e-9) => [f64::NEG_INFINITY, f64::INFINITY],
            _ => [f64::INFINITY, f64::NEG_INFINITY],
        }
    }

    /// The part of the window, from its middle, outside of which all of some numbers have the same sign; `None` if that is
    /// everywhere.
    pub fn straddling(values: &[Value; 3]) -> Option<[f64; 2]> {
        let half = values[0].half;
        let (mut from, mut to) = (-half, half);
        for sign in [1.0, -1.0] {
            let (mut first, mut last) = (f64::NEG_INFINITY, f64::INFINITY);
            for value in values {
                let [since, until] = value.keeps(sign);
                (first, last) = (first.max(since), last.min(until));
            }
            if first < last {
                from = if first <= from { from.max(last) } else { from };
                to = if last >= to { to.min(first) } else { to };
            }
        }
        (from <= to).then_some([from, to])
    }

    /// Between which times from the middle it may be zero.
    pub fn zeros(&self) -> Option<[f64; 2]> {
        let [low, high] = self.bent();
        let (from, to) = ((-self.value - high) / self.speed, (-self.value - low) / self.speed);
        let (from, to) = (from.min(to), from.max(to));
        if !(from.is_finite() && to.is_finite()) {
            return Some([-self.half, self.half]);
        }
        let grown = 1e-12 * (from.abs() + to.abs());
        let (from, to) = ((from - grown).max(-self.half), (to + grown).min(self.half));
        (from <= to).then_some([from, to])
    }
}
