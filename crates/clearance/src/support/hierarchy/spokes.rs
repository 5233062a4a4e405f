//! The spokes of all vertices, in as few bytes as the number of vertices allows.

use super::peel::{NOBODY, Spoke};
use std::ops::Range;

/// A vertex of few is told by two bytes: with four, the spokes would take more than anything else in a hierarchy.
const NARROW: usize = u16::MAX as usize;

/// Tips and owners.
#[derive(Clone, Debug)]
pub(super) enum Spokes {
    /// Of fewer than 65,535 vertices; the number that is left stands for nobody.
    Narrow(Vec<[u16; 2]>),
    /// Of any number of vertices.
    Wide(Vec<[u32; 2]>),
}

impl Spokes {
    pub fn of_few_or_many(vertices: usize) -> Spokes {
        if vertices < NARROW { Spokes::Narrow(Vec::new()) } else { Spokes::Wide(Vec::new()) }
    }

    /// Appends a ring; where it is.
    pub fn push(&mut self, ring: &[Spoke]) -> Range<usize> {
        let start = self.len();
        match self {
            // `NOBODY` loses bits and stays the largest number.
            Spokes::Narrow(list) => list.extend(ring.iter().map(|s| [s.tip as u16, s.owner as u16])),
            Spokes::Wide(list) => list.extend(ring.iter().map(|s| [s.tip, s.owner])),
        }
        start..self.len()
    }

    pub fn get(&self, index: usize) -> Spoke {
        match self {
            Spokes::Narrow(list) => {
                let [tip, owner] = list[index];
                let owner = if owner == u16::MAX { NOBODY } else { u32::from(owner) };
                Spoke { tip: u32::from(tip), owner }
            }
            Spokes::Wide(list) => {
                let [tip, owner] = list[index];
                Spoke { tip, owner }
            }
        }
    }

    fn len(&self) -> usize {
        match self {
            Spokes::Narrow(list) => list.len(),
            Spokes::Wide(list) => list.len(),
        }
    }

    pub fn shrink(&mut self) {
        match self {
            Spokes::Narrow(list) => list.shrink_to_fit(),
            Spokes::Wide(list) => list.shrink_to_fit(),
        }
    }

    pub fn bytes(&self) -> usize {
        match self {
            Spokes::Narrow(list) => list.capacity() * size_of::<[u16; 2]>(),
            Spokes::Wide(list) => list.capacity() * size_of::<[u32; 2]>(),
        }
    }
}

/// The spokes of one vertex.
#[derive(Clone, Copy)]
pub(super) struct Ring<'a> {
    pub spokes: &'a Spokes,
    pub start: usize,
    pub count: usize,
}

impl Ring<'_> {
    /// Counted around the vertex, any number of times.
    pub fn get(&self, index: usize) -> Spoke {
        self.spokes.get(self.start + index % self.count)
    }
}
