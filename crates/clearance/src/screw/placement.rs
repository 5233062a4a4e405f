//! Bodies in the frame of a screw, and what encloses their parts there, rounded outward.

use super::frame::Frame;
use super::slab::{DIRECTIONS, SMALL, Slab};
use crate::math::{Pose, coarse_angle};
use glam::{DMat3, DVec3};
use std::f64::consts::{PI, TAU};

/// Slack of every place here, relative to the sizes it is computed from, `2^-44`: places take fewer than 30 roundings, and
/// axes are known to 4 units in the last place.
pub(super) const SLACK: f64 = 1.0 / (1u64 << 44) as f64;

/// Slack of places alone, `32u`: with axes known to `4u` entries of the matrix err by `12u`, and sums of six products and the
/// offset round by `8u` of all that is summed.
const PLACE_SLACK: f64 = 1.0 / (1u64 << 48) as f64;

/// Slack of angles, which are known to `1e-12`.
pub(super) const ANGLE_SLACK: f64 = 1e-11;

/// A body in the frame of a screw, rounded.
pub(super) struct Placement {
    matrix: DMat3,
    offset: DVec3,
    arm: [f64; 2],
    pub slack: f64,
    /// No place has a larger coordinate.
    pub bound: f64,
    off: f64,
    /// How far a turn by one radian rises; zero for motions that hardly turn.
    pub pitch: f64,
    pub is_straight: bool,
    is_translation: bool,
}

/// A vertex in the frame of a screw, and in cylindrical coordinates about the axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Polar {
    pub place: DVec3,
    pub radius: f64,
    pub angle: f64,
}

impl Placement {
    /// Of a body whose points are at most `reach` from its origin, as sums of coordinates.
    pub fn new(frame: &Frame, pose: &Pose, reach: f64) -> Placement {
        let axes = frame.rows();
        let from_origin = pose.translation() - frame.origin();
        let arm = frame.arm.map(|x| x.middle());
        let is_straight = frame.angle.abs() < SMALL;
        Placement {
            matrix: axes * pose.rotation(),
            offset: axes * from_origin,
            arm,
            slack: SLACK * (from_origin.abs().element_sum() + arm[0].abs() + arm[1].abs() + reach),
            bound: (from_origin.abs().element_sum() + reach) * (1.0 + 1e-9),
            off: PLACE_SLACK * (from_origin.abs().element_sum() + reach),
            pitch: if is_straight { 0.0 } else { frame.shift / frame.angle },
            is_straight,
            is_translation: frame.angle == 0.0,
        }
    }

    pub fn matrix(&self) -> &DMat3 {
        &self.matrix
    }

    /// How far a coordinate of a rounded place may be off.
    pub fn off(&self) -> f64 {
        self.off
    }

    /// Where a vertex is, rounded.
    #[inline]
    pub fn spot(&self, vertex: DVec3) -> DVec3 {
        self.matrix * vertex + self.offset
    }

    pub fn polar(&self, vertex: DVec3) -> Polar {
        let place = self.spot(vertex);
        let (x, y) = (place.x + self.arm[0], place.y + self.arm[1]);
        let angle = if self.is_straight { 0.0 } else { coarse_angle(y, x) };
        Polar { place, radius: (x * x + y * y).sqrt(), angle }
    }

    /// Around a box of the body.
    pub fn of_box(&self, center: DVec3, half: DVec3) -> Slab {
        let middle = self.matrix * center + self.offset;
        let rows = self.matrix.transpose();
        let across =
            DVec3::new(rows.x_axis.abs().dot(half), rows.y_axis.abs().dot(half), rows.z_axis.abs().dot(half));
        self.around(middle, across + DVec3::splat(self.slack))
    }

    /// Around a box of the frame.
    fn around(&self, middle: DVec3, half: DVec3) -> Slab {
        let (x, y) = (middle.x + self.arm[0], middle.y + self.arm[1]);
        let nearest = |c: f64, h: f64| (c.abs() - h).max(0.0);
        let length = |x: f64, y: f64| (x * x + y * y).sqrt();
        let inner = length(nearest(x, half.x), nearest(y, half.y)) * (1.0 - SLACK);
        let outer = length(x.abs() + half.x, y.abs() + half.y) * (1.0 + SLACK);
        // The circle around the box is seen from the axis under the arc sine of this, which is below s + 0.5708 s^3.
        let sine = length(half.x, half.y) / length(x, y) * (1.0 + SLACK);
        let (angle, spread) = match sine < 1.0 && !self.is_straight {
            true => (coarse_angle(y, x), sine + 0.5708 * sine * sine * sine + ANGLE_SLACK),
            false => (0.0, if self.is_straight { 0.0 } else { PI + 1.0 }),
        };
        let mut extents = [[f64::NEG_INFINITY, f64::INFINITY]; 6];
        extents[0] = [inner, outer];
        Slab { low: middle - half, high: middle + half, angle, spread, extents }
    }

    /// Around a triangle.
    ///
    /// Radius and angle differ over a triangle from what is linear between its corners by at most `M L^2 / 6`, where `L` is its
    /// longest side across the axis and `M` a bound of second derivatives: `1 / r` for the radius, which lies below, and
    /// `1 / r^2` for the angle. No point is farther than `L / sqrt(3)` from all corners.
    pub fn of_triangle(&self, corners: [Polar; 3]) -> Slab {
        let [p, q, r] = corners.map(|corner| corner.place);
        let (low, high) = (p.min(q).min(r), p.max(q).max(r));
        let slack = DVec3::splat(self.slack);
        let across = |v: DVec3| v.x * v.x + v.y * v.y;
        let longest = across(q - p).max(across(r - q)).max(across(p - r)) * (1.0 + 1e-9);
        let radii = corners.map(|corner| corner.radius);
        let [inner, outer] =
            [radii[0].min(radii[1]).min(radii[2]), radii[0].max(radii[1]).max(radii[2]) + self.slack];
        let nearest = inner - 0.578 * longest.sqrt() - self.slack;
        if self.is_straight || nearest <= 0.0 || longest > nearest * nearest {
            let middle = 0.5 * (low + high);
            let half = (high - middle).max(middle - low) * (1.0 + 4.0 * f64::EPSILON) + slack;
            let around = self.around(middle, half);
            if !self.is_translation {
                return around;
            }
            // What is across the motion never changes.
            let extents = DIRECTIONS.map(|[c, s]| {
                let [x, y, z] = [p, q, r].map(|v| c * v.x + s * v.y);
                [x.min(y).min(z) - 2.0 * self.slack, x.max(y).max(z) + 2.0 * self.slack]
            });
            return Slab { extents, ..around };
        }
        let bent = longest / (6.0 * nearest) * (1.0 + 1e-9);
        let turned = bent / nearest * (1.0 + 1e-9) + ANGLE_SLACK + self.slack / nearest;
        // Angles beside the first one.
        let first = corners[0].angle;
        let angles = corners.map(|corner| corner.angle - TAU * ((corner.angle - first) / TAU).round());
        let [from, to] = [angles[0].min(angles[1]).min(angles[2]), angles[0].max(angles[1]).max(angles[2])];
        let rises: [f64; 3] = std::array::from_fn(|k| corners[k].place.z - self.pitch * angles[k]);
        let off = self.slack * 2.0 + self.pitch.abs() * turned + SLACK * (outer + 8.0 * self.pitch.abs());
        let extents = DIRECTIONS.map(|[c, s]| {
            let values: [f64; 3] = std::array::from_fn(|k| c * radii[k] + s * rises[k]);
            let slack = s * off + self.slack;
            [
                values[0].min(values[1]).min(values[2]) - slack - c.max(0.0) * bent,
                values[0].max(values[1]).max(values[2]) + slack + (-c).max(0.0) * bent,
            ]
        });
        let (angle, spread) = (0.5 * (from + to), 0.5 * (to - from) + turned);
        Slab { low: low - slack, high: high + slack, angle, spread, extents }
    }

    /// Around two parts.
    pub fn union(&self, a: &Slab, b: &Slab) -> Slab {
        let turns = ((a.angle - b.angle) / TAU).round();
        let b_angle = b.angle + TAU * turns;
        let (from, to) =
            ((a.angle - a.spread).min(b_angle - b.spread), (a.angle + a.spread).max(b_angle + b.spread));
        let is_all = a.spread > PI || b.spread > PI || to - from > TAU;
        let (angle, spread) = match is_all {
            true => (0.0, PI + 1.0),
            false => (0.5 * (from + to), 0.5 * (to - from) + 4.0 * f64::EPSILON),
        };
        let down = self.pitch * TAU * turns;
        let extents = std::array::from_fn(|k| {
            let [low, high] = b.extents[k].map(|x| x - DIRECTIONS[k][1] * down);
            match is_all && k > 0 {
                true => [f64::NEG_INFINITY, f64::INFINITY],
                false => [a.extents[k][0].min(low), a.extents[k][1].max(high)],
            }
        });
        Slab { low: a.low.min(b.low), high: a.high.max(b.high), angle, spread, extents }
    }
}
