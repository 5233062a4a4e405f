//! Names of bodies.

/// A body of a world. Never given twice in one world: after a body is removed its id names nothing, for ever.
///
/// Ordered by place, then by age; the order of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId {
    pub(super) slot: u32,
    pub(super) birth: u64,
}

impl BodyId {
    /// The place of the body among all: small numbers, which are used again after a body is removed. For arrays beside a
    /// world.
    pub fn index(self) -> usize {
        self.slot as usize
    }
}

impl std::fmt::Display for BodyId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}#{}", self.slot, self.birth)
    }
}
