//! What a step tells.

use super::BodyId;
use super::narrow::Separation;
use crate::body::BodyError;
use crate::pair::{Bracket, ConvexRelation};
use glam::DVec3;

/// What happened to a pair in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The body that comes first in the order of ids.
    pub a: BodyId,
    /// The other.
    pub b: BodyId,
    /// What happened.
    pub change: Change,
}

/// The kinds of events, in the order in which they come for one pair.
///
/// `Began` comes first for a pair, then `Persists` in every step, then `Ended`; `Approached` comes before `Began`, and
/// `Receded` after `Ended`. A pair that is not proved to be disjoint counts as colliding, and its relation says so.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// The bodies came within the watch radius. Only if the world has one.
    Approached,
    /// They share a point, and did not in the step before.
    Began(Box<Contact>),
    /// They share a point, and did in the step before.
    Persists(ConvexRelation),
    /// They share no point any more.
    Ended(Ending),
    /// They left the watch radius.
    Receded(Ending),
}

/// Why something ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// They are apart.
    Apart,
    /// One of them is no longer in the world.
    Removed,
    /// They are ignored now, or their groups changed.
    Ignored,
}

/// All about the first step in which two bodies share a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// How they lie to each other: touching or overlapping, or for curved bodies touching within a width.
    pub relation: ConvexRelation,
    /// How deep, if they overlap and it is known.
    pub depth: Option<Bracket>,
    /// A point of A and one of B, world frame, rounded, as in [`BodyAnswer`](crate::body::BodyAnswer).
    pub points: Option<[DVec3; 2]>,
    /// Unit normal from A to B along which moving B separates them soonest; for convex bodies.
    pub normal: Option<DVec3>,
    /// The closest points in the step before; `None` if one of the bodies was not there or was teleported since, or if
    /// they shared a point then as well (while they were ignored).
    pub before: Option<Separation>,
}

/// Two bodies near each other that no method relates. They have no events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Failure {
    /// One body.
    pub a: BodyId,
    /// The other.
    pub b: BodyId,
    /// Why.
    pub error: BodyError,
}

/// What a step found; the lists are those of the world until its next step.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// In the order of pairs.
    pub events: &'a [Event],
    /// Pairs that could not be decided, in the order of pairs.
    pub failures: &'a [Failure],
    /// Pairs of bodies near each other, whose bounds meet or will if they go on.
    pub pairs: usize,
    /// Those of them whose bodies had to be related: bounds meet, and they moved farther than they were apart when they were
    /// last related.
    pub tested: usize,
}

impl<'a> Frame<'a> {
    /// The pairs that began to collide.
    pub fn began(&self) -> impl Iterator<Item = (BodyId, BodyId, &'a Contact)> + use<'a> {
        self.events.iter().filter_map(|event| match &event.change {
            Change::Began(contact) => Some((event.a, event.b, &**contact)),
            _ => None,
        })
    }
}
