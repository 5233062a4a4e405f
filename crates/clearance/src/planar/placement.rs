//! Where a polygon is: an exact rotation, or a similarity, and a translation.

use super::line::Line;
use super::number::{Rational, exact};
use super::point::Point;
use glam::DVec2;

/// The map `(x, y) -> (c x - s y + u, s x + c y + v)`.
///
/// A rotation if `c^2 + s^2 = 1`, as rational numbers allow (from the tangent of half the angle); else the polygon is scaled
/// by the root of that number, which a float cosine and sine do by `2^-53` or so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    cos: Rational,
    sin: Rational,
    shift: Point,
}

impl Placement {
    /// The map with these numbers; none if cosine and sine are both zero.
    pub fn new(cos: Rational, sin: Rational, shift: Point) -> Option<Placement> {
        (!cos.is_zero() || !sin.is_zero()).then_some(Placement { cos, sin, shift })
    }

    /// Every point stays where it is.
    pub fn identity() -> Placement {
        Placement::translation(Point::from(DVec2::ZERO))
    }

    /// A translation.
    pub fn translation(shift: Point) -> Placement {
        Placement { cos: Rational::ONE, sin: Rational::ZERO, shift }
    }

    /// The exact rotation about the origin by twice the angle whose tangent is `tangent`, then a translation.
    pub fn half_angle(tangent: &Rational, shift: Point) -> Placement {
        let square = tangent * tangent;
        let whole = Rational::ONE + &square;
        let cos = (Rational::ONE - &square) / &whole;
        Placement { cos, sin: Rational::from(2) * tangent / whole, shift }
    }

    /// An exact rotation within about `2^-50` of an angle in radians, then a translation.
    pub fn turn(angle: f64, shift: Point) -> Placement {
        let half = crate::math::sin_cos(0.5 * angle);
        let (sin, cos) = (half.sin.middle(), half.cos.middle());
        // Dividing by the smaller of the two would lose precision; a quarter turn does not.
        if cos.abs() >= sin.abs() {
            return Placement::half_angle(&exact(sin / cos), shift);
        }
        let other = Placement::half_angle(&exact(cos / sin), shift);
        Placement { cos: -other.cos, ..other }
    }

    /// The cosine.
    pub fn cos(&self) -> &Rational {
        &self.cos
    }

    /// The sine.
    pub fn sin(&self) -> &Rational {
        &self.sin
    }

    /// The translation.
    pub fn shift(&self) -> &Point {
        &self.shift
    }

    /// The image of a vector: no translation.
    pub fn rotated(&self, v: &Point) -> Point {
        Point::new(&self.cos * v.x() - &self.sin * v.y(), &self.sin * v.x() + &self.cos * v.y())
    }

    /// The vector turned the other way; scaled as by [`rotated`](Placement::rotated).
    pub fn rotated_back(&self, v: &Point) -> Point {
        Point::new(&self.cos * v.x() + &self.sin * v.y(), &self.cos * v.y() - &self.sin * v.x())
    }

    /// The image of a point.
    pub fn apply(&self, p: &Point) -> Point {
        let x = &self.cos * p.x() - &self.sin * p.y() + self.shift.x();
        Point::new(x, &self.sin * p.x() + &self.cos * p.y() + self.shift.y())
    }

    /// The image of a line, its outer side outside.
    pub fn apply_to_line(&self, line: &Line) -> Line {
        let a = &self.cos * line.a() - &self.sin * line.b();
        let b = &self.sin * line.a() + &self.cos * line.b();
        // n . x + c = (R n) . (x' - t) / k + c with k = cos^2 + sin^2, times k.
        let k = &self.cos * &self.cos + &self.sin * &self.sin;
        let c = k * line.c() - (&a * self.shift.x() + &b * self.shift.y());
        // The map is invertible: the normal stays non-zero.
        Line::new(a, b, c).unwrap_or_else(|| line.clone())
    }

    /// The point whose image this is.
    pub fn apply_inverse(&self, p: &Point) -> Point {
        let moved = p.minus(&self.shift);
        let k = &self.cos * &self.cos + &self.sin * &self.sin;
        let x = (&self.cos * moved.x() + &self.sin * moved.y()) / &k;
        Point::new(x, (&self.cos * moved.y() - &self.sin * moved.x()) / k)
    }
}
