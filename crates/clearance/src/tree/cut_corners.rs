//! Hulls of 14 directions: boxes whose corners are cut off [Konecny97], realigned for each pair of poses.
//!
//! A part is below `c_d` along each direction `d`: the six of its box and the eight diagonals of the cube. In the other
//! frame its support along a direction is the lesser of two sums of three of these (`bound/realign.rs`); which three, with
//! what weights, is found once for a query and serves all hulls of the body.

use super::Tree;
use super::kind::{Bound, Kind};
use super::lanes::Lanes;
use super::node::{Child, Node, WIDTH};
use super::tile::{Boxes, Measure};
use super::view::Map;
use crate::bound::{Pivots, pivots};
use crate::math::round::UNIT_ROUNDOFF;
use glam::{DMat3, DVec3};
use wide::f32x8;

/// Every part has a hull of 14 directions, realigned into the other frame, both ways.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CutCorners {
    /// Least and greatest products with the four diagonals.
    low: [f32x8; DIAGONALS],
    high: [f32x8; DIAGONALS],
}

/// Opposite pairs of directions besides axes, in the order of `FixedDirectionHull::<14>::DIRECTIONS`.
const DIAGONALS: usize = 4;

/// Opposite pairs in all.
const PAIRS: usize = 3 + DIAGONALS;

/// What a product with a stored corner may be off from the exact one, and a little more: the corner errs by `2^-25` a
/// coordinate, two sums of at most 3 by `2^-24` each.
const SLACK: f32 = 5.0 * f32::EPSILON;

/// Not above the inverse of the length of a diagonal.
const INVERSE_LENGTH: f64 = 0.577_350_2;

/// What a sum of three supports may be too small by, in roundoffs of lanes and of `f64`.
///
/// Proof, with supports of at most `c = 3.01` and a vector with coordinates of at most `m = 1.74`: weights are at most
/// `2m` in sum, so their rounding, products and sums err by `4 e` of `2mc`: `42 e`; and the weights, found in `f64`, belong
/// to a vector that is off by `20u m` in each of three coordinates of at most `c`: `315 u`.
const LANE_ERROR: f64 = 48.0;
const WEIGHT_ERROR: f64 = 330.0;

/// Products of coordinates with the diagonals.
#[inline(always)]
fn diagonals<T: Copy + std::ops::Add<Output = T> + std::ops::Sub<Output = T>>(
    [x, y, z]: [T; 3],
) -> [T; DIAGONALS] {
    [(x + y) + z, (y - x) + z, (x - y) + z, (x + y) - z]
}

/// Two sums of three supports each; the support along a vector is at most the lesser.
pub(super) struct Sums<L> {
    weights: [[L; 3]; 2],
    /// Their numbers for the vector and for its opposite.
    supports: [[[u8; 3]; 2]; 2],
}

/// Supports of eight hulls along all directions, opposite ones in the second half; padded to a power of two.
type Supports<L> = [L; 16];

/// Along a vector or against it.
#[derive(Clone, Copy)]
enum End {
    Forth,
    Back,
}

impl<L: Lanes> Sums<L> {
    fn new(along: DVec3, scale: f64) -> Sums<L> {
        let Pivots { weights, supports } = pivots(along);
        let opposite = |number: u8| (number + PAIRS as u8) % (2 * PAIRS as u8);
        Sums {
            weights: weights.map(|three| three.map(|w| L::splat(w * scale))),
            supports: [supports, supports.map(|three| three.map(opposite))],
        }
    }

    #[inline(always)]
    fn of(&self, all: &Supports<L>, end: End) -> L {
        let numbers = &self.supports[end as usize];
        let sum = |which: usize| {
            let term = |k: usize| self.weights[which][k] * all[usize::from(numbers[which][k]) & 15];
            term(0) + term(1) + term(2)
        };
        sum(0).least(sum(1))
    }
}

#[inline(always)]
fn supports<L: Lanes>(node: &Node<CutCorners>) -> Supports<L> {
    let zero = L::splat(0.0);
    std::array::from_fn(|i| match i {
        0..3 => L::widen(&node.high[i]),
        3..PAIRS => L::widen(&node.more.high[i - 3]),
        7..10 => zero - L::widen(&node.low[i - PAIRS]),
        10..14 => zero - L::widen(&node.more.low[i - PAIRS - 3]),
        _ => zero,
    })
}

/// From one frame to the other.
pub(super) struct Turn<L> {
    sums: [Sums<L>; PAIRS],
    shift: [L; PAIRS],
    margin: L,
}

/// Products of eight parts with the diagonals.
pub(super) struct Extents<L> {
    low: [L; DIAGONALS],
    high: [L; DIAGONALS],
}

/// A direction.
pub(super) struct Along<L> {
    sums: Sums<L>,
    slack: L,
}

impl Bound for CutCorners {}

impl Kind for CutCorners {
    const UNFITTED: CutCorners = CutCorners { low: [f32x8::ZERO; DIAGONALS], high: [f32x8::ZERO; DIAGONALS] };

    type Part = [[f32; 2]; DIAGONALS];
    type Turn<L: Lanes> = Turn<L>;
    type Posed<L: Lanes> = Extents<L>;
    type Along<L: Lanes> = Along<L>;

    fn part(tree: &Tree<CutCorners>, child: Child, _: &DMat3) -> Self::Part {
        let ends = [f32x8::splat(f32::INFINITY), f32x8::splat(f32::NEG_INFINITY)];
        let mut extents = [ends; DIAGONALS];
        tree.each_leaf(child, &mut |leaf| {
            for corner in leaf.corners {
                for ([low, high], height) in extents.iter_mut().zip(diagonals(corner)) {
                    (*low, *high) = (low.fast_min(height), high.fast_max(height));
                }
            }
        });
        extents.map(|[low, high]| {
            let least = low.to_array().into_iter().fold(f32::INFINITY, f32::min);
            let most = high.to_array().into_iter().fold(f32::NEG_INFINITY, f32::max);
            [least - SLACK, most + SLACK]
        })
    }

    fn holds(part: &Self::Part, point: DVec3) -> bool {
        let heights = diagonals(point.to_array());
        part.iter()
            .zip(heights)
            .all(|([low, high], height)| (f64::from(*low)..=f64::from(*high)).contains(&height))
    }

    #[inline(always)]
    fn thin_along(_: &Self::Part) -> DVec3 {
        DVec3::ZERO
    }

    fn of_parts(parts: [Self::Part; WIDTH]) -> CutCorners {
        let end = |end: usize| std::array::from_fn(|d| f32x8::new(parts.map(|part| part[d][end])));
        CutCorners { low: end(0), high: end(1) }
    }

    fn lane(&self, lane: usize) -> Self::Part {
        std::array::from_fn(|d| [self.low[d].as_array()[lane], self.high[d].as_array()[lane]])
    }

    /// An image errs along a diagonal by at most three times as much as along an axis, for all that concerns the map
    /// and the offset; the margin of boxes leaves room for the sums in lanes (`3 * 30 e` for `42 e`, two more sums and a
    /// difference of `5.3 e` each), the error of weights is added.
    fn turn<L: Lanes>(matrix: &DMat3, scale: f64, shift: DVec3, margin: f64, size: f64) -> Turn<L> {
        let [x, y, z] = [0, 1, 2].map(|row| matrix.row(row));
        let [p, q, r, s] = diagonals([x, y, z]);
        let shifts = diagonals(shift.to_array());
        Turn {
            sums: [x, y, z, p, q, r, s].map(|along| Sums::new(along, scale)),
            shift: std::array::from_fn(|i| L::splat(if i < 3 { shift[i] } else { shifts[i - 3] })),
            margin: L::splat_up(3.0 * margin + WEIGHT_ERROR * UNIT_ROUNDOFF * size),
        }
    }

    #[inline(always)]
    fn own<L: Lanes>(node: &Node<CutCorners>, scale: L) -> (Boxes<L>, Extents<L>) {
        let scaled = |x: &[f32x8; DIAGONALS]| x.each_ref().map(|x| L::widen(x) * scale);
        (Boxes::own(node, scale), Extents { low: scaled(&node.more.low), high: scaled(&node.more.high) })
    }

    #[inline(always)]
    fn image<L: Lanes>(node: &Node<CutCorners>, map: &Map<L, CutCorners>) -> (Boxes<L>, Extents<L>) {
        let (turn, all) = (&map.more, supports(node));
        let high = |i: usize| turn.sums[i].of(&all, End::Forth) + (turn.shift[i] + turn.margin);
        let low = |i: usize| (turn.shift[i] - turn.margin) - turn.sums[i].of(&all, End::Back);
        let boxes = Boxes { low: std::array::from_fn(low), high: std::array::from_fn(high) };
        let extents =
            Extents { low: std::array::from_fn(|d| low(d + 3)), high: std::array::from_fn(|d| high(d + 3)) };
        (boxes, extents)
    }

    #[inline(always)]
    fn sharpen<L: Lanes, M: Measure<L>>(
        measure: L,
        these: &Extents<L>,
        others: &Extents<L>,
        row: usize,
    ) -> L {
        let gap = |d: usize| {
            let before = these.low[d] - others.high[d].repeat(row);
            let behind = others.low[d].repeat(row) - these.high[d];
            before.greatest(behind)
        };
        let most = gap(0).greatest(gap(1)).greatest(gap(2).greatest(gap(3)));
        measure.greatest(M::of_gap(most * L::splat(INVERSE_LENGTH)))
    }

    fn along<L: Lanes>(direction: DVec3) -> Along<L> {
        let slack = LANE_ERROR * L::ROUNDOFF + WEIGHT_ERROR * UNIT_ROUNDOFF;
        Along { sums: Sums::new(direction, 1.0), slack: L::splat_up(slack) }
    }

    #[inline(always)]
    fn reach<L: Lanes>(node: &Node<CutCorners>, along: &Along<L>, of_box: L) -> L {
        of_box.least(along.sums.of(&supports(node), End::Forth) + along.slack)
    }

    fn reach_of_part(part: &Self::Part, centre: DVec3, half: DVec3, direction: DVec3) -> f64 {
        let Pivots { weights, supports } = pivots(direction);
        let support = |number: u8| {
            let (pair, is_low) = (usize::from(number) % PAIRS, usize::from(number) >= PAIRS);
            let [low, high] = match pair {
                0..3 => [centre[pair] - half[pair], centre[pair] + half[pair]],
                _ => part[pair - 3].map(f64::from),
            };
            if is_low { -low } else { high }
        };
        let sum = |which: usize| (0..3).map(|k| weights[which][k] * support(supports[which][k])).sum::<f64>();
        // As above: sums err by `24 u`, weights by `60 u`, the product with the centre by `7 u` of the largest coordinate.
        let slack = 100.0 * UNIT_ROUNDOFF * direction.abs().max_element();
        (sum(0).min(sum(1)) - direction.dot(centre) + slack).min(direction.abs().dot(half))
    }
}
