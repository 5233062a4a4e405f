//! The triangles around a point, near ones first.

use super::Tree;
use super::lanes::Lanes;
use super::local::ToLocal;
use super::ordered::{Order, Walk};
use crate::math::Pose;
use crate::math::round::power_of_two;
use glam::DVec3;
use wide::{f32x8, f64x8};

/// Points with larger local coordinates are compared in `f64`.
const SINGLE_REACH: f64 = 16.0;

/// Lengths in the frame of a body and in the world differ by less than this: poses are orthonormal to `1e-9` an entry.
const STRETCH: f64 = 4e-9;

impl Tree {
    /// Calls `visit` for triangles that may be as near to a point of the world as the nearest so far, near ones first,
    /// roughly. `visit` may return an upper bound of the distance.
    ///
    /// Every triangle that was not visited is farther away, under the exact pose, than the least bound returned. The
    /// point's coordinates are given with the error of each. No allocation.
    pub fn visit_around(&self, pose: &Pose, point: DVec3, error: f64, visit: impl FnMut(u32) -> Option<f64>) {
        let to_local = ToLocal::new(self, pose);
        let (at, rounding) = to_local.point(point);
        // The inverse of a rotation lengthens a vector of three such errors by less than 2.
        let error = rounding + 2.0 * error * to_local.scale;
        if at.abs().max_element() <= SINGLE_REACH {
            Walk::run(self, &Around::<f32x8>::new(at, error, to_local.scale), f64::INFINITY, visit);
        } else {
            Walk::run(self, &Around::<f64x8>::new(at, error, to_local.scale), f64::INFINITY, visit);
        }
    }
}

/// A point in local coordinates; keys are squares of distances.
struct Around<L> {
    /// The point and the margin by which boxes grow.
    up: [L; 3],
    down: [L; 3],
    scale: f64,
}

impl<L: Lanes> Around<L> {
    /// With `e` the roundoff of lanes and `k = 1 + |point|`, the point, the grown point and the difference err by `e k`
    /// each, and corners by `2^-25`. The square of a length errs by `5e` relative, which the limit allows for.
    fn new(point: DVec3, error: f64, scale: f64) -> Around<L> {
        let reach = 1.0 + point.abs().max_element();
        let margin = power_of_two(-24) + 4.0 * L::ROUNDOFF * reach + error;
        Around {
            up: point.to_array().map(|x| L::splat(x) + L::splat_up(margin)),
            down: point.to_array().map(|x| L::splat(x) - L::splat_up(margin)),
            scale,
        }
    }
}

impl<L: Lanes> Order for Around<L> {
    type L = L;

    #[inline(always)]
    fn keys(&self, low: [L; 3], high: [L; 3], limit: L) -> (L, u32) {
        let square = |axis: usize| {
            let gap = (low[axis] - self.up[axis]).greatest(self.down[axis] - high[axis]);
            let gap = gap.greatest(L::splat(0.0));
            gap * gap
        };
        let key = square(0) + square(1) + square(2);
        (key, key.at_most(limit))
    }

    fn limit(&self, distance: f64) -> f64 {
        let local = distance * self.scale;
        local * local * (1.0 + L::SLACK + 4.0 * STRETCH)
    }
}
