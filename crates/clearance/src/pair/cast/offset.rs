//! Rays against a cylinder, cone or ellipsoid with a ball around it.
//!
//! Every direction gives a plane beyond which there is nothing of the body, and so a limit of `t`. The directions in which
//! the ends of what is left of the ray lie from the body are Newton's steps for the first and the last `t`, as the distance
//! along a ray is convex. That some point is in the body is proved by its distance from it.

use crate::math::round::{add_up, mul_up, norm_up};
use crate::math::{Interval, Pose};
use crate::pair::convex::relate;
use crate::pair::curved::Curved;
use crate::pair::{Bracket, Convex, ConvexError, ConvexRelation, Ray, RayHit, Relation};
use crate::shape::{Polytope, Primitive};
use glam::DVec3;

/// Rounds of cuts; each halves what is left at least if the ray grazes, and doubles the digits if not.
const ROUNDS: usize = 64;

/// By how much a step behind the first end grows while no point there is proved to be in the body.
const GROWTH: f64 = 4.0;

/// The frame of the world.
static REST: Pose = Pose::IDENTITY;

pub(super) fn cast(
    a: &Convex,
    core: &Primitive,
    pose: &Pose,
    ray: &Ray,
) -> Result<Option<RayHit>, ConvexError> {
    let mut search = Search {
        body: a,
        core: Curved::Primitive(*core),
        pose,
        ray,
        first: 0.0,
        last: ray.max_t(),
        normal: None,
        is_missed: false,
    };
    search.run()
}

struct Search<'a> {
    body: &'a Convex,
    core: Curved,
    pose: &'a Pose,
    ray: &'a Ray,
    /// No point of the ray before this one or behind the next is in the body.
    first: f64,
    last: f64,
    /// Of the plane that the first end comes from.
    normal: Option<DVec3>,
    is_missed: bool,
}

/// How far the point at some `t` is from the body, negative inside, and the outward normal there.
struct Gap {
    lower: f64,
    upper: f64,
    normal: Option<DVec3>,
}

impl Search<'_> {
    fn run(&mut self) -> Result<Option<RayHit>, ConvexError> {
        if self.gap(0.0)?.upper <= 0.0 {
            return Ok(Some(RayHit::AT_START));
        }
        // A box around it, so that the last end is finite.
        for axis in DVec3::AXES {
            self.cut(axis);
            self.cut(-axis);
        }
        let mut inside = None;
        for _ in 0..ROUNDS {
            let before = [self.first, self.last];
            let middle = 0.5 * self.first + 0.5 * self.last;
            for t in [self.first, middle, self.last] {
                if self.is_missed {
                    return Ok(None);
                }
                if inside.is_some() && t != self.first && t != before[0] {
                    continue;
                }
                let gap = self.gap(t)?;
                if gap.upper <= 0.0 && inside.is_none_or(|known| t < known) {
                    inside = Some(t);
                }
                if let Some(normal) = gap.normal.filter(|_| gap.lower > 0.0) {
                    self.cut(normal);
                }
            }
            if [self.first, self.last] == before {
                break;
            }
        }
        match inside {
            _ if self.is_missed => Ok(None),
            Some(inside) => self.narrowed(inside).map(Some),
            None => {
                let t_upper = (0.5 * self.first + 0.5 * self.last).max(self.first);
                let within = self.gap(t_upper)?.upper;
                Ok(Some(self.hit(t_upper, within.max(f64::MIN_POSITIVE))))
            }
        }
    }

    fn hit(&self, t_upper: f64, within: f64) -> RayHit {
        let normal = self.normal.and_then(DVec3::try_normalize);
        RayHit { t_lower: self.first, t_upper, within, normal, face: None }
    }

    /// With the first point behind the first end that is easily proved to be in the body, given one that is.
    fn narrowed(&self, inside: f64) -> Result<RayHit, ConvexError> {
        let (origin, direction) = (self.ray.origin().abs(), self.ray.direction().abs());
        let rounding = 2.0 * f64::EPSILON * (self.first + origin.element_sum() / direction.max_element());
        let mut step = rounding.max(f64::MIN_POSITIVE);
        loop {
            let t = self.first + step;
            if t >= inside {
                return Ok(self.hit(inside, 0.0));
            }
            if self.gap(t)?.upper <= 0.0 {
                return Ok(self.hit(t, 0.0));
            }
            step *= GROWTH;
        }
    }

    /// The gap at a `t`: that of a float point, and how far that is off.
    fn gap(&self, t: f64) -> Result<Gap, ConvexError> {
        let (origin, direction) = (self.ray.origin(), self.ray.direction());
        let point = origin + t * direction;
        let off = match t == 0.0 {
            true => 0.0,
            false => {
                2.0 * f64::EPSILON * (origin.abs().element_sum() + t * direction.abs().element_sum())
                    + f64::MIN_POSITIVE
            }
        };
        let kind_b = self.body.kind_name();
        let too_large = ConvexError::Pair { kind_a: "ray", kind_b };
        let point = Convex::from_polytope(Polytope::hull(&[point]).map_err(|_| too_large)?);
        let found = relate(&point, &REST, self.body, self.pose)?;
        let deep = found.depth.unwrap_or(Bracket::ZERO);
        let (lower, upper) = match found.relation {
            ConvexRelation::Exact(Relation::Disjoint) => (found.distance.lower, found.distance.upper),
            ConvexRelation::Exact(Relation::Touching) => (0.0, 0.0),
            ConvexRelation::Exact(Relation::Overlapping) => (-deep.upper, -deep.lower),
            ConvexRelation::TouchingWithin { .. } => (-deep.upper, found.distance.upper),
        };
        let normal = found.normal.map(|normal| -normal);
        Ok(Gap { lower: -add_up(-lower, off), upper: add_up(upper, off), normal })
    }

    /// Takes off what lies beyond the plane across a direction that the body reaches up to.
    fn cut(&mut self, normal: DVec3) {
        let reach =
            add_up(self.core.posed_extent(self.pose, normal), mul_up(norm_up(normal), self.body.radius()));
        if !reach.is_finite() {
            return;
        }
        let dot = |v: [f64; 3], w: [f64; 3]| {
            let [x, y, z] = std::array::from_fn(|i| Interval::point(v[i]) * Interval::point(w[i]));
            x + y + z
        };
        let normal_array = normal.to_array();
        let from = dot(normal_array, self.ray.origin().to_array());
        let height = from - dot(normal_array, self.pose.translation().to_array()) - Interval::point(reach);
        let slope = dot(normal_array, self.ray.direction().to_array());
        // Where `height + slope t` is positive, the ray is outside.
        let at = |t: f64| height + slope.times(t);
        let is_outside = |t: f64| if t.is_finite() { at(t).is_positive() } else { !slope.is_negative() };
        if is_outside(self.first) && (is_outside(self.last) && self.last.is_finite() || slope.lower() >= 0.0)
        {
            self.is_missed = true;
        }
        let Some(zero) = (-height).over(slope) else { return };
        if slope.is_negative() && zero.lower() > self.first {
            (self.first, self.normal) = (zero.lower(), Some(normal));
        } else if slope.is_positive() && zero.upper() < self.last {
            self.last = zero.upper();
        }
        self.is_missed |= self.first > self.last;
    }
}
