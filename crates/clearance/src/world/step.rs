//! One step: which bounds meet, which bodies do, and what changed.

use super::event::{Change, Contact, Ending, Event, Failure, Frame};
use super::narrow::{answer, meets, separation, within};
use super::pairs::{PairRecord, PairStore};
use super::world::{Detail, World};
use super::{BodyId, narrow::PairCache};
use crate::broad::BroadPhase;
use crate::pair::ConvexRelation;
use rayon::prelude::*;

/// Pairs that one task takes at least.
const TASK: usize = 64;

impl World {
    /// Looks at all bodies where they are now: the pairs that began to collide, still do, or no longer do.
    ///
    /// Costs the search for pairs of bounds and, for each pair of which a body moved, one check of what was remembered; on
    /// all threads of the current pool. Events come in the order of pairs: by the place of A, then that of B.
    pub fn step(&mut self) -> Frame<'_> {
        self.find_pairs();
        self.relate_pairs();
        self.tell();
        self.settle();
        Frame { events: &self.events, failures: &self.failures, pairs: self.pairs.order.len() }
    }

    /// The pairs of this step; those that are no more end.
    fn find_pairs(&mut self) {
        self.events.clear();
        self.failures.clear();
        let mut found = std::mem::take(&mut self.found);
        self.broad.pairs(&mut found);
        found.retain(|pair| self.accepts(pair.a(), pair.b()));
        let mut pairs = std::mem::take(&mut self.pairs);
        let mut events = std::mem::take(&mut self.events);
        pairs.renew(
            &found,
            |slot| self.id(slot),
            |pair| PairCache::new(&self.at(pair.a()).shape.0, &self.at(pair.b()).shape.0),
            |record| {
                let ending = self.ending(record);
                let mut push = |change| events.push(Event { a: record.a, b: record.b, change });
                if meets(record.relation) {
                    push(Change::Ended(ending));
                }
                if record.is_near {
                    push(Change::Receded(ending));
                }
            },
        );
        (self.found, self.pairs, self.events) = (found, pairs, events);
    }

    fn ending(&self, record: &PairRecord) -> Ending {
        let gone = |body: BodyId| !self.contains(body);
        if gone(record.a) || gone(record.b) {
            Ending::Removed
        } else if !self.may_collide(record.a.slot, record.b.slot) {
            Ending::Ignored
        } else {
            Ending::Apart
        }
    }

    /// Relates the bodies of every pair of which one moved; each pair writes to its own record.
    fn relate_pairs(&mut self) {
        let mut pairs = std::mem::take(&mut self.pairs);
        let relate = |record: &mut PairRecord| {
            if record.is_live {
                self.look_at(record);
            }
        };
        match pairs.records.len() < 2 * TASK {
            true => pairs.records.iter_mut().for_each(relate),
            false => pairs.records.par_iter_mut().with_min_len(TASK).for_each(relate),
        }
        self.pairs = pairs;
    }

    fn look_at(&self, record: &mut PairRecord) {
        (record.met_before, record.near_before) = (meets(record.relation), record.is_near);
        record.contact = None;
        let (a, b) = (self.at(record.a.slot), self.at(record.b.slot));
        if !(record.is_new || a.has_moved || b.has_moved) {
            return;
        }
        record.is_new = false;
        match record.cache.relation(a.at(), b.at()) {
            Ok(relation) => (record.relation, record.error) = (relation, None),
            Err(error) => {
                record.error = Some(error);
                return;
            }
        }
        if let Some(radius) = self.config.watch_radius {
            // The pair was related, so a method is known.
            record.is_near = meets(record.relation) || within(a.at(), b.at(), radius).unwrap_or(false);
        }
        if meets(record.relation) && !record.met_before {
            record.contact = Some(Box::new(self.contact(record)));
        }
    }

    fn contact(&self, record: &PairRecord) -> Contact {
        let relation = record.relation;
        let plain = Contact { relation, depth: None, points: None, normal: None, before: None };
        let (a, b) = (self.at(record.a.slot), self.at(record.b.slot));
        if self.config.detail == Detail::Relation {
            return plain;
        }
        let before = a.at_before().zip(b.at_before()).and_then(|(a, b)| separation(a, b).ok());
        let before = before.filter(|found| found.upper > 0.0);
        match answer(a.at(), b.at()) {
            Ok(found) => {
                Contact { depth: found.depth, points: found.points, normal: found.normal, before, ..plain }
            }
            Err(_) => Contact { before, ..plain },
        }
    }

    /// The events of pairs that live, and all events in order.
    fn tell(&mut self) {
        let PairStore { order, records, .. } = &mut self.pairs;
        let ended = self.events.len();
        for (_, place) in order.iter() {
            let record = &mut records[*place as usize];
            let (a, b) = (record.a, record.b);
            let mut push = |change| self.events.push(Event { a, b, change });
            let meets_now = meets(record.relation);
            if record.is_near && !record.near_before {
                push(Change::Approached);
            }
            match (record.met_before, meets_now) {
                (false, true) => {
                    push(Change::Began(record.contact.take().unwrap_or_else(|| plain(record.relation))))
                }
                (true, true) => push(Change::Persists(record.relation)),
                (true, false) => push(Change::Ended(Ending::Apart)),
                (false, false) => {}
            }
            if record.near_before && !record.is_near {
                push(Change::Receded(Ending::Apart));
            }
            self.failures.extend(record.error.map(|error| Failure { a, b, error }));
        }
        if ended > 0 {
            // A pair that ended and another at the same places that began: the older one first.
            self.events.sort_by_key(|event| (event.a.slot, event.b.slot, event.a.birth, event.b.birth));
        }
    }

    /// What is now was before, from now on.
    fn settle(&mut self) {
        for &slot in &self.moved {
            if let Some(Some(record)) = self.bodies.get_mut(slot as usize) {
                record.before = Some(record.pose);
                record.has_moved = false;
            }
        }
        self.moved.clear();
        // Far more room than pairs could need.
        if self.events.capacity() > 8 * (64 + self.pairs.order.len() + self.events.len()) {
            self.events.shrink_to_fit();
        }
        if self.found.capacity() > 8 * (64 + self.found.len()) {
            self.found.shrink_to_fit();
        }
    }
}

/// A contact of which only the relation is known.
fn plain(relation: ConvexRelation) -> Box<Contact> {
    Box::new(Contact { relation, depth: None, points: None, normal: None, before: None })
}
