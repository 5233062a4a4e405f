//! Sine and versine in plain floats, with a bound of their errors: for searches that prove their answers by such bounds.

use super::interval::Interval;
use super::trig::sin_cos;
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, PI};

/// Unit roundoff.
const U: f64 = 0.5 * f64::EPSILON;

/// Angles beyond this size are left to integers.
const LARGE: f64 = 1000.0;

/// Three parts of a right angle: 33 bits, the next 33, and the rest. Products of the first two with integers below `2^20` are
/// floats.
const RIGHT_ANGLE: [f64; 3] = [
    f64::from_bits(0x3FF9_21FB_5440_0000),
    f64::from_bits(0x3DD0_B461_1A60_0000),
    f64::from_bits(0x3BA3_198A_2E03_7073),
];

/// The sine and one minus the cosine of an angle, and how far they may be off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Turn {
    pub sin: f64,
    pub versine: f64,
    pub sin_error: f64,
    pub versine_error: f64,
}

impl Turn {
    /// Of an angle in radians; errors are relative to the numbers for angles up to an eighth of a turn.
    ///
    /// Series err by `4u`: three roundings beside the last of Horner's rule, whose steps count less and less, and less than `2^-60`
    /// cut off. For larger angles the nearest multiple `k` of a right angle is subtracted: `x - k p1` is exact, because both are
    /// multiples of `2^-53` and the result is below one; two more subtractions round by `u` each, and `p3` is right to `2^-119`.
    pub fn of(angle: f64) -> Turn {
        if angle.abs() <= FRAC_PI_4 {
            let (sin, versine) = series(angle);
            // A square may underflow.
            let versine_error = 4.0 * U * versine + f64::MIN_POSITIVE;
            return Turn { sin, versine, sin_error: 4.0 * U * sin.abs(), versine_error };
        }
        if angle.abs() > LARGE || angle.is_nan() {
            return Turn::enclosed(angle);
        }
        let k = (angle * FRAC_2_PI).round();
        let [p1, p2, p3] = RIGHT_ANGLE;
        let rest = ((angle - k * p1) - k * p2) - k * p3;
        let (sin, versine) = series(rest);
        let cos = 1.0 - versine;
        let (sin, cos) = match (k as i64).rem_euclid(4) {
            0 => (sin, cos),
            1 => (cos, -sin),
            2 => (-sin, -cos),
            _ => (-cos, sin),
        };
        // Of the rest 3u, of the series 4u and of the two differences from one 3u.
        Turn { sin, versine: 1.0 - cos, sin_error: 10.0 * U, versine_error: 10.0 * U }
    }

    fn enclosed(angle: f64) -> Turn {
        let at = sin_cos(angle);
        let off = |x: Interval| 2.0 * x.width() + U;
        Turn {
            sin: at.sin.middle(),
            versine: at.versine.middle(),
            sin_error: off(at.sin),
            versine_error: off(at.versine),
        }
    }
}

/// Taylor series of sine and versine, for angles up to 0.79.
fn series(x: f64) -> (f64, f64) {
    const SINE: [f64; 8] = [
        -1.0 / 6.0,
        1.0 / 120.0,
        -1.0 / 5_040.0,
        1.0 / 362_880.0,
        -1.0 / 39_916_800.0,
        1.0 / 6_227_020_800.0,
        -1.0 / 1_307_674_368_000.0,
        1.0 / 355_687_428_096_000.0,
    ];
    const VERSINE: [f64; 9] = [
        1.0 / 2.0,
        -1.0 / 24.0,
        1.0 / 720.0,
        -1.0 / 40_320.0,
        1.0 / 3_628_800.0,
        -1.0 / 479_001_600.0,
        1.0 / 87_178_291_200.0,
        -1.0 / 20_922_789_888_000.0,
        1.0 / 6_402_373_705_728_000.0,
    ];
    let z = x * x;
    let sum = |coefficients: &[f64]| coefficients.iter().rev().fold(0.0, |sum, c| sum * z + c);
    (x + x * z * sum(&SINE), z * sum(&VERSINE))
}

/// The angle of the vector `(x, y)`, from `-pi` to `pi`, within `1e-12`; anything for the zero vector.
///
/// Of the octant first, then by the series of the arc tangent of at most `tan(pi / 8)`: less than `3e-13` is cut off.
pub(crate) fn coarse_angle(y: f64, x: f64) -> f64 {
    let (near, far) = (x.abs().min(y.abs()), x.abs().max(y.abs()));
    let is_steep = near > 0.4142 * far;
    let ratio = if is_steep { (near - far) / (near + far) } else { near / far.max(f64::MIN_POSITIVE) };
    let z = ratio * ratio;
    let mut sum = 0.0;
    for odd in [27.0, 25.0, 23.0, 21.0, 19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0_f64] {
        sum = odd.recip() - sum * z;
    }
    let octant = if is_steep { FRAC_PI_4 } else { 0.0 } + ratio * sum;
    let quadrant = if y.abs() > x.abs() { FRAC_PI_2 - octant } else { octant };
    let half = if x < 0.0 { PI - quadrant } else { quadrant };
    if y < 0.0 { -half } else { half }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    #[test]
    fn the_parts_of_a_right_angle_add_up() {
        let [p1, p2, p3] = RIGHT_ANGLE;
        assert_eq!(p1 + (p2 + p3), std::f64::consts::FRAC_PI_2);
        // 0.5 pi - p1 - p2 to 107 bits.
        let rest = (std::f64::consts::FRAC_PI_2 - p1 - p2) + 6.123_233_995_736_766e-17;
        assert!((rest - p3).abs() < 1e-31, "{rest:e} {p3:e}");
    }

    #[test]
    fn coarse_angles_are_close() {
        let mut random = Random::new(2);
        for case in 0..20_000 {
            let angle = match case % 2 {
                0 => {
                    (random.below(17) as f64 - 8.0) * std::f64::consts::FRAC_PI_8 + random.range(-1e-9, 1e-9)
                }
                _ => random.range(-PI, PI),
            };
            let (at, size) = (sin_cos(angle), 2f64.powi(random.below(60) as i32 - 30));
            let apart = (coarse_angle(at.sin.middle() * size, at.cos.middle() * size) - angle).abs();
            assert!(apart < 1e-12 || (apart - 2.0 * PI).abs() < 1e-12, "{angle} {apart}");
        }
        assert!(coarse_angle(0.0, 0.0).is_finite());
    }

    #[test]
    fn errors_are_as_told() {
        let mut random = Random::new(1);
        for case in 0..40_000 {
            let angle = match case % 5 {
                0 => random.range(-0.8, 0.8),
                1 => 10f64.powf(random.range(-300.0, 3.0)),
                2 => (random.below(600) as f64) * std::f64::consts::FRAC_PI_2 + random.range(-1e-12, 1e-12),
                3 => random.range(-1e5, 1e5),
                _ => random.range(-20.0, 20.0),
            };
            let (found, truth) = (Turn::of(angle), sin_cos(angle));
            let near = |x: f64, error: f64, truth: Interval| {
                x + error >= truth.lower() && x - error <= truth.upper()
            };
            assert!(near(found.sin, found.sin_error, truth.sin), "{angle:e}: {found:?} {truth:?}");
            assert!(
                near(found.versine, found.versine_error, truth.versine),
                "{angle:e}: {found:?} {truth:?}"
            );
        }
    }
}
