//! A body in the frame of a screw: what encloses its parts, and where its vertices are.

use super::frame::Frame;
use super::pack::{NO_PACK, Pack, Single, lane, set_lane};
use super::placement::{Placement, Polar};
use super::room::Room;
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

/// Fills a list that is empty with the same for all items, in their order.
fn fill<T: Sync, U: Send>(list: &mut Vec<U>, items: &[T], map: impl Fn(&T) -> U + Sync + Send) {
    match items.len() < MANY {
        true => list.extend(items.iter().map(map)),
        false => items.par_iter().with_min_len(MANY / 4).map(map).collect_into_vec(list),
    }
}

/// A body in the frame of a screw.
pub(super) struct Placed<'a> {
    pub surface: &'a Surface,
    pose: &'a Pose,
    placement: Placement,
    room: Room,
}

impl Drop for Placed<'_> {
    fn drop(&mut self) {
        std::mem::take(&mut self.room).keep();
    }
}

impl<'a> Placed<'a> {
    pub fn new(surface: &'a Surface, pose: &'a Pose, frame: &Frame) -> Placed<'a> {
        let reach = surface.nodes.first().map_or(0.0, |root| (root.center.abs() + root.half).element_sum());
        let mut room = Room::take();
        room.places.resize_with(surface.positions.len(), OnceLock::new);
        Placed { surface, pose, placement: Placement::new(frame, pose, reach), room }
    }

    /// From the body to the frame, rounded.
    pub fn matrix(&self) -> &DMat3 {
        self.placement.matrix()
    }

    /// No place has a larger coordinate.
    pub fn bound(&self) -> f64 {
        self.placement.bound
    }

    /// How far a coordinate of a rounded place may be off.
    pub fn off(&self) -> f64 {
        self.placement.off()
    }

    /// Cylindrical coordinates of all vertices.
    fn place_vertices(&mut self) {
        let placement = &self.placement;
        fill(&mut self.room.vertices, &self.surface.positions, |&p| placement.polar(p));
        self.room.spots.extend(self.room.vertices.iter().map(|vertex| vertex.place));
    }

    /// Encloses all parts as narrowly as cells are, from the leaves up: `O(n)`, and then far fewer pairs of nodes meet.
    pub fn prepare(&mut self) {
        if self.room.nodes.len() == self.surface.nodes.len() {
            return;
        }
        self.place_vertices();
        let (surface, placement) = (self.surface, &self.placement);
        let Room { nodes, cells, vertices, .. } = &mut self.room;
        let slab = |cell: &Cell| placement.of_triangle(cell.corners.map(|v| vertices[v as usize]));
        fill(cells, &surface.cells, slab);
        nodes.resize(surface.nodes.len(), Slab::NONE);
        // Children come after their parents.
        for (number, node) in surface.nodes.iter().enumerate().rev() {
            let first = node.first as usize;
            let parts = match node.count {
                0 => &nodes[first..first + 2],
                count => &cells[first..first + count as usize],
            };
            let all = parts[1..].iter().fold(parts[0], |all, part| placement.union(&all, part));
            nodes[number] = all;
        }
    }

    /// Encloses what is below some nodes of the wide tree, four parts at a time.
    pub fn prepare_below(&mut self, mut below: Vec<u32>) {
        self.place_vertices();
        let (surface, placement) = (self.surface, &self.placement);
        let Room { packs, vertices, .. } = &mut self.room;
        // What is not below any of them is never read.
        packs.resize(surface.tree.nodes.len().max(packs.len()), NO_PACK);
        below.sort_unstable();
        let (mut rest, mut at, mut parts) = (&mut packs[..], 0, Vec::new());
        for node in below {
            // Some are below others.
            if node >= at {
                let end = surface.tree.nodes[node as usize].end;
                let (own, behind) = rest[(node - at) as usize..].split_at_mut((end - node) as usize);
                parts.push((node, own));
                (rest, at) = (behind, end);
            }
        }
        let enclose = |(node, packs): (u32, &mut [Pack])| enclose(surface, placement, vertices, node, packs);
        match surface.cells.len() < MANY {
            true => parts.into_iter().for_each(enclose),
            false => parts.into_par_iter().for_each(enclose),
        }
    }

    /// What is around the parts of a node of the wide tree.
    pub fn around(&self, node: u32) -> Single {
        self.placement.around_all(&self.room.packs[node as usize])
    }

    /// A node of the wide tree, whose parent is prepared.
    #[inline]
    pub fn single(&self, node: u32) -> Single {
        let slot = self.surface.tree.nodes[node as usize].slot as usize;
        lane(&self.room.packs[slot / LANES], slot % LANES)
    }

    /// The parts of a node of the wide tree.
    #[inline]
    pub fn pack(&self, node: u32) -> &Pack {
        &self.room.packs[node as usize]
    }

    #[inline]
    pub fn node(&self, node: u32) -> Cow<'_, Slab> {
        match self.room.nodes.get(node as usize) {
            Some(slab) => Cow::Borrowed(slab),
            None => {
                let at = &self.surface.nodes[node as usize];
                Cow::Owned(self.placement.of_box(at.center, at.half))
            }
        }
    }

    #[inline]
    pub fn cell(&self, cell: u32) -> Cow<'_, Slab> {
        match self.room.cells.get(cell as usize) {
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
        match self.room.spots.get(vertex as usize) {
            Some(&spot) => spot,
            None => self.placement.spot(self.surface.positions[vertex as usize]),
        }
    }

    /// Where a vertex is at the start, in the frame.
    pub fn place(&self, vertex: u32, frame: &Frame) -> Interval3 {
        let (pose, at) = (self.pose, self.surface.positions[vertex as usize]);
        *self.room.places[vertex as usize].get_or_init(|| frame.place(pose, at))
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
            let corners = |lane: usize| cell(lane).corners.map(|v| &vertices[v as usize]);
            packs[k] = placement.of_triangles(std::array::from_fn(corners));
            continue;
        }
        let mut pack = NO_PACK;
        for lane in 0..count as usize {
            let part = placement.around_all(&packs[(children[lane] - from) as usize]);
            // What is behind the last one is the same.
            (lane..if lane + 1 == count as usize { LANES } else { lane + 1 })
                .for_each(|lane| set_lane(&mut pack, lane, &part));
        }
        packs[k] = pack;
    }
}
