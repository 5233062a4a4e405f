//! Balls around a body that are tight along one direction: what proves bodies apart while they turn.
//!
//! A ball of the right size touches the plane that supports the body, and turning the body by a small angle lowers the gap
//! behind that plane by about the square of the angle times half of the radius.

use super::{Starts, SupportMap};
use glam::DVec3;

/// What is added to a radius for all rounding in `f64`, relative to it and to the reach of the body. Errors are below `100u`.
const ROUNDING: f64 = 1.0 / (1 << 22) as f64;

/// Every vertex of the body is at most the radius away from the center; in the frame of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ball {
    pub center: DVec3,
    pub radius: f64,
}

impl Ball {
    fn with_rounding(self, reach: f64) -> Ball {
        Ball { radius: self.radius * (1.0 + ROUNDING) + ROUNDING * reach, ..self }
    }
}

impl SupportMap {
    /// A ball around the body whose top along a direction is close to that of the body.
    ///
    /// Where all vertices are looked at, it rises above the given vertex by about `lift`, and is the smaller the more that is;
    /// `None` if another vertex is as high as that. For bodies of more vertices it is a ball around the shell.
    #[inline(always)]
    pub(crate) fn ball(&self, direction: DVec3, vertex: u32, lift: f64) -> Option<Ball> {
        let ball = match &self.starts {
            Starts::Scan(scan) => scan.ball(direction, self.vertex(vertex), lift)?,
            _ => self.shell.ball(direction)?,
        };
        Some(ball.with_rounding(self.reach))
    }

    /// A vertex for [`SupportMap::ball`]: the highest one, up to rounding, where all are looked at.
    ///
    /// For a direction whose size is far from both ends of the range of `f32`.
    #[inline(always)]
    pub(crate) fn top_for_ball(&self, direction: DVec3) -> u32 {
        match &self.starts {
            Starts::Scan(scan) => scan.look_up_scaled(direction),
            _ => 0,
        }
    }
}
