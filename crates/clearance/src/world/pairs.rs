//! Pairs of bodies near each other, from step to step.
//!
//! Most pairs in most steps are apart and will stay apart for a while: an entry says how far its bodies may move until that
//! must be looked at again, and is all that is read of the pair until then. Pairs whose boxes met have a record with what
//! their method remembers. Pairs are kept in blocks by the place of their first body: blocks are independent of each
//! other, so each can be a task, and what they tell follows from their order.

use super::BodyId;
use super::event::{Event, Failure};
use super::narrow::PairCache;
use crate::body::BodyError;
use crate::broad::IdPair;
use crate::pair::{ConvexRelation, Hint, Relation};

/// Places of bodies whose pairs are in one block.
pub(super) const BLOCK: usize = 64;

/// No record.
const NOWHERE: u32 = u32::MAX;

/// Not related yet, or apart.
pub(super) const APART: ConvexRelation = ConvexRelation::Exact(Relation::Disjoint);

/// What is known of a pair, beside its relation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PairState {
    /// Whether they are not proved to be disjoint.
    pub meets: bool,
    /// Whether they are within the watch radius.
    pub is_near: bool,
    /// Whether no method is known.
    pub has_failed: bool,
}

/// A pair that may meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub pair: IdPair,
    /// The bodies are apart, and not near, while the sum of their motions is below this.
    pub apart_until: f64,
    place: u32,
    pub state: PairState,
    /// Not looked at yet.
    pub is_new: bool,
    /// Lies here, not in the record: most pairs need nothing else.
    pub hint: Hint,
}

impl Entry {
    fn new(pair: IdPair) -> Entry {
        let state = PairState::default();
        let hint = Hint::NOTHING;
        Entry { pair, apart_until: f64::NEG_INFINITY, place: NOWHERE, state, is_new: true, hint }
    }
}

/// What is remembered of a pair whose boxes met.
#[derive(Clone, Debug)]
pub(super) struct PairRecord {
    /// Which bodies of their places these are; they may be gone.
    pub births: [u64; 2],
    pub relation: ConvexRelation,
    pub error: Option<Box<BodyError>>,
    pub cache: PairCache,
}

impl PairRecord {
    /// The bodies of a pair with this record.
    pub fn ids(&self, pair: IdPair) -> [BodyId; 2] {
        let [birth_a, birth_b] = self.births;
        [BodyId { slot: pair.a(), birth: birth_a }, BodyId { slot: pair.b(), birth: birth_b }]
    }
}

/// Pairs whose first bodies are neighbours among places.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    /// Ascending.
    pub entries: Vec<Entry>,
    records: Vec<PairRecord>,
    free: Vec<u32>,
    /// What the last step told of them.
    pub events: Vec<Event>,
    pub failures: Vec<Failure>,
    /// Pairs whose bodies had to be related in it.
    pub tested: usize,
}

impl Block {
    /// Takes the pairs of this step, ascending: new ones begin, those that are not among them are given to `ended` and
    /// forgotten. `is_other` tells pairs of other bodies at the same places.
    pub fn renew(
        &mut self,
        pairs: impl Iterator<Item = IdPair>,
        is_other: impl Fn(IdPair) -> bool,
        spare: &mut Vec<Entry>,
        mut ended: impl FnMut([BodyId; 2], PairState, &mut Vec<Event>),
    ) {
        spare.clear();
        let old = std::mem::replace(&mut self.entries, std::mem::take(spare));
        let mut known = old.iter().peekable();
        for pair in pairs {
            while let Some(entry) = known.next_if(|entry| entry.pair < pair) {
                self.end(entry, &mut ended);
            }
            match known.next_if(|entry| entry.pair == pair) {
                Some(entry) if is_other(pair) => {
                    self.end(entry, &mut ended);
                    self.entries.push(Entry::new(pair));
                }
                Some(entry) => self.entries.push(*entry),
                None => self.entries.push(Entry::new(pair)),
            }
        }
        known.for_each(|entry| self.end(entry, &mut ended));
        *spare = old;
        self.shrink();
    }

    fn end(&mut self, entry: &Entry, ended: &mut impl FnMut([BodyId; 2], PairState, &mut Vec<Event>)) {
        if let Some(record) = self.records.get_mut(entry.place as usize) {
            ended(record.ids(entry.pair), entry.state, &mut self.events);
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

    /// Gives memory back that is out of use.
    fn shrink(&mut self) {
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
        }
    }

    pub fn bytes(&self) -> usize {
        let caches: usize = self.records.iter().map(|record| record.cache.bytes()).sum();
        caches
            + self.records.capacity() * size_of::<PairRecord>()
            + self.entries.capacity() * size_of::<Entry>()
            + self.free.capacity() * size_of::<u32>()
            + self.events.capacity() * size_of::<Event>()
            + self.failures.capacity() * size_of::<Failure>()
            + size_of::<Block>()
    }
}
