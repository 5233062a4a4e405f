//! A body in the frame of a screw: what encloses its parts, and where its vertices are.

use super::frame::Frame;
use super::pack::{Pack, Single, lane, set_lane};
use super::placement::{Placement, Polar};
use super::slab::Slab;
use super::surface::{Cell, Surface};
use super::wide_tree::{LANES, WideNode};
use crate::math::{Interval3, Pose};
use glam::{DMat3, DVec3};
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::OnceLock;

/// More than this is divided among threads.
const MANY: usize = 4096;

/// The same for all items, in their order.
fn each<T: Sync, U: Send>(items: &[T], map: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
    match items.len() < MANY {
        true => items.iter().map(map).collect(),
        false => items.par_iter().with_min_len(MANY / 4).map(map).collect(),
    }
}

/// A body in the frame of a screw.
pub(super) struct Placed<'a> {
    pub surface: &'a Surface,
    pose: &'a Pose,
    placement: Placement,
    /// Four parts of each node of the wide tree, as far as they are asked for.
    packs: Vec<Pack>,
    /// Narrow ones of all nodes and cells, and all vertices rounded; empty before they are asked for.
    nodes: Vec<Slab>,
    cells: Vec<Slab>,
    spots: Vec<DVec3>,
    /// What is asked for once is remembered.
    places: Vec<OnceLock<Interval3>>,
}

impl<'a> Placed<'a> {
    pub fn new(surface: &'a Surface, pose: &'a Pose, frame: &Frame) -> Placed<'a> {
        let reach = surface.nodes.first().map_or(0.0, |root| (root.center.abs() + root.half).element_sum());
        Placed {
            surface,
            pose,
            placement: Placement::new(frame, pose, reach),
            packs: Vec::new(),
            nodes: Vec::new(),
            cells: Vec::new(),
            spots: Vec::new(),
            places: vec![OnceLock::new(); surface.positions.len()],
        }
    }

    /// From the body to the frame, rounded.
    pub fn matrix(&self) -> &DMat3 {
        self.placement.matrix()
    }

    /// How far a coordinate of a rounded place may be off.
    pub fn off(&self) -> f64 {
        self.placement.off()
    }

    /// Encloses all parts as narrowly as cells are, from the leaves up: `O(n)`, and then far fewer pairs of nodes meet.
    pub fn prepare(&mut self) {
        let (surface, placement) = (self.surface, &self.placement);
        if self.nodes.len() == surface.nodes.len() {
            return;
        }
        let vertices: Vec<Polar> = each(&surface.positions, |&p| placement.polar(p));
        let slab = |cell: &Cell| placement.of_triangle(cell.corners.map(|v| vertices[v as usize]));
        self.cells = each(&surface.cells, slab);
        self.spots = vertices.iter().map(|vertex| vertex.place).collect();
        self.nodes = vec![Slab::NONE; surface.nodes.len()];
        // Children come after their parents.
        for (number, node) in surface.nodes.iter().enumerate().rev() {
            let first = node.first as usize;
            let parts = match node.count {
                0 => &self.nodes[first..first + 2],
                count => &self.cells[first..first + count as usize],
            };
            let all = parts[1..].iter().fold(parts[0], |all, part| placement.union(&all, part));
            self.nodes[number] = all;
        }
    }

    /// Encloses what is below some nodes of the wide tree, four parts at a time.
    pub fn prepare_below(&mut self, mut nodes: Vec<u32>) {
        let (surface, placement) = (self.surface, &self.placement);
        let vertices: Vec<Polar> = each(&surface.positions, |&p| placement.polar(p));
        self.spots = vertices.iter().map(|vertex| vertex.place).collect();
        // Zeros that are never written take no memory.
        self.packs = vec![[[0.0; LANES]; 16]; surface.tree.nodes.len()];
        nodes.sort_unstable();
        let (mut rest, mut at, mut parts) = (&mut self.packs[..], 0, Vec::new());
        for node in nodes {
            // Some are below others.
            if node >= at {
                let end = surface.tree.nodes[node as usize].end;
                let (own, behind) = rest[(node - at) as usize..].split_at_mut((end - node) as usize);
                parts.push((node, own));
                (rest, at) = (behind, end);
            }
        }
        let enclose = |(node, packs): (u32, &mut [Pack])| enclose(surface, placement, &vertices, node, packs);
        match surface.cells.len() < MANY {
            true => parts.into_iter().for_each(enclose),
            false => parts.into_par_iter().for_each(enclose),
        }
    }

    /// What is around the parts of a node of the wide tree.
    pub fn around(&self, node: u32) -> Single {
        self.placement.around_all(&self.packs[node as usize])
    }

    /// A node of the wide tree, whose parent is prepared.
    #[inline]
    pub fn single(&self, node: u32) -> Single {
        let slot = self.surface.tree.nodes[node as usize].slot as usize;
        lane(&self.packs[slot / LANES], slot % LANES)
    }

    /// The parts of a node of the wide tree.
    #[inline]
    pub fn pack(&self, node: u32) -> &Pack {
        &self.packs[node as usize]
    }

    #[inline]
    pub fn node(&self, node: u32) -> Cow<'_, Slab> {
        match self.nodes.get(node as usize) {
            Some(slab) => Cow::Borrowed(slab),
            None => {
                let at = &self.surface.nodes[node as usize];
                Cow::Owned(self.placement.of_box(at.center, at.half))
            }
        }
    }

    #[inline]
    pub fn cell(&self, cell: u32) -> Cow<'_, Slab> {
        match self.cells.get(cell as usize) {
            Some(slab) => Cow::Borrowed(slab),
            None => {
                let corners = self.surface.cells[cell as usize].corners;
                let polar = |v: u32| self.placement.polar(self.surface.positions[v as usize]);
                Cow::Owned(self.placement.of_triangle(corners.map(polar)))
            }
        }
    }

    /// Where a vertex is at the start, in the frame, rounded.
    #[inline]
    pub fn spot(&self, vertex: u32) -> DVec3 {
        match self.spots.get(vertex as usize) {
            Some(&spot) => spot,
            None => self.placement.spot(self.surface.positions[vertex as usize]),
        }
    }

    /// Where a vertex is at the start, in the frame.
    pub fn place(&self, vertex: u32, frame: &Frame) -> Interval3 {
        let (pose, at) = (self.pose, self.surface.positions[vertex as usize]);
        *self.places[vertex as usize].get_or_init(|| frame.place(pose, at))
    }

    pub fn places<const N: usize>(&self, vertices: [u32; N], frame: &Frame) -> [Interval3; N] {
        vertices.map(|v| self.place(v, frame))
    }
}

/// Packs of all nodes below one, from the leaves up.
fn enclose(surface: &Surface, placement: &Placement, vertices: &[Polar], from: u32, packs: &mut [Pack]) {
    for k in (0..packs.len()).rev() {
        let WideNode { children, count, is_leaf, .. } = surface.tree.nodes[from as usize + k];
        if is_leaf {
            let cell = |lane: usize| &surface.cells[children[0] as usize + lane.min(count as usize - 1)];
            let corners = |lane: usize| cell(lane).corners.map(|v| vertices[v as usize]);
            packs[k] = placement.of_triangles(std::array::from_fn(corners));
            continue;
        }
        for lane in 0..LANES {
            let child = children[lane.min(count as usize - 1)] - from;
            let part = placement.around_all(&packs[child as usize]);
            set_lane(&mut packs[k], lane, &part);
        }
    }
}
