//! Boxes of one node against boxes of another, each in both frames.

use super::guide::Toward;
use super::kind::Kind;
use super::lanes::{Lanes, each_lane};
use super::node::Node;
use super::view::Map;
use wide::f32x8;

/// How gaps along axes become one number, the smaller the nearer; beyond the limit the parts are proved too far apart.
pub(super) trait Measure<L: Lanes> {
    /// From the gaps along the axes of a frame; negative gaps overlap.
    fn of_gaps(gaps: [L; 3]) -> L;

    /// From the gap along one direction of length at most 1.
    fn of_gap(gap: L) -> L;

    /// The square of the distance that a positive measure proves.
    fn square(measure: f64) -> f64;
}

/// The largest gap; positive proves parts apart.
pub(super) struct Overlap;

/// The square of a lower bound of the distance, or minus the square of the overlap: where most boxes overlap, those that do
/// so most are most likely near the nearest points.
pub(super) struct Square;

impl<L: Lanes> Measure<L> for Overlap {
    #[inline(always)]
    fn of_gaps([x, y, z]: [L; 3]) -> L {
        x.greatest(y).greatest(z)
    }

    #[inline(always)]
    fn of_gap(gap: L) -> L {
        gap
    }

    fn square(measure: f64) -> f64 {
        measure * measure.max(0.0)
    }
}

impl<L: Lanes> Measure<L> for Square {
    #[inline(always)]
    fn of_gaps(gaps: [L; 3]) -> L {
        let zero = L::splat(0.0);
        let depth = gaps[0].greatest(gaps[1]).greatest(gaps[2]).least(zero);
        let [x, y, z] = gaps.map(|gap| gap.greatest(zero));
        x * x + y * y + z * z - depth * depth
    }

    #[inline(always)]
    fn of_gap(gap: L) -> L {
        let zero = L::splat(0.0);
        let depth = gap.least(zero);
        let gap = gap.greatest(zero);
        gap * gap - depth * depth
    }

    fn square(measure: f64) -> f64 {
        measure
    }
}

/// Eight boxes.
#[derive(Clone, Copy)]
pub(super) struct Boxes<L> {
    pub low: [L; 3],
    pub high: [L; 3],
}

impl<L: Lanes> Boxes<L> {
    /// The boxes of a node in its own frame.
    #[inline(always)]
    pub fn own<B>(node: &Node<B>, scale: L) -> Boxes<L> {
        let scaled = |x: &[f32x8; 3]| std::array::from_fn(|axis| L::widen(&x[axis]) * scale);
        Boxes { low: scaled(&node.low), high: scaled(&node.high) }
    }

    /// Boxes around the boxes of a node, in the other frame and larger by the margin.
    #[inline(always)]
    pub fn image<B: Kind>(node: &Node<B>, map: &Map<L, B>) -> Boxes<L> {
        let (low, high) = (node.low.each_ref().map(L::widen), node.high.each_ref().map(L::widen));
        let middle = map.apply(std::array::from_fn(|axis| low[axis] + high[axis]));
        let radius = map.radius(std::array::from_fn(|axis| high[axis] - low[axis]));
        Boxes {
            low: std::array::from_fn(|axis| middle[axis] - radius[axis]),
            high: std::array::from_fn(|axis| middle[axis] + radius[axis]),
        }
    }

    /// How far the boxes of a node reach along a direction, given by half of it and the sizes of that.
    #[inline(always)]
    pub fn reach<B>(node: &Node<B>, half: [L; 3], half_size: [L; 3]) -> L {
        let (low, high) = (node.low.each_ref().map(L::widen), node.high.each_ref().map(L::widen));
        let term =
            |axis: usize| half[axis] * (low[axis] + high[axis]) + half_size[axis] * (high[axis] - low[axis]);
        term(0) + term(1) + term(2)
    }

    /// The gaps between one box of others and all of these, axis by axis.
    #[inline(always)]
    pub fn gaps(&self, others: &Boxes<L>, row: usize) -> [L; 3] {
        std::array::from_fn(|axis| {
            let before = self.low[axis] - others.high[axis].repeat(row);
            let behind = others.low[axis].repeat(row) - self.high[axis];
            before.greatest(behind)
        })
    }
}

/// One side of a tile: its node, its map into the other's frame and how it reaches toward the other along a guide.
pub(super) struct Side<'a, L: Lanes, B: Kind> {
    pub node: &'a Node<B>,
    pub map: &'a Map<L, B>,
    pub toward: Option<&'a Toward<L, B>>,
}

/// The children of a node in one frame: their boxes, and what else bounds them.
struct Parts<L: Lanes, B: Kind> {
    boxes: Boxes<L>,
    more: B::Posed<L>,
}

impl<L: Lanes, B: Kind> Parts<L, B> {
    #[inline(always)]
    fn own(side: &Side<'_, L, B>) -> Parts<L, B> {
        let (boxes, more) = B::own(side.node, side.map.scale);
        Parts { boxes, more }
    }

    #[inline(always)]
    fn image(side: &Side<'_, L, B>) -> Parts<L, B> {
        let (boxes, more) = B::image(side.node, side.map);
        Parts { boxes, more }
    }

    /// The measure of one of others and each of these.
    #[inline(always)]
    fn measure<M: Measure<L>>(&self, others: &Parts<L, B>, row: usize) -> L {
        let of_boxes = M::of_gaps(self.boxes.gaps(&others.boxes, row));
        B::sharpen::<L, M>(of_boxes, &self.more, &others.more, row)
    }
}

/// Calls `emit(row, lane, measure)` for children of two nodes, the rows being those of a mask, that may be within the
/// limit.
///
/// Returns how many pairs of boxes it looked at.
#[inline(always)]
pub(super) fn tile<L: Lanes, M: Measure<L>, B: Kind>(
    (rows, row_mask): (&Side<'_, L, B>, u32),
    lanes: &Side<'_, L, B>,
    slack: L,
    limit: L,
    mut emit: impl FnMut(usize, usize, f64),
) -> u64 {
    let (rows_own, rows_image) = (Parts::own(rows), Parts::image(rows));
    let (lanes_own, lanes_image) = (Parts::own(lanes), Parts::image(lanes));
    let reach = match (rows.toward, lanes.toward) {
        (Some(toward), Some(back)) => Some((toward.reach(rows.node), back.reach(lanes.node) + slack)),
        _ => None,
    };
    let all = lanes.node.mask();
    each_lane(row_mask, |row| {
        let mut measure = lanes_image.measure::<M>(&rows_own, row);
        if let Some((rows, lanes)) = &reach {
            measure = measure.greatest(M::of_gap(L::splat(0.0) - (rows.repeat(row) + *lanes)));
        }
        // Most rows end here.
        if measure.at_most(limit) & all != 0 {
            measure = measure.greatest(lanes_own.measure::<M>(&rows_image, row));
            each_lane(measure.at_most(limit) & all, |lane| emit(row, lane, measure.lane(lane)));
        }
    });
    u64::from(row_mask.count_ones() * all.count_ones())
}
