//! What touches what at the time of contact: the common part of two supporting faces, exactly.

use super::integer::{Integer3, plus, sign, times};
use crate::exact::{Axis, BigDirection, BigVector, Sign, Vector, fraction, over_one_power};
use crate::pair::{Feature, climb, plateau};
use crate::shape::Polytope;
use crate::witness::{PosedPair, Side};
use dashu::integer::IBig;
use dashu::rational::RBig;
use glam::DVec3;

/// Two features that meet, and where.
///
/// Vertex and face, edge and edge, or what these degenerate to: vertex and vertex, vertex and edge, and edges on one line,
/// which share a segment. The points of all contacts include every vertex of the common part of the bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Of body A.
    pub feature_a: Feature,
    /// Of body B.
    pub feature_b: Feature,
    /// In the world at the time of contact, rounded.
    pub point: DVec3,
    /// The other end of the segment that two edges on one line share.
    pub end: Option<DVec3>,
}

/// Two bodies at a time of contact, and a direction along which B lies above A then.
pub(super) struct Meeting<'a> {
    pub pair: PosedPair<'a>,
    pub velocity: Vector<'a>,
    /// Of A and B in the world, for points that are shown.
    pub velocities: [DVec3; 2],
    pub s: RBig,
    pub direction: Integer3,
    pub lowest: (u32, u32),
}

/// A vertex, edge or face in its plane.
struct Flat {
    side: Side,
    vertices: Vec<u32>,
    /// In the plane, over one scale for both bodies.
    points: Vec<[IBig; 2]>,
}

impl Meeting<'_> {
    /// All elementary contacts.
    pub fn contacts(&self) -> Vec<Contact> {
        let faces = self.supporting_faces();
        let [flat_a, flat_b] = self.flat(faces);
        let mut contacts = Vec::new();
        for (i, &vertex) in flat_a.vertices.iter().enumerate() {
            if let Some(feature_b) = flat_b.locate(&flat_a.points[i]) {
                let (feature_a, point) = (Feature::Vertex(vertex), self.shown(Side::A, vertex));
                contacts.push(Contact { feature_a, feature_b, point, end: None });
            }
        }
        for (i, &vertex) in flat_b.vertices.iter().enumerate() {
            let found = flat_a.locate(&flat_b.points[i]);
            if let Some(feature_a) = found.filter(|feature| !matches!(feature, Feature::Vertex(_))) {
                let (feature_b, point) = (Feature::Vertex(vertex), self.shown(Side::B, vertex));
                contacts.push(Contact { feature_a, feature_b, point, end: None });
            }
        }
        for edge_a in flat_a.edges() {
            contacts
                .extend(flat_b.edges().filter_map(|edge_b| self.edges([&flat_a, &flat_b], edge_a, edge_b)));
        }
        contacts
    }

    /// The vertices that are highest of A and lowest of B, those of faces in order.
    fn supporting_faces(&self) -> [Vec<u32>; 2] {
        let along = BigDirection::from(BigVector::new(self.direction.clone(), 0));
        let pair = &self.pair;
        [(Side::A, self.lowest.0), (Side::B, self.lowest.1)].map(|(side, near)| {
            let rise = |from, to| {
                let sign = along.dot_sign(Vector::Between(pair.at(side, from), pair.at(side, to)));
                if side == Side::A { sign } else { -sign }
            };
            let polytope = pair.polytope(side);
            let top = climb(polytope, near, rise);
            in_order(polytope, plateau(polytope, top, |to| rise(top, to).is_zero()))
        })
    }

    /// Both faces in the plane across the direction, B moved on by `s`.
    fn flat(&self, [face_a, face_b]: [Vec<u32>; 2]) -> [Flat; 2] {
        let pair = &self.pair;
        let base = pair.at_a(face_a[0]);
        let from_a = face_a.iter().map(|&v| Vector::Between(base, pair.at_a(v)));
        let from_b = face_b.iter().map(|&v| Vector::Between(base, pair.at_b(v)));
        let (points, exponent) = over_one_power(&from_a.chain(from_b).collect::<Vec<_>>());
        let (w, w_exponent) = over_one_power(&[self.velocity]);
        let common = exponent.min(w_exponent);
        let denominator = IBig::from(self.s.denominator().clone());
        let unit = denominator << (exponent - common) as usize;
        let travel = times(&w[0], &(self.s.numerator() << (w_exponent - common) as usize));
        // The plane is seen along an axis that is not in it.
        let axis = Axis::ALL.into_iter().find(|&axis| !self.direction[axis as usize].is_zero());
        let [i, j] = axis.unwrap_or(Axis::Z).others();
        let seen = |point: Integer3| [point[i].clone(), point[j].clone()];
        let (own, others) = points.split_at(face_a.len());
        let points_a = own.iter().map(|p| seen(times(p, &unit))).collect();
        let points_b = others.iter().map(|p| seen(plus(&times(p, &unit), &travel))).collect();
        [
            Flat { side: Side::A, vertices: face_a, points: points_a },
            Flat { side: Side::B, vertices: face_b, points: points_b },
        ]
    }

    /// Where a vertex is at the time of contact.
    fn shown(&self, side: Side, vertex: u32) -> DVec3 {
        let at = self.pair.at(side, vertex);
        at.pose.apply(at.point) + self.velocities[side as usize] * self.s.to_f64().value()
    }

    fn edges(&self, flats: [&Flat; 2], edge_a: [usize; 2], edge_b: [usize; 2]) -> Option<Contact> {
        let [a, b] = flats;
        let ([a0, a1], [b0, b1]) = (edge_a.map(|i| &a.points[i]), edge_b.map(|i| &b.points[i]));
        let over_b = [turn(b0, b1, a0), turn(b0, b1, a1)];
        let over_a = [turn(a0, a1, b0), turn(a0, a1, b1)];
        let (feature_a, feature_b) = (a.edge(edge_a), b.edge(edge_b));
        let crosses = |[from, to]: &[IBig; 2]| (sign(from) * sign(to)).is_negative();
        if crosses(&over_a) && crosses(&over_b) {
            let share = fraction(&over_b[0], &(&over_b[0] - &over_b[1]));
            let [from, to] = edge_a.map(|i| self.shown(Side::A, a.vertices[i]));
            return Some(Contact { feature_a, feature_b, point: from + (to - from) * share, end: None });
        }
        if !over_a.iter().chain(&over_b).all(IBig::is_zero) {
            return None;
        }
        // On one line: between the later of the first ends and the earlier of the last ones.
        let ordered = |flat: &Flat, [i, j]: [usize; 2]| {
            if flat.points[i] <= flat.points[j] {
                [(flat.side, i), (flat.side, j)]
            } else {
                [(flat.side, j), (flat.side, i)]
            }
        };
        let at = |(side, i): (Side, usize)| &flats[side as usize].points[i];
        let ([first_a, last_a], [first_b, last_b]) = (ordered(a, edge_a), ordered(b, edge_b));
        let first = if at(first_a) >= at(first_b) { first_a } else { first_b };
        let last = if at(last_a) <= at(last_b) { last_a } else { last_b };
        let shown = |(side, i): (Side, usize)| self.shown(side, flats[side as usize].vertices[i]);
        (at(first) < at(last)).then(|| Contact {
            feature_a,
            feature_b,
            point: shown(first),
            end: Some(shown(last)),
        })
    }
}

impl Flat {
    /// Its sides, by the places of their ends.
    fn edges(&self) -> impl Iterator<Item = [usize; 2]> + use<> {
        let count = self.points.len();
        let sides = if count == 2 {
            1
        } else if count < 2 {
            0
        } else {
            count
        };
        (0..sides).map(move |i| [i, (i + 1) % count])
    }

    fn edge(&self, ends: [usize; 2]) -> Feature {
        let [v, w] = ends.map(|i| self.vertices[i]);
        Feature::Edge([v.min(w), v.max(w)])
    }

    /// The feature that a point of the plane lies on.
    fn locate(&self, point: &[IBig; 2]) -> Option<Feature> {
        if let Some(i) = self.points.iter().position(|p| p == point) {
            return Some(Feature::Vertex(self.vertices[i]));
        }
        let (mut on, mut side) = (None, Sign::Zero);
        for [i, j] in self.edges() {
            match (sign(&turn(&self.points[i], &self.points[j], point)), side) {
                (Sign::Zero, _) => on = Some([i, j]),
                (seen, Sign::Zero) => side = seen,
                (seen, known) if seen == known => {}
                _ => return None,
            }
        }
        match on {
            // Beyond the end of a side some other side is passed, unless there is none.
            Some([i, j]) if self.points.len() > 2 || is_between(&self.points[i], &self.points[j], point) => {
                Some(self.edge([i, j]))
            }
            None if self.points.len() > 2 => Some(face_name(&self.vertices)),
            _ => None,
        }
    }
}

/// Twice the area of a triangle.
fn turn(a: &[IBig; 2], b: &[IBig; 2], c: &[IBig; 2]) -> IBig {
    (&b[0] - &a[0]) * (&c[1] - &a[1]) - (&b[1] - &a[1]) * (&c[0] - &a[0])
}

/// Whether a point on the line through two others lies between them.
fn is_between(a: &[IBig; 2], b: &[IBig; 2], point: &[IBig; 2]) -> bool {
    let (low, high) = if a <= b { (a, b) } else { (b, a) };
    low <= point && point <= high
}

/// A face under its usual name, its three smallest vertices.
fn face_name(vertices: &[u32]) -> Feature {
    let mut sorted = vertices.to_vec();
    sorted.sort_unstable();
    Feature::Face([sorted[0], sorted[1], sorted[2]])
}

/// The vertices of a face in their order around it.
fn in_order(polytope: &Polytope, level: Vec<u32>) -> Vec<u32> {
    if level.len() < 3 {
        return level;
    }
    let face = polytope.faces().find(|face| level[..3].iter().all(|v| face.contains(v)));
    face.map_or(level, <[u32]>::to_vec)
}
