//! All pairs of cells of two bodies that may meet: blocks of them for many threads, each searched in wide trees.

use super::cell_pair::CellPair;
use super::pack::{Single, lane};
use super::pairs::{PARALLEL, Pairs, SMALL};
use super::proper::{Attitude, Proper};
use super::record::ScrewStats;
use super::wide_tree::WideNode;
use crate::math::Interval;

/// So many blocks at least are made of a search that takes long.
const BLOCKS: usize = 128;

/// Two nodes of wide trees and the window in which they may meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    nodes: (u32, u32),
    window: Interval,
}

impl Pairs<'_> {
    /// Blocks of pairs that hold all cells that may meet, the same for any number of threads: few, or enough for many threads
    /// where there is much to do. What is in them is enclosed narrowly.
    pub fn blocks(&mut self) -> Vec<Block> {
        if self.a.surface.cells.is_empty() || self.b.surface.cells.is_empty() {
            return Vec::new();
        }
        let mut front: Vec<Block> = self.steps().map(|window| Block { nodes: (0, 0), window }).collect();
        if self.a.surface.cells.len().max(self.b.surface.cells.len()) > SMALL {
            front = self.coarse_blocks(front);
        }
        if !front.is_empty() {
            let nodes = |of: fn(&Block) -> u32| front.iter().map(of).collect();
            self.prepare_below(nodes(|block| block.nodes.0), nodes(|block| block.nodes.1));
        }
        front
    }

    /// Blocks made of larger ones by the boxes of their nodes.
    fn coarse_blocks(&mut self, mut front: Vec<Block>) -> Vec<Block> {
        let (mut next, mut is_open) = (Vec::new(), true);
        while is_open && (self.stats.nodes < self.patience || front.len() < BLOCKS) {
            is_open = false;
            for Block { nodes, window } in front.drain(..) {
                let (Some(side), [a, b]) = self.opened(nodes) else {
                    next.push(Block { nodes, window });
                    continue;
                };
                is_open = true;
                let node = *if side == Side::A { a } else { b };
                for &child in &node.children[..node.count as usize] {
                    let nodes = if side == Side::A { (child, nodes.1) } else { (nodes.0, child) };
                    self.stats.nodes += 1;
                    let Some(window) = self.window_of(self.nodes_of(nodes), window) else { continue };
                    let is_asked = |proper: &Proper<'_>| {
                        proper.nodes(self.nodes_of(nodes), window, &proper.attitude(window))
                    };
                    if self.proper.as_ref().is_none_or(is_asked) {
                        next.push(Block { nodes, window });
                    }
                }
            }
            std::mem::swap(&mut front, &mut next);
        }
        front
    }

    fn prepare_below(&mut self, nodes_a: Vec<u32>, nodes_b: Vec<u32>) {
        let (a, b) = (&mut self.a, &mut self.b);
        match a.surface.cells.len().min(b.surface.cells.len()) < PARALLEL {
            true => {
                a.prepare_below(nodes_a);
                b.prepare_below(nodes_b);
            }
            false => _ = rayon::join(|| a.prepare_below(nodes_a), || b.prepare_below(nodes_b)),
        }
    }

    /// Nodes of the trees of the surfaces.
    fn nodes_of(&self, (x, y): (u32, u32)) -> (u32, u32) {
        (self.a.surface.tree.nodes[x as usize].node, self.b.surface.tree.nodes[y as usize].node)
    }

    /// Which node of a pair of wide trees is opened, the larger one if it is no leaf; and both.
    #[inline]
    fn opened(&self, (x, y): (u32, u32)) -> (Option<Side>, [&WideNode; 2]) {
        let (a, b) = (&self.a.surface.tree.nodes[x as usize], &self.b.surface.tree.nodes[y as usize]);
        let side = match (a.is_leaf, b.is_leaf) {
            (true, true) => None,
            (false, is_leaf) if is_leaf || a.size >= b.size => Some(Side::A),
            _ => Some(Side::B),
        };
        (side, [a, b])
    }

    /// All pairs of cells of a block that may meet.
    pub fn visit(
        &self,
        block: &Block,
        stats: &mut ScrewStats,
        space: &mut Workspace,
        mut visit: impl FnMut(&CellPair),
    ) {
        let Workspace { open, cells } = space;
        let sweep = &self.sweep;
        // Pairs that follow each other often share a node.
        let mut last_a = (block.nodes.0, self.a.around(block.nodes.0));
        let mut last_b = (block.nodes.1, self.b.around(block.nodes.1));
        let (root_a, root_b) = (last_a, last_b);
        let attitude = self.proper.as_ref().map(|proper| (proper, proper.attitude(block.window)));
        open.push(*block);
        while let Some(Block { nodes: (x, y), window }) = open.pop() {
            let (side, [a, b]) = self.opened((x, y));
            match side {
                Some(Side::B) if last_a.0 != x => {
                    last_a = if x == root_a.0 { root_a } else { (x, self.a.single(x)) };
                }
                Some(Side::A) | None if last_b.0 != y => {
                    last_b = if y == root_b.0 { root_b } else { (y, self.b.single(y)) };
                }
                _ => {}
            }
            let (windows, node) = match side {
                Some(Side::A) => (sweep.windows(self.a.pack(x), &last_b.1, window), a),
                Some(Side::B) => (sweep.windows(&last_a.1, self.b.pack(y), window), b),
                None => {
                    self.leaf_pairs((x, y), &last_b.1, window, stats, cells);
                    cells.drain(..).for_each(|pair| visit(&pair));
                    continue;
                }
            };
            stats.nodes += u64::from(node.count);
            for (lane, window) in windows.first(node.count) {
                let child = node.children[lane];
                let nodes = if side == Some(Side::A) { (child, y) } else { (x, child) };
                let is_asked = |(proper, above): &(&Proper<'_>, Attitude)| {
                    proper.nodes(self.nodes_of(nodes), window, above)
                };
                if attitude.as_ref().is_none_or(is_asked) {
                    open.push(Block { nodes, window });
                }
            }
        }
    }

    /// Pairs of cells of two leaves of the wide trees.
    fn leaf_pairs(
        &self,
        (x, y): (u32, u32),
        leaf_b: &Single,
        window: Interval,
        stats: &mut ScrewStats,
        found: &mut Vec<CellPair>,
    ) {
        let (a, b) = (&self.a.surface.tree.nodes[x as usize], &self.b.surface.tree.nodes[y as usize]);
        let (pack_a, pack_b) = (self.a.pack(x), self.b.pack(y));
        stats.slabs += u64::from(a.count);
        for (i, window) in self.sweep.windows(pack_a, leaf_b, window).first(a.count) {
            stats.slabs += u64::from(b.count);
            for (j, window) in self.sweep.windows(&lane(pack_a, i), pack_b, window).first(b.count) {
                let cells = (a.children[0] + i as u32, b.children[0] + j as u32);
                self.cell_pair(cells, window, stats, found);
            }
        }
    }
}

/// One of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    A,
    B,
}

/// What a search needs beside its answer, to be used again.
#[derive(Default)]
pub(super) struct Workspace {
    open: Vec<Block>,
    cells: Vec<CellPair>,
}
