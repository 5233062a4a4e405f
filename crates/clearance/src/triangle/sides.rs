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
#[derive(Clone, Copy)]
struct Heights {
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

    /// Heights of the corners of A over the plane of B, and of those of B over the plane of A.
    #[inline]
    fn heights(&self) -> (Heights, Heights) {
        let (offset, size) = self.between_first_corners();
        let (star_a, star_b) = (Star::new(self.a, self.pose_a), Star::new(self.b, self.pose_b));
        (Heights::new(&star_b, -offset, size, &star_a), Heights::new(&star_a, offset, size, &star_b))
    }

    /// The exact sides; `None` if one triangle lies strictly on one side of the other's plane.
    #[inline]
    pub fn sides(&self) -> Option<Sides> {
        let (heights_a, heights_b) = self.heights();
        let b = heights_b
            .signs(|corner| orient3d_posed(self.at_a(0), self.at_a(1), self.at_a(2), self.at_b(corner)));
        if is_beside(b) {
            return None;
        }
        if are_zero(b) {
            // In one plane, or flat: then this is found out later.
            return Some(Sides { a: [Sign::Zero; 3], b });
        }
        let a = heights_a
            .signs(|corner| orient3d_posed(self.at_b(0), self.at_b(1), self.at_b(2), self.at_a(corner)));
        if is_beside(a) { None } else { Some(Sides { a, b }) }
    }
}
