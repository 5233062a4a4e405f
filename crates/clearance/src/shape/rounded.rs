//! A body with a rounding radius.

use super::primitive::error::coordinate;
use super::primitive::support::{SupportPoint, checked_extent, extent_of_points, support_of_points, unit};
use super::{Polytope, Primitive, PrimitiveError};
use crate::Aabb;
use crate::math::round::{UNIT_ROUNDOFF, add_up, mul_up, norm_up};
use crate::tolerance::SIZE_MINIMUM;
use glam::DVec3;

/// The body inside a [`Rounded`] one.
#[derive(Clone, Debug)]
pub enum RoundedCore {
    /// A primitive.
    Primitive(Primitive),
    /// A convex polytope.
    Polytope(Polytope),
}

impl From<Primitive> for RoundedCore {
    fn from(core: Primitive) -> RoundedCore {
        RoundedCore::Primitive(core)
    }
}

impl From<Polytope> for RoundedCore {
    fn from(core: Polytope) -> RoundedCore {
        RoundedCore::Polytope(core)
    }
}

/// A core plus a ball: all points within `radius` of the core.
///
/// ```
/// use clearance::{glam::DVec3, shape::{Cuboid, Primitive, Rounded}};
/// let core = Primitive::from(Cuboid::new(DVec3::splat(2.0))?);
/// let die = Rounded::new(core, 0.5)?;
/// assert_eq!(die.extent(DVec3::X), 1.5);
/// # Ok::<(), clearance::shape::PrimitiveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rounded {
    core: RoundedCore,
    radius: f64,
}

impl Rounded {
    /// From a core and a radius; a radius of zero is the core itself.
    pub fn new(core: impl Into<RoundedCore>, radius: f64) -> Result<Rounded, PrimitiveError> {
        let field = "radius";
        coordinate(field, radius)?;
        if radius < 0.0 {
            return Err(PrimitiveError::NotPositive { field, value: radius });
        }
        if radius > 0.0 && radius < SIZE_MINIMUM {
            return Err(PrimitiveError::TooSmall { field, value: radius });
        }
        Ok(Rounded { core: core.into(), radius })
    }

    /// The core.
    pub fn core(&self) -> &RoundedCore {
        &self.core
    }

    /// The rounding radius.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// An extreme point; `None` where the core is unbounded in that direction. `O(n)` for `n` vertices.
    ///
    /// Its error is the core's plus that of the ball's point (`5u r`) and of the sum (`u` of its size),
    /// stated as `3 EPSILON r + EPSILON |p|`.
    pub fn support(&self, direction: DVec3) -> Option<SupportPoint> {
        let core = match &self.core {
            RoundedCore::Primitive(core) => core.support(direction)?,
            RoundedCore::Polytope(core) => {
                let (&first, rest) = core.vertices().split_first()?;
                support_of_points(first, rest, direction)
            }
        };
        if self.radius == 0.0 {
            return Some(core);
        }
        let point = core.point + self.radius * unit(direction);
        let rounding = UNIT_ROUNDOFF * (6.0 * self.radius + 2.0 * point.abs().element_sum());
        Some(SupportPoint { point, error: core.error + rounding })
    }

    /// A box that contains the body, rounded outward; `None` if the core is unbounded.
    pub fn bounds(&self) -> Option<Aabb> {
        let core = match &self.core {
            RoundedCore::Primitive(core) => core.bounds()?,
            RoundedCore::Polytope(core) => core.bounds(),
        };
        let grow = |x: f64| add_up(x, self.radius);
        let max = DVec3::from_array(core.max.to_array().map(grow));
        let min = -DVec3::from_array((-core.min).to_array().map(grow));
        Some(Aabb { min, max })
    }

    /// A number never below `max d·x`, the core's extent plus `r |d|`; see [`Primitive::extent`].
    pub fn extent(&self, direction: DVec3) -> f64 {
        let core = match &self.core {
            RoundedCore::Primitive(core) => core.extent(direction),
            RoundedCore::Polytope(core) => extent_of_points(core.vertices(), direction),
        };
        checked_extent(direction, || add_up(core, mul_up(self.radius, norm_up(direction))))
    }
}
