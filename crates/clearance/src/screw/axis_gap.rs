//! Bodies on both sides of a plane across the axis: heights along the axis of a screw do not change by the turn.

use super::motion::Motion;
use crate::body::Body;
use crate::math::{EnclosedPose, Interval, Interval3, Pose};
use glam::DVec3;

/// A number never above the distance of two bodies at any time of their motions, from heights along the axis of a screw; `None`
/// if they do not move in parallel layers, or one is curved or unbounded in its core.
///
/// Zero or above proves that a plane across the axis has one body on each side at all times, so that they never overlap: a lever
/// that lies on a plate and turns about a pin. Exact wherever the heights are floats. Negative proves nothing. `O(n)`.
pub fn gap_along_axis(
    a: &Body,
    pose_a: &Pose,
    motion_a: &Motion,
    b: &Body,
    pose_b: &Pose,
    motion_b: &Motion,
) -> Option<f64> {
    let axis = common_axis(motion_a, motion_b)?;
    let ([low_a, high_a], [low_b, high_b]) = (layer(a, pose_a, &axis)?, layer(b, pose_b, &axis)?);
    let (rise_a, rise_b) = (rise(motion_a, &axis), rise(motion_b, &axis));
    // Even motions: the gap is smallest at the start or at the end.
    let least = |low: f64, rise_low: Interval, high: f64, rise_high: Interval| {
        let start = Interval::point(low) - Interval::point(high);
        start.lower().min((start + (rise_low - rise_high)).lower())
    };
    Some(least(low_b, rise_b, high_a, rise_a).max(least(low_a, rise_a, high_b, rise_b)))
}

/// The unit vector of the axis that all turns of both motions are about; `None` without a turn, or with two.
fn common_axis(a: &Motion, b: &Motion) -> Option<Interval3> {
    let axis = |motion: &Motion| {
        let steady = motion.steady();
        (steady.rate().magnitude() > 0.0).then_some(*steady.axis())
    };
    match (axis(a), axis(b)) {
        (Some(x), Some(y)) => (x == y).then_some(x),
        (x, y) => x.or(y),
    }
}

/// How far a body rises along the axis in the whole step: a screw by its shift, whatever the length of a rounded unit vector is.
fn rise(motion: &Motion, axis: &Interval3) -> Interval {
    match motion {
        Motion::AtRest => Interval::ZERO,
        Motion::Screw(screw) if screw.angle() != 0.0 => Interval::point(screw.shift()),
        other => axis.dot(other.steady().drift()),
    }
}

/// The least and the largest height of a body along the axis at the start, rounded outward.
fn layer(body: &Body, pose: &Pose, axis: &Interval3) -> Option<[f64; 2]> {
    let (points, radius): (&[DVec3], f64) = match body {
        Body::Mesh(mesh) => (mesh.mesh().positions(), 0.0),
        Body::Compound(compound) => (compound.hull().polytope().vertices(), 0.0),
        Body::Convex(convex) => (convex.core()?.polytope().vertices(), convex.radius()),
    };
    let pose = EnclosedPose::exactly(pose);
    let heights = points.iter().map(|&point| axis.dot(&pose.apply(&Interval3::point(point))));
    let whole = heights.reduce(Interval::hull)?;
    let ball = if radius == 0.0 { Interval::ZERO } else { Interval::around(0.0, radius * (1.0 + 1e-15)) };
    let layer = whole + ball;
    Some([layer.lower(), layer.upper()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Random, Screw};
    use crate::pair::Convex;
    use crate::shape::Polytope;

    fn block(half: DVec3) -> Body {
        let corner =
            |i: usize| half * DVec3::new([-1.0, 1.0][i & 1], [-1.0, 1.0][i >> 1 & 1], [-1.0, 1.0][i >> 2]);
        Body::Convex(Convex::from_polytope(Polytope::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap()))
    }

    #[test]
    fn what_lies_on_a_plate_never_overlaps_it_unless_it_sinks() {
        let (plate, lever) = (block(DVec3::new(9.0, 9.0, 1.0)), block(DVec3::new(4.0, 0.5, 0.5)));
        let at = Pose::from_translation(DVec3::new(3.0, 0.0, 1.5)).unwrap();
        let gap = |shift: f64, lift: f64| {
            let turn = Motion::from(Screw::new(DVec3::Z, DVec3::new(0.1, 0.2, 0.3), 2.0, shift).unwrap());
            let at = Pose::from_translation(at.translation() + lift * DVec3::Z).unwrap();
            gap_along_axis(&plate, &Pose::IDENTITY, &Motion::AtRest, &lever, &at, &turn).unwrap()
        };
        assert_eq!([gap(0.0, 0.0), gap(0.0, 0.25), gap(1.0, 0.0), gap(-0.25, 0.25)], [0.0, 0.25, 0.0, 0.0]);
        assert!(gap(-f64::MIN_POSITIVE, 0.0) < 0.0);
        // Seen the other way round, and with both of them moving up.
        let turn = Motion::from(Screw::new(DVec3::Z, DVec3::ZERO, 2.0, 0.5).unwrap());
        let up = Motion::from(Screw::new(DVec3::Z, DVec3::ZERO, 0.0, 0.5).unwrap());
        assert_eq!(gap_along_axis(&lever, &at, &turn, &plate, &Pose::IDENTITY, &up), Some(0.0));
        assert_eq!(gap_along_axis(&lever, &at, &Motion::AtRest, &plate, &Pose::IDENTITY, &up), None);
    }

    /// Oracle: distances at many times are never below.
    #[test]
    fn no_distance_is_below_the_gap() {
        let mut random = Random::new(3);
        for _ in 0..200 {
            let mut vector = |size: f64| {
                DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0)) * size
            };
            let (axis, a, b) = (vector(1.0), block(vector(1.0).abs()), block(vector(1.0).abs()));
            let pose_a = Pose::from_axis_angle(vector(1.0), 1.0, vector(1.0)).unwrap();
            let pose_b = Pose::from_axis_angle(vector(1.0), 1.0, axis * 6.0 + vector(1.0)).unwrap();
            let turn = Motion::from(Screw::new(axis, vector(2.0), 3.0, vector(3.0).x).unwrap());
            let gap = gap_along_axis(&a, &pose_a, &Motion::AtRest, &b, &pose_b, &turn).unwrap();
            for k in 0..=20 {
                let (at, _) = turn.pose_at(f64::from(k) / 20.0, &pose_b).unwrap();
                let found = crate::body::relate(&a, &pose_a, &b, &at).unwrap();
                assert!(found.distance.upper >= gap * (1.0 - 1e-12), "{gap}: {found:?}");
            }
        }
    }
}
