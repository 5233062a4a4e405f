//! The nearest pairs first: distances, and lower bounds of them for a fixed amount of work.

use super::expand::Entry;
use super::guide::Guide;
use super::lanes::Lanes;
use super::node::Leaf;
use super::packet::{packet, whole};
use super::pair::TreePair;
use super::tile::Square;
use super::view::View;
use super::{Bound, Scratch, Stats};
use glam::DVec3;
use std::collections::BinaryHeap;
use wide::{f32x8, f64x8};

/// Triangles that are nearer than all before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearer {
    /// An upper bound of the distance of the bodies.
    pub distance: f64,
    /// From A to B, in the world; any length. Speed depends on it, answers do not.
    pub direction: DVec3,
}

impl<B: Bound> TreePair<'_, B> {
    /// Calls `visit(triangle of A, triangle of B, limit)` for pairs of triangles that may be nearer than the limit,
    /// near ones first; `visit` returns what is nearer than the limit, if they are.
    ///
    /// The first limit is that of `start`, or infinite. Returns the last one, `d`. Every pair that was not visited is
    /// then at least `(1 - relative_width) d` apart under the exact poses. A width of `1e-12` costs nothing and keeps
    /// bodies that are far from each other, compared with their size, from being compared triangle by triangle.
    pub fn nearest(
        &self,
        start: Option<Nearer>,
        relative_width: f64,
        scratch: &mut Scratch,
        visit: impl FnMut(u32, u32, f64) -> Option<Nearer>,
    ) -> f64 {
        if self.single {
            Search::<f32x8, B>::new(self, start, relative_width).run(scratch, visit)
        } else {
            Search::<f64x8, B>::new(self, start, relative_width).run(scratch, visit)
        }
    }

    /// A proved lower bound of the distance, from comparing about `node_pairs` pairs of boxes; not negative.
    pub fn lower_bound(&self, node_pairs: u64, scratch: &mut Scratch) -> f64 {
        let proved = if self.single {
            Search::<f32x8, B>::new(self, None, 0.0).bound(node_pairs, scratch)
        } else {
            Search::<f64x8, B>::new(self, None, 0.0).bound(node_pairs, scratch)
        };
        proved * self.unit_length()
    }
}

/// Takes out the pair with the least measure.
pub(super) fn nearest_first(near: &mut Vec<Entry>) -> Option<Entry> {
    let first = (0..near.len()).max_by(|&i, &j| near[i].cmp(&near[j]))?;
    Some(near.swap_remove(first))
}

/// Sorts the pairs of a measure below a limit and drops the others, which most often are the most.
pub(super) fn sort_below(near: &mut Vec<Entry>, square: f64) {
    near.retain(|entry| entry.key <= square);
    near.sort_unstable_by(|x, y| y.cmp(x));
}

/// What is known about the nearest triangles.
struct Search<'a, L: Lanes, B: Bound> {
    pair: &'a TreePair<'a, B>,
    view: View<L, B>,
    guide: Option<Guide<L, B>>,
    limit: f64,
    /// Pairs of this measure need not be looked at.
    square: f64,
    relative_width: f64,
}

impl<'a, L: Lanes, B: Bound> Search<'a, L, B> {
    fn new(pair: &'a TreePair<'a, B>, start: Option<Nearer>, relative_width: f64) -> Search<'a, L, B> {
        let (view, limit) = (View::new(pair), f64::INFINITY);
        let relative_width = relative_width.clamp(0.0, 1.0);
        let mut search = Search { pair, view, guide: None, limit, square: limit, relative_width };
        if let Some(nearer) = start {
            search.improve(nearer);
        }
        search
    }

    fn improve(&mut self, nearer: Nearer) {
        if nearer.distance < self.limit {
            self.limit = nearer.distance;
            self.square = self.view.square_limit((1.0 - self.relative_width) * nearer.distance);
            self.guide = Some(Guide::new(self.pair, nearer.direction));
        }
    }

    /// One descent gives a first limit, without which a heap would collect almost all that it is shown. Boxes that overlap
    /// have to be opened in any case, unless triangles meet: they come next, depth first, so that those are found as soon as
    /// a boolean question would find them. From then on the nearest places come first.
    fn run(mut self, scratch: &mut Scratch, mut visit: impl FnMut(u32, u32, f64) -> Option<Nearer>) -> f64 {
        let Scratch { entries, heap, near, stats, .. } = scratch;
        if self.guide.is_none() {
            let entry = self.descend(stats);
            self.look(entry, near, stats, &mut visit);
        }
        entries.clear();
        heap.clear();
        entries.push(Entry::WHOLE);
        while self.limit > 0.0
            && let Some(entry) = entries.pop().or_else(|| heap.pop())
            && entry.key < self.square
        {
            stats.facing += 1;
            if self.pair.facing(&self.view, entry) >= self.square {
                continue;
            }
            if self.pair.leaves(entry).is_some() {
                self.look(entry, near, stats, &mut visit);
            } else {
                self.open(entry, entries, heap, stats);
            }
        }
        self.limit
    }

    /// Children that overlap become the next entries, the one that does so most on top; the others wait in the heap.
    fn open(&self, entry: Entry, entries: &mut Vec<Entry>, heap: &mut BinaryHeap<Entry>, stats: &mut Stats) {
        let mut best = entries.len();
        self.expand(entry, stats, |child| {
            if child.key > 0.0 {
                heap.push(child);
                return;
            }
            if entries.get(best).is_none_or(|least| child.key < least.key) {
                best = entries.len();
            }
            entries.push(child);
        });
        if best < entries.len() {
            let last = entries.len() - 1;
            entries.swap(best, last);
        }
    }

    /// To two leaves, each time to the children with the least measure.
    fn descend(&self, stats: &mut Stats) -> Entry {
        let mut entry = Entry::WHOLE;
        while self.pair.leaves(entry).is_none() {
            let (mut next, all) = (Entry { key: f64::INFINITY, ..entry }, L::splat(f64::INFINITY));
            self.pair.expand::<L, Square>(&self.view, None, entry, all, stats, |entry| {
                if entry.key < next.key {
                    next = entry;
                }
            });
            entry = next;
        }
        entry
    }

    #[inline(always)]
    fn expand(&self, entry: Entry, stats: &mut Stats, emit: impl FnMut(Entry)) {
        let (guide, limit) = (self.guide.as_ref(), L::splat_up(self.square));
        self.pair.expand::<L, Square>(&self.view, guide, entry, limit, stats, emit);
    }

    /// Collects the triangles of two leaves that may be near.
    fn collect(&self, [a, b]: [(&Leaf, u8); 2], near: &mut Vec<Entry>, stats: &mut Stats) {
        near.clear();
        stats.leaf_pairs += 1;
        let (guide, limit) = (self.guide.as_ref(), L::splat_up(self.square));
        stats.triangle_pairs += u64::from(a.1) * u64::from(b.1);
        let emit = |a, b, key| near.push(Entry { key, a, b });
        packet::<L, Square, B>(whole(a), whole(b), &self.view, guide, limit, emit, |_| ());
    }

    fn look(
        &mut self,
        entry: Entry,
        near: &mut Vec<Entry>,
        stats: &mut Stats,
        visit: &mut impl FnMut(u32, u32, f64) -> Option<Nearer>,
    ) {
        let Some(leaves) = self.pair.leaves(entry) else { return };
        self.collect(leaves, near, stats);
        if let Some(first) = nearest_first(near) {
            stats.visits += 1;
            if let Some(nearer) = visit(first.a, first.b, self.limit) {
                self.improve(nearer);
            }
            sort_below(near, self.square);
        }
        for &Entry { key, a, b } in near.iter() {
            if key >= self.square || self.limit == 0.0 {
                break;
            }
            stats.visits += 1;
            if let Some(nearer) = visit(a, b, self.limit) {
                self.improve(nearer);
            }
        }
    }

    /// The least measure after comparing some pairs of boxes, as a distance in units.
    fn bound(self, node_pairs: u64, scratch: &mut Scratch) -> f64 {
        let Scratch { heap, near, stats, .. } = scratch;
        let end = stats.node_pairs.saturating_add(node_pairs);
        let mut least = f64::INFINITY;
        heap.clear();
        heap.push(Entry::WHOLE);
        while let Some(entry) = heap.pop() {
            let leaves = self.pair.leaves(entry);
            if entry.key >= least || (leaves.is_none() && stats.node_pairs >= end) {
                least = least.min(entry.key);
                break;
            }
            match leaves {
                None => self.expand(entry, stats, |child| heap.push(child)),
                Some(leaves) => {
                    self.collect(leaves, near, stats);
                    least = near.iter().fold(least, |least, found| least.min(found.key));
                }
            }
        }
        self.view.proved(least)
    }
}
