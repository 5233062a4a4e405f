//! Disjoint, touching or overlapping: exact.

use super::cache::CompoundCache;
use super::hierarchy::Compound;
use super::query::{Next, Query};
use crate::math::Pose;
use crate::pair::Relation;

/// How two compounds under two poses lie to each other, the strongest relation of two of their parts: exact, whatever the
/// scale.
///
/// Costs a separating vector search for each pair of nodes whose parents' hulls meet; ends at the first parts that
/// overlap.
pub fn relation(a: &Compound, pose_a: &Pose, b: &Compound, pose_b: &Pose) -> Relation {
    relation_with(a, pose_a, b, pose_b, &mut CompoundCache::default())
}

/// [`relation`] with what is remembered of the last frame: the parts that settled it first, then for each pair of nodes
/// its separating direction.
pub fn relation_with(
    a: &Compound,
    pose_a: &Pose,
    b: &Compound,
    pose_b: &Pose,
    cache: &mut CompoundCache,
) -> Relation {
    strongest(&Query { a, pose_a, b, pose_b }, Relation::Overlapping, cache)
}

/// Whether two compounds share a point: ends at the first parts that touch.
pub fn collides(a: &Compound, pose_a: &Pose, b: &Compound, pose_b: &Pose) -> bool {
    collides_with(a, pose_a, b, pose_b, &mut CompoundCache::default())
}

/// [`collides`] with what is remembered of the last frame.
pub fn collides_with(
    a: &Compound,
    pose_a: &Pose,
    b: &Compound,
    pose_b: &Pose,
    cache: &mut CompoundCache,
) -> bool {
    strongest(&Query { a, pose_a, b, pose_b }, Relation::Touching, cache) != Relation::Disjoint
}

/// The strongest relation of two parts, or one that is at least `enough`.
fn strongest(query: &Query<'_>, enough: Relation, cache: &mut CompoundCache) -> Relation {
    cache.begin();
    cache.stack.push(query.roots());
    cache.stack.extend(query.decisive(cache));
    let mut strongest = Relation::Disjoint;
    while let Some(nodes) = cache.stack.pop() {
        let hulls = query.hulls(nodes, cache);
        if hulls <= strongest {
            continue;
        }
        match query.next(nodes) {
            Next::Nodes(pairs) => cache.stack.extend(pairs),
            Next::Parts(p, q) => {
                let found = query.relation_of_parts(nodes, (p, q), hulls, enough, cache);
                if found > strongest {
                    (strongest, cache.decisive) = (found, Some(nodes));
                }
                if strongest >= enough {
                    break;
                }
            }
        }
    }
    strongest
}
