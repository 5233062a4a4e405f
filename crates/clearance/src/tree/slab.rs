//! Boxes with slabs: a slab is the space between two planes across the main normal of a part.
//!
//! A box around a patch of size `s` that lies askew is about `s` thick, the patch itself only `s^2` times its curvature.
//! With boxes alone the number of pairs to be looked at around the nearest points grows like the square root of the
//! number of triangles. The slab is as thin as the patch, and it bounds it along every direction near its normal.

use super::Tree;
use super::kind::{Bound, Kind};
use super::lanes::Lanes;
use super::node::{Child, Leaf, Node, WIDTH};
use super::tile::{Boxes, Measure};
use super::view::Map;
use glam::{DMat3, DVec3};
use wide::f32x8;

/// The default: every part has a box and a slab across the direction that most of it faces. Boxes are compared in both
/// frames, slabs along directions in which the bodies are known to be apart.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Slabs {
    /// Normals.
    pub(super) normal: [f32x8; 3],
    /// Least and greatest products with the normals.
    pub(super) slab: [f32x8; 2],
}

/// `low <= normal . x <= high` for all points `x` of a part of a mesh, in local coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slab {
    /// Of length 1 up to rounding.
    pub normal: [f32; 3],
    pub low: f32,
    pub high: f32,
}

/// What a product of a normal with a stored corner may be off from the exact one, and a little more: the corner errs by
/// `2^-25` a coordinate, products and sums by `3 * 2^-24`, times `|normal|_1 <= 1.74`.
const SLACK: f32 = 5.0 * f32::EPSILON;

impl Bound for Slabs {}

impl Kind for Slabs {
    const UNFITTED: Slabs = Slabs { normal: [f32x8::ZERO; 3], slab: [f32x8::ZERO; 2] };

    type Part = Slab;
    type Turn<L: Lanes> = ();
    type Posed<L: Lanes> = ();
    /// Half the direction.
    type Along<L: Lanes> = [L; 3];

    fn part(tree: &Tree<Slabs>, child: Child, facing: &DMat3) -> Slab {
        let normal = main_axis(facing).to_array().map(|x| x as f32);
        let [low, high] = heights(tree, child, normal);
        Slab { normal, low, high }
    }

    fn holds(part: &Slab, point: DVec3) -> bool {
        let height = DVec3::from_array(part.normal.map(f64::from)).dot(point);
        (f64::from(part.low)..=f64::from(part.high)).contains(&height)
    }

    #[inline(always)]
    fn thin_along(part: &Slab) -> DVec3 {
        DVec3::from_array(part.normal.map(f64::from))
    }

    fn of_parts(slabs: [Slab; WIDTH]) -> Slabs {
        Slabs {
            normal: std::array::from_fn(|axis| f32x8::new(slabs.map(|slab| slab.normal[axis]))),
            slab: [f32x8::new(slabs.map(|slab| slab.low)), f32x8::new(slabs.map(|slab| slab.high))],
        }
    }

    #[inline(always)]
    fn lane(&self, lane: usize) -> Slab {
        Slab {
            normal: self.normal.each_ref().map(|x| x.as_array()[lane]),
            low: self.slab[0].as_array()[lane],
            high: self.slab[1].as_array()[lane],
        }
    }

    #[inline(always)]
    fn turn<L: Lanes>(_: &DMat3, _: f64, _: DVec3, _: f64, _: f64) {}

    #[inline(always)]
    fn own<L: Lanes>(node: &Node<Slabs>, scale: L) -> (Boxes<L>, ()) {
        (Boxes::own(node, scale), ())
    }

    #[inline(always)]
    fn image<L: Lanes>(node: &Node<Slabs>, map: &Map<L, Slabs>) -> (Boxes<L>, ()) {
        (Boxes::image(node, map), ())
    }

    /// Slabs have other normals each: comparing them all costs more than it saves.
    #[inline(always)]
    fn sharpen<L: Lanes, M: Measure<L>>(measure: L, (): &(), (): &(), _: usize) -> L {
        measure
    }

    #[inline(always)]
    fn along<L: Lanes>(direction: DVec3) -> [L; 3] {
        (0.5 * direction).to_array().map(L::splat)
    }

    /// With `d = c n + r` for the normal `n` of a slab, `d . x` is at most what the slab allows for `c n . x` plus what
    /// the box allows for `r . x`, for any `c`; the product `d . n` makes the rest small where the part faces along `d`.
    #[inline(always)]
    fn reach<L: Lanes>(node: &Node<Slabs>, half: &[L; 3], of_box: L) -> L {
        let normal = node.more.normal.each_ref().map(L::widen);
        let share = half[0] * normal[0] + half[1] * normal[1] + half[2] * normal[2];
        let rest: [L; 3] = std::array::from_fn(|axis| half[axis] - share * normal[axis]);
        let twice = share + share;
        let [low, high] = node.more.slab.each_ref().map(L::widen);
        let of_slab = (twice * low).greatest(twice * high);
        of_box.least(of_slab + Boxes::reach(node, rest, rest.map(L::size)))
    }

    #[inline(always)]
    fn reach_of_part(part: &Slab, centre: DVec3, half: DVec3, direction: DVec3) -> f64 {
        let normal = DVec3::from_array(part.normal.map(f64::from));
        let [low, high] = [part.low, part.high].map(|x| f64::from(x) - normal.dot(centre));
        let share = direction.dot(normal);
        let rest = direction - share * normal;
        let of_slab = (share * low).max(share * high) + rest.abs().dot(half);
        of_slab.min(direction.abs().dot(half))
    }
}

/// Least and greatest product of a direction with a point of a part, outward by what rounding may do.
pub(super) fn heights<B: Bound>(tree: &Tree<B>, child: Child, along: [f32; 3]) -> [f32; 2] {
    let along = along.map(f32x8::splat);
    let (mut low, mut high) = (f32x8::splat(f32::INFINITY), f32x8::splat(f32::NEG_INFINITY));
    tree.each_leaf(child, &mut |leaf| {
        for [x, y, z] in leaf.corners {
            let height = along[0] * x + along[1] * y + along[2] * z;
            (low, high) = (low.fast_min(height), high.fast_max(height));
        }
    });
    let low = low.to_array().into_iter().fold(f32::INFINITY, f32::min) - SLACK;
    let high = high.to_array().into_iter().fold(f32::NEG_INFINITY, f32::max) + SLACK;
    [low, high]
}

/// The sum of `n n^T` over the area vectors of a leaf's triangles: its main axis is the direction that most of it faces.
pub(super) fn facing_of(leaf: &Leaf) -> DMat3 {
    let [a, b, c] = &leaf.corners;
    let edge = |to: &[f32x8; 3], axis: usize| to[axis] - a[axis];
    let normal: [f32x8; 3] = std::array::from_fn(|axis| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        edge(b, next) * edge(c, last) - edge(b, last) * edge(c, next)
    });
    let sum = |i: usize, j: usize| f64::from((normal[i] * normal[j]).reduce_add());
    let [xy, xz, yz] = [sum(0, 1), sum(0, 2), sum(1, 2)];
    DMat3::from_cols_array(&[sum(0, 0), xy, xz, xy, sum(1, 1), yz, xz, yz, sum(2, 2)])
}

/// The main axis of a symmetric positive matrix, roughly: any direction makes a slab.
///
/// A high power of the matrix is nearly a multiple of `n n^T` for its main axis `n`.
pub(super) fn main_axis(matrix: &DMat3) -> DVec3 {
    let trace = matrix.x_axis.x + matrix.y_axis.y + matrix.z_axis.z;
    let mut power = *matrix * (1.0 / trace);
    for _ in 0..3 {
        power = power * power;
    }
    let columns = [power.x_axis, power.y_axis, power.z_axis];
    let longest =
        (0..3).fold(0, |best, axis| if columns[axis][axis] > columns[best][best] { axis } else { best });
    columns[longest].normalize_or(DVec3::X)
}
