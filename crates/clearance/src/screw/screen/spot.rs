//! Points about the axis and on the screen, four at a time.

use super::coordinates::{Chart, Cylindrical, OnScreen};
use super::turn::angles;
use glam::DVec3;
use wide::f64x4;

/// A point about the axis and on the screen: two times four numbers, written and read together.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(super) struct Spot {
    pub p: DVec3,
    pub angle: f64,
    pub screen: OnScreen,
    /// Of radius and height on the screen.
    pub sum: f64,
}

impl Spot {
    #[inline(always)]
    fn new([x, y, z, angle]: [f64; 4], [r, h, t, sum]: [f64; 4]) -> Spot {
        Spot { p: DVec3::new(x, y, z), angle, screen: OnScreen { r, h, t }, sum }
    }

    /// Coordinates and angle about the axis.
    #[inline(always)]
    pub fn place(&self) -> f64x4 {
        f64x4::new([self.p.x, self.p.y, self.p.z, self.angle])
    }

    /// Radius, height, time, and the sum of radius and height.
    #[inline(always)]
    pub fn shown(&self) -> f64x4 {
        f64x4::new([self.screen.r, self.screen.h, self.screen.t, self.sum])
    }

    /// About the axis.
    #[inline(always)]
    pub fn at(&self) -> Cylindrical {
        Cylindrical { radius: self.screen.r, angle: self.angle, height: self.p.z }
    }
}

impl Chart {
    pub fn spot(&self, p: DVec3) -> Spot {
        let at = self.cylindrical(p);
        let OnScreen { r, h, t } = self.project(at);
        Spot::new([p.x, p.y, p.z, at.angle], [r, h, t, r + h])
    }

    /// Four points at once.
    #[inline]
    pub fn spots(&self, points: [DVec3; 4]) -> [Spot; 4] {
        let axis = |k: usize| f64x4::new([points[0][k], points[1][k], points[2][k], points[3][k]]);
        self.four([axis(0), axis(1), axis(2)]).each()
    }

    /// Four points by coordinates.
    #[inline(always)]
    pub fn four(&self, [x, y, z]: [f64x4; 3]) -> Four {
        if self.is_straight {
            return Four { x, y, z, radius: x, angle: y, h: y, t: z / f64x4::splat(self.shift) };
        }
        let far = x * x + y * y;
        // On the axis of a turn without shift nothing moves.
        if self.shift == 0.0 && far.to_array().contains(&0.0) {
            return self.one_by_one([x, y, z]);
        }
        let (radius, shift) = (far.sqrt(), f64x4::splat(self.shift));
        let angle = angles(y, x, radius);
        let turn = radius * f64x4::splat(self.angle);
        let inverse = f64x4::splat(1.0) / (shift * shift + turn * turn);
        let arc = radius * angle;
        let h = (z * turn - arc * shift) * inverse.sqrt();
        let t = (z * shift + arc * turn) * inverse;
        Four { x, y, z, radius, angle, h, t }
    }

    #[cold]
    fn one_by_one(&self, points: [f64x4; 3]) -> Four {
        let [x, y, z] = points.map(f64x4::to_array);
        let spots: [Spot; 4] = std::array::from_fn(|i| self.spot(DVec3::new(x[i], y[i], z[i])));
        let all =
            |of: fn(&Spot) -> f64| f64x4::new([of(&spots[0]), of(&spots[1]), of(&spots[2]), of(&spots[3])]);
        Four {
            x: points[0],
            y: points[1],
            z: points[2],
            radius: all(|spot| spot.screen.r),
            angle: all(|spot| spot.angle),
            h: all(|spot| spot.screen.h),
            t: all(|spot| spot.screen.t),
        }
    }
}

/// Four points about the axis and on the screen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Four {
    x: f64x4,
    y: f64x4,
    pub z: f64x4,
    pub radius: f64x4,
    pub angle: f64x4,
    pub h: f64x4,
    pub t: f64x4,
}

impl Four {
    /// One of them.
    #[inline(always)]
    pub fn spot(&self, i: usize) -> Spot {
        let of = |x: &f64x4| x.as_array()[i];
        let (r, h) = (of(&self.radius), of(&self.h));
        Spot::new([&self.x, &self.y, &self.z, &self.angle].map(of), [r, h, of(&self.t), r + h])
    }

    #[inline(always)]
    pub fn each(&self) -> [Spot; 4] {
        let places = f64x4::transpose([self.x, self.y, self.z, self.angle]);
        let shown = f64x4::transpose([self.radius, self.h, self.t, self.radius + self.h]);
        std::array::from_fn(|i| Spot::new(places[i].to_array(), shown[i].to_array()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Random, Screw};
    use crate::screw::screen::coordinates::Ball;

    fn vector(random: &mut Random) -> DVec3 {
        DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0))
    }

    #[test]
    fn four_points_are_where_each_is() {
        let mut random = Random::new(5);
        for case in 0..2_000 {
            let (angle, shift) = ([0.7, -2.0, 0.0][case % 3], [0.4, 0.0][case / 3 % 2]);
            let shift = if angle == 0.0 { 1.0 } else { shift };
            let screw = Screw::new(vector(&mut random), vector(&mut random), angle, shift).unwrap();
            let ball = Ball { center: screw.center() + DVec3::new(1.0, 0.3, -0.2), radius: 0.5 };
            let chart = Chart::new(&screw, &ball, &ball, 0.01).unwrap();
            let mut points = [0; 4].map(|_| vector(&mut random) * 300.0);
            if case % 5 == 0 {
                points[2] = DVec3::Z * 7.0;
            }
            for (found, p) in chart.spots(points).iter().zip(points) {
                let truth = chart.spot(p);
                let off = |x: f64, y: f64| (x - y).abs() < 1e-9 * (1.0 + y.abs());
                assert!(
                    off(found.angle, truth.angle) && found.screen.r == truth.screen.r,
                    "{found:?} {truth:?}"
                );
                assert!(
                    off(found.screen.h, truth.screen.h) && off(found.screen.t, truth.screen.t),
                    "{found:?} {truth:?}"
                );
            }
        }
    }
}
