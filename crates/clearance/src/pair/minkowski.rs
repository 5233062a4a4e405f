//! The Minkowski difference `M = B - A` around zero, scaled by a power of two to the size of the unit ball.

use super::exact::climb;
use super::normal::size_of;
use super::relative::Relative;
use crate::exact::{BigDirection, BigNumber, BigQuotient, BigVector, Sign, Vector, det_sign};
use crate::math::Pose;
use crate::math::round::{exponent_of, power_of_two};
use crate::support::{Plateau, SupportMap};
use crate::witness::PosedPair;
use glam::DVec3;

/// Below this size products lose bits to underflow, and floats prove nothing.
const SMALLEST_SCALE: f64 = power_of_two(-900);

/// Up to this many vertices all of them are looked at: a walk around those that are tied costs as much.
const FEW: usize = 40;

/// Vertices tied up to rounding that are searched for the highest.
const LARGEST: usize = 24;

/// A vertex of `M` and where it comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    /// `b - a` in units of the scale; each coordinate errs by at most `6u`, `u = 2^-53`, if floats are trusted.
    pub point: DVec3,
    /// Vertex of A, vertex of B.
    pub vertices: (u32, u32),
}

/// What supports `M` in a direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Highest {
    pub vertices: (u32, u32),
    /// `d . (b - a)` in units of the scale, rounded.
    height: f64,
    /// Whether floats proved both vertices to be extreme.
    pub proved: bool,
}

/// Two prepared polytopes under two poses, seen as their difference.
///
/// Only the difference of the translations enters: bodies far from the origin and near each other lose nothing.
pub(super) struct Minkowski<'a> {
    a: &'a SupportMap,
    b: &'a SupportMap,
    pub pair: PosedPair<'a>,
    offset: DVec3,
    /// A power of two that coordinates are multiplied by; then no point of `M` is longer than 1.
    unit: f64,
    /// Its inverse: what the bounds of distances are multiplied by in the end.
    pub size: f64,
    /// Whether error bounds hold: the scale is far from underflow.
    pub trusted: bool,
}

impl<'a> Minkowski<'a> {
    pub fn new(a: &'a SupportMap, pose_a: &'a Pose, b: &'a SupportMap, pose_b: &'a Pose) -> Minkowski<'a> {
        let offset = pose_b.translation() - pose_a.translation();
        // Larger than the length of any point of M, also where a rotation stretches by 1e-9.
        let scale = (a.reach() + b.reach() + offset.abs().element_sum()) * (1.0 + 1e-8);
        let exponent = if scale > 0.0 { (-1 - exponent_of(scale)).clamp(-1000, 1000) } else { 0 };
        let pair = PosedPair { a: a.polytope(), pose_a, b: b.polytope(), pose_b };
        Minkowski {
            a,
            b,
            pair,
            offset,
            unit: power_of_two(exponent),
            size: power_of_two(-exponent),
            trusted: scale > SMALLEST_SCALE,
        }
    }

    /// The same in the frame of A, up to `VOLUME_ERROR`: where corners are proposed.
    #[inline]
    pub fn relative(&self) -> Relative<'a> {
        let (a, b) = ((self.a, self.pair.pose_a), (self.b, self.pair.pose_b));
        Relative::with_offset(a, b, self.offset * self.unit, self.unit)
    }

    /// Proof of the error, with the scale `s >= reach_a + reach_b + |offset|`: a rotated vertex errs by `3.1u` of
    /// its reach, their difference by `u` more, the offset by `u` of itself, the sum by `u s`: below `6u s`.
    #[inline]
    pub fn corner(&self, vertices: (u32, u32)) -> Corner {
        let b = self.pair.pose_b.apply_vector(self.b.vertex(vertices.1));
        let a = self.pair.pose_a.apply_vector(self.a.vertex(vertices.0));
        Corner { point: ((b - a) + self.offset) * self.unit, vertices }
    }

    /// The vertex of `M` highest along a direction, but for rounding.
    ///
    /// Error of the height: turned directions and products move `d . v` by `6.2u |d|_1 reach`, the offset's part
    /// errs by `4.1u |d|_1` of it, two sums by `2.1u`: `8.3u |d|_1 <= 14.4u` in units of the scale. Where vertices
    /// are tied up to rounding, an exact extreme may lie `22u` beyond the one found.
    #[inline]
    pub fn highest(&self, direction: DVec3) -> Highest {
        let (along_a, along_b) = self.body_directions(direction);
        let low = self.a.climb(along_a, self.a.start(along_a));
        let top = self.b.climb(along_b, self.b.start(along_b));
        let heights = along_a.dot(self.a.vertex(low.vertex)) + along_b.dot(self.b.vertex(top.vertex));
        Highest {
            vertices: (low.vertex, top.vertex),
            height: (direction.dot(self.offset) + heights) * self.unit,
            proved: low.proved & top.proved & self.trusted,
        }
    }

    /// The same up to the rounding of `f32`, for a direction of about unit length, where that is faster: enough to
    /// find a corner that expands.
    #[inline]
    pub fn likely_highest(&self, direction: DVec3) -> Option<(u32, u32)> {
        let (along_a, along_b) = self.body_directions(direction);
        Some((self.a.scan(along_a)?, self.b.scan(along_b)?))
    }

    /// The direction in the frame of B, and its opposite in that of A: both bodies are climbed.
    #[inline]
    fn body_directions(&self, direction: DVec3) -> (DVec3, DVec3) {
        (-self.pair.pose_a.turn_back(direction), self.pair.pose_b.turn_back(direction))
    }

    /// A number not below `d . m / |d|` for all of `M`, for a direction of unit length but for rounding
    /// (`|d| >= 1 - 4u`); infinite if floats cannot tell. Not scaled.
    pub fn height_upper_bound(&self, direction: DVec3, highest: &Highest) -> f64 {
        let is_top = || {
            let (along_a, along_b) = self.body_directions(direction);
            self.trusted
                && self.a.is_top_of_plateau(along_a, highest.vertices.0)
                && self.b.is_top_of_plateau(along_b, highest.vertices.1)
        };
        if !highest.proved && !is_top() {
            return f64::INFINITY;
        }
        self.upper_bound(highest.height)
    }

    /// 8u of a computed height for the division and sums, 40u for the error proved at [`Minkowski::highest`].
    #[inline]
    fn upper_bound(&self, height: f64) -> f64 {
        (height * (1.0 + 4.0 * f64::EPSILON) + 20.0 * f64::EPSILON) * self.size
    }

    /// [`Minkowski::height_upper_bound`] along the normal of a triangle, for vertices that lie in it: they are not highest alone.
    #[inline]
    pub fn plateau_upper_bound(&self, direction: DVec3, vertices: &[(u32, u32); 3]) -> f64 {
        let (along_a, along_b) = self.body_directions(direction);
        let tops = || {
            Some(top(self.a, along_a, vertices.map(|v| v.0))? + top(self.b, along_b, vertices.map(|v| v.1))?)
        };
        match tops() {
            Some(heights) if self.trusted => {
                self.upper_bound((direction.dot(self.offset) + heights) * self.unit)
            }
            _ => f64::INFINITY,
        }
    }

    /// A number not above the distance from zero of the triangle between three corners, for any direction of unit length but
    /// for rounding. Not scaled.
    ///
    /// No point of the triangle is lower than its lowest corner: a corner errs by `11u`, the product by `3u`, the length of
    /// the direction by `4u` of it, and the difference by `u`: below `20u` together.
    pub fn distance_lower_bound(&self, direction: DVec3, corners: &[Corner; 3]) -> f64 {
        let [a, b, c] = corners;
        let height = |corner: &Corner| direction.dot(corner.point);
        (height(a).min(height(b)).min(height(c)) - 10.0 * f64::EPSILON) * self.size
    }

    /// The points of both bodies whose difference is where a direction from zero meets the triangle between three corners,
    /// in the world; as close to that as the triangle allows.
    pub fn points(&self, direction: DVec3, corners: &[Corner; 3]) -> (DVec3, DVec3) {
        let weights = weights_along(direction, corners).max(DVec3::ZERO);
        let weights = weights / weights.element_sum();
        self.mix(if weights.is_finite() { weights } else { DVec3::splat(1.0 / 3.0) }, corners)
    }

    /// The points of both bodies with these weights of three corners, in the world.
    fn mix(&self, weights: DVec3, corners: &[Corner; 3]) -> (DVec3, DVec3) {
        let mix = |map: &SupportMap, [a, b, c]: [u32; 3]| {
            map.vertex(a) * weights.x + map.vertex(b) * weights.y + map.vertex(c) * weights.z
        };
        let [a, b, c] = corners.map(|corner| corner.vertices);
        let (at_a, at_b) = (mix(self.a, [a.0, b.0, c.0]), mix(self.b, [a.1, b.1, c.1]));
        (self.pair.pose_a.apply(at_a), self.pair.pose_b.apply(at_b))
    }

    /// Whether points of both bodies are apart by a depth along a direction, but for the width of its bracket and rounding.
    pub fn are_apart(&self, (point_a, point_b): (DVec3, DVec3), direction: DVec3, depth: f64) -> bool {
        let size = size_of([self.a, self.b], [self.pair.pose_a, self.pair.pose_b]);
        let rest = (point_b - point_a) - direction * depth;
        rest.abs().max_element() <= 1e-9 * depth + 16.0 * f64::EPSILON * size
    }

    /// [`Minkowski::points`] with weights that are exact before they are rounded; `None` unless the direction meets the triangle.
    #[cold]
    pub fn points_exactly(&self, direction: DVec3, corners: &[Corner; 3]) -> Option<(DVec3, DVec3)> {
        let direction = BigVector::from(Vector::Literal(direction));
        let [a, b, c] = [0, 1, 2].map(|i| self.exact(&corners[i]));
        let weights = [b.cross(&c), c.cross(&a), a.cross(&b)].map(|normal| direction.dot(&normal));
        let total = weights.iter().fold(BigNumber::from(0.0), |sum, weight| sum.plus(weight));
        if !total.sign().is_positive() || weights.iter().any(|weight| weight.sign().is_negative()) {
            return None;
        }
        let part = |numerator| BigQuotient { numerator, denominator: total.clone() }.bracket().0;
        Some(self.mix(DVec3::from_array(weights.map(part)), corners))
    }

    /// A corner, exactly; not scaled.
    pub fn exact(&self, corner: &Corner) -> BigVector {
        BigVector::from(self.pair.difference(corner.vertices))
    }

    /// The vertex of `M` highest along an exact direction, by exact signs.
    pub fn highest_exactly(&self, direction: &BigDirection, from: (u32, u32)) -> (u32, u32) {
        let pair = &self.pair;
        let down = |from, to| -direction.dot_sign(Vector::Between(pair.at_a(from), pair.at_a(to)));
        let up = |from, to| direction.dot_sign(Vector::Between(pair.at_b(from), pair.at_b(to)));
        (climb(pair.a, from.0, down), climb(pair.b, from.1, up))
    }

    /// The exact sign of `det[c1 - c0, c2 - c0, c3 - c0]` of four corners, by floats if they can tell.
    ///
    /// Filter: edges have length 2 at most and err by `23u`: three products of `23u * 2 * 2`, and `10u * 8`.
    pub fn filtered_orientation(&self, corners: [&Corner; 4]) -> Sign {
        let [a, b, c, d] = corners.map(|c| c.point);
        let value = (b - a).cross(c - a).dot(d - a);
        match value.abs() > 200.0 * f64::EPSILON && self.trusted {
            true if value > 0.0 => Sign::Positive,
            true => Sign::Negative,
            false => self.orientation(corners),
        }
    }

    /// The exact sign of `det[c1 - c0, c2 - c0, c3 - c0]` of four corners.
    #[cold]
    #[inline(never)]
    pub fn orientation(&self, corners: [&Corner; 4]) -> Sign {
        let named = corners.map(|c| c.vertices);
        if distinct(named.map(|v| v.0)) <= 2 && distinct(named.map(|v| v.1)) <= 2 {
            // Corners of a parallelogram.
            return Sign::Zero;
        }
        if let Some([u, v, w]) = self.tree(named) {
            return det_sign(u, v, w);
        }
        let [c0, c1, c2, c3] = corners.map(|c| self.exact(c));
        c1.minus(&c0).cross(&c2.minus(&c0)).dot(&c3.minus(&c0)).sign()
    }

    /// Edges of a tree over four corners, each along one body only, if there is such a tree: to the second,
    /// third and fourth corner from one that is closer to the first. Adding columns to columns does not change
    /// a determinant, so it is that of the differences to the first.
    fn tree(&self, named: [(u32, u32); 4]) -> Option<[Vector<'a>; 3]> {
        let mut edges: [Option<Vector<'a>>; 4] = [None; 4];
        let mut reached = [true, false, false, false];
        for _ in 0..3 {
            for to in 1..4 {
                let from = (0..4).find(|&from| reached[from] && self.edge(named[from], named[to]).is_some());
                if let (false, Some(from)) = (reached[to], from) {
                    edges[to] = self.edge(named[from], named[to]);
                    reached[to] = true;
                }
            }
        }
        Some([edges[1]?, edges[2]?, edges[3]?])
    }

    /// The difference of two corners that share a vertex.
    fn edge(&self, from: (u32, u32), to: (u32, u32)) -> Option<Vector<'a>> {
        let pair = &self.pair;
        if from.0 == to.0 {
            Some(Vector::Between(pair.at_b(from.1), pair.at_b(to.1)))
        } else if from.1 == to.1 {
            Some(Vector::Between(pair.at_a(to.0), pair.at_a(from.0)))
        } else {
            None
        }
    }
}

/// The largest product of a direction of about unit length with a vertex, as computed: the exact one is larger by no more
/// than rounding. From vertices that are close to the highest; `None` if they are not, or floats cannot tell.
#[inline]
fn top(map: &SupportMap, direction: DVec3, vertices: [u32; 3]) -> Option<f64> {
    let [first, second, third] = vertices;
    let all = map.polytope().vertices();
    if all.len() <= FEW {
        return Some(highest_of(all, direction));
    }
    if first == second && first == third && map.is_proved(direction, first) {
        return Some(direction.dot(map.vertex(first)));
    }
    let is_trusted = map.reach() > SMALLEST_SCALE || map.polytope().vertices().len() == 1;
    is_trusted.then(|| Plateau::<LARGEST>::around(map, direction, first))?.map(|plateau| plateau.height)
}

/// The largest product with any of the vertices. Four at a time: each comparison waits for the last one.
#[inline]
fn highest_of(vertices: &[DVec3], direction: DVec3) -> f64 {
    let max = |a: f64, b: f64| if a > b { a } else { b };
    let (fours, rest) = vertices.as_chunks::<4>();
    let mut highest = [f64::NEG_INFINITY; 4];
    for four in fours {
        for lane in 0..4 {
            highest[lane] = max(direction.dot(four[lane]), highest[lane]);
        }
    }
    let [a, b, c, d] = highest;
    rest.iter().fold(max(max(a, b), max(c, d)), |highest, &vertex| max(direction.dot(vertex), highest))
}

/// Of which part each corner of a triangle is where a direction from zero meets its plane; negative on the far side of zero.
pub(super) fn weights_along(direction: DVec3, corners: &[Corner; 3]) -> DVec3 {
    let [a, b, c] = [corners[0].point, corners[1].point, corners[2].point];
    let weights = DVec3::new(direction.dot(b.cross(c)), direction.dot(c.cross(a)), direction.dot(a.cross(b)));
    weights / weights.element_sum().abs()
}

fn distinct(values: [u32; 4]) -> usize {
    (0..4).filter(|&i| !values[..i].contains(&values[i])).count()
}
