//! What a body does from when on.

use super::{Motion, MotionError};
use crate::tolerance::COORDINATE_LIMIT;

/// Why pieces make no plan.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// No piece at all.
    #[error("a plan needs at least one piece")]
    Empty,
    /// A start is not finite, too large, or not after the one before.
    #[error("piece {piece} starts at {start}: starts are finite, up to 2^300, and ascend")]
    Start {
        /// Its index.
        piece: usize,
        /// Its time.
        start: f64,
    },
    /// A piece is no motion.
    #[error(transparent)]
    Motion(#[from] MotionError),
}

/// Motions one after the other; each counts time from its own start, the last goes on for ever.
///
/// A time at which a piece starts belongs to it. The first piece also says where the body was before. Pieces need not fit
/// together: what jumps is examined where it arrives.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pieces: Vec<(f64, Motion)>,
}

impl Plan {
    /// One motion for ever; its time counts from `start`.
    pub fn from_motion(start: f64, motion: Motion) -> Result<Plan, PlanError> {
        Plan::from_pieces(vec![(start, motion)])
    }

    /// Motions with their starts, in ascending order.
    pub fn from_pieces(pieces: Vec<(f64, Motion)>) -> Result<Plan, PlanError> {
        if pieces.is_empty() {
            return Err(PlanError::Empty);
        }
        for (piece, (start, _)) in pieces.iter().enumerate() {
            let ascends = piece == 0 || pieces[piece - 1].0 < *start;
            let is_in_range = start.abs() <= COORDINATE_LIMIT;
            if !(ascends && is_in_range) {
                return Err(PlanError::Start { piece, start: *start });
            }
        }
        Ok(Plan { pieces })
    }

    /// The motions with their starts.
    pub fn pieces(&self) -> &[(f64, Motion)] {
        &self.pieces
    }

    /// The piece of a time.
    pub(crate) fn piece_at(&self, t: f64) -> usize {
        self.pieces.partition_point(|(start, _)| *start <= t).saturating_sub(1)
    }

    /// The first time after `t` at which another piece starts; infinity if none does.
    pub(crate) fn next_break(&self, t: f64) -> f64 {
        self.pieces.get(self.piece_at(t) + 1).map_or(f64::INFINITY, |(start, _)| *start)
    }

    /// Where a point of the body is at a time, rounded: for pictures.
    pub fn position_near(&self, point: glam::DVec2, t: f64) -> glam::DVec2 {
        let (start, motion) = &self.pieces[self.piece_at(t)];
        motion.position_near(point, t - start)
    }
}
