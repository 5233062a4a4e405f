//! What if: poses that a body does not have.
//!
//! Groups and ignored pairs count, mobility does not: a body that is static now is put somewhere to see whether it fits there,
//! and that depends on other static bodies, too.

use super::cancel::{Cancel, NEVER};
use super::narrow::{At, Scratch, collides};
use super::world::World;
use super::{BodyId, WorldError};
use crate::math::Pose;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Poses that one task takes: enough that the body that was hit last is worth trying first.
const TASK: usize = 32;

impl World {
    /// Whether a body would collide with any other if it had a pose; nothing changes. Ends at the first that it meets.
    ///
    /// With any that its groups and ignored pairs allow, static ones as well, whether it is static itself or not.
    ///
    /// # Errors
    /// The id names nothing; a pair for which no method is known.
    pub fn would_collide(&self, body: BodyId, pose: &Pose) -> Result<bool, WorldError> {
        let slot = self.slot(body)?;
        self.blocker(slot, pose, &mut Trial::default(), &NEVER)
    }

    /// The bodies that one would collide with if it had a pose, in the order of ids, as [`World::would_collide`]; nothing
    /// changes.
    ///
    /// # Errors
    /// The id names nothing; a pair for which no method is known.
    pub fn would_meet(&self, body: BodyId, pose: &Pose) -> Result<Vec<BodyId>, WorldError> {
        self.would_meet_until(body, pose, &NEVER)
    }

    /// [`World::would_meet`] that can be ended from outside.
    ///
    /// # Errors
    /// As [`World::would_meet`]; the flag is set.
    pub fn would_meet_until(
        &self,
        body: BodyId,
        pose: &Pose,
        cancel: &Cancel,
    ) -> Result<Vec<BodyId>, WorldError> {
        let slot = self.slot(body)?;
        let mut scratch = Scratch::default();
        let mut found = Vec::new();
        for other in self.in_the_way(slot, pose) {
            cancel.check()?;
            if self.test(slot, pose, other, &mut scratch)? {
                found.push(self.id(other));
            }
        }
        cancel.check()?;
        Ok(found)
    }

    /// The places of bodies that one may collide with under a pose, by groups, ignored pairs and bounds.
    fn in_the_way(&self, slot: u32, pose: &Pose) -> Vec<u32> {
        let bound = self.at(slot).shape.bound(pose);
        self.near(&bound, slot, |other| self.accepts(slot, other))
    }

    /// For each pose whether a body would collide there, as [`World::would_collide`]; on all threads.
    ///
    /// # Errors
    /// The id names nothing; a pair for which no method is known.
    pub fn check_poses(&self, body: BodyId, poses: &[Pose]) -> Result<Vec<bool>, WorldError> {
        self.check_poses_until(body, poses, &NEVER)
    }

    /// [`World::check_poses`] that can be ended from outside.
    ///
    /// # Errors
    /// As [`World::check_poses`]; the flag is set.
    pub fn check_poses_until(
        &self,
        body: BodyId,
        poses: &[Pose],
        cancel: &Cancel,
    ) -> Result<Vec<bool>, WorldError> {
        let slot = self.slot(body)?;
        let mut answers = vec![false; poses.len()];
        let task = |(answers, poses): (&mut [bool], &[Pose])| {
            let mut trial = Trial::default();
            for (answer, pose) in answers.iter_mut().zip(poses) {
                cancel.check()?;
                *answer = self.blocker(slot, pose, &mut trial, cancel)?;
            }
            Ok(())
        };
        // Of several errors the first is told, whichever thread was faster.
        let results: Vec<Result<(), WorldError>> =
            answers.par_chunks_mut(TASK).zip(poses.par_chunks(TASK)).map(task).collect();
        results.into_iter().collect::<Result<(), WorldError>>()?;
        cancel.check()?;
        Ok(answers)
    }

    /// The first of many poses, as a path, at which a body would collide; poses behind one that is known to are not looked
    /// at.
    ///
    /// # Errors
    /// As [`World::check_poses`]; the flag is set.
    pub fn first_collision(
        &self,
        body: BodyId,
        poses: &[Pose],
        cancel: &Cancel,
    ) -> Result<Option<usize>, WorldError> {
        let slot = self.slot(body)?;
        let known = AtomicUsize::new(usize::MAX);
        let task = |(chunk, poses): (usize, &[Pose])| {
            let mut trial = Trial::default();
            for (at, pose) in (chunk * TASK..).zip(poses) {
                if known.load(Ordering::Relaxed) < at {
                    return Ok(None);
                }
                cancel.check()?;
                if self.blocker(slot, pose, &mut trial, cancel)? {
                    known.fetch_min(at, Ordering::Relaxed);
                    return Ok(Some(at));
                }
            }
            Ok(None)
        };
        let found: Vec<Result<Option<usize>, WorldError>> =
            poses.par_chunks(TASK).enumerate().map(task).collect();
        cancel.check()?;
        // What lies behind the first hit may or may not have been looked at: it does not count, nor do its errors.
        found.into_iter().find_map(Result::transpose).transpose()
    }

    /// Whether a body meets any other under a pose; the one that was met last is tried first.
    fn blocker(
        &self,
        slot: u32,
        pose: &Pose,
        trial: &mut Trial,
        cancel: &Cancel,
    ) -> Result<bool, WorldError> {
        let others = self.in_the_way(slot, pose);
        let last = trial.last.filter(|last| others.binary_search(last).is_ok());
        for other in last.into_iter().chain(others.iter().copied().filter(|&other| Some(other) != last)) {
            cancel.check()?;
            if self.test(slot, pose, other, &mut trial.scratch)? {
                trial.last = Some(other);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn test(&self, slot: u32, pose: &Pose, other: u32, scratch: &mut Scratch) -> Result<bool, WorldError> {
        let at = At { geometry: &self.at(slot).shape.0, pose };
        let failed = |error| WorldError::Pair { a: self.id(slot), b: self.id(other), error };
        collides(at, self.at(other).at(), scratch).map_err(failed)
    }
}

/// What is kept from pose to pose.
#[derive(Default)]
struct Trial {
    scratch: Scratch,
    last: Option<u32>,
}
