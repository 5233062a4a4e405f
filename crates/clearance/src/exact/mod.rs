//! Signs that are never wrong.

mod orient;
mod sign;

pub use orient::{orient2d, orient3d};
pub use sign::Sign;
