//! Parts of an assembly.

use crate::Pose;
use crate::shape::TriangleSoup;
use glam::{DMat3, DVec2, DVec3};

/// A named body of an assembly and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplePart {
    /// The name, unique in the assembly.
    pub name: String,
    /// The body in its own frame.
    pub soup: TriangleSoup,
    /// From the body's frame to the assembly's.
    pub pose: Pose,
}

/// The pose of a translation.
pub(super) fn moved(translation: DVec3) -> Pose {
    turned(DVec2::X, translation)
}

/// The pose that turns `+x` to the given unit vector in the plane, then moves.
pub(super) fn turned(x_axis: DVec2, translation: DVec3) -> Pose {
    let rotation = DMat3::from_cols(x_axis.extend(0.0), x_axis.perp().extend(0.0), DVec3::Z);
    // Sizes and axes were checked by the caller; a pose of finite numbers is never refused.
    Pose::new(rotation, translation).unwrap_or(Pose::IDENTITY)
}
