//! What proves one pair of triangles apart, held against other pairs of the same bodies.
//!
//! Triangles around the nearest points share them, so all are as near as the nearest. To find that out for each costs as much
//! as for the first; to see that no corner lies nearer along the direction that proved the first costs a few products.

use super::pair::TrianglePair;
use crate::exact::{BigDirection, Vector};
use crate::math::Pose;
use crate::math::round::{UNIT_ROUNDOFF, power_of_two};
use glam::DVec3;

/// A direction from A to B along which two triangles are proved to be so far apart.
#[derive(Clone, Debug)]
pub(crate) struct Gauge<'a> {
    pair: TrianglePair<'a>,
    /// One corner of each.
    corners: [usize; 2],
    along: Along,
}

#[derive(Clone, Debug)]
enum Along {
    /// In the frames of A and B; see [`Gauge::is_down`].
    Rounded {
        frames: [DVec3; 2],
        error: f64,
    },
    Exact(BigDirection),
}

impl<'a> Gauge<'a> {
    /// Along a direction each coordinate of which is off by one rounding at most.
    pub(super) fn rounded(pair: TrianglePair<'a>, corners: [usize; 2], along: DVec3) -> Gauge<'a> {
        let frames = [pair.pose_a, pair.pose_b].map(|pose| pose.turn_back(along));
        let error = 12.0 * UNIT_ROUNDOFF * along.abs().element_sum();
        Gauge { pair, corners, along: Along::Rounded { frames, error } }
    }

    pub(super) fn exact(pair: TrianglePair<'a>, corners: [usize; 2], along: BigDirection) -> Gauge<'a> {
        Gauge { pair, corners, along: Along::Exact(along) }
    }

    /// Whether all corners of another triangle of A are proved to be no higher along the direction than a corner of A's triangle here.
    ///
    /// With one of B that [is beyond](Gauge::is_beyond), it is then no nearer than what the direction proves of these.
    #[inline]
    pub(crate) fn is_behind(&self, a: [DVec3; 3]) -> bool {
        let (own, pose) = (self.pair.a, self.pair.pose_a);
        let from = own[self.corners[0]];
        a.into_iter().all(|p| own.contains(&p) || self.is_down(0, pose, [from, p]))
    }

    /// Whether all corners of another triangle of B are proved to be no lower along the direction than a corner of B's triangle here.
    #[inline]
    pub(crate) fn is_beyond(&self, b: [DVec3; 3]) -> bool {
        let (own, pose) = (self.pair.b, self.pair.pose_b);
        let to = own[self.corners[1]];
        b.into_iter().all(|p| own.contains(&p) || self.is_down(1, pose, [p, to]))
    }

    /// Whether the way between two points of a body is proved not to lead up.
    ///
    /// Filter, with `D = |d|_1` and `w` the difference of the points in their frame: entries of a rotation are at most one, but
    /// for its defect, so a coordinate of the direction in that frame is at most `D` and errs by `4.1u D`, for the rounding it has
    /// and for products and sums; `w` errs by `u` and the last product by `3u`: below `12u D |w|_1` in all.
    #[inline]
    fn is_down(&self, frame: usize, pose: &Pose, [from, to]: [DVec3; 2]) -> bool {
        match &self.along {
            Along::Rounded { frames, error } => {
                let way = to - from;
                let bound = error * way.abs().element_sum();
                bound > power_of_two(-900) && frames[frame].dot(way) < -bound
            }
            Along::Exact(along) => !along.dot_sign(Vector::Between(pose.at(from), pose.at(to))).is_positive(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{distance, gauged_distance};
    use super::*;
    use crate::math::Random;

    fn point(random: &mut Random) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| random.range(-1.0, 1.0)))
    }

    /// Neighbours share corners with the nearest triangles; gaps go down to one unit in the last place.
    #[test]
    fn what_is_called_no_nearer_is_no_nearer() {
        let (mut random, mut said) = (Random::new(41), [0, 0]);
        for case in 0..4_000 {
            let triangle = |random: &mut Random| [(); 3].map(|()| point(random));
            let (a, b) = (triangle(&mut random), triangle(&mut random));
            let turn = |random: &mut Random| {
                Pose::from_axis_angle(point(random), random.range(0.0, 6.0), DVec3::ZERO).expect("a pose")
            };
            let (pose_a, turn_b) = (turn(&mut random), turn(&mut random));
            // B comes near until it is as far as the case wants.
            let start = distance(a, &pose_a, b, &turn_b);
            let wanted = [0.3, 1e-3, 1e-9, 1e-16][case % 4];
            let toward = (start.point_a - start.point_b) * (1.0 - wanted / start.upper.max(wanted));
            let Ok(pose_b) = Pose::new(turn_b.rotation(), toward) else { continue };
            let (found, gauge) = gauged_distance(a, &pose_a, b, &pose_b);
            let (Some(gauge), true) = (gauge, found.upper > 0.0) else { continue };
            for k in 0..3 {
                let (mut other_a, mut other_b) = (a, b);
                other_a[k] = point(&mut random);
                other_b[(k + case) % 3] = point(&mut random);
                for (x, y) in [(other_a, b), (a, other_b), (other_a, other_b)] {
                    let is_no_nearer = gauge.is_behind(x) && gauge.is_beyond(y);
                    said[usize::from(is_no_nearer)] += 1;
                    let other = distance(x, &pose_a, y, &pose_b);
                    assert!(!is_no_nearer || other.upper >= found.lower, "{case}: {other:?} {found:?}");
                }
            }
        }
        assert!(said[0] > 1_000 && said[1] > 1_000, "{said:?}");
    }
}
