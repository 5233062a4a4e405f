//! The point set in a unit of its own size, for float filters.

use super::dimension::PROJECTIONS;
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
    pub extent: DVec3,
    arithmetic: Arithmetic,
}

/// What is known about float arithmetic on the scaled coordinates.
#[derive(Clone, Copy, PartialEq)]
enum Arithmetic {
    /// All coordinates are multiples of `2^-15`: determinants need at most 51 bits and are exact.
    Exact,
    /// Scaling was exact, so differences have the right sign.
    Rounded,
    /// Some coordinates lost bits in scaling.
    Lossy,
}

/// A plane in scaled coordinates through an anchor point.
///
/// The float height of a point above it has the right sign if its size exceeds the bound; a negative bound says that
/// the sign is right even when it is zero.
#[derive(Clone, Copy)]
pub(super) struct Plane {
    pub normal: DVec3,
    pub bound: f64,
}

impl Plane {
    const ALWAYS_RIGHT: f64 = -1.0;

    pub fn height(&self, anchor: DVec3, point: DVec3) -> f64 {
        self.normal.dot(point - anchor)
    }
}

impl<'a> Frame<'a> {
    /// The points in the given order; `scale` is a power of two that brings them all to size 1 or less.
    pub fn new(points: &'a [DVec3], order: Vec<u32>, scale: f64) -> Frame<'a> {
        let scaled: Vec<DVec3> = order.iter().map(|&i| points[i as usize] * scale).collect();
        let (min, max) = scaled
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), p| (min.min(*p), max.max(*p)));
        let unscaled = |p: &DVec3| *p * scale.recip();
        let lossless =
            scale >= 1.0 || order.iter().zip(&scaled).all(|(&i, p)| unscaled(p) == points[i as usize]);
        let integral = || scaled.iter().all(|p| (*p * 32768.0).round() == *p * 32768.0);
        let arithmetic = match lossless {
            true if integral() => Arithmetic::Exact,
            true => Arithmetic::Rounded,
            false => Arithmetic::Lossy,
        };
        Frame { points, order, scaled, extent: max - min, arithmetic }
    }

    pub fn exact(&self, place: u32) -> DVec3 {
        self.points[self.order[place as usize] as usize]
    }

    /// On which side of the plane `abc` the point `d` lies; exact.
    pub fn side(&self, [a, b, c]: [u32; 3], d: u32) -> Sign {
        exact::orient3d(self.exact(a), self.exact(b), self.exact(c), self.exact(d))
    }

    /// The same, with the plane of the three points at hand.
    pub fn side_of_plane(&self, plane: &Plane, corners: [u32; 3], d: u32) -> Sign {
        let height = plane.height(self.scaled[corners[0] as usize], self.scaled[d as usize]);
        if height.abs() <= plane.bound {
            return self.side(corners, d);
        }
        match height {
            h if h > 0.0 => Sign::Positive,
            h if h < 0.0 => Sign::Negative,
            _ => Sign::Zero,
        }
    }

    /// The plane through three points, anchored at the first.
    ///
    /// `height(p) = n . (p - a)` with `n = (b - a) x (c - a)` is a sum of six products. In each, the three rounded
    /// differences, the two multiplications, the subtraction inside `n` and the two additions of the dot product
    /// are eight factors `1 + e`, `|e| <= u = 2^-53`: the error is at most `8u / (1 - 8u)` times the sum of the
    /// products' sizes, and that sum is at most `size . extent`. Rounding of `size`, `extent` and their product adds
    /// a few `u` more relatively, covered by taking `10u`. Underflow in products and in scaling adds less than
    /// `2^-1060`, since all factors are at most 2; `UNDERFLOW` covers it.
    pub fn plane(&self, corners: [u32; 3]) -> Plane {
        const UNDERFLOW: f64 = f64::from_bits((1023 - 1000) << 52);
        const FILTER: f64 = 5.0 * f64::EPSILON;
        let [a, b, c] = corners.map(|corner| self.scaled[corner as usize]);
        let (u, v) = (b - a, c - a);
        let left = DVec3::new(u.y * v.z, u.z * v.x, u.x * v.y);
        let right = DVec3::new(u.z * v.y, u.x * v.z, u.y * v.x);
        let flat_axis = (u.abs() + v.abs()).to_array().iter().position(|&x| x == 0.0);
        match (self.arithmetic, flat_axis) {
            (Arithmetic::Exact, _) => Plane { normal: left - right, bound: Plane::ALWAYS_RIGHT },
            (Arithmetic::Rounded, Some(axis)) => self.axis_plane(corners, axis),
            _ => {
                let size = left.abs() + right.abs();
                Plane { normal: left - right, bound: FILTER * size.dot(self.extent) + UNDERFLOW }
            }
        }
    }

    /// A plane normal to an axis: heights are differences of two coordinates, whose sign is never wrong.
    fn axis_plane(&self, corners: [u32; 3], axis: usize) -> Plane {
        let [a, b, c] = corners.map(|corner| PROJECTIONS[axis](self.exact(corner)));
        let mut normal = DVec3::ZERO;
        normal[axis] = exact::orient2d(a, b, c) as i8 as f64;
        Plane { normal, bound: Plane::ALWAYS_RIGHT }
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
