//! Balls in which bodies stay for a while, beside boxes with a margin.
//!
//! A body that turns is held by a ball around the middle of its bound. Balls fill half of the boxes around them, so of the
//! pairs of boxes with a margin nearly half are none of balls. Only who knows such balls can use that: bounds alone say nothing of
//! them.

use super::Renumbering;
use super::bodies::shrink;
use crate::math::Aabb;
use crate::math::round::power_of_two;
use glam::DVec3;

/// What sums and differences of coordinates are rounded by, and more.
const SLACK: f64 = 512.0 * f64::EPSILON;

/// Above the root of what squares lose below the normal numbers.
const TINY: f64 = power_of_two(-500);

/// By id: the radius of a ball around the middle of its bound that holds a body, and where that middle stays.
#[derive(Clone, Debug, Default)]
pub(super) struct Balls(Vec<Ball>);

/// The ball of one body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ball {
    /// Where the middle was, and how far from there it may be.
    middle: DVec3,
    margin: f64,
    radius: f64,
    /// The radius of the ball around that place which holds the body while its middle stays, see [`Balls::are_apart`].
    outer: f64,
}

impl Ball {
    /// No ball is known.
    const NONE: Ball =
        Ball { middle: DVec3::ZERO, margin: f64::INFINITY, radius: f64::INFINITY, outer: f64::INFINITY };

    fn new(middle: DVec3, margin: f64, radius: f64) -> Ball {
        let reach = radius + margin;
        let outer = reach + SLACK * (middle.abs().max_element() + reach) + TINY;
        Ball { middle, margin, radius, outer }
    }

    /// From now on the middle of the body stays this close to the middle of its bound.
    #[inline]
    pub fn renew(&mut self, bound: &Aabb, margin: f64) {
        if self.radius < f64::INFINITY {
            *self = Ball::new(bound.center(), margin, self.radius);
        }
    }
}

impl Balls {
    /// A body that is held by balls of this radius around the middles of its bounds but for a part of their coordinates of
    /// `2^-44`, whatever it does.
    pub fn set(&mut self, id: u32, radius: f64, bound: &Aabb) {
        let at = id as usize;
        if at >= self.0.len() {
            self.0.resize(at + 1, Ball::NONE);
        }
        let is_held = radius.is_finite() && bound.center().is_finite();
        self.0[at] = match is_held {
            true => Ball::new(bound.center(), 0.0, radius),
            false => Ball::NONE,
        };
    }

    /// No ball is known of a body any more.
    pub fn forget(&mut self, id: u32) {
        if let Some(ball) = self.0.get_mut(id as usize) {
            *ball = Ball::NONE;
        }
    }

    /// From now on the middle of a body stays this close to the middle of its bound.
    pub fn renew(&mut self, id: u32, bound: &Aabb, margin: f64) {
        if let Some(ball) = self.0.get_mut(id as usize) {
            ball.renew(bound, margin);
        }
    }

    /// The balls of all ids below `end`, known or not.
    pub fn all(&mut self, end: usize) -> &mut [Ball] {
        self.0.resize(end, Ball::NONE);
        &mut self.0
    }

    /// Whether the middle of a bound is not where it should stay.
    #[inline(always)]
    pub fn is_left(&self, id: u32, bound: &Aabb) -> bool {
        self.0.get(id as usize).is_some_and(|ball| {
            // Not so for a ball that is not known, nor for NaN, which boxes see.
            ((bound.min + bound.max) * 0.5 - ball.middle).length_squared() > ball.margin * ball.margin
        })
    }

    /// Whether balls keep two bodies apart for as long as their middles stay.
    ///
    /// Middles, margins, and what they are compared by err by less than `64u` of the coordinates of the middles and of the margins
    /// together, bodies reach out of their balls by `2^-44` of the middles': `SLACK` is eight times that, and squares below
    /// the normal numbers tell nothing.
    #[inline(always)]
    pub fn are_apart(&self, one: u32, other: u32) -> bool {
        let (Some(one), Some(other)) = (self.0.get(one as usize), self.0.get(other as usize)) else {
            return false;
        };
        let apart = one.outer + other.outer;
        // Not so for what is infinite or NaN.
        (other.middle - one.middle).length_squared() > apart * apart
    }

    /// Gives all bodies other ids.
    pub fn renumber(&mut self, renumbering: &Renumbering) {
        renumbering.apply(&mut self.0, Ball::NONE);
    }

    pub fn truncate(&mut self, end: usize) {
        self.0.truncate(end);
        shrink(&mut self.0);
    }

    pub fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Ball>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(x: f64, half: f64) -> Aabb {
        let middle = DVec3::new(x, 0.0, 0.0);
        Aabb { min: middle - half, max: middle + half }
    }

    #[test]
    fn balls_with_margins_keep_apart_until_a_middle_leaves() {
        let mut balls = Balls::default();
        assert!(!balls.are_apart(0, 1) && !balls.is_left(0, &cube(0.0, 1.0)));
        balls.set(0, 1.0, &cube(0.0, 1.0));
        balls.set(2, 1.0, &cube(3.0, 0.5));
        assert!(balls.are_apart(0, 2) && !balls.are_apart(0, 1), "nothing is known of the second");
        balls.renew(0, &cube(0.0, 0.7), 0.5);
        balls.renew(2, &cube(3.0, 0.7), 0.499);
        assert!(
            balls.are_apart(0, 2) && !balls.is_left(0, &cube(0.5, 1.0)) && balls.is_left(0, &cube(0.6, 0.1))
        );
        balls.renew(2, &cube(3.0, 0.7), 0.5);
        assert!(!balls.are_apart(0, 2), "they touch");
        balls.set(1, f64::INFINITY, &super::super::EVERYWHERE);
        assert!(!balls.are_apart(0, 1) && !balls.is_left(1, &super::super::EVERYWHERE));
        balls.forget(2);
        assert!(!balls.are_apart(0, 2));
    }

    #[test]
    fn squares_that_vanish_keep_nothing_apart() {
        let mut balls = Balls::default();
        (0..2).for_each(|id| balls.set(id, 1e-200, &cube(f64::from(id) * 1e-170, 1e-200)));
        assert!(!balls.are_apart(0, 1));
        (0..2).for_each(|id| balls.set(id, 1e200, &cube(f64::from(id) * 1e250, 1e200)));
        assert!(!balls.are_apart(0, 1));
    }
}
