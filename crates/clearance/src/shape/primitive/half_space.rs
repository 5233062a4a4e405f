//! The half-space.

use super::PrimitiveError;
use super::error::{coordinate, position};
use super::support::{SupportPoint, checked_extent, normal_range};
use crate::exact::orient2d;
use crate::math::round::{UNIT_ROUNDOFF, div_up, exponent_of, mul_up, scaled};
use crate::tolerance::SIZE_MINIMUM;
use glam::{DVec2, DVec3};

/// All points with `normal · x <= offset`, both numbers taken as they are given.
///
/// The normal points out of the body and need not have length one.
///
/// ```
/// use clearance::{glam::DVec3, shape::HalfSpace};
/// let floor = HalfSpace::new(DVec3::Z, 0.0)?;
/// assert!(floor.support(DVec3::X).is_none());
/// assert_eq!(floor.extent(DVec3::new(0.0, 0.0, 2.0)), 0.0);
/// # Ok::<(), clearance::shape::PrimitiveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    normal: DVec3,
    offset: f64,
}

impl HalfSpace {
    /// From an outward normal of any length and the offset along it.
    pub fn new(normal: DVec3, offset: f64) -> Result<HalfSpace, PrimitiveError> {
        position(["normal.x", "normal.y", "normal.z"], normal)?;
        coordinate("offset", offset)?;
        if normal.abs().max_element() < SIZE_MINIMUM {
            return Err(PrimitiveError::NoDirection { normal });
        }
        Ok(HalfSpace { normal, offset })
    }

    /// The outward normal, as given.
    pub fn normal(&self) -> DVec3 {
        self.normal
    }

    /// The offset, as given.
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// The point of the boundary nearest to the origin, within `4 EPSILON` times its size, if the
    /// direction is exactly a non-negative multiple of the normal; else `None`: the body has no
    /// extreme point that way.
    pub fn support(&self, direction: DVec3) -> Option<SupportPoint> {
        let bounded =
            !direction.is_finite() || self.multiple(direction).is_some_and(|multiple| multiple >= 0.0);
        bounded.then(|| self.boundary_point(direction))
    }

    /// A number not below `max d·x = offset λ` if the direction is exactly `λ normal` with `λ >= 0`,
    /// within `2` units in the last place unless `offset d` leaves the range of `f64`; else infinity.
    pub fn extent(&self, direction: DVec3) -> f64 {
        checked_extent(direction, || match self.multiple(direction) {
            Some(multiple) if multiple >= 0.0 => self.boundary_extent(direction),
            _ => f64::INFINITY,
        })
    }

    /// A number with the sign of `λ` if the direction is exactly `λ normal`, decided by exact signs.
    pub(super) fn multiple(&self, direction: DVec3) -> Option<f64> {
        let parallel = |n: DVec2, d: DVec2| orient2d(DVec2::ZERO, n, d).is_zero();
        let (n, d) = (self.normal, direction);
        let all = direction.is_finite()
            && parallel(DVec2::new(n.x, n.y), DVec2::new(d.x, d.y))
            && parallel(DVec2::new(n.y, n.z), DVec2::new(d.y, d.z))
            && parallel(DVec2::new(n.z, n.x), DVec2::new(d.z, d.x));
        let axis = self.largest_axis();
        let sign = if d[axis] == 0.0 { 0.0 } else { d[axis].signum() * n[axis].signum() };
        all.then_some(sign)
    }

    /// `normal offset / |normal|^2`: the square errs by `3u`, quotient and product by `u` each; `5u` of
    /// the point's size, and `2^-1022` for underflow.
    pub(super) fn boundary_point(&self, direction: DVec3) -> SupportPoint {
        let normal = normal_range(self.normal);
        let exponent = exponent_of(self.normal[self.largest_axis()]);
        let point = normal * (scaled(self.offset, -exponent) / normal.dot(normal));
        let error = 8.0 * UNIT_ROUNDOFF * point.abs().element_sum() + f64::MIN_POSITIVE;
        SupportPoint::new(direction, point, error)
    }

    /// `offset d_k / normal_k` along the normal's largest axis, rounded upward.
    pub(super) fn boundary_extent(&self, direction: DVec3) -> f64 {
        let axis = self.largest_axis();
        let (d, n) = (direction[axis], self.normal[axis]);
        // Dividing by a negative number turns an upper bound into a lower one: move the sign first.
        div_up(mul_up(self.offset, d * n.signum()), n.abs())
    }

    fn largest_axis(&self) -> usize {
        self.normal.abs().max_position()
    }
}
