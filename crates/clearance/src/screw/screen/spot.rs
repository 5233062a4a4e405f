//! Points about the axis and on the screen, four at a time.

use super::coordinates::{Chart, Cylindrical, OnScreen};
use super::turn::angles;
use glam::DVec3;
use wide::f64x4;

/// A point about the axis and on the screen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spot {
    pub p: DVec3,
    pub at: Cylindrical,
    pub screen: OnScreen,
}

impl Chart {
    pub fn spot(&self, p: DVec3) -> Spot {
        let at = self.cylindrical(p);
        Spot { p, at, screen: self.project(at) }
    }

    /// Four points at once.
    #[inline]
    pub fn spots(&self, points: [DVec3; 4]) -> [Spot; 4] {
        let [x, y, z] = [0, 1, 2]
            .map(|axis| f64x4::new([points[0][axis], points[1][axis], points[2][axis], points[3][axis]]));
        let far = x * x + y * y;
        // On the axis of a turn without shift nothing moves.
        let is_still = self.shift == 0.0 && far.to_array().contains(&0.0);
        if self.is_straight || is_still {
            return points.map(|p| self.spot(p));
        }
        let (radius, angle, shift) = (far.sqrt(), angles(y, x), f64x4::splat(self.shift));
        let turn = radius * f64x4::splat(self.angle);
        let inverse = f64x4::splat(1.0) / (shift * shift + turn * turn);
        let arc = radius * angle;
        let h = ((z * turn - arc * shift) * inverse.sqrt()).to_array();
        let t = ((z * shift + arc * turn) * inverse).to_array();
        let (radius, angle) = (radius.to_array(), angle.to_array());
        std::array::from_fn(|i| Spot {
            p: points[i],
            at: Cylindrical { radius: radius[i], angle: angle[i], height: points[i].z },
            screen: OnScreen { r: radius[i], h: h[i], t: t[i] },
        })
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
                    off(found.at.angle, truth.at.angle) && found.screen.r == truth.screen.r,
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
