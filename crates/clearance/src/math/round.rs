//! Sums, products and roots rounded upward: each result is never below the true value.
//!
//! Rust offers only rounding to nearest. The rounding error of one operation is itself a number
//! that a few more operations give exactly, so its sign says whether to step to the next float.
//! No library function is involved: the same bits on every platform.

use glam::DVec3;

/// Unit roundoff of `f64`, `2^-53`.
pub(crate) const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// Factors between `1 / SAFE` and `SAFE` have a product whose rounding error is a float.
const SAFE: f64 = power_of_two(480);

/// `2^exponent` for a normal exponent.
pub(crate) const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// The smallest float not below `a + b`; infinite on overflow.
pub(crate) fn add_up(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let b_part = sum - a;
    let error = (a - (sum - b_part)) + (b - b_part);
    // Not `error > 0`: an overflow makes the error NaN, and stepping up is right then, too.
    if error <= 0.0 { sum } else { sum.next_up() }
}

/// A float not below `a * b`, the smallest one unless a factor is beyond `2^±480`.
pub(crate) fn mul_up(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        return 0.0;
    }
    let product = a * b;
    match product_error(a, b, product) {
        Some(error) if error <= 0.0 => product,
        _ => product.next_up(),
    }
}

/// A float not below `a / b` for `b != 0`, the smallest one unless a number is beyond `2^±480`.
pub(crate) fn div_up(a: f64, b: f64) -> f64 {
    if a == 0.0 {
        return 0.0;
    }
    let quotient = a / b;
    // a / b - quotient has the sign of (a - quotient * b) * b, and a - product is exact (Sterbenz).
    let product = quotient * b;
    match product_error(quotient, b, product) {
        Some(error) if ((a - product) - error) * b.signum() <= 0.0 => quotient,
        _ => quotient.next_up(),
    }
}

/// A float not below the square root of `x >= 0`, the smallest one unless `x` is beyond `2^±960`.
pub(crate) fn sqrt_up(x: f64) -> f64 {
    if x == 0.0 {
        return 0.0;
    }
    let root = x.sqrt();
    let square = root * root;
    match product_error(root, root, square) {
        Some(error) if (x - square) - error <= 0.0 => root,
        _ => root.next_up(),
    }
}

/// A float not below the Euclidean length, within `4` units in the last place; exact along an axis.
pub(crate) fn norm_up(v: DVec3) -> f64 {
    let v = v.abs();
    let largest = v.max_element();
    if v.to_array().iter().filter(|&&x| x != 0.0).count() <= 1 {
        return largest;
    }
    let exponent = exponent_of(largest);
    // Raising a tiny entry to 2^-480 of the largest keeps the bound and every product safe.
    let entry = |x: f64| if x == 0.0 { 0.0 } else { scaled(x, -exponent).max(1.0 / SAFE) };
    let [x, y, z] = v.to_array().map(|x| mul_up(entry(x), entry(x)));
    let norm = scaled(sqrt_up(add_up(add_up(x, y), z)), exponent);
    if norm < 2.0 * f64::MIN_POSITIVE { norm.next_up() } else { norm }
}

/// A float not below the dot product; each of its five operations is rounded upward.
pub(crate) fn dot_up(a: DVec3, b: DVec3) -> f64 {
    add_up(add_up(mul_up(a.x, b.x), mul_up(a.y, b.y)), mul_up(a.z, b.z))
}

/// `e` with `2^e <= |x| < 2^(e + 1)`, for finite `x != 0`.
pub(crate) fn exponent_of(x: f64) -> i32 {
    let biased = ((x.to_bits() >> 52) & 0x7ff) as i32;
    if biased == 0 { 63 - (x.to_bits() << 1).leading_zeros() as i32 - 1 - 1074 } else { biased - 1023 }
}

/// `x * 2^exponent`; exact unless the result is subnormal or overflows. `|exponent| <= 2000`.
pub(crate) fn scaled(x: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    x * power_of_two(half) * power_of_two(exponent - half)
}

/// `a * b - product` if it is certainly a float (Dekker's product).
fn product_error(a: f64, b: f64, product: f64) -> Option<f64> {
    let safe = |x: f64| (1.0 / SAFE..=SAFE).contains(&x.abs());
    if !(safe(a) && safe(b)) {
        return None;
    }
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    Some(a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low))
}

/// Two floats of at most 26 bits that sum to `x` (Veltkamp).
fn split(x: f64) -> (f64, f64) {
    let shifted = 134_217_729.0 * x;
    let high = shifted - (shifted - x);
    (high, x - high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu::rational::RBig;

    fn exact(x: f64) -> RBig {
        RBig::try_from(x).unwrap()
    }

    /// Mantissas of few and of many bits, exponents of every size.
    fn numbers() -> Vec<f64> {
        let mantissas = [1.0, 1.5, 1.0 + f64::EPSILON, 1.0 / 3.0, 2.0 - f64::EPSILON, 1.1];
        let exponents = [-1060, -1000, -500, -60, -1, 0, 1, 3, 60, 470, 500];
        let positive = mantissas.iter().flat_map(|m| exponents.iter().map(move |&e| scaled(*m, e)));
        positive.flat_map(|x| [x, -x]).collect()
    }

    #[test]
    fn sums_products_and_quotients_are_not_below_the_truth_and_at_most_one_float_above() {
        for &a in &numbers() {
            for &b in &numbers() {
                let truths = [exact(a) + exact(b), exact(a) * exact(b), exact(a) / exact(b)];
                for (up, truth) in [add_up(a, b), mul_up(a, b), div_up(a, b)].into_iter().zip(truths) {
                    if up.is_finite() {
                        assert!(exact(up) >= truth, "{a:e} {b:e}");
                        let below = up.next_down().next_down();
                        assert!(up == f64::MIN || exact(below) < truth, "{a:e} {b:e} not tight");
                    }
                }
            }
        }
    }

    #[test]
    fn exact_results_stay_exact() {
        assert_eq!(add_up(0.1, 0.0), 0.1);
        assert_eq!(mul_up(0.1, -4.0), -0.4);
        assert_eq!(div_up(1.5, -0.5), -3.0);
        assert_eq!(sqrt_up(2.25), 1.5);
        assert_eq!(norm_up(DVec3::new(0.0, -0.1, 0.0)), 0.1);
        assert_eq!(norm_up(DVec3::new(3.0, 0.0, -4.0)), 5.0);
    }

    #[test]
    fn norms_are_not_below_the_truth_and_tight_at_every_magnitude() {
        for &x in &numbers() {
            for &y in &numbers() {
                let v = DVec3::new(x, y, 0.3 * x);
                let norm = norm_up(v);
                let square = |k: f64| exact(k) * exact(k);
                let truth = square(v.x) + square(v.y) + square(v.z);
                assert!(square(norm) >= truth, "{v:?}");
                let below = norm * (1.0 - 4.0 * f64::EPSILON) - 4.0 * f64::from_bits(1);
                assert!(below <= 0.0 || square(below) < truth, "{v:?} not tight");
            }
        }
    }

    #[test]
    fn exponents_of_subnormal_numbers_are_right() {
        for exponent in [-1074, -1073, -1030, -1022, -1, 0, 1023] {
            let x = scaled(1.0, exponent);
            assert_eq!(exponent_of(x), exponent);
            assert_eq!(exponent_of(-x), exponent);
        }
        assert_eq!(exponent_of(3.0 * f64::from_bits(1)), -1073);
    }
}
