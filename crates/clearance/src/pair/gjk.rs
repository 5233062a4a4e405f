//! Whether zero lies in the Minkowski difference, by simplices that close in on it [Gilbert, Johnson, Keerthi 1988].
//!
//! Floats only: the outcome is a proposal with the vertex pairs that argue for it, to be proved by the caller. A round
//! is one chain of dependent operations, so what counts is its length: triple products instead of repeated cross
//! products, and orientations that are carried along instead of computed.

use super::relative::{Corner, Relative};
use super::subdistance::nearest;
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

/// The vertex pairs of a simplex: what is kept from frame to frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct VertexPairs {
    pairs: [(u32, u32); 4],
    len: usize,
}

impl VertexPairs {
    pub fn as_slice(&self) -> &[(u32, u32)] {
        &self.pairs[..self.len]
    }

    /// Adds a pair that is not there yet, if there is room.
    pub fn with(mut self, vertices: (u32, u32)) -> VertexPairs {
        if self.len < 4 && !self.as_slice().contains(&vertices) {
            self.pairs[self.len] = vertices;
            self.len += 1;
        }
        self
    }

    /// Whether the vertices exist: what is remembered may come from other bodies.
    #[inline]
    pub fn exist_in(&self, view: &View<'_>) -> bool {
        self.as_slice().iter().all(|&(vertex_a, vertex_b)| view.has_vertices(vertex_a, vertex_b))
    }
}

impl Simplex {
    /// Of one corner.
    pub fn new(corner: Corner) -> Simplex {
        Simplex { corners: [corner; 4], len: 1 }
    }

    #[inline]
    pub fn has(&self, vertices: (u32, u32)) -> bool {
        self.corners().iter().any(|corner| corner.vertices == vertices)
    }

    /// Where its corners come from.
    pub fn vertices(&self) -> VertexPairs {
        VertexPairs { pairs: self.corners.map(|corner| corner.vertices), len: self.len }
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

    /// Remembered corners under new poses.
    pub fn again(pair: &Relative<'_>, remembered: &VertexPairs) -> Simplex {
        Simplex { corners: remembered.pairs.map(|vertices| pair.corner(vertices)), len: remembered.len }
    }

    /// Reduces any simplex to the part nearest to zero, and gives the point of it that is: zero if that is inside a
    /// tetrahedron, or on the part. There must be a corner.
    ///
    /// [`toward_zero`](Simplex::toward_zero) is faster, but has to know that zero lies beyond the older corners.
    pub fn reduce(&mut self) -> DVec3 {
        let face = nearest(&self.corners.map(|corner| corner.point), self.len);
        *self = Simplex { corners: face.corners.map(|i| self.corners[i]), len: face.len };
        if let [z, y, x] = self.corners()
            && (y.point - x.point).cross(z.point - x.point).dot(x.point) > 0.0
        {
            self.corners.swap(0, 1);
        }
        face.point
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
            2 => Some(self.on_segment()),
            3 => Some(self.on_triangle()),
            _ => self.on_tetrahedron(),
        }
    }

    #[inline(always)]
    fn on_segment(&mut self) -> DVec3 {
        let [b, a, ..] = self.corners;
        let (ab, ao) = (b.point - a.point, -a.point);
        if ab.dot(ao) > 0.0 {
            return ab.cross(ao).cross(ab);
        }
        self.corners[0] = a;
        self.len = 1;
        ao
    }

    fn on_triangle(&mut self) -> DVec3 {
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
            return self.on_segment();
        }
        if normal.dot(ao) > 0.0 {
            normal
        } else {
            self.keep_three([b, c, a]);
            -normal
        }
    }

    fn on_tetrahedron(&mut self) -> Option<DVec3> {
        let [z, y, x, a] = self.corners;
        let (ax, ay, az) = (x.point - a.point, y.point - a.point, z.point - a.point);
        // Outward normals of the three faces at the newest corner; positive: zero is outside.
        let height = |normal: DVec3| -normal.dot(a.point);
        let (over_xy, over_yz, over_zx) = (height(ax.cross(ay)), height(ay.cross(az)), height(az.cross(ax)));
        let kept = match (over_xy > 0.0, over_yz > 0.0, over_zx > 0.0) {
            (true, false, false) => [y, x, a],
            (false, true, false) => [z, y, a],
            (false, false, true) => [x, z, a],
            (false, false, false) => return None,
            // Several faces see zero: only distances tell which part is nearest.
            _ => return Some(-self.reduce()),
        };
        self.keep_three(kept);
        Some(self.on_triangle())
    }
}
