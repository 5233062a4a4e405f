//! Pairs of cells that may meet on a screw, by their boxes, each with a window of time.

use super::cell_pair::CellPair;
use super::face::Face;
use super::frame::Frame;
use super::glance::{EdgeOverEdge, VertexOverFace};
use super::placed::Placed;
use super::proper::Proper;
use super::record::{ContactsConfig, ScrewStats};
use super::sight::Sight;
use super::surface::{Node, Surface};
use super::sweep::Sweep;
use crate::math::{Interval, Interval3, Pose, Screw};
use glam::DVec3;

/// Bodies of so many cells are enclosed on two threads.
pub(super) const PARALLEL: usize = 2048;

/// Bodies of so few cells are enclosed narrowly at once.
pub(super) const SMALL: usize = 32;

/// Body A, which rests, and body B, which moves.
pub(super) struct Pairs<'a> {
    pub frame: Frame,
    pub inverse: Frame,
    pub sight: Sight,
    pub inverse_sight: Sight,
    pub sweep: Sweep,
    pub a: Placed<'a>,
    pub b: Placed<'a>,
    pub stats: ScrewStats,
    /// So many pairs of nodes are looked at before everything is enclosed narrowly.
    pub patience: u64,
    /// Cells of each that are looked at, if not all.
    alive: Option<[Vec<bool>; 2]>,
    /// Contacts that are asked for, if not all.
    pub proper: Option<Proper<'a>>,
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
        self.proper = Proper::new(surfaces, [self.a.matrix(), self.b.matrix()], &self.sight, config);
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

    pub fn is_alive(&self, cell_a: u32, cell_b: u32) -> bool {
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
    pub fn window_of(&self, nodes: (u32, u32), window: Interval) -> Option<Interval> {
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
}
