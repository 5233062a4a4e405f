//! The triangles along a ray, near ones first.

use super::Tree;
use super::lanes::Lanes;
use super::local::ToLocal;
use super::ordered::{Order, Walk};
use crate::math::Pose;
use crate::math::round::{UNIT_ROUNDOFF, exponent_of, power_of_two, scaled};
use glam::DVec3;
use wide::f32x8;

/// Coordinates of a direction below this count as this: over the whole mesh that moves the ray by less than `f32` does.
const SLOWEST: f64 = power_of_two(-30);

impl Tree {
    /// Calls `visit` for the triangles that the ray `origin + t direction`, `0 <= t <= max_t`, of the world may meet, near
    /// ones first, roughly. `visit` may return a smaller end of the ray.
    ///
    /// Every triangle that the exact ray up to its last end meets under the exact pose is visited. The direction is not
    /// zero; all coordinates are at most `2^300` in size. No allocation.
    pub fn visit_along(
        &self,
        pose: &Pose,
        [origin, direction]: [DVec3; 2],
        max_t: f64,
        visit: impl FnMut(u32) -> Option<f64>,
    ) {
        let mut slabs = Slabs::new(&ToLocal::new(self, pose), origin, direction);
        let limit = slabs.limit(max_t);
        Walk::run(self, slabs, limit, visit);
    }
}

/// The ray in local coordinates, `origin + s direction`, from a point close to the mesh.
///
/// The largest coordinate of the direction is one, so an error of `s` moves a point by as much.
struct Slabs {
    /// The origin and the margin by which boxes grow.
    origin_up: [f32x8; 3],
    origin_down: [f32x8; 3],
    inverse: [f32x8; 3],
    /// The least `s`.
    start: f32x8,
    /// `s = speed * t - shift`.
    speed: f64,
    shift: f64,
    margin: f64,
}

impl Slabs {
    /// Proof of the margin. `E` bounds what `f64` did: the error of the origin, and `70u` of every unit of `s`, which is
    /// at most `|origin| + 8` where the ray is near the mesh. In `f32` with `e = 2^-24` and `k = 1 + |start point|` the
    /// point, the grown origin, the difference, the inverse and the product err by `e k` each, moved along the ray, and
    /// corners by `e / 2`: less than `16 e k` in all.
    fn new(to_local: &ToLocal, origin: DVec3, direction: DVec3) -> Slabs {
        let exponent = exponent_of(direction.abs().max_element());
        let unit = DVec3::from_array(direction.to_array().map(|x| scaled(x, -exponent)));
        let (along, speed) = to_local.direction(unit);
        let (far, error) = to_local.point(origin);
        let reach = far.abs().max_element();
        let steps = DVec3::from_array(along.to_array().map(|x| {
            let size = x.abs().max(SLOWEST);
            if x < 0.0 { -size } else { size }
        }));
        // The ray starts where it comes into a cube twice as large as the mesh, whose points are at most 1 in size.
        let entry = ((-2.0 * steps.signum() - far) / steps).max_element().clamp(0.0, reach + 3.0);
        let near = far + along * entry;
        let error = error + 100.0 * UNIT_ROUNDOFF * (reach + entry + 8.0);
        let margin = 16.0 * f32x8::ROUNDOFF * (1.0 + near.abs().max_element()) + 2.0 * error;
        // Where floats do not resolve the mesh every triangle is visited.
        let (near, margin) = if error < 0.25 { (near, margin) } else { (DVec3::ZERO, f64::INFINITY) };
        let speed = scaled(speed * to_local.scale, exponent);
        Slabs {
            origin_up: near.to_array().map(|x| f32x8::splat(x as f32) + f32x8::splat_up(margin)),
            origin_down: near.to_array().map(|x| f32x8::splat(x as f32) - f32x8::splat_up(margin)),
            inverse: steps.to_array().map(|x| f32x8::splat(x.recip() as f32)),
            start: f32x8::ZERO - f32x8::splat_up(margin),
            speed,
            shift: entry,
            margin,
        }
    }
}

impl Order for Slabs {
    type L = f32x8;
    /// A `t`.
    type Found = f64;

    #[inline(always)]
    fn keys(&self, low: [f32x8; 3], high: [f32x8; 3], limit: f32x8) -> (f32x8, u32) {
        let (mut near, mut far) = (self.start, limit);
        for axis in 0..3 {
            let first = (low[axis] - self.origin_up[axis]) * self.inverse[axis];
            let second = (high[axis] - self.origin_down[axis]) * self.inverse[axis];
            near = near.greatest(first.least(second));
            far = far.least(first.greatest(second));
        }
        (near, near.at_most(far))
    }

    /// Speeds that are no normal number say nothing about how far a `t` leads.
    fn limit(&mut self, t: f64) -> f64 {
        if self.speed.is_normal() && self.margin.is_finite() {
            t * self.speed - self.shift + self.margin
        } else {
            f64::INFINITY
        }
    }
}
