//! One tree, near boxes first: how rays and points walk.

use super::Tree;
use super::lanes::Lanes;
use super::node::{Child, Leaf, Node, WIDTH};

/// In which order boxes come.
pub(super) trait Order {
    /// What it is computed in.
    type L: Lanes;

    /// What a caller finds.
    type Found;

    /// A key for each box, never above that of anything in it, and one bit for each box with something whose key may be
    /// at most a limit. Boxes are in local coordinates; corners may be off by `2^-25 (1 + 2^-20)`. No key is NaN.
    fn keys(&self, low: [Self::L; 3], high: [Self::L; 3], limit: Self::L) -> (Self::L, u32);

    /// The same for triangles, by their corners.
    #[inline(always)]
    fn corner_keys(&self, [p, q, r]: [[Self::L; 3]; 3], limit: Self::L) -> (Self::L, u32) {
        let low = std::array::from_fn(|axis| p[axis].least(q[axis]).least(r[axis]));
        let high = std::array::from_fn(|axis| p[axis].greatest(q[axis]).greatest(r[axis]));
        self.keys(low, high, limit)
    }

    /// A limit of keys from what a caller found.
    fn limit(&mut self, found: Self::Found) -> f64;
}

/// The walk and how far it still has to look.
pub(super) struct Walk<'a, O, F> {
    tree: &'a Tree,
    order: O,
    limit: f64,
    visit: F,
}

impl<'a, O: Order, F: FnMut(u32) -> Option<O::Found>> Walk<'a, O, F> {
    /// Calls `visit` for all triangles whose key may be at most a limit, small keys first, roughly. `visit` may return
    /// what lowers the limit.
    pub fn run(tree: &'a Tree, order: O, limit: f64, visit: F) {
        Walk { tree, order, limit, visit }.below(0);
    }

    fn below(&mut self, node: u32) {
        let node: &Node = &self.tree.nodes[node as usize];
        let (low, high) = (node.low.each_ref().map(O::L::widen), node.high.each_ref().map(O::L::widen));
        let (keys, met) = self.order.keys(low, high, O::L::splat_up(self.limit));
        let (sorted, count) = in_order(keys, met & node.mask());
        for &(key, lane) in &sorted[..count] {
            if key > self.limit {
                break;
            }
            match node.child(lane) {
                Child::Node(below) => self.below(below),
                Child::Leaf { index, size } => self.look(&self.tree.leaves[index as usize], size),
            }
        }
    }

    /// The triangles of a leaf by their boxes.
    fn look(&mut self, leaf: &Leaf, size: u8) {
        let corners = leaf.corners.each_ref().map(|corner| corner.each_ref().map(O::L::widen));
        let (keys, met) = self.order.corner_keys(corners, O::L::splat_up(self.limit));
        let (sorted, count) = in_order(keys, met & ((1 << size) - 1));
        for &(key, lane) in &sorted[..count] {
            if key > self.limit {
                break;
            }
            if let Some(found) = (self.visit)(leaf.triangles[lane]) {
                self.limit = self.limit.min(self.order.limit(found));
            }
        }
    }
}

/// The lanes of a mask by their keys, then by their number.
#[inline(always)]
fn in_order<L: Lanes>(keys: L, mut mask: u32) -> ([(f64, usize); WIDTH], usize) {
    let (mut sorted, mut count) = ([(0.0, 0); WIDTH], 0);
    while mask != 0 {
        let lane = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        let key = keys.lane(lane);
        let mut place = count;
        while place > 0 && sorted[place - 1].0 > key {
            sorted[place] = sorted[place - 1];
            place -= 1;
        }
        sorted[place] = (key, lane);
        count += 1;
    }
    (sorted, count)
}
