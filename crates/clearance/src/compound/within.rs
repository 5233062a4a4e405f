//! Whether two compounds are at most so far apart.

use super::cache::CompoundCache;
use super::hierarchy::Compound;
use super::query::{Next, Query};
use crate::math::Pose;
use crate::pair;

/// Whether the distance of two compounds is at most a limit: exact, also where it equals the limit. False for a limit
/// that is negative or not a number.
pub fn within(a: &Compound, pose_a: &Pose, b: &Compound, pose_b: &Pose, limit: f64) -> bool {
    within_with(a, pose_a, b, pose_b, limit, &mut CompoundCache::default())
}

/// [`within`] with what is remembered: parts that were near in the last frame are tried first.
pub fn within_with(
    a: &Compound,
    pose_a: &Pose,
    b: &Compound,
    pose_b: &Pose,
    limit: f64,
    cache: &mut CompoundCache,
) -> bool {
    let query = Query { a, pose_a, b, pose_b };
    cache.begin();
    cache.stack.push(query.roots());
    cache.stack.extend(query.decisive(cache));
    while let Some(nodes) = cache.stack.pop() {
        cache.stats.node_pairs += 1;
        if !pair::within(a.hull_at(nodes.0), pose_a, b.hull_at(nodes.1), pose_b, limit) {
            continue;
        }
        match query.next(nodes) {
            Next::Nodes(pairs) => cache.stack.extend(pairs),
            Next::Parts(p, q) if query.parts_within(nodes, (p, q), limit, cache) => {
                cache.decisive = Some(nodes);
                return true;
            }
            Next::Parts(..) => {}
        }
    }
    false
}
