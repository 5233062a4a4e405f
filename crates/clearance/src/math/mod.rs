//! Poses, boxes and seeded random numbers.

mod aabb;
pub(crate) mod double;
mod patience;
mod pose;
mod random;
pub(crate) mod round;

pub use aabb::Aabb;
pub(crate) use patience::Patience;
pub use pose::{Pose, PoseError};
pub use random::Random;
