//! First contact of any two bodies that turn: which engine answers.

use super::advance::{Advance, at_start};
use super::approach::Approach;
use super::earliest;
use super::motion::{Motion, Mover};
use super::outcome::{ScrewImpact, ScrewOutcome};
use super::record::ScrewStats;
use super::surface::Surface;
use crate::body::{Body, BodyError, relate};
use crate::math::{Pose, Screw};

/// When two bodies first meet while they move from `t = 0` to `t = 1`: never late, never missed.
///
/// The relation at the start is exact. After it, no contact comes before `lower` of a hit, and one has come at `upper`, at most
/// `1e-9` later; `None` is proved. Bodies that graze may end undecided. Polytopes and their rounded kin are advanced along
/// directions that are proved to separate them; meshes and compounds on one screw are searched feature by feature, best first;
/// all others come closer by their distance over their speed. Points and normals are in the world, where bodies at rest stay.
///
/// ```
/// use clearance::{Pose, body::Body, glam::DVec3, math::Screw, pair::Convex, shape::Polytope};
/// use clearance::screw::{Motion, ScrewOutcome, first_contact};
/// let corners = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) - 0.5);
/// let cube = Body::Convex(Convex::from_polytope(Polytope::hull(&corners.collect::<Vec<_>>())?));
/// // A door of which the hinge is two lengths away swings by a quarter turn onto the other cube.
/// let there = Pose::from_translation(DVec3::new(3.0, 0.0, 0.0))?;
/// let swing = Screw::new(DVec3::Z, DVec3::ZERO, std::f64::consts::FRAC_PI_2, 0.0)?;
/// let below = Pose::from_translation(DVec3::new(0.0, 3.2, 0.0))?;
/// let found = first_contact(&cube, &below, &Motion::AtRest, &cube, &there, &swing.into())?;
/// let ScrewOutcome::Hit(impact) = found else { panic!("{found:?}") };
/// assert!(impact.upper - impact.lower <= 1e-9 && impact.lower > 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Coordinates beyond the limits, as [`crate::body::relate`] has them.
pub fn first_contact(
    a: &Body,
    pose_a: &Pose,
    motion_a: &Motion,
    b: &Body,
    pose_b: &Pose,
    motion_b: &Motion,
) -> Result<ScrewOutcome, BodyError> {
    first_contact_with(a, pose_a, motion_a, b, pose_b, motion_b, &mut ScrewStats::default())
}

/// As [`first_contact`], counting what was looked at.
///
/// # Errors
/// As [`first_contact`].
pub fn first_contact_with(
    a: &Body,
    pose_a: &Pose,
    motion_a: &Motion,
    b: &Body,
    pose_b: &Pose,
    motion_b: &Motion,
    stats: &mut ScrewStats,
) -> Result<ScrewOutcome, BodyError> {
    let found = match advanced((a, pose_a, motion_a), (b, pose_b, motion_b), stats)? {
        Some(found) => found,
        None => match at_start(relate(a, pose_a, b, pose_b)?.relation) {
            Some(met) => return Ok(met),
            None => apart(a, pose_a, motion_a, b, pose_b, motion_b, stats)?,
        },
    };
    match found {
        ScrewOutcome::Undecided { lower, .. } if lower < 1.0 => {
            Ok(by_features(lower, (a, pose_a, motion_a), (b, pose_b, motion_b), stats))
        }
        found => Ok(found),
    }
}

/// Bodies that both have a polytope as their core, from the start on.
fn advanced(
    (a, pose_a, motion_a): (&Body, &Pose, &Motion),
    (b, pose_b, motion_b): (&Body, &Pose, &Motion),
    stats: &mut ScrewStats,
) -> Result<Option<ScrewOutcome>, BodyError> {
    let (Some(a), Some(b)) = (a.as_convex(), b.as_convex()) else { return Ok(None) };
    if a.core().is_none() || b.core().is_none() {
        return Ok(None);
    }
    let (mover_a, mover_b) = (Mover::new(pose_a, motion_a), Mover::new(pose_b, motion_b));
    let Some(advance) = Advance::new((a, &mover_a), (b, &mover_b)) else { return Ok(None) };
    Ok(Some(advance.run(stats)?))
}

/// Bodies that are disjoint at the start, of which one is curved, unbounded or not convex.
fn apart(
    a: &Body,
    pose_a: &Pose,
    motion_a: &Motion,
    b: &Body,
    pose_b: &Pose,
    motion_b: &Motion,
    stats: &mut ScrewStats,
) -> Result<ScrewOutcome, BodyError> {
    let is_unbounded = |body: &Body| body.as_convex().is_some_and(|convex| convex.is_unbounded());
    match (motion_a, motion_b) {
        // Seen from the body that is everywhere, or that is to rest.
        (Motion::Screw(screw), Motion::AtRest) if is_unbounded(a) || !both_convex(a, b) => {
            moving_b(a, pose_a, b, pose_b, &screw.inverse(), stats).map(|found| carried(found, screw))
        }
        (Motion::AtRest, Motion::Screw(screw)) if is_unbounded(b) => {
            let found = moving_b(b, pose_b, a, pose_a, &screw.inverse(), stats)?;
            Ok(swapped(carried(found, screw)))
        }
        (Motion::AtRest, Motion::Screw(screw)) => moving_b(a, pose_a, b, pose_b, screw, stats),
        _ => any(a, pose_a, motion_a, b, pose_b, motion_b),
    }
}

/// Where bodies come so close that a touch cannot be told from a graze, their features may: a pair that is proved to share a point
/// proves that the bodies do.
fn by_features(
    lower: f64,
    (a, pose_a, motion_a): (&Body, &Pose, &Motion),
    (b, pose_b, motion_b): (&Body, &Pose, &Motion),
    stats: &mut ScrewStats,
) -> ScrewOutcome {
    let undecided = ScrewOutcome::Undecided { lower, upper: None };
    let (Some(x), Some(y)) = (Surface::new(a), Surface::new(b)) else { return undecided };
    if x.has_loose_features() && y.has_loose_features() {
        return undecided;
    }
    let mut ask = |screw: &Screw| earliest::first_contact(&x, pose_a, &y, pose_b, screw, lower, stats);
    match (motion_a, motion_b) {
        (Motion::Screw(screw), Motion::AtRest) => carried(ask(&screw.inverse()), screw),
        (Motion::AtRest, Motion::Screw(screw)) => ask(screw),
        _ => undecided,
    }
}

fn both_convex(a: &Body, b: &Body) -> bool {
    a.as_convex().is_some() && b.as_convex().is_some()
}

/// B moves on a screw, A rests.
fn moving_b(
    a: &Body,
    pose_a: &Pose,
    b: &Body,
    pose_b: &Pose,
    screw: &Screw,
    stats: &mut ScrewStats,
) -> Result<ScrewOutcome, BodyError> {
    if !both_convex(a, b)
        && let (Some(a), Some(b)) = (Surface::new(a), Surface::new(b))
        // A point that meets a point or a segment is no pair of features that is searched.
        && !(a.has_loose_features() && b.has_loose_features())
    {
        return Ok(first_contact_of_surfaces(&a, pose_a, &b, pose_b, screw, stats));
    }
    any(a, pose_a, &Motion::AtRest, b, pose_b, &Motion::Screw(*screw))
}

/// First contact of polytopes, meshes and compounds that are disjoint at the start, while B moves on a screw; the caller has
/// prepared them once, and knows that they are disjoint. One of them must consist of triangles throughout: contacts of a point
/// with a point or a segment are not looked for.
pub fn first_contact_of_surfaces(
    a: &Surface,
    pose_a: &Pose,
    b: &Surface,
    pose_b: &Pose,
    screw: &Screw,
    stats: &mut ScrewStats,
) -> ScrewOutcome {
    earliest::first_contact(a, pose_a, b, pose_b, screw, 0.0, stats)
}

fn any(
    a: &Body,
    pose_a: &Pose,
    motion_a: &Motion,
    b: &Body,
    pose_b: &Pose,
    motion_b: &Motion,
) -> Result<ScrewOutcome, BodyError> {
    let (mover_a, mover_b) = (Mover::new(pose_a, motion_a), Mover::new(pose_b, motion_b));
    Approach { a, b, mover_a, mover_b }.run()
}

/// What was seen by a body that moves, in the world: turned with that body to the time of contact.
fn carried(found: ScrewOutcome, screw: &Screw) -> ScrewOutcome {
    match found {
        ScrewOutcome::Hit(impact) => {
            let pose = screw.pose_at(impact.lower, &Pose::IDENTITY).map_or(Pose::IDENTITY, |(pose, _)| pose);
            ScrewOutcome::Hit(ScrewImpact {
                point: pose.apply(impact.point),
                normal: pose.apply_vector(impact.normal),
                ..impact
            })
        }
        other => other,
    }
}

fn swapped(found: ScrewOutcome) -> ScrewOutcome {
    match found {
        ScrewOutcome::Hit(impact) => ScrewOutcome::Hit(ScrewImpact { normal: -impact.normal, ..impact }),
        other => other,
    }
}
