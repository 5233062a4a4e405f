//! The default search for a separating direction: one step of separating vectors, then simplices.
//!
//! Most disjoint pairs are separated by the first direction or its mirror image [Chung96 §6.2.1]; the corner found
//! first is where simplices start. (More mirror images before simplices cost more than they save, on fresh scenes of every
//! shape and size.) A direction that separates in floats is proved at once, in the world.

use super::gjk::Simplex;
use super::relative::{Corner, Relative};
use super::separating_vector::{Candidate, StepRule};
use super::view::View;
use glam::DVec3;

/// Simplices tried before the case is handed on; common pairs need four to seven.
const ROUNDS: usize = 40;

/// What the search ends with.
#[derive(Clone, Copy, Debug)]
pub(super) enum Proposal {
    /// Proved disjoint.
    Separated(Candidate),
    /// A tetrahedron that seems to contain zero.
    Contains(Simplex),
    /// Neither within the rounds allowed, or too close to call.
    Open(Simplex),
}

/// What became of a direction.
enum Tried {
    /// It separates, which is proved.
    Proved(Candidate),
    /// It does not: the lowest corner is on the other side of zero.
    Passed(Corner),
    /// It seems to separate, but not by more than rounding.
    Unclear,
}

/// Searches from a direction in the frame of A; `count` is raised by the directions tried.
pub(super) fn search(view: &View<'_>, pair: &Relative<'_>, start: DVec3, count: &mut usize) -> Proposal {
    *count += 1;
    let (mut direction, mut simplex) = (start, Simplex::EMPTY);
    let corner = pair.lowest(start);
    let tried =
        if start.dot(corner.point) > 0.0 { prove(view, pair, start, corner) } else { Tried::Passed(corner) };
    match tried {
        Tried::Proved(found) => return Proposal::Separated(found),
        Tried::Passed(corner) => {
            simplex.push(corner);
            direction = StepRule::Greedy.next(start, corner.point, DVec3::ZERO).unwrap_or(start);
        }
        Tried::Unclear => {}
    }
    close_in(view, pair, direction, simplex, count)
}

/// Simplices from a direction and at most three corners.
pub(super) fn close_in(
    view: &View<'_>,
    pair: &Relative<'_>,
    start: DVec3,
    known: Simplex,
    count: &mut usize,
) -> Proposal {
    let (mut direction, mut simplex) = (start, known);
    if simplex.corners().len() > 1 {
        direction = simplex.toward_zero().map_or(start, |next| -next);
    }
    for _ in 0..ROUNDS {
        *count += 1;
        let corner = pair.lowest(direction);
        let is_ahead = direction.dot(corner.point) > 0.0 || simplex.has(corner.vertices);
        let corner = match is_ahead.then(|| prove(view, pair, direction, corner)) {
            None => corner,
            Some(Tried::Proved(found)) => return Proposal::Separated(found),
            Some(Tried::Passed(corner)) if !simplex.has(corner.vertices) => corner,
            Some(_) => return Proposal::Open(simplex),
        };
        simplex.push(corner);
        match simplex.toward_zero() {
            // Also false for NaN.
            Some(next) if next.length_squared() > 0.0 => direction = -next,
            Some(_) => return Proposal::Open(simplex),
            None => return Proposal::Contains(simplex),
        }
    }
    Proposal::Open(simplex)
}

/// Asks the world about a direction that seems to separate.
#[inline]
fn prove(view: &View<'_>, pair: &Relative<'_>, direction: DVec3, corner: Corner) -> Tried {
    let direction = pair.to_world(direction);
    let support = view.support(direction, corner.vertices);
    let vertices = (support.vertex_a, support.vertex_b);
    if support.proves_disjoint {
        return Tried::Proved(Candidate { direction, vertex_a: vertices.0, vertex_b: vertices.1 });
    }
    // Lower vertices than the proposed ones, which are lowest only up to the rounding of `f32`.
    if support.gap < 0.0 { Tried::Passed(pair.corner(vertices)) } else { Tried::Unclear }
}
