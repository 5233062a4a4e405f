//! When two triangles in straight motion meet, in floats: a proved bracket, never for sure, or left to exact arithmetic.

use super::pair::{Corners, TreePair};
use crate::math::round::{UNIT_ROUNDOFF, power_of_two};
use glam::DVec3;

/// How B moves seen from A, in the world: the displacement at `s` is `s` times the velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// Rounded.
    pub velocity: DVec3,
    /// No coordinate of the velocity errs by more.
    pub error: f64,
}

/// What floats know about two triangles in motion, from `s = 0` on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Encounter {
    /// They do not meet up to the limit; proved.
    Never,
    /// They do not meet before `lower`, and they do at or before `upper`; proved.
    Meet {
        /// Not negative.
        lower: f64,
        /// At least `lower`.
        upper: f64,
        /// From A to B in the world, of any length: against the motion, and across one of the triangles or two edges.
        normal: DVec3,
    },
    /// They do not meet before `lower`; what else is not known.
    Unclear {
        /// Not negative.
        lower: f64,
    },
}

/// Times of this size, in units of length over the largest coordinate of the velocity, are after any meeting: bodies and
/// their offset are at most one in size.
pub(super) const LATEST: f64 = 16.0;

/// The course in units of a pair: time is counted so that the largest coordinate of the velocity is one.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    pub velocity: DVec3,
    /// No coordinate of `velocity` errs by more.
    pub error: f64,
    /// Counts of time in one `s`; zero or infinite if there is no telling.
    pub speed: f64,
}

impl Course {
    pub(super) fn pace(&self, units_per_length: f64) -> Pace {
        let largest = self.velocity.abs().max_element();
        let speed = largest * units_per_length;
        if !(largest.is_normal() && speed.is_normal()) {
            return Pace { velocity: DVec3::ZERO, error: 1.0, speed: 0.0 };
        }
        Pace { velocity: self.velocity / largest, error: self.error / largest + 2.0 * UNIT_ROUNDOFF, speed }
    }
}

impl Pace {
    /// A time in counts that is not before `s`.
    pub fn counts(&self, s: f64) -> f64 {
        if self.speed > 0.0 { (s * self.speed * (1.0 + 4.0 * UNIT_ROUNDOFF)).min(LATEST) } else { LATEST }
    }
}

impl<B> TreePair<'_, B> {
    /// When two triangles, given by their corners in the frames of their bodies, meet under the exact poses and motion.
    ///
    /// The exact motion is within the error of the course. For triangles that meet transversally the bracket is a few
    /// units in the last place of the coordinates wide.
    pub fn encounter(&self, a: [DVec3; 3], b: [DVec3; 3], course: &Course, limit: f64) -> Encounter {
        let pace = course.pace(self.units_per_length());
        let found = self.corners(a, b).encounter(&pace, pace.counts(limit));
        if pace.speed == 0.0 {
            return Encounter::Unclear { lower: 0.0 };
        }
        let (before, after) = (1.0 - 4.0 * UNIT_ROUNDOFF, 1.0 + 4.0 * UNIT_ROUNDOFF);
        let lower_of = |lower: f64| (lower / pace.speed * before).max(0.0);
        match found {
            Encounter::Never => Encounter::Never,
            Encounter::Unclear { lower } => Encounter::Unclear { lower: lower_of(lower) },
            Encounter::Meet { lower, upper, normal } => {
                Encounter::Meet { lower: lower_of(lower), upper: upper / pace.speed * after, normal }
            }
        }
    }
}

/// The times at which the triangles meet, so far as directions have told: between `lower` and `upper` they begin to, up to
/// `first_end` they certainly do and after `last_end` certainly not.
struct Span {
    lower: f64,
    upper: f64,
    first_end: f64,
    last_end: f64,
    normal: DVec3,
    is_clear: bool,
}

/// Errors of a gap and of a slope.
#[derive(Clone, Copy)]
struct Errors {
    gap: f64,
    slope: f64,
}

impl Corners {
    /// Separating axes in time: triangles meet at `s` iff no direction across a triangle or across two edges separates them
    /// then, and each such direction does so for an interval of times.
    ///
    /// A computed direction separates or does not as it is, so for `lower` and `last_end` its own error counts only because
    /// the triangles are not exactly level along it. That no direction separates is about the exact ones: there it counts in
    /// full.
    pub(super) fn encounter(&self, pace: &Pace, limit: f64) -> Encounter {
        let (edges_a, edges_b) = (edges(&self.a), edges(&self.b));
        let between = self.b[0] - self.a[0];
        let size = |edges: &[DVec3; 3]| edges.iter().fold(0.0, |s: f64, e| s.max(e.abs().max_element()));
        let (size_a, size_b) = (size(&edges_a), size(&edges_b));
        // No coordinate of a difference of corners is larger.
        let reach = between.abs().max_element() + size_a + size_b;
        let axes = Axes { error: self.error, reach, pace, limit };
        let mut span = Span {
            lower: 0.0,
            upper: 0.0,
            first_end: f64::INFINITY,
            last_end: f64::INFINITY,
            normal: DVec3::ZERO,
            is_clear: reach > TINY,
        };
        let normal_a = edges_a[0].cross(edges_a[1]);
        let heights = self.b.map(|corner| normal_a.dot(corner - self.a[0]));
        if !axes.add(&mut span, normal_a, [size_a, size_a], [0.0, 0.0], extent(heights)) {
            return Encounter::Never;
        }
        let normal_b = edges_b[0].cross(edges_b[1]);
        let heights = self.a.map(|corner| normal_b.dot(corner - self.b[0]));
        if !axes.add(&mut span, normal_b, [size_b, size_b], extent(heights), [0.0, 0.0]) {
            return Encounter::Never;
        }
        for i in 0..3 {
            for j in 0..3 {
                let normal = edges_a[i].cross(edges_b[j]);
                // An edge is level along the normal, so a triangle is between it and the third corner.
                let opposite_a = normal.dot(self.a[(i + 2) % 3] - self.a[i]);
                let opposite_b = normal.dot(self.b[(j + 2) % 3] - self.b[j]);
                let height = normal.dot(self.b[j] - self.a[i]);
                let of_a = [opposite_a.min(0.0), opposite_a.max(0.0)];
                let of_b = [height + opposite_b.min(0.0), height + opposite_b.max(0.0)];
                if !axes.add(&mut span, normal, [size_a, size_b], of_a, of_b) {
                    return Encounter::Never;
                }
            }
        }
        match span.is_clear && span.upper <= span.first_end {
            true => Encounter::Meet { lower: span.lower, upper: span.upper, normal: span.normal },
            false => Encounter::Unclear { lower: span.lower },
        }
    }
}

/// What all directions share.
struct Axes<'a> {
    error: f64,
    reach: f64,
    pace: &'a Pace,
    limit: f64,
}

impl Axes<'_> {
    /// Takes a direction into account, the product of two vectors of given sizes along which the bodies extend as given;
    /// false if they never meet up to the limit.
    #[inline(always)]
    fn add(
        &self,
        span: &mut Span,
        normal: DVec3,
        sizes: [f64; 2],
        [low_a, high_a]: [f64; 2],
        [low_b, high_b]: [f64; 2],
    ) -> bool {
        let slope = normal.dot(self.pace.velocity);
        // The gap that closes and the one that opens.
        let (closing, opening, pointing) = if slope < 0.0 {
            (low_b - high_a, low_a - high_b, normal)
        } else {
            (low_a - high_b, low_b - high_a, -normal)
        };
        let (speed, largest) = (slope.abs(), normal.abs().max_element());
        let off = 2.0 * self.error * (sizes[0] + sizes[1]) + 4.0 * UNIT_ROUNDOFF * sizes[0] * sizes[1];
        let known = self.errors(largest, off * (sizes[0] + sizes[1]), 0.0);
        let (faster, slower) = (speed + known.slope, speed - known.slope);
        if slower > 0.0 {
            let begins = (closing - known.gap) / faster;
            if begins > span.lower {
                (span.lower, span.normal) = (begins, pointing);
            }
            span.last_end = span.last_end.min((known.gap - opening) / slower);
        } else if closing.max(opening) > known.gap + self.limit * known.slope {
            return false;
        }
        if span.lower > span.last_end.min(self.limit) || span.last_end < 0.0 {
            return false;
        }
        let exact = self.errors(largest, off * self.reach, off);
        let (faster, slower) = (speed + exact.slope, speed - exact.slope);
        if slower > 0.0 {
            span.upper = span.upper.max((closing + exact.gap) / slower);
            span.first_end = span.first_end.min((-opening - exact.gap) / faster);
        } else if closing.max(opening) > -(exact.gap + self.limit * exact.slope) {
            span.is_clear = false;
        }
        true
    }

    /// With `N` the largest coordinate of the normal, which errs by some `off`: a difference of corners errs by `error`, its
    /// product with the normal by `3 (N error + off reach)`, or by `3 off` times the sizes of the triangles if only that
    /// these are level is at stake, and by `3u * 3 N reach` for rounding; two sums of such. The velocity is at most one.
    /// Doubled, for all that is of second order.
    #[inline(always)]
    fn errors(&self, largest: f64, off_gap: f64, off_slope: f64) -> Errors {
        let gap = 3.0 * (largest * self.error + off_gap) + 12.0 * UNIT_ROUNDOFF * largest * self.reach;
        let slope = 3.0 * (largest * self.pace.error + off_slope) + 12.0 * UNIT_ROUNDOFF * largest;
        Errors { gap: 2.0 * gap + TINY, slope: 2.0 * slope + TINY }
    }
}

/// Far above what underflow loses, far below all else: coordinates are in units.
const TINY: f64 = power_of_two(-900);

fn edges([p, q, r]: &[DVec3; 3]) -> [DVec3; 3] {
    [*q - *p, *r - *q, *p - *r]
}

#[inline(always)]
fn extent([p, q, r]: [f64; 3]) -> [f64; 2] {
    [p.min(q).min(r), p.max(q).max(r)]
}
