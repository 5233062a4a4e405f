//! Exact collision detection for polytopes and meshes.
#![forbid(unsafe_code)]

pub mod tolerance;

pub mod exact;
pub mod math;
pub mod pair;
pub mod shape;
pub mod stats;
pub mod support;
pub mod witness;

#[cfg(feature = "oracle")]
pub mod oracle;

pub use glam;
pub use math::{Aabb, Pose};
