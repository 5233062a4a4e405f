//! The nearest pairs first: distances.

use super::guide::Guide;
use super::lanes::Lanes;
use super::node::Child;
use super::packet::packet;
use super::pair::TreePair;
use super::tile::Square;
use super::traverse::Entry;
use super::Scratch;
use glam::DVec3;
use wide::{f32x8, f64x8};

/// Triangles that are nearer than all before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearer {
    /// An upper bound of the distance of the bodies.
    pub distance: f64,
    /// From A to B, in the world; any length. Speed depends on it, answers do not.
    pub direction: DVec3,
}

impl TreePair<'_> {
    /// Calls `visit(triangle of A, triangle of B, limit)` for pairs of triangles that may be nearer than the limit,
    /// near ones first; `visit` returns a smaller limit, if it found one.
    ///
    /// When it returns, every pair that was not visited is at least as far apart, under the exact poses, as the limit
    /// that is returned. Limits must not grow.
    pub fn nearest(
        &self,
        start: Option<Nearer>,
        scratch: &mut Scratch,
        visit: impl FnMut(u32, u32, f64) -> Option<Nearer>,
    ) -> f64 {
        if self.single {
            self.search::<f32x8>(start, scratch, visit)
        } else {
            self.search::<f64x8>(start, scratch, visit)
        }
    }

    fn search<L: Lanes>(
        &self,
        start: Option<Nearer>,
        scratch: &mut Scratch,
        mut visit: impl FnMut(u32, u32, f64) -> Option<Nearer>,
    ) -> f64 {
        let view = self.view::<L>();
        let Scratch { entries, near, stats } = scratch;
        entries.clear();
        entries.push(Entry::WHOLE);
        let mut guide: Option<Guide<L>> = start.map(|start| self.guide(start.direction, view.plane_slack));
        let mut limit = start.map_or(f64::INFINITY, |start| start.distance);
        let mut square = self.square_limit(limit);
        while limit > 0.0
            && let Some(entry) = entries.pop()
        {
            if entry.key >= square {
                continue;
            }
            let start = entries.len();
            let bound = L::splat_up(square);
            if let (Child::Leaf { index: leaf_a, size: size_a }, Child::Leaf { index: leaf_b, size: size_b }) =
                (self.a.at(entry.a), self.b.at(entry.b))
            {
                let leaf_a = (&self.a.leaves[leaf_a as usize], size_a);
                let leaf_b = (&self.b.leaves[leaf_b as usize], size_b);
                near.clear();
                stats.leaf_pairs += 1;
                stats.triangle_pairs += packet::<L, Square>(leaf_a, leaf_b, &view, guide.as_ref(), bound, |a, b, key| {
                    near.push(Entry { key, a, b });
                });
                near.sort_unstable_by(|x, y| x.key.total_cmp(&y.key).then(x.a.cmp(&y.a)).then(x.b.cmp(&y.b)));
                for &Entry { key, a, b } in near.iter() {
                    if key >= square || limit == 0.0 {
                        break;
                    }
                    stats.visits += 1;
                    if let Some(nearer) = visit(a, b, limit) {
                        limit = limit.min(nearer.distance);
                        square = self.square_limit(limit);
                        guide = Some(self.guide(nearer.direction, view.plane_slack));
                    }
                }
                continue;
            }
            self.expand::<L, Square>(&view, guide.as_ref(), entry, bound, stats, |entry| entries.push(entry));
            entries[start..]
                .sort_unstable_by(|x, y| y.key.total_cmp(&x.key).then(x.a.cmp(&y.a)).then(x.b.cmp(&y.b)));
        }
        limit
    }
}
