//! The separating vector algorithm [Chung96 ch. 3 and 4]: reflect the direction until it separates.
//!
//! Symbols of the paper: `S` the direction, `p`, `q` the supporting vertices of A along `S` and of B against it,
//! `m = q - p`, `r = m / |m|`, `w` the normal of a half-space that holds all `r` so far. `S` need not be of length one.
//!
//! Differs from the paper:
//! 1. A direction is accepted when its gap is proved positive, not when a float is; contact is no separation.
//! 2. `m = 0`, a common vertex, has no `r`: the search ends open.
//! 3. Lemmas 3 and 8 hold for exact numbers. Where they would conclude and the float gap does not, precision has run
//!    out: the search ends open, and exact signs decide.
//! 4. That no half-space is left is a proposal of floats too, for the caller to prove.
//! 5. Lemma 3 is about two steps of one search. Appendix III also compares the first step with the vertices remembered from the last
//!    frame, and would call bodies apart that have begun to meet.

use super::hemisphere::{Bisector, HalfPlanes, Hemisphere};
use super::view::View;
use crate::math::Pose;
use crate::support::SupportMap;
use crate::witness::Separation;
use glam::DVec3;
use rustc_hash::FxHashSet;

/// How the next direction is made from the last one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepRule {
    /// `S - 2 (r . S) r` (3.2): the mirror image; spheres are separated after one step.
    Greedy,
    /// `S - (r . S) r` (3.5): perpendicular to `r`; never jumps past the closest points.
    Conservative,
    /// `<alpha S_G + (1 - alpha) S_C>` (3.9), where `S_G` is the greedy direction (3.2), `S_C` the conservative one (3.5), and `<x>` is
    /// `x / |x|`; alpha from 0 to 1.
    Blend(f64),
    /// The same with an alpha chosen anew for each step: `1 - (r . S)^2` for the first, then `(1 - r_i . r_(i-1)) / 2`.
    ///
    /// The paper leaves open how to choose alpha. Here the first direction is mirrored the less, the deeper the bodies overlap along
    /// it, and later ones the less, the closer a difference is to the one before. That lowers the step count, but hardly (see
    /// docs/papers.md): what (3.9) lacks is not the right alpha, but what earlier steps have found.
    Adaptive,
    /// Mirrored at the last `r`, as the greedy one, and then at every earlier `r` that it is against, until it is against none.
    ///
    /// Not in the paper. Each mirror image is closer to all directions that separate (Lemma 2). One that is against no difference
    /// seen so far finds a new one, separates, or is perpendicular to the one that comes back: Lemma 8 at every step. So in exact
    /// numbers a difference comes back only with a gap of zero, which bodies that touch may have, and in floats only with one below
    /// rounding. It is the relaxation method for linear inequalities of Motzkin and Schoenberg (1954), of which (3.2) is one step.
    ///
    /// That method has no end where no direction separates: after 16 mirrors the normal of the half-space that holds all
    /// differences is taken instead. Bodies that are apart hardly ever come to that, those that overlap often (docs/papers.md).
    Mirrored,
}

/// Mirrors in a step beside the greedy one, after which the half-space's normal takes the direction's place.
const MOST_MIRRORS: usize = 16;

impl StepRule {
    /// The next direction after the differences seen so far, the last of which is that of `direction`. `None` where its vertices
    /// coincide, rounding leaves nothing, or mirrors do not come to an end.
    #[inline]
    pub fn next(self, direction: DVec3, seen: &[DVec3]) -> Option<DVec3> {
        let (&last, earlier) = seen.split_last()?;
        let next = match self {
            StepRule::Greedy => mirror(direction, last),
            StepRule::Conservative => conservative(direction, last),
            StepRule::Blend(alpha) => blend(alpha, direction, last),
            StepRule::Adaptive => blend(adaptive_alpha(direction, last, earlier.last()), direction, last),
            StepRule::Mirrored => mirrored(mirror(direction, last), seen)?,
        };
        // Also false for NaN, which `0 / 0` and overflow lead to.
        (next.length_squared() > 0.0 && next.is_finite()).then_some(next)
    }
}

#[inline]
fn mirror(direction: DVec3, difference: DVec3) -> DVec3 {
    direction - 2.0 * along(direction, difference) * difference
}

fn conservative(direction: DVec3, difference: DVec3) -> DVec3 {
    direction - along(direction, difference) * difference
}

/// `(S . r) r` in units of the difference.
#[inline]
fn along(direction: DVec3, difference: DVec3) -> f64 {
    direction.dot(difference) / difference.length_squared()
}

fn blend(alpha: f64, direction: DVec3, difference: DVec3) -> DVec3 {
    let [greedy, conservative] = [mirror(direction, difference), conservative(direction, difference)];
    alpha * greedy.normalize_or_zero() + (1.0 - alpha) * conservative.normalize_or_zero()
}

fn adaptive_alpha(direction: DVec3, difference: DVec3, previous: Option<&DVec3>) -> f64 {
    let cosine = |v: DVec3, w: DVec3| v.dot(w) / (v.length() * w.length());
    let alpha = match previous {
        None => 1.0 - cosine(direction, difference).powi(2),
        Some(&previous) => 0.5 - 0.5 * cosine(difference, previous),
    };
    alpha.clamp(0.0, 1.0)
}

fn mirrored(mut direction: DVec3, seen: &[DVec3]) -> Option<DVec3> {
    for _ in 0..MOST_MIRRORS {
        match seen.iter().find(|difference| direction.dot(**difference) < 0.0) {
            Some(&difference) => direction = mirror(direction, difference),
            None => return Some(direction),
        }
    }
    None
}

/// The first direction when nothing is remembered [Chung96 §3.4].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartRule {
    /// From the centroid of A to that of B; the paper's choice.
    Centroids,
    /// From the centre of A's box to that of B's, boxes in the frames of the bodies.
    Boxes,
    /// The coordinate axis along which the boxes of the posed bodies overlap least.
    LeastOverlap,
}

/// How it is noticed that no direction is left [Chung96 §4.2].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HemisphereMethod {
    /// One normal, repaired in `O(k)`: §4.2.1, the paper's choice.
    Bisector,
    /// All normals, as a cone: §4.2.2.
    HalfPlanes,
}

/// What the search remembers and is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeparatingVectorConfig {
    /// How directions follow each other.
    pub step: StepRule,
    /// Where to begin.
    pub start: StartRule,
    /// How collisions are noticed.
    pub hemisphere: HemisphereMethod,
}

impl SeparatingVectorConfig {
    /// The paper's choices.
    pub const CHUNG: SeparatingVectorConfig = SeparatingVectorConfig {
        step: StepRule::Greedy,
        start: StartRule::Centroids,
        hemisphere: HemisphereMethod::Bisector,
    };
}

impl Default for SeparatingVectorConfig {
    /// The paper's choices, but for mirrored steps.
    fn default() -> SeparatingVectorConfig {
        SeparatingVectorConfig { step: StepRule::Mirrored, ..SeparatingVectorConfig::CHUNG }
    }
}

/// How a search ended, with the number of steps `k` of the paper and how often a vertex pair came back.
#[derive(Clone, Debug, PartialEq)]
pub struct SeparatingVectorResult {
    /// What was found.
    pub outcome: SeparatingVectorOutcome,
    /// Directions tried.
    pub steps: usize,
    /// Vertex pairs that were visited before.
    pub recurrences: usize,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub enum SeparatingVectorOutcome {
    /// Proved disjoint.
    Separated(Separation),
    /// No half-space holds the differences of these vertex pairs, so far as floats can tell: a collision.
    Surrounded(Vec<(u32, u32)>),
    /// Too close to contact for floats.
    Open(Vec<(u32, u32)>),
}

/// A direction and the vertices that support the bodies along it: what is kept from frame to frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// In the world frame, from A to B.
    pub direction: DVec3,
    /// Of A.
    pub vertex_a: u32,
    /// Of B.
    pub vertex_b: u32,
}

impl Candidate {
    /// A start from nothing.
    fn cold(view: &View<'_>, rule: StartRule) -> Candidate {
        let direction = match rule {
            StartRule::Centroids => view.between_centroids(),
            StartRule::Boxes => view.between_boxes(),
            StartRule::LeastOverlap => view.least_overlap_axis(),
        };
        let (vertex_a, vertex_b) = view.starts(direction);
        Candidate { direction, vertex_a, vertex_b }
    }
}

/// The paper's algorithm to its end, with or without a remembered start.
///
/// It ends because every step visits a new vertex of the Minkowski difference, is followed by one that does, or is the
/// last; there is no limit on steps.
pub fn separating_vector(
    a: &SupportMap,
    pose_a: &Pose,
    b: &SupportMap,
    pose_b: &Pose,
    config: &SeparatingVectorConfig,
    remembered: Option<Candidate>,
) -> SeparatingVectorResult {
    let view = View::new(a, pose_a, b, pose_b);
    let valid = |c: &Candidate| view.has_vertices((c.vertex_a, c.vertex_b)) && c.direction.is_finite();
    let start = remembered.filter(valid).unwrap_or_else(|| Candidate::cold(&view, config.start));
    match config.hemisphere {
        HemisphereMethod::Bisector => run::<Bisector>(&view, config.step, start),
        HemisphereMethod::HalfPlanes => run::<HalfPlanes<'_>>(&view, config.step, start),
    }
}

fn run<'a, H: Hemisphere<'a>>(view: &View<'a>, rule: StepRule, start: Candidate) -> SeparatingVectorResult {
    let mut at = start;
    let (mut hemisphere, mut normal, mut tried_normal) = (H::default(), DVec3::ZERO, false);
    let (mut visited, mut pairs, mut seen) = (FxHashSet::default(), Vec::new(), Vec::new());
    let (mut steps, mut recurrences) = (0, 0);
    let outcome = loop {
        steps += 1;
        let support = view.support(at.direction, (at.vertex_a, at.vertex_b));
        at = Candidate { vertex_a: support.vertex_a, vertex_b: support.vertex_b, ..at };
        if support.proves_disjoint {
            break SeparatingVectorOutcome::Separated(super::exact::supported(&view.pair(), at));
        }
        let pair = (at.vertex_a, at.vertex_b);
        let next = if visited.insert(pair) {
            pairs.push(pair);
            match hemisphere.add(view.pair().difference(pair)) {
                Some(found) => normal = found,
                None => break SeparatingVectorOutcome::Surrounded(pairs),
            }
            tried_normal = false;
            seen.push(view.difference(pair.0, pair.1));
            Some(rule.next(at.direction, &seen).unwrap_or(normal))
        } else {
            recurrences += 1;
            // Lemma 8: the normal is non-negative on all visited pairs, so a second recurrence would separate.
            (!std::mem::replace(&mut tried_normal, true)).then_some(normal)
        };
        match next.filter(|_| support.gap < 0.0) {
            Some(direction) => at.direction = direction,
            None => break SeparatingVectorOutcome::Open(pairs),
        }
    };
    SeparatingVectorResult { outcome, steps, recurrences }
}
