//! When meshes that have met begin to overlap.
//!
//! Whether meshes overlap changes only when triangles begin or end to meet. Between two such times in succession triangles that
//! cross settle it: surfaces overlap iff some do, and solids if some do. Solids without such triangles, one inside the other or
//! touching it, are related at one time between; a time with few digits makes their places exact. Only the difference of
//! their translations matters, so it may be split among the two poses.

use super::mesh::MeshQuery;
use super::outcome::{FirstContact, FirstOverlap, Outcome};
use super::time::{ExactTime, bracket, quotient, rational};
use crate::exact::over_one_power;
use crate::math::Pose;
use crate::mesh::{MeshCache, relation_with, shows_overlap};
use crate::pair::Relation;
use crate::shape::MeshKind;
use crate::tree::{Earlier, Encounter, MeshPair};
use dashu::integer::IBig;
use dashu::rational::RBig;
use glam::DVec3;

/// The first overlap, given what happens first and which triangles meet then: those that cross right after settle most
/// cases.
pub(super) fn first_overlap(
    query: &MeshQuery<'_>,
    found: &FirstContact,
    first: &[(u32, u32)],
    cache: &mut MeshCache,
) -> FirstOverlap {
    let start = rational(query.motion.t0());
    let mut from = match &found.outcome {
        Outcome::None(_) => return FirstOverlap::Never,
        Outcome::OverlappingAtStart => return FirstOverlap::From(ExactTime::new(start)),
        Outcome::TouchingAtStart(_) => RBig::ZERO,
        Outcome::Hit(time, _) => time.value() - &start,
        Outcome::HitBetween(..) | Outcome::Undecided(_) => return FirstOverlap::Undecided,
    };
    let duration = rational(query.motion.t1()) - &start;
    // At rest nothing begins.
    if query.motion.relative_velocity().is_zero() {
        return FirstOverlap::Never;
    }
    let are_surfaces = [query.a, query.b].iter().all(|mesh| mesh.mesh().kind() == MeshKind::Surface);
    let is_settled_by_crossing = are_surfaces || shows_overlap(query.a, query.b);
    let crosses =
        |&(x, y): &(u32, u32)| query.triangles(x, y).stay().is_some_and(|stay| stay.crosses_after(&from));
    if from < duration && is_settled_by_crossing && first.iter().any(crosses) {
        return FirstOverlap::From(ExactTime::new(start + from));
    }
    while from < duration {
        let next = next_event(query, &from, &duration, cache);
        let overlap = if next.is_crossed && is_settled_by_crossing {
            true
        } else if are_surfaces {
            false
        } else {
            let Some([pose_a, pose_b]) = poses_between(query, &from, &next.s) else {
                return FirstOverlap::Undecided;
            };
            relation_with(query.a, &pose_a, query.b, &pose_b, cache).relation == Relation::Overlapping
        };
        if overlap {
            return FirstOverlap::From(ExactTime::new(start + from));
        }
        from = next.s;
    }
    FirstOverlap::Never
}

/// When triangles next begin or end to meet, and whether some cross until then.
struct Event {
    s: RBig,
    is_crossed: bool,
}

/// The first event after `from`, or the end of the motion.
fn next_event(query: &MeshQuery<'_>, from: &RBig, duration: &RBig, cache: &mut MeshCache) -> Event {
    let pair = MeshPair::new(query.a.placed(query.pose_a), query.b.placed(query.pose_b));
    let (course, trees) = (query.course(), pair.trees());
    let mut next = Event { s: duration.clone(), is_crossed: false };
    trees.earliest(&course, query.duration(), &mut cache.scratch, |x, y, limit| {
        let corners = (query.a.mesh().triangle(x as usize), query.b.mesh().triangle(y as usize));
        if trees.encounter(corners.0, corners.1, &course, limit) == Encounter::Never {
            return None;
        }
        let stay = query.triangles(x, y).stay()?;
        next.is_crossed |= stay.crosses_after(from);
        let event = [stay.from, stay.to].into_iter().filter(|event| event > from).min()?;
        (event < next.s).then(|| {
            next.s = event;
            Earlier { s: bracket(&next.s).1, direction: DVec3::ZERO }
        })
    });
    next
}

/// Poses that differ by the displacement at a time with few digits between two others; `None` if floats have no room.
fn poses_between(query: &MeshQuery<'_>, from: &RBig, to: &RBig) -> Option<[Pose; 2]> {
    let s = simplest_between(from, to);
    let (w, exponent) = over_one_power(&[query.motion.relative_velocity()]);
    let (mut high, mut low) = (DVec3::ZERO, DVec3::ZERO);
    for axis in 0..3 {
        let moved = quotient(w[0][axis].clone(), IBig::ONE, exponent) * &s;
        let exact =
            rational(query.pose_b.translation()[axis]) - rational(query.pose_a.translation()[axis]) + moved;
        high[axis] = exact.to_f64().value();
        if !high[axis].is_finite() {
            return None;
        }
        let rest = exact - rational(high[axis]);
        low[axis] = rest.to_f64().value();
        if rational(low[axis]) != rest {
            return None;
        }
    }
    Some([Pose::new(query.pose_a.rotation(), -low).ok()?, Pose::new(query.pose_b.rotation(), high).ok()?])
}

/// A number with few binary digits strictly between two others.
fn simplest_between(from: &RBig, to: &RBig) -> RBig {
    let width = (to - from).to_f64().value();
    // One digit more than the width needs is enough, wherever it lies.
    let mut exponent =
        if width.is_normal() { crate::math::round::exponent_of(width) as isize } else { -1000 };
    loop {
        let step = quotient(IBig::ONE, IBig::ONE, exponent);
        let next = ((from / &step).floor() + IBig::ONE) * IBig::ONE;
        let found = RBig::from(next) * &step;
        if found < *to {
            return found;
        }
        exponent -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_between_have_few_digits() {
        for (from, to, want) in
            [(0.3, 0.9, 0.5), (0.0, 1.0, 0.5), (5.0, 9.0, 8.0), (1.0, 1.0 + 1e-9, 1.0 + 2f64.powi(-30))]
        {
            assert_eq!(simplest_between(&rational(from), &rational(to)), rational(want), "{from} {to}");
        }
    }
}
