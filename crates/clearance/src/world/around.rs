//! The box and the ball around a body, with one middle: what keeps most pairs apart, in one line of a cache.

use crate::math::Aabb;
use crate::math::round::UNIT_ROUNDOFF;
use glam::DVec3;

/// The ball around the middle of a box holds the body up to this part of the coordinates of the middle.
pub(super) const MIDDLE_SLACK: f64 = 256.0 * UNIT_ROUNDOFF;

/// A box and a ball that hold a body.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Around {
    pub middle: DVec3,
    /// Half the extent of the box.
    half: DVec3,
    /// Of the ball; infinite if one is not known.
    radius: f64,
    /// How far points of the body moved when it last did.
    pub way: f64,
}

/// The part of the size of two bodies by which they move at least that are quick.
const QUICK: f64 = 0.125;

impl Around {
    /// Of no body.
    pub const NOTHING: Around = Around { middle: DVec3::ZERO, half: DVec3::ZERO, radius: 0.0, way: 0.0 };

    /// Of a body without end, of which only a box may be known.
    pub const ENDLESS: Around =
        Around { middle: DVec3::NAN, half: DVec3::INFINITY, radius: f64::INFINITY, way: 0.0 };

    /// Of a box, and a ball that holds the body but for `8u` of the coordinates of the middle.
    #[inline(always)]
    pub fn new(middle: DVec3, half: DVec3, radius: f64) -> Around {
        Around { middle, half, radius: radius + MIDDLE_SLACK * middle.abs().max_element(), way: 0.0 }
    }

    #[inline(always)]
    pub fn bound(&self) -> Aabb {
        Aabb { min: self.middle - self.half, max: self.middle + self.half }
    }

    /// How far two boxes are apart along the axis on which they are farthest, and not more than the distance of two balls: not
    /// positive, or not a number, if they meet or have no end.
    ///
    /// Differences of middles, sums of extents and their difference are rounded by `4u` of coordinates that each box is larger by
    /// than it must be ([`LocalBound::around`](super::bound::LocalBound::around)).
    #[inline(always)]
    pub fn gaps(&self, other: &Around) -> [f64; 2] {
        let between = other.middle - self.middle;
        let boxes = between.abs() - (self.half + other.half);
        let balls = between.length_squared().sqrt() * (1.0 - MIDDLE_SLACK) - (self.radius + other.radius);
        // No calls, and no jumps: what is not a number is passed on or is below all others.
        let larger = |x: f64, y: f64| if x > y { x } else { y };
        [larger(larger(boxes.x, boxes.y), boxes.z), balls]
    }

    #[cfg(test)]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Whether two bodies move, or turn, so far in a step that little of what was known of them is of use.
    #[inline(always)]
    pub fn are_quick(&self, other: &Around) -> bool {
        self.way + other.way > QUICK * (self.radius + other.radius)
    }

    /// Whether one of two has no end.
    #[inline(always)]
    pub fn is_endless(&self, other: &Around) -> bool {
        // Also for NaN.
        !(self.radius + other.radius).is_finite()
    }
}

/// How far two boxes are apart along the axis on which they are farthest; not positive if they meet.
pub(super) fn gap_of_boxes(a: &Aabb, b: &Aabb) -> f64 {
    (b.min - a.max).max(a.min - b.max).max_element()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_those_of_boxes_and_less_than_those_of_balls() {
        let at = |x: f64, radius: f64| Around::new(DVec3::new(x, 0.0, 0.0), DVec3::splat(1.0), radius);
        let (a, b) = (at(0.0, 1.0), at(5.0, 1.5));
        let [boxes, balls] = a.gaps(&b);
        assert!(boxes == 3.0 && boxes == gap_of_boxes(&a.bound(), &b.bound()));
        assert!(balls < 2.5 && balls > 2.5 - 1e-12);
        assert!(!a.is_endless(&b) && a.is_endless(&Around::ENDLESS));
        for [boxes, balls] in [Around::ENDLESS.gaps(&a), a.gaps(&Around::ENDLESS)] {
            assert!([boxes, balls].into_iter().all(|gap| gap.is_nan() || gap <= 0.0));
        }
    }
}
