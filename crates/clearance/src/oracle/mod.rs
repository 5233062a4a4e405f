//! Slow and obvious reference implementations, used by every test.

pub mod dyadic;
pub mod hull;
pub mod signs;
