//! The distance of two triangles: points that realise an upper bound, a direction that proves a lower one.

use super::crossing::Corners;
use super::pair::TreePair;
use crate::math::round::UNIT_ROUNDOFF;
use glam::DVec3;

/// A proved bracket of the distance of two triangles under the exact poses.
///
/// The points lie on the triangles up to rounding that `upper` accounts for; their coordinates are in the world,
/// relative to [`TreePair::origin`]. Triangles that meet have `lower == 0`, and an upper end that may be anything.
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

impl TreePair<'_> {
    /// The distance of two triangles, given by their corners in the frames of their bodies.
    #[inline]
    pub fn gap(&self, a: [DVec3; 3], b: [DVec3; 3]) -> Gap {
        self.corners(a, b).gap()
    }
}

/// Two points and a direction in which the distance may be proved.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    square: f64,
    point_a: DVec3,
    point_b: DVec3,
    direction: DVec3,
}

impl Corners {
    /// The nearest of all pairs of edges, and of all corners above the other triangle.
    pub(super) fn gap(&self) -> Gap {
        let mut best = self.edges(0, 0);
        for i in 0..3 {
            for j in 0..3 {
                let candidate = self.edges(i, j);
                if candidate.square < best.square {
                    best = candidate;
                }
            }
        }
        for corner in 0..3 {
            let onto_b = above(self.a[corner], &self.b).map(|(foot, direction)| Candidate {
                square: (foot - self.a[corner]).length_squared(),
                point_a: self.a[corner],
                point_b: foot,
                direction: -direction,
            });
            let onto_a = above(self.b[corner], &self.a).map(|(foot, direction)| Candidate {
                square: (foot - self.b[corner]).length_squared(),
                point_a: foot,
                point_b: self.b[corner],
                direction,
            });
            for candidate in onto_b.into_iter().chain(onto_a) {
                if candidate.square < best.square {
                    best = candidate;
                }
            }
        }
        self.bracket(&best)
    }

    fn bracket(&self, best: &Candidate) -> Gap {
        let Candidate { point_a, point_b, .. } = *best;
        let between = point_b - point_a;
        let size = self.size();
        let slack = self.error_a + self.error_b + 8.0 * UNIT_ROUNDOFF * size;
        let upper = best.square.sqrt() * (1.0 + 8.0 * UNIT_ROUNDOFF) + 2.0 * slack;
        let lower = self.separation(between, slack).max(self.separation(best.direction, slack));
        Gap { lower, upper, point_a, point_b }
    }

    /// A lower bound of the distance from the extents along a direction; zero proves nothing.
    fn separation(&self, direction: DVec3, slack: f64) -> f64 {
        let start = self.a[0];
        let along = |p: DVec3| direction.dot(p - start);
        let [a0, a1, a2] = self.a.map(along);
        let [b0, b1, b2] = self.b.map(along);
        let gap = b0.min(b1).min(b2) - a0.max(a1).max(a2) - direction.abs().element_sum() * slack;
        let length = direction.length();
        if gap > 0.0 && length > 0.0 { gap / length * (1.0 - 8.0 * UNIT_ROUNDOFF) } else { 0.0 }
    }

    /// No coordinate of a difference of corners is larger.
    fn size(&self) -> f64 {
        let (low, high) = (
            self.a.iter().chain(&self.b).fold(self.a[0], |m, p| m.min(*p)),
            self.a.iter().chain(&self.b).fold(self.a[0], |m, p| m.max(*p)),
        );
        (high - low).max_element()
    }

    /// The nearest points of two edges.
    #[inline]
    fn edges(&self, i: usize, j: usize) -> Candidate {
        let (p, q) = (self.a[i], self.b[j]);
        let (u, v) = (self.a[(i + 1) % 3] - p, self.b[(j + 1) % 3] - q);
        let r = p - q;
        let (uu, vv, uv, ur, vr) =
            (u.length_squared(), v.length_squared(), u.dot(v), u.dot(r), v.dot(r));
        let area = uu * vv - uv * uv;
        let s = if area > 0.0 { ((uv * vr - ur * vv) / area).clamp(0.0, 1.0) } else { 0.0 };
        let t = (uv * s + vr) / vv;
        let (s, t) = if t < 0.0 {
            ((-ur / uu).clamp(0.0, 1.0), 0.0)
        } else if t > 1.0 {
            (((uv - ur) / uu).clamp(0.0, 1.0), 1.0)
        } else {
            (s, t)
        };
        let (point_a, point_b) = (p + s * u, q + t * v);
        let normal = u.cross(v);
        let between = point_b - point_a;
        let direction = if normal.dot(between) < 0.0 { -normal } else { normal };
        Candidate { square: between.length_squared(), point_a, point_b, direction }
    }
}

/// The foot of a point on a triangle's plane, and the normal on the side of the point; `None` if the foot is outside.
#[inline]
fn above(point: DVec3, [a, b, c]: &[DVec3; 3]) -> Option<(DVec3, DVec3)> {
    let (u, v, w) = (*b - *a, *c - *a, point - *a);
    let normal = u.cross(v);
    let square = normal.length_squared();
    let (s, t) = (w.cross(v).dot(normal) / square, u.cross(w).dot(normal) / square);
    if !(s >= 0.0 && t >= 0.0 && s + t <= 1.0) {
        return None;
    }
    let normal = if normal.dot(w) < 0.0 { -normal } else { normal };
    Some((*a + s * u + t * v, normal))
}
