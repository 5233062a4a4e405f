//! What a simulation tells.

use super::roots::Bracket;
use super::simulation::BodyId;
use super::stats::EventKind;

/// Which events are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Subscription {
    /// Collisions only.
    #[default]
    Collisions,
    /// Collisions and separations.
    Contacts,
    /// Everything that happens to certificates, too.
    Certificates,
}

/// Something that happened to two bodies, the one with the smaller id first.
#[derive(Clone, Debug)]
pub enum Event<F> {
    /// They began to meet. Told once until they are disjoint again.
    Collision {
        /// The bodies.
        bodies: [BodyId; 2],
        /// They were disjoint at the lower time, or added or moved there by a new plan at both; they meet at the upper time or
        /// met before it.
        time: Bracket,
        /// Where.
        contact: F,
    },
    /// They met and are disjoint again.
    Separation {
        /// The bodies.
        bodies: [BodyId; 2],
        /// They met at the lower time and are disjoint at the upper.
        time: Bracket,
    },
    /// Their certificate was examined or replaced.
    Certificate {
        /// The bodies.
        bodies: [BodyId; 2],
        /// When it failed.
        time: Bracket,
        /// Why.
        kind: EventKind,
    },
}

impl<F> Event<F> {
    /// The bodies, the one with the smaller id first.
    pub fn bodies(&self) -> [BodyId; 2] {
        match self {
            Event::Collision { bodies, .. }
            | Event::Separation { bodies, .. }
            | Event::Certificate { bodies, .. } => *bodies,
        }
    }

    /// When.
    pub fn time(&self) -> Bracket {
        match self {
            Event::Collision { time, .. }
            | Event::Separation { time, .. }
            | Event::Certificate { time, .. } => *time,
        }
    }

    pub(crate) fn is_told(&self, subscription: Subscription) -> bool {
        match self {
            Event::Collision { .. } => true,
            Event::Separation { .. } => subscription != Subscription::Collisions,
            Event::Certificate { .. } => subscription == Subscription::Certificates,
        }
    }
}
