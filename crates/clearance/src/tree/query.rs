//! Meshes under poses: do they meet, are they near, how far apart are they, where do they meet.
//!
//! Floats with proved error bounds settle what they can; what they leave open goes to a closure that decides exactly.

use super::coherence::UseOfFront;
use super::expand::Entry;
use super::measuring::{Contacts, Judge, Measuring};
use super::pair::Corners;
use super::resume::{Each, Reach, Resume, Verdict};
use super::tile::{Overlap, Square};
use super::{Bound, Coherence, Crossing, Gap, Scratch, Slabs, Tree, TreePair};
use crate::math::Pose;
use crate::shape::Mesh;
use glam::DVec3;
use std::ops::ControlFlow;

/// A mesh, its tree and where it is.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a, B = Slabs> {
    /// The mesh.
    pub mesh: &'a Mesh,
    /// Its tree.
    pub tree: &'a Tree<B>,
    /// Where it is.
    pub pose: &'a Pose,
}

/// Two meshes under two poses, as sets of triangles: what is inside of solids is not looked at.
///
/// Closures `meet(a, b)` are asked about pairs of triangles that floats leave open; they decide exactly.
#[derive(Clone, Copy, Debug)]
pub struct MeshPair<'a, B = Slabs> {
    trees: TreePair<'a, B>,
    mesh_a: &'a Mesh,
    mesh_b: &'a Mesh,
}

/// The distance of two meshes: a proved bracket, and triangles and points that realise its upper end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshDistance {
    /// The nearest triangles found.
    pub triangles: (u32, u32),
    /// The bracket, and points on these triangles.
    pub gap: Gap,
}

/// Ends a walk at the first pair that a test accepts.
fn breaking(accept: &mut impl FnMut(u32, u32) -> bool) -> impl FnMut(u32, u32) -> ControlFlow<(u32, u32)> {
    |a, b| if accept(a, b) { ControlFlow::Break((a, b)) } else { ControlFlow::Continue(()) }
}

/// Relative width of distances beyond that of the bracket of one pair of triangles.
pub(super) const RELATIVE_WIDTH: f64 = 1e-13;

impl<'a, B: Bound> MeshPair<'a, B> {
    /// The pair. Panics if a tree is over another number of triangles than its mesh.
    pub fn new(a: Placed<'a, B>, b: Placed<'a, B>) -> MeshPair<'a, B> {
        for body in [&a, &b] {
            assert_eq!(body.tree.triangle_count(), body.mesh.triangles().len(), "a tree of another mesh");
        }
        MeshPair { trees: TreePair::new(a.tree, a.pose, b.tree, b.pose), mesh_a: a.mesh, mesh_b: b.mesh }
    }

    /// The trees of the pair.
    pub fn trees(&self) -> &TreePair<'a, B> {
        &self.trees
    }

    fn corners(&self, (a, b): (u32, u32)) -> ([DVec3; 3], [DVec3; 3]) {
        (self.mesh_a.triangle(a as usize), self.mesh_b.triangle(b as usize))
    }

    /// The corners of two triangles where they are.
    pub(super) fn corners_of(&self, triangles: (u32, u32)) -> Corners {
        let (a, b) = self.corners(triangles);
        self.trees.corners(a, b)
    }

    /// What floats know about two triangles.
    pub fn crossing(&self, triangles: (u32, u32)) -> Crossing {
        let (a, b) = self.corners(triangles);
        self.trees.crossing(a, b)
    }

    /// The distance of two triangles.
    pub fn gap(&self, triangles: (u32, u32)) -> Gap {
        let (a, b) = self.corners(triangles);
        self.trees.gap(a, b)
    }

    /// Two triangles with a point in common, or `None` if there are none.
    pub fn meeting(
        &self,
        coherence: &mut Coherence,
        scratch: &mut Scratch,
        mut meet: impl FnMut(u32, u32) -> bool,
    ) -> Option<(u32, u32)> {
        self.first(0.0, coherence, scratch, |a, b| match self.crossing((a, b)) {
            Crossing::Apart => false,
            Crossing::Crossing => true,
            Crossing::Unclear => meet(a, b),
        })
    }

    /// Two triangles at most a distance apart, or `None` if there are none; `within` decides about pairs whose
    /// bracket holds the distance.
    pub fn within(
        &self,
        distance: f64,
        coherence: &mut Coherence,
        scratch: &mut Scratch,
        mut within: impl FnMut(u32, u32) -> bool,
    ) -> Option<(u32, u32)> {
        self.first(distance, coherence, scratch, |a, b| {
            let gap = self.gap((a, b));
            gap.lower <= distance && (gap.upper <= distance || within(a, b))
        })
    }

    /// The first pair of triangles that a test accepts, where it accepts none farther apart than a distance.
    fn first(
        &self,
        distance: f64,
        coherence: &mut Coherence,
        scratch: &mut Scratch,
        mut accept: impl FnMut(u32, u32) -> bool,
    ) -> Option<(u32, u32)> {
        let trees = &self.trees;
        coherence.begin(trees);
        if coherence.proves_apart(trees, distance) {
            return None;
        }
        let mut found = coherence.witness.filter(|&(a, b)| accept(a, b));
        // Where triangles met that no longer do, their neighbours most often do.
        if found.is_none()
            && let Some((a, b)) = coherence.leaves
        {
            let start = Entry { key: f64::NEG_INFINITY, a, b };
            found = trees.traverse_below(start, distance, scratch, breaking(&mut accept)).break_value();
        }
        if found.is_none() {
            if let Some(bound) = coherence.bound_to_try(trees, distance) {
                let is_proved = self.proves(bound, coherence, scratch);
                coherence.tried(is_proved);
                if is_proved {
                    coherence.lost(trees, Some(bound));
                    return None;
                }
            }
            let before = scratch.stats;
            found = self.any(distance, coherence, scratch, accept);
            coherence.leaves = found.map(|_| scratch.leaves);
            coherence.walked(&before, &scratch.stats);
        }
        match found {
            Some(witness) => coherence.found(trees, witness),
            None => coherence.lost(trees, None),
        }
        found
    }

    /// Whether no triangles are within a distance; with a front, as far as it tells: to adapt it to distances that are not asked
    /// about would make it finer than it need be.
    fn proves(&self, distance: f64, coherence: &mut Coherence, scratch: &mut Scratch) -> bool {
        let Some(front) = coherence.front(&self.trees, UseOfFront::Bound) else {
            return self.trees.traverse(distance, scratch, |_, _| ControlFlow::Break(())).is_continue();
        };
        let (reach, visit) = (Reach { limit: distance, relative_width: 0.0 }, Each(|_, _, _| Verdict::Stop));
        Resume::<Square, _, B>::new(&self.trees, reach, None, visit).holds(front, scratch)
    }

    /// As `first`, by what is remembered of the trees if that helps.
    fn any(
        &self,
        distance: f64,
        coherence: &mut Coherence,
        scratch: &mut Scratch,
        mut accept: impl FnMut(u32, u32) -> bool,
    ) -> Option<(u32, u32)> {
        let Some(front) = coherence.front(&self.trees, UseOfFront::Bound) else {
            return self.trees.traverse(distance, scratch, breaking(&mut accept)).break_value();
        };
        let (mut found, reach) = (None, Reach { limit: distance, relative_width: 0.0 });
        let visit = Each(|a: u32, b: u32, _: f64| {
            found = accept(a, b).then_some((a, b));
            if found.is_some() { Verdict::Stop } else { Verdict::Pass(0.0) }
        });
        if distance > 0.0 {
            Resume::<Square, _, B>::new(&self.trees, reach, None, visit).run(front, scratch);
        } else {
            Resume::<Overlap, _, B>::new(&self.trees, reach, None, visit).run(front, scratch);
        }
        found
    }

    /// The distance; zero if triangles meet.
    ///
    /// Afterwards [`Scratch::candidates`] holds every pair of triangles that may be nearest.
    pub fn distance(
        &self,
        coherence: &mut Coherence,
        scratch: &mut Scratch,
        meet: impl FnMut(u32, u32) -> bool,
    ) -> MeshDistance {
        self.distance_by(coherence, scratch, &mut Contacts(meet))
    }

    /// The same, with more help than about contacts; pairs that were settled by it are not among the candidates.
    pub(crate) fn distance_by(
        &self,
        coherence: &mut Coherence,
        scratch: &mut Scratch,
        judge: &mut impl Judge,
    ) -> MeshDistance {
        coherence.begin(&self.trees);
        let mut measuring = Measuring::new(self, judge, scratch);
        let is_steady = coherence.is_steady();
        let start = coherence.witness.and_then(|(a, b)| measuring.look(a, b, f64::INFINITY));
        let limit = match (start, coherence.front(&self.trees, UseOfFront::Distance)) {
            (Some(_), Some(front)) => {
                if is_steady {
                    measuring.judge_by_best();
                }
                let reach = Reach { limit: f64::INFINITY, relative_width: RELATIVE_WIDTH };
                Resume::<Square, _, B>::new(&self.trees, reach, start, &mut measuring).run(front, scratch)
            }
            _ => {
                let look = |a: u32, b: u32, limit: f64| measuring.look(a, b, limit);
                self.trees.nearest(start, RELATIVE_WIDTH, scratch, look)
            }
        };
        let Measuring { judge, lower, best, candidates, leaves, .. } = measuring;
        let lower = lower.min(judge.settled());
        (scratch.candidates, scratch.judged) = (candidates, leaves);
        // Distances of triangles are finite, so at least one pair was looked at.
        let mut best = best.unwrap_or_else(|| MeshDistance { triangles: (0, 0), gap: self.gap((0, 0)) });
        best.gap.lower = lower.min((1.0 - 2.0 * RELATIVE_WIDTH) * limit);
        coherence.measured(&self.trees, best.triangles, best.gap.lower);
        best
    }
}
