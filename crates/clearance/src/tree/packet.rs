//! Triangles of one leaf against triangles of another: boxes, then the planes of both.

use super::lanes::Lanes;
use super::node::{Leaf, WIDTH};
use super::pair::{Map, View};
use super::tile::{Boxes, Measure};

/// Eight triangles in the frame of A: corners, boxes and unit normals.
struct Triangles<L> {
    corners: [[L; 3]; 3],
    boxes: Boxes<L>,
    /// Not longer than 1; shorter, down to zero, for triangles too small to have one.
    normal: [L; 3],
    /// Least and greatest product of the normal with a corner.
    slab: [L; 2],
}

impl<L: Lanes> Triangles<L> {
    #[inline(always)]
    fn new(corners: [[L; 3]; 3]) -> Triangles<L> {
        let [a, b, c] = corners;
        let each = |f: fn(L, L) -> L| std::array::from_fn(|axis| f(f(a[axis], b[axis]), c[axis]));
        let boxes = Boxes { low: each(L::least), high: each(L::greatest) };
        let normal = short_of_unit(cross(minus(b, a), minus(c, a)));
        let slab = slab(normal, &corners);
        Triangles { corners, boxes, normal, slab }
    }

    #[inline(always)]
    fn own(leaf: &Leaf, scale: L) -> Triangles<L> {
        Triangles::new(leaf.corners.each_ref().map(|corner| corner.each_ref().map(|x| L::widen(x) * scale)))
    }

    #[inline(always)]
    fn image(leaf: &Leaf, map: &Map<L>) -> Triangles<L> {
        Triangles::new(leaf.corners.each_ref().map(|corner| {
            map.apply(corner.each_ref().map(|x| {
                let x = L::widen(x);
                x + x
            }))
        }))
    }

    /// The gaps between each triangle and one of others, along the normal of that one.
    #[inline(always)]
    fn gap_along_row(&self, others: &Triangles<L>, row: usize) -> L {
        let [low, high] = slab(others.normal.each_ref().map(|x| x.repeat(row)), &self.corners);
        (low - others.slab[1].repeat(row)).greatest(others.slab[0].repeat(row) - high)
    }

    /// The gaps between each triangle and one of others, along the normal of each.
    #[inline(always)]
    fn gap_along_lane(&self, others: &Triangles<L>, row: usize) -> L {
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

/// The vectors scaled to a length of `1 - 2^-20` up to rounding, so never above 1; tiny ones stay shorter.
#[inline(always)]
fn short_of_unit<L: Lanes>(v: [L; 3]) -> [L; 3] {
    let square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    let factor = L::splat(1.0 - 1.0 / 1_048_576.0).over_root(square.greatest(L::splat(L::LEAST_SQUARE)));
    v.map(|x| x * factor)
}

/// Least and greatest product of a vector with the corners.
#[inline(always)]
fn slab<L: Lanes>(normal: [L; 3], corners: &[[L; 3]; 3]) -> [L; 2] {
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
    limit: L,
    mut emit: impl FnMut(u32, u32, f64),
) -> u64 {
    let rows = Triangles::own(leaf_a, view.a_to_b.scale);
    let lanes = Triangles::image(leaf_b, &view.b_to_a);
    let all = (1 << size_b) - 1;
    for row in 0..usize::from(size_a) {
        let gaps = lanes.boxes.gaps(&rows.boxes, row).map(|gap| gap - view.box_slack);
        let mut measure = M::of_gaps(gaps);
        if measure.at_most(limit) & all == 0 {
            continue;
        }
        measure = measure.greatest(M::of_gap(lanes.gap_along_row(&rows, row) - view.plane_slack));
        if measure.at_most(limit) & all == 0 {
            continue;
        }
        measure = measure.greatest(M::of_gap(lanes.gap_along_lane(&rows, row) - view.plane_slack));
        let mut near = measure.at_most(limit) & all;
        while near != 0 {
            let lane = near.trailing_zeros() as usize % WIDTH;
            near &= near - 1;
            emit(leaf_a.triangles[row], leaf_b.triangles[lane], measure.lane(lane));
        }
    }
    u64::from(size_a) * u64::from(size_b)
}
