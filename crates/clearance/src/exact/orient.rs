//! Orientation of points that share a frame.

use super::terms::ExactVector;
use super::{Sign, UNDERFLOW_GUARD, UNIT_ROUNDOFF, exact_det_sign, exact_minor_sign, sign_outside};
use glam::{DVec2, DVec3};

/// A coordinate axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Axis {
    /// The first.
    X,
    /// The second.
    Y,
    /// The third.
    Z,
}

impl Axis {
    /// All three, in order.
    pub const ALL: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

    /// The other two, so that together with this one they are right-handed: projecting along an axis onto
    /// them keeps counter-clockwise what is counter-clockwise seen from the tip of the axis.
    pub const fn others(self) -> [usize; 2] {
        match self {
            Axis::X => [1, 2],
            Axis::Y => [2, 0],
            Axis::Z => [0, 1],
        }
    }
}

/// Positive when `c` lies to the left of the line from `a` to `b`: the exact sign of `det[b - a, c - a]`.
///
/// ```
/// use clearance::{exact::{Sign, orient2d}, glam::DVec2};
/// assert_eq!(orient2d(DVec2::ZERO, DVec2::X, DVec2::Y), Sign::Positive);
/// // 0.1 + 0.2 is not 0.3, and the sign knows:
/// let third = DVec2::new(0.3, 0.1 + 0.2);
/// assert_eq!(orient2d(DVec2::ZERO, DVec2::ONE, third), Sign::Positive);
/// ```
pub fn orient2d(a: DVec2, b: DVec2, c: DVec2) -> Sign {
    filtered_orient2d(a, b, c).unwrap_or_else(|| exact_orient2d(a, b, c))
}

/// Each difference errs by `u` relative, each product by `u` more, the last difference by `u` of at most the
/// permanent: `4u` and second-order terms, `5u` with the rounding of the bound itself.
fn filtered_orient2d(a: DVec2, b: DVec2, c: DVec2) -> Option<Sign> {
    let (u, v) = (b - a, c - a);
    let (left, right) = (u.x * v.y, u.y * v.x);
    let bound = 5.0 * UNIT_ROUNDOFF * (left.abs() + right.abs());
    // Underflow costs each product `2^-1075` at most, far less than the spare `u` of a bound this large.
    if bound < UNDERFLOW_GUARD {
        return None;
    }
    sign_outside(left - right, bound)
}

#[cold]
#[inline(never)]
fn exact_orient2d(a: DVec2, b: DVec2, c: DVec2) -> Sign {
    let (u, v) = (difference(a.extend(0.0), b.extend(0.0)), difference(a.extend(0.0), c.extend(0.0)));
    exact_minor_sign(&u, &v, 0, 1)
}

/// Positive when `d` lies on the side of the plane `abc` to which `(b - a) x (c - a)` points: the exact sign
/// of `det[b - a, c - a, d - a]`.
///
/// ```
/// use clearance::{exact::{Sign, orient3d}, glam::DVec3};
/// let up = DVec3::new(0.25, 0.25, 5e-324);
/// assert_eq!(orient3d(DVec3::ZERO, DVec3::X, DVec3::Y, up), Sign::Positive);
/// assert_eq!(orient3d(DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::ONE * 0.0), Sign::Zero);
/// ```
pub fn orient3d(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Sign {
    filtered_orient3d(a, b, c, d).unwrap_or_else(|| exact_orient3d(a, b, c, d))
}

/// With `P` the permanent of `|u v w|`: three differences, two products and three sums err by `8u P` to first
/// order; `9u` covers the second order and the rounding of the bound.
fn filtered_orient3d(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Option<Sign> {
    let (u, v, w) = (b - a, c - a, d - a);
    let (xy, yx) = (u.x * v.y, u.y * v.x);
    let (yz, zy) = (u.y * v.z, u.z * v.y);
    let (zx, xz) = (u.z * v.x, u.x * v.z);
    let determinant = (yz - zy) * w.x + (zx - xz) * w.y + (xy - yx) * w.z;
    let permanent = (yz.abs() + zy.abs()) * w.x.abs()
        + (zx.abs() + xz.abs()) * w.y.abs()
        + (xy.abs() + yx.abs()) * w.z.abs();
    let bound = 9.0 * UNIT_ROUNDOFF * permanent;
    // Underflow costs six products `2^-1075 |w|` each and three `2^-1075`; the spare `u` must cover that.
    if bound < UNDERFLOW_GUARD * (1.0 + w.abs().element_sum()) {
        return None;
    }
    sign_outside(determinant, bound)
}

#[cold]
#[inline(never)]
fn exact_orient3d(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Sign {
    exact_det_sign(&difference(a, b), &difference(a, c), &difference(a, d))
}

/// The exact vector `to - from`.
fn difference(from: DVec3, to: DVec3) -> ExactVector {
    let mut vector = ExactVector::new();
    for axis in 0..3 {
        if to[axis] != from[axis] {
            vector.add(axis, to[axis], 1.0);
            vector.add(axis, from[axis], -1.0);
        }
    }
    vector
}
