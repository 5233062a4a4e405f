//! Two hierarchies under a placement: the order of their directions, and vertices of one against lines of the other.

use super::boomerang::{Corner, EdgeId, Hierarchy};
use super::envelope::{Found, Order};
use crate::exact::Sign;
use crate::planar::{Line, Placement, Point, Rational, beyond, rounded, sign};

/// One of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Body {
    /// The first: it gives the frame.
    A,
    /// The second, placed in that frame.
    B,
}

impl Body {
    /// The other one.
    pub const fn other(self) -> Body {
        match self {
            Body::A => Body::B,
            Body::B => Body::A,
        }
    }
}

/// An edge of one of the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SideOf {
    /// Whose edge.
    pub body: Body,
    /// Which edge.
    pub edge: EdgeId,
}

/// An edge of an envelope of one body and a vertex of an envelope of the other: what separates two bodies, and what bounds cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Contact {
    /// Whose edge.
    pub body: Body,
    /// Which edge.
    pub edge: EdgeId,
    /// A vertex of the other body.
    pub corner: Corner,
}

/// The hierarchies of two bodies, the second one placed in the frame of the first.
///
/// Directions of `B` are those of `-B` throughout: the bodies are disjoint exactly if the translation of `B` is no point of
/// the sum of `A` and `-B`.
#[derive(Clone, Debug)]
pub struct HierarchyPair<'a> {
    a: &'a Hierarchy,
    b: &'a Hierarchy,
    b_to_a: Placement,
    /// `cos^2 + sin^2`.
    scale: Rational,
    /// Cosine, sine, scale as floats.
    near: [f64; 3],
    is_tame: bool,
}

impl<'a> HierarchyPair<'a> {
    /// The pair with `B` at a placement in the frame of `A`.
    pub fn new(a: &'a Hierarchy, b: &'a Hierarchy, b_to_a: Placement) -> HierarchyPair<'a> {
        let scale = b_to_a.cos() * b_to_a.cos() + b_to_a.sin() * b_to_a.sin();
        let parts = [rounded(b_to_a.cos()), rounded(b_to_a.sin()), rounded(&scale)];
        let is_tame = parts.iter().all(|part| part.is_tame) && b_to_a.shift().is_tame();
        HierarchyPair { a, b, b_to_a, scale, near: parts.map(|part| part.value), is_tame }
    }

    /// The hierarchy of a body.
    pub fn hierarchy(&self, body: Body) -> &'a Hierarchy {
        match body {
            Body::A => self.a,
            Body::B => self.b,
        }
    }

    /// Where `B` is.
    pub fn b_to_a(&self) -> &Placement {
        &self.b_to_a
    }

    /// On which side of an edge's line the other body's vertex lies: positive outside. Exact.
    pub fn side(&self, contact: &Contact) -> Sign {
        let point = self.hierarchy(contact.body.other()).vertex(&contact.corner);
        self.side_of_point(contact.body, contact.edge, point)
    }

    /// The same for a point of the other body's frame.
    pub(super) fn side_of_point(&self, body: Body, edge: EdgeId, point: &Point) -> Sign {
        if let Some(decided) = self.filtered_side(body, edge, point) {
            return decided;
        }
        let line = self.hierarchy(body).line(edge);
        let exact = match body {
            Body::A => line.value(&self.b_to_a.apply(point)),
            Body::B => {
                // n . R^T (p - t) / k + c, times k.
                let moved = point.minus(self.b_to_a.shift());
                let (cos, sin) = (self.b_to_a.cos(), self.b_to_a.sin());
                let x = cos * moved.x() + sin * moved.y();
                let y = cos * moved.y() - sin * moved.x();
                line.a() * x + line.b() * y + &self.scale * line.c()
            }
        };
        sign(&exact)
    }

    /// Each of nine terms has at most three factors that err by `u` each and two products, their sum errs by `8u` more:
    /// `13u` and second-order terms, below the `16u` of the bound.
    fn filtered_side(&self, body: Body, edge: EdgeId, point: &Point) -> Option<Sign> {
        let line = self.hierarchy(body).line(edge);
        if !(self.is_tame && line.is_tame() && point.is_tame()) {
            return None;
        }
        let ([cos, sin, scale], [a, b, c]) = (self.near, line.near());
        let (p, t) = (point.near(), self.b_to_a.shift().near());
        let (ac, as_, bc, bs) = (a * cos, a * sin, b * cos, b * sin);
        let terms = match body {
            Body::A => [ac * p.x, -as_ * p.y, bs * p.x, bc * p.y, a * t.x, b * t.y, c, 0.0, 0.0],
            Body::B => [
                ac * p.x,
                -ac * t.x,
                as_ * p.y,
                -as_ * t.y,
                -bs * p.x,
                bs * t.x,
                bc * p.y,
                -bc * t.y,
                scale * c,
            ],
        };
        decide(&terms)
    }

    /// The exact sign of the turn from one outer normal to another, counter-clockwise positive, those of `B` being of `-B`.
    pub fn turn(&self, from: SideOf, to: SideOf) -> Sign {
        let [n, m] = [from, to].map(|side| self.hierarchy(side.body).line(side.edge));
        match (from.body, to.body) {
            (Body::A, Body::B) => -self.cross(n, m),
            (Body::B, Body::A) => self.cross(m, n),
            _ => n.turn(m),
        }
    }

    /// The sign of `n x R m` for normals of `A` and `B`.
    fn cross(&self, n: &Line, m: &Line) -> Sign {
        let ([cos, sin, _], [a, b, _], [a2, b2, _]) = (self.near, n.near(), m.near());
        if self.is_tame && n.is_tame() && m.is_tame() {
            let terms = [cos * a * b2, -(cos * b * a2), sin * a * a2, sin * b * b2];
            if let Some(decided) = decide(&terms) {
                return decided;
            }
        }
        let across = n.a() * m.b() - n.b() * m.a();
        let along = n.a() * m.a() + n.b() * m.b();
        sign(&(self.b_to_a.cos() * across + self.b_to_a.sin() * along))
    }

    /// The exact sign of `ray x (a - R b - origin)`: positive when the difference of two vertices lies to the left of a ray.
    pub(super) fn difference_turn(&self, ray: &Point, of_a: &Point, of_b: &Point, origin: &Point) -> Sign {
        if self.is_tame && [ray, of_a, of_b, origin].iter().all(|p| p.is_tame()) {
            let ([cos, sin, _], r) = (self.near, ray.near());
            let (a, b, o) = (of_a.near(), of_b.near(), origin.near());
            let terms = [
                r.x * a.y,
                -(r.x * sin * b.x),
                -(r.x * cos * b.y),
                -(r.x * o.y),
                -(r.y * a.x),
                r.y * cos * b.x,
                -(r.y * sin * b.y),
                r.y * o.x,
            ];
            if let Some(decided) = decide(&terms) {
                return decided;
            }
        }
        let point = of_a.minus(&self.b_to_a.rotated(of_b)).minus(origin);
        sign(&ray.cross(&point))
    }

    /// Whether one direction comes before another less than a half turn away. Of equal directions that of `A` comes first.
    pub fn is_before(&self, first: SideOf, second: SideOf) -> bool {
        match self.turn(first, second) {
            Sign::Positive => true,
            Sign::Zero => first.body < second.body,
            Sign::Negative => false,
        }
    }

    /// The vertex of a body's envelope that lies farthest along the outer normal of an edge of the other. `O(level)`.
    pub fn support(&self, level: u32, along: SideOf) -> Corner {
        let body = along.body.other();
        let order = |edge: EdgeId| {
            if self.is_before(SideOf { body, edge }, along) { Order::After } else { Order::Before }
        };
        match self.hierarchy(body).search(level, order) {
            Found::Corner(corner) => corner,
            // Never: no edge answers that it is here.
            Found::Edge(edge) => self.hierarchy(body).corner_after(edge, level),
        }
    }
}

/// The sign of a sum of terms that err by at most `5u` each, if floats decide it.
fn decide(terms: &[f64]) -> Option<Sign> {
    let value: f64 = terms.iter().sum();
    let size: f64 = terms.iter().map(|x| x.abs()).sum();
    beyond(value, 8.0 * f64::EPSILON * size)
}
