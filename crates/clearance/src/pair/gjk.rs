//! Whether zero lies in the Minkowski difference, by simplices that close in on it [Gilbert, Johnson, Keerthi 1988].
//!
//! Floats only: the outcome is a proposal with the vertex pairs that argue for it, to be proved by the caller. A round
//! is one chain of dependent operations, so what counts is its length: triple products instead of repeated cross
//! products, and orientations that are carried along instead of computed.

use super::relative::{Corner, Relative};
use super::view::View;
use glam::DVec3;

/// Up to four corners, the newest last.
///
/// Three corners `x, y, z` that face zero are in the order in which `(y - z) x (x - z)` points towards zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simplex {
    corners: [Corner; 4],
    len: usize,
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

    #[inline]
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

    #[inline]
    pub fn corners(&self) -> &[Corner] {
        &self.corners[..self.len]
    }

    #[inline]
    pub fn push(&mut self, corner: Corner) {
        self.corners[self.len] = corner;
        self.len += 1;
    }

    /// The same vertices under other poses.
    pub fn moved(&self, pair: &Relative<'_>) -> Simplex {
        let mut moved = *self;
        for corner in &mut moved.corners[..self.len] {
            *corner = pair.corner(corner.vertices);
        }
        moved
    }

    #[inline(always)]
    fn keep_two(&mut self, kept: [Corner; 2]) {
        [self.corners[0], self.corners[1]] = kept;
        self.len = 2;
    }

    #[inline(always)]
    fn keep_three(&mut self, kept: [Corner; 3]) {
        [self.corners[0], self.corners[1], self.corners[2]] = kept;
        self.len = 3;
    }

    /// Reduces the simplex to the part that sees zero, and gives a direction from it towards zero; `None` if zero is
    /// inside a tetrahedron. Zero lies beyond the part without the newest corner by construction.
    #[inline(always)]
    pub fn toward_zero(&mut self) -> Option<DVec3> {
        match self.len {
            1 => Some(-self.corners[0].point),
            2 => Some(self.from_segment()),
            3 => Some(self.from_triangle()),
            _ => self.from_tetrahedron(),
        }
    }

    #[inline(always)]
    fn from_segment(&mut self) -> DVec3 {
        let [b, a, ..] = self.corners;
        let (ab, ao) = (b.point - a.point, -a.point);
        if ab.dot(ao) > 0.0 {
            return ab.cross(ao).cross(ab);
        }
        self.corners[0] = a;
        self.len = 1;
        ao
    }

    fn from_triangle(&mut self) -> DVec3 {
        let [c, b, a, _] = self.corners;
        let (ab, ac, ao) = (b.point - a.point, c.point - a.point, -a.point);
        let normal = ab.cross(ac);
        // (normal x ac) . ao and (ab x normal) . ao, one product shorter.
        let (across_c, across_b) = (ac.cross(ao), ao.cross(ab));
        let (beyond_c, beyond_b) = (normal.dot(across_c) > 0.0, normal.dot(across_b) > 0.0);
        if beyond_c && ac.dot(ao) > 0.0 {
            self.keep_two([c, a]);
            return across_c.cross(ac);
        }
        if beyond_b || beyond_c {
            self.keep_two([b, a]);
            return self.from_segment();
        }
        if normal.dot(ao) > 0.0 {
            normal
        } else {
            self.keep_three([b, c, a]);
            -normal
        }
    }

    fn from_tetrahedron(&mut self) -> Option<DVec3> {
        let [z, y, x, a] = self.corners;
        let (ax, ay, az) = (x.point - a.point, y.point - a.point, z.point - a.point);
        // Outward normals of the three faces at the newest corner; positive: zero is outside.
        let height = |normal: DVec3| -normal.dot(a.point);
        let (over_xy, over_yz, over_zx) = (height(ax.cross(ay)), height(ay.cross(az)), height(az.cross(ax)));
        let kept = if over_xy > 0.0 {
            [y, x, a]
        } else if over_yz > 0.0 {
            [z, y, a]
        } else if over_zx > 0.0 {
            [x, z, a]
        } else {
            return None;
        };
        self.keep_three(kept);
        Some(self.from_triangle())
    }
}
