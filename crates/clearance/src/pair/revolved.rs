//! Two bodies that turn about parallel axes: all that counts is in a half-plane beside the axis.
//!
//! Along a unit direction with the part `x >= 0` across the axis and `z` along it the height of such a body over its centre does not
//! depend on anything else. With the offset `o` of the centres the height of the difference is least where the part across points
//! against `o`: what is left is `g(x, z) - |o_across| x + o_along z`, and `g` the height of the profiles. A point
//! `(r, h)` of a profile shows `g >= r x + h z` for every `x >= 0`. So the search in a half-plane is that in space, with all circles
//! of directions taken at once. Points and segments are such bodies as well.

use super::cells::{Least, Sample, in_half_plane};
use super::curved::Curved;
use crate::math::Pose;
use crate::math::round::UNIT_ROUNDOFF;
use crate::shape::Primitive;
use crate::shape::primitive::SupportPoint;
use glam::{DMat3, DVec3};

/// Directions that are looked at: these are searches along a line, and end long before.
const MOST_SAMPLES: usize = 4000;

/// A body that turns about an axis, in the world.
struct Revolved<'a> {
    profile: Profile<'a>,
    centre: DVec3,
    /// Of length one but for rounding; `None` for points.
    axis: Option<DVec3>,
    reach: f64,
    /// No point is farther from where an exact rotation about the axis would have it.
    error: f64,
}

enum Profile<'a> {
    /// A body, and of its own axes one across and the one that it turns about.
    Body(&'a Primitive, [usize; 2]),
    /// Half of a segment along the axis.
    Half(f64),
}

impl Profile<'_> {
    /// The extreme point beside the axis and along it, and its error.
    fn support(&self, x: f64, z: f64) -> ([f64; 2], f64) {
        match *self {
            Profile::Body(body, [across, along]) => {
                let mut direction = DVec3::ZERO;
                (direction[across], direction[along]) = (x, z);
                let unknown = SupportPoint { point: DVec3::ZERO, error: f64::INFINITY };
                let SupportPoint { point, error } = body.support(direction).unwrap_or(unknown);
                ([point[across], point[along]], error)
            }
            Profile::Half(half) => ([0.0, if z > 0.0 { half } else { -half }], 0.0),
        }
    }
}

impl<'a> Revolved<'a> {
    fn new(body: &'a Curved, pose: &Pose) -> Option<Revolved<'a>> {
        let (profile, centre, axis) = match body {
            Curved::Polytope(polytope) => match *polytope.vertices() {
                [point] => (Profile::Half(0.0), point, None),
                [p, q] => (Profile::Half(0.5 * (q - p).length()), 0.5 * (p + q), (q - p).try_normalize()),
                _ => return None,
            },
            Curved::Primitive(primitive) => {
                let axes = axes_of(primitive)?;
                (Profile::Body(primitive, axes), DVec3::ZERO, Some(DVec3::AXES[axes[1]]))
            }
        };
        let rotation = pose.rotation();
        let axis = axis.map(|axis| (rotation * axis).normalize());
        let (centre, reach) = (pose.apply(centre), body.reach());
        // The nearest rotation differs by less than the defect `D` of the matrix, `|s - 1| <= |s^2 - 1|` for its singular values; the
        // axis then by as much, and again for its length: a rotation that takes the axis there by `4 D` in all. The centre of a segment
        // and its half length err by `3u` of its reach, posed by another `8u`, the axis by `12u`.
        let error = (4.0 * defect(&rotation) + 32.0 * UNIT_ROUNDOFF) * (reach + centre.abs().element_sum());
        Some(Revolved { profile, centre, axis, reach, error })
    }
}

/// Of its own axes one across and the one that a body turns about.
fn axes_of(body: &Primitive) -> Option<[usize; 2]> {
    match body {
        Primitive::Cylinder(_) | Primitive::Cone(_) => Some([0, 2]),
        Primitive::Ellipsoid(body) => {
            let DVec3 { x, y, z } = body.semi_axes();
            if x == y {
                Some([0, 2])
            } else if y == z {
                Some([1, 0])
            } else {
                (x == z).then_some([2, 1])
            }
        }
        _ => None,
    }
}

/// Not below the norm of `R^T R - I`, but for its own rounding, which the caller adds.
pub(super) fn defect(rotation: &DMat3) -> f64 {
    let defect = rotation.transpose() * *rotation - DMat3::IDENTITY;
    [0, 1, 2].map(|i| defect.col(i).length_squared()).iter().sum::<f64>().sqrt()
}

/// The least height of `A - B`, if both turn about the same direction but for an angle that leaves a part of the height; `upper` tells
/// what is never below the height along a unit direction.
pub(super) fn least(
    [a, b]: [&Curved; 2],
    [pose_a, pose_b]: [&Pose; 2],
    upper: &dyn Fn(DVec3) -> f64,
) -> Option<Least> {
    let (a, b) = (Revolved::new(a, pose_a)?, Revolved::new(b, pose_b)?);
    let axis = a.axis.or(b.axis).unwrap_or(DVec3::Z);
    let along_axis = b.axis.unwrap_or(axis).dot(axis).signum();
    // Turned by the angle between the axes, points move by at most their distance times the chord.
    let tilt = (b.axis.unwrap_or(axis) - along_axis * axis).length();
    let offset = a.centre - b.centre;
    let (along, reach) = (offset.dot(axis), a.reach + b.reach + offset.abs().element_sum());
    let across = offset - along * axis;
    let error =
        a.error + b.error + tilt * (b.reach + b.centre.abs().element_sum()) + 16.0 * UNIT_ROUNDOFF * reach;
    let beside = (-across).try_normalize().unwrap_or_else(|| axis.any_orthonormal_vector());
    let in_space = |d: DVec3| (beside * d.x + axis * d.z).normalize();
    let look = |direction: DVec3| {
        let DVec3 { x, z, .. } = direction;
        let ([r_a, h_a], error_a) = a.profile.support(x, z);
        let ([r_b, h_b], error_b) = b.profile.support(x, -along_axis * z);
        let point = DVec3::new(r_a + r_b - across.length(), 0.0, h_a - along_axis * h_b + along);
        Sample { direction, point, error: error + error_a + error_b, upper: upper(in_space(direction)) }
    };
    let found = in_half_plane(&look, reach, MOST_SAMPLES);
    Some(Least { direction: in_space(found.direction), ..found })
}
