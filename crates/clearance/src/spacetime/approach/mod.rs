//! How close two translating bodies come.
//!
//! Polytopes by [`swept`], other convex bodies by [`falling`], meshes by [`pieces`].

mod falling;
mod meshes;
mod pieces;
mod swept;

use super::boxes;
use super::convex::contact_time;
use super::mesh::contact_time_of_meshes;
use super::moved::Moved;
use super::outcome::ContactTime;
use super::translation::Translation;
use crate::body::{Body, BodyError};
use crate::math::Pose;
use crate::mesh::{MeshCache, TreeMesh};
use crate::pair::{Bracket, Convex, relate as relate_convex};
use crate::support::SupportMap;
use glam::DVec3;
use meshes::{MeshAndConvex, Meshes};

/// How close two bodies come, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestApproach {
    /// The smallest distance over the motion, proved; zeros if they share a point at some time.
    pub distance: Bracket,
    /// A time at which the distance is at most `distance.upper`, rounded.
    pub time: f64,
}

/// Relative width of the bracket for convex bodies that are not polytopes.
const RELATIVE_WIDTH: f64 = 1e-10;

/// The smallest distance of two bodies over a motion, and when.
///
/// The bracket has a relative width of at most `1e-9`, unless the bodies come so close that the rounding of their places,
/// some `1e-14` of all coordinates, is more. Zero, exactly, for polytopes and meshes that meet; of curved bodies that do
/// [`first_contact`](super::first_contact()) says so and when, and a lower end of zero here only says that they may.
/// Costs a few microseconds for polytopes and some twenty distances for curved bodies; for meshes and a curved body all
/// triangles are looked at.
///
/// # Errors
/// Coordinates beyond the limits, as [`crate::body::relate`] has them.
pub fn closest_approach(
    a: &Body,
    pose_a: &Pose,
    b: &Body,
    pose_b: &Pose,
    motion: &Translation,
) -> Result<ClosestApproach, BodyError> {
    let query = Approach { a, pose_a, b, pose_b, motion };
    let mut found: Option<ClosestApproach> = None;
    for x in Part::all(a) {
        for y in Part::all(b) {
            let next = query.of_parts(&x, &y)?;
            match &mut found {
                None => found = Some(next),
                Some(found) => found.take(next),
            }
        }
    }
    let ClosestApproach { mut distance, time } = found.unwrap_or(ClosestApproach::UNKNOWN);
    if distance.upper == 0.0 {
        distance = Bracket::ZERO;
    }
    let time = (motion.t0() + time).clamp(motion.t0(), motion.t1());
    Ok(ClosestApproach { distance, time })
}

/// What a body is the union of.
enum Part<'a> {
    Polytope(&'a SupportMap),
    Convex(&'a Convex),
    Mesh(&'a TreeMesh),
}

impl<'a> Part<'a> {
    fn all(body: &'a Body) -> Vec<Part<'a>> {
        match body {
            Body::Convex(convex) => vec![match convex.core().filter(|_| convex.is_polytope()) {
                Some(map) => Part::Polytope(map),
                None => Part::Convex(convex),
            }],
            Body::Mesh(mesh) => vec![Part::Mesh(mesh)],
            Body::Compound(compound) => {
                let part = |part: &'a crate::compound::Part| match part {
                    crate::compound::Part::Polytope(map) => Part::Polytope(map),
                    crate::compound::Part::Mesh(mesh) => Part::Mesh(mesh),
                };
                compound.parts().iter().map(part).collect()
            }
        }
    }
}

/// A question about two bodies; times count from the start.
#[derive(Clone, Copy)]
struct Approach<'a> {
    a: &'a Body,
    pose_a: &'a Pose,
    b: &'a Body,
    pose_b: &'a Pose,
    motion: &'a Translation,
}

impl ClosestApproach {
    const UNKNOWN: ClosestApproach =
        ClosestApproach { distance: Bracket { lower: 0.0, upper: f64::INFINITY }, time: 0.0 };

    /// Zero if they meet.
    fn of_contact(contact: ContactTime, t0: f64) -> Option<ClosestApproach> {
        let time = match contact {
            ContactTime::None => return None,
            ContactTime::AtStart(_) => 0.0,
            ContactTime::Hit(impact) => impact.upper - t0,
        };
        Some(ClosestApproach { distance: Bracket::ZERO, time })
    }
}

impl<'a> Approach<'a> {
    fn of_parts(&self, x: &Part<'_>, y: &Part<'_>) -> Result<ClosestApproach, BodyError> {
        let Approach { pose_a, pose_b, motion, .. } = *self;
        let owned = |map: &SupportMap| Convex::from(map.clone());
        match (x, y) {
            (Part::Polytope(x), Part::Polytope(y)) => self.of_polytopes(x, y),
            (Part::Mesh(x), Part::Mesh(y)) => self.of_meshes(x, y),
            (Part::Mesh(x), Part::Polytope(y)) => match TreeMesh::from_polytope(y.polytope()) {
                Ok(y) => self.of_meshes(x, &y),
                Err(_) => self.of_mesh_and_convex(x, &owned(y)),
            },
            (Part::Mesh(x), Part::Convex(y)) => self.of_mesh_and_convex(x, y),
            (Part::Convex(x), Part::Convex(y)) => of_convex(x, pose_a, y, pose_b, motion),
            (Part::Polytope(x), Part::Convex(y)) => of_convex(&owned(x), pose_a, y, pose_b, motion),
            (Part::Convex(x), Part::Polytope(y)) => of_convex(x, pose_a, &owned(y), pose_b, motion),
            (Part::Polytope(_) | Part::Convex(_), Part::Mesh(_)) => {
                let motion = &motion.swapped();
                let Approach { a, pose_a, b, pose_b, .. } = *self;
                let swapped = Approach { a: b, pose_a: pose_b, b: a, pose_b: pose_a, motion };
                swapped.of_parts(y, x)
            }
        }
    }

    fn of_polytopes(&self, x: &SupportMap, y: &SupportMap) -> Result<ClosestApproach, BodyError> {
        let Approach { pose_a, pose_b, motion, .. } = *self;
        let contact = contact_time(x, pose_a, y, pose_b, motion);
        if let Some(found) = ClosestApproach::of_contact(contact, motion.t0()) {
            return Ok(found);
        }
        Ok(of_polytopes_apart(x, pose_a, y, pose_b, motion)?.0)
    }

    fn of_meshes(&self, x: &TreeMesh, y: &TreeMesh) -> Result<ClosestApproach, BodyError> {
        let Approach { pose_a, pose_b, motion, .. } = *self;
        let mut cache = MeshCache::default();
        let contact = contact_time_of_meshes(x, pose_a, y, pose_b, motion, &mut cache);
        if let Some(found) = ClosestApproach::of_contact(contact, motion.t0()) {
            return Ok(found);
        }
        let moved = Moved::new(pose_b, motion);
        let mut pieces = Meshes { a: x, pose_a, b: y, pose_b, motion, moved, cache, towards: None };
        pieces::closest(&mut pieces, moved.duration, moved.speed)
    }

    fn of_mesh_and_convex(&self, x: &TreeMesh, y: &Convex) -> Result<ClosestApproach, BodyError> {
        let moved = Moved::new(self.pose_b, self.motion);
        let mut pieces = MeshAndConvex { query: *self, mesh: x, convex: y, moved };
        pieces::closest(&mut pieces, moved.duration, moved.speed)
    }
}

/// Two polytopes that do not meet, and a direction from A to B if one is known.
///
/// A motion that is tiny beside the bodies leaves corners of what is swept so close together that the search over it
/// stalls; then distances at some times know more.
fn of_polytopes_apart(
    a: &SupportMap,
    pose_a: &Pose,
    b: &SupportMap,
    pose_b: &Pose,
    motion: &Translation,
) -> Result<(ClosestApproach, Option<DVec3>), BodyError> {
    let swept = swept::of_polytopes(a, pose_a, b, pose_b, motion);
    let is_narrow = |bracket: Bracket| bracket.upper - bracket.lower <= 10.0 * RELATIVE_WIDTH * bracket.upper;
    if let Some((found, direction)) = swept
        && is_narrow(found.distance)
    {
        return Ok((found, Some(direction)));
    }
    let mut found = of_convex(&Convex::from(a.clone()), pose_a, &Convex::from(b.clone()), pose_b, motion)?;
    let direction = swept.map(|(other, direction)| {
        found.distance.lower = found.distance.lower.max(other.distance.lower);
        found.take_upper(other);
        direction
    });
    Ok((found, direction))
}

/// Two convex bodies, by distances at some times.
fn of_convex(
    a: &Convex,
    pose_a: &Pose,
    b: &Convex,
    pose_b: &Pose,
    motion: &Translation,
) -> Result<ClosestApproach, BodyError> {
    let moved = Moved::new(pose_b, motion);
    let at = |s: f64| -> Result<Bracket, BodyError> {
        let Some((pose, off)) = moved.at(s) else { return Ok(ClosestApproach::UNKNOWN.distance) };
        Ok(relate_convex(a, pose_a, b, &pose)?.distance.widened(off))
    };
    let (distance, time) = falling::least(moved.duration, moved.speed, RELATIVE_WIDTH, at)?;
    Ok(ClosestApproach { distance, time })
}

impl Bracket {
    /// Of a distance that may be off by so much; one of zero stays zero where nothing is off.
    fn widened(self, off: f64) -> Bracket {
        Bracket { lower: (self.lower - off).max(0.0), upper: self.upper + off }
    }
}
