//! Pairs of cells that may meet on a screw, by their boxes, each with a window of time.

use super::frame::Frame;
use super::record::ScrewStats;
use super::slab::{Placement, Slab};
use super::surface::{Cell, NONE, Node, Surface};
use crate::math::{Interval, Interval3, Pose, Screw};
use glam::{DMat3, DVec3};

/// A body in the frame of a screw.
pub(super) struct Placed<'a> {
    pub surface: &'a Surface,
    pose: &'a Pose,
    placement: Placement,
    nodes: Vec<Option<Slab>>,
    cells: Vec<Option<Slab>>,
    places: Vec<Option<Interval3>>,
}

/// Body A, which rests, and body B, which moves.
pub(super) struct Pairs<'a> {
    pub frame: Frame,
    pub inverse: Frame,
    pub a: Placed<'a>,
    pub b: Placed<'a>,
    pub stats: ScrewStats,
}

impl<'a> Placed<'a> {
    fn new(surface: &'a Surface, pose: &'a Pose, frame: &Frame) -> Placed<'a> {
        Placed {
            surface,
            pose,
            placement: Placement::new(frame, pose),
            nodes: vec![None; surface.nodes.len()],
            cells: vec![None; surface.cells.len()],
            places: vec![None; surface.positions.len()],
        }
    }

    /// From the body to the frame, rounded.
    pub fn matrix(&self) -> &DMat3 {
        self.placement.matrix()
    }

    fn node(&mut self, node: u32) -> (Node, Slab) {
        let at = self.surface.nodes[node as usize];
        let slab = *self.nodes[node as usize].get_or_insert_with(|| self.placement.slab(at.center, at.half));
        (at, slab)
    }

    fn cell(&mut self, cell: u32) -> (Cell, Slab) {
        let at = self.surface.cells[cell as usize];
        let positions = &self.surface.positions;
        let slab = *self.cells[cell as usize].get_or_insert_with(|| {
            let [p, q, r] = at.corners.map(|v| positions[v as usize]);
            let (min, max) = (p.min(q).min(r), p.max(q).max(r));
            let center = 0.5 * min + 0.5 * max;
            self.placement.slab(center, (max - center).max(center - min) * (1.0 + 4.0 * f64::EPSILON))
        });
        (at, slab)
    }

    /// Where a vertex is at the start, in the frame.
    pub fn place(&mut self, vertex: u32, frame: &Frame) -> Interval3 {
        let (pose, at) = (self.pose, self.surface.positions[vertex as usize]);
        *self.places[vertex as usize].get_or_insert_with(|| frame.place(pose, at))
    }

    pub fn places<const N: usize>(&mut self, vertices: [u32; N], frame: &Frame) -> [Interval3; N] {
        vertices.map(|v| self.place(v, frame))
    }
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
        }
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
        let (slab_a, slab_b) = (self.a.node(nodes.0).1, self.b.node(nodes.1).1);
        slab_a.window(&slab_b, &self.frame, window)
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

    /// Pairs of cells of two leaves, with their windows.
    pub fn leaves(&mut self, (x, y): (u32, u32), window: Interval, found: &mut Vec<(Cell, Cell, Interval)>) {
        let (a, b) = (self.a.surface.nodes[x as usize], self.b.surface.nodes[y as usize]);
        found.clear();
        for i in a.first..a.first + a.count {
            for j in b.first..b.first + b.count {
                let ((cell_a, slab_a), (cell_b, slab_b)) = (self.a.cell(i), self.b.cell(j));
                if let Some(window) = slab_a.window(&slab_b, &self.frame, window) {
                    self.stats.cells += 1;
                    found.push((cell_a, cell_b, window));
                }
            }
        }
    }

    /// All pairs of cells that may meet.
    pub fn visit(&mut self, mut visit: impl FnMut(&mut Pairs<'a>, Cell, Cell, Interval)) {
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
                        for &(a, b, window) in &cells {
                            visit(self, a, b, window);
                        }
                    }
                }
            }
        }
    }
}

/// Those that are there.
pub(super) fn present(items: [u32; 3]) -> impl Iterator<Item = u32> {
    items.into_iter().filter(|&item| item != NONE)
}
