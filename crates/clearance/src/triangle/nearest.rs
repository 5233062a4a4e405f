//! The nearest points of two triangles in floats: 9 pairs of edges, 6 of a corner and a face, and what they prove.

use super::pair::{TrianglePair, next};
use crate::math::round::{UNIT_ROUNDOFF, exponent_of, power_of_two};
use glam::DVec3;

/// Proved ends of a distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bracket {
    pub lower: f64,
    pub upper: f64,
}

/// Weights of the corners of each triangle, not negative, with sum one up to rounding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    pub weights_a: [f64; 3],
    pub weights_b: [f64; 3],
    /// The square of the distance of the points, in units; a proposal.
    square: f64,
    /// A direction along which the triangles are likely to be that far apart.
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
        Some(Local { a: [DVec3::ZERO, a1, a2], b: [corner, corner + b1, corner + b2], size: size * unit, unit })
    }

    /// The nearest of the candidates. If the triangles meet, their distance is of no meaning.
    #[inline]
    pub fn nearest(&self) -> Nearest {
        let mut best = self.nearest_of_edges(0, 0);
        for k in 1..9 {
            best = best.or_nearer(self.nearest_of_edges(k % 3, k / 3));
        }
        for found in corners_over_face(&self.a, &self.b).into_iter().flatten() {
            best = best.or_nearer(found);
        }
        for found in corners_over_face(&self.b, &self.a).into_iter().flatten() {
            best = best.or_nearer(found.swapped());
        }
        best
    }

    /// The nearest points of two edges, after Ericson 2005, section 5.1.9.
    #[inline(always)]
    fn nearest_of_edges(&self, i: usize, j: usize) -> Nearest {
        let (p, q) = (self.a[i], self.b[j]);
        let (along_a, along_b) = (self.a[next(i)] - p, self.b[next(j)] - q);
        let between = q - p;
        let (aa, ab, bb) = (along_a.length_squared(), along_a.dot(along_b), along_b.length_squared());
        let (a, b) = (along_a.dot(between), along_b.dot(between));
        // Parallel edges (and edges without length) have a determinant of zero, or NaN: any point of A will do.
        let free = ((a * bb - b * ab) / (aa * bb - ab * ab)).clamp(0.0, 1.0);
        let free = if free.is_nan() { 0.0 } else { free };
        let t = foot((ab * free - b) / bb);
        let s = foot((ab * t + a) / aa);
        let along = between + along_b * t - along_a * s;
        let across = along_a.cross(along_b);
        let is_inside = s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0;
        Nearest {
            weights_a: on_edge(i, s),
            weights_b: on_edge(j, t),
            square: along.length_squared(),
            // Perpendicular to both edges by construction, which the difference of points is up to cancellation.
            direction: if is_inside { across * across.dot(between).signum() } else { along },
        }
    }

    /// What the points and their direction prove.
    ///
    /// *Upper*: a coordinate of the difference of the points errs by `5.3u` of the part between the first corners,
    /// `6.1u` of each other part, `4u` of everything through sums and `u` through weights: `11u size`, in length below
    /// `20u size`. *Lower*: with `D = |d|_1` each product errs by `8.4u D` of its part at most and two sums by `2u D
    /// size`: below `12u D size`.
    #[inline]
    pub fn bracket(&self, nearest: &Nearest) -> Bracket {
        let mix = |w: [f64; 3], p: &[DVec3; 3]| p[0] * w[0] + (p[1] * w[1] + p[2] * w[2]);
        let between = mix(nearest.weights_b, &self.b) - mix(nearest.weights_a, &self.a);
        let upper = between.length() * (1.0 + 4.0 * UNIT_ROUNDOFF) + 20.0 * UNIT_ROUNDOFF * self.size;
        let lower = self.gap(nearest.direction).max(self.gap(between)).max(0.0);
        Bracket { lower: lower / self.unit, upper: upper / self.unit }
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
        let error = 12.0 * UNIT_ROUNDOFF * direction.abs().element_sum() * self.size;
        let gap = b0.min(b1).min(b2) - a0.max(a1).max(a2) - error;
        gap / length * (1.0 - 4.0 * UNIT_ROUNDOFF)
    }
}

impl Nearest {
    #[inline(always)]
    fn or_nearer(self, other: Nearest) -> Nearest {
        // NaN is never nearer.
        if other.square < self.square { other } else { self }
    }

    #[inline(always)]
    fn swapped(self) -> Nearest {
        Nearest {
            weights_a: self.weights_b,
            weights_b: self.weights_a,
            direction: -self.direction,
            square: self.square,
        }
    }
}

/// The corners of `corners` whose feet lie inside the triangle `face`, which takes the part of A.
#[inline(always)]
fn corners_over_face(face: &[DVec3; 3], corners: &[DVec3; 3]) -> [Option<Nearest>; 3] {
    let (u, v) = (face[1] - face[0], face[2] - face[0]);
    let normal = u.cross(v);
    let inverse = 1.0 / normal.length_squared();
    [0, 1, 2].map(|k| {
        let from = corners[k] - face[0];
        let second = from.cross(v).dot(normal) * inverse;
        let third = u.cross(from).dot(normal) * inverse;
        let first = 1.0 - second - third;
        let is_inside = first > 0.0 && second > 0.0 && third > 0.0;
        let height = normal.dot(from);
        is_inside.then(|| Nearest {
            weights_a: [first, second, third],
            weights_b: on_edge(k, 0.0),
            square: height * height * inverse,
            direction: normal * height.signum(),
        })
    })
}

/// A foot on an edge, of which NaN is an end.
#[inline(always)]
fn foot(position: f64) -> f64 {
    let clamped = position.clamp(0.0, 1.0);
    if clamped.is_nan() { 0.0 } else { clamped }
}

/// The weights of a point of the edge from a corner to the next.
#[inline(always)]
fn on_edge(corner: usize, position: f64) -> [f64; 3] {
    let mut weights = [0.0; 3];
    weights[corner] = 1.0 - position;
    weights[next(corner)] = position;
    weights
}
