//! What a query remembers for the next frame: triangles that were nearest or met, and how far apart the bodies were.

use super::front::Front;
use super::pair::TreePair;
use super::placement::Placement;
use super::{Bound, Stats};
use crate::math::Patience;

/// What is remembered about a pair of bodies from frame to frame.
///
/// It changes speed, never an answer: triangles are looked at again, and a distance only counts after all that both
/// bodies moved since was subtracted. Used with other trees, or trees that were refitted, it starts anew.
#[derive(Clone, Debug)]
pub struct Coherence {
    /// Fingerprints of the trees all this is about.
    trees: Option<[[u64; 2]; 2]>,
    /// Triangles that met, or were nearest.
    pub(super) witness: Option<(u32, u32)>,
    /// The places of the leaves they are in, if they were within the distance that was asked for.
    pub(super) leaves: Option<(u32, u32)>,
    /// Whether they were the nearest before, too.
    is_steady: bool,
    /// A proved lower bound of the distance, and where the bodies were then.
    apart: Option<(Placement, f64)>,
    /// Where the bodies were at the last query that looked at the trees.
    last: Option<Placement>,
    /// For how many queries they were not farther apart than was asked about; the largest number if they never were.
    met: u32,
    /// Steps of the last query that looked at the trees, and what it asked about triangles.
    work: u64,
    /// For how many frames of the same motion a lower bound is to last.
    frames: f64,
    /// With bounds that are tried for.
    bounds: Patience<MOST_WAIT>,
    /// Where the last query stopped.
    front: Front,
}

/// What a front is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UseOfFront {
    /// A distance.
    Distance,
    /// Whether the distance is above a bound.
    Bound,
}

const WORK_OF_A_FRONT: u64 = 8;
/// Queries of bodies that meet after which it is forgotten why they did not.
const MOST_MET: u32 = 8;
const FIRST_FRAMES: f64 = 4.0;
const LEAST_FRAMES: f64 = 2.0;
const MOST_FRAMES: f64 = 1024.0;
/// Queries without what did not help at most.
pub(super) const MOST_WAIT: u32 = 64;

impl Default for Coherence {
    fn default() -> Coherence {
        Coherence {
            trees: None,
            witness: None,
            leaves: None,
            is_steady: false,
            apart: None,
            last: None,
            met: u32::MAX,
            work: 0,
            frames: FIRST_FRAMES,
            bounds: Patience::default(),
            front: Front::default(),
        }
    }
}

impl Coherence {
    /// Forgets what is about other trees.
    pub(super) fn begin<B: Bound>(&mut self, pair: &TreePair<'_, B>) {
        let trees = Some([pair.a, pair.b].map(|tree| [tree.fingerprint, tree.structure]));
        if self.trees != trees {
            self.forget();
            self.trees = trees;
        }
    }

    /// Forgets all, keeps its memory.
    pub fn forget(&mut self) {
        let mut front = std::mem::take(&mut self.front);
        front.clear();
        *self = Coherence { front, ..Coherence::default() };
    }

    /// Bytes of memory that it holds on to beside its own: bounded, 92 kB at most.
    pub fn bytes(&self) -> usize {
        self.front.bytes()
    }

    /// The front to start from. As making it costs more than a query, not for trees seen the first time; and not for bodies
    /// so far apart that a bound of their distance lasts for several frames, or is found in a few steps.
    pub(super) fn front<B: Bound>(
        &mut self,
        pair: &TreePair<'_, B>,
        use_of: UseOfFront,
    ) -> Option<&mut Front> {
        if self.front.is_worn() {
            self.front.clear();
            self.work = 0;
        }
        let is_made = !self.front.is_empty();
        let is_worth_it = match use_of {
            UseOfFront::Distance => is_made || self.last.is_some(),
            // Bodies that met for a while most often still do, and a front only knows why they did not.
            UseOfFront::Bound => {
                let is_to_be_made = self.frames < FIRST_FRAMES && self.work >= WORK_OF_A_FRONT;
                (is_made && self.met <= MOST_MET) || (self.met == 0 && is_to_be_made)
            }
        };
        (is_worth_it && pair.single && self.front.begin()).then_some(&mut self.front)
    }

    /// Remembers how much work a query was, bounds that were tried for not counted.
    pub(super) fn walked(&mut self, before: &Stats, after: &Stats) {
        let work = |stats: &Stats| stats.steps + stats.visits / 4;
        self.work = work(after) - work(before);
    }

    /// Whether the nearest triangles were the same the last two times.
    pub(super) fn is_steady(&self) -> bool {
        self.is_steady
    }

    /// Whether the bodies are still farther apart than a distance, from what is remembered alone.
    pub(super) fn proves_apart<B: Bound>(&self, pair: &TreePair<'_, B>, distance: f64) -> bool {
        self.apart.is_some_and(|(placement, bound)| pair.distance_after(&placement, bound) > distance)
    }

    /// Remembers triangles within the distance that was asked for.
    pub(super) fn found<B: Bound>(&mut self, pair: &TreePair<'_, B>, witness: (u32, u32)) {
        self.witness = Some(witness);
        (self.apart, self.last) = (None, Some(pair.placement()));
        self.met = self.met.saturating_add(1);
    }

    /// Remembers the nearest triangles and a lower bound of the distance.
    pub(super) fn measured<B: Bound>(&mut self, pair: &TreePair<'_, B>, witness: (u32, u32), lower: f64) {
        self.is_steady = self.witness == Some(witness);
        self.found(pair, witness);
        self.leaves = None;
        self.apart = self.last.map(|now| (now, lower));
    }

    /// Remembers that the bodies are farther apart than a distance, which is a new bound or nothing to remember.
    pub(super) fn lost<B: Bound>(&mut self, pair: &TreePair<'_, B>, bound: Option<f64>) {
        let now = pair.placement();
        (self.apart, self.last, self.met) = (bound.map(|bound| (now, bound)), Some(now), 0);
        self.leaves = None;
    }

    /// A distance to try for before one that is asked about, unless that failed of late: farther by as much as the bodies
    /// move in several frames.
    pub(super) fn bound_to_try<B: Bound>(&mut self, pair: &TreePair<'_, B>, distance: f64) -> Option<f64> {
        let last = self.last.filter(|_| self.met == 0)?;
        if self.bounds.is_waiting() {
            return None;
        }
        let moved = -pair.distance_after(&last, 0.0);
        // Leaves that are close are not that far apart.
        self.front.close.is_empty().then_some(distance + self.frames * moved)
    }

    /// What became of it.
    pub(super) fn tried(&mut self, is_proved: bool) {
        if is_proved {
            self.bounds.succeeded();
            self.frames = (1.25 * self.frames).min(MOST_FRAMES);
            // So far apart that a walk through the trees now and then is all it takes.
            if self.frames >= FIRST_FRAMES {
                self.front.clear();
            }
        } else {
            self.bounds.failed();
            self.frames = (0.5 * self.frames).max(LEAST_FRAMES);
        }
    }
}
