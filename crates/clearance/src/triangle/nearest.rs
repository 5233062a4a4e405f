//! The nearest points of two triangles in floats, and what they prove.

use super::candidates::{EdgePair, nearest_corner, nearest_edges};
use super::pair::{TrianglePair, next};
use crate::math::round::{UNIT_ROUNDOFF, exponent_of, power_of_two};
use glam::DVec3;

/// Proved ends of a distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bracket {
    pub lower: f64,
    pub upper: f64,
    /// The lower end is the gap along this direction of the world, of any length; each coordinate may be off by one
    /// rounding.
    pub along: DVec3,
}

/// Weights of the corners of each triangle, not negative, with sum one up to rounding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    pub weights_a: [f64; 3],
    pub weights_b: [f64; 3],
    /// Along this or its opposite the triangles are likely to be as far apart as the points are; zero if along the
    /// difference of the points.
    direction: DVec3,
}

/// Two triangles seen from the first corner of A, in a unit, a power of two, in which their size is between one and
/// two: products neither over- nor underflow, and scaling the input by a power of two changes no bit.
pub(super) struct Local {
    /// The corners of A, the first of them zero.
    a: [DVec3; 3],
    /// The corners of B.
    b: [DVec3; 3],
    /// Never below `|x|_1` of the vector between the first corners, an edge of A and one of B together; each
    /// coordinate of the first errs by `5.3u`, of the others by `4.1u` of their part of it.
    size: f64,
    unit: f64,
}

/// Triangles below `2^-500` in size are left to integers: products of their coordinates come close to underflow.
const SMALLEST_EXPONENT: i32 = -500;

/// Directions below this length prove nothing: their products come close to underflow.
const SMALLEST_DIRECTION: f64 = power_of_two(-450);

impl Local {
    /// `None` for triangles so small that floats are no help.
    #[inline]
    pub fn new(pair: &TrianglePair<'_>) -> Option<Local> {
        let (offset, size) = pair.between_first_corners();
        let edges = |[p, q, r]: [DVec3; 3]| [q - p, r - p];
        let (edges_a, edges_b) = (edges(pair.a), edges(pair.b));
        let longest = |[e, f]: [DVec3; 2]| e.abs().element_sum().max(f.abs().element_sum());
        let size = (size + longest(edges_a) + longest(edges_b)) * (1.0 + 4.0 * f64::EPSILON);
        // Written so that NaN is left to the checks of the exact stage.
        if !(power_of_two(SMALLEST_EXPONENT)..=power_of_two(400)).contains(&size) {
            return None;
        }
        let unit = power_of_two(-exponent_of(size));
        let corner = offset * unit;
        let [a1, a2] = edges_a.map(|e| pair.pose_a.apply_vector(e) * unit);
        let [b1, b2] = edges_b.map(|e| pair.pose_b.apply_vector(e) * unit);
        Some(Local {
            a: [DVec3::ZERO, a1, a2],
            b: [corner, corner + b1, corner + b2],
            size: size * unit,
            unit,
        })
    }

    /// A number proved to be at most the distance, from the direction between the middles alone.
    #[inline]
    pub fn quick_lower_bound(&self) -> f64 {
        let middle = |p: &[DVec3; 3]| p[0] + p[1] + p[2];
        self.gap(middle(&self.b) - middle(&self.a)).max(0.0) / self.unit
    }

    /// The nearest of the candidates. If the triangles meet, their distance is of no meaning.
    #[inline]
    pub fn nearest(&self) -> Nearest {
        let edges = nearest_edges(&self.a, &self.b);
        let over_a = nearest_corner(&self.a, &self.b);
        let over_b = nearest_corner(&self.b, &self.a);
        if edges.square <= over_a.square && edges.square <= over_b.square {
            return Nearest {
                weights_a: on_edge(edges.start_a, edges.at_a),
                weights_b: on_edge(edges.start_b, edges.at_b),
                direction: self.across(&edges),
            };
        }
        let normal = |[p, q, r]: [DVec3; 3]| (q - p).cross(r - p);
        if over_a.square <= over_b.square {
            let (weights_a, weights_b) = (over_a.weights, on_edge(over_a.corner, 0.0));
            Nearest { weights_a, weights_b, direction: normal(self.a) }
        } else {
            let (weights_a, weights_b) = (on_edge(over_b.corner, 0.0), over_b.weights);
            Nearest { weights_a, weights_b, direction: normal(self.b) }
        }
    }

    /// Perpendicular to both edges by construction, which the difference of points is up to cancellation; zero if an
    /// end is nearest.
    fn across(&self, edges: &EdgePair) -> DVec3 {
        let is_inside = |at: f64| at > 0.0 && at < 1.0;
        if !is_inside(edges.at_a) || !is_inside(edges.at_b) {
            return DVec3::ZERO;
        }
        let along = |corners: &[DVec3; 3], start: usize| corners[next(start)] - corners[start];
        along(&self.a, edges.start_a).cross(along(&self.b, edges.start_b))
    }

    /// What the points and their direction prove. With `W` the size of the part between the first corners and `E` that
    /// of the edges, `size >= W + E`:
    ///
    /// *Upper*: a coordinate of a corner errs by `6.3u W + 5.1u E`, one of a point by `3u` of both more through products
    /// and sums, and by `2u` as weights add up to one only so far; their difference by `u`: below `13.3u size`, in
    /// length below `24u size`.
    ///
    /// *Lower*: with `D = |d|_1`, a height errs by `D` times what a corner does and by `3u D` of both through products
    /// and sums, their difference by `u D size`: below `12u D size`. Length, quotient and differences err by `6u`
    /// relative.
    #[inline]
    pub fn bracket(&self, nearest: &Nearest) -> Bracket {
        let between = self.between(nearest);
        let upper = between.length() * (1.0 + 8.0 * UNIT_ROUNDOFF) + 28.0 * UNIT_ROUNDOFF * self.size;
        let along = if nearest.direction.dot(between) < 0.0 { -nearest.direction } else { nearest.direction };
        let (straight, across) = (self.gap(between), self.gap(along));
        let (lower, along) = if across > straight { (across, along) } else { (straight, between) };
        Bracket { lower: lower.max(0.0) / self.unit, upper: upper / self.unit, along }
    }

    /// A number proved to be at most the distance, if a corner and a point of an edge are nearest; zero otherwise.
    ///
    /// The difference of the points is perpendicular to the edge only up to the rounding of its length. An edge that is `1e9` times
    /// as long as the triangles are apart is then not behind any plane between them; here it is.
    #[inline(never)]
    pub fn gap_beside_edge(&self, nearest: &Nearest) -> f64 {
        let edge = |w: [f64; 3], p: &[DVec3; 3]| {
            let mut used = (0..3).filter(|&k| w[k] > 0.0);
            match (used.next(), used.next(), used.next()) {
                (Some(from), Some(to), None) => Some(p[to] - p[from]),
                _ => None,
            }
        };
        let edges = (edge(nearest.weights_a, &self.a), edge(nearest.weights_b, &self.b));
        let ((Some(edge), None) | (None, Some(edge))) = edges else { return 0.0 };
        let between = self.between(nearest);
        self.gap(between - edge * (between.dot(edge) / edge.length_squared())).max(0.0) / self.unit
    }

    /// From the nearest point of A to that of B.
    #[inline(always)]
    fn between(&self, nearest: &Nearest) -> DVec3 {
        let mix = |w: [f64; 3], p: &[DVec3; 3]| p[0] * w[0] + (p[1] * w[1] + p[2] * w[2]);
        mix(nearest.weights_b, &self.b) - mix(nearest.weights_a, &self.a)
    }

    /// A number proved to be at most the gap along a direction; zero if it proves nothing.
    #[inline]
    fn gap(&self, direction: DVec3) -> f64 {
        let length = direction.length();
        // Written so that NaN proves nothing.
        if !(SMALLEST_DIRECTION..power_of_two(100)).contains(&length) {
            return 0.0;
        }
        let [a0, a1, a2] = self.a.map(|p| direction.dot(p));
        let [b0, b1, b2] = self.b.map(|p| direction.dot(p));
        let error = 14.0 * UNIT_ROUNDOFF * direction.abs().element_sum() * self.size;
        let gap = b0.min(b1).min(b2) - a0.max(a1).max(a2) - error;
        gap / length * (1.0 - 8.0 * UNIT_ROUNDOFF)
    }
}

/// The weights of a point of the edge from a corner to the next.
#[inline(always)]
fn on_edge(corner: usize, position: f64) -> [f64; 3] {
    let mut weights = [0.0; 3];
    weights[corner] = 1.0 - position;
    weights[next(corner)] = position;
    weights
}
