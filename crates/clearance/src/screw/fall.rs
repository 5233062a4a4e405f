//! How long a smooth function of time stays positive for sure, from what is known of it now.

/// Unit roundoff.
const U: f64 = 0.5 * f64::EPSILON;

/// A function of time: numbers not above its value, speed and second derivative now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fall {
    pub value: f64,
    pub speed: f64,
    pub bend: f64,
}

/// Bounds of derivatives at all times that are asked about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Not below the size of the second.
    pub bend: f64,
    /// Not below the size of the third.
    pub jerk: f64,
}

impl Fall {
    /// Whether it is positive up to a time, in most of the cases in which it is.
    ///
    /// With `c` not above the second derivative on average, and not positive, `value + speed s + c s^2 / 2` is below the function
    /// and concave: it is positive between two times at which it is.
    #[inline(always)]
    pub fn lasts_until(&self, time: f64, bounds: &Bounds) -> bool {
        let bend = bounds.least_bend(self.bend, time).min(0.0);
        self.value + (self.speed + 0.5 * bend * time) * time >= 0.0
    }

    /// When it reaches zero if its second derivative stays what it is; infinite if it never does.
    #[inline]
    pub fn expected_end(&self) -> f64 {
        reaching_zero(self.value, self.speed, self.bend)
    }

    /// A little later than it ends if its speed stays about what it is, and no later than `limit`: how far one should look.
    #[inline(always)]
    pub fn outlook(&self, limit: f64) -> f64 {
        if self.speed < 0.0 { limit.min(1.5 * self.value / -self.speed) } else { limit }
    }

    /// A time up to which it is positive, no later than one for which bounds hold.
    #[inline]
    pub fn sure_end(&self, limit: f64, bounds: &Bounds) -> f64 {
        limit.min(reaching_zero(self.value, self.speed, bounds.least_bend(self.bend, limit)))
    }
}

impl Bounds {
    /// A number `c` for which `b s^2 / 2 - jerk s^3 / 6` is at least `c s^2 / 2` up to a time, or that no second derivative is below.
    #[inline(always)]
    fn least_bend(&self, bend: f64, time: f64) -> f64 {
        (bend - self.jerk * time * (1.0 / 3.0)).max(-self.bend)
    }
}

/// The first `s >= 0` at which `value + speed s + bend s^2 / 2` is zero, a little early; infinite if there is none.
///
/// Where it is concave `|slope| s` is at least a quarter of the sum of the sizes of the three terms: roundings of these move `s` by
/// no more than four times as much, relative to it. Where it is convex the root under which roundings count is taken too large by
/// more than all of them.
#[inline]
pub(super) fn reaching_zero(value: f64, speed: f64, bend: f64) -> f64 {
    if value <= 0.0 {
        return 0.0;
    }
    let (square, product) = (speed * speed, 2.0 * bend * value);
    let under = square - product + 8.0 * U * (square + product.abs());
    let turns_before = speed < 0.0 && under < 0.0;
    let time = if turns_before || (speed >= 0.0 && bend >= 0.0) {
        f64::INFINITY
    } else if speed < 0.0 {
        2.0 * value / (under.sqrt() - speed)
    } else {
        (speed + under.sqrt()) / -bend
    };
    // Nine roundings; and no time if numbers are too large.
    (time * (1.0 - 16.0 * U)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    #[test]
    fn parabolas_are_not_negative_before_they_reach_zero() {
        let mut random = Random::new(1);
        for case in 0..20_000 {
            let size = 10f64.powf(random.range(-12.0, 6.0));
            let (value, speed) = (random.unit() * size, random.range(-1.0, 1.0));
            let bend = match case % 4 {
                0 => 0.0,
                1 => random.unit() * 10.0,
                // About a double root.
                2 => 0.5 * speed * speed / value * (1.0 + random.range(-1e-14, 1e-14)),
                _ => random.unit() * -10.0,
            };
            let time = reaching_zero(value, speed, bend);
            let at = |s: f64| value + (speed + 0.5 * bend * s) * s;
            let scale = |s: f64| value + (speed * s).abs() + (bend * s * s).abs();
            if time.is_finite() {
                assert!(at(time) >= -1e-14 * scale(time) && at(0.5 * time) >= 0.0);
                let is_steep = case % 4 != 2;
                assert!(!is_steep || at(time * 1.001) < 1e-5 * scale(time), "{value} {speed} {bend} {time}");
            } else {
                // Lowest where the slope is zero.
                let lowest = if speed < 0.0 && bend > 0.0 { -speed / bend } else { 0.0 };
                assert!(bend >= 0.0 && at(lowest) >= -1e-14 * scale(lowest), "{value} {speed} {bend}");
            }
        }
    }

    /// Sines of all phases, of which derivatives are known.
    #[test]
    fn functions_are_positive_as_long_as_they_are_told_to_be() {
        let mut random = Random::new(2);
        let (mut ended, mut near) = (0, 0);
        for _ in 0..20_000 {
            let (rate, phase) = (10f64.powf(random.range(-2.0, 1.0)), random.range(0.0, 7.0));
            let (lift, drift) = (random.range(-1.0, 1.0), random.range(-1.0, 1.0));
            let at = |s: f64| lift + drift * s + (phase + rate * s).sin();
            let fall =
                Fall { value: at(0.0), speed: drift + rate * phase.cos(), bend: -rate * rate * phase.sin() };
            let bounds = Bounds { bend: rate * rate, jerk: rate.powi(3) };
            if fall.value <= 0.0 {
                continue;
            }
            let sure = fall.sure_end(fall.outlook(1.0), &bounds);
            let is_positive = |end: f64| (0..=64).all(|k| at(end * f64::from(k) / 64.0) >= -1e-12);
            assert!(is_positive(sure), "{fall:?} {sure}");
            for time in [0.1, 0.3, 1.0] {
                assert!(!fall.lasts_until(time, &bounds) || is_positive(time), "{fall:?} {time}");
            }
            ended += usize::from(sure < 1.0);
            let expected = fall.expected_end();
            near += usize::from(sure < 1.0 && sure > 0.9 * expected);
        }
        assert!(ended > 3_000 && near > 1_000, "{ended} {near}");
    }
}
