//! How far bodies have travelled, and until when two of them are therefore known to be apart.
//!
//! What was proved of a pair once holds while its bodies do not come nearer: two sums for each body, which never decrease,
//! say how near they can have come. A body that turns moves its points far and its middle little, so bodies with balls
//! around them that are apart are left alone for longer than those of which only the boxes are.

use super::around::{Around, MIDDLE_SLACK};
use crate::math::round::power_of_two;

/// How far a body has travelled in all: not less than the way of any of its points, and not less than that of the middle
/// of its box.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Travel([f64; 2]);

const POINTS: usize = 0;
const MIDDLES: usize = 1;

/// Above the root of what squares lose below the normal numbers.
const TINY: f64 = power_of_two(-500);

impl Travel {
    /// Adds the way of points, and that of the middle between two balls. Not a number, if one has no end: then nothing is
    /// known by middles.
    ///
    /// A sum and a product err by less than `4u`: the results are not below the sums. What the slack of a ball may grow on
    /// the way is added to the way of the middle.
    #[inline(always)]
    pub fn add(&mut self, points: f64, from: &Around, to: &Around) {
        let way = to.middle - from.middle;
        let middles = way.length_squared().sqrt() * (1.0 + 2.0 * MIDDLE_SLACK) + TINY;
        self.0[POINTS] = (self.0[POINTS] + points) * (1.0 + 2.0 * f64::EPSILON);
        self.0[MIDDLES] = (self.0[MIDDLES] + middles) * (1.0 + 2.0 * f64::EPSILON);
    }
}

/// Until when two bodies are known to be apart: the sum of their travels at which it must be looked at again; negative
/// where that is the travel of middles.
#[derive(Clone, Copy, Debug)]
pub(super) struct ApartUntil(f64);

impl ApartUntil {
    /// Nothing is known.
    pub const NOW: ApartUntil = ApartUntil(0.0);

    /// It must be looked at in every step, whatever bounds say: something was told of the pair.
    pub const ALWAYS: ApartUntil = ApartUntil(f64::NAN);

    /// Of bodies that are `distance` apart; nothing is known if that is not positive.
    #[inline]
    pub fn by_points(a: &Travel, b: &Travel, distance: f64) -> ApartUntil {
        ApartUntil(limit(a.0[POINTS] + b.0[POINTS], distance))
    }

    /// Of bodies whose boxes are `boxes` apart and the balls around their middles `balls`, by what promises to hold for
    /// longer if they go on as they did so far; nothing is known if neither is positive.
    #[inline(always)]
    pub fn by_bounds(a: &Travel, b: &Travel, [boxes, balls]: [f64; 2]) -> ApartUntil {
        let [points, middles] = [POINTS, MIDDLES].map(|kind| a.0[kind] + b.0[kind]);
        let (by_boxes, by_balls) = (limit(points, boxes), -limit(middles, balls));
        // No jumps: which it is is not to be foreseen.
        let takes_balls = (balls > 0.0) & ((boxes <= 0.0) | (balls * points > boxes * middles));
        ApartUntil(if takes_balls { by_balls } else { by_boxes })
    }

    /// Whether they are known to be apart still; also if both travelled some more on the way, which ended there.
    #[inline(always)]
    pub fn holds(self, a: &Travel, b: &Travel, more: f64) -> bool {
        let kind = usize::from(self.0 < 0.0);
        a.0[kind] + b.0[kind] + more < self.0.abs()
    }

    /// Whether they are known to be apart now.
    #[inline]
    pub fn is_known(self) -> bool {
        self.0 != 0.0 && !self.is_always()
    }

    /// Whether it must be looked at in every step.
    #[inline]
    pub fn is_always(self) -> bool {
        self.0.is_nan()
    }
}

/// The sum of travels below which bodies `distance` apart stay apart.
///
/// With sums `s` now and `t` later the bodies come nearer by at most `t - s`. The result is below `(s + distance)(1 - 4u)`
/// also if `distance` errs by `u`, and `t`, rounded, is above `t (1 - 1.1u)`.
#[inline(always)]
fn limit(travelled: f64, distance: f64) -> f64 {
    if distance > 0.0 { (travelled + distance) * (1.0 - 4.0 * f64::EPSILON) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn ball(x: f64) -> Around {
        Around::new(DVec3::new(x, 0.0, 0.0), DVec3::ONE, 1.0)
    }

    #[test]
    fn what_holds_longer_is_chosen() {
        let (mut a, b) = (Travel::default(), Travel::default());
        // Points move ten times as far as the middle.
        a.add(10.0, &ball(0.0), &ball(1.0));
        let turning = ApartUntil::by_bounds(&a, &b, [2.0, 1.0]);
        let (mut turned, mut moved) = (a, a);
        turned.add(50.0, &ball(1.0), &ball(1.0));
        moved.add(2.0, &ball(1.0), &ball(3.0));
        assert!(turning.holds(&turned, &b, 0.0) && !turning.holds(&moved, &b, 0.0));
        assert!(turning.holds(&a, &b, 0.99) && !turning.holds(&a, &b, 1.0));
        let sliding = ApartUntil::by_bounds(&a, &b, [20.0, 1.0]);
        assert!(!sliding.holds(&turned, &b, 0.0) && sliding.holds(&moved, &b, 0.0));
        for unknown in [ApartUntil::by_bounds(&a, &b, [0.0, -1.0]), ApartUntil::NOW, ApartUntil::ALWAYS] {
            assert!(!unknown.is_known() && !unknown.holds(&b, &b, 0.0));
        }
    }

    #[test]
    fn boxes_without_end_tell_nothing_by_their_middles() {
        let endless = Around::ENDLESS;
        let (mut a, b) = (Travel::default(), Travel::default());
        a.add(f64::INFINITY, &endless, &endless);
        assert!(!ApartUntil::by_bounds(&a, &b, endless.gaps(&ball(0.0))).is_known());
        // Nor does what was known by middles hold for one that lost its end.
        let known = ApartUntil::by_bounds(&b, &b, [0.0, 5.0]);
        assert!(known.holds(&b, &b, 0.0) && !known.holds(&a, &b, 0.0));
    }
}
