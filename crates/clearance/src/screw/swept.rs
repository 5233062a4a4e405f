//! Where a body may be during its whole motion, and how fast its points are.

use super::motion::Motion;
use crate::body::Body;
use crate::math::round::UNIT_ROUNDOFF;
use crate::math::{Aabb, Interval, Pose, PoseDeviation, SteadyMotion};
use glam::DVec3;

/// A motion is cut into arcs of at most so many radians, as long as that does not take more arcs than allowed.
const ARC: f64 = 0.25;
const MOST_ARCS: f64 = 256.0;

impl Motion {
    /// Where a body that starts at `from` is at a time from 0 to 1, rounded, and how far that may be from the truth; `None`
    /// where it leaves the range of coordinates.
    pub fn pose_at(&self, t: f64, from: &Pose) -> Option<(Pose, PoseDeviation)> {
        match self {
            Motion::AtRest => Some((*from, PoseDeviation::ZERO)),
            moving => moving.steady().enclosed_pose(Interval::point(t), from).rounded(),
        }
    }
}

/// A box of the world around all that a body sweeps from `t = 0` to 1; `None` if it is unbounded or leaves the range of
/// coordinates.
///
/// The corners of the body's own box are followed from arc to arc of the motion. Between the ends of an arc of angle `w` a point
/// at distance `r` from the axis is at most `w^2 r / 8` from where a straight and even motion would have it, because its
/// acceleration is `w^2 r`; and at most `2 r`, because both are within `r` of the axis.
pub fn swept_box(body: &Body, pose: &Pose, motion: &Motion) -> Option<Aabb> {
    let own = OwnBox::of(body)?;
    let steady = motion.steady();
    let angle = steady.rate().magnitude();
    let arcs = (angle / ARC).ceil().clamp(1.0, MOST_ARCS);
    let (mut around, mut off): (Option<Aabb>, f64) = (None, 0.0);
    for k in 0..=arcs as u32 {
        let (at, deviation) = motion.pose_at(f64::from(k) / arcs, pose)?;
        let bounds = Aabb::around(own.corners().map(|corner| at.apply(corner)))?;
        around = Some(around.map_or(bounds, |known| known.join(bounds)));
        off = off.max(deviation.within(own.reach()));
    }
    let around = around?;
    // Times are rounded: a slightly larger arc covers that.
    let arc = 1.000_001 * angle / arcs;
    let bulge = (0.125 * arc * arc).min(2.0) * own.axis_distance(pose, &steady);
    let size = around.min.abs().max(around.max.abs()).max_element() + pose.translation().abs().max_element();
    // Far beyond what rounding, and a pose that is orthonormal to 1e-9, may do.
    let room = own.radius * (1.0 + 1e-8)
        + 1.000_001 * bulge
        + 1.01 * off
        + 64.0 * UNIT_ROUNDOFF * (size + own.radius)
        + 1e-8 * own.core.extent().max_element();
    let room = DVec3::splat(room);
    let swept = Aabb { min: around.min - room, max: around.max + room };
    (swept.min.is_finite() && swept.max.is_finite()).then_some(swept)
}

/// A box around a body in its own frame, and the ball that rounds it.
#[derive(Clone, Copy)]
pub(super) struct OwnBox {
    core: Aabb,
    radius: f64,
}

impl OwnBox {
    /// `None` for an unbounded body.
    pub fn of(body: &Body) -> Option<OwnBox> {
        let (core, radius) = match body {
            Body::Mesh(mesh) => (mesh.mesh().bounds(), 0.0),
            Body::Compound(compound) => (compound.hull().polytope().bounds(), 0.0),
            Body::Convex(convex) => match convex.core() {
                Some(core) => (core.polytope().bounds(), convex.radius()),
                None => (convex.curved_core()?.bounds()?, convex.radius()),
            },
        };
        Some(OwnBox { core, radius })
    }

    fn corners(&self) -> impl Iterator<Item = DVec3> {
        let ends = [self.core.min, self.core.max];
        (0..8).map(move |i: usize| DVec3::new(ends[i & 1].x, ends[i >> 1 & 1].y, ends[i >> 2].z))
    }

    /// Not below the distance of any point of the body from its origin.
    pub fn reach(&self) -> f64 {
        (self.core.min.abs().max(self.core.max.abs()).length() + self.radius) * (1.0 + 1e-12)
    }

    /// Not below the distance of any point of the body from the axis of its motion, which is the same at all times.
    fn axis_distance(&self, pose: &Pose, motion: &SteadyMotion) -> f64 {
        let (axis, center) = (motion.axis().middle(), motion.center());
        let distance = |corner: DVec3| {
            let arm = pose.apply(corner) - center;
            axis.cross(arm).length() + 1e-12 * (arm.length() + pose.translation().length() + center.length())
        };
        let farthest = self.corners().map(distance).fold(0.0, f64::max);
        (farthest + self.radius) * (1.0 + 1e-8)
    }

    /// Not below the speed of any point of the body; zero at rest.
    pub fn speed(&self, pose: &Pose, motion: &Motion) -> f64 {
        if *motion == Motion::AtRest {
            return 0.0;
        }
        let steady = motion.steady();
        let drift = steady.drift().length_squared().sqrt().upper();
        let rate = steady.rate().magnitude();
        let turning = if rate == 0.0 { 0.0 } else { rate * self.axis_distance(pose, &steady) };
        (drift + turning) * (1.0 + 1e-12)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Random, Screw};
    use crate::pair::Convex;
    use crate::shape::{Polytope, Primitive, Shape, Sphere};
    use std::f64::consts::PI;

    fn vector(random: &mut Random, size: f64) -> DVec3 {
        DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0)) * size
    }

    /// Oracle: dense sampling. Vertices stay inside the box at all times, slower than the bound; and the box is not far too large.
    #[test]
    fn boxes_hold_the_whole_way_and_are_not_much_larger() {
        let mut random = Random::new(7);
        for case in 0..300 {
            let points: Vec<DVec3> = (0..8).map(|_| vector(&mut random, 1.0)).collect();
            let body = Body::Convex(Convex::from_polytope(Polytope::hull(&points).unwrap()));
            let place = vector(&mut random, 10f64.powi(case % 5 - 1));
            let pose = Pose::from_axis_angle(vector(&mut random, 1.0), 2.0, place).unwrap();
            let angle = [1e-9, 0.3, PI, 7.0 * PI, -40.0 * PI, 1000.0][case as usize % 6];
            let (axis, center) = (vector(&mut random, 1.0), place + vector(&mut random, 3.0));
            let motion = match case % 4 {
                0 => SteadyMotion::from_velocities(axis, vector(&mut random, angle.abs()), center)
                    .unwrap()
                    .into(),
                _ => Screw::new(axis, center, angle, random.range(-3.0, 3.0)).unwrap().into(),
            };
            let found = swept_box(&body, &pose, &motion).unwrap();
            let speed = OwnBox::of(&body).unwrap().speed(&pose, &motion);
            let mut sampled: Option<Aabb> = None;
            let mut last: Option<Pose> = None;
            for k in 0..=1000 {
                let (at, _) = motion.pose_at(f64::from(k) / 1000.0, &pose).unwrap();
                for &point in &points {
                    assert!(found.contains(at.apply(point)), "case {case}, {k}");
                    if let Some(last) = last {
                        assert!((at.apply(point) - last.apply(point)).length() <= 1.000001e-3 * speed + 1e-9);
                    }
                }
                let bounds = Aabb::around(points.iter().map(|&point| at.apply(point))).unwrap();
                sampled = Some(sampled.map_or(bounds, |known| known.join(bounds)));
                last = Some(at);
            }
            let (found, sampled) = (found.extent().max_element(), sampled.unwrap().extent().max_element());
            // The box of a body is larger than the body, and more than ten turns are cut coarsely.
            assert!(
                found < 2.0 * sampled + if angle.abs() > 64.0 { 20.0 } else { 2.0 },
                "{case}: {found} {sampled}"
            );
        }
    }

    #[test]
    fn unbounded_bodies_have_no_box_and_balls_one_with_their_radius() {
        let shape = Shape::from(Primitive::from(Sphere::new(2.0).unwrap()));
        let ball = Body::try_from(&shape).unwrap();
        let found = swept_box(&ball, &Pose::IDENTITY, &Motion::AtRest).unwrap();
        assert!(found.contains(DVec3::splat(2.0)) && !found.contains(DVec3::splat(2.0001)));
        let plane = crate::shape::HalfSpace::new(DVec3::Z, 0.0).unwrap();
        let plane = Body::try_from(&Shape::from(Primitive::from(plane))).unwrap();
        assert_eq!(swept_box(&plane, &Pose::IDENTITY, &Motion::AtRest), None);
    }
}
