//! Winding numbers of points infinitely close to a point.
//!
//! A probe is `p + d1 g + d2 v + d3 w` with independent vectors and infinitesimals `1 >> d1 >> d2 >> d3 > 0`. Every sign
//! that is zero at `p` is decided by the first vector that changes it. As the vectors are independent, the probe lies
//! on no triangle, and a ray from it meets no edge: each triangle is left, entered, or missed.

use super::body::{Body, between};
use super::point::Point;
use super::search::TriangleSearch;
use crate::exact::{BigVector, Posed, Sign, Vector, det_sign};
use crate::math::{Aabb, Pose};
use glam::DVec3;

/// A direction, exact.
#[derive(Clone, Debug)]
pub(super) enum Toward<'a> {
    /// Of a vector between given points.
    Along(Vector<'a>),
    /// Of a computed vector.
    Computed(BigVector),
}

impl Toward<'_> {
    /// The exact sign of `det[u, v, direction]`.
    pub fn det_sign(&self, u: Vector<'_>, v: Vector<'_>) -> Sign {
        match self {
            Toward::Along(vector) => det_sign(u, v, *vector),
            Toward::Computed(vector) => BigVector::from(u).cross(&BigVector::from(v)).dot(vector).sign(),
        }
    }
}

/// A point infinitely close to another.
#[derive(Clone, Debug)]
pub(super) struct Probe<'a> {
    pub at: Point<'a>,
    /// Independent.
    pub toward: [Toward<'a>; 3],
}

impl<'a> Probe<'a> {
    /// Close to a point that lies on no triangle: the vectors do not matter.
    pub fn beside(at: Point<'a>) -> Probe<'a> {
        Probe { at, toward: DVec3::AXES.map(|axis| Toward::Along(Vector::Literal(axis))) }
    }

    /// How often a closed mesh winds around the probe.
    ///
    /// A ray runs to the nearest side of the mesh's bounds; each triangle it leaves through counts `+1`, each it enters
    /// through `-1`. Costs a few signs for each triangle whose box meets that of the ray.
    pub fn winding<S: TriangleSearch>(&self, body: &Body<'_, S>) -> i64 {
        let (world, error) = self.at.rounded();
        let near = box_in_frame(body.pose, world, error);
        let bounds = body.mesh.bounds();
        if !near.meets(bounds) {
            return 0;
        }
        let (path, along) = shortest_way_out(near, bounds);
        // Any direction will do, so its rounding does no harm.
        let direction = Vector::Literal(body.pose.apply_vector(along));
        let mut winding = 0;
        body.search.visit(path, |triangle| winding += self.passage(body.triangle(triangle), direction));
        winding
    }

    /// `+1`, `-1` or `0` for a triangle that the ray leaves, enters or misses.
    fn passage(&self, [p, q, r]: [Posed<'_>; 3], direction: Vector<'_>) -> i64 {
        let facing = self.side(direction, between(p, q), p);
        let is_hit = !facing.is_zero()
            && facing == self.side(direction, between(q, r), q)
            && facing == self.side(direction, between(r, p), r);
        // Along the normal, if facing is positive: the ray meets the plane if the probe is behind it.
        let is_ahead = || self.side(between(p, q), between(p, r), p) == -facing;
        if is_hit && is_ahead() { facing as i64 } else { 0 }
    }

    /// The sign of `det[u, v, probe - origin]`; zero only if `u` and `v` are parallel.
    fn side(&self, u: Vector<'_>, v: Vector<'_>, origin: Posed<'_>) -> Sign {
        let at_point = self.at.det_sign(u, v, origin);
        if !at_point.is_zero() {
            return at_point;
        }
        let mut signs = self.toward.iter().map(|toward| toward.det_sign(u, v));
        signs.find(|sign| !sign.is_zero()).unwrap_or(Sign::Zero)
    }
}

/// A box, in the frame of a pose, around a point of the world of which each coordinate errs by at most `error`.
///
/// `R^-1 = (R^T R)^-1 R^T` differs from `R^T` by `3.1e-9` relative, as `R^T R` does from one by `1e-9` in each entry;
/// rounding adds `9u` of all that is subtracted, and errors grow by less than two under `R^-1`. Underflow adds some
/// `2^-1074`.
pub(super) fn box_in_frame(pose: &Pose, world: DVec3, error: f64) -> Aabb {
    let local = pose.rotation().transpose() * (world - pose.translation());
    let size = (world.abs() + pose.translation().abs()).element_sum();
    let slack = 4e-9 * local.abs().element_sum() + 1e-15 * size + 2.0 * error + f64::MIN_POSITIVE;
    Aabb { min: local - slack, max: local + slack }
}

/// How far a ray leaves the axis it runs along: a little, so that it is parallel to no face of a body with right angles
/// and signs are seldom zero, and unequally.
const TILT: [f64; 2] = [0.0617, 0.0383];

/// The direction of a ray, in the frame of the body, that leaves its bounds soon, and a box around it until there.
fn shortest_way_out(near: Aabb, bounds: Aabb) -> (Aabb, DVec3) {
    let (up, down) = (bounds.max - near.min, near.max - bounds.min);
    let (axis_up, axis_down) = (up.min_position(), down.min_position());
    let (axis, sign, length) = match up[axis_up] <= down[axis_down] {
        true => (axis_up, 1.0, up[axis_up]),
        false => (axis_down, -1.0, down[axis_down]),
    };
    let mut along = DVec3::ZERO;
    along[axis] = sign;
    along[(axis + 1) % 3] = TILT[0];
    along[(axis + 2) % 3] = TILT[1];
    // The rotation and its transpose cancel up to some `1e-9`.
    let (step, slack) = (along * length, 1e-8 * length + f64::MIN_POSITIVE);
    let (min, max) = (near.min + step.min(DVec3::ZERO), near.max + step.max(DVec3::ZERO));
    (Aabb { min: min - slack, max: max + slack }, along)
}
