//! On which side of each triangle's plane the corners of the other lie.

use super::pair::TrianglePair;
use crate::exact::{Sign, orient3d_posed};
use crate::math::round::{UNIT_ROUNDOFF, power_of_two};
use glam::DVec3;

/// Sizes below this are left to exact signs: products of three of them come close to underflow.
const SMALLEST_SIZE: f64 = power_of_two(-300);

/// Errors above this as well: below, nothing overflowed, as heights are at most `2^53` times their error.
const OVERFLOW_GUARD: f64 = power_of_two(900);

/// Exact signs, two triangles of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    /// Of the corners of A over the plane of B.
    pub a: [Sign; 3],
    /// Of the corners of B over the plane of A.
    pub b: [Sign; 3],
    /// What they are the signs of, unless all are zero.
    pub heights_a: Heights,
    pub heights_b: Heights,
}

/// Whether all corners are strictly on one side: the triangles are disjoint.
#[inline]
fn is_beside(sides: [Sign; 3]) -> bool {
    !sides[0].is_zero() && sides[0] == sides[1] && sides[0] == sides[2]
}

pub(super) fn are_zero(sides: [Sign; 3]) -> bool {
    sides.iter().all(|s| s.is_zero())
}

/// A triangle in floats as seen from its first corner: each coordinate of an edge errs by at most `4.1u size`.
#[derive(Clone, Copy)]
struct Star {
    edges: [DVec3; 2],
    sizes: [f64; 2],
    normal: DVec3,
}

impl Star {
    #[inline]
    fn new([p, q, r]: [DVec3; 3], pose: &crate::Pose) -> Star {
        let (along_q, along_r) = (q - p, r - p);
        let edges = [pose.apply_vector(along_q), pose.apply_vector(along_r)];
        let sizes = [along_q.abs().element_sum(), along_r.abs().element_sum()];
        Star { normal: edges[0].cross(edges[1]), edges, sizes }
    }
}

/// Float heights of three points over a plane, times the length of its normal, and a bound of their errors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heights {
    values: [f64; 3],
    /// Infinite if nothing is known.
    error: f64,
}

impl Heights {
    /// Heights of the corners of another triangle whose first corner is at `offset`.
    ///
    /// A height is `det[e, f, offset + g]` with vectors that err by at most `6u` of their sizes: six products of three
    /// in each of the two determinants, each wrong by `3 * 6u` through its factors and `5u` through rounding, `138u`,
    /// and `2u` for their sum; `160u` with the second order and the rounding of sizes.
    #[inline]
    fn new(plane: &Star, offset: DVec3, size: f64, other: &Star) -> Heights {
        let first = plane.normal.dot(offset);
        let [second, third] = other.edges.map(|edge| first + plane.normal.dot(edge));
        let reach = size + other.sizes[0].max(other.sizes[1]);
        let error = 160.0 * UNIT_ROUNDOFF * (plane.sizes[0] * plane.sizes[1]) * reach;
        let is_trusted =
            (plane.sizes[0].min(plane.sizes[1]).min(reach) > SMALLEST_SIZE) & (error < OVERFLOW_GUARD);
        Heights { values: [first, second, third], error: if is_trusted { error } else { f64::INFINITY } }
    }

    /// Where on the edge from one corner to another the height is zero, if floats can tell: heights whose difference is
    /// within `2^30` of their error do not.
    pub fn crossing(&self, from: usize, to: usize) -> Option<f64> {
        let change = self.values[from] - self.values[to];
        (change.abs() > power_of_two(30) * self.error && change.is_finite())
            .then(|| self.values[from] / change)
    }

    /// The sign of a height, if it is known.
    #[inline]
    fn sign(&self, corner: usize) -> Option<Sign> {
        let value = self.values[corner];
        // Written so that NaN is unknown.
        (value.abs() > self.error).then_some(if value > 0.0 { Sign::Positive } else { Sign::Negative })
    }

    /// Exact signs; `exact` is asked for what floats leave open.
    #[inline]
    fn signs(&self, exact: impl Fn(usize) -> Sign) -> [Sign; 3] {
        [0, 1, 2].map(|corner| self.sign(corner).unwrap_or_else(|| exact(corner)))
    }
}

impl TrianglePair<'_> {
    /// The first corner of B seen from that of A, each coordinate wrong by at most `5.3u` of the size: three products
    /// and two sums for each body `3.1u`, their difference, the offset and its sum `u` each.
    #[inline]
    pub fn between_first_corners(&self) -> (DVec3, f64) {
        if std::ptr::eq(self.pose_a, self.pose_b) {
            let along = self.b[0] - self.a[0];
            return (self.pose_a.apply_vector(along), along.abs().element_sum());
        }
        let offset = self.pose_b.translation() - self.pose_a.translation();
        let rotated = self.pose_b.apply_vector(self.b[0]) - self.pose_a.apply_vector(self.a[0]);
        (rotated + offset, (self.a[0].abs() + self.b[0].abs() + offset.abs()).element_sum())
    }

    /// Both triangles in floats.
    #[inline]
    pub fn seen(&self) -> Seen {
        let (offset, size) = self.between_first_corners();
        let (star_a, star_b) = (Star::new(self.a, self.pose_a), Star::new(self.b, self.pose_b));
        Seen { offset, size, star_a, star_b }
    }

    /// The exact sides; `None` if one triangle lies strictly on one side of the other's plane.
    #[inline]
    pub fn sides(&self, seen: &Seen) -> Option<Sides> {
        let heights_b = seen.heights_b();
        let b = heights_b
            .signs(|corner| orient3d_posed(self.at_a(0), self.at_a(1), self.at_a(2), self.at_b(corner)));
        if is_beside(b) {
            return None;
        }
        if are_zero(b) {
            // In one plane, or flat: then this is found out later.
            return Some(Sides { a: [Sign::Zero; 3], b, heights_a: heights_b, heights_b });
        }
        let heights_a = seen.heights_a();
        let a = heights_a
            .signs(|corner| orient3d_posed(self.at_b(0), self.at_b(1), self.at_b(2), self.at_a(corner)));
        if is_beside(a) { None } else { Some(Sides { a, b, heights_a, heights_b }) }
    }
}

/// Two triangles in floats, seen from their first corners.
pub(super) struct Seen {
    offset: DVec3,
    size: f64,
    star_a: Star,
    star_b: Star,
}

impl Star {
    /// From the first corner to one, and its size; its coordinates err by `4.1u` of that.
    #[inline]
    fn to(&self, corner: usize) -> (DVec3, f64) {
        if corner == 0 { (DVec3::ZERO, 0.0) } else { (self.edges[corner - 1], self.sizes[corner - 1]) }
    }

    /// From one corner to another, and its size; its coordinates err by `5.2u` of that.
    #[inline]
    fn edge(&self, from: usize, to: usize) -> (DVec3, f64) {
        let ((from, size_from), (to, size_to)) = (self.to(from), self.to(to));
        (to - from, size_from + size_to)
    }
}

impl Seen {
    /// Of the corners of A over the plane of B.
    #[inline]
    fn heights_a(&self) -> Heights {
        Heights::new(&self.star_b, -self.offset, self.size, &self.star_a)
    }

    /// Of the corners of B over the plane of A.
    #[inline]
    fn heights_b(&self) -> Heights {
        Heights::new(&self.star_a, self.offset, self.size, &self.star_b)
    }

    /// The sign of `det[e, f, w]` for an edge of each triangle and the vector `w` between the corners at which they
    /// start, if it is known.
    ///
    /// `w` is a sum of three vectors and errs by at most `7.4u` of their sizes. So products of three err by `18u` through
    /// their factors and `5u` through rounding; `160u` is as for heights.
    #[inline]
    pub fn turn(&self, edge_a: [usize; 2], edge_b: [usize; 2]) -> Option<Sign> {
        let (e, size_e) = self.star_a.edge(edge_a[0], edge_a[1]);
        let (f, size_f) = self.star_b.edge(edge_b[0], edge_b[1]);
        let ((p, size_p), (q, size_q)) = (self.star_a.to(edge_a[0]), self.star_b.to(edge_b[0]));
        let size_w = self.size + size_p + size_q;
        let error = 160.0 * UNIT_ROUNDOFF * (size_e * size_f * size_w);
        let is_trusted = (size_e.min(size_f).min(size_w) > SMALLEST_SIZE) & (error < OVERFLOW_GUARD);
        let value = e.cross(f).dot(self.offset + q - p);
        // Written so that NaN is unknown.
        let is_known = is_trusted && value.abs() > error;
        is_known.then_some(if value > 0.0 { Sign::Positive } else { Sign::Negative })
    }
}
