//! The volume by numbers of twice the precision: sharp enough for the floats next to most roots.

use super::Kind;
use super::feature::Features;
use crate::exact::Sign;
use crate::math::double::{Double, Double3};
use crate::math::round::UNIT_ROUNDOFF;
use glam::DVec3;

/// Six times the volume as `b_0 (1-t)^3 + b_1 (1-t)^2 t + b_2 (1-t) t^2 + b_3 t^3`.
pub(super) struct SharpCubic {
    coefficients: [Double; 4],
    /// No value between times 0 and 1 errs by more.
    error: f64,
}

impl SharpCubic {
    /// From the error `13u p` of the same polynomial in floats, with the permanent `p` that bounds the sum of the sizes of
    /// all products in a value.
    ///
    /// Differences are exact. Products err by `7.1u^2`, sums by `3.1u^2`. A coefficient takes two products and five sums, a
    /// value three more products of each coefficient and three sums: `61u^2` in all, and `8u` of the error is `104u^2 p`.
    pub(super) fn new(features: &Features, error: f64) -> SharpCubic {
        let difference = |a: DVec3, b: DVec3| Double3::sum(a, -b);
        let vectors = |points: &[DVec3; 4]| {
            let [a, b, c, d] = *points;
            match features.kind {
                Kind::VertexFace => [difference(c, b), difference(d, b), difference(a, b)],
                Kind::EdgeEdge => [difference(b, a), difference(d, c), difference(c, a)],
            }
        };
        let [u0, v0, w0] = vectors(&features.start);
        let [u1, v1, w1] = vectors(&features.end);
        let (n00, n11) = (u0.cross(&v0), u1.cross(&v1));
        let n01 = u0.cross(&v1).plus(&u1.cross(&v0));
        let coefficients =
            [w0.dot(&n00), w1.dot(&n00).plus(w0.dot(&n01)), w0.dot(&n11).plus(w1.dot(&n01)), w1.dot(&n11)];
        SharpCubic { coefficients, error: 8.0 * UNIT_ROUNDOFF * error }
    }

    fn value(&self, time: f64) -> Double {
        let [a, b, c, d] = self.coefficients;
        let rest = Double::sum(1.0, -time);
        let (square, rest_square) = (Double::product(time, time), rest.times_double(rest));
        let first = a.times_double(rest).plus(b.times(time)).times_double(rest_square);
        first.plus(c.times_double(rest).plus(d.times(time)).times_double(square))
    }

    fn sign(&self, time: f64) -> Option<Sign> {
        let value = self.value(time).high;
        (value.abs() > self.error).then_some(if value > 0.0 { Sign::Positive } else { Sign::Negative })
    }

    fn slope(&self, time: f64) -> f64 {
        let [a, b, c, d] = self.coefficients.map(|coefficient| coefficient.high);
        let rest = 1.0 - time;
        (b - 3.0 * a) * rest * rest + 2.0 * (c - b) * rest * time + (3.0 * d - c) * time * time
    }

    /// The floats next to the only root between two times, if they can be told; there is a sign before the root.
    pub(super) fn float_bracket(&self, before: Sign, lower: f64, upper: f64) -> Option<(f64, f64)> {
        let guess = 0.5 * (lower + upper);
        let root = guess - self.value(guess).high / self.slope(guess);
        // Strictly between, with its neighbours; NaN is not.
        if !(root > lower.next_up() && root < upper.next_down()) {
            return None;
        }
        let bracket = match self.sign(root)? == before {
            true => (root, root.next_up()),
            false => (root.next_down(), root),
        };
        let is_right = self.sign(bracket.0)? == before && self.sign(bracket.1)? != before;
        is_right.then_some(bracket)
    }
}
