//! The distance of two polytopes by integers alone: slow, total, and what settles the rest.
//!
//! Gilbert's algorithm again, but every number is an integer over a power of two and every sign is exact. Each round
//! comes strictly closer to zero and there are finitely many simplices, so it ends, at the truth.

use super::Bracket;
use super::exact::climb;
use super::johnson;
use crate::exact::{BigDirection, BigNumber, BigQuotient, BigVector, Vector, fraction, over_one_power};
use crate::witness::PosedPair;
use dashu::integer::IBig;

/// The nearest point of the Minkowski difference, exactly.
#[derive(Clone, Debug)]
pub(super) struct ExactNearest {
    /// The square of its distance from zero.
    pub distance_squared: BigQuotient,
    /// The way to it from zero, times a positive number; zero if it is zero.
    pub direction: BigVector,
    /// Corners of the smallest simplex that holds it, at most four; four only if zero is inside.
    pub pairs: Vec<(u32, u32)>,
    /// Their weights, rounded.
    pub weights: Vec<f64>,
}

impl ExactNearest {
    /// Whether it is zero: the bodies have a common point.
    pub fn is_common(&self) -> bool {
        self.distance_squared.compare(&BigNumber::from(0.0).into()).is_zero()
    }
}

/// The nearest point; `seeds`, one to four vertex pairs, change speed only.
pub(super) fn nearest(pair: &PosedPair<'_>, seeds: &[(u32, u32)]) -> ExactNearest {
    let mut pairs = seeds.to_vec();
    loop {
        let step = Step::new(pair, &pairs);
        pairs = step.pairs.clone();
        if step.point.is_zero() {
            return step.conclude();
        }
        let direction = BigDirection::from(step.point.clone());
        let up = |from, to| direction.dot_sign(Vector::Between(pair.at_a(from), pair.at_a(to)));
        let down = |from, to| -direction.dot_sign(Vector::Between(pair.at_b(from), pair.at_b(to)));
        // All corners are equally high. A climb takes steps that strictly descend in M, or none: then this is it.
        let first = pairs[0];
        let lowest = (climb(pair.a, first.0, up), climb(pair.b, first.1, down));
        if lowest == first {
            return step.conclude();
        }
        pairs.push(lowest);
    }
}

/// Whether the distance of two polytopes, less `radius`, lies in a bracket: exactly, by integers alone.
///
/// For whoever checks a bracket that someone else states; [`distance`](super::distance()) proves one in far less time.
/// `radius` is the sum of the radii by which the bodies are rounded, added up without rounding; where the cores are nearer to
/// each other than that, the distance is zero.
pub fn distance_lies_within(pair: &PosedPair<'_>, radii: [f64; 2], bracket: Bracket) -> bool {
    let squared = nearest(pair, &[(0, 0)]).distance_squared;
    let [radius_a, radius_b] = radii.map(BigNumber::from);
    let radius = radius_a.plus(&radius_b);
    // The distance less the radius is not negative iff the squares compare so: no root is taken.
    let is_at_least = |length: f64| {
        let reached = radius.plus(&BigNumber::from(length));
        !squared.compare(&reached.squared().into()).is_negative()
    };
    let is_at_most = |length: f64| {
        let reached = radius.plus(&BigNumber::from(length));
        !squared.compare(&reached.squared().into()).is_positive()
    };
    let is_bracket = 0.0 <= bracket.lower && bracket.lower <= bracket.upper && bracket.upper.is_finite();
    is_bracket && (bracket.lower == 0.0 || is_at_least(bracket.lower)) && is_at_most(bracket.upper)
}

/// A simplex reduced to the face that holds its nearest point.
struct Step {
    pairs: Vec<(u32, u32)>,
    weights: Vec<IBig>,
    /// The sum of the weights.
    total: IBig,
    /// The nearest point times `total`.
    point: BigVector,
}

impl Step {
    fn new(pair: &PosedPair<'_>, pairs: &[(u32, u32)]) -> Step {
        let differences: Vec<Vector<'_>> = pairs.iter().map(|&p| pair.difference(p)).collect();
        let (vectors, exponent) = over_one_power(&differences);
        let weights = johnson::nearest(&vectors).expect("exact numbers have a nearest face");
        let kept: Vec<usize> = (0..pairs.len()).filter(|&i| !weights[i].is_zero()).collect();
        let sum = |term: &dyn Fn(usize) -> IBig| kept.iter().fold(IBig::ZERO, |sum, &i| sum + term(i));
        let point = std::array::from_fn(|axis| sum(&|i| &weights[i] * &vectors[i][axis]));
        Step {
            pairs: kept.iter().map(|&i| pairs[i]).collect(),
            weights: kept.iter().map(|&i| weights[i].clone()).collect(),
            total: sum(&|i| weights[i].clone()),
            point: BigVector::new(point, exponent),
        }
    }

    fn conclude(self) -> ExactNearest {
        let weights = self.weights.iter().map(|w| fraction(w, &self.total)).collect();
        let numerator = self.point.dot(&self.point);
        let denominator = BigNumber::from(self.total).squared();
        let distance_squared = BigQuotient { numerator, denominator };
        ExactNearest { distance_squared, direction: self.point, pairs: self.pairs, weights }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Pose;
    use crate::shape::Polytope;
    use glam::DVec3;

    #[test]
    fn a_bracket_beside_the_truth_by_one_float_does_not_hold_it() {
        let [a, b] = [DVec3::ZERO, DVec3::new(1.0, 1.0, 0.0)].map(|p| Polytope::hull(&[p]).unwrap());
        let still = Pose::IDENTITY;
        let pair = PosedPair { a: &a, pose_a: &still, b: &b, pose_b: &still };
        let (below, above) = (2f64.sqrt().next_down(), 2f64.sqrt());
        for (radii, shift) in [([0.0, 0.0], 0.0), ([0.25, 0.125], 0.375)] {
            let holds = |lower: f64, upper: f64| {
                distance_lies_within(&pair, radii, Bracket { lower: lower - shift, upper: upper - shift })
            };
            assert!(holds(below, above) && holds(1.0, 2.0));
            assert!(!holds(below, below) && !holds(above, above) && !holds(above, below));
        }
        // The cores are nearer than the radii: the distance is zero.
        assert!(distance_lies_within(&pair, [1.0, 1.0], Bracket { lower: 0.0, upper: 0.0 }));
        assert!(!distance_lies_within(&pair, [1.0, 1.0], Bracket { lower: 0.1, upper: 0.2 }));
        assert!(distance_lies_within(&pair, [0.0, 0.0], Bracket { lower: 0.0, upper: f64::MAX }));
        assert!(!distance_lies_within(&pair, [0.0, 0.0], Bracket { lower: 0.0, upper: f64::INFINITY }));
    }
}
