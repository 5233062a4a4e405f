//! The least value of a convex function of time that is known as brackets at single times.
//!
//! A convex function lies above its chords drawn on beyond their ends: two neighbours on the left of an interval and two on
//! its right bound it from below in between. Where these bounds cross is the next time to look at; close to the minimum the
//! interval shrinks by as much as a secant's does.

use crate::math::round::UNIT_ROUNDOFF;
use crate::pair::Bracket;

/// What is known at a time.
#[derive(Clone, Copy, Debug)]
struct Sample {
    s: f64,
    value: Bracket,
}

impl Sample {
    const UNKNOWN: Sample = Sample { s: 0.0, value: Bracket { lower: 0.0, upper: f64::INFINITY } };
}

/// Times looked at before the bracket is left as wide as it is; common cases take ten to twenty.
const ROUNDS: usize = 200;

/// The least value from 0 to a duration, within a relative width if the function is known well enough, and when.
///
/// `steepest` is not below the size of any slope.
pub(super) fn least<E>(
    duration: f64,
    steepest: f64,
    relative_width: f64,
    mut at: impl FnMut(f64) -> Result<Bracket, E>,
) -> Result<(Bracket, f64), E> {
    let mut samples = vec![Sample { s: 0.0, value: at(0.0)? }];
    if duration > 0.0 {
        samples.push(Sample { s: duration, value: at(duration)? });
    }
    for _ in 0..ROUNDS {
        let found = bracket(&samples, steepest);
        let Bracket { lower, upper } = found.value;
        // No chord is better than its ends.
        if upper - lower <= (relative_width * upper).max(4.0 * found.width) {
            break;
        }
        let Some((place, s)) = found.next else { break };
        samples.insert(place, Sample { s, value: at(s)? });
    }
    let found = bracket(&samples, steepest);
    Ok((found.value, found.when))
}

struct Found {
    value: Bracket,
    when: f64,
    /// Of the bracket at that time.
    width: f64,
    /// The time to look at next, and where it belongs; `None` if floats have no room.
    next: Option<(usize, f64)>,
}

fn bracket(samples: &[Sample], steepest: f64) -> Found {
    let best = samples.iter().min_by(|x, y| x.value.upper.total_cmp(&y.value.upper));
    let Sample { s: when, value: Bracket { lower, upper } } = best.copied().unwrap_or(Sample::UNKNOWN);
    let mut found = Found { value: Bracket { lower, upper }, when, width: upper - lower, next: None };
    for sample in samples {
        found.value.lower = found.value.lower.min(sample.value.lower);
    }
    for i in 1..samples.len() {
        let (least, s) = between(samples, i - 1, steepest);
        let (from, to) = (samples[i - 1].s, samples[i].s);
        if least < found.value.lower || found.next.is_none() {
            found.value.lower = found.value.lower.min(least);
            // Not so close to an end that a chord says nothing.
            let room = 0.05 * (to - from);
            let s = s.clamp(from + room, to - room);
            found.next = (from < s && s < to).then_some((i, s));
        }
    }
    found.value.lower = found.value.lower.max(0.0);
    found
}

/// A lower bound between a sample and the next, and where it is least.
fn between(samples: &[Sample], i: usize, steepest: f64) -> (f64, f64) {
    let (here, there) = (samples[i], samples[i + 1]);
    let width = there.s - here.s;
    let mut fall = steepest;
    if i > 0 {
        let before = samples[i - 1];
        fall = fall.min((before.value.upper - here.value.lower) / (here.s - before.s));
    }
    let mut rise = steepest;
    if let Some(after) = samples.get(i + 2) {
        rise = rise.min((after.value.upper - there.value.lower) / (after.s - there.s));
    }
    // Rounding of slopes and of what they are multiplied by.
    let slack =
        16.0 * UNIT_ROUNDOFF * (here.value.upper + there.value.upper + (fall.abs() + rise.abs()) * width)
            + f64::MIN_POSITIVE;
    let (left, right) = (here.value.lower, there.value.lower);
    let (least, share) = match (fall > 0.0, rise > 0.0) {
        (false, _) => (left, 0.0),
        (_, false) => (right, width),
        _ => {
            let share = ((left - right + rise * width) / (fall + rise)).clamp(0.0, width);
            ((left - fall * share).min(right - rise * (width - share)), share)
        }
    };
    (least - slack, here.s + share)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(f: impl Fn(f64) -> f64, steepest: f64) -> (Bracket, f64, usize) {
        let mut count = 0;
        let found = least(4.0, steepest, 1e-10, |s| {
            count += 1;
            let value = f(s);
            Ok::<_, ()>(Bracket { lower: value * (1.0 - 1e-12), upper: value * (1.0 + 1e-12) })
        });
        let (value, when) = found.expect("no errors");
        (value, when, count)
    }

    #[test]
    fn minima_of_round_flat_and_sharp_functions_are_bracketed() {
        type Case = (fn(f64) -> f64, f64);
        let cases: [Case; 5] = [
            (|s| (1.0 + (s - 1.3) * (s - 1.3)).sqrt(), 1.0),
            (|s| 0.5 + (s - 2.7).abs(), 0.5),
            (|s| 3.0 - 0.5 * s, 1.0),
            (|s| (s - 3.0).max(1.0 - s).max(0.25), 0.25),
            (|s| (1e-6 + (s - 1.0) * (s - 1.0)).sqrt(), 1e-3),
        ];
        for (f, want) in cases {
            let (value, when, count) = run(f, 1.0);
            assert!(value.lower <= want && want <= value.upper * (1.0 + 1e-15), "{want}: {value:?}");
            assert!(value.upper - value.lower <= 2e-10 * want, "{want}: {value:?} after {count}");
            assert!(f(when) <= value.upper * (1.0 + 1e-12) && count < 100, "{want}: {count}");
        }
    }
}
