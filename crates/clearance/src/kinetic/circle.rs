//! Sines and cosines of rational angles to any precision, and signs of sums of them.
//!
//! A sum of `factor e^(i angle)` with rational factors and different rational angles is zero only if all factors are
//! (Lindemann and Weierstrass: exponentials of different algebraic numbers are linearly independent over the algebraic
//! ones). So every sign is decided: by that, or by enough digits.

use super::dyadic::Dyadic;
use super::motion::frame::Term;
use super::ring::{Complex, Ring};
use crate::exact::Sign;
use dashu::integer::IBig;

/// The exact sign of the real part of a sum of terms at a time.
pub(crate) fn real_sign(terms: &[Term<Dyadic>], t: f64) -> Sign {
    let t = Dyadic::from(t);
    let mut constant = Dyadic::from(0.0);
    let mut turning: Vec<(Dyadic, Complex<Dyadic>)> = Vec::new();
    for Term { factor, angle } in terms {
        let angle = angle.at(&t);
        if angle.is_zero() {
            constant = constant.plus(&factor.re);
            continue;
        }
        // Re(z e^(-ia)) = Re(conj(z) e^(ia)): positive angles are enough.
        let (angle, factor) = match angle.sign() {
            Sign::Negative => (angle.negated(), factor.conjugate()),
            _ => (angle, factor.clone()),
        };
        match turning.iter_mut().find(|(other, _)| other.minus(&angle).is_zero()) {
            Some((_, sum)) => *sum = sum.plus(&factor),
            None => turning.push((angle, factor)),
        }
    }
    turning.retain(|(_, factor)| !(factor.re.is_zero() && factor.im.is_zero()));
    if turning.is_empty() {
        return constant.sign();
    }
    let mut bits = 128;
    loop {
        // Ends: the sum is not zero.
        if let Some(sign) = sign_with(&constant, &turning, bits) {
            return sign;
        }
        bits *= 2;
    }
}

/// The sign of the sum if that many bits decide it.
fn sign_with(constant: &Dyadic, turning: &[(Dyadic, Complex<Dyadic>)], bits: usize) -> Option<Sign> {
    let (mut sum, mut error) = (constant.clone(), Dyadic::from(0.0));
    for (angle, factor) in turning {
        let (sin, cos) = sin_cos(angle, bits);
        sum = sum.plus(&factor.re.product(&cos)).minus(&factor.im.product(&sin));
        error = error.plus(&factor.re.size()).plus(&factor.im.size());
    }
    let error = error.product(&Dyadic::new(IBig::ONE, -(bits as isize)));
    sum.size().minus(&error).sign().is_positive().then(|| sum.sign())
}

/// Sine and cosine of an angle, each within `2^-bits`.
///
/// Taylor's series of the angle halved until it is below `2^-7`, then doubled back: `s, c -> 2 s c, 1 - 2 s^2` makes errors at
/// most four times as large, two bits for each. The series errs by one unit a term, less than `2^10` units in all for any
/// precision that fits into memory.
fn sin_cos(angle: &Dyadic, bits: usize) -> (Dyadic, Dyadic) {
    let halvings = angle.bits().map_or(0, |bits| (bits + 8).max(0)) as usize;
    let precision = bits + 2 * halvings + 16;
    let one = IBig::ONE << precision;
    let x =
        Dyadic::new(angle.integer.clone(), angle.exponent - halvings as isize).over(-(precision as isize));
    let product = |a: &IBig, b: &IBig| -> IBig { (a * b) >> precision };
    let square = product(&x, &x);
    let (mut sin, mut versine) = (IBig::ZERO, IBig::ZERO);
    let (mut odd, mut even, mut n) = (x, IBig::ZERO, 1u32);
    // Alternating: the rest is below the last term, and terms fall below one unit.
    while odd != IBig::ZERO && odd != IBig::NEG_ONE {
        sin += &odd;
        even = if n == 1 { &square >> 1 } else { -product(&even, &square) / IBig::from(n * (n + 1)) };
        versine += &even;
        odd = -product(&odd, &square) / IBig::from((n + 1) * (n + 2));
        n += 2;
    }
    let mut cos = &one - versine;
    for _ in 0..halvings {
        (sin, cos) = (product(&sin, &cos) << 1, &one - (product(&sin, &sin) << 1));
    }
    let exponent = -(precision as isize);
    (Dyadic::new(sin, exponent), Dyadic::new(cos, exponent))
}

#[cfg(test)]
mod tests {
    use super::super::motion::frame::Angle;
    use super::*;
    use crate::math::Random;

    #[test]
    fn many_digits_agree_with_the_enclosures_of_floats() {
        let mut random = Random::new(2);
        for _ in 0..300 {
            let angle = random.range(-1.0, 1.0) * 2f64.powi(random.below(60) as i32 - 30);
            let (sin, cos) = sin_cos(&angle.into(), 200);
            let float = crate::math::sin_cos(angle);
            for (exact, float) in [(sin, float.sin), (cos, float.cos)] {
                assert!(exact.interval().intersection(float).is_some(), "{angle:e}");
            }
        }
    }

    #[test]
    fn precision_grows_until_the_sign_is_known() {
        let at = |cos: f64, sin: f64, constant: f64, angle: f64| {
            let angle = Angle { constant: angle.into(), rate: Dyadic::from(0.0) };
            let factor = Complex::new(cos.into(), Dyadic::from(-sin));
            let constant = Term { factor: Complex::new(constant.into(), 0.0.into()), angle: Angle::zero() };
            real_sign(&[Term { factor, angle }, constant], 0.0)
        };
        // sin x = x - x^3/6 + ..., x = 2^-200
        let x = 0.5f64.powi(200);
        assert_eq!(at(0.0, 1.0, -x, x), Sign::Negative);
        assert_eq!(at(-1.0, 0.0, 1.0, x), Sign::Positive);
        assert_eq!(at(0.0, 0.0, 0.0, 1.0), Sign::Zero);
        assert_eq!(at(1.0, 0.0, -1.0, 0.0), Sign::Zero);
    }
}
