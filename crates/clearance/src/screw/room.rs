//! Memory for a body in the frame of a screw, kept from question to question: pages that are new cost more than what is
//! written there.

use super::pack::Pack;
use super::placement::Polar;
use super::slab::Slab;
use crate::math::Interval3;
use glam::DVec3;
use std::cell::RefCell;
use std::sync::OnceLock;

/// Rooms that a thread keeps: those of the two bodies of a question.
const KEPT: usize = 2;

/// Larger rooms, in bytes, are given back.
const LARGEST: usize = 1 << 26;

/// Lists that are filled anew for each question; what is in them before means nothing.
#[derive(Default)]
pub(super) struct Room {
    /// Four parts of each node of the wide tree, as far as they are asked for.
    pub packs: Vec<Pack>,
    /// Of all nodes and cells.
    pub nodes: Vec<Slab>,
    pub cells: Vec<Slab>,
    /// Of all vertices: cylindrical coordinates, places rounded, and those with bounds that were asked for.
    pub vertices: Vec<Polar>,
    pub spots: Vec<DVec3>,
    pub places: Vec<OnceLock<Interval3>>,
}

thread_local! {
    static ROOMS: RefCell<Vec<Room>> = const { RefCell::new(Vec::new()) };
}

impl Room {
    /// One that this thread has kept, with empty lists but for packs, or a new one.
    pub fn take() -> Room {
        let mut room = ROOMS.with_borrow_mut(Vec::pop).unwrap_or_default();
        room.nodes.clear();
        room.cells.clear();
        room.vertices.clear();
        room.spots.clear();
        room.places.clear();
        room
    }

    /// Keeps it for the next question, unless there are enough or it is large.
    pub fn keep(self) {
        fn size<T>(list: &Vec<T>) -> usize {
            list.capacity() * size_of::<T>()
        }
        let lists = size(&self.vertices) + size(&self.spots) + size(&self.places);
        let bytes = size(&self.packs) + size(&self.nodes) + size(&self.cells) + lists;
        ROOMS.with_borrow_mut(|rooms| {
            if rooms.len() < KEPT && bytes <= LARGEST {
                rooms.push(self);
            }
        });
    }
}
