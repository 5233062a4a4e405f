//! What a world refuses.

use super::BodyId;
use crate::body::BodyError;

/// Why a world cannot do what was asked.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// The id names nothing.
    #[error("body {body} is not in this world; it was removed, or came after the snapshot that was restored")]
    NoSuchBody {
        /// As given.
        body: BodyId,
    },
    /// A body is no pair with itself.
    #[error("body {body} was given twice; a pair needs two bodies")]
    SameBody {
        /// Given twice.
        body: BodyId,
    },
    /// Two bodies that no method relates.
    #[error("bodies {a} and {b}: {error}; an ignored pair or disjoint groups leave them out")]
    Pair {
        /// One body.
        a: BodyId,
        /// The other.
        b: BodyId,
        /// Why.
        error: BodyError,
    },
    /// A body and something that is not in the world.
    #[error("body {body}: {error}")]
    Body {
        /// The body.
        body: BodyId,
        /// Why.
        error: BodyError,
    },
    /// A length that is negative, infinite or not a number.
    #[error("the {what} is {value}; it must be a finite number, not negative")]
    BadLength {
        /// Which.
        what: &'static str,
        /// As given.
        value: f64,
    },
    /// A region with a coordinate that is not finite, too large, or whose minimum is above its maximum.
    #[error("the region is no box of finite coordinates up to 2^300 with min <= max")]
    BadRegion,
    /// The flag was set.
    #[error("cancelled")]
    Cancelled,
}
