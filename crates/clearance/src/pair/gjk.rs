//! Whether zero lies in the Minkowski difference, by simplices that close in on it [Gilbert, Johnson, Keerthi 1988].
//!
//! Floats only: the outcome is a proposal with the vertex pairs that argue for it, to be proved by the caller.

use super::view::View;
use glam::DVec3;

/// Simplices tried before the case is handed on; common pairs need four to seven.
const ROUNDS: usize = 40;

/// A vertex of the Minkowski difference and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    pub point: DVec3,
    pub vertices: (u32, u32),
}

/// Up to four corners.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simplex {
    corners: [Corner; 4],
    len: usize,
}

/// What the search proposes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Proposal {
    /// Proved disjoint along a direction, with the supporting vertices.
    Separated(DVec3, (u32, u32)),
    /// A tetrahedron that seems to contain zero.
    Contains(Simplex),
    /// Neither within the rounds allowed, or too close to call.
    Open(Simplex),
}

/// The vertex pairs of a simplex.
pub(super) struct VertexPairs {
    pairs: [(u32, u32); 4],
    len: usize,
}

impl VertexPairs {
    pub fn as_slice(&self) -> &[(u32, u32)] {
        &self.pairs[..self.len]
    }
}

impl Simplex {
    const NO_CORNER: Corner = Corner { point: DVec3::ZERO, vertices: (0, 0) };

    /// Without corners.
    pub const EMPTY: Simplex = Simplex { corners: [Simplex::NO_CORNER; 4], len: 0 };

    pub fn has(&self, vertices: (u32, u32)) -> bool {
        self.corners().iter().any(|corner| corner.vertices == vertices)
    }

    /// Where its corners come from.
    pub fn vertices(&self) -> VertexPairs {
        VertexPairs { pairs: self.corners.map(|corner| corner.vertices), len: self.len }
    }

    /// Whether its vertices exist: a simplex that is remembered may come from other bodies.
    pub fn exists_in(&self, view: &View<'_>) -> bool {
        self.corners().iter().all(|corner| view.has_vertices(corner.vertices.0, corner.vertices.1))
    }

    pub fn corners(&self) -> &[Corner] {
        &self.corners[..self.len]
    }

    pub fn push(&mut self, corner: Corner) {
        self.corners[self.len] = corner;
        self.len += 1;
    }

    fn keep<const N: usize>(&mut self, kept: [Corner; N]) {
        self.corners[..N].copy_from_slice(&kept);
        self.len = N;
    }
}

/// Searches from a direction (from A to B) and a simplex of at most two corners that earlier steps left behind; `count`
/// is raised by the supports computed.
pub(super) fn search(view: &View<'_>, start: DVec3, known: Simplex, count: &mut usize) -> Proposal {
    let (mut direction, mut simplex) = (start, known);
    if simplex.len > 1 {
        direction = toward_zero(&mut simplex).map_or(start, |next| -next);
    }
    for _ in 0..ROUNDS {
        *count += 1;
        // The corner of M lowest along the direction: the one that goes farthest past zero.
        let mut support = view.cold_support(direction);
        if simplex.has((support.vertex_a, support.vertex_b)) {
            // Perhaps only up to the rounding of `f32`.
            support = view.support(direction, (support.vertex_a, support.vertex_b));
        }
        let at = (support.vertex_a, support.vertex_b);
        if support.proves_disjoint {
            return Proposal::Separated(direction, at);
        }
        if simplex.has(at) {
            return Proposal::Open(simplex);
        }
        simplex.push(Corner { point: view.difference(at.0, at.1), vertices: at });
        match toward_zero(&mut simplex) {
            Some(next) if next.length_squared() > 0.0 && next.is_finite() => direction = -next,
            Some(_) => return Proposal::Open(simplex),
            None => return Proposal::Contains(simplex),
        }
    }
    Proposal::Open(simplex)
}

/// Reduces the simplex to the part that sees zero, and gives a direction from it towards zero; `None` if zero is
/// inside a tetrahedron. The last corner is the newest, and zero lies beyond the others' part by construction.
fn toward_zero(simplex: &mut Simplex) -> Option<DVec3> {
    match simplex.len {
        1 => Some(-simplex.corners[0].point),
        2 => Some(from_segment(simplex)),
        3 => Some(from_triangle(simplex)),
        _ => from_tetrahedron(simplex),
    }
}

fn from_segment(simplex: &mut Simplex) -> DVec3 {
    let [b, a] = [simplex.corners[0], simplex.corners[1]];
    let (ab, ao) = (b.point - a.point, -a.point);
    if ab.dot(ao) > 0.0 {
        ab.cross(ao).cross(ab)
    } else {
        simplex.keep([a]);
        ao
    }
}

fn from_triangle(simplex: &mut Simplex) -> DVec3 {
    let [c, b, a] = [simplex.corners[0], simplex.corners[1], simplex.corners[2]];
    let (ab, ac, ao) = (b.point - a.point, c.point - a.point, -a.point);
    let normal = ab.cross(ac);
    if normal.cross(ac).dot(ao) > 0.0 && ac.dot(ao) > 0.0 {
        simplex.keep([c, a]);
        return ac.cross(ao).cross(ac);
    }
    if ab.cross(normal).dot(ao) > 0.0 || normal.cross(ac).dot(ao) > 0.0 {
        simplex.keep([b, a]);
        return from_segment(simplex);
    }
    if normal.dot(ao) > 0.0 {
        normal
    } else {
        simplex.keep([b, c, a]);
        -normal
    }
}

fn from_tetrahedron(simplex: &mut Simplex) -> Option<DVec3> {
    let [d, c, b, a] = simplex.corners;
    // Faces at the newest corner, each with its outward normal whatever the orientation.
    for (x, y, opposite) in [(b, c, d), (c, d, b), (d, b, c)] {
        let normal = (x.point - a.point).cross(y.point - a.point);
        let inward = normal.dot(opposite.point - a.point);
        let outward = if inward > 0.0 { -normal } else { normal };
        if outward.dot(-a.point) > 0.0 {
            simplex.keep([x, y, a]);
            return Some(from_triangle(simplex));
        }
    }
    None
}
