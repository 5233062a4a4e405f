//! Names of bodies.

use std::num::NonZeroU64;

/// A body of a world. Never given twice in one world: after a body is removed its id names nothing, for ever, also if the
/// world is [restored](super::World::restore) to what it was before the body came.
///
/// Ordered by index, then by age; the order of events. Two worlds that are told the same give the same ids, so that what
/// they tell can be compared; a world cannot know an id of another one from its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId {
    pub(super) index: u32,
    /// How many were given until then, in one world.
    pub(super) birth: NonZeroU64,
}

impl BodyId {
    /// The number of the body among all: small, and used again after a body is removed, so that there are never more than there
    /// were bodies at one time. For arrays beside a world.
    pub fn index(self) -> usize {
        self.index as usize
    }
}

impl std::fmt::Display for BodyId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}#{}", self.index, self.birth)
    }
}
