//! The box around a body under a pose.

use super::around::Around;
use crate::broad::{EVERYWHERE, inflated};
use crate::math::round::{UNIT_ROUNDOFF, add_up, div_up, mul_up, norm_up, power_of_two};
use crate::math::{Aabb, Pose, PoseDeviation, Screw};
use crate::shape::{HalfSpace, Plane};
use glam::{DMat3, DVec3};
use std::f64::consts::FRAC_1_SQRT_2;
use wide::f64x4;

/// What is known of a shape in its own frame.
#[derive(Clone, Debug)]
pub(super) enum LocalBound {
    /// A box and a ball with one centre, each around the core, and the radius of a ball that rounds it.
    Bounded {
        centre: DVec3,
        half: DVec3,
        reach: f64,
        rounding: f64,
        /// Of a ball around the origin of the frame.
        radius: f64,
        /// Not less than the sizes of all terms of a coordinate of the box, but for the translation.
        size: f64,
        /// Balls of this radius around the middles of boxes hold the body, but for a part of the coordinates of the middle.
        ball: f64,
    },
    /// Limited on one side, or two, of an axis.
    HalfSpace(HalfSpace),
    Plane(Plane),
}

/// How much longer than it was a vector may be under a pose: `|R|^2 <= 1 + 3e-9` as `|R^T R - I|` is at most `1e-9` in
/// every entry.
const STRETCH: f64 = 1.0 + 2e-9;

impl LocalBound {
    /// Around a box of which all points that matter are within `points`, or its corners if there are none.
    pub fn new(bounds: Aabb, points: &[DVec3], rounding: f64) -> LocalBound {
        let centre = bounds.center();
        let half = (bounds.max - centre).max(centre - bounds.min);
        let half = DVec3::new(half.x.next_up(), half.y.next_up(), half.z.next_up());
        let reach = match points {
            [] => norm_up(half),
            _ => points.iter().map(|point| norm_up((*point - centre).abs()).next_up()).fold(0.0, f64::max),
        };
        // Differences are rounded by half a unit in the last place of the coordinates.
        let slack = 4.0 * UNIT_ROUNDOFF * (bounds.min.abs().max(bounds.max.abs())).max_element();
        let reach = add_up(reach, slack);
        let size = add_up(mul_up(norm_up(centre.abs() + half), STRETCH), rounding).next_up();
        let radius = add_up(norm_up(centre), reach);
        let ball = (reach * STRETCH + rounding) * (1.0 + 8.0 * UNIT_ROUNDOFF)
            + 256.0 * UNIT_ROUNDOFF * (radius + size);
        LocalBound::Bounded { centre, half, reach, rounding, radius, size, ball }
    }

    /// A box around the body under a pose with a margin on all sides.
    #[inline]
    pub fn at(&self, pose: &Pose, margin: f64) -> Aabb {
        self.place(pose, margin).0
    }

    /// The box around the body under a pose with a margin on all sides, and what [`LocalBound::around`] knows.
    #[inline(always)]
    pub fn place(&self, pose: &Pose, margin: f64) -> (Aabb, Around) {
        let bound = match self {
            LocalBound::Bounded { .. } => {
                let around = self.around(pose, margin);
                return (around.bound(), around);
            }
            LocalBound::HalfSpace(half_space) => {
                limited(pose, half_space.normal(), half_space.offset(), Side::One)
            }
            LocalBound::Plane(plane) => limited(pose, plane.normal(), plane.offset(), Side::Both),
        };
        (inflated(&bound, margin), Around::ENDLESS)
    }

    /// A box and a ball around the body under a pose, with a margin on all sides; the box is the smaller, on each axis, of
    /// the turned box and the ball.
    ///
    /// With `m` the sum of the sizes of all terms, centre and half extents err by `4u m` each, the last sums by `2u m`. A row
    /// of the rotation is not longer than [`STRETCH`], so on each axis `m` is at most the size of the translation and
    /// that of the body and the margin.
    #[inline(always)]
    pub fn around(&self, pose: &Pose, margin: f64) -> Around {
        let LocalBound::Bounded { centre, half, reach, rounding, size, ball, .. } = self else {
            return Around::ENDLESS;
        };
        let rotation = pose.rotation();
        let [x, y, z, shift] =
            [rotation.x_axis, rotation.y_axis, rotation.z_axis, pose.translation()].map(lanes);
        let sum = |[x, y, z]: [f64x4; 3], by: &DVec3| x * by.x + y * by.y + z * by.z;
        let middle = sum([x, y, z], centre) + shift;
        let turned = sum([x.abs(), y.abs(), z.abs()], half);
        let slack = (shift.abs() + (size + margin)) * (16.0 * UNIT_ROUNDOFF) + f64::MIN_POSITIVE;
        let half = turned.fast_min(f64x4::splat(reach * STRETCH)) + (slack + (rounding + margin));
        Around::new(vector(middle), vector(half), ball + margin)
    }
}

/// The coordinates side by side, and a zero.
#[inline(always)]
fn lanes(v: DVec3) -> f64x4 {
    f64x4::new([v.x, v.y, v.z, 0.0])
}

#[inline(always)]
fn vector(lanes: f64x4) -> DVec3 {
    let [x, y, z, _] = lanes.to_array();
    DVec3::new(x, y, z)
}

/// The difference of two rotations, each within `1e-9` of one in every entry of `R^T R`, stretches by at most the root of
/// half its squared entries and this: between true rotations two of its singular values are equal and one is zero.
const SKEW: f64 = 2e-8;

impl LocalBound {
    /// Balls of this radius around the middles of boxes hold the body, but for a part of the coordinates of the middle;
    /// infinite for what has no end.
    pub fn ball_radius(&self) -> f64 {
        match self {
            LocalBound::Bounded { ball, .. } => *ball,
            LocalBound::HalfSpace(_) | LocalBound::Plane(_) => f64::INFINITY,
        }
    }

    /// Not less than how far any point of the body moves from one pose to another; the ball that rounds it moves as its
    /// centres do. Infinite for what has no end.
    ///
    /// A point `p` moves by `D p + t` with `D` the difference of the rotations and `t` that of the translations. Sums of
    /// squares and roots err by less than `8u` of themselves.
    #[inline(always)]
    pub fn motion(&self, from: &Pose, to: &Pose) -> f64 {
        let LocalBound::Bounded { radius, .. } = self else {
            return if from == to { 0.0 } else { f64::INFINITY };
        };
        let (old, new) = (from.rotation(), to.rotation());
        let [x, y, z] = [
            lanes(new.x_axis) - lanes(old.x_axis),
            lanes(new.y_axis) - lanes(old.y_axis),
            lanes(new.z_axis) - lanes(old.z_axis),
        ];
        let shift = (to.translation() - from.translation()).length_squared().sqrt();
        let turn = vector(x * x + y * y + z * z).element_sum().sqrt();
        let turn = f64::min(turn, turn * FRAC_1_SQRT_2 + SKEW);
        (shift + radius * turn) * (1.0 + 16.0 * UNIT_ROUNDOFF) + TINY
    }
}

impl LocalBound {
    /// A box around all places of the body on a screw from one pose to about another, of which the end is off by `off`.
    ///
    /// A point at `r` from the axis is never farther than `r angle^2 / 8` from where it would be if it ran evenly along its
    /// chord: that is the error of linear interpolation, and the shift along the axis is linear. So the boxes at both ends,
    /// with that much around them, hold all; and so do two balls, which are smaller where a body turns much.
    pub fn swept(&self, from: &Pose, to: &Pose, screw: &Screw, off: &PoseDeviation) -> Aabb {
        let ends = self.at(from, 0.0).join(self.at(to, 0.0));
        let LocalBound::Bounded { centre, reach, rounding, radius, .. } = self else {
            return if from.rotation() == to.rotation() { ends } else { EVERYWHERE };
        };
        let (first, last) = (from.apply(*centre), to.apply(*centre));
        let arm = first - screw.center();
        let sizes = |pose: &Pose| pose.translation().abs().element_sum();
        let size = sizes(from) + sizes(to) + screw.center().abs().element_sum() + 2.0 * radius;
        let slack = 64.0 * UNIT_ROUNDOFF * size + TINY;
        let from_axis = screw.axis().normalize().cross(arm).length() + slack;
        let bulge = |r: f64| r * (0.125 * screw.angle() * screw.angle()) * (1.0 + 16.0 * UNIT_ROUNDOFF);
        let missed = off.within(radius * STRETCH) + slack;
        let boxes = inflated(&ends, bulge(from_axis + reach * STRETCH) + missed);
        let middles = Aabb { min: first.min(last), max: first.max(last) };
        let balls = inflated(&middles, reach * STRETCH + rounding + bulge(from_axis) + missed);
        Aabb { min: boxes.min.max(balls.min), max: boxes.max.min(balls.max) }
    }

    /// Not less than the distance of any point of the core from the origin of the frame; infinite for what has no end.
    pub fn radius(&self) -> f64 {
        match self {
            LocalBound::Bounded { radius, .. } => *radius,
            LocalBound::HalfSpace(_) | LocalBound::Plane(_) => f64::INFINITY,
        }
    }
}

/// Above the root of what squares lose below the normal numbers.
const TINY: f64 = power_of_two(-500);

enum Side {
    One,
    Both,
}

/// Half-spaces and planes that are not turned, with a normal along an axis, end there; others are everywhere.
fn limited(pose: &Pose, normal: DVec3, offset: f64, side: Side) -> Aabb {
    let axes: Vec<usize> = (0..3).filter(|&axis| normal[axis] != 0.0).collect();
    let mut bound = EVERYWHERE;
    let ([axis], true) = (axes.as_slice(), pose.rotation() == DMat3::IDENTITY) else { return bound };
    let (normal, shift) = (normal[*axis], pose.translation()[*axis]);
    let above = add_up(div_up(offset, normal), shift);
    let below = -add_up(div_up(-offset, normal), -shift);
    let both = matches!(side, Side::Both);
    if normal > 0.0 || both {
        bound.max[*axis] = above;
    }
    if normal < 0.0 || both {
        bound.min[*axis] = below;
    }
    bound
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use glam::DQuat;

    #[test]
    fn the_box_holds_all_points_and_is_not_much_larger() {
        let mut random = Random::new(11);
        for case in 0..2000 {
            let offset = [0.0, 1e3, 1e9][case % 3];
            let mut point = || DVec3::from_array([0; 3].map(|_: i32| random.range(-1.0, 1.0)));
            let points: Vec<DVec3> = (0..9).map(|_| point() + offset).collect();
            let (axis, shift) = (point(), point() * 10.0);
            let pose = Pose::from_quaternion(DQuat::from_axis_angle(axis.normalize(), 7.0 * axis.x), shift)
                .expect("a pose");
            let around = Aabb::around(points.iter().copied()).expect("points");
            let bound = LocalBound::new(around, &points, 0.25).at(&pose, 0.0);
            let posed = Aabb::around(points.iter().map(|point| pose.apply(*point))).expect("points");
            // Posed points are rounded themselves.
            let slack = DVec3::splat(0.25 - 1e-15 * (offset + 10.0));
            assert!(bound.min.cmple(posed.min - slack).all() && bound.max.cmpge(posed.max + slack).all());
            assert!(bound.extent().max_element() < 2.0 * 3f64.sqrt() + 0.51 + 1e-14 * offset);
        }
    }

    #[test]
    fn a_ball_around_the_middle_of_the_box_holds_all_points() {
        let mut random = Random::new(14);
        for case in 0..2000 {
            let offset = [0.0, 1e3, 1e9][case % 3];
            let mut point = || DVec3::from_array([0; 3].map(|_: i32| random.range(-1.0, 1.0)));
            let points: Vec<DVec3> = (0..9).map(|_| point() + offset).collect();
            let (axis, shift) = (point(), point() * 10.0 - offset);
            let pose = Pose::from_axis_angle(axis, 7.0 * axis.x, shift).expect("a pose");
            let around = Aabb::around(points.iter().copied()).expect("points");
            let local = LocalBound::new(around, &points, 0.25);
            let around = local.around(&pose, 0.0);
            let (bound, radius) = (around.bound(), around.radius());
            let farthest = points.iter().map(|&point| (pose.apply(point) - around.middle).length());
            let farthest = 0.25 + farthest.fold(0.0, f64::max);
            // Posed points are rounded themselves; the rest is what boxes far out are rounded by.
            let slack = 1e-15 * (offset + 10.0) + 1e-14 * bound.max.abs().max_element();
            assert!(farthest <= radius + slack, "{farthest} beyond {radius}");
            assert!(radius < 0.25 + 3f64.sqrt() + 0.5 + 1e-13 * offset, "{radius}");
        }
    }

    #[test]
    fn no_point_moves_farther_than_the_motion() {
        let mut random = Random::new(12);
        for case in 0..3000 {
            let mut point = || DVec3::from_array([0; 3].map(|_: i32| random.range(-1.0, 1.0)));
            let offset = DVec3::splat([0.0, 0.0, 5.0][case % 3]);
            let scale = [1.0, 2f64.powi(-20), 2f64.powi(20)][case / 3 % 3];
            let points: Vec<DVec3> = (0..6).map(|_| (point() + offset) * scale).collect();
            let (first, turn, shift) = (point(), point(), point() * scale);
            let small = 10f64.powi(-((case % 17) as i32));
            let rotation = DQuat::from_axis_angle(first.normalize(), 3.0 * first.x);
            let next = DQuat::from_axis_angle(turn.normalize(), 3.0 * turn.x * small) * rotation;
            let from = Pose::from_quaternion(rotation, shift).expect("a pose");
            let to = Pose::from_quaternion(next.normalize(), shift * (1.0 + small)).expect("a pose");
            let around = Aabb::around(points.iter().copied()).expect("points");
            let motion = LocalBound::new(around, &points, 0.25).motion(&from, &to);
            let ways = points.iter().map(|&point| (to.apply(point) - from.apply(point)).length());
            let farthest = ways.fold(0.0, f64::max);
            // Posed points are rounded themselves.
            let rounding = 1e-15 * scale * (1.0 + offset.x);
            assert!(motion >= farthest - 8.0 * rounding, "{motion} below {farthest}");
            assert!(
                offset.x > 0.0 || motion <= 6.0 * farthest + 1e-7 * scale,
                "{motion} far above {farthest}"
            );
        }
        let floor = LocalBound::HalfSpace(HalfSpace::new(DVec3::Z, 1.0).expect("a half-space"));
        let moved = Pose::from_translation(DVec3::X).expect("a pose");
        let ways = [floor.motion(&moved, &moved), floor.motion(&Pose::IDENTITY, &moved)];
        assert_eq!(ways, [0.0, f64::INFINITY]);
    }

    #[test]
    fn a_swept_box_holds_the_body_all_the_way_and_is_not_much_larger() {
        let mut random = Random::new(13);
        for case in 0..1000 {
            let mut point = || DVec3::from_array([0; 3].map(|_: i32| random.range(-1.0, 1.0)));
            let offset = [0.0, 0.0, 3.0][case % 3];
            let points: Vec<DVec3> = (0..6).map(|_| point() + offset).collect();
            let (axis, start, shift) = (point(), point() * 100.0, point() * 10.0);
            let angle = [1e-9, 0.1, 1.0, 3.0, std::f64::consts::PI][case % 5];
            let from = Pose::from_axis_angle(point(), 2.0, start).expect("a pose");
            let turn = Pose::from_axis_angle(axis, angle, DVec3::ZERO).expect("a pose");
            let to = Pose::new(turn.rotation() * from.rotation(), start + shift).expect("a pose");
            let (screw, off) = Screw::between(&from, &to);
            let around = Aabb::around(points.iter().copied()).expect("points");
            let local = LocalBound::new(around, &points, 0.25);
            let bound = local.swept(&from, &to, &screw, &off);
            let mut exact: Option<Aabb> = None;
            for k in 0..=40 {
                let (pose, _) = screw.pose_at(f64::from(k) / 40.0, &from).expect("in range");
                let posed = Aabb::around(points.iter().map(|p| pose.apply(*p))).expect("points");
                exact = Some(exact.map_or(posed, |known| known.join(posed)));
            }
            let exact = exact.expect("samples");
            let slack = DVec3::splat(0.25 - 1e-12);
            assert!(bound.min.cmple(exact.min - slack).all() && bound.max.cmpge(exact.max + slack).all());
            let extra = (bound.extent() - exact.extent()).max_element();
            let bulge = if angle > 0.5 { 2.5 * (shift.length() + 5.0) } else { 0.0 };
            assert!(extra < 3.0 + offset + bulge, "{angle}: {extra} of {:?}", exact.extent());
        }
    }

    #[test]
    fn floors_end_where_they_should() {
        let floor = LocalBound::HalfSpace(HalfSpace::new(DVec3::Z, 1.0).expect("a half-space"));
        let pose = Pose::from_translation(DVec3::new(0.0, 0.0, 2.0)).expect("a pose");
        let bound = floor.at(&pose, 0.0);
        assert_eq!((bound.max.z, bound.max.x, bound.min.z), (3.0, f64::INFINITY, f64::NEG_INFINITY));
        let turned = Pose::from_axis_angle(DVec3::X, 0.5, DVec3::ZERO).expect("a pose");
        assert_eq!(floor.at(&turned, 0.0), EVERYWHERE);
    }
}
