//! A search for a separating direction in double precision: what [`super::separate`] leaves, and from corners that surrounded
//! zero in a similar frame.
//!
//! One step of separating vectors, then simplices; a direction that separates in floats is proved at once, in the world.

use super::relative::{Corner, Relative, VOLUME_ERROR};
use super::separating_vector::{Candidate, StepRule};
use super::subdistance::{Simplex, VertexPairs};
use super::view::View;
use glam::DVec3;

/// Simplices tried before the case is handed on; common pairs need four to seven.
const ROUNDS: usize = 40;

/// How far a direction is turned off ties: more than `f32` needs to see it.
const TILT: f64 = 1.0 / (1 << 16) as f64;

/// What the search ends with.
#[derive(Clone, Copy, Debug)]
pub(super) enum Proposal {
    /// Proved disjoint, with the simplex that the direction comes from, if any.
    Separated(Candidate, VertexPairs),
    /// Proved overlapping: a tetrahedron surrounds zero by more than rounding.
    Surrounded(VertexPairs),
    /// Nothing proved: a tetrahedron that seems to contain zero, or corners so close to zero that floats have no more
    /// to say.
    Ended(VertexPairs),
}

/// What became of a direction.
enum Tried {
    /// It separates, which is proved.
    Proved(Candidate),
    /// It does not: the lowest corner is on the other side of zero.
    Passed(Corner),
    /// It seems to separate, but not by more than rounding; this is the lowest corner.
    Unclear(Corner),
}

/// Searches from a direction in the frame of A; `count` is raised by the directions tried.
#[inline(always)]
pub(super) fn search(view: &View<'_>, pair: &Relative<'_>, start: DVec3, count: &mut usize) -> Proposal {
    search_on(view, pair, start, pair.lowest(start), count)
}

/// The same with the lowest corner along the direction.
#[inline(always)]
pub(super) fn search_on(
    view: &View<'_>,
    pair: &Relative<'_>,
    start: DVec3,
    corner: Corner,
    count: &mut usize,
) -> Proposal {
    *count += 1;
    let tried =
        if start.dot(corner.point) > 0.0 { prove(view, pair, start, corner) } else { Tried::Passed(corner) };
    let (corner, direction) = match tried {
        Tried::Proved(found) => return Proposal::Separated(found, VertexPairs::default()),
        Tried::Passed(corner) => (corner, StepRule::Greedy.next(start, &[corner.point]).unwrap_or(start)),
        Tried::Unclear(corner) => (corner, start),
    };
    close_in(view, pair, direction, &mut Simplex::new(corner.point, corner.vertices), count)
}

/// Searches from corners that settled a similar frame.
pub(super) fn search_again(
    view: &View<'_>,
    pair: &Relative<'_>,
    remembered: &VertexPairs,
    count: &mut usize,
) -> Proposal {
    let mut simplex = Simplex::EMPTY;
    for &vertices in remembered.as_slice() {
        simplex.push(pair.corner(vertices).point, vertices);
    }
    let nearest = simplex.nearest();
    simplex.keep(&nearest);
    let square = nearest.point().length_squared();
    // Where zero is no closer to the part than to its corners, the bodies have moved too far for them to be of use.
    let is_close = |corner: &DVec3| corner.length_squared() > 4.0 * square;
    match simplex.len {
        4 if nearest.surrounds_by(VOLUME_ERROR) => Proposal::Surrounded(simplex.vertices()),
        4 => Proposal::Ended(simplex.vertices()),
        1 | 2 if !simplex.points[..simplex.len].iter().all(is_close) => {
            search(view, pair, pair.first_direction(), count)
        }
        _ if square > 0.0 => close_in(view, pair, nearest.direction, &mut simplex, count),
        _ => Proposal::Ended(simplex.vertices()),
    }
}

/// Simplices from a direction and the at most three corners that it comes from.
#[inline(never)]
fn close_in(
    view: &View<'_>,
    pair: &Relative<'_>,
    start: DVec3,
    simplex: &mut Simplex,
    count: &mut usize,
) -> Proposal {
    let mut direction = start;
    for _ in 0..ROUNDS {
        *count += 1;
        let corner = pair.lowest(direction);
        let gap = direction.dot(corner.point);
        let is_ahead = gap > 0.0 || simplex.has(corner.vertices);
        let tried =
            match tilted(direction, &corner, gap, simplex).map(|tilted| prove(view, pair, tilted, corner)) {
                Some(Tried::Proved(found)) => Tried::Proved(found),
                Some(Tried::Passed(other)) if !simplex.has(other.vertices) => Tried::Passed(other),
                _ if is_ahead => prove(view, pair, direction, corner),
                _ => Tried::Passed(corner),
            };
        let corner = match tried {
            Tried::Proved(found) => return Proposal::Separated(found, simplex.vertices()),
            Tried::Passed(corner) | Tried::Unclear(corner) => corner,
        };
        if simplex.has(corner.vertices) {
            break;
        }
        simplex.push(corner.point, corner.vertices);
        let nearest = simplex.nearest();
        simplex.keep(&nearest);
        if nearest.surrounds_by(VOLUME_ERROR) {
            return Proposal::Surrounded(simplex.vertices());
        }
        direction = nearest.direction;
        // Also for NaN.
        let is_outside = direction.length_squared() > 0.0;
        if !is_outside {
            break;
        }
    }
    Proposal::Ended(simplex.vertices())
}

/// A direction that separates, turned a little so that the lowest corner is lowest alone.
///
/// The direction of a simplex is the normal of a face, or of two edges: vertices are tied along it, in this frame and, where
/// it moves with a body, in the next ones. To prove that no vertex lies beyond tied ones takes a walk around all of them
/// where one look at a block would do: without ties bodies of 20 vertices near each other take a third less. `None` if that would take more than half of the gap, or there is none.
#[inline]
fn tilted(direction: DVec3, corner: &Corner, gap: f64, simplex: &Simplex) -> Option<DVec3> {
    if simplex.len < 2 || gap <= 0.0 {
        return None;
    }
    let points = &simplex.points[..simplex.len];
    let away = corner.point - points.iter().sum::<DVec3>() / points.len() as f64;
    let tilted = direction - away * (TILT * (direction.length_squared() / away.length_squared()).sqrt());
    (tilted.dot(corner.point) > 0.5 * gap).then_some(tilted)
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
    let corner = pair.corner(vertices);
    if support.gap < 0.0 { Tried::Passed(corner) } else { Tried::Unclear(corner) }
}
