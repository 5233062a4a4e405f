//! Points on the unit circle, the same bits on every platform.
//!
//! `f64::sin` and `f64::cos` call the platform's mathematics library, whose last bit differs between
//! systems. A polynomial of plain sums and products does not.

use glam::DVec2;
use std::f64::consts::TAU;

/// `(cos, sin)` of an angle given in turns, within `1e-15` for up to a turn; right angles are exact.
///
/// ```
/// use clearance::{glam::DVec2, shape::sample::circle_point};
/// assert_eq!(circle_point(0.25), DVec2::Y);
/// ```
pub fn circle_point(turns: f64) -> DVec2 {
    let eighths = (8.0 * turns).round();
    // Exact: the rounded number is close to 8 turns, or both are integers (Sterbenz).
    let rest = (8.0 * turns - eighths) * (TAU / 8.0);
    // An odd eighth is reached from its neighbour, so that the polynomial sees at most an eighth.
    let octant = eighths.rem_euclid(8.0) as u32;
    let (quarter, angle) = match octant % 2 {
        0 => (octant / 2, rest),
        _ if rest <= 0.0 => (octant / 2, rest + TAU / 8.0),
        _ => (octant / 2 + 1, rest - TAU / 8.0),
    };
    let (x, y) = (cosine(angle), sine(angle));
    match quarter % 4 {
        0 => DVec2::new(x, y),
        1 => DVec2::new(-y, x),
        2 => DVec2::new(-x, -y),
        _ => DVec2::new(y, -x),
    }
}

/// `(cos, sin)` of an angle in radians; see [`circle_point`].
pub(crate) fn circle_point_at(radians: f64) -> DVec2 {
    circle_point(radians / TAU)
}

/// The corners of a regular polygon on the unit circle, counter-clockwise from `+x`.
pub(crate) fn regular_polygon(corners: u32) -> impl Iterator<Item = DVec2> {
    (0..corners).map(move |i| circle_point(f64::from(i) / f64::from(corners)))
}

/// Taylor's series for `|x| <= pi / 4`; the first term left out is below `1e-17`.
fn sine(x: f64) -> f64 {
    let square = x * x;
    let mut sum = 1.0;
    for k in [16.0, 14.0, 12.0, 10.0, 8.0, 6.0, 4.0, 2.0] {
        sum = 1.0 - square / (k * (k + 1.0)) * sum;
    }
    x * sum
}

/// Taylor's series for `|x| <= pi / 4`.
fn cosine(x: f64) -> f64 {
    let square = x * x;
    let mut sum = 1.0;
    for k in [17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0] {
        sum = 1.0 - square / (k * (k + 1.0)) * sum;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sine_and_cosine_agree_with_the_platform() {
        for i in -4000..4000 {
            let turns = f64::from(i) / 1873.0;
            let point = circle_point(turns);
            let (sine, cosine) = (TAU * turns).sin_cos();
            assert!((point - DVec2::new(cosine, sine)).length() < 4e-15, "{turns}");
            assert!((circle_point_at(TAU * turns) - point).length() < 1e-14);
        }
    }

    #[test]
    fn points_stay_on_the_circle() {
        for i in 0..1000 {
            let length = circle_point(f64::from(i) / 1000.0).length();
            assert!((length - 1.0).abs() < 5e-16, "{i}: {length}");
        }
    }

    #[test]
    fn right_angles_are_exact() {
        assert_eq!(circle_point(0.0), DVec2::X);
        assert_eq!(circle_point(-0.25), DVec2::NEG_Y);
        assert_eq!(circle_point(0.5), DVec2::NEG_X);
        assert_eq!(circle_point(12.75), DVec2::NEG_Y);
    }
}
