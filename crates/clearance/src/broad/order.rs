//! Sorting pairs of small numbers by counting.

use super::IdPair;

/// Buffers of a sort.
#[derive(Clone, Debug, Default)]
pub(super) struct PairSort {
    starts: Vec<u32>,
    spare: Vec<IdPair>,
}

impl PairSort {
    /// Sorts pairs of ids below `end`: by counting if there are enough of them, `O(pairs + end)`.
    pub fn sort(&mut self, pairs: &mut [IdPair], end: u32) {
        if pairs.len() < end as usize / 4 || pairs.len() > u32::MAX as usize {
            return pairs.sort_unstable();
        }
        self.spare.clear();
        self.spare.resize(pairs.len(), IdPair(0));
        count_and_place(pairs, &mut self.spare, &mut self.starts, end, IdPair::b);
        count_and_place(&self.spare, pairs, &mut self.starts, end, IdPair::a);
    }

    pub fn bytes(&self) -> usize {
        self.starts.capacity() * size_of::<u32>() + self.spare.capacity() * size_of::<IdPair>()
    }
}

/// One stable pass by one of the two ids.
#[inline(always)]
fn count_and_place(
    from: &[IdPair],
    to: &mut [IdPair],
    starts: &mut Vec<u32>,
    end: u32,
    key: impl Fn(IdPair) -> u32,
) {
    starts.clear();
    starts.resize(end as usize, 0);
    from.iter().for_each(|pair| starts[key(*pair) as usize] += 1);
    let mut sum = 0;
    for start in starts.iter_mut() {
        sum += *start;
        *start = sum - *start;
    }
    for pair in from {
        let place = &mut starts[key(*pair) as usize];
        to[*place as usize] = *pair;
        *place += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    #[test]
    fn counting_sorts_as_comparing_does() {
        let mut random = Random::new(1);
        for count in [0, 1, 7, 100, 3000] {
            for end in [2, 50, 10_000] {
                let id = |random: &mut Random| random.below(u64::from(end)) as u32;
                let mut pairs: Vec<IdPair> =
                    (0..count).map(|_| IdPair::new(id(&mut random), id(&mut random))).collect();
                let mut want = pairs.clone();
                want.sort_unstable();
                PairSort::default().sort(&mut pairs, end);
                assert_eq!(pairs, want);
            }
        }
    }
}
