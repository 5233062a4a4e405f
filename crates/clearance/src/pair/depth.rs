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
    surface.start([a, b, c, d].map(|vertices| pair.corner(vertices))).ok()?;
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

/// What a direction proves: `M` reaches no farther along it than the upper bound.
struct Reach {
    upper: f64,
    direction: DVec3,
}

impl Search<'_, '_, '_> {
    fn run(mut self) -> Result<Penetration, OutOfReach> {
        for _ in 0..ATTEMPTS {
            let hints = self.expand()?;
            match self.prove(hints)? {
                Attempt::Proved(depth) => return Ok(depth),
                Attempt::Beyond(corner) => self.surface.expand(corner)?,
            }
        }
        Err(OutOfReach)
    }

    /// Expands the surface until `f32` sees nothing beyond its nearest triangle; the vertices highest over that.
    #[inline(always)]
    fn expand(&mut self) -> Result<(u32, u32), OutOfReach> {
        loop {
            self.steps += 1;
            let nearest = self.surface.nearest();
            let corner = self.pair.lowest(-self.surface.normal(nearest));
            if !self.surface.sees(nearest, corner.point) {
                return Ok(corner.vertices);
            }
            self.surface.expand(corner)?;
        }
    }

    fn prove(&self, hints: (u32, u32)) -> Result<Attempt, OutOfReach> {
        let nearest = self.surface.nearest();
        let corners = self.corners(nearest);
        let direction = normal(&corners)?;
        let highest = self.minkowski.highest_from(direction, hints);
        let corner = self.pair.corner(highest.vertices);
        if self.surface.sees(nearest, corner.point) {
            return Ok(Attempt::Beyond(corner));
        }
        let upper = self.minkowski.height_upper_bound(direction, &highest);
        if upper == f64::INFINITY {
            return Err(OutOfReach);
        }
        self.bracket(corners, &Reach { upper, direction })
    }

    /// The bracket below an upper bound, if no triangle is nearer; else a corner beyond one that is.
    fn bracket(&self, corners: [Corner; 3], reach: &Reach) -> Result<Attempt, OutOfReach> {
        let Reach { upper, direction } = *reach;
        let enough = upper * (1.0 - RELATIVE_WIDTH);
        let (mut lower, mut inside) = (upper, (corners, f64::NEG_INFINITY));
        for place in self.surface.nearer_than(upper / self.minkowski.size) {
            let corners = self.corners(place);
            let mut below = self.minkowski.distance_lower_bound(direction, &corners);
            if below < enough {
                below = self.minkowski.distance_lower_bound(normal(&corners)?, &corners);
            }
            if below < enough {
                return self.beyond(place);
            }
            lower = lower.min(below);
            // The direction may meet another triangle of the same facet.
            let least = weights_along(direction, &corners).min_element();
            if least > inside.1 {
                inside = (corners, least);
            }
        }
        let (point_a, point_b) = self.minkowski.points(direction, &inside.0);
        let steps = self.steps;
        Ok(Attempt::Proved(Penetration { lower, upper, normal: -direction, point_a, point_b, steps }))
    }

    /// A corner beyond a triangle that is nearer than the upper bound.
    #[cold]
    fn beyond(&self, place: u8) -> Result<Attempt, OutOfReach> {
        let highest = self.minkowski.highest(normal(&self.corners(place))?);
        let corner = self.pair.corner(highest.vertices);
        if self.surface.sees(place, corner.point) { Ok(Attempt::Beyond(corner)) } else { Err(OutOfReach) }
    }

    /// The corners of a triangle, in the world.
    fn corners(&self, place: u8) -> [Corner; 3] {
        self.surface.vertices(place).map(|vertices| self.minkowski.corner(vertices))
    }
}

/// The outward normal of a triangle, of unit length but for rounding.
fn normal(corners: &[Corner; 3]) -> Result<DVec3, OutOfReach> {
    let [a, b, c] = corners.map(|corner| corner.point);
    (b - a).cross(c - a).try_normalize().ok_or(OutOfReach)
}
