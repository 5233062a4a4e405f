//! Where one looks from, and what that makes of a point.

use clearance::glam::{DMat3, DVec2, DVec3};

/// A parallel projection: the direction one looks along and what is up.
///
/// It has no position or zoom, because a drawing is always fitted to its picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Rows: picture right, picture up, towards the viewer.
    axes: DMat3,
}

impl Default for Camera {
    /// The isometric view: from front, right and above, `z` up.
    fn default() -> Camera {
        Camera::from_above_front_right()
    }
}

impl Camera {
    /// The isometric view: `x` to the lower right, `y` to the upper right, `z` up.
    pub fn from_above_front_right() -> Camera {
        Camera::looking(DVec3::new(-1.0, 1.0, -1.0), DVec3::Z)
    }

    /// Looks along `direction` with `up` pointing up in the picture as far as possible.
    ///
    /// A direction that is zero or not finite is replaced by straight down; an `up` that is parallel to
    /// the direction, zero or not finite by the coordinate axis that is most perpendicular to it.
    pub fn looking(direction: DVec3, up: DVec3) -> Camera {
        let back = -direction.try_normalize().unwrap_or(DVec3::NEG_Z);
        let right = up.try_normalize().and_then(|up| up.cross(back).try_normalize());
        let right = right.unwrap_or_else(|| {
            let axes = [DVec3::Z, DVec3::Y, DVec3::X];
            let up = axes.into_iter().min_by(|p, q| p.dot(back).abs().total_cmp(&q.dot(back).abs()));
            up.unwrap_or(DVec3::Z).cross(back).normalize()
        });
        Camera { axes: DMat3::from_cols(right, back.cross(right), back).transpose() }
    }

    /// Picture coordinates (right, up) and nearness (larger is closer to the viewer).
    pub fn project(&self, point: DVec3) -> (DVec2, f64) {
        let seen = self.axes * point;
        (seen.truncate(), seen.z)
    }

    /// The direction towards the viewer, unit length.
    pub fn back(&self) -> DVec3 {
        self.axes.row(2)
    }

    /// How much light falls on a surface with this unit normal, 0 to 1.
    ///
    /// A lamp over the viewer's left shoulder plus a soft sky, so that every face of a box differs.
    pub fn light_on(&self, normal: DVec3) -> f64 {
        let lamp = self.axes.transpose() * DVec3::new(-0.42, 0.72, 0.55).normalize();
        let sky = 0.5 + 0.5 * normal.dot(self.axes.row(1));
        0.14 + 0.60 * normal.dot(lamp).max(0.0) + 0.26 * sky
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_isometric_view_shows_three_axes_at_equal_length() {
        let camera = Camera::default();
        let seen = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| camera.project(axis).0);
        assert!(seen.iter().all(|v| (v.length() - (2.0f64 / 3.0).sqrt()).abs() < 1e-12));
        assert!(seen[2].x.abs() < 1e-12 && seen[2].y > 0.0, "z is up");
        assert!(seen[0].x > 0.0 && seen[0].y < 0.0 && seen[1].x > 0.0 && seen[1].y > 0.0);
    }

    #[test]
    fn every_direction_gives_a_rotation() {
        let hostile =
            [DVec3::ZERO, DVec3::NAN, DVec3::Z, DVec3::NEG_Z, DVec3::ONE, DVec3::splat(f64::INFINITY)];
        for direction in hostile {
            for up in hostile {
                let axes = Camera::looking(direction, up).axes;
                let defect = axes * axes.transpose() - DMat3::IDENTITY;
                assert!(defect.to_cols_array().iter().all(|e| e.abs() < 1e-12), "{direction} {up}");
                assert!((axes.determinant() - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn light_stays_within_zero_and_one() {
        let camera = Camera::default();
        for i in 0..200 {
            let (s, c) = (f64::from(i) * 0.7).sin_cos();
            let z = f64::from(i) / 100.0 - 1.0;
            let normal = DVec3::new(c * (1.0 - z * z).sqrt(), s * (1.0 - z * z).sqrt(), z);
            assert!((0.0..=1.0 + 1e-12).contains(&camera.light_on(normal)));
        }
    }
}
