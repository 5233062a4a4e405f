//! The proof that the line of motion enters `M = B - A` through a facet: exact signs of determinants.
//!
//! With the normal `n` of three vertices `m0, m1, m2` of `M`: if no neighbour of `m0`'s vertices lies below the plane, no
//! vertex of `M` does, because bodies are convex. So there is no contact before `s = n . m0 / -(n . w)`; and there is one
//! at that time if the line passes through the triangle, which three determinants with `w` decide.

use super::passage::Moving;
use crate::exact::{Sign, Vector, det_sign};
use crate::witness::Side;

/// What three vertex pairs span.
pub(super) struct Span {
    /// From vertex to vertex of a body.
    pub edges: [(Side, u32, u32); 2],
    /// Vertices of A and B that are known to lie in the plane of the first.
    pub known: [[u32; 3]; 2],
}

impl Span {
    /// Of three pairs that share all but one or two vertices, as those of a facet in general position do.
    #[inline]
    pub fn new(pairs: [(u32, u32); 3]) -> Option<Span> {
        let known = [pairs.map(|p| p.0), pairs.map(|p| p.1)];
        let [a, b] = known;
        let is_one = |v: [u32; 3]| v[0] == v[1] && v[1] == v[2];
        if is_one(b) {
            return Some(Span { edges: [(Side::A, a[0], a[1]), (Side::A, a[0], a[2])], known });
        }
        if is_one(a) {
            return Some(Span { edges: [(Side::B, b[0], b[1]), (Side::B, b[0], b[2])], known });
        }
        let ends = |v: [u32; 3]| match v {
            [x, y, z] if x == y => Some([x, z]),
            [x, y, z] if z == x || z == y => Some([x, y]),
            _ => None,
        };
        let ([a0, a1], [b0, b1]) = (ends(a)?, ends(b)?);
        Some(Span { edges: [(Side::A, a0, a1), (Side::B, b0, b1)], known })
    }
}

impl Span {
    /// Whether exact signs prove that the line enters `M` through the plane, after the start.
    pub fn is_entered(&self, moving: &Moving<'_>, pairs: [(u32, u32); 3]) -> bool {
        let [e, f] = self
            .edges
            .map(|(side, from, to)| Vector::Between(moving.pair.at(side, from), moving.pair.at(side, to)));
        let velocity = moving.velocity;
        let span = match det_sign(e, f, velocity) {
            Sign::Negative => [e, f],
            Sign::Positive => [f, e],
            Sign::Zero => return false,
        };
        let [p, q, r] = pairs.map(|pair| moving.pair.difference(pair));
        if !supports(span, moving, Side::A, &self.known[0])
            || !supports(span, moving, Side::B, &self.known[1])
            || !det_sign(span[0], span[1], p).is_positive()
        {
            return false;
        }
        let turns = [det_sign(velocity, p, q), det_sign(velocity, q, r), det_sign(velocity, r, p)];
        !(turns.contains(&Sign::Positive) && turns.contains(&Sign::Negative))
    }
}

/// Whether no neighbour of the first vertex lies beyond the plane.
fn supports([e, f]: [Vector<'_>; 2], moving: &Moving<'_>, side: Side, known: &[u32; 3]) -> bool {
    let (vertex, beyond) = (known[0], if side == Side::A { Sign::Positive } else { Sign::Negative });
    let here = moving.pair.at(side, vertex);
    let neighbours = moving.pair.polytope(side).neighbours(vertex as usize);
    let is_beyond = |&to: &u32| det_sign(e, f, Vector::Between(here, moving.pair.at(side, to))) == beyond;
    !neighbours.iter().filter(|to| !known.contains(to)).any(is_beyond)
}
