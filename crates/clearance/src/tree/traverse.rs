//! Depth first through two trees at once.

use super::expand::Entry;
use super::lanes::Lanes;
use super::packet::{packet, whole};
use super::pair::TreePair;
use super::tile::{Measure, Overlap, Square};
use super::view::View;
use super::{Bound, Scratch, Stats};
use std::ops::ControlFlow;
use wide::{f32x8, f64x8};

impl<B: Bound> TreePair<'_, B> {
    /// Calls `visit(triangle of A, triangle of B)` for every pair that is not proved to be more than a distance apart.
    ///
    /// No pair whose distance under the exact poses is at most `distance` is left out, and none comes twice. Pairs that
    /// are visited without need are near: neither boxes nor planes of the triangles, nor the line through their
    /// centres, separate them beyond rounding. Pairs that overlap more come first, roughly; the order depends on
    /// the input only. Stops when `visit` says so. What is not positive counts as a distance of zero.
    pub fn traverse<T>(
        &self,
        distance: f64,
        scratch: &mut Scratch,
        visit: impl FnMut(u32, u32) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        self.traverse_below(Entry::WHOLE, distance, scratch, visit)
    }

    /// [`traverse`](TreePair::traverse) for the triangles below two places.
    pub(super) fn traverse_below<T>(
        &self,
        start: Entry,
        distance: f64,
        scratch: &mut Scratch,
        visit: impl FnMut(u32, u32) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        match (self.single, distance > 0.0) {
            (true, false) => self.walk::<f32x8, Overlap, T>(start, 0.0, scratch, visit),
            (true, true) => self.walk::<f32x8, Square, T>(start, distance, scratch, visit),
            (false, false) => self.walk::<f64x8, Overlap, T>(start, 0.0, scratch, visit),
            (false, true) => self.walk::<f64x8, Square, T>(start, distance, scratch, visit),
        }
    }

    fn walk<L: Lanes, M: Measure<L>, T>(
        &self,
        start: Entry,
        distance: f64,
        scratch: &mut Scratch,
        mut visit: impl FnMut(u32, u32) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        let view = View::<L, B>::new(self);
        let limit = L::splat_up(view.square_limit(distance));
        let Scratch { entries, leaves, stats, .. } = scratch;
        entries.clear();
        entries.push(start);
        while let Some(entry) = entries.pop() {
            let Some([a, b]) = self.leaves(entry) else {
                self.push_children::<L, M>(&view, entry, limit, entries, stats);
                continue;
            };
            let mut flow = ControlFlow::Continue(());
            *leaves = (entry.a, entry.b);
            stats.leaf_pairs += 1;
            stats.triangle_pairs += u64::from(a.1) * u64::from(b.1);
            let emit = |a, b, _| {
                if flow.is_continue() {
                    stats.visits += 1;
                    flow = visit(a, b);
                }
            };
            packet::<L, M, B>(whole(a), whole(b), &view, None, limit, emit, |_| ());
            flow?;
        }
        ControlFlow::Continue(())
    }

    /// Pushes the children, those with the least measure last: they come next. Sorting all of them costs more than the
    /// better order of the others saves.
    #[inline(always)]
    fn push_children<L: Lanes, M: Measure<L>>(
        &self,
        view: &View<L, B>,
        entry: Entry,
        limit: L,
        entries: &mut Vec<Entry>,
        stats: &mut Stats,
    ) {
        let mut best = entries.len();
        self.expand::<L, M>(view, None, entry, limit, stats, |child| {
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
}
