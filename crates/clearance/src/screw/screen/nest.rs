//! Boxes in boxes: what of two lists meets, found from groups of four that follow each other.
//!
//! Lists are in the order of the bodies' trees, so that what follows each other lies together. Differs from the paper, which sorts
//! pixels, and from tiles: nothing is sorted or counted, sizes may be mixed, and time is a side of a box like the others, so that
//! threads of a bolt which lie one behind the other are not compared.

use super::bounds::{Bounded, Key};

/// Boxes in one box.
const GROUP: usize = 4;

/// Keys of a list, of groups of them, of groups of groups, up to one group of all; kept from step to step.
#[derive(Clone, Debug, Default)]
struct Levels {
    /// Groups are filled up with boxes that nothing meets.
    keys: Vec<Vec<Key>>,
    count: usize,
}

impl Levels {
    fn fill(&mut self, keys: impl Iterator<Item = Key>) {
        self.count = 0;
        self.push(keys);
        while self.keys[self.count - 1].len() > GROUP {
            self.group();
        }
    }

    /// The next level.
    fn push(&mut self, from: impl Iterator<Item = Key>) {
        if self.keys.len() == self.count {
            self.keys.push(Vec::new());
        }
        let keys = &mut self.keys[self.count];
        keys.clear();
        keys.extend(from);
        keys.resize(keys.len().next_multiple_of(GROUP), Key::NOWHERE);
        self.count += 1;
    }

    /// One level more.
    fn group(&mut self) {
        let below = std::mem::take(&mut self.keys[self.count - 1]);
        self.push(groups(&below).iter().map(|[a, b, c, d]| a.joined(*b).joined(c.joined(*d))));
        let at = self.count - 2;
        self.keys[at] = below;
    }
}

fn groups(keys: &[Key]) -> &[[Key; GROUP]] {
    keys.as_chunks().0
}

/// Two lists.
#[derive(Clone, Debug, Default)]
pub(super) struct Nest {
    first: Levels,
    second: Levels,
    /// Pairs of groups that meet, and pairs in them; those past the count mean nothing.
    pairs: Vec<[u32; 2]>,
    count: usize,
    next: Vec<[u32; 2]>,
}

impl Nest {
    /// All pairs of one list and the other whose boxes meet, once each; times of the second list reach so far before and after.
    pub fn pairs<T: Bounded, U: Bounded>(
        &mut self,
        (first, second): (&[T], &[U]),
        corner: [f64; 2],
        reach: [f64; 2],
        mut visit: impl FnMut(&T, &U),
    ) {
        if first.is_empty() || second.is_empty() {
            return;
        }
        self.first.fill(first.iter().map(|item| Key::of(&item.bounds(), corner)));
        self.second.fill(second.iter().map(|item| Key::of(&item.bounds(), corner)));
        while self.first.count < self.second.count {
            self.first.group();
        }
        while self.second.count < self.first.count {
            self.second.group();
        }
        let count = self.first.count;
        for keys in &mut self.second.keys[..count] {
            keys.iter_mut().for_each(|key| *key = key.asking(reach));
        }
        self.pairs.resize(self.pairs.len().max(1), [0; 2]);
        (self.pairs[0], self.count) = ([0, 0], 1);
        for level in (0..count).rev() {
            self.descend(level);
        }
        for &[x, y] in &self.pairs[..self.count] {
            visit(&first[x as usize], &second[y as usize]);
        }
    }

    /// From pairs of groups of a level to pairs in them.
    fn descend(&mut self, level: usize) {
        let (of_a, of_b) = (groups(&self.first.keys[level]), groups(&self.second.keys[level]));
        let most = self.count * GROUP * GROUP;
        if self.next.len() < most {
            self.next.resize(most, [0; 2]);
        }
        // A slice of its own: where it lies is not asked for again at each pair.
        let (pairs, next) = (&self.pairs[..self.count], &mut self.next[..most]);
        let mut count = 0;
        for &[i, j] in pairs {
            let group = &of_a[i as usize];
            for (asked, y) in of_b[j as usize].iter().zip(j * GROUP as u32..) {
                for (key, x) in group.iter().zip(i * GROUP as u32..) {
                    // Whether they meet cannot be foretold: always written, and kept if they do.
                    next[count] = [x, y];
                    count += usize::from(key.meets(asked));
                }
            }
        }
        self.count = count;
        std::mem::swap(&mut self.pairs, &mut self.next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::screw::screen::drawing::{Dot, FaceBox};
    use std::collections::BTreeSet;

    /// All pairs of points and boxes that meet, each once, for lists of every length.
    #[test]
    fn pairs_are_those_of_brute_force() {
        let (mut random, mut count) = (Random::new(1), 0);
        for case in 0..200 {
            let far = [0.0, 1e4][case % 2];
            let mut place = || {
                let (r, h) = (far + random.range(0.0, 9.0), random.range(0.0, 9.0) - far);
                (r, h, random.range(0.0, 3.0))
            };
            let lengths = [1, 2, 8, 9, 64, 65, 200];
            let dots: Vec<Dot> = (0..lengths[case % 7])
                .map(|vertex| {
                    let (r, h, t) = place();
                    Dot { row: 0, vertex, r, h, t }
                })
                .collect();
            let boxes: Vec<FaceBox> = (0..lengths[case / 7 % 7])
                .map(|active| {
                    let (r, h, t) = place();
                    let (r, h, t) = ([r, r + 2.0], [h, h + 1.0], [t, t + 0.5]);
                    FaceBox { active, slack: 0.0, r, h, t, sum: [r[0] + h[0] + 0.5, r[1] + h[1]] }
                })
                .collect();
            let holds = |x: f64, range: [f64; 2], room: f64| range[0] - room <= x && x <= range[1] + room;
            let expected = |room: f64| {
                let mut all = BTreeSet::new();
                for dot in &dots {
                    let meets = |face: &&FaceBox| {
                        holds(dot.r, face.r, room)
                            && holds(dot.h, face.h, room)
                            && holds(dot.t, [face.t[0] - 0.25, face.t[1] + 0.75], room)
                            && holds(dot.r + dot.h, face.sum, room)
                    };
                    all.extend(boxes.iter().filter(meets).map(|face| (dot.vertex, face.active)));
                }
                all
            };
            let mut found = Vec::new();
            let tell = |dot: &Dot, face: &FaceBox| found.push((dot.vertex, face.active));
            Nest::default().pairs((&dots, &boxes), [far, -far], [-0.25, 0.75], tell);
            let told: BTreeSet<(u32, u32)> = found.iter().copied().collect();
            assert_eq!(told.len(), found.len());
            // Some more that only rounding brings together.
            assert!(told.is_superset(&expected(0.0)) && told.is_subset(&expected(1e-4)), "{case}");
            count += told.len();
        }
        assert!(count > 3_000, "{count}");
    }
}
