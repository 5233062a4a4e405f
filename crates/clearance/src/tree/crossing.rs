//! Two triangles in floats: crossing for sure, apart for sure, or left to exact arithmetic.

use super::pair::{Corners, TreePair};
use crate::math::round::{UNIT_ROUNDOFF, power_of_two};
use glam::DVec3;

/// What floats know about two triangles under the exact poses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// They have no point in common; proved.
    Apart,
    /// They cross transversally: an edge of one pierces the inside of the other; proved.
    Crossing,
    /// Too close to tell: touching, coplanar, or nearly so.
    Unclear,
}

impl<B> TreePair<'_, B> {
    /// Whether two triangles, given by their corners in the frames of their bodies, cross under the exact poses.
    #[inline]
    pub fn crossing(&self, a: [DVec3; 3], b: [DVec3; 3]) -> Crossing {
        self.corners(a, b).crossing()
    }
}

impl Corners {
    /// The planes first: the corners of one triangle on one side of the other's plane settle most pairs. Then each
    /// triangle meets the line common to both planes in an interval, and two orientations say whether the intervals
    /// overlap (after Guigue and Devillers 2003). Every sign must be certain.
    #[inline]
    pub(super) fn crossing(&self) -> Crossing {
        let (edges_a, edges_b) = (edges(&self.a), edges(&self.b));
        let between = self.b[0] - self.a[0];
        let sizes =
            Sizes { a: largest(&edges_a), b: largest(&edges_b), between: between.abs().max_element() };
        if !sizes.in_range(self.error) {
            return Crossing::Unclear;
        }
        let normal_a = edges_a[0].cross(edges_a[1]);
        let height = normal_a.dot(between);
        let heights_b = [height, height + normal_a.dot(edges_b[0]), height + normal_a.dot(edges_b[1])];
        let bound_a = self.plane_bound(sizes.a, sizes.b, sizes.between);
        if one_side(heights_b, bound_a) {
            return Crossing::Apart;
        }
        let normal_b = edges_b[0].cross(edges_b[1]);
        let height = -normal_b.dot(between);
        let heights_a = [height, height + normal_b.dot(edges_a[0]), height + normal_b.dot(edges_a[1])];
        let bound_b = self.plane_bound(sizes.b, sizes.a, sizes.between);
        if one_side(heights_a, bound_b) {
            return Crossing::Apart;
        }
        let certain = |heights: [f64; 3], bound: f64| heights.iter().all(|h| h.abs() > bound);
        if !(certain(heights_b, bound_a) && certain(heights_a, bound_b)) {
            return Crossing::Unclear;
        }
        self.intervals(heights_a, heights_b, &sizes)
    }

    /// Whether the intervals on the common line overlap, all six heights being certain and mixed.
    #[inline]
    fn intervals(&self, heights_a: [f64; 3], heights_b: [f64; 3], sizes: &Sizes) -> Crossing {
        let (alone_a, alone_b) = (alone(heights_a), alone(heights_b));
        let [p1, mut q1, mut r1] = [0, 1, 2].map(|i| self.a[(alone_a + i) % 3]);
        let [p2, mut q2, mut r2] = [0, 1, 2].map(|i| self.b[(alone_b + i) % 3]);
        // As if the corner that stands alone were above the other's plane.
        if heights_b[alone_b] < 0.0 {
            (q1, r1) = (r1, q1);
        }
        if heights_a[alone_a] < 0.0 {
            (q2, r2) = (r2, q2);
        }
        let across = p2 - p1;
        let first = (q1 - p1).cross(across).dot(q2 - p1);
        let second = (r1 - p1).cross(r2 - p1).dot(across);
        // Edges that do not start at the first corner are at most twice as large.
        let size = 2.0 * (sizes.a + sizes.b) + sizes.between;
        let bound = self.bound([size; 3]);
        if first > bound || second > bound {
            Crossing::Apart
        } else if first < -bound && second < -bound {
            Crossing::Crossing
        } else {
            Crossing::Unclear
        }
    }

    /// The error of a determinant of three differences of corners that are at most this large.
    ///
    /// Each coordinate of a difference errs by `e = 2 error + u size`, also within a triangle. Six products of three
    /// factors err by `e / size` for each factor, and by `5u` for products and sums. Terms of second order are below a
    /// sixtieth of that, as no size is below `512 error`.
    #[inline]
    fn bound(&self, [x, y, z]: [f64; 3]) -> f64 {
        6.1 * (2.0 * self.error * (x * y + y * z + z * x) + 8.1 * UNIT_ROUNDOFF * (x * y * z))
    }

    /// The error of heights over a plane: two edges of one triangle, and a sum of at most two differences.
    #[inline]
    fn plane_bound(&self, own: f64, other: f64, between: f64) -> f64 {
        2.0 * self.bound([own, own, other + between])
    }
}

/// Largest coordinates of differences: within each triangle, and between them.
struct Sizes {
    a: f64,
    b: f64,
    between: f64,
}

impl Sizes {
    /// Whether triangles are large enough for error bounds: against errors, and against underflow of products of three.
    #[inline]
    fn in_range(&self, error: f64) -> bool {
        self.a.min(self.b) > 512.0 * error + power_of_two(-300)
    }
}

#[inline]
fn edges([p, q, r]: &[DVec3; 3]) -> [DVec3; 2] {
    [*q - *p, *r - *p]
}

#[inline]
fn largest([u, v]: &[DVec3; 2]) -> f64 {
    u.abs().max(v.abs()).max_element()
}

/// Whether all heights are above or all below zero for certain.
#[inline]
fn one_side([x, y, z]: [f64; 3], bound: f64) -> bool {
    x.min(y).min(z) > bound || x.max(y).max(z) < -bound
}

/// The corner on one side of a plane whose other corners are on the other side.
#[inline]
fn alone(heights: [f64; 3]) -> usize {
    let [x, y, z] = heights.map(|h| h > 0.0);
    if y == z {
        0
    } else if x == z {
        1
    } else {
        2
    }
}
