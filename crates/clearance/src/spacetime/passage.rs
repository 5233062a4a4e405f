//! Where the line of relative motion enters the Minkowski difference, by exact signs alone: slow, total, and what settles
//! what floats leave open.
//!
//! Bodies meet at `s = t - t0` iff `-s w` is in `M = B - A`, with `w` the velocity of B seen from A. The program of
//! [`super::program`] is solved for a few vertices of `M`; if its proof fails for a vertex of `M`, that vertex is added.
//! `M` has finitely many vertices and none is added twice, so this ends, whatever the dimensions of the bodies and however
//! the line grazes them.

use super::integer::{Integer3, dot};
use super::program::{Made, Solution, solve};
use super::time::quotient;
use crate::exact::{BigDirection, BigVector, Cone, Ray, Sign, Vector, det_sign, over_one_power};
use crate::pair::climb;
use crate::witness::{PosedPair, Side};
use dashu::rational::RBig;

/// A pair in relative motion.
#[derive(Clone, Copy)]
pub(super) struct Moving<'a> {
    pub pair: PosedPair<'a>,
    /// The velocity of B seen from A; not zero.
    pub velocity: Vector<'a>,
}

/// What the line does.
pub(super) enum Passage {
    /// It misses `M`: a direction across the motion that is positive on `M`.
    Beside(Proof),
    /// It enters `M` at `s`, through a plane whose normal is `proof.direction`.
    Enters { s: RBig, proof: Proof },
}

/// A direction and what it is made of.
#[derive(Clone, Debug)]
pub(super) struct Proof {
    pub made: Made,
    /// What `made` refers to.
    pub pairs: Vec<(u32, u32)>,
    pub direction: Integer3,
    /// A vertex pair lowest along the direction.
    pub lowest: (u32, u32),
}

impl<'a> Moving<'a> {
    /// The same with time reversed.
    pub fn reversed(&self) -> Moving<'a> {
        let velocity = match self.velocity {
            Vector::Literal(v) => Vector::Literal(-v),
            Vector::Between(from, to) => Vector::Between(to, from),
        };
        Moving { velocity, ..*self }
    }

    /// The lowest vertex pair of `M` along a direction, exactly, walking from another.
    pub fn lowest(&self, direction: impl Fn(Vector<'_>) -> Sign, from: (u32, u32)) -> (u32, u32) {
        let pair = &self.pair;
        let up = |from, to| direction(Vector::Between(pair.at_a(from), pair.at_a(to)));
        let down = |from, to| -direction(Vector::Between(pair.at_b(from), pair.at_b(to)));
        (climb(pair.a, from.0, up), climb(pair.b, from.1, down))
    }

    /// Where the line enters `M`; `seeds` are vertex pairs that are likely to matter, and change speed only.
    pub fn passage(&self, seeds: &[(u32, u32)]) -> Passage {
        let (w, w_exponent) = over_one_power(&[self.velocity]);
        let w = &w[0];
        let mut pairs = distinct(seeds);
        loop {
            let differences: Vec<Vector<'_>> = pairs.iter().map(|&p| self.pair.difference(p)).collect();
            let (points, exponent) = over_one_power(&differences);
            let (made, direction, is_beside) = match solve(&points, w) {
                Solution::Beside(made, direction) => (made, direction, true),
                Solution::Through(made, direction) => (made, direction, false),
            };
            let along = BigDirection::from(BigVector::new(direction.clone(), 0));
            let lowest = self.lowest(|v| along.dot_sign(v), pairs[made.point()]);
            let is_proved = if is_beside {
                along.dot_sign(self.pair.difference(lowest)).is_positive()
            } else {
                !self.rise(&direction, pairs[made.point()], lowest).is_negative()
            };
            if !is_proved {
                debug_assert!(!pairs.contains(&lowest));
                pairs.push(lowest);
                continue;
            }
            let (height, slope) = (dot(&direction, &points[made.point()]), dot(&direction, w));
            let proof = Proof { made, pairs, direction, lowest };
            return match is_beside {
                true => Passage::Beside(proof),
                false => Passage::Enters { s: quotient(height, -slope, exponent - w_exponent), proof },
            };
        }
    }

    /// The sign of `direction . (m_to - m_from)`.
    fn rise(&self, direction: &Integer3, from: (u32, u32), to: (u32, u32)) -> Sign {
        let [from, to] = [from, to].map(|p| BigVector::from(self.pair.difference(p)));
        BigVector::new(direction.clone(), 0).dot(&to.minus(&from)).sign()
    }

    /// Whether the line meets the inside of `M`: then the bodies overlap at some time, be it before or after the motion.
    pub fn meets_inside(&self, proof: &Proof) -> bool {
        let pair = &self.pair;
        if !has_inside(pair) {
            return false;
        }
        if let Made::Facet(corners) = proof.made
            && self.passes_within(corners.map(|i| proof.pairs[i]))
        {
            return true;
        }
        // Directions across the motion that are not negative on `M`: none but zero iff the line meets the inside.
        let mut cone: Cone<'_> = [self.velocity, self.reversed().velocity].into_iter().collect();
        let mut at = proof.lowest;
        proof.pairs.iter().for_each(|&known| cone.push(pair.difference(known)));
        loop {
            let rays: Vec<Ray<'_>> = cone.rays().to_vec();
            let below = rays.iter().find_map(|ray| {
                at = self.lowest(|v| ray.dot_sign(v), at);
                ray.dot_sign(pair.difference(at)).is_negative().then_some(at)
            });
            match below {
                Some(found) => cone.push(pair.difference(found)),
                None => return cone.is_zero(),
            }
        }
    }
}

impl Moving<'_> {
    /// Whether the line passes through the inside of a triangle, seen along the motion.
    fn passes_within(&self, corners: [(u32, u32); 3]) -> bool {
        let [p, q, r] = corners.map(|corner| self.pair.difference(corner));
        let turn = det_sign(self.velocity, p, q);
        !turn.is_zero() && det_sign(self.velocity, q, r) == turn && det_sign(self.velocity, r, p) == turn
    }
}

/// Whether `B - A` has an inside.
pub(super) fn has_inside(pair: &PosedPair<'_>) -> bool {
    if pair.a.dimension() == 3 || pair.b.dimension() == 3 {
        return true;
    }
    // The edges at one vertex span a polygon or segment.
    let edges = [Side::A, Side::B].into_iter().flat_map(|side| {
        let neighbours = pair.polytope(side).neighbours(0);
        neighbours.iter().map(move |&to| Vector::Between(pair.at(side, 0), pair.at(side, to)))
    });
    edges.collect::<Cone<'_>>().rank() == 3
}

fn distinct(seeds: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut pairs: Vec<(u32, u32)> = seeds.to_vec();
    pairs.sort_unstable();
    pairs.dedup();
    if pairs.is_empty() {
        pairs.push((0, 0));
    }
    pairs
}
