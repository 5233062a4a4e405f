//! One step: which bodies are near each other, which meet, and what changed.

use super::around::gap_of_boxes;
use super::cancel::{Cancel, NEVER};
use super::event::{Change, Contact, Ending, Event, Failure, Frame};
use super::narrow::{PairCache, meets, within};
use super::pairs::{APART, BLOCK, Block, Entry, PairRecord, PairState, Spare, Watched, keep};
use super::travel::{ApartUntil, Travel};
use super::world::{Detail, Record, World};
use super::{BodyId, WorldError, narrow};
use crate::broad::{Candidates, IdPair};
use crate::pair::ConvexRelation;
use rayon::prelude::*;

/// Pairs from which on blocks are shared among threads; a thousand bodies are faster on one.
const PARALLEL: usize = 1 << 12;

impl World {
    /// Looks at all bodies where they are now: the pairs that began to collide, still do, or no longer do.
    ///
    /// Costs the search for pairs of bounds, one comparison for each of them and, where its bodies moved farther than they
    /// were apart, one check of what was remembered; on all threads of the current pool. Events come in the order of
    /// pairs: by the index of A, then that of B.
    pub fn step(&mut self) -> Frame<'_> {
        let candidates = self.refresh();
        let mut blocks = std::mem::take(&mut self.blocks);
        let run = |spare: &mut Spare, (number, block): (usize, &mut Block)| {
            self.run(number, block, candidates, spare, &NEVER);
        };
        match self.is_small() {
            true => {
                let mut spare = Spare::default();
                blocks.iter_mut().enumerate().for_each(|block| run(&mut spare, block));
            }
            false => blocks.par_iter_mut().enumerate().for_each_init(Spare::default, run),
        }
        self.blocks = blocks;
        self.tell()
    }

    /// [`World::step`] that can be ended from outside.
    ///
    /// A step that was ended has told nothing and is still to be taken: the next one, after more moves or none, tells what it
    /// would have told had this one never begun, bit for bit. For that the step keeps a copy of what is remembered of pairs
    /// and of the search for pairs of bounds while it runs; that search is not ended in the middle.
    ///
    /// # Errors
    /// The flag is set.
    pub fn step_until(&mut self, cancel: &Cancel) -> Result<Frame<'_>, WorldError> {
        cancel.check()?;
        // Its margins follow what it sees, and which pairs it finds decides what is remembered of them.
        let broad = self.broad.clone();
        let candidates = self.refresh();
        let mut blocks = std::mem::take(&mut self.blocks);
        let mut before: Vec<Kept> = vec![None; blocks.len()];
        let run = |spare: &mut Spare, (number, (block, before)): (usize, (&mut Block, &mut Kept))| {
            if !cancel.is_cancelled() {
                *before = Some(block.clone());
                self.run(number, block, candidates, spare, cancel);
            }
        };
        match self.is_small() {
            true => {
                let mut spare = Spare::default();
                blocks.iter_mut().zip(&mut before).enumerate().for_each(|block| run(&mut spare, block));
            }
            false => {
                let both = blocks.par_iter_mut().zip(&mut before);
                both.enumerate().for_each_init(Spare::default, run);
            }
        }
        let ended = cancel.check();
        if ended.is_err() {
            for (block, before) in blocks.iter_mut().zip(before) {
                *block = before.unwrap_or_else(|| std::mem::take(block));
            }
            self.broad = broad;
        }
        self.blocks = blocks;
        ended.map(|()| self.tell())
    }

    /// Searches for pairs of bounds, and makes room for them; whether blocks have to be given their pairs anew.
    fn refresh(&mut self) -> Candidates {
        let candidates = self.broad.refresh();
        let needed = self.needed_blocks();
        self.blocks.resize_with(needed.max(self.blocks.len()), Block::default);
        if self.has_new_rules { Candidates::Changed } else { candidates }
    }

    fn needed_blocks(&self) -> usize {
        self.bodies.len().div_ceil(BLOCK)
    }

    /// Whether one thread is faster than several.
    fn is_small(&self) -> bool {
        self.broad.candidates().len() < PARALLEL
    }

    fn run(
        &self,
        number: usize,
        block: &mut Block,
        candidates: Candidates,
        spare: &mut Spare,
        cancel: &Cancel,
    ) {
        block.events.clear();
        block.failures.clear();
        if candidates == Candidates::Changed {
            self.renew(number, block, spare);
        }
        if !block.watched.is_empty() {
            self.look(block, cancel);
        }
    }

    /// Gives a block its pairs of this step; those that are no more end.
    fn renew(&self, number: usize, block: &mut Block, spare: &mut Spare) {
        let own = block.own(number, self.broad.candidates());
        let mut accepted = std::mem::take(&mut spare.pairs);
        let pairs = match self.accepts_all() {
            true => own,
            false => {
                accepted.clear();
                accepted.extend(own.iter().filter(|pair| self.accepts(pair.a(), pair.b())));
                &accepted
            }
        };
        let is_other = |pair: IdPair| {
            let is_new = |slot: u32| self.at(slot).is_new(self.next_step);
            self.has_new_bodies && (is_new(pair.a()) || is_new(pair.b()))
        };
        block.renew(pairs, is_other, spare, |[a, b], state, events| {
            let ending = self.ending(a, b);
            let mut push = |change| events.push(Event { a, b, change });
            if state.meets {
                push(Change::Ended(ending));
            }
            if state.is_near {
                push(Change::Receded(ending));
            }
        });
        spare.pairs = accepted;
    }

    fn ending(&self, a: BodyId, b: BodyId) -> Ending {
        let (Ok(a), Ok(b)) = (self.slot(a), self.slot(b)) else { return Ending::Removed };
        if self.may_collide(a, b) { Ending::Apart } else { Ending::Ignored }
    }

    /// Looks at the pairs of a block that may have come near, and tells what changed.
    ///
    /// First at how far bodies travelled, then at the bounds of those pairs that are left, then at whether they moved, then at
    /// ellipsoids around those that are quick, then at the bodies. Each sieve is a short loop without jumps: memory is not waited for one pair after another, and what
    /// bodies are related by has been fetched before.
    fn look(&self, block: &mut Block, cancel: &Cancel) {
        let mut due = std::mem::take(&mut block.due);
        self.find_due(&block.watched, &mut due);
        sieve(&mut due, |at| {
            let Watched { pair, apart } = &mut block.watched[at];
            let known = self.apart_by_bounds(*pair);
            *apart = if apart.is_always() { *apart } else { known };
            !apart.is_known()
        });
        sieve(&mut due, |at| self.is_worth_a_look(block, at));
        let bounds_meet = due.len();
        sieve(&mut due, |at| {
            let Watched { pair, apart } = &mut block.watched[at];
            if self.are_quick(*pair) && !apart.is_always() {
                *apart = self.apart_by_shells(*pair);
            }
            !apart.is_known()
        });
        block.tested = bounds_meet - due.len();
        for &at in &due {
            // What is left of the block is thrown away.
            if cancel.is_cancelled() {
                break;
            }
            self.look_at(block, at as usize);
        }
        block.due = due;
    }

    /// The numbers of the pairs whose bodies travelled farther than they are known to be apart.
    fn find_due(&self, watched: &[Watched], due: &mut Vec<u32>) {
        due.resize(watched.len(), 0);
        // Slices: what is written could not change where these lie.
        let (travels, numbers) = (&self.travels[..], &mut due[..]);
        let mut kept = 0;
        for (at, Watched { pair, apart }) in (0..).zip(watched) {
            let (a, b) = (&travels[pair.a() as usize], &travels[pair.b() as usize]);
            numbers[kept] = at;
            kept += usize::from(!apart.holds(a, b, 0.0));
        }
        due.truncate(kept);
    }

    /// Whether anything may be told of a pair that is not known to be apart: it is new, was told something before, or moved.
    #[inline]
    fn is_worth_a_look(&self, block: &Block, at: usize) -> bool {
        let Watched { pair, apart } = block.watched[at];
        self.has_moved(pair) | block.entries[at].is_new | apart.is_always()
    }

    /// Whether one of two bodies moved since the last step.
    #[inline]
    fn has_moved(&self, pair: IdPair) -> bool {
        let (a, b) = (self.at(pair.a()), self.at(pair.b()));
        a.has_moved(self.next_step) | b.has_moved(self.next_step)
    }

    #[inline(always)]
    pub(super) fn travels_of(&self, pair: IdPair) -> [&Travel; 2] {
        [&self.travels[pair.a() as usize], &self.travels[pair.b() as usize]]
    }

    /// Until when the bounds of two bodies keep them apart. Boxes and balls hold the watch radius: bodies are farther apart
    /// by it.
    #[inline(always)]
    fn apart_by_bounds(&self, pair: IdPair) -> ApartUntil {
        let [a, b] = [pair.a(), pair.b()].map(|slot| &self.around[slot as usize]);
        let [travel_a, travel_b] = self.travels_of(pair);
        if a.is_endless(b) {
            return self.apart_by_boxes(pair);
        }
        ApartUntil::by_bounds(travel_a, travel_b, a.gaps(b))
    }

    /// The same where one of them has no end.
    #[cold]
    fn apart_by_boxes(&self, pair: IdPair) -> ApartUntil {
        let (a, b) = (self.broad.known_bound(pair.a()), self.broad.known_bound(pair.b()));
        let [travel_a, travel_b] = self.travels_of(pair);
        ApartUntil::by_points(travel_a, travel_b, gap_of_boxes(a, b))
    }

    /// Whether ellipsoids are asked before what is remembered. Of others a direction that is remembered says more, for longer.
    #[inline]
    fn are_quick(&self, pair: IdPair) -> bool {
        self.around[pair.a() as usize].are_quick(&self.around[pair.b() as usize])
    }

    /// Until when ellipsoids around two bodies keep them apart.
    #[inline]
    fn apart_by_shells(&self, pair: IdPair) -> ApartUntil {
        let distance = narrow::distance_of_shells(self.at(pair.a()).at(), self.at(pair.b()).at());
        let [a, b] = self.travels_of(pair);
        ApartUntil::by_points(a, b, distance - self.radius)
    }

    fn look_at(&self, block: &mut Block, at: usize) {
        let pair = block.watched[at].pair;
        let Entry { state: before, is_new, .. } = block.entries[at];
        if is_new || self.has_moved(pair) {
            block.entries[at].is_new = false;
            self.decide(block, at, [self.at(pair.a()), self.at(pair.b())]);
        }
        let now = block.entries[at].state;
        if before == PairState::NOTHING && now == before {
            return;
        }
        let Some(record) = block.record(at) else { return };
        let ([a, b], relation) = (record.ids, record.relation);
        let failure = record.error.as_deref().map(|&error| Failure { a, b, error });
        let contact = (!before.meets && now.meets).then(|| self.contact(pair, relation, &record.cache));
        block.failures.extend(failure);
        let mut push = |change| block.events.push(Event { a, b, change });
        if now.is_near && !before.is_near {
            push(Change::Approached);
        }
        match (contact, before.meets, now.meets) {
            (Some(contact), ..) => push(Change::Began(Box::new(contact))),
            (None, true, true) => push(Change::Persists(relation)),
            (None, true, false) => push(Change::Ended(Ending::Apart)),
            (None, false, _) => {}
        }
        if before.is_near && !now.is_near {
            push(Change::Receded(Ending::Apart));
        }
    }

    /// Relates the bodies of a pair, and finds out how far they may move until it must be done again: by their boxes, by
    /// the direction that separated them before, or by what their method remembers.
    fn decide(&self, block: &mut Block, at: usize, [a, b]: [&Record; 2]) {
        let (pair, entry) = (block.watched[at].pair, &mut block.entries[at]);
        let mut apart = match entry.state {
            // Its bounds were looked at.
            PairState::NOTHING => ApartUntil::NOW,
            _ => self.apart_by_bounds(pair),
        };
        if !apart.is_known() {
            block.tested += 1;
            let distance = narrow::distance_lower_bound(a.at(), b.at(), &mut entry.hint) - self.radius;
            let [travel_a, travel_b] = self.travels_of(pair);
            apart = ApartUntil::by_points(travel_a, travel_b, distance);
        }
        if apart.is_known() {
            block.watched[at].apart = apart;
            let before = std::mem::replace(&mut entry.state, PairState::NOTHING);
            if before != PairState::NOTHING
                && let Some(record) = block.record(at)
            {
                (record.relation, record.error) = (APART, None);
            }
            return;
        }
        self.ask_method(block, at, [a, b]);
    }

    fn ask_method(&self, block: &mut Block, at: usize, [a, b]: [&Record; 2]) {
        let pair = block.watched[at].pair;
        let record = block.record_or(at, || PairRecord {
            ids: [pair.a(), pair.b()].map(|slot| self.id(slot)),
            relation: APART,
            error: None,
            cache: PairCache::new(&a.shape.0, &b.shape.0),
        });
        let known = record.cache.relation(a.at(), b.at());
        match known {
            Ok(relation) => (record.relation, record.error) = (relation, None),
            Err(error) => record.error = Some(Box::new(error)),
        }
        let (relation, mut hint) = (record.relation, record.cache.hint(a.at(), b.at()));
        let entry = &mut block.entries[at];
        block.watched[at].apart = ApartUntil::ALWAYS;
        entry.state.has_failed = known.is_err();
        if known.is_err() {
            return;
        }
        entry.state.meets = meets(relation);
        entry.state.is_near = self.config.watch_radius.is_some_and(|radius| {
            // The pair was related, so a method is known.
            entry.state.meets || within(a.at(), b.at(), radius).unwrap_or(false)
        });
        entry.hint = hint;
        if entry.state == PairState::NOTHING {
            let distance = narrow::distance_lower_bound(a.at(), b.at(), &mut hint);
            let distance = distance - self.radius;
            let [travel_a, travel_b] = self.travels_of(pair);
            block.watched[at].apart = ApartUntil::by_points(travel_a, travel_b, distance);
        }
    }

    fn contact(&self, pair: IdPair, relation: ConvexRelation, cache: &PairCache) -> Contact {
        if self.config.detail == Detail::Relation {
            return Contact { relation, depth: None, points: None, normal: None, before: None };
        }
        let (a, b) = (self.at(pair.a()), self.at(pair.b()));
        let before = a.at_before(self.next_step).zip(b.at_before(self.next_step));
        let before = before.and_then(|(a, b)| narrow::separation(a, b).ok());
        let before = before.filter(|found| found.upper > 0.0);
        Contact { before, ..cache.contact(a.at(), b.at(), relation) }
    }

    /// Puts what the blocks tell in one list, keeps those that are needed, and ends the step.
    fn tell(&mut self) -> Frame<'_> {
        self.events.clear();
        self.failures.clear();
        let (mut pairs, mut tested) = (0, 0);
        for block in &mut self.blocks {
            block.tell(&mut self.events, &mut self.failures);
            pairs += block.entries.len();
            tested += block.tested;
        }
        // Blocks tell first what ended. Of two pairs with the same indices the older one is first.
        let order = |event: &Event| (event.a.index, event.b.index, event.a.birth, event.b.birth);
        if !self.events.is_sorted_by_key(order) {
            self.events.sort_by_key(order);
        }
        self.close_gaps();
        let needed = self.needed_blocks();
        keep(&mut self.blocks, needed);
        // Far more room than pairs could need.
        if self.events.capacity() > 8 * (64 + pairs + self.events.len()) {
            self.events.shrink_to_fit();
        }
        (self.has_new_bodies, self.has_new_rules) = (false, false);
        self.next_step += 1;
        Frame { events: &self.events, failures: &self.failures, pairs, tested }
    }
}

/// What a block was before a step, if that has looked at it.
type Kept = Option<Block>;

/// Keeps the numbers that pass, in their order, without a jump for each.
#[inline(always)]
fn sieve(numbers: &mut Vec<u32>, mut passes: impl FnMut(usize) -> bool) {
    let mut kept = 0;
    for at in 0..numbers.len() {
        let number = numbers[at];
        numbers[kept] = number;
        kept += usize::from(passes(number as usize));
    }
    numbers.truncate(kept);
}
