//! The hull of a moved hull, without looking at what it bounds [Konecny97 §2.3, §3].

use super::FixedDirectionHull;
use super::bases::{Basis, MOST_SLOTS, slots};
use super::directions::Directions;
use super::hull::{LARGE, TINY};
use crate::math::Pose;
use crate::tolerance::{COORDINATE_LIMIT, SIZE_MINIMUM};
use glam::{DMat3, DVec3};
use wide::f64x2;

/// An affine map prepared for hulls: made once for a motion, shared by all hulls of a body.
///
/// A rotated hull has planes of other directions; its own hull is found by a linear program for each fixed direction
/// `d`: the most that `d . (U x + t)` can be in the region. Its solution is the least of a few sums of three supports,
/// whose numbers and weights depend on `U` and `d` only. They are stored here:
/// one sum for 6 directions, `min(v1 . s1, v2 . s2)` for 14, at most four sums for 18 and five for 26 (`bases.rs` says
/// why these suffice). [`apply`](Self::apply) then costs `O(K)`: 28 ns for 14 directions, where a new hull of `n` points
/// costs `O(n K)`.
///
/// The result contains the exact image of the region, whatever the hull; if the hull is tight, it is the hull of that
/// image up to rounding. It is looser than a new hull of the bounded points by what the old one was loose, so realign
/// from the original, never a realigned hull again.
///
/// Differs from the paper:
/// 1. `v1` ends in `w1` (with integer directions; `sqrt 3 w1` with its own), not `w1 / sqrt 3`: as printed it is no bound.
/// 2. The least of the sums, not a choice between them: each is a bound by duality, so hulls that are not tight, such as
///    meets, are safe, too.
/// 3. No table of permutations: the signs of `w` (8) and the order of their sizes (6) give the numbers of
///    the directions at once. That is its remark that 14 patterns suffice for 48.
/// 4. Any linear map, not only rotations; and all four sets of directions.
///
/// ```
/// use clearance::{Pose, bound::{FixedDirectionHull, Realignment}, glam::DVec3};
/// let hull = FixedDirectionHull::<14>::around([DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]);
/// let turn = Pose::from_axis_angle(DVec3::Z, 0.5, DVec3::ONE)?;
/// let moved = Realignment::new(&turn).apply(&hull);
/// assert!(moved.contains_point(turn.apply(DVec3::new(0.2, 0.2, 0.5))));
/// # Ok::<(), clearance::math::PoseError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Realignment<const K: usize> {
    /// Two slots in a row, a sum for each pair of directions; what the set does not have is not read.
    sums: [[Sum; K]; MOST_SLOTS.div_ceil(2)],
    /// `d . t` for each direction.
    shifts: [f64; K],
    slack: Slack,
    /// The largest sum of sizes in a column of the matrix, and the sum of sizes of the translation.
    sizes: (f64, f64),
    length_ratio: f64,
}

/// A sum of three supports for a direction; for its opposite it is that of the opposite supports.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sum {
    weights: [f64; 3],
    supports: [u8; 3],
}

/// What rounding may take from a support: `relative` times the largest support of the hull, and `absolute`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slack {
    pub relative: f64,
    pub absolute: f64,
}

/// Why a matrix and a vector make no realignment.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RealignmentError {
    /// An entry of the matrix.
    #[error("entry {value:e} of the matrix: it must be finite and at most 2^300 in size")]
    MatrixOutOfRange {
        /// The refused value.
        value: f64,
    },
    /// A coordinate of the translation.
    #[error("coordinate {value:e} of the translation: it must be finite and at most 2^300 in size")]
    TranslationOutOfRange {
        /// The refused value.
        value: f64,
    },
}

impl<const K: usize> Realignment<K> {
    /// For the exact image under a pose.
    pub fn new(pose: &Pose) -> Self {
        Self::build(pose.rotation(), pose.translation(), Uncertainty::NONE)
    }

    /// For the exact image under `x -> matrix x + translation`; the matrix may scale, mirror or flatten.
    pub fn affine(matrix: DMat3, translation: DVec3) -> Result<Self, RealignmentError> {
        let refused = |x: &f64| x.is_nan() || x.abs() > COORDINATE_LIMIT;
        if let Some(value) = matrix.to_cols_array().into_iter().find(refused) {
            return Err(RealignmentError::MatrixOutOfRange { value });
        }
        if let Some(value) = translation.to_array().into_iter().find(refused) {
            return Err(RealignmentError::TranslationOutOfRange { value });
        }
        Ok(Self::build(matrix, translation, Uncertainty::NONE))
    }

    /// For the frame of A: hulls of B, posed by `pose_b`, as they lie in the frame of a body posed by `pose_a`.
    ///
    /// The map is the exact `A^-1 B`, enclosed: its rounding is part of the slack. A distance found in the frame of A is
    /// one in the world after multiplication with [`length_ratio`](Self::length_ratio).
    ///
    /// Proof of the errors, with `E = I - A^T A`, entries at most 1e-9 and known to `5u`: `A^-1 = (I + E + E^2 + ..) A^T`, and
    /// leaving out `E^2` costs `0.2u`. The product with `A^T` adds `8.7u + u`: `10u` for an entry of the inverse, `21u`
    /// for one of `A^-1 B`. The difference of the translations errs by `u` of their size, its image by
    /// `16u (|t_a|_1 + |t_b|_1)` in all.
    pub fn relative(pose_a: &Pose, pose_b: &Pose) -> Self {
        let transposed = pose_a.rotation().transpose();
        let defect = DMat3::IDENTITY - transposed * pose_a.rotation();
        let inverse = transposed + defect * transposed;
        let size = pose_a.translation().abs().element_sum() + pose_b.translation().abs().element_sum();
        let uncertainty =
            Uncertainty { matrix: 12.0 * f64::EPSILON, translation: 8.0 * f64::EPSILON * size + TINY };
        let translation = inverse * (pose_b.translation() - pose_a.translation());
        let largest = defect.to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        // The least singular value of A is at least `sqrt(1 - e)`, with `e` the largest sum of a row of `E`.
        let length_ratio = 1.0 - 3.0 * (largest + 4.0 * f64::EPSILON);
        Self { length_ratio, ..Self::build(inverse * pose_b.rotation(), translation, uncertainty) }
    }

    /// What a length in the new frame is at least in the world; 1 for [`new`](Self::new) and [`affine`](Self::affine).
    pub fn length_ratio(&self) -> f64 {
        self.length_ratio
    }

    fn build(matrix: DMat3, translation: DVec3, uncertainty: Uncertainty) -> Self {
        let mut sums = [[Sum::default(); K]; MOST_SLOTS.div_ceil(2)];
        let [x, y, z] = [0, 1, 2].map(|c| Directions::<K>::heights(matrix.col(c)));
        for i in 0..K / 2 {
            let canonical = Canonical::new(DVec3::new(x[i], y[i], z[i]));
            for (slot, bases) in slots::<K>().iter().enumerate() {
                sums[slot / 2][slot % 2 * (K / 2) + i] = canonical.sum::<K>(bases).unwrap_or(sums[0][i]);
            }
        }
        let matrix_size = [0, 1, 2].map(|c| matrix.col(c).abs().element_sum());
        let sizes = (matrix_size.into_iter().fold(SIZE_MINIMUM, f64::max), translation.abs().element_sum());
        Self {
            sums,
            shifts: Directions::<K>::heights(translation),
            slack: Slack::new(sizes, uncertainty),
            sizes,
            length_ratio: 1.0,
        }
    }

    /// The weights of a sum and the numbers of its supports, for a direction.
    pub(super) fn sum(&self, slot: usize, direction: usize) -> ([f64; 3], [u8; 3]) {
        let sum = &self.sums[slot / 2][slot % 2 * (K / 2) + direction % (K / 2)];
        let mirrored =
            |i: u8| if direction < K / 2 { i } else { Directions::<K>::opposite(i as usize) as u8 };
        (sum.weights, sum.supports.map(mirrored))
    }

    /// `d . t`.
    pub(super) fn shift(&self, direction: usize) -> f64 {
        self.shifts[direction]
    }

    pub(super) fn slack(&self) -> Slack {
        self.slack
    }

    pub(super) fn sizes(&self) -> (f64, f64) {
        self.sizes
    }

    /// The hull of the image: contains every image of a point of the region.
    ///
    /// Hulls with a support beyond `2^500` in size have no bounds after a realignment, unless they are empty.
    #[inline]
    pub fn apply(&self, hull: &FixedDirectionHull<K>) -> FixedDirectionHull<K> {
        // An array of 16 for the small sets: the rest would cost as much as the sums.
        if K <= 16 { self.apply_in::<16>(hull) } else { self.apply_in::<32>(hull) }
    }

    /// With room for `N >= K` supports, a power of two: numbers below it need no check of bounds.
    #[inline(always)]
    fn apply_in<const N: usize>(&self, hull: &FixedDirectionHull<K>) -> FixedDirectionHull<K> {
        // Each support beside the opposite one. The sum with zero keeps both in one register: stored one after the
        // other they could not be loaded together without a stall longer than all that follows.
        let pairs: [f64x2; N] = std::array::from_fn(|i| match i < K {
            true => f64x2::new([hull.supports[i], hull.supports[Directions::<K>::opposite(i)]]) + f64x2::ZERO,
            false => f64x2::ZERO,
        });
        let size = largest(&pairs[..K / 2]);
        if size > LARGE {
            return if hull.is_empty() { FixedDirectionHull::EMPTY } else { FixedDirectionHull::WHOLE };
        }
        let slack = self.slack.relative * size + self.slack.absolute;
        let mut supports = [0.0; K];
        for i in 0..K / 2 {
            let mut least = self.sums[0][i].of(&pairs);
            for slot in 1..slots::<K>().len() {
                least = self.sums[slot / 2][slot % 2 * (K / 2) + i].of(&pairs).fast_min(least);
            }
            let shift = self.shifts[i];
            let [there, back] = (least + f64x2::new([shift + slack, slack - shift])).to_array();
            (supports[i], supports[i + K / 2]) = (there, back);
        }
        FixedDirectionHull { supports }
    }
}

/// The largest size of a support; infinite if one is.
#[inline(always)]
fn largest(pairs: &[f64x2]) -> f64 {
    // Four maxima side by side: one alone would wait for each comparison.
    let mut most = [f64x2::ZERO; 4];
    for (i, pair) in pairs.iter().enumerate() {
        most[i % 4] = most[i % 4].fast_max(pair.abs());
    }
    let [a, b] = most[0].fast_max(most[1]).fast_max(most[2].fast_max(most[3])).to_array();
    if a > b { a } else { b }
}

impl Sum {
    /// For a direction and its opposite.
    #[inline(always)]
    fn of<const N: usize>(&self, pairs: &[f64x2; N]) -> f64x2 {
        let term = |k: usize| f64x2::splat(self.weights[k]) * pairs[self.supports[k] as usize & (N - 1)];
        term(0) + term(1) + term(2)
    }
}

/// How much the entries of a map may be off.
struct Uncertainty {
    matrix: f64,
    translation: f64,
}

impl Uncertainty {
    const NONE: Uncertainty = Uncertainty { matrix: 0.0, translation: 0.0 };
}

impl Slack {
    /// Proof, with `m` the largest sum of sizes in a column of the matrix and `c` the largest support in size, so that no
    /// coordinate in the region is larger. *The weights* belong to some `w'` near `w`: two sums make `w` and err by
    /// `2u m`, weights by at most `18u m` for the three together (bases of 26), so `w'` is off by at most `20u m` in each of
    /// three coordinates, and no point of the region gains more than `60u m c` by it. *The sum*
    /// of three products is at most `3 m c`; it and the two sums after it round by `4u (3 m c + |t|_1)`.
    /// `d . t` errs by `2u |t|_1`, and the slack is less than `u` of the result. Together below `73u m c + 7u |t|_1`;
    /// an uncertain entry moves `w` by three times as much in each of three coordinates.
    fn new((matrix_size, translation_size): (f64, f64), uncertainty: Uncertainty) -> Slack {
        Slack {
            relative: 40.0 * f64::EPSILON * matrix_size + 9.0 * uncertainty.matrix,
            absolute: 4.0 * f64::EPSILON * translation_size + 3.0 * uncertainty.translation + TINY,
        }
    }
}

/// Two sums of three supports of a 14-hull, by their weights and numbers; the support of its region along a vector is at
/// most either, and the lesser one if the hull is tight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pivots {
    pub weights: [[f64; 3]; 2],
    /// As in `FixedDirectionHull::<14>::DIRECTIONS`.
    pub supports: [[u8; 3]; 2],
}

/// The sums for a vector: with exact weights they would belong to one that differs by at most `20u` of its size.
pub(crate) fn pivots(along: DVec3) -> Pivots {
    let canonical = Canonical::new(along);
    let first = canonical.sum::<14>(slots::<14>()[0]).unwrap_or_default();
    let sums = [first, canonical.sum::<14>(slots::<14>()[1]).unwrap_or(first)];
    Pivots { weights: sums.map(|sum| sum.weights), supports: sums.map(|sum| sum.supports) }
}

/// A vector `w` as sizes `w1 <= w2 <= w3` and where each stands, with its sign.
struct Canonical {
    sizes: [f64; 3],
    /// What an entry 1 at each place adds to the digits of a direction.
    places: [i8; 3],
}

impl Canonical {
    #[inline(always)]
    fn new(w: DVec3) -> Canonical {
        let mut entries =
            [(w.x, 9), (w.y, 3), (w.z, 1)].map(|(x, place)| (x.abs(), if x < 0.0 { -place } else { place }));
        // Three exchanges sort three.
        for (i, j) in [(0, 1), (1, 2), (0, 1)] {
            let (p, q) = (entries[i], entries[j]);
            (entries[i], entries[j]) = if p.0 > q.0 { (q, p) } else { (p, q) };
        }
        Canonical { sizes: entries.map(|e| e.0), places: entries.map(|e| e.1) }
    }

    /// The sum of the first basis whose cone contains the vector.
    #[inline(always)]
    fn sum<const K: usize>(&self, bases: &[Basis]) -> Option<Sum> {
        bases.iter().find_map(|basis| {
            let weights = basis.weights(self.sizes)?;
            Some(Sum { weights, supports: basis.directions.map(|d| self.number::<K>(d)) })
        })
    }

    /// The number of the direction that is this one in the canonical frame.
    #[inline(always)]
    fn number<const K: usize>(&self, direction: [i8; 3]) -> u8 {
        let [x, y, z] = [0, 1, 2].map(|i| direction[i] * self.places[i]);
        Directions::<K>::NUMBERS[(13 + x + y + z) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All 48 patterns of signs and orders: the three directions sum to the vector again.
    fn check<const K: usize>() {
        let mut patterns = std::collections::BTreeSet::new();
        for order in [
            [1.0, 2.0, 5.0],
            [1.0, 5.0, 2.0],
            [2.0, 1.0, 5.0],
            [2.0, 5.0, 1.0],
            [5.0, 1.0, 2.0],
            [5.0, 2.0, 1.0],
        ] {
            for signs in 0..8 {
                let sign = |bit: usize| if signs >> bit & 1 == 0 { 1.0 } else { -1.0 };
                let w = DVec3::from_array(order) * DVec3::new(sign(0), sign(1), sign(2));
                for bases in slots::<K>() {
                    let Some(sum) = Canonical::new(w).sum::<K>(bases) else { continue };
                    let term = |k: usize| {
                        let d = Directions::<K>::ALL[sum.supports[k] as usize];
                        sum.weights[k] * DVec3::from_array(d.map(f64::from))
                    };
                    assert_eq!(term(0) + term(1) + term(2), w);
                    patterns.insert(sum.supports);
                }
            }
        }
        assert!(patterns.len() >= 8);
    }

    #[test]
    fn every_pattern_of_signs_and_orders_gives_the_vector_back() {
        check::<6>();
        check::<14>();
        check::<18>();
        check::<26>();
    }

    #[test]
    fn empty_unbounded_and_huge_hulls_stay_bounds() {
        let turn = Pose::from_axis_angle(DVec3::ONE, 1.0, DVec3::X).unwrap();
        let realignment = Realignment::<14>::new(&turn);
        assert_eq!(realignment.apply(&FixedDirectionHull::EMPTY), FixedDirectionHull::EMPTY);
        assert_eq!(realignment.apply(&FixedDirectionHull::WHOLE), FixedDirectionHull::WHOLE);
        let huge = FixedDirectionHull::<14>::of_point(DVec3::splat(1e200));
        assert_eq!(realignment.apply(&huge), FixedDirectionHull::WHOLE);
        let mut half = *FixedDirectionHull::<14>::of_point(DVec3::ONE).supports();
        half[0] = f64::INFINITY;
        let half = FixedDirectionHull::from_supports(half).unwrap();
        assert_eq!(realignment.apply(&half), FixedDirectionHull::WHOLE);
    }

    #[test]
    fn entries_out_of_range_are_refused() {
        let bad = DMat3::from_diagonal(DVec3::new(1.0, f64::NAN, 1.0));
        assert!(matches!(
            Realignment::<14>::affine(bad, DVec3::ZERO),
            Err(RealignmentError::MatrixOutOfRange { value }) if value.is_nan()
        ));
        let far = DVec3::new(0.0, 2.0 * COORDINATE_LIMIT, 0.0);
        let refused = Realignment::<6>::affine(DMat3::IDENTITY, far);
        assert_eq!(refused, Err(RealignmentError::TranslationOutOfRange { value: far.y }));
    }
}
