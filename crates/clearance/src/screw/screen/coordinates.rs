//! Coordinates of the collision screen: radius and height on it, and the time at which a point comes there [Buss04 §7].
//!
//! About the axis a point has a radius `r`, an angle `f` and a height `z`; in a step the angle grows by `angle` and the height
//! by `shift`. With `l^2 = shift^2 + r^2 angle^2`, the squared length of its way,
//!
//! ```text
//! h = r (z angle - f shift) / l        is the same all the way,
//! t = (z shift + r^2 f angle) / l^2    grows by one in a step.
//! ```
//!
//! Differs from the paper: it prints `h` and `t` without the factor `r` of `f`, and halves the difference of times.

use super::turn::angle;
use crate::math::{Pose, Screw};
use glam::{DMat3, DVec3};

/// Farther from the axis than this, in pixels, a float no longer tells pixels apart well.
const FARTHEST: f64 = 1e12;

/// A screw whose points leave a straight line by less than this, in pixels, is drawn as a translation.
const STRAIGHT: f64 = 1.0 / 64.0;

/// Axes of a screw with the pixel as unit of length; the third is the axis, and both bodies are near its origin and near angle 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chart {
    /// From the world to the axes, without scale.
    pub rows: DMat3,
    origin: DVec3,
    /// From the axis to the origin, in pixels.
    arm: [f64; 2],
    /// From the point on the axis that the screw names to the origin, in pixels.
    from_center: f64,
    pixel: f64,
    pub angle: f64,
    pub shift: f64,
    /// One over angle and shift; infinite where there is none.
    pub inverse: [f64; 2],
    /// A translation: radius and angle are the first two coordinates.
    pub is_straight: bool,
}

/// A ball around a body in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ball {
    pub center: DVec3,
    pub radius: f64,
}

/// A point in cylindrical coordinates about the axis, or in plain ones of a translation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cylindrical {
    pub radius: f64,
    pub angle: f64,
    pub height: f64,
}

/// A point of the screen and the time at which something comes there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct OnScreen {
    pub r: f64,
    pub h: f64,
    pub t: f64,
}

impl Chart {
    /// Of a body that moves on a screw through one at rest; `None` if nothing moves, or too far from the axis for floats.
    pub fn new(screw: &Screw, rests: &Ball, moves: &Ball, pixel: f64) -> Option<Chart> {
        let axis = screw.axis().try_normalize()?;
        let origin = 0.5 * rests.center + 0.5 * moves.center;
        let across = |v: DVec3| v - axis * axis.dot(v);
        let (angle, shift) = (screw.angle(), screw.shift());
        let velocity = axis.cross(origin - screw.center()) * angle + axis * shift;
        let size = rests.radius + moves.radius + (rests.center - moves.center).length();
        // What turning adds to a velocity, over the bodies and over the step.
        let bend = angle.abs() * (size + 0.5 * velocity.length());
        if bend < STRAIGHT * pixel {
            let length = velocity.length();
            let rows = axes(velocity, DVec3::ZERO)?;
            let chart = Chart {
                rows,
                origin,
                arm: [0.0; 2],
                from_center: 0.0,
                pixel,
                angle: 0.0,
                shift: length / pixel,
                inverse: [f64::INFINITY, pixel / length],
                is_straight: true,
            };
            return (chart.shift.is_normal() && (size / pixel).is_finite()).then_some(chart);
        }
        // Toward both: what they reach is rarely cut by the half plane of angle pi then.
        let [to_a, to_b] = [rests, moves].map(|ball| ball.center - screw.center());
        let is_one_side = to_a.dot(to_b) > axis.dot(to_a) * axis.dot(to_b);
        let middle = if is_one_side { to_a + to_b } else { between(across(to_a), across(to_b)) };
        let rows = axes(screw.axis(), middle)?;
        let arm = rows * (origin - screw.center()) / pixel;
        let chart = Chart {
            rows,
            origin,
            arm: [arm.x, arm.y],
            from_center: (origin - screw.center()).abs().element_sum() / pixel,
            pixel,
            angle,
            shift: shift / pixel,
            inverse: [1.0 / angle, pixel / shift],
            is_straight: false,
        };
        let reach = chart.from_center + size / pixel;
        (reach < FARTHEST && chart.shift.is_finite()).then_some(chart)
    }

    /// The unit of length.
    pub fn pixel(&self) -> f64 {
        self.pixel
    }

    /// A body's points to the axes: matrix and offset, with the pixel as unit.
    pub fn placement(&self, pose: &Pose) -> (DMat3, DVec3) {
        self.scaled(self.rows * pose.rotation(), pose)
    }

    /// The same if it is known how it is turned.
    #[inline(always)]
    pub fn scaled(&self, turned: DMat3, pose: &Pose) -> (DMat3, DVec3) {
        let scale = 1.0 / self.pixel;
        let offset = self.rows * (pose.translation() - self.origin) * scale;
        (turned * scale, offset + DVec3::new(self.arm[0], self.arm[1], 0.0))
    }

    /// A bound of all lengths that places of a body are computed from, but for its own, in pixels.
    pub fn sizes(&self, pose: &Pose) -> f64 {
        let [x, y] = self.arm.map(f64::abs);
        x + y + self.from_center + (pose.translation() - self.origin).abs().element_sum() / self.pixel
    }

    /// Back to the world.
    pub fn world(&self, p: DVec3) -> DVec3 {
        let from_origin = p - DVec3::new(self.arm[0], self.arm[1], 0.0);
        self.origin + self.rows.transpose() * from_origin * self.pixel
    }

    pub fn world_vector(&self, v: DVec3) -> DVec3 {
        self.rows.transpose() * v
    }

    /// The velocity of what is at a place, in pixels a step.
    pub fn velocity(&self, p: DVec3) -> DVec3 {
        DVec3::new(-self.angle * p.y, self.angle * p.x, self.shift)
    }

    /// No point up to a radius is faster, counted along all axes.
    pub fn fastest(&self, radius: f64) -> f64 {
        2.0 * (self.angle * radius).abs() + self.shift.abs()
    }

    #[inline]
    pub fn cylindrical(&self, p: DVec3) -> Cylindrical {
        if self.is_straight {
            return Cylindrical { radius: p.x, angle: p.y, height: p.z };
        }
        Cylindrical { radius: (p.x * p.x + p.y * p.y).sqrt(), angle: angle(p.y, p.x), height: p.z }
    }

    /// How far the angle grows from one point to another, at most half a turn.
    #[inline]
    pub fn turn_between(&self, p: DVec3, q: DVec3) -> f64 {
        if self.is_straight {
            return q.y - p.y;
        }
        angle(p.x * q.y - p.y * q.x, p.x * q.x + p.y * q.y)
    }

    #[inline]
    pub fn project(&self, at: Cylindrical) -> OnScreen {
        let Cylindrical { radius: r, angle: f, height: z } = at;
        if self.is_straight {
            return OnScreen { r, h: f, t: z / self.shift };
        }
        let turn = r * self.angle;
        let square = self.shift * self.shift + turn * turn;
        if square == 0.0 {
            // On the axis of a turn without shift: nothing moves there, and every angle is right.
            return OnScreen { r, h: z * self.angle.signum(), t: f / self.angle };
        }
        let arc = r * f;
        let inverse = 1.0 / square;
        OnScreen {
            r,
            h: (z * turn - arc * self.shift) * inverse.sqrt(),
            t: (z * self.shift + arc * turn) * inverse,
        }
    }
}

/// Halfway between two directions, or the second one if they are nearly opposite.
fn between(a: DVec3, b: DVec3) -> DVec3 {
    let (a, b) = (a.normalize_or_zero(), b.normalize_or_zero());
    if (a + b).length_squared() > 0.01 { a + b } else { b }
}

/// Three axes as rows, the third along a vector, the first near another.
fn axes(axis: DVec3, near: DVec3) -> Option<DMat3> {
    let (along, square) = (axis.try_normalize()?, axis.length_squared());
    // Times the square of a length, so that no root waits for the other; and again, for what rounding left along the axis.
    let across = |v: DVec3| v * square - axis * axis.dot(v);
    let first = across(across(near)).try_normalize().unwrap_or_else(|| along.any_orthonormal_vector());
    Some(DMat3::from_cols(first, along.cross(first), along).transpose())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    fn vector(random: &mut Random) -> DVec3 {
        DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0))
    }

    fn chart(screw: &Screw, pixel: f64) -> Chart {
        let ball = Ball { center: screw.center() + DVec3::new(1.0, 0.3, -0.2), radius: 0.5 };
        Chart::new(screw, &ball, &ball, pixel).unwrap()
    }

    /// The height stays and the time advances with the flow, to 1e-12: the corrected formulas.
    #[test]
    fn height_is_constant_and_time_advances_along_the_flow() {
        let mut random = Random::new(2);
        for case in 0..20_000 {
            let angle = [0.3, -2.0, 3.1, 1e-3, 0.0][case % 5];
            let shift = if case % 7 == 0 { 0.0 } else { random.range(-2.0, 2.0) };
            let shift = if angle == 0.0 && shift == 0.0 { 1.0 } else { shift };
            let screw = Screw::new(vector(&mut random), vector(&mut random), angle, shift).unwrap();
            let chart = chart(&screw, [1.0, 0.01][case % 2]);
            // With large pixels small turns are translations, too.
            assert!(chart.is_straight == (angle == 0.0) || angle == 1e-3);
            let mut at = chart.cylindrical(vector(&mut random) * 3.0);
            if case % 11 == 0 && !chart.is_straight {
                (at.radius, at.angle) = (0.0, 0.0);
            }
            let start = chart.project(at);
            let s = random.unit();
            at.angle += chart.angle * s;
            at.height += chart.shift * s;
            let later = chart.project(at);
            // On the axis of a turn without shift all heights but the own are the same.
            let size = 1.0 + start.h.abs() + start.t.abs() + chart.shift.abs();
            assert!((later.h - start.h).abs() < 1e-12 * size, "{case}: {start:?} {later:?}");
            assert!((later.t - start.t - s).abs() < 1e-12 * size, "{case}: {start:?} {later:?} {s}");
            assert_eq!(later.r, start.r);
        }
    }

    /// Equal places of the screen are points of one helix, the difference of times apart.
    #[test]
    fn points_with_equal_places_meet_after_the_difference_of_their_times() {
        let mut random = Random::new(3);
        for case in 0..5_000 {
            let screw =
                Screw::new(vector(&mut random), vector(&mut random), 1.3, [0.0, 0.7][case % 2]).unwrap();
            let chart = chart(&screw, 0.1);
            let p = vector(&mut random);
            let s = random.unit();
            let (pose, _) = screw.pose_at(s, &Pose::IDENTITY).unwrap();
            let at = |p: DVec3| {
                let (matrix, offset) = chart.placement(&Pose::IDENTITY);
                matrix * p + offset
            };
            let (from, to) = (at(p), at(pose.apply(p)));
            assert!((chart.world(from) - p).length() < 1e-13);
            let start = chart.cylindrical(from);
            let end = Cylindrical { angle: start.angle + 1.3 * s, ..chart.cylindrical(to) };
            let (x, y) = (chart.project(start), chart.project(end));
            assert!(
                (x.r - y.r).abs() < 1e-11 && (x.h - y.h).abs() < 1e-11 * (1.0 + x.h.abs()),
                "{x:?} {y:?}"
            );
            assert!((y.t - x.t - s).abs() < 1e-11 * (1.0 + y.t.abs()), "{x:?} {y:?} {s}");
        }
    }

    #[test]
    fn what_does_not_move_has_no_screen() {
        let ball = Ball { center: DVec3::ZERO, radius: 1.0 };
        let still = Screw::new(DVec3::Z, DVec3::ZERO, 0.0, 0.0).unwrap();
        assert!(Chart::new(&still, &ball, &ball, 0.1).is_none());
        let far = Screw::new(DVec3::Z, DVec3::X * 1e20, 1.0, 0.0).unwrap();
        assert!(Chart::new(&far, &ball, &ball, 0.1).is_none());
        // A small turn about an axis far away is a translation.
        let nearly = Screw::new(DVec3::Z, DVec3::X * 1e9, 1e-9, 0.0).unwrap();
        let chart = Chart::new(&nearly, &ball, &ball, 0.1).unwrap();
        assert!(chart.is_straight && (chart.shift - 10.0).abs() < 1e-6, "{chart:?}");
    }
}
