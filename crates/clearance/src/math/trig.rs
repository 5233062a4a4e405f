//! Sine and cosine with proved bounds, and the angle of a vector: pure arithmetic, the same bits on every platform.
//!
//! An angle is reduced by a multiple of a right angle with integers of 320 bits, whatever its size (Payne and Hanek 1983);
//! the rest is a pair of floats. Taylor polynomials of pairs of floats give sine and cosine to `2^-70`, so the float next to
//! the truth on either side is known but for one case in thousands, where the enclosure is two floats wide.

use super::double::Double;
use super::interval::Interval;
use super::round::{add_up, exponent_of, mul_up, power_of_two, scaled};

/// `2 / pi` behind the binary point, 64 bits each. The largest float needs bits up to 1225.
const TWO_OVER_PI: [u64; 20] = [
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
    0xf0cf_bc20_9af4_361d,
];

/// `pi / 2` to 107 bits.
const HALF_PI: Double = Double { high: std::f64::consts::FRAC_PI_2, low: 6.123_233_995_736_766e-17 };

/// Beyond this size the number of right angles is known modulo 4 only, `2^54`.
const COUNTED: f64 = power_of_two(54);

/// Sine, cosine, and one minus the cosine, of one angle or of all angles of an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SinCos {
    /// Holds the sine.
    pub sin: Interval,
    /// Holds the cosine.
    pub cos: Interval,
    /// Holds `1 - cos`, to full relative precision however small the angle is.
    pub versine: Interval,
}

/// Sine and cosine of an angle in radians, any finite float; each enclosed by neighbouring floats, rarely by three in a row.
///
/// ```
/// use clearance::math::sin_cos;
/// let at = sin_cos(1e22);
/// assert!(at.sin.lower() < -0.85220084976713 && at.sin.upper() > -0.85220084976714);
/// assert_eq!(sin_cos(0.0).cos.lower(), 1.0);
/// ```
pub fn sin_cos(angle: f64) -> SinCos {
    at(Double { high: angle, low: 0.0 }).0
}

/// Sine and cosine of the real product of two floats, below `2^980` in size.
pub fn sin_cos_of_product(a: f64, b: f64) -> SinCos {
    at(Double::product(a, b)).0
}

/// Sine and cosine of all angles of an interval.
pub fn sin_cos_over(angles: Interval) -> SinCos {
    let one = |x: f64| Double { high: x, low: 0.0 };
    hull(at(one(angles.lower())), at(one(angles.upper())), angles)
}

/// Sine and cosine of the real product `rate * t` for all `t` of an interval.
pub fn sin_cos_of_products(rate: f64, t: Interval) -> SinCos {
    if t.lower() == t.upper() {
        return sin_cos_of_product(rate, t.lower());
    }
    let [first, last] = [t.lower(), t.upper()].map(|t| Double::product(rate, t));
    let angles = t.times(rate);
    let [first, last] = if rate >= 0.0 { [first, last] } else { [last, first] };
    hull(at(first), at(last), angles)
}

/// From both ends and what lies between them.
fn hull((first, from): (SinCos, i64), (last, to): (SinCos, i64), angles: Interval) -> SinCos {
    let full = Interval::new(-1.0, 1.0);
    // Four multiples of a right angle in a row: every value is taken.
    if angles.magnitude() >= COUNTED || to - from >= 4 {
        return SinCos { sin: full, cos: full, versine: Interval::new(0.0, 2.0) };
    }
    let mut all = SinCos {
        sin: first.sin.hull(last.sin),
        cos: first.cos.hull(last.cos),
        versine: first.versine.hull(last.versine),
    };
    // Multiples of a right angle inside, where one of them is extreme.
    for k in from + 1..=to {
        match k.rem_euclid(4) {
            0 => {
                all.cos = all.cos.hull(Interval::ONE);
                all.versine = all.versine.hull(Interval::ZERO);
            }
            1 => all.sin = all.sin.hull(Interval::ONE),
            2 => {
                all.cos = all.cos.hull(Interval::point(-1.0));
                all.versine = all.versine.hull(Interval::point(2.0));
            }
            _ => all.sin = all.sin.hull(Interval::point(-1.0)),
        }
    }
    all
}

/// At one angle, and how many whole right angles it is (modulo 4 for huge ones).
fn at(angle: Double) -> (SinCos, i64) {
    let (k, rest) = reduced(angle.high);
    let rest = rest.plus(Double { high: angle.low, low: 0.0 });
    // The reduction errs by `2^-100` of what may cancel, and `2^-199`; an underflowing product of two floats by `2^-1074`.
    let absolute = match k {
        0 if angle.low == 0.0 => 0.0,
        0 => f64::from_bits(1),
        _ => power_of_two(-99) * angle.low.abs() + power_of_two(-198),
    };
    let (sin, cos, versine) = polynomials(rest, absolute);
    let turned = match k.rem_euclid(4) {
        0 => [sin, cos],
        1 => [cos, -sin],
        2 => [-sin, -cos],
        _ => [-cos, sin],
    };
    let versine = if k == 0 { versine } else { Interval::ONE - turned[1] };
    // A rest of zero is the angle zero: no other float is a multiple of a right angle.
    let floor = if rest.high < 0.0 { k - 1 } else { k };
    (SinCos { sin: turned[0], cos: turned[1], versine }, floor)
}

/// The nearest multiple of a right angle, by number (modulo 4 beyond `COUNTED`), and the rest, within `2^-100` of its size
/// and `2^-199`.
///
/// With `x = m 2^e` the product of `m` and 256 bits of `2 / pi` is wanted. Bits left out in front of them count multiples of 4;
/// those behind them less than `2^53 2^(2 - 256)`. The fraction is cut to 128 bits behind its leading zeros, turned into two
/// floats (`2^-106`) and multiplied by `pi / 2` (`7.1u^2`, and `2^-107` of `pi / 2` itself).
fn reduced(x: f64) -> (i64, Double) {
    if x.abs() <= 0.785 {
        return (0, Double { high: x, low: 0.0 });
    }
    let exponent = exponent_of(x) - 52;
    let mantissa = (x.to_bits() & ((1 << 52) - 1)) | (1 << 52);
    let skipped = (exponent - 2).max(0) as usize;
    let product = times_window(mantissa, skipped);
    // The binary point of the product is `256 - (exponent - skipped)` bits up: it is moved to 320.
    let (whole, fraction) = moved(product, (64 + exponent - skipped as i32) as u32);
    let is_above = fraction[4] >> 63 == 1;
    let fraction = if is_above { negated(fraction) } else { fraction };
    let k = whole as i64 + i64::from(is_above);
    let part = to_double(fraction);
    let rest = part.times_double(HALF_PI);
    let rest = if is_above == x.is_sign_positive() { rest.negated() } else { rest };
    (if x < 0.0 { -k } else { k }, rest)
}

/// The product with 256 bits of `2 / pi` behind the first `skipped` ones, lowest word first.
fn times_window(mantissa: u64, skipped: usize) -> [u64; 5] {
    let (word, bits) = (skipped / 64, (skipped % 64) as u32);
    let window = |i: usize| match bits {
        0 => TWO_OVER_PI[word + i],
        _ => TWO_OVER_PI[word + i] << bits | TWO_OVER_PI[word + i + 1] >> (64 - bits),
    };
    let mut product = [0; 5];
    let mut carry = 0u128;
    for i in 0..4 {
        carry += u128::from(mantissa) * u128::from(window(3 - i));
        product[i] = carry as u64;
        carry >>= 64;
    }
    product[4] = carry as u64;
    product
}

/// Moved up by 11 to 66 bits: what is above 320 bits, and the 320 bits.
fn moved(words: [u64; 5], bits: u32) -> (u64, [u64; 5]) {
    let (word, bits) = ((bits / 64) as usize, bits % 64);
    let get = |i: isize| if (0..5).contains(&i) { words[i as usize] } else { 0 };
    let out = |i: isize| {
        let from = i - word as isize;
        if bits == 0 { get(from) } else { get(from) << bits | get(from - 1) >> (64 - bits) }
    };
    (out(5), std::array::from_fn(|i| out(i as isize)))
}

/// One minus a fraction.
fn negated(fraction: [u64; 5]) -> [u64; 5] {
    let mut carry = true;
    fraction.map(|word| {
        let (sum, over) = (!word).overflowing_add(u64::from(carry));
        carry = over;
        sum
    })
}

/// A fraction of 320 bits as two floats.
fn to_double(fraction: [u64; 5]) -> Double {
    let Some(top) = fraction.iter().rposition(|&word| word != 0) else { return Double::ZERO };
    let zeros = fraction[top].leading_zeros();
    let word = |i: isize| if i >= 0 { u128::from(fraction[i as usize]) } else { 0 };
    let three = [word(top as isize), word(top as isize - 1), word(top as isize - 2)];
    let leading = (three[0] << 64 | three[1]) << zeros | (three[2] << zeros) >> 64;
    // `leading` starts behind so many bits of the fraction.
    let exponent = -128 - (zeros as i32 + 64 * (4 - top as i32));
    let high = scaled((leading >> 75) as f64, exponent + 75);
    let low = scaled((leading & ((1 << 75) - 1)) as f64, exponent);
    Double::sum(high, low)
}

const fn inverse(high: f64, low: f64) -> Double {
    Double { high, low }
}

/// Coefficients of Taylor series, the first as pairs of floats.
const SINE: [Double; 4] = [
    inverse(-0.16666666666666666, -9.25185853854297e-18),
    inverse(0.008333333333333333, 1.1564823173178714e-19),
    inverse(-0.0001984126984126984, -1.7209558293420705e-22),
    inverse(2.7557319223985893e-06, -1.858393274046472e-22),
];
const SINE_TAIL: [f64; 6] = [
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 1_307_674_368_000.0,
    1.0 / 355_687_428_096_000.0,
    -1.0 / 121_645_100_408_832_000.0,
    1.0 / 51_090_942_171_709_440_000.0,
];
const COSINE: [Double; 4] = [
    inverse(0.5, 0.0),
    inverse(-0.041666666666666664, -2.3129646346357427e-18),
    inverse(0.001388888888888889, -5.300543954373577e-20),
    inverse(-2.48015873015873e-05, -2.1511947866775882e-23),
];
const COSINE_TAIL: [f64; 6] = [
    1.0 / 3_628_800.0,
    -1.0 / 479_001_600.0,
    1.0 / 87_178_291_200.0,
    -1.0 / 20_922_789_888_000.0,
    1.0 / 6_402_373_705_728_000.0,
    -1.0 / 2_432_902_008_176_640_000.0,
];

/// Relative error of the polynomials and of the reduction, `2^-70`.
///
/// `|r| <= 0.79`, so `z = r^2 <= 0.63`. The series of the sine is cut behind `r^21 / 21!`: less than `2^-82` of `r` is left. Its
/// tail is less than `2^-25`, errs by `2^-51` of itself in floats and counts `z^5 <= 0.1` times: `2^-79`. Pairs of floats err by
/// less than `2^-100` in each of 12 operations, the reduction by `2^-100`, which the sine takes over at most once.
/// The versine starts with `z / 2`: there the tail, below `2^-21`, counts `z^4` times as much: `2^-73` of the whole.
const ERROR: f64 = power_of_two(-70);

/// Sine, cosine and versine of an angle of at most 0.79 that errs by at most `absolute` beside `2^-100` of its size.
fn polynomials(r: Double, absolute: f64) -> (Interval, Interval, Interval) {
    if r.high == 0.0 && absolute == 0.0 {
        return (Interval::ZERO, Interval::ONE, Interval::ZERO);
    }
    let z = r.times_double(r);
    let series = |coefficients: &[Double; 4], tail: &[f64; 6]| {
        let tail = tail.iter().rev().fold(0.0, |sum, c| sum * z.high + c);
        let start = Double { high: tail, low: 0.0 };
        coefficients.iter().rev().fold(start, |sum, &c| sum.times_double(z).plus(c))
    };
    let sine = r.plus(r.times_double(z).times_double(series(&SINE, &SINE_TAIL)));
    let versine = z.times_double(series(&COSINE, &COSINE_TAIL));
    let cosine = Double { high: 1.0, low: 0.0 }.minus(versine);
    (enclosed(sine, absolute), enclosed(cosine, absolute), enclosed(versine, absolute))
}

/// The floats around a number known to `ERROR` of its size and `absolute`.
///
/// `|low|` is at most half the distance to the next float, so the truth is between the neighbours; where `low` is larger than
/// its error, its sign tells on which side.
fn enclosed(x: Double, absolute: f64) -> Interval {
    let error = add_up(mul_up(ERROR, x.high.abs()), absolute);
    let (lower, upper) = if error > x.high.abs() * power_of_two(-60) {
        let all = Interval::around(x.high, add_up(x.low.abs(), error));
        (all.lower(), all.upper())
    } else {
        let lower = if x.low >= error { x.high } else { x.high.next_down() };
        (lower, if x.low <= -error { x.high } else { x.high.next_up() })
    };
    Interval::new(lower.max(-1.0), upper.min(1.0))
}

/// The angle of the vector `(x, y)`, from `-pi` to `pi`, within about `2^-52` of the truth; zero for the zero vector.
pub fn angle_of(y: f64, x: f64) -> f64 {
    let largest = x.abs().max(y.abs());
    if largest == 0.0 || !largest.is_finite() {
        return 0.0;
    }
    let exponent = -exponent_of(largest);
    let (x, y) = (scaled(x, exponent), scaled(y, exponent));
    let (near, far) = (x.abs().min(y.abs()), x.abs().max(y.abs()));
    let ratio = near / far;
    if ratio < power_of_two(-30) {
        // The angle is the ratio to within its cube.
        return placed(ratio, x, y);
    }
    // Within 0.004; each step of Newton's method on the tangent leaves a third of the cube.
    let mut angle = ratio * (std::f64::consts::FRAC_PI_4 + 0.273 * (1.0 - ratio));
    for _ in 0..3 {
        let at = sin_cos(angle);
        let (sin, cos) = (at.sin.lower(), at.cos.lower());
        angle += (near * cos - far * sin) / (far * cos + near * sin);
    }
    placed(angle, x, y)
}

/// An angle of the first octant where it belongs.
fn placed(angle: f64, x: f64, y: f64) -> f64 {
    let steep = if y.abs() > x.abs() { std::f64::consts::FRAC_PI_2 - angle } else { angle };
    let up = if x < 0.0 { std::f64::consts::PI - steep } else { steep };
    if y < 0.0 { -up } else { up }
}

/// Angles of all vectors `(x, y)` of two intervals that do not hold zero together; one interval, which may reach beyond `pi`.
///
/// `None` where that is not proved, or where the vectors point more than a right angle away from their middle.
/// With `f` an angle near the middle, `(x cos f + y sin f, y cos f - x sin f)` is a vector turned back by it: where the first is
/// positive, its angle lies between zero and the quotient, because an arc tangent lies between zero and its argument.
pub fn angles_of(y: Interval, x: Interval) -> Option<Interval> {
    let middle = angle_of(y.middle(), x.middle());
    let at = sin_cos(middle);
    let along = x * at.cos + y * at.sin;
    if !along.is_positive() {
        return None;
    }
    let across = y * at.cos - x * at.sin;
    Some(Interval::point(middle) + across.over(along)?.hull(Interval::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use dashu::integer::IBig;
    use dashu::rational::RBig;

    /// Digits of the reference in bits behind the point.
    const BITS: usize = 1400;

    /// `pi 2^BITS`, by Machin's formula.
    fn pi() -> IBig {
        let inverse_tangent = |x: u32| {
            let mut power = (IBig::ONE << (BITS + 32)) / x;
            let (mut sum, mut k) = (power.clone(), 1u32);
            while !power.is_zero() {
                power /= x * x;
                k += 2;
                sum += if k % 4 == 3 { -(&power / k) } else { &power / k };
            }
            sum
        };
        (inverse_tangent(5) * 16 - inverse_tangent(239) * 4) >> 32usize
    }

    /// Sine and cosine, times `2^BITS`, within `2^-200`: the series of an angle reduced by whole turns.
    fn reference(x: &RBig, pi: &IBig) -> [IBig; 2] {
        let scaled = (x.numerator() << BITS) / IBig::from(x.denominator().clone());
        let turn = pi << 1;
        let r = &scaled - (&scaled / &turn) * &turn;
        let (mut sin, mut cos) = (IBig::ZERO, IBig::ZERO);
        let (mut term, mut k) = (IBig::ONE << BITS, 0u32);
        while !term.is_zero() && k < 2000 {
            match k % 4 {
                0 => cos += &term,
                1 => sin += &term,
                2 => cos -= &term,
                _ => sin -= &term,
            }
            k += 1;
            term = ((&term * &r) >> BITS) / k;
            if term == -IBig::ONE {
                break;
            }
        }
        [sin, cos]
    }

    /// Whether a reference, known to `2^-200`, is inside.
    fn holds(interval: Interval, reference: &IBig) -> bool {
        let exact = |x: f64| RBig::try_from(x).unwrap() * RBig::from(IBig::ONE << BITS);
        let slack = IBig::ONE << (BITS - 1200);
        exact(interval.lower()) <= RBig::from(reference + &slack)
            && RBig::from(reference - &slack) <= exact(interval.upper())
    }

    fn check(x: f64, pi: &IBig) -> u32 {
        let at = sin_cos(x);
        let [sin, cos] = reference(&RBig::try_from(x).unwrap(), pi);
        assert!(holds(at.sin, &sin), "sine of {x:e}");
        assert!(holds(at.cos, &cos), "cosine of {x:e}");
        assert!(holds(at.versine, &((IBig::ONE << BITS) - &cos)), "versine of {x:e}");
        let wide = |i: Interval| i.upper() > i.lower().next_up();
        for i in [at.sin, at.cos] {
            assert!(i.upper() <= i.lower().next_up().next_up(), "{x:e}: {i:?}");
        }
        u32::from(wide(at.sin)) + u32::from(wide(at.cos))
    }

    #[test]
    fn sines_and_cosines_of_random_floats_are_enclosed_by_neighbours() {
        let (pi, mut random, mut wide) = (pi(), Random::new(1), 0);
        for _ in 0..1_500 {
            let exponent = random.below(1000) as i32 - 40;
            wide += check(random.range(-1.0, 1.0) * 2f64.powi(exponent), &pi);
            wide += check(random.range(-10.0, 10.0), &pi);
            wide += check(random.range(-1e6, 1e6), &pi);
        }
        assert!(wide < 10, "{wide} enclosures of two steps");
    }

    #[test]
    fn angles_that_are_hard_to_reduce_are_reduced() {
        let pi = pi();
        let right = RBig::from_parts(pi.clone(), dashu::integer::UBig::ONE << (BITS + 1));
        // The float nearest to a multiple of a right angle (Muller), the largest, and the next to small multiples.
        let mut hard = vec![6_381_956_970_095_103.0 * 2f64.powi(797), f64::MAX, 0.785, 0.7850000000000001];
        for k in (1..200i64).chain([1_000_003, 123_456_789_012]) {
            let near = (right.clone() * RBig::from(k)).to_f64().value();
            hard.extend([near, near.next_up(), near.next_down(), 0.5 * near]);
        }
        for x in hard {
            check(x, &pi);
            check(-x, &pi);
        }
    }

    #[test]
    fn tiny_angles_keep_their_relative_precision() {
        for x in [1e-9, 1e-17, 1e-30, 1e-150, 1e-300, 5e-324, f64::MIN_POSITIVE] {
            let at = sin_cos(x);
            assert!(at.sin.lower() <= x && x <= at.sin.upper().next_up(), "{at:?}");
            assert!(at.sin.upper() - at.sin.lower() <= 2.0 * f64::EPSILON * x + 1e-323);
            let half_square = Interval::point(x).square().times(0.5);
            assert!(at.versine.lower() <= half_square.upper());
            assert!(at.versine.upper() <= half_square.upper() * (1.0 + 1e-15) + 1e-323, "{x:e} {at:?}");
        }
        let zero = sin_cos(0.0);
        assert_eq!((zero.sin, zero.cos, zero.versine), (Interval::ZERO, Interval::ONE, Interval::ZERO));
    }

    #[test]
    fn products_are_not_rounded_before_they_are_reduced() {
        let (pi, mut random) = (pi(), Random::new(3));
        for _ in 0..500 {
            let (a, t) = (random.range(-1e6, 1e6), random.unit());
            let product = RBig::try_from(a).unwrap() * RBig::try_from(t).unwrap();
            let [sin, cos] = reference(&product, &pi);
            let at = sin_cos_of_product(a, t);
            assert!(holds(at.sin, &sin) && holds(at.cos, &cos), "{a} {t}");
            assert!(at.sin.upper() <= at.sin.lower().next_up().next_up());
        }
    }

    #[test]
    fn intervals_hold_all_their_values_and_little_more() {
        let mut random = Random::new(4);
        for _ in 0..5_000 {
            let low = random.range(-20.0, 20.0);
            let wide = random.range(0.0, 8.0) * if random.below(2) == 0 { 1.0 } else { 1e-3 };
            let angles = Interval::new(low, low + wide);
            let all = sin_cos_over(angles);
            let (mut sin, mut cos) = (sin_cos(low).sin, sin_cos(low).cos);
            for k in 0..=200 {
                let at = sin_cos((low + wide * f64::from(k) / 200.0).min(angles.upper()));
                assert!(all.sin.holds(at.sin) && all.cos.holds(at.cos));
                assert!(
                    all.versine.upper() >= 1.0 - at.cos.upper()
                        && all.versine.lower() <= 1.0 - at.cos.lower()
                );
                (sin, cos) = (sin.hull(at.sin), cos.hull(at.cos));
            }
            // Between samples a value changes by less than the square of the step.
            let slack = (wide / 200.0).powi(2) + 1e-15;
            if wide < 6.0 {
                assert!(all.sin.width() <= sin.width() + slack && all.cos.width() <= cos.width() + slack);
            }
            let rate = random.range(-9.0, 9.0);
            let (from, to) = (random.unit(), random.unit());
            let t = Interval::new(from.min(to), from.max(to));
            let all = sin_cos_of_products(rate, t);
            let at = sin_cos_of_product(rate, t.middle());
            assert!(all.sin.holds(at.sin) && all.cos.holds(at.cos));
        }
    }

    #[test]
    fn angles_of_vectors_are_enclosed() {
        let mut random = Random::new(5);
        for case in 0..20_000 {
            let angle = match case % 4 {
                0 => (random.below(17) as f64 - 8.0) * std::f64::consts::FRAC_PI_8,
                1 => random.range(-1e-12, 1e-12),
                _ => random.range(-std::f64::consts::PI, std::f64::consts::PI),
            };
            let size = 2f64.powi(random.below(200) as i32 - 100);
            let at = sin_cos(angle);
            let (y, x) = (at.sin.times(size), at.cos.times(size));
            let found = angles_of(y, x).expect("a direction");
            let near = |x: f64| (x - angle).abs() < 1e-15 || (x - angle).abs() > 6.0;
            assert!(found.width() < 5e-15 && near(found.middle()), "{angle} {found:?}");
            let apart = (angle_of(y.middle(), x.middle()) - angle).abs();
            assert!(apart < 6e-16 || (apart - std::f64::consts::TAU).abs() < 6e-16, "{angle} {apart}");
        }
        let half_plane = Interval::new(-1.0, 1.0);
        let angles = angles_of(half_plane, Interval::new(1.0, 2.0)).expect("all to the right");
        assert!(
            angles.lower() <= -std::f64::consts::FRAC_PI_4
                && angles.upper() >= std::f64::consts::FRAC_PI_4
                && angles.width() <= 2.1
        );
        assert_eq!(angles_of(half_plane, half_plane), None);
    }
}
