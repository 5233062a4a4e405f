//! What a support function answers, and the arithmetic that all of them share.

use crate::math::round::{UNIT_ROUNDOFF, dot_up, exponent_of, scaled};
use glam::{DVec2, DVec3};

/// A point of a body that is extreme in a direction, with a proved bound of both its faults.
///
/// The true body has a point within `error` of `point`, and no point of the body lies further than
/// `error` beyond `point` along the direction (scaled to length one). Everything is in the body's
/// own frame and unit of length. The zero direction is read as `+x`; for it every point of a body
/// is extreme. A direction that is not finite gets a point of the body with an infinite error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SupportPoint {
    /// The extreme point.
    pub point: DVec3,
    /// A length; zero when the point is exactly an extreme point of the body.
    pub error: f64,
}

impl SupportPoint {
    /// The answer for a direction, whose error is replaced by infinity unless the direction is finite.
    pub(crate) fn new(direction: DVec3, point: DVec3, error: f64) -> SupportPoint {
        SupportPoint { point, error: if direction.is_finite() { error } else { f64::INFINITY } }
    }
}

/// The direction times a power of two, its largest entry in `[1, 2)`; `+x` for a zero or non-finite one.
///
/// Exact but for entries below `2^-1022` of the largest, which err by at most `2^-1075`.
pub(crate) fn normal_range(direction: DVec3) -> DVec3 {
    let largest = direction.abs().max_element();
    if largest == 0.0 || !direction.is_finite() {
        return DVec3::X;
    }
    let exponent = exponent_of(largest);
    DVec3::from_array(direction.to_array().map(|x| scaled(x, -exponent)))
}

/// The unit vector along a direction; each entry errs by at most `4u` of itself, `u = 2^-53`.
///
/// The squared length errs by `3u` relative, its root by `1.5u + u`, the quotient by another `u`:
/// `3.5u` and terms of second order. Underflow is below `2^-1070` in all.
pub(crate) fn unit(direction: DVec3) -> DVec3 {
    let direction = normal_range(direction);
    direction / direction.dot(direction).sqrt()
}

/// [`unit`] in the plane `z = 0`.
pub(crate) fn unit_across(direction: DVec3) -> DVec2 {
    unit(direction.truncate().extend(0.0)).truncate()
}

/// `size` with the sign of `x`; zero counts as positive.
pub(crate) fn signed(size: f64, x: f64) -> f64 {
    if x >= 0.0 { size } else { -size }
}

/// The point with the largest float dot product, the first of equals.
///
/// Let `m` be the largest coordinate. A float dot product errs by less than `3.01u |d|_1 m`, so the
/// choice errs by twice that over `|d|`, which is below `10.5u m`: the error returned is `12u m`,
/// plus `2^-1022` for underflow. One point has no error.
pub(crate) fn support_of_points(first: DVec3, rest: &[DVec3], direction: DVec3) -> SupportPoint {
    let in_range = normal_range(direction);
    let (mut best, mut best_dot, mut coordinate) = (first, first.dot(in_range), first.abs().max_element());
    for &point in rest {
        let dot = point.dot(in_range);
        if dot > best_dot {
            (best, best_dot) = (point, dot);
        }
        coordinate = coordinate.max(point.abs().max_element());
    }
    let error = if rest.is_empty() { 0.0 } else { 12.0 * UNIT_ROUNDOFF * coordinate + f64::MIN_POSITIVE };
    SupportPoint::new(direction, best, error)
}

/// The largest dot product, rounded upward; `-inf` if there are no points.
pub(crate) fn extent_of_points(points: &[DVec3], direction: DVec3) -> f64 {
    if !direction.is_finite() {
        return f64::INFINITY;
    }
    points.iter().fold(f64::NEG_INFINITY, |largest, &point| largest.max(dot_up(direction, point)))
}

/// An extent that is infinite, and so no lie, for a direction that is not finite.
pub(crate) fn checked_extent(direction: DVec3, extent: impl FnOnce() -> f64) -> f64 {
    if direction.is_finite() { extent() } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_direction_comes_into_range() {
        for direction in [
            DVec3::new(1e300, -1e-300, 0.0),
            DVec3::new(5e-324, 0.0, -1e-323),
            DVec3::new(0.3, -1.7e308, 1e308),
        ] {
            let largest = normal_range(direction).abs().max_element();
            assert!((1.0..2.0).contains(&largest), "{direction:?}");
            assert!((unit(direction).length() - 1.0).abs() < 1e-15);
        }
        assert_eq!(unit(DVec3::ZERO), DVec3::X);
        assert_eq!(unit(DVec3::NAN), DVec3::X);
    }
}
