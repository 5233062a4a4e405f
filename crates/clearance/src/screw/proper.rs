//! Which features can meet properly: told from their directions, before it is known when they meet.

use super::course::BESIDE;
use super::normals::{Cone, IMPROPER, ROUGH, Wedge};
use super::properness::EdgeProperness;
use super::record::{ContactsConfig, Kept};
use super::sight::Sight;
use super::surface::Surface;
use crate::math::{Interval, Turn};
use glam::{DMat3, DVec3};

/// Turns of windows up to this are known by few terms of the series.
const NEAR: f64 = 1.0;

/// Cones of nodes that are farther open together, by the cosine of that, seldom tell anything.
const WIDE: f64 = 0.3;

/// An attitude that turns by less is good enough for all nodes.
const STEADY: f64 = 0.06;

/// How the moving body stands to the one at rest in the middle of a window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attitude {
    /// From its coordinates to those of the other.
    pub b_to_a: DMat3,
    /// Directions of the one turn by less than this against the other until the ends of the window, and are off by rounding.
    pub turn: f64,
}

/// Contacts that are asked for.
pub(super) struct Proper<'a> {
    a: &'a Surface,
    b: &'a Surface,
    /// What never turns, and what is multiplied with the cosine and the sine of the turn.
    parts: [DMat3; 3],
    angle: f64,
    /// How improper a contact may be.
    most: f64,
    edges: EdgeProperness,
    /// Whether cones are wide enough for that.
    has_cones: bool,
}

impl<'a> Proper<'a> {
    /// Of bodies under matrices to the frame, in which B moves as a sight tells; `None` if all contacts are asked for.
    pub fn new(
        [a, b]: [&'a Surface; 2],
        [matrix_a, matrix_b]: [&DMat3; 2],
        sight: &Sight,
        config: &ContactsConfig,
    ) -> Option<Proper<'a>> {
        let back = matrix_a.transpose();
        let parts = [
            DMat3::from_diagonal(DVec3::Z),
            DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0)),
            DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::ZERO),
        ];
        let most = -config.min_properness;
        let is_usual = config.edges == EdgeProperness::Seven && most <= IMPROPER;
        (config.kept == Kept::Entering).then(|| Proper {
            a,
            b,
            parts: parts.map(|part| back * part * *matrix_b),
            angle: sight.rate(),
            most: most.max(0.0) + ROUGH,
            edges: config.edges,
            has_cones: is_usual,
        })
    }

    pub fn attitude(&self, window: Interval) -> Attitude {
        let angle = self.angle * window.middle();
        let (sin, cos) = match angle.abs() <= NEAR {
            // Cut off where terms are below 3e-6.
            true => {
                let z = angle * angle;
                let sin = angle * (1.0 - z * (1.0 / 6.0 - z * (1.0 / 120.0 - z / 5040.0)));
                (sin, 1.0 - z * (0.5 - z * (1.0 / 24.0 - z * (1.0 / 720.0 - z / 40320.0))))
            }
            false => {
                let turn = Turn::of(angle);
                (turn.sin, 1.0 - turn.versine)
            }
        };
        let [still, with_cos, with_sin] = self.parts;
        // Features are looked at a little beside the window, too.
        let turn = self.angle.abs() * (0.5 * (window.upper() - window.lower()) + 2.0 * BESIDE) + ROUGH;
        Attitude { b_to_a: still + with_cos * cos + with_sin * sin, turn }
    }

    /// Whether parts of both bodies with these normals may meet properly: some of them are opposite.
    fn may_face(&self, a: &Cone, b: &Cone, at: &Attitude) -> bool {
        // The cosine of an angle and some more is less by at most that.
        let least = a.cos * b.cos - a.sin * b.sin - at.turn;
        least <= 0.0 || a.axis.dot(at.b_to_a * b.axis).abs() >= least
    }

    /// Whether something in two nodes may meet properly in a window, which is part of one with an attitude that may do.
    #[inline]
    pub fn nodes(&self, (x, y): (u32, u32), window: Interval, above: &Attitude) -> bool {
        let (a, b) = (&self.a.normals.nodes[x as usize], &self.b.normals.nodes[y as usize]);
        // What is wide tells nothing, and that is quickly seen.
        if !self.has_cones || a.cos * b.cos - a.sin * b.sin <= WIDE {
            return true;
        }
        match above.turn < STEADY {
            true => self.may_face(a, b, above),
            false => self.may_face(a, b, &self.attitude(window)),
        }
    }

    /// Whether something in two cells may meet properly.
    pub fn cells(&self, x: u32, y: u32, at: &Attitude) -> bool {
        let (a, b) = (&self.a.normals.cells[x as usize], &self.b.normals.cells[y as usize]);
        !self.has_cones || self.may_face(a, b, at)
    }

    /// Whether vertices of B may meet a triangle of A properly.
    pub fn vertices_of_b<'s>(&'s self, triangle: u32, at: &'s Attitude) -> impl Fn(u32) -> bool + 's {
        let seen = at.b_to_a.transpose() * self.a.normals.triangles[triangle as usize];
        let is_two_sided = self.a.triangles[triangle as usize].is_two_sided;
        move |vertex| self.vertex(self.b, vertex, seen, is_two_sided, at)
    }

    /// Whether vertices of A may meet a triangle of B properly.
    pub fn vertices_of_a<'s>(&'s self, triangle: u32, at: &'s Attitude) -> impl Fn(u32) -> bool + 's {
        let seen = at.b_to_a * self.b.normals.triangles[triangle as usize];
        let is_two_sided = self.b.triangles[triangle as usize].is_two_sided;
        move |vertex| self.vertex(self.a, vertex, seen, is_two_sided, at)
    }

    /// Whether no edge of a vertex goes into a face throughout the window.
    fn vertex(
        &self,
        surface: &Surface,
        vertex: u32,
        normal: DVec3,
        is_two_sided: bool,
        at: &Attitude,
    ) -> bool {
        let least = -(self.most + at.turn);
        let (mut lowest, mut highest) = (0.0f64, 0.0f64);
        for &edge in surface.edges_at_vertex.of(vertex) {
            let height = surface.normals.edges[edge as usize].along.dot(normal);
            let height = if surface.edges[edge as usize][0] == vertex { height } else { -height };
            (lowest, highest) = (lowest.min(height), highest.max(height));
            if lowest < least && (!is_two_sided || -highest < least) {
                return false;
            }
        }
        true
    }

    /// Whether edges of B may meet an edge of A properly.
    ///
    /// With unit vectors `u` and `w` along them the normal is `+-(u x w) / s`, with the sine `s` between them. A face of the first
    /// goes by `f . (u x w) / s = (f x u) . w / s` beyond the plane across that, one of the second by `(f x w) . u / s`.
    pub fn edges_with<'s>(&'s self, edge_a: u32, at: &'s Attitude) -> impl Fn(u32) -> bool + 's {
        let back = at.b_to_a.transpose();
        let Wedge { along, across } = self.a.normals.edges[edge_a as usize];
        let (u, of_a) = (back * along, across.map(|across| back * across));
        move |edge_b| {
            let Wedge { along: w, across: of_b } = self.b.normals.edges[edge_b as usize];
            let [p, q, r, s] = [of_a[0].dot(w), of_a[1].dot(w), of_b[0].dot(u), of_b[1].dot(u)];
            // Both ways, the better one.
            let beyond = p.max(q).max(r.max(s)).min(-p.min(q).min(r.min(s))) - at.turn;
            if beyond <= 0.0 {
                return true;
            }
            let sine = match self.edges {
                EdgeProperness::Seven => {
                    let along = u.dot(w);
                    ((1.0 - along * along).max(0.0).sqrt() + at.turn).min(1.0)
                }
                EdgeProperness::Six => 1.0,
            };
            beyond <= self.most * sine
        }
    }
}
