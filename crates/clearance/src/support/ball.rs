//! Balls around a body that are tight along one direction: what proves bodies apart while they turn.
//!
//! A ball of the right size touches the plane that supports the body, and turning the body by a small angle lowers the gap
//! behind that plane by about the square of the angle times half of the radius.

use super::{Starts, SupportMap};
use glam::DVec3;

/// A ball around a body, but for rounding, in the frame of the body.
///
/// Every vertex is at most the radius away from the center once [`Ball::ROUNDING`] of the radius and of the reach of the body are
/// added to it: in one go for two balls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ball {
    pub center: DVec3,
    pub radius: f64,
}

impl Ball {
    /// More than the rounding of a unit direction to `f32`, `2^-24`, and all rounding in `f64`, which is below `1000u`.
    pub const ROUNDING: f64 = 1.0 / (1 << 22) as f64;
}

/// Where a ball begins: a direction, about as long as one, and the highest vertex along it where all are looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Top {
    direction: DVec3,
    lane: usize,
}

impl SupportMap {
    /// The top of the body along a direction whose size is far from both ends of the range of `f32`.
    #[inline(always)]
    pub(crate) fn top(&self, direction: DVec3) -> Top {
        let lane = match &self.starts {
            Starts::Scan(scan) => scan.top_lane(direction),
            _ => 0,
        };
        Top { direction, lane }
    }

    /// A ball around this body whose top is close to that of the body, which is given.
    ///
    /// Where all vertices are looked at, it rises above the body by `lift` directions, and is mostly the smaller the more that is. For
    /// bodies of more vertices it is a ball around the shell.
    #[inline(always)]
    pub(crate) fn ball(&self, top: &Top, lift: f64) -> Option<Ball> {
        match &self.starts {
            Starts::Scan(scan) => scan.ball(top.direction, top.lane, lift),
            _ => self.shell.ball(top.direction),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::shape::Polytope;
    use crate::shape::sample::{PolytopeKind, random_direction, random_polytope};

    /// How much higher than the body a ball is, if there is one.
    fn check(map: &SupportMap, direction: DVec3, lift: f64) -> Option<f64> {
        let unit = direction.normalize();
        let Ball { center, radius } = map.ball(&map.top(direction), lift)?;
        let radius = radius + Ball::ROUNDING * (radius + map.reach());
        let far = map.polytope().vertices().iter().map(|v| v.distance(center)).fold(0.0, f64::max);
        // What was added for rounding is hardly touched.
        assert!(
            far <= radius - 0.4 * Ball::ROUNDING * radius,
            "{far} outside of {radius}: {direction} {lift}"
        );
        let highest = map.polytope().vertices().iter().map(|v| unit.dot(*v)).fold(f64::MIN, f64::max);
        Some(unit.dot(center) + radius - highest)
    }

    #[test]
    fn balls_hold_the_body_and_rise_above_it_as_far_as_asked() {
        let mut random = Random::new(5);
        for kind in [PolytopeKind::Ellipsoid, PolytopeKind::ThinRod, PolytopeKind::Plate] {
            for count in [4, 20, 64, 65, 200] {
                let sample = random_polytope(kind, count, 3).expect("a sample");
                for (scale, shift) in [(1.0, 0.0), (2f64.powi(-20), 1.0), (2f64.powi(200), -2f64.powi(205))] {
                    let points: Vec<DVec3> = sample.vertices().iter().map(|v| *v * scale + shift).collect();
                    let map = SupportMap::new(Polytope::hull(&points).expect("a hull"));
                    let mut found = 0;
                    for round in 0..500 {
                        let length = [1.0, 0.75, 1.4][round % 3];
                        let lift = [0.01, 0.1][round % 2] * scale;
                        let Some(above) = check(&map, random_direction(&mut random) * length, lift) else {
                            continue;
                        };
                        found += 1;
                        // What is added for positions in `f32`, and for rounding by a part of the reach.
                        let most = lift * length + 1e-3 * scale + 1e-5 * map.reach();
                        assert!(count > 64 || above <= most, "{kind:?} {count}: {above} for {lift}");
                    }
                    assert!(found > 400, "{kind:?} {count} {scale}: {found}");
                }
            }
        }
    }

    #[test]
    fn without_lift_or_direction_there_is_no_ball_around_few_vertices() {
        let map = SupportMap::new(random_polytope(PolytopeKind::Plate, 20, 1).expect("a sample"));
        for lift in [0.0, 1e-9, -1.0] {
            assert_eq!(map.ball(&map.top(DVec3::X), lift), None);
        }
        for direction in [DVec3::ZERO, DVec3::NAN, DVec3::INFINITY, DVec3::X * 1e-200, DVec3::X * 1e200] {
            assert_eq!(map.ball(&map.top(direction), 0.1), None);
        }
    }

    #[test]
    fn flat_bodies_have_balls_or_none() {
        let corners = [DVec3::ZERO, DVec3::X, DVec3::ONE];
        for count in 1..=3 {
            let map = SupportMap::new(Polytope::hull(&corners[..count]).expect("a hull"));
            for direction in [DVec3::X, DVec3::NEG_Y, DVec3::new(1.0, 1.0, -2.0), DVec3::ONE] {
                check(&map, direction, 0.1);
            }
        }
        // Through the shell alone, which is flat.
        let disk: Vec<DVec3> = (0..100)
            .map(|i| DVec3::new((f64::from(i) * 0.0628).cos(), (f64::from(i) * 0.0628).sin(), 0.0))
            .collect();
        let map = SupportMap::new(Polytope::hull(&disk).expect("a hull"));
        assert!(check(&map, DVec3::X, 0.1).is_some());
        assert_eq!(map.ball(&map.top(DVec3::Z), 0.1), None);
    }
}
