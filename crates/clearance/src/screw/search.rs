//! All zeros of a function of time, each in a proved bracket: windows are cut until Taylor's theorem excludes a zero or proves the
//! function monotone there.

use super::course::{Course, KNOWN, Passage, Turns, Zero};
use crate::math::{Interval, sin_cos_of_products};

/// Zeros closer together than this, `2^-34`, are not told apart where the function does not pass from one side to the other.
const NARROW: f64 = 1.0 / (1u64 << 34) as f64;

/// Where a function stays within rounding of zero, parts of this size, `2^-20`, are not cut further.
const FLAT: f64 = 1.0 / (1u64 << 20) as f64;

/// Where a part is cut: not in the middle, because motions are often symmetric, and a zero at a cut is proved on neither side.
const CUT: f64 = 0.487;

/// Brackets of zeros at the start are not made narrower than this.
const FINEST: f64 = 1e-20;

/// Parts of a window are cut so often, besides four times for each radian of the turn; what is left is told as unresolved.
const SPLITS: u32 = 1 << 14;

/// A function with its derivatives.
pub(super) struct Search<'a> {
    function: &'a Course,
    slope: Course,
    bend: Course,
}

/// Values in a part of the window.
#[derive(Clone, Copy)]
struct Part {
    values: Interval,
    slopes: Interval,
    bends: Interval,
    at_middle: Interval,
}

impl Search<'_> {
    pub fn new(function: &Course) -> Search<'_> {
        let slope = function.derivative();
        Search { function, slope, bend: slope.derivative() }
    }

    fn at(&self, t: f64) -> Interval {
        let t = Interval::point(t);
        self.function.value(t, &sin_cos_of_products(self.function.rate, t))
    }

    /// By Taylor's theorem about the middle: off by the cube of the width only.
    fn over(&self, t: Interval) -> Part {
        self.over_window(&Turns::within(self.function.rate, t))
    }

    fn over_window(&self, turns: &Turns) -> Part {
        let Turns { window: t, at_middle: here, all } = *turns;
        let middle = Interval::point(t.middle());
        let away = t - middle;
        let (at_middle, slope) = (self.function.value(middle, &here), self.slope.value(middle, &here));
        let bends = self.bend.value(t, &all);
        let values = at_middle + slope * away + bends * away.square().times(0.5);
        Part { values, slopes: slope + bends * away, bends, at_middle }
    }

    pub fn run(&self, turns: &Turns, may_meet: impl Fn(Interval) -> bool, found: &mut Vec<Zero>) {
        let first = self.over_window(turns);
        if !first.values.contains(0.0) {
            return;
        }
        // The last one is the leftmost.
        let mut open = vec![turns.window];
        let (mut splits, most) = (0, SPLITS + 4 * self.function.rate.abs() as u32);
        while let Some(t) = open.pop() {
            let part = if splits == 0 { first } else { self.over(t) };
            if !part.values.contains(0.0) {
                continue;
            }
            if !part.slopes.contains(0.0) {
                let zero = self.crossing(t, part.slopes, &may_meet);
                zero.into_iter().for_each(|zero| push(zero, found));
                continue;
            }
            // Features that are elsewhere are the rule.
            if splits > 0 && !may_meet(t) {
                continue;
            }
            let cut = t.lower() + CUT * (t.upper() - t.lower());
            let is_narrow = splits >= most || t.width() <= NARROW || cut <= t.lower() || cut >= t.upper();
            if is_narrow || self.is_flat(t, &part) {
                push(
                    Zero {
                        lower: t.lower(),
                        upper: t.upper(),
                        passage: Passage::Unresolved,
                        is_proved: false,
                    },
                    found,
                );
                continue;
            }
            splits += 1;
            open.push(Interval::new(cut, t.upper()));
            open.push(Interval::new(t.lower(), cut));
        }
    }

    /// Whether nothing is seen of it but rounding: zero at three times, and not bent for sure unless the part is small.
    fn is_flat(&self, t: Interval, part: &Part) -> bool {
        let is_zero = |t: f64| self.at(t).contains(0.0);
        (part.bends.contains(0.0) || t.width() <= FLAT)
            && part.at_middle.contains(0.0)
            && is_zero(t.lower())
            && is_zero(t.upper())
    }

    /// The zero of a function that rises or falls throughout a part; interval Newton steps.
    fn crossing(
        &self,
        mut t: Interval,
        mut slopes: Interval,
        may_meet: impl Fn(Interval) -> bool,
    ) -> Option<Zero> {
        let is_rising = slopes.is_positive();
        let signed = |value: Interval| if is_rising { value } else { -value };
        let (first, last) = (signed(self.at(t.lower())), signed(self.at(t.upper())));
        if first.is_positive() || last.is_negative() {
            return None;
        }
        let is_proved = first.upper() <= 0.0 && last.lower() >= 0.0;
        let mut is_first = true;
        loop {
            let middle = t.middle();
            let value = self.at(middle);
            let step = value.over(slopes)?;
            let next = (Interval::point(middle) - step).intersection(t)?;
            // Where a step does not halve the bracket the sign in the middle does, until rounding hides it.
            let next = match signed(value) {
                _ if next.width() <= 0.5 * t.width() => next,
                value if value.is_positive() => Interval::new(next.lower(), next.upper().min(middle)),
                value if value.is_negative() => Interval::new(next.lower().max(middle), next.upper()),
                _ => next,
            };
            let is_done =
                next.width() > 0.75 * t.width() || next.width() <= f64::EPSILON * next.upper() + FINEST;
            t = next;
            if is_done {
                break;
            }
            // A bracket that is narrow by far tells most of what the last one does.
            if std::mem::take(&mut is_first) && !may_meet(t) {
                return None;
            }
            slopes = self.over(t).slopes.intersection(slopes)?;
        }
        let passage = match t.width() <= KNOWN {
            true if is_rising => Passage::Rising,
            true => Passage::Falling,
            false => Passage::Unresolved,
        };
        Some(Zero { lower: t.lower(), upper: t.upper(), passage, is_proved })
    }
}

/// Added at the end; what is not proved is joined to what is not and ends where it begins.
fn push(zero: Zero, found: &mut Vec<Zero>) {
    match found.last_mut() {
        Some(last) if last.upper >= zero.lower && !last.is_proved && !zero.is_proved => {
            last.upper = zero.upper;
            last.passage = Passage::Unresolved;
        }
        _ => found.push(zero),
    }
}
