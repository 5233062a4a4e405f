//! Real roots of integer polynomials between 0 and 1, each alone in an interval, and exact signs at them.
//!
//! Sturm's theorem counts the distinct roots between two numbers by a chain of remainders. With `P' Q` in place of `P'`
//! the same count is the sum of the signs of `Q` at the roots of `P` (Tarski): with one root, the sign there, also if it
//! is zero. So no sign needs an interval that is narrow enough, and nothing needs a bound of root separation.

use super::polynomial::{Dyadic, Polynomial};
use super::{Sign, sign_of_float};
use std::ops::ControlFlow;

/// Polynomials with more coefficients are freed of common factors: cubics and what they are divided by are not.
const LONG: usize = 4;

/// A polynomial without multiple roots, and its chain.
#[derive(Debug)]
pub(crate) struct RootFinder {
    polynomial: Polynomial,
    chain: Chain,
}

/// A root of a polynomial, and nothing else of it, lies strictly between two numbers, or is both of them.
#[derive(Debug)]
pub(crate) struct Root<'a> {
    of: &'a Polynomial,
    lower: Dyadic,
    upper: Dyadic,
    /// The floats next to the root, below and above; equal if it is one.
    pub(crate) bracket: (f64, f64),
}

/// A sequence of polynomials, each up to a positive factor the negated remainder of the two before it.
#[derive(Debug)]
struct Chain(Vec<Polynomial>);

impl Chain {
    fn new(first: Polynomial, second: Polynomial) -> Chain {
        let mut chain = vec![first, second];
        while let [.., before, last] = &chain[..]
            && !last.is_zero()
        {
            let next = before.remainder(last).negated();
            // Common factors double the length from one to the next; in short chains finding them costs more than they do.
            let is_long = chain[0].len() > LONG;
            chain.push(if is_long { next.primitive() } else { next });
        }
        chain.pop();
        Chain(chain)
    }

    /// How often the signs at a point change from one polynomial to the next; zeros do not count.
    fn variations(&self, at: &Dyadic) -> i32 {
        let mut signs = self.0.iter().map(|p| p.sign_at(at)).filter(|sign| !sign.is_zero());
        let Some(mut last) = signs.next() else { return 0 };
        let mut count = 0;
        for sign in signs {
            count += i32::from(sign != last);
            last = sign;
        }
        count
    }
}

impl RootFinder {
    /// Has the roots of a polynomial that is not zero.
    pub(crate) fn new(polynomial: Polynomial) -> RootFinder {
        let derivative = polynomial.derivative();
        let chain = Chain::new(polynomial, derivative);
        // The last is the greatest common divisor: what multiple roots have too often.
        let (first, last) = (&chain.0[0], &chain.0[chain.0.len() - 1]);
        if last.is_constant() {
            return RootFinder { polynomial: first.clone(), chain };
        }
        let polynomial = first.quotient(last);
        let polynomial = if polynomial.len() > LONG { polynomial.primitive() } else { polynomial };
        let chain = Chain::new(polynomial.clone(), polynomial.derivative());
        RootFinder { polynomial, chain }
    }

    /// Shows the roots from 0 to 1 in ascending order until one breaks off.
    pub(crate) fn visit<B>(&self, mut visitor: impl FnMut(&Root<'_>) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.polynomial.sign_at(&0.0.into()).is_zero() {
            visitor(&self.exactly(0.0.into(), (0.0, 0.0)))?;
        }
        let counts = [0.0, 1.0].map(|x| self.chain.variations(&x.into()));
        self.visit_between([0.0, 1.0], counts, &mut visitor)
    }

    /// The roots above the first and up to the second of two floats, at which the chain has so many variations.
    fn visit_between<B>(
        &self,
        [lower, upper]: [f64; 2],
        variations: [i32; 2],
        visitor: &mut impl FnMut(&Root<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match variations[0] - variations[1] {
            0 => return ControlFlow::Continue(()),
            1 => return visitor(&self.narrowed(lower, upper)),
            _ => {}
        }
        if lower.next_up() >= upper {
            return self.visit_within_an_ulp((lower, upper), variations, visitor);
        }
        let middle = self.separator(lower, upper);
        let count = self.chain.variations(&middle.into());
        self.visit_between([lower, middle], [variations[0], count], visitor)?;
        self.visit_between([middle, upper], [count, variations[1]], visitor)
    }

    /// As before, for roots between neighbouring floats.
    fn visit_within_an_ulp<B>(
        &self,
        bracket: (f64, f64),
        variations: [i32; 2],
        visitor: &mut impl FnMut(&Root<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        // No recursion: roots of long integers may be thousands of halves close. Ends, since they have a distance.
        let mut waiting = vec![([bracket.0, bracket.1].map(Dyadic::from), variations)];
        while let Some(([lower, upper], variations)) = waiting.pop() {
            match variations[0] - variations[1] {
                0 => {}
                1 => visitor(&self.alone(lower, upper, bracket))?,
                _ => {
                    let middle = lower.midpoint(&upper);
                    let count = self.chain.variations(&middle);
                    waiting.push(([middle.clone(), upper], [count, variations[1]]));
                    waiting.push(([lower, middle], [variations[0], count]));
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The only root above a float and up to another, between neighbouring floats.
    fn narrowed(&self, lower: f64, upper: f64) -> Root<'_> {
        if self.polynomial.sign_at(&upper.into()).is_zero() {
            return self.exactly(upper.into(), (upper, upper));
        }
        let bracket = narrowed(&self.polynomial, sign_after(&self.polynomial, lower), lower, upper);
        match bracket.0 == bracket.1 {
            true => self.exactly(bracket.0.into(), bracket),
            false => self.alone(bracket.0.into(), bracket.1.into(), bracket),
        }
    }

    /// The only root above a number and up to another; the ends become those of an open interval.
    fn alone(&self, mut lower: Dyadic, mut upper: Dyadic, bracket: (f64, f64)) -> Root<'_> {
        let after = self.polynomial.sign_at(&upper);
        if after.is_zero() {
            // Inside an interval between neighbouring floats, or its upper end.
            let is_float = upper == Dyadic::from(bracket.1);
            return self.exactly(upper, if is_float { (bracket.1, bracket.1) } else { bracket });
        }
        // Ends: the root is above `lower`.
        while self.polynomial.sign_at(&lower).is_zero() {
            let middle = lower.midpoint(&upper);
            match self.polynomial.sign_at(&middle) {
                Sign::Zero => return self.exactly(middle, bracket),
                sign if sign == after => upper = middle,
                _ => lower = middle,
            }
        }
        Root { of: &self.polynomial, lower, upper, bracket }
    }

    fn exactly(&self, root: Dyadic, bracket: (f64, f64)) -> Root<'_> {
        Root { of: &self.polynomial, lower: root.clone(), upper: root, bracket }
    }

    /// A float strictly between two, if there is one, that likely separates roots.
    fn separator(&self, lower: f64, upper: f64) -> f64 {
        let [_, b, c, d] = self.polynomial.rounded();
        // An extremum of the polynomial, or its inflection if both are outside.
        let root = (c * c - 3.0 * b * d).max(0.0).sqrt();
        let far = -(c + if c < 0.0 { -root } else { root });
        let candidates = [far / (3.0 * d), b / far, -c / (3.0 * d), 0.5 * (lower + upper)];
        let width = upper - lower;
        let is_inside = |x: f64| x > lower + 0.01 * width && x < upper - 0.01 * width;
        let middle = || f64::from_bits(lower.to_bits().midpoint(upper.to_bits()));
        candidates.into_iter().find(|&x| is_inside(x)).unwrap_or_else(middle)
    }
}

/// The floats next to the only root strictly between two floats from 0 to 1; twice the root if it is a float.
///
/// The polynomial changes its sign there. It may have simple roots at both ends.
pub(crate) fn float_bracket(polynomial: &Polynomial, lower: f64, upper: f64) -> (f64, f64) {
    narrowed(polynomial, sign_after(polynomial, lower), lower, upper)
}

/// The sign right after a float from 0 to 1, which is no multiple root.
fn sign_after(polynomial: &Polynomial, x: f64) -> Sign {
    let here = polynomial.sign_at(&x.into());
    if here.is_zero() { polynomial.derivative().sign_at(&x.into()) } else { here }
}

/// As [`float_bracket`], for a polynomial with a given sign between the lower float and the root.
fn narrowed(polynomial: &Polynomial, before: Sign, lower: f64, upper: f64) -> (f64, f64) {
    // Floats from 0 to 1 are ordered as their bits.
    let (mut low, mut high) = (lower.to_bits(), upper.to_bits());
    let (mut moved_low, mut moved_high, mut step) = (false, false, 1);
    let mut next = proposal(polynomial, lower, upper).to_bits();
    while high - low > 1 {
        let probe = next.clamp(low + 1, high - 1);
        let at = f64::from_bits(probe);
        let sign = polynomial.sign_at(&at.into());
        if sign.is_zero() {
            return (at, at);
        }
        if sign == before {
            (low, moved_low, next) = (probe, true, probe.saturating_add(step));
        } else {
            (high, moved_high, next) = (probe, true, probe.saturating_sub(step));
        }
        // In steps that grow away from the proposal, then by halves.
        step = step.saturating_mul(4);
        if moved_low && moved_high {
            next = low.midpoint(high);
        }
    }
    (f64::from_bits(low), f64::from_bits(high))
}

/// A float near the only root between two, if rounding allows.
fn proposal(polynomial: &Polynomial, mut lower: f64, mut upper: f64) -> f64 {
    let [a, b, c, d] = polynomial.rounded();
    let value = |t: f64| a + t * (b + t * (c + t * d));
    let slope = |t: f64| b + t * (2.0 * c + t * 3.0 * d);
    let falls = value(lower) > value(upper);
    let mut t = 0.5 * (lower + upper);
    // Newton's steps as long as they stay inside, else halves; any number of them will do.
    for _ in 0..60 {
        let here = value(t);
        if (here > 0.0) == falls {
            lower = t
        } else {
            upper = t
        }
        let newton = t - here / slope(t);
        if newton == t {
            break;
        }
        t = if newton > lower && newton < upper { newton } else { 0.5 * (lower + upper) };
    }
    t
}

impl Root<'_> {
    /// The sign of another polynomial at the root.
    pub(crate) fn sign_of(&self, other: &Polynomial) -> Sign {
        if self.lower == self.upper || other.is_constant() {
            return other.sign_at(&self.lower);
        }
        let ends = [&self.lower, &self.upper].map(|end| other.sign_at(end));
        if ends[0] == ends[1] && !ends[0].is_zero() && !self.may_vanish_inside(other) {
            return ends[0];
        }
        let numerator = self.of.derivative().times(other).remainder(self.of);
        let chain = Chain::new(self.of.clone(), numerator);
        let sum = chain.variations(&self.lower) - chain.variations(&self.upper);
        if sum == 0 { Sign::Zero } else { sign_of_float(f64::from(sum)) }
    }

    /// False proves that a polynomial with the same sign at both ends has no root between them.
    fn may_vanish_inside(&self, other: &Polynomial) -> bool {
        // Between two roots the derivative has one: not so if it has the same sign at both ends and no turn between.
        let derivative = other.derivative();
        let ends = [&self.lower, &self.upper].map(|end| derivative.sign_at(end));
        other.len() > 3 || ends[0] != ends[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu::base::SquareRoot;
    use dashu::integer::{IBig, UBig};

    fn polynomial(coefficients: &[i64]) -> Polynomial {
        Polynomial::new(coefficients.iter().map(|&c| IBig::from(c)).collect::<Vec<_>>())
    }

    fn brackets(p: &Polynomial) -> Vec<(f64, f64)> {
        let mut all = Vec::new();
        let _ = RootFinder::new(p.clone()).visit(|root| {
            all.push(root.bracket);
            ControlFlow::<()>::Continue(())
        });
        all
    }

    /// `(a t - b)` for each pair.
    fn product(factors: &[(i64, i64)]) -> Polynomial {
        factors.iter().fold(polynomial(&[1]), |p, &(a, b)| p.times(&polynomial(&[-b, a])))
    }

    #[test]
    fn roots_are_found_in_order_with_both_ends_once_each() {
        assert_eq!(brackets(&product(&[(1, 1), (1, 0), (2, 1)])), [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0)]);
        assert_eq!(brackets(&product(&[(4, 1), (4, 1), (4, 1)])), [(0.25, 0.25)]);
        assert_eq!(brackets(&product(&[(2, 1), (4, 1), (2, 1)])), [(0.25, 0.25), (0.5, 0.5)]);
        assert_eq!(brackets(&product(&[(1, 2), (1, -1), (1, 3)])), []);
        assert_eq!(brackets(&polynomial(&[1, 0, 1])), []);
        assert_eq!(brackets(&polynomial(&[5])), []);
        let third: f64 = 1.0 / 3.0;
        assert_eq!(brackets(&product(&[(3, 1), (1, 5), (1, 0)])), [(0.0, 0.0), (third, third.next_up())]);
    }

    #[test]
    fn the_root_between_two_others_is_bracketed() {
        let p = product(&[(1, 0), (3, 1), (1, 1)]);
        assert_eq!(float_bracket(&p, 0.0, 1.0), (1.0 / 3.0, (1.0f64 / 3.0).next_up()));
        assert_eq!(float_bracket(&p.negated(), 0.0, 0.5), (1.0 / 3.0, (1.0f64 / 3.0).next_up()));
        assert_eq!(float_bracket(&product(&[(1, 0), (4, 1)]), 0.0, 1.0), (0.25, 0.25));
    }

    #[test]
    fn roots_closer_than_floats_are_told_apart() {
        // 1/3, 1/3 + 2^-61 / 3 and 1/3 + 2^-60 / 3: all between the same floats.
        let (one, big) = (IBig::ONE, IBig::ONE << 61);
        let factor = |b: IBig, a: IBig| Polynomial::new(vec![-b, a]);
        let near = factor(&big + &one, &big * 3);
        let nearer = factor(&big + 2, &big * 3);
        let p = polynomial(&[-1, 3]).times(&near).times(&nearer);
        let mut signs = Vec::new();
        let _ = RootFinder::new(p).visit(|root| {
            assert_eq!(root.bracket, ((1.0f64 / 3.0), (1.0f64 / 3.0).next_up()));
            signs.push(root.sign_of(&near));
            ControlFlow::<()>::Continue(())
        });
        assert_eq!(signs, [Sign::Negative, Sign::Zero, Sign::Positive]);
    }

    #[test]
    fn a_float_is_exact_also_beside_another_root() {
        // 1/2 - 2^-61 and 1/2, between neighbouring floats and at one.
        let big = IBig::ONE << 61;
        let p = Polynomial::new(vec![IBig::ONE - (&big >> 1), big]).times(&polynomial(&[-1, 2]));
        assert_eq!(brackets(&p), [(0.5f64.next_down(), 0.5), (0.5, 0.5)]);
    }

    #[test]
    fn tiny_roots_are_bracketed() {
        let big = IBig::ONE << 900;
        let p = Polynomial::new(vec![IBig::from(-1), big.clone() * 3])
            .times(&Polynomial::new(vec![-IBig::ONE, big]));
        let found = brackets(&p);
        assert_eq!(found.len(), 2);
        assert!(found[0].0 > 0.0 && found[0].0.next_up() == found[0].1 && found[0].1 < 0.5f64.powi(900));
        assert_eq!(found[1], (0.5f64.powi(900), 0.5f64.powi(900)));
    }

    #[test]
    fn signs_at_roots_are_exact_also_where_they_are_zero() {
        // 2 t^2 - 1 at sqrt(1/2); others with the same root, and with one very close to it.
        let root_of = polynomial(&[-1, 0, 2]);
        let finder = RootFinder::new(root_of.clone());
        let ask = |q: &Polynomial| {
            let mut sign = None;
            let _ = finder.visit(|root| {
                sign = Some(root.sign_of(q));
                ControlFlow::<()>::Continue(())
            });
            sign.expect("a root")
        };
        assert_eq!(ask(&root_of), Sign::Zero);
        assert_eq!(ask(&root_of.times(&polynomial(&[-1, 3]))), Sign::Zero);
        assert_eq!(ask(&polynomial(&[-5, 7])), Sign::Negative);
        // 665857/941664 is a convergent of sqrt(1/2), above it by 4e-13; 470832/665857 lies below.
        assert_eq!(ask(&polynomial(&[-665_857, 941_664])), Sign::Negative);
        assert_eq!(ask(&polynomial(&[-470_832, 665_857])), Sign::Positive);
        // Positive at both ends of the interval of one ulp, negative at the root between two of its own.
        let floor = IBig::from((UBig::ONE << 139).sqrt());
        let line = |b: &IBig| Polynomial::new(vec![-b, IBig::ONE << 70]);
        let dip = line(&floor).times(&line(&(&floor + IBig::ONE)));
        assert_eq!(ask(&dip), Sign::Negative);
        assert_eq!(ask(&dip.negated()), Sign::Positive);
    }
}
