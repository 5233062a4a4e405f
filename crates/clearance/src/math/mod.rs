//! Poses and boxes.

mod aabb;
mod pose;
pub(crate) mod round;

pub use aabb::Aabb;
pub use pose::{Pose, PoseError};
