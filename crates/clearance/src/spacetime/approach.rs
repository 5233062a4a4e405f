//! How close two translating bodies come.
//!
//! Of polytopes that is the distance of A from all that B sweeps, a polytope whose support is that of B and the sign of a
//! product more: Gilbert's algorithm in one dimension more [Joseph87]. Of other bodies the distance as a function of time
//! falls and rises no faster than they move, and times between two others are looked at until the bracket is narrow.

use super::translation::Translation;
use crate::body::{Body, BodyError, relate};
use crate::math::Pose;
use crate::math::round::{UNIT_ROUNDOFF, norm_up};
use crate::pair::{Bracket, Difference, Simplex};
use crate::support::SupportMap;
use crate::triangle::vector_size;
use glam::DVec3;
use std::collections::BinaryHeap;

/// How close two bodies come, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestApproach {
    /// The smallest distance over the motion, proved; zeros if they share a point at some time.
    pub distance: Bracket,
    /// A time at which the distance is at most `distance.upper`, rounded.
    pub time: f64,
}

/// Relative width of the bracket for bodies that are not polytopes.
const RELATIVE_WIDTH: f64 = 1e-3;

/// Times looked at, for bodies that are not polytopes.
const TIMES: usize = 400;

/// The smallest distance of two bodies over a motion, and when.
///
/// *Polytopes* that do not come within about `1e-3` of their size of each other: a relative width of `1e-12`. Closer, the
/// bracket is as wide as the rounding of coordinates makes it. *Other bodies*: a relative width of `1e-3`, or what four
/// hundred distances prove. Where the bodies meet, [`first_contact`](super::first_contact()) says so and when; here a
/// lower end of zero only says that they may.
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
    let sharp = |body: &'_ Body| -> Option<SupportMap> {
        body.as_convex().filter(|convex| convex.is_polytope())?.core().cloned()
    };
    if let (Some(a), Some(b)) = (sharp(a), sharp(b))
        && let Some(found) = of_polytopes(&a, pose_a, &b, pose_b, motion)
    {
        return Ok(found);
    }
    sampled(a, pose_a, b, pose_b, motion)
}

/// [`closest_approach`] of any bodies, by distances at some times.
pub(super) fn sampled(
    a: &Body,
    pose_a: &Pose,
    b: &Body,
    pose_b: &Pose,
    motion: &Translation,
) -> Result<ClosestApproach, BodyError> {
    Sampled { a, pose_a, b, pose_b, motion }.run()
}

/// Marks a vertex pair at the end of the motion.
const MOVED: u32 = 1 << 31;

/// Gilbert's algorithm on what is swept; `None` where floats are no help.
fn of_polytopes(
    a: &SupportMap,
    pose_a: &Pose,
    b: &SupportMap,
    pose_b: &Pose,
    motion: &Translation,
) -> Option<ClosestApproach> {
    let m = Difference::new(a, pose_a, b, pose_b)?;
    let duration = motion.t1() - motion.t0();
    let travel = motion.relative_velocity().rounded() * duration * m.unit;
    // What the travel errs by, and what it adds to the size of all.
    let length = vector_size(motion.relative_velocity()) * duration * m.unit;
    if !length.is_finite() || length > 1e100 {
        return None;
    }
    let scale = m.scale + 2.0 * length;
    let corner =
        |(x, y): (u32, u32)| m.corner((x & !MOVED, y)) + if x & MOVED != 0 { travel } else { DVec3::ZERO };
    let mut at = (0, 0);
    let mut lowest = |direction: DVec3| {
        at = m.lowest(direction, at).pair;
        if direction.dot(travel) < 0.0 { (at.0 | MOVED, at.1) } else { at }
    };
    let first = lowest(corner((0, 0)));
    let mut simplex = Simplex::new(corner(first), first);
    let mut v = simplex.points[0];
    for _ in 0..200 {
        let pair = lowest(v);
        let square = v.length_squared();
        let is_done = simplex.has(pair) || square - v.dot(corner(pair)) <= 1e-15 * square || simplex.len == 4;
        if is_done || square.is_nan() {
            break;
        }
        let before = simplex;
        simplex.push(corner(pair), pair);
        let face = simplex.nearest();
        let point = face.point();
        if point.length_squared() >= square {
            simplex = before;
            break;
        }
        simplex.keep_with_weights(&face);
        v = point;
    }
    let share: f64 =
        simplex.pairs().iter().zip(simplex.weights()).filter(|(p, _)| p.0 & MOVED != 0).map(|(_, w)| w).sum();
    // As for distances without motion: corners err by 6u and their sum by 5u of all.
    let upper = v_length(&simplex) * (1.0 + 8.0 * UNIT_ROUNDOFF) + 32.0 * UNIT_ROUNDOFF * scale;
    let floor = m.floor(v, (lowest(v).0 & !MOVED, lowest(v).1));
    let fallen = v.dot(travel).min(0.0) - 16.0 * UNIT_ROUNDOFF * v.abs().element_sum() * length;
    let lower = floor.map_or(0.0, |floor| (floor + fallen) / v.length() * (1.0 - 8.0 * UNIT_ROUNDOFF));
    let lower = if lower > 0.0 && simplex.len < 4 { lower / m.unit } else { 0.0 };
    let time = (motion.t0() + share.clamp(0.0, 1.0) * duration).clamp(motion.t0(), motion.t1());
    Some(ClosestApproach { distance: Bracket { lower, upper: upper / m.unit }, time })
}

fn v_length(simplex: &Simplex) -> f64 {
    simplex.combination().length()
}

/// Distances at times between others.
struct Sampled<'a> {
    a: &'a Body,
    pose_a: &'a Pose,
    b: &'a Body,
    pose_b: &'a Pose,
    motion: &'a Translation,
}

/// A part of the motion: its ends, lower bounds of the distances there and one of that between; the least of these comes
/// first.
#[derive(PartialEq)]
struct Piece {
    least: f64,
    ends: [f64; 2],
    distances: [f64; 2],
}

impl Eq for Piece {}

impl Ord for Piece {
    fn cmp(&self, other: &Piece) -> std::cmp::Ordering {
        other.least.total_cmp(&self.least).then(other.ends[0].total_cmp(&self.ends[0]))
    }
}

impl PartialOrd for Piece {
    fn partial_cmp(&self, other: &Piece) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Sampled<'_> {
    fn run(&self) -> Result<ClosestApproach, BodyError> {
        let duration = self.motion.t1() - self.motion.t0();
        let size = vector_size(self.motion.relative_velocity());
        let speed = norm_up(self.motion.relative_velocity().rounded()) + 8.0 * UNIT_ROUNDOFF * size;
        let piece = |ends: [f64; 2], distances: [f64; 2]| {
            let between = 0.5 * (distances[0] + distances[1] - speed * (ends[1] - ends[0]) * (1.0 + 1e-15));
            Piece { least: between.min(distances[0]).min(distances[1]), ends, distances }
        };
        let (first, last) = (self.at(0.0)?, self.at(duration)?);
        let (mut best, mut when) =
            if last.upper < first.upper { (last.upper, duration) } else { (first.upper, 0.0) };
        let mut pieces = BinaryHeap::from([piece([0.0, duration], [first.lower, last.lower])]);
        for _ in 0..TIMES {
            let lower = pieces.peek().map_or(0.0, |piece| piece.least.max(0.0));
            if best - lower <= RELATIVE_WIDTH * best {
                break;
            }
            let Some(Piece { ends, distances, .. }) = pieces.pop() else { break };
            let middle = 0.5 * (ends[0] + ends[1]);
            let found = self.at(middle)?;
            if found.upper < best {
                (best, when) = (found.upper, middle);
            }
            pieces.push(piece([ends[0], middle], [distances[0], found.lower]));
            pieces.push(piece([middle, ends[1]], [found.lower, distances[1]]));
        }
        let lower = pieces.peek().map_or(0.0, |piece| piece.least.max(0.0));
        let time = (self.motion.t0() + when).clamp(self.motion.t0(), self.motion.t1());
        Ok(ClosestApproach { distance: Bracket { lower: lower.min(best), upper: best }, time })
    }

    /// The distance at `s`, whatever rounding does to where B is.
    fn at(&self, s: f64) -> Result<Bracket, BodyError> {
        let velocity = self.motion.relative_velocity();
        let moved = self.pose_b.translation() + velocity.rounded() * s;
        // Where the place is out of range nothing is known.
        let Ok(pose) = Pose::new(self.pose_b.rotation(), moved) else {
            return Ok(Bracket { lower: 0.0, upper: f64::INFINITY });
        };
        let size = norm_up(self.pose_b.translation()) + vector_size(velocity) * s;
        let off = if s == 0.0 { 0.0 } else { 16.0 * UNIT_ROUNDOFF * size };
        let found = relate(self.a, self.pose_a, self.b, &pose)?.distance;
        Ok(Bracket { lower: (found.lower - off).max(0.0), upper: found.upper + off })
    }
}
