//! Boxes in boxes: what of two lists meets, found from groups of four that follow each other.
//!
//! Lists are in the order of the bodies' trees, so that what follows each other lies together. Differs from the paper, which sorts
//! pixels, and from tiles: nothing is sorted or counted, sizes may be mixed, and time is a side of a box like the others, so that
//! threads of a bolt which lie one behind the other are not compared.

use super::bounds::{Key, Room};
use wide::bytemuck::cast;
use wide::u32x4;

/// Boxes in one box.
const GROUP: usize = 4;

/// No more boxes than this are compared without boxes around them.
const FEW: usize = 24;

/// Keys of a list, of groups of them, of groups of groups; kept from step to step.
#[derive(Clone, Debug, Default)]
struct Levels {
    /// Groups are filled up with boxes that nothing meets.
    keys: Vec<Vec<Key>>,
    count: usize,
}

impl Levels {
    fn fill(&mut self, keys: &[Key]) {
        self.count = 0;
        self.push(keys.iter().copied());
    }

    fn is_few(&self) -> bool {
        self.keys[self.count - 1].len() <= FEW
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

    /// How many groups the last level has.
    fn top(&self) -> u32 {
        (self.keys[self.count - 1].len() / GROUP) as u32
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
    pairs: Pairs,
}

/// Pairs of groups that meet, and pairs in them.
#[derive(Clone, Debug, Default)]
struct Pairs {
    /// Those past the count mean nothing.
    all: Vec<[u32; 2]>,
    count: usize,
    next: Vec<[u32; 2]>,
}

impl Nest {
    /// Numbers of all pairs of one list and the other whose boxes meet, once each; times of the second list reach so far.
    pub fn pairs(&mut self, first: &[Key], second: &[Key], reach: Room) -> &mut [[u32; 2]] {
        if first.is_empty() || second.is_empty() {
            return &mut [];
        }
        if first.len() <= FEW && second.len() <= FEW {
            return self.pairs.few(first, second, reach);
        }
        self.first.fill(first);
        self.second.fill(second);
        while !(self.first.is_few() && self.second.is_few()) {
            self.first.group();
            self.second.group();
        }
        let count = self.first.count;
        for keys in &mut self.second.keys[..count] {
            keys.iter_mut().for_each(|key| *key = key.asking(reach));
        }
        let (of_a, of_b) = (self.first.top(), self.second.top());
        self.pairs.start(of_a, of_b);
        for level in (0..count).rev() {
            let (of_a, of_b) = (&self.first.keys[level], &self.second.keys[level]);
            self.pairs.open(groups(of_a), groups(of_b));
        }
        &mut self.pairs.all[..self.pairs.count]
    }
}

impl Pairs {
    /// Of two short lists: each of the one is compared with all of the other, without boxes around them.
    fn few(&mut self, first: &[Key], second: &[Key], reach: Room) -> &mut [[u32; 2]] {
        let mut asked = [[Key::NOWHERE.asking(reach); GROUP]; FEW / GROUP];
        for (asked, key) in asked.as_flattened_mut().iter_mut().zip(second) {
            *asked = key.asking(reach);
        }
        let (most, mut count) = (FEW * FEW + GROUP, 0);
        if self.all.len() < most {
            self.all.resize(most, [0; 2]);
        }
        let all = &mut self.all[..most];
        for (key, x) in first.iter().zip(0..) {
            for (asked, y) in asked[..second.len().div_ceil(GROUP)].iter().zip((0..).step_by(GROUP)) {
                count = tell(all, count, [x, y], key.meets_each(asked));
            }
        }
        &mut self.all[..count]
    }

    /// All pairs of some and others. Lists only grow, so that nothing is cleared that is written anyway.
    fn start(&mut self, of_a: u32, of_b: u32) {
        self.count = (of_a * of_b) as usize;
        if self.all.len() < self.count {
            self.all.resize(self.count, [0; 2]);
        }
        for (number, pair) in (0..).zip(&mut self.all[..self.count]) {
            *pair = [number % of_a, number / of_a];
        }
    }

    /// From pairs of groups to pairs in them that meet: four are written always, because which of them meet cannot be foretold, and as
    /// many kept as do.
    fn open(&mut self, of_a: &[[Key; GROUP]], of_b: &[[Key; GROUP]]) {
        let most = self.count * GROUP * GROUP + GROUP;
        if self.next.len() < most {
            self.next.resize(most, [0; 2]);
        }
        // A slice of its own: where it lies is not asked for again at each pair.
        let (next, mut count) = (&mut self.next[..most], 0);
        for &[i, j] in &self.all[..self.count] {
            let asked = &of_b[j as usize];
            let [x, y] = [i, j].map(|group| group * GROUP as u32);
            for (key, x) in of_a[i as usize].iter().zip(x..) {
                count = tell(next, count, [x, y], key.meets_each(asked));
            }
        }
        self.count = count;
        std::mem::swap(&mut self.all, &mut self.next);
    }
}

/// Writes pairs of something with those of a group that it meets, by their bits, after `count` others; how many there are then.
#[inline(always)]
fn tell(pairs: &mut [[u32; 2]], count: usize, [x, y]: [u32; 2], bits: usize) -> usize {
    let (bits, base) = (bits % TOLD.len(), u32x4::new([x, y, x, y]));
    let [low, high]: [u32x4; 2] = cast(TOLD[bits]);
    let four: [[u32; 2]; GROUP] = cast([base + low, base + high]);
    pairs[count..count + GROUP].copy_from_slice(&four);
    count + usize::from(COUNTS[bits])
}

/// How far pairs of something with each of a group are from the first of them: those that meet, by their bits, come first.
static TOLD: [[[u32; 2]; GROUP]; 1 << GROUP] = told();

const fn told() -> [[[u32; 2]; GROUP]; 1 << GROUP] {
    let mut all = [[[0; 2]; GROUP]; 1 << GROUP];
    let mut bits = 0;
    while bits < 1 << GROUP {
        let (mut at, mut count) = (0, 0);
        while at < GROUP {
            if bits >> at & 1 == 1 {
                all[bits][count][1] = at as u32;
                count += 1;
            }
            at += 1;
        }
        bits += 1;
    }
    all
}

/// How many bits are set.
static COUNTS: [u8; 1 << GROUP] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::screw::screen::bounds::{Reach, Scale};
    use crate::screw::screen::coordinates::OnScreen;
    use std::collections::BTreeSet;

    /// All pairs of points and boxes that meet, each once, for lists of every length; also if most are out of reach of the numbers.
    #[test]
    fn pairs_are_those_of_brute_force() {
        let (mut random, mut count) = (Random::new(1), 0);
        for case in 0..200 {
            let far = [0.0, 1e4][case % 2];
            let mut place = || OnScreen {
                r: far + random.range(0.0, 9.0),
                h: random.range(0.0, 9.0) - far,
                t: random.range(0.0, 3.0),
            };
            let lengths = [1, 2, 8, 9, 64, 65, 200];
            let dots: Vec<OnScreen> = (0..lengths[case % 7]).map(|_| place()).collect();
            let boxes: Vec<[OnScreen; 2]> = (0..lengths[case / 7 % 7])
                .map(|_| {
                    let at = place();
                    [at, OnScreen { r: at.r + 2.0, h: at.h + 1.0, t: at.t + 0.5 }]
                })
                .collect();
            let reach = |r: [f64; 2], h: [f64; 2], t: [f64; 2]| Reach {
                first: [far + r[0], h[0] - far, t[0], r[0] + h[0]],
                last: [far + r[1], h[1] - far, t[1], r[1] + h[1]],
            };
            let narrow = if case % 3 == 0 { 4.0 } else { 9.0 };
            let all =
                [reach([0.0, 9.0], [0.0, narrow], [0.0, 3.0]), reach([0.0, 9.0], [0.0, 9.0], [0.0, 3.0])];
            let scale = Scale::over(&all[0], &all[1], 0.1);
            let room = scale.room(0.25, 0.125);
            let dot_keys: Vec<Key> = dots.iter().map(|dot| scale.key(dot)).collect();
            let box_keys: Vec<Key> =
                boxes.iter().map(|[low, high]| scale.key(low).joined(scale.key(high)).wider(room)).collect();
            let expected = |more: f64, is_all: bool| {
                let mut found = BTreeSet::new();
                let holds = |x: f64, low: f64, high: f64, room: f64| low - room <= x && x <= high + room;
                for (x, dot) in dots.iter().enumerate() {
                    for (y, [low, high]) in boxes.iter().enumerate() {
                        let off = 0.25 + more;
                        let sums = [dot, low, high].map(|at| at.r + at.h);
                        let is_far = is_all && (dot.h + far > narrow || low.h + far > narrow);
                        if (is_far || holds(dot.h, low.h, high.h, off))
                            && holds(dot.r, low.r, high.r, off)
                            && holds(dot.t, low.t - 0.25, high.t + 0.75, 0.125 + more)
                            && (is_far || holds(sums[0], sums[1], sums[2], 2.0 * off))
                        {
                            found.insert((x as u32, y as u32));
                        }
                    }
                }
                found
            };
            let mut nest = Nest::default();
            let found = nest.pairs(&dot_keys, &box_keys, scale.reach([-0.25, 0.75]));
            let told: BTreeSet<(u32, u32)> = found.iter().map(|&[x, y]| (x, y)).collect();
            assert_eq!(told.len(), found.len());
            // Some more that only rounding brings together.
            assert!(told.is_superset(&expected(0.0, false)), "{case}");
            assert!(told.is_subset(&expected(0.01, true)), "{case}");
            count += told.len();
        }
        assert!(count > 3_000, "{count}");
    }

    /// Boxes that reach everything do not meet what fills up groups.
    #[test]
    fn boxes_without_end_meet_no_filling() {
        let all = Reach { first: [0.0; 4], last: [1.0; 4] };
        let scale = Scale::over(&all, &all, 0.1);
        let wide = scale.key(&OnScreen { r: 0.5, h: 0.5, t: 0.5 }).wider(scale.room(1e300, 1e300));
        let mut nest = Nest::default();
        let found = nest.pairs(&[wide; 5], &[wide; 21], scale.reach([-1e9, 1e9]));
        assert!(found.iter().all(|&[x, y]| x < 5 && y < 21));
        assert_eq!(found.len(), 105);
    }
}
