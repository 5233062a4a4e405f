//! How far two hulls are apart along the fixed directions: proved lower bounds of distance [Konecny97 §2.2].
//!
//! Differs from the paper:
//! 1. Directions are not normalised, so extents stay sums of coordinates; lengths are divided out at the end.
//! 2. Its claim that `delta <= 0` means intersection, and that `-delta` dislodges at least, holds in the plane only: in
//!    space a Minkowski sum of two hulls has facets whose normals are no fixed directions. Here a positive `delta` is a
//!    proof, any other proves nothing.
//! 3. The indices of its formula are those of its definition, `delta_d(X, Y) = -c_{-d}(Y) - c_d(X)`.

use super::FixedDirectionHull;
use super::directions::Directions;
use glam::DVec3;

/// `1 / sqrt(n)` for n = 1, 2, 3, rounded down.
const INVERSE_LENGTH: [f64; 3] = [1.0, 0.707_106_781_186_547_5, 0.577_350_269_189_625_7];

impl<const K: usize> FixedDirectionHull<K> {
    /// The least that the fixed-direction norm of a vector may be of its Euclidean length, rounded down.
    ///
    /// It is the cosine of the largest angle between any vector and the nearest direction:
    ///
    /// | `K` | ratio | angle | a vector that attains it |
    /// |---|---|---|---|
    /// | 6 | `1 / sqrt 3` = 0.577 | 54.7 degrees | `(1, 1, 1)` |
    /// | 14 | `1 / sqrt(5 - 2 sqrt 3)` = 0.807 | 36.2 degrees | `(1, sqrt 3 - 1, 0)` |
    /// | 18 | `sqrt(2 / 3)` = 0.816 | 35.3 degrees | `(1, 1, 1)` |
    /// | 26 | `1 / sqrt(1 + (sqrt 2 - 1)^2 + (sqrt 3 - sqrt 2)^2)` = 0.886 | 27.6 degrees | `(1, sqrt 2 - 1, sqrt 3 - sqrt 2)` |
    pub const NORM_RATIO: f64 = match K {
        6 => 0.577_350_269_189_625_7,
        14 => 0.806_898_221_355_073_4,
        18 => 0.816_496_580_927_725_9,
        _ => 0.886_451_886_282_891_2,
    };

    /// The fixed-direction norm `max d . x / |d|`, to `4u`: at most the Euclidean length, and at least
    /// [`NORM_RATIO`](Self::NORM_RATIO) times it.
    pub fn norm(vector: DVec3) -> f64 {
        let heights = Directions::<K>::heights(vector);
        let along = |i: usize| heights[i] * INVERSE_LENGTH[Directions::<K>::LENGTH_SQUARED[i] - 1];
        (0..K).map(along).fold(0.0, f64::max)
    }

    /// For each direction `d` a number not above `delta_d = min d . (y - x)` over points `x` of this hull, `y` of the
    /// other: how far the other lies beyond this one. In units of `1 / |d|`; positive proves that the regions are
    /// disjoint, `-inf` of infinite supports proves nothing.
    pub fn oriented_distances(&self, other: &Self) -> [f64; K] {
        std::array::from_fn(|i| self.gap(other, i).next_down().max(f64::NEG_INFINITY))
    }

    /// `delta_d`, rounded to nearest: its sign is right. Infinite supports can make it NaN.
    #[inline(always)]
    fn gap(&self, other: &Self, direction: usize) -> f64 {
        -other.supports[Directions::<K>::opposite(direction)] - self.supports[direction]
    }

    /// Whether the two overlap along every direction; exact. `false` proves that the regions are disjoint, `true`
    /// proves nothing (28 of 4,001 random pairs of 14-hulls that overlapped so were disjoint).
    #[inline(always)]
    pub fn meets(&self, other: &Self) -> bool {
        // No early exit: all comparisons in lanes are faster than one branch that is not foreseen.
        (0..K).fold(true, |meets, i| meets & (self.gap(other, i) <= 0.0))
    }

    /// A number not above the fixed-direction distance `delta = max delta_d / |d|` of the paper.
    ///
    /// Positive, it proves that all points of the one are at least so far from all points of the other. Not positive, it
    /// proves nothing. `f64::MAX` or so if a hull is empty.
    ///
    /// Safe because a difference rounded to nearest is at most one float above the truth, and so is a product with a
    /// rounded inverse length.
    #[inline]
    pub fn fixed_direction_distance(&self, other: &Self) -> f64 {
        // One maximum for each length of a direction; a NaN, of infinite supports, is passed over.
        let axes = self.widest_gap(other, 0, 3);
        let (cube, faces) = match K {
            6 => (f64::NEG_INFINITY, f64::NEG_INFINITY),
            14 => (self.widest_gap(other, 3, 7), f64::NEG_INFINITY),
            18 => (f64::NEG_INFINITY, self.widest_gap(other, 3, 9)),
            _ => (self.widest_gap(other, 3, 7), self.widest_gap(other, 7, 13)),
        };
        axes.next_down().max(shortened(faces, INVERSE_LENGTH[1])).max(shortened(cube, INVERSE_LENGTH[2]))
    }

    /// The widest gap along some pairs of directions, rounded to nearest.
    #[inline(always)]
    fn widest_gap(&self, other: &Self, from: usize, to: usize) -> f64 {
        let wider = |a: f64, b: f64| if b > a { b } else { a };
        let start = [f64::NEG_INFINITY; 2];
        let [there, back] = (from..to).fold(start, |[there, back], i| {
            [wider(there, self.gap(other, i)), wider(back, self.gap(other, i + K / 2))]
        });
        wider(there, back)
    }

    /// A number not above the distance of any point of the one to any point of the other, not negative: 0 proves
    /// nothing.
    #[inline]
    pub fn distance_lower_bound(&self, other: &Self) -> f64 {
        self.fixed_direction_distance(other).max(0.0)
    }
}

/// A number not above `gap / |d|` for a gap rounded to nearest, given `1 / |d|` rounded down.
#[inline(always)]
fn shortened(gap: f64, inverse_length: f64) -> f64 {
    let gap = gap.next_down();
    let inverse = if gap < 0.0 { inverse_length.next_up() } else { inverse_length };
    (gap * inverse).next_down()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu::rational::RBig;

    #[test]
    fn inverse_lengths_are_the_largest_floats_below() {
        let square = |x: f64| RBig::try_from(x).unwrap() * RBig::try_from(x).unwrap();
        for (n, x) in [1u8, 2, 3].into_iter().zip(INVERSE_LENGTH) {
            assert!(square(x) * RBig::from(n) <= RBig::ONE);
            assert!(square(x.next_up()) * RBig::from(n) > RBig::ONE);
        }
    }

    #[test]
    fn empty_hulls_are_far_from_all_and_unbounded_ones_from_none() {
        let point = FixedDirectionHull::<14>::of_point(DVec3::ONE);
        let (empty, whole) = (FixedDirectionHull::EMPTY, FixedDirectionHull::WHOLE);
        assert!(point.distance_lower_bound(&empty) > 1e300 && !point.meets(&empty));
        assert_eq!(point.distance_lower_bound(&whole), 0.0);
        assert_eq!(empty.distance_lower_bound(&whole), 0.0);
        assert!(point.meets(&whole));
    }
}
