//! Triangles of one leaf against triangles of another: boxes, then planes, then the line through the centres.

use super::guide::Guide;
use super::kind::Kind;
use super::lanes::{Lanes, each_lane};
use super::node::{Leaf, WIDTH};
use super::tile::{Boxes, Measure};
use super::view::{Map, View};
use wide::f32x8;

/// Calls `emit(triangle of A, triangle of B, measure)` for all of some triangles of two leaves, given by one bit each, that may be
/// within the limit; and `known` with measures of each of A and those of B, beyond the limit too.
#[inline(always)]
pub(super) fn packet<L: Lanes, M: Measure<L>, B: Kind>(
    (leaf_a, some_a): (&Leaf, u8),
    (leaf_b, some_b): (&Leaf, u8),
    view: &View<L, B>,
    guide: Option<&Guide<L, B>>,
    limit: L,
    mut emit: impl FnMut(u32, u32, f64),
    mut known: impl FnMut(L),
) {
    let (rows, lanes) = (own(leaf_a, view.a_to_b.scale), image(leaf_b, &view.b_to_a));
    let (of_a, all) = (u32::from(some_a), u32::from(some_b));
    let (row_mask, measures) = near_boxes::<L, M, B>((&rows, of_a), (&lanes, all), view, guide, limit);
    // Counted, so that nothing is left of it if nobody wants to know.
    for (row, measure) in measures.iter().enumerate() {
        if of_a & !row_mask & 1 << row != 0 {
            known(*measure);
        }
    }
    if row_mask != 0 {
        let (planes_a, planes_b) = (Planes::new(&rows), Planes::new(&lanes));
        each_lane(row_mask, |row| {
            let mut measure = measures[row].greatest(planes_b.measure::<M>(&planes_a, row, view.plane_slack));
            if measure.at_most(limit) & all != 0 {
                measure = measure.greatest(M::of_gap(gap_of_centres(&rows, row, &lanes) - view.plane_slack));
                each_lane(measure.at_most(limit) & all, |lane| {
                    emit(leaf_a.triangles[row], leaf_b.triangles[lane], measure.lane(lane));
                });
            }
            known(measure);
        });
    }
}

/// All triangles of a leaf, of which there are so many.
#[inline(always)]
pub(super) fn whole((leaf, size): (&Leaf, u8)) -> (&Leaf, u8) {
    (leaf, ((1u32 << size) - 1) as u8)
}

/// Corners of eight triangles in the frame of A, by corner, then by axis.
pub(super) type Corners<L> = [[L; 3]; 3];

#[inline(always)]
pub(super) fn own<L: Lanes>(leaf: &Leaf, scale: L) -> Corners<L> {
    leaf.corners.each_ref().map(|corner| corner.each_ref().map(|x| L::widen(x) * scale))
}

#[inline(always)]
pub(super) fn image<L: Lanes, B: Kind>(leaf: &Leaf, map: &Map<L, B>) -> Corners<L> {
    let twice = |x: &f32x8| L::widen(x) + L::widen(x);
    leaf.corners.each_ref().map(|corner| map.apply(corner.each_ref().map(twice)))
}

/// Measures of boxes and along the guide, and the rows with a lane within the limit.
#[inline(always)]
fn near_boxes<L: Lanes, M: Measure<L>, B: Kind>(
    (rows, of_a): (&Corners<L>, u32),
    (lanes, all): (&Corners<L>, u32),
    view: &View<L, B>,
    guide: Option<&Guide<L, B>>,
    limit: L,
) -> (u32, [L; WIDTH]) {
    let (boxes_a, boxes_b) = (boxes(rows), boxes(lanes));
    let reach = guide.map(|guide| {
        let ([_, a], [_, b]) = (extent(guide.forth, rows), extent(guide.back, lanes));
        (a, b + view.plane_slack)
    });
    let (mut row_mask, mut measures) = (0, [L::splat(0.0); WIDTH]);
    for row in 0..(u32::BITS - of_a.leading_zeros()) as usize % (WIDTH + 1) {
        let gaps = boxes_b.gaps(&boxes_a, row).map(|gap| gap - view.box_slack);
        measures[row] = M::of_gaps(gaps);
        if let Some((a, b)) = &reach {
            measures[row] = measures[row].greatest(M::of_gap(L::splat(0.0) - (a.repeat(row) + *b)));
        }
        row_mask |= u32::from(measures[row].at_most(limit) & all != 0) << row;
    }
    (row_mask & of_a, measures)
}

#[inline(always)]
pub(super) fn boxes<L: Lanes>([a, b, c]: &Corners<L>) -> Boxes<L> {
    let each = |f: fn(L, L) -> L| std::array::from_fn(|axis| f(f(a[axis], b[axis]), c[axis]));
    Boxes { low: each(L::least), high: each(L::greatest) }
}

/// Eight triangles and their planes.
struct Planes<'a, L> {
    corners: &'a Corners<L>,
    /// Not longer than 1; shorter, down to zero, for triangles too small to have one.
    normal: [L; 3],
    /// Least and greatest product of the normal with a corner of the triangle itself.
    extent: [L; 2],
}

impl<'a, L: Lanes> Planes<'a, L> {
    #[inline(always)]
    fn new(corners: &'a Corners<L>) -> Planes<'a, L> {
        let [a, b, c] = *corners;
        let normal = short_of_unit(cross(minus(b, a), minus(c, a)));
        Planes { corners, normal, extent: extent(normal, corners) }
    }

    /// The measure of each triangle and one of others, along the normals of both.
    #[inline(always)]
    fn measure<M: Measure<L>>(&self, others: &Planes<'_, L>, row: usize, slack: L) -> L {
        let other = repeat(others.corners, row);
        let [low, high] = extent(others.normal.each_ref().map(|x| x.repeat(row)), self.corners);
        let along_row = (low - others.extent[1].repeat(row)).greatest(others.extent[0].repeat(row) - high);
        let [low, high] = extent(self.normal, &other);
        let along_lane = (low - self.extent[1]).greatest(self.extent[0] - high);
        M::of_gap(along_row.greatest(along_lane) - slack)
    }
}

/// The gaps between one triangle of A and all of B along the lines through their centres.
#[inline(always)]
fn gap_of_centres<L: Lanes>(rows: &Corners<L>, row: usize, lanes: &Corners<L>) -> L {
    let triangle = repeat(rows, row);
    let centre =
        |[a, b, c]: &Corners<L>| -> [L; 3] { std::array::from_fn(|axis| a[axis] + b[axis] + c[axis]) };
    let across = short_of_unit(minus(centre(lanes), centre(&triangle)));
    let ([_, high], [low, _]) = (extent(across, &triangle), extent(across, lanes));
    low - high
}

/// One triangle in every lane.
#[inline(always)]
fn repeat<L: Lanes>(corners: &Corners<L>, row: usize) -> Corners<L> {
    corners.each_ref().map(|corner| corner.each_ref().map(|x| x.repeat(row)))
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
///
/// Square, root, quotient and product err by at most five roundings, less than the slack that is taken away.
#[inline(always)]
fn short_of_unit<L: Lanes>(v: [L; 3]) -> [L; 3] {
    let square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    let factor = L::splat(1.0 - L::SLACK).over_root(square.greatest(L::splat(L::LEAST_SQUARE)));
    v.map(|x| x * factor)
}

/// Least and greatest product of a vector with the corners.
#[inline(always)]
pub(super) fn extent<L: Lanes>(along: [L; 3], corners: &Corners<L>) -> [L; 2] {
    let [a, b, c] = corners.each_ref().map(|p| along[0] * p[0] + along[1] * p[1] + along[2] * p[2]);
    [a.least(b).least(c), a.greatest(b).greatest(c)]
}
