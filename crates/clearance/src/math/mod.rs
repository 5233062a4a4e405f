//! Poses and boxes.

mod aabb;
mod pose;

pub use aabb::Aabb;
pub use pose::{Pose, PoseError};
