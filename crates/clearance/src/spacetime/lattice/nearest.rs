//! The nearest points of two vertex sets by Wolfe's algorithm, in exact numbers.

use super::flat::combination;
use super::hierarchy::PrismVertex;
use super::linear::{Rational, Vector, along, minus};

/// A point of the difference of two prisms as a mean of differences of vertices, that are affinely independent; the
/// nearest to zero of their hull.
#[derive(Clone, Debug)]
pub(super) struct Mean {
    terms: Vec<Term>,
    /// The point itself: that of the first prism minus that of the second.
    pub point: Vector,
}

/// A difference of two vertices, with a positive weight; weights add up to 1.
#[derive(Clone, Debug)]
struct Term {
    vertices: [PrismVertex; 2],
    difference: Vector,
    weight: Rational,
}

impl Mean {
    /// The difference of two vertices.
    pub fn new(vertices: [PrismVertex; 2], difference: Vector) -> Mean {
        let point = difference.clone();
        Mean { terms: vec![Term { vertices, difference, weight: Rational::ONE }], point }
    }

    /// Whether the two prisms share this point.
    pub fn is_zero(&self) -> bool {
        self.point.iter().all(Rational::is_zero)
    }

    /// The vertices of one of the prisms with their weights.
    pub fn weighted(&self, side: usize) -> impl Iterator<Item = (PrismVertex, &Rational)> {
        self.terms.iter().map(move |term| (term.vertices[side], &term.weight))
    }

    /// Moves to the point nearest to zero of the hull of the terms and one more difference, which must be nearer along
    /// the point: `point . difference < point . point`. Returns how many systems of equations were solved.
    ///
    /// Wolfe 1976: the nearest point of the flat through all is taken if it is inside their hull; else one goes
    /// towards it until a weight vanishes, leaves that term out, and tries again. In exact numbers every call ends
    /// nearer to zero than it began, and there are finitely many sets of terms. All terms are at the same height
    /// along the point and the new one is not, so they stay affinely independent: no system is singular.
    pub fn add(&mut self, vertices: [PrismVertex; 2], difference: Vector) -> u64 {
        self.terms.push(Term { vertices, difference, weight: Rational::ZERO });
        let mut solved = 0;
        loop {
            solved += 1;
            let weights = self.flat_weights();
            if weights.iter().all(|w| *w > Rational::ZERO) {
                self.terms.iter_mut().zip(weights).for_each(|(term, w)| term.weight = w);
                break;
            }
            self.approach(&weights);
        }
        self.point = self.terms.iter().fold(vec![Rational::ZERO; self.point.len()], |sum, term| {
            along(&sum, &term.weight, &term.difference)
        });
        solved
    }

    /// The weights of the point nearest to zero in the flat through the terms.
    fn flat_weights(&self) -> Vec<Rational> {
        let (first, others) = self.terms.split_first().expect("a mean has terms");
        let spans: Vec<Vector> = others.iter().map(|t| minus(&t.difference, &first.difference)).collect();
        let target: Vector = first.difference.iter().map(|x| -x).collect();
        let of_others = combination(&spans.iter().collect::<Vec<_>>(), &target).expect("independent terms");
        let of_first = of_others.iter().fold(Rational::ONE, |rest, w| rest - w);
        [of_first].into_iter().chain(of_others).collect()
    }

    /// Goes towards weights, of which some are not positive, until the first weight vanishes, and drops its term.
    fn approach(&mut self, weights: &[Rational]) {
        let step =
            |(term, w): (&Term, &Rational)| (*w <= Rational::ZERO).then(|| &term.weight / (&term.weight - w));
        // A term without weight that should get none is dropped at once: `0 / 0` does not arise.
        let is_idle = |term: &Term, w: &Rational| term.weight.is_zero() && *w <= Rational::ZERO;
        if let Some(idle) = self.terms.iter().zip(weights).position(|(term, w)| is_idle(term, w)) {
            self.terms.remove(idle);
            return;
        }
        let steps = self.terms.iter().zip(weights).filter_map(step);
        let step = steps.reduce(|a, b| if b < a { b } else { a }).unwrap_or(Rational::ONE);
        for (term, w) in self.terms.iter_mut().zip(weights) {
            term.weight = &term.weight + &step * (w - &term.weight);
        }
        self.terms.retain(|term| !term.weight.is_zero());
    }
}
