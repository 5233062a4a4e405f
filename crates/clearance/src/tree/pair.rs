//! Two trees under two poses: where one lies seen from the other, and how exactly that is known.

use super::view::margin;
use super::{Slabs, Tree};
use crate::math::Pose;
use crate::math::double::Double;
use crate::math::round::{UNIT_ROUNDOFF, exponent_of, power_of_two};
use glam::{DMat3, DVec3};
use wide::f32x8;

/// Two trees under two poses.
///
/// Boxes stay in the frames of their bodies, the relative rotation is computed once. The poses' twelve numbers are the
/// truth: that a matrix is orthonormal only to `1e-9` is accounted for, not repaired.
///
/// Inside, lengths are multiples of a unit, a power of two at least as large as both bodies and their offset.
#[derive(Clone, Copy, Debug)]
pub struct TreePair<'a, B = Slabs> {
    pub(super) a: &'a Tree<B>,
    pub(super) b: &'a Tree<B>,
    pub(super) pose_a: &'a Pose,
    pub(super) pose_b: &'a Pose,
    /// `2^unit` is the unit.
    unit: i32,
    /// Units of the pair in the unit of each tree, at most 1.
    pub(super) scale_a: f64,
    pub(super) scale_b: f64,
    /// From the image of A's origin to the image of B's, in the world; no coordinate is larger than 1/2.
    pub(super) offset: DVec3,
    /// No coordinate of `offset` errs by more.
    pub(super) offset_error: f64,
    /// Whether `f32` resolves both bodies.
    pub(super) single: bool,
    pub(super) rounding: Rounding,
}

/// What walks do about rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    /// Margins cover it.
    Covered,
    /// Nothing: to measure what the margins cost.
    #[cfg_attr(not(feature = "oracle"), allow(dead_code, reason = "only measured"))]
    Ignored,
}

/// Underflow in any step errs by less: far below the roundoff of the smallest unit, `2^-900`.
const UNDERFLOW: f64 = f64::MIN_POSITIVE;

/// `f32` is used if its errors are at most this share of the smaller body.
const RESOLUTION: f64 = 1.0 / 4096.0;

impl<'a, B> TreePair<'a, B> {
    /// The pair; about 30 ns.
    pub fn new(a: &'a Tree<B>, pose_a: &'a Pose, b: &'a Tree<B>, pose_b: &'a Pose) -> TreePair<'a, B> {
        let (large, small) = (a.frame.exponent.max(b.frame.exponent), a.frame.exponent.min(b.frame.exponent));
        let (offset, offset_error) = offset(a, pose_a, b, pose_b, power_of_two(small - 44));
        let reach = offset.abs().max_element();
        let unit = if reach > 0.0 { large.max(exponent_of(reach) + 2) } else { large };
        let in_units = power_of_two(-unit);
        // A body of less than 2^-800 units is a point; what it loses is far below the roundoff of the other.
        let scale = |tree: &Tree<B>| power_of_two((tree.frame.exponent - unit).max(-800));
        let mut pair = TreePair {
            a,
            b,
            pose_a,
            pose_b,
            unit,
            scale_a: scale(a),
            scale_b: scale(b),
            offset: offset * in_units,
            offset_error: offset_error * in_units,
            single: true,
            rounding: Rounding::Covered,
        };
        pair.single = margin::<f32x8, B>(&pair, 0.0) <= RESOLUTION * pair.scale_a.min(pair.scale_b);
        pair
    }

    /// Where the image of the middle of A's bounds is in the world, rounded: points of a [`Gap`](super::Gap) are
    /// relative to it.
    pub fn origin(&self) -> DVec3 {
        self.pose_a.apply(self.a.frame.origin)
    }

    /// Units in a length of the world.
    #[inline]
    pub(super) fn units_per_length(&self) -> f64 {
        power_of_two(-self.unit)
    }

    /// The unit in the world.
    #[inline]
    pub(super) fn unit_length(&self) -> f64 {
        power_of_two(self.unit)
    }

    /// Corners, given in the frames of the bodies, in the world relative to the image of A's origin, in units.
    #[inline]
    pub(super) fn corners(&self, a: [DVec3; 3], b: [DVec3; 3]) -> Corners {
        let unit = self.units_per_length();
        let turned = |turn: &DMat3, p: DVec3| *turn * (p * unit);
        let (turn_a, turn_b) = (self.pose_a.rotation(), self.pose_b.rotation());
        let (origin_a, origin_b) = (self.a.frame.origin, self.b.frame.origin);
        let in_a = |p: DVec3| turned(&turn_a, p - origin_a);
        let in_b = |p: DVec3| turned(&turn_b, p - origin_b) + self.offset;
        // One by one: `map` is called out of line here.
        Corners {
            a: [in_a(a[0]), in_a(a[1]), in_a(a[2])],
            b: [in_b(b[0]), in_b(b[1]), in_b(b[2])],
            error: self.corner_error(),
        }
    }

    /// No coordinate of a difference of corners of A and B errs by more.
    ///
    /// Proof. With `s` the scale of a tree, coordinates relative to its origin are at most `s` and `|R||x|` at most
    /// `1.74 s`. The difference to the origin errs by `u`, products and two sums by `3u`: `4.1u * 1.74 s < 8u s`. For B
    /// there is one sum more, of at most `1.74 s + |offset|`, and the error of the offset.
    #[inline]
    pub(super) fn corner_error(&self) -> f64 {
        let shift = self.offset.abs().max_element();
        UNIT_ROUNDOFF * (8.0 * self.scale_a + 10.0 * self.scale_b + shift) + self.offset_error
    }
}

/// Six points in the world, relative to the image of A's origin, in units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corners {
    pub a: [DVec3; 3],
    pub b: [DVec3; 3],
    /// Largest error of a coordinate of a point of A plus that of a point of B.
    pub error: f64,
}

/// The image of B's origin minus that of A's in the world, and its error; more exactly if the error is above the one
/// wanted.
///
/// Proof of the first error: as for `Vector::Between` under two poses, `6u` times the size. In double precision eight
/// sums and six products err by `3.1u^2` of the size each, rounding to one float by `u`.
fn offset<B>(a: &Tree<B>, pose_a: &Pose, b: &Tree<B>, pose_b: &Pose, wanted: f64) -> (DVec3, f64) {
    let (origin_a, origin_b) = (a.frame.origin, b.frame.origin);
    let sizes = origin_a.abs() + origin_b.abs() + pose_a.translation().abs() + pose_b.translation().abs();
    let size = sizes.element_sum();
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
