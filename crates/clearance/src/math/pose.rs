//! Rigid poses whose twelve stored numbers are the truth.

use crate::tolerance::{COORDINATE_LIMIT, ROTATION_DEFECT_LIMIT};
use glam::{DMat3, DQuat, DVec3};
use std::ops::Mul;
use wide::f64x2;

/// A rigid motion `x -> rotation * x + translation`.
///
/// **The twelve stored `f64` entries are the truth**: a body under a pose is its exact image under the
/// affine map with these entries, not under some nearby ideal rotation. Every exact predicate reads them so.
///
/// A pose is always finite and nearly orthonormal: constructors accept `max |R^T R - I| <= 1e-9` with a
/// positive determinant and translations of at most `2^300`; [`Pose::nearest`] takes coarser matrices.
/// Products and inverses round like any `f64` arithmetic and are poses again; they may leave the limit of
/// the translation by a small factor, never finiteness.
///
/// ```
/// use clearance::{Pose, glam::{DQuat, DVec3}};
/// let turn = Pose::from_quaternion(DQuat::from_rotation_z(0.5), DVec3::X)?;
/// let back = turn.inverse() * turn;
/// assert!((back.apply(DVec3::Y) - DVec3::Y).length() < 1e-15);
/// # Ok::<(), clearance::math::PoseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    rotation: DMat3,
    translation: DVec3,
}

/// Why twelve numbers, or a quaternion, are no pose.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PoseError {
    /// An entry of the rotation, the quaternion or the axis is infinite or not a number.
    #[error("the rotation has an entry that is not finite")]
    RotationNotFinite,
    /// The matrix is too far from a rotation.
    #[error(
        "the matrix is no rotation: max |R^T R - I| is {defect:e}, allowed is {ROTATION_DEFECT_LIMIT:e}; \
         `Pose::nearest` takes the closest rotation instead"
    )]
    NotOrthonormal {
        /// Largest entry of `|R^T R - I|`.
        defect: f64,
    },
    /// The determinant is not positive.
    #[error("the matrix mirrors or flattens (determinant {determinant:e}); mirror the shape, not its pose")]
    Mirrored {
        /// The determinant of the matrix.
        determinant: f64,
    },
    /// A quaternion or an axis of length zero.
    #[error("the {what} has length zero and gives no direction")]
    ZeroLength {
        /// "quaternion" or "axis".
        what: &'static str,
    },
    /// The translation is not finite or larger than the limit.
    #[error("coordinate {axis} of the translation is {value:e}; it must be finite and at most 2^300 in size")]
    TranslationOutOfRange {
        /// 'x', 'y' or 'z'.
        axis: char,
        /// The refused value.
        value: f64,
    },
}

impl Pose {
    /// The pose that moves nothing.
    pub const IDENTITY: Pose = Pose { rotation: DMat3::IDENTITY, translation: DVec3::ZERO };

    /// The pose with exactly these twelve entries.
    pub fn new(rotation: DMat3, translation: DVec3) -> Result<Pose, PoseError> {
        if !rotation.is_finite() {
            return Err(PoseError::RotationNotFinite);
        }
        check_translation(translation)?;
        let defect = rotation_defect(&rotation);
        // A determinant is near +-1 once the defect is small, so its float sign is right.
        let determinant = rotation.determinant();
        if determinant.is_nan() || determinant <= 0.0 {
            return Err(PoseError::Mirrored { determinant });
        }
        if defect > ROTATION_DEFECT_LIMIT {
            return Err(PoseError::NotOrthonormal { defect });
        }
        Ok(Pose { rotation, translation })
    }

    /// As [`Pose::new`] of a matrix that the caller knows to be within half of the limit, turned with less error than the rest of it.
    pub(crate) fn turned(rotation: DMat3, translation: DVec3) -> Option<Pose> {
        debug_assert!(rotation_defect(&rotation) <= ROTATION_DEFECT_LIMIT);
        check_translation(translation).ok()?;
        Some(Pose { rotation, translation })
    }

    /// Whether its matrix is within half of the limit.
    pub(crate) fn may_be_turned(&self) -> bool {
        rotation_defect(&self.rotation) <= 0.5 * ROTATION_DEFECT_LIMIT
    }

    /// The pose whose rotation is the closest one to a coarse matrix (its orthogonal polar factor).
    ///
    /// For matrices read from single precision, or scaled a little. Refuses matrices that mirror or are
    /// singular: no rotation is closest to those.
    pub fn nearest(matrix: DMat3, translation: DVec3) -> Result<Pose, PoseError> {
        if !matrix.is_finite() {
            return Err(PoseError::RotationNotFinite);
        }
        let largest = matrix.to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        if largest == 0.0 {
            return Err(PoseError::Mirrored { determinant: 0.0 });
        }
        let scaled = matrix * power_of_two_near(largest).recip();
        let determinant = scaled.determinant();
        if determinant.is_nan() || determinant <= 0.0 {
            return Err(PoseError::Mirrored { determinant });
        }
        Pose::new(polar_rotation(scaled), translation)
    }

    /// A pure translation.
    pub fn from_translation(translation: DVec3) -> Result<Pose, PoseError> {
        Pose::new(DMat3::IDENTITY, translation)
    }

    /// The rotation of a quaternion of any length but zero, then a translation.
    pub fn from_quaternion(quaternion: DQuat, translation: DVec3) -> Result<Pose, PoseError> {
        if !quaternion.is_finite() {
            return Err(PoseError::RotationNotFinite);
        }
        let largest = quaternion.to_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        if largest == 0.0 {
            return Err(PoseError::ZeroLength { what: "quaternion" });
        }
        let scaled = quaternion * power_of_two_near(largest).recip();
        Pose::new(DMat3::from_quat(scaled.normalize()), translation)
    }

    /// The rotation by `angle` radians about `axis` (right-hand rule, any length but zero), then a translation.
    pub fn from_axis_angle(axis: DVec3, angle: f64, translation: DVec3) -> Result<Pose, PoseError> {
        if !axis.is_finite() || !angle.is_finite() {
            return Err(PoseError::RotationNotFinite);
        }
        let largest = axis.abs().max_element();
        if largest == 0.0 {
            return Err(PoseError::ZeroLength { what: "axis" });
        }
        let unit = (axis * power_of_two_near(largest).recip()).normalize();
        Pose::new(DMat3::from_axis_angle(unit, angle), translation)
    }

    /// From twelve numbers, the rows of a 3 x 4 matrix: the form used in files and on the command line.
    pub fn from_rows(rows: [f64; 12]) -> Result<Pose, PoseError> {
        let [a, b, c, x, d, e, f, y, g, h, i, z] = rows;
        Pose::new(DMat3::from_cols_array(&[a, d, g, b, e, h, c, f, i]), DVec3::new(x, y, z))
    }

    /// The rows of the 3 x 4 matrix; `Pose::from_rows` gives the same pose back, bit for bit.
    pub fn to_rows(&self) -> [f64; 12] {
        let (r, t) = (self.rotation.to_cols_array(), self.translation);
        [r[0], r[3], r[6], t.x, r[1], r[4], r[7], t.y, r[2], r[5], r[8], t.z]
    }

    /// The rotation part.
    #[inline]
    pub fn rotation(&self) -> DMat3 {
        self.rotation
    }

    /// The translation part.
    #[inline]
    pub fn translation(&self) -> DVec3 {
        self.translation
    }

    /// The image of a point, each coordinate rounded by at most `4.1u (|R||p| + |t|)`, `u = 2^-53`.
    #[inline]
    pub fn apply(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.translation
    }

    /// The image of a direction or a difference of points: rotated, not moved.
    #[inline]
    pub fn apply_vector(&self, vector: DVec3) -> DVec3 {
        self.rotation * vector
    }

    /// The rotation where it is: copies of it would go through memory.
    #[inline(always)]
    pub(crate) fn rotation_ref(&self) -> &DMat3 {
        &self.rotation
    }

    /// The translation where it is, as [`Pose::rotation_ref`].
    #[inline(always)]
    pub(crate) fn translation_ref(&self) -> &DVec3 {
        &self.translation
    }

    /// `R^T d`: a direction of the world in the frame of the body, up to rounding and the defect of `R`.
    #[inline]
    pub(crate) fn turn_back(&self, direction: DVec3) -> DVec3 {
        let DMat3 { x_axis, y_axis, z_axis } = self.rotation;
        DVec3::new(x_axis.dot(direction), y_axis.dot(direction), z_axis.dot(direction))
    }

    /// [`Pose::turn_back`] by two poses at once: directions of the first in the first lanes, of the other in the second ones.
    ///
    /// Axes are passed by reference: copies of vectors go through memory, and lanes that are read from there wait for it
    /// (measured: 41 against 13 ns for a pair of bodies).
    #[inline(always)]
    pub(crate) fn turn_back_beside(&self, other: &Pose, [x, y, z]: &[f64x2; 3]) -> [f64x2; 3] {
        let both = |a: f64, b: f64| f64x2::new([a, b]);
        let dot = |a: &DVec3, b: &DVec3| *x * both(a.x, b.x) + *y * both(a.y, b.y) + *z * both(a.z, b.z);
        let (axes, others) = (&self.rotation, &other.rotation);
        [
            dot(&axes.x_axis, &others.x_axis),
            dot(&axes.y_axis, &others.y_axis),
            dot(&axes.z_axis, &others.z_axis),
        ]
    }

    /// The inverse, rounded: `R^T` and `-R^T t`. Not the exact inverse map unless `R` is exactly orthonormal.
    ///
    /// Where `R^T R` is within the limit, `R R^T` may be three times as far from one: then the rotation nearest to `R^T` takes its place.
    pub fn inverse(&self) -> Pose {
        let rotation = brought_back(self.rotation.transpose());
        Pose { rotation, translation: -(rotation * self.translation) }
    }
}

/// The pose that applies the right factor first. Its rotation is brought back to the nearest one when
/// rounding has used up half of what a constructor accepts, so chains of any length stay poses.
impl Mul for Pose {
    type Output = Pose;

    fn mul(self, first: Pose) -> Pose {
        let rotation = brought_back(self.rotation * first.rotation);
        Pose { rotation, translation: self.apply(first.translation) }
    }
}

fn check_translation(translation: DVec3) -> Result<(), PoseError> {
    for (axis, value) in ['x', 'y', 'z'].into_iter().zip(translation.to_array()) {
        // Written so that NaN is refused as well.
        if value.is_nan() || value.abs() > COORDINATE_LIMIT {
            return Err(PoseError::TranslationOutOfRange { axis, value });
        }
    }
    Ok(())
}

/// A matrix close to a rotation, or the nearest rotation where it has used up half of what a constructor accepts.
fn brought_back(matrix: DMat3) -> DMat3 {
    if rotation_defect(&matrix) > 0.5 * ROTATION_DEFECT_LIMIT { polar_rotation(matrix) } else { matrix }
}

/// Largest entry of `|R^T R - I|` of a finite matrix. Where products overflow, an entry off the diagonal may be NaN, which `f64::max`
/// drops; then one on the diagonal, a sum of squares, is infinite.
fn rotation_defect(rotation: &DMat3) -> f64 {
    let defect = rotation.transpose() * *rotation - DMat3::IDENTITY;
    defect.to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

/// The orthogonal polar factor by Newton's iteration `X <- (X + X^-T) / 2`, which converges
/// quadratically from every non-singular matrix; it stops when a step no longer helps.
fn polar_rotation(matrix: DMat3) -> DMat3 {
    let mut rotation = matrix;
    let mut defect = rotation_defect(&rotation);
    loop {
        let next = (rotation + rotation.inverse().transpose()) * 0.5;
        // Not so where the inverse of a matrix that is all but singular is beyond all floats.
        if !next.is_finite() {
            return rotation;
        }
        let next_defect = rotation_defect(&next);
        // Far from orthonormal the defect may grow in the first step, never later once it is below 1.
        if next_defect >= defect && defect < 1.0 {
            return rotation;
        }
        (rotation, defect) = (next, next_defect);
    }
}

/// A power of two within a factor of two of a positive finite number whose reciprocal is finite too.
fn power_of_two_near(positive: f64) -> f64 {
    let exponent = (positive.to_bits() >> 52).clamp(2, 2044);
    f64::from_bits(exponent << 52)
}

#[cfg(feature = "mint")]
mod mint_conversions {
    use super::{Pose, PoseError};
    use glam::{DQuat, DVec3};

    impl TryFrom<mint::RowMatrix3x4<f64>> for Pose {
        type Error = PoseError;

        fn try_from(rows: mint::RowMatrix3x4<f64>) -> Result<Pose, PoseError> {
            let mut flat = [0.0; 12];
            for (r, row) in [rows.x, rows.y, rows.z].into_iter().enumerate() {
                flat[4 * r..4 * r + 4].copy_from_slice(&[row.x, row.y, row.z, row.w]);
            }
            Pose::from_rows(flat)
        }
    }

    impl From<Pose> for mint::RowMatrix3x4<f64> {
        fn from(pose: Pose) -> Self {
            let row = |r: usize| {
                let at = &pose.to_rows()[4 * r..4 * r + 4];
                mint::Vector4 { x: at[0], y: at[1], z: at[2], w: at[3] }
            };
            mint::RowMatrix3x4 { x: row(0), y: row(1), z: row(2) }
        }
    }

    impl TryFrom<(mint::Quaternion<f64>, mint::Vector3<f64>)> for Pose {
        type Error = PoseError;

        fn try_from((q, t): (mint::Quaternion<f64>, mint::Vector3<f64>)) -> Result<Pose, PoseError> {
            Pose::from_quaternion(DQuat::from_xyzw(q.v.x, q.v.y, q.v.z, q.s), DVec3::new(t.x, t.y, t.z))
        }
    }
}

#[cfg(test)]
impl Pose {
    /// A random rotation as skew as poses may be, for tests of what rests on `R^T R` being close to one.
    pub(crate) fn skew(random: &mut super::Random, translation: DVec3) -> Pose {
        let axis = DVec3::from_array(std::array::from_fn(|_| random.range(-3.0, 3.0)));
        let skew = DMat3::from_cols_array(&std::array::from_fn(|_| random.range(-2.4e-10, 2.4e-10)));
        let turn = DMat3::from_quat(DQuat::from_scaled_axis(axis));
        Pose::new(turn * (DMat3::IDENTITY + skew), translation).expect("skew by less than the limit")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Pose {
        Pose::from_axis_angle(DVec3::new(1.0, -2.0, 0.5), 2.1, DVec3::new(3.0, 1e6, -7.0)).unwrap()
    }

    #[test]
    fn rows_survive_a_round_trip_bit_for_bit() {
        let pose = sample();
        assert_eq!(Pose::from_rows(pose.to_rows()), Ok(pose));
    }

    #[test]
    fn rows_are_rows() {
        let quarter = Pose::from_rows([0., -1., 0., 5., 1., 0., 0., 6., 0., 0., 1., 7.]).unwrap();
        assert_eq!(quarter.apply(DVec3::X), DVec3::new(5.0, 7.0, 7.0));
    }

    #[test]
    fn a_product_applies_its_right_factor_first() {
        let (a, b) = (sample(), Pose::from_axis_angle(DVec3::Z, 0.3, DVec3::Y).unwrap());
        let p = DVec3::new(0.1, 0.2, 0.3);
        assert!(((a * b).apply(p) - a.apply(b.apply(p))).length() < 1e-8);
    }

    #[test]
    fn a_million_products_are_still_a_pose() {
        let step = Pose::from_axis_angle(DVec3::new(0.3, 0.2, 0.9), 1.0, DVec3::ZERO).unwrap();
        let mut pose = Pose::IDENTITY;
        for _ in 0..1_000_000 {
            pose = step * pose;
        }
        assert_eq!(Pose::new(pose.rotation, pose.translation), Ok(pose));
    }

    /// `R = Q (I + s J)` with `J` all ones has `R^T R = I + (2s + 3s^2) J`; with `Q (1, 1, 1) = sqrt(3) e_x` all of that is in one
    /// entry of `R R^T`, three times as large.
    #[test]
    fn the_inverse_of_a_pose_as_skew_as_they_may_be_is_a_pose() {
        let turn = DMat3::from_quat(DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::X));
        for part in [0.3, 0.6, 0.999] {
            let ones = DMat3::from_cols(DVec3::ONE, DVec3::ONE, DVec3::ONE);
            let skewed = turn * (DMat3::IDENTITY + ones * (0.5 * part * ROTATION_DEFECT_LIMIT));
            let pose = Pose::new(skewed, DVec3::new(1.0, -2.0, 3.0)).expect("within the limit");
            assert!(rotation_defect(&skewed.transpose()) > 2.9 * part * ROTATION_DEFECT_LIMIT);
            let inverse = pose.inverse();
            assert_eq!(Pose::from_rows(inverse.to_rows()), Ok(inverse));
            let point = DVec3::new(0.3, 0.2, -0.7);
            assert!((inverse.apply(pose.apply(point)) - point).length() < 1e-8);
        }
    }

    /// The inverse of the last one is beyond all floats, so that no step is made towards a rotation.
    #[test]
    fn matrices_that_are_all_but_singular_have_a_nearest_rotation_while_their_inverse_is_finite() {
        let nearest =
            |flat: f64| Pose::nearest(DMat3::from_diagonal(DVec3::new(1.0, 1.0, flat)), DVec3::ZERO);
        for flat in [1e-200, 1e-300] {
            assert_eq!(nearest(flat), Ok(Pose::IDENTITY));
        }
        assert!(matches!(nearest(1e-310), Err(PoseError::NotOrthonormal { .. })));
        let infinite = DMat3::from_cols(DVec3::splat(1e200), DVec3::new(-1e200, 1e200, 1e200), DVec3::Z);
        assert!(Pose::new(infinite, DVec3::ZERO).is_err());
    }

    #[test]
    fn coarse_and_scaled_matrices_have_a_nearest_rotation() {
        let exact = sample().rotation();
        let single = DMat3::from_cols_array(&exact.to_cols_array().map(|x| f64::from(x as f32)));
        assert!(matches!(Pose::new(single, DVec3::ZERO), Err(PoseError::NotOrthonormal { .. })));
        for scale in [1.0, 1e-200, 1e200, 3.0] {
            let near = Pose::nearest(single * scale, DVec3::ZERO).unwrap();
            let off =
                (near.rotation() - exact).to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            assert!(off < 1e-7, "{off} at scale {scale}");
        }
    }

    #[test]
    fn quaternions_and_axes_of_any_length_are_taken() {
        for scale in [f64::MIN_POSITIVE, 1e-300, 1.0, 1e300] {
            let q = Pose::from_quaternion(DQuat::from_xyzw(0.0, 0.0, scale, scale), DVec3::ZERO).unwrap();
            assert!((q.apply(DVec3::X) - DVec3::Y).length() < 1e-15, "{scale}");
            let a = Pose::from_axis_angle(DVec3::Z * scale, 0.0, DVec3::ZERO).unwrap();
            assert_eq!(a, Pose::IDENTITY);
        }
    }

    #[test]
    fn what_is_no_pose_is_refused_with_its_reason() {
        let mirror = DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.0));
        assert!(matches!(Pose::new(mirror, DVec3::ZERO), Err(PoseError::Mirrored { .. })));
        assert!(matches!(Pose::nearest(DMat3::ZERO, DVec3::ZERO), Err(PoseError::Mirrored { .. })));
        assert_eq!(Pose::new(DMat3::NAN, DVec3::ZERO), Err(PoseError::RotationNotFinite));
        for bad in [f64::NAN, f64::INFINITY, 2.0 * COORDINATE_LIMIT] {
            let refused = Pose::from_translation(DVec3::new(0.0, bad, 0.0));
            assert!(matches!(refused, Err(PoseError::TranslationOutOfRange { axis: 'y', .. })));
        }
        assert!(Pose::from_translation(DVec3::splat(COORDINATE_LIMIT)).is_ok());
        assert!(Pose::from_quaternion(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DVec3::ZERO).is_err());
        assert!(Pose::from_axis_angle(DVec3::ZERO, 1.0, DVec3::ZERO).is_err());
        assert!(Pose::from_axis_angle(DVec3::X, f64::NAN, DVec3::ZERO).is_err());
    }

    #[cfg(feature = "mint")]
    #[test]
    fn mint_matrices_convert_both_ways() {
        let pose = sample();
        let rows: mint::RowMatrix3x4<f64> = pose.into();
        assert_eq!(Pose::try_from(rows), Ok(pose));
        let q = mint::Quaternion { v: mint::Vector3 { x: 0.0, y: 0.0, z: 1.0 }, s: 0.0 };
        let half = Pose::try_from((q, mint::Vector3 { x: 1.0, y: 0.0, z: 0.0 })).unwrap();
        assert_eq!(half.apply(DVec3::X), DVec3::ZERO);
    }
}
