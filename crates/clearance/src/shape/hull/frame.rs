//! The point set in a unit of its own size, for float filters.

use crate::exact::{self, Sign};
use glam::DVec3;

/// A power of two that brings `size` into `[0.5, 1)`, or as near as one `f64` factor can; 1 for size 0.
pub(crate) fn unit_scale(size: f64) -> f64 {
    if size == 0.0 {
        return 1.0;
    }
    let biased = (size.to_bits() >> 52 & 0x7ff) as i64;
    let exponent = (1022 - biased).clamp(-1022, 1000);
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// Points for float filters beside the exact ones.
///
/// Scaled coordinates are at most 1 in size. Scaling is exact unless tiny coordinates stand beside huge ones and
/// become subnormal; they are then off by at most `2^-1075`, which [`Plane`] allows for.
pub(super) struct Frame<'a> {
    points: &'a [DVec3],
    /// Which input point stands at each place.
    pub order: Vec<u32>,
    /// Its scaled coordinates.
    pub scaled: Vec<DVec3>,
    extent: DVec3,
}

/// A plane in scaled coordinates through an anchor point, with a bound of the error of [`Plane::height`].
#[derive(Clone, Copy)]
pub(super) struct Plane {
    pub normal: DVec3,
    pub bound: f64,
}

impl<'a> Frame<'a> {
    pub fn new(points: &'a [DVec3], order: Vec<u32>, scale: f64) -> Frame<'a> {
        let scaled: Vec<DVec3> = order.iter().map(|&i| points[i as usize] * scale).collect();
        let (min, max) = scaled
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), p| (min.min(*p), max.max(*p)));
        Frame { points, order, scaled, extent: max - min }
    }

    pub fn exact(&self, place: u32) -> DVec3 {
        self.points[self.order[place as usize] as usize]
    }

    /// On which side of the plane `abc` the point `d` lies; exact.
    pub fn side(&self, [a, b, c]: [u32; 3], d: u32) -> Sign {
        exact::orient3d(self.exact(a), self.exact(b), self.exact(c), self.exact(d))
    }

    /// The plane through three points, anchored at the first.
    ///
    /// `height(p) = n . (p - a)` with `n = (b - a) x (c - a)` is a sum of six products. In each, the three rounded
    /// differences, the two multiplications, the subtraction inside `n` and the two additions of the dot product
    /// are eight factors `1 + e`, `|e| <= u = 2^-53`: the error is at most `8u / (1 - 8u)` times the sum of the
    /// products' sizes, and that sum is at most `size . extent`. Rounding of `size`, `extent` and their product adds
    /// a few `u` more relatively, covered by taking `10u`. Underflow in products and in scaling adds less than
    /// `2^-1060`, since all factors are at most 2; `UNDERFLOW` covers it.
    pub fn plane(&self, [a, b, c]: [u32; 3]) -> Plane {
        const UNDERFLOW: f64 = f64::from_bits((1023 - 1000) << 52);
        const FILTER: f64 = 5.0 * f64::EPSILON;
        let a = self.scaled[a as usize];
        let (u, v) = (self.scaled[b as usize] - a, self.scaled[c as usize] - a);
        let left = DVec3::new(u.y * v.z, u.z * v.x, u.x * v.y);
        let right = DVec3::new(u.z * v.y, u.x * v.z, u.y * v.x);
        let size = left.abs() + right.abs();
        Plane { normal: left - right, bound: FILTER * size.dot(self.extent) + UNDERFLOW }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_bring_sizes_to_one() {
        for size in [1.0, 0.999, 1e-150, 1e90, 1e-300, 1e300] {
            let scaled = size * unit_scale(size);
            assert!((0.5..1.0).contains(&scaled), "{size:e} became {scaled}");
        }
        assert!(unit_scale(f64::from_bits(1)).is_finite() && unit_scale(0.0) == 1.0);
    }
}
