//! From two parts of two trees to their children.

use super::guide::Guide;
use super::lanes::Lanes;
use super::node::{Child, Leaf, WIDTH};
use super::pair::TreePair;
use super::tile::{Measure, Side, tile};
use super::view::View;
use super::{Bound, Stats, Tree};
use std::cmp::Ordering;

/// A place in each tree, or a triangle of each, and the measure of their boxes.
///
/// Place `p` is lane `p % 8` of node `p / 8`; place 0 is the whole mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    pub key: f64,
    pub a: u32,
    pub b: u32,
}

impl Entry {
    /// Both meshes.
    pub const WHOLE: Entry = Entry { key: f64::NEG_INFINITY, a: 0, b: 0 };
}

impl Eq for Entry {}

/// The smaller key is greater, so that a heap gives it first; ties by places, so that the order depends on nothing else.
impl Ord for Entry {
    fn cmp(&self, other: &Entry) -> Ordering {
        other.key.total_cmp(&self.key).then(other.a.cmp(&self.a)).then(other.b.cmp(&self.b))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Entry) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<B: Bound> Tree<B> {
    #[inline(always)]
    pub(super) fn at(&self, place: u32) -> Child {
        self.nodes[place as usize / WIDTH].child(place as usize % WIDTH)
    }
}

impl<B: Bound> TreePair<'_, B> {
    /// Both leaves with their sizes, if both places are leaves.
    #[inline(always)]
    pub(super) fn leaves(&self, entry: Entry) -> Option<[(&Leaf, u8); 2]> {
        match (self.a.at(entry.a), self.b.at(entry.b)) {
            (Child::Leaf { index: a, size: size_a }, Child::Leaf { index: b, size: size_b }) => {
                Some([(&self.a.leaves[a as usize], size_a), (&self.b.leaves[b as usize], size_b)])
            }
            _ => None,
        }
    }

    /// Emits the children of two places whose measure is within the limit; leaves are their own children. Two leaves
    /// have none.
    #[inline(always)]
    pub(super) fn expand<L: Lanes, M: Measure<L>>(
        &self,
        view: &View<L, B>,
        guide: Option<&Guide<L, B>>,
        entry: Entry,
        limit: L,
        stats: &mut Stats,
        mut emit: impl FnMut(Entry),
    ) {
        let side_a = |node: u32| {
            let node = &self.a.nodes[node as usize];
            Side { node, map: &view.a_to_b, toward: guide.map(|guide| &guide.a) }
        };
        let side_b = |node: u32| {
            let node = &self.b.nodes[node as usize];
            Side { node, map: &view.b_to_a, toward: guide.map(|guide| &guide.b) }
        };
        let slack = view.plane_slack;
        stats.steps += 1;
        stats.node_pairs += match (self.a.at(entry.a), self.b.at(entry.b)) {
            (Child::Node(a), Child::Node(b)) => {
                let (rows, lanes) = (side_a(a), side_b(b));
                tile::<L, M, B>((&rows, rows.node.mask()), &lanes, slack, limit, |row, lane, key| {
                    emit(Entry { key, a: place(a, row), b: place(b, lane) });
                })
            }
            (Child::Leaf { .. }, Child::Node(b)) => {
                let (rows, row) = (side_a(entry.a / WIDTH as u32), 1 << (entry.a % WIDTH as u32));
                tile::<L, M, B>((&rows, row), &side_b(b), slack, limit, |_, lane, key| {
                    emit(Entry { key, a: entry.a, b: place(b, lane) });
                })
            }
            (Child::Node(a), Child::Leaf { .. }) => {
                let (rows, row) = (side_b(entry.b / WIDTH as u32), 1 << (entry.b % WIDTH as u32));
                tile::<L, M, B>((&rows, row), &side_a(a), slack, limit, |_, lane, key| {
                    emit(Entry { key, a: place(a, lane), b: entry.b });
                })
            }
            (Child::Leaf { .. }, Child::Leaf { .. }) => 0,
        };
    }
}

#[inline(always)]
pub(super) fn place(node: u32, lane: usize) -> u32 {
    node * WIDTH as u32 + lane as u32
}
