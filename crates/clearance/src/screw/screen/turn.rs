//! Angles, sines and cosines for the screen: the same bits everywhere, as those of the standard library are not.

use glam::DVec3;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
use wide::f64x4;

/// Added to a number below `2^51` it leaves the nearest whole number in the last bits; taken off again, that number: no call of a
/// library.
pub(super) const WHOLE: f64 = 6_755_399_441_055_744.0;

/// The nearest whole number of one below `2^51`.
#[inline(always)]
pub(super) fn nearest(x: f64) -> f64 {
    (x + WHOLE) - WHOLE
}

/// The angle of `(x, y)`, from `-pi` to `pi`, to some units in the last place; zero for the zero vector.
///
/// The same bits everywhere, as those of the standard library are not. With `c` a quarter nearest to `tan f`,
/// `tan (f - atan c) = (y - c x) / (x + c y)` is at most 1/8, where eight terms of the series leave less than `2^-55`.
#[inline]
pub(super) fn angle(y: f64, x: f64) -> f64 {
    const ARC_TANGENTS: [f64; 5] = [
        0.0,
        0.244_978_663_126_864_15,
        0.463_647_609_000_806_1,
        0.643_501_108_793_284_4,
        std::f64::consts::FRAC_PI_4,
    ];
    let (u, v) = (x.abs(), y.abs());
    let (near, far) = (u.min(v), u.max(v));
    if far == 0.0 {
        return 0.0;
    }
    let step = [0.125, 0.375, 0.625, 0.875].iter().map(|&c| usize::from(near > c * far)).sum::<usize>();
    let c = 0.25 * step as f64;
    let tangent = (near - c * far) / (far + c * near);
    let q = tangent * tangent;
    let series = 1.0
        - q * (1.0 / 3.0
            - q * (1.0 / 5.0
                - q * (1.0 / 7.0
                    - q * (1.0 / 9.0 - q * (1.0 / 11.0 - q * (1.0 / 13.0 - q * (1.0 / 15.0)))))));
    let first = ARC_TANGENTS[step] + tangent * series;
    let steep = if v > u { FRAC_PI_2 - first } else { first };
    let up = if x < 0.0 { PI - steep } else { steep };
    if y < 0.0 { -up } else { up }
}

/// Coefficients of even powers of `x`: of the polynomial that is `atan x / x` at nine Chebyshev points of the squares up to those of
/// `tan(pi / 8)`, and less than `3e-14` off between them.
const ARC_TANGENT: [f64; 9] = [
    0.999_999_999_999_973_2,
    -0.333_333_333_308_037_6,
    0.199_999_996_049_342_4,
    -0.142_856_904_259_955_31,
    0.111_103_850_997_73,
    -0.090_783_927_926_162_44,
    0.075_637_088_736_403_37,
    -0.058_745_260_166_539_88,
    0.030_662_756_612_469_165,
];

/// The arc tangent of numbers that are at most `tan(pi / 8)` in size.
#[inline(always)]
fn arc_tangents(x: f64x4) -> f64x4 {
    let z = x * x;
    let (z2, z4) = (z * z, z * z * (z * z));
    // Terms in pairs: they need not wait for each other.
    let [a, b, c, d, e, f, g, h, i] = ARC_TANGENT.map(f64x4::splat);
    x * (((a + b * z) + z2 * (c + d * z)) + z4 * (((e + f * z) + z2 * (g + h * z)) + z4 * i))
}

/// Angles of four vectors `(x, y)` of known lengths, from `-pi` to `pi`, to `1e-12` of themselves; zero for the zero vector.
///
/// Most are near the first axis: there half of an angle is the arc tangent of `y / (length + x)`.
#[inline(always)]
pub(super) fn angles(y: f64x4, x: f64x4, length: f64x4) -> f64x4 {
    if x.simd_gt(y.abs()).all() {
        let half = arc_tangents(y / (length + x));
        return half + half;
    }
    angles_all_around(y, x)
}

/// Of the octant first.
#[inline(never)]
fn angles_all_around(y: f64x4, x: f64x4) -> f64x4 {
    let (u, v) = (x.abs(), y.abs());
    let (near, far) = (u.fast_min(v), u.fast_max(v));
    let is_steep = near.simd_gt(far * f64x4::splat(0.4142));
    let above = is_steep.bitselect(near - far, near);
    let below = is_steep.bitselect(near + far, far).fast_max(f64x4::splat(f64::MIN_POSITIVE));
    let octant = is_steep.bitselect(f64x4::splat(FRAC_PI_4), f64x4::ZERO) + arc_tangents(above / below);
    let quadrant = v.simd_gt(u).bitselect(f64x4::splat(FRAC_PI_2) - octant, octant);
    let half = x.simd_lt(f64x4::ZERO).bitselect(f64x4::splat(PI) - quadrant, quadrant);
    y.simd_lt(f64x4::ZERO).bitselect(-half, half)
}

/// Coefficients of odd powers from the third on.
const SINE: [f64; 7] = [
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5_040.0,
    1.0 / 362_880.0,
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 1_307_674_368_000.0,
];

/// Coefficients of even powers from the second on.
const COSINE: [f64; 8] = [
    -1.0 / 2.0,
    1.0 / 24.0,
    -1.0 / 720.0,
    1.0 / 40_320.0,
    -1.0 / 3_628_800.0,
    1.0 / 479_001_600.0,
    -1.0 / 87_178_291_200.0,
    1.0 / 20_922_789_888_000.0,
];

/// A turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub sin: f64,
    pub cos: f64,
}

impl Turn {
    /// By an angle of up to `2^21`, to some units in the last place; the same bits everywhere.
    ///
    /// Whole quarters are taken off in two parts: the first has 33 bits, so that its multiples are exact. The series leave less
    /// than `2^-53` for the rest, at most an eighth of a turn.
    #[inline]
    pub fn by(angle: f64) -> Turn {
        // The same, without waiting for quarters that there are not.
        if angle.abs() < 0.785 {
            return Turn::within_an_eighth(angle);
        }
        let quarters = nearest(angle * std::f64::consts::FRAC_2_PI);
        let x = (angle - quarters * 1.570_796_326_734_125_6) - quarters * 6.077_100_506_506_192e-11;
        let Turn { sin, cos } = Turn::within_an_eighth(x);
        match quarters as i64 & 3 {
            0 => Turn { sin, cos },
            1 => Turn { sin: cos, cos: -sin },
            2 => Turn { sin: -sin, cos: -cos },
            _ => Turn { sin: -cos, cos: sin },
        }
    }

    /// The series.
    #[inline(always)]
    fn within_an_eighth(x: f64) -> Turn {
        let q = x * x;
        let (q2, q4) = (q * q, q * q * (q * q));
        // Terms in pairs: they need not wait for each other.
        let [a, b, c, d, e, f, g] = SINE;
        let sin = x + x * q * ((a + b * q) + q2 * (c + d * q) + q4 * ((e + f * q) + q2 * g));
        let [a, b, c, d, e, f, g, h] = COSINE;
        let cos = 1.0 + q * ((a + b * q) + q2 * (c + d * q) + q4 * ((e + f * q) + q2 * (g + h * q)));
        Turn { sin, cos }
    }

    /// The same with an error of at most [`Turn::ROUGH`], at a third of the cost where the angle is small.
    #[inline(always)]
    pub fn roughly(angle: f64) -> Turn {
        if angle.abs() > 0.6 {
            return Turn::by(angle);
        }
        let q = angle * angle;
        let sin = angle - angle * q * (1.0 / 6.0 - q * (1.0 / 120.0));
        let cos = 1.0 - q * (0.5 - q * (1.0 / 24.0 - q * (1.0 / 720.0)));
        Turn { sin, cos }
    }

    /// The terms that are left out are below `0.6^7 / 5040` and `0.6^8 / 40320`.
    pub const ROUGH: f64 = 1e-5;

    #[inline]
    pub fn back(self) -> Turn {
        Turn { sin: -self.sin, ..self }
    }

    /// About the third axis.
    #[inline]
    pub fn apply(self, v: DVec3) -> DVec3 {
        DVec3::new(self.cos * v.x - self.sin * v.y, self.sin * v.x + self.cos * v.y, v.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    #[test]
    fn turns_are_those_of_the_enclosed_sine() {
        let mut random = Random::new(4);
        for case in 0..50_000 {
            let angle = random.range(-1.0, 1.0) * [1.0, 4.0, 100.0, 2e6][case % 4];
            let (turn, truth) = (Turn::by(angle), crate::math::sin_cos(angle));
            let off = (turn.sin - truth.sin.middle()).abs().max((turn.cos - truth.cos.middle()).abs());
            assert!(off < 4e-16, "{angle}: {off}");
            let rough = Turn::roughly(angle);
            let off = (turn.sin - rough.sin).abs().max((turn.cos - rough.cos).abs());
            assert!(off < 0.6 * Turn::ROUGH, "{angle}: {off}");
        }
    }

    #[test]
    fn angles_are_those_of_the_enclosed_sine() {
        let mut random = Random::new(1);
        for _ in 0..100_000 {
            let (x, y) = (random.range(-1.0, 1.0), random.range(-1.0, 1.0) * random.unit().powi(8));
            for (x, y) in [(x, y), (y, x), (x * 1e100, y * 1e100)] {
                assert!((angle(y, x) - crate::math::angle_of(y, x)).abs() < 1e-15, "{y} {x}");
            }
        }
        for (x, y, expected) in [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (-1.0, 0.0, PI), (0.0, -2.0, -FRAC_PI_2)] {
            assert_eq!(angle(y, x), expected);
        }
    }

    #[test]
    fn four_angles_are_those_of_one() {
        let mut random = Random::new(2);
        for case in 0..50_000 {
            let mut draw =
                || f64x4::new(std::array::from_fn(|_| random.range(-1.0, 1.0) * random.unit().powi(6)));
            let (x, y) = (draw(), draw());
            // Some all around, some near the first axis.
            let x = if case % 2 == 0 { x } else { x.abs() + y.abs() };
            let all = angles(y, x, (x * x + y * y).sqrt()).to_array();
            for ((y, x), found) in y.to_array().into_iter().zip(x.to_array()).zip(all) {
                let truth = angle(y, x);
                assert!((found - truth).abs() < 1e-12 * truth.abs(), "{y} {x}: {found} {truth}");
            }
        }
        let (x, y) = (f64x4::new([0.0, 1.0, -1.0, 0.0]), f64x4::new([0.0, 0.0, 0.0, -2.0]));
        assert_eq!(angles(y, x, (x * x + y * y).sqrt()).to_array(), [0.0, 0.0, PI, -FRAC_PI_2]);
        assert_eq!([2.5, -3.6, 1e15, 0.49].map(nearest), [2.0, -4.0, 1e15, 0.0]);
    }
}
