//! Where a body is, and where it is as seen from another, in any numbers that a formula can be computed with.
//!
//! With points of the plane as complex numbers a rigid step is `x -> o + r x`, and `r = u^2 / |u|^2 e^(i angle)` with
//! `u = 1 + i h`, `h` the tangent of half the rational part of the angle. Denominators are squares plus one and are kept
//! apart: signs do not need them. What is left are sums of polynomials of time, each times `e^(i angle)` of an angle that is
//! linear in time.

use super::Step;
use crate::kinetic::dyadic::Dyadic;
use crate::kinetic::ring::{Complex, Ring};

/// `constant + rate t` in radians, `t` the time itself.
#[derive(Clone, Debug)]
pub(crate) struct Angle {
    pub(crate) constant: Dyadic,
    pub(crate) rate: Dyadic,
}

impl Angle {
    pub(crate) fn zero() -> Angle {
        Angle { constant: Dyadic::from(0.0), rate: Dyadic::from(0.0) }
    }

    fn of(step: &Step, start: f64) -> Angle {
        let rate = Dyadic::from(step.rate);
        Angle { constant: Dyadic::from(step.angle).minus(&rate.product(&start.into())), rate }
    }

    fn plus(&self, other: &Angle) -> Angle {
        Angle { constant: self.constant.plus(&other.constant), rate: self.rate.plus(&other.rate) }
    }

    fn negated(&self) -> Angle {
        Angle { constant: self.constant.negated(), rate: self.rate.negated() }
    }

    fn is_equal(&self, other: &Angle) -> bool {
        self.constant.minus(&other.constant).is_zero() && self.rate.minus(&other.rate).is_zero()
    }

    /// Whether it is zero at all times.
    pub(crate) fn is_zero(&self) -> bool {
        self.constant.is_zero() && self.rate.is_zero()
    }

    /// Its exact value at a time.
    pub(crate) fn at(&self, t: &Dyadic) -> Dyadic {
        self.constant.plus(&self.rate.product(t))
    }
}

/// `factor e^(i angle)`.
#[derive(Clone, Debug)]
pub(crate) struct Term<R> {
    pub(crate) factor: Complex<R>,
    pub(crate) angle: Angle,
}

impl<R: Ring> Term<R> {
    pub(crate) fn product(&self, other: &Term<R>) -> Term<R> {
        Term { factor: self.factor.product(&other.factor), angle: self.angle.plus(&other.angle) }
    }

    pub(crate) fn scaled(&self, factor: &R) -> Term<R> {
        Term { factor: self.factor.scaled(factor), angle: self.angle.clone() }
    }

    fn conjugate(&self) -> Term<R> {
        Term { factor: self.factor.conjugate(), angle: self.angle.negated() }
    }

    /// Adds to a sum in which no angle is twice.
    pub(crate) fn add_to(self, sum: &mut Vec<Term<R>>) {
        match sum.iter_mut().find(|term| term.angle.is_equal(&self.angle)) {
            Some(term) => term.factor = term.factor.plus(&self.factor),
            None => sum.push(self),
        }
    }
}

/// The map `x -> origin / origin_scale + turn x / turn_scale`; both scales are positive and `|turn| = turn_scale`.
#[derive(Clone, Debug)]
pub(crate) struct Frame<R> {
    origin: Vec<Term<R>>,
    origin_scale: R,
    turn: Term<R>,
    turn_scale: R,
}

impl<R: Ring> Frame<R> {
    /// After all steps of a motion that starts at a time; `t` is the time since then.
    pub(crate) fn of(steps: &[Step], start: f64, t: &R) -> Frame<R> {
        let mut steps = steps.iter().map(|step| Frame::of_step(step, start, t));
        let first = steps.next();
        let first = first.unwrap_or_else(Frame::identity);
        steps.fold(first, |inner, outer| outer.after(&inner))
    }

    fn identity() -> Frame<R> {
        let turn = Term { factor: Complex::one(), angle: Angle::zero() };
        Frame { origin: Vec::new(), origin_scale: R::number(1.0), turn, turn_scale: R::number(1.0) }
    }

    fn of_step(step: &Step, start: f64, t: &R) -> Frame<R> {
        let value = |c: &[f64]| {
            let mut c = c.iter().rev();
            let Some(first) = c.next() else { return R::number(0.0) };
            c.fold(R::number(*first), |sum, c| sum.product(t).plus(&R::number(*c)))
        };
        let mut frame = Frame::identity();
        if step.translation.iter().any(|c| !c.is_empty()) {
            let factor = Complex::new(value(&step.translation[0]), value(&step.translation[1]));
            frame.origin.push(Term { factor, angle: Angle::zero() });
        }
        if !step.half_angle.is_empty() {
            let u = Complex::new(R::number(1.0), value(&step.half_angle));
            frame.turn_scale = R::number(1.0).plus(&u.im.product(&u.im));
            frame.turn.factor = u.product(&u);
        }
        if step.is_uniform_turn() {
            frame.turn.angle = Angle::of(step, start);
        }
        frame
    }

    /// This map after another one.
    fn after(&self, inner: &Frame<R>) -> Frame<R> {
        let turn = self.turn.product(&inner.turn);
        let turn_scale = self.turn_scale.product(&inner.turn_scale);
        if inner.origin.is_empty() {
            return Frame { turn, turn_scale, ..self.clone() };
        }
        let mut origin = Vec::new();
        let (mine, theirs) =
            (self.turn_scale.product(&inner.origin_scale), self.turn.scaled(&self.origin_scale));
        for term in &self.origin {
            term.scaled(&mine).add_to(&mut origin);
        }
        for term in &inner.origin {
            theirs.product(term).add_to(&mut origin);
        }
        Frame { origin, origin_scale: self.origin_scale.product(&mine), turn, turn_scale }
    }
}

/// A body as seen from another: `x -> (shift + turn x) / scale`, the scale positive.
#[derive(Clone, Debug)]
pub(crate) struct Relative<R> {
    pub(crate) shift: Vec<Term<R>>,
    pub(crate) turn: Term<R>,
    pub(crate) scale: R,
}

impl<R: Ring> Relative<R> {
    /// `of` in the coordinates of the body `seen_from`.
    ///
    /// `r'^-1 (o / z + r x / s - o' / z')` with `r'^-1 = conj(r') / s'`, times `s s' z z'`.
    pub(crate) fn new(of: &Frame<R>, seen_from: &Frame<R>) -> Relative<R> {
        let back = seen_from.turn.conjugate();
        let mut shift = Vec::new();
        let (mine, theirs) = (
            of.turn_scale.product(&seen_from.origin_scale),
            of.turn_scale.product(&of.origin_scale).negated(),
        );
        for term in &of.origin {
            back.product(term).scaled(&mine).add_to(&mut shift);
        }
        for term in &seen_from.origin {
            back.product(term).scaled(&theirs).add_to(&mut shift);
        }
        let scales = of.origin_scale.product(&seen_from.origin_scale);
        let turn = back.product(&of.turn).scaled(&scales);
        Relative { shift, turn, scale: scales.product(&of.turn_scale).product(&seen_from.turn_scale) }
    }

    /// A positive multiple of `a x + b y + c w` for a line `(a, b, c)` of the body that sees and a point `(x, y, w)` of the
    /// other: the real part of a sum of terms.
    pub(crate) fn side(&self, line: &[R; 3], point: &[R; 3]) -> Vec<Term<R>> {
        let [a, b, c] = line;
        let [x, y, w] = point;
        // Re(conj(n) z) = n . z
        let normal = Complex::new(a.clone(), b.negated());
        let mut sum = Vec::with_capacity(2 + self.shift.len());
        let constant = Complex::new(c.product(&self.scale).product(w), R::number(0.0));
        Term { factor: constant, angle: Angle::zero() }.add_to(&mut sum);
        let turned = self.turn.factor.product(&Complex::new(x.clone(), y.clone())).product(&normal);
        Term { factor: turned, angle: self.turn.angle.clone() }.add_to(&mut sum);
        for term in &self.shift {
            let factor = term.factor.product(&normal).scaled(w);
            Term { factor, angle: term.angle.clone() }.add_to(&mut sum);
        }
        sum
    }
}
