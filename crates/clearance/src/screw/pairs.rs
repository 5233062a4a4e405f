//! Pairs of cells that may meet on a screw, by their boxes, each with a window of time.

use super::cell_pair::{CellPair, Features};
use super::face::Face;
use super::frame::Frame;
use super::glance::{EdgeOverEdge, VertexOverFace};
use super::pack::{Single, Sweep, lane};
use super::placed::Placed;
use super::proper::{Attitude, Proper};
use super::record::{ContactsConfig, ScrewStats};
use super::sight::Sight;
use super::surface::{Cell, NONE, Node, Surface};
use super::value::Value;
use super::wide_tree::WideNode;
use crate::math::{Interval, Interval3, Pose, Screw};
use glam::DVec3;

/// Windows in which less than this angle is turned, in radians, are not halved.
const SHORT: f64 = 0.25;

/// So few pairs of features are looked at without asking for sides of planes first.
const FEW: usize = 2;

/// A window of which no more than this is left is looked at again, others are halved.
const KEPT: f64 = 0.6;

/// Halvings that make a quarter turn shorter than that.
const DEPTH: usize = 6;

/// So many blocks at least are made of a search that takes long.
const BLOCKS: usize = 128;

/// Bodies of so many cells are enclosed on two threads.
const PARALLEL: usize = 2048;

/// Bodies of so few cells are enclosed narrowly at once.
const SMALL: usize = 32;

/// Two nodes of wide trees and the window in which they may meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    nodes: (u32, u32),
    window: Interval,
}

/// Body A, which rests, and body B, which moves.
pub(super) struct Pairs<'a> {
    pub frame: Frame,
    pub inverse: Frame,
    pub sight: Sight,
    pub inverse_sight: Sight,
    sweep: Sweep,
    pub a: Placed<'a>,
    pub b: Placed<'a>,
    pub stats: ScrewStats,
    /// So many pairs of nodes are looked at before everything is enclosed narrowly.
    patience: u64,
    /// Cells of each that are looked at, if not all.
    alive: Option<[Vec<bool>; 2]>,
    /// Contacts that are asked for, if not all.
    proper: Option<Proper<'a>>,
}

impl<'a> Pairs<'a> {
    pub fn new(
        a: &'a Surface,
        pose_a: &'a Pose,
        b: &'a Surface,
        pose_b: &'a Pose,
        screw: &Screw,
    ) -> Pairs<'a> {
        // Near both: between the middles of their boxes.
        let middle = |surface: &Surface, pose: &Pose| {
            surface.nodes.first().map_or(DVec3::ZERO, |root| pose.apply(root.center))
        };
        let origin = 0.5 * middle(a, pose_a) + 0.5 * middle(b, pose_b);
        let frame = Frame::new(screw, origin);
        let (a, b) = (Placed::new(a, pose_a, &frame), Placed::new(b, pose_b, &frame));
        let sight = Sight::new(&frame, a.off().max(b.off()));
        Pairs {
            frame,
            inverse: frame.inverse(),
            inverse_sight: sight.inverse(),
            sweep: Sweep::new(&frame, a.bound().max(b.bound())),
            sight,
            patience: ((a.surface.nodes.len() + b.surface.nodes.len()) / 16) as u64 + 64,
            a,
            b,
            stats: ScrewStats::default(),
            alive: None,
            proper: None,
        }
    }

    /// The same, but only pairs with contacts that are asked for.
    pub fn asked(mut self, config: &ContactsConfig) -> Pairs<'a> {
        let surfaces = [self.a.surface, self.b.surface];
        self.proper = Proper::new(surfaces, [self.a.matrix(), self.b.matrix()], &self.frame, config);
        self
    }

    /// The same with small bodies enclosed narrowly at once.
    pub fn enclosed(mut self) -> Pairs<'a> {
        for placed in [&mut self.a, &mut self.b] {
            if placed.surface.cells.len() <= SMALL {
                placed.prepare();
            }
        }
        self
    }

    /// The same, but only pairs of some cells; all others see what they would see without.
    pub fn among(mut self, alive: Option<[Vec<bool>; 2]>) -> Pairs<'a> {
        self.alive = alive;
        self
    }

    fn is_alive(&self, cell_a: u32, cell_b: u32) -> bool {
        self.alive.as_ref().is_none_or(|[a, b]| a[cell_a as usize] && b[cell_b as usize])
    }

    /// Windows of at most a quarter turn that cover the step.
    pub fn steps(&self) -> impl Iterator<Item = Interval> + use<> {
        let count = (self.frame.angle.abs() / std::f64::consts::FRAC_PI_2).ceil().max(1.0);
        let share = move |k: f64| k / count;
        (0..count as u64).map(move |k| Interval::new(share(k as f64), share(k as f64 + 1.0)))
    }

    /// The window of two nodes.
    pub fn node_window(&mut self, nodes: (u32, u32), window: Interval) -> Option<Interval> {
        self.stats.nodes += 1;
        if self.stats.nodes == self.patience {
            self.prepare();
        }
        self.window_of(nodes, window)
    }

    fn prepare(&mut self) {
        let (a, b) = (&mut self.a, &mut self.b);
        match a.surface.cells.len().min(b.surface.cells.len()) < PARALLEL {
            true => {
                a.prepare();
                b.prepare();
            }
            false => _ = rayon::join(|| a.prepare(), || b.prepare()),
        }
    }

    #[inline]
    fn window_of(&self, nodes: (u32, u32), window: Interval) -> Option<Interval> {
        self.a.node(nodes.0).window(&self.b.node(nodes.1), &self.frame, window)
    }

    /// The children of a pair of nodes: of the larger one, if it has any; `None` for two leaves.
    #[inline]
    pub fn children(&self, (x, y): (u32, u32)) -> Option<[(u32, u32); 2]> {
        let (a, b) = (&self.a.surface.nodes[x as usize], &self.b.surface.nodes[y as usize]);
        let size = |node: &Node| node.half.element_sum();
        match (a.count == 0, b.count == 0) {
            (false, false) => None,
            (true, is_open) if !is_open || size(a) >= size(b) => Some([(a.first, y), (a.first + 1, y)]),
            _ => Some([(x, b.first), (x, b.first + 1)]),
        }
    }

    /// Pairs of cells of two leaves that may meet, with their windows, and with the vertices that may meet triangles.
    pub fn leaves(&mut self, nodes: (u32, u32), window: Interval, found: &mut Vec<CellPair>) {
        let mut stats = std::mem::take(&mut self.stats);
        self.cell_pairs(nodes, window, &mut stats, found);
        self.stats = stats;
        for pair in found {
            let (sight, inverse) = (self.sight.at(pair.moment), self.inverse_sight.at(pair.moment.inverse()));
            let corners_a = pair.a.corners.map(|v| self.a.spot(v));
            let corners_b = pair.b.corners.map(|v| self.b.spot(v));
            let (face_a, face_b) = (Face::new(corners_a, &self.sight), Face::new(corners_b, &self.sight));
            for k in 0..3 {
                let [of_b, of_a] = [
                    VertexOverFace { face: &face_a, place: corners_b[k] },
                    VertexOverFace { face: &face_b, place: corners_a[k] },
                ];
                pair.features.corners_b[k] &= of_b.may_meet(&sight);
                pair.features.corners_a[k] &= of_a.may_meet(&inverse);
            }
        }
    }

    /// Pairs of cells of two leaves that may meet, with their windows: several for a pair that needs more than one.
    fn cell_pairs(
        &self,
        (x, y): (u32, u32),
        window: Interval,
        stats: &mut ScrewStats,
        found: &mut Vec<CellPair>,
    ) {
        let (a, b) = (self.a.surface.nodes[x as usize], self.b.surface.nodes[y as usize]);
        found.clear();
        let leaf_b = self.b.node(y);
        for i in a.first..a.first + a.count {
            // Against all of the other leaf first.
            stats.slabs += 1;
            let slab_a = self.a.cell(i);
            let Some(window) = slab_a.window(&leaf_b, &self.frame, window) else {
                continue;
            };
            for j in b.first..b.first + b.count {
                stats.slabs += 1;
                if let Some(window) = slab_a.window(&self.b.cell(j), &self.frame, window) {
                    self.cell_pair((i, j), window, stats, found);
                }
            }
        }
    }

    /// A pair of cells that may meet in a window, unless nothing of it is asked for.
    fn cell_pair(
        &self,
        (i, j): (u32, u32),
        window: Interval,
        stats: &mut ScrewStats,
        found: &mut Vec<CellPair>,
    ) {
        let (a, b) = (&self.a.surface.cells[i as usize], &self.b.surface.cells[j as usize]);
        let mut features = Features::of(a, b);
        if let Some(proper) = &self.proper {
            let at = proper.attitude(window);
            if !proper.cells(i, j, &at) {
                return;
            }
            features = features.proper(a, b, proper, &at);
        }
        if features.is_empty() || !self.is_alive(i, j) {
            return;
        }
        stats.cells += 1;
        if self.proper.is_some() && features.count() <= FEW {
            let moment = self.sight.middle(window.lower(), window.upper()).moment();
            found.push(CellPair { a: *a, b: *b, window, moment, features });
            return;
        }
        self.sided([a, b], features, window, found);
    }

    /// A pair of cells with the features that may meet, unless all corners of one stay on the same side of the other.
    ///
    /// A window that turns far is cut first, because sides are known for short ones only.
    fn sided(&self, [a, b]: [&Cell; 2], features: Features, window: Interval, found: &mut Vec<CellPair>) {
        let corners_a = a.corners.map(|v| self.a.spot(v));
        let corners_b = b.corners.map(|v| self.b.spot(v));
        let (plane_a, plane_b) =
            (Face::new(corners_a, &self.sight).plane, Face::new(corners_b, &self.sight).plane);
        let whole = window;
        let mut open = [window; DEPTH + 1];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let window = open[count];
            let middle = self.sight.middle(window.lower(), window.upper());
            let moment = middle.moment();
            let (mut over_a, mut over_b) = ([0; 3], [0; 3]);
            let (mut from, mut to) = (window.lower(), window.upper());
            let mut narrow = |values: &[Value; 3]| {
                let Some([first, last]) = Value::straddling(values) else { return false };
                from = from.max((middle.t() + first).next_down());
                to = to.min((middle.t() + last).next_up());
                from <= to
            };
            if a.triangle != NONE {
                let heights = corners_b.map(|p| middle.height(&middle.passing(p), &plane_a));
                if !narrow(&heights) {
                    continue;
                }
                over_a = heights.map(|height| height.sign());
            }
            if b.triangle != NONE {
                let back = self.inverse_sight.at(moment.inverse());
                let heights = corners_a.map(|p| back.height(&back.passing(p), &plane_b));
                if !narrow(&heights) {
                    continue;
                }
                over_b = heights.map(|height| height.sign());
            }
            // At most `DEPTH` halvings: a quarter turn is below the limit then.
            if self.frame.angle.abs() * window.width() <= SHORT || count + 2 > open.len() {
                let mut features = features.beside(over_a, over_b);
                if let Some(proper) = self.proper.as_ref().filter(|_| window != whole) {
                    features = features.proper(a, b, proper, &proper.attitude(window));
                }
                if !features.is_empty() {
                    found.push(CellPair { a: *a, b: *b, window, moment, features });
                }
                continue;
            }
            if to - from <= KEPT * (window.upper() - window.lower()) {
                open[count] = Interval::new(from, to);
                count += 1;
                continue;
            }
            let middle = 0.5 * (from + to);
            (open[count], open[count + 1]) = (Interval::new(middle, to), Interval::new(from, middle));
            count += 2;
        }
    }

    /// Where the ends of two edges are at the start, rounded.
    pub fn edge_spots(&self, [edge_a, edge_b]: [u32; 2]) -> [[DVec3; 2]; 2] {
        let rests = self.a.surface.edges[edge_a as usize].map(|v| self.a.spot(v));
        [rests, self.b.surface.edges[edge_b as usize].map(|v| self.b.spot(v))]
    }

    /// Where two edges are at the start, unless they keep apart in a window.
    pub fn edge_places(&self, edges: [u32; 2], window: Interval) -> Option<[[Interval3; 2]; 2]> {
        let [rests, moves] = self.edge_spots(edges);
        let middle = self.sight.middle(window.lower(), window.upper());
        if !(EdgeOverEdge { rests, moves }).may_meet(&middle) {
            return None;
        }
        let rests = self.a.places(self.a.surface.edges[edges[0] as usize], &self.frame);
        Some([rests, self.b.places(self.b.surface.edges[edges[1] as usize], &self.frame)])
    }

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
        let (a, b) = (front.iter().map(|b| b.nodes.0).collect(), front.iter().map(|b| b.nodes.1).collect());
        self.prepare_below(a, b);
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
