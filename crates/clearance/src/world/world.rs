//! Bodies that come, move and go.

use super::around::Around;
use super::event::{Event, Failure};
use super::geometry::ShapeHandle;
use super::narrow::At;
use super::pairs::Block;
use super::places::Places;
use super::swept_event::SweptContact;
use super::travel::Travel;
use super::{BodyId, WorldError};
use crate::broad::{BroadPhase, Coherent, CoherentStats, Mobility};
use crate::math::{Aabb, Pose};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::num::NonZeroU64;

/// Bodies that one task moves at least.
const TASK: usize = 512;

/// No move.
const NOTHING: u32 = u32::MAX;

/// What a world does in every step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldConfig {
    /// Pairs that come within this distance are told; `None` for no such events.
    pub watch_radius: Option<f64>,
    /// What is computed when a collision begins.
    pub detail: Detail,
}

/// What is computed when a collision begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// The relation only.
    Relation,
    /// Depth, points, normal, and the closest points of the step before.
    #[default]
    Contact,
}

impl Default for WorldConfig {
    /// No watch radius; contacts in detail.
    fn default() -> WorldConfig {
        WorldConfig { watch_radius: None, detail: Detail::Contact }
    }
}

/// Which bodies a body may collide with: each must be of a group that the other accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups {
    /// The groups that it belongs to, one for each bit.
    pub member_of: u32,
    /// The groups that it collides with.
    pub collides_with: u32,
}

impl Default for Groups {
    /// All and all.
    fn default() -> Groups {
        Groups { member_of: u32::MAX, collides_with: u32::MAX }
    }
}

impl Groups {
    /// Whether two bodies may collide.
    pub fn accept(self, other: Groups) -> bool {
        self.member_of & other.collides_with != 0 && other.member_of & self.collides_with != 0
    }
}

/// A body that is added to a world.
#[derive(Clone, Debug)]
pub struct NewBody {
    /// Its shape.
    pub shape: ShapeHandle,
    /// Where it is.
    pub pose: Pose,
    /// Whether it moves. Two static bodies never collide; a static one costs nothing in a step.
    pub mobility: Mobility,
    /// What it may collide with.
    pub groups: Groups,
}

impl NewBody {
    /// One that moves and collides with everything.
    pub fn moving(shape: &ShapeHandle, pose: Pose) -> NewBody {
        NewBody { shape: shape.clone(), pose, mobility: Mobility::Moving, groups: Groups::default() }
    }

    /// One that does not move, and collides with everything that does.
    pub fn fixed(shape: &ShapeHandle, pose: Pose) -> NewBody {
        NewBody { mobility: Mobility::Static, ..NewBody::moving(shape, pose) }
    }

    /// With other groups.
    pub fn in_groups(self, groups: Groups) -> NewBody {
        NewBody { groups, ..self }
    }
}

/// A body of the world. What a pair looks at lies in its first two cache lines, which processors fetch together; so does
/// what tells a place without a body.
#[derive(Clone, Debug)]
#[repr(C, align(128))]
pub(super) struct Record {
    pub pose: Pose,
    pub shape: ShapeHandle,
    /// The number of the step before which it last moved, or came.
    moved_in: u64,
    pub mobility: Mobility,
    /// Whether `before` is of use, for one that moved since the last step: it was there then, and not teleported.
    has_before: bool,
    pub groups: Groups,
    born_in: u64,
    before: Pose,
}

impl Record {
    pub fn at(&self) -> At<'_> {
        At { geometry: &self.shape.0, pose: &self.pose }
    }

    /// Moves it before the step with this number, and adds to how far it travelled; its box there.
    #[inline(always)]
    fn put(&mut self, pose: &Pose, step: u64, watch: f64, travel: &mut Travel, around: &mut Around) -> Aabb {
        let geometry = &*self.shape.0;
        let ((bound, now), way) = (geometry.place(pose, watch), geometry.motion(&self.pose, pose));
        travel.add(way, around, &now);
        (*around, around.way) = (now, way);
        if !self.has_moved(step) {
            (self.before, self.has_before) = (self.pose, true);
            self.moved_in = step;
        }
        self.pose = *pose;
        bound
    }

    /// Whether its pose changed since the step before the one with this number.
    #[inline]
    pub fn has_moved(&self, step: u64) -> bool {
        self.moved_in == step
    }

    /// Whether it was not there in the step before the one with this number.
    #[inline]
    pub fn is_new(&self, step: u64) -> bool {
        self.born_in == step
    }

    /// Where it was in the step before the one with this number; `None` if it was not there or was teleported since.
    pub fn at_before(&self, step: u64) -> Option<At<'_>> {
        let pose = match self.has_moved(step) {
            true => self.has_before.then_some(&self.before)?,
            false => &self.pose,
        };
        Some(At { geometry: &self.shape.0, pose })
    }
}

/// Many bodies, frame after frame: who begins to collide with whom, and any question in between.
///
/// Move bodies, call [`step`](World::step), read the events. Every answer is exact where it is for one pair; it does not
/// depend on the number of threads, on what was asked before, or on the order in which bodies are moved between steps.
/// `Send` and `Sync`: questions take `&self` and may be asked from many threads at once.
///
/// See the [module](super) for an example.
#[derive(Clone, Debug, Default)]
pub struct World {
    pub(super) config: WorldConfig,
    /// The watch radius, zero if there is none: read in every move and for every pair.
    pub(super) radius: f64,
    pub(super) bodies: Vec<Option<Record>>,
    /// What they are called, of each place.
    pub(super) ids: Vec<Option<BodyId>>,
    /// Where indices lie among them, and those whose places are empty.
    pub(super) places: Places,
    pub(super) free: BTreeSet<u32>,
    /// How many ids were given, ever. Only what is equal and what came first is read off them.
    births: u64,
    pub(super) broad: Coherent,
    pub(super) ignored: BTreeSet<(u32, u32)>,
    /// Bodies with groups of their own: while there are none, groups need not be looked at.
    grouped: usize,
    /// The number of the next step.
    pub(super) next_step: u64,
    /// How far each body has travelled, and what holds it, with half the watch radius.
    pub(super) travels: Vec<Travel>,
    pub(super) around: Vec<Around>,
    /// Which of many moves is that of the body at a place; a buffer.
    pub(super) incoming: Vec<u32>,
    /// Since the last step: whether bodies came, and whether groups or ignored pairs changed.
    pub(super) has_new_bodies: bool,
    pub(super) has_new_rules: bool,
    pub(super) blocks: Vec<Block>,
    pub(super) events: Vec<Event>,
    pub(super) failures: Vec<Failure>,
    pub(super) swept_contacts: Vec<SweptContact>,
    pub(super) swept_failures: Vec<Failure>,
}

/// Bytes of memory that a world holds, beside the shapes themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Bodies: poses, bounds, groups.
    pub bodies: usize,
    /// The search for pairs.
    pub broad: usize,
    /// Pairs of bounds that meet and what is remembered of them.
    pub pairs: usize,
}

impl Memory {
    /// All together.
    pub fn total(self) -> usize {
        self.bodies + self.broad + self.pairs
    }
}

impl World {
    /// An empty world.
    ///
    /// # Errors
    /// A watch radius that is negative, infinite or not a number.
    pub fn new(config: WorldConfig) -> Result<World, WorldError> {
        if let Some(value) = config.watch_radius
            && !(0.0..f64::INFINITY).contains(&value)
        {
            return Err(WorldError::BadLength { what: "watch radius", value });
        }
        Ok(World { config, radius: config.watch_radius.unwrap_or(0.0), ..World::default() })
    }

    /// Adds a body, with the lowest index that has an empty place. `O(log n)` on average.
    pub fn add(&mut self, body: NewBody) -> BodyId {
        let [slot, index] = self.take_place();
        let NewBody { shape, pose, mobility, groups } = body;
        self.grouped += usize::from(groups != Groups::default());
        let (bound, around) = shape.0.place(&pose, self.watch());
        self.put_into_search(slot, bound, mobility, &shape);
        let (id, step) =
            (BodyId { index, birth: NonZeroU64::MIN.saturating_add(self.births) }, self.next_step);
        self.births += 1;
        self.bodies[slot as usize] = Some(Record {
            pose,
            shape,
            moved_in: step,
            born_in: step,
            groups,
            mobility,
            has_before: false,
            before: pose,
        });
        self.travels[slot as usize] = Travel::default();
        self.around[slot as usize] = around;
        self.has_new_bodies = true;
        self.ids[slot as usize] = Some(id);
        id
    }

    fn put_into_search(&mut self, slot: u32, bound: Aabb, mobility: Mobility, shape: &ShapeHandle) {
        self.broad.insert(slot, bound, mobility);
        self.broad.set_ball(slot, shape.0.ball_radius() + self.watch());
    }

    /// Removes a body. Its handle of the shape is dropped at once. Its pairs end in the next step, which also frees what was
    /// remembered of them.
    ///
    /// Its index is given to a body that comes later. When fewer than a quarter of the places of bodies are in
    /// use, the next step gives the others back: what a world holds is in proportion to the bodies that are there, but for two
    /// bits for each index below the last one. `O(log n)` on average, that included.
    ///
    /// # Errors
    /// The id names nothing.
    pub fn remove(&mut self, body: BodyId) -> Result<(), WorldError> {
        let slot = self.slot(body)?;
        self.grouped -= usize::from(self.at(slot).groups != Groups::default());
        let others: Vec<u32> = self.ignored_by(slot).collect();
        for other in others {
            self.ignored.remove(&(slot, other));
            self.ignored.remove(&(other, slot));
        }
        self.broad.remove(slot);
        (self.bodies[slot as usize], self.ids[slot as usize]) = (None, None);
        self.free.insert(body.index);
        self.trim();
        Ok(())
    }

    /// Moves a body: it was at its old place in the step before, and is here in the next.
    ///
    /// # Errors
    /// The id names nothing.
    pub fn move_to(&mut self, body: BodyId, pose: Pose) -> Result<(), WorldError> {
        self.place(body, &pose).map(|_| ())
    }

    /// Moves many bodies, as [`move_to`](World::move_to) does for one after the other, on all threads of the current pool.
    ///
    /// # Errors
    /// An id names nothing; then the bodies before it in the list are moved, and those after it are not.
    pub fn move_all(&mut self, moves: &[(BodyId, Pose)]) -> Result<(), WorldError> {
        if moves.len() < 2 * TASK || rayon::current_num_threads() == 1 {
            return self.move_each(moves);
        }
        // Mostly all bodies are told, in their order: each thread then reads the names of those that it moves.
        let are_all = moves.len() == self.ids.len()
            && moves.par_iter().zip(&self.ids).with_min_len(TASK).all(|((body, _), id)| *id == Some(*body));
        if are_all {
            self.move_known(moves.par_iter().map(|(_, pose)| Some(pose)));
            return Ok(());
        }
        let mut incoming = std::mem::take(&mut self.incoming);
        incoming.clear();
        incoming.resize(self.bodies.len(), NOTHING);
        let unknown = (0..).zip(moves).find(|&(number, &(body, _))| match self.slot(body) {
            Ok(slot) => {
                incoming[slot as usize] = number;
                false
            }
            Err(_) => true,
        });
        self.move_known(incoming.par_iter().map(|&number| Some(&moves.get(number as usize)?.1)));
        self.incoming = incoming;
        unknown.map_or(Ok(()), |(_, &(body, _))| Err(WorldError::NoSuchBody { body }))
    }

    /// Moves one after the other; not part of what calls it, which would leave it fewer registers.
    #[inline(never)]
    fn move_each(&mut self, moves: &[(BodyId, Pose)]) -> Result<(), WorldError> {
        moves.iter().try_for_each(|(body, pose)| self.place(*body, pose).map(|_| ()))
    }

    /// Moves the bodies for whose places there are poses.
    fn move_known<'a>(&mut self, poses: impl IndexedParallelIterator<Item = Option<&'a Pose>>) {
        let (watch, step) = (self.watch(), self.next_step);
        let known = self.bodies.par_iter_mut().zip(&mut self.travels).zip(&mut self.around);
        let bodies = known.zip(poses).with_min_len(TASK);
        self.broad.update_all(bodies, |(((record, travel), around), pose)| {
            Some(record.as_mut()?.put(pose?, step, watch, travel, around))
        });
    }

    /// Puts a body somewhere else without a way in between: a collision that begins then has no closest points before it.
    ///
    /// # Errors
    /// The id names nothing.
    pub fn teleport(&mut self, body: BodyId, pose: Pose) -> Result<(), WorldError> {
        self.place(body, &pose)?.has_before = false;
        Ok(())
    }

    #[inline]
    pub(super) fn place(&mut self, body: BodyId, pose: &Pose) -> Result<&mut Record, WorldError> {
        let watch = self.watch();
        let slot = self.slot(body)?;
        let record = self.bodies[slot as usize].as_mut().ok_or(WorldError::NoSuchBody { body })?;
        let (travel, around) = (&mut self.travels[slot as usize], &mut self.around[slot as usize]);
        let bound = record.put(pose, self.next_step, watch, travel, around);
        self.broad.update(slot, bound);
        Ok(record)
    }

    /// Puts a body into other groups.
    ///
    /// # Errors
    /// The id names nothing.
    pub fn set_groups(&mut self, body: BodyId, groups: Groups) -> Result<(), WorldError> {
        let slot = self.slot(body)?;
        let old = std::mem::replace(&mut self.at_mut(slot).groups, groups);
        self.grouped -= usize::from(old != Groups::default());
        self.grouped += usize::from(groups != Groups::default());
        self.has_new_rules = true;
        Ok(())
    }

    /// Makes a body static, or lets it move.
    ///
    /// # Errors
    /// The id names nothing.
    pub fn set_mobility(&mut self, body: BodyId, mobility: Mobility) -> Result<(), WorldError> {
        let slot = self.slot(body)?;
        let bound = *self.broad.known_bound(slot);
        let record = self.at_mut(slot);
        record.mobility = mobility;
        let shape = record.shape.clone();
        self.put_into_search(slot, bound, mobility, &shape);
        Ok(())
    }

    /// From now on, or no longer, two bodies do not collide whatever their groups are.
    ///
    /// # Errors
    /// An id names nothing, or both are one body.
    pub fn set_ignored(&mut self, a: BodyId, b: BodyId, ignored: Ignored) -> Result<(), WorldError> {
        let slots = (self.slot(a)?, self.slot(b)?);
        if a == b {
            return Err(WorldError::SameBody { body: a });
        }
        for pair in [slots, (slots.1, slots.0)] {
            match ignored {
                Ignored::Yes => self.ignored.insert(pair),
                Ignored::No => self.ignored.remove(&pair),
            };
        }
        self.has_new_rules = true;
        Ok(())
    }

    fn ignored_by(&self, slot: u32) -> impl Iterator<Item = u32> + '_ {
        self.ignored.range((slot, 0)..=(slot, u32::MAX)).map(|pair| pair.1)
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.broad.tree().count()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All bodies, in the order of ids.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.ids.iter().copied().flatten()
    }

    /// Whether an id names a body.
    pub fn contains(&self, body: BodyId) -> bool {
        self.record(body).is_ok()
    }

    /// Where a body is.
    ///
    /// # Errors
    /// The id names nothing.
    pub fn pose(&self, body: BodyId) -> Result<Pose, WorldError> {
        Ok(self.record(body)?.pose)
    }

    /// The shape of a body.
    ///
    /// # Errors
    /// The id names nothing.
    pub fn shape(&self, body: BodyId) -> Result<&ShapeHandle, WorldError> {
        Ok(&self.record(body)?.shape)
    }

    /// A box around a body.
    ///
    /// # Errors
    /// The id names nothing.
    pub fn bound(&self, body: BodyId) -> Result<Aabb, WorldError> {
        Ok(self.bound_at(self.slot(body)?))
    }

    /// What the search for pairs did so far.
    pub fn broad_stats(&self) -> CoherentStats {
        self.broad.stats()
    }

    /// Bytes of memory held.
    pub fn memory(&self) -> Memory {
        Memory {
            bodies: self.bodies.capacity() * size_of::<Option<Record>>()
                + self.ids.capacity() * size_of::<Option<BodyId>>()
                + self.travels.capacity() * size_of::<Travel>()
                + self.around.capacity() * size_of::<Around>()
                + self.incoming.capacity() * size_of::<u32>()
                + self.places.bytes()
                // Nodes of sets are half full at least.
                + self.free.len() * 2 * size_of::<u32>()
                + self.ignored.len() * 2 * size_of::<(u32, u32)>(),
            broad: self.broad.bytes(),
            pairs: self.blocks.iter().map(Block::bytes).sum::<usize>()
                + self.blocks.capacity() * size_of::<Block>()
                + self.events.capacity() * size_of::<Event>()
                + (self.failures.capacity() + self.swept_failures.capacity()) * size_of::<Failure>()
                + self.swept_contacts.capacity() * size_of::<SweptContact>(),
        }
    }

    /// The world as it is now: bodies, pairs and all that is remembered.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(Box::new(self.clone()))
    }

    /// Makes the world what it was; it goes on with the same events, bit for bit. Ids of then are valid again; those given
    /// since name nothing, for ever: bodies that are added anew have other ids at the same places.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        let births = self.births.max(snapshot.0.births);
        self.clone_from(&snapshot.0);
        self.births = births;
    }

    pub(super) fn record(&self, body: BodyId) -> Result<&Record, WorldError> {
        Ok(self.at(self.slot(body)?))
    }

    /// The place of a body.
    #[inline]
    pub(super) fn slot(&self, body: BodyId) -> Result<u32, WorldError> {
        let is_there = |&slot: &u32| self.ids.get(slot as usize) == Some(&Some(body));
        self.places.of(body.index).filter(is_there).ok_or(WorldError::NoSuchBody { body })
    }

    /// The body at a place that is not empty.
    #[inline]
    pub(super) fn at(&self, slot: u32) -> &Record {
        self.bodies[slot as usize].as_ref().expect("the search knows bodies of the world only")
    }

    fn at_mut(&mut self, slot: u32) -> &mut Record {
        self.bodies[slot as usize].as_mut().expect("a body that is there")
    }

    /// A box around the body at a place that is not empty.
    pub(super) fn bound_at(&self, slot: u32) -> Aabb {
        match self.config.watch_radius {
            None => *self.broad.known_bound(slot),
            Some(_) => {
                let At { geometry, pose } = self.at(slot).at();
                geometry.bound(pose)
            }
        }
    }

    pub(super) fn id(&self, slot: u32) -> BodyId {
        self.ids[slot as usize].expect("the search knows bodies of the world only")
    }

    /// Half the watch radius: two boxes with it on all sides meet if bodies are within that radius.
    #[inline]
    fn watch(&self) -> f64 {
        0.5 * self.radius
    }

    /// Whether two bodies may collide: one moves, groups accept each other, and they are not ignored.
    #[inline]
    pub(super) fn may_collide(&self, a: u32, b: u32) -> bool {
        let (one, other) = (self.at(a), self.at(b));
        (one.mobility == Mobility::Moving || other.mobility == Mobility::Moving) && self.accepts(a, b)
    }

    /// Whether there are no groups and no ignored pairs.
    pub(super) fn accepts_all(&self) -> bool {
        self.grouped == 0 && self.ignored.is_empty()
    }

    /// Whether groups and ignored pairs allow two bodies to collide.
    #[inline]
    pub(super) fn accepts(&self, a: u32, b: u32) -> bool {
        (self.grouped == 0 || self.at(a).groups.accept(self.at(b).groups))
            && (self.ignored.is_empty() || !self.ignored.contains(&(a, b)))
    }
}

/// Whether a pair is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ignored {
    /// It never collides.
    Yes,
    /// Groups decide.
    No,
}

/// A world at some time.
#[derive(Clone, Debug)]
pub struct Snapshot(Box<World>);
