//! Penetration depth by a surface in `f32`, proved in `f64` where it ends.
//!
//! What expands is the surface alone, in the frame of A. Where its nearest triangle cannot be expanded, that triangle gives
//! the upper bound: how far `M` reaches along its normal, in the world. Then every triangle that `f32` does not prove to be
//! as far from zero is looked at in `f64`. What is not settled so is for exact signs: overlaps too small for `f32`, corners
//! that lie beyond a triangle by less than it can tell, bodies of very many vertices.

use super::minkowski::{Corner, Minkowski, weights_along};
use super::penetration::{Penetration, RELATIVE_WIDTH};
use super::relative::{self, Relative};
use super::surface::{OutOfReach, Surface};
use glam::DVec3;

/// Attempts to prove; one is enough but where several facets are equally near.
const ATTEMPTS: usize = 8;

/// The bracket of the depth of a pair whose corners surround zero, if `f32` can find it.
#[inline(always)]
pub(super) fn search(
    minkowski: &Minkowski<'_>,
    pairs: &[(u32, u32)],
    surface: &mut Surface,
) -> Option<Penetration> {
    let &[a, b, c, d] = pairs else { return None };
    if !minkowski.trusted {
        return None;
    }
    let pair = minkowski.relative();
    surface.start([pair.corner(a), pair.corner(b), pair.corner(c), pair.corner(d)]).ok()?;
    Search { minkowski, pair, surface, steps: 0 }.run().ok()
}

struct Search<'a, 'm, 's> {
    minkowski: &'m Minkowski<'a>,
    pair: Relative<'a>,
    surface: &'s mut Surface,
    steps: usize,
}

/// What became of an attempt to prove the depth.
enum Attempt {
    Proved(Penetration),
    /// A corner lies beyond the surface.
    Beyond(relative::Corner),
}

impl Search<'_, '_, '_> {
    fn run(mut self) -> Result<Penetration, OutOfReach> {
        for _ in 0..ATTEMPTS {
            self.expand()?;
            match self.prove()? {
                Attempt::Proved(depth) => return Ok(depth),
                Attempt::Beyond(corner) => self.surface.expand(corner)?,
            }
        }
        Err(OutOfReach)
    }

    /// Expands the surface until `f32` sees nothing beyond its nearest triangle.
    #[inline(always)]
    fn expand(&mut self) -> Result<(), OutOfReach> {
        loop {
            self.steps += 1;
            let nearest = self.surface.nearest();
            let corner = self.pair.lowest(-self.surface.normal(nearest));
            if !self.surface.sees(nearest, corner.point) {
                return Ok(());
            }
            self.surface.expand(corner)?;
        }
    }

    /// Takes the upper bound from the nearest triangle, and proves that no other is nearer.
    fn prove(&self) -> Result<Attempt, OutOfReach> {
        let nearest = self.surface.nearest();
        let vertices = self.surface.vertices(nearest);
        let corners = self.corners(&vertices);
        let direction = normal(&corners)?;
        let upper = self.minkowski.plateau_upper_bound(direction, &vertices);
        let enough = upper * (1.0 - RELATIVE_WIDTH);
        let mut lower = self.minkowski.distance_lower_bound(direction, &corners).min(upper);
        // Also where the upper bound is infinite.
        if lower < enough {
            return self.beyond(nearest);
        }
        let mut meets = (corners, least_weight(direction, &corners));
        for place in self.surface.nearer_than(upper / self.minkowski.size).filter(|&place| place != nearest) {
            let corners = self.corners(&self.surface.vertices(place));
            let below = self.distance_lower_bound(&corners, direction, enough)?;
            if below < enough {
                return self.beyond(place);
            }
            lower = lower.min(below);
            // The direction may meet another triangle of the same facet.
            if meets.1 < 0.0 {
                let least = least_weight(direction, &corners);
                if least > meets.1 {
                    meets = (corners, least);
                }
            }
        }
        let (point_a, point_b) = self.minkowski.points(direction, &meets.0);
        let steps = self.steps;
        Ok(Attempt::Proved(Penetration { lower, upper, normal: -direction, point_a, point_b, steps }))
    }

    /// How far a triangle is from zero at least: along a direction that it may have in common with another, if that is
    /// enough, else along its normal.
    fn distance_lower_bound(
        &self,
        corners: &[Corner; 3],
        direction: DVec3,
        enough: f64,
    ) -> Result<f64, OutOfReach> {
        let along = self.minkowski.distance_lower_bound(direction, corners);
        if along >= enough { Ok(along) } else { Ok(self.minkowski.distance_lower_bound(normal(corners)?, corners)) }
    }

    /// A corner beyond a triangle that is nearer than the upper bound.
    #[cold]
    fn beyond(&self, place: u8) -> Result<Attempt, OutOfReach> {
        let highest = self.minkowski.highest(normal(&self.corners(&self.surface.vertices(place)))?);
        let corner = self.pair.corner(highest.vertices);
        if self.surface.sees(place, corner.point) { Ok(Attempt::Beyond(corner)) } else { Err(OutOfReach) }
    }

    /// Corners in the world.
    #[inline]
    fn corners(&self, vertices: &[(u32, u32); 3]) -> [Corner; 3] {
        let corner = |i: usize| self.minkowski.corner(vertices[i]);
        [corner(0), corner(1), corner(2)]
    }
}

/// The outward normal of a triangle, of unit length but for rounding.
#[inline]
fn normal(corners: &[Corner; 3]) -> Result<DVec3, OutOfReach> {
    let [a, b, c] = corners;
    (b.point - a.point).cross(c.point - a.point).try_normalize().ok_or(OutOfReach)
}

/// Negative if a direction from zero passes beside a triangle.
#[inline]
fn least_weight(direction: DVec3, corners: &[Corner; 3]) -> f64 {
    weights_along(direction, corners).min_element()
}
