//! Pairs of parts that are not checked against each other.

use std::collections::BTreeSet;

/// Pairs of parts that are left out of checks, by part or by whole group.
///
/// Groups stay groups: a thousand parts that ignore each other are one entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IgnoredPairs {
    /// Group of each part.
    groups: Vec<Option<u32>>,
    /// The smaller first.
    pairs: BTreeSet<(Member, Member)>,
}

/// A part, or all parts of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Member {
    Part(u32),
    Group(u32),
}

impl IgnoredPairs {
    /// For parts with these groups; nothing is ignored yet.
    pub(super) fn new(groups: Vec<Option<u32>>) -> IgnoredPairs {
        IgnoredPairs { groups, pairs: BTreeSet::new() }
    }

    pub(super) fn add(&mut self, a: Member, b: Member) {
        self.pairs.insert((a.min(b), a.max(b)));
    }

    /// Whether two parts, by index, are not to be checked against each other. `O(log pairs)`.
    pub fn contains(&self, part_a: usize, part_b: usize) -> bool {
        let members = |part: usize| {
            let group = self.groups.get(part).copied().flatten().map(Member::Group);
            [Some(Member::Part(part as u32)), group].into_iter().flatten()
        };
        members(part_a).any(|a| members(part_b).any(|b| self.pairs.contains(&(a.min(b), a.max(b)))))
    }

    /// Adds the pairs of another scene, whose parts are counted from `first` on here.
    pub fn append(&mut self, other: IgnoredPairs, first: usize) {
        let groups = self.groups.iter().flatten().map(|group| group + 1).max().unwrap_or(0);
        self.groups.resize(first, None);
        self.groups.extend(other.groups.into_iter().map(|group| group.map(|group| group + groups)));
        let moved = |member| match member {
            Member::Part(part) => Member::Part(part + first as u32),
            Member::Group(group) => Member::Group(group + groups),
        };
        for (a, b) in other.pairs {
            self.add(moved(a), moved(b));
        }
    }

    /// How many entries there are; an entry may stand for many pairs of parts.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether every pair is to be checked.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_stand_for_their_parts() {
        // Parts 0, 1 in group 0; 2, 3 in group 1; 4 alone.
        let mut ignored = IgnoredPairs::new(vec![Some(0), Some(0), Some(1), Some(1), None]);
        assert!(ignored.is_empty() && !ignored.contains(0, 1));
        ignored.add(Member::Group(0), Member::Group(0));
        ignored.add(Member::Part(4), Member::Group(1));
        ignored.add(Member::Part(3), Member::Part(1));
        let expected = [(0, 1), (1, 3), (2, 4), (3, 4)];
        for a in 0..5 {
            for b in 0..5 {
                // A part with itself is no pair; the group's entry may cover it.
                if a != b {
                    assert_eq!(ignored.contains(a, b), expected.contains(&(a.min(b), a.max(b))), "{a} {b}");
                }
            }
        }
        assert!(!ignored.contains(7, 9));
    }

    #[test]
    fn pairs_of_a_second_scene_are_moved_behind_the_first() {
        let mut first = IgnoredPairs::new(vec![Some(0), Some(0)]);
        first.add(Member::Group(0), Member::Group(0));
        let mut second = IgnoredPairs::new(vec![Some(0), Some(0), None]);
        second.add(Member::Group(0), Member::Part(2));
        // Two parts, one without a scene, then three.
        first.append(second, 3);
        let expected = [(0, 1), (3, 5), (4, 5)];
        for a in 0..6 {
            for b in a + 1..6 {
                assert_eq!(first.contains(a, b), expected.contains(&(a, b)), "{a} {b}");
            }
        }
    }
}
