//! Rigid poses whose twelve stored numbers are the truth.

use glam::{DMat3, DVec3};

/// placeholder
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    rotation: DMat3,
    translation: DVec3,
}

/// placeholder
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PoseError {
    /// placeholder
    #[error("pose is not finite")]
    NotFinite,
}

impl Pose {
    /// The pose that moves nothing.
    pub const IDENTITY: Pose = Pose { rotation: DMat3::IDENTITY, translation: DVec3::ZERO };

    /// From the nine entries and a translation.
    pub fn new(rotation: DMat3, translation: DVec3) -> Result<Pose, PoseError> {
        Ok(Pose { rotation, translation })
    }

    /// The rotation part.
    pub fn rotation(&self) -> DMat3 {
        self.rotation
    }

    /// The translation part.
    pub fn translation(&self) -> DVec3 {
        self.translation
    }

    /// The image of a point, rounded.
    pub fn apply(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.translation
    }
}
