//! What every search knows of its bodies.

use super::balls::Balls;
use super::{EVERYWHERE, IdPair, Mobility, Renumbering, proper};
use crate::math::Aabb;

/// Pairs that are looked at together.
const CHUNK: usize = 256;

/// Bounds of so many bodies are found in the caches.
const CACHED: usize = 1 << 16;

/// Bounds by id, and which ids are there.
#[derive(Clone, Debug, Default)]
pub(super) struct Bodies {
    bounds: Vec<Aabb>,
    state: Vec<Option<Mobility>>,
    count: usize,
}

impl Bodies {
    /// Adds or replaces a body.
    pub fn insert(&mut self, id: u32, bound: Aabb, mobility: Mobility) {
        let at = id as usize;
        assert!(id < 1 << 31, "ids of a broad phase are below 2^31, got {id}");
        if at >= self.bounds.len() {
            self.bounds.resize(at + 1, EVERYWHERE);
            self.state.resize(at + 1, None);
        }
        self.count += usize::from(self.state[at].is_none());
        self.bounds[at] = proper(bound);
        self.state[at] = Some(mobility);
    }

    /// Whether it was there.
    pub fn remove(&mut self, id: u32) -> bool {
        if !self.has(id) {
            return false;
        }
        self.state[id as usize] = None;
        self.count -= 1;
        while let Some(None) = self.state.last() {
            self.state.pop();
            self.bounds.pop();
        }
        shrink(&mut self.state);
        shrink(&mut self.bounds);
        true
    }

    /// Whether it is there.
    #[inline]
    pub fn update(&mut self, id: u32, bound: Aabb) -> bool {
        let has = self.has(id);
        if has {
            self.bounds[id as usize] = proper(bound);
        }
        has
    }

    #[inline]
    pub fn has(&self, id: u32) -> bool {
        self.mobility(id).is_some()
    }

    #[inline]
    pub fn mobility(&self, id: u32) -> Option<Mobility> {
        self.state.get(id as usize).copied().flatten()
    }

    #[inline]
    pub fn is_static(&self, id: u32) -> bool {
        self.state[id as usize] == Some(Mobility::Static)
    }

    #[inline]
    pub fn bound(&self, id: u32) -> &Aabb {
        &self.bounds[id as usize]
    }

    /// Any proper bound may be put there.
    #[inline]
    pub fn bound_mut(&mut self, id: u32) -> &mut Aabb {
        &mut self.bounds[id as usize]
    }

    /// Bounds by id, and which ids are there.
    pub fn parts_mut(&mut self) -> (&mut [Aabb], &[Option<Mobility>]) {
        (&mut self.bounds, &self.state)
    }

    /// Gives all bodies other ids.
    pub fn renumber(&mut self, renumbering: &Renumbering) {
        renumbering.apply(&mut self.bounds, EVERYWHERE);
        renumbering.apply(&mut self.state, None);
    }

    /// How many bodies there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Above all ids that are there.
    pub fn end(&self) -> u32 {
        self.state.len() as u32
    }

    /// All ids, ascending.
    pub fn ids(&self) -> impl Iterator<Item = u32> + Clone + '_ {
        let there = |(id, state): (usize, &Option<Mobility>)| state.map(|_| id as u32);
        self.state.iter().enumerate().filter_map(there)
    }

    /// Whether both are there, one of them moves and their bounds share a point.
    #[inline]
    pub fn is_pair(&self, one: u32, other: u32) -> bool {
        self.bounds[one as usize].meets(self.bounds[other as usize])
            && !(self.is_static(one) && self.is_static(other))
    }

    /// Adds those of some pairs whose bounds meet.
    ///
    /// Pairs are written in any case, and kept if they meet: a jump for each would be guessed wrongly for many. Of very many bodies
    /// bounds are fetched before anything else is done with them, so that many are under way at a time.
    pub fn append_meeting(&self, pairs: &[IdPair], out: &mut Vec<IdPair>) {
        let mut kept = [IdPair(0); CHUNK];
        let mut fetched = [EVERYWHERE; CHUNK];
        for chunk in pairs.chunks(CHUNK) {
            let mut count = 0;
            if self.bounds.len() > CACHED {
                for (to, pair) in fetched.iter_mut().zip(chunk) {
                    *to = *self.bound(pair.b());
                }
                for (&pair, of_b) in chunk.iter().zip(&fetched) {
                    kept[count % CHUNK] = pair;
                    count += usize::from(meet(self.bound(pair.a()), of_b));
                }
            } else {
                for &pair in chunk {
                    kept[count % CHUNK] = pair;
                    count += usize::from(meet(self.bound(pair.a()), self.bound(pair.b())));
                }
            }
            out.extend_from_slice(&kept[..count]);
        }
    }

    /// As a search sees them.
    pub fn view(&self) -> View<'_> {
        View { bodies: self, bounds: &self.bounds, balls: None }
    }

    /// The same bodies with other bounds, and balls that keep some of them apart.
    pub fn with_bounds<'a>(&'a self, bounds: &'a [Aabb], balls: &'a Balls) -> View<'a> {
        View { bodies: self, bounds, balls: Some(balls) }
    }

    pub fn bytes(&self) -> usize {
        self.bounds.capacity() * size_of::<Aabb>() + self.state.capacity()
    }
}

/// Bodies, and bounds that may be other than their own.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    bodies: &'a Bodies,
    bounds: &'a [Aabb],
    balls: Option<&'a Balls>,
}

impl<'a> View<'a> {
    #[inline]
    pub fn bound(self, id: u32) -> &'a Aabb {
        &self.bounds[id as usize]
    }

    /// Everywhere if it is not there.
    #[inline(always)]
    pub fn bound_if_any(self, id: u32) -> Aabb {
        if self.has(id) { self.bounds[id as usize] } else { EVERYWHERE }
    }

    #[inline]
    pub fn is_static(self, id: u32) -> bool {
        self.bodies.mobility(id) == Some(Mobility::Static)
    }

    #[inline]
    pub fn has(self, id: u32) -> bool {
        self.bodies.has(id)
    }

    pub fn ids(self) -> impl Iterator<Item = u32> + Clone + 'a {
        self.bodies.ids()
    }

    pub fn count(self) -> usize {
        self.bodies.count()
    }

    pub fn end(self) -> u32 {
        self.bodies.end()
    }

    /// Whether balls keep two bodies apart whose bounds meet.
    #[inline]
    pub fn are_apart(self, one: u32, other: u32) -> bool {
        self.balls.is_some_and(|balls| balls.are_apart(one, other))
    }

    /// Whether one of two moves and their bounds share a point.
    pub fn is_pair(self, one: u32, other: u32) -> bool {
        self.bound(one).meets(*self.bound(other)) && !(self.is_static(one) && self.is_static(other))
    }
}

/// [`Aabb::meets`] without a jump.
#[inline(always)]
fn meet(a: &Aabb, b: &Aabb) -> bool {
    a.min.cmple(b.max).all() & b.min.cmple(a.max).all()
}

/// Gives memory back when most of it is out of use; rarely enough that the cost is small for each removal.
pub(super) fn shrink<T>(list: &mut Vec<T>) {
    if list.capacity() > 64 && list.capacity() / 4 > list.len() {
        list.shrink_to(2 * list.len());
    }
}
