//! What proves one pair of triangles apart, held against other pairs of the same bodies.
//!
//! Triangles around the nearest points share them, so all are as near as the nearest. To find that out for each costs as much
//! as for the first; to see that no corner lies nearer along the direction that proved the first costs a few products.

use super::pair::{TrianglePair, vector_size};
use crate::exact::{BigDirection, Vector};
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
    /// Each coordinate off by one rounding at most.
    Rounded(DVec3),
    Exact(BigDirection),
}

impl<'a> Gauge<'a> {
    pub(super) fn rounded(pair: TrianglePair<'a>, corners: [usize; 2], along: DVec3) -> Gauge<'a> {
        Gauge { pair, corners, along: Along::Rounded(along) }
    }

    pub(super) fn exact(pair: TrianglePair<'a>, corners: [usize; 2], along: BigDirection) -> Gauge<'a> {
        Gauge { pair, corners, along: Along::Exact(along) }
    }

    /// Whether two other triangles of the bodies are proved to be no nearer than what the direction proves of these.
    ///
    /// Along it, no corner of A may be higher than a corner of A's triangle here, none of B lower than one of B's.
    #[inline]
    pub(crate) fn is_no_nearer(&self, a: [DVec3; 3], b: [DVec3; 3]) -> bool {
        let pair = &self.pair;
        let (from_a, from_b) = (pair.at_a(self.corners[0]), pair.at_b(self.corners[1]));
        let is_behind =
            |p: DVec3| pair.a.contains(&p) || self.is_down(Vector::Between(from_a, pair.pose_a.at(p)));
        let is_beyond =
            |p: DVec3| pair.b.contains(&p) || self.is_down(Vector::Between(pair.pose_b.at(p), from_b));
        a.into_iter().all(is_behind) && b.into_iter().all(is_beyond)
    }

    /// Whether a vector is proved not to lead up. Filter: that of `BigDirection`.
    #[inline]
    fn is_down(&self, vector: Vector<'_>) -> bool {
        match &self.along {
            Along::Rounded(along) => {
                let bound = 18.0 * UNIT_ROUNDOFF * along.abs().element_sum() * vector_size(vector);
                bound > power_of_two(-900) && along.dot(vector.rounded()) < -bound
            }
            Along::Exact(along) => !along.dot_sign(vector).is_positive(),
        }
    }
}
