//! The distance of two triangles: points that realise an upper bound, directions that prove a lower one.
//!
//! The three corners or edges of a triangle are three lanes, so all nine pairs of edges take three rounds.

use super::pair::{Corners, TreePair};
use crate::math::round::{UNIT_ROUNDOFF, power_of_two};
use glam::DVec3;
use wide::f64x4;

/// A proved bracket of the distance of two triangles under the exact poses.
///
/// The points lie on the triangles up to rounding that `upper` accounts for; they are in the world, relative to the
/// image of the middle of A's bounds (see [`TreePair::origin`]). Triangles that meet have `lower == 0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// Not larger than the distance, not negative.
    pub lower: f64,
    /// Not smaller than the distance.
    pub upper: f64,
    /// A point of the triangle of A.
    pub point_a: DVec3,
    /// A point of the triangle of B.
    pub point_b: DVec3,
}

impl<B> TreePair<'_, B> {
    /// The distance of two triangles, given by their corners in the frames of their bodies.
    ///
    /// For triangles that are apart the bracket is a few units in the last place of the coordinates wide.
    #[inline]
    pub fn gap(&self, a: [DVec3; 3], b: [DVec3; 3]) -> Gap {
        self.gap_of(&self.corners(a, b))
    }

    #[inline]
    pub(super) fn gap_of(&self, corners: &Corners) -> Gap {
        let Gap { lower, upper, point_a, point_b } = corners.gap();
        let unit = self.unit_length();
        // Only among subnormal numbers does a power of two round.
        let (lower, upper) = (lower * unit, upper * unit);
        let lower = if lower < f64::MIN_POSITIVE { 0.0 } else { lower };
        Gap { lower, upper: upper.max(f64::MIN_POSITIVE), point_a: point_a * unit, point_b: point_b * unit }
    }

    /// A lower bound of the distance of two triangles along a direction of the world; zero proves nothing.
    #[inline]
    pub(super) fn apart_along(&self, corners: &Corners, direction: DVec3) -> f64 {
        let lower = corners.apart_along(direction) * self.unit_length();
        if lower < f64::MIN_POSITIVE { 0.0 } else { lower }
    }
}

/// Three vectors, one in each lane, coordinate by coordinate; the fourth lane repeats the first.
#[derive(Clone, Copy)]
struct Three([f64x4; 3]);

impl Three {
    #[inline(always)]
    fn new([p, q, r]: [DVec3; 3]) -> Three {
        Three(std::array::from_fn(|axis| f64x4::new([p[axis], q[axis], r[axis], p[axis]])))
    }

    #[inline(always)]
    fn splat(v: DVec3) -> Three {
        Three(v.to_array().map(f64x4::splat))
    }

    #[inline(always)]
    fn minus(self, other: Three) -> Three {
        Three(std::array::from_fn(|axis| self.0[axis] - other.0[axis]))
    }

    #[inline(always)]
    fn plus_times(self, other: Three, factor: f64x4) -> Three {
        Three(std::array::from_fn(|axis| self.0[axis] + other.0[axis] * factor))
    }

    #[inline(always)]
    fn dot(self, other: Three) -> f64x4 {
        let [x, y, z] = self.0;
        x * other.0[0] + y * other.0[1] + z * other.0[2]
    }
}

/// A triangle with its edges; edge `k` starts at corner `k`.
struct Triangle {
    corners: [DVec3; 3],
    edges: [DVec3; 3],
    normal: DVec3,
}

impl Triangle {
    #[inline(always)]
    fn new(corners: [DVec3; 3]) -> Triangle {
        let [p, q, r] = corners;
        let edges = [q - p, r - q, p - r];
        Triangle { corners, edges, normal: edges[0].cross(edges[1]) }
    }
}

/// Two points, one of each triangle, and a direction in which their distance may be proved best.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub square: f64,
    pub point_a: DVec3,
    pub point_b: DVec3,
    direction: DVec3,
}

impl Corners {
    pub(super) fn gap(&self) -> Gap {
        self.bracket(&self.nearest())
    }

    /// The nearest of all pairs of edges, and of all corners above the other triangle.
    #[inline(always)]
    pub(super) fn nearest(&self) -> Candidate {
        let (a, b) = (Triangle::new(self.a), Triangle::new(self.b));
        let mut best = nearest_edges(&a, &b);
        if let Some((corner, foot, square)) = nearest_corner(&a, &b, best.square) {
            best = Candidate { square, point_a: a.corners[corner], point_b: foot, direction: b.normal };
        }
        if let Some((corner, foot, square)) = nearest_corner(&b, &a, best.square) {
            best = Candidate { square, point_a: foot, point_b: b.corners[corner], direction: a.normal };
        }
        best
    }

    /// A lower bound of the distance from the extents along one direction, in units; zero proves nothing.
    pub(super) fn apart_along(&self, direction: DVec3) -> f64 {
        self.separation(direction, self.error + 12.0 * UNIT_ROUNDOFF * self.size())
    }

    /// Proof of the upper end: a point is a corner plus shares of edges, so it errs as corners do and by `5u` of the size
    /// for differences, products and sums; the difference of two adds `u`: `error + 11u size` a coordinate, and less
    /// than twice that in length.
    fn bracket(&self, best: &Candidate) -> Gap {
        let Candidate { point_a, point_b, .. } = *best;
        let between = point_b - point_a;
        let slack = self.error + 12.0 * UNIT_ROUNDOFF * self.size();
        let upper = best.square.sqrt() * (1.0 + 8.0 * UNIT_ROUNDOFF) + 2.0 * slack;
        let mut lower = self.separation(between, slack);
        // What cancels in the difference of close points does not in the direction they should have.
        if upper - lower > 8.0 * slack {
            let toward_b = if best.direction.dot(between) < 0.0 { -best.direction } else { best.direction };
            lower = lower.max(self.separation(toward_b, slack));
        }
        Gap { lower, upper, point_a, point_b }
    }

    /// A lower bound of the distance from the extents along a direction; zero proves nothing.
    ///
    /// A product errs by the 1-norm of the direction times the error of a corner and `4u` of the size, for the
    /// difference, products and two sums; the gap between two products by `10u` in all.
    #[inline(always)]
    fn separation(&self, direction: DVec3, slack: f64) -> f64 {
        let (start, along) = (Three::splat(self.a[0]), Three::splat(direction));
        let a = along.dot(Three::new(self.a).minus(start)).to_array();
        let b = along.dot(Three::new(self.b).minus(start)).to_array();
        let gap = b[0].min(b[1]).min(b[2]) - a[0].max(a[1]).max(a[2]);
        let gap = gap - direction.abs().element_sum() * slack;
        let square = direction.length_squared();
        // Squares of shorter directions lose digits to underflow.
        if gap > 0.0 && square > power_of_two(-900) {
            gap / square.sqrt() * (1.0 - 8.0 * UNIT_ROUNDOFF)
        } else {
            0.0
        }
    }

    /// No coordinate of a difference of corners is larger.
    #[inline(always)]
    fn size(&self) -> f64 {
        let ([p, q, r], [s, t, u]) = (self.a, self.b);
        let low = p.min(q).min(r).min(s.min(t).min(u));
        let high = p.max(q).max(r).max(s.max(t).max(u));
        (high - low).max_element()
    }
}

/// The nearest points of all pairs of edges.
#[inline(always)]
fn nearest_edges(a: &Triangle, b: &Triangle) -> Candidate {
    let (zero, one) = (f64x4::ZERO, f64x4::ONE);
    let clamp = |x: f64x4| x.fast_max(zero).fast_min(one);
    let (q, v) = (Three::new(b.corners), Three::new(b.edges));
    let vv = v.dot(v);
    let over_vv = one / vv;
    // Loops, not closures: those are called out of line here.
    let mut rounds = [[zero; 3]; 3];
    for (edge, round) in rounds.iter_mut().enumerate() {
        let (p, u) = (Three::splat(a.corners[edge]), Three::splat(a.edges[edge]));
        let uu = u.dot(u);
        let r = p.minus(q);
        let (uv, ur, vr) = (u.dot(v), u.dot(r), v.dot(r));
        // Parallel edges: any start will do.
        let area = (uu * vv - uv * uv).fast_max(f64x4::splat(f64::MIN_POSITIVE));
        let s = clamp((uv * vr - ur * vv) / area);
        let t = clamp((uv * s + vr) * over_vv);
        let s = clamp((uv * t - ur) / uu);
        let between = r.plus_times(u, s).plus_times(v, zero - t);
        *round = [between.dot(between), s, t];
    }
    let (mut edge_a, mut edge_b) = (0, 0);
    for edge in 0..3 {
        for lane in 0..3 {
            if rounds[edge][0].as_array()[lane] < rounds[edge_a][0].as_array()[edge_b] {
                (edge_a, edge_b) = (edge, lane);
            }
        }
    }
    let [square, s, t] = rounds[edge_a].each_ref().map(|x| x.as_array()[edge_b]);
    Candidate {
        square,
        point_a: a.corners[edge_a] + s * a.edges[edge_a],
        point_b: b.corners[edge_b] + t * b.edges[edge_b],
        direction: a.edges[edge_a].cross(b.edges[edge_b]),
    }
}

/// The corner of the first triangle that lies above the inside of the second and nearer than a square says, the point
/// below it, and the square of their distance.
#[inline(always)]
fn nearest_corner(from: &Triangle, onto: &Triangle, limit: f64) -> Option<(usize, DVec3, f64)> {
    let points = Three::new(from.corners);
    let over_area = 1.0 / onto.normal.length_squared();
    // The share of the corner opposite to an edge is the height over that edge in units of the area.
    let mut shares = [f64x4::ZERO; 3];
    for (edge, share) in shares.iter_mut().enumerate() {
        let inward = Three::splat(onto.normal.cross(onto.edges[edge]) * over_area);
        *share = inward.dot(points.minus(Three::splat(onto.corners[edge])));
    }
    let inside = shares[0].fast_min(shares[1]).fast_min(shares[2]).simd_ge(f64x4::ZERO);
    let heights = Three::splat(onto.normal).dot(points.minus(Three::splat(onto.corners[0])));
    let near = (heights * heights * f64x4::splat(over_area)).simd_lt(f64x4::splat(limit));
    let mask = (inside & near).to_bitmask() & 0b111;
    if mask == 0 {
        return None;
    }
    let heights = heights.to_array().map(f64::abs);
    let above = (0..3).filter(|corner| mask >> corner & 1 == 1);
    let corner = above.reduce(|i, j| if heights[j] < heights[i] { j } else { i })?;
    // Whatever rounding did to the shares, the foot is a point of the triangle, and its distance is measured.
    let s = shares[2].as_array()[corner].min(1.0);
    let t = shares[0].as_array()[corner].min(1.0 - s);
    let foot = onto.corners[0] + s * onto.edges[0] - t * onto.edges[2];
    let square = (foot - from.corners[corner]).length_squared();
    (square < limit).then_some((corner, foot, square))
}
