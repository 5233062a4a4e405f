//! Where bodies lie: side by side, in the order of their indices, with few empty places.
//!
//! Everything inside a world goes by place. A place is the index of its body until far more bodies were removed than are left: then
//! those that are left move down, and a table leads from indices to places. New bodies get the lowest indices that are free
//! and lie where these belong, so that the order of places is that of ids at any time; where no place is empty there, the bodies
//! move apart, to make room for as many as there are.

use super::around::Around;
use super::pairs;
use super::travel::Travel;
use super::world::World;
use crate::broad::Renumbering;
use std::collections::BTreeSet;

/// Which place belongs to an index: the number of indices below that have one.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// Empty if all have: then the place is the index.
    words: Vec<Word>,
}

/// Sixty-four indices: those that have places, and how many do before them.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    has_place: u64,
    before: u32,
}

impl Places {
    /// The places of ascending indices.
    fn new(indices: &[u32]) -> Places {
        let Some(&last) = indices.last().filter(|&&last| last as usize >= indices.len()) else {
            return Places::default();
        };
        let mut words = vec![Word::default(); last as usize / 64 + 1];
        indices.iter().for_each(|index| words[*index as usize / 64].has_place |= 1 << (index % 64));
        let mut before = 0;
        for word in &mut words {
            word.before = before;
            before += word.has_place.count_ones();
        }
        Places { words }
    }

    /// The place that belongs to an index, if it has one; it may lie behind all bodies.
    #[inline]
    pub fn of(&self, index: u32) -> Option<u32> {
        if self.words.is_empty() { Some(index) } else { self.look_up(index) }
    }

    fn look_up(&self, index: u32) -> Option<u32> {
        let Word { has_place, before } = *self.words.get(index as usize / 64)?;
        let bit = 1 << (index % 64);
        (has_place & bit != 0).then(|| before + (has_place & (bit - 1)).count_ones())
    }

    /// Forgets what lies behind the last body, with this index and this place.
    fn end_with(&mut self, index: u32, place: u32) {
        self.words.truncate(if index == place { 0 } else { index as usize / 64 + 1 });
        if self.words.capacity() / 4 > self.words.len() {
            self.words.shrink_to_fit();
        }
    }

    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<Word>()
    }
}

impl World {
    /// The place and the index of a new body: of the lowest index that has an empty place.
    pub(super) fn take_place(&mut self) -> [u32; 2] {
        if self.free.is_empty() {
            let end = self.bodies.len() as u32;
            if self.ids.last().copied().flatten().is_none_or(|last| last.index + 1 == end) {
                self.bodies.push(None);
                self.ids.push(None);
                self.travels.push(Travel::default());
                self.around.push(Around::NOTHING);
                return [end; 2];
            }
            self.renumber(self.len());
        }
        let index = self.free.pop_first().expect("room was made");
        [self.places.of(index).expect("free indices have places"), index]
    }

    /// Gives the places at the end back when they are empty.
    pub(super) fn trim(&mut self) {
        while let Some(None) = self.ids.last() {
            self.ids.pop();
        }
        let end = self.ids.len();
        match self.ids.last() {
            Some(Some(last)) => {
                self.free.split_off(&last.index);
                self.places.end_with(last.index, end as u32 - 1);
            }
            _ => (self.free, self.places) = Default::default(),
        }
        self.bodies.truncate(end);
        self.travels.truncate(end);
        self.around.truncate(end);
        if self.bodies.capacity() > 64 && self.bodies.capacity() / 4 > end {
            self.bodies.shrink_to(2 * end);
            self.ids.shrink_to(2 * end);
            self.travels.shrink_to(2 * end);
            self.around.shrink_to(2 * end);
            self.incoming = Vec::new();
        }
    }

    /// Moves bodies down where more than three of four places are empty; after a step, when no pair knows of bodies that went.
    pub(super) fn close_gaps(&mut self) {
        if self.bodies.len() / 4 > self.len() {
            self.renumber(0);
        }
    }

    /// Puts bodies side by side, with room for the lowest free indices, so many of them at most. Costs as much as a search over all
    /// bodies, so little for each of those that were removed or come.
    fn renumber(&mut self, room: usize) {
        let (mut from, mut indices, mut free) = (Vec::new(), Vec::new(), BTreeSet::new());
        for (place, id) in (0..).zip(&self.ids) {
            let Some(id) = id else { continue };
            let first = indices.last().map_or(0, |last| last + 1);
            for index in (first..id.index).take(room - free.len()) {
                from.push(None);
                indices.push(index);
                free.insert(index);
            }
            from.push(Some(place));
            indices.push(id.index);
        }
        let renumbering = Renumbering::new(from, self.bodies.len());
        renumbering.apply(&mut self.bodies, None);
        renumbering.apply(&mut self.ids, None);
        renumbering.apply(&mut self.travels, Travel::default());
        renumbering.apply(&mut self.around, Around::NOTHING);
        self.incoming = Vec::new();
        let ignored = std::mem::take(&mut self.ignored).into_iter();
        self.ignored = ignored.map(|(a, b)| (renumbering.id(a), renumbering.id(b))).collect();
        self.broad.renumber(&renumbering);
        self.blocks = pairs::renumbered(std::mem::take(&mut self.blocks), &renumbering);
        (self.places, self.free) = (Places::new(&indices), free);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted() {
        let indices = [0, 1, 5, 63, 64, 130, 700];
        let places = Places::new(&indices);
        for index in 0..800 {
            let want = indices.iter().position(|&known| known == index);
            assert_eq!(places.of(index).map(|place| place as usize), want);
        }
        let all: Vec<u32> = (0..300).collect();
        assert_eq!((Places::new(&all).of(299), Places::new(&all).bytes()), (Some(299), 0));
    }
}
