//! Orientation predicates (a slow placeholder with the final signatures).

use super::Sign;
use dashu::rational::RBig;
use glam::{DVec2, DVec3};

fn r(x: f64) -> RBig {
    RBig::try_from(x).unwrap()
}

fn sign(x: &RBig) -> Sign {
    if x.is_zero() {
        Sign::Zero
    } else if *x > RBig::ZERO {
        Sign::Positive
    } else {
        Sign::Negative
    }
}

/// Positive when `c` lies to the left of the line from `a` to `b`: the sign of `det[b - a, c - a]`.
pub fn orient2d(a: DVec2, b: DVec2, c: DVec2) -> Sign {
    let (ux, uy) = (r(b.x) - r(a.x), r(b.y) - r(a.y));
    let (vx, vy) = (r(c.x) - r(a.x), r(c.y) - r(a.y));
    sign(&(&ux * &vy - &uy * &vx))
}

/// Positive when `d` lies on the side of the plane `abc` to which `(b - a) x (c - a)` points:
/// the sign of `det[b - a, c - a, d - a]`.
pub fn orient3d(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Sign {
    let diff = |p: DVec3| [r(p.x) - r(a.x), r(p.y) - r(a.y), r(p.z) - r(a.z)];
    let (u, v, w) = (diff(b), diff(c), diff(d));
    let minor = |i: usize, j: usize| &u[i] * &v[j] - &u[j] * &v[i];
    sign(&(minor(1, 2) * &w[0] + minor(2, 0) * &w[1] + minor(0, 1) * &w[2]))
}
