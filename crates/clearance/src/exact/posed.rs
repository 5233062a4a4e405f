//! Predicates of points under poses: the coordinates `R p + t` are exact, never rounded.

use super::orient::Axis;
use super::terms::ExactVector;
use super::{
    Sign, UNDERFLOW_GUARD, UNIT_ROUNDOFF, exact_det_sign, exact_dot_sign, exact_minor_sign, sign_of_float,
    sign_outside,
};
use crate::math::Pose;
use glam::DVec3;

/// A point of a body under the body's pose; it stands for the exact real point `R p + t`.
///
/// Poses are compared by address: build all points of a body from one `Pose` value, and differences within
/// the body are evaluated without the translation. Equal poses at two addresses only cost speed.
#[derive(Clone, Copy, Debug)]
pub struct Posed<'a> {
    /// Where the body is.
    pub pose: &'a Pose,
    /// The point in the body's own frame.
    pub point: DVec3,
}

impl Pose {
    /// The point under this pose, exactly.
    #[inline]
    pub fn at(&self, point: DVec3) -> Posed<'_> {
        Posed { pose: self, point }
    }
}

/// An exact vector that a predicate can be asked about.
#[derive(Clone, Copy, Debug)]
pub enum Vector<'a> {
    /// Three `f64` as they are.
    Literal(DVec3),
    /// From one posed point to another.
    Between(Posed<'a>, Posed<'a>),
}

impl Vector<'_> {
    /// The vector as floats, each coordinate rounded a few times; for display and for proposals.
    #[inline]
    pub fn rounded(&self) -> DVec3 {
        self.approximate().value
    }

    /// Whether all coordinates are exactly zero.
    pub fn is_zero(&self) -> bool {
        DVec3::AXES.iter().all(|&axis| dot_sign(axis, *self).is_zero())
    }
}

/// A float vector and a size `s` such that no coordinate is larger than `s (1 + 8u)` or errs by more
/// than `6u s`.
#[derive(Clone, Copy)]
pub(crate) struct Approximation {
    pub value: DVec3,
    pub size: f64,
}

impl Vector<'_> {
    /// Proof of the error. Rows of a rotation have entries of at most `1 + 1e-9`, so `|R||p| <= 1.01 |p|_1`.
    /// *One pose*: `fl(q - p)` errs by `u`, three products and two sums by `3u`: `4.1u |q - p|_1`.
    /// *Two poses*: each point takes three products and three sums, `4u (|R||p| + |t|)`, the difference
    /// `u` more: `5.1u (|p|_1 + |q|_1 + |t_p| + |t_q|)`. Sizes are sums of non-negative numbers and err
    /// by `8u` relative at most: `6u` covers all.
    #[inline]
    pub(crate) fn approximate(&self) -> Approximation {
        match self {
            Vector::Literal(value) => Approximation { value: *value, size: value.abs().max_element() },
            Vector::Between(from, to) if std::ptr::eq(from.pose, to.pose) => {
                let along = to.point - from.point;
                Approximation { value: from.pose.apply_vector(along), size: along.abs().element_sum() }
            }
            Vector::Between(from, to) => {
                let size = |p: &Posed<'_>| p.point.abs() + p.pose.translation().abs();
                let value = to.pose.apply(to.point) - from.pose.apply(from.point);
                Approximation { value, size: (size(from) + size(to)).element_sum() }
            }
        }
    }

    /// Products that cancel because pose and coordinate are equal are left out.
    pub(super) fn exact(&self) -> ExactVector {
        let mut vector = ExactVector::new();
        match self {
            Vector::Literal(value) => {
                for axis in 0..3 {
                    vector.add(axis, value[axis], 1.0);
                }
            }
            Vector::Between(from, to) => {
                let one_pose = std::ptr::eq(from.pose, to.pose);
                for column in (0..3).filter(|&c| !one_pose || from.point[c] != to.point[c]) {
                    let (column_from, column_to) =
                        (from.pose.rotation().col(column), to.pose.rotation().col(column));
                    for axis in 0..3 {
                        vector.add(axis, column_to[axis], to.point[column]);
                        vector.add(axis, column_from[axis], -from.point[column]);
                    }
                }
                for axis in (0..3).filter(|_| !one_pose) {
                    vector.add(axis, to.pose.translation()[axis], 1.0);
                    vector.add(axis, from.pose.translation()[axis], -1.0);
                }
            }
        }
        vector
    }
}

/// The exact sign of `direction . vector`.
///
/// Filter: `|d|_1` times the vector's error `6u s`, and `3u |d|_1 s` for products and sums: `10u |d|_1 s`.
#[inline]
pub fn dot_sign(direction: DVec3, vector: Vector<'_>) -> Sign {
    let Approximation { value, size } = vector.approximate();
    let bound = 10.0 * UNIT_ROUNDOFF * direction.abs().element_sum() * size;
    // Underflow: at most `2^-1074 (3 + 12 |d|_1)`, covered by the spare `u |d|_1 s` of a large bound.
    let trusted = (size > UNDERFLOW_GUARD) & (bound > UNDERFLOW_GUARD) & (bound < OVERFLOW_GUARD);
    // In this order the compiler pairs lanes without a detour through memory (1.4 instead of 2.4 times naive).
    let value = direction.x * value.x + (direction.y * value.y + direction.z * value.z);
    if trusted & (value.abs() > bound) { sign_of_float(value) } else { cold_dot_sign(direction, vector) }
}

// The exact stages stay out of line: inlined, their stack frames would be paid for when a filter passes.

#[cold]
#[inline(never)]
fn cold_dot_sign(direction: DVec3, vector: Vector<'_>) -> Sign {
    exact_dot_sign(&Vector::Literal(direction).exact(), &vector.exact())
}

#[cold]
#[inline(never)]
fn cold_det_sign(u: Vector<'_>, v: Vector<'_>, w: Vector<'_>) -> Sign {
    exact_det_sign(&u.exact(), &v.exact(), &w.exact())
}

#[cold]
#[inline(never)]
fn cold_minor_sign(u: Vector<'_>, v: Vector<'_>, i: usize, j: usize) -> Sign {
    exact_minor_sign(&u.exact(), &v.exact(), i, j)
}

/// The exact sign of `det[u, v, w]`.
///
/// Filter: six products of three, each wrong by `3 * 6u` through its factors, and `5u` through products and
/// sums: `6 * 23u = 138u` times the three sizes; `150u` with the second order.
#[inline]
pub fn det_sign(u: Vector<'_>, v: Vector<'_>, w: Vector<'_>) -> Sign {
    let (a, b, c) = (u.approximate(), v.approximate(), w.approximate());
    let bound = 150.0 * UNIT_ROUNDOFF * (a.size * b.size * c.size);
    // With sizes above 2^-300 every product of two or three is far from underflow relative to the bound.
    if a.size.min(b.size).min(c.size) > SMALLEST_SIZE
        && bound < OVERFLOW_GUARD
        && let Some(sign) = sign_outside(a.value.cross(b.value).dot(c.value), bound)
    {
        return sign;
    }
    cold_det_sign(u, v, w)
}

/// Whether zero lies strictly inside the tetrahedron of four vectors, exactly: all faces see it on the same side as
/// the whole.
///
/// `det[a, b, c]` is six times the volume of the tetrahedron `0abc`; inside, the four add up with one sign. The filter
/// is that of [`det_sign`], with every vector rounded once and two cross products shared by four determinants.
pub fn surrounds_zero([a, b, c, d]: [Vector<'_>; 4]) -> bool {
    let (p, q, r, s) = (a.approximate(), b.approximate(), c.approximate(), d.approximate());
    let sizes = [p.size, q.size, r.size, s.size];
    let (smallest, largest) =
        (sizes.into_iter().fold(f64::MAX, f64::min), sizes.into_iter().fold(0.0, f64::max));
    let bound = 151.0 * UNIT_ROUNDOFF * (largest * largest * largest);
    let (first, second) = (p.value.cross(q.value), r.value.cross(s.value));
    let volumes = [first.dot(r.value), second.dot(p.value), -first.dot(s.value), -second.dot(q.value)];
    let is_trusted = smallest > SMALLEST_SIZE && bound < OVERFLOW_GUARD;
    if is_trusted && (volumes.iter().all(|&v| v > bound) || volumes.iter().all(|&v| v < -bound)) {
        return true;
    }
    let sign = det_sign(a, b, c);
    !sign.is_zero() && det_sign(a, c, d) == sign && det_sign(a, d, b) == sign && det_sign(b, d, c) == sign
}

/// `2^-300`; see `det_sign`.
const SMALLEST_SIZE: f64 = f64::from_bits(((1023 - 300) as u64) << 52);

/// `2^900`: values are at most `2^53` times their bound, so below this nothing overflowed.
pub(super) const OVERFLOW_GUARD: f64 = f64::from_bits(((1023 + 900) as u64) << 52);

/// [`super::orient3d`] of points under any poses: positive when `d` lies on the side of the plane `abc` to
/// which `(b - a) x (c - a)` points.
///
/// Put the point that stands alone (the one of the other body) last, or all under one pose: the differences
/// `b - a`, `c - a` are then free of translations, and the filter is tight.
#[inline]
pub fn orient3d_posed(a: Posed<'_>, b: Posed<'_>, c: Posed<'_>, d: Posed<'_>) -> Sign {
    det_sign(Vector::Between(a, b), Vector::Between(a, c), Vector::Between(a, d))
}

/// [`super::orient2d`] of points under any poses, projected along a coordinate axis: positive when seen from
/// the tip of that axis `a`, `b`, `c` turn counter-clockwise.
#[inline]
pub fn orient2d_posed(axis: Axis, a: Posed<'_>, b: Posed<'_>, c: Posed<'_>) -> Sign {
    cross_sign(axis, Vector::Between(a, b), Vector::Between(a, c))
}

/// The exact sign of a coordinate of `u x v`.
pub fn cross_sign(axis: Axis, u: Vector<'_>, v: Vector<'_>) -> Sign {
    let [i, j] = axis.others();
    let (s, t) = (u.approximate(), v.approximate());
    // Two products, each wrong by `2 * 6u` through its factors and `2u` through rounding: `28u`.
    let bound = 30.0 * UNIT_ROUNDOFF * (s.size * t.size);
    let value = s.value[i] * t.value[j] - s.value[j] * t.value[i];
    if s.size.min(t.size) > SMALLEST_SIZE
        && bound < OVERFLOW_GUARD
        && let Some(sign) = sign_outside(value, bound)
    {
        return sign;
    }
    cold_minor_sign(u, v, i, j)
}

/// The exact sign of `u . v`.
///
/// Filter: three products, each wrong by `2 * 6u` through its factors and `3u` through rounding: `45u`.
pub fn vector_dot_sign(u: Vector<'_>, v: Vector<'_>) -> Sign {
    let (s, t) = (u.approximate(), v.approximate());
    let bound = 50.0 * UNIT_ROUNDOFF * (s.size * t.size);
    if s.size.min(t.size) > SMALLEST_SIZE
        && bound < OVERFLOW_GUARD
        && let Some(sign) = sign_outside(s.value.dot(t.value), bound)
    {
        return sign;
    }
    exact_dot_sign(&u.exact(), &v.exact())
}

/// On which side of the plane through `origin` with normal `normal` (world frame, `f64` as it is) a point
/// lies: the exact sign of `normal . (point - origin)`.
#[inline]
pub fn plane_side(normal: DVec3, origin: Posed<'_>, point: Posed<'_>) -> Sign {
    dot_sign(normal, Vector::Between(origin, point))
}
