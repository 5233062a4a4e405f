//! The proof that bodies do not meet during a motion: a direction that separates A from all that B sweeps.

use super::integer::{Integer3, cross, dot, is_zero, minus, negated, sign};
use super::passage::Proof;
use super::program::Made;
use super::translation::Translation;
use crate::exact::{BigDirection, BigVector, Sign, Vector, over_one_power};
use crate::witness::{Direction, PosedPair, Side, WitnessDefect};
use dashu::integer::IBig;

/// A direction in the world frame, exact; `m` stands for the difference `b - a` of a vertex pair and `w` for the velocity of
/// B seen from A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SweptDirection {
    /// One that needs no motion to be named.
    Still(Direction),
    /// `(m1 - m0) x (m2 - m0)`.
    Facet([(u32, u32); 3]),
    /// `(w x e) x e` with `e = m1 - m0`.
    Edge([(u32, u32); 2]),
    /// `-(w x e) x e`.
    EdgeReversed([(u32, u32); 2]),
    /// `-w`.
    Against,
    /// `w`.
    Along,
    /// `w x (m1 - m0)`.
    Across([(u32, u32); 2]),
    /// `(w x m) x w`.
    Away((u32, u32)),
}

/// A direction along which every point of B lies above every point of A from the start of a motion to its end.
///
/// The vertices are the highest of A and the lowest of B; they are so at all times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweptSeparation {
    /// From A to B.
    pub direction: SweptDirection,
    /// A highest vertex of A.
    pub vertex_a: u32,
    /// A lowest vertex of B.
    pub vertex_b: u32,
}

impl SweptDirection {
    pub(super) fn of(proof: &Proof) -> SweptDirection {
        let pair = |i: usize| proof.pairs[i];
        match proof.made {
            Made::Facet(corners) => SweptDirection::Facet(corners.map(pair)),
            Made::Edge(ends) => SweptDirection::Edge(ends.map(pair)),
            Made::Top(_) => SweptDirection::Against,
            Made::Across(ends) => SweptDirection::Across(ends.map(pair)),
            Made::Away(i) => SweptDirection::Away(pair(i)),
        }
    }

    fn vertex_pairs(&self) -> &[(u32, u32)] {
        match self {
            SweptDirection::Still(_) | SweptDirection::Against | SweptDirection::Along => &[],
            SweptDirection::Facet(pairs) => pairs,
            SweptDirection::Edge(pairs)
            | SweptDirection::EdgeReversed(pairs)
            | SweptDirection::Across(pairs) => pairs,
            SweptDirection::Away(pair) => std::slice::from_ref(pair),
        }
    }

    /// The direction in integers, of any length.
    fn integers(&self, pair: &PosedPair<'_>, velocity: Vector<'_>) -> Integer3 {
        let (w, _) = over_one_power(&[velocity]);
        let w = &w[0];
        let differences: Vec<Vector<'_>> = self.vertex_pairs().iter().map(|&p| pair.difference(p)).collect();
        let (m, _) = over_one_power(&differences);
        let edge = |i: usize| minus(&m[i], &m[0]);
        match self {
            SweptDirection::Still(direction) => still_integers(direction, pair),
            SweptDirection::Facet(_) => cross(&edge(1), &edge(2)),
            SweptDirection::Edge(_) => cross(&cross(w, &edge(1)), &edge(1)),
            SweptDirection::EdgeReversed(_) => cross(&edge(1), &cross(w, &edge(1))),
            SweptDirection::Against => negated(w),
            SweptDirection::Along => w.clone(),
            SweptDirection::Across(_) => cross(w, &edge(1)),
            SweptDirection::Away(_) => cross(&cross(w, &m[0]), w),
        }
    }
}

impl SweptSeparation {
    /// Checks the proof by exact signs over all vertices, independently of how it was found.
    pub fn check(&self, pair: &PosedPair<'_>, motion: &Translation) -> Result<(), WitnessDefect> {
        let velocity = motion.relative_velocity();
        for &(a, b) in self.direction.vertex_pairs().iter().chain(&[(self.vertex_a, self.vertex_b)]) {
            for (side, vertex) in [(Side::A, a), (Side::B, b)] {
                if vertex as usize >= pair.polytope(side).vertices().len() {
                    return Err(WitnessDefect::NoSuchVertex { side, vertex });
                }
            }
        }
        let checked = match self.direction {
            SweptDirection::Still(Direction::Vector(v)) if !v.is_finite() => {
                return Err(WitnessDefect::ZeroDirection);
            }
            direction => direction.integers(pair, velocity),
        };
        if is_zero(&checked) {
            return Err(WitnessDefect::ZeroDirection);
        }
        let along = BigDirection::from(BigVector::new(checked.clone(), 0));
        self.check_supports(pair, |v| along.dot_sign(v))?;
        let gap = pair.difference((self.vertex_a, self.vertex_b));
        let is_apart = along.dot_sign(gap).is_positive() && gap_at_end(&checked, gap, motion).is_positive();
        if is_apart { Ok(()) } else { Err(WitnessDefect::NegativeGap) }
    }

    fn check_supports(
        &self,
        pair: &PosedPair<'_>,
        along: impl Fn(Vector<'_>) -> Sign,
    ) -> Result<(), WitnessDefect> {
        for (side, support, beyond) in
            [(Side::A, self.vertex_a, Sign::Positive), (Side::B, self.vertex_b, Sign::Negative)]
        {
            let top = pair.at(side, support);
            let mut vertices = 0..pair.polytope(side).vertices().len() as u32;
            let is_beyond = |&v: &u32| along(Vector::Between(top, pair.at(side, v))) == beyond;
            if let Some(vertex) = vertices.find(is_beyond) {
                return Err(WitnessDefect::NotSupporting { side, vertex });
            }
        }
        Ok(())
    }
}

/// The sign of `d . (gap + (t1 - t0) w)`.
fn gap_at_end(direction: &Integer3, gap: Vector<'_>, motion: &Translation) -> Sign {
    let (gap, gap_exponent) = over_one_power(&[gap]);
    let (w, w_exponent) = over_one_power(&[motion.relative_velocity()]);
    let height = super::time::quotient(dot(direction, &gap[0]), IBig::ONE, gap_exponent);
    let slope = super::time::quotient(dot(direction, &w[0]), IBig::ONE, w_exponent);
    let duration = super::time::rational(motion.t1()) - super::time::rational(motion.t0());
    let end = height + slope * duration;
    sign(end.numerator())
}

/// A direction that needs no motion, in integers.
pub(super) fn still_integers(direction: &Direction, pair: &PosedPair<'_>) -> Integer3 {
    let edge = |side, [from, to]: [u32; 2]| {
        over_one_power(&[Vector::Between(pair.at(side, from), pair.at(side, to))]).0.remove(0)
    };
    let literal = |v| over_one_power(&[Vector::Literal(v)]).0.remove(0);
    match *direction {
        Direction::Vector(v) => literal(v),
        Direction::FaceNormal(side, [v0, v1, v2]) => {
            let vectors = [v1, v2].map(|v| Vector::Between(pair.at(side, v0), pair.at(side, v)));
            let (vectors, _) = over_one_power(&vectors);
            cross(&vectors[0], &vectors[1])
        }
        Direction::EdgeCross(edge_a, edge_b) => cross(&edge(Side::A, edge_a), &edge(Side::B, edge_b)),
        Direction::EdgeAxis(side, ends, axis) => {
            cross(&edge(side, ends), &literal(glam::DVec3::AXES[axis as usize]))
        }
        Direction::Difference(a, b) => over_one_power(&[pair.difference((a, b))]).0.remove(0),
    }
}
