//! Two polytopes of which one moves straight ahead: the hull of its first and its last place holds it at all times, and has no
//! other points.

use clearance::{
    Pose,
    glam::{DMat3, DVec3},
    pair,
    shape::Polytope,
    support::SupportMap,
};

/// Two polytopes at the start of a leg, and how far each moves.
pub struct Swept<'a> {
    pub maps: [&'a SupportMap; 2],
    pub poses: [&'a Pose; 2],
    pub displacements: [DVec3; 2],
}

impl Swept<'_> {
    /// Whether they come as near as a limit, exactly; `None` where the last place takes more digits than floats have.
    pub fn is_within(&self, limit: f64) -> Option<bool> {
        let [of_a, of_b] = self.displacements;
        let by = of_a - of_b;
        let is_exact = (0..3).all(|axis| rest(of_a[axis], -of_b[axis]) == 0.0);
        let turned = self.poses.map(|pose| pose.rotation() != DMat3::IDENTITY);
        let (mover, by) = match turned {
            _ if !is_exact => return None,
            [false, _] => (0, by),
            [true, false] => (1, -by),
            [true, true] => return None,
        };
        let corners = self.maps[mover].polytope().vertices();
        let is_exact = |corner: &DVec3| (0..3).all(|axis| rest(corner[axis], by[axis]) == 0.0);
        if !corners.iter().all(is_exact) {
            return None;
        }
        let swept = sweep(corners, by)?;
        let other = 1 - mover;
        let (maps, poses) = (self.maps, self.poses);
        Some(pair::within(&swept, poses[mover], maps[other], poses[other], limit))
    }

    /// A bound of how deep they overlap at any time, if a direction proves it: along it they never overlap by more, and each
    /// is longer than that, so that it reaches out of the other. Zero if they are seen to be apart at all times.
    pub fn depth(&self) -> Option<f64> {
        let [a, b] = self.maps.map(|map| map.polytope().vertices());
        let by = self.displacements[0] - self.displacements[1];
        // This and the hull round: they only propose the direction.
        let swept = sweep(a, self.poses[0].rotation().transpose() * by)?;
        let (map, [pose_a, pose_b]) = (self.maps[1], self.poses);
        let normal = match pair::penetration(&swept, pose_a, map, pose_b) {
            Some(found) => found.normal,
            None => {
                let found = pair::distance(&swept, pose_a, map, pose_b);
                (found.point_b - found.point_a).try_normalize()?
            }
        };
        let extent = |corners: &[DVec3], pose: &Pose| {
            let heights = corners.iter().map(|&corner| normal.dot(pose.apply(corner)));
            heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], h| [low.min(h), high.max(h)])
        };
        let ([low_a, high_a], [low_b, high_b]) = (extent(a, self.poses[0]), extent(b, self.poses[1]));
        let farthest = high_a + normal.dot(by).max(0.0);
        let slack = self.rounding();
        let depth = farthest - low_b + slack;
        let reach_out = (high_a - low_a).min(high_b - low_b) > depth + slack;
        reach_out.then_some(depth.max(0.0))
    }

    /// More than heights of corners round by.
    fn rounding(&self) -> f64 {
        let largest = |k: usize| {
            let corners = self.maps[k].polytope().vertices();
            let size = corners.iter().fold(DVec3::ZERO, |largest, corner| largest.max(corner.abs()));
            (size + self.poses[k].translation().abs() + self.displacements[k].abs()).element_sum()
        };
        32.0 * f64::EPSILON * (largest(0) + largest(1))
    }
}

fn sweep(corners: &[DVec3], by: DVec3) -> Option<SupportMap> {
    let points: Vec<DVec3> = corners.iter().flat_map(|&corner| [corner, corner + by]).collect();
    Polytope::hull(&points).ok().map(SupportMap::new)
}

/// What a sum rounds away (Knuth).
pub fn rest(x: f64, y: f64) -> f64 {
    let sum = x + y;
    let part = sum - x;
    (x - (sum - part)) + (y - part)
}
