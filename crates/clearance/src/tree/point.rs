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
    /// roughly. `visit` may return an upper bound of the distance, and the way from the point to where it was found, with
    /// any error: speed depends on that, answers do not.
    ///
    /// Every triangle that was not visited is farther away, under the exact pose, than the least bound returned. The
    /// point's coordinates are given with the error of each. No allocation.
    pub fn visit_around(
        &self,
        pose: &Pose,
        point: DVec3,
        error: f64,
        visit: impl FnMut(u32) -> Option<(f64, DVec3)>,
    ) {
        let to_local = ToLocal::new(self, pose);
        let (at, rounding) = to_local.point(point);
        // The inverse of a rotation lengthens a vector of three such errors by less than 2.
        let error = rounding + 2.0 * error * to_local.scale;
        if at.abs().max_element() <= SINGLE_REACH {
            Walk::run(self, Around::<f32x8>::new(to_local, at, error), f64::INFINITY, visit);
        } else {
            Walk::run(self, Around::<f64x8>::new(to_local, at, error), f64::INFINITY, visit);
        }
    }
}

/// A point in local coordinates; keys are squares of distances.
///
/// Boxes are compared along the axes and along one direction, that to the nearest triangle so far: where the mesh is
/// convex, as seen from the point, the plane across it has most triangles behind it.
struct Around<L> {
    to_local: ToLocal,
    point: DVec3,
    /// By how much boxes grow.
    margin: f64,
    /// The point and the margin.
    up: [L; 3],
    down: [L; 3],
    /// A direction of length at most 1.
    guide: [L; 3],
    /// Not below the product of the guide with the exact point, and with room for what rounding does to others.
    guide_start: L,
}

impl<L: Lanes> Around<L> {
    /// With `e` the roundoff of lanes and `k = 1 + |point|`, the point, the grown point and the difference err by `e k`
    /// each, and corners by `2^-25`. The square of a length errs by `5e` relative, which the limit allows for.
    fn new(to_local: ToLocal, point: DVec3, error: f64) -> Around<L> {
        let margin = power_of_two(-24) + 4.0 * L::ROUNDOFF * (1.0 + point.abs().max_element()) + error;
        Around {
            to_local,
            point,
            margin,
            up: point.to_array().map(|x| L::splat(x) + L::splat_up(margin)),
            down: point.to_array().map(|x| L::splat(x) - L::splat_up(margin)),
            guide: [L::splat(0.0); 3],
            guide_start: L::splat(0.0),
        }
    }

    /// What lanes hold is the guide. The product with a corner errs by `4e` of at most `1.8`, that with the point by the
    /// error of the point, part of the margin, times `1.8`; its start and the difference round by `e` of `2k` each.
    fn set_guide(&mut self, toward: DVec3) {
        self.guide = self.to_local.unit(toward, L::SLACK).to_array().map(L::splat);
        let guide = DVec3::from_array(self.guide.each_ref().map(|x| x.lane(0)));
        let slack = 4.0 * self.margin + 16.0 * L::ROUNDOFF * (1.0 + self.point.abs().max_element());
        self.guide_start = L::splat_up(guide.dot(self.point) + slack);
    }

    /// The key of what begins there along the guide; it counts if it is the larger.
    #[inline(always)]
    fn with_guide(&self, key: L, reach: L, limit: L) -> (L, u32) {
        let gap = (reach - self.guide_start).greatest(L::splat(0.0));
        let key = key.greatest(gap * gap);
        (key, key.at_most(limit))
    }

    #[inline(always)]
    fn box_key(&self, low: [L; 3], high: [L; 3]) -> L {
        let square = |axis: usize| {
            let gap = (low[axis] - self.up[axis]).greatest(self.down[axis] - high[axis]);
            let gap = gap.greatest(L::splat(0.0));
            gap * gap
        };
        square(0) + square(1) + square(2)
    }
}

impl<L: Lanes> Order for Around<L> {
    type L = L;
    type Found = (f64, DVec3);

    #[inline(always)]
    fn keys(&self, low: [L; 3], high: [L; 3], limit: L) -> (L, u32) {
        let [x, y, z] = [0, 1, 2].map(|k| (self.guide[k] * low[k]).least(self.guide[k] * high[k]));
        self.with_guide(self.box_key(low, high), x + y + z, limit)
    }

    #[inline(always)]
    fn corner_keys(&self, corners: [[L; 3]; 3], limit: L) -> (L, u32) {
        let [p, q, r] = corners;
        let low = std::array::from_fn(|axis| p[axis].least(q[axis]).least(r[axis]));
        let high = std::array::from_fn(|axis| p[axis].greatest(q[axis]).greatest(r[axis]));
        let [x, y, z] = self.guide;
        let [p, q, r] = corners.map(|corner| x * corner[0] + y * corner[1] + z * corner[2]);
        self.with_guide(self.box_key(low, high), p.least(q).least(r), limit)
    }

    fn limit(&mut self, (distance, toward): (f64, DVec3)) -> f64 {
        self.set_guide(toward);
        let local = distance * self.to_local.scale;
        local * local * (1.0 + L::SLACK + 4.0 * STRETCH)
    }
}
