//! The volume that four moving vertices span, as a cubic polynomial of time in Bernstein's basis, by floats with an error
//! bound.
//!
//! With `b_0 .. b_3` the polynomial is `b_0 (1-t)^3 + 3 b_1 (1-t)^2 t + 3 b_2 (1-t) t^2 + b_3 t^3`. It lies between the
//! smallest and the largest coefficient from 0 to 1, and has there at most as many roots as the signs of the coefficients
//! change, and as many up to an even number (Descartes).

use super::Kind;
use super::feature::Features;
use crate::exact::{Sign, orient3d};
use crate::math::round::{UNIT_ROUNDOFF, power_of_two};
use glam::DVec3;

/// Six times the volume.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cubic {
    coefficients: [f64; 4],
    /// No coefficient errs by more.
    error: f64,
}

/// A polynomial with the same signs during a part of the time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) from: f64,
    pub(super) to: f64,
    coefficients: [f64; 4],
    error: f64,
    /// Its signs at both ends: proved, not zero.
    ends: [Sign; 2],
}

/// Error bounds below this are not trusted. What underflows is at most `2^-1075` a product, times a coordinate of `2^301`.
const SMALLEST_ERROR: f64 = power_of_two(-545);

impl Cubic {
    /// With `u`, `v`, `w` between vertices at times 0 and 1 and a third for `b_1` and `b_2`: three differences, two products,
    /// a difference in the vector product, a sum of two such, two sums in the scalar product, a sum of two such, and a
    /// third of that round twelve times. So each coefficient errs by less than `12.1u` of the sum of the sizes of its
    /// products, and that is at most the permanent `p` of the largest coordinates; `13u` covers the rounding of `p`.
    #[inline]
    pub(super) fn new(features: &Features) -> Cubic {
        let vectors = |points: &[DVec3; 4]| {
            let [a, b, c, d] = *points;
            match features.kind {
                Kind::VertexFace => [c - b, d - b, a - b],
                Kind::EdgeEdge => [b - a, d - c, c - a],
            }
        };
        let [u0, v0, w0] = vectors(&features.start);
        let [u1, v1, w1] = vectors(&features.end);
        let (n00, n01, n11) = (u0.cross(v0), u0.cross(v1) + u1.cross(v0), u1.cross(v1));
        const THIRD: f64 = 1.0 / 3.0;
        let coefficients = [
            w0.dot(n00),
            (w1.dot(n00) + w0.dot(n01)) * THIRD,
            (w0.dot(n11) + w1.dot(n01)) * THIRD,
            w1.dot(n11),
        ];
        let (u, v, w) = (u0.abs().max(u1.abs()), v0.abs().max(v1.abs()), w0.abs().max(w1.abs()));
        let minors = DVec3::new(u.y * v.z + u.z * v.y, u.z * v.x + u.x * v.z, u.x * v.y + u.y * v.x);
        Cubic { coefficients, error: 13.0 * UNIT_ROUNDOFF * w.dot(minors) }
    }

    /// Whether the error bound holds: it is so large that underflow does not count.
    pub(super) fn is_trusted(&self) -> bool {
        self.error > SMALLEST_ERROR
    }

    /// What no coefficient errs by more than: `13u` of the permanent of the largest coordinates.
    pub(super) fn error(&self) -> f64 {
        self.error
    }

    /// Whether it has no root from 0 to 1, by the signs of its coefficients.
    #[inline]
    pub(super) fn has_one_sign(&self) -> bool {
        let [a, b, c, d] = self.coefficients;
        a.min(b).min(c.min(d)) > self.error || a.max(b).max(c.max(d)) < -self.error
    }

    /// The exact sign at time 0.
    pub(super) fn sign_at_start(&self, features: &Features) -> Sign {
        known(self.coefficients[0], self.error).unwrap_or_else(|| volume_sign(features.kind, &features.start))
    }

    /// The exact sign at time 1.
    pub(super) fn sign_at_end(&self, features: &Features) -> Sign {
        known(self.coefficients[3], self.error).unwrap_or_else(|| volume_sign(features.kind, &features.end))
    }

    /// The polynomial divided by `t` if it is zero at the start, and by `1 - t` if it is zero at the end; `None` if it may
    /// still be zero there.
    ///
    /// New coefficients are sums of at most three times old ones: their error is at most three times the old one, and
    /// less than a third of it comes from rounding.
    pub(super) fn without_roots_at_ends(&self, start: Sign, end: Sign) -> Option<Piece> {
        let ([a, b, c, d], error) = (self.coefficients, self.error);
        const THIRD: f64 = 1.0 / 3.0;
        let (coefficients, error) = match (start.is_zero(), end.is_zero()) {
            (false, false) => ([a, b, c, d], error),
            (true, false) => ([3.0 * b, b + c, c + THIRD * d, d], 4.0 * error),
            (false, true) => ([a, THIRD * a + b, b + c, 3.0 * c], 4.0 * error),
            (true, true) => ([3.0 * b, 2.0 * b + c, b + 2.0 * c, 3.0 * c], 4.0 * error),
        };
        let start = if start.is_zero() { known(coefficients[0], error)? } else { start };
        let end = if end.is_zero() { known(coefficients[3], error)? } else { end };
        Some(Piece { from: 0.0, to: 1.0, coefficients, error, ends: [start, end] })
    }
}

/// The sign of a number that errs by at most a bound.
fn known(value: f64, error: f64) -> Option<Sign> {
    if value > error {
        Some(Sign::Positive)
    } else if value < -error {
        Some(Sign::Negative)
    } else {
        None
    }
}

/// The exact sign of the volume at one time; that of the coefficients.
fn volume_sign(kind: Kind, &[a, b, c, d]: &[DVec3; 4]) -> Sign {
    match kind {
        Kind::VertexFace => orient3d(b, c, d, a),
        Kind::EdgeEdge => orient3d(a, b, d, c),
    }
}

impl Piece {
    fn inner_signs(&self) -> [Option<Sign>; 2] {
        [1, 2].map(|i| known(self.coefficients[i], self.error))
    }

    /// Whether all coefficients have one sign.
    pub(super) fn has_no_root(&self) -> bool {
        let [start, end] = self.ends;
        start == end && self.inner_signs() == [Some(start); 2]
    }

    /// Whether the signs of the coefficients change once, whatever those that are not known are.
    pub(super) fn has_one_root(&self) -> bool {
        let ([start, end], [second, third]) = (self.ends, self.inner_signs());
        start != end && (second == Some(start) || third == Some(end))
    }

    /// The sign of the volume from the start of the piece to its only root.
    pub(super) fn sign_before_root(&self) -> Sign {
        self.ends[0]
    }

    /// De Casteljau's triangle at a share of the piece: both halves' coefficients.
    ///
    /// Each of three rounds errs by `3u` of the largest coefficient: `1 - share`, the products and the sum. With `p` of
    /// [`Cubic::new`] that coefficient is at most `p` and the error at least `13u p`, or `3p` and `52u p` if roots at the
    /// ends were taken out: rounding adds at most `0.7` of the error, and callers take `1.75` of it.
    fn halves(&self, share: f64) -> [[f64; 4]; 2] {
        let [a, b, c, d] = self.coefficients;
        let rest = 1.0 - share;
        let (ab, bc, cd) = (a * rest + b * share, b * rest + c * share, c * rest + d * share);
        let (abc, bcd) = (ab * rest + bc * share, bc * rest + cd * share);
        let middle = abc * rest + bcd * share;
        [[a, ab, abc, middle], [middle, bcd, cd, d]]
    }

    /// Two pieces, the first one first; `None` if no sign between them is certain.
    pub(super) fn split(&self) -> Option<(Piece, Piece)> {
        // Roots in the middle are more common than at 7/16.
        let error = 1.75 * self.error;
        [0.5, 0.4375].iter().find_map(|&share| {
            let [first, second] = self.halves(share);
            let sign = known(first[3], error)?;
            let middle = self.from + share * (self.to - self.from);
            let piece = |coefficients, from, to, ends| Piece { from, to, coefficients, error, ends };
            let [start, end] = self.ends;
            let first = piece(first, self.from, middle, [start, sign]);
            Some((first, piece(second, middle, self.to, [sign, end])))
        })
    }

    /// Times around the only root, with the signs of the ends there.
    pub(super) fn root_bracket(&self) -> (f64, f64) {
        let error = 1.75 * self.error;
        let value = |share: f64| self.halves(share)[0][3];
        let side = |share: f64| known(value(share), error);
        let guess = self.proposal();
        let (mut lower, mut upper) = (0.0, 1.0);
        // Steps of a width that rounding cannot blur if the slope is what it seems to be, then wider ones.
        let mut width = 2.0 * error / self.slope(guess).abs() + 4.0 * f64::EPSILON;
        for _ in 0..3 {
            if lower == 0.0 && guess - width > 0.0 && side(guess - width) == Some(self.ends[0]) {
                lower = guess - width;
            }
            if upper == 1.0 && guess + width < 1.0 && side(guess + width) == Some(self.ends[1]) {
                upper = guess + width;
            }
            width *= 16.0;
        }
        self.times(lower, upper)
    }

    /// Shares of the piece as times, rounded outward.
    fn times(&self, lower: f64, upper: f64) -> (f64, f64) {
        let length = self.to - self.from;
        // The ends of pieces have few bits; product and sum round by at most `u` each.
        let time = |share: f64| self.from + share * length;
        let slack = 4.0 * UNIT_ROUNDOFF;
        let first = if lower == 0.0 { self.from } else { (time(lower) - slack).max(self.from) };
        let last = if upper == 1.0 { self.to } else { (time(upper) + slack).min(self.to) };
        (first, last)
    }

    fn slope(&self, share: f64) -> f64 {
        let [a, b, c, d] = self.coefficients;
        let rest = 1.0 - share;
        3.0 * ((b - a) * rest * rest + 2.0 * (c - b) * rest * share + (d - c) * share * share)
    }

    /// A share of the piece near its only root, by Newton's steps or halves.
    fn proposal(&self) -> f64 {
        let [a, b, c, d] = self.coefficients;
        let (linear, square, cube) = (3.0 * (b - a), 3.0 * (c - 2.0 * b + a), d - 3.0 * (c - b) - a);
        let (mut lower, mut upper) = (0.0, 1.0);
        let is_falling = self.ends[0].is_positive();
        let mut share = if a == d { 0.5 } else { (a / (a - d)).clamp(0.01, 0.99) };
        for _ in 0..20 {
            let value = a + share * (linear + share * (square + share * cube));
            let slope = linear + share * (2.0 * square + share * 3.0 * cube);
            if (value > 0.0) == is_falling {
                lower = share
            } else {
                upper = share
            }
            let newton = share - value / slope;
            // The error of a step is about its square: this one is the last.
            if (newton - share).abs() < 1e-9 {
                return newton.clamp(0.0, 1.0);
            }
            share = if newton > lower && newton < upper { newton } else { 0.5 * (lower + upper) };
        }
        share
    }
}
