//! Vectors of big integers: what the exact stage computes with.

use crate::exact::Sign;
use dashu::integer::IBig;
use glam::DVec3;

/// Three integers.
pub(super) type Integer3 = [IBig; 3];

pub(super) fn minus(u: &Integer3, v: &Integer3) -> Integer3 {
    [0, 1, 2].map(|i| &u[i] - &v[i])
}

pub(super) fn plus(u: &Integer3, v: &Integer3) -> Integer3 {
    [0, 1, 2].map(|i| &u[i] + &v[i])
}

pub(super) fn times(u: &Integer3, factor: &IBig) -> Integer3 {
    [0, 1, 2].map(|i| &u[i] * factor)
}

pub(super) fn negated(u: &Integer3) -> Integer3 {
    [0, 1, 2].map(|i| -&u[i])
}

pub(super) fn dot(u: &Integer3, v: &Integer3) -> IBig {
    &u[0] * &v[0] + &u[1] * &v[1] + &u[2] * &v[2]
}

pub(super) fn cross(u: &Integer3, v: &Integer3) -> Integer3 {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &u[i] * &v[j] - &u[j] * &v[i])
}

pub(super) fn is_zero(u: &Integer3) -> bool {
    u.iter().all(IBig::is_zero)
}

pub(super) fn sign(x: &IBig) -> Sign {
    match x.cmp(&IBig::ZERO) {
        std::cmp::Ordering::Less => Sign::Negative,
        std::cmp::Ordering::Equal => Sign::Zero,
        std::cmp::Ordering::Greater => Sign::Positive,
    }
}

/// The direction in floats, of length one up to rounding; zero for zero.
pub(super) fn unit(u: &Integer3) -> DVec3 {
    let vector = crate::exact::BigVector::new(u.clone(), 0);
    vector.direction().try_normalize().unwrap_or(DVec3::ZERO)
}
