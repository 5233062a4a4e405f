//! Depth first through two trees at once.

use super::guide::Guide;
use super::lanes::Lanes;
use super::node::{Child, WIDTH};
use super::packet::packet;
use super::pair::TreePair;
use super::tile::{Measure, Overlap, Side, Square, tile};
use super::view::View;
use super::{Scratch, Stats, Tree};
use std::ops::ControlFlow;
use wide::{f32x8, f64x8};

/// A lane of a node in each tree, and what is known about their boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    pub key: f64,
    pub a: u32,
    pub b: u32,
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Entry) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The smaller key is greater, so that a heap gives it first; ties by places.
impl Ord for Entry {
    fn cmp(&self, other: &Entry) -> std::cmp::Ordering {
        other.key.total_cmp(&self.key).then(other.a.cmp(&self.a)).then(other.b.cmp(&self.b))
    }
}

impl Entry {
    /// Both meshes.
    pub const WHOLE: Entry = Entry { key: 0.0, a: 0, b: 0 };
}

impl Tree {
    /// What is at a place: lane `place % 8` of node `place / 8`.
    #[inline(always)]
    pub(super) fn at(&self, place: u32) -> Child {
        self.nodes[place as usize / WIDTH].child(place as usize % WIDTH)
    }
}

impl TreePair<'_> {
    /// Calls `visit` for every pair of triangles that are not proved to be more than `distance` apart.
    ///
    /// No pair whose distance under the exact poses is at most `distance` is left out; the pairs that are visited in
    /// addition are near: neither boxes nor planes of the triangles separate them beyond rounding. Pairs that overlap
    /// more come first, roughly. Stops when `visit` says so.
    pub fn traverse<T>(
        &self,
        distance: f64,
        scratch: &mut Scratch,
        visit: impl FnMut(u32, u32) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        match (self.single, distance > 0.0) {
            (true, false) => self.walk::<f32x8, Overlap, T>(distance, scratch, visit),
            (true, true) => self.walk::<f32x8, Square, T>(distance, scratch, visit),
            (false, false) => self.walk::<f64x8, Overlap, T>(distance, scratch, visit),
            (false, true) => self.walk::<f64x8, Square, T>(distance, scratch, visit),
        }
    }

    fn walk<L: Lanes, M: Measure<L>, T>(
        &self,
        distance: f64,
        scratch: &mut Scratch,
        mut visit: impl FnMut(u32, u32) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        let view = View::<L>::new(self);
        let limit = L::splat_up(view.square_limit(distance));
        let Scratch { entries, stats, .. } = scratch;
        entries.clear();
        entries.push(Entry::WHOLE);
        while let Some(entry) = entries.pop() {
            if let (
                Child::Leaf { index: leaf_a, size: size_a },
                Child::Leaf { index: leaf_b, size: size_b },
            ) = (self.a.at(entry.a), self.b.at(entry.b))
            {
                let leaf_a = (&self.a.leaves[leaf_a as usize], size_a);
                let leaf_b = (&self.b.leaves[leaf_b as usize], size_b);
                let mut flow = ControlFlow::Continue(());
                stats.leaf_pairs += 1;
                stats.triangle_pairs += packet::<L, M>(leaf_a, leaf_b, &view, None, limit, |a, b, _| {
                    if flow.is_continue() {
                        stats.visits += 1;
                        flow = visit(a, b);
                    }
                });
                flow?;
                continue;
            }
            let start = entries.len();
            let mut best = start;
            self.expand::<L, M>(&view, None, entry, limit, stats, |entry| {
                if entries.get(best).is_none_or(|b| entry.key < b.key) {
                    best = entries.len();
                }
                entries.push(entry);
            });
            if let Some(last) = entries.len().checked_sub(1)
                && best < last
            {
                entries.swap(best, last);
            }
        }
        ControlFlow::Continue(())
    }

    /// The children of two places that may be within the limit; at least one place is a node.
    #[inline(always)]
    pub(super) fn expand<L: Lanes, M: Measure<L>>(
        &self,
        view: &View<L>,
        guide: Option<&Guide<L>>,
        entry: Entry,
        limit: L,
        stats: &mut Stats,
        mut emit: impl FnMut(Entry),
    ) {
        let (a, b) = (self.a.at(entry.a), self.b.at(entry.b));
        let side_a = |node: u32| Side {
            node: &self.a.nodes[node as usize],
            map: &view.a_to_b,
            toward: guide.map(|g| &g.a),
        };
        let side_b = |node: u32| Side {
            node: &self.b.nodes[node as usize],
            map: &view.b_to_a,
            toward: guide.map(|g| &g.b),
        };
        let slack = view.plane_slack;
        stats.steps += 1;
        stats.node_pairs += match (a, b) {
            (Child::Node(a), Child::Node(b)) => {
                let (rows, lanes) = (side_a(a), side_b(b));
                tile::<L, M>(&rows, rows.node.mask(), &lanes, slack, limit, |row, lane, key| {
                    emit(Entry { key, a: place(a, row), b: place(b, lane) });
                })
            }
            (Child::Leaf { .. }, Child::Node(b)) => {
                let (rows, lanes) = (side_a(entry.a / WIDTH as u32), side_b(b));
                tile::<L, M>(&rows, 1 << (entry.a as usize % WIDTH), &lanes, slack, limit, |_, lane, key| {
                    emit(Entry { key, a: entry.a, b: place(b, lane) });
                })
            }
            (Child::Node(a), Child::Leaf { .. }) => {
                let (rows, lanes) = (side_b(entry.b / WIDTH as u32), side_a(a));
                tile::<L, M>(&rows, 1 << (entry.b as usize % WIDTH), &lanes, slack, limit, |_, lane, key| {
                    emit(Entry { key, a: place(a, lane), b: entry.b });
                })
            }
            (Child::Leaf { .. }, Child::Leaf { .. }) => 0,
        };
    }
}

#[inline(always)]
fn place(node: u32, lane: usize) -> u32 {
    node * WIDTH as u32 + lane as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Pose;
    use crate::shape::{Mesh, MeshConfig, sample};

    #[test]
    fn identical_meshes_meet_everywhere() {
        let soup = sample::torus(1.0, 0.4, 12, 8).unwrap();
        let mesh = Mesh::build(&soup, &MeshConfig::default()).unwrap();
        let tree = Tree::build(&mesh);
        let pair = TreePair::new(&tree, &Pose::IDENTITY, &tree, &Pose::IDENTITY);
        let mut scratch = Scratch::default();
        let mut found = vec![false; mesh.triangles().len()];
        let _ = pair.traverse(0.0, &mut scratch, |a, b| {
            if a == b {
                found[a as usize] = true;
            }
            ControlFlow::<()>::Continue(())
        });
        assert!(found.iter().all(|&f| f));
    }
}
