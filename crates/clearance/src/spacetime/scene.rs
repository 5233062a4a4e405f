//! First contacts among several translating bodies.

use super::body::first_contact;
use super::boxes;
use super::outcome::{FirstContact, Outcome};
use super::translation::{Translation, TranslationError};
use crate::body::{Body, BodyError};
use crate::broad::{BroadPhase, EVERYWHERE, IdPair, Mobility, Partition};
use crate::math::Pose;
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
/// cost nothing: a grid finds the others.
///
/// # Errors
/// A velocity or time that [`Translation::new`] refuses.
pub fn first_contacts(
    bodies: &[MovingBody<'_>],
    t0: f64,
    t1: f64,
) -> Result<SceneContacts, TranslationError> {
    let answer = |pair: IdPair| -> Result<PairContact, TranslationError> {
        let [i, j] = [pair.a() as usize, pair.b() as usize];
        let (a, b) = (&bodies[i], &bodies[j]);
        let motion = Translation::new(a.velocity, b.velocity, t0, t1)?;
        Ok(PairContact { bodies: [i, j], found: first_contact(a.body, a.pose, b.body, b.pose, &motion) })
    };
    // Checked even where no pair is near.
    for moving in bodies {
        Translation::new(moving.velocity, DVec3::ZERO, t0, t1)?;
    }
    let swept = bodies.iter().map(|moving| (moving.body, moving.pose, moving.velocity * (t1 - t0)));
    Ok(SceneContacts { pairs: near(swept).into_iter().map(answer).collect::<Result<_, _>>()? })
}

/// Pairs of bodies whose boxes, swept over their travel, meet, in the order of the bodies.
pub(super) fn near<'a>(bodies: impl Iterator<Item = (&'a Body, &'a Pose, DVec3)>) -> Vec<IdPair> {
    let mut broad = Partition::default();
    for (id, (body, pose, travel)) in (0..).zip(bodies) {
        let around = boxes::of_body(body).map_or(EVERYWHERE, |bounds| bounds.swept(pose, travel));
        broad.insert(id, around, Mobility::Moving);
    }
    let mut pairs = Vec::new();
    broad.pairs(&mut pairs);
    pairs
}
