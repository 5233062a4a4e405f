//! Poses of which only boxes around the entries are known: for motions whose places at a time are no floats.

use super::interval::{Interval, Interval3};
use super::pose::Pose;
use super::round::{add_up, mul_up, sqrt_up};
use glam::{DMat3, DVec3};

/// An affine map known entry by entry, each within an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnclosedPose {
    /// The rows of the matrix.
    pub rotation: [Interval3; 3],
    /// The image of the origin.
    pub translation: Interval3,
}

/// How far a pose may be from the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseDeviation {
    /// Largest distance between the two images of a vector of length 1.
    pub rotation: f64,
    /// Largest distance between the two images of the origin.
    pub translation: f64,
}

impl PoseDeviation {
    /// None at all.
    pub const ZERO: PoseDeviation = PoseDeviation { rotation: 0.0, translation: 0.0 };

    /// How far apart the two images of a point at most `reach` from the origin of its body may be.
    pub fn within(&self, reach: f64) -> f64 {
        if self.rotation == 0.0 {
            self.translation
        } else {
            add_up(mul_up(self.rotation, reach), self.translation)
        }
    }
}

impl EnclosedPose {
    /// A pose as it is stored.
    pub fn exactly(pose: &Pose) -> EnclosedPose {
        let rows = pose.rotation().transpose();
        EnclosedPose {
            rotation: [rows.x_axis, rows.y_axis, rows.z_axis].map(Interval3::point),
            translation: Interval3::point(pose.translation()),
        }
    }

    /// The image of a point.
    pub fn apply(&self, point: &Interval3) -> Interval3 {
        self.apply_vector(point) + self.translation
    }

    /// The image of a vector.
    pub fn apply_vector(&self, vector: &Interval3) -> Interval3 {
        Interval3(self.rotation.map(|row| row.dot(vector)))
    }

    /// The map that applies `first` first.
    pub fn after(&self, first: &EnclosedPose) -> EnclosedPose {
        let columns: [Interval3; 3] =
            std::array::from_fn(|j| self.apply_vector(&Interval3(first.rotation.map(|row| row.0[j]))));
        EnclosedPose {
            rotation: std::array::from_fn(|i| Interval3(columns.map(|column| column.0[i]))),
            translation: self.apply(&first.translation),
        }
    }

    /// The exact inverse of a pose, whose matrix is orthonormal only nearly.
    ///
    /// `R^-1 = R^T (R R^T)^-1`, so with `d` a bound of `|R R^T - I|` it differs from `R^T` by at most
    /// `|R| d / (1 - d) <= (1 + d) d / (1 - d)`, below `2d` because `d` is less than 1e-8 for a pose.
    pub fn inverse_of(pose: &Pose) -> EnclosedPose {
        let rows = EnclosedPose::exactly(pose).rotation;
        let product = |i: usize, j: usize| {
            let unit = if i == j { Interval::ONE } else { Interval::ZERO };
            (rows[i].dot(&rows[j]) - unit).magnitude()
        };
        let squares = (0..9).map(|k| product(k / 3, k % 3)).fold(0.0, |sum, x| add_up(sum, mul_up(x, x)));
        let slack = 2.0 * sqrt_up(squares);
        let turned = pose.rotation();
        let rotation = [turned.x_axis, turned.y_axis, turned.z_axis]
            .map(|column| Interval3(column.to_array().map(|x| Interval::around(x, slack))));
        let back = EnclosedPose { rotation, translation: Interval3::ZERO };
        let translation = back.apply_vector(&Interval3::point(-pose.translation()));
        EnclosedPose { translation, ..back }
    }

    /// The middle as a pose, and how far it may be from the truth; `None` where coordinates leave their range.
    pub fn rounded(&self) -> Option<(Pose, PoseDeviation)> {
        let [x, y, z] = self.rotation.map(|row| row.middle());
        let rotation = DMat3::from_cols(x, y, z).transpose();
        let translation = self.translation.middle();
        // The product of two matrices that are barely accepted may not be: the nearest rotation is, and its distance counts.
        let pose = Pose::new(rotation, translation).or_else(|_| Pose::nearest(rotation, translation)).ok()?;
        Some((pose, self.deviation_of(&pose)))
    }

    /// How far a pose may be from the truth: the norm of a matrix is at most the root of the sum of its squares.
    pub fn deviation_of(&self, pose: &Pose) -> PoseDeviation {
        let rows = pose.rotation().transpose();
        let rotation = [rows.x_axis, rows.y_axis, rows.z_axis];
        let squares = (0..3).map(|i| distance_squared(&self.rotation[i], rotation[i])).fold(0.0, add_up);
        PoseDeviation {
            rotation: sqrt_up(squares),
            translation: sqrt_up(distance_squared(&self.translation, pose.translation())),
        }
    }
}

/// A float not below the square of the distance between two points.
fn distance_squared(at: &Interval3, point: DVec3) -> f64 {
    (*at - Interval3::point(point)).length_squared().upper()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_poses_deviate_by_nothing_and_inverses_hold() {
        let pose =
            Pose::from_axis_angle(DVec3::new(1.0, 2.0, -0.3), 2.0, DVec3::new(1e3, -7.0, 0.1)).unwrap();
        let exact = EnclosedPose::exactly(&pose);
        assert_eq!(exact.deviation_of(&pose), PoseDeviation::ZERO);
        assert_eq!(exact.rounded(), Some((pose, PoseDeviation::ZERO)));
        let near = EnclosedPose::inverse_of(&pose).after(&exact).deviation_of(&Pose::IDENTITY);
        assert!(near.rotation < 1e-14 && near.translation < 1e-11, "{near:?}");
    }

    /// A matrix that is scaled by 1 + 4e-10 is accepted; its transpose is no inverse, and the enclosure knows.
    #[test]
    fn matrices_that_are_no_rotations_have_their_own_inverse() {
        let scale = 1.0 + 4e-10;
        let pose = Pose::new(DMat3::IDENTITY * scale, DVec3::X).unwrap();
        let inverse = EnclosedPose::inverse_of(&pose);
        assert!(inverse.rotation[0].0[0].contains(1.0 / scale));
        assert!(inverse.translation.0[0].contains(-1.0 / scale));
        let transposed = inverse.deviation_of(&Pose::IDENTITY).rotation;
        assert!((4e-10..1e-8).contains(&transposed), "{transposed:e}");
    }
}
