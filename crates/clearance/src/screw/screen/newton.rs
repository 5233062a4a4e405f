//! When a vertex that moves comes to a plane, by Newton's method with Halley's correction [Buss04 §9].
//!
//! Its height over the plane is a cosine of the angle and a line. Where it falls, it is bent down first and up later; from the
//! turning point between them, where it is steepest, Newton's method runs to the zero from one side and never past it; a start
//! where a line would be zero saves steps, and brackets halve what goes past.

use super::coordinates::{Chart, Cylindrical};
use super::extent::most;
use super::turn::{Turn, angle};
use glam::DVec3;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Steps that shorten a bracket of a step at least to a unit in the last place, even if all of them were halvings.
const STEPS: usize = 64;

/// Steps in which a zero is found where a height falls nearly evenly: each leaves the third power of an error.
const EVEN_STEPS: usize = 8;

/// Which way something moves along the screw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Along,
    /// As the moving body sees what rests.
    Against,
}

/// The height of a moving point over a plane: `level + climb t + swing cos(start + turn t)`, with `turn >= 0`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Height {
    level: f64,
    climb: f64,
    swing: f64,
    start: f64,
    turn: f64,
}

impl Height {
    /// Of a point over the plane `normal . x = offset`.
    pub fn new(chart: &Chart, p: DVec3, at: &Cylindrical, normal: DVec3, offset: f64, way: Way) -> Height {
        let sign = if way == Way::Along { 1.0 } else { -1.0 };
        let climb = normal.z * sign * chart.shift;
        let across = (normal.x * normal.x + normal.y * normal.y).sqrt();
        if chart.is_straight || across == 0.0 || at.radius == 0.0 {
            return Height { level: normal.dot(p) - offset, climb, swing: 0.0, start: 0.0, turn: 0.0 };
        }
        let (start, turn) = (at.angle - angle(normal.y, normal.x), sign * chart.angle);
        // A cosine does not know signs.
        let (start, turn) = if turn < 0.0 { (-start, -turn) } else { (start, turn) };
        Height { level: normal.z * p.z - offset, climb, swing: across * at.radius, start, turn }
    }

    /// Its value, and the first and second derivative.
    #[inline]
    fn at(&self, t: f64) -> [f64; 3] {
        if self.swing == 0.0 {
            return [self.level + self.climb * t, self.climb, 0.0];
        }
        let Turn { sin, cos } = Turn::by(self.start + self.turn * t);
        let pull = self.swing * cos;
        let speed = self.climb - self.swing * self.turn * sin;
        [self.level + self.climb * t + pull, speed, -self.turn * self.turn * pull]
    }

    /// Times of a window at which the point comes down to the plane.
    pub fn falls(&self, window: [f64; 2], mut found: impl FnMut(f64)) {
        let steepest = self.swing * self.turn;
        if self.climb >= steepest {
            return;
        }
        if self.climb <= -steepest {
            // Everywhere.
            self.fall(window, 0.5 * (window[0] + window[1])).into_iter().for_each(found);
            return;
        }
        // It falls where the sine is above this.
        let sine = self.climb / steepest;
        let low = angle(sine, (1.0 - sine * sine).sqrt());
        let [first, last] = window.map(|t| self.start + self.turn * t);
        let (from, to) = (((first - (PI - low)) / TAU).ceil(), ((last - low) / TAU).floor());
        let mut k = from;
        while k <= to {
            let time = |angle: f64| (angle + TAU * k - self.start) / self.turn;
            let part = [window[0].max(time(low)), window[1].min(time(PI - low))];
            if part[0] <= part[1] {
                self.fall(part, time(FRAC_PI_2)).into_iter().for_each(&mut found);
            }
            k += 1.0;
        }
    }

    /// The zero in a window in which the height falls.
    fn fall(&self, [mut low, mut high]: [f64; 2], start: f64) -> Option<f64> {
        let (above, below) = (self.at(low)[0], self.at(high)[0]);
        if above < 0.0 || below > 0.0 {
            return None;
        }
        // Where a line would fall to zero; windows are short, so that it hardly does elsewhere.
        let even = low + (high - low) * (above / (above - below));
        let mut t = if (low..=high).contains(&even) { even } else { start.clamp(low, high) };
        for _ in 0..STEPS {
            let [height, speed, pull] = self.at(t);
            if height >= 0.0 {
                low = t;
            } else {
                high = t;
            }
            // Halley's step is Newton's and what the bend adds to it, where that is little.
            let (square, bent) = (speed * speed, 0.5 * height * pull);
            let bent = if bent.abs() < 0.5 * square { bent } else { 0.0 };
            let next = t - height * speed / (square - bent);
            let next = if next > low && next < high { next } else { 0.5 * (low + high) };
            let is_done = (next - t).abs() <= 4.0 * f64::EPSILON * (1.0 + t.abs());
            t = next;
            if is_done {
                break;
            }
        }
        Some(t)
    }
}

/// When a point comes down to the plane `normal . x = offset` that it falls to nearly evenly in a window of time, from a time near
/// that on; `None` if that is not found at once.
///
/// With `w` half the window the speed is above `2 r angle^2 w`. So a step `s` leaves at most about `s^3 / (16 w^2)`: one of
/// `w / 2^17` leaves less than a rounding.
pub(super) fn falls_evenly(
    chart: &Chart,
    p: DVec3,
    normal: DVec3,
    offset: f64,
    way: Way,
    start: f64,
    window: [f64; 2],
) -> Option<f64> {
    let sign = if way == Way::Along { 1.0 } else { -1.0 };
    let (turn, level, climb) = (sign * chart.angle, normal.z * p.z - offset, normal.z * sign * chart.shift);
    let (along, across) = (normal.x * p.x + normal.y * p.y, normal.y * p.x - normal.x * p.y);
    let (mut t, near) = (start, (window[1] - window[0]) * (1.0 / 262_144.0));
    for _ in 0..EVEN_STEPS {
        let Turn { sin, cos } = Turn::by(turn * t);
        let swing = along * cos + across * sin;
        let (height, speed) = (level + climb * t + swing, climb + turn * (across * cos - along * sin));
        let bent = -0.5 * height * turn * turn * swing;
        let next = t - height * speed / (speed * speed - bent);
        let is_done = (next - t).abs() <= most(near, 4.0 * f64::EPSILON * (1.0 + t.abs()));
        t = next;
        if is_done {
            return Some(t);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Pose, Random, Screw};
    use crate::screw::screen::coordinates::Ball;
    use crate::screw::{Moving, vertex_face_times};

    /// A plane as a large triangle: the falls are every second of the proved times.
    #[test]
    fn falls_are_those_of_the_proved_times() {
        let (mut random, mut count) = (Random::new(1), 0);
        for case in 0..3_000 {
            let mut v =
                || DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
            let (p, middle, axis, normal) = (v(), v() * 0.5, v(), v().normalize());
            let screw = Screw::new(axis, v(), [0.4, -1.0, 3.0, 9.0, 0.0, 1e-3][case % 6], 0.8).unwrap();
            let (e, f) = normal.any_orthonormal_pair();
            let face = [middle + e * 99.0, middle - e * 50.0 + f * 90.0, middle - e * 50.0 - f * 90.0];
            let outward = (face[1] - face[0]).cross(face[2] - face[0]).normalize();
            let chart = Chart::new(
                &screw,
                &Ball { center: middle, radius: 1.0 },
                &Ball { center: p, radius: 1.0 },
                0.1,
            )
            .unwrap();
            let (matrix, offset) = chart.placement(&Pose::IDENTITY);
            let way = [Way::Along, Way::Against][case / 6 % 2];
            let point = matrix * p + offset;
            let n = chart.rows * outward;
            let height = Height::new(
                &chart,
                point,
                &chart.cylindrical(point),
                n,
                n.dot(matrix * middle + offset),
                way,
            );
            let mut found = Vec::new();
            height.falls([0.0, 1.0], |t| found.push(t));
            // From a time near each of them the same is found.
            for &t in found.iter().filter(|&&t| height.at(t)[1].abs() > 0.1 / chart.pixel()) {
                let offset = n.dot(matrix * middle + offset);
                let again =
                    falls_evenly(&chart, point, n, offset, way, t + 1e-3, [t - 0.1, t + 0.1]).unwrap_or(t);
                assert!((again - t).abs() < 1e-11, "{case}: {t} {again}");
            }
            let moving = if way == Way::Along { screw } else { screw.inverse() };
            let truth = vertex_face_times(p, face, &moving, Moving::First).unwrap();
            let falling = |t: f64| {
                let at =
                    |t: f64| (moving.pose_at(t, &Pose::IDENTITY).unwrap().0.apply(p) - middle).dot(outward);
                at(t - 1e-7) > at(t + 1e-7)
            };
            let inside = |t: f64| t > 1e-6 && t < 1.0 - 1e-6;
            let truth: Vec<f64> =
                truth.iter().map(|t| t.lower).filter(|&t| inside(t) && falling(t)).collect();
            found.retain(|&t| inside(t));
            assert_eq!(found.len(), truth.len(), "{case}: {found:?} {truth:?}");
            let off = if chart.is_straight && screw.angle() != 0.0 { 1e-2 } else { 1e-11 };
            assert!(
                found.iter().zip(&truth).all(|(x, y)| (x - y).abs() < off),
                "{case}: {found:?} {truth:?}"
            );
            count += found.len();
        }
        assert!(count > 700, "{count}");
    }
}
