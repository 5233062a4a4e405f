//! Two trees under two poses: where one lies in the frame of the other, and how exactly that is known.

use super::Tree;
use super::lanes::Lanes;
use crate::math::double::Double;
use crate::math::round::{UNIT_ROUNDOFF, exponent_of, power_of_two, scaled};
use crate::math::Pose;
use glam::{DMat3, DVec3};

/// Two trees under two poses.
///
/// Boxes stay in the frames of their bodies; the relative rotation is computed once. The poses' twelve numbers are the
/// truth: a matrix that is orthonormal only to `1e-9` is accounted for, not repaired.
#[derive(Clone, Copy, Debug)]
pub struct TreePair<'a> {
    pub(super) a: &'a Tree,
    pub(super) b: &'a Tree,
    pub(super) pose_a: &'a Pose,
    pub(super) pose_b: &'a Pose,
    /// From the image of A's origin to the image of B's, in the world.
    pub(super) offset: DVec3,
    /// No coordinate of `offset` errs by more.
    pub(super) offset_error: f64,
    /// No coordinate of an image of a corner relative to A's origin errs by more.
    pub(super) error_a: f64,
    pub(super) error_b: f64,
    /// Lengths in kernels are multiples of `2^unit`; no coordinate in them is larger than 8.
    pub(super) unit: i32,
    /// Whether `f32` resolves both bodies.
    pub(super) single: bool,
}

/// How far a pose's matrix may be from orthonormal in the 2-norm, `|R^T R - I|`; three times the entry's limit.
const DEFECT: f64 = 3.1e-9;

/// Underflow in any step errs by less: far below the roundoff of the smallest unit, `2^-900`.
const UNDERFLOW: f64 = f64::MIN_POSITIVE;

impl<'a> TreePair<'a> {
    /// The pair; about 30 ns.
    pub fn new(a: &'a Tree, pose_a: &'a Pose, b: &'a Tree, pose_b: &'a Pose) -> TreePair<'a> {
        let small = a.frame.exponent.min(b.frame.exponent);
        let (offset, offset_error) = offset(a, pose_a, b, pose_b, scaled(1.0, small - 44));
        let reach = offset.abs().max_element();
        // The image of the offset in either frame is at most 1.75 times as large in a coordinate.
        let far = if reach > 0.0 { exponent_of(reach) + 2 } else { i32::MIN };
        let unit = a.frame.exponent.max(b.frame.exponent).max(far);
        let [size_a, size_b] = [a, b].map(|tree| scaled(1.0, tree.frame.exponent));
        let error_a = 8.0 * UNIT_ROUNDOFF * size_a + UNDERFLOW;
        let error_b = UNIT_ROUNDOFF * (10.0 * size_b + 2.0 * reach) + offset_error;
        let mut pair =
            TreePair { a, b, pose_a, pose_b, offset, offset_error, error_a, error_b, unit, single: true };
        let margin = pair.margin::<wide::f32x8>(0.0);
        pair.single = 512.0 * margin <= scaled(1.0, small - unit);
        pair
    }

    /// Where the image of the middle of A's bounds is in the world, rounded: points of a [`Gap`](super::Gap) are
    /// relative to it.
    pub fn origin(&self) -> DVec3 {
        self.pose_a.apply(self.a.frame.origin)
    }

    /// Sizes of A and B and of the offset, in units.
    pub(super) fn sizes(&self) -> [f64; 3] {
        let in_units = |exponent: i32| if exponent - self.unit < -1000 { 0.0 } else { power_of_two(exponent - self.unit) };
        let [a, b] = [self.a, self.b].map(|tree| in_units(tree.frame.exponent));
        [a, b, self.shift_size()]
    }

    fn shift_size(&self) -> f64 {
        scaled(self.offset.abs().element_sum(), -self.unit)
    }

    /// An upper bound of the error of a gap between boxes in either frame, in units.
    fn margin<L: Lanes>(&self, defect: f64) -> f64 {
        let [a, b, shift] = self.sizes();
        let error = scaled(self.offset_error + 3.0 * UNIT_ROUNDOFF * self.offset.abs().element_sum(), -self.unit);
        let sizes = a.max(b);
        L::ROUNDOFF * (32.0 * sizes + 5.0 * shift) + 20.0 * UNIT_ROUNDOFF * sizes + 2.0 * (error + defect * sizes)
    }

    /// The maps between the frames, rounded.
    pub(super) fn view<L: Lanes>(&self) -> View<L> {
        let (turn_a, turn_b) = (self.pose_a.rotation(), self.pose_b.rotation());
        let b_to_a = turn_a.transpose() * turn_b;
        let in_units = |v: DVec3| DVec3::from_array(v.to_array().map(|x| scaled(x, -self.unit)));
        let [a, b, shift] = self.sizes();
        let defect = if L::ROUNDOFF > DEFECT { 0.0 } else { defect(&turn_a).max(defect(&turn_b)) };
        let margin = self.margin::<L>(defect);
        let rounding = power_of_two(-24) * (a + 2.0 * b);
        View {
            a_to_b: Map::new(b_to_a.transpose(), a, -in_units(turn_b.transpose() * self.offset), margin),
            b_to_a: Map::new(b_to_a, b, in_units(turn_a.transpose() * self.offset), margin),
            box_slack: L::splat_up(margin + rounding),
            plane_slack: L::splat_up(2.0 * (margin + rounding) + 12.0 * L::ROUNDOFF * (a + b + shift)),
        }
    }
}

/// The image of B's origin minus that of A's, and its error.
///
/// Proof of the first error: as for `Vector::Between` under two poses, `6u` times the size. In double precision eight
/// sums and six products err by `3.1u^2` of the size each, rounding to one float by `u`.
fn offset(a: &Tree, pose_a: &Pose, b: &Tree, pose_b: &Pose, wanted: f64) -> (DVec3, f64) {
    let (origin_a, origin_b) = (a.frame.origin, b.frame.origin);
    let size = (origin_a.abs() + origin_b.abs() + pose_a.translation().abs() + pose_b.translation().abs())
        .element_sum();
    let error = 6.0 * UNIT_ROUNDOFF * size + UNDERFLOW;
    if error <= wanted {
        return (pose_b.apply(origin_b) - pose_a.apply(origin_a), error);
    }
    let image = |pose: &Pose, origin: DVec3, axis: usize| {
        let terms = (0..3).map(|column| Double::product(pose.rotation().col(column)[axis], origin[column]));
        terms.fold(Double::sum(pose.translation()[axis], 0.0), Double::plus)
    };
    let offset = DVec3::from_array(std::array::from_fn(|axis| {
        image(pose_b, origin_b, axis).minus(image(pose_a, origin_a, axis)).high
    }));
    let error = UNIT_ROUNDOFF * (offset.abs().max_element() + 50.0 * UNIT_ROUNDOFF * size) + UNDERFLOW;
    (offset, error)
}

/// An upper bound of `|R^T R - I|` in the 2-norm.
fn defect(rotation: &DMat3) -> f64 {
    let off = rotation.transpose() * *rotation - DMat3::IDENTITY;
    off.to_cols_array().into_iter().map(|x| x * x).sum::<f64>().sqrt() + 16.0 * UNIT_ROUNDOFF
}

/// Maps between the frames of two trees, with all that rounding may do to a gap.
pub(super) struct View<L> {
    pub a_to_b: Map<L>,
    pub b_to_a: Map<L>,
    /// What a gap between boxes of corners may be too large by.
    pub box_slack: L,
    /// What a gap along a direction of length at most 1 may be too large by.
    pub plane_slack: L,
}

/// From local coordinates of one tree to the frame of the other, in units of the pair.
pub(super) struct Map<L> {
    /// Half of the matrix: it is applied to `low + high`.
    pub half: [[L; 3]; 3],
    /// Sizes of its entries: applied to `high - low`.
    pub half_size: [[L; 3]; 3],
    pub shift: [L; 3],
    /// How much boxes grow so that they hold what they bound in spite of rounding.
    pub margin: L,
    /// Units of the pair in a unit of the tree.
    pub scale: L,
}

impl<L: Lanes> Map<L> {
    fn new(matrix: DMat3, scale: f64, shift: DVec3, margin: f64) -> Map<L> {
        let half = |row: usize, column: usize| 0.5 * scale * matrix.col(column)[row];
        Map {
            half: std::array::from_fn(|row| std::array::from_fn(|column| L::splat(half(row, column)))),
            half_size: std::array::from_fn(|row| std::array::from_fn(|column| L::splat(half(row, column).abs()))),
            shift: shift.to_array().map(L::splat),
            margin: L::splat_up(margin),
            scale: L::splat(scale),
        }
    }

    /// A product of half the matrix and twice a point, moved.
    #[inline(always)]
    pub fn apply(&self, twice: [L; 3]) -> [L; 3] {
        std::array::from_fn(|row| {
            let [x, y, z] = self.half[row];
            x * twice[0] + y * twice[1] + z * twice[2] + self.shift[row]
        })
    }
}
