//! The separating vector algorithm [Chung96 §3.2]: reflect the direction until it separates.
//!
//! Symbols of the paper: `S` the direction, `p`, `q` the supporting vertices of A along `S` and of B against it,
//! `m = q - p`, `r = m / |m|`. Here `S` need not be of length one.
//!
//! Differs from the paper: 1. a step that fails for want of precision is no answer; what is not proved is handed
//! on. 2. `m = 0` is a common vertex, for which (3.2) has no direction. 3. Whether bodies collide is not decided
//! here but by [`super::gjk`], which shares the supports, and exactly by [`super::exact`].

use super::view::{Support, View};
use glam::DVec3;

/// How the next direction is made from the last one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepRule {
    /// `S - 2 (r . S) r` (3.2): the mirror image; spheres are separated after one step.
    Greedy,
    /// `S - (r . S) r` (3.5): perpendicular to `r`; never jumps past the closest points.
    Conservative,
    /// `S - (1 + alpha) (r . S) r`: between the two; 1 is greedy, 0 conservative.
    ///
    /// The paper's blend (3.9) normalises the conservative direction before mixing; without that the family is the
    /// same and needs no root.
    Blend(f64),
}

impl StepRule {
    /// The multiple of the projection on `r` that is taken off.
    #[inline]
    fn factor(self) -> f64 {
        match self {
            StepRule::Greedy => 2.0,
            StepRule::Conservative => 1.0,
            StepRule::Blend(alpha) => 1.0 + alpha,
        }
    }

    /// The next direction, or `None` where the vertices coincide or rounding leaves nothing.
    #[inline]
    pub fn next(self, direction: DVec3, difference: DVec3) -> Option<DVec3> {
        let length_squared = difference.length_squared();
        let along = self.factor() * direction.dot(difference) / length_squared;
        let next = direction - along * difference;
        // Also false for NaN, which `0 / 0` and overflow lead to.
        (next.length_squared() > 0.0 && next.is_finite()).then_some(next)
    }
}

/// A direction and the vertices that support the bodies along it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub direction: DVec3,
    pub vertex_a: u32,
    pub vertex_b: u32,
}

/// How the search ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    /// Proved disjoint, along this direction.
    Separated(Candidate),
    /// Not separated within the steps allowed: nothing is proved, but this is close to a separating direction if
    /// there is one.
    Open(Candidate),
}

/// Searches from a direction and hints for at most `steps` steps; `count` is raised by the steps taken.
pub(super) fn search(
    view: &View<'_>,
    rule: StepRule,
    start: Candidate,
    steps: usize,
    count: &mut usize,
) -> Found {
    let mut at = start;
    for _ in 0..steps {
        *count += 1;
        let Support { vertex_a, vertex_b, proves_disjoint, gap } =
            view.support(at.direction, (at.vertex_a, at.vertex_b));
        at = Candidate { vertex_a, vertex_b, ..at };
        if proves_disjoint {
            return Found::Separated(at);
        }
        // Not separated by less than rounding: another step would turn away from a good direction.
        if gap >= 0.0 {
            break;
        }
        match rule.next(at.direction, view.difference(vertex_a, vertex_b)) {
            Some(direction) => at.direction = direction,
            None => break,
        }
    }
    Found::Open(at)
}
