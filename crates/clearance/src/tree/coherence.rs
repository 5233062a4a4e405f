//! What a query remembers for the next frame: triangles that were nearest or met, and how far apart the bodies were.

use super::Scratch;
use super::pair::TreePair;
use super::placement::Placement;

/// What is remembered about a pair of bodies from frame to frame.
///
/// It changes speed, never an answer: triangles are looked at again, and a distance only counts after all that both
/// bodies moved since was subtracted. Used with other trees, or trees that were refitted, it starts anew.
#[derive(Clone, Debug, Default)]
pub struct Coherence {
    /// Fingerprints of the trees all this is about.
    trees: Option<[u64; 2]>,
    /// Triangles that met, or were nearest.
    pub(super) witness: Option<(u32, u32)>,
    /// A proved lower bound of the distance, and where the bodies were then.
    apart: Option<(Placement, f64)>,
    /// Where the bodies were at the last query.
    last: Option<Placement>,
    /// Queries to wait before a distance is computed for later frames, and how many to wait if it turns out useless.
    wait: u32,
    patience: u32,
}

/// A distance is worth remembering if it outlasts this many frames of the same motion.
const FRAMES: f64 = 2.0;

/// Longest wait after useless distances.
const MOST_PATIENCE: u32 = 64;

impl Coherence {
    /// Forgets what is about other trees.
    pub(super) fn begin(&mut self, pair: &TreePair<'_>) {
        let trees = Some([pair.a.fingerprint, pair.b.fingerprint]);
        if self.trees != trees {
            *self = Coherence { trees, ..Coherence::default() };
        }
    }

    /// Whether the bodies are still farther apart than a distance, from what is remembered alone.
    pub(super) fn proves_apart(&self, pair: &TreePair<'_>, distance: f64) -> bool {
        self.apart.is_some_and(|(placement, bound)| pair.distance_after(&placement, bound) > distance)
    }

    /// Remembers triangles within the distance that was asked for.
    pub(super) fn found(&mut self, pair: &TreePair<'_>, witness: (u32, u32)) {
        self.witness = Some(witness);
        (self.apart, self.last) = (None, Some(pair.placement()));
    }

    /// Remembers a lower bound of the distance that a query came by.
    pub(super) fn measured(&mut self, pair: &TreePair<'_>, lower: f64) {
        let now = pair.placement();
        (self.apart, self.last) = (Some((now, lower)), Some(now));
    }

    /// After a query that proved the bodies farther apart than some distance, but not by how much: finds out with as
    /// much work again, unless that was in vain of late.
    pub(super) fn lost(
        &mut self,
        pair: &TreePair<'_>,
        distance: f64,
        node_pairs: u64,
        scratch: &mut Scratch,
    ) {
        let (now, last) = (pair.placement(), self.last);
        (self.apart, self.last) = (None, Some(now));
        if self.wait > 0 {
            self.wait -= 1;
            return;
        }
        let Some(last) = last else { return };
        let lower = pair.lower_bound(node_pairs, scratch);
        let moved = lower - pair.distance_after(&last, lower);
        if lower - distance > FRAMES * moved {
            (self.apart, self.patience) = (Some((now, lower)), 0);
        } else {
            self.patience = (2 * self.patience + 1).min(MOST_PATIENCE);
            self.wait = self.patience;
        }
    }
}
