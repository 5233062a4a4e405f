//! The predicates of [`crate::exact`], written out in exact numbers.

use super::dyadic::Dyadic;
use crate::exact::Sign;
use crate::math::Pose;
use glam::{DVec2, DVec3};

/// An exact vector.
pub type Exact3 = [Dyadic; 3];

/// The exact coordinates of a point.
pub fn exact(point: DVec3) -> Exact3 {
    point.to_array().map(Dyadic::new)
}

/// The exact image of a point under a pose.
pub fn posed(pose: &Pose, point: DVec3) -> Exact3 {
    let (p, t) = (exact(point), exact(pose.translation()));
    let rows: [DVec3; 3] = [0, 1, 2].map(|i| pose.rotation().row(i));
    [0, 1, 2].map(|i| &dot(&exact(rows[i]), &p) + &t[i])
}

/// `b - a`.
pub fn minus(b: &Exact3, a: &Exact3) -> Exact3 {
    [0, 1, 2].map(|i| &b[i] - &a[i])
}

/// The scalar product.
pub fn dot(a: &Exact3, b: &Exact3) -> Dyadic {
    &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
}

/// The vector product.
pub fn cross(a: &Exact3, b: &Exact3) -> Exact3 {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &(&a[i] * &b[j]) - &(&a[j] * &b[i]))
}

/// The sign of `det[u, v, w]`.
pub fn det_sign(u: &Exact3, v: &Exact3, w: &Exact3) -> Sign {
    dot(&cross(u, v), w).sign()
}

/// Side of the plane `abc` on which `d` lies.
pub fn orient3d(a: &Exact3, b: &Exact3, c: &Exact3, d: &Exact3) -> Sign {
    det_sign(&minus(b, a), &minus(c, a), &minus(d, a))
}

/// Side of the line `ab` on which `c` lies.
pub fn orient2d(a: DVec2, b: DVec2, c: DVec2) -> Sign {
    let lift = |p: DVec2| exact(p.extend(0.0));
    cross(&minus(&lift(b), &lift(a)), &minus(&lift(c), &lift(a)))[2].sign()
}
