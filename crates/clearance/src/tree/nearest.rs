//! The nearest pairs first: distances.

use super::lanes::Lanes;
use super::node::Child;
use super::packet::packet;
use super::pair::TreePair;
use super::tile::Square;
use super::traverse::Entry;
use super::Scratch;
use wide::{f32x8, f64x8};

impl TreePair<'_> {
    /// Calls `visit(triangle of A, triangle of B, limit)` for pairs of triangles that may be nearer than the limit,
    /// near ones first; `visit` returns the new limit.
    ///
    /// When it returns, every pair that was not visited is at least as far apart, under the exact poses, as the limit
    /// that is returned. Limits must not grow.
    pub fn nearest(
        &self,
        limit: f64,
        scratch: &mut Scratch,
        visit: impl FnMut(u32, u32, f64) -> f64,
    ) -> f64 {
        if self.single {
            self.search::<f32x8>(limit, scratch, visit)
        } else {
            self.search::<f64x8>(limit, scratch, visit)
        }
    }

    fn search<L: Lanes>(
        &self,
        mut limit: f64,
        scratch: &mut Scratch,
        mut visit: impl FnMut(u32, u32, f64) -> f64,
    ) -> f64 {
        let view = self.view::<L>();
        let Scratch { entries, near, stats } = scratch;
        entries.clear();
        entries.push(Entry::WHOLE);
        let mut square = self.square_limit(limit);
        while let Some(entry) = entries.pop() {
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
                stats.triangle_pairs += packet::<L, Square>(leaf_a, leaf_b, &view, bound, |a, b, key| {
                    near.push(Entry { key, a, b });
                });
                near.sort_unstable_by(|x, y| x.key.total_cmp(&y.key).then(x.a.cmp(&y.a)).then(x.b.cmp(&y.b)));
                for &Entry { key, a, b } in near.iter() {
                    if key >= square {
                        break;
                    }
                    stats.visits += 1;
                    limit = visit(a, b, limit);
                    square = self.square_limit(limit);
                }
                continue;
            }
            self.expand::<L, Square>(&view, entry, bound, stats, |entry| entries.push(entry));
            entries[start..]
                .sort_unstable_by(|x, y| y.key.total_cmp(&x.key).then(x.a.cmp(&y.a)).then(x.b.cmp(&y.b)));
        }
        limit
    }
}
