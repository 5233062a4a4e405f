//! A distance while it is measured: the nearest triangles so far, and who judges what is as near.

use super::query::{MeshDistance, MeshPair, RELATIVE_WIDTH};
use super::resume::{Verdict, Visit};
use super::{Bound, Crossing, Gap, Nearer, Scratch};

/// What floats cannot settle about the triangles of two meshes.
pub(crate) trait Judge {
    /// Whether two triangles have a common point.
    fn do_meet(&mut self, a: u32, b: u32) -> bool;

    /// These are the nearest so far; whether others may be held against them from now on.
    fn nearest(&mut self, _a: u32, _b: u32) -> bool {
        false
    }

    /// Whether a triangle of A is known to lie behind the nearest point of A, seen from B; with one of B that lies beyond, it
    /// is no nearer than the nearest two were.
    fn is_behind(&mut self, _a: u32) -> bool {
        false
    }

    /// The same for a triangle of B.
    fn is_beyond(&mut self, _b: u32) -> bool {
        false
    }

    /// No triangles of which that was said are nearer to each other.
    fn settled(&self) -> f64 {
        f64::INFINITY
    }
}

/// Decides about contacts alone.
pub(super) struct Contacts<F>(pub F);

impl<F: FnMut(u32, u32) -> bool> Judge for Contacts<F> {
    fn do_meet(&mut self, a: u32, b: u32) -> bool {
        (self.0)(a, b)
    }
}

/// The nearest triangles so far.
pub(super) struct Measuring<'a, J, B> {
    pair: &'a MeshPair<'a, B>,
    pub judge: &'a mut J,
    /// Whether there is something to hold triangles against.
    is_judged: bool,
    /// A lower bound of what was looked at, and of the last two triangles if it is known.
    pub lower: f64,
    seen: f64,
    pub best: Option<MeshDistance>,
    pub candidates: Vec<(f64, u32, u32)>,
    pub leaves: [JudgedLeaves; 2],
}

/// The first triangles of leaves of one body, and whether all of the leaf lie behind the nearest point, or beyond.
pub(super) type JudgedLeaves = Vec<(u32, bool)>;

impl<'a, J: Judge, B: Bound> Measuring<'a, J, B> {
    pub fn new(pair: &'a MeshPair<'a, B>, judge: &'a mut J, scratch: &mut Scratch) -> Measuring<'a, J, B> {
        let (mut candidates, mut leaves) =
            (std::mem::take(&mut scratch.candidates), std::mem::take(&mut scratch.judged));
        candidates.clear();
        leaves.iter_mut().for_each(Vec::clear);
        Measuring {
            pair,
            judge,
            is_judged: false,
            lower: f64::INFINITY,
            seen: 0.0,
            best: None,
            candidates,
            leaves,
        }
    }

    /// Looks at two triangles; what they prove if they are nearer than a limit.
    pub fn look(&mut self, a: u32, b: u32, limit: f64) -> Option<Nearer> {
        if self.is_judged && self.judge.is_behind(a) && self.judge.is_beyond(b) {
            return None;
        }
        let trees = self.pair.trees();
        let corners = self.pair.corners_of((a, b));
        // Most pairs share the nearest point, or almost: the direction that belongs to it proves them no nearer.
        if let Some(MeshDistance { gap: nearest, .. }) = self.best {
            let proved = trees.apart_along(&corners, nearest.point_b - nearest.point_a);
            if proved >= (1.0 - 2.0 * RELATIVE_WIDTH) * limit {
                (self.lower, self.seen) = (self.lower.min(proved), proved);
                self.candidates.push((proved, a, b));
                return None;
            }
        }
        let mut gap = trees.gap_of(&corners);
        let meets = gap.lower == 0.0
            && match corners.crossing() {
                Crossing::Apart => false,
                Crossing::Crossing => true,
                Crossing::Unclear => self.judge.do_meet(a, b),
            };
        if meets {
            gap = Gap { lower: 0.0, upper: 0.0, point_b: gap.point_a, ..gap };
        }
        (self.lower, self.seen) = (self.lower.min(gap.lower), gap.lower);
        if gap.lower < limit {
            self.candidates.push((gap.lower, a, b));
        }
        if gap.upper >= limit {
            return None;
        }
        self.best = Some(MeshDistance { triangles: (a, b), gap });
        Some(Nearer { distance: gap.upper, direction: gap.point_b - gap.point_a })
    }

    /// From now on triangles are held against the nearest ones so far. To prepare that costs as much as looking at several, so it
    /// pays if no others will be nearer.
    pub fn judge_by_best(&mut self) {
        if let Some(MeshDistance { triangles: (a, b), .. }) = self.best {
            self.is_judged = self.judge.nearest(a, b);
        }
    }
}

impl<J: Judge, B: Bound> Visit for Measuring<'_, J, B> {
    fn visit(&mut self, a: u32, b: u32, limit: f64) -> Verdict {
        self.seen = 0.0;
        self.look(a, b, limit).map_or(Verdict::Pass(self.seen), Verdict::Nearer)
    }

    fn settles(&mut self, a: &[u32], b: &[u32]) -> bool {
        let Measuring { judge, leaves: [leaves_a, leaves_b], .. } = self;
        self.is_judged
            && known(leaves_a, a[0], || a.iter().all(|&a| judge.is_behind(a)))
            && known(leaves_b, b[0], || b.iter().all(|&b| judge.is_beyond(b)))
    }
}

/// What is known about a leaf, found out the first time.
fn known(leaves: &mut JudgedLeaves, leaf: u32, find: impl FnOnce() -> bool) -> bool {
    if let Some((_, is_behind)) = leaves.iter().find(|(first, _)| *first == leaf) {
        return *is_behind;
    }
    let is_behind = find();
    leaves.push((leaf, is_behind));
    is_behind
}
