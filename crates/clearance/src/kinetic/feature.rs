//! Points and lines of a body, in its own coordinates: what certificates compare.

use super::dyadic::Dyadic;
use super::ring::Ring;
use crate::math::Interval;
use crate::planar::{Line, Point};
use dashu::integer::IBig;
use dashu::rational::RBig;
use glam::DVec2;

/// One body of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Which {
    /// The first.
    A,
    /// The second.
    B,
}

impl Which {
    /// The other body.
    pub fn other(self) -> Which {
        match self {
            Which::A => Which::B,
            Which::B => Which::A,
        }
    }
}

/// An oriented line of a body: positive values are outside.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LineRef<'a> {
    /// With rational coefficients.
    Line(&'a Line),
    /// From one float point to another, outside on the right.
    Edge(DVec2, DVec2),
    /// With an outer normal, taken as exact, through a point.
    Support { normal: DVec2, at: DVec2 },
    /// Across the way from one point to another, the outer normal along it, through a third point.
    Across { from: DVec2, to: DVec2, at: DVec2 },
}

/// A point of a body, or a direction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PointRef<'a> {
    /// With rational coordinates.
    Point(&'a Point),
    /// With float coordinates.
    Vertex(DVec2),
    /// The direction of a line, counter-clockwise around what is inside: a point at infinity.
    Along(LineRef<'a>),
    /// The opposite direction.
    Against(LineRef<'a>),
}

impl LineRef<'_> {
    /// `(a, b, c)` of `a x + b y + c`, up to a positive factor.
    pub(crate) fn interval(&self) -> [Interval; 3] {
        match self {
            LineRef::Line(line) => {
                let exact = [line.a(), line.b(), line.c()];
                let near = line.near();
                std::array::from_fn(|i| around(near[i], exact[i]))
            }
            _ => self.formula(),
        }
    }

    pub(crate) fn exact(&self) -> [Dyadic; 3] {
        match self {
            LineRef::Line(line) => over_one_denominator([line.a(), line.b(), line.c()]),
            _ => self.formula(),
        }
    }

    fn formula<R: Ring>(&self) -> [R; 3] {
        let difference = |a: f64, b: f64| R::number(a).plus(&R::number(-b));
        let (normal, at) = match self {
            LineRef::Edge(from, to) => ([difference(to.y, from.y), difference(from.x, to.x)], from),
            LineRef::Across { from, to, at } => ([difference(to.x, from.x), difference(to.y, from.y)], at),
            LineRef::Support { normal, at } => ([R::number(normal.x), R::number(normal.y)], at),
            // Rational coefficients have no formula in floats; both callers see to them.
            LineRef::Line(line) => ([R::number(line.normal().x), R::number(line.normal().y)], &DVec2::ZERO),
        };
        let [a, b] = normal;
        let c = a.product(&R::number(at.x)).plus(&b.product(&R::number(at.y))).negated();
        [a, b, c]
    }
}

impl PointRef<'_> {
    /// `(x, y, w)`, up to a positive factor; `w` is zero for a direction and positive for a point.
    pub(crate) fn interval(&self) -> [Interval; 3] {
        match self {
            PointRef::Point(point) => {
                let near = point.near();
                [around(near.x, point.x()), around(near.y, point.y()), Interval::ONE]
            }
            PointRef::Vertex(p) => [Interval::point(p.x), Interval::point(p.y), Interval::ONE],
            PointRef::Along(line) => direction(line.interval()),
            PointRef::Against(line) => opposite(direction(line.interval())),
        }
    }

    pub(crate) fn exact(&self) -> [Dyadic; 3] {
        match self {
            PointRef::Point(point) => over_one_denominator([point.x(), point.y(), &RBig::ONE]),
            PointRef::Vertex(p) => [p.x, p.y, 1.0].map(Dyadic::from),
            PointRef::Along(line) => direction(line.exact()),
            PointRef::Against(line) => opposite(direction(line.exact())),
        }
    }
}

/// A quarter turn counter-clockwise from the outer normal.
fn direction<R: Ring>([a, b, _]: [R; 3]) -> [R; 3] {
    [b.negated(), a, R::number(0.0)]
}

fn opposite<R: Ring>([x, y, w]: [R; 3]) -> [R; 3] {
    [x.negated(), y.negated(), w]
}

/// The float nearest to a rational number and its neighbours; zero is zero.
fn around(near: f64, exact: &RBig) -> Interval {
    if exact.is_zero() { Interval::ZERO } else { Interval::new(near.next_down(), near.next_up()) }
}

/// Positive multiples of three rational numbers, all by the same factor.
fn over_one_denominator(numbers: [&RBig; 3]) -> [Dyadic; 3] {
    let denominators = numbers.map(|x| IBig::from(x.denominator().clone()));
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        Dyadic::new(numbers[i].numerator() * &denominators[j] * &denominators[k], 0)
    })
}
