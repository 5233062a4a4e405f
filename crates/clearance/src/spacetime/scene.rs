//! First contacts among several translating bodies.

use super::body::first_contact;
use super::outcome::{FirstContact, Outcome};
use super::translation::{Translation, TranslationError};
use crate::body::{Body, BodyError};
use crate::math::round::UNIT_ROUNDOFF;
use crate::math::{Aabb, Pose};
use glam::DVec3;

/// A body, where it is at `t0`, and how it moves.
#[derive(Clone, Copy, Debug)]
pub struct MovingBody<'a> {
    /// The body.
    pub body: &'a Body,
    /// Where it is at `t0`.
    pub pose: &'a Pose,
    /// How fast it moves, in the world.
    pub velocity: DVec3,
}

/// Two bodies of a scene, the smaller index first, and when they first meet.
#[derive(Clone, Debug)]
pub struct PairContact {
    /// The bodies.
    pub bodies: [usize; 2],
    /// Their answer, or why there is none.
    pub found: Result<FirstContact, BodyError>,
}

/// The first contacts of a scene.
#[derive(Clone, Debug)]
pub struct SceneContacts {
    /// Every pair that may meet, in the order of the bodies; pairs that are not here do not meet.
    pub pairs: Vec<PairContact>,
}

impl SceneContacts {
    /// The pair that meets first; of several at one time the one listed first. Pairs that are undecided do not count.
    pub fn first(&self) -> Option<&PairContact> {
        // At the start comes before all else.
        let when = |pair: &&PairContact| match &pair.found.as_ref().ok()?.outcome {
            Outcome::TouchingAtStart(_) | Outcome::OverlappingAtStart => Some(f64::NEG_INFINITY),
            Outcome::Hit(time, _) => Some(time.rounded()),
            Outcome::HitBetween([lower, _], _) => Some(*lower),
            Outcome::None(_) | Outcome::Undecided(_) => None,
        };
        let exact = |pair: &PairContact| pair.found.as_ref().ok().and_then(|found| found.time().cloned());
        self.pairs.iter().filter(|pair| when(pair).is_some()).min_by(|x, y| match (exact(x), exact(y)) {
            (Some(s), Some(t)) => s.cmp(&t),
            _ => when(x).unwrap_or(f64::INFINITY).total_cmp(&when(y).unwrap_or(f64::INFINITY)),
        })
    }
}

/// When each two of several bodies first meet between `t0` and `t1`. Pairs whose boxes, swept over the motion, are apart
/// cost nothing but a place in a sorted list.
///
/// # Errors
/// A velocity or time that [`Translation::new`] refuses.
pub fn first_contacts(
    bodies: &[MovingBody<'_>],
    t0: f64,
    t1: f64,
) -> Result<SceneContacts, TranslationError> {
    let boxes: Vec<Aabb> = bodies.iter().map(|body| swept_box(body, t1 - t0)).collect();
    let mut order: Vec<usize> = (0..bodies.len()).collect();
    order.sort_by(|&i, &j| boxes[i].min.x.total_cmp(&boxes[j].min.x).then(i.cmp(&j)));
    let mut near = Vec::new();
    for (place, &i) in order.iter().enumerate() {
        // Translation checks the times even where no pair is near.
        Translation::new(bodies[i].velocity, DVec3::ZERO, t0, t1)?;
        for &j in order[place + 1..].iter().take_while(|&&j| boxes[j].min.x <= boxes[i].max.x) {
            if boxes[i].meets(boxes[j]) {
                near.push([i.min(j), i.max(j)]);
            }
        }
    }
    near.sort_unstable();
    let answer = |[i, j]: [usize; 2]| -> Result<PairContact, TranslationError> {
        let (a, b) = (&bodies[i], &bodies[j]);
        let motion = Translation::new(a.velocity, b.velocity, t0, t1)?;
        Ok(PairContact { bodies: [i, j], found: first_contact(a.body, a.pose, b.body, b.pose, &motion) })
    };
    Ok(SceneContacts { pairs: near.into_iter().map(answer).collect::<Result<_, _>>()? })
}

/// A box around all that a body sweeps; everything for an unbounded one.
fn swept_box(moving: &MovingBody<'_>, duration: f64) -> Aabb {
    let everywhere = Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };
    let Some((bounds, radius)) = bounds(moving.body) else { return everywhere };
    let corner = |i: usize| {
        let ends = [bounds.min, bounds.max];
        moving.pose.apply(DVec3::new(ends[i & 1].x, ends[i >> 1 & 1].y, ends[i >> 2].z))
    };
    let Some(around) = Aabb::around((0..8).map(corner)) else { return everywhere };
    let travel = moving.velocity * duration;
    // Far beyond what rounding, and a pose that is orthonormal to 1e-9, may do.
    let size = around.min.abs().max(around.max.abs()).max_element() + travel.abs().max_element() + radius;
    let room = DVec3::splat(
        radius * (1.0 + 1e-8) + 64.0 * UNIT_ROUNDOFF * size + 1e-8 * bounds.extent().max_element(),
    );
    let (min, max) =
        (around.min + travel.min(DVec3::ZERO) - room, around.max + travel.max(DVec3::ZERO) + room);
    if min.is_nan() || max.is_nan() { everywhere } else { Aabb { min, max } }
}

/// A box around a body in its own frame, and the ball that rounds it.
fn bounds(body: &Body) -> Option<(Aabb, f64)> {
    match body {
        Body::Mesh(mesh) => Some((mesh.mesh().bounds(), 0.0)),
        Body::Compound(compound) => Some((compound.hull().polytope().bounds(), 0.0)),
        Body::Convex(convex) => match convex.core() {
            Some(core) => Some((core.polytope().bounds(), convex.radius())),
            None => Some((convex.curved_core()?.bounds()?, convex.radius())),
        },
    }
}
