//! Points and directions of the world in the frame of a tree, with a bound of what rounding did.

use super::Tree;
use crate::math::Pose;
use crate::math::round::{UNIT_ROUNDOFF, power_of_two};
use glam::{DMat3, DVec3};

/// From the world to the local coordinates of a tree.
#[derive(Clone, Copy)]
pub(super) struct ToLocal {
    /// The inverse of the rotation.
    ///
    /// Its entries err by at most `16u`: a cofactor is a difference of two products below `1.01` and errs by `3u`, the
    /// determinant, near one, by `9u`, quotient and product by `2u`.
    inverse: DMat3,
    translation: DVec3,
    origin: DVec3,
    /// Local units in a unit of the world.
    pub scale: f64,
}

impl ToLocal {
    pub fn new(tree: &Tree, pose: &Pose) -> ToLocal {
        ToLocal {
            inverse: pose.rotation().inverse(),
            translation: pose.translation(),
            origin: tree.frame.origin,
            scale: power_of_two(-tree.frame.exponent),
        }
    }

    /// A point, and a bound of the error of each coordinate; the error is infinite if the point is not a float.
    ///
    /// With `c = point - translation`, which errs by `u`, and the errors of the inverse, three products and two sums, the
    /// product errs by `21u |c|_1`; subtracting the origin adds `u` of both. The scale is a power of two.
    pub fn point(&self, world: DVec3) -> (DVec3, f64) {
        let from = world - self.translation;
        let local = (self.inverse * from - self.origin) * self.scale;
        let size = from.abs().element_sum() + self.origin.abs().element_sum();
        let error = 32.0 * UNIT_ROUNDOFF * size * self.scale;
        // Written so that NaN counts as beyond.
        let is_sound = local.abs().max_element() < power_of_two(300) && error < power_of_two(300);
        if is_sound { (local, error) } else { (DVec3::ZERO, f64::INFINITY) }
    }

    /// A direction of length at most 1 in local coordinates, near that of a vector; zero for zero.
    ///
    /// `slack` is more than what rounding may add to its length.
    pub fn unit(&self, world: DVec3, slack: f64) -> DVec3 {
        (self.inverse * world).normalize_or_zero() * (1.0 - slack)
    }

    /// A direction of which the largest coordinate is one or almost, and the factor that makes it so; each coordinate
    /// errs by at most `70u`. `largest` is the largest coordinate of the world's in size, and between one and two.
    ///
    /// A product errs by `20u |d|_1`, as above, and `|d|_1` is at most `3.1` times the largest coordinate of the result.
    pub fn direction(&self, world: DVec3) -> (DVec3, f64) {
        let along = self.inverse * world;
        let speed = along.abs().max_element();
        (along / speed, speed)
    }
}
