//! The nearest pairs first: distances.

use super::guide::Guide;
use super::lanes::Lanes;
use super::node::Child;
use super::packet::packet;
use super::pair::{TreePair, View};
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
        let Scratch { heap, near, stats, .. } = scratch;
        let mut best = Best { limit: f64::INFINITY, square: f64::INFINITY, guide: None };
        if let Some(start) = start {
            best.improve(self, start, &view);
        } else {
            let mut entry = Entry::WHOLE;
            while !self.are_leaves(entry) {
                let (mut next, mut key) = (entry, f64::INFINITY);
                self.expand::<L, Square>(&view, None, entry, L::splat(f64::INFINITY), stats, |entry| {
                    if entry.key < key {
                        (next, key) = (entry, entry.key);
                    }
                });
                entry = next;
            }
            self.look::<L>(&view, entry, &mut best, near, stats, &mut visit);
        }
        heap.clear();
        heap.push(Entry::WHOLE);
        while best.limit > 0.0
            && let Some(entry) = heap.pop()
            && entry.key < best.square
        {
            if self.are_leaves(entry) {
                self.look::<L>(&view, entry, &mut best, near, stats, &mut visit);
            } else {
                let bound = L::splat_up(best.square);
                self.expand::<L, Square>(&view, best.guide.as_ref(), entry, bound, stats, |entry| heap.push(entry));
            }
        }
        best.limit
    }

    #[inline(always)]
    fn are_leaves(&self, entry: Entry) -> bool {
        let is_leaf = |child: Child| matches!(child, Child::Leaf { .. });
        is_leaf(self.a.at(entry.a)) && is_leaf(self.b.at(entry.b))
    }

    fn look<L: Lanes>(
        &self,
        view: &View<L>,
        entry: Entry,
        best: &mut Best<L>,
        near: &mut Vec<Entry>,
        stats: &mut super::Stats,
        visit: &mut impl FnMut(u32, u32, f64) -> Option<Nearer>,
    ) {
        let (Child::Leaf { index: leaf_a, size: size_a }, Child::Leaf { index: leaf_b, size: size_b }) =
            (self.a.at(entry.a), self.b.at(entry.b))
        else {
            return;
        };
        let leaf_a = (&self.a.leaves[leaf_a as usize], size_a);
        let leaf_b = (&self.b.leaves[leaf_b as usize], size_b);
        near.clear();
        stats.leaf_pairs += 1;
        let bound = L::splat_up(best.square);
        stats.triangle_pairs +=
            packet::<L, Square>(leaf_a, leaf_b, view, best.guide.as_ref(), bound, |a, b, key| {
                near.push(Entry { key, a, b });
            });
        near.sort_unstable_by(|x, y| x.key.total_cmp(&y.key).then(x.a.cmp(&y.a)).then(x.b.cmp(&y.b)));
        for &Entry { key, a, b } in near.iter() {
            if key >= best.square || best.limit == 0.0 {
                break;
            }
            stats.visits += 1;
            if let Some(nearer) = visit(a, b, best.limit) {
                best.improve(self, nearer, view);
            }
        }
    }
}

struct Best<L> {
    limit: f64,
    square: f64,
    guide: Option<Guide<L>>,
}

impl<L: Lanes> Best<L> {
    fn improve(&mut self, pair: &TreePair<'_>, nearer: Nearer, view: &View<L>) {
        self.limit = self.limit.min(nearer.distance);
        self.square = pair.square_limit(self.limit);
        self.guide = Some(pair.guide(nearer.direction, view.plane_slack));
    }
}
