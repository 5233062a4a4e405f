//! Exact points.

use super::number::{Rational, exact, rounded};
use glam::DVec2;

/// A point with rational coordinates, and the floats nearest to them.
#[derive(Clone, Debug)]
pub struct Point {
    x: Rational,
    y: Rational,
    near: DVec2,
    is_tame: bool,
    is_float: bool,
}

impl PartialEq for Point {
    fn eq(&self, other: &Point) -> bool {
        self.near == other.near && self.x == other.x && self.y == other.y
    }
}

impl Eq for Point {}

impl From<DVec2> for Point {
    /// The exact value of a finite point.
    fn from(p: DVec2) -> Point {
        Point::new(exact(p.x), exact(p.y))
    }
}

impl Point {
    /// The point with these coordinates.
    pub fn new(x: Rational, y: Rational) -> Point {
        let (near_x, near_y) = (rounded(&x), rounded(&y));
        let is_tame = near_x.is_tame && near_y.is_tame;
        let is_float = near_x.is_exact && near_y.is_exact;
        Point { x, y, near: DVec2::new(near_x.value, near_y.value), is_tame, is_float }
    }

    /// The first coordinate.
    pub fn x(&self) -> &Rational {
        &self.x
    }

    /// The second coordinate.
    pub fn y(&self) -> &Rational {
        &self.y
    }

    /// The nearest float point.
    pub fn near(&self) -> DVec2 {
        self.near
    }

    /// The point as floats, if these are exact.
    pub fn as_float(&self) -> Option<DVec2> {
        self.is_float.then_some(self.near)
    }

    /// Whether float filters may use [`near`](Point::near).
    pub(crate) fn is_tame(&self) -> bool {
        self.is_tame
    }

    /// `self + other` as vectors.
    pub fn plus(&self, other: &Point) -> Point {
        Point::new(&self.x + &other.x, &self.y + &other.y)
    }

    /// `self - other` as vectors.
    pub fn minus(&self, other: &Point) -> Point {
        Point::new(&self.x - &other.x, &self.y - &other.y)
    }

    /// The opposite vector.
    pub fn negated(&self) -> Point {
        Point { x: -self.x.clone(), y: -self.y.clone(), near: -self.near, ..*self }
    }

    /// The point halfway to another.
    pub fn middle(&self, other: &Point) -> Point {
        let half = |a: &Rational, b: &Rational| (a + b) / Rational::from(2);
        Point::new(half(&self.x, &other.x), half(&self.y, &other.y))
    }

    /// The exact scalar product as vectors.
    pub fn dot(&self, other: &Point) -> Rational {
        &self.x * &other.x + &self.y * &other.y
    }

    /// The exact `x y' - y x'` as vectors.
    pub fn cross(&self, other: &Point) -> Rational {
        &self.x * &other.y - &self.y * &other.x
    }
}
