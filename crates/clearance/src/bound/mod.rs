//! Convex bounds that are cheap to test, and proved lower bounds of distance from them.
//!
//! [`FixedDirectionHull`] is a box with cut corners; [`Realignment`] carries it along a rotation without looking at what
//! it bounds. [`OrientedBox`] is the rival with free axes. `docs/hulls.md` explains them, `lab konecny97` measures them.

pub(crate) mod bases;
mod block;
mod compact;
mod directions;
mod distance;
mod hull;
mod obb;
mod realign;

pub use block::{BlockRealignment, HullBlock};
pub use compact::CompactHull;
pub use hull::FixedDirectionHull;
pub use obb::OrientedBox;
pub(crate) use realign::{Pivots, pivots};
pub use realign::{Realignment, RealignmentError};
