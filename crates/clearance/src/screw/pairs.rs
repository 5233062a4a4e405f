//! Pairs of cells that may meet on a screw, by their boxes, each with a window of time.

use super::frame::Frame;
use super::placed::Placed;
use super::record::ScrewStats;
use super::sides::Middle;
use super::slab::Slab;
use super::surface::{Cell, NONE, Node, Surface};
use crate::math::{Interval, Interval3, Pose, Screw};
use glam::DVec3;

/// Windows in which less than this angle is turned, in radians, are not halved.
const SHORT: f64 = 0.06;

/// Halvings that make a quarter turn shorter than that.
const DEPTH: usize = 6;

/// Two cells and their slabs.
struct Windowed {
    cell_a: Cell,
    cell_b: Cell,
    slab_a: Slab,
    slab_b: Slab,
}

/// Body A, which rests, and body B, which moves.
pub(super) struct Pairs<'a> {
    pub frame: Frame,
    pub inverse: Frame,
    pub a: Placed<'a>,
    pub b: Placed<'a>,
    pub stats: ScrewStats,
    /// So many pairs of nodes are looked at before everything is enclosed narrowly.
    patience: u64,
    /// Cells of each that are looked at, if not all.
    alive: Option<[Vec<bool>; 2]>,
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
        Pairs {
            frame,
            inverse: frame.inverse(),
            a: Placed::new(a, pose_a, &frame),
            b: Placed::new(b, pose_b, &frame),
            stats: ScrewStats::default(),
            patience: ((a.nodes.len() + b.nodes.len()) / 16) as u64 + 64,
            alive: None,
        }
    }

    /// The same, but only pairs of some cells; all others see what they would see without.
    pub fn among(self, alive: Option<[Vec<bool>; 2]>) -> Pairs<'a> {
        Pairs { alive, ..self }
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
            self.a.prepare();
            self.b.prepare();
        }
        self.a.node(nodes.0).1.window(self.b.node(nodes.1).1, &self.frame, window)
    }

    /// The children of a pair of nodes: of the larger one, if it has any; `None` for two leaves.
    pub fn children(&self, (x, y): (u32, u32)) -> Option<[(u32, u32); 2]> {
        let (a, b) = (&self.a.surface.nodes[x as usize], &self.b.surface.nodes[y as usize]);
        let size = |node: &Node| node.half.element_sum();
        match (a.count == 0, b.count == 0) {
            (false, false) => None,
            (true, is_open) if !is_open || size(a) >= size(b) => Some([(a.first, y), (a.first + 1, y)]),
            _ => Some([(x, b.first), (x, b.first + 1)]),
        }
    }

    /// Pairs of cells of two leaves that may meet, with their windows: several for a pair that needs more than one.
    pub fn leaves(&mut self, (x, y): (u32, u32), window: Interval, found: &mut Vec<CellPair>) {
        let (a, b) = (self.a.surface.nodes[x as usize], self.b.surface.nodes[y as usize]);
        found.clear();
        for i in a.first..a.first + a.count {
            // Against all of the other leaf first.
            self.stats.slabs += 1;
            let Some(window) = self.a.cell(i).1.window(self.b.node(y).1, &self.frame, window) else {
                continue;
            };
            for j in b.first..b.first + b.count {
                if !self.is_alive(i, j) {
                    continue;
                }
                let ((cell_a, slab_a), (cell_b, slab_b)) = (self.a.cell(i), self.b.cell(j));
                self.stats.slabs += 1;
                if let Some(window) = slab_a.window(slab_b, &self.frame, window) {
                    self.stats.cells += 1;
                    let pair =
                        Windowed { cell_a: *cell_a, cell_b: *cell_b, slab_a: *slab_a, slab_b: *slab_b };
                    self.sided(pair, window, found);
                }
            }
        }
    }

    /// A pair of cells with the sides their corners stay on, unless all of one stay on the same side of the other; a window that
    /// turns far is halved first, because sides are known for short ones only.
    fn sided(&mut self, pair: Windowed, window: Interval, found: &mut Vec<CellPair>) {
        let frame = self.frame;
        let Windowed { cell_a: a, cell_b: b, slab_a, slab_b } = pair;
        let corners_a = self.a.places(a.corners, &frame).map(|place| place.middle());
        let corners_b = self.b.places(b.corners, &frame).map(|place| place.middle());
        let is_apart = |sides: [i8; 3]| sides[0] != 0 && sides[0] == sides[1] && sides[0] == sides[2];
        let mut open = [window; DEPTH + 1];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let window = open[count];
            let (over_a, meets_b) = match a.triangle {
                NONE => ([0; 3], [false; 3]),
                _ => Middle::new(&frame, window).sides(&corners_a, &corners_b),
            };
            if is_apart(over_a) {
                continue;
            }
            let (over_b, meets_a) = match b.triangle {
                NONE => ([0; 3], [false; 3]),
                _ => Middle::new(&self.inverse, window).sides(&corners_b, &corners_a),
            };
            if is_apart(over_b) {
                continue;
            }
            // At most `DEPTH` halvings: a quarter turn is below the limit then.
            if frame.angle.abs() * window.width() <= SHORT || count + 2 > open.len() {
                found.push(CellPair { a, b, window, over_a, over_b, meets_a, meets_b });
                continue;
            }
            let middle = window.middle();
            for half in [Interval::new(middle, window.upper()), Interval::new(window.lower(), middle)] {
                if let Some(half) = slab_a.window(&slab_b, &frame, half) {
                    open[count] = half;
                    count += 1;
                }
            }
        }
    }

    /// Where two edges are at the start, unless they keep apart in a window.
    pub fn edge_places(
        &mut self,
        [edge_a, edge_b]: [u32; 2],
        window: Interval,
    ) -> Option<[[Interval3; 2]; 2]> {
        let frame = self.frame;
        let rests = self.a.places(self.a.surface.edges[edge_a as usize], &frame);
        let moves = self.b.places(self.b.surface.edges[edge_b as usize], &frame);
        let middles = |edge: [Interval3; 2]| edge.map(|place| place.middle());
        let is_apart = Middle::new(&frame, window).keeps_edges_apart(middles(rests), middles(moves));
        (!is_apart).then_some([rests, moves])
    }

    /// All pairs of cells that may meet.
    pub fn visit(&mut self, mut visit: impl FnMut(&mut Pairs<'a>, &CellPair)) {
        if self.a.surface.cells.is_empty() || self.b.surface.cells.is_empty() {
            return;
        }
        let (mut open, mut cells) = (Vec::new(), Vec::new());
        for step in self.steps() {
            open.push(((0, 0), step));
            while let Some((nodes, window)) = open.pop() {
                let Some(window) = self.node_window(nodes, window) else { continue };
                match self.children(nodes) {
                    Some(children) => open.extend(children.map(|nodes| (nodes, window))),
                    None => {
                        self.leaves(nodes, window, &mut cells);
                        cells.iter().for_each(|pair| visit(self, pair));
                    }
                }
            }
        }
    }
}

/// Two cells that may meet in a window of time.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellPair {
    pub a: Cell,
    pub b: Cell,
    pub window: Interval,
    /// The side of the plane of A's triangle that each corner of B stays on, or 0.
    over_a: [i8; 3],
    /// The side of the plane of B's triangle that each corner of A stays on, or 0.
    over_b: [i8; 3],
    /// Corners of A that may meet the triangle of B.
    meets_a: [bool; 3],
    /// Corners of B that may meet the triangle of A.
    meets_b: [bool; 3],
}

impl CellPair {
    /// Vertices of B that may meet the triangle of A.
    pub fn vertices_b(&self) -> impl Iterator<Item = u32> + use<> {
        may_meet(self.b.vertices, self.meets_b)
    }

    /// Vertices of A that may meet the triangle of B.
    pub fn vertices_a(&self) -> impl Iterator<Item = u32> + use<> {
        may_meet(self.a.vertices, self.meets_a)
    }

    /// Pairs of edges that may meet: edges of a triangle lie in its plane.
    pub fn edges(&self) -> impl Iterator<Item = [u32; 2]> + use<> {
        let edges_b = crossing(self.b.edges, self.over_a);
        crossing(self.a.edges, self.over_b)
            .into_iter()
            .flatten()
            .flat_map(move |edge_a| edges_b.into_iter().flatten().map(move |edge_b| [edge_a, edge_b]))
    }
}

fn may_meet(vertices: [u32; 3], meets: [bool; 3]) -> impl Iterator<Item = u32> {
    (0..3).filter(move |&k| meets[k] && vertices[k] != NONE).map(move |k| vertices[k])
}

/// Edges of which the ends do not stay on one side.
fn crossing(edges: [u32; 3], over: [i8; 3]) -> [Option<u32>; 3] {
    std::array::from_fn(|k| {
        let [from, to] = [over[k], over[(k + 1) % 3]];
        (edges[k] != NONE && (from == 0 || from != to)).then_some(edges[k])
    })
}
