//! One step: which bodies are near each other, which meet, and what changed.

use super::event::{Change, Contact, Ending, Event, Failure, Frame};
use super::narrow::{PairCache, PairScratch, contact, meets, within};
use super::pairs::{APART, BLOCK, Block, Entry, PairRecord, PairState};
use super::world::{Detail, Record, World};
use super::{BodyId, narrow};
use crate::broad::{Candidates, IdPair};
use crate::math::Aabb;
use rayon::prelude::*;

/// Pairs from which on blocks are shared among threads.
const PARALLEL: usize = 512;

/// Buffers of one task.
#[derive(Default)]
struct Scratch {
    entries: Vec<Entry>,
    pair: PairScratch,
}

impl World {
    /// Looks at all bodies where they are now: the pairs that began to collide, still do, or no longer do.
    ///
    /// Costs the search for pairs of bounds, one comparison for each of them and, where its bodies moved farther than they
    /// were apart, one check of what was remembered; on all threads of the current pool. Events come in the order of
    /// pairs: by the place of A, then that of B.
    pub fn step(&mut self) -> Frame<'_> {
        let candidates = self.broad.refresh();
        let mut blocks = std::mem::take(&mut self.blocks);
        let needed = self.bodies.len().div_ceil(BLOCK);
        blocks.resize_with(needed.max(blocks.len()), Block::default);
        let is_stale = candidates == Candidates::Changed || self.has_new_rules;
        let run = |scratch: &mut Scratch, (number, block): (usize, &mut Block)| {
            block.events.clear();
            block.failures.clear();
            if is_stale {
                self.renew(number, block, scratch);
            }
            self.look(block, scratch);
        };
        match self.broad.candidates().len() < PARALLEL {
            true => {
                let mut scratch = Scratch::default();
                blocks.iter_mut().enumerate().for_each(|block| run(&mut scratch, block));
            }
            false => blocks.par_iter_mut().enumerate().for_each_init(Scratch::default, run),
        }
        blocks.truncate(needed);
        self.blocks = blocks;
        self.tell()
    }

    /// Gives a block its pairs of this step; those that are no more end.
    fn renew(&self, number: usize, block: &mut Block, scratch: &mut Scratch) {
        let all = self.broad.candidates();
        let first = |number: usize| all.partition_point(|pair| (pair.a() as usize) < number * BLOCK);
        let own = all[first(number)..first(number + 1)].iter().copied();
        let pairs = own.filter(|pair| self.accepts(pair.a(), pair.b()));
        let is_other = |pair: IdPair| {
            let is_new = |slot: u32| self.at(slot).is_new(self.next_step);
            self.has_new_bodies && (is_new(pair.a()) || is_new(pair.b()))
        };
        block.renew(pairs, is_other, &mut scratch.entries, |record, state, events| {
            let ending = self.ending(record);
            let mut push = |change| events.push(Event { a: record.a, b: record.b, change });
            if state.meets {
                push(Change::Ended(ending));
            }
            if state.is_near {
                push(Change::Receded(ending));
            }
        });
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

    /// Looks at the pairs of a block that may have come near, and tells what changed.
    fn look(&self, block: &mut Block, scratch: &mut Scratch) {
        let ended = block.events.len();
        block.looked_at = 0;
        for at in 0..block.entries.len() {
            let Entry { pair, apart_until, .. } = block.entries[at];
            if self.motion_of(pair) < apart_until {
                continue;
            }
            block.looked_at += 1;
            self.look_at(block, at, scratch);
        }
        if ended > 0 {
            // A pair that ended and another at the same places that began: the older one first.
            block.events.sort_by_key(|event| (event.a.slot, event.b.slot, event.a.birth, event.b.birth));
        }
    }

    #[inline]
    fn motion_of(&self, pair: IdPair) -> f64 {
        self.motion[pair.a() as usize] + self.motion[pair.b() as usize]
    }

    fn look_at(&self, block: &mut Block, at: usize, scratch: &mut Scratch) {
        let Entry { pair, state: before, is_new, .. } = block.entries[at];
        let (a, b) = (self.at(pair.a()), self.at(pair.b()));
        if is_new || a.has_moved(self.next_step) || b.has_moved(self.next_step) {
            block.entries[at].is_new = false;
            self.decide(block, at, [a, b]);
        }
        let now = block.entries[at].state;
        if before == now && !now.meets && block.record(at).is_none_or(|record| record.error.is_none()) {
            return;
        }
        let Some(record) = block.record(at) else { return };
        let (a, b, relation) = (record.a, record.b, record.relation);
        let failure = record.error.as_deref().map(|&error| Failure { a, b, error });
        block.failures.extend(failure);
        let mut began = || Change::Began(Box::new(self.contact(pair, relation, &mut scratch.pair)));
        let mut push = |change| block.events.push(Event { a, b, change });
        if now.is_near && !before.is_near {
            push(Change::Approached);
        }
        match (before.meets, now.meets) {
            (false, true) => push(began()),
            (true, true) => push(Change::Persists(relation)),
            (true, false) => push(Change::Ended(Ending::Apart)),
            (false, false) => {}
        }
        if before.is_near && !now.is_near {
            push(Change::Receded(Ending::Apart));
        }
    }

    /// Relates the bodies of a pair, and finds out how far they may move until it must be done again.
    fn decide(&self, block: &mut Block, at: usize, [a, b]: [&Record; 2]) {
        let pair = block.entries[at].pair;
        let gap = gap(self.broad.known_bound(pair.a()), self.broad.known_bound(pair.b()));
        if gap > 0.0 {
            if let Some(record) = block.record(at) {
                (record.relation, record.error) = (APART, None);
            }
            let entry = &mut block.entries[at];
            entry.state = PairState::default();
            entry.apart_until = until(self.motion_of(pair), gap);
            return;
        }
        let record = block.record_or(at, || PairRecord {
            a: self.id(pair.a()),
            b: self.id(pair.b()),
            relation: APART,
            error: None,
            cache: PairCache::new(&a.shape.0, &b.shape.0),
        });
        let known = record.cache.relation(a.at(), b.at());
        match known {
            Ok(relation) => (record.relation, record.error) = (relation, None),
            Err(error) => record.error = Some(Box::new(error)),
        }
        if known.is_err() {
            block.entries[at].apart_until = f64::NEG_INFINITY;
            return;
        }
        let is_apart = !meets(record.relation);
        let distance = if is_apart { record.cache.distance_lower_bound(a.at(), b.at()) } else { 0.0 };
        let radius = self.config.watch_radius;
        // The pair was related, so a method is known.
        let is_near = radius.is_some_and(|radius| {
            !is_apart || distance <= radius && within(a.at(), b.at(), radius).unwrap_or(false)
        });
        let entry = &mut block.entries[at];
        entry.state = PairState { meets: !is_apart, is_near };
        entry.apart_until = match is_apart && !is_near {
            true => until(self.motion_of(pair), distance - radius.unwrap_or(0.0)),
            false => f64::NEG_INFINITY,
        };
    }

    fn contact(
        &self,
        pair: IdPair,
        relation: crate::pair::ConvexRelation,
        scratch: &mut PairScratch,
    ) -> Contact {
        if self.config.detail == Detail::Relation {
            return Contact { relation, depth: None, points: None, normal: None, before: None };
        }
        let (a, b) = (self.at(pair.a()), self.at(pair.b()));
        let before = a.at_before(self.next_step).zip(b.at_before(self.next_step));
        let before = before.and_then(|(a, b)| narrow::separation(a, b).ok());
        let before = before.filter(|found| found.upper > 0.0);
        Contact { before, ..contact(a.at(), b.at(), relation, scratch) }
    }

    /// Puts what the blocks tell in one list, and ends the step.
    fn tell(&mut self) -> Frame<'_> {
        self.events.clear();
        self.failures.clear();
        let (mut pairs, mut looked_at) = (0, 0);
        for block in &mut self.blocks {
            self.events.append(&mut block.events);
            self.failures.append(&mut block.failures);
            pairs += block.entries.len();
            looked_at += block.looked_at;
        }
        // Far more room than pairs could need.
        if self.events.capacity() > 8 * (64 + pairs + self.events.len()) {
            self.events.shrink_to_fit();
        }
        (self.has_new_bodies, self.has_new_rules) = (false, false);
        self.next_step += 1;
        Frame { events: &self.events, failures: &self.failures, pairs, looked_at }
    }
}

/// How far two boxes are apart along the axis on which they are farthest; not positive if they meet.
#[inline]
fn gap(a: &Aabb, b: &Aabb) -> f64 {
    (b.min - a.max).max(a.min - b.max).max_element()
}

/// The sum of motions below which bodies `distance` apart stay apart.
///
/// With sums of motions `s` now and `t` later the bodies come nearer by at most `t - s`. The result is below
/// `(s + distance)(1 - 4u)` also if `distance` errs by `u`, and `t`, rounded, is above `t (1 - 1.1u)`.
#[inline]
fn until(motion: f64, distance: f64) -> f64 {
    match distance > 0.0 {
        true => (motion + distance) * (1.0 - 4.0 * f64::EPSILON),
        false => f64::NEG_INFINITY,
    }
}
