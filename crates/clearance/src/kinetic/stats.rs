//! What a simulation counts.

/// What happened to a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// The nearest vertex hit the separating edge itself: the certificate becomes finer.
    Stab,
    /// It passed the edge's line beside the edge: a neighbour separates now.
    Push,
    /// An edge became parallel to the separating one: another vertex is nearest.
    Roll,
    /// The tangent's vertices or the closest features changed.
    Feature,
    /// The point left its cell through an outer edge.
    Outer,
    /// The point left its cell through the inner edge.
    Inner,
    /// The bodies began to meet.
    Collision,
    /// Bodies that met are disjoint again.
    Separation,
    /// Bodies that meet do so for another reason.
    Contact,
    /// Nothing failed for as long as was looked ahead.
    Renewal,
    /// A piece of a plan ended.
    Break,
    /// A plan was changed.
    Change,
}

impl EventKind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [EventKind; 12] = [
        EventKind::Stab,
        EventKind::Push,
        EventKind::Roll,
        EventKind::Feature,
        EventKind::Outer,
        EventKind::Inner,
        EventKind::Collision,
        EventKind::Separation,
        EventKind::Contact,
        EventKind::Renewal,
        EventKind::Break,
        EventKind::Change,
    ];

    /// Whether a certificate of separation failed.
    pub fn is_certificate_failure(self) -> bool {
        (self as usize) < EventKind::Contact as usize && self != EventKind::Separation
    }
}

/// Counters of a simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Events by kind, in the order of [`EventKind::ALL`].
    pub events: [u64; EventKind::ALL.len()],
    /// Certificates made anew from the whole polygons, not from the one before.
    pub rebuilds: u64,
    /// Steps that updates took: levels refined or coarsened, features walked over, sides tried.
    pub update_steps: u64,
    /// The largest number of steps of one update.
    pub worst_update: u64,
    /// Signs that updates asked for.
    pub signs: u64,
    /// Signs that floats did not decide.
    pub exact_signs: u64,
    /// Functions of time whose failure was looked for.
    pub functions: u64,
    /// The deepest level of a hierarchy that a certificate used.
    pub depth: u32,
}

impl Statistics {
    /// Events of a kind.
    pub fn count(&self, kind: EventKind) -> u64 {
        self.events[kind as usize]
    }

    /// Certificates of separation that failed: what the paper counts.
    pub fn certificate_failures(&self) -> u64 {
        EventKind::ALL.iter().filter(|kind| kind.is_certificate_failure()).map(|&kind| self.count(kind)).sum()
    }

    pub(crate) fn add(&mut self, kind: EventKind) {
        self.events[kind as usize] += 1;
    }

    pub(crate) fn add_update(&mut self, steps: u64) {
        self.update_steps += steps;
        self.worst_update = self.worst_update.max(steps);
    }
}
