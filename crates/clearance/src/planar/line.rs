//! Exact oriented lines.

use super::number::{Rational, exact, filtered, rounded, sign};
use super::point::Point;
use crate::exact::Sign;
use glam::DVec2;

/// The line `a x + b y + c = 0` with rational coefficients; where the left side is positive is its outer side.
///
/// The normal `(a, b)` points to the outer side and need not have length one. It is not zero.
#[derive(Clone, Debug)]
pub struct Line {
    a: Rational,
    b: Rational,
    c: Rational,
    near: [f64; 3],
    is_tame: bool,
}

impl Line {
    /// The line with these coefficients, if the normal is not zero.
    pub fn new(a: Rational, b: Rational, c: Rational) -> Option<Line> {
        (!a.is_zero() || !b.is_zero()).then(|| Line::from_coefficients(a, b, c))
    }

    fn from_coefficients(a: Rational, b: Rational, c: Rational) -> Line {
        let parts = [rounded(&a), rounded(&b), rounded(&c)];
        let is_tame = parts.iter().all(|part| part.is_tame);
        Line { a, b, c, near: parts.map(|part| part.value), is_tame }
    }

    /// The line from one point to another, its outer side to the right; none if the points are equal.
    pub fn through(from: &Point, to: &Point) -> Option<Line> {
        let (a, b) = (to.y() - from.y(), from.x() - to.x());
        (!a.is_zero() || !b.is_zero()).then(|| Line::at(a, b, from))
    }

    /// The line through a point with an outer normal `(a, b)` that is not zero.
    pub(crate) fn at(a: Rational, b: Rational, point: &Point) -> Line {
        let c = -(&a * point.x() + &b * point.y());
        Line::from_coefficients(a, b, c)
    }

    /// The line through a point with a finite outer normal that is not zero, taken as exact.
    pub(crate) fn with_normal(normal: DVec2, point: &Point) -> Line {
        Line::at(exact(normal.x), exact(normal.y), point)
    }

    /// The factor of `x`.
    pub fn a(&self) -> &Rational {
        &self.a
    }

    /// The factor of `y`.
    pub fn b(&self) -> &Rational {
        &self.b
    }

    /// The constant.
    pub fn c(&self) -> &Rational {
        &self.c
    }

    /// The floats nearest to the coefficients.
    pub fn near(&self) -> [f64; 3] {
        self.near
    }

    /// The floats nearest to the outer normal.
    pub fn normal(&self) -> DVec2 {
        DVec2::new(self.near[0], self.near[1])
    }

    /// Whether float filters may use [`near`](Line::near).
    pub(crate) fn is_tame(&self) -> bool {
        self.is_tame
    }

    /// `a x + b y + c`, exactly.
    pub fn value(&self, point: &Point) -> Rational {
        &self.a * point.x() + &self.b * point.y() + &self.c
    }

    /// On which side a point lies: positive outside. The exact sign of [`value`](Line::value).
    pub fn side(&self, point: &Point) -> Sign {
        if self.is_tame && point.is_tame() {
            let (p, [a, b, c]) = (point.near(), self.near);
            if let Some(decided) = filtered([a * p.x, b * p.y, c]) {
                return decided;
            }
        }
        sign(&self.value(point))
    }

    /// The exact sign of `a b' - b a'`: positive when the other's normal lies to the left of this one's.
    pub fn turn(&self, other: &Line) -> Sign {
        if self.is_tame && other.is_tame {
            let ([a, b, _], [a2, b2, _]) = (self.near, other.near);
            if let Some(decided) = filtered([a * b2, -(b * a2)]) {
                return decided;
            }
        }
        sign(&(&self.a * &other.b - &self.b * &other.a))
    }

    /// The exact sign of the outer normal's scalar product with a vector.
    pub fn along(&self, vector: &Point) -> Sign {
        if self.is_tame && vector.is_tame() {
            let (v, [a, b, _]) = (vector.near(), self.near);
            if let Some(decided) = filtered([a * v.x, b * v.y]) {
                return decided;
            }
        }
        sign(&(&self.a * vector.x() + &self.b * vector.y()))
    }

    /// The exact sign of the turn from the outer normal to a vector: positive when the vector is to its left.
    pub fn turn_to(&self, vector: &Point) -> Sign {
        if self.is_tame && vector.is_tame() {
            let (v, [a, b, _]) = (vector.near(), self.near);
            if let Some(decided) = filtered([a * v.y, -(b * v.x)]) {
                return decided;
            }
        }
        sign(&(&self.a * vector.y() - &self.b * vector.x()))
    }

    /// Where two lines cross; none if they are parallel.
    pub fn crossing(&self, other: &Line) -> Option<Point> {
        let determinant = &self.a * &other.b - &self.b * &other.a;
        if determinant.is_zero() {
            return None;
        }
        let x = (&self.b * &other.c - &self.c * &other.b) / &determinant;
        let y = (&self.c * &other.a - &self.a * &other.c) / &determinant;
        Some(Point::new(x, y))
    }

    /// The same line with its outer side on the other side.
    pub fn reversed(&self) -> Line {
        let [a, b, c] = self.near;
        let (exact_a, exact_b, exact_c) = (self.a.clone(), self.b.clone(), self.c.clone());
        Line { a: -exact_a, b: -exact_b, c: -exact_c, near: [-a, -b, -c], is_tame: self.is_tame }
    }

    /// The parallel line whose value is smaller by `amount`: farther out if that is positive.
    pub fn shifted(&self, amount: &Rational) -> Line {
        Line::from_coefficients(self.a.clone(), self.b.clone(), &self.c - amount)
    }

    /// The line moved by a vector.
    pub fn moved(&self, by: &Point) -> Line {
        let along = &self.a * by.x() + &self.b * by.y();
        self.shifted(&along)
    }
}
