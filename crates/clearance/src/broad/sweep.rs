//! Three axes of interval ends, kept sorted from frame to frame.

use super::bodies::{Bodies, shrink};
use super::order::PairSort;
use super::{BroadPhase, IdPair, Mobility};
use crate::math::Aabb;
use rustc_hash::FxHashSet;

/// Bodies added at once, as a part of all, from which on everything is sorted anew.
const MANY: usize = 8;

/// One end of the interval that a body covers on an axis.
#[derive(Clone, Copy, Debug)]
struct End {
    value: f64,
    /// Twice the id, plus one for the upper end.
    tag: u32,
}

impl End {
    fn id(self) -> u32 {
        self.tag >> 1
    }

    fn is_upper(self) -> bool {
        self.tag & 1 == 1
    }

    /// At equal values lower ends come first: intervals that touch overlap.
    fn is_after(self, other: End) -> bool {
        self.value > other.value
            || self.value == other.value && (self.is_upper(), self.tag) > (other.is_upper(), other.tag)
    }
}

/// The paper's sweep and prune [Chung96 §3.1]: insertion sort of interval ends on three axes; where two ends change places,
/// a pair may begin or end.
///
/// `O(n + s)` for a frame with `s` changes of places, which grow as `n^(5/3)` at constant density: for few bodies. Bodies
/// that are added in small numbers are sorted in, many at once sort everything anew.
#[derive(Clone, Debug, Default)]
pub struct SweepAndPrune {
    bodies: Bodies,
    axes: [Vec<End>; 3],
    pairs: FxHashSet<IdPair>,
    /// Ids that lost their place: removed, or replaced.
    gone: FxHashSet<u32>,
    added: Vec<u32>,
    order: PairSort,
    swaps: u64,
}

impl SweepAndPrune {
    /// Changes of places in the last frame.
    pub fn swaps(&self) -> u64 {
        self.swaps
    }

    /// Takes out what is gone, in one pass however many.
    fn forget(&mut self) {
        if self.gone.is_empty() {
            return;
        }
        let gone = std::mem::take(&mut self.gone);
        for axis in &mut self.axes {
            axis.retain(|end| !gone.contains(&end.id()));
            shrink(axis);
        }
        self.pairs.retain(|pair| !gone.contains(&pair.a()) && !gone.contains(&pair.b()));
        if self.pairs.capacity() > 8 * self.pairs.len().max(8) {
            self.pairs.shrink_to(2 * self.pairs.len());
        }
    }

    fn refresh_values(&mut self) {
        let (bodies, added) = (&self.bodies, &self.added);
        for (k, axis) in self.axes.iter_mut().enumerate() {
            let value = |end: End| match end.is_upper() {
                true => bodies.bound(end.id()).max[k],
                false => bodies.bound(end.id()).min[k],
            };
            axis.extend(added.iter().flat_map(|&id| [2 * id, 2 * id + 1]).map(|tag| End { value: 0.0, tag }));
            axis.iter_mut().for_each(|end| end.value = value(*end));
        }
    }

    /// Insertion sort of one axis; each pair of ends changes places at most once, so what is found is final.
    fn sort_axis(&mut self, k: usize) {
        let axis = &mut self.axes[k];
        for at in 1..axis.len() {
            let moving = axis[at];
            let mut place = at;
            while place > 0 && axis[place - 1].is_after(moving) {
                let passed = axis[place - 1];
                axis[place] = passed;
                place -= 1;
                self.swaps += 1;
                match (moving.is_upper(), passed.is_upper()) {
                    (false, true) if self.bodies.is_pair(moving.id(), passed.id()) => {
                        self.pairs.insert(IdPair::new(moving.id(), passed.id()));
                    }
                    (true, false) => {
                        self.pairs.remove(&IdPair::new(moving.id(), passed.id()));
                    }
                    _ => {}
                }
            }
            axis[place] = moving;
        }
    }

    /// Sorts all axes and sweeps one.
    fn rebuild(&mut self) {
        for axis in &mut self.axes {
            axis.sort_unstable_by(|x, y| {
                if x.is_after(*y) { std::cmp::Ordering::Greater } else { std::cmp::Ordering::Less }
            });
        }
        self.pairs.clear();
        let mut open: Vec<u32> = Vec::new();
        for end in &self.axes[0] {
            if end.is_upper() {
                open.retain(|&id| id != end.id());
                continue;
            }
            let met = open.iter().filter(|&&id| self.bodies.is_pair(id, end.id()));
            self.pairs.extend(met.map(|&id| IdPair::new(id, end.id())));
            open.push(end.id());
        }
    }
}

impl BroadPhase for SweepAndPrune {
    fn insert(&mut self, id: u32, bound: Aabb, mobility: Mobility) {
        self.remove(id);
        self.bodies.insert(id, bound, mobility);
        self.added.push(id);
    }

    fn remove(&mut self, id: u32) {
        if self.bodies.remove(id) {
            // What was added since the last frame has no place yet.
            match self.added.iter().position(|&added| added == id) {
                Some(at) => drop(self.added.swap_remove(at)),
                None => drop(self.gone.insert(id)),
            }
        }
    }

    fn update(&mut self, id: u32, bound: Aabb) {
        self.bodies.update(id, bound);
    }

    fn pairs(&mut self, out: &mut Vec<IdPair>) {
        self.swaps = 0;
        self.forget();
        self.refresh_values();
        let many = self.added.len() * MANY > self.bodies.count();
        self.added.clear();
        match many {
            true => self.rebuild(),
            false => (0..3).for_each(|k| self.sort_axis(k)),
        }
        out.clear();
        out.extend(&self.pairs);
        self.order.sort(out, self.bodies.end());
    }

    fn bytes(&self) -> usize {
        let ends: usize = self.axes.iter().map(Vec::capacity).sum();
        self.bodies.bytes()
            + self.order.bytes()
            + ends * size_of::<End>()
            + self.pairs.capacity() * (size_of::<IdPair>() + 1)
            + (self.gone.capacity() + self.added.capacity()) * size_of::<u32>()
    }
}
