//! What a query remembers for the next frame: triangles that were nearest or met, and how far apart the bodies were.

use super::pair::TreePair;
use super::placement::Placement;
use super::{Bound, Scratch};
use std::ops::ControlFlow;

/// What is remembered about a pair of bodies from frame to frame.
///
/// It changes speed, never an answer: triangles are looked at again, and a distance only counts after all that both
/// bodies moved since was subtracted. Used with other trees, or trees that were refitted, it starts anew.
#[derive(Clone, Debug)]
pub struct Coherence {
    /// Fingerprints of the trees all this is about.
    trees: Option<[u64; 2]>,
    /// Triangles that met, or were nearest.
    pub(super) witness: Option<(u32, u32)>,
    /// A proved lower bound of the distance, and where the bodies were then.
    apart: Option<(Placement, f64)>,
    /// Where the bodies were at the last query that looked at the trees.
    last: Option<Placement>,
    /// For how many frames of the same motion a lower bound is to last.
    frames: f64,
    /// Queries to wait before another bound is tried for, and the last wait.
    wait: u32,
    patience: u32,
}

const FIRST_FRAMES: f64 = 4.0;
const LEAST_FRAMES: f64 = 2.0;
const MOST_FRAMES: f64 = 1024.0;
const MOST_PATIENCE: u32 = 64;

impl Default for Coherence {
    fn default() -> Coherence {
        Coherence {
            trees: None,
            witness: None,
            apart: None,
            last: None,
            frames: FIRST_FRAMES,
            wait: 0,
            patience: 0,
        }
    }
}

impl Coherence {
    /// Forgets what is about other trees.
    pub(super) fn begin<B: Bound>(&mut self, pair: &TreePair<'_, B>) {
        let trees = Some([pair.a.fingerprint, pair.b.fingerprint]);
        if self.trees != trees {
            *self = Coherence { trees, ..Coherence::default() };
        }
    }

    /// Whether the bodies are still farther apart than a distance, from what is remembered alone.
    pub(super) fn proves_apart<B: Bound>(&self, pair: &TreePair<'_, B>, distance: f64) -> bool {
        self.apart.is_some_and(|(placement, bound)| pair.distance_after(&placement, bound) > distance)
    }

    /// Remembers triangles within the distance that was asked for.
    pub(super) fn found<B: Bound>(&mut self, pair: &TreePair<'_, B>, witness: (u32, u32)) {
        self.witness = Some(witness);
        (self.apart, self.last) = (None, Some(pair.placement()));
    }

    /// Remembers the nearest triangles and a lower bound of the distance.
    pub(super) fn measured<B: Bound>(&mut self, pair: &TreePair<'_, B>, witness: (u32, u32), lower: f64) {
        self.found(pair, witness);
        self.apart = self.last.map(|now| (now, lower));
    }

    /// After a query that proved the bodies farther apart than some distance, but not by how much: tries whether they are
    /// apart by as much as they move in several frames, unless that failed of late.
    pub(super) fn lost<B: Bound>(&mut self, pair: &TreePair<'_, B>, distance: f64, scratch: &mut Scratch) {
        let (now, last) = (pair.placement(), self.last);
        (self.apart, self.last) = (None, Some(now));
        let Some(last) = last else { return };
        if self.wait > 0 {
            self.wait -= 1;
            return;
        }
        let moved = -pair.distance_after(&last, 0.0);
        let bound = distance + self.frames * moved;
        if pair.traverse(bound, scratch, |_, _| ControlFlow::Break(())).is_continue() {
            self.apart = Some((now, bound));
            (self.frames, self.patience) = ((1.25 * self.frames).min(MOST_FRAMES), 0);
        } else {
            self.patience = (2 * self.patience + 1).min(MOST_PATIENCE);
            (self.frames, self.wait) = ((0.5 * self.frames).max(LEAST_FRAMES), self.patience);
        }
    }
}
