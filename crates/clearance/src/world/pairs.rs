//! Pairs of bodies whose bounds meet, from frame to frame.

use super::BodyId;
use super::event::Contact;
use super::narrow::PairCache;
use crate::body::BodyError;
use crate::broad::IdPair;
use crate::pair::{ConvexRelation, Relation};

/// A pair and all that is known of it.
#[derive(Clone, Debug)]
pub(super) struct PairRecord {
    pub a: BodyId,
    pub b: BodyId,
    pub relation: ConvexRelation,
    /// Whether they are within the watch radius.
    pub is_near: bool,
    /// The same two in the step before.
    pub met_before: bool,
    pub near_before: bool,
    /// Not looked at yet.
    pub is_new: bool,
    pub is_live: bool,
    pub error: Option<BodyError>,
    /// Of a collision that began in this step.
    pub contact: Option<Box<Contact>>,
    pub cache: PairCache,
}

/// Pairs stay at their places while they live, so that nothing is copied from frame to frame; a list keeps their order.
#[derive(Clone, Debug, Default)]
pub(super) struct PairStore {
    /// Ascending.
    pub order: Vec<(IdPair, u32)>,
    pub records: Vec<PairRecord>,
    free: Vec<u32>,
    spare: Vec<(IdPair, u32)>,
}

/// Not related yet.
pub(super) const APART: ConvexRelation = ConvexRelation::Exact(Relation::Disjoint);

impl PairStore {
    /// Takes the pairs of this frame, ascending: new ones begin, those that are not among them are given to `ended` and
    /// forgotten. `id` tells the body at a place; a pair of other bodies at the same places is another pair.
    pub fn renew(
        &mut self,
        pairs: &[IdPair],
        id: impl Fn(u32) -> BodyId,
        cache: impl Fn(IdPair) -> PairCache,
        mut ended: impl FnMut(&PairRecord),
    ) {
        let old = std::mem::take(&mut self.order);
        let mut order = std::mem::take(&mut self.spare);
        order.clear();
        let mut old_pairs = old.iter().peekable();
        for &pair in pairs {
            while let Some((_, place)) = old_pairs.next_if(|(known, _)| *known < pair) {
                self.end(*place, &mut ended);
            }
            let (a, b) = (id(pair.a()), id(pair.b()));
            if let Some((_, place)) = old_pairs.next_if(|(known, _)| *known == pair) {
                let record = &self.records[*place as usize];
                if (record.a, record.b) == (a, b) {
                    order.push((pair, *place));
                    continue;
                }
                self.end(*place, &mut ended);
            }
            order.push((pair, self.begin(a, b, cache(pair))));
        }
        old_pairs.for_each(|(_, place)| self.end(*place, &mut ended));
        (self.order, self.spare) = (order, old);
        if self.free.len() > 64 && self.free.len() > self.order.len() {
            self.compact();
        }
    }

    fn begin(&mut self, a: BodyId, b: BodyId, cache: PairCache) -> u32 {
        let record = PairRecord {
            a,
            b,
            relation: APART,
            is_near: false,
            met_before: false,
            near_before: false,
            is_new: true,
            is_live: true,
            error: None,
            contact: None,
            cache,
        };
        match self.free.pop() {
            Some(place) => {
                self.records[place as usize] = record;
                place
            }
            None => {
                self.records.push(record);
                self.records.len() as u32 - 1
            }
        }
    }

    fn end(&mut self, place: u32, ended: &mut impl FnMut(&PairRecord)) {
        let record = &mut self.records[place as usize];
        ended(record);
        record.is_live = false;
        (record.contact, record.cache) = (None, PairCache::Others);
        self.free.push(place);
    }

    /// Puts pairs into their order and gives memory back.
    fn compact(&mut self) {
        let mut places: Vec<Option<PairRecord>> =
            std::mem::take(&mut self.records).into_iter().map(Some).collect();
        self.records.reserve_exact(self.order.len() + self.order.len() / 2);
        for (_, place) in &mut self.order {
            let record = places[*place as usize].take();
            *place = self.records.len() as u32;
            self.records.extend(record);
        }
        self.free = Vec::new();
        self.spare = Vec::new();
        self.order.shrink_to(self.order.len() + self.order.len() / 2);
    }

    pub fn bytes(&self) -> usize {
        let caches: usize = self.records.iter().map(|record| record.cache.bytes()).sum();
        caches
            + self.records.capacity() * size_of::<PairRecord>()
            + (self.order.capacity() + self.spare.capacity()) * size_of::<(IdPair, u32)>()
            + self.free.capacity() * size_of::<u32>()
    }
}
