//! The 14-hull in one cache line: what trees store.

use super::FixedDirectionHull;
use wide::f32x8;

/// A 14-hull in 64 bytes: seven extents in `f32`, rounded outward, and an eighth without bounds.
///
/// Tests compare all extents at once. Rounding costs `2^-24` of the size of the coordinates, so a tree should keep its
/// hulls relative to a point nearby ([`FixedDirectionHull::translated`]): far from the origin nothing else is left
/// of them. Coordinates beyond the range of `f32` become unbounded.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct CompactHull {
    lower: f32x8,
    upper: f32x8,
}

/// Axes in a hull of 14 directions.
pub(super) const PAIRS: usize = 7;

/// `1 / |d|` rounded down; the last lane is not finite before and stays so.
const INVERSE_LENGTH: f32x8 =
    f32x8::new([1.0, 1.0, 1.0, 0.577_350_2, 0.577_350_2, 0.577_350_2, 0.577_350_2, 1.0]);

impl CompactHull {
    /// The hull of nothing.
    pub const EMPTY: CompactHull = {
        let (low, high) = (f32::NEG_INFINITY, f32::INFINITY);
        CompactHull {
            lower: f32x8::new([high, high, high, high, high, high, high, low]),
            upper: f32x8::new([low, low, low, low, low, low, low, high]),
        }
    };

    /// The hull of all of space.
    pub const WHOLE: CompactHull =
        CompactHull { lower: f32x8::new([f32::NEG_INFINITY; 8]), upper: f32x8::new([f32::INFINITY; 8]) };

    /// The same numbers in `f64`.
    pub fn hull(&self) -> FixedDirectionHull<14> {
        let (lower, upper) = (self.lower.to_array(), self.upper.to_array());
        let support = |i: usize| f64::from(if i < PAIRS { upper[i] } else { -lower[i - PAIRS] });
        FixedDirectionHull { supports: std::array::from_fn(support) }
    }

    /// Least and greatest value along each of the first seven directions of `FixedDirectionHull::<14>::DIRECTIONS`, and
    /// an eighth pair without bounds.
    pub fn extents(&self) -> ([f32; 8], [f32; 8]) {
        (self.lower.to_array(), self.upper.to_array())
    }

    /// The hull with these extents, or `None` if one is not a number; the eighth pair is not read.
    pub fn from_extents(lower: [f32; 8], upper: [f32; 8]) -> Option<CompactHull> {
        let ordered = lower[..PAIRS].iter().chain(&upper[..PAIRS]).all(|x| !x.is_nan());
        let last = |extents: [f32; 8], unbounded: f32| {
            f32x8::new(std::array::from_fn(|i| if i < PAIRS { extents[i] } else { unbounded }))
        };
        ordered
            .then(|| CompactHull { lower: last(lower, f32::NEG_INFINITY), upper: last(upper, f32::INFINITY) })
    }

    /// The least hull above both.
    #[inline(always)]
    pub fn join(&self, other: &CompactHull) -> CompactHull {
        CompactHull { lower: self.lower.fast_min(other.lower), upper: self.upper.fast_max(other.upper) }
    }

    /// Whether every extent of `other` lies in that of this one.
    #[inline(always)]
    pub fn contains(&self, other: &CompactHull) -> bool {
        (self.lower.simd_le(other.lower) & other.upper.simd_le(self.upper)).all()
    }

    /// Whether the two overlap along every direction; `false` proves that what they bound is disjoint.
    #[inline(always)]
    pub fn meets(&self, other: &CompactHull) -> bool {
        (self.lower.simd_le(other.upper) & other.lower.simd_le(self.upper)).all()
    }

    /// A number not above the distance of any point of the one to any point of the other, not negative: 0 proves
    /// nothing.
    ///
    /// A difference and a product round by `2^-24` each, or lose `2^-149` to underflow; both are given back.
    #[inline(always)]
    pub fn distance_lower_bound(&self, other: &CompactHull) -> f32 {
        // An empty hull against all of space has gaps that are not numbers; `max` passes over them. A difference
        // that overflows is at least `f32::MAX`.
        let gaps = (other.lower - self.upper).max(self.lower - other.upper).max(f32x8::ZERO);
        let along = (gaps.fast_min(f32x8::splat(f32::MAX)) * INVERSE_LENGTH).to_array();
        let most = along.into_iter().fold(0.0, |m: f32, gap| if gap > m { gap } else { m });
        if most > 0.0 { (most * (1.0 - 2.0 * f32::EPSILON)).next_down() } else { 0.0 }
    }
}

impl From<&FixedDirectionHull<14>> for CompactHull {
    fn from(hull: &FixedDirectionHull<14>) -> CompactHull {
        let supports = hull.supports();
        let upper = |i: usize| if i < PAIRS { round_up(supports[i]) } else { f32::INFINITY };
        let lower = |i: usize| if i < PAIRS { -round_up(supports[i + PAIRS]) } else { f32::NEG_INFINITY };
        CompactHull {
            lower: f32x8::new(std::array::from_fn(lower)),
            upper: f32x8::new(std::array::from_fn(upper)),
        }
    }
}

/// The least `f32` not below a number.
#[inline(always)]
fn round_up(x: f64) -> f32 {
    let nearest = x as f32;
    if f64::from(nearest) < x { nearest.next_up() } else { nearest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use glam::DVec3;

    #[test]
    fn a_hull_fills_one_cache_line() {
        assert_eq!((size_of::<CompactHull>(), align_of::<CompactHull>()), (64, 64));
    }

    #[test]
    fn the_inverse_length_is_rounded_down() {
        for x in INVERSE_LENGTH.to_array() {
            let square = f64::from(x) * f64::from(x);
            assert!(x == 1.0 || (square * 3.0 < 1.0 && square * 3.0 > 1.0 - 4.0 * f64::from(f32::EPSILON)));
        }
    }

    #[test]
    fn rounding_goes_outward_at_every_magnitude() {
        let mut random = Random::new(3);
        for case in 0..20_000 {
            let scale = 2f64.powi(random.below(600) as i32 - 300);
            let point = |random: &mut Random| {
                DVec3::from_array(std::array::from_fn(|_| random.range(-1.0, 1.0))) * scale
            };
            let a = FixedDirectionHull::<14>::around([point(&mut random), point(&mut random)]);
            let offset = point(&mut random) * 3.0;
            let b = FixedDirectionHull::<14>::around([offset + point(&mut random)]);
            let (small_a, small_b) = (CompactHull::from(&a), CompactHull::from(&b));
            assert!(small_a.hull().contains(&a) && small_b.hull().contains(&b));
            assert!(
                f64::from(small_a.distance_lower_bound(&small_b)) <= a.distance_lower_bound(&b),
                "{case}"
            );
            assert!(small_a.meets(&small_b) || !a.meets(&b));
            assert_eq!(small_a.meets(&small_b), small_a.hull().meets(&small_b.hull()));
            assert_eq!(CompactHull::from(&small_a.hull()), small_a, "compact hulls lose no more");
            assert!(small_a.join(&small_b).contains(&small_a) && small_a.join(&small_b).contains(&small_b));
        }
    }

    #[test]
    fn empty_and_whole_behave() {
        let (empty, whole) = (CompactHull::EMPTY, CompactHull::WHOLE);
        assert_eq!(CompactHull::from(&FixedDirectionHull::EMPTY), empty);
        assert_eq!(CompactHull::from(&FixedDirectionHull::WHOLE), whole);
        assert!(!empty.meets(&empty) && whole.contains(&empty) && empty.join(&whole) == whole);
        assert_eq!(empty.distance_lower_bound(&whole), 0.0);
        let (lower, mut upper) = empty.extents();
        assert_eq!(CompactHull::from_extents(lower, upper), Some(empty));
        upper[3] = f32::NAN;
        assert_eq!(CompactHull::from_extents(lower, upper), None);
    }
}
