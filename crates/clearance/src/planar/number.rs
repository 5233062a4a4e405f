//! Rational numbers and the floats beside them.

use crate::exact::Sign;
use crate::math::round::power_of_two;
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

/// The float nearest to a rational number, and whether it errs by at most `u` relative and its products with three
/// others of its kind neither overflow nor underflow: what filters need.
pub(crate) fn rounded(x: &Rational) -> (f64, bool) {
    let near = RBig::to_f64(x).value();
    let size = near.abs();
    (near, x.is_zero() || (power_of_two(-240)..=power_of_two(240)).contains(&size))
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
    if value > bound {
        Some(Sign::Positive)
    } else if value < -bound {
        Some(Sign::Negative)
    } else {
        None
    }
}
