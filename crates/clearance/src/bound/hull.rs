//! Hulls whose planes have fixed directions: the lattice [Konecny97 §2, §2.1].

use super::directions::Directions;
use crate::exact::{Vector, dot_sign};
use crate::math::Pose;
use crate::math::round::{add_up, mul_up, power_of_two};
use glam::DVec3;

/// A convex bound with `K` planes of fixed directions, a k-DOP: for each direction `d` a number not below `d . x` for
/// every point `x` of what it bounds.
///
/// `K` is 6 (a box), 14 (box and octahedron: the paper's choice), 18 (box and diagonals of faces) or 26 (all of them).
/// Directions have entries -1, 0, 1 and come in opposite pairs: number `i + K / 2` is minus number `i`. The hull *is*
/// the vector of its `K` supports, not the region that its half-spaces have in common; it exists when that region is
/// empty, too. Ordered by `<=` in every entry, hulls are a lattice: [`join`](Self::join) is the least hull above both,
/// [`meet`](Self::meet) the greatest below both.
///
/// Everything that computes rounds outward, so the exact points stay inside: a *tight* hull (one whose planes all touch
/// what it bounds) is tight to `7u` of the size of its points, `u = 2^-53`, and boxes of points are exact. No entry is
/// ever NaN; infinite entries mean unbounded, or empty.
///
/// ```
/// use clearance::{bound::FixedDirectionHull, glam::DVec3};
/// let corner = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let hull = FixedDirectionHull::<14>::around(corner);
/// assert!(hull.contains_point(DVec3::splat(0.3)), "the plane of (1, 1, 1) is at 1, ...");
/// assert!(!hull.contains_point(DVec3::splat(0.4)), "... a box would reach to 3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedDirectionHull<const K: usize> {
    pub(super) supports: [f64; K],
}

/// `2^-1070`: more than what underflow takes from a few products.
pub(super) const TINY: f64 = f64::from_bits(1 << 4);

/// Supports beyond `2^500` count as unbounded where they are multiplied; those of accepted shapes stay below `2^302`.
pub(super) const LARGE: f64 = power_of_two(500);

impl<const K: usize> FixedDirectionHull<K> {
    /// The directions, in the order of the supports.
    pub const DIRECTIONS: [[i8; 3]; K] = Directions::<K>::ALL;

    /// The hull of nothing, below all others.
    pub const EMPTY: Self = Self { supports: [f64::NEG_INFINITY; K] };

    /// The hull of all of space, above all others.
    pub const WHOLE: Self = Self { supports: [f64::INFINITY; K] };

    /// The hull with these supports, or `None` if one is not a number.
    pub fn from_supports(supports: [f64; K]) -> Option<Self> {
        supports.iter().all(|s| !s.is_nan()).then_some(Self { supports })
    }

    /// For each direction `d` the bound of `d . x`.
    #[inline]
    pub fn supports(&self) -> &[f64; K] {
        &self.supports
    }

    /// The hull of a point; [`WHOLE`](Self::WHOLE) if a coordinate is not finite.
    ///
    /// Exact along axes. Otherwise two sums round by `2.01u |p|_1` in all, the last one by `1.01u |p|_1`: a slack of
    /// `4u |p|_1` covers them (`3.5u` where it is subnormal; still smaller sums are exact).
    #[inline(always)]
    pub fn of_point(point: DVec3) -> Self {
        let size = point.abs().element_sum();
        if !size.is_finite() {
            return Self::WHOLE;
        }
        let (slack, heights) = (2.0 * f64::EPSILON * size, Directions::<K>::heights(point));
        let up = |i: usize| if Directions::<K>::LENGTH_SQUARED[i] == 1 { 0.0 } else { slack };
        Self { supports: std::array::from_fn(|i| heights[i] + up(i)) }
    }

    /// The hull of the exact image of a point under a pose; [`WHOLE`](Self::WHOLE) if a coordinate is not finite.
    ///
    /// Proof of the slack, with `s = 1.74 |p|_1 + |t|_1`, which bounds the sum of `|R||p| + |t|` over the axes: the
    /// image errs by `4.1u s`, the sums after it by `2.02u s`, the last one by `1.01u s`; `8u (2 |p|_1 + |t|_1)` is
    /// more, and `TINY` covers products that underflow.
    #[inline(always)]
    pub fn of_posed_point(point: DVec3, pose: &Pose) -> Self {
        let size = 2.0 * point.abs().element_sum() + pose.translation().abs().element_sum();
        if !size.is_finite() {
            return Self::WHOLE;
        }
        let (slack, heights) =
            (4.0 * f64::EPSILON * size + TINY, Directions::<K>::heights(pose.apply(point)));
        Self { supports: heights.map(|height| height + slack) }
    }

    /// The hull of some points: the join of their hulls, in any order the same bits. `O(n K)`.
    pub fn around(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |hull, point| hull.join(&Self::of_point(point)))
    }

    /// The hull of the exact images of some points under a pose: what a rotated body costs when its hull is computed
    /// anew. `O(n K)`.
    pub fn around_posed(points: impl IntoIterator<Item = DVec3>, pose: &Pose) -> Self {
        points.into_iter().fold(Self::EMPTY, |hull, point| hull.join(&Self::of_posed_point(point, pose)))
    }

    /// The least hull above both: it contains both regions.
    #[inline(always)]
    pub fn join(&self, other: &Self) -> Self {
        self.entry_wise(other, |a, b| if a > b { a } else { b })
    }

    /// The greatest hull below both: its region is exactly what both regions share.
    ///
    /// It is not tight in general, and its region may be empty although no two of its opposite planes have crossed.
    #[inline(always)]
    pub fn meet(&self, other: &Self) -> Self {
        self.entry_wise(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn entry_wise(&self, other: &Self, pick: impl Fn(f64, f64) -> f64) -> Self {
        Self { supports: std::array::from_fn(|i| pick(self.supports[i], other.supports[i])) }
    }

    /// Whether every support of `other` is at most that of this hull, the order of the lattice.
    ///
    /// True proves that the region of `other` lies in this one. False proves the contrary only if `other` is tight.
    #[inline]
    pub fn contains(&self, other: &Self) -> bool {
        self.supports.iter().zip(&other.supports).all(|(mine, its)| its <= mine)
    }

    /// Whether a point lies in the closed region; exact. Points that are not finite do not.
    pub fn contains_point(&self, point: DVec3) -> bool {
        point.is_finite() && (0..K).all(|i| self.is_below(i, point))
    }

    /// The exact sign of `d . (p - q)` with `d . q` equal to the support: `q` lies on an axis on which `d` is not 0.
    fn is_below(&self, direction: usize, point: DVec3) -> bool {
        let support = self.supports[direction];
        if support.is_infinite() {
            return support > 0.0;
        }
        let d = DVec3::from_array(Self::DIRECTIONS[direction].map(f64::from));
        let on_plane = support
            * d
            * if d.x != 0.0 {
                DVec3::X
            } else if d.y != 0.0 {
                DVec3::Y
            } else {
                DVec3::Z
            };
        let (from, to) = (Pose::IDENTITY.at(on_plane), Pose::IDENTITY.at(point));
        !dot_sign(d, Vector::Between(from, to)).is_positive()
    }

    /// Whether two opposite planes have crossed, which proves that the region is empty.
    ///
    /// Exact, but not the whole truth beyond boxes: four planes of other directions can leave nothing between them, too.
    #[inline]
    pub fn is_empty(&self) -> bool {
        (0..K / 2).any(|i| self.supports[i] < -self.supports[i + K / 2])
    }

    /// The hull moved by a vector, each support rounded upward; [`WHOLE`](Self::WHOLE) if the vector is not finite.
    pub fn translated(&self, by: DVec3) -> Self {
        let shift = Self::of_point(by);
        self.entry_wise(
            &shift,
            |support, d| {
                if support == f64::NEG_INFINITY { support } else { add_up(support, d) }
            },
        )
    }

    /// The hull scaled about the origin, each support rounded upward; a negative factor mirrors it. A factor that is
    /// not finite gives [`WHOLE`](Self::WHOLE).
    pub fn scaled(&self, factor: f64) -> Self {
        if !factor.is_finite() {
            return Self::WHOLE;
        }
        let scaled = |i: usize| {
            let support = self.supports[if factor < 0.0 { Directions::<K>::opposite(i) } else { i }];
            if support.is_infinite() { support } else { mul_up(support, factor.abs()) }
        };
        Self { supports: std::array::from_fn(scaled) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Hull = FixedDirectionHull<14>;

    #[test]
    fn nothing_and_everything_are_the_ends_of_the_lattice() {
        let hull = Hull::around([DVec3::X, DVec3::new(0.1, 0.2, 0.3)]);
        assert_eq!(Hull::around([]), Hull::EMPTY);
        assert_eq!(hull.join(&Hull::EMPTY), hull);
        assert_eq!(hull.meet(&Hull::WHOLE), hull);
        assert!(Hull::EMPTY.is_empty() && !Hull::WHOLE.is_empty() && !hull.is_empty());
        assert!(Hull::WHOLE.contains(&hull) && hull.contains(&Hull::EMPTY));
        assert!(Hull::WHOLE.contains_point(DVec3::ONE) && !Hull::EMPTY.contains_point(DVec3::ONE));
    }

    #[test]
    fn what_is_not_finite_never_becomes_a_bound() {
        assert_eq!(Hull::of_point(DVec3::NAN), Hull::WHOLE);
        assert_eq!(Hull::around([DVec3::ONE, DVec3::new(0.0, f64::INFINITY, 0.0)]), Hull::WHOLE);
        assert_eq!(Hull::of_posed_point(DVec3::NAN, &Pose::IDENTITY), Hull::WHOLE);
        assert_eq!(Hull::from_supports([f64::NAN; 14]), None);
        let hull = Hull::of_point(DVec3::ONE);
        assert_eq!(hull.translated(DVec3::NAN), Hull::WHOLE);
        assert_eq!(hull.scaled(f64::NAN), Hull::WHOLE);
        assert!(!Hull::WHOLE.contains_point(DVec3::NAN));
        for odd in [Hull::EMPTY, Hull::WHOLE] {
            assert_eq!(odd.translated(DVec3::ONE), odd);
            assert_eq!(odd.scaled(0.0), odd);
            assert_eq!(odd.scaled(-2.0), odd);
        }
    }

    #[test]
    fn a_negative_factor_mirrors() {
        let points = [DVec3::new(1.0, 2.0, 4.0), DVec3::new(0.5, -1.0, 2.0)];
        let mirrored = Hull::around(points.map(|p| -2.0 * p));
        assert_eq!(Hull::around(points).scaled(-2.0), mirrored);
    }

    #[test]
    fn boxes_are_exact() {
        let hull =
            FixedDirectionHull::<6>::around([DVec3::new(0.1, 0.2, 0.3), DVec3::new(-0.7, 1e-30, 1e30)]);
        assert_eq!(hull.supports(), &[0.1, 0.2, 1e30, 0.7, -1e-30, -0.3]);
        assert_eq!(hull.translated(DVec3::ZERO), hull);
    }
}
