//! What floats alone would answer: the same walks without margins, and triangles taken as computed; to measure what
//! proofs cost.

use super::pair::{Corners, Rounding, TreePair};
use glam::DVec3;

impl<'a, B> TreePair<'a, B> {
    /// The pair for walks that ignore rounding, so that they may miss what is near. For comparisons only.
    pub fn unproved(mut self) -> TreePair<'a, B> {
        self.rounding = Rounding::Ignored;
        self
    }

    /// The segment in which two triangles meet, in the world and relative to [`origin`](TreePair::origin), as computed;
    /// `None` where they seem to be apart, or are coplanar.
    pub fn crossing_unproved(&self, a: [DVec3; 3], b: [DVec3; 3]) -> Option<[DVec3; 2]> {
        let Corners { a, b, .. } = self.corners(a, b);
        let (normal_a, normal_b) = (normal(&a), normal(&b));
        let heights_b = b.map(|p| normal_a.dot(p - a[0]));
        let heights_a = a.map(|p| normal_b.dot(p - b[0]));
        let (ends_a, ends_b) = (ends(&a, heights_a)?, ends(&b, heights_b)?);
        let along = normal_a.cross(normal_b);
        let ([low_a, high_a], [low_b, high_b]) = (sorted(ends_a, along), sorted(ends_b, along));
        let low = if low_a.0 > low_b.0 { low_a } else { low_b };
        let high = if high_a.0 < high_b.0 { high_a } else { high_b };
        (low.0 <= high.0).then(|| [low.1, high.1].map(|p| p * self.unit_length()))
    }

    /// The distance of two triangles and points that realise it, as computed; zero if they seem to meet.
    pub fn gap_unproved(&self, a: [DVec3; 3], b: [DVec3; 3]) -> (f64, [DVec3; 2]) {
        let corners = self.corners(a, b);
        let best = corners.nearest();
        let (between, unit) = (best.point_b - best.point_a, self.unit_length());
        let points = [best.point_a, best.point_b].map(|p| p * unit);
        let extent = |corners: [DVec3; 3]| corners.map(|p| between.dot(p));
        let (of_a, of_b) = (extent(corners.a), extent(corners.b));
        let is_apart = of_b[0].min(of_b[1]).min(of_b[2]) > of_a[0].max(of_a[1]).max(of_a[2]);
        if !is_apart && self.crossing_unproved(a, b).is_some() {
            return (0.0, points);
        }
        (best.square.sqrt() * unit, points)
    }
}

fn normal([p, q, r]: &[DVec3; 3]) -> DVec3 {
    (*q - *p).cross(*r - *p)
}

/// Where the edges of a triangle pass through a plane, by the heights of its corners over it.
fn ends(corners: &[DVec3; 3], heights: [f64; 3]) -> Option<[DVec3; 2]> {
    let [x, y, z] = heights.map(|h| h > 0.0);
    let alone = match (x, y, z) {
        (true, true, true) | (false, false, false) => return None,
        _ if y == z => 0,
        _ if x == z => 1,
        _ => 2,
    };
    let from = (corners[alone], heights[alone]);
    Some([1, 2].map(|i| {
        let to = (corners[(alone + i) % 3], heights[(alone + i) % 3]);
        from.0 + (to.0 - from.0) * (from.1 / (from.1 - to.1))
    }))
}

/// Two points with their places along a direction, the first one first.
fn sorted(points: [DVec3; 2], along: DVec3) -> [(f64, DVec3); 2] {
    let [p, q] = points.map(|p| (along.dot(p), p));
    if p.0 <= q.0 { [p, q] } else { [q, p] }
}
