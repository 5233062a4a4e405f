//! Coordinates in `f32`, relative to an origin and a unit of the mesh: neither offset nor scale costs digits.

use crate::Aabb;
use crate::math::round::{exponent_of, power_of_two};
use glam::DVec3;
use wide::f32x4;

/// Below this a mesh keeps the unit `2^-900`, so that the inverse unit is a float; its boxes become coarser, not wrong.
const LEAST_EXPONENT: i32 = -900;

/// `local = (point - origin) / 2^exponent`, at most `1 + u` in size for every point of the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    pub origin: DVec3,
    pub exponent: i32,
}

impl Frame {
    /// The frame of a mesh with these bounds.
    pub fn of_box(bounds: Aabb) -> Frame {
        let origin = bounds.center();
        let reach = (bounds.max - origin).max(origin - bounds.min).max_element();
        let exponent = if reach > 0.0 { exponent_of(reach) + 1 } else { LEAST_EXPONENT };
        Frame { origin, exponent: exponent.max(LEAST_EXPONENT) }
    }

    /// The local coordinates, each with a relative error of at most `u = 2^-53`; zero is exact.
    #[inline]
    pub fn local(&self, point: DVec3) -> DVec3 {
        (point - self.origin) * power_of_two(-self.exponent)
    }

    /// The local coordinates, rounded to nearest; the last lane is zero.
    #[inline]
    pub fn rounded(&self, point: DVec3) -> f32x4 {
        let [x, y, z] = self.local(point).to_array().map(|x| x as f32);
        f32x4::new([x, y, z, 0.0])
    }
}

/// Floats below any numbers that round to `x` in `f32`.
///
/// Rounding errs by `2^-24` relative, before this and in its difference, or by `2^-150` for tiny numbers: less than what is
/// taken away. Sides through the origin, of which symmetric bodies have many, are moved by so much that they stay normal
/// numbers when they are scaled: others take some processors a hundred cycles each.
#[inline]
pub(super) fn below(x: f32x4) -> f32x4 {
    x - (x.abs() * power_of_two(-22) as f32 + power_of_two(-100) as f32)
}

/// Floats above any numbers that round to `x` in `f32`.
#[inline]
pub(super) fn above(x: f32x4) -> f32x4 {
    -below(-x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_at_most_one_at_any_scale_and_offset() {
        for (scale, offset) in [(1.0, 0.0), (1e-9, 0.0), (1.0, 1e6), (2f64.powi(300), 0.0), (1e-300, 0.0)] {
            let bounds = Aabb { min: DVec3::splat(offset), max: DVec3::splat(offset + scale) };
            let frame = Frame::of_box(bounds);
            for corner in [bounds.min, bounds.max] {
                let reach = frame.local(corner).abs().max_element();
                assert!(reach <= 1.0 && (reach >= 0.5 || scale < 1e-200), "{reach} {scale} {offset}");
            }
        }
    }

    #[test]
    fn rounding_outward_leaves_room_for_the_rounding_before_it() {
        for x in [0.1f64, 0.5, 1.0, 1e-30, 1e-45, 1e-60, 0.0] {
            for x in [x, -x] {
                let sides = [below, above].map(|side| side(f32x4::splat(x as f32)).to_array()[0]);
                let [low, high] = sides.map(f64::from);
                assert!(low < x - x.abs() * 1.2e-16 && x + x.abs() * 1.2e-16 < high, "{x}");
                assert!(high - low <= 6.0 * f64::from(f32::EPSILON) * x.abs() + power_of_two(-98), "{x}");
                assert!(sides.iter().all(|side| side.is_normal()), "{x}");
            }
        }
    }
}
