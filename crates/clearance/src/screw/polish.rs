//! A zero that floats have found, proved and bracketed by one step of interval Newton.

use super::course::{KNOWN, Passage, Zero};
use crate::math::Interval;

/// The only zero of a function in a narrow window, from its value at a time there and its slopes in the window; `None` if that is
/// not proved by one step.
///
/// For a zero `x` in the window `f(t) = f'(s) (t - x)` with `s` there too, so `x` is in `t - f(t) / f'(window)`; and if all of
/// that is in the window, there is one.
pub(super) fn polished(t: f64, value: Interval, slopes: Interval, window: Interval) -> Option<Zero> {
    let zero = Interval::point(t) - value.over(slopes)?;
    let passage = if slopes.is_positive() { Passage::Rising } else { Passage::Falling };
    let is_proved = window.contains(t) && window.holds(zero) && zero.width() <= KNOWN;
    is_proved.then_some(Zero { lower: zero.lower(), upper: zero.upper(), passage, is_proved })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_is_bracketed_or_left_open() {
        let (value, slopes) = (Interval::new(-1e-12, 1e-12), Interval::new(1.9, 2.1));
        let zero = polished(0.5, value, slopes, Interval::new(0.4, 0.6)).unwrap();
        assert!(zero.is_proved && zero.passage == Passage::Rising);
        assert!(zero.lower < 0.5 && 0.5 < zero.upper && zero.upper - zero.lower < 1.2e-12);
        // It may be beside the window, or there are slopes both ways.
        assert_eq!(polished(0.5, value, slopes, Interval::new(0.5, 0.6)), None);
        assert_eq!(polished(0.5, value, Interval::new(-1.0, 1.0), Interval::UNIT), None);
    }
}
