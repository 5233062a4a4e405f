//! Pairs of parts of two trees that one direction may keep apart.

use super::node::WIDTH;

/// Which tree the lanes of a pair of parts belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    A,
    B,
}

/// A pair of parts of both trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parts {
    Lanes(LaneParts),
    Leaves(LeafParts),
}

/// Some lanes of a node of one tree, and one place of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LaneParts {
    pub lanes_of: Of,
    /// One bit for each lane.
    pub mask: u8,
    pub node: u32,
    pub place: u32,
}

/// Some triangles of a leaf of each tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LeafParts {
    /// The places of the leaves.
    pub a: u32,
    pub b: u32,
    /// One bit for each triangle of A, and of B.
    pub rows: u8,
    pub lanes: u8,
}

impl Parts {
    /// Both meshes: the first node of a tree has one child.
    pub const WHOLE: Parts = Parts::Lanes(LaneParts { lanes_of: Of::A, mask: 1, node: 0, place: 0 });

    /// One place of each tree.
    pub fn places(a: u32, b: u32) -> Parts {
        let (node, mask) = (a / WIDTH as u32, 1 << (a % WIDTH as u32));
        Parts::Lanes(LaneParts { lanes_of: Of::A, mask, node, place: b })
    }
}

impl LaneParts {
    /// The places that a lane stands for, that of A first.
    #[inline]
    pub fn pair(&self, lane: usize) -> (u32, u32) {
        let place = self.node * WIDTH as u32 + lane as u32;
        match self.lanes_of {
            Of::A => (place, self.place),
            Of::B => (self.place, place),
        }
    }

    /// The places, if there is one lane only.
    pub fn single(&self) -> Option<(u32, u32)> {
        (self.mask.count_ones() == 1).then(|| self.pair(self.mask.trailing_zeros() as usize))
    }
}

impl LeafParts {
    /// All triangles of two leaves.
    pub fn whole(a: u32, size_a: u8, b: u32, size_b: u8) -> LeafParts {
        let all = |size: u8| ((1u32 << size) - 1) as u8;
        LeafParts { a, b, rows: all(size_a), lanes: all(size_b) }
    }

    /// One triangle of each.
    pub fn single(&self) -> Option<(usize, usize)> {
        let is_one = self.rows.is_power_of_two() && self.lanes.is_power_of_two();
        is_one.then(|| (self.rows.trailing_zeros() as usize, self.lanes.trailing_zeros() as usize))
    }

    /// What is left of it, in two parts, some of which may be empty.
    pub fn without(&self, other: &LeafParts) -> [LeafParts; 2] {
        [
            LeafParts { rows: self.rows & !other.rows, ..*self },
            LeafParts { rows: self.rows & other.rows, lanes: self.lanes & !other.lanes, ..*self },
        ]
    }

    pub fn is_empty(&self) -> bool {
        self.rows == 0 || self.lanes == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(parts: &LeafParts) -> Vec<(u32, u32)> {
        let bits = |mask: u8| (0..8).filter(move |bit| mask >> bit & 1 == 1);
        bits(parts.rows).flat_map(|row| bits(parts.lanes).map(move |lane| (row, lane))).collect()
    }

    #[test]
    fn what_is_taken_and_what_is_left_are_all() {
        let whole = LeafParts::whole(3, 5, 4, 8);
        assert_eq!(pairs(&whole).len(), 40);
        for (rows, lanes) in [(0b1, 0b1), (0b10110, 0b1111_0000), (0b11111, 0xff), (0b11111, 0b10)] {
            let taken = LeafParts { rows, lanes, ..whole };
            let mut all: Vec<_> = whole.without(&taken).iter().chain([&taken]).flat_map(pairs).collect();
            all.sort_unstable();
            assert_eq!(all, pairs(&whole));
            assert_eq!(taken.single(), (rows == 1 && lanes == 1).then_some((0, 0)));
        }
    }
}
