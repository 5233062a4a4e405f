//! First contact of bodies of which one is curved, or of any bodies on any motion: distances over the largest speed.
//!
//! No point is faster than the drift of the axis and the angular velocity times the distance from it. So the distance at a time
//! tells how long the bodies stay apart. That they have met is proved with a body made smaller by what rounding may do to places:
//! if that one meets the other where floats put it, the body itself does where it truly is.

use super::meeting::overlap_by;
use super::motion::Mover;
use super::outcome::{ScrewImpact, ScrewOutcome};
use crate::body::{Body, BodyAnswer, BodyError, relate};
use crate::pair::{Convex, ConvexRelation, Relation};
use crate::shape::{Cone, Cylinder, Ellipsoid, Primitive, Rounded, Shape};
use glam::DVec3;

/// Steps before the case is left undecided.
const ROUNDS: usize = 4_000;

/// Width of the bracket of a first contact, a little less than promised.
const WIDTH: f64 = 0.9e-9;

/// Two bodies that are disjoint at the start.
pub(super) struct Approach<'a> {
    pub a: &'a Body,
    pub b: &'a Body,
    pub mover_a: Mover<'a>,
    pub mover_b: Mover<'a>,
}

impl Approach<'_> {
    pub fn run(&self) -> Result<ScrewOutcome, BodyError> {
        let (reach_a, reach_b) = (reach(self.a), reach(self.b));
        let speed_of =
            |mover: &Mover<'_>, reach: f64| if mover.is_at_rest { 0.0 } else { mover.speed(reach) };
        let speed = speed_of(&self.mover_a, reach_a) + speed_of(&self.mover_b, reach_b);
        let mut t = 0.0_f64;
        if !speed.is_finite() {
            return Ok(ScrewOutcome::Undecided { lower: t, upper: None });
        }
        for round in 0..ROUNDS {
            let (Some(at_a), Some(at_b)) = (self.mover_a.at(t), self.mover_b.at(t)) else { break };
            let found = relate(self.a, &at_a.pose, self.b, &at_b.pose)?;
            let off = at_a.off.within(reach_a) + at_b.off.within(reach_b);
            let step = (found.distance.lower - 1.01 * off).max(0.0) / speed * (1.0 - 1e-12);
            let reached = (t + step).next_down().max(t);
            if reached >= 1.0 {
                return Ok(ScrewOutcome::None);
            }
            let is_close = step < 0.3 * WIDTH;
            if is_close && (round % 16 == 0 || step < 0.01 * WIDTH) {
                let upper = (reached + WIDTH).min(1.0);
                if self.meets_at(upper)? {
                    return Ok(hit(&found, reached, upper));
                }
            }
            if reached <= t {
                break;
            }
            t = reached;
        }
        Ok(ScrewOutcome::Undecided { lower: t, upper: None })
    }

    /// Whether they meet at a time, wherever rounding puts them.
    fn meets_at(&self, t: f64) -> Result<bool, BodyError> {
        let (Some(at_a), Some(at_b)) = (self.mover_a.at(t), self.mover_b.at(t)) else { return Ok(false) };
        let off = 1.01 * (at_a.off.within(reach(self.a)) + at_b.off.within(reach(self.b)));
        let (pose_a, pose_b) = (&at_a.pose, &at_b.pose);
        if let (Some(a), Some(b)) = (self.a.as_convex(), self.b.as_convex())
            && overlap_by(a, pose_a, b, pose_b, off)?
        {
            return Ok(true);
        }
        let meets = |answer: BodyAnswer| {
            matches!(answer.relation, ConvexRelation::Exact(Relation::Overlapping | Relation::Touching))
        };
        if let Some(smaller) = self.a.as_convex().and_then(|a| shrunk(a, off)) {
            return Ok(meets(relate(&Body::Convex(smaller), pose_a, self.b, pose_b)?));
        }
        if let Some(smaller) = self.b.as_convex().and_then(|b| shrunk(b, off)) {
            return Ok(meets(relate(self.a, pose_a, &Body::Convex(smaller), pose_b)?));
        }
        let answer = relate(self.a, pose_a, self.b, pose_b)?;
        Ok(answer.depth.is_some_and(|depth| depth.lower > off))
    }
}

fn hit(found: &BodyAnswer, lower: f64, upper: f64) -> ScrewOutcome {
    let point = found.points.map_or(DVec3::ZERO, |[p, q]| 0.5 * (p + q));
    ScrewOutcome::Hit(ScrewImpact { lower, upper, point, normal: found.normal.unwrap_or(DVec3::ZERO) })
}

/// Not below the distance of any point from the origin of the body; infinite for a half-space or a plane.
fn reach(body: &Body) -> f64 {
    let farthest = |low: DVec3, high: DVec3| low.abs().max(high.abs()).length() * (1.0 + 1e-12);
    match body {
        Body::Mesh(mesh) => farthest(mesh.mesh().bounds().min, mesh.mesh().bounds().max),
        Body::Compound(compound) => compound.hull().reach(),
        Body::Convex(convex) => match (convex.core(), convex.curved_core()) {
            (Some(core), _) => core.reach() + convex.radius(),
            (_, Some(core)) => {
                let bounds = core.bounds().map_or(f64::INFINITY, |bounds| farthest(bounds.min, bounds.max));
                bounds + convex.radius()
            }
            _ => f64::INFINITY,
        },
    }
}

/// A body that is still inside if every point of it moves by a length.
///
/// A body that holds a ball of radius `r` about its origin, made smaller by the factor `k`, keeps `(1 - k) r` from its surface.
fn shrunk(body: &Convex, by: f64) -> Option<Convex> {
    let shape = match (body.core(), body.curved_core()) {
        (Some(core), _) => {
            let radius = Some(body.radius() * (1.0 - 1e-15) - by).filter(|&radius| radius > 0.0)?;
            Shape::from(Rounded::new(core.polytope().clone(), radius).ok()?)
        }
        (_, Some(core)) if body.radius() > 0.0 => {
            let radius = Some(body.radius() * (1.0 - 1e-15) - by).filter(|&radius| radius > 0.0)?;
            Shape::from(Rounded::new(*core, radius).ok()?)
        }
        (_, Some(Primitive::Cylinder(core))) => {
            let smaller = Cylinder::new(core.height() - 2.01 * by, core.radius() - 1.01 * by).ok()?;
            Shape::from(Primitive::from(smaller))
        }
        (_, Some(Primitive::Ellipsoid(core))) => {
            let share = 1.0 - 1.01 * by / core.semi_axes().min_element();
            Shape::from(Primitive::from(Ellipsoid::new(core.semi_axes() * share).ok()?))
        }
        (_, Some(Primitive::Cone(core))) => {
            let (height, radius) = (core.height(), core.radius());
            let ball = 0.5 * height * radius / (height * height + radius * radius).sqrt();
            let share = 1.0 - 1.01 * by / ball;
            Shape::from(Primitive::from(Cone::new(height * share, radius * share).ok()?))
        }
        _ => return None,
    };
    Convex::try_from(&shape).ok()
}
