//! Two compounds under two poses.

use super::cache::CompoundCache;
use super::hierarchy::{Below, Compound};
use crate::math::Pose;
use crate::pair::Relation;

/// Two bodies and where they are.
#[derive(Clone, Copy)]
pub(super) struct Query<'a> {
    pub a: &'a Compound,
    pub pose_a: &'a Pose,
    pub b: &'a Compound,
    pub pose_b: &'a Pose,
}

/// What comes after a pair of nodes whose hulls are near.
pub(super) enum Next {
    /// Two pairs instead of one.
    Nodes([(u32, u32); 2]),
    /// A part of A and one of B.
    Parts(u32, u32),
}

impl Query<'_> {
    pub fn roots(&self) -> (u32, u32) {
        (self.a.root(), self.b.root())
    }

    /// Opens the larger node, if it is not a leaf.
    pub fn next(&self, (x, y): (u32, u32)) -> Next {
        let opened_a = |[low, high]: [u32; 2]| Next::Nodes([(low, y), (high, y)]);
        let opened_b = |[low, high]: [u32; 2]| Next::Nodes([(x, low), (x, high)]);
        match (self.a.below(x), self.b.below(y)) {
            (Below::Part(p), Below::Part(q)) => Next::Parts(p, q),
            (Below::Nodes(children), Below::Part(_)) => opened_a(children),
            (Below::Part(_), Below::Nodes(children)) => opened_b(children),
            (Below::Nodes(of_a), Below::Nodes(of_b)) => match self.a.diameter(x) >= self.b.diameter(y) {
                true => opened_a(of_a),
                false => opened_b(of_b),
            },
        }
    }

    /// The pair of leaves that settled the last query, if these bodies have it.
    pub fn decisive(&self, cache: &CompoundCache) -> Option<(u32, u32)> {
        let exists = |&(x, y): &(u32, u32)| self.a.has(x) && self.b.has(y);
        let nodes = cache.decisive.filter(exists)?;
        matches!(self.next(nodes), Next::Parts(..)).then_some(nodes)
    }

    /// How the hulls of two nodes lie to each other: the strongest relation that parts below them can have.
    ///
    /// A direction that separates hulls, strictly or not, separates all that is in them.
    pub fn hulls(&self, nodes: (u32, u32), cache: &mut CompoundCache) -> Relation {
        let (hull_a, hull_b) = (self.a.hull_at(nodes.0), self.b.hull_at(nodes.1));
        let tracker = &mut cache.of(nodes).tracker;
        let before = tracker.stats().remembered;
        let found = tracker.relation(hull_a, self.pose_a, hull_b, self.pose_b);
        let remembered = tracker.stats().remembered - before;
        cache.stats.node_pairs += 1;
        cache.stats.remembered += remembered;
        found
    }
}
