//! Counters that a query may fill.

/// What distance queries did, added up over calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Queries asked.
    pub queries: u64,
    /// Simplices for which the point nearest to zero was computed in floats.
    pub steps: u64,
    /// Support searches, each over both bodies.
    pub supports: u64,
    /// Queries that floats left open and that were tried with twice the precision.
    pub refinements: u64,
    /// Queries that were settled by integers of any size.
    pub exact: u64,
}

impl Stats {
    /// Adds the counts of others.
    pub fn add(&mut self, other: &Stats) {
        self.queries += other.queries;
        self.steps += other.steps;
        self.supports += other.supports;
        self.refinements += other.refinements;
        self.exact += other.exact;
    }
}
