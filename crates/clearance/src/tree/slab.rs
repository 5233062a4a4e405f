//! The slab of a part of a surface: between two planes across its main normal.
//!
//! A box around a patch of size `s` that lies askew is about `s` thick, the patch itself only `s^2` times its curvature.
//! With boxes alone the number of pairs to be looked at around the nearest points grows like the square root of the
//! number of triangles. The slab is as thin as the patch, and it bounds it along every direction near its normal.

use super::Tree;
use super::node::{Child, Leaf};
use glam::{DMat3, DVec3};
use wide::f32x8;

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

impl Tree {
    /// The slab of all below a lane.
    pub(super) fn slab_of(&self, child: Child) -> Slab {
        let mut facing = DMat3::ZERO;
        self.each_leaf(child, &mut |leaf| facing += facing_of(leaf));
        let normal = main_axis(&facing).to_array().map(|x| x as f32);
        let along = normal.map(f32x8::splat);
        let (mut low, mut high) = (f32x8::splat(f32::INFINITY), f32x8::splat(f32::NEG_INFINITY));
        self.each_leaf(child, &mut |leaf| {
            for [x, y, z] in leaf.corners {
                let height = along[0] * x + along[1] * y + along[2] * z;
                (low, high) = (low.fast_min(height), high.fast_max(height));
            }
        });
        let low = low.to_array().into_iter().fold(f32::INFINITY, f32::min) - SLACK;
        let high = high.to_array().into_iter().fold(f32::NEG_INFINITY, f32::max) + SLACK;
        Slab { normal, low, high }
    }

    pub(super) fn each_leaf(&self, child: Child, visit: &mut impl FnMut(&Leaf)) {
        match child {
            Child::Leaf { index, .. } => visit(&self.leaves[index as usize]),
            Child::Node(index) => {
                self.nodes[index as usize].children().for_each(|child| self.each_leaf(child, visit));
            }
        }
    }
}

impl Slab {
    /// Whether it holds a point in local coordinates, up to the rounding of the product.
    pub fn holds(&self, point: DVec3) -> bool {
        let height = DVec3::from_array(self.normal.map(f64::from)).dot(point);
        (f64::from(self.low)..=f64::from(self.high)).contains(&height)
    }
}

/// The sum of `n n^T` over the area vectors of a leaf's triangles: its main axis is the direction that most of it faces.
fn facing_of(leaf: &Leaf) -> DMat3 {
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

/// The main axis of a symmetric matrix, roughly, by a few steps of the power iteration: any direction makes a slab.
fn main_axis(matrix: &DMat3) -> DVec3 {
    let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let longest =
        (0..3).fold(0, |best, axis| if columns[axis][axis] > columns[best][best] { axis } else { best });
    (0..6).fold(columns[longest].normalize_or(DVec3::X), |axis, _| (*matrix * axis).normalize_or(DVec3::X))
}
