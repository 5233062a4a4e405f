//! Rational numbers and the floats beside them.

use crate::exact::Sign;
use crate::math::round::power_of_two;
use dashu::base::Approximation;
use dashu::rational::RBig;
use std::cmp::Ordering;

/// An exact rational number.
pub type Rational = RBig;

/// The exact value of a finite float; zero for what is not finite, which no constructor lets through.
pub fn exact(x: f64) -> Rational {
    RBig::try_from(x).unwrap_or(RBig::ZERO)
}

/// The exact sign of a rational number.
pub fn sign(x: &Rational) -> Sign {
    match x.cmp(&RBig::ZERO) {
        Ordering::Less => Sign::Negative,
        Ordering::Equal => Sign::Zero,
        Ordering::Greater => Sign::Positive,
    }
}

/// The float nearest to a rational number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounded {
    pub value: f64,
    /// It errs by at most `u` relative, and products with three others of its kind neither overflow nor underflow.
    pub is_tame: bool,
    /// It is the number.
    pub is_exact: bool,
}

pub(crate) fn rounded(x: &Rational) -> Rounded {
    let near = RBig::to_f64(x);
    let is_exact = matches!(near, Approximation::Exact(_));
    let value = near.value();
    let is_tame = x.is_zero() || (power_of_two(-240)..=power_of_two(240)).contains(&value.abs());
    Rounded { value, is_tame, is_exact }
}

/// The sign of the sum of `terms` of two tame factors each, if the float sum decides it.
///
/// Each factor errs by `u`, their product by `u` more, `n` sums by `u` each of partial sums not larger than the sum of
/// sizes: `(3 + n) u` and second-order terms; `8u` covers up to four terms with the rounding of the bound.
pub(crate) fn filtered<const N: usize>(products: [f64; N]) -> Option<Sign> {
    const { assert!(N <= 4) };
    let value = products.iter().fold(0.0, |sum, x| sum + x);
    let size = products.iter().fold(0.0, |sum, x| sum + x.abs());
    let bound = 4.0 * f64::EPSILON * size;
    beyond(value, bound)
}

/// The sign of a number that errs by at most a bound, if that does not hide it.
pub(crate) fn beyond(value: f64, bound: f64) -> Option<Sign> {
    if value > bound {
        Some(Sign::Positive)
    } else if value < -bound {
        Some(Sign::Negative)
    } else {
        None
    }
}
