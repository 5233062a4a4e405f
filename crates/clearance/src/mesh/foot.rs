//! The point of a triangle nearest to a given point, and what it proves.

use super::nearest::Nearest;
use crate::exact::Posed;
use crate::math::Pose;
use crate::math::round::{UNIT_ROUNDOFF, power_of_two};
use crate::triangle;
use glam::DVec3;

/// Largest width of a bracket, as a part of its upper end.
const RELATIVE_WIDTH: f64 = 1e-12;

/// Where squares of sizes neither over- nor underflow.
const SAFE: std::ops::Range<f64> = power_of_two(-200)..power_of_two(200);

/// Proved ends of a distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bracket {
    pub lower: f64,
    pub upper: f64,
    /// From the point to the nearest of the triangle, rounded.
    pub foot: DVec3,
    /// Weights of the corners.
    weights: [f64; 3],
}

/// Feet of one point on triangles of one body.
pub(super) struct Feet<'a> {
    pose: &'a Pose,
    at: Posed<'a>,
    /// From the point to the image of the body's origin; each coordinate errs by at most `5.2u size`.
    offset: DVec3,
    size: f64,
}

impl<'a> Feet<'a> {
    pub fn new(pose: &'a Pose, at: Posed<'a>) -> Feet<'a> {
        let between = pose.translation() - at.pose.translation();
        Feet {
            pose,
            at,
            offset: between - at.pose.apply_vector(at.point),
            size: between.abs().element_sum() + at.point.abs().element_sum(),
        }
    }

    /// The distance of a triangle, from floats alone.
    ///
    /// Corners seen from the point err by `8u` of `size`, the sum of all that is added: `5.2u` of the offset, `4.1u` of
    /// products with the rotation, and sums. *Upper*: the mixture of corners errs by `8u size` through these, `3u size`
    /// through products and sums, `2u size` through the sum of weights: in length below `24u size`. *Lower*: the triangle
    /// lies beyond the plane with normal `v` through its nearest corner; a product errs by `11u |v|_1 size`.
    #[inline]
    pub fn bracket(&self, corners: [DVec3; 3]) -> Bracket {
        let [p, q, r] = corners;
        let edges = [q - p, r - p];
        let [e, f] = edges.map(|edge| self.pose.apply_vector(edge));
        let first = self.pose.apply_vector(p) + self.offset;
        let size =
            self.size + p.abs().element_sum() + edges[0].abs().element_sum() + edges[1].abs().element_sum();
        // Written so that NaN is left to exact numbers.
        if !SAFE.contains(&size) {
            let weights = [1.0, 0.0, 0.0];
            return Bracket { lower: 0.0, upper: f64::INFINITY, foot: DVec3::ZERO, weights };
        }
        let corners = [first, first + e, first + f];
        let weights = weights(corners, [e, f]);
        let foot = corners[0] * weights[0] + (corners[1] * weights[1] + corners[2] * weights[2]);
        let upper = foot.length() * (1.0 + 4.0 * UNIT_ROUNDOFF) + 24.0 * UNIT_ROUNDOFF * size;
        let normal = e.cross(f);
        let normal = if normal.dot(foot) < 0.0 { -normal } else { normal };
        let lower = lower_end(corners, size, foot).max(lower_end(corners, size, normal));
        Bracket { lower, upper, foot, weights }
    }

    /// The distance of a triangle within a relative width of `1e-12`, from exact numbers if need be.
    pub fn settled(&self, corners: [DVec3; 3], triangle: u32) -> Nearest {
        let Bracket { lower, upper, weights, .. } = self.bracket(corners);
        if upper - lower <= RELATIVE_WIDTH * upper && upper.is_finite() {
            let [p, q, r] = corners;
            let foot = p * weights[0] + (q * weights[1] + r * weights[2]);
            return Nearest { lower, upper, point: self.pose.apply(foot), triangle };
        }
        if lower == 0.0 && triangle::locate(corners.map(|corner| self.pose.at(corner)), self.at).is_some() {
            let point = self.at.pose.apply(self.at.point);
            return Nearest { lower: 0.0, upper: 0.0, point, triangle };
        }
        let found = triangle::distance(corners, self.pose, [self.at.point; 3], self.at.pose);
        Nearest { lower: found.lower, upper: found.upper, point: found.point_a, triangle }
    }
}

/// A number proved to be at most the distance of a triangle from the origin, by a plane with that normal.
#[inline(always)]
fn lower_end(corners: [DVec3; 3], size: f64, normal: DVec3) -> f64 {
    let length = normal.length();
    // Shorter normals come close to underflow, and prove little anyway.
    if length < power_of_two(-450) {
        return 0.0;
    }
    let [a, b, c] = corners.map(|corner| normal.dot(corner));
    let error = 12.0 * UNIT_ROUNDOFF * normal.abs().element_sum() * size;
    ((a.min(b).min(c) - error) / length * (1.0 - 4.0 * UNIT_ROUNDOFF)).max(0.0)
}

/// Weights, not negative and with sum one up to rounding, of the point of a triangle nearest to the origin, rounded: by
/// the regions of its corners, edges and face [Ericson 2005, 5.1.5].
#[inline]
fn weights([a, b, c]: [DVec3; 3], [ab, ac]: [DVec3; 2]) -> [f64; 3] {
    let (d1, d2) = (-ab.dot(a), -ac.dot(a));
    let (d3, d4) = (-ab.dot(b), -ac.dot(b));
    let (d5, d6) = (-ab.dot(c), -ac.dot(c));
    let part = |over: f64, rest: f64| {
        let share = over / (over + rest);
        // A quotient of zeros has no value; either end will do.
        if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) }
    };
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let v = part(d1, -d3);
        return [1.0 - v, v, 0.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let w = part(d2, -d6);
        return [1.0 - w, 0.0, w];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let w = part(d4 - d3, d5 - d6);
        return [0.0, 1.0 - w, w];
    }
    let v = part(vb, va + vc);
    let w = part(vc, va + vb).min(1.0 - v);
    [(1.0 - v - w).max(0.0), v, w]
}
