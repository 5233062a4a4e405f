//! Triangles of one leaf against triangles of another: boxes, then the planes of both.

use super::guide::Guide;
use super::lanes::Lanes;
use super::node::{Leaf, WIDTH};
use super::tile::{Boxes, Measure};
use super::view::{Map, View};
use wide::f32x8;

/// Corners of eight triangles in the frame of A, by corner, then by axis.
type Corners<L> = [[L; 3]; 3];

#[inline(always)]
fn own<L: Lanes>(leaf: &Leaf, scale: L) -> Corners<L> {
    leaf.corners.each_ref().map(|corner| corner.each_ref().map(|x| L::widen(x) * scale))
}

#[inline(always)]
fn image<L: Lanes>(leaf: &Leaf, map: &Map<L>) -> Corners<L> {
    let twice = |x: &f32x8| L::widen(x) + L::widen(x);
    leaf.corners.each_ref().map(|corner| map.apply(corner.each_ref().map(twice)))
}

#[inline(always)]
fn boxes<L: Lanes>([a, b, c]: &Corners<L>) -> Boxes<L> {
    let each = |f: fn(L, L) -> L| std::array::from_fn(|axis| f(f(a[axis], b[axis]), c[axis]));
    Boxes { low: each(L::least), high: each(L::greatest) }
}

/// Eight triangles and their planes.
struct Planes<'a, L> {
    corners: &'a Corners<L>,
    /// Not longer than 1; shorter, down to zero, for triangles too small to have one.
    normal: [L; 3],
    /// Least and greatest product of the normal with a corner.
    slab: [L; 2],
}

impl<'a, L: Lanes> Planes<'a, L> {
    #[inline(always)]
    fn new(corners: &'a Corners<L>) -> Planes<'a, L> {
        let [a, b, c] = *corners;
        let normal = short_of_unit(cross(minus(b, a), minus(c, a)));
        Planes { corners, normal, slab: slab(normal, corners) }
    }

    /// The gaps between each triangle and one of others, along the normal of that one.
    #[inline(always)]
    fn gap_along_row(&self, others: &Planes<'_, L>, row: usize) -> L {
        let [low, high] = slab(others.normal.each_ref().map(|x| x.repeat(row)), self.corners);
        (low - others.slab[1].repeat(row)).greatest(others.slab[0].repeat(row) - high)
    }

    /// The gaps between each triangle and one of others, along the normal of each.
    #[inline(always)]
    fn gap_along_lane(&self, others: &Planes<'_, L>, row: usize) -> L {
        let corners = others.corners.each_ref().map(|corner| corner.each_ref().map(|x| x.repeat(row)));
        let [low, high] = slab(self.normal, &corners);
        (low - self.slab[1]).greatest(self.slab[0] - high)
    }
}

#[inline(always)]
fn minus<L: Lanes>(a: [L; 3], b: [L; 3]) -> [L; 3] {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

#[inline(always)]
fn cross<L: Lanes>(a: [L; 3], b: [L; 3]) -> [L; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The vectors scaled to a length of nearly 1, never above; tiny ones stay shorter.
#[inline(always)]
fn short_of_unit<L: Lanes>(v: [L; 3]) -> [L; 3] {
    let square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    let factor = L::splat(1.0 - L::SLACK).over_root(square.greatest(L::splat(L::LEAST_SQUARE)));
    v.map(|x| x * factor)
}

/// Least and greatest product of a vector with the corners.
#[inline(always)]
fn slab<L: Lanes>(normal: [L; 3], corners: &Corners<L>) -> [L; 2] {
    let [a, b, c] = corners.each_ref().map(|p| normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2]);
    [a.least(b).least(c), a.greatest(b).greatest(c)]
}

/// Calls `emit(triangle of A, triangle of B, measure)` for all triangles of two leaves that may be within the limit.
///
/// Returns how many pairs of triangles it looked at.
#[inline(always)]
pub(super) fn packet<L: Lanes, M: Measure<L>>(
    (leaf_a, size_a): (&Leaf, u8),
    (leaf_b, size_b): (&Leaf, u8),
    view: &View<L>,
    guide: Option<&Guide<L>>,
    limit: L,
    mut emit: impl FnMut(u32, u32, f64),
) -> u64 {
    let (corners_a, corners_b) = (own(leaf_a, view.a_to_b.scale), image(leaf_b, &view.b_to_a));
    let (boxes_a, boxes_b) = (boxes(&corners_a), boxes(&corners_b));
    let reach = guide.map(|guide| {
        let [_, a] = slab(guide.forth, &corners_a);
        let [_, b] = slab(guide.back, &corners_b);
        (a, b + view.plane_slack)
    });
    let all = (1 << size_b) - 1;
    let mut measures = [L::splat(0.0); WIDTH];
    let mut row_mask = 0;
    for row in 0..usize::from(size_a) {
        let gaps = boxes_b.gaps(&boxes_a, row).map(|gap| gap - view.box_slack);
        measures[row] = M::of_gaps(gaps);
        if let Some((a, b)) = &reach {
            measures[row] = measures[row].greatest(M::of_gap(L::splat(0.0) - (a.repeat(row) + *b)));
        }
        row_mask |= u32::from(measures[row].at_most(limit) & all != 0) << row;
    }
    if row_mask != 0 {
        let (rows, lanes) = (Planes::new(&corners_a), Planes::new(&corners_b));
        while row_mask != 0 {
            let row = row_mask.trailing_zeros() as usize % WIDTH;
            row_mask &= row_mask - 1;
            let along_row = M::of_gap(lanes.gap_along_row(&rows, row) - view.plane_slack);
            let along_lane = M::of_gap(lanes.gap_along_lane(&rows, row) - view.plane_slack);
            let mut measure = measures[row].greatest(along_row).greatest(along_lane);
            if measure.at_most(limit) & all == 0 {
                continue;
            }
            let direction = short_of_unit(std::array::from_fn(|axis| {
                let a = (rows.corners[0][axis] + rows.corners[1][axis] + rows.corners[2][axis]).repeat(row);
                let b = lanes.corners[0][axis] + lanes.corners[1][axis] + lanes.corners[2][axis];
                b - a
            }));
            let cs = rows.corners.each_ref().map(|corner| corner.each_ref().map(|x| x.repeat(row)));
            let [_, high] = slab(direction, &cs);
            let [low, _] = slab(direction, lanes.corners);
            measure = measure.greatest(M::of_gap(low - high - view.plane_slack));
            let mut near = measure.at_most(limit) & all;
            while near != 0 {
                let lane = near.trailing_zeros() as usize % WIDTH;
                near &= near - 1;
                emit(leaf_a.triangles[row], leaf_b.triangles[lane], measure.lane(lane));
            }
        }
    }
    u64::from(size_a) * u64::from(size_b)
}
