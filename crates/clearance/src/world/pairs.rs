//! Pairs of bodies near each other, from step to step.
//!
//! Most pairs in most steps are apart and will stay apart for a while: how far their bodies may travel until that must be
//! looked at again is all that is read of them until then, and lies apart from the rest. Pairs whose boxes met have a
//! record with what their method remembers. Pairs are kept in blocks by the place of their first body: blocks are independent of each
//! other, so each can be a task, and what they tell follows from their order.

use super::BodyId;
use super::event::{Event, Failure};
use super::narrow::PairCache;
use super::travel::ApartUntil;
use crate::body::BodyError;
use crate::broad::{IdPair, Renumbering};
use crate::pair::{ConvexRelation, Hint, Relation};

/// Places of bodies whose pairs are in one block.
pub(super) const BLOCK: usize = 64;

/// No record.
const NOWHERE: u32 = u32::MAX;

/// Not related yet, or apart.
pub(super) const APART: ConvexRelation = ConvexRelation::Exact(Relation::Disjoint);

/// What is known of a pair, beside its relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PairState {
    /// Whether they are not proved to be disjoint.
    pub meets: bool,
    /// Whether they are within the watch radius.
    pub is_near: bool,
    /// Whether no method is known.
    pub has_failed: bool,
}

impl PairState {
    /// Apart and not near.
    pub const NOTHING: PairState = PairState { meets: false, is_near: false, has_failed: false };
}

/// A pair that may meet, and until when it is known not to; nothing, if it has a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watched {
    pub pair: IdPair,
    pub apart: ApartUntil,
}

/// What else is known of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    place: u32,
    pub state: PairState,
    /// Not looked at yet.
    pub is_new: bool,
    /// Lies here, not in the record: most pairs need nothing else.
    pub hint: Hint,
}

impl Entry {
    const NEW: Entry = Entry { place: NOWHERE, state: PairState::NOTHING, is_new: true, hint: Hint::NOTHING };
}

/// What is remembered of a pair whose boxes met.
#[derive(Clone, Debug)]
pub(super) struct PairRecord {
    /// The bodies; they may be gone.
    pub ids: [BodyId; 2],
    pub relation: ConvexRelation,
    pub error: Option<Box<BodyError>>,
    pub cache: PairCache,
}

/// Pairs whose first bodies are neighbours among places.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    /// Where its pairs began among all candidates when it was last given some.
    first: usize,
    /// Ascending, and what else is known of each.
    pub watched: Vec<Watched>,
    pub entries: Vec<Entry>,
    records: Vec<PairRecord>,
    free: Vec<u32>,
    /// What the last step told of them.
    pub events: Vec<Event>,
    pub failures: Vec<Failure>,
    /// Pairs whose bodies had to be related in it.
    pub tested: usize,
    /// Those that bounds do not keep apart in a step; a buffer.
    pub due: Vec<u32>,
}

/// Buffers for taking new pairs; blocks hand them on to each other.
#[derive(Default)]
pub(super) struct Spare {
    pub pairs: Vec<IdPair>,
    watched: Vec<Watched>,
    entries: Vec<Entry>,
}

impl Block {
    /// The candidates, all ascending, whose first bodies have places of the block with this number. Searched for from where
    /// they were before.
    pub fn own<'a>(&mut self, number: usize, all: &'a [IdPair]) -> &'a [IdPair] {
        self.first = first_of(all, number * BLOCK, self.first);
        &all[self.first..first_of(all, (number + 1) * BLOCK, self.first + self.watched.len())]
    }

    /// Takes the pairs of this step, ascending: new ones begin, those that are not among them are given to `ended` and
    /// forgotten. `is_other` tells pairs of other bodies at the same places.
    pub fn renew(
        &mut self,
        pairs: &[IdPair],
        is_other: impl Fn(IdPair) -> bool,
        spare: &mut Spare,
        mut ended: impl FnMut([BodyId; 2], PairState, &mut Vec<Event>),
    ) {
        let run = |known: &[Watched], pairs: &[IdPair]| {
            let is_end = |(watched, &pair): (&Watched, &IdPair)| watched.pair != pair || is_other(pair);
            known.iter().zip(pairs).position(is_end).unwrap_or(known.len().min(pairs.len()))
        };
        let same = run(&self.watched, pairs);
        if same == self.watched.len() && same == pairs.len() {
            return;
        }
        std::mem::swap(&mut self.watched, &mut spare.watched);
        std::mem::swap(&mut self.entries, &mut spare.entries);
        self.watched.clear();
        self.entries.clear();
        self.watched.reserve(pairs.len());
        self.entries.reserve(pairs.len());
        let (mut known, mut pairs) = (0, pairs);
        while known < spare.watched.len() || !pairs.is_empty() {
            let same = run(&spare.watched[known..], pairs);
            self.watched.extend_from_slice(&spare.watched[known..known + same]);
            self.entries.extend_from_slice(&spare.entries[known..known + same]);
            (known, pairs) = (known + same, &pairs[same..]);
            let old = spare.watched.get(known).map(|watched| watched.pair);
            let new = pairs.first().copied();
            if let Some(old) = old
                && new.is_none_or(|new| old <= new)
            {
                self.end(&spare.entries[known], &mut ended);
                known += 1;
            }
            if let Some(new) = new
                && old.is_none_or(|old| new <= old)
            {
                self.begin(new);
                pairs = &pairs[1..];
            }
        }
        self.shrink();
    }

    fn begin(&mut self, pair: IdPair) {
        self.watched.push(Watched { pair, apart: ApartUntil::NOW });
        self.entries.push(Entry::NEW);
    }

    fn end(&mut self, entry: &Entry, ended: &mut impl FnMut([BodyId; 2], PairState, &mut Vec<Event>)) {
        if let Some(record) = self.records.get_mut(entry.place as usize) {
            ended(record.ids, entry.state, &mut self.events);
            (record.error, record.cache) = (None, PairCache::Others);
            self.free.push(entry.place);
        }
    }

    /// The record of an entry, if it has one.
    pub fn record(&mut self, at: usize) -> Option<&mut PairRecord> {
        self.records.get_mut(self.entries[at].place as usize)
    }

    /// The record of an entry, made if it has none.
    pub fn record_or(&mut self, at: usize, new: impl FnOnce() -> PairRecord) -> &mut PairRecord {
        let place = &mut self.entries[at].place;
        if *place == NOWHERE {
            *place = match self.free.pop() {
                Some(free) => {
                    self.records[free as usize] = new();
                    free
                }
                None => {
                    self.records.push(new());
                    self.records.len() as u32 - 1
                }
            };
        }
        &mut self.records[*place as usize]
    }

    /// Gives memory back that is out of use; all of it, if no pair is left.
    fn shrink(&mut self) {
        if self.watched.is_empty() {
            let Block { first, events, failures, .. } = std::mem::take(self);
            *self = Block { first, events, failures, ..Block::default() };
            return;
        }
        let live = self.records.len() - self.free.len();
        if self.free.len() > 16 + live {
            let mut old: Vec<Option<PairRecord>> =
                std::mem::take(&mut self.records).into_iter().map(Some).collect();
            self.records.reserve_exact(live + live / 4);
            for entry in &mut self.entries {
                if let Some(record) = old.get_mut(entry.place as usize).and_then(Option::take) {
                    entry.place = self.records.len() as u32;
                    self.records.push(record);
                }
            }
            self.free = Vec::new();
        }
        if self.entries.capacity() > 64 && self.entries.capacity() / 4 > self.entries.len() {
            self.entries.shrink_to(2 * self.entries.len());
            self.watched.shrink_to(2 * self.entries.len());
            self.due.shrink_to(2 * self.entries.len());
        }
    }

    /// Gives what it tells to all that is told; a block without pairs keeps no room for it.
    pub fn tell(&mut self, events: &mut Vec<Event>, failures: &mut Vec<Failure>) {
        events.append(&mut self.events);
        failures.append(&mut self.failures);
        if self.watched.is_empty() {
            (self.events, self.failures) = (Vec::new(), Vec::new());
        }
    }

    /// Bytes of memory that it holds on to beside its own.
    pub fn bytes(&self) -> usize {
        let caches: usize = self.records.iter().map(|record| record.cache.bytes()).sum();
        caches
            + self.records.capacity() * size_of::<PairRecord>()
            + self.watched.capacity() * size_of::<Watched>()
            + self.entries.capacity() * size_of::<Entry>()
            + self.due.capacity() * size_of::<u32>()
            + self.free.capacity() * size_of::<u32>()
            + self.events.capacity() * size_of::<Event>()
            + self.failures.capacity() * size_of::<Failure>()
    }
}

/// Keeps the first blocks, and room for not many more.
pub(super) fn keep(blocks: &mut Vec<Block>, count: usize) {
    blocks.truncate(count);
    if blocks.capacity() / 4 > count {
        blocks.shrink_to(2 * count);
    }
}

/// The blocks of the same pairs at other places, in the same order; between steps, when blocks have nothing to tell.
pub(super) fn renumbered(blocks: Vec<Block>, renumbering: &Renumbering) -> Vec<Block> {
    let mut all: Vec<Block> = Vec::new();
    for block in blocks {
        let mut records: Vec<Option<PairRecord>> = block.records.into_iter().map(Some).collect();
        for (watched, entry) in block.watched.into_iter().zip(block.entries) {
            let pair = renumbering.pair(watched.pair);
            let number = pair.a() as usize / BLOCK;
            all.resize_with(all.len().max(number + 1), Block::default);
            let (to, mut place) = (&mut all[number], NOWHERE);
            if let Some(record) = records.get_mut(entry.place as usize).and_then(Option::take) {
                place = to.records.len() as u32;
                to.records.push(record);
            }
            to.watched.push(Watched { pair, ..watched });
            to.entries.push(Entry { place, ..entry });
        }
    }
    all
}

/// The number of the first of ascending pairs whose first body is at this place or behind it, searched for from a guess on.
fn first_of(pairs: &[IdPair], place: usize, guess: usize) -> usize {
    let is_before = |pair: &IdPair| (pair.a() as usize) < place;
    let (mut low, mut high, mut step) = (guess.min(pairs.len()), guess.min(pairs.len()), 1);
    while high < pairs.len() && is_before(&pairs[high]) {
        (low, high, step) = (high + 1, (high + step).min(pairs.len()), 2 * step);
    }
    while low > 0 && !is_before(&pairs[low - 1]) {
        (high, low, step) = (low - 1, low.saturating_sub(step), 2 * step);
    }
    low + pairs[low..high].partition_point(is_before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_pair_of_a_place_is_found_from_any_guess() {
        let pairs: Vec<IdPair> = [0, 0, 1, 4, 4, 4, 9, 200].map(|a| IdPair::new(a, 300)).to_vec();
        for end in 0..=pairs.len() {
            for place in [0, 1, 2, 4, 5, 9, 10, 200, 201] {
                let want = pairs[..end].partition_point(|pair| (pair.a() as usize) < place);
                for guess in 0..12 {
                    assert_eq!(
                        first_of(&pairs[..end], place, guess),
                        want,
                        "{place} among {end} from {guess}"
                    );
                }
            }
        }
    }
}
