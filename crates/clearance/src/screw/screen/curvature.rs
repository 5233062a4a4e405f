//! How far straight lines of space are from straight on the screen, at most.
//!
//! With `c = shift / l` and `s = r angle / l`, cosine and sine of the slope of a helix, and a unit vector `u` of space with parts
//! `u_r, u_f, u_z` along radius, turn and axis, second derivatives along `u` are
//!
//! ```text
//! r: u_f^2 / r                   at most 1 / r,
//! f: -2 u_r u_f / r^2            at most 1 / r^2 in size.
//! ```
//!
//! In `h = a z - b f` and `t = A z + B f` the factors have the derivatives
//!
//! ```text
//! a' = s c^2 / r       a'' = -3 s^3 c^2 / r^2                    b' = c^3         b'' = -3 s^2 c^3 / r
//! l A' = -2 s^2 c / r  l A'' = 2 s^2 c (4 s^2 - 1) / r^2         l B' = 2 s c^2   l B'' = 2 s c^2 (1 - 4 s^2) / r
//! ```
//!
//! so that along `u`, as `2 |u_r u_z|` and `2 |u_r u_f|` are at most one,
//!
//! ```text
//! |h''| <= (s c^2 (1 + 3 s^2) |z| / r + c^3 (1 + 3 s^2) |f| + s c^2 + c^3 + c) / r
//! l |t''| <= (2 s^2 c (1 + |4 s^2 - 1|) |z| / r + 2 s c^2 (1 + |4 s^2 - 1|) |f| + 2 s^2 c + 2 s c^2 + s) / r.
//! ```

use super::coordinates::{Chart, OnScreen};
use super::extent::{Extent, least, most};

/// How far the middle of a line is from its chord: in pixels, and in time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Bend {
    pub place: f64,
    pub time: f64,
}

impl Bend {
    #[inline]
    pub fn of([from, middle, to]: [&OnScreen; 3]) -> Bend {
        let off = |x: f64, y: f64, z: f64| (y - 0.5 * (x + z)).abs();
        let place = most(off(from.r, middle.r, to.r), off(from.h, middle.h, to.h));
        Bend { place, time: off(from.t, middle.t, to.t) }
    }
}

/// A line of the length `n` is off its chord by at most so much, times `n^2`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Curvature {
    place: f64,
    time: f64,
}

impl Curvature {
    /// Of all lines in a box.
    pub fn over(chart: &Chart, extent: &Extent) -> Curvature {
        if chart.is_straight {
            return Curvature::default();
        }
        let largest = |range: [f64; 2]| most(range[0].abs(), range[1].abs());
        let length = |r: f64| (chart.shift * chart.shift + r * chart.angle * (r * chart.angle)).sqrt();
        let inverse = 1.0 / extent.radius[0];
        // The cosine falls with the radius, the sine grows.
        let [slow, fast] = extent.radius.map(length);
        let (c, s) = (chart.shift.abs() / slow, extent.radius[1] * chart.angle.abs() / fast);
        let (z, f) = (largest(extent.height) * inverse, largest(extent.angle));
        let (s2, c2) = (s * s, c * c);
        let place = s * c2 * (1.0 + 3.0 * s2) * z + c2 * c * (1.0 + 3.0 * s2) * f + s * c2 + c2 * c + c;
        // From -1 at s = 0 on it grows.
        let bent = 1.0 + most(1.0, 4.0 * s2 - 1.0);
        let time = 2.0 * s2 * c * bent * z + 2.0 * s * c2 * bent * f + 2.0 * s2 * c + 2.0 * s * c2 + s;
        // The middle is off by an eighth of the second derivative.
        let bounded = |x: f64| if x.is_finite() { 0.125 * x } else { f64::MAX };
        Curvature { place: bounded(most(place, 1.0) * inverse), time: bounded(time * inverse / slow) }
    }

    /// The squared length of lines that are off by no more than so many pixels and so much time.
    pub fn longest(&self, place: f64, time: f64) -> f64 {
        least(place / self.place, time / self.time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Random, Screw};
    use crate::screw::screen::coordinates::Ball;
    use glam::DVec3;

    /// Middles of random lines, of which some come near the bound.
    #[test]
    fn lines_are_bent_no_more_than_that() {
        let (mut random, mut worst) = (Random::new(7), Bend::default());
        for case in 0..20_000 {
            let mut v =
                || DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
            let (angle, shift) = ([0.7, -2.0, 0.1, 3.0][case % 4], [0.0, 0.4, 3.0, -0.05][case / 4 % 4]);
            let screw = Screw::new(v(), DVec3::ZERO, angle, shift).unwrap();
            let ball = Ball { center: v() * 2.0, radius: 0.3 };
            let chart = Chart::new(&screw, &ball, &ball, 1e-3).unwrap();
            if chart.is_straight {
                continue;
            }
            let (matrix, offset) = chart.placement(&crate::math::Pose::IDENTITY);
            let size = [0.2, 0.02][case % 2];
            let ends = [v(), v()].map(|p| chart.spot(matrix * (ball.center + p * size) + offset));
            let [from, to] = &ends;
            let mut extent = Extent::of(&from.at());
            extent.join(&Extent::of(&to.at()));
            if extent.angle[1] - extent.angle[0] > 1.5 {
                continue;
            }
            let extent = extent.closed(&chart);
            let middle = chart.spot(0.5 * (from.p + to.p));
            let bend = Bend::of([&from.screen, &middle.screen, &to.screen]);
            let (curvature, square) = (Curvature::over(&chart, &extent), (to.p - from.p).length_squared());
            let bound = Bend { place: curvature.place * square, time: curvature.time * square };
            let longest = curvature.longest(bound.place, bound.time);
            assert!((longest - square).abs() <= 1e-9 * square, "{case}: {longest} {square}");
            let rounding = 1e-9 * (1.0 + extent.radius[1]);
            assert!(bend.place <= bound.place + rounding, "{case}: {bend:?} {bound:?}");
            assert!(bend.time <= bound.time + 1e-11, "{case}: {bend:?} {bound:?}");
            let (place, time) = (bend.place / bound.place, bend.time / bound.time);
            worst = Bend { place: worst.place.max(place), time: worst.time.max(time) };
        }
        assert!(worst.place > 0.5 && worst.time > 0.5, "{worst:?}");
    }
}
