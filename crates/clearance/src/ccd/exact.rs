//! The first contact by integers: what floats leave open.

use super::feature::{Features, VertexEdge};
use super::{ContactTime, still};
use crate::exact::{Polynomial, Root, RootFinder, Sign, float_bracket, integers};
use dashu::integer::IBig;
use std::ops::ControlFlow;

/// A point or vector whose coordinates are `start + t slope`.
struct Linear {
    start: [IBig; 3],
    slope: [IBig; 3],
}

impl Linear {
    fn minus(&self, other: &Linear) -> Linear {
        let difference = |a: &[IBig; 3], b: &[IBig; 3]| [0, 1, 2].map(|i| &a[i] - &b[i]);
        Linear { start: difference(&self.start, &other.start), slope: difference(&self.slope, &other.slope) }
    }

    /// A coordinate of the vector product.
    fn cross(&self, other: &Linear, axis: usize) -> Polynomial {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let minor = |u: &[IBig; 3], v: &[IBig; 3]| &u[i] * &v[j] - &u[j] * &v[i];
        let mixed = minor(&self.start, &other.slope) + minor(&self.slope, &other.start);
        Polynomial::new([minor(&self.start, &other.start), mixed, minor(&self.slope, &other.slope)])
    }

    /// The scalar product.
    fn dot(&self, other: &Linear) -> Polynomial {
        let product = |u: &[IBig; 3], v: &[IBig; 3]| &u[0] * &v[0] + &u[1] * &v[1] + &u[2] * &v[2];
        let mixed = product(&self.start, &other.slope) + product(&self.slope, &other.start);
        Polynomial::new([product(&self.start, &other.start), mixed, product(&self.slope, &other.slope)])
    }

    fn coordinate(&self, axis: usize) -> Polynomial {
        Polynomial::new([self.start[axis].clone(), self.slope[axis].clone()])
    }
}

/// Four moving vertices as integers over one power of two; no sign depends on it.
struct Vertices([Linear; 4]);

impl Vertices {
    fn new(features: &Features) -> Vertices {
        let starts = features.start.map(|p| p.to_array());
        let ends = features.end.map(|p| p.to_array());
        let [a, b, c, d, e, f, g, h] =
            integers(&[starts[0], starts[1], starts[2], starts[3], ends[0], ends[1], ends[2], ends[3]]);
        let linear = |start: [IBig; 3], end: [IBig; 3]| {
            let slope = [0, 1, 2].map(|i| &end[i] - &start[i]);
            Linear { start, slope }
        };
        Vertices([linear(a, e), linear(b, f), linear(c, g), linear(d, h)])
    }

    /// Six times the volume that the vertices span: zero when they lie in a plane.
    fn volume(&self) -> Polynomial {
        let [a, b, c, d] = &self.0;
        let (u, v, w) = (b.minus(a), c.minus(a), d.minus(a));
        let term = |axis: usize| u.cross(&v, axis).times(&w.coordinate(axis));
        term(0).plus(&term(1)).plus(&term(2))
    }

    /// From the vertex of a pair to both ends of its edge.
    fn arms(&self, VertexEdge { vertex, edge: [from, to] }: &VertexEdge) -> [Linear; 2] {
        [from, to].map(|end| self.0[*end].minus(&self.0[*vertex]))
    }
}

/// When the features first share a point from time 0 to 1.
#[cold]
#[inline(never)]
pub(super) fn first_contact(features: &Features) -> Option<ContactTime> {
    let vertices = Vertices::new(features);
    let volume = vertices.volume();
    if volume.is_zero() {
        return first_contact_in_a_plane(features, &vertices);
    }
    let arms: Vec<[Linear; 2]> =
        features.kind.vertices_and_edges().iter().map(|pair| vertices.arms(pair)).collect();
    first(RootFinder::new(volume).visit(|root| {
        if meet_at(features, &arms, root) {
            ControlFlow::Break(time(root))
        } else {
            ControlFlow::Continue(())
        }
    }))
}

/// A contact that is known to be at the only root of the volume strictly between two times.
#[cold]
#[inline(never)]
pub(super) fn contact_between(features: &Features, lower: f64, upper: f64) -> ContactTime {
    let (lower, upper) = float_bracket(&Vertices::new(features).volume(), lower, upper);
    ContactTime { lower, upper }
}

/// Whether the features share a point at a time at which their vertices lie in a plane.
fn meet_at(features: &Features, arms: &[[Linear; 2]], root: &Root<'_>) -> bool {
    for axis in 0..3 {
        let mut signs = [Sign::Zero; 4];
        for (sign, [from, to]) in signs.iter_mut().zip(arms) {
            *sign = root.sign_of(&from.cross(to, axis));
        }
        if signs.iter().any(|sign| !sign.is_zero()) {
            return features.kind.meet_in_a_plane(&signs[..arms.len()]);
        }
    }
    // All on a line: some vertex lies between the ends of an edge, or nothing is shared.
    arms.iter().any(|[from, to]| !root.sign_of(&from.dot(to)).is_positive())
}

/// As [`first_contact`] for vertices that lie in a plane at all times.
///
/// If the features are apart at time 0, at the first contact a vertex of one is on an edge of the other: else the vertex
/// would lie inside the triangle, or the edges would cross inside both, and that was so a little earlier, too.
fn first_contact_in_a_plane(features: &Features, vertices: &Vertices) -> Option<ContactTime> {
    if still::meet_in_a_plane(features.kind, &features.start) {
        return Some(ContactTime::START);
    }
    let pairs = features.kind.vertices_and_edges().iter();
    let times = pairs.filter_map(|pair| first_contact_with_edge(&vertices.arms(pair)));
    // Rounding keeps the order, so the first of both ends belong to the first contact.
    times.reduce(|a, b| ContactTime { lower: a.lower.min(b.lower), upper: a.upper.min(b.upper) })
}

/// When a vertex first lies on an edge that it is not on at time 0; the arms lead to its ends.
fn first_contact_with_edge([from, to]: &[Linear; 2]) -> Option<ContactTime> {
    let cross = [0, 1, 2].map(|axis| from.cross(to, axis));
    let dot = from.dot(to);
    let Some(first_axis) = cross.iter().position(|polynomial| !polynomial.is_zero()) else {
        // Always on the line of the edge, or the edge is a point: between its ends where the arms are opposite.
        return match dot.is_zero() {
            true => Some(ContactTime::START),
            false => first(RootFinder::new(dot).visit(|root| ControlFlow::Break(time(root)))),
        };
    };
    first(RootFinder::new(cross[first_axis].clone()).visit(|root| {
        let on_line = cross[first_axis + 1..].iter().all(|other| root.sign_of(other).is_zero());
        if on_line && !root.sign_of(&dot).is_positive() {
            ControlFlow::Break(time(root))
        } else {
            ControlFlow::Continue(())
        }
    }))
}

fn time(root: &Root<'_>) -> ContactTime {
    let (lower, upper) = root.bracket;
    ContactTime { lower, upper }
}

fn first(found: ControlFlow<ContactTime>) -> Option<ContactTime> {
    match found {
        ControlFlow::Break(time) => Some(time),
        ControlFlow::Continue(()) => None,
    }
}
