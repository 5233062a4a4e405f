//! Maps between the frames of two trees in lanes, with bounds of all that rounding may do.

use super::kind::Kind;
use super::lanes::Lanes;
use super::pair::{Rounding, TreePair};
use crate::math::round::{UNIT_ROUNDOFF, power_of_two};
use glam::{DMat3, DVec3};

/// How far from orthonormal the matrix of a pose may be, `|R^T R - I|` in the 2-norm: three times the limit of an entry.
const DEFECT_LIMIT: f64 = 3.1e-9;

/// Both frames of a pair, each with the other tree in it.
///
/// The frame of A is `y = R_A^T (w - o)` for a world point `w` and the image `o` of A's origin, in units of the pair. It
/// is linear, so bodies are apart in it if and only if they are in the world. Lengths differ by `DEFECT_LIMIT` at most.
pub(super) struct View<L: Lanes, B: Kind> {
    pub a_to_b: Map<L, B>,
    pub b_to_a: Map<L, B>,
    /// What a gap between boxes of mapped corners may be too large by.
    pub box_slack: L,
    /// What a gap along a direction of length at most 1 may be too large by.
    pub plane_slack: L,
    /// From B to the frame of A, up to scale.
    pub turn: DMat3,
    pub shift: DVec3,
    /// What the gap of two parts in the frame of A may be too large by.
    pub facing_slack: f64,
    units_per_length: f64,
    /// Squares of gaps in lanes are too large by at most this factor.
    stretch: f64,
}

impl<L: Lanes, B: Kind> View<L, B> {
    pub fn new(pair: &TreePair<'_, B>) -> View<L, B> {
        let (turn_a, turn_b) = (pair.pose_a.rotation(), pair.pose_b.rotation());
        let (a, b, shift) = (pair.scale_a, pair.scale_b, pair.offset.abs().element_sum());
        // In `f32` the limit is far below what rounding does.
        let defect =
            if L::ROUNDOFF > DEFECT_LIMIT { DEFECT_LIMIT } else { defect(&turn_a).max(defect(&turn_b)) };
        let b_to_a = turn_a.transpose() * turn_b;
        if pair.rounding == Rounding::Ignored {
            return View::unproved(pair, b_to_a);
        }
        let (margin, size) = (margin::<L, B>(pair, defect), a.max(b));
        let corner = margin + power_of_two(-24) * (a + 2.0 * b);
        View {
            a_to_b: Map::new(b_to_a.transpose(), a, -(turn_b.transpose() * pair.offset), margin, size),
            b_to_a: Map::new(b_to_a, b, turn_a.transpose() * pair.offset, margin, size),
            box_slack: L::splat_up(corner),
            plane_slack: L::splat_up(2.0 * corner + 12.0 * L::ROUNDOFF * (a + b + shift)),
            turn: b_to_a,
            shift: turn_a.transpose() * pair.offset,
            facing_slack: 2.0 * self::margin::<wide::f64x8, B>(pair, defect),
            units_per_length: pair.units_per_length(),
            stretch: 1.0 + L::SLACK + 4.0 * defect,
        }
    }

    /// Without margins.
    fn unproved(pair: &TreePair<'_, B>, b_to_a: DMat3) -> View<L, B> {
        let (turn_a, turn_b) = (pair.pose_a.rotation(), pair.pose_b.rotation());
        let (a, b, zero) = (pair.scale_a, pair.scale_b, L::splat(0.0));
        View {
            a_to_b: Map::new(b_to_a.transpose(), a, -(turn_b.transpose() * pair.offset), 0.0, 0.0),
            b_to_a: Map::new(b_to_a, b, turn_a.transpose() * pair.offset, 0.0, 0.0),
            box_slack: zero,
            plane_slack: zero,
            turn: b_to_a,
            shift: turn_a.transpose() * pair.offset,
            facing_slack: 0.0,
            units_per_length: pair.units_per_length(),
            stretch: 1.0,
        }
    }

    /// The square of a distance of the world in units, not below any measure that does not prove a larger distance.
    pub fn square_limit(&self, distance: f64) -> f64 {
        let limit = distance * self.units_per_length;
        limit * limit * self.stretch
    }

    /// The distance in units that a measure proves.
    pub fn proved(&self, measure: f64) -> f64 {
        (measure.max(0.0) / self.stretch).sqrt() * (1.0 - 4.0 * UNIT_ROUNDOFF)
    }
}

/// An upper bound of the error of a gap between a box and the image of one.
///
/// Proof, with `e` the roundoff of lanes, `s` the scale of the tree that is mapped, `k` that of the other and `T` the
/// offset. A row of the matrix has length 1, so `|M||x| <= 1.74 s`. The middle errs by `e` each for the rounding of the
/// matrix, of `low + high` and of products, and by `3e` for sums: `10.4 e s`; the offset adds `2e T`. The radius errs
/// by `5e * 1.74 s`. Sum and difference of both, and the gap itself, round by `e` of at most `3.5 s + T` and `3.5 s + k
/// + T`: `(26.1 s + k + 4T) e` in all. The relative rotation errs by `3.1u` an entry, in middle and radius: `19u s`. The
/// offset errs in each frame by `1.74` times its error and `3.1u |T|`. A's own image in its frame is `R_A^T R_A x`, off
/// by `1.74` times the defect. Stored boxes are exact.
pub(super) fn margin<L: Lanes, B>(pair: &TreePair<'_, B>, defect: f64) -> f64 {
    let (size, shift) = (pair.scale_a.max(pair.scale_b), pair.offset.abs().element_sum());
    let rounding = L::ROUNDOFF * (30.0 * size + 5.0 * shift);
    let input = pair.offset_error + UNIT_ROUNDOFF * (10.0 * size + 2.0 * shift) + defect * size;
    rounding + 2.0 * input
}

/// An upper bound of `|R^T R - I|` in the 2-norm.
fn defect(rotation: &DMat3) -> f64 {
    let off = rotation.transpose() * *rotation - DMat3::IDENTITY;
    off.to_cols_array().into_iter().map(|x| x * x).sum::<f64>().sqrt() + 16.0 * UNIT_ROUNDOFF
}

/// From local coordinates of one tree to the frame of the other, in units of the pair.
pub(super) struct Map<L: Lanes, B: Kind> {
    /// Half of the matrix: it is applied to `low + high`.
    half: [[L; 3]; 3],
    /// Sizes of its entries: applied to `high - low`.
    half_size: [[L; 3]; 3],
    shift: [L; 3],
    /// How much boxes grow so that they hold what they bound in spite of rounding.
    margin: L,
    /// Units of the pair in a unit of the tree.
    pub scale: L,
    /// For what bounds parts besides their boxes.
    pub more: B::Turn<L>,
}

impl<L: Lanes, B: Kind> Map<L, B> {
    fn new(matrix: DMat3, scale: f64, shift: DVec3, margin: f64, size: f64) -> Map<L, B> {
        let half = |row: usize, column: usize| 0.5 * scale * matrix.col(column)[row];
        let each = |f: &dyn Fn(f64) -> f64| -> [[L; 3]; 3] {
            std::array::from_fn(|row| std::array::from_fn(|column| L::splat(f(half(row, column)))))
        };
        Map {
            half: each(&|x| x),
            half_size: each(&f64::abs),
            shift: shift.to_array().map(L::splat),
            margin: L::splat_up(margin),
            scale: L::splat(scale),
            more: B::turn(&matrix, scale, shift, margin, size),
        }
    }

    /// The images of points, given twice as large.
    #[inline(always)]
    pub fn apply(&self, twice: [L; 3]) -> [L; 3] {
        std::array::from_fn(|row| {
            let [x, y, z] = self.half[row];
            x * twice[0] + y * twice[1] + z * twice[2] + self.shift[row]
        })
    }

    /// Half the edges of boxes around the images of boxes, larger by the margin.
    #[inline(always)]
    pub fn radius(&self, edges: [L; 3]) -> [L; 3] {
        std::array::from_fn(|row| {
            let [x, y, z] = self.half_size[row];
            x * edges[0] + y * edges[1] + z * edges[2] + self.margin
        })
    }
}
