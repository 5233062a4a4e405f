//! First contact of a curved body and one that is not convex: the earliest of its convex pieces.
//!
//! Bodies that share no point at the start first meet where a triangle of a mesh, or a part of a compound, does. Of a convex
//! piece the distance is a convex function of time, which takes some ten distances of two convex bodies; the distance of the
//! whole is none, and may take hundreds of distances of the whole. Pieces are taken in the order in which boxes may meet, and
//! those that come later than a contact that is known are left out.

use super::advance::{Advance, RELATIVE_WIDTH};
use super::boxes;
use super::convex::first_contact_of_polytopes;
use super::moved::Moved;
use super::outcome::{Outcome, Touch};
use super::time::ExactTime;
use crate::body::{Body, BodyError};
use crate::compound::Part;
use crate::math::{Aabb, Pose};
use crate::mesh::TreeMesh;
use crate::pair::Convex;
use crate::shape::Polytope;
use crate::support::SupportMap;

/// A convex piece, where it is needed.
#[derive(Clone, Copy)]
enum Piece<'a> {
    Triangle(&'a TreeMesh, usize),
    Part(&'a SupportMap),
}

impl Piece<'_> {
    /// Around it, in its own frame.
    fn bounds(&self) -> Option<Aabb> {
        match self {
            Piece::Triangle(mesh, t) => Aabb::around(mesh.mesh().triangle(*t)),
            Piece::Part(map) => Some(map.polytope().bounds()),
        }
    }

    fn polytope(&self) -> SupportMap {
        match self {
            Piece::Triangle(mesh, t) => match Polytope::hull(&mesh.mesh().triangle(*t)) {
                Ok(hull) => SupportMap::from(hull),
                Err(_) => unreachable!("vertices of a mesh are finite and not too large"),
            },
            Piece::Part(map) => (*map).clone(),
        }
    }
}

/// What a body is the union of; `None` if it is convex.
fn pieces(body: &Body) -> Option<Vec<Piece<'_>>> {
    fn triangles(mesh: &TreeMesh) -> impl Iterator<Item = Piece<'_>> {
        (0..mesh.mesh().triangles().len()).map(move |t| Piece::Triangle(mesh, t))
    }
    match body {
        Body::Convex(_) => None,
        Body::Mesh(mesh) => Some(triangles(mesh).collect()),
        Body::Compound(compound) => {
            let mut all = Vec::new();
            for part in compound.parts() {
                match part {
                    Part::Polytope(map) => all.push(Piece::Part(map)),
                    Part::Mesh(mesh) => all.extend(triangles(mesh)),
                }
            }
            Some(all)
        }
    }
}

/// The first contact of bodies that are disjoint at the start, of which one is convex and bounded and the other is not convex;
/// `None` for others.
pub(super) fn first_contact(query: &Advance<'_>) -> Result<Option<Outcome>, BodyError> {
    let Advance { a, pose_a, b, pose_b, .. } = *query;
    let (split, pose, other, pose_other, sign) = match (pieces(a), pieces(b)) {
        (Some(split), None) => (split, pose_a, b, pose_b, 1.0),
        (None, Some(split)) => (split, pose_b, a, pose_a, -1.0),
        _ => return Ok(None),
    };
    let Some(around) = boxes::of_body(other).map(|bounds| bounds.posed(pose_other)) else {
        return Ok(None);
    };
    let mut queue: Vec<(f64, usize)> = Vec::new();
    for (number, piece) in split.iter().enumerate() {
        let Some(local) = piece.bounds() else { continue };
        let posed = boxes::of_box(local).posed(pose);
        let soonest = entry(&query.moved, &posed, &around, sign);
        queue.extend((soonest <= query.duration()).then_some((soonest, number)));
    }
    queue.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
    let mut earliest = Earliest::default();
    for (soonest, number) in queue {
        // In time since the start; a bracket begins a little before the contact.
        if query.motion.t0() + soonest * (1.0 - 1e-9) > earliest.known() {
            break;
        }
        let piece = Body::Convex(Convex::from(split[number].polytope()));
        let (x, y) = if sign > 0.0 { (&piece, b) } else { (a, &piece) };
        earliest.take(of_piece(query, x, pose_a, y, pose_b)?);
    }
    Ok(Some(earliest.outcome()))
}

fn of_piece(
    query: &Advance<'_>,
    a: &Body,
    pose_a: &Pose,
    b: &Body,
    pose_b: &Pose,
) -> Result<Outcome, BodyError> {
    // Points and segments are exact.
    if let (Some(x), Some(y)) = (sharp(a), sharp(b)) {
        return Ok(match first_contact_of_polytopes(x, pose_a, y, pose_b, query.motion).outcome {
            // Named by the numbers of the piece, which nobody knows.
            Outcome::Hit(time, touch) => Outcome::Hit(time, Touch { contacts: Vec::new(), ..touch }),
            other => other,
        });
    }
    let piece = Advance { a, pose_a, b, pose_b, motion: query.motion, moved: query.moved };
    let start = piece.at(0.0)?;
    piece.of_whole(start)
}

fn sharp(body: &Body) -> Option<&SupportMap> {
    body.as_convex().filter(|convex| convex.is_polytope())?.core()
}

/// A time since the start before which two boxes are apart while B moves; infinite if they stay apart. `sign` is negative if it
/// is the first box that moves.
fn entry(moved: &Moved<'_>, resting: &Aabb, moving: &Aabb, sign: f64) -> f64 {
    let velocity = moved.velocity * sign;
    let mut from = 0.0_f64;
    for axis in 0..3 {
        let (v, error) = (velocity[axis], 1e-12 * moved.speed);
        let ahead = resting.min[axis] - moving.max[axis];
        let behind = moving.min[axis] - resting.max[axis];
        // Not below how fast the gap on that side closes.
        for (gap, closing) in [(ahead, v + error), (behind, error - v)] {
            if gap > 0.0 {
                let time = if closing > 0.0 { gap / closing } else { f64::INFINITY };
                from = from.max(time * (1.0 - 1e-12));
            }
        }
    }
    from
}

/// What is known of all pieces so far.
#[derive(Default)]
struct Earliest {
    /// The contact that comes first, if it is exact.
    exact: Option<(ExactTime, Touch)>,
    /// The one that is proved to have come first, and the least time at which a bracket begins.
    hit: Option<([f64; 2], Touch)>,
    /// The least time at which a piece is undecided.
    undecided: Option<f64>,
}

impl Earliest {
    /// A time by which they have met.
    fn known(&self) -> f64 {
        let exact = self.exact.as_ref().map_or(f64::INFINITY, |(time, _)| time.bracket().1);
        self.hit.as_ref().map_or(exact, |(times, _)| times[1].min(exact))
    }

    fn take(&mut self, next: Outcome) {
        match next {
            Outcome::Hit(time, touch) if self.exact.as_ref().is_none_or(|(known, _)| time < *known) => {
                self.exact = Some((time, touch));
            }
            Outcome::HitBetween(times, touch) => {
                self.hit = Some(match self.hit.take() {
                    Some((known, first)) => {
                        let lower = known[0].min(times[0]);
                        match known[1] <= times[1] {
                            true => ([lower, known[1]], first),
                            false => ([lower, times[1]], touch),
                        }
                    }
                    None => (times, touch),
                });
            }
            Outcome::Undecided(lower) => {
                self.undecided = Some(self.undecided.map_or(lower, |known| known.min(lower)));
            }
            _ => {}
        }
    }

    fn outcome(self) -> Outcome {
        let hit = match (self.exact, self.hit) {
            // Pieces of one body are all exact, or none is.
            (Some((time, touch)), _) => return Outcome::Hit(time, touch),
            (None, hit) => hit,
        };
        match (hit, self.undecided) {
            (None, None) => Outcome::None(None),
            (None, Some(lower)) => Outcome::Undecided(lower),
            (Some((times, touch)), None) => Outcome::HitBetween(times, touch),
            (Some((times, touch)), Some(lower)) if lower >= times[0] => Outcome::HitBetween(times, touch),
            // A piece that may be met before: the bracket must hold it.
            (Some((times, touch)), Some(lower)) if times[1] - lower <= RELATIVE_WIDTH * times[1] => {
                Outcome::HitBetween([lower, times[1]], touch)
            }
            (Some(_), Some(lower)) => Outcome::Undecided(lower),
        }
    }
}
