//! The proof that the line of motion enters `M = B - A` through a facet: exact signs of determinants.
//!
//! With the normal `n` of three vertices `m0, m1, m2` of `M`: if no neighbour of `m0`'s vertices lies below the plane, no
//! vertex of `M` does, because bodies are convex. So there is no contact before `s = n . m0 / -(n . w)`; and there is one
//! at that time if the line passes through the triangle, which three determinants with `w` decide.

use super::passage::Moving;
use crate::exact::{Sign, Vector, det_sign};
use crate::math::round::{UNIT_ROUNDOFF, power_of_two};
use crate::triangle::vector_size;
use crate::witness::Side;
use glam::DVec3;

/// A proved entry.
pub(super) struct Facet<'a> {
    pub pairs: [(u32, u32); 3],
    /// The normal is the vector product of these.
    span: [Vector<'a>; 2],
    gap: Vector<'a>,
    velocity: Vector<'a>,
}

/// What three vertex pairs span.
struct Span<'a> {
    vectors: [Vector<'a>; 2],
    /// Vertices of A and B that are known to lie in the plane of the first.
    known: [[u32; 3]; 2],
}

impl<'a> Span<'a> {
    /// Of three pairs that share all but one or two vertices, as those of a facet in general position do.
    fn new(moving: &Moving<'a>, pairs: [(u32, u32); 3]) -> Option<Span<'a>> {
        let known = [pairs.map(|p| p.0), pairs.map(|p| p.1)];
        let [a, b] = known;
        let edge =
            |side: Side, from, to| Vector::Between(moving.pair.at(side, from), moving.pair.at(side, to));
        let is_one = |v: [u32; 3]| v[0] == v[1] && v[1] == v[2];
        if is_one(b) {
            return Some(Span { vectors: [edge(Side::A, a[0], a[1]), edge(Side::A, a[0], a[2])], known });
        }
        if is_one(a) {
            return Some(Span { vectors: [edge(Side::B, b[0], b[1]), edge(Side::B, b[0], b[2])], known });
        }
        let ends = |v: [u32; 3]| match v {
            [x, y, z] if x == y => Some([x, z]),
            [x, y, z] if z == x || z == y => Some([x, y]),
            _ => None,
        };
        let ([a0, a1], [b0, b1]) = (ends(a)?, ends(b)?);
        Some(Span { vectors: [edge(Side::A, a0, a1), edge(Side::B, b0, b1)], known })
    }
}

impl<'a> Facet<'a> {
    /// Proves a proposal; `None` if it is no facet that the line enters through, or one whose entry is not after the start.
    pub fn prove(moving: &Moving<'a>, pairs: [(u32, u32); 3]) -> Option<Facet<'a>> {
        let Span { vectors: [e, f], known } = Span::new(moving, pairs)?;
        let velocity = moving.velocity;
        let span = match det_sign(e, f, velocity) {
            Sign::Negative => [e, f],
            Sign::Positive => [f, e],
            Sign::Zero => return None,
        };
        let facet = Facet { pairs, span, gap: moving.pair.difference(pairs[0]), velocity };
        let supports =
            facet.supports(moving, Side::A, &known[0]) && facet.supports(moving, Side::B, &known[1]);
        if !supports || !det_sign(span[0], span[1], facet.gap).is_positive() {
            return None;
        }
        let [p, q, r] = pairs.map(|pair| moving.pair.difference(pair));
        let turns = [det_sign(velocity, p, q), det_sign(velocity, q, r), det_sign(velocity, r, p)];
        let (left, right) = (turns.contains(&Sign::Positive), turns.contains(&Sign::Negative));
        (!(left && right)).then_some(facet)
    }

    /// Whether no neighbour of the first vertex lies beyond the plane.
    fn supports(&self, moving: &Moving<'a>, side: Side, known: &[u32; 3]) -> bool {
        let (vertex, beyond) = (known[0], if side == Side::A { Sign::Positive } else { Sign::Negative });
        let here = moving.pair.at(side, vertex);
        let neighbours = moving.pair.polytope(side).neighbours(vertex as usize);
        let [e, f] = self.span;
        let is_beyond = |&to: &u32| det_sign(e, f, Vector::Between(here, moving.pair.at(side, to))) == beyond;
        !neighbours.iter().filter(|to| !known.contains(to)).any(is_beyond)
    }

    /// The normal against the motion, from A to B, rounded; any length.
    pub fn normal(&self) -> DVec3 {
        let [e, f] = self.span.map(|v| v.rounded());
        e.cross(f)
    }

    /// Floats around `s`; `None` where they say nothing.
    ///
    /// Determinants err by `150u` times the three sizes, as in [`det_sign`]; the quotient and its bounds by `8u` relative.
    pub fn bracket(&self) -> Option<(f64, f64)> {
        let normal = self.normal();
        let area = self.span.map(vector_size).iter().product::<f64>();
        let (height, slope) = (normal.dot(self.gap.rounded()), -normal.dot(self.velocity.rounded()));
        let error = |v: Vector<'_>| 152.0 * UNIT_ROUNDOFF * area * vector_size(v);
        let (height_error, slope_error) = (error(self.gap), error(self.velocity));
        let is_sound = height_error > UNDERFLOW_GUARD && slope_error > UNDERFLOW_GUARD;
        if !is_sound || slope <= slope_error || !slope.is_finite() || !height.is_finite() {
            return None;
        }
        let lower = (height - height_error) / (slope + slope_error) * (1.0 - 8.0 * UNIT_ROUNDOFF);
        let upper = (height + height_error) / (slope - slope_error) * (1.0 + 8.0 * UNIT_ROUNDOFF);
        Some((lower.max(0.0), upper))
    }
}

/// Below this, errors may hide what underflow has lost.
const UNDERFLOW_GUARD: f64 = power_of_two(-900);
