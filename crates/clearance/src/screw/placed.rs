//! A body in the frame of a screw: what encloses its parts, and where its vertices are.

use super::frame::Frame;
use super::slab::{Placement, Polar, Slab};
use super::surface::{Cell, Node, Surface};
use crate::math::{Interval3, Pose};
use glam::DMat3;

/// A body in the frame of a screw. What is asked for once is remembered.
pub(super) struct Placed<'a> {
    pub surface: &'a Surface,
    pose: &'a Pose,
    placement: Placement,
    nodes: Vec<Option<Slab>>,
    cells: Vec<Option<Slab>>,
    places: Vec<Option<Interval3>>,
}

impl<'a> Placed<'a> {
    pub fn new(surface: &'a Surface, pose: &'a Pose, frame: &Frame) -> Placed<'a> {
        let reach = surface.nodes.first().map_or(0.0, |root| (root.center.abs() + root.half).element_sum());
        Placed {
            surface,
            pose,
            placement: Placement::new(frame, pose, reach),
            nodes: vec![None; surface.nodes.len()],
            cells: vec![None; surface.cells.len()],
            places: vec![None; surface.positions.len()],
        }
    }

    /// From the body to the frame, rounded.
    pub fn matrix(&self) -> &DMat3 {
        self.placement.matrix()
    }

    /// Encloses all parts as narrowly as cells are, from the leaves up: `O(n)`, and then far fewer pairs of nodes meet.
    pub fn prepare(&mut self) {
        let (surface, placement) = (self.surface, &self.placement);
        let vertices: Vec<Polar> = surface.positions.iter().map(|&p| placement.polar(p)).collect();
        let slab = |cell: &Cell| Some(placement.of_triangle(cell.corners.map(|v| vertices[v as usize])));
        self.cells = surface.cells.iter().map(slab).collect();
        // Children come after their parents.
        for (number, node) in surface.nodes.iter().enumerate().rev() {
            let first = node.first as usize;
            let parts = match node.count {
                0 => &self.nodes[first..first + 2],
                count => &self.cells[first..first + count as usize],
            };
            let all = parts.iter().flatten().copied().reduce(|a, b| placement.union(&a, &b));
            self.nodes[number] = all;
        }
    }

    #[inline]
    pub fn node(&mut self, node: u32) -> (&'a Node, &Slab) {
        let at = &self.surface.nodes[node as usize];
        let placement = &self.placement;
        (at, self.nodes[node as usize].get_or_insert_with(|| placement.of_box(at.center, at.half)))
    }

    #[inline]
    pub fn cell(&mut self, cell: u32) -> (&'a Cell, &Slab) {
        let (surface, placement) = (self.surface, &self.placement);
        let at = &surface.cells[cell as usize];
        let slab = self.cells[cell as usize].get_or_insert_with(|| {
            placement.of_triangle(at.corners.map(|v| placement.polar(surface.positions[v as usize])))
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
