//! How far apart two compounds are: a proved bracket, where, and which parts.

use super::cache::CompoundCache;
use super::hierarchy::Compound;
use super::query::{Next, Query};
use crate::math::Pose;
use crate::pair::{self, DistanceConfig};
use glam::DVec3;
use std::cmp::Reverse;

/// How precisely the distance of hulls is found, which only decides what is looked at first.
const HULL_WIDTH: f64 = 0.01;

/// The distance of two compounds, in the world frame.
///
/// Not disjoint: both ends are 0 and both points are a common point, rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompoundDistance {
    /// Proved to be at most the distance.
    pub lower: f64,
    /// Proved to be at least the distance.
    pub upper: f64,
    /// A point of A, rounded, nearest to B up to the width of the bracket.
    pub point_a: DVec3,
    /// A point of B, rounded, nearest to A.
    pub point_b: DVec3,
    /// The part of A and that of B on which the points lie.
    pub parts: [usize; 2],
}

/// The distance of two compounds under two poses, within a relative width of `1e-12`; zero, exactly, if they share a
/// point.
///
/// Best first by the distances of hulls; only parts whose hulls are nearer than what is known are measured.
pub fn distance(a: &Compound, pose_a: &Pose, b: &Compound, pose_b: &Pose) -> CompoundDistance {
    distance_with(a, pose_a, b, pose_b, &mut CompoundCache::default())
}

/// [`distance`] with what is remembered: the parts that were nearest in the last frame give the first bound. Of parts
/// that are equally near, those that are reported may depend on it, and so may the last bits.
pub fn distance_with(
    a: &Compound,
    pose_a: &Pose,
    b: &Compound,
    pose_b: &Pose,
    cache: &mut CompoundCache,
) -> CompoundDistance {
    cache.begin();
    let query = Query { a, pose_a, b, pose_b };
    let mut search = Search { query, best: NOTHING_YET, first: None };
    if let Some(nodes) = query.decisive(cache) {
        search.open(nodes, cache);
        search.first = Some(nodes);
    }
    search.add(query.roots(), cache);
    while let Some(Reverse((bits, x, y))) = cache.queue.pop() {
        if f64::from_bits(bits) >= search.best.upper {
            break;
        }
        search.open((x, y), cache);
    }
    search.best
}

/// Farther than any parts.
const NOTHING_YET: CompoundDistance = CompoundDistance {
    lower: f64::INFINITY,
    upper: f64::INFINITY,
    point_a: DVec3::ZERO,
    point_b: DVec3::ZERO,
    parts: [0, 0],
};

/// A search for the nearest parts.
struct Search<'a> {
    query: Query<'a>,
    /// The nearest parts so far; the lower end holds for all parts that were measured, and what was left out is no
    /// nearer than the upper end.
    best: CompoundDistance,
    /// Leaves that were measured before the search began.
    first: Option<(u32, u32)>,
}

impl Search<'_> {
    /// Queues a pair of nodes, unless its hulls are no nearer than the nearest parts.
    fn add(&mut self, nodes: (u32, u32), cache: &mut CompoundCache) {
        let Query { a, pose_a, b, pose_b } = self.query;
        let config = DistanceConfig { relative_width: HULL_WIDTH };
        let (hull_a, hull_b) = (a.hull_at(nodes.0), b.hull_at(nodes.1));
        let memory = &mut cache.of(nodes).gilbert;
        let gap = pair::distance_with(hull_a, pose_a, hull_b, pose_b, &config, memory);
        cache.stats.node_pairs += 1;
        if gap.lower < self.best.upper {
            cache.queue.push(Reverse(((gap.lower + 0.0).to_bits(), nodes.0, nodes.1)));
        }
    }

    fn open(&mut self, nodes: (u32, u32), cache: &mut CompoundCache) {
        if self.first == Some(nodes) {
            return;
        }
        match self.query.next(nodes) {
            Next::Nodes(pairs) => pairs.into_iter().for_each(|pair| self.add(pair, cache)),
            Next::Parts(p, q) => self.measure(nodes, (p, q), cache),
        }
    }

    fn measure(&mut self, nodes: (u32, u32), (p, q): (u32, u32), cache: &mut CompoundCache) {
        let gap = self.query.distance_of_parts(nodes, (p, q), cache);
        let lower = gap.lower.min(self.best.lower);
        if gap.upper < self.best.upper {
            let ([point_a, point_b], parts) = (gap.points, [p as usize, q as usize]);
            self.best = CompoundDistance { lower, upper: gap.upper, point_a, point_b, parts };
            cache.decisive = Some(nodes);
        }
        self.best.lower = lower;
    }
}
