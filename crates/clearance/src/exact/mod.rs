//! Signs that are never wrong.
//!
//! Every predicate is decided in stages: a float evaluation with a proved error bound, then fixed-width
//! integers on the stack, then big integers. Each stage either knows the sign or passes on; no rounded number
//! leaves this module but as a bracket. Any finite `f64` is taken, from `5e-324` to `1.8e308`.
//!
//! | question | function |
//! |---|---|
//! | is `c` left of the line `ab`? | [`orient2d`], under poses [`orient2d_posed`] |
//! | on which side of the plane `abc` is `d`? | [`orient3d`], under poses [`orient3d_posed`] |
//! | on which side of a plane with an `f64` normal is a point? | [`plane_side`] |
//! | sign of `d . v`, `u . v`, `u x v`, `det[u, v, w]` of exact vectors | [`dot_sign`], [`vector_dot_sign`], [`cross_sign`], [`det_sign`] |
//! | which directions are non-negative on all of some vectors? | [`Cone`] |
//!
//! A point under a pose is [`Posed`]; its coordinates are the *exact* values `R p + t`, not their roundings.

mod big;
mod clearing;
mod cone;
mod fixed;
mod height;
mod orient;
mod polynomial;
mod posed;
mod quotient;
mod root;
mod sign;
mod terms;

pub(crate) use big::{BigDirection, BigNumber, BigVector, over_one_power};
pub(crate) use clearing::Clearing;
pub use cone::{Cone, Ray};
pub(crate) use height::{Height, PosedPlane};
pub use orient::{Axis, orient2d, orient3d};
pub(crate) use polynomial::{Polynomial, integers};
pub(crate) use posed::Approximation;
pub use posed::{
    Posed, Vector, cross_sign, det_sign, dot_sign, orient2d_posed, orient3d_posed, plane_side,
    surrounds_zero, vector_dot_sign,
};
pub(crate) use quotient::{BigQuotient, fraction};
pub(crate) use root::{Root, RootFinder, float_bracket};
pub use sign::Sign;

use dashu::integer::IBig;
use fixed::Fixed;
use terms::ExactVector;

/// `u = 2^-53`, the largest relative error of one rounding.
const UNIT_ROUNDOFF: f64 = 0.5 * f64::EPSILON;

/// Filters do not trust a bound below this, `2^-1000`: so close to `2^-1074` products lose bits to underflow.
const UNDERFLOW_GUARD: f64 = f64::from_bits(((1023 - 1000) as u64) << 52);

fn sign_of(x: &IBig) -> Sign {
    if x.is_zero() {
        Sign::Zero
    } else if *x > IBig::ZERO {
        Sign::Positive
    } else {
        Sign::Negative
    }
}

/// The sign of a float whose error is below `bound`, if that decides it. NaN never does, and callers see to
/// it that a value overflows only together with its bound.
fn sign_outside(value: f64, bound: f64) -> Option<Sign> {
    // One branch that is nearly always taken; the sign itself is random and must not be one.
    (value.abs() > bound).then_some(sign_of_float(value))
}

/// The sign of a float that is neither zero nor NaN.
#[inline]
fn sign_of_float(value: f64) -> Sign {
    if value > 0.0 { Sign::Positive } else { Sign::Negative }
}

/// The sign of `det[u, v, w]`, decided by integers.
fn exact_det_sign(u: &ExactVector, v: &ExactVector, w: &ExactVector) -> Sign {
    match u.limbs().max(v.limbs()).max(w.limbs()) {
        1 => fixed_det_sign::<1, 2, 3>(u, v, w),
        2 => fixed_det_sign::<2, 4, 6>(u, v, w),
        3 => fixed_det_sign::<3, 6, 9>(u, v, w),
        4 => fixed_det_sign::<4, 8, 12>(u, v, w),
        _ => {
            let (u, v, w) = (u.big(), v.big(), w.big());
            let minor = |i: usize, j: usize| &u[i] * &v[j] - &u[j] * &v[i];
            sign_of(&(minor(1, 2) * &w[0] + minor(2, 0) * &w[1] + minor(0, 1) * &w[2]))
        }
    }
}

fn fixed_det_sign<const N: usize, const N2: usize, const N3: usize>(
    u: &ExactVector,
    v: &ExactVector,
    w: &ExactVector,
) -> Sign {
    let (u, v, w) = (u.fixed::<N>(), v.fixed::<N>(), w.fixed::<N>());
    let minor = |i: usize, j: usize| u[i].mul::<N, N2>(&v[j]).sub(&u[j].mul(&v[i]));
    let terms: [Fixed<N3>; 3] = [minor(1, 2).mul(&w[0]), minor(2, 0).mul(&w[1]), minor(0, 1).mul(&w[2])];
    terms[0].add(&terms[1]).add(&terms[2]).sign()
}

/// The sign of `u_i v_j - u_j v_i`, decided by integers.
fn exact_minor_sign(u: &ExactVector, v: &ExactVector, i: usize, j: usize) -> Sign {
    match u.limbs().max(v.limbs()) {
        1 => fixed_minor_sign::<1, 2>(u, v, i, j),
        2 => fixed_minor_sign::<2, 4>(u, v, i, j),
        3 | 4 => fixed_minor_sign::<4, 8>(u, v, i, j),
        _ => {
            let (u, v) = (u.big(), v.big());
            sign_of(&(&u[i] * &v[j] - &u[j] * &v[i]))
        }
    }
}

fn fixed_minor_sign<const N: usize, const N2: usize>(
    u: &ExactVector,
    v: &ExactVector,
    i: usize,
    j: usize,
) -> Sign {
    let (u, v) = (u.fixed::<N>(), v.fixed::<N>());
    u[i].mul::<N, N2>(&v[j]).sub(&u[j].mul(&v[i])).sign()
}

/// The sign of `u . v`, decided by integers.
fn exact_dot_sign(u: &ExactVector, v: &ExactVector) -> Sign {
    match u.limbs().max(v.limbs()) {
        1 => fixed_dot_sign::<1, 2>(u, v),
        2 => fixed_dot_sign::<2, 4>(u, v),
        3 | 4 => fixed_dot_sign::<4, 8>(u, v),
        _ => {
            let (u, v) = (u.big(), v.big());
            sign_of(&(&u[0] * &v[0] + &u[1] * &v[1] + &u[2] * &v[2]))
        }
    }
}

fn fixed_dot_sign<const N: usize, const N2: usize>(u: &ExactVector, v: &ExactVector) -> Sign {
    let (u, v) = (u.fixed::<N>(), v.fixed::<N>());
    let terms: [Fixed<N2>; 3] = std::array::from_fn(|axis| u[axis].mul(&v[axis]));
    terms[0].add(&terms[1]).add(&terms[2]).sign()
}
