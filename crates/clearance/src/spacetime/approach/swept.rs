//! How close two translating polytopes come: the distance of A from all that B sweeps, a polytope whose support is that of
//! B and the sign of a product more. Gilbert's algorithm in one dimension more [Joseph87].

use super::ClosestApproach;
use crate::math::Pose;
use crate::math::round::UNIT_ROUNDOFF;
use crate::pair::{Bracket, Difference, Simplex};
use crate::spacetime::translation::Translation;
use crate::support::SupportMap;
use crate::triangle::vector_size;
use glam::DVec3;

/// Marks a vertex pair at the end of the motion.
const MOVED: u32 = 1 << 31;

/// The distance, the time since the start, and a direction from A to B; `None` where floats are no help.
pub(super) fn of_polytopes(
    a: &SupportMap,
    pose_a: &Pose,
    b: &SupportMap,
    pose_b: &Pose,
    motion: &Translation,
) -> Option<(ClosestApproach, DVec3)> {
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
    let floor = m.floor(v, &[(lowest(v).0 & !MOVED, lowest(v).1); 3]);
    let fallen = v.dot(travel).min(0.0) - 16.0 * UNIT_ROUNDOFF * v.abs().element_sum() * length;
    let lower = floor.map_or(0.0, |floor| (floor + fallen) / v.length() * (1.0 - 8.0 * UNIT_ROUNDOFF));
    let lower = if lower > 0.0 { lower / m.unit } else { 0.0 };
    let time = share.clamp(0.0, 1.0) * duration;
    Some((ClosestApproach { distance: Bracket { lower, upper: upper / m.unit }, time }, v))
}

fn v_length(simplex: &Simplex) -> f64 {
    simplex.combination().length()
}
