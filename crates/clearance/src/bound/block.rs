//! Eight 14-hulls side by side: the children of a wide tree node, tested and realigned at once.

use super::compact::{CompactHull, PAIRS};
use super::realign::Realignment;
use wide::f32x8;

/// Hulls in a block.
const LANES: usize = 8;

/// Directions of a hull.
const K: usize = 2 * PAIRS;

/// Eight hulls, support by support: 448 bytes.
///
/// One hull against all eight costs no more per hull than a single comparison, and a realignment per hull a third of a
/// single one, with instructions that every x86-64 has.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct HullBlock {
    /// `supports[i]` of all hulls, in the order of `FixedDirectionHull::<14>::DIRECTIONS`.
    supports: [f32x8; K],
}

/// Half-spaces of one hull as a block sees them: a hull of the block meets it along direction `i` if its support is at
/// least `levels[i]`.
#[derive(Clone, Copy, Debug)]
struct Levels([f32; K]);

impl Levels {
    #[inline(always)]
    fn new(hull: &CompactHull) -> Levels {
        let (lower, upper) = hull.extents();
        Levels(std::array::from_fn(|i| if i < PAIRS { lower[i] } else { -upper[i - PAIRS] }))
    }
}

/// `1 / sqrt 3` rounded down.
const INVERSE_LENGTH: f32 = 0.577_350_2;

impl HullBlock {
    /// Eight hulls of nothing.
    pub const EMPTY: HullBlock = HullBlock { supports: [f32x8::splat(f32::NEG_INFINITY); K] };

    /// The first eight of these hulls; the rest of the block is empty.
    pub fn new(hulls: &[CompactHull]) -> HullBlock {
        let mut lanes = [[f32::NEG_INFINITY; LANES]; K];
        for (lane, hull) in hulls.iter().take(LANES).enumerate() {
            let (lower, upper) = hull.extents();
            for i in 0..PAIRS {
                (lanes[i][lane], lanes[i + PAIRS][lane]) = (upper[i], -lower[i]);
            }
        }
        HullBlock { supports: lanes.map(f32x8::new) }
    }

    /// One of the hulls; `lane` is below 8.
    pub fn hull(&self, lane: usize) -> CompactHull {
        let support = |i: usize| self.supports[i].to_array()[lane];
        let upper = std::array::from_fn(|i| if i < PAIRS { support(i) } else { f32::INFINITY });
        let lower = std::array::from_fn(|i| if i < PAIRS { -support(i + PAIRS) } else { f32::NEG_INFINITY });
        CompactHull::from_extents(lower, upper).unwrap_or(CompactHull::WHOLE)
    }

    /// Which of the eight overlap a hull along every direction, bit by bit; a bit that is not set proves that what the
    /// two bound is disjoint.
    #[inline(always)]
    pub fn meets(&self, other: &CompactHull) -> u32 {
        let Levels(levels) = Levels::new(other);
        let reaches = |i: usize| self.supports[i].simd_ge(f32x8::splat(levels[i]));
        (1..K).fold(reaches(0), |all, i| all & reaches(i)).to_bitmask()
    }

    /// For each of the eight a number not above the distance of its points to those of a hull, not negative: 0 proves
    /// nothing. The bits of [`CompactHull::distance_lower_bound`] up to the last two.
    #[inline(always)]
    pub fn distance_lower_bounds(&self, other: &CompactHull) -> [f32; LANES] {
        let Levels(levels) = Levels::new(other);
        let gap = |i: usize| f32x8::splat(levels[i]) - self.supports[i];
        let widest = |from: usize, to: usize| {
            (from..to).fold(f32x8::ZERO, |widest, i| {
                // `fast_max` keeps its second operand if one is not a number.
                gap(i).fast_max(gap(i + PAIRS).fast_max(widest))
            })
        };
        let limit = f32x8::splat(f32::MAX);
        let cube = widest(3, PAIRS).fast_min(limit) * f32x8::splat(INVERSE_LENGTH);
        let most = widest(0, 3).fast_min(limit).fast_max(cube);
        // A difference and a product round by `2^-24` each; below the normal numbers nothing is claimed.
        let claimed = most * f32x8::splat(1.0 - 2.0 * f32::EPSILON);
        (most.simd_ge(f32x8::splat(f32::MIN_POSITIVE)) & claimed).to_array()
    }

    /// The least hull above all eight.
    pub fn join(&self) -> CompactHull {
        (1..LANES).fold(self.hull(0), |joined, lane| joined.join(&self.hull(lane)))
    }
}

/// A [`Realignment`] of 14 directions in `f32`, for blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockRealignment {
    rows: [Row; PAIRS],
    /// Of the largest support in size.
    relative_slack: f32,
    absolute_slack: f32,
}

/// Two sums of three supports for a direction and, with equal weights, for its opposite; and what the translation adds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Row {
    weights: [[f32; 3]; 2],
    /// Numbers for the direction and for its opposite.
    supports: [[[u8; 2]; 3]; 2],
    shift: f32,
}

/// Sizes of supports and weights up to `2^60` are computed with; anything beyond becomes unbounded.
const LARGE: f32 = (1u64 << 60) as f32;

impl From<&Realignment<K>> for BlockRealignment {
    /// Proof of the slack, with `e = 2^-24`, `m` the matrix' size and `c` the largest support: weights are rounded by `e`, which
    /// moves the direction that they belong to by at most `e m` in each of three coordinates, `3 e m c` in all; their
    /// sum is at most `2 m`, so the products and sums round by `4 e` of `2 m c`; the shift by `e`, the
    /// last two sums by `e` of the result and of the shift each: `13 e m c + 3 e |t|_1`. Underflow takes less than `2^-140`.
    fn from(exact: &Realignment<K>) -> BlockRealignment {
        let (matrix_size, translation_size) = exact.sizes();
        let slack = exact.slack();
        if matrix_size > f64::from(LARGE) || translation_size > f64::from(LARGE) {
            // No weights and a slack without end: every hull becomes all of space.
            return BlockRealignment {
                rows: [Row::default(); PAIRS],
                relative_slack: 0.0,
                absolute_slack: f32::INFINITY,
            };
        }
        let e = 0.5 * f64::from(f32::EPSILON);
        BlockRealignment {
            rows: std::array::from_fn(|i| {
                let sums = [0, 1].map(|slot| exact.sum(slot, i));
                Row {
                    weights: sums.map(|(weights, _)| weights.map(|w| w as f32)),
                    supports: sums.map(|(_, supports)| supports.map(|i| [i, (i + PAIRS as u8) % K as u8])),
                    shift: exact.shift(i) as f32,
                }
            }),
            relative_slack: (16.0 * e * matrix_size + 1.01 * slack.relative) as f32,
            absolute_slack: (4.0 * e * translation_size + 1.01 * slack.absolute + 1e-42) as f32,
        }
    }
}

impl BlockRealignment {
    /// The hulls of the images of all eight; see [`Realignment::apply`].
    #[inline]
    pub fn apply(&self, block: &HullBlock) -> HullBlock {
        let pairs = (0..PAIRS).map(|i| block.supports[i].abs().fast_max(block.supports[i + PAIRS].abs()));
        let size = pairs.fold(f32x8::ZERO, f32x8::fast_max);
        let slack = size * f32x8::splat(self.relative_slack) + f32x8::splat(self.absolute_slack);
        // Beyond the range only nothing stays what it is.
        let beyond = !size.simd_le(f32x8::splat(LARGE));
        let nothing = block.supports[0].simd_eq(f32x8::splat(f32::NEG_INFINITY));
        let instead = nothing.select(f32x8::splat(f32::NEG_INFINITY), f32x8::splat(f32::INFINITY));
        // Numbers below 16 need no check of bounds in an array of 16.
        let mut supports = [f32x8::ZERO; 16];
        supports[..K].copy_from_slice(&block.supports);
        let mut moved = [f32x8::ZERO; K];
        for (i, row) in self.rows.iter().enumerate() {
            let (first, second, shift) =
                (row.sums(0, &supports), row.sums(1, &supports), f32x8::splat(row.shift));
            moved[i] = beyond.select(instead, first[0].fast_min(second[0]) + (shift + slack));
            moved[i + PAIRS] = beyond.select(instead, first[1].fast_min(second[1]) + (slack - shift));
        }
        HullBlock { supports: moved }
    }
}

impl Row {
    /// One of the sums for the direction and for its opposite.
    #[inline(always)]
    fn sums(&self, which: usize, supports: &[f32x8; 16]) -> [f32x8; 2] {
        let weights = self.weights[which].map(f32x8::splat);
        [0, 1].map(|end| {
            let term = |k: usize| weights[k] * supports[self.supports[which][k][end] as usize & 15];
            term(0) + term(1) + term(2)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::FixedDirectionHull;
    use super::*;
    use crate::math::{Pose, Random};
    use crate::shape::sample::random_direction;
    use glam::{DMat3, DVec3};

    fn hulls(random: &mut Random, scale: f64) -> Vec<CompactHull> {
        let mut hull = |count: u64| {
            let middle = random_direction(random) * 2.0 * scale;
            let points =
                (0..count).map(|_| middle + scale * random.range(0.0, 1.0) * random_direction(random));
            CompactHull::from(&FixedDirectionHull::<14>::around(points.collect::<Vec<_>>()))
        };
        (0..8).map(|i| hull(i % 5)).collect()
    }

    #[test]
    fn lanes_answer_as_single_hulls_do() {
        let mut random = Random::new(1);
        for case in 0..3_000 {
            let scale = 2f64.powi(random.below(200) as i32 - 100);
            let (all, other) = (hulls(&mut random, scale), hulls(&mut random, scale)[4]);
            let block = HullBlock::new(&all);
            let bounds = block.distance_lower_bounds(&other);
            for (lane, hull) in all.iter().enumerate() {
                assert_eq!(block.hull(lane), *hull);
                assert_eq!(block.meets(&other) >> lane & 1 == 1, hull.meets(&other), "case {case}");
                let single = hull.distance_lower_bound(&other);
                let exact = hull.hull().distance_lower_bound(&other.hull());
                assert!(f64::from(bounds[lane]) <= exact, "case {case}");
                assert!(bounds[lane] >= single * (1.0 - 4.0 * f32::EPSILON) || single < 1e-37);
                assert!(block.join().contains(hull));
            }
        }
    }

    #[test]
    fn realigned_blocks_are_a_little_above_realigned_hulls() {
        let mut random = Random::new(2);
        for _ in 0..2_000 {
            let scale = 2f64.powi(random.below(40) as i32 - 20);
            let all = hulls(&mut random, scale);
            let place = random_direction(&mut random) * scale;
            let pose =
                Pose::from_axis_angle(random_direction(&mut random), random.range(0.0, 7.0), place).unwrap();
            let exact = Realignment::<14>::new(&pose);
            let moved = BlockRealignment::from(&exact).apply(&HullBlock::new(&all));
            for (lane, hull) in all.iter().enumerate() {
                let (got, want) = (moved.hull(lane).hull(), exact.apply(&hull.hull()));
                if *hull == CompactHull::EMPTY {
                    assert_eq!(got, want);
                    continue;
                }
                for (got, want) in got.supports().iter().zip(want.supports()) {
                    assert!((0.0..2e-5 * scale).contains(&(got - want)), "{}", (got - want) / scale);
                }
            }
        }
    }

    #[test]
    fn what_is_out_of_range_becomes_unbounded() {
        let huge = CompactHull::from(&FixedDirectionHull::of_point(DVec3::splat(1e30)));
        let block = HullBlock::new(&[huge, CompactHull::WHOLE, CompactHull::EMPTY]);
        let turn = Realignment::<14>::new(&Pose::IDENTITY);
        let moved = BlockRealignment::from(&turn).apply(&block);
        assert_eq!(
            [0, 1, 2].map(|i| moved.hull(i)),
            [CompactHull::WHOLE, CompactHull::WHOLE, CompactHull::EMPTY]
        );
        let far = Realignment::<14>::affine(DMat3::IDENTITY * 1e50, DVec3::ZERO).unwrap();
        let point = HullBlock::new(&[CompactHull::from(&FixedDirectionHull::of_point(DVec3::ONE))]);
        assert_eq!(BlockRealignment::from(&far).apply(&point).hull(0), CompactHull::WHOLE);
        assert_eq!(HullBlock::EMPTY.meets(&huge), 0);
        assert_eq!(block.distance_lower_bounds(&CompactHull::WHOLE)[1], 0.0);
    }
}
