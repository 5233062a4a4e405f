//! The segment.

use super::PrimitiveError;
use super::error::position;
use super::support::{SupportPoint, extent_of_points, support_of_points};
use crate::Aabb;
use glam::DVec3;

/// The convex hull of two points; they may be equal.
///
/// ```
/// use clearance::{glam::DVec3, shape::Segment};
/// let segment = Segment::new(DVec3::ZERO, DVec3::X)?;
/// assert_eq!(segment.support(DVec3::ONE).point, DVec3::X);
/// # Ok::<(), clearance::shape::PrimitiveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    ends: [DVec3; 2],
}

impl Segment {
    /// From its ends.
    pub fn new(start: DVec3, end: DVec3) -> Result<Segment, PrimitiveError> {
        position(["start.x", "start.y", "start.z"], start)?;
        position(["end.x", "end.y", "end.z"], end)?;
        Ok(Segment { ends: [start, end] })
    }

    /// The ends, in the order given.
    pub fn ends(&self) -> [DVec3; 2] {
        self.ends
    }

    /// An end that is extreme within `6 EPSILON` times the largest coordinate (plus `2^-1022`), the
    /// error of comparing float dot products; the start if they are equal.
    pub fn support(&self, direction: DVec3) -> SupportPoint {
        let [start, end] = self.ends;
        support_of_points(start, &[end], direction)
    }

    /// The smallest box, exactly.
    pub fn bounds(&self) -> Aabb {
        let [start, end] = self.ends;
        Aabb { min: start.min(end), max: start.max(end) }
    }

    /// A number not below `max d·x`: the larger dot product, each of five operations rounded upward.
    pub fn extent(&self, direction: DVec3) -> f64 {
        extent_of_points(&self.ends, direction)
    }
}
