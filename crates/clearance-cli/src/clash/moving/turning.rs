//! Two parts of which one turns.
//!
//! Exact are the relation at the start, and parts on both sides of a plane across the axis. Times are proved brackets. That parts
//! overlap is proved at some time after they meet, deeper than places round by; where that is not seen, the pair is undecided.

use super::{Contact, LegAnswer, Met, Overlap};
use crate::clash::pair::Pair;
use clearance::{
    body::{BodyError, relate},
    pair::{Bracket, Relation},
    screw::{ApproachConfig, ScrewOutcome, Stretch, closest_approach, gap_along_axis, overlap_time},
};

/// Distances are computed at so many times at most to decide whether parts come too close.
const LOOKS: usize = 2_000;

/// What happens on a stretch, in the time of the scene.
pub fn answer(stretch: &Stretch, pair: &Pair<'_>) -> Result<LegAnswer, BodyError> {
    let (a, b) = (pair.a.geometry.body, pair.b.geometry.body);
    let ([pose_a, pose_b], [motion_a, motion_b]) = (&stretch.poses, &stretch.motions);
    let found = stretch.first_contact(a, b)?;
    let contact = contact_of(&found, stretch, pair)?;
    let overlap = match found {
        ScrewOutcome::None => Overlap::Never,
        ScrewOutcome::OverlappingAtStart => {
            Overlap::From(Bracket { lower: stretch.times[0], upper: stretch.times[0] })
        }
        ScrewOutcome::TouchingAtStart | ScrewOutcome::Hit(_) | ScrewOutcome::Undecided { .. } => {
            let from = match found {
                ScrewOutcome::Hit(impact) => impact.lower,
                ScrewOutcome::Undecided { lower, .. } => lower,
                _ => 0.0,
            };
            if gap_along_axis(a, pose_a, motion_a, b, pose_b, motion_b).is_some_and(|gap| gap >= 0.0) {
                Overlap::Never
            } else {
                match overlap_time(a, pose_a, motion_a, b, pose_b, motion_b, from)? {
                    Some(seen) => {
                        Overlap::From(Bracket { lower: stretch.earliest(from), upper: stretch.latest(seen) })
                    }
                    None => Overlap::Undecided,
                }
            }
        }
    };
    let contact = match (contact, &overlap) {
        // Seen to have met, though not when first.
        (Contact::Undecided(Bracket { lower, .. }), Overlap::From(seen)) => Contact::Hit {
            bracket: Bracket { lower, upper: seen.upper },
            exact: None,
            met: Met { normal: None, points: Vec::new() },
        },
        (contact, _) => contact,
    };
    let required = pair.rule.clearance;
    let closest = match found {
        ScrewOutcome::None if required > 0.0 => {
            let config =
                ApproachConfig { limit: Some(required), looks_for_limit: LOOKS, ..Default::default() };
            let near = closest_approach(a, pose_a, motion_a, b, pose_b, motion_b, &config)?;
            let [t0, t1] = stretch.times;
            Some((near.distance, t0 + near.time * (t1 - t0)))
        }
        _ => None,
    };
    Ok(LegAnswer { contact, overlap, closest })
}

fn contact_of(found: &ScrewOutcome, stretch: &Stretch, pair: &Pair<'_>) -> Result<Contact, BodyError> {
    Ok(match *found {
        ScrewOutcome::None => Contact::None,
        ScrewOutcome::OverlappingAtStart => Contact::AtStart(Relation::Overlapping, None),
        ScrewOutcome::TouchingAtStart => {
            let [pose_a, pose_b] = &stretch.poses;
            let start = relate(pair.a.geometry.body, pose_a, pair.b.geometry.body, pose_b)?;
            let points = start.points.map_or(Vec::new(), |[point, _]| vec![point]);
            Contact::AtStart(Relation::Touching, Some(Met { normal: start.normal, points }))
        }
        ScrewOutcome::Hit(impact) => Contact::Hit {
            bracket: Bracket { lower: stretch.earliest(impact.lower), upper: stretch.latest(impact.upper) },
            exact: None,
            met: Met { normal: Some(impact.normal), points: vec![impact.point] },
        },
        ScrewOutcome::Undecided { lower, upper } => {
            let lower_time = stretch.earliest(lower);
            let upper = upper.map_or(lower_time, |upper| stretch.latest(upper));
            Contact::Undecided(Bracket { lower: lower_time, upper })
        }
    })
}
